//! Forces of a surrounding fluid: on the box of a body's inertia, or on geoms as ellipsoids.
//!
//! The formulas are those of `sinew-engine`'s `passive::fluid`, for any number.

use sinew_math::algebra::{Mat3s, Quats, Spatials, Vec3s};

use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// The force and torque on a body, about `centre`, around which its velocity is.
#[inline(always)]
pub(crate) fn fluid_force<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    b: usize,
    vel: Spatials<R>,
    centre: Vec3s<R>,
) -> Spatials<R> {
    let mut sum = zero6();
    let sides = get3(m.fluid_box(), b);
    if sides.x > R::ZERO {
        let frame = Frame { mat: turned(w, b, get4(m.body_iquat(), b)), vel, centre };
        let pos = get3(w.xipos(), b);
        sum = frame.force_at(m, pos, |vel| box_force(m, sides, vel));
    }
    for g in m.fluid_adr().at(b) as usize..m.fluid_adr().at(b + 1) as usize {
        let mat = get9(w.xmat(), b);
        let pos = mat.mul_vec(get3(m.fluid_pos(), g)) + get3(w.xpos(), b);
        let frame = Frame { mat: turned(w, b, get4(m.fluid_quat(), g)), vel, centre };
        sum = sum.plus(frame.force_at(m, pos, |vel| ellipsoid_force(m, g, vel)));
    }
    sum
}

/// Axes of an object of a body.
#[inline(always)]
pub(crate) fn turned<R: Real>(w: World<'_, R>, b: usize, own: Quats<R>) -> Mat3s<R> {
    (get4(w.xquat(), b) * own).products()
}

/// Axes of an object, and the velocity of its body about a centre.
pub(crate) struct Frame<R> {
    pub(crate) mat: Mat3s<R>,
    pub(crate) vel: Spatials<R>,
    pub(crate) centre: Vec3s<R>,
}

impl<R: Real> Frame<R> {
    /// The force at a place, moved to the centre; `force` and its argument, the velocity through
    /// the wind, are in the object's own axes.
    #[inline(always)]
    pub(crate) fn force_at(
        &self,
        m: Model<'_, R>,
        pos: Vec3s<R>,
        force: impl Fn(Spatials<R>) -> Spatials<R>,
    ) -> Spatials<R> {
        let offset = pos - self.centre;
        self.outward(force(self.through_wind(m, offset)), offset)
    }

    /// The derivative of such a force along a change of the velocity.
    #[inline(always)]
    pub(crate) fn slope_at(
        &self,
        m: Model<'_, R>,
        pos: Vec3s<R>,
        along: Spatials<R>,
        slope: impl Fn(Spatials<R>, Spatials<R>) -> Spatials<R>,
    ) -> Spatials<R> {
        let offset = pos - self.centre;
        let along = self.inward(along.rot, along.lin + along.rot.cross(offset));
        self.outward(slope(self.through_wind(m, offset), along), offset)
    }

    /// The velocity through the wind of a place, in the object's axes.
    #[inline(always)]
    fn through_wind(&self, m: Model<'_, R>, offset: Vec3s<R>) -> Spatials<R> {
        let s = m.scalars();
        let wind = vec3(s.wind_x, s.wind_y, s.wind_z);
        self.inward(self.vel.rot, self.vel.lin + self.vel.rot.cross(offset) - wind)
    }

    #[inline(always)]
    fn inward(&self, rot: Vec3s<R>, lin: Vec3s<R>) -> Spatials<R> {
        let [x, y, z] = self.mat.cols();
        let inward = |v: Vec3s<R>| vec3(x.dot(v), y.dot(v), z.dot(v));
        Spatials { rot: inward(rot), lin: inward(lin) }
    }

    /// A force in the object's axes, moved to the centre.
    #[inline(always)]
    fn outward(&self, own: Spatials<R>, offset: Vec3s<R>) -> Spatials<R> {
        let (rot, lin) = (self.mat.mul_vec(own.rot), self.mat.mul_vec(own.lin));
        Spatials { rot: rot + offset.cross(lin), lin }
    }
}

/// Force on the box that has a body's inertia: Stokes drag of a sphere of the mean diameter, and
/// quadratic drag on the faces.
#[inline(always)]
fn box_force<R: Real>(m: Model<'_, R>, side: Vec3s<R>, vel: Spatials<R>) -> Spatials<R> {
    let (s, pi) = (m.scalars(), R::of(core::f64::consts::PI));
    let diam = (side.x + side.y + side.z) / R::of(3.0);
    let rot = vel.rot.scale(-pi * diam * diam * diam * s.viscosity);
    let lin = vel.lin.scale(R::of(-3.0) * pi * diam * s.viscosity);
    let face = |area: R, v: R| R::of(0.5) * s.density * area * v.abs() * v;
    let spin =
        |k: R, a: R, b: R, v: R| s.density * k * (pow4(a) + pow4(b)) * v.abs() * v / R::of(64.0);
    let Vec3s { x, y, z } = side;
    let (u, v) = (vel.rot, vel.lin);
    Spatials {
        rot: rot - vec3(spin(x, y, z, u.x), spin(y, x, z, u.y), spin(z, x, y, u.z)),
        lin: lin - vec3(face(y * z, v.x), face(x * z, v.y), face(x * y, v.z)),
    }
}

/// Force on an ellipsoid: of the fluid that moves along, lift and drag.
#[inline(always)]
fn ellipsoid_force<R: Real>(m: Model<'_, R>, g: usize, vel: Spatials<R>) -> Spatials<R> {
    let (n, s) = (m.nfluid() as usize, m.scalars());
    let coef = |k: usize| m.fluid_coef().at(k * n + g);
    let (v, w) = (vel.lin, vel.rot);

    // added mass
    let scaled = |k: usize, v: Vec3s<R>| {
        vec3(coef(k) * v.x, coef(k + 1) * v.y, coef(k + 2) * v.z).scale(s.density)
    };
    let (momentum, spin) = (scaled(6, v), scaled(9, w));
    let added = Spatials { rot: momentum.cross(v) + spin.cross(w), lin: momentum.cross(w) };

    // Magnus lift: spin × velocity
    let Vec3s { x: a, y: b, z: c } = get3(m.fluid_size(), g);
    let (pi, speed) = (R::of(core::f64::consts::PI), v.dot(v).sqrt());
    let volume = R::of(4.0 / 3.0) * pi * a * b * c;
    let magnus = w.cross(v).scale(coef(5) * s.density * volume);

    // area seen along the velocity, and the cosine of the velocity to its normal
    let tiny = R::of(sinew_math::MINVAL);
    let faces = vec3(b * c, c * a, a * b);
    let normal = vec3(faces.x * faces.x * v.x, faces.y * faces.y * v.y, faces.z * faces.z * v.z);
    let (denom, num) = (normal.dot(normal), normal.dot(v));
    let area = pi * (denom / num.max(tiny)).sqrt();
    let cos = num / (speed * denom).max(tiny);

    // Kutta lift: circulation × velocity
    let circulation = normal.cross(v).scale(coef(4) * s.density * cos * area);
    let kutta = circulation.cross(v);

    // Stokes drag of the equal sphere, and quadratic drag
    let (longest, middle) = middle_axis(vec3(a, b, c));
    let diameter = R::of(2.0 / 3.0) * (a + b + c);
    let most = pi * longest * middle;
    let drag = s.viscosity * R::of(3.0) * pi * diameter
        + s.density * speed * (area * coef(1) + coef(2) * (most - area));

    // quadratic drag of turning
    let moments = max_moments(vec3(a, b, c), [coef(3), coef(2)]);
    let turning = vec3(w.x * moments.x, w.y * moments.y, w.z * moments.z);
    let turn =
        s.viscosity * pi * diameter * diameter * diameter + s.density * turning.dot(turning).sqrt();
    let rot = added.rot - w.scale(turn);
    let lin = added.lin + magnus + kutta - v.scale(drag);
    Spatials { rot, lin }.scale(coef(0))
}

/// The longest and the middle semi-axis.
#[inline(always)]
pub(crate) fn middle_axis<R: Real>(size: Vec3s<R>) -> (R, R) {
    let Vec3s { x: a, y: b, z: c } = size;
    let (longest, shortest) = (a.max(b).max(c), a.min(b).min(c));
    (longest, a + b + c - longest - shortest)
}

/// Moments of the drag of turning about each axis, by the coefficients of angular and slender drag.
#[inline(always)]
pub(crate) fn max_moments<R: Real>(size: Vec3s<R>, [angular, slender]: [R; 2]) -> Vec3s<R> {
    let share = R::of(8.0 / 15.0) * R::of(core::f64::consts::PI);
    let (longest, middle) = middle_axis(size);
    let most = share * middle * pow4(longest);
    let moment = |axis: R, p: R, q: R| {
        let own = share * axis * pow4(p.max(q));
        angular * own + slender * (most - own)
    };
    let Vec3s { x: a, y: b, z: c } = size;
    vec3(moment(a, b, c), moment(b, c, a), moment(c, a, b))
}

#[inline(always)]
pub(crate) fn pow4<R: Real>(x: R) -> R {
    (x * x) * (x * x)
}
