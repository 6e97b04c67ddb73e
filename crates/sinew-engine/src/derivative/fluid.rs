//! Derivative of fluid forces with respect to velocity.
//!
//! In a body's own axes the force is a function of its spatial velocity, with a 6×6 derivative B.
//! Through the body's Jacobian it adds Jᵀ B J.

use core::f64::consts::PI;
use core::ops::Range;

use sinew_math::{MINVAL, Mat3, Spatial, Vec3};
use sinew_model::enums::{Integrator, ObjType};
use sinew_model::{BodyId, Data, Model};

use super::pattern::for_common;
use crate::passive::fluid::{
    FluidCoef, ellipsoid_max_moment, inertia_box, local_velocity, pow2, pow4, semi_axes,
};
use crate::sleep::for_bodies;
use crate::smooth::jacobian::point_jacobian;
use crate::smooth::object::{Frame, object_frame};
use crate::work::scratch;

/// Rows: torque, force. Columns: angular velocity, linear velocity.
type Mat6 = [[f64; 6]; 6];

/// Adds d qfrc_fluid / d qvel.
pub(super) fn add_fluid_vel(m: &Model, d: &mut Data, deriv: &mut [f64]) {
    for_bodies(m, d, |d, run| add_bodies(m, d, run, deriv));
}

fn add_bodies(m: &Model, d: &mut Data, bodies: Range<usize>, deriv: &mut [f64]) {
    for b in bodies.map(BodyId::new).filter(|&b| m.body_mass[b] >= MINVAL) {
        if m.body_geoms(b).any(|g| m.geom_fluid[g][0] > 0.0) {
            for g in m.body_geoms(b) {
                let coef = FluidCoef::new(m.geom_fluid[g]);
                if coef.interaction == 0.0 {
                    continue;
                }
                let size = semi_axes(m.geom_type[g], m.geom_size[g]);
                let block = |vel| ellipsoid_vel(m, vel, size, &coef);
                add_object(m, d, ObjType::Geom, g.idx(), deriv, block);
            }
        } else {
            add_object(m, d, ObjType::Body, b.idx(), deriv, |vel| box_vel(m, b, vel));
        }
    }
}

/// Adds Jᵀ B J of an object, where `block` gives B at its local velocity.
fn add_object(
    m: &Model,
    d: &mut Data,
    kind: ObjType,
    id: usize,
    deriv: &mut [f64],
    block: impl Fn(Spatial) -> Mat6,
) {
    let (Some(vel), Some(Frame { pos, mat, body })) =
        (local_velocity(m, d, kind, id), object_frame(m, d, kind, id))
    else {
        return;
    };

    // the object's Jacobian in its own axes
    let mut work = core::mem::take(&mut scratch(d).derivative);
    let (chain, jac, image) = (&mut work.chain, &mut work.jac, &mut work.image);
    chain.clear();
    chain.extend(m.body_chain(body));
    chain.reverse();
    let offset = pos - d.subtree_com[m.body_rootid[body]];
    jac.clear();
    jac.extend(chain.iter().map(|&v| {
        let column = point_jacobian(d.cdof[v], offset);
        Spatial::new(mat.tmul_vec(d.cdof[v].rot), mat.tmul_vec(column)).to_array()
    }));

    // B J first: the product with Jᵀ is then six numbers long
    let b = block(vel);
    image.clear();
    image.extend(jac.iter().map(|column| b.map(|row| dot6(&row, column))));
    for (&v, left) in chain.iter().zip(jac.iter()) {
        for_common(m, v, chain, |adr, k| deriv[adr] += dot6(left, &image[k]));
    }
    scratch(d).derivative = work;
}

fn dot6(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (0..6).fold(0.0, |sum, i| sum + a[i] * b[i])
}

/// Derivative of a box's viscous and quadratic drag, which is diagonal.
#[doc(alias = "mjd_inertiaBoxFluid")]
fn box_vel(m: &Model, b: BodyId, vel: Spatial) -> Mat6 {
    let (viscosity, density) = (m.opt.viscosity, m.opt.density);
    let side = inertia_box(m.body_inertia[b], m.body_mass[b]);
    let mut out = [[0.0; 6]; 6];
    if viscosity > 0.0 {
        let diam = (side.x + side.y + side.z) / 3.0;
        for k in 0..3 {
            out[k][k] = -PI * diam * diam * diam * viscosity;
            out[k + 3][k + 3] = -3.0 * PI * diam * viscosity;
        }
    }
    if density > 0.0 {
        for (k, (i, j)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            let (a, b) = (side[i], side[j]);
            out[k][k] +=
                -density * side[k] * (a * a * a * a + b * b * b * b) * 2.0 * vel.rot[k].abs()
                    / 64.0;
            out[k + 3][k + 3] += -0.5 * density * a * b * 2.0 * vel.lin[k].abs();
        }
    }
    out
}

/// Derivative of an ellipsoid's force; made symmetric for the integrator that needs it so.
#[doc(alias = "mjd_ellipsoidFluid")]
fn ellipsoid_vel(m: &Model, vel: Spatial, size: Vec3, coef: &FluidCoef) -> Mat6 {
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    let mut out = [[0.0; 6]; 6];
    add_magnus(&mut out, vel, size, coef.magnus_lift * density);
    add_block(&mut out, FORCE, LIN, kutta_lift(vel.lin, size, coef.kutta_lift, density));
    add_block(&mut out, FORCE, LIN, viscous_drag(vel.lin, size, coef, density, viscosity));
    add_block(&mut out, TORQUE, ROT, viscous_torque(vel.rot, size, coef, density, viscosity));
    add_added_mass(&mut out, vel, coef, density);
    if m.opt.integrator == Integrator::Implicitfast {
        for i in 0..6 {
            for j in 0..i {
                let mean = 0.5 * (out[i][j] + out[j][i]);
                (out[i][j], out[j][i]) = (mean, mean);
            }
        }
    }
    out
}

const TORQUE: usize = 0;
const FORCE: usize = 3;
const ROT: usize = 0;
const LIN: usize = 3;

/// Adds a 3×3 block at a row and column.
fn add_block(out: &mut Mat6, row: usize, col: usize, block: Mat3) {
    for i in 0..3 {
        for j in 0..3 {
            out[row + i][col + j] += block.0[i][j];
        }
    }
}

/// d(a × b)/da
fn cross_first(b: Vec3) -> Mat3 {
    Mat3([[0.0, b.z, -b.y], [-b.z, 0.0, b.x], [b.y, -b.x, 0.0]])
}

/// d(a × b)/db
fn cross_second(a: Vec3) -> Mat3 {
    Mat3([[0.0, -a.z, a.y], [a.z, 0.0, -a.x], [-a.y, a.x, 0.0]])
}

/// Force of the fluid that moves along.
#[doc(alias = "mjd_addedMassForces")]
fn add_added_mass(out: &mut Mat6, vel: Spatial, coef: &FluidCoef, density: f64) {
    let (mass, inertia) = (coef.virtual_mass * density, coef.virtual_inertia * density);
    let momentum = mass.mul_elem(vel.lin);
    let spin = inertia.mul_elem(vel.rot);
    // (mass v) × b, by v
    let scaled = |b: Vec3, scale: Vec3| {
        let mut block = cross_first(b);
        for row in &mut block.0 {
            for (k, x) in row.iter_mut().enumerate() {
                *x *= scale[k];
            }
        }
        block
    };
    add_block(out, TORQUE, ROT, cross_second(spin));
    add_block(out, TORQUE, ROT, scaled(vel.rot, inertia));
    add_block(out, TORQUE, LIN, cross_second(momentum));
    add_block(out, TORQUE, LIN, scaled(vel.lin, mass));
    add_block(out, FORCE, ROT, cross_second(momentum));
    add_block(out, FORCE, LIN, scaled(vel.rot, mass));
}

/// Lift of a spinning body.
#[doc(alias = "mjd_magnus_force")]
fn add_magnus(out: &mut Mat6, vel: Spatial, size: Vec3, lift: f64) {
    let scale = lift * (4.0 / 3.0 * PI * size.x * size.y * size.z);
    add_block(out, FORCE, ROT, cross_first(vel.lin * scale));
    add_block(out, FORCE, LIN, cross_second(vel.rot * scale));
}

/// Squared products of two semi-axes, and the weighted squares of velocity they give.
struct Projection {
    area: Vec3,
    denom: f64,
    num: f64,
}

impl Projection {
    fn new(size: Vec3, v: Vec3) -> Self {
        let area = Vec3::new(pow2(size.y * size.z), pow2(size.z * size.x), pow2(size.x * size.y));
        let square = v.mul_elem(v);
        Projection { area, denom: area.mul_elem(area).dot(square), num: area.dot(square) }
    }
}

/// Lift of a foil, by linear velocity.
#[doc(alias = "mjd_kutta_lift")]
fn kutta_lift(v: Vec3, size: Vec3, lift: f64, density: f64) -> Mat3 {
    let Projection { area, denom, num } = Projection::new(size, v);
    let square = v.mul_elem(v);
    let norm2 = square.x + square.y + square.z;
    let scale = PI * lift * density / (denom * num * norm2).sqrt().max(MINVAL);
    let (proj, cos) = (num / denom.max(MINVAL), num / norm2.max(MINVAL));
    Mat3(core::array::from_fn(|i| {
        let (j, k) = ([1, 0, 0][i], [2, 2, 1][i]);
        let slope = square[j] * (area[i] - area[j]) + square[k] * (area[i] - area[k]);
        core::array::from_fn(|c| {
            let inner = area[c] * area[c] * proj - area[c] + cos;
            let mut x = (area[c] - area[i]) * (2.0 * num) + inner * slope;
            x *= v[i] * v[c];
            if i == c {
                x -= slope * num;
            }
            x * scale
        })
    }))
}

/// Drag of translation, by linear velocity.
#[doc(alias = "mjd_viscous_drag")]
fn viscous_drag(v: Vec3, size: Vec3, coef: &FluidCoef, density: f64, viscosity: f64) -> Mat3 {
    let Projection { area, denom, num } = Projection::new(size, v);
    let (d_max, d_mid) = largest_two(size);
    let diameter = 2.0 / 3.0 * (size.x + size.y + size.z);
    let square = v.mul_elem(v);
    let inner = square.x + square.y + square.z;
    let norm = inner.sqrt();
    let seen = PI * (denom / num.max(MINVAL)).sqrt();
    let area_max = PI * d_max * d_mid;

    let linear = viscosity * 3.0 * PI * diameter;
    let quadratic = density * (seen * coef.blunt_drag + coef.slender_drag * (area_max - seen));
    let seen_scale = density
        * norm
        * (coef.blunt_drag - coef.slender_drag)
        * (PI / (num * num * num * denom).sqrt().max(MINVAL));
    let scale = -quadratic * (1.0 / norm.max(MINVAL));

    // change of the area seen along the velocity
    let seen_vel = |i: usize| {
        let (j, k) = ([1, 0, 0][i], [2, 2, 1][i]);
        let slope =
            area[j] * square[j] * (area[i] - area[j]) + area[k] * square[k] * (area[i] - area[k]);
        seen_scale * area[i] * v[i] * slope
    };
    Mat3(core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            let mut x = v[i] * v[j];
            if i == j {
                x += inner;
            }
            x = x * scale + seen_vel(j) * -v[i];
            if i == j { x - linear } else { x }
        })
    }))
}

/// Drag of turning, by angular velocity.
#[doc(alias = "mjd_viscous_torque")]
fn viscous_torque(w: Vec3, size: Vec3, coef: &FluidCoef, density: f64, viscosity: f64) -> Mat3 {
    let (d_max, d_mid) = largest_two(size);
    let diameter = 2.0 / 3.0 * (size.x + size.y + size.z);
    let moment_max = 8.0 / 15.0 * PI * d_mid * pow4(d_max);
    let moment = |k: usize| {
        let own = ellipsoid_max_moment(size, k);
        coef.angular_drag * own + coef.slender_drag * (moment_max - own)
    };
    let moments = Vec3::new(moment(0), moment(1), moment(2));
    let scale = density / w.mul_elem(moments).norm().max(MINVAL);
    let slope = (w * -scale).mul_elem(moments).mul_elem(moments);
    let linear = viscosity * (PI * diameter * diameter * diameter);
    let diag = w.dot(slope) - linear;
    Mat3(core::array::from_fn(|i| {
        core::array::from_fn(|j| (if i == j { diag } else { 0.0 }) + slope[j] * w[i])
    }))
}

/// The largest and the middle semi-axis.
fn largest_two(size: Vec3) -> (f64, f64) {
    let max = size.x.max(size.y).max(size.z);
    let min = size.x.min(size.y).min(size.z);
    (max, size.x + size.y + size.z - max - min)
}
