//! Frames that worlds may keep, and sensors.

use sinew_kernel::real::Real;
use sinew_kernel::result::sensor as known;
use sinew_model::enums::{DataType, DisableBit, ObjType, SensorType};
use sinew_model::{BodyId, JointId, Model, SensorId, TendonId};

use super::blob::Blob;
use super::bodies::{NONE, by_rows, reals};
use super::packed::Sizes;
use super::tendons::Tendons;

/// Where the frames of each kind of object begin.
pub(super) struct Places {
    geoms: usize,
    inertial: usize,
    bodies: usize,
}

impl Places {
    /// Sites, geoms, principal axes of bodies, bodies; in this order.
    fn of(m: &Model) -> Places {
        let (geoms, inertial) = (m.nsite, m.nsite + m.ngeom);
        Places { geoms, inertial, bodies: inertial + m.nbody }
    }

    /// The frame of an object; none of an object without one here.
    fn place(&self, kind: ObjType, id: i32) -> Option<u32> {
        let id = usize::try_from(id).ok()?;
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
    places(m, blob);
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
    let places = Places::of(m);
    for s in m.sensors() {
        match of_sensor(m, tendons, &places, s) {
            Some([object, reference]) => {
                blob.sensor_type.push(m.sensor_type[s].0 as u32);
                blob.sensor_adr.push(m.sensor_adr[s] as u32);
                blob.sensor_dim.push(m.sensor_dim[s] as u32);
                let positive = m.sensor_datatype[s] == DataType::Positive;
                blob.sensor_positive.push(u32::from(positive));
                let kinds = [DataType::Real, DataType::Positive];
                let cut = kinds.contains(&m.sensor_datatype[s]);
                blob.sensor_cutoff.push(R::of(if cut { m.sensor_cutoff[s] } else { 0.0 }));
                blob.sensor_object.push(object);
                blob.sensor_ref.push(reference);
            }
            None => blob.unread.push(m.sensor_type[s]),
        }
    }
    blob.counts.nsensor = blob.sensor_type.len() as u32;
    let those = [known::ACCELEROMETER, known::FRAMELINACC, known::FRAMEANGACC];
    blob.sizes.accelerations = blob.sensor_type.iter().any(|kind| those.contains(kind));
}

fn places<R: Real>(m: &Model, blob: &mut Blob<R>) {
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
        SensorType::Jointvel | SensorType::Ballangvel => m.jnt_dofadr[joint()].idx() as u32,
        SensorType::Jointactfrc if !m.jnt_actgravcomp[joint()].get() => {
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
