//! Enumerations of the options, and sizes of arrays that only `Data` has.

use super::{Check, Fault, MAX_DATA_NUMBERS, Requirement};
use crate::model::Model;

impl Model {
    /// Enumerations of the options: name, value and maximum.
    fn kinds(&self) -> [(&'static str, i32, i32); 4] {
        [
            ("opt.integrator", self.opt.integrator.0, 3),
            ("opt.cone", self.opt.cone.0, 1),
            ("opt.jacobian", self.opt.jacobian.0, 2),
            ("opt.solver", self.opt.solver.0, 2),
        ]
    }

    /// The number of an option or size.
    pub(super) fn setting(&self, field: &str) -> Option<i64> {
        let kind = self.kinds().into_iter().find(|(name, ..)| *name == field);
        let kind = kind.map(|(_, kind, _)| i64::from(kind));
        kind.or_else(|| self.size(field).map(|n| n as i64))
    }

    /// Solver types, and the memory of a `Data`.
    pub(super) fn check_options(&self) -> Check {
        for (field, kind, last) in self.kinds() {
            if !(0..=last).contains(&kind) {
                let wanted = Requirement::Between(0, i64::from(last));
                return Err(Fault { field, at: 0, wanted });
            }
        }

        let mut left = MAX_DATA_NUMBERS;
        for (field, size) in self.data_sizes() {
            let wanted = Requirement::Between(0, left as i64);
            left = left.checked_sub(size).ok_or(Fault { field, at: 0, wanted })?;
        }
        Ok(())
    }

    /// Sizes of arrays that only `Data` has, whose total is at most [`MAX_DATA_NUMBERS`].
    pub fn data_sizes(&self) -> [(&'static str, usize); 6] {
        [
            ("nuserdata", self.nuserdata),
            ("nsensordata", self.nsensordata),
            ("npluginstate", self.npluginstate),
            ("nhistory", self.nhistory),
            ("nJmom", self.nJmom),
            ("na", self.na),
        ]
    }
}
