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

/// Numbers that are read only, of the model or of the world.
pub(crate) trait Rows<R> {
    fn numbers<const N: usize>(self, first: usize) -> [R; N];
}

impl<R: Real> Rows<R> for Slice<'_, R> {
    #[inline(always)]
    fn numbers<const N: usize>(self, first: usize) -> [R; N] {
        self.row(first)
    }
}

impl<R: Real> Rows<R> for Cells<'_, R> {
    #[inline(always)]
    fn numbers<const N: usize>(self, first: usize) -> [R; N] {
        self.row(first)
    }
}

#[inline(always)]
pub(crate) fn get3<R: Real>(from: impl Rows<R>, i: usize) -> Vec3s<R> {
    let [x, y, z] = from.numbers(3 * i);
    vec3(x, y, z)
}

#[inline(always)]
pub(crate) fn get4<R: Real>(from: impl Rows<R>, i: usize) -> Quats<R> {
    Quats(from.numbers(4 * i))
}

#[inline(always)]
pub(crate) fn get6<R: Real>(from: impl Rows<R>, i: usize) -> Spatials<R> {
    let [a, b, c, d, e, f] = from.numbers(6 * i);
    Spatials { rot: vec3(a, b, c), lin: vec3(d, e, f) }
}

#[inline(always)]
pub(crate) fn get9<R: Real>(from: impl Rows<R>, i: usize) -> Mat3s<R> {
    let [a, b, c, d, e, f, g, h, i] = from.numbers(9 * i);
    Mat3s([vec3(a, b, c), vec3(d, e, f), vec3(g, h, i)])
}

#[inline(always)]
pub(crate) fn put3<R: Real>(to: Cells<'_, R>, i: usize, v: Vec3s<R>) {
    to.put_row(3 * i, [v.x, v.y, v.z]);
}

#[inline(always)]
pub(crate) fn put4<R: Real>(to: Cells<'_, R>, i: usize, q: Quats<R>) {
    to.put_row(4 * i, q.0);
}

#[inline(always)]
pub(crate) fn put6<R: Real>(to: Cells<'_, R>, i: usize, Spatials { rot, lin }: Spatials<R>) {
    to.put_row(6 * i, [rot.x, rot.y, rot.z, lin.x, lin.y, lin.z]);
}

#[inline(always)]
pub(crate) fn put9<R: Real>(to: Cells<'_, R>, i: usize, Mat3s([a, b, c]): Mat3s<R>) {
    to.put_row(9 * i, [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]);
}

/// Three numbers in a row.
#[inline(always)]
pub(crate) fn row3<R: Real>(from: Cells<'_, R>, at: usize) -> Vec3s<R> {
    let [x, y, z] = from.row(at);
    vec3(x, y, z)
}

/// The unit quaternion of four numbers in a row.
#[inline(always)]
pub(crate) fn unit_row4<R: Real>(from: Cells<'_, R>, at: usize) -> Quats<R> {
    unit(row4(from, at))
}

/// Numbers of a rigid body in a row: an inertia, then a force.
pub(crate) const RIGID: usize = 16;

#[inline(always)]
pub(crate) fn inertia<R: Real>(from: Cells<'_, R>, i: usize) -> Inertias<R> {
    let [a, b, c, d, e] = from.row(RIGID * i);
    let [f, g, h, k, mass] = from.row(RIGID * i + 5);
    Inertias([a, b, c, d, e, f, g, h, k, mass])
}

#[inline(always)]
pub(crate) fn put_rigid<R: Real>(to: Cells<'_, R>, i: usize, of: &Inertias<R>, f: Spatials<R>) {
    let [a, b, c, d, e, x, y, z, k, mass] = of.0;
    to.put_row(RIGID * i, [a, b, c, d, e]);
    to.put_row(RIGID * i + 5, [x, y, z, k, mass]);
    to.put_row(RIGID * i + 10, [f.rot.x, f.rot.y, f.rot.z, f.lin.x, f.lin.y, f.lin.z]);
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
    Quats(from.row(at))
}

#[inline(always)]
pub(crate) fn put_row3<R: Real>(to: Cells<'_, R>, at: usize, v: Vec3s<R>) {
    to.put_row(at, [v.x, v.y, v.z]);
}

#[inline(always)]
pub(crate) fn put_row4<R: Real>(to: Cells<'_, R>, at: usize, q: Quats<R>) {
    to.put_row(at, q.0);
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
    let com = get3(w.com(), m.dof_root().at(v) as usize);
    let Spatials { rot, lin } = get6(w.cdof(), v);
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
