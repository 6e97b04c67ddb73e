//! Slopes of the numbers of a sensor.

use sinew_model::Model;

/// Slopes of one number of a reading.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// By position, velocity and acceleration of each dof.
    pub(super) dofs: [Vec<f64>; 3],
    pub(super) act: Vec<f64>,
    pub(super) ctrl: Vec<f64>,
}

/// Places of the slopes by position, velocity and acceleration.
pub(super) const POS: usize = 0;
pub(super) const VEL: usize = 1;
pub(super) const ACC: usize = 2;

impl Reading {
    pub(super) fn clear(&mut self, m: &Model) {
        let Reading { dofs: [pos, vel, acc], act, ctrl } = self;
        for (x, len) in [(pos, m.nv), (vel, m.nv), (acc, m.nv), (act, m.na), (ctrl, m.nu)] {
            x.clear();
            x.resize(len, 0.0);
        }
    }
}
