//! The acceleration with constraints, by Newton's method or conjugate gradients, with a line
//! search.
//!
//! The solver minimises ½ q̈·M q̈ - f·q̈ + s(J q̈ - aref), where s is the cost of the rows. This
//! cost is quadratic where a one-sided row is violated, and linear beyond the bounds of dry
//! friction. MuJoCo documentation, "Computation / Solver".

use crate::cone;
use crate::constraint::{Rows, constraint_forces, single_rows, times_rows};
use crate::integrate::full_matrix;
use crate::linear::{factor_and_solve, solve_again, stride};
use crate::memory::Cells;
use crate::real::Real;
use crate::rows::NONE;
use crate::tables::{Model, World};
use crate::team::Team;

/// The terms of a sum over costs: the rows, or an elliptic cone in place of its rows.
#[derive(Clone, Copy)]
struct Items {
    total: usize,
    /// Rows before those of cones, the rows of cones, and the cones.
    before: usize,
    rows: usize,
    cones: usize,
}

enum Item {
    Row(usize),
    Cone(usize),
}

impl Items {
    #[inline(always)]
    fn of<R: Real, T: Team>(m: Model<'_, R>, all: Rows) -> Items {
        let elliptic = T::FULL && m.elliptic() != 0;
        let rows = if elliptic { all.touching - all.limits } else { 0 };
        let cones = if elliptic { all.contacts } else { 0 };
        Items { total: all.total - rows + cones, before: all.limits, rows, cones }
    }

    #[inline(always)]
    fn at(self, i: usize) -> Item {
        if i < self.before || self.cones == 0 {
            Item::Row(i)
        } else if i < self.before + self.cones {
            Item::Cone(i - self.before)
        } else {
            Item::Row(i - self.cones + self.rows)
        }
    }
}

/// Cost of a row, its derivative and second derivative by J q̈ - aref.
#[inline(always)]
fn row_cost<R: Real, T: Team>(m: Model<'_, R>, rows: Rows, r: usize, d: R, x: R) -> [R; 3] {
    let half = R::of(0.5);
    let standing = T::FULL && r >= rows.equal;
    if r < rows.friction || standing {
        let dry = if standing { rows.friction + r - rows.equal } else { r };
        let loss = m.friction_loss().at(dry);
        let bound = loss / d;
        if x <= -bound {
            return [-half * bound * loss - loss * x, -loss, R::ZERO];
        }
        if x >= bound {
            return [-half * bound * loss + loss * x, loss, R::ZERO];
        }
    } else if (!T::FULL || r < rows.pushing) && x >= R::ZERO {
        return [R::ZERO; 3];
    }
    [half * d * x * x, d * x, d]
}

/// Where the solver is.
#[derive(Clone, Copy)]
struct Progress<R> {
    rows: Rows,
    cost: R,
    iteration: u32,
}

/// Writes the acceleration and the forces of the constraints, if there are any. The teams of a
/// block begin each iteration together.
#[inline(always)]
pub(crate) fn newton<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Option<Rows>) {
    let mut progress = rows.map(|rows| begin(t, m, w, rows));
    while t.any_team(progress.is_some()) {
        progress = progress
            .and_then(|progress| descend(t, m, w, progress))
            .filter(|progress| advance(t, m, w, progress.rows));
    }
}

/// The start of the solver.
#[inline(always)]
fn begin<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Rows) -> Progress<R> {
    let (n, qacc, jar) = (m.nv() as usize, w.qacc(), w.row_jar());
    if m.warm() != 0 {
        t.par(n, |v| qacc.put(v, w.qacc_warmstart().at(v)));
    }
    times_inertia(t, m, w.M(), qacc, w.Ma());
    times_rows(t, m, w, rows, qacc, jar);
    t.par(rows.total, |r| jar.put(r, jar.at(r) - w.row_aref().at(r)));
    Progress { rows, cost: R::ZERO, iteration: 0 }
}

/// The direction of the next iteration; nothing if the solver is done.
#[inline(always)]
fn descend<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    progress: Progress<R>,
) -> Option<Progress<R>> {
    let Progress { rows, cost: before, iteration } = progress;
    let (n, s, scale) = (m.nv() as usize, m.scalars(), m.scale().at(0));
    let (ma, search) = (w.Ma(), w.search());

    // search = -H⁻¹ grad,  grad = M q̈ - f - Jᵀ force,  H = M + Jᵀ D J
    let cost = update(t, m, w, rows);
    constraint_forces(t, m, w, rows);
    let grad = |v: usize| ma.at(v) - w.qfrc_smooth().at(v) - w.qfrc_constraint().at(v);
    let norm = t.sum(n, |v| grad(v) * grad(v)).sqrt();
    let improvement = (before - cost) * scale;
    if norm * scale < s.tolerance
        || iteration > 0 && improvement < s.tolerance
        || iteration >= m.iterations()
    {
        return None;
    }
    if T::FULL && m.conjugate() != 0 {
        conjugate_direction(t, m, w, iteration, grad);
    } else {
        hessian(t, m, w, rows);
        t.par(n, |v| search.put(v, -grad(v)));
        factor_and_solve(t, n, w.matrix(), w.matrix_inv(), search);
    }
    Some(Progress { rows, cost, iteration: iteration + 1 })
}

/// Goes the best step along the direction; whether there is one.
#[inline(always)]
fn advance<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Rows) -> bool {
    let (qacc, ma, search, mv) = (w.qacc(), w.Ma(), w.search(), w.Mv());
    let (jar, jv) = (w.row_jar(), w.row_jv());
    times_inertia(t, m, w.M(), search, mv);
    times_rows(t, m, w, rows, search, jv);
    let alpha = line_search(t, m, w, rows);
    if alpha == R::ZERO {
        return false;
    }
    t.par(m.nv() as usize, |v| {
        qacc.put(v, qacc.at(v) + alpha * search.at(v));
        ma.put(v, ma.at(v) + alpha * mv.at(v));
    });
    t.par(rows.total, |r| jar.put(r, jar.at(r) + alpha * jv.at(r)));
    true
}

/// The direction of Polak and Ribière from the last one, preconditioned by M, whose factor stays.
#[inline(always)]
fn conjugate_direction<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    iteration: u32,
    grad: impl Fn(usize) -> R,
) {
    let n = m.nv() as usize;
    let (search, old, solved, last) = (w.search(), w.old_grad(), w.solved(), w.old_solved());
    if iteration == 0 {
        full_matrix(t, m, w.M(), w.matrix());
        t.par(n, |v| solved.put(v, grad(v)));
        factor_and_solve(t, n, w.matrix(), w.matrix_inv(), solved);
        t.par(n, |v| {
            search.put(v, -solved.at(v));
            old.put(v, grad(v));
        });
        return;
    }
    let before = t.sum(n, |v| old.at(v) * solved.at(v));
    t.par(n, |v| {
        last.put(v, solved.at(v));
        solved.put(v, grad(v));
    });
    solve_again(t, n, w.matrix(), w.matrix_inv(), solved);
    let change = t.sum(n, |v| grad(v) * (solved.at(v) - last.at(v)));
    let share = if before > R::ZERO { (change / before).max(R::ZERO) } else { R::ZERO };
    t.par(n, |v| {
        search.put(v, share * search.at(v) - solved.at(v));
        old.put(v, grad(v));
    });
}

/// M x
#[inline(never)]
fn times_inertia<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    entries: Cells<'_, R>,
    x: Cells<'_, R>,
    to: Cells<'_, R>,
) {
    t.par(m.nv() as usize, |v| {
        let mut sum = R::ZERO;
        for k in m.full_adr().at(v) as usize..m.full_adr().at(v + 1) as usize {
            sum += entries.at(m.full_entry().at(k) as usize) * x.at(m.full_col().at(k) as usize);
        }
        to.put(v, sum);
    });
}

/// Forces of the rows, and where they depend on q̈; the cost.
#[inline(always)]
fn update<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Rows) -> R {
    let items = Items::of::<R, T>(m, rows);
    let of_rows = t.sum(items.total, |i| {
        let r = match items.at(i) {
            Item::Cone(c) if T::FULL => return cone::update(m, w, rows, c),
            Item::Cone(r) | Item::Row(r) => r,
        };
        let [cost, slope, curvature] =
            row_cost::<R, T>(m, rows, r, w.row_D().at(r), w.row_jar().at(r));
        w.row_force().put(r, -slope);
        w.row_H().put(r, curvature);
        cost
    });
    // contacts of elliptic cones have said so themselves
    let cones = items.cones;
    t.par(rows.blocks - cones, |c| {
        let c = c + cones;
        let range = w.con_row().at(c) as usize..w.con_row().at(c + 1) as usize;
        let mut active = false;
        for r in range {
            active |= w.row_H().at(rows.limits + r) != R::ZERO;
        }
        w.con_active().put(c, active as u32);
    });
    let half = R::of(0.5);
    let smooth =
        t.sum(m.nv() as usize, |v| w.qacc().at(v) * (half * w.Ma().at(v) - w.qfrc_smooth().at(v)));
    smooth + of_rows
}

/// H = M + Jᵀ D J
#[inline(always)]
fn hessian<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Rows) {
    let (n, a, h, width) = (m.nv() as usize, w.matrix(), w.row_H(), m.width() as usize);
    full_matrix(t, m, w.M(), w.matrix());
    t.par(n, |v| {
        if m.friction_of().at(v) != NONE || m.limit_of().at(v) != NONE {
            let [dry, limit] = single_rows(m, w, v, |r| h.at(r), |r| h.at(r));
            let at = v * stride(n) + v;
            a.put(at, a.at(at) + dry + limit);
        }
    });
    if T::FULL && m.elliptic() != 0 {
        cone::sliding_rows(t, m, w, rows);
    }
    for c in 0..rows.blocks {
        let state = w.con_active().at(c);
        let slides = T::FULL && state == cone::SLIDING;
        if state == cone::SATISFIED {
            continue;
        }
        let p = w.con_pair().at(c) as usize;
        let (mut first, end) = (w.con_row().at(c) as usize, w.con_row().at(c + 1) as usize);
        let weight = h.at(rows.limits + first);
        if slides {
            first += 1;
        }
        let start = m.pattern_adr().at(p) as usize;
        let len = m.pattern_adr().at(p + 1) as usize - start;
        t.par(len * (len + 1) / 2, |e| {
            let (i, j) = (m.corner_row().at(e) as usize, m.corner_col().at(e) as usize);
            let dofs = m.pattern_dof();
            let at = dofs.at(start + j) as usize * stride(n) + dofs.at(start + i) as usize;
            let mut sum = a.at(at);
            if slides {
                sum += cone::sliding_entry(m, w, c, weight, [i, j]);
            }
            for r in first..end {
                let row = r * width;
                sum += h.at(rows.limits + r) * w.J().at(row + i) * w.J().at(row + j);
            }
            a.put(at, sum);
        });
    }
}

/// The step along the direction of search at which the slope of the cost is next to zero: Newton
/// steps, halved where they leave the bracket.
#[inline(always)]
fn line_search<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Rows) -> R {
    let (n, s, scale) = (m.nv() as usize, m.scalars(), m.scale().at(0));
    let (search, mv) = (w.search(), w.Mv());
    let [slope, curvature, square] = t.sums(n, |v| {
        let x = search.at(v);
        [x * (w.Ma().at(v) - w.qfrc_smooth().at(v)), x * mv.at(v), x * x]
    });
    let tolerance = s.tolerance * s.ls_tolerance * square.sqrt() / scale;

    // Σ over rows, at a step
    let items = Items::of::<R, T>(m, rows);
    let at = |alpha: R| {
        let [first, second] = t.sums(items.total, |i| {
            let r = match items.at(i) {
                Item::Cone(c) if T::FULL => return cone::along(m, w, rows, c, alpha),
                Item::Cone(r) | Item::Row(r) => r,
            };
            let jv = w.row_jv().at(r);
            let x = w.row_jar().at(r) + alpha * jv;
            let [_, slope, curvature] = row_cost::<R, T>(m, rows, r, w.row_D().at(r), x);
            [slope * jv, curvature * jv * jv]
        });
        [slope + alpha * curvature + first, curvature + second]
    };
    let (mut alpha, mut low, mut high) = (R::ZERO, R::ZERO, R::ZERO);
    let (mut evaluation, mut least) = (0, R::ZERO);
    loop {
        let [slope, curvature] = at(alpha);
        evaluation += 1;
        if evaluation == 1 {
            // rounding error of the slope at the start
            least = R::of(16.0) * R::EPSILON * slope.abs();
        } else if slope.abs() < tolerance || slope.abs() <= least {
            return alpha;
        }
        if evaluation > m.ls_iterations() {
            return alpha;
        }
        if slope < R::ZERO {
            low = alpha;
        } else {
            high = alpha;
        }
        // without curvature the quotient is not finite; near the optimum curvatures are tiny
        let next = alpha - slope / curvature;
        let outside = next <= low || high > R::ZERO && next >= high;
        let middle = (low + high) * R::of(0.5);
        let chosen = if outside && high > R::ZERO { middle } else { next };
        // no number is left between the ends of the bracket, or nothing is to be gained
        if chosen == alpha || chosen.is_bad() || chosen <= R::ZERO {
            return alpha;
        }
        alpha = chosen;
    }
}
