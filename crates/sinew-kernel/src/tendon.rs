//! Tendons: lengths, how dofs change them, springs and dampers.

use crate::real::Real;
use crate::tables::{Model, World};
use crate::team::Team;

/// Lengths of all tendons and their derivatives by the dofs.
#[inline(always)]
pub(crate) fn tendons<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (slopes, coef) = (w.ten_J(), m.ten_coef());
    t.par(slopes.len(), |e| slopes.put(e, coef.at(e)));
    t.par(m.nten as usize, |i| {
        let mut length = R::ZERO;
        for e in entries(m, i) {
            length += coef.at(e) * w.qpos().at(m.ten_qpos().at(e) as usize);
        }
        w.ten_length().put(i, length);
    });
}

/// Entries of the derivative of a tendon's length.
#[inline(always)]
pub(crate) fn entries<R: Real>(m: Model<'_, R>, i: usize) -> core::ops::Range<usize> {
    m.ten_adr().at(i) as usize..m.ten_adr().at(i + 1) as usize
}

/// Forces of the springs and dampers of tendons.
#[inline(always)]
pub(crate) fn tendon_forces<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let nten = m.nten as usize;
    t.par(nten, |i| {
        let mut vel = R::ZERO;
        for e in entries(m, i) {
            vel += w.ten_J().at(e) * w.qvel().at(m.ten_dof().at(e) as usize);
        }
        let length = w.ten_length().at(i);
        let [lo, hi] = [m.ten_rest().at(i), m.ten_rest().at(nten + i)];
        let stretch = length.clip(lo, hi) - length;
        w.ten_force().put(i, m.ten_stiffness().at(i) * stretch - m.ten_damping().at(i) * vel);
    });
}

/// The force of springs and dampers of tendons on a dof.
#[inline(always)]
pub(crate) fn force_on<R: Real>(m: Model<'_, R>, w: World<'_, R>, v: usize) -> R {
    let mut sum = R::ZERO;
    for i in m.dof_ten_adr().at(v) as usize..m.dof_ten_adr().at(v + 1) as usize {
        let (tendon, entry) = (m.dof_ten().at(i) as usize, m.dof_ten_entry().at(i) as usize);
        sum += w.ten_J().at(entry) * w.ten_force().at(tendon);
    }
    sum
}
