//! The scene of a recording for Foxglove: shapes once, and frames of bodies over time.
//!
//! Messages have Foxglove's schemas `foxglove.SceneUpdate` and `foxglove.FrameTransforms`, as JSON.
//! Every body has a frame of its name under `world`, in which its shapes stand still.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::Result;
use serde_json::{Value, json};
use sinew::model::enums::{CatBit, GeomType, ObjType};
use sinew::model::{GeomId, HFieldId, MeshId};
use sinew::{Data, Model};
use sinew_render::Mesh;
use sinew_scene::{Camera, Perturb, Scene, SceneGeom, View, VisOption, update_scene};

use super::mcap::{Channel, Message};

mod schema;

/// Frames per second of the transforms; states are recorded at every step.
const RATE: f64 = 60.0;
/// Maximum number of geoms in the scene, as in the viewer.
const MAX_GEOM: usize = 20_000;
/// Half size of infinite planes relative to the extent of the model.
const PLANE_EXTENT: f64 = 5.0;

/// Numbers of the channels.
const SCENE: u16 = 2;
const TRANSFORMS: u16 = 3;

/// The channels of the scene.
pub(super) fn channels() -> [Channel; 2] {
    let channel = |id, topic, schema: Value| {
        let schema_name = format!("foxglove.{}", schema["title"].as_str().unwrap_or_default());
        Channel { id, topic, schema_name, schema: schema.to_string() }
    };
    [
        channel(SCENE, "/scene", schema::scene_update()),
        channel(TRANSFORMS, "/tf", schema::frame_transforms()),
    ]
}

/// The poses of all bodies but the world: position and orientation, w first.
#[derive(Clone, Debug)]
struct Frame {
    /// Number of the recorded state.
    row: usize,
    /// Time in nanoseconds.
    time: u64,
    poses: Vec<[f64; 7]>,
}

/// The shapes of a model, and the poses of its bodies so far.
#[derive(Clone, Debug)]
pub(crate) struct Film {
    names: Vec<String>,
    shapes: Value,
    frames: Vec<Frame>,
    /// A state whose frames are computed: a step leaves the frames of the state before it.
    data: Data,
    next: f64,
}

impl Film {
    /// The shapes of a model, without frames yet.
    pub(crate) fn new(m: &Model) -> Result<Film> {
        let mut data = Data::new(m);
        sinew::forward(m, &mut data);
        let names = names(m);
        let shapes = shapes(m, &mut data, &names)?;
        Ok(Film { names, shapes, frames: Vec::new(), data, next: f64::NEG_INFINITY })
    }

    /// Appends the frames of a state if they are due.
    pub(crate) fn push(&mut self, m: &Model, d: &Data, row: usize) {
        // time goes back after a reset
        let (period, late) = (1.0 / RATE, d.time - self.next);
        if (-2.0 * period..-1e-9).contains(&late) {
            return;
        }
        self.next = if late.abs() < period { self.next + period } else { d.time + period };
        self.data.qpos.copy_from_slice(&d.qpos);
        self.data.mocap_pos.copy_from_slice(&d.mocap_pos);
        self.data.mocap_quat.copy_from_slice(&d.mocap_quat);
        sinew::engine::fwd_kinematics(m, &mut self.data);
        let pose = |b| {
            let (p, q) = (self.data.xpos[b], self.data.xquat[b]);
            [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
        };
        let poses = m.bodies().skip(1).map(pose).collect();
        self.frames.push(Frame { row, time: nanoseconds(d.time), poses });
    }

    /// The messages and the states that they belong to: the scene, then the frames.
    pub(super) fn messages(&self) -> impl Iterator<Item = (usize, Message)> + '_ {
        let first = self.frames.first().map_or(0, |frame| frame.time);
        let scene = Message { channel: SCENE, time: first, value: self.shapes.clone() };
        let frame = |Frame { row, time, poses }: &Frame| {
            let list: Vec<Value> = poses
                .iter()
                .zip(&self.names[1..])
                .map(|(&[x, y, z, qw, qx, qy, qz], name)| {
                    json!({
                        "timestamp": stamp(*time),
                        "parent_frame_id": self.names[0],
                        "child_frame_id": name,
                        "translation": { "x": x, "y": y, "z": z },
                        "rotation": { "x": qx, "y": qy, "z": qz, "w": qw },
                    })
                })
                .collect();
            let value = json!({ "transforms": list });
            (*row, Message { channel: TRANSFORMS, time: *time, value })
        };
        std::iter::once((0, scene)).chain(self.frames.iter().map(frame))
    }
}

/// Seconds as nanoseconds; negative times and NaN are 0.
pub(super) fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round().max(0.0) as u64
}

fn stamp(time: u64) -> Value {
    json!({ "sec": time / 1_000_000_000, "nsec": time % 1_000_000_000 })
}

/// Names of the frames: names of the bodies, made unique; the first is `world`.
fn names(m: &Model) -> Vec<String> {
    let mut taken = HashSet::new();
    let unique = |b: usize| {
        let own = m.id2name(ObjType::Body, b).filter(|name| !name.is_empty());
        let mut name = own.map_or_else(|| format!("body {b}"), str::to_owned);
        while !taken.insert(name.clone()) {
            let _ = write!(name, " ({b})");
        }
        name
    };
    (0..m.nbody).map(unique).collect()
}

/// The visible geoms of all bodies as one message: an entity for each body.
fn shapes(m: &Model, d: &mut Data, names: &[String]) -> Result<Value> {
    let (opt, pert) = (VisOption::default(), Perturb::default());
    let (mut scene, mut camera) = (Scene::new(m, MAX_GEOM), Camera::free(m));
    let catmask = CatBit::Static.0 | CatBit::Dynamic.0;
    update_scene(m, d, View { opt: &opt, pert: &pert, catmask }, &mut camera, &mut scene)?;

    // shapes of every body
    let mut kinds: Vec<[Vec<Value>; 4]> = vec![Default::default(); m.nbody];
    for geom in scene.geoms.iter().filter(|geom| geom.objtype == ObjType::Geom) {
        let Some(g) = usize::try_from(geom.objid).ok().filter(|&g| g < m.ngeom) else { continue };
        let body = m.geom_bodyid[GeomId::new(g)].idx();
        shape(m, GeomId::new(g), geom, &mut kinds[body]);
    }
    let entity = |(name, [cubes, spheres, cylinders, triangles]): (&String, [Vec<Value>; 4])| {
        json!({
            "timestamp": stamp(0),
            "frame_id": name,
            "id": name,
            "lifetime": stamp(0),
            "frame_locked": true,
            "metadata": [], "arrows": [], "lines": [], "texts": [], "models": [],
            "cubes": cubes, "spheres": spheres, "cylinders": cylinders, "triangles": triangles,
        })
    };
    let filled = names.iter().zip(kinds).filter(|(_, kinds)| kinds.iter().any(|k| !k.is_empty()));
    Ok(json!({ "deletions": [], "entities": filled.map(entity).collect::<Vec<_>>() }))
}

/// Adds a geom to the cubes, spheres, cylinders or triangles of its body.
fn shape(m: &Model, g: GeomId, geom: &SceneGeom, kinds: &mut [Vec<Value>; 4]) {
    let [cubes, spheres, cylinders, triangles] = kinds;
    let [r, gr, b, a] = geom.rgba.map(f64::from);
    let color = json!({ "r": r, "g": gr, "b": b, "a": a });
    let [x, y, z] = m.geom_size[g].to_array();
    let pose = pose(m, g, 0.0);
    let solid = |pose: Value, size: [f64; 3]| {
        let size = json!({ "x": 2.0 * size[0], "y": 2.0 * size[1], "z": 2.0 * size[2] });
        json!({ "pose": pose, "size": size, "color": color })
    };
    let tube = || {
        let mut tube = solid(pose.clone(), [x, x, y]);
        (tube["bottom_scale"], tube["top_scale"]) = (json!(1.0), json!(1.0));
        tube
    };
    match m.geom_type[g] {
        GeomType::Sphere => spheres.push(solid(pose, [x; 3])),
        GeomType::Ellipsoid => spheres.push(solid(pose, [x, y, z])),
        GeomType::Box => cubes.push(solid(pose, [x, y, z])),
        GeomType::Cylinder => cylinders.push(tube()),
        GeomType::Capsule => {
            cylinders.push(tube());
            spheres.extend([-y, y].map(|end| solid(self::pose(m, g, end), [x; 3])));
        }
        GeomType::Plane => {
            let wide = |size: f64| if size > 0.0 { size } else { PLANE_EXTENT * m.stat.extent };
            // the top of a thin box
            let thin = 1e-4 * m.stat.extent;
            cubes.push(solid(self::pose(m, g, -thin), [wide(x), wide(y), thin]));
        }
        GeomType::Mesh | GeomType::Sdf if m.geom_dataid[g] >= 0 => {
            let mesh = sinew_render::mesh(m, MeshId::new(m.geom_dataid[g] as usize));
            triangles.push(surface(&mesh, pose, color));
        }
        GeomType::Hfield if m.geom_dataid[g] >= 0 => {
            let field = sinew_render::height_field(m, HFieldId::new(m.geom_dataid[g] as usize));
            triangles.push(surface(&field, pose, color));
        }
        _ => {}
    }
}

/// The pose of a geom in its body, moved along its axis.
fn pose(m: &Model, g: GeomId, along: f64) -> Value {
    let q = m.geom_quat[g];
    let p = m.geom_pos[g] + q.rotate(sinew::math::Vec3::new(0.0, 0.0, along));
    json!({
        "position": { "x": p.x, "y": p.y, "z": p.z },
        "orientation": { "x": q.x, "y": q.y, "z": q.z, "w": q.w },
    })
}

fn surface(mesh: &Mesh, pose: Value, color: Value) -> Value {
    // ten micrometres are enough for a picture, and keep the text short
    let short = |x: f32| (f64::from(x) * 1e5).round() / 1e5;
    let point = |v: &sinew_render::Vertex| {
        let [x, y, z] = v.pos.map(short);
        json!({ "x": x, "y": y, "z": z })
    };
    let points: Vec<Value> = mesh.vert.iter().map(point).collect();
    let indices: Vec<u32> = mesh.tri.iter().flatten().copied().collect();
    json!({ "pose": pose, "points": points, "color": color, "colors": [], "indices": indices })
}
