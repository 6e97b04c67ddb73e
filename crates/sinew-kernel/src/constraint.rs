//! Rows of constraints: dry friction of dofs, limits of hinges and slides, contacts, blocks that
//! stand in the model; in this order.

use crate::contact::{self, distance, rows_of, write_rows};
use crate::memory::Cells;
use crate::real::Real;
use crate::rows::NONE;
use crate::standing::{self, Kind};
use crate::tables::{Model, World};
use crate::team::Team;

/// How many rows there are of each kind.
#[derive(Clone, Copy)]
pub(crate) struct Rows {
    pub(crate) friction: usize,
    /// End of the rows of limits.
    pub(crate) limits: usize,
    pub(crate) contacts: usize,
    /// Contacts and blocks that stand.
    pub(crate) blocks: usize,
    /// End of the rows of contacts.
    pub(crate) touching: usize,
    /// End of the rows that push only.
    pub(crate) pushing: usize,
    /// End of the rows of equalities; the rest is dry friction.
    pub(crate) equal: usize,
    pub(crate) total: usize,
}

/// Makes all rows, with the contacts of the pairs that are near; none if the workspace has no room
/// for them.
#[inline(always)]
pub(crate) fn make_rows<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    nnear: usize,
) -> Option<Rows> {
    let friction = m.nfriction() as usize;
    t.par(friction, |r| {
        w.row_D().put(r, m.friction_D().at(r));
        let vel = w.qvel().at(m.friction_dof().at(r) as usize);
        w.row_aref().put(r, -m.friction_b().at(r) * vel);
    });

    // limits that are near
    let near = |l: usize| {
        let [lower, upper] = limit_distances(m, w, l);
        let margin = m.limit_margin().at(l);
        (lower < margin, upper < margin)
    };
    let nlimit = m.nlimit() as usize;
    let count = |l: usize| {
        let (lower, upper) = near(l);
        lower as usize + upper as usize
    };
    let limits = friction
        + t.scan(nlimit, count, |l, before| {
            let r = friction + before;
            w.limit_row().put(l, r as u32);
            let (lower, upper) = near(l);
            let dist = limit_distances(m, w, l);
            if lower {
                limit_row(m, w, l, r, [dist[0], R::ONE]);
            }
            if upper {
                limit_row(m, w, l, r + lower as usize, [dist[1], -R::ONE]);
            }
        });
    t.par(1, |_| w.limit_row().put(nlimit, limits as u32));

    // contacts, and blocks that stand
    let ncon = contact::list(t, m, w, nnear)?;
    let standing = if T::FULL { m.nstanding() as usize } else { 0 };
    if standing > 0 {
        standing::hold(t, m, w);
    }
    let touches = |c: usize| !T::FULL || c < ncon;
    let rows_of = |c: usize| {
        if touches(c) {
            rows_of::<R, T>(m, w.con_pair().at(c) as usize)
        } else {
            w.held_rows().at(c - ncon) as usize
        }
    };
    let (con_row, blocks) = (w.con_row(), ncon + standing);
    let below = t.scan(blocks, rows_of, |c, before| {
        con_row.put(c, before as u32);
        for r in before..before + rows_of(c) {
            w.row_contact().put(r, c as u32);
        }
        if !touches(c) {
            w.con_pair().put(c, (m.npair() as usize + c - ncon) as u32);
        }
    });
    t.par(1, |_| con_row.put(blocks, below as u32));
    let from = |s: u32| limits + con_row.at(ncon + s as usize) as usize;
    let one_sided = m.nball() + m.ntenlimit();
    let rows = Rows {
        friction,
        limits,
        contacts: ncon,
        blocks,
        touching: from(0),
        pushing: from(one_sided),
        equal: from(one_sided + m.nequality()),
        total: limits + below,
    };

    // their numbers
    let width = m.width() as usize;
    t.par(blocks * width, |i| {
        let (c, k) = (i / width, i % width);
        if touches(c) {
            write_rows::<R, T>(m, w, c, k);
        } else {
            standing::write_rows(m, w, [c - ncon, con_row.at(c) as usize, k]);
        }
    });
    t.par(below, |r| {
        let c = w.row_contact().at(r) as usize;
        if touches(c) {
            contact_row::<R, T>(m, w, rows, r)
        } else {
            standing_row(m, w, rows, [r, c])
        }
    });
    Some(rows)
}

#[inline(always)]
fn limit_distances<R: Real>(m: Model<'_, R>, w: World<'_, R>, l: usize) -> [R; 2] {
    let value = w.qpos().at(m.limit_qpos().at(l) as usize);
    let [lo, hi] = [m.limit_range().at(l), m.limit_range().at(m.nlimit() as usize + l)];
    [value - lo, hi - value]
}

#[inline(always)]
fn limit_row<R: Real>(m: Model<'_, R>, w: World<'_, R>, l: usize, r: usize, [dist, sign]: [R; 2]) {
    let answer = Answer::of(m, m.npair() as usize + l, dist - m.limit_margin().at(l));
    w.row_D().put(r, R::ONE / answer.regularisation(m.limit_diag().at(l)));
    w.row_sign().put(r, sign);
    let vel = sign * w.qvel().at(m.limit_dof().at(l) as usize);
    w.row_aref().put(r, answer.reference(vel));
}

/// The row `r` of contacts.
#[inline(always)]
fn contact_row<R: Real, T: Team>(m: Model<'_, R>, w: World<'_, R>, rows: Rows, r: usize) {
    let c = w.row_contact().at(r) as usize;
    let p = w.con_pair().at(c) as usize;
    let violation = distance(w, c) - m.pair_include().at(p);
    let mut answer = Answer::of(m, p, violation);
    let mut regularisation = answer.regularisation(m.pair_diag().at(p));
    let k = r - w.con_row().at(c) as usize;
    if !T::FULL || m.elliptic() == 0 {
        regularisation = regularisation * m.pair_edge().at(p);
    } else if k > 0 {
        // R µ² is the same for all tangents, which answer to velocity alone
        let friction = |k: usize| m.pair_friction().at((k - 1) * m.npair() as usize + p);
        let ratio = friction(1) / friction(k);
        regularisation = regularisation * m.pair_edge().at(p) * ratio * ratio;
        answer = Answer { k: R::ZERO, b: m.pair_slip().at(p), ..answer };
    }
    w.row_D().put(rows.limits + r, R::ONE / regularisation);
    let vel = block_velocity(m, w, r, w.qvel());
    w.row_aref().put(rows.limits + r, answer.reference(vel));
}

/// The row `r` of a block that stands.
#[inline(always)]
fn standing_row<R: Real>(m: Model<'_, R>, w: World<'_, R>, rows: Rows, [r, c]: [usize; 2]) {
    let (s, k) = (c - rows.contacts, r - w.con_row().at(c) as usize);
    let vel = block_velocity(m, w, r, w.qvel());
    if let Kind::Friction(i) = Kind::of(m, s) {
        w.row_D().put(rows.limits + r, m.friction_D().at(i));
        w.row_aref().put(rows.limits + r, -m.friction_b().at(i) * vel);
        return;
    }
    let [softness, violation] = standing::violations(m, w, s, k);
    let mut answer = Answer::of(m, m.npair() as usize + m.nlimit() as usize + s, softness);
    answer.violation = violation;
    let turn = (k >= 3) as usize;
    let diag = m.standing_diag().at(turn * m.nstanding() as usize + s);
    w.row_D().put(rows.limits + r, R::ONE / answer.regularisation(diag));
    w.row_aref().put(rows.limits + r, answer.reference(vel));
}

/// J x of the row `r` of blocks.
#[inline(always)]
pub(crate) fn block_velocity<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    r: usize,
    x: Cells<'_, R>,
) -> R {
    let p = w.con_pair().at(w.row_contact().at(r) as usize) as usize;
    let (start, end) = (m.pattern_adr().at(p) as usize, m.pattern_adr().at(p + 1) as usize);
    let mut sum = R::ZERO;
    for k in start..end {
        sum += w.J().at(r * m.width() as usize + k - start) * x.at(m.pattern_dof().at(k) as usize);
    }
    sum
}

/// J x of all rows.
// out of line, as everything that is called twice: the kernel is larger than a GPU's instruction
// cache
#[inline(never)]
pub(crate) fn times_rows<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    rows: Rows,
    x: Cells<'_, R>,
    to: Cells<'_, R>,
) {
    t.par(rows.friction, |r| to.put(r, x.at(m.friction_dof().at(r) as usize)));
    t.par(m.nlimit() as usize, |l| {
        for r in w.limit_row().at(l) as usize..w.limit_row().at(l + 1) as usize {
            to.put(r, w.row_sign().at(r) * x.at(m.limit_dof().at(l) as usize));
        }
    });
    t.par(rows.total - rows.limits, |r| to.put(rows.limits + r, block_velocity(m, w, r, x)));
}

/// Jᵀ force
#[inline(always)]
pub(crate) fn constraint_forces<R: Real, T: Team>(
    t: T,
    m: Model<'_, R>,
    w: World<'_, R>,
    rows: Rows,
) {
    let (force, qfrc, width) = (w.row_force(), w.qfrc_constraint(), m.width() as usize);
    t.par(m.nv() as usize, |v| {
        let [dry, limit] =
            single_rows(m, w, v, |r| force.at(r), |r| force.at(r) * w.row_sign().at(r));
        qfrc.put(v, dry + limit);
    });
    for c in 0..rows.blocks {
        let p = w.con_pair().at(c) as usize;
        let (first, end) = (w.con_row().at(c) as usize, w.con_row().at(c + 1) as usize);
        let start = m.pattern_adr().at(p) as usize;
        t.par(m.pattern_adr().at(p + 1) as usize - start, |k| {
            let v = m.pattern_dof().at(start + k) as usize;
            let mut sum = qfrc.at(v);
            for r in first..end {
                sum += w.J().at(r * width + k) * force.at(rows.limits + r);
            }
            qfrc.put(v, sum);
        });
    }
}

/// Sums over the rows of dry friction and of limits of a dof.
#[inline(always)]
pub(crate) fn single_rows<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    v: usize,
    dry: impl Fn(usize) -> R,
    limit: impl Fn(usize) -> R,
) -> [R; 2] {
    let mut sums = [R::ZERO; 2];
    let r = m.friction_of().at(v);
    if r != NONE {
        sums[0] = dry(r as usize);
    }
    let l = m.limit_of().at(v);
    if l != NONE {
        let l = l as usize;
        for r in w.limit_row().at(l) as usize..w.limit_row().at(l + 1) as usize {
            sums[1] += limit(r);
        }
    }
    sums
}

/// How a row answers to its violation.
struct Answer<R> {
    k: R,
    b: R,
    imp: R,
    violation: R,
}

impl<R: Real> Answer<R> {
    /// Impedance over violation: from the least at none to the most at `width`, in two power curves
    /// that meet at `mid`.
    #[inline(always)]
    fn of(m: Model<'_, R>, i: usize, violation: R) -> Self {
        let x = |k: usize| m.response().at(k * m.nresponse() as usize + i);
        let (k, b, dmin, dmax, width, mid, power) = (x(0), x(1), x(2), x(3), x(4), x(5), x(6));
        let (one, tiny) = (R::ONE, R::of(sinew_math::MINVAL));
        let imp = if dmin == dmax || width <= tiny {
            R::of(0.5) * (dmin + dmax)
        } else {
            let x = violation.abs() / width;
            let y = if x >= one {
                one
            } else if x <= mid {
                raise(x, power) / raise(mid, power - one)
            } else {
                one - raise(one - x, power) / raise(one - mid, power - one)
            };
            dmin + y * (dmax - dmin)
        };
        Answer { k, b, imp, violation }
    }

    /// R of a row whose inverse inertia is about `diag`.
    #[inline(always)]
    fn regularisation(&self, diag: R) -> R {
        ((R::ONE - self.imp) * diag / self.imp).max(R::of(sinew_math::MINVAL))
    }

    /// Reference acceleration at a velocity.
    #[inline(always)]
    fn reference(&self, vel: R) -> R {
        -self.b * vel - self.k * self.imp * self.violation
    }
}

/// x to the power of a whole number.
#[inline(always)]
fn raise<R: Real>(x: R, power: R) -> R {
    let (mut y, mut left) = (R::ONE, power);
    while left >= R::of(0.5) {
        y = y * x;
        left -= R::ONE;
    }
    y
}
