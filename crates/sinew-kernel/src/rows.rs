//! Vectors and rotations in flat memory, component after component, and how they turn.

use sinew_math::algebra::{Inertias, Mat3s, Quats, Spatials, Vec3s};

use crate::memory::{Cells, Slice};
use crate::real::Real;
use crate::tables::{Model, World};

/// The index of no object.
pub(crate) const NONE: u32 = u32::MAX;

pub(crate) fn vec3<R: Real>(x: R, y: R, z: R) -> Vec3s<R> {
    Vec3s { x, y, z }
}

pub(crate) fn zero3<R: Real>() -> Vec3s<R> {
    vec3(R::ZERO, R::ZERO, R::ZERO)
}

pub(crate) fn zero6<R: Real>() -> Spatials<R> {
    Spatials { rot: zero3(), lin: zero3() }
}

/// Constants by components: component k of item i of n is number k n + i.
pub(crate) trait Constants<R> {
    fn num(self, i: usize) -> R;
}

impl<R: Real> Constants<R> for Slice<'_, R> {
    #[inline(always)]
    fn num(self, i: usize) -> R {
        self.at(i)
    }
}

impl<R: Real> Constants<R> for Cells<'_, R> {
    #[inline(always)]
    fn num(self, i: usize) -> R {
        self.at(i)
    }
}

#[inline(always)]
pub(crate) fn get3<R: Real>(from: impl Constants<R> + Copy, n: usize, i: usize) -> Vec3s<R> {
    vec3(from.num(i), from.num(n + i), from.num(2 * n + i))
}

#[inline(always)]
pub(crate) fn get4<R: Real>(from: impl Constants<R> + Copy, n: usize, i: usize) -> Quats<R> {
    Quats([from.num(i), from.num(n + i), from.num(2 * n + i), from.num(3 * n + i)])
}

#[inline(always)]
pub(crate) fn get6<R: Real>(from: impl Constants<R> + Copy, n: usize, i: usize) -> Spatials<R> {
    let lin = vec3(from.num(3 * n + i), from.num(4 * n + i), from.num(5 * n + i));
    Spatials { rot: get3(from, n, i), lin }
}

#[inline(always)]
pub(crate) fn get9<R: Real>(from: impl Constants<R> + Copy, n: usize, i: usize) -> Mat3s<R> {
    let row = |k: usize| {
        let at = 3 * k * n + i;
        vec3(from.num(at), from.num(n + at), from.num(2 * n + at))
    };
    Mat3s([row(0), row(1), row(2)])
}

#[inline(always)]
pub(crate) fn put3<R: Real>(to: Cells<'_, R>, n: usize, i: usize, v: Vec3s<R>) {
    to.put(i, v.x);
    to.put(n + i, v.y);
    to.put(2 * n + i, v.z);
}

#[inline(always)]
pub(crate) fn put4<R: Real>(to: Cells<'_, R>, n: usize, i: usize, q: Quats<R>) {
    for (k, x) in q.0.into_iter().enumerate() {
        to.put(k * n + i, x);
    }
}

#[inline(always)]
pub(crate) fn put6<R: Real>(to: Cells<'_, R>, n: usize, i: usize, v: Spatials<R>) {
    put3(to, n, i, v.rot);
    put3(to, n, 3 * n + i, v.lin);
}

#[inline(always)]
pub(crate) fn put9<R: Real>(to: Cells<'_, R>, n: usize, i: usize, m: Mat3s<R>) {
    for (k, row) in m.0.into_iter().enumerate() {
        put3(to, n, 3 * k * n + i, row);
    }
}

/// Three numbers in a row.
#[inline(always)]
pub(crate) fn row3<R: Real>(from: Cells<'_, R>, at: usize) -> Vec3s<R> {
    vec3(from.at(at), from.at(at + 1), from.at(at + 2))
}

/// The unit quaternion of four numbers in a row.
#[inline(always)]
pub(crate) fn unit_row4<R: Real>(from: Cells<'_, R>, at: usize) -> Quats<R> {
    unit(row4(from, at))
}

/// Numbers of a rigid body in a row: an inertia, then a force.
pub(crate) const RIGID: usize = 16;

#[inline(always)]
pub(crate) fn inertia<R: Real>(from: Cells<'_, R>, b: usize) -> Inertias<R> {
    let x = |k: usize| from.at(RIGID * b + k);
    Inertias([x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7), x(8), x(9)])
}

#[inline(always)]
pub(crate) fn put_rigid<R: Real>(to: Cells<'_, R>, b: usize, i: &Inertias<R>, f: Spatials<R>) {
    for (k, &x) in i.0.iter().enumerate() {
        to.put(RIGID * b + k, x);
    }
    for (k, x) in [f.rot.x, f.rot.y, f.rot.z, f.lin.x, f.lin.y, f.lin.z].into_iter().enumerate() {
        to.put(RIGID * b + 10 + k, x);
    }
}

#[inline(always)]
pub(crate) fn rigid_force<R: Real>(from: Cells<'_, R>, b: usize) -> Spatials<R> {
    let at = RIGID * b + 10;
    Spatials { rot: row3(from, at), lin: row3(from, at + 3) }
}

/// A quaternion of length one; that of no rotation if the length is next to zero. One whose length
/// is one but for rounding stays as it is, as in the engine.
#[inline(always)]
pub(crate) fn unit<R: Real>(q: Quats<R>) -> Quats<R> {
    let [w, x, y, z] = q.0;
    let norm = (w * w + x * x + y * y + z * z).sqrt();
    if norm < R::of(sinew_math::MINVAL) {
        return no_turn();
    }
    if (norm - R::ONE).abs() <= R::of(sinew_math::MINVAL) {
        return q;
    }
    let s = R::ONE / norm;
    Quats([w * s, x * s, y * s, z * s])
}

pub(crate) fn no_turn<R: Real>() -> Quats<R> {
    Quats([R::ONE, R::ZERO, R::ZERO, R::ZERO])
}

/// A vector turned: v + w t + u × t with t = 2 u × v, for q = (w, u).
#[inline(always)]
pub(crate) fn turn<R: Real>(q: Quats<R>, v: Vec3s<R>) -> Vec3s<R> {
    let [w, x, y, z] = q.0;
    let u = vec3(x, y, z);
    let t = u.cross(v).scale(R::of(2.0));
    v + t.scale(w) + u.cross(t)
}

#[inline(always)]
pub(crate) fn minus<R: Real>(a: Spatials<R>, b: Spatials<R>) -> Spatials<R> {
    Spatials { rot: a.rot - b.rot, lin: a.lin - b.lin }
}

/// Four numbers in a row.
#[inline(always)]
pub(crate) fn row4<R: Real>(from: Cells<'_, R>, at: usize) -> Quats<R> {
    Quats([from.at(at), from.at(at + 1), from.at(at + 2), from.at(at + 3)])
}

#[inline(always)]
pub(crate) fn put_row3<R: Real>(to: Cells<'_, R>, at: usize, v: Vec3s<R>) {
    to.put(at, v.x);
    to.put(at + 1, v.y);
    to.put(at + 2, v.z);
}

#[inline(always)]
pub(crate) fn put_row4<R: Real>(to: Cells<'_, R>, at: usize, q: Quats<R>) {
    let Quats([w, x, y, z]) = q;
    to.put(at, w);
    put_row3(to, at + 1, vec3(x, y, z));
}

#[inline(always)]
pub(crate) fn conjugate<R: Real>(q: Quats<R>) -> Quats<R> {
    let Quats([w, x, y, z]) = q;
    Quats([w, -x, -y, -z])
}

#[inline(always)]
pub(crate) fn vector_part<R: Real>(q: Quats<R>) -> Vec3s<R> {
    let Quats([_, x, y, z]) = q;
    vec3(x, y, z)
}

/// Whether a dof moves a body: the bodies below one follow it.
#[inline(always)]
pub(crate) fn moves_body<R: Real>(m: Model<'_, R>, v: usize, body: usize) -> bool {
    let top = m.dof_body().at(v) as usize;
    top <= body && body < m.body_end().at(top) as usize
}

/// Velocity of a point of a body that a dof moves, per velocity of the dof.
#[inline(always)]
pub(crate) fn point_motion<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    v: usize,
    pos: Vec3s<R>,
) -> Vec3s<R> {
    let com = get3(w.com(), m.nroot as usize, m.dof_root().at(v) as usize);
    let Spatials { rot, lin } = get6(w.cdof(), m.nv as usize, v);
    lin + rot.cross(pos - com)
}

/// The unit vector along `v`; +x where it has no length.
#[inline(always)]
pub(crate) fn direction<R: Real>(v: Vec3s<R>) -> Vec3s<R> {
    let length = v.dot(v).sqrt();
    if length < R::of(sinew_math::MINVAL) {
        return vec3(R::ONE, R::ZERO, R::ZERO);
    }
    v.scale(R::ONE / length)
}
