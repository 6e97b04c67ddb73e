//! Forces of contacts and equalities after the solver, and the forces between bodies.

use sinew_math::algebra::{Spatials, Vec3s};

use crate::contact::place;
use crate::equality::kind;
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};
use crate::team::Team;

/// Where the rows of the last evaluation are.
#[derive(Clone, Copy)]
pub(crate) struct Solved {
    /// End of the rows of limits.
    pub(crate) limits: usize,
    pub(crate) contacts: usize,
}

impl Solved {
    #[inline(always)]
    pub(crate) fn of<R: Real>(w: World<'_, R>) -> Self {
        let at = |k: usize| w.solved_rows().at(k) as usize;
        Solved { limits: at(0), contacts: at(1) }
    }
}

/// The bodies of a contact.
#[inline(always)]
pub(crate) fn bodies<R: Real>(m: Model<'_, R>, w: World<'_, R>, c: usize) -> [usize; 2] {
    geoms(m, w, c).map(|g| m.geom_body().at(g) as usize)
}

/// The geoms of a contact.
#[inline(always)]
pub(crate) fn geoms<R: Real>(m: Model<'_, R>, w: World<'_, R>, c: usize) -> [usize; 2] {
    let (npair, p) = (m.npair() as usize, w.con_pair().at(c) as usize);
    [m.pair_geom().at(p) as usize, m.pair_geom().at(npair + p) as usize]
}

/// Force and torque of a contact on its second geom, in the frame of the contact.
// out of line, as everything that is called twice
#[inline(never)]
pub(crate) fn wrench<R: Real>(m: Model<'_, R>, w: World<'_, R>, c: usize) -> [Vec3s<R>; 2] {
    let (npair, p) = (m.npair() as usize, w.con_pair().at(c) as usize);
    let (dim, first) = (m.pair_dim().at(p) as usize, Solved::of(w).limits);
    let first = first + w.con_row().at(c) as usize;
    let force = |k: usize| w.row_force().at(first + k);
    let pyramid = dim > 1 && m.elliptic() == 0;
    let part = |k: usize| {
        if k >= dim {
            return R::ZERO;
        }
        if !pyramid {
            return force(k);
        }
        if k > 0 {
            let friction = m.pair_friction().at((k - 1) * npair + p);
            return (force(2 * k - 2) - force(2 * k - 1)) * friction;
        }
        let mut sum = R::ZERO;
        for edge in 0..2 * (dim - 1) {
            sum += force(edge);
        }
        sum
    };
    [vec3(part(0), part(1), part(2)), vec3(part(3), part(4), part(5))]
}

/// A vector from the frame of a contact.
#[inline(always)]
pub(crate) fn out_of_frame<R: Real>(w: World<'_, R>, c: usize, v: Vec3s<R>) -> Vec3s<R> {
    let axis = |k: usize| row3(w.frame(), 9 * c + 3 * k);
    axis(0).scale(v.x) + axis(1).scale(v.y) + axis(2).scale(v.z)
}

/// The force that each body's motion asks for beside the forces on it, about the centre of mass of
/// the tree. The sum over a subtree is the force that holds it.
#[inline(always)]
pub(crate) fn body_forces<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    t.par(m.nbody() as usize, |b| {
        let (inertia, vel) = (inertia(w.rigid(), b), get6(w.cvel(), b));
        let asked = inertia.mul(get6(w.cacc(), b)).plus(vel.cross_force(inertia.mul(vel)));
        put6(w.body_force(), b, minus(asked, outer_force(m, w, b)));
    });
}

/// The forces on a body from outside: of the user, of contacts, of equalities.
#[inline(always)]
fn outer_force<R: Real>(m: Model<'_, R>, w: World<'_, R>, b: usize) -> Spatials<R> {
    let centre = get3(w.com(), m.body_root().at(b) as usize);
    let at = |pos: Vec3s<R>, force: Vec3s<R>, torque: Vec3s<R>| Spatials {
        rot: torque + (pos - centre).cross(force),
        lin: force,
    };
    let given = w.xfrc_applied();
    let mut sum = at(get3(w.xipos(), b), row3(given, 6 * b), row3(given, 6 * b + 3));
    let solved = Solved::of(w);
    for c in 0..solved.contacts {
        let sides = bodies(m, w, c);
        if sides[0] != b && sides[1] != b {
            continue;
        }
        let [force, torque] = wrench(m, w, c).map(|v| out_of_frame(w, c, v));
        let push = at(place(w, c), force, torque);
        if sides[1] == b {
            sum = sum.plus(push);
        }
        if sides[0] == b {
            sum = minus(sum, push);
        }
    }
    let n = m.nequality() as usize;
    let first = (m.nball() + m.ntenlimit()) as usize;
    for e in 0..n {
        let s = first + e;
        if m.eq_kind().at(e) == kind::COUPLING || w.held_rows().at(s) == 0 {
            continue;
        }
        let row = solved.limits + w.con_row().at(solved.contacts + s) as usize;
        let force = row3(w.row_force(), row);
        let weld = m.eq_kind().at(e) == kind::WELD;
        let torque = if weld { row3(w.row_force(), row + 3) } else { zero3() };
        for k in 0..2 {
            if m.eq_object().at(k * n + e) as usize != b {
                continue;
            }
            let local = get3(m.eq_anchor(), k * n + e);
            let push = at(get9(w.xmat(), b).mul_vec(local) + get3(w.xpos(), b), force, torque);
            sum = if k == 0 { sum.plus(push) } else { minus(sum, push) };
        }
    }
    sum
}

/// The force between the body of a frame and its parent, about the centre of mass of the tree.
#[inline(always)]
pub(crate) fn holding_force<R: Real>(m: Model<'_, R>, w: World<'_, R>, b: usize) -> Spatials<R> {
    let mut sum = zero6();
    for below in b..m.body_end().at(b) as usize {
        sum = sum.plus(get6(w.body_force(), below));
    }
    sum
}
