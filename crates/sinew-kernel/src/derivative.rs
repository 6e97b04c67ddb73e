//! Derivatives of the forces on bodies by velocity, for the implicit integrators: of a fluid, and
//! of the motion itself.
//!
//! A body's force about the centre of mass of its tree has a derivative by its velocity of 6 × 6
//! numbers, C. The sum over a subtree gives the numbers of all dofs above.
//!
//! The motion has a part that is not a function of a body's own velocity. The acceleration of a
//! body per velocity of a dof k is s_k × (v - after_k) + before_k × s_k. The velocities around its
//! joint are before_k and after_k. So the part is the inertia times (before_k + after_k) × s_k.

use sinew_math::algebra::Spatials;

use crate::fluid_slope::fluid_slope;
use crate::linear::stride;
use crate::memory::Cells;
use crate::real::Real;
use crate::rows::*;
use crate::speed::around;
use crate::tables::{Model, World};
use crate::team::Team;

/// Numbers of a derivative, column after column.
const BLOCK: usize = 36;

/// Takes h D from the matrix: from its lower triangle, or from all of it, where the motion counts.
// out of line: few models have such an integrator
#[inline(never)]
pub(crate) fn add_bodies<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let (nbody, own, sums) = (m.nbody() as usize, w.body_slope(), w.slope_sum());
    t.par(6 * nbody, |i| put6(own, i, column(m, w, i / 6, i % 6)));
    t.par(BLOCK * nbody, |i| {
        let (b, k) = (i / BLOCK, i % BLOCK);
        let mut sum = R::ZERO;
        for below in b..m.body_end().at(b) as usize {
            sum += own.at(BLOCK * below + k);
        }
        sums.put(i, sum);
    });

    let (n, h, a) = (m.nv() as usize, m.scalars().timestep, w.matrix());
    let full = m.unsymmetric() != 0;
    if full {
        t.par(n, |v| {
            let [before, after] = around(m, w, v);
            put6(w.dof_rate(), v, before.plus(after).cross_motion(get6(w.cdof(), v)));
        });
    }
    t.par(m.M_row().len(), |k| {
        let (i, j) = (m.M_row().at(k) as usize, m.M_col().at(k) as usize);
        let [lower, upper] = entries(m, w, i, j);
        let at = j * stride(n) + i;
        let rest = a.at(at);
        if !full {
            return a.put(at, rest - h * R::of(0.5) * (lower + upper));
        }
        let below = lower - get6(w.dof_force(), i).dot(get6(w.dof_rate(), j));
        let moved = inertia(w.composite(), m.dof_body().at(i) as usize);
        let above = upper - get6(w.cdof(), j).dot(moved.mul(get6(w.dof_rate(), i)));
        a.put(at, rest - h * below);
        if i != j {
            a.put(i * stride(n) + j, rest - h * above);
        }
    });
}

/// Column `c` of the derivative of a body's force.
#[inline(always)]
fn column<R: Real>(m: Model<'_, R>, w: World<'_, R>, b: usize, c: usize) -> Spatials<R> {
    let x = |k: usize| if k == c { R::ONE } else { R::ZERO };
    let along = Spatials { rot: vec3(x(0), x(1), x(2)), lin: vec3(x(3), x(4), x(5)) };
    let (vel, mut sum) = (get6(w.cvel(), b), zero6());
    if m.unsymmetric() != 0 {
        let inertia = inertia(w.rigid(), b);
        let turning = along.cross_force(inertia.mul(vel)).plus(vel.cross_force(inertia.mul(along)));
        sum = minus(sum, inertia.mul(along.cross_motion(vel)).plus(turning));
    }
    if m.fluid() != 0 {
        let centre = get3(w.com(), m.body_root().at(b) as usize);
        sum = sum.plus(fluid_slope(m, w, b, [vel, along], centre));
    }
    sum
}

/// The derivative of a force on a dof by the velocity of one above it, and the other way round.
#[inline(always)]
fn entries<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize, j: usize) -> [R; 2] {
    let (b, low, high) = (m.dof_body().at(i) as usize, get6(w.cdof(), i), get6(w.cdof(), j));
    let times = |x: Spatials<R>| {
        let column = |c: usize| get6(w.slope_sum(), 6 * b + c);
        let rot = column(0).scale(x.rot.x).plus(column(1).scale(x.rot.y));
        let rot = rot.plus(column(2).scale(x.rot.z));
        let lin = column(3).scale(x.lin.x).plus(column(4).scale(x.lin.y));
        rot.plus(lin.plus(column(5).scale(x.lin.z)))
    };
    [low.dot(times(high)), high.dot(times(low))]
}

/// Solves A x = b in place, where A is not symmetric. From the last row on: the matrices of trees
/// stay as sparse as they are.
#[inline(never)]
pub(crate) fn solve_unsymmetric<R: Real, T: Team>(
    t: T,
    n: usize,
    a: Cells<'_, R>,
    x: Cells<'_, R>,
) {
    let at = |row: usize, column: usize| column * stride(n) + row;
    for k in (1..n).rev() {
        t.par(k, |i| {
            let above = a.at(at(i, k));
            if above == R::ZERO {
                return;
            }
            let share = above / a.at(at(k, k));
            for j in 0..k {
                a.put(at(i, j), a.at(at(i, j)) - share * a.at(at(k, j)));
            }
            x.put(i, x.at(i) - share * x.at(k));
        });
    }
    for k in 0..n.saturating_sub(1) {
        let found = x.at(k) / a.at(at(k, k));
        t.par(n - k - 1, |r| {
            let i = k + 1 + r;
            x.put(i, x.at(i) - a.at(at(i, k)) * found);
        });
    }
    t.par(n, |k| x.put(k, x.at(k) / a.at(at(k, k))));
}
