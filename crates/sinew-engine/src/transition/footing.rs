//! Sums over the contacts of moving bodies with bodies that never move.
//!
//! With the unit wrench g of a row about the centre of mass, the row of the Jacobian is g·S. The
//! wrench of all rows changes with the motion S of the body, where ξ is the twist before the dof:
//!
//! ```text
//! dw = E S + A (ξ_a × S) + B (ξ_v × S)     A = Σ g W gᵀ,  B = Σ g W b gᵀ
//! ```
//!
//! A is the share in the matrix H, B the change with the velocity. Both add up over all contacts of
//! a body and over the bodies below, so that a pair of dofs costs a few dot products. E is a part
//! of the wrenches of `tree`.

use sinew_math::Spatial;
use sinew_model::{BodyId, Data, DofId, Model};

use super::hessian::Hessian;
use super::mat6::Mat6;
use super::twist::Twists;

/// Sums over the contacts of each body with the ground.
#[derive(Debug, Default)]
pub(super) struct Footings {
    bodies: Vec<Footing>,
    /// Of dofs that carry such a contact.
    dofs: Vec<DofFooting>,
    any: bool,
}

/// Products of a dof with the sums over the contacts that it carries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DofFooting {
    /// ξ_a × S
    pub(super) acc_turned: Spatial,
    /// A S
    pub(super) by_acc: Spatial,
    /// B S
    pub(super) by_vel: Spatial,
    /// Bᵀ S
    pub(super) of_vel: Spatial,
    /// A (ξ_a × S) + B (ξ_v × S)
    pub(super) by_turn: Spatial,
}

/// How the wrench of all contacts of a body opposes its acceleration and its velocity.
#[derive(Clone, Copy, Debug)]
struct Footing {
    by_acc: Mat6,
    by_vel: Mat6,
    any: bool,
}

impl Footing {
    const NONE: Footing = Footing { by_acc: Mat6::ZERO, by_vel: Mat6::ZERO, any: false };
}

impl Footings {
    pub(super) fn any(&self) -> bool {
        self.any
    }

    /// The products of a dof, if it carries contacts.
    pub(super) fn of(&self, m: &Model, v: DofId) -> Option<&DofFooting> {
        self.bodies[m.dof_bodyid[v].idx()].any.then(|| &self.dofs[v.idx()])
    }

    pub(super) fn clear(&mut self, m: &Model) {
        if self.bodies.len() != m.nbody || core::mem::take(&mut self.any) {
            self.bodies.clear();
            self.bodies.resize(m.nbody, Footing::NONE);
        }
    }

    /// Adds g aᵀ to A and g bᵀ to B of a body.
    pub(super) fn add(&mut self, body: BodyId, unit: Spatial, [by_acc, by_vel]: [Spatial; 2]) {
        let own = &mut self.bodies[body.idx()];
        (own.any, self.any) = (true, true);
        own.by_acc.add_product(unit, by_acc);
        own.by_vel.add_product(unit, by_vel);
    }

    /// Adds up over the bodies below at the motions of acceleration and velocity, and adds the
    /// shares in H.
    pub(super) fn finish(
        &mut self,
        m: &Model,
        d: &Data,
        [acc, vel]: [&Twists; 2],
        hessian: &mut Hessian,
    ) {
        if !self.any {
            return;
        }
        let Footings { bodies, dofs, .. } = self;
        for b in m.bodies().skip(1).rev().filter(|b| m.body_treeid[*b].get().is_some()) {
            let (own, parent) = (b.idx(), m.body_parentid[b].idx());
            if bodies[own].any && parent != 0 {
                let Footing { by_acc, by_vel, .. } = bodies[own];
                let sum = &mut bodies[parent];
                sum.by_acc.add(&by_acc);
                sum.by_vel.add(&by_vel);
                sum.any = true;
            }
        }
        dofs.resize(m.nv, DofFooting::default());
        for i in m.dofs() {
            let own = &bodies[m.dof_bodyid[i].idx()];
            if !own.any {
                continue;
            }
            let (v, axis) = (i.idx(), d.cdof[i]);
            let [acc_turned, vel_turned] =
                [acc, vel].map(|twists| twists.before[v].cross_motion(axis));
            let by_acc = own.by_acc.mul(axis);
            dofs[v] = DofFooting {
                acc_turned,
                by_acc,
                by_vel: own.by_vel.mul(axis),
                of_vel: own.by_vel.tmul(axis),
                by_turn: own.by_acc.mul(acc_turned) + own.by_vel.mul(vel_turned),
            };
            hessian.add_chain(m, i, |j| by_acc.dot(d.cdof[j]));
        }
    }
}
