//! Derivatives of inverse dynamics over the trees, in closed form.
//!
//! S is the axis of a dof. A body has the velocity v and the acceleration a, and subscript j means
//! the values before dof j:
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
//! A wrench w on a body has dw = E S for the motions that carry the body. The wrench adds -(S_j ×
//! S_i)·w - S_i·E S_j to the derivatives by position.

use sinew_math::{Inertia, Mat3, Spatial, Vec3};
use sinew_model::enums::JointType;
use sinew_model::{BodyId, Data, DofId, Model};

use super::footing::{DofFooting, Footings};
use super::mat6::Mat6;
use super::pairs::{Above, Factors, Sums, interleave, sum_pairs};
use super::twist::{Twists, dofs_together};

/// Wrenches on the bodies about the centre of mass of their tree.
#[derive(Debug, Default)]
pub(super) struct Wrenches {
    /// The wrench on each body.
    pub(super) force: Vec<Spatial>,
    /// Change of the wrench by a motion of the body.
    pub(super) change: Vec<Mat6>,
    /// Which bodies have one, and whether any has.
    on: Vec<bool>,
    pub(super) any: bool,
    /// Changes of the wrenches with the motion before the dofs.
    pub(super) footings: Footings,
}

impl Wrenches {
    pub(super) fn clear(&mut self, m: &Model) {
        self.force.resize(m.nbody, Spatial::ZERO);
        self.change.resize(m.nbody, Mat6::ZERO);
        self.on.resize(m.nbody, false);
        if core::mem::take(&mut self.any) {
            self.on.fill(false);
            self.force.fill(Spatial::ZERO);
            self.change.fill(Mat6::ZERO);
        }
        self.footings.clear(m);
    }

    /// Adds a wrench that stays as it is while the body moves.
    pub(super) fn add_fixed(&mut self, body: BodyId, force: Spatial) {
        (self.any, self.on[body.idx()]) = (true, true);
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
    /// None at rest.
    pub(super) rates: Option<&'a [f64]>,
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
    /// Acceleration of each body, with the terms that it passes through the tree.
    acc: Vec<Spatial>,
    sums: Vec<Below>,
    /// Sums of the wrenches and of their changes, if there are any.
    wrenches: Vec<WrenchBelow>,
    dofs: Vec<DofVectors>,
    above: Vec<Above>,
    /// Of the dof at hand.
    factors: Factors,
    chain: Vec<u32>,
    pairs: Vec<Sums>,
}

/// Sums of wrenches and of their changes over a body and all below it, and whether there are any.
#[derive(Clone, Copy, Debug)]
struct WrenchBelow {
    force: Spatial,
    change: Mat6,
    on: bool,
}

/// Sums over a body and all below it.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    inertia: Inertia,
    coriolis: Coriolis,
    force: Spatial,
}

/// 2B(v) x = v ×* I x - I (v × x) + x ×* I v: half the change of a body's force with its velocity.
/// Translations x have none. With the rotation r of x, the momentum p, the moments I₀ and the mass
/// times offset h:
///
/// ```text
/// 2B x = (2 ω × I₀ r - tr(I₀) ω × r + 2 (h·v) r - 2 v (h·r), 2 r × p)
/// ```
#[derive(Clone, Copy, Debug, Default)]
struct Coriolis {
    turn: Mat3,
    momentum: Vec3,
}

impl Coriolis {
    fn new(inertia: Inertia, Spatial { rot: w, lin: v }: Spatial, momentum: Vec3) -> Coriolis {
        let [xx, yy, zz, xy, xz, yz, hx, hy, hz, _] = inertia.0;
        let (h, trace) = (Vec3::new(hx, hy, hz), xx + yy + zz);
        let columns = [Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz)];
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let column = |k: usize| {
            let turned = w.cross(columns[k] * 2.0 - axes[k] * trace);
            turned + axes[k] * (2.0 * h.dot(v)) - v * (2.0 * h[k])
        };
        Coriolis { turn: Mat3::from_cols(column(0), column(1), column(2)), momentum }
    }

    fn add(&mut self, o: &Coriolis) {
        for (a, b) in self.turn.0.iter_mut().flatten().zip(o.turn.0.iter().flatten()) {
            *a += b;
        }
        self.momentum += o.momentum;
    }

    fn mul(&self, x: Spatial) -> Spatial {
        Spatial::new(self.turn * x.rot, x.rot.cross(self.momentum) * 2.0)
    }

    /// The rotational part of the product of the transpose; the other part is zero.
    fn tmul(&self, x: Spatial) -> Vec3 {
        self.turn.tmul_vec(x.rot) + self.momentum.cross(x.lin) * 2.0
    }
}

/// The vectors of a dof that its pairs need.
#[derive(Clone, Copy, Debug, Default)]
struct DofVectors {
    psi_dot: Spatial,
    psi_ddot: Spatial,
    sigma: Spatial,
    /// (2B)ᵀ S, which is a rotation.
    by_psi_dot: Vec3,
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
    outwards(m, d, motion, work);
    inwards(m, d, motion, wrenches, work);
    let footings = wrenches.map(|w| &w.footings).filter(|f| f.any());
    add_pairs(m, d, motion, (work, footings), out);
}

/// Velocities and accelerations of all bodies in a motion.
pub(super) fn body_motions<'a>(
    m: &Model,
    d: &Data,
    motion: Motion<'_>,
    work: &'a mut TreeWork,
) -> (&'a [Spatial], &'a [Spatial]) {
    outwards(m, d, motion, work);
    (&work.twists.body, &work.acc)
}

/// Motions of the bodies, and the change of the motion after each dof by the dof.
fn outwards(m: &Model, d: &Data, motion: Motion<'_>, work: &mut TreeWork) {
    let TreeWork { twists, acc, dofs, .. } = work;
    match motion.rates {
        Some(rates) => twists.set(m, d, rates),
        None => twists.rest(m),
    }
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
                    let psi_ddot = before.cross_motion(axis);
                    let mut own = DofVectors { psi_ddot, ..DofVectors::default() };
                    if let Some(rates) = motion.rates {
                        own.psi_dot = twists.before[v].cross_motion(axis);
                        own.psi_ddot += twists.before[v].cross_motion(own.psi_dot);
                        own.sigma = own.psi_dot + twists.after[v].cross_motion(axis);
                        sum += own.psi_dot * rates[v];
                    }
                    sum += axis * motion.acc[v];
                    dofs[v] = own;
                }
            }
        }
        acc[b.idx()] = sum;
    }
}

/// Sums over the bodies below each body that moves.
fn inwards(
    m: &Model,
    d: &Data,
    motion: Motion<'_>,
    wrenches: Option<&Wrenches>,
    work: &mut TreeWork,
) {
    let TreeWork { twists, acc, sums, wrenches: wrench_sums, .. } = work;
    let moves = |b: &BodyId| m.body_treeid[*b].get().is_some();
    sums.resize(m.nbody, Below::default());
    for b in m.bodies().skip(1).filter(moves) {
        let inertia = d.cinert[b];
        let mut own = Below { inertia, force: inertia * acc[b.idx()], ..Below::default() };
        if motion.rates.is_some() {
            let v = twists.body[b.idx()];
            let momentum = inertia * v;
            own.force += v.cross_force(momentum);
            own.coriolis = Coriolis::new(inertia, v, momentum.lin);
        }
        sums[b.idx()] = own;
    }
    wrench_sums.clear();
    if let Some(w) = wrenches.filter(|w| w.any) {
        let own = w.force.iter().zip(&w.change).zip(&w.on);
        wrench_sums.extend(own.map(|((&force, &change), &on)| WrenchBelow { force, change, on }));
    }
    for b in m.bodies().skip(1).rev().filter(moves) {
        let parent = m.body_parentid[b];
        if !moves(&parent) {
            continue;
        }
        let child = sums[b.idx()];
        let sum = &mut sums[parent.idx()];
        sum.inertia += child.inertia;
        sum.force += child.force;
        if motion.rates.is_some() {
            sum.coriolis.add(&child.coriolis);
        }
        if wrench_sums.get(b.idx()).is_some_and(|wrench| wrench.on) {
            let WrenchBelow { force, change, .. } = wrench_sums[b.idx()];
            let sum = &mut wrench_sums[parent.idx()];
            sum.force += force;
            sum.change.add(&change);
            sum.on = true;
        }
    }
}

/// Adds the derivatives for each dof and those above it.
fn add_pairs(
    m: &Model,
    d: &Data,
    motion: Motion<'_>,
    (work, footings): (&mut TreeWork, Option<&Footings>),
    mut out: Slopes<'_>,
) {
    let (nv, scale) = (m.nv, out.scale);
    work.above.resize(nv, Above::default());
    for i in m.dofs() {
        let (v, axis) = (i.idx(), d.cdof[i]);
        let footing = footings.and_then(|f| f.of(m, i));
        work.set_own(m, motion, (i, axis), footing);
        let TreeWork { dofs, wrenches, above, factors, chain, pairs, .. } = &mut *work;
        chain.clear();
        chain.extend(m.dof_chain(i).map(|j| j.idx() as u32));
        pairs.resize(chain.len(), Sums::default());
        sum_pairs(factors, chain, above, pairs);
        let turned_from = first_turned_with(m, i);
        for (&j, [by_axis, products]) in chain.iter().zip(&*pairs) {
            let w = j as usize;
            if let Some(pos) = &mut out.pos {
                // the bodies that dof j carries, then the bodies that dof i carries
                let sum = by_axis[0] + ((products[0] + products[1]) + products[3]);
                pos[w * nv + v] += scale * sum;
                if v != w {
                    let mut change = by_axis[1];
                    if w >= turned_from {
                        change = carried(motion, &dofs[w], &dofs[v]);
                        if !wrenches.is_empty() {
                            change -= axis.dot(dofs[w].by_wrench);
                        }
                        change += footing.map_or(0.0, |f| d.cdof[w].dot(f.by_turn));
                    }
                    pos[v * nv + w] += scale * change;
                }
            }
            if let Some(vel) = &mut out.vel {
                vel[w * nv + v] += scale * (by_axis[2] + products[2]);
                if v != w {
                    vel[v * nv + w] += scale * by_axis[3];
                }
            }
        }
    }
}

/// The change by `other` of the force on a dof, from bodies that the dof carries, besides wrenches.
fn carried(motion: Motion<'_>, dof: &DofVectors, other: &DofVectors) -> f64 {
    let sum = dof.by_psi_ddot.dot(other.psi_ddot);
    if motion.rates.is_some() { sum + dof.by_psi_dot.dot(other.psi_dot.rot) } else { sum }
}

/// The first of the dofs that turn together with a dof.
fn first_turned_with(m: &Model, v: DofId) -> usize {
    let j = m.dof_jntid[v];
    match m.jnt_type[j] {
        JointType::Ball => m.jnt_dofadr[j].idx(),
        JointType::Free => (m.jnt_dofadr[j].idx() + 3).min(v.idx()),
        _ => v.idx(),
    }
}

impl TreeWork {
    /// Sets the vectors of a dof that need the bodies below, and the factors of its sums. The sums
    /// with a dof above are by both positions and by both velocities.
    fn set_own(
        &mut self,
        m: &Model,
        motion: Motion<'_>,
        (i, axis): (DofId, Spatial),
        footing: Option<&DofFooting>,
    ) {
        let TreeWork { sums, dofs, wrenches, above, factors, .. } = self;
        let (v, body) = (i.idx(), m.dof_bodyid[i].idx());
        let (below, own) = (&sums[body], &mut dofs[v]);
        own.by_psi_ddot = below.inertia * axis;
        let mut by_pos = below.inertia * own.psi_ddot + axis.cross_force(below.force);
        let (mut of_vel, mut by_vel) = (Spatial::ZERO, Spatial::ZERO);
        if motion.rates.is_some() {
            own.by_psi_dot = below.coriolis.tmul(axis);
            of_vel.rot = own.by_psi_dot;
            by_pos += below.coriolis.mul(own.psi_dot);
            by_vel = below.coriolis.mul(axis) + below.inertia * own.sigma;
        }
        if let Some(WrenchBelow { force, change, .. }) = wrenches.get(body).filter(|w| w.on) {
            own.by_wrench = axis.cross_force(*force) + change.tmul(axis);
            by_pos -= change.mul(axis);
        }
        let (mut by_acc, mut acc_turned) = (Spatial::ZERO, Spatial::ZERO);
        if let Some(footing) = footing {
            (by_acc, acc_turned) = (footing.by_acc, footing.acc_turned);
            of_vel += footing.of_vel;
            by_pos += footing.by_turn;
            by_vel += footing.by_vel;
        }
        let to = &mut above[v];
        to.axis = axis.to_array();
        interleave([own.psi_ddot, acc_turned, own.sigma, own.psi_dot], &mut to.turned);
        interleave([-own.by_wrench, by_pos, of_vel, by_vel], &mut factors.axis);
        interleave([own.by_psi_ddot, by_acc, own.by_psi_ddot, of_vel], &mut factors.turned);
    }
}
