//! The motion of all bodies at given rates of the dofs.
//!
//! Twists refer to the centre of mass of each tree as a fixed point of the world, as `cdof` does. A
//! dof j carries everything after it. The twist ξ of a body changes with its position by S_j × (ξ -
//! ξ_j), where ξ_j is the twist before the dof.

use core::ops::Range;

use sinew_math::Spatial;
use sinew_model::enums::JointType;
use sinew_model::{BodyId, Data, DofId, JointId, Model};

use crate::smooth::com::mul_dof_vec;

/// Twists of bodies, and between the dofs.
#[derive(Debug, Default)]
pub(super) struct Twists {
    /// Of each body.
    pub(super) body: Vec<Spatial>,
    /// Before each dof. The dofs of a ball turn together and have one twist before them.
    pub(super) before: Vec<Spatial>,
    /// After each dof and those that turn with it.
    pub(super) after: Vec<Spatial>,
}

impl Twists {
    /// The twists at the rates `rates`.
    pub(super) fn set(&mut self, m: &Model, d: &Data, rates: &[f64]) {
        self.body.resize(m.nbody, Spatial::ZERO);
        self.before.resize(m.nv, Spatial::ZERO);
        self.after.resize(m.nv, Spatial::ZERO);
        self.body[0] = Spatial::ZERO;
        for b in m.bodies().skip(1) {
            let mut twist = self.body[m.body_parentid[b].idx()];
            for j in m.body_joints(b) {
                for together in dofs_together(m, j) {
                    self.before[together.clone()].fill(twist);
                    twist += mul_dof_vec(&d.cdof, rates, together.clone());
                    self.after[together].fill(twist);
                }
            }
            self.body[b.idx()] = twist;
        }
    }

    /// The twists at rest.
    pub(super) fn rest(&mut self, m: &Model) {
        let Twists { body, before, after } = self;
        for (twists, len) in [(body, m.nbody), (before, m.nv), (after, m.nv)] {
            twists.clear();
            twists.resize(len, Spatial::ZERO);
        }
    }

    /// Change of the twist of a body by the position of a dof that moves it.
    pub(super) fn change(&self, d: &Data, body: BodyId, dof: DofId) -> Spatial {
        d.cdof[dof].cross_motion(self.body[body.idx()] - self.before[dof.idx()])
    }
}

/// The dofs of a joint that move together: the turns of a ball, or one dof. Of a free joint the
/// translations are first.
pub(super) fn dofs_together(m: &Model, j: JointId) -> impl Iterator<Item = Range<usize>> + use<> {
    let first = m.jnt_dofadr[j].idx();
    let [one, two] = match m.jnt_type[j] {
        JointType::Free => [first..first + 3, first + 3..first + 6],
        JointType::Ball => [first..first + 3, 0..0],
        _ => [first..first + 1, 0..0],
    };
    [one, two].into_iter().filter(|range| !range.is_empty())
}

/// Whether two dofs turn together, so that each moves the axis of the other.
pub(super) fn turn_together(m: &Model, v: DofId, w: DofId) -> bool {
    let j = m.dof_jntid[v];
    if j != m.dof_jntid[w] {
        return false;
    }
    match m.jnt_type[j] {
        JointType::Ball => true,
        JointType::Free => v.idx().min(w.idx()) >= m.jnt_dofadr[j].idx() + 3,
        _ => false,
    }
}
