//! Tactile sensors: pressure and sliding at the vertices of a mesh that others press into.

use core::mem::take;

use sinew_geom::sdf::Field;
use sinew_geom::shape::Pose;
use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::GeomType;
use sinew_model::{BodyId, Data, GeomId, MeshId, Model, SensorId};

use crate::geometry::octree;
use crate::sdf::GeomField;
use crate::smooth::object::motion_moved;
use crate::work::scratch;

/// Depth at which the pressure would be infinite, metres.
const MAX_DEPTH: f64 = 0.05;

/// Writes, for all vertices: pressure, then the speed along each tangent.
///
/// A vertex has three normals, as in the meshes `wedge` and `plate`. Where a mesh has fewer, the
/// first vertices take their neighbours' values, as in MuJoCo, and the last have none.
pub(super) fn tactile(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let mesh = MeshId::new(m.sensor_objid[s] as usize);
    let own = GeomId::new(m.sensor_refid[s] as usize);
    let weld = m.body_weldid[m.geom_bodyid[own]];
    out.fill(0.0);

    // geoms that touch the sensor's body, in the order of contacts
    let mut others = take(&mut scratch(d).sensor.geoms);
    others.clear();
    for contact in &d.contact {
        let [Ok(g1), Ok(g2)] = contact.geom.map(usize::try_from) else { continue };
        for (mine, other) in [(g1, g2), (g2, g1)] {
            let other = GeomId::new(other);
            if m.body_weldid[m.geom_bodyid[mine]] == weld && !others.contains(&other) {
                others.push(other);
            }
        }
    }
    for &other in &others {
        press(m, d, Pad { mesh, own, weld }, other, out);
    }
    scratch(d).sensor.geoms = others;
}

/// The sensing surface.
#[derive(Clone, Copy)]
struct Pad {
    mesh: MeshId,
    own: GeomId,
    weld: BodyId,
}

/// Contribution of one geom to the vertices it covers.
fn press(m: &Model, d: &Data, pad: Pad, other: GeomId, out: &mut [f64]) {
    // the pad, and the geom that presses
    let n = m.mesh_vertnum[pad.mesh] as usize;
    let pose = Pose { pos: d.geom_xpos[other], mat: d.geom_xmat[other] };
    let verts = &m.mesh_vert.split_at(m.mesh_vertadr[pad.mesh] as usize).1[..n];
    let normals = &m.mesh_normal.split_at(m.mesh_normaladr[pad.mesh] as usize).1;
    let body = m.geom_bodyid[other];
    let carried = |b: BodyId, point: Vec3| {
        motion_moved(d.cvel[b], point - d.subtree_com[m.body_rootid[b]]).lin
    };

    // pressure and sliding of each vertex it covers
    for (j, vert) in verts.iter().enumerate() {
        let vert = Vec3::from(vert.map(f64::from));
        let point = d.geom_xmat[pad.own] * vert + d.geom_xpos[pad.own];
        let depth = distance(m, d, other, pose.local_point(point)).min(0.0);
        if depth == 0.0 || depth.is_nan() {
            continue;
        }
        let slide = carried(pad.weld, point) - carried(body, pose.pos);
        let [normal, tangent1, tangent2] = [0, 1, 2].map(|k| {
            let axis = normals.get(3 * j + k).copied().unwrap_or_default();
            m.mesh_quat[pad.mesh].rotate(Vec3::from(axis.map(f64::from)))
        });
        let pressure = depth / (MAX_DEPTH - depth).max(MINVAL);
        let values =
            [(normal * pressure).dot(normal), slide.dot(tangent1).abs(), slide.dot(tangent2).abs()];
        for (channel, x) in out.chunks_exact_mut(n).zip(values) {
            channel[j] = x;
        }
    }
}

/// Signed distance of a point from a geom, in the geom's frame. Zero where there is no field of
/// distances (height fields, meshes without an octree).
fn distance(m: &Model, d: &Data, g: GeomId, point: Vec3) -> f64 {
    let mesh = usize::try_from(m.geom_dataid[g]).ok();
    match m.geom_type[g] {
        GeomType::Mesh => mesh.and_then(|i| octree(m, i)).map_or(0.0, |tree| tree.distance(point)),
        _ => {
            // plugins know the frame in which their mesh was made
            let of_plugin = mesh.filter(|_| m.geom_plugin[g].get().is_some());
            let point =
                of_plugin.map_or(point, |i| m.mesh_quat[i].to_mat() * point + m.mesh_pos[i]);
            GeomField::of(m, d, g).map_or(0.0, |field| field.distance(point))
        }
    }
}
