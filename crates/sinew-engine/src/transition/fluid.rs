//! Derivatives of the forces of a fluid.
//!
//! In the axes of an object the force is a function f of its velocity u through the fluid. The body
//! carries the wrench as a whole. A dof with axis S, before which bodies move at ξ₀, also changes u
//! by -S × ξ₀. The fluid, which rests in the world, changes by the turn of the axes.

use core::f64::consts::PI;

use sinew_math::{MINVAL, Mat3, Spatial, Vec3};
use sinew_model::enums::{DisableBit, Integrator, ObjType};
use sinew_model::{BodyId, Data, DofId, GeomId, Model};

use super::dual::{Dual, Smooth};
use super::jet::Jet;
use super::mat6::Mat6;
use super::residual::Residual;
use super::tree::Wrenches;
use super::twist::Twists;
use crate::passive::fluid::{
    FluidCoef, ellipsoid_max_moment, inertia_box, local_velocity, pow2, pow4, semi_axes,
};
use crate::smooth::object::{Frame, object_frame};

/// An object in the fluid.
struct Immersed {
    body: BodyId,
    mat: Mat3,
    /// From the centre of mass of the tree.
    at: Vec3,
    force: Spatial,
    /// Slopes of the force, torque first, by the velocity, rotation first.
    slopes: [[f64; 6]; 6],
    bends: Bends,
}

/// Changes of the slopes with the velocity.
#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "one at a time, on the stack: a box would allocate")]
enum Bends {
    /// None is known.
    Unknown,
    /// Slopes on the diagonal change, each with its own velocity.
    Diagonal([f64; 6]),
    /// Of each slope by each velocity.
    All([[[f64; 6]; 6]; 6]),
}

/// Whether there is a fluid.
fn has_fluid(m: &Model) -> bool {
    let passive = !m.opt.disabled(DisableBit::Spring) || !m.opt.disabled(DisableBit::Damper);
    passive && (m.opt.density != 0.0 || m.opt.viscosity != 0.0)
}

/// Whether the forces on a body are those on its geoms.
fn has_ellipsoids(m: &Model, b: BodyId) -> bool {
    m.body_geoms(b).any(|g| m.geom_fluid[g][0] > 0.0)
}

/// Bodies with forces.
fn bodies(m: &Model) -> impl Iterator<Item = BodyId> + '_ {
    m.bodies().filter(|&b| m.body_mass[b] >= MINVAL && has_fluid(m))
}

/// Whether the forces depend on the masses of the bodies.
pub(super) fn has_boxes(m: &Model) -> bool {
    bodies(m).any(|b| !has_ellipsoids(m, b))
}

/// Calls `f` with every object in the fluid, where `ellipsoid` gives the force on a geom.
fn for_objects(
    m: &Model,
    d: &Data,
    ellipsoid: impl Fn(&Model, GeomId, Spatial) -> Forces,
    mut f: impl FnMut(&Immersed),
) {
    for b in bodies(m) {
        if has_ellipsoids(m, b) {
            for g in m.body_geoms(b).filter(|&g| m.geom_fluid[g][0] != 0.0) {
                let forces = |vel| ellipsoid(m, g, vel);
                if let Some(object) = immersed(m, d, ObjType::Geom, g.idx(), forces) {
                    f(&object);
                }
            }
        } else {
            let forces = |vel| cuboid(m, b, vel);
            if let Some(object) = immersed(m, d, ObjType::Body, b.idx(), forces) {
                f(&object);
            }
        }
    }
}

/// A force, its slopes and their bends.
type Forces = (Spatial, [[f64; 6]; 6], Bends);

fn immersed(
    m: &Model,
    d: &Data,
    kind: ObjType,
    id: usize,
    forces: impl Fn(Spatial) -> Forces,
) -> Option<Immersed> {
    let vel = local_velocity(m, d, kind, id)?;
    let Frame { pos, mat, body } = object_frame(m, d, kind, id)?;
    let (force, slopes, bends) = forces(vel);
    let at = pos - d.subtree_com[m.body_rootid[body]];
    Some(Immersed { body, mat, at, force, slopes, bends })
}

impl Immersed {
    /// A motion about the centre of mass in the axes of the object.
    fn local(&self, motion: Spatial) -> Spatial {
        let lin = motion.lin + motion.rot.cross(self.at);
        Spatial::new(self.mat.tmul_vec(motion.rot), self.mat.tmul_vec(lin))
    }

    /// The wrench about the centre of mass of a force in the axes of the object.
    fn wrench(&self, force: Spatial) -> Spatial {
        let lin = self.mat * force.lin;
        Spatial::new(self.mat * force.rot + self.at.cross(lin), lin)
    }

    /// The change of the force with a velocity.
    fn change(&self, vel: Spatial) -> Spatial {
        let vel = vel.to_array();
        let row = |k: usize| (0..6).fold(0.0, |sum, i| sum + self.slopes[k][i] * vel[i]);
        Spatial::from_slice(&core::array::from_fn::<f64, 6, _>(row))
    }

    /// The change of that change with the velocity.
    fn bend(&self, vel: Spatial, by: Spatial) -> Spatial {
        let (vel, by) = (vel.to_array(), by.to_array());
        let row = |k: usize| match &self.bends {
            Bends::Unknown => 0.0,
            Bends::Diagonal(bends) => bends[k] * vel[k] * by[k],
            Bends::All(bends) => {
                let along = |row: &[f64; 6]| (0..6).fold(0.0, |sum, l| sum + row[l] * by[l]);
                bends[k].iter().zip(vel).fold(0.0, |sum, (row, vel)| sum + along(row) * vel)
            }
        };
        Spatial::from_slice(&core::array::from_fn::<f64, 6, _>(row))
    }

    /// Change of the velocity through the fluid by the position of a dof.
    fn slip(&self, m: &Model, d: &Data, vel: &Twists, v: DofId) -> Spatial {
        let axis = d.cdof[v];
        let mut slip = self.local(-axis.cross_motion(vel.before[v.idx()]));
        slip.lin += self.mat.tmul_vec(axis.rot.cross(m.opt.wind));
        slip
    }
}

/// Adds the derivatives of the forces, and their wrenches. `vel` is the motion at the velocity.
pub(super) fn add_fluid(
    m: &Model,
    d: &Data,
    vel: &Twists,
    residual: &mut Residual,
    wrenches: &mut Wrenches,
) {
    for_objects(m, d, ellipsoid, |object| {
        let wrench = object.wrench(object.force);
        wrenches.add(object.body, wrench, &Mat6::carried(wrench));
        for v in m.body_chain(object.body) {
            let by_pos = object.wrench(object.change(object.slip(m, d, vel, v)));
            let by_vel = object.wrench(object.change(object.local(d.cdof[v])));
            for w in m.body_chain(object.body) {
                residual.by_pos(v.idx())[w.idx()] -= d.cdof[w].dot(by_pos);
                residual.by_vel(v.idx())[w.idx()] -= d.cdof[w].dot(by_vel);
            }
        }
    });
}

/// Adds the derivatives of h D y, and its wrenches, where `along` is the motion at the rates y.
pub(super) fn add_fluid_damping(
    m: &Model,
    d: &Data,
    [vel, along]: [&Twists; 2],
    slopes: &mut Residual,
    wrenches: &mut Wrenches,
) {
    let h = m.opt.timestep;
    for_objects(m, d, bent_ellipsoid, |object| {
        let rate = object.local(along.body[object.body.idx()]);
        let wrench = object.wrench(object.change(rate)) * h;
        wrenches.add(object.body, wrench, &Mat6::carried(wrench));
        for v in m.body_chain(object.body) {
            let turned = object.local(-d.cdof[v].cross_motion(along.before[v.idx()]));
            let slip = object.slip(m, d, vel, v);
            let by_pos = object.wrench(object.change(turned) + object.bend(rate, slip)) * h;
            let by_vel = object.wrench(object.bend(rate, object.local(d.cdof[v]))) * h;
            for w in m.body_chain(object.body) {
                slopes.by_pos(v.idx())[w.idx()] += d.cdof[w].dot(by_pos);
                slopes.by_vel(v.idx())[w.idx()] += d.cdof[w].dot(by_vel);
            }
        }
    });
}

/// The box of a body's inertia: drag in each axis, -a u - b |u| u.
fn cuboid(m: &Model, b: BodyId, vel: Spatial) -> Forces {
    let side = inertia_box(m.body_inertia[b], m.body_mass[b]);
    let (viscosity, density) = (m.opt.viscosity.max(0.0), m.opt.density.max(0.0));
    let diam = (side.x + side.y + side.z) / 3.0;
    let vel = vel.to_array();
    let (mut force, mut slopes, mut bends) = ([0.0; 6], [[0.0; 6]; 6], [0.0; 6]);
    for k in 0..3 {
        let (i, j) = [(1, 2), (0, 2), (0, 1)][k];
        let (x, y) = (side[i], side[j]);
        let turn =
            [PI * diam * diam * diam * viscosity, density * side[k] * (pow4(x) + pow4(y)) / 64.0];
        let slide = [3.0 * PI * diam * viscosity, 0.5 * density * x * y];
        for (place, [linear, square]) in [(k, turn), (k + 3, slide)] {
            let u = vel[place];
            force[place] = -(linear + square * u.abs()) * u;
            slopes[place][place] = -linear - 2.0 * square * u.abs();
            bends[place] = -2.0 * square * u.signum();
        }
    }
    (Spatial::from_slice(&force), slopes, Bends::Diagonal(bends))
}

type Three<N> = [N; 3];

/// The force on the ellipsoid of a geom and its slopes.
fn ellipsoid(m: &Model, g: GeomId, vel: Spatial) -> Forces {
    let interaction = FluidCoef::new(m.geom_fluid[g]).interaction;
    let all = ellipsoid_force::<Dual>(m, g, vel).map(|x| x * interaction);
    (Spatial::from_slice(&all.map(|x| x.x)), all.map(|x| x.by), Bends::Unknown)
}

/// The slopes of the force on the ellipsoid of a geom as implicit integrators take them, with their
/// second derivatives. The share of interaction is left out, and the slopes are symmetric where the
/// integrator needs that.
fn bent_ellipsoid(m: &Model, g: GeomId, vel: Spatial) -> Forces {
    let all = ellipsoid_force::<Jet>(m, g, vel);
    let (mut slopes, mut bends) = (all.map(|x| x.by), all.map(|x| x.second));
    if m.opt.integrator == Integrator::Implicitfast {
        for i in 0..6 {
            for k in 0..i {
                let mean = 0.5 * (slopes[i][k] + slopes[k][i]);
                (slopes[i][k], slopes[k][i]) = (mean, mean);
                for l in 0..6 {
                    let mean = 0.5 * (bends[i][k][l] + bends[k][i][l]);
                    (bends[i][k][l], bends[k][i][l]) = (mean, mean);
                }
            }
        }
    }
    (Spatial::from_slice(&all.map(|x| x.x)), slopes, Bends::All(bends))
}

/// Torque and force on the ellipsoid of a geom: added mass, lift and drag.
fn ellipsoid_force<N: Smooth>(m: &Model, g: GeomId, vel: Spatial) -> [N; 6] {
    let coef = FluidCoef::new(m.geom_fluid[g]);
    let size = semi_axes(m.geom_type[g], m.geom_size[g]);
    let vel = vel.to_array();
    let input = |first: usize| -> Three<N> {
        core::array::from_fn(|k| N::input(vel[first + k], first + k))
    };
    let (w, v) = (input(0), input(3));
    let density = m.opt.density;
    let momentum = scaled(v, coef.virtual_mass * density);
    let spin = scaled(w, coef.virtual_inertia * density);
    let torque = sum(cross(momentum, v), cross(spin, w));
    let push = cross(momentum, w);
    let turning = turning_drag(m, w, size, &coef);
    let drag = drag(m, [w, v], size, &coef);
    core::array::from_fn(|k| {
        let k3 = k % 3;
        if k < 3 { torque[k3] - turning[k3] } else { push[k3] + drag[k3] }
    })
}

/// Torque against turning.
fn turning_drag<N: Smooth>(m: &Model, w: Three<N>, size: Vec3, coef: &FluidCoef) -> Three<N> {
    let (d_max, d_mid) = largest_two(size);
    let moment_max = 8.0 / 15.0 * PI * d_mid * pow4(d_max);
    let moments: Three<N> = core::array::from_fn(|k| {
        let own = ellipsoid_max_moment(size, k);
        w[k] * (coef.angular_drag * own + coef.slender_drag * (moment_max - own))
    });
    let diameter = 2.0 / 3.0 * (size.x + size.y + size.z);
    let linear = m.opt.viscosity * PI * diameter * diameter * diameter;
    let drag = norm(moments) * m.opt.density + linear;
    w.map(|x| x * drag)
}

/// Lift of spin and of a foil, and drag of translation.
fn drag<N: Smooth>(m: &Model, [w, v]: [Three<N>; 2], size: Vec3, coef: &FluidCoef) -> Three<N> {
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    let Vec3 { x: a, y: b, z: c } = size;
    let (d_max, d_mid) = largest_two(size);
    let volume = 4.0 / 3.0 * PI * a * b * c;
    let magnus = cross(w, v).map(|x| x * (coef.magnus_lift * density * volume));

    // area seen along the velocity, and the cosine of the velocity to its normal
    let faces = Vec3::new(pow2(b * c), pow2(c * a), pow2(a * b));
    let denom = dot(scaled(v, faces.mul_elem(faces)), v);
    let num = dot(scaled(v, faces), v);
    let speed = norm(v);
    let area = root(denom / at_least(num)) * PI;
    let cos = num / at_least(speed * denom);
    let lift = cos * area * (coef.kutta_lift * density);
    let circulation = cross(scaled(v, faces), v).map(|x| x * lift);
    let kutta = cross(circulation, v);

    let diameter = 2.0 / 3.0 * (a + b + c);
    let blunt =
        area * (coef.blunt_drag - coef.slender_drag) + coef.slender_drag * PI * d_max * d_mid;
    let drag = speed * blunt * density + viscosity * 3.0 * PI * diameter;
    core::array::from_fn(|k| magnus[k] + kutta[k] - v[k] * drag)
}

/// The largest and the middle semi-axis.
fn largest_two(size: Vec3) -> (f64, f64) {
    let max = size.x.max(size.y).max(size.z);
    let min = size.x.min(size.y).min(size.z);
    (max, size.x + size.y + size.z - max - min)
}

fn at_least<N: Smooth>(x: N) -> N {
    if x.value() > MINVAL { x } else { N::constant(MINVAL) }
}

/// The square root. At zero it counts as constant, because its factor is zero there.
fn root<N: Smooth>(x: N) -> N {
    if x.value() > 0.0 { x.sqrt() } else { N::constant(0.0) }
}

fn norm<N: Smooth>(v: Three<N>) -> N {
    root(dot(v, v))
}

fn dot<N: Smooth>(a: Three<N>, b: Three<N>) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn sum<N: Smooth>(a: Three<N>, b: Three<N>) -> Three<N> {
    core::array::from_fn(|k| a[k] + b[k])
}

fn scaled<N: Smooth>(v: Three<N>, by: Vec3) -> Three<N> {
    core::array::from_fn(|k| v[k] * by[k])
}

fn cross<N: Smooth>(a: Three<N>, b: Three<N>) -> Three<N> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
