//! From accelerations to the next state.

use sinew_math::algebra::{Quats, Vec3s};

use crate::actuation::next_activation;
use crate::derivative;
use crate::joint::{BALL, FREE};
use crate::linear::{factor_and_solve, stride};
use crate::memory::Cells;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;

/// The matrix M + h (B - D): of the damping and, if the integrator has it, of the derivatives D of
/// actuators.
#[inline(always)]
fn implicit_matrix<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (n, h) = (m.nv() as usize, m.scalars().timestep);
    full_matrix(t, m, w.M(), w.matrix());
    let a = w.matrix();
    t.par(n, |v| {
        let at = v * stride(n) + v;
        a.put(at, a.at(at) + h * m.dof_damping().at(v));
    });
    let entries = m.slope_entry();
    t.par(entries.len(), |e| {
        let k = entries.at(e) as usize;
        let (i, j) = (m.M_row().at(k) as usize, m.M_col().at(k) as usize);
        let mut slope = R::ZERO;
        for i in m.slope_adr().at(e) as usize..m.slope_adr().at(e + 1) as usize {
            let moment = |entry: u32| w.moment().at(entry as usize);
            let product = moment(m.slope_first().at(i)) * moment(m.slope_second().at(i));
            slope += product * w.act_slope().at(m.slope_act().at(i) as usize);
        }
        let at = j * stride(n) + i;
        a.put(at, a.at(at) - h * slope);
    });
    let drags = m.drag_entry();
    t.par(drags.len(), |e| {
        let k = drags.at(e) as usize;
        let (i, j) = (m.M_row().at(k) as usize, m.M_col().at(k) as usize);
        let mut drag = R::ZERO;
        for d in m.drag_adr().at(e) as usize..m.drag_adr().at(e + 1) as usize {
            let by = |entry: u32| w.ten_J().at(entry as usize);
            let damping = m.ten_damping().at(m.drag_ten().at(d) as usize);
            drag += damping * by(m.drag_first().at(d)) * by(m.drag_second().at(d));
        }
        let at = j * stride(n) + i;
        a.put(at, a.at(at) + h * drag);
    });
}

/// Writes M into the lower triangle of the dense matrix.
#[inline(never)]
pub(crate) fn full_matrix<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    entries: Cells<'_, R>,
    a: Cells<'_, R>,
) {
    let n = m.nv() as usize;
    t.par(n * stride(n), |i| a.put(i, R::ZERO));
    t.par(entries.len(), |k| {
        let (i, j) = (m.M_row().at(k) as usize, m.M_col().at(k) as usize);
        a.put(j * stride(n) + i, entries.at(k));
    });
}

/// Keeps the acceleration as the start of the next step's solver, and advances the time.
#[inline(always)]
pub(crate) fn keep<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    t.par(m.nv() as usize, |v| w.qacc_warmstart().put(v, w.qacc().at(v)));
    t.par(1, |_| w.time().put(0, w.time().at(0) + m.scalars().timestep));
}

/// One step along `qacc`, which forces on the dofs, the sum of which is `force`, have given.
#[inline(always)]
pub(crate) fn advance<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    force: impl Fn(usize) -> R,
) {
    let (nv, h) = (m.nv() as usize, m.scalars().timestep);
    let (qvel, qacc) = (w.qvel(), w.qacc());
    if m.implicit() != 0 {
        implicit_matrix(t, m, w);
        if T::FULL && m.sloped() != 0 {
            derivative::add_bodies(t, m, w);
        }
        t.par(nv, |v| qacc.put(v, force(v)));
        if T::FULL && m.unsymmetric() != 0 {
            derivative::solve_unsymmetric(t, nv, w.matrix(), qacc);
        } else {
            factor_and_solve(t, nv, w.matrix(), w.matrix_inv(), qacc);
        }
    }
    t.par(nv, |v| qvel.put(v, qvel.at(v) + h * qacc.at(v)));
    activate(t, m, w, w.act_dot());
    move_joints(t, m, w.qpos(), qvel, h);
}

/// Advances the activations by a step at these rates.
#[inline(always)]
pub(crate) fn activate<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    rates: Cells<'_, R>,
) {
    if m.na() > 0 {
        t.par(m.nu() as usize, |u| {
            let a = m.act_act().at(u);
            if a != NONE {
                let next = next_activation(m, w, u, rates.at(a as usize));
                w.act().put(a as usize, next);
            }
        });
    }
}

/// Moves all joints along velocities for the time `h`.
// out of line, as everything that is called twice: the kernel is larger than a GPU's instruction
// cache
#[inline(never)]
pub(crate) fn move_joints<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    qpos: Cells<'_, R>,
    qvel: Cells<'_, R>,
    h: R,
) {
    t.par(m.njnt() as usize, |j| {
        let (q, v) = (m.jnt_qposadr().at(j) as usize, m.jnt_dofadr().at(j) as usize);
        move_joint(m.jnt_type().at(j), qpos, qvel, [q, v], h);
    });
}

#[inline(always)]
fn move_joint<R: Real>(
    kind: u32,
    qpos: Cells<'_, R>,
    qvel: Cells<'_, R>,
    [q, v]: [usize; 2],
    h: R,
) {
    let linear = match kind {
        FREE => 3,
        BALL => 0,
        _ => 1,
    };
    for k in 0..linear {
        qpos.put(q + k, qpos.at(q + k) + h * qvel.at(v + k));
    }
    if kind == FREE || kind == BALL {
        let quat = unit_row4(qpos, q + linear) * turn_by(row3(qvel, v + linear), h);
        for (k, x) in quat.0.into_iter().enumerate() {
            qpos.put(q + linear + k, x);
        }
    }
}

/// The rotation of a velocity in the time `h`.
#[inline(always)]
fn turn_by<R: Real>(vel: Vec3s<R>, h: R) -> Quats<R> {
    let speed = vel.dot(vel).sqrt();
    if speed < R::of(sinew_math::MINVAL) {
        return no_turn();
    }
    let (sin, cos) = (speed * h * R::of(0.5)).sin_cos();
    let axis = vel.scale(sin / speed);
    Quats([cos, axis.x, axis.y, axis.z])
}
