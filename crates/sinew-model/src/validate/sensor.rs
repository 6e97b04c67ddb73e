//! References of sensors.

use super::{Check, Requirement, check, exactly, maybe_row, row};
use crate::enums::{JointType, ObjType, SensorType};
use crate::ids::SensorId;
use crate::model::Model;

/// Requirement on the object of a sensor.
enum Object {
    /// An object of this type.
    A(ObjType),
    /// An object of one of these types.
    OneOf(&'static [ObjType]),
    /// An object of one of these types, or none.
    Maybe(&'static [ObjType]),
    /// An object of its type field, or none.
    Any,
}

/// Object types with a frame.
const FRAMES: &[ObjType] =
    &[ObjType::Body, ObjType::Xbody, ObjType::Geom, ObjType::Site, ObjType::Camera];

/// Objects and references of a sensor.
#[derive(Clone, Copy)]
struct Reference {
    kind: ObjType,
    id: i32,
}

impl Model {
    /// Objects, references, sizes and addresses of sensors.
    pub(super) fn check_sensors(&self) -> Check {
        let mut adr = 0;
        for s in self.sensors() {
            let at = s.idx();
            let (object, reference) = sensor_objects(self.sensor_type[s]);
            let own = Reference { kind: self.sensor_objtype[s], id: self.sensor_objid[s] };
            self.check_object(object, own, ["sensor_objtype", "sensor_objid"], at)?;
            let other = Reference { kind: self.sensor_reftype[s], id: self.sensor_refid[s] };
            self.check_object(reference, other, ["sensor_reftype", "sensor_refid"], at)?;
            let ball = matches!(self.sensor_type[s], SensorType::Ballquat | SensorType::Ballangvel);
            let is_ball = !ball || self.jnt_type[own.id as usize] == JointType::Ball;
            check(is_ball, "sensor_objid", at, Requirement::Such("a ball joint"))?;
            if let Some(dim) = self.sensor_width(s) {
                exactly(i64::from(self.sensor_dim[s]), dim, "sensor_dim", at)?;
            }
            exactly(i64::from(self.sensor_adr[s]), adr, "sensor_adr", at)?;
            adr += self.sensor_dim[s] as usize;
        }
        exactly(self.nsensordata as i64, adr, "nsensordata", 0)
    }

    /// The object exists and has a permitted type.
    fn check_object(
        &self,
        object: Object,
        Reference { kind, id }: Reference,
        [kind_field, field]: [&'static str; 2],
        at: usize,
    ) -> Check {
        let (kinds, optional) = match &object {
            Object::A(kind) => (core::slice::from_ref(kind), false),
            Object::OneOf(kinds) => (*kinds, false),
            Object::Maybe(kinds) => (*kinds, true),
            Object::Any => (&[][..], true),
        };
        let known = kinds.is_empty() || kinds.contains(&kind) || (optional && id == -1);
        check(known, kind_field, at, Requirement::Such("a kind that this sensor can have"))?;
        let n = self.count(kind);
        if optional { maybe_row(id, n, field, at) } else { row(id, n, field, at) }
    }

    /// Number of objects of a type.
    pub(super) fn count(&self, kind: ObjType) -> usize {
        match kind {
            ObjType::Body | ObjType::Xbody => self.nbody,
            ObjType::Joint => self.njnt,
            ObjType::Dof => self.nv,
            ObjType::Geom => self.ngeom,
            ObjType::Site => self.nsite,
            ObjType::Camera => self.ncam,
            ObjType::Light => self.nlight,
            ObjType::Flex => self.nflex,
            ObjType::Mesh => self.nmesh,
            ObjType::Skin => self.nskin,
            ObjType::Hfield => self.nhfield,
            ObjType::Texture => self.ntex,
            ObjType::Material => self.nmat,
            ObjType::Pair => self.npair,
            ObjType::Exclude => self.nexclude,
            ObjType::Equality => self.neq,
            ObjType::Tendon => self.ntendon,
            ObjType::Actuator => self.nu,
            ObjType::Sensor => self.nsensor,
            ObjType::Numeric => self.nnumeric,
            ObjType::Text => self.ntext,
            ObjType::Tuple => self.ntuple,
            ObjType::Key => self.nkey,
            ObjType::Plugin => self.nplugin,
            _ => 0,
        }
    }

    /// Dimension of the sensor, if its type determines it.
    fn sensor_width(&self, s: SensorId) -> Option<usize> {
        type S = SensorType;
        Some(match self.sensor_type[s] {
            S::Contact | S::Plugin | S::User => return None,
            S::Geomnormal => 3,
            S::Geomfromto => 6,
            S::Rangefinder => {
                let fields = self.sensor_intprm[s][0];
                let sizes = [1, 3, 3, 3, 3, 1];
                let size: usize =
                    (0..6).filter(|bit| fields & (1 << bit) != 0).map(|b| sizes[b]).sum();
                let pixels = match self.sensor_objtype[s] {
                    ObjType::Site => 1,
                    _ => self.cam_resolution[self.sensor_objid[s] as usize]
                        .iter()
                        .map(|&n| usize::try_from(n).unwrap_or(0))
                        .product(),
                };
                size.checked_mul(pixels)?
            }
            S::Tactile => {
                // channels of all vertices
                let n = self.mesh_vertnum[self.sensor_objid[s] as usize] as usize;
                if n == 0 || !(self.sensor_dim[s] as usize).is_multiple_of(n) {
                    return Some(usize::MAX);
                }
                return None;
            }
            S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => {
                let id = crate::ids::ActuatorId::new(self.sensor_objid[s] as usize);
                let is_servo = self.servo_rows(id).is_some_and(|rows| rows.start == id.idx());
                if is_servo { 3 } else { 1 }
            }
            S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque => 3,
            S::Magnetometer | S::Ballangvel => 3,
            S::Framepos | S::Framexaxis | S::Frameyaxis | S::Framezaxis => 3,
            S::Framelinvel | S::Frameangvel | S::Framelinacc | S::Frameangacc => 3,
            S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => 3,
            S::Ballquat | S::Framequat => 4,
            S::Camprojection => 2,
            _ => 1,
        })
    }
}

/// Requirements on the object and the reference of a sensor.
fn sensor_objects(kind: SensorType) -> (Object, Object) {
    use Object::*;
    type S = SensorType;
    type O = ObjType;
    match kind {
        S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque => {
            (A(O::Site), Any)
        }
        S::Magnetometer => (A(O::Site), Any),
        S::Camprojection => (A(O::Site), A(O::Camera)),
        S::Rangefinder => (OneOf(&[O::Site, O::Camera]), Any),
        S::Jointpos | S::Jointvel | S::Jointactfrc | S::Ballquat | S::Ballangvel => {
            (A(O::Joint), Any)
        }
        S::Jointlimitpos | S::Jointlimitvel | S::Jointlimitfrc => (A(O::Joint), Any),
        S::Tendonpos | S::Tendonvel | S::Tendonactfrc => (A(O::Tendon), Any),
        S::Tendonlimitpos | S::Tendonlimitvel | S::Tendonlimitfrc => (A(O::Tendon), Any),
        S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => (A(O::Actuator), Any),
        S::Framepos | S::Framequat | S::Framexaxis | S::Frameyaxis | S::Framezaxis => {
            (OneOf(FRAMES), Maybe(FRAMES))
        }
        S::Framelinvel | S::Frameangvel => (OneOf(FRAMES), Maybe(FRAMES)),
        S::Framelinacc | S::Frameangacc => (OneOf(FRAMES), Any),
        S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => (A(O::Body), Any),
        S::Insidesite => (OneOf(FRAMES), A(O::Site)),
        S::Geomdist | S::Geomnormal | S::Geomfromto => {
            (OneOf(&[O::Body, O::Geom]), OneOf(&[O::Body, O::Geom]))
        }
        S::Contact => {
            (Maybe(&[O::Site, O::Body, O::Xbody, O::Geom]), Maybe(&[O::Body, O::Xbody, O::Geom]))
        }
        S::Tactile => (A(O::Mesh), A(O::Geom)),
        _ => (Any, Any),
    }
}
