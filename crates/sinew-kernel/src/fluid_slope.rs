//! Derivatives of the forces of a fluid by velocity, in a direction.
//!
//! The formulas are those of `sinew-engine`'s `derivative::fluid`, times a direction.

use sinew_math::algebra::{Spatials, Vec3s};

use crate::fluid::{Frame, max_moments, middle_axis, pow4, turned};
use crate::real::Real;
use crate::rows::*;
use crate::tables::{Model, World};

/// The derivative of the force on a body, about `centre`, at a velocity and along a change of it.
#[inline(never)]
pub(crate) fn fluid_slope<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    b: usize,
    [vel, along]: [Spatials<R>; 2],
    centre: Vec3s<R>,
) -> Spatials<R> {
    let mut sum = zero6();
    let sides = get3(m.fluid_box(), b);
    if sides.x > R::ZERO {
        let frame = Frame { mat: turned(w, b, get4(m.body_iquat(), b)), vel, centre };
        let pos = get3(w.xipos(), b);
        sum = frame.slope_at(m, pos, along, |vel, x| box_slope(m, sides, vel, x));
    }
    for g in m.fluid_adr().at(b) as usize..m.fluid_adr().at(b + 1) as usize {
        let mat = get9(w.xmat(), b);
        let pos = mat.mul_vec(get3(m.fluid_pos(), g)) + get3(w.xpos(), b);
        let frame = Frame { mat: turned(w, b, get4(m.fluid_quat(), g)), vel, centre };
        let own = frame.slope_at(m, pos, along, |vel, x| ellipsoid_slope(m, g, vel, x));
        sum = sum.plus(own);
    }
    sum
}

/// Of the drag of a box.
#[inline(always)]
fn box_slope<R: Real>(
    m: Model<'_, R>,
    side: Vec3s<R>,
    vel: Spatials<R>,
    x: Spatials<R>,
) -> Spatials<R> {
    let (s, pi) = (m.scalars(), R::of(core::f64::consts::PI));
    let diam = (side.x + side.y + side.z) / R::of(3.0);
    let (turn, drag) =
        (pi * diam * diam * diam * s.viscosity, R::of(3.0) * pi * diam * s.viscosity);
    let face = |area: R, v: R| drag + s.density * area * v.abs();
    let spin = |k: R, a: R, b: R, v: R| {
        turn + s.density * k * (pow4(a) + pow4(b)) * R::of(2.0) * v.abs() / R::of(64.0)
    };
    let Vec3s { x: a, y: b, z: c } = side;
    let (u, v) = (vel.rot, vel.lin);
    let rot = vec3(spin(a, b, c, u.x), spin(b, a, c, u.y), spin(c, a, b, u.z));
    let lin = vec3(face(b * c, v.x), face(a * c, v.y), face(a * b, v.z));
    Spatials { rot: product(rot, x.rot).scale(-R::ONE), lin: product(lin, x.lin).scale(-R::ONE) }
}

/// Component by component.
#[inline(always)]
fn product<R: Real>(a: Vec3s<R>, b: Vec3s<R>) -> Vec3s<R> {
    vec3(a.x * b.x, a.y * b.y, a.z * b.z)
}

/// Of the force on an ellipsoid.
#[inline(always)]
fn ellipsoid_slope<R: Real>(
    m: Model<'_, R>,
    g: usize,
    vel: Spatials<R>,
    x: Spatials<R>,
) -> Spatials<R> {
    let (n, s) = (m.nfluid() as usize, m.scalars());
    let coef = |k: usize| m.fluid_coef().at(k * n + g);
    let (v, w) = (vel.lin, vel.rot);
    let size = get3(m.fluid_size(), g);

    // added mass
    let scaled = |k: usize, v: Vec3s<R>| {
        product(vec3(coef(k), coef(k + 1), coef(k + 2)), v).scale(s.density)
    };
    let (momentum, spin) = (scaled(6, v), scaled(9, w));
    let more = scaled(6, x.lin);
    let mut rot = more.cross(v) + momentum.cross(x.lin) + scaled(9, x.rot).cross(w);
    rot = rot + spin.cross(x.rot);
    let mut lin = more.cross(w) + momentum.cross(x.rot);

    // Magnus lift
    let pi = R::of(core::f64::consts::PI);
    let volume = R::of(4.0 / 3.0) * pi * size.x * size.y * size.z;
    lin = lin + (x.rot.cross(v) + w.cross(x.lin)).scale(coef(5) * s.density * volume);

    // Kutta lift and drag
    lin =
        lin + lift_and_drag([coef(4), coef(1), coef(2)], [s.density, s.viscosity], size, v, x.lin);

    // drag of turning
    let (tiny, diameter) =
        (R::of(sinew_math::MINVAL), R::of(2.0 / 3.0) * (size.x + size.y + size.z));
    let moments = max_moments(size, [coef(3), coef(2)]);
    let turning = product(w, moments);
    let scale = s.density / turning.dot(turning).sqrt().max(tiny);
    let slope = product(turning, moments).scale(-scale);
    let diag = w.dot(slope) - s.viscosity * pi * diameter * diameter * diameter;
    rot = rot + x.rot.scale(diag) + w.scale(slope.dot(x.rot));
    Spatials { rot, lin }
}

/// Of the lift of a foil and of the drag of translation, by linear velocity.
#[inline(always)]
fn lift_and_drag<R: Real>(
    [lift, blunt, slender]: [R; 3],
    [density, viscosity]: [R; 2],
    size: Vec3s<R>,
    v: Vec3s<R>,
    x: Vec3s<R>,
) -> Vec3s<R> {
    // squared products of two semi-axes, weighted with the squares of velocity
    let face = vec3(size.y * size.z, size.z * size.x, size.x * size.y);
    let area = product(face, face);
    let (square, along) = (product(v, v), product(v, x));
    let (num, denom) = (area.dot(square), product(area, area).dot(square));
    let (all, one) = (v.dot(v), vec3(R::ONE, R::ONE, R::ONE));
    let (tiny, pi, two) = (R::of(sinew_math::MINVAL), R::of(core::f64::consts::PI), R::of(2.0));

    // lift
    let (sum, weighted) = (v.dot(x), area.dot(along));
    let inner = product(area, area).dot(along) * (num / denom.max(tiny)) - weighted
        + num / all.max(tiny) * sum;
    let slope = area.scale(all) - one.scale(num);
    let turned = one.scale(weighted) - area.scale(sum);
    let lifted =
        product(v, turned.scale(two * num) + slope.scale(inner)) - product(slope, x).scale(num);
    let lifted = lifted.scale(pi * lift * density / (denom * num * all).sqrt().max(tiny));

    // drag; the area seen along the velocity changes with it
    let (longest, middle) = middle_axis(size);
    let (norm, diameter) = (all.sqrt(), R::of(2.0 / 3.0) * (size.x + size.y + size.z));
    let (seen, most) = (pi * (denom / num.max(tiny)).sqrt(), pi * longest * middle);
    let linear = viscosity * R::of(3.0) * pi * diameter;
    let quadratic = density * (seen * blunt + slender * (most - seen)) / norm.max(tiny);
    let change = product(area, area.scale(num) - one.scale(denom)).dot(along);
    let seen_slope = density
        * norm
        * (blunt - slender)
        * (pi / (num * num * num * denom).sqrt().max(tiny))
        * change;
    lifted - (v.scale(sum) + x.scale(all)).scale(quadratic) - v.scale(seen_slope) - x.scale(linear)
}
