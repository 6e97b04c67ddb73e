//! Tendons with armature: the inertia that moves along with their length.

use sinew_math::algebra::{Spatials, Vec3s};

use crate::real::Real;
use crate::rows::*;
use crate::speed::{around, turns_quaternion};
use crate::tables::{Model, World};
use crate::team::Team;
use crate::tendon::entries;

/// M += Jᵀ armature J
// out of line: few models have such tendons
#[inline(never)]
pub(crate) fn add_inertia<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let heavy = m.heavy_entry();
    t.par(heavy.len(), |e| {
        let k = heavy.at(e) as usize;
        let mut sum = w.M().at(k);
        for i in m.heavy_adr().at(e) as usize..m.heavy_adr().at(e + 1) as usize {
            let by = |entry: u32| w.ten_J().at(entry as usize);
            let armature = m.ten_armature().at(m.heavy_ten().at(i) as usize);
            sum += armature * by(m.heavy_first().at(i)) * by(m.heavy_second().at(i));
        }
        w.M().put(k, sum);
    });
}

/// Takes armature · (dJ/dt q̇) from the forces of tendons.
#[inline(never)]
pub(crate) fn add_forces<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) {
    let rates = w.ten_J_rate();
    t.par(rates.len(), |e| {
        let (i, v) = (m.entry_ten().at(e) as usize, m.ten_dof().at(e) as usize);
        let mut rate = R::ZERO;
        if m.ten_armature().at(i) != R::ZERO {
            for s in m.ten_span().at(i) as usize..m.ten_span().at(i + 1) as usize {
                rate += m.span_share().at(s) * slope_rate(m, w, s, v);
            }
        }
        rates.put(e, rate);
    });
    t.par(m.nten() as usize, |i| {
        let mut acc = R::ZERO;
        for e in entries(m, i) {
            acc += rates.at(e) * w.qvel().at(m.ten_dof().at(e) as usize);
        }
        w.ten_force().put(i, w.ten_force().at(i) - m.ten_armature().at(i) * acc);
    });
}

/// A site that moves.
struct Moving<R> {
    body: usize,
    pos: Vec3s<R>,
    /// The place seen from the centre of mass of the tree.
    offset: Vec3s<R>,
    vel: Vec3s<R>,
}

impl<R: Real> Moving<R> {
    #[inline(always)]
    fn site(m: Model<'_, R>, w: World<'_, R>, s: u32) -> Self {
        let s = s as usize;
        let (body, pos) = (m.site_body().at(s) as usize, get3(w.site_xpos(), s));
        let offset = pos - get3(w.com(), m.body_root().at(body) as usize);
        let Spatials { rot, lin } = get6(w.cvel(), body);
        Moving { body, pos, offset, vel: lin + rot.cross(offset) }
    }

    /// Velocity of the site per velocity of a dof, and its rate.
    #[inline(always)]
    fn columns(&self, m: Model<'_, R>, v: usize, [axis, rate]: [Spatials<R>; 2]) -> [Vec3s<R>; 2] {
        if !moves_body(m, v, self.body) {
            return [zero3(); 2];
        }
        let column = axis.lin + axis.rot.cross(self.offset);
        [column, rate.lin + rate.rot.cross(self.offset) + axis.rot.cross(self.vel)]
    }
}

/// Rate of the derivative of a span's length by a dof. A span over a geom counts as a straight
/// line: the compiler refuses such tendons.
#[inline(always)]
fn slope_rate<R: Real>(m: Model<'_, R>, w: World<'_, R>, i: usize, v: usize) -> R {
    let nspan = m.nspan() as usize;
    let [first, second] = [0, nspan].map(|k| Moving::site(m, w, m.span_site().at(k + i)));
    if first.body == second.body {
        return R::ZERO;
    }

    // direction of the span and its rate
    let off = second.pos - first.pos;
    let (norm, dir) = (off.dot(off).sqrt(), direction(off));
    let vel = second.vel - first.vel;
    let across = vel - dir.scale(dir.dot(vel));
    let inverse = if norm > R::of(sinew_math::MINVAL) { R::ONE / norm } else { R::ZERO };

    // the axes of a ball turn with the body itself, not with its parent
    let axis = get6(w.cdof(), v);
    let along = if turns_quaternion(m, v) {
        get6(w.cvel(), m.dof_body().at(v) as usize)
    } else {
        around(m, w, v)[0]
    };
    let axes = [axis, along.cross_motion(axis)];
    let ([c1, r1], [c2, r2]) = (first.columns(m, v, axes), second.columns(m, v, axes));
    (r2 - r1).dot(dir) + (c2 - c1).dot(across.scale(inverse))
}
