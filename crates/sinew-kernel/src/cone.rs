//! Elliptic friction cones.
//!
//! A contact with the coordinates U = S jar, in which its cone is circular, has the normal N = U₀
//! and the tangent T = |U₁..|. The contact is satisfied where N ≥ µ T, and quadratic in every row
//! where µ N + T ≤ 0. In between it slides, at the cost ½ d_m (N - µ T)². MuJoCo
//! `mj_constraintUpdate`.

use crate::constraint::Rows;
use crate::real::Real;
use crate::tables::{Model, World};
use crate::team::Team;

/// States of a contact: no row has a force, each row for itself, sliding.
pub(crate) const SATISFIED: u32 = 0;
pub(crate) const QUADRATIC: u32 = 1;
pub(crate) const SLIDING: u32 = 2;

/// The cone of a contact.
struct Cone<'a, R> {
    m: Model<'a, R>,
    pair: usize,
    /// The first row.
    row: usize,
    dim: usize,
    mu: R,
    /// d_m: D of the normal / (µ² (1 + µ²)).
    dm: R,
}

impl<'a, R: Real> Cone<'a, R> {
    #[inline(always)]
    fn of(m: Model<'a, R>, w: World<'_, R>, rows: Rows, c: usize) -> Self {
        let pair = w.con_pair().at(c) as usize;
        let row = rows.limits + w.con_row().at(c) as usize;
        let (mu, d) = (m.pair_mu().at(pair), w.row_D().at(row));
        let dm = d / (mu * mu * (R::ONE + mu * mu));
        Cone { m, pair, row, dim: m.pair_dim().at(pair) as usize, mu, dm }
    }

    /// S of the row `k` of a tangent.
    #[inline(always)]
    fn scale(&self, k: usize) -> R {
        self.m.pair_friction().at((k - 1) * self.m.npair() as usize + self.pair)
    }

    /// Where the cone is at a normal and a tangent.
    #[inline(always)]
    fn state(&self, normal: R, tangent: R) -> u32 {
        if normal >= self.mu * tangent || tangent <= R::ZERO && normal >= R::ZERO {
            SATISFIED
        } else if self.mu * normal + tangent <= R::ZERO || tangent <= R::ZERO {
            QUADRATIC
        } else {
            SLIDING
        }
    }

    /// N and T.
    #[inline(always)]
    fn point(&self, jar: impl Fn(usize) -> R) -> [R; 2] {
        let mut square = R::ZERO;
        for k in 1..self.dim {
            let u = jar(self.row + k) * self.scale(k);
            square += u * u;
        }
        [jar(self.row) * self.mu, square.sqrt()]
    }

    /// The weight of the directions across the sliding: d_m (µ² - µ N / T).
    #[inline(always)]
    fn bend(&self, [normal, tangent]: [R; 2]) -> R {
        self.dm * (self.mu * self.mu - self.mu * normal / tangent)
    }
}

/// Writes the forces of a contact's rows and where they depend on q̈; the cost.
#[inline(always)]
pub(crate) fn update<R: Real>(m: Model<'_, R>, w: World<'_, R>, rows: Rows, c: usize) -> R {
    let cone = Cone::of(m, w, rows, c);
    let [normal, tangent] = cone.point(|r| w.row_jar().at(r));
    let (state, gap) = (cone.state(normal, tangent), normal - cone.mu * tangent);
    let bend = cone.bend([normal, tangent]);
    let push = -cone.dm * gap * cone.mu;
    let mut cost = R::ZERO;
    for k in 0..cone.dim {
        let r = cone.row + k;
        let (x, d) = (w.row_jar().at(r), w.row_D().at(r));
        let [force, curvature] = match state {
            SATISFIED => [R::ZERO; 2],
            QUADRATIC => [-d * x, d],
            _ if k == 0 => [push, cone.dm],
            _ => {
                let square = cone.scale(k) * cone.scale(k);
                [-push / tangent * x * square, bend * square]
            }
        };
        if state == QUADRATIC {
            cost -= R::of(0.5) * force * x;
        }
        w.row_force().put(r, force);
        w.row_H().put(r, curvature);
    }
    w.con_active().put(c, state);
    if state == SLIDING { R::of(0.5) * cone.dm * gap * gap } else { cost }
}

/// First and second derivative of a contact's cost along the line of search, at a step.
#[inline(always)]
pub(crate) fn along<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    rows: Rows,
    c: usize,
    alpha: R,
) -> [R; 2] {
    let cone = Cone::of(m, w, rows, c);
    let at = |r: usize| w.row_jar().at(r) + alpha * w.row_jv().at(r);
    let [normal, tangent] = cone.point(at);
    let state = cone.state(normal, tangent);
    if state == SATISFIED {
        return [R::ZERO; 2];
    }

    // rows for themselves; U·U' and U'·U' of the tangents
    let (mut first, mut second) = (R::ZERO, R::ZERO);
    let (mut mixed, mut square) = (R::ZERO, R::ZERO);
    for k in 0..cone.dim {
        let r = cone.row + k;
        let (x, v) = (at(r), w.row_jv().at(r));
        let d = w.row_D().at(r);
        first += d * x * v;
        second += d * v * v;
        if k > 0 {
            let scale = cone.scale(k) * cone.scale(k);
            mixed += scale * x * v;
            square += scale * v * v;
        }
    }
    if state == QUADRATIC {
        return [first, second];
    }

    // T' = U·U' / T, T'' = (U'·U' - T'²) / T
    let (slope, gap) = (mixed / tangent, normal - cone.mu * tangent);
    let bend = (square - slope * slope) / tangent;
    let closing = cone.mu * w.row_jv().at(cone.row) - cone.mu * slope;
    [cone.dm * gap * closing, cone.dm * (closing * closing - gap * cone.mu * bend)]
}

/// Writes, for every sliding contact, its two rows beside those of the tangents: the derivatives of
/// N - µ T and of T.
#[inline(always)]
pub(crate) fn sliding_rows<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, rows: Rows) {
    let width = m.width() as usize;
    t.par(rows.contacts * width, |i| {
        let (c, k) = (i / width, i % width);
        if w.con_active().at(c) != SLIDING {
            return;
        }
        let cone = Cone::of(m, w, rows, c);
        let point = cone.point(|r| w.row_jar().at(r));
        let first = cone.row - rows.limits;
        let mut tangent = R::ZERO;
        for j in 1..cone.dim {
            let scale = cone.scale(j) * cone.scale(j);
            tangent += scale * w.row_jar().at(cone.row + j) * w.J().at((first + j) * width + k);
        }
        tangent = tangent / point[1];
        let gap = cone.mu * w.J().at(first * width + k) - cone.mu * tangent;
        w.cone_J().put(2 * c * width + k, gap);
        w.cone_J().put((2 * c + 1) * width + k, tangent);
        if k == 0 {
            w.cone_bend().put(c, cone.bend(point));
        }
    });
}

/// The entry that the two rows of a sliding contact add to H between two dofs of its pattern;
/// `weight` is D of the gap.
#[inline(always)]
pub(crate) fn sliding_entry<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    c: usize,
    weight: R,
    [i, j]: [usize; 2],
) -> R {
    let at = 2 * c * m.width() as usize;
    let (gap, tangent) = (at, at + m.width() as usize);
    let x = |k: usize| w.cone_J().at(k);
    weight * x(gap + i) * x(gap + j) - w.cone_bend().at(c) * x(tangent + i) * x(tangent + j)
}
