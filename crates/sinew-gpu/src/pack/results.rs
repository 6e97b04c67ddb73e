//! Frames that worlds may keep, and sensors.

use sinew_engine as engine;
use sinew_kernel::real::Real;
use sinew_kernel::sensing::{PARAMETERS, limit, part};
use sinew_kernel::sensor as known;
use sinew_model::enums::{CamLight, DataType, DisableBit, JointType, ObjType, SensorType};
use sinew_model::{BodyId, CamId, GeomId, JointId, Model, SensorId, SiteId, TendonId};

use super::apart;
use super::blob::Blob;
use super::bodies::{NONE, by_rows, reals};
use super::constraints::limited;
use super::packed::Sizes;
use super::pairs::{all_have_rows, colliding};
use super::rays;
use super::tendons::{self, Tendons};

/// Where the frames of each kind of object begin.
pub(super) struct Places {
    geoms: usize,
    inertial: usize,
    bodies: usize,
    /// Of cameras that are fixed on their bodies and that sensors read.
    cameras: Vec<usize>,
}

impl Places {
    /// Sites, geoms, principal axes of bodies, bodies, cameras; in this order.
    fn of(m: &Model) -> Places {
        let (geoms, inertial) = (m.nsite, m.nsite + m.ngeom);
        let objects = m.sensors().map(|s| (m.sensor_objtype[s], m.sensor_objid[s]));
        let references = m.sensors().map(|s| (m.sensor_reftype[s], m.sensor_refid[s]));
        let ids = objects.chain(references).filter(|(kind, _)| *kind == ObjType::Camera);
        let ids = ids.filter_map(|(_, id)| usize::try_from(id).ok());
        let fixed = ids.filter(|&c| m.cam_mode[CamId::new(c)] == CamLight::Fixed);
        let mut cameras: Vec<usize> = fixed.collect();
        cameras.sort_unstable();
        cameras.dedup();
        Places { geoms, inertial, bodies: inertial + m.nbody, cameras }
    }

    /// The frame of an object; none of an object without one here.
    fn place(&self, kind: ObjType, id: i32) -> Option<u32> {
        let id = usize::try_from(id).ok()?;
        if kind == ObjType::Camera {
            let place = self.cameras.binary_search(&id).ok()?;
            return Some((2 * self.bodies - self.inertial + place) as u32);
        }
        let first = match kind {
            ObjType::Site => 0,
            ObjType::Geom => self.geoms,
            ObjType::Body => self.inertial,
            ObjType::Xbody => self.bodies,
            _ => return None,
        };
        Some((first + id) as u32)
    }
}

pub(super) fn add<R: Real>(m: &Model, tendons: &Tendons, blob: &mut Blob<R>) {
    let places = Places::of(m);
    add_places(m, &places, blob);
    let all = m.tendons().all(|t| tendons.place(t) == Some(t.idx()));
    blob.sizes = Sizes {
        sites: m.nsite,
        geoms: m.ngeom,
        bodies: m.nbody,
        tendons: all.then_some(m.ntendon),
        accelerations: false,
    };
    (blob.work.cacc, blob.work.sensordata) = (6 * m.nbody, m.nsensordata);
    if m.opt.disabled(DisableBit::Sensor) {
        return;
    }
    blob.magnetic = reals(<[f64; 3]>::from(m.opt.magnetic));
    blob.subtree_mass = reals(m.body_subtreemass.iter().copied());
    let mut rare = Vec::new();
    for s in m.sensors() {
        let plain = of_sensor(m, tendons, &places, s).map(|[object, reference]| Reading {
            object,
            reference,
            ..Reading::default()
        });
        let rarely = || of_rare(m, tendons, &places, s).or_else(|| of_apart(m, &places, s, blob));
        let Some(reading) = plain.or_else(rarely) else {
            blob.unread.push(m.sensor_type[s]);
            continue;
        };
        blob.sensor_type.push(m.sensor_type[s].0 as u32);
        blob.sensor_adr.push(m.sensor_adr[s] as u32);
        blob.sensor_dim.push(m.sensor_dim[s] as u32);
        let positive = m.sensor_datatype[s] == DataType::Positive;
        blob.sensor_positive.push(u32::from(positive));
        let kinds = [DataType::Real, DataType::Positive];
        let unlimited = [SensorType::Contact, SensorType::Geomfromto];
        let cut = kinds.contains(&m.sensor_datatype[s]) && !unlimited.contains(&m.sensor_type[s]);
        blob.sensor_cutoff.push(R::of(if cut { m.sensor_cutoff[s] } else { 0.0 }));
        blob.sensor_object.push(reading.object);
        blob.sensor_ref.push(reading.reference);
        history(m, s, blob);
        rare.push(reading);
    }
    blob.counts.nsensor = blob.sensor_type.len() as u32;
    let of = |kinds: &[u32], blob: &Blob<R>| {
        blob.sensor_type.iter().filter(|kind| kinds.contains(kind)).count() as u32
    };
    blob.counts.nholding = of(&[known::FORCE, known::TORQUE], blob);
    let moved = [known::ACCELEROMETER, known::FRAMELINACC, known::FRAMEANGACC];
    blob.sizes.accelerations = of(&moved, blob) + blob.counts.nholding > 0;
    blob.work.body_force = if blob.counts.nholding > 0 { 6 * m.nbody } else { 0 };
    blob.sensor_rare = rare.iter().map(|reading| u32::from(reading.rare)).collect();
    blob.counts.nrare = blob.sensor_rare.iter().sum();
    if blob.counts.nrare > 0 {
        blob.sensor_prm = rare.iter().flat_map(|reading| reading.parameters).collect();
        blob.sensor_size = by_rows(&rare.iter().map(|reading| reading.size).collect::<Vec<_>>());
        blob.work.solved_rows = 2;
    }
    if of(&[known::RANGEFINDER], blob) > 0 {
        rays::add(m, places.geoms, blob);
    }
}

/// Samples of a sensor's readings.
fn history<R: Real>(m: &Model, s: SensorId, blob: &mut Blob<R>) {
    if !sampled(m) {
        return;
    }
    let [samples, order] = m.sensor_history[s];
    let has = samples > 0;
    blob.sensor_ring.push(if has { m.sensor_historyadr[s] as u32 } else { NONE });
    blob.sensor_samples.push(samples.max(0) as u32);
    blob.sensor_order.push(order.max(0) as u32);
    blob.sensor_delay.push(R::of(m.sensor_delay[s]));
    blob.sensor_interval.push(R::of(m.sensor_interval[s][0]));
    blob.counts.nkeeping += u32::from(has);
    blob.work.sensor_shown = m.nsensordata;
}

/// Whether sensors have samples of their readings.
pub(super) fn sampled(m: &Model) -> bool {
    m.nhistory > 0 && m.sensors().any(|s| m.sensor_history[s][0] > 0)
}

/// Whether all sensors with samples are read in every step.
pub(super) fn keeps_samples<R>(m: &Model, blob: &Blob<R>) -> bool {
    let wanted = m.sensors().filter(|&s| m.sensor_history[s][0] > 0).count();
    blob.counts.nkeeping as usize == wanted
}

/// A sensor, packed.
#[derive(Default)]
struct Reading {
    object: u32,
    reference: u32,
    rare: bool,
    parameters: [u32; PARAMETERS],
    size: [f64; 3],
}

/// A sensor that few models have; none if the kernel does not read it.
fn of_rare(m: &Model, tendons: &Tendons, places: &Places, s: SensorId) -> Option<Reading> {
    let id = m.sensor_objid[s];
    let reading = |object: u32| Reading { object, rare: true, ..Reading::default() };
    let of_zone = |object: u32, site: i32| {
        let site = SiteId::new(usize::try_from(site).ok()?);
        let mut reading = reading(object);
        reading.parameters[0] = zone(m, site)?;
        reading.size = m.site_size[site].into();
        Some(reading)
    };
    let of_limit = |place: Option<(u32, usize)>| {
        let (kind, place) = place.unzip();
        let mut reading = reading(place.map_or(NONE, |place| place as u32));
        reading.parameters[0] = kind.unwrap_or(0);
        reading
    };
    Some(match m.sensor_type[s] {
        SensorType::Touch => of_zone(places.place(ObjType::Site, id)?, id)?,
        // the world has no centre of mass of its own here
        SensorType::Force | SensorType::Torque
            if m.site_bodyid[SiteId::new(usize::try_from(id).ok()?)] != BodyId::WORLD =>
        {
            reading(places.place(ObjType::Site, id)?)
        }
        SensorType::Rangefinder if m.sensor_objtype[s] == ObjType::Site && rays::are_known(m) => {
            let mut reading = reading(places.place(ObjType::Site, id)?);
            reading.parameters[0] = m.sensor_intprm[s][0] as u32;
            reading
        }
        SensorType::Camprojection => {
            let camera = m.sensor_refid[s];
            let reference = places.place(ObjType::Camera, camera)?;
            let camera = CamId::new(camera as usize);
            let lens = engine::cam_intrinsics(m, camera);
            if lens.extent.is_some() {
                return None;
            }
            let mut reading = reading(places.place(ObjType::Site, id)?);
            (reading.reference, reading.size) = (reference, [lens.focal[0], lens.focal[1], 0.0]);
            let resolution = m.cam_resolution[camera].map(|n| n.max(0) as u32);
            [reading.parameters[0], reading.parameters[1]] = resolution;
            reading
        }
        SensorType::Tendonactfrc if !m.opt.disabled(DisableBit::Actuation) => {
            let place = tendons.place(TendonId::new(usize::try_from(id).ok()?));
            reading(place.map_or(NONE, |place| place as u32))
        }
        SensorType::Jointlimitpos | SensorType::Jointlimitvel | SensorType::Jointlimitfrc => {
            of_limit(limit_of_joint(m, JointId::new(usize::try_from(id).ok()?)))
        }
        SensorType::Tendonlimitpos | SensorType::Tendonlimitvel | SensorType::Tendonlimitfrc => {
            let balls = limited(m).into_iter().filter(|&j| is_ball(m, j)).count();
            let place = tendons::limited(m).iter().position(|t| t.idx() as i32 == id);
            of_limit(place.map(|place| (limit::STANDING, balls + place)))
        }
        SensorType::Subtreeangmom => reading(u32::try_from(id).ok()?),
        SensorType::Insidesite if !m.is_enclosed(s) => {
            let object = places.place(m.sensor_objtype[s], id)?;
            let site = m.sensor_refid[s];
            let reference = places.place(ObjType::Site, site)?;
            Reading { reference, ..of_zone(object, site)? }
        }
        SensorType::Contact if all_have_rows(m) => of_contact(m, places, s)?,
        SensorType::EPotential | SensorType::EKinetic => reading(0),
        _ => return None,
    })
}

/// A sensor of the distance of two objects.
fn of_apart<R: Real>(
    m: &Model,
    places: &Places,
    s: SensorId,
    blob: &mut Blob<R>,
) -> Option<Reading> {
    let kinds = [SensorType::Geomdist, SensorType::Geomnormal, SensorType::Geomfromto];
    if !kinds.contains(&m.sensor_type[s]) {
        return None;
    }
    let [first, count] = apart::add(m, s, places.geoms, blob)?;
    let mut reading = Reading { rare: true, ..Reading::default() };
    [reading.parameters[0], reading.parameters[1]] = [first, count];
    reading.size[0] = m.sensor_cutoff[s];
    Some(reading)
}

/// The shape of a site's volume.
fn zone(m: &Model, site: SiteId) -> Option<u32> {
    engine::shape(m.site_type[site], m.site_size[site])?;
    Some(m.site_type[site].0 as u32)
}

fn is_ball(m: &Model, j: JointId) -> bool {
    m.jnt_type[j] == JointType::Ball
}

/// The place of a joint's limit among those of its kind.
fn limit_of_joint(m: &Model, j: JointId) -> Option<(u32, usize)> {
    let ball = is_ball(m, j);
    let mut alike = limited(m).into_iter().filter(|&other| is_ball(m, other) == ball);
    Some((if ball { limit::STANDING } else { limit::OF_DOF }, alike.position(|other| other == j)?))
}

/// A sensor of contacts, with the objects that it looks for.
fn of_contact(m: &Model, places: &Places, s: SensorId) -> Option<Reading> {
    let mut reading = Reading { rare: true, ..Reading::default() };
    let [fields, reduction, _] = m.sensor_intprm[s];
    let sides =
        [(m.sensor_objtype[s], m.sensor_objid[s]), (m.sensor_reftype[s], m.sensor_refid[s])];
    for (k, (kind, id)) in sides.into_iter().enumerate() {
        let id = || u32::try_from(id).ok();
        let [kind, id] = match kind {
            ObjType::Unknown => [part::ANY, 0],
            // a geom that cannot touch anything matches nothing
            ObjType::Geom => {
                [part::GEOM, colliding(m, GeomId::new(id()? as usize)).unwrap_or(NONE)]
            }
            ObjType::Body => [part::BODY, id()?],
            ObjType::Xbody => [part::SUBTREE, id()?],
            ObjType::Site => {
                let site = SiteId::new(id()? as usize);
                reading.object = zone(m, site)?;
                reading.size = m.site_size[site].into();
                [part::SITE, places.place(ObjType::Site, site.idx() as i32)?]
            }
            _ => return None,
        };
        (reading.parameters[k], reading.parameters[2 + k]) = (kind, id);
    }
    (reading.parameters[4], reading.parameters[5]) = (fields as u32, reduction as u32);
    Some(reading)
}

fn add_places<R: Real>(m: &Model, places: &Places, blob: &mut Blob<R>) {
    let (mut pos, mut quat) = (Vec::<[f64; 3]>::new(), Vec::<[f64; 4]>::new());
    let mut body: Vec<BodyId> = Vec::new();
    for s in m.sites() {
        pos.push(m.site_pos[s].into());
        quat.push(m.site_quat[s].to_array());
        body.push(m.site_bodyid[s]);
    }
    for g in m.geoms() {
        pos.push(m.geom_pos[g].into());
        quat.push(m.geom_quat[g].to_array());
        body.push(m.geom_bodyid[g]);
    }
    for b in m.bodies() {
        pos.push(m.body_ipos[b].into());
        quat.push(m.body_iquat[b].to_array());
        body.push(b);
    }
    for b in m.bodies() {
        pos.push([0.0; 3]);
        quat.push([1.0, 0.0, 0.0, 0.0]);
        body.push(b);
    }
    for c in places.cameras.iter().map(|&c| CamId::new(c)) {
        pos.push(m.cam_pos[c].into());
        quat.push(m.cam_quat[c].to_array());
        body.push(m.cam_bodyid[c]);
    }
    (blob.place_pos, blob.place_quat) = (by_rows(&pos), by_rows(&quat));
    blob.place_body = body.iter().map(|b| b.idx() as u32).collect();
    let still = |b: &BodyId| u32::from(m.body_weldid[*b] == BodyId::WORLD);
    blob.place_still = body.iter().map(still).collect();
    blob.counts.nplace = body.len() as u32;
    (blob.work.place_xpos, blob.work.place_xmat) = (3 * body.len(), 9 * body.len());
}

/// The object and the reference frame of a sensor; none if the kernel does not read it.
fn of_sensor(m: &Model, tendons: &Tendons, places: &Places, s: SensorId) -> Option<[u32; 2]> {
    let id = m.sensor_objid[s];
    let joint = || JointId::new(id as usize);
    let object = match m.sensor_type[s] {
        SensorType::Accelerometer
        | SensorType::Velocimeter
        | SensorType::Gyro
        | SensorType::Magnetometer => places.place(ObjType::Site, id)?,
        SensorType::Jointpos | SensorType::Ballquat => m.jnt_qposadr[joint()] as u32,
        SensorType::Jointvel | SensorType::Ballangvel | SensorType::Jointactfrc => {
            m.jnt_dofadr[joint()].idx() as u32
        }
        SensorType::Tendonpos | SensorType::Tendonvel => {
            tendons.place(TendonId::new(id as usize))? as u32
        }
        SensorType::Actuatorpos | SensorType::Actuatorvel | SensorType::Actuatorfrc
            if !m.opt.disabled(DisableBit::Actuation) =>
        {
            id as u32
        }
        SensorType::Framepos
        | SensorType::Framequat
        | SensorType::Framexaxis
        | SensorType::Frameyaxis
        | SensorType::Framezaxis
        | SensorType::Framelinvel
        | SensorType::Frameangvel
        | SensorType::Framelinacc
        | SensorType::Frameangacc => places.place(m.sensor_objtype[s], id)?,
        SensorType::Subtreecom | SensorType::Subtreelinvel => id as u32,
        SensorType::Clock => 0,
        _ => return None,
    };
    let reference = match m.sensor_refid[s] {
        id if id < 0 => NONE,
        id => places.place(m.sensor_reftype[s], id)?,
    };
    Some([object, reference])
}
