//! What sensors refer to, and what rays run into on the way.

use super::{InvalidModel, check, within};
use crate::enums::{JointType, ObjType, SensorType};
use crate::ids::SensorId;
use crate::model::Model;

/// Most levels of a tree of boxes; balanced ones have far fewer.
const MAX_DEPTH: u8 = 60;

impl Model {
    /// Objects, references and sizes of sensors.
    pub(super) fn check_sensors(&self) -> Result<(), InvalidModel> {
        for s in self.sensors() {
            let (object, reference) = self.sensor_frames(s);
            let [id, refid] = [self.sensor_objid[s], self.sensor_refid[s]];
            check(object.is_none_or(|n| within(id, n)), "sensor_objid", s.idx())?;
            check(reference.is_none_or(|n| within(refid, n)), "sensor_refid", s.idx())?;
            let ball = matches!(self.sensor_type[s], SensorType::Ballquat | SensorType::Ballangvel);
            let is_ball = !ball || self.jnt_type[id as usize] == JointType::Ball;
            check(is_ball, "sensor_objid", s.idx())?;
            let dim = self.sensor_width(s);
            check(dim.is_none_or(|dim| self.sensor_dim[s] as usize == dim), "sensor_dim", s.idx())?;
        }
        Ok(())
    }

    /// How many objects there are of the kinds that the sensor's object and reference must be;
    /// none where it has none.
    fn sensor_frames(&self, s: SensorId) -> (Option<usize>, Option<usize>) {
        type S = SensorType;
        let (objtype, reftype) = (self.sensor_objtype[s], self.sensor_reftype[s]);
        let frame = Some(self.count_frames(objtype).unwrap_or(0));
        let optional_reference = match self.sensor_refid[s] {
            -1 => None,
            _ => Some(self.count_frames(reftype).unwrap_or(0)),
        };
        match self.sensor_type[s] {
            S::Touch | S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque => {
                (Some(self.nsite), None)
            }
            S::Magnetometer => (Some(self.nsite), None),
            S::Camprojection => (Some(self.nsite), Some(self.ncam)),
            S::Rangefinder if objtype == ObjType::Site => (Some(self.nsite), None),
            S::Rangefinder => (Some(self.ncam), None),
            S::Jointpos | S::Jointvel | S::Jointactfrc | S::Ballquat | S::Ballangvel => {
                (Some(self.njnt), None)
            }
            S::Tendonpos | S::Tendonvel => (Some(self.ntendon), None),
            S::Actuatorpos | S::Actuatorvel | S::Actuatorfrc => (Some(self.nu), None),
            S::Framepos | S::Framequat | S::Framexaxis | S::Frameyaxis | S::Framezaxis => {
                (frame, optional_reference)
            }
            S::Framelinvel | S::Frameangvel => (frame, optional_reference),
            S::Framelinacc | S::Frameangacc => (frame, None),
            S::Subtreecom | S::Subtreelinvel | S::Subtreeangmom => (Some(self.nbody), None),
            S::Insidesite => (frame, Some(self.nsite)),
            S::Contact if objtype == ObjType::Site => (Some(self.nsite), None),
            S::Tactile => (Some(self.nmesh), Some(self.ngeom)),
            _ => (None, None),
        }
    }

    /// How many objects of a kind with a frame there are.
    fn count_frames(&self, kind: ObjType) -> Option<usize> {
        Some(match kind {
            ObjType::Body | ObjType::Xbody => self.nbody,
            ObjType::Geom => self.ngeom,
            ObjType::Site => self.nsite,
            ObjType::Camera => self.ncam,
            _ => return None,
        })
    }

    /// How many numbers the sensor gives, where its kind says so.
    fn sensor_width(&self, s: SensorId) -> Option<usize> {
        type S = SensorType;
        Some(match self.sensor_type[s] {
            S::Contact | S::Plugin | S::User => return None,
            S::Geomdist | S::Geomnormal | S::Geomfromto => return None,
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

    /// Triangles name vertices of their mesh; trees of boxes are trees.
    pub(super) fn check_meshes(&self) -> Result<(), InvalidModel> {
        for b in self.bodies() {
            self.check_boxes(self.body_bvhadr[b], self.body_bvhnum[b], self.ngeom)?;
        }
        for k in 0..self.nmesh {
            let (adr, num) = (self.mesh_faceadr[k].max(0) as usize, self.mesh_facenum[k] as usize);
            let vertices = self.mesh_vertnum[k] as usize;
            for (row, face) in self.mesh_face.iter().enumerate().skip(adr).take(num) {
                check(face.iter().all(|&v| within(v, vertices)), "mesh_face", row)?;
            }
            self.check_boxes(self.mesh_bvhadr[k], self.mesh_bvhnum[k], num)?;
        }
        Ok(())
    }

    /// Nodes come after their parents and have one each; leaves hold one of `items`.
    fn check_boxes(&self, adr: i32, num: i32, items: usize) -> Result<(), InvalidModel> {
        let (adr, num) = (adr.max(0) as usize, num as usize);
        check(num == 0 || adr + num <= self.nbvhstatic, "bvh_aabb", adr)?;
        let mut depth = vec![0u8; num];
        for node in 0..num {
            let row = adr + node;
            let leaf = self.bvh_nodeid[row];
            check(leaf == -1 || within(leaf, items), "bvh_nodeid", row)?;
            for child in self.bvh_child[row] {
                if child == -1 {
                    continue;
                }
                let fits = within(child, num) && child as usize > node;
                check(fits && depth[child as usize] == 0, "bvh_child", row)?;
                check(depth[node] < MAX_DEPTH, "bvh_child", row)?;
                depth[child as usize] = depth[node] + 1;
            }
        }
        Ok(())
    }
}
