//! Derivatives of inverse dynamics over the trees, in closed form.
//!
//! With S the axis of a dof, v and a the velocity and acceleration of a body, and subscript j for
//! what is before dof j:
//!
//! ```text
//! ψ̇ = v_j × S    ψ̈ = a_j × S + v_j × ψ̇    σ = ψ̇ + Ṡ
//! dτ_i/dq_j = S_i · (2B ψ̇_j + I ψ̈_j)              j above i
//! dτ_j/dq_i = S_j · (2B ψ̇_i + I ψ̈_i + S_i ×* f)   j above i
//! dτ/dq̇    = S · (2B S + I σ)
//! ```
//!
//! I, B and f are sums over the bodies below the lower of both dofs. A pair of dofs thus costs a
//! few dot products, and all bodies together one sweep. Singh, Russell and Wensing, *Efficient
//! analytical derivatives of rigid-body dynamics using spatial vector algebra* (2022).
//!
//! A wrench w on a body, with dw = E S for the motions that carry the body, adds to the derivatives
//! by position -(S_j × S_i)·w - S_i·E S_j.

use sinew_math::{Inertia, Spatial, Vec3};
use sinew_model::{BodyId, Data, Model};

use super::mat6::Mat6;
use super::twist::{Twists, dofs_together, turn_together};

/// Wrenches on the bodies about the centre of mass of their tree.
#[derive(Debug, Default)]
pub(super) struct Wrenches {
    /// The wrench on each body.
    pub(super) force: Vec<Spatial>,
    /// Its change by a motion of the body.
    pub(super) change: Vec<Mat6>,
    /// Whether any is there.
    pub(super) any: bool,
}

impl Wrenches {
    pub(super) fn clear(&mut self, m: &Model) {
        self.force.resize(m.nbody, Spatial::ZERO);
        self.change.resize(m.nbody, Mat6::ZERO);
        if core::mem::take(&mut self.any) {
            self.force.fill(Spatial::ZERO);
            self.change.fill(Mat6::ZERO);
        }
    }

    /// Adds a wrench that stays as it is while the body moves.
    pub(super) fn add_fixed(&mut self, body: BodyId, force: Spatial) {
        self.any = true;
        self.force[body.idx()] += force;
    }

    /// Adds a wrench that changes by `change` while the body moves.
    pub(super) fn add(&mut self, body: BodyId, force: Spatial, change: &Mat6) {
        self.add_fixed(body, force);
        self.change[body.idx()].add(change);
    }

    /// Adds a force of fixed direction at a point of the body, given relative to the centre of mass
    /// of its tree.
    pub(super) fn add_at_point(&mut self, body: BodyId, at: Vec3, force: Vec3) {
        let wrench = Spatial::new(at.cross(force), force);
        self.add(body, wrench, &Mat6::carried_point(at, force));
    }
}

/// Rates and accelerations at which inverse dynamics is differentiated.
#[derive(Clone, Copy)]
pub(super) struct Motion<'a> {
    pub(super) rates: &'a [f64],
    pub(super) acc: &'a [f64],
    pub(super) gravity: bool,
}

/// Where derivatives go: `nv` numbers for each dof that is the input.
#[derive(Default)]
pub(super) struct Slopes<'a> {
    /// By position.
    pub(super) pos: Option<&'a mut [f64]>,
    /// By velocity.
    pub(super) vel: Option<&'a mut [f64]>,
    /// The factor with which they are added.
    pub(super) scale: f64,
}

/// Vectors of the dofs and sums over the bodies below.
#[derive(Debug, Default)]
pub(super) struct TreeWork {
    twists: Twists,
    /// Acceleration of each body, and what follows it through the tree.
    acc: Vec<Spatial>,
    sums: Vec<Below>,
    dofs: Vec<DofVectors>,
}

/// Sums over a body and all below it.
#[derive(Clone, Copy, Debug)]
struct Below {
    inertia: Inertia,
    coriolis: Mat6,
    force: Spatial,
    wrench: Spatial,
    change: Mat6,
}

/// What the pairs of a dof need.
#[derive(Clone, Copy, Debug, Default)]
struct DofVectors {
    psi_dot: Spatial,
    psi_ddot: Spatial,
    sigma: Spatial,
    /// (2B)ᵀ S
    by_psi_dot: Spatial,
    /// I S
    by_psi_ddot: Spatial,
    /// S ×* w + Eᵀ S
    by_wrench: Spatial,
}

/// Adds the derivatives of inverse dynamics less the wrenches.
pub(super) fn add_inverse_dynamics(
    m: &Model,
    d: &Data,
    motion: Motion<'_>,
    wrenches: Option<&Wrenches>,
    work: &mut TreeWork,
    out: Slopes<'_>,
) {
    work.twists.set(m, d, motion.rates);
    outwards(m, d, motion, work);
    inwards(m, d, wrenches, work);
    pairs(m, d, work, out);
}

/// Velocities and accelerations of all bodies in a motion.
pub(super) fn body_motions<'a>(
    m: &Model,
    d: &Data,
    motion: Motion<'_>,
    work: &'a mut TreeWork,
) -> (&'a [Spatial], &'a [Spatial]) {
    work.twists.set(m, d, motion.rates);
    outwards(m, d, motion, work);
    (&work.twists.body, &work.acc)
}

/// Accelerations of the bodies, and the change of the motion after each dof by the dof.
fn outwards(m: &Model, d: &Data, motion: Motion<'_>, work: &mut TreeWork) {
    let TreeWork { twists, acc, dofs, .. } = work;
    acc.resize(m.nbody, Spatial::ZERO);
    dofs.resize(m.nv, DofVectors::default());
    let gravity = if motion.gravity && m.has_gravity() { m.opt.gravity } else { Vec3::ZERO };
    acc[0] = Spatial::new(Vec3::ZERO, -gravity);
    for b in m.bodies().skip(1) {
        let mut sum = acc[m.body_parentid[b].idx()];
        for j in m.body_joints(b) {
            for together in dofs_together(m, j) {
                let before = sum;
                for v in together {
                    let axis = d.cdof[v];
                    let psi_dot = twists.before[v].cross_motion(axis);
                    let psi_ddot =
                        before.cross_motion(axis) + twists.before[v].cross_motion(psi_dot);
                    let sigma = psi_dot + twists.after[v].cross_motion(axis);
                    dofs[v] = DofVectors { psi_dot, psi_ddot, sigma, ..dofs[v] };
                    sum += axis * motion.acc[v] + psi_dot * motion.rates[v];
                }
            }
        }
        acc[b.idx()] = sum;
    }
}

/// Sums over the bodies below each body.
fn inwards(m: &Model, d: &Data, wrenches: Option<&Wrenches>, work: &mut TreeWork) {
    let TreeWork { twists, acc, sums, .. } = work;
    sums.clear();
    for b in m.bodies() {
        let (inertia, v) = (d.cinert[b], twists.body[b.idx()]);
        let force = inertia * acc[b.idx()] + v.cross_force(inertia * v);
        let coriolis = if v == Spatial::ZERO { Mat6::ZERO } else { Mat6::coriolis(inertia, v) };
        let (wrench, change) = match wrenches.filter(|w| w.any) {
            Some(w) => (w.force[b.idx()], w.change[b.idx()]),
            None => (Spatial::ZERO, Mat6::ZERO),
        };
        sums.push(Below { inertia, coriolis, force, wrench, change });
    }
    for b in m.bodies().skip(1).rev() {
        let parent = m.body_parentid[b];
        if parent == BodyId::WORLD {
            continue;
        }
        let child = sums[b.idx()];
        let sum = &mut sums[parent.idx()];
        sum.inertia += child.inertia;
        sum.force += child.force;
        sum.wrench += child.wrench;
        sum.coriolis.add(&child.coriolis);
        sum.change.add(&child.change);
    }
}

/// The derivatives for each dof and those above it.
fn pairs(m: &Model, d: &Data, work: &mut TreeWork, mut out: Slopes<'_>) {
    let TreeWork { sums, dofs, .. } = work;
    let (nv, scale) = (m.nv, out.scale);
    for i in m.dofs() {
        let (v, axis) = (i.idx(), d.cdof[i]);
        let below = &sums[m.dof_bodyid[i].idx()];
        let by_wrench = axis.cross_force(below.wrench) + below.change.tmul(axis);
        let own = DofVectors {
            by_psi_dot: below.coriolis.tmul(axis),
            by_psi_ddot: below.inertia * axis,
            by_wrench,
            ..dofs[v]
        };
        dofs[v] = own;
        let by_pos = below.coriolis.mul(own.psi_dot)
            + below.inertia * own.psi_ddot
            + axis.cross_force(below.force)
            - below.change.mul(axis);
        let by_vel = below.coriolis.mul(axis) + below.inertia * own.sigma;

        for j in m.dof_chain(i) {
            let (w, above, other) = (j.idx(), d.cdof[j], &dofs[j.idx()]);
            if let Some(pos) = &mut out.pos {
                pos[w * nv + v] += scale * carried(&own, other, above);
                if v != w {
                    let change = if turn_together(m, i, j) {
                        carried(other, &own, axis)
                    } else {
                        above.dot(by_pos)
                    };
                    pos[v * nv + w] += scale * change;
                }
            }
            if let Some(vel) = &mut out.vel {
                vel[w * nv + v] +=
                    scale * (own.by_psi_dot.dot(above) + own.by_psi_ddot.dot(other.sigma));
                if v != w {
                    vel[v * nv + w] += scale * above.dot(by_vel);
                }
            }
        }
    }
}

/// Change of the force of a dof by the position of another, with the axis `axis`, that carries it.
fn carried(dof: &DofVectors, other: &DofVectors, axis: Spatial) -> f64 {
    dof.by_psi_dot.dot(other.psi_dot) + dof.by_psi_ddot.dot(other.psi_ddot)
        - axis.dot(dof.by_wrench)
}
