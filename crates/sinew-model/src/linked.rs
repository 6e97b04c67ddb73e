//! Parameters of later versions of MuJoCo as a part of their model.

use crate::enums::TrnType;
use crate::later::{BIAS_DCMOTOR, DYN_DCMOTOR, GAIN_DCMOTOR, Later, motor_states, row};
use crate::{ActuatorId, Model};

impl Later {
    /// How many numbers the table called `name` has in a model, if it has any.
    pub fn length(name: &str, m: &Model) -> Option<usize> {
        let (name, width) = Later::REALS.into_iter().find(|(known, _)| *known == name)?;
        let rows = match name.split('_').next() {
            Some("jnt") => m.njnt,
            Some("dof") => m.nv,
            Some("tendon") => m.ntendon,
            Some("geom") => m.ngeom,
            _ => m.nu,
        };
        Some(rows * width)
    }

    /// Whether every table is empty or has a row for each object of a model.
    pub(crate) fn fits(&self, m: &Model) -> bool {
        let mut tables = self.reals().into_iter().zip(Later::REALS);
        let specs = self.actuator_ctrlspec.len();
        (specs == 0 || specs == m.nu)
            && tables.all(|(table, (name, _))| {
                table.is_empty() || Some(table.len()) == Later::length(name, m)
            })
    }
}

impl Model {
    /// Whether an actuator is a motor with a commutator: its types, its control and the number of
    /// its activations are those of a motor.
    pub fn is_motor(&self, u: ActuatorId) -> bool {
        let types =
            (self.actuator_gaintype[u], self.actuator_dyntype[u], self.actuator_biastype[u]);
        if types != (GAIN_DCMOTOR, DYN_DCMOTOR, BIAS_DCMOTOR) {
            return false;
        }
        let specs = self.later.as_ref().map(|later| later.actuator_ctrlspec.as_slice());
        let states = motor_states(&self.actuator_dynprm[u], &self.actuator_gainprm[u]);
        let count = states.into_iter().filter(|&has| has).count();
        row(specs.unwrap_or_default(), u.idx()) != 0 && self.actuator_actnum[u] == count as i32
    }

    /// Removes tables without an entry, and finds the actuators that add to joints and tendons.
    pub fn link_later(&mut self) {
        let Some(mut later) = self.later.take() else { return };
        for (name, _) in Later::REALS {
            if later.table(name).is_some_and(|table| table.iter().all(|&x| x == 0.0)) {
                later.set_table(name, &[]);
            }
        }
        if later.actuator_ctrlspec.iter().all(|&spec| spec == 0) {
            later.actuator_ctrlspec.clear();
        }
        if later.reals().iter().all(|table| table.is_empty()) && later.actuator_ctrlspec.is_empty()
        {
            return;
        }

        // targets of actuators
        later.jnt_actuatorid = vec![-1; self.njnt];
        later.tendon_actuatorid = vec![-1; self.ntendon];
        for u in self.actuators() {
            if !later.adds(u.idx()) {
                continue;
            }
            let ids = match self.actuator_trntype[u] {
                TrnType::Joint | TrnType::Jointinparent => &mut later.jnt_actuatorid,
                TrnType::Tendon => &mut later.tendon_actuatorid,
                _ => continue,
            };
            let target = usize::try_from(self.actuator_trnid[u][0]).unwrap_or(usize::MAX);
            if let Some(id) = ids.get_mut(target) {
                *id = if *id == -1 { u.idx() as i32 } else { -2 };
            }
        }
        self.later = Some(later);
    }
}
