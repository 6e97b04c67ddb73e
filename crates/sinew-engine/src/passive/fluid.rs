//! Forces of a surrounding fluid.
//!
//! A body is one box of its inertia's size. If any of its geoms has the fluid shape of an
//! ellipsoid, the body is the sum of its geoms as ellipsoids. Theory: MuJoCo docs, "Computation /
//! Fluid forces".

use core::f64::consts::PI;

use sinew_geom::shape::Shape;
use sinew_math::{MINVAL, Spatial, Vec3};
use sinew_model::enums::{GeomType, ObjType};
use sinew_model::{BodyId, Data, Model};

use crate::geometry::shape;
use crate::sleep::for_bodies;
use crate::smooth::jacobian::apply_ft;
use crate::smooth::object::{Frame, object_frame, object_velocity};
use crate::work::set_aside;

/// Fluid forces on all bodies.
///
/// Reads `cvel`, `subtree_com`, `xipos`, `ximat`, `geom_xpos`, `geom_xmat`, `cdof`.
/// Adds to `qfrc_fluid`.
#[doc(alias = "mj_fluid")]
pub(crate) fn fluid(m: &Model, d: &mut Data) {
    set_aside(
        d,
        |d| &mut d.qfrc_fluid,
        |d, qfrc| {
            for_bodies(m, d, |d, run| {
                for b in run.map(BodyId::new).filter(|&b| m.body_mass[b] >= MINVAL) {
                    body_fluid(m, d, b, qfrc);
                }
            });
        },
    );
}

/// Adds the fluid forces on a body to `qfrc`.
fn body_fluid(m: &Model, d: &Data, b: BodyId, qfrc: &mut [f64]) {
    if m.body_geoms(b).any(|g| m.geom_fluid[g][0] > 0.0) {
        for g in m.body_geoms(b) {
            let coef = FluidCoef::new(m.geom_fluid[g]);
            if coef.interaction == 0.0 {
                continue;
            }
            let size = semi_axes(m.geom_type[g], m.geom_size[g]);
            apply(m, d, ObjType::Geom, g.idx(), qfrc, |vel| ellipsoid_force(m, vel, size, &coef));
        }
    } else {
        apply(m, d, ObjType::Body, b.idx(), qfrc, |vel| box_force(m, b, vel));
    }
}

/// Adds to `qfrc` the force on an object that moves through the wind; `force` and its argument
/// are in the object's own axes.
fn apply(
    m: &Model,
    d: &Data,
    kind: ObjType,
    id: usize,
    qfrc: &mut [f64],
    force: impl Fn(Spatial) -> Spatial,
) {
    let (Some(vel), Some(Frame { pos, mat, body })) =
        (local_velocity(m, d, kind, id), object_frame(m, d, kind, id))
    else {
        return;
    };
    let Spatial { rot: torque, lin: force } = force(vel);
    apply_ft(m, d, mat * force, mat * torque, pos, body, qfrc);
}

/// Velocity of an object through the wind, in its own axes.
pub(crate) fn local_velocity(m: &Model, d: &Data, kind: ObjType, id: usize) -> Option<Spatial> {
    let mut vel = object_velocity(m, d, kind, id, true)?;
    vel.lin -= object_frame(m, d, kind, id)?.mat.tmul_vec(m.opt.wind);
    Some(vel)
}

/// Force on the box that has a body's inertia.
#[doc(alias = "mj_inertiaBoxFluidModel")]
fn box_force(m: &Model, b: BodyId, vel: Spatial) -> Spatial {
    let (viscosity, density) = (m.opt.viscosity, m.opt.density);
    let side = inertia_box(m.body_inertia[b], m.body_mass[b]);
    let mut force = Spatial::ZERO;

    // Stokes drag of a sphere of the mean diameter
    if viscosity > 0.0 {
        let diam = (side.x + side.y + side.z) / 3.0;
        force.rot = vel.rot * (-PI * diam * diam * diam * viscosity);
        force.lin = vel.lin * (-3.0 * PI * diam * viscosity);
    }

    // quadratic drag on the faces
    if density > 0.0 {
        for (k, (i, j)) in [(1, 2), (0, 2), (0, 1)].into_iter().enumerate() {
            let (a, b) = (side[i], side[j]);
            force.lin[k] -= 0.5 * density * a * b * vel.lin[k].abs() * vel.lin[k];
            force.rot[k] -=
                density * side[k] * (a * a * a * a + b * b * b * b) * vel.rot[k].abs() * vel.rot[k]
                    / 64.0;
        }
    }
    force
}

/// Sides of the box with the given principal moments.
pub(crate) fn inertia_box(inertia: Vec3, mass: f64) -> Vec3 {
    let side = |a: f64, b: f64, c: f64| ((a + b - c).max(MINVAL) / mass * 6.0).sqrt();
    Vec3::new(
        side(inertia.y, inertia.z, inertia.x),
        side(inertia.x, inertia.z, inertia.y),
        side(inertia.x, inertia.y, inertia.z),
    )
}

/// The numbers of `geom_fluid`.
pub(crate) struct FluidCoef {
    /// Scales everything; zero if the geom does not take part.
    pub(crate) interaction: f64,
    /// Drag of a blunt body.
    pub(crate) blunt_drag: f64,
    /// Drag of a slender body.
    pub(crate) slender_drag: f64,
    /// Drag of turning.
    pub(crate) angular_drag: f64,
    /// Lift of a foil.
    pub(crate) kutta_lift: f64,
    /// Lift of a spinning body.
    pub(crate) magnus_lift: f64,
    /// Fluid volume that moves along.
    pub(crate) virtual_mass: Vec3,
    /// Moments of that volume.
    pub(crate) virtual_inertia: Vec3,
}

impl FluidCoef {
    pub(crate) fn new(c: [f64; 12]) -> Self {
        FluidCoef {
            interaction: c[0],
            blunt_drag: c[1],
            slender_drag: c[2],
            angular_drag: c[3],
            kutta_lift: c[4],
            magnus_lift: c[5],
            virtual_mass: Vec3::new(c[6], c[7], c[8]),
            virtual_inertia: Vec3::new(c[9], c[10], c[11]),
        }
    }
}

/// Semi-axes of the ellipsoid that stands for a geom in a fluid.
#[doc(alias = "mju_geomSemiAxes")]
pub fn semi_axes(kind: GeomType, size: Vec3) -> Vec3 {
    match kind {
        GeomType::Plane => size,
        kind => shape(kind, size).map_or(size, Shape::half_box),
    }
}

/// Force on an ellipsoid.
#[doc(alias = "mj_ellipsoidFluidModel")]
fn ellipsoid_force(m: &Model, vel: Spatial, size: Vec3, coef: &FluidCoef) -> Spatial {
    let mut force = added_mass_force(m.opt.density, vel, coef);
    let drag = viscous_force(m, vel, size, coef);
    force.rot -= drag.rot;
    force.lin += drag.lin;
    force * coef.interaction
}

/// Force of the fluid that moves along with the body.
#[doc(alias = "mj_addedMassForces")]
fn added_mass_force(density: f64, vel: Spatial, coef: &FluidCoef) -> Spatial {
    let scaled = |mass: Vec3, v: Vec3| (mass * density).mul_elem(v);
    let momentum = scaled(coef.virtual_mass, vel.lin);
    let spin = scaled(coef.virtual_inertia, vel.rot);
    Spatial::new(momentum.cross(vel.lin) + spin.cross(vel.rot), momentum.cross(vel.rot))
}

/// Lift and drag: the force in `lin`, the torque with opposite sign in `rot`.
#[doc(alias = "mj_viscousForces")]
fn viscous_force(m: &Model, vel: Spatial, size: Vec3, coef: &FluidCoef) -> Spatial {
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    let Vec3 { x: a, y: b, z: c } = size;
    let (v, w) = (vel.lin, vel.rot);
    let d_max = a.max(b).max(c);
    let d_min = a.min(b).min(c);
    let d_mid = a + b + c - d_max - d_min;

    // Magnus lift: spin × velocity
    let volume = 4.0 / 3.0 * PI * a * b * c;
    let magnus = w.cross(v) * (coef.magnus_lift * density * volume);

    // area seen along the velocity, and the cosine of the velocity to its normal
    let denom = pow4(b * c) * pow2(v.x) + pow4(c * a) * pow2(v.y) + pow4(a * b) * pow2(v.z);
    let num = pow2(b * c * v.x) + pow2(c * a * v.y) + pow2(a * b * v.z);
    let area = PI * (denom / num.max(MINVAL)).sqrt();
    let normal = Vec3::new(pow2(b * c) * v.x, pow2(c * a) * v.y, pow2(a * b) * v.z);
    let cos = num / (v.norm() * denom).max(MINVAL);

    // Kutta lift: circulation × velocity
    let circulation = normal.cross(v) * (coef.kutta_lift * density * cos * area);
    let kutta = circulation.cross(v);

    // Stokes drag of the equal sphere, and quadratic drag
    let diameter = 2.0 / 3.0 * (a + b + c);
    let stokes_force = 3.0 * PI * diameter;
    let stokes_torque = PI * diameter * diameter * diameter;
    let area_max = PI * d_max * d_mid;
    let drag = viscosity * stokes_force
        + density * v.norm() * (area * coef.blunt_drag + coef.slender_drag * (area_max - area));

    // quadratic drag of turning
    let moment_max = 8.0 / 15.0 * PI * d_mid * pow4(d_max);
    let moment = |k: usize| {
        let own = ellipsoid_max_moment(size, k);
        w[k] * (coef.angular_drag * own + coef.slender_drag * (moment_max - own))
    };
    let turning = Vec3::new(moment(0), moment(1), moment(2));
    let angular_drag = viscosity * stokes_torque + density * turning.norm();

    Spatial::new(w * angular_drag, magnus + kutta - v * drag)
}

/// Largest moment of the ellipsoid's section across axis `k`.
pub(crate) fn ellipsoid_max_moment(size: Vec3, k: usize) -> f64 {
    8.0 / 15.0 * PI * size[k] * pow4(size[(k + 1) % 3].max(size[(k + 2) % 3]))
}

pub(crate) fn pow2(x: f64) -> f64 {
    x * x
}

pub(crate) fn pow4(x: f64) -> f64 {
    (x * x) * (x * x)
}
