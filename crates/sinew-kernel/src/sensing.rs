//! Sensors of contacts, limits, forces between bodies, rays, volumes and energies.

use sinew_geom::ray::Ray;
use sinew_geom::shape::{Pose, Shape};
use sinew_math::Vec3;
use sinew_math::algebra::{Mat3s, Quats, Vec3s};

use crate::apart::{Apart, nearest};
use crate::constraint::block_velocity;
use crate::contact::{distance, place};
use crate::joint::{BALL, FREE};
use crate::memory::Cells;
use crate::rays::{self, double, pose, shape_of};
use crate::real::Real;
use crate::rows::*;
use crate::sensor;
use crate::smooth::rotation_vector;
use crate::standing;
use crate::subtree::{moment_of_mass, subtree_com, subtree_velocity};
use crate::tables::{Model, World};
use crate::touching::{Solved, bodies, geoms, holding_force, out_of_frame, wrench};
use crate::transmission;

/// Objects that a sensor of contacts looks for.
pub mod part {
    /// Anything.
    pub const ANY: u32 = 0;
    /// A geom.
    pub const GEOM: u32 = 1;
    /// A body.
    pub const BODY: u32 = 2;
    /// A body and those below.
    pub const SUBTREE: u32 = 3;
    /// The volume of a site.
    pub const SITE: u32 = 4;
}

/// Numbers of a sensor beside its object and its reference.
pub const PARAMETERS: usize = 6;

/// Which limit a sensor reads.
pub mod limit {
    /// The limit of a hinge or slide.
    pub const OF_DOF: u32 = 0;
    /// The limit of a ball or tendon.
    pub const STANDING: u32 = 1;
}

/// Writes numbers one after another.
struct Out<'a, R> {
    to: Cells<'a, R>,
    at: usize,
}

impl<R: Real> Out<'_, R> {
    #[inline(always)]
    fn one(&mut self, x: R) {
        self.to.put(self.at, x);
        self.at += 1;
    }

    #[inline(always)]
    fn three(&mut self, v: Vec3s<R>) {
        put_row3(self.to, self.at, v);
        self.at += 3;
    }
}

/// Writes the numbers of a sensor that few models have.
// out of line: few models have them
#[inline(never)]
pub(crate) fn read<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize) {
    let object = m.sensor_object().at(s) as usize;
    let mut out = Out { to: w.sensordata(), at: m.sensor_adr().at(s) as usize };
    match m.sensor_type().at(s) {
        sensor::TOUCH => out.one(touch(m, w, s)),
        sensor::FORCE => out.three(interaction(m, w, object, false)),
        sensor::TORQUE => out.three(interaction(m, w, object, true)),
        sensor::RANGEFINDER => rangefinder(m, w, s, &mut out),
        sensor::CAMPROJECTION => {
            for x in projection(m, w, s) {
                out.one(x);
            }
        }
        sensor::TENDONACTFRC => out.one(pull(m, w, object)),
        sensor::JOINTLIMITPOS | sensor::TENDONLIMITPOS => out.one(limit_row(m, w, s)[0]),
        sensor::JOINTLIMITVEL | sensor::TENDONLIMITVEL => out.one(limit_row(m, w, s)[1]),
        sensor::JOINTLIMITFRC | sensor::TENDONLIMITFRC => out.one(limit_row(m, w, s)[2]),
        sensor::SUBTREEANGMOM => out.three(angular_momentum(m, w, object)),
        sensor::INSIDESITE => {
            let pos = get3(w.place_xpos(), object);
            let inside = is_inside(m, w, s, m.sensor_ref().at(s), pos);
            out.one(if inside { R::ONE } else { R::ZERO });
        }
        sensor::GEOMDIST | sensor::GEOMNORMAL | sensor::GEOMFROMTO => apart(m, w, s, &mut out),
        sensor::CONTACT => contact(m, w, s, &mut out),
        sensor::E_POTENTIAL => out.one(potential(m, w)),
        _ => out.one(kinetic(m, w)),
    }
}

#[inline(always)]
fn parameter<R: Real>(m: Model<'_, R>, s: usize, k: usize) -> u32 {
    m.sensor_prm().at(PARAMETERS * s + k)
}

#[inline(always)]
fn real<R: Real>(v: Vec3) -> Vec3s<R> {
    vec3(R::of(v.x), R::of(v.y), R::of(v.z))
}

/// The volume of the site of a sensor.
#[inline(always)]
fn zone<R: Real>(m: Model<'_, R>, s: usize) -> Shape {
    shape_of(parameter(m, s, 0), double(get3(m.sensor_size(), s)))
}

/// Whether a point is inside the volume of a sensor's site.
#[inline(always)]
fn is_inside<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    s: usize,
    site: u32,
    point: Vec3s<R>,
) -> bool {
    zone(m, s).contains(pose(w, site as usize), double(point))
}

/// Sum of the normal forces on the site's body whose lines pass through the site.
#[inline(always)]
fn touch<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize) -> R {
    let site = m.sensor_object().at(s) as usize;
    let body = m.place_body().at(site) as usize;
    let (pose, zone, mut sum) = (pose(w, site), zone(m, s), R::ZERO);
    for c in 0..Solved::of(w).contacts {
        let sides = bodies(m, w, c);
        if sides[0] != body && sides[1] != body {
            continue;
        }
        let normal = wrench(m, w, c)[0].x;
        if normal <= R::ZERO {
            continue;
        }
        let dir = double(row3(w.frame(), 9 * c).scale(normal)).normalize().0;
        let dir = if sides[1] == body { dir * -1.0 } else { dir };
        if (Ray { origin: double(place(w, c)), dir }).hit(zone, pose).is_some() {
            sum += normal;
        }
    }
    sum
}

/// Force, or torque, between the body of a site and its parent, at the site and in its axes.
#[inline(always)]
fn interaction<R: Real>(m: Model<'_, R>, w: World<'_, R>, site: usize, torque: bool) -> Vec3s<R> {
    let body = m.place_body().at(site) as usize;
    let force = holding_force(m, w, body);
    let centre = get3(w.com(), m.body_root().at(body) as usize);
    let at = get3(w.place_xpos(), site) - centre;
    let v = if torque { force.rot - at.cross(force.lin) } else { force.lin };
    let [x, y, z] = get9(w.place_xmat(), site).cols();
    vec3(x.dot(v), y.dot(v), z.dot(v))
}

/// Readings of a ray, by bits.
mod beam {
    pub(super) const DIST: u32 = 1;
    pub(super) const DIR: u32 = 2;
    pub(super) const ORIGIN: u32 = 4;
    pub(super) const POINT: u32 = 8;
    pub(super) const NORMAL: u32 = 16;
    pub(super) const DEPTH: u32 = 32;
}

/// The nearest geom along the z axis of a site. Nothing hit: distances of -1, and zero vectors.
#[inline(always)]
fn rangefinder<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, out: &mut Out<'_, R>) {
    let site = m.sensor_object().at(s) as usize;
    let body = m.place_body().at(site);
    let Pose { pos, mat } = pose(w, site);
    let ray = Ray { origin: pos, dir: mat.col(2) };
    let (found, dist, normal) = match rays::nearest(m, w, ray, body) {
        Some(hit) => (true, hit.dist, hit.normal),
        None => (false, -1.0, Vec3::ZERO),
    };
    let fields = parameter(m, s, 0);
    let of = |v: Vec3| if found { real(v) } else { zero3() };
    if fields & beam::DIST != 0 {
        out.one(R::of(dist));
    }
    if fields & beam::DIR != 0 {
        out.three(of(ray.dir));
    }
    if fields & beam::ORIGIN != 0 {
        out.three(real(ray.origin));
    }
    if fields & beam::POINT != 0 {
        out.three(of(ray.at(dist)));
    }
    if fields & beam::NORMAL != 0 {
        out.three(of(normal));
    }
    if fields & beam::DEPTH != 0 {
        out.one(R::of(dist));
    }
}

/// The pixel at which a camera sees a site.
#[inline(always)]
fn projection<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize) -> [R; 2] {
    let (site, camera) = (m.sensor_object().at(s) as usize, m.sensor_ref().at(s) as usize);
    let off = get3(w.place_xpos(), site) - get3(w.place_xpos(), camera);
    let [x, y, z] = get9(w.place_xmat(), camera).cols().map(|axis| axis.dot(off));
    let [fx, fy] = m.sensor_size().row(3 * s);
    let half = |k: usize| R::of(0.5 * f64::from(parameter(m, s, k)));
    // a point in the camera's plane is not divided by zero
    let tiny = R::of(sinew_math::MINVAL);
    let depth = if z.abs() >= tiny {
        z
    } else if z < R::ZERO {
        -tiny
    } else {
        tiny
    };
    [(half(0) * z - fx * x) / depth, (half(1) * z + fy * y) / depth]
}

/// Distance of two objects, direction, or nearest points.
#[inline(always)]
fn apart<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, out: &mut Out<'_, R>) {
    let most = get3(m.sensor_size(), s).x.to_f64();
    let Apart { dist, from, to } = nearest(m, w, [0, 1].map(|k| parameter(m, s, k)), most);
    match m.sensor_type().at(s) {
        sensor::GEOMDIST => out.one(R::of(dist)),
        sensor::GEOMNORMAL => {
            let off = to - from;
            out.three(real(if off == Vec3::ZERO { off } else { off.normalize().0 }));
        }
        _ => {
            out.three(real(from));
            out.three(real(to));
        }
    }
}

/// Sum of the forces of all actuators of a tendon.
#[inline(always)]
fn pull<R: Real>(m: Model<'_, R>, w: World<'_, R>, tendon: usize) -> R {
    let mut sum = R::ZERO;
    for u in 0..m.nu() as usize {
        let on = m.act_object().at(u) as usize == tendon;
        if on && m.act_kind().at(u) == transmission::kind::TENDON {
            sum += w.act_force().at(u);
        }
    }
    sum
}

/// Distance less margin, velocity and force of an active limit; zeros if it is not.
#[inline(always)]
fn limit_row<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize) -> [R; 3] {
    let (object, solved) = (m.sensor_object().at(s), Solved::of(w));
    if object == NONE || m.constrained() == 0 {
        return [R::ZERO; 3];
    }
    let l = object as usize;
    if parameter(m, s, 0) == limit::OF_DOF {
        let r = w.limit_row().at(l) as usize;
        if r == w.limit_row().at(l + 1) as usize {
            return [R::ZERO; 3];
        }
        let (value, sign) = (w.qpos().at(m.limit_qpos().at(l) as usize), w.row_sign().at(r));
        let end = if sign > R::ZERO { l } else { m.nlimit() as usize + l };
        let dist = sign * (value - m.limit_range().at(end)) - m.limit_margin().at(l);
        let vel = sign * w.qvel().at(m.limit_dof().at(l) as usize);
        return [dist, vel, w.row_force().at(r)];
    }
    if w.held_rows().at(l) == 0 {
        return [R::ZERO; 3];
    }
    let r = w.con_row().at(solved.contacts + l) as usize;
    let [dist, _] = standing::violations(m, w, l, 0);
    [dist, block_velocity(m, w, r, w.qvel()), w.row_force().at(solved.limits + r)]
}

/// Angular momentum of a body and those below about their centre of mass.
#[inline(always)]
fn angular_momentum<R: Real>(m: Model<'_, R>, w: World<'_, R>, root: usize) -> Vec3s<R> {
    let (centre, drift) = (subtree_com(m, w, root), subtree_velocity(m, w, root));
    let orbit = moment_of_mass(m, root, |b| {
        let (vel, pos) = (get6(w.cvel(), b), get3(w.xipos(), b));
        let com = get3(w.com(), m.body_root().at(b) as usize);
        (pos - centre).cross(vel.lin - (pos - com).cross(vel.rot) - drift)
    });
    let mut spin = zero3();
    for b in root..m.body_end().at(root) as usize {
        let [xx, yy, zz, xy, xz, yz] = m.body_inertia().row(6 * b);
        let own = Mat3s([vec3(xx, xy, xz), vec3(xy, yy, yz), vec3(xz, yz, zz)]);
        let (mat, rot) = (get9(w.xmat(), b), get6(w.cvel(), b).rot);
        let [x, y, z] = mat.cols();
        let inward = vec3(x.dot(rot), y.dot(rot), z.dot(rot));
        spin = spin + mat.mul_vec(own.mul_vec(inward));
    }
    spin + orbit
}

/// How several contacts become few.
mod reduce {
    pub(super) const MINDIST: u32 = 1;
    pub(super) const MAXFORCE: u32 = 2;
    pub(super) const NETFORCE: u32 = 3;
}

/// Contacts that match, in order or sorted, or the net force of them.
#[inline(always)]
fn contact<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, out: &mut Out<'_, R>) {
    let (fields, reduction) = (parameter(m, s, 4), parameter(m, s, 5));
    let end = out.at + m.sensor_dim().at(s) as usize;
    for i in out.at..end {
        out.to.put(i, R::ZERO);
    }
    let ncon = Solved::of(w).contacts;
    let mut count = 0;
    for c in 0..ncon {
        count += matches(m, w, s, c).is_some() as usize;
    }
    if reduction == reduce::NETFORCE {
        let report = net_force(m, w, s, count);
        return report.write(fields, out);
    }
    let key = |c: usize| match reduction {
        reduce::MINDIST => distance(w, c),
        reduce::MAXFORCE => {
            let [force, _] = wrench(m, w, c);
            -force.dot(force)
        }
        _ => R::ZERO,
    };

    // always the first after the one before; equal keys keep the order of contacts
    let mut last: Option<(R, usize)> = None;
    for _ in 0..count {
        let mut best: Option<(R, usize, bool)> = None;
        for c in 0..ncon {
            let Some(flip) = matches(m, w, s, c) else { continue };
            let x = key(c);
            let after = last.is_none_or(|(y, d)| x > y || x == y && c > d);
            if after && best.is_none_or(|(y, ..)| x < y) {
                best = Some((x, c, flip));
            }
        }
        let Some((x, c, flip)) = best else { return };
        if out.at >= end {
            return;
        }
        last = Some((x, c));
        report(m, w, c, flip, count, fields).write(fields, out);
    }
}

/// Whether a contact is one the sensor looks for, and then whether its normal is to be turned.
#[inline(never)]
fn matches<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, c: usize) -> Option<bool> {
    let (kinds, ids) = ([0, 1].map(|k| parameter(m, s, k)), [2, 3].map(|k| parameter(m, s, k)));
    if kinds == [part::ANY; 2] {
        return Some(false);
    }
    if kinds[0] == part::SITE {
        let zone = shape_of(m.sensor_object().at(s), double(get3(m.sensor_size(), s)));
        if !zone.contains(pose(w, ids[0] as usize), double(place(w, c))) {
            return None;
        }
    }

    // which side each of the two objects is on
    let (geom, body) = (geoms(m, w, c), bodies(m, w, c));
    let is_on = |side: usize, k: usize| {
        let id = ids[k] as usize;
        match kinds[k] {
            part::GEOM => geom[side] == id,
            part::BODY => body[side] == id,
            part::SUBTREE => body[side] >= id && body[side] < m.body_end().at(id) as usize,
            _ => true,
        }
    };
    let (first1, first2, second1, second2) = (is_on(0, 0), is_on(1, 0), is_on(0, 1), is_on(1, 1));
    if !(first1 || first2) || !(second1 || second2) {
        return None;
    }
    if kinds[0] != part::ANY && kinds[1] != part::ANY {
        let (regular, reverse) = (first1 && second2, first2 && second1);
        return if regular || reverse { Some(!regular) } else { None };
    }
    Some(if kinds[0] != part::ANY { !first1 } else { !second2 })
}

/// Data that a sensor of contacts reports.
struct Report<R> {
    found: usize,
    force: Vec3s<R>,
    torque: Vec3s<R>,
    dist: R,
    pos: Vec3s<R>,
    normal: Vec3s<R>,
    tangent: Vec3s<R>,
}

impl<R: Real> Report<R> {
    /// Writes the fields of the sensor, by bits.
    #[inline(never)]
    fn write(&self, fields: u32, out: &mut Out<'_, R>) {
        let has = |bit: u32| fields & (1 << bit) != 0;
        if has(0) {
            out.one(R::of(self.found as f64));
        }
        if has(1) {
            out.three(self.force);
        }
        if has(2) {
            out.three(self.torque);
        }
        if has(3) {
            out.one(self.dist);
        }
        if has(4) {
            out.three(self.pos);
        }
        if has(5) {
            out.three(self.normal);
        }
        if has(6) {
            out.three(self.tangent);
        }
    }
}

/// One contact in its own frame, turned half round its third axis where its normal is to be turned.
#[inline(always)]
fn report<R: Real>(
    m: Model<'_, R>,
    w: World<'_, R>,
    c: usize,
    flip: bool,
    found: usize,
    fields: u32,
) -> Report<R> {
    let sign = if flip { -R::ONE } else { R::ONE };
    let wanted = fields & 0b110 != 0;
    let [force, torque] = if wanted { wrench(m, w, c) } else { [zero3(); 2] };
    let turned = |v: Vec3s<R>| vec3(v.x, v.y, v.z * sign);
    Report {
        found,
        force: turned(force),
        torque: turned(torque),
        dist: distance(w, c),
        pos: place(w, c),
        normal: row3(w.frame(), 9 * c).scale(sign),
        tangent: row3(w.frame(), 9 * c + 3).scale(sign),
    }
}

/// All contacts as one, in the world's axes: at the centre of their forces, with their wrench.
#[inline(always)]
fn net_force<R: Real>(m: Model<'_, R>, w: World<'_, R>, s: usize, found: usize) -> Report<R> {
    let ncon = Solved::of(w).contacts;
    let (mut pos, mut total) = (zero3(), R::ZERO);
    for c in 0..ncon {
        if matches(m, w, s, c).is_some() {
            let [force, _] = wrench(m, w, c);
            let weight = force.dot(force).sqrt();
            pos = pos + place(w, c).scale(weight);
            total += weight;
        }
    }
    let pos = pos.scale(R::ONE / total.max(R::of(sinew_math::MINVAL)));
    let (mut force, mut torque) = (zero3(), zero3());
    for c in 0..ncon {
        let Some(flip) = matches(m, w, s, c) else { continue };
        let sign = if flip { -R::ONE } else { R::ONE };
        let [push, turn] = wrench(m, w, c).map(|v| out_of_frame(w, c, v.scale(sign)));
        force = force + push;
        torque = torque + turn + (place(w, c) - pos).cross(push);
    }
    let axis = |x: R, y: R| vec3(x, y, R::ZERO);
    let (normal, tangent) = (axis(R::ONE, R::ZERO), axis(R::ZERO, R::ONE));
    Report { found, force, torque, dist: R::ZERO, pos, normal, tangent }
}

/// Energy of gravity and of springs.
#[inline(always)]
fn potential<R: Real>(m: Model<'_, R>, w: World<'_, R>) -> R {
    let (s, half, mut energy) = (m.scalars(), R::of(0.5), R::ZERO);
    let gravity = vec3(s.gravity_x, s.gravity_y, s.gravity_z);
    for b in 1..m.nbody() as usize {
        energy -= m.body_mass().at(b) * gravity.dot(get3(w.xipos(), b));
    }
    for i in 0..m.nspring() as usize {
        let j = m.spring_jnt().at(i) as usize;
        let (k, q) = (m.spring_stiffness().at(i), m.jnt_qposadr().at(j) as usize);
        let (kind, rest) = (m.jnt_type().at(j), m.qpos_spring());
        let linear = match kind {
            FREE => 3,
            BALL => 0,
            _ => 1,
        };
        for n in q..q + linear {
            let off = w.qpos().at(n) - rest.at(n);
            energy += half * k * off * off;
        }
        if kind == FREE || kind == BALL {
            let q = q + linear;
            let [w0, x, y, z] = [rest.at(q), -rest.at(q + 1), -rest.at(q + 2), -rest.at(q + 3)];
            let off = rotation_vector(Quats([w0, x, y, z]) * unit_row4(w.qpos(), q));
            energy += half * k * off.dot(off);
        }
    }
    let nten = m.nten() as usize;
    for i in 0..nten {
        let length = w.ten_length().at(i);
        let off = length.clip(m.ten_rest().at(i), m.ten_rest().at(nten + i)) - length;
        energy += half * m.ten_stiffness().at(i) * off * off;
    }
    energy
}

/// ½ q̇ᵀ M q̇
#[inline(always)]
fn kinetic<R: Real>(m: Model<'_, R>, w: World<'_, R>) -> R {
    let (mut sum, half) = (R::ZERO, R::of(0.5));
    for k in 0..w.M().len() {
        let (i, j) = (m.M_row().at(k) as usize, m.M_col().at(k) as usize);
        let share = if i == j { half } else { R::ONE };
        sum += share * w.M().at(k) * w.qvel().at(i) * w.qvel().at(j);
    }
    sum
}
