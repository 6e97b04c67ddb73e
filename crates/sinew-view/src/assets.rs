//! The data of a model that a page gets once: names, ranges, surfaces and textures.

use serde_json::{Value, json};
use sinew_model::enums::{
    GeomType, JointType, ObjType, Projection, SensorType, TextureRole, TextureType,
};
use sinew_model::{HFieldId, MeshId, Model};
use sinew_render::Mesh;
use sinew_scene::{Camera, camera_frustum};

use crate::wire::{self, Out};

/// Maximum number of scalars of one kind (controls, joints, sensors) that a page gets.
pub(crate) const MAX_SHOWN: usize = 4096;

/// Encodes the message that describes the whole model.
pub(crate) fn message(m: &Model, name: &str) -> Vec<u8> {
    let mut blob = Out::default();
    let value = json!({
        "name": name,
        "center": m.stat.center.to_array(),
        "extent": m.stat.extent,
        "timestep": m.opt.timestep,
        "counts": { "body": m.nbody, "geom": m.ngeom, "dof": m.nv, "actuator": m.nu },
        "visual": visual(m),
        "bodies": names(m, ObjType::Body, m.nbody),
        "cameras": (0..m.ncam).map(|c| camera(m, c)).collect::<Vec<_>>(),
        "keys": names(m, ObjType::Key, m.nkey),
        "joints": joints(m),
        "controls": controls(m),
        "sensors": sensors(m),
        "physics": crate::physics::describe(),
        "coulomb": m.coulomb.enabled,
        "meshes": (0..m.nmesh).map(|i| both(m, i, &mut blob)).collect::<Vec<_>>(),
        "hfields": (0..m.nhfield)
            .map(|i| surface(&sinew_render::height_field(m, HFieldId::new(i)), &mut blob))
            .collect::<Vec<_>>(),
        "textures": (0..m.ntex).map(|t| texture(m, t, &mut blob)).collect::<Vec<_>>(),
        "materials": (0..m.nmat).map(|i| material(m, i)).collect::<Vec<_>>(),
        "skins": (0..m.nskin).map(|s| skin(m, s, &mut blob)).collect::<Vec<_>>(),
        "planes": planes(m),
    });
    let mut out = Out::new(wire::MODEL);
    out.json(&value);
    out.bytes.extend(blob.bytes);
    out.bytes
}

/// The names of all objects of a kind; an object without a name is called by its number.
fn names(m: &Model, kind: ObjType, n: usize) -> Vec<String> {
    (0..n).map(|i| name(m, kind, i)).collect()
}

fn name(m: &Model, kind: ObjType, i: usize) -> String {
    m.id2name(kind, i).filter(|name| !name.is_empty()).map_or(format!("#{i}"), str::to_owned)
}

fn visual(m: &Model) -> Value {
    let (map, rgba, global) = (&m.vis.map, &m.vis.rgba, &m.vis.global);
    json!({
        "fovy": global.fovy,
        "orthographic": global.orthographic,
        "linewidth": global.linewidth,
        "azimuth": global.azimuth,
        "elevation": global.elevation,
        "znear": map.znear,
        "zfar": map.zfar,
        "fogstart": map.fogstart,
        "fogend": map.fogend,
        "haze": map.haze,
        "shadowclip": map.shadowclip,
        "shadowsize": m.vis.quality.shadowsize,
        "fogColor": rgba.fog,
        "hazeColor": rgba.haze,
        "headlight": {
            "ambient": m.vis.headlight.ambient,
            "diffuse": m.vis.headlight.diffuse,
            "specular": m.vis.headlight.specular,
            "active": m.vis.headlight.active != 0,
        },
    })
}

/// A camera of the model: the bounds of its frustum at the near plane.
fn camera(m: &Model, c: usize) -> Value {
    let mut value = json!({ "name": name(m, ObjType::Camera, c) });
    if let Ok(seen) = camera_frustum(m, &Camera::fixed(c)) {
        value["near"] = json!(seen.zclip[0]);
        value["below"] = json!(seen.zver[0]);
        value["above"] = json!(seen.zver[1]);
        value["aside"] = json!(0.5 * (seen.zhor[1] - seen.zhor[0]));
        value["orthographic"] = json!(m.cam_projection[c] == Projection::Orthographic);
    }
    value
}

/// The joints with a slider, in the order in which a frame lists their positions.
pub(crate) fn scalar_joints(m: &Model) -> impl Iterator<Item = sinew_model::JointId> + '_ {
    let scalar = |&j: &_| matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide);
    m.joints().filter(scalar).take(MAX_SHOWN)
}

fn joints(m: &Model) -> Vec<Value> {
    let joint = |j: sinew_model::JointId| {
        let limited = m.jnt_limited[j].get();
        json!({
            "name": name(m, ObjType::Joint, j.idx()),
            "id": j.idx(),
            "hinge": m.jnt_type[j] == JointType::Hinge,
            "range": limited.then(|| m.jnt_range[j]),
        })
    };
    scalar_joints(m).map(joint).collect()
}

fn controls(m: &Model) -> Vec<Value> {
    let control = |a: sinew_model::ActuatorId| {
        let limited = m.actuator_ctrllimited[a].get();
        json!({
            "name": name(m, ObjType::Actuator, a.idx()),
            "range": limited.then(|| m.actuator_ctrlrange[a]),
        })
    };
    m.actuators().take(MAX_SHOWN).map(control).collect()
}

fn sensors(m: &Model) -> Vec<Value> {
    let sensor = |s: sinew_model::SensorId| {
        json!({
            "name": name(m, ObjType::Sensor, s.idx()),
            "adr": m.sensor_adr[s],
            "dim": m.sensor_dim[s],
            "clock": m.sensor_type[s] == SensorType::Clock,
        })
    };
    m.sensors().take(MAX_SHOWN).map(sensor).collect()
}

/// A mesh and, if present, its convex hull.
fn both(m: &Model, i: usize, blob: &mut Out) -> Value {
    let id = MeshId::new(i);
    let hull = sinew_render::hull(m, id);
    let hull = (!hull.tri.is_empty()).then(|| surface(&hull, blob));
    json!({ "surface": surface(&sinew_render::mesh(m, id), blob), "hull": hull })
}

/// Appends the corners of a surface to the blob and returns the offsets of their positions, normals
/// and texture coordinates.
fn surface(mesh: &Mesh, blob: &mut Out) -> Value {
    let corners = || mesh.tri.iter().flatten().map(|&v| &mesh.vert[v as usize]);
    let at = blob.bytes.len();
    for corner in corners() {
        blob.f32s(&corner.pos);
    }
    let normal = blob.bytes.len();
    for corner in corners() {
        blob.normal(corner.normal);
    }
    let uv = blob.bytes.len();
    for corner in corners() {
        blob.f32s(&corner.uv);
    }
    json!({ "n": 3 * mesh.tri.len(), "pos": at, "normal": normal, "uv": uv })
}

fn texture(m: &Model, t: usize, blob: &mut Out) -> Value {
    let (width, height) = (m.tex_width[t].max(0), m.tex_height[t].max(0));
    let channels = m.tex_nchannel[t].max(1);
    let adr = usize::try_from(m.tex_adr[t]).unwrap_or(usize::MAX);
    let size = width as usize * height as usize * channels as usize;
    let bytes = m.tex_data.get(adr..adr.saturating_add(size)).unwrap_or_default();
    let at = blob.bytes.len();
    blob.raw(bytes);
    let kind = match m.tex_type[t] {
        TextureType::T2d => "2d",
        TextureType::Skybox => "skybox",
        _ => "cube",
    };
    json!({
        "kind": kind, "width": width, "height": height, "channels": channels, "at": at,
        "srgb": m.tex_colorspace[t] == sinew_model::enums::ColorSpace::Srgb,
        "complete": bytes.len() == size && size > 0,
    })
}

fn material(m: &Model, i: usize) -> Value {
    let texture = m.mat_texid[i][TextureRole::Rgb.0 as usize].get().map(|t| t.idx());
    json!({
        "texture": texture,
        "uniform": m.mat_texuniform[i].get(),
        "repeat": m.mat_texrepeat[i],
    })
}

fn skin(m: &Model, s: usize, blob: &mut Out) -> Value {
    let (first, n) = (m.skin_faceadr[s].max(0) as usize, m.skin_facenum[s].max(0) as usize);
    let at = blob.bytes.len();
    for face in first..first + n {
        m.skin_face[face].iter().for_each(|&v| blob.i32(v));
    }
    let verts = m.skin_vertnum[s].max(0) as usize;
    let uv = usize::try_from(m.skin_texcoordadr[s]).ok().map(|adr| {
        let at = blob.bytes.len();
        for v in adr..adr + verts {
            blob.f32s(&m.skin_texcoord[v]);
        }
        at
    });
    json!({ "faces": n, "face": at, "verts": verts, "uv": uv })
}

/// Half widths of planes in the order of geoms, 0 for infinite planes.
fn planes(m: &Model) -> Vec<Value> {
    let planes = m.geoms().filter(|&g| m.geom_type[g] == GeomType::Plane);
    planes.map(|g| json!([m.geom_size[g].x, m.geom_size[g].y])).collect()
}
