//! The visualiser: `mjv_*` functions on the structs that Python holds as bytes.
//!
//! Python's `MjvScene` keeps its geoms, lights and cameras in numpy arrays, which scripts read and
//! write. A function here reads the arrays that it needs, works on a `Scene`, and writes changes
//! back.

use numpy::{Element, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::{GeomType, VisMouse};
use sinew_model::record::{Record, record_bytes, record_bytes_mut};
use sinew_model::records;
use sinew_scene as scene;
use sinew_scene::{
    Camera, Cursor, GlCamera, Perturb, Scene, SceneError, SceneGeom, View, VisOption, mark_nodes,
};

use crate::args::{In, M9, Q4, V3};
use crate::call::{run, with_model};
use crate::data::Data;
use crate::failure::FatalError;
use crate::memory::zeroed;
use crate::model::Model;

records! {
    /// The scalar members of a scene; its geoms, lights and cameras are in separate arrays.
    SceneHead {
        maxgeom: i32, "size of allocated geom buffer";
        ngeom: i32, "number of geoms currently in buffer";
        nflex: i32, "number of flexes";
        nskin: i32, "number of skins";
        nlight: i32, "number of lights currently in buffer";
        stereo: i32, "stereoscopic rendering (mjtStereo)";
        framewidth: i32, "frame pixel width; 0: disable framing";
        status: i32, "status; 0: ok, 1: geoms exhausted";
        translate: [f32; 3], "model translation";
        rotate: [f32; 4], "model quaternion rotation";
        scale: f32, "model scaling";
        framergb: [f32; 3], "frame color";
        flags: [u8; 11], "rendering flags (indexed by mjtRndFlag)";
        enabletransform: u8, "enable model transformation";
        flexvertopt: u8, "copy of mjVIS_FLEXVERT mjvOption flag";
        flexedgeopt: u8, "copy of mjVIS_FLEXEDGE mjvOption flag";
        flexfaceopt: u8, "copy of mjVIS_FLEXFACE mjvOption flag";
        flexskinopt: u8, "copy of mjVIS_FLEXSKIN mjvOption flag";
    }
}

impl Default for SceneHead {
    /// An initialised scene without capacity for geoms.
    fn default() -> Self {
        SceneHead { rotate: [1.0, 0.0, 0.0, 0.0], scale: 1.0, ..zeroed() }
    }
}

/// The bytes of a struct.
pub(crate) type Bytes<'py> = Bound<'py, PyArray1<u8>>;
/// The bytes of several structs, one per row.
type Rows<'py> = Bound<'py, PyArray2<u8>>;

/// The error for an invalid camera or mouse action.
fn error(e: SceneError) -> PyErr {
    FatalError::new_err(e.to_string())
}

/// Reads a struct from its bytes.
pub(crate) fn get<R: Record>(bytes: &Bytes<'_>) -> PyResult<R> {
    let mut record = zeroed::<R>();
    let bytes = bytes.try_readonly()?;
    let from = bytes.as_slice()?;
    let to = record_bytes_mut(&mut record);
    if from.len() != to.len() {
        return Err(PyValueError::new_err("not the bytes of such a struct"));
    }
    to.copy_from_slice(from);
    Ok(record)
}

/// Writes a struct to its bytes.
pub(crate) fn put<R: Record>(bytes: &Bytes<'_>, record: &R) -> PyResult<()> {
    bytes.try_readwrite()?.as_slice_mut()?.copy_from_slice(record_bytes(record));
    Ok(())
}

/// Reads the first `n` structs of several.
fn get_rows<R: Record>(rows: &Rows<'_>, n: usize) -> PyResult<Vec<R>> {
    let rows = rows.try_readonly()?;
    let bytes = rows.as_slice()?;
    let structs = bytes.chunks_exact(size_of::<R>()).take(n).map(|from| {
        let mut record = zeroed::<R>();
        record_bytes_mut(&mut record).copy_from_slice(from);
        record
    });
    Ok(structs.collect())
}

/// Writes structs to the first rows of their memory.
fn put_rows<R: Record>(rows: &Rows<'_>, records: &[R]) -> PyResult<()> {
    let mut rows = rows.try_readwrite()?;
    for (to, record) in rows.as_slice_mut()?.chunks_exact_mut(size_of::<R>()).zip(records) {
        to.copy_from_slice(record_bytes(record));
    }
    Ok(())
}

/// Python's `MjvScene`.
pub(crate) struct PyScene<'py> {
    head: Bytes<'py>,
    geoms: Rows<'py>,
    lights: Rows<'py>,
    cameras: Rows<'py>,
    arrays: Bound<'py, PyDict>,
}

impl<'a, 'py> FromPyObject<'a, 'py> for PyScene<'py> {
    type Error = PyErr;

    fn extract(obj: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = obj.py();
        Ok(PyScene {
            head: obj.getattr(intern!(py, "_mem"))?.cast_into()?,
            geoms: obj.getattr(intern!(py, "_geoms"))?.cast_into()?,
            lights: obj.getattr(intern!(py, "_lights"))?.cast_into()?,
            cameras: obj.getattr(intern!(py, "_cameras"))?.cast_into()?,
            arrays: obj.getattr(intern!(py, "_arrays"))?.cast_into()?,
        })
    }
}

impl PyScene<'_> {
    /// The scene without its geoms, lights, flexes and skins.
    fn settings(&self) -> PyResult<Scene> {
        let head: SceneHead = get(&self.head)?;
        let mut scn = Scene::without_model(head.maxgeom.max(0) as usize);
        let cameras: Vec<GlCamera> = get_rows(&self.cameras, 2)?;
        scn.camera.copy_from_slice(&cameras);
        scn.enabletransform = head.enabletransform != 0;
        (scn.translate, scn.rotate, scn.scale) = (head.translate, head.rotate, head.scale);
        (scn.stereo, scn.flags, scn.status) = (head.stereo, head.flags, head.status);
        (scn.framewidth, scn.framergb) = (head.framewidth, head.framergb);
        Ok(scn)
    }

    /// The whole scene.
    pub(crate) fn load(&self, m: &sinew_model::Model) -> PyResult<Scene> {
        let head: SceneHead = get(&self.head)?;
        let mut scn = self.settings()?;
        scn.geoms = get_rows(&self.geoms, head.ngeom.max(0) as usize)?;
        scn.lights = get_rows(&self.lights, head.nlight.max(0) as usize)?;
        self.load_surfaces(m, &mut scn)?;
        Ok(scn)
    }

    /// The geoms in use.
    pub(crate) fn geoms(&self) -> PyResult<Vec<SceneGeom>> {
        let head: SceneHead = get(&self.head)?;
        get_rows(&self.geoms, head.ngeom.max(0) as usize)
    }

    /// Reads the vertices of flexes and skins.
    fn load_surfaces(&self, m: &sinew_model::Model, scn: &mut Scene) -> PyResult<()> {
        if m.nflex == 0 && m.nskin == 0 {
            return Ok(());
        }
        let made = Scene::new(m, 0);
        (scn.flex, scn.skin) = (made.flex, made.skin);
        let (flex, skin) = (&mut scn.flex, &mut scn.skin);
        let head: SceneHead = get(&self.head)?;
        flex.options = [head.flexvertopt, head.flexedgeopt, head.flexfaceopt, head.flexskinopt]
            .map(|o| o != 0);
        self.read("flexfaceused", &mut flex.flexfaceused)?;
        self.read("flexvert", flex.flexvert.as_flattened_mut())?;
        self.read("flexface", flex.flexface.as_flattened_mut().as_flattened_mut())?;
        self.read("flexnormal", flex.flexnormal.as_flattened_mut().as_flattened_mut())?;
        self.read("flextexcoord", flex.flextexcoord.as_flattened_mut().as_flattened_mut())?;
        self.read("skinvert", skin.skinvert.as_flattened_mut())?;
        self.read("skinnormal", skin.skinnormal.as_flattened_mut())
    }

    /// Writes the scene back.
    fn store(&self, scn: &Scene) -> PyResult<()> {
        // scalar members
        let mut head: SceneHead = get(&self.head)?;
        let [vert, edge, face, skin] = scn.flex.options.map(u8::from);
        head.ngeom = scn.geoms.len() as i32;
        head.nlight = scn.lights.len() as i32;
        head.status = scn.status;
        head.enabletransform = scn.enabletransform.into();
        (head.translate, head.rotate, head.scale) = (scn.translate, scn.rotate, scn.scale);
        (head.flexvertopt, head.flexedgeopt) = (vert, edge);
        (head.flexfaceopt, head.flexskinopt) = (face, skin);
        put(&self.head, &head)?;

        // lists
        put_rows(&self.geoms, &scn.geoms)?;
        put_rows(&self.lights, &scn.lights)?;
        put_rows(&self.cameras, &scn.camera)?;

        // arrays of flexes and skins, if the scene has any
        let (flex, skin) = (&scn.flex, &scn.skin);
        if !flex.flexvertnum.is_empty() {
            self.write("flexfaceused", &flex.flexfaceused)?;
            self.write("flexvert", flex.flexvert.as_flattened())?;
            self.write("flexface", flex.flexface.as_flattened().as_flattened())?;
            self.write("flexnormal", flex.flexnormal.as_flattened().as_flattened())?;
            self.write("flextexcoord", flex.flextexcoord.as_flattened().as_flattened())?;
        }
        if !skin.skinvertnum.is_empty() {
            self.write("skinvert", skin.skinvert.as_flattened())?;
            self.write("skinnormal", skin.skinnormal.as_flattened())?;
        }
        Ok(())
    }

    fn array<T: Element>(&self, name: &str) -> PyResult<Option<Bound<'_, PyArray1<T>>>> {
        match self.arrays.get_item(name)? {
            Some(array) => Ok(Some(array.cast_into()?)),
            None => Ok(None),
        }
    }

    fn read<T: Element + Copy>(&self, name: &str, to: &mut [T]) -> PyResult<()> {
        let Some(array) = self.array::<T>(name)? else { return Ok(()) };
        let array = array.try_readonly()?;
        for (to, from) in to.iter_mut().zip(array.as_slice()?) {
            *to = *from;
        }
        Ok(())
    }

    fn write<T: Element + Copy>(&self, name: &str, from: &[T]) -> PyResult<()> {
        let Some(array) = self.array::<T>(name)? else { return Ok(()) };
        let mut array = array.try_readwrite()?;
        for (to, from) in array.as_slice_mut()?.iter_mut().zip(from) {
            *to = *from;
        }
        Ok(())
    }
}

/// The arrays of a scene that describe flexes and skins, by name.
#[pyfunction]
fn scene_arrays<'py>(m: &Bound<'py, Model>) -> PyResult<Bound<'py, PyDict>> {
    let py = m.py();
    let Scene { flex, skin, .. } = with_model(m, |m| Scene::new(m, 0))?;
    let out = PyDict::new(py);

    // integers
    let ints: [(&str, &[i32]); 11] = [
        ("flexedgeadr", &flex.flexedgeadr),
        ("flexedgenum", &flex.flexedgenum),
        ("flexvertadr", &flex.flexvertadr),
        ("flexvertnum", &flex.flexvertnum),
        ("flexfaceadr", &flex.flexfaceadr),
        ("flexfacenum", &flex.flexfacenum),
        ("flexfaceused", &flex.flexfaceused),
        ("flexedge", flex.flexedge.as_flattened()),
        ("skinfacenum", &skin.skinfacenum),
        ("skinvertadr", &skin.skinvertadr),
        ("skinvertnum", &skin.skinvertnum),
    ];
    for (name, numbers) in ints {
        out.set_item(name, PyArray1::from_slice(py, numbers))?;
    }

    // reals
    let floats: [(&str, &[f32]); 6] = [
        ("flexvert", flex.flexvert.as_flattened()),
        ("flexface", flex.flexface.as_flattened().as_flattened()),
        ("flexnormal", flex.flexnormal.as_flattened().as_flattened()),
        ("flextexcoord", flex.flextexcoord.as_flattened().as_flattened()),
        ("skinvert", skin.skinvert.as_flattened()),
        ("skinnormal", skin.skinnormal.as_flattened()),
    ];
    for (name, numbers) in floats {
        out.set_item(name, PyArray1::from_slice(py, numbers))?;
    }
    Ok(out)
}

/// Visual options and perturbation.
fn view_of(opt: &Bytes<'_>, pert: Option<&Bytes<'_>>) -> PyResult<(VisOption, Perturb)> {
    Ok((get(opt)?, pert.map_or_else(|| Ok(Perturb::default()), get)?))
}

/// Counts a full scene as a warning (`mjWARN_VGEOMFULL`).
fn note_status(d: &mut sinew_model::Data, scn: &Scene) {
    if scn.status != 0 {
        let warning = &mut d.warning[sinew_model::enums::Warning::Vgeomfull.0 as usize];
        warning.number += 1;
        warning.lastinfo = scn.maxgeom as i32;
    }
}

#[pyfunction]
#[pyo3(signature = (m, d, opt, pert, cam, catmask, scn))]
fn scene_update(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    opt: Bytes<'_>,
    pert: Option<Bytes<'_>>,
    cam: Bytes<'_>,
    catmask: i32,
    scn: PyScene<'_>,
) -> PyResult<()> {
    let (opt, pert) = view_of(&opt, pert.as_ref())?;
    let mut camera: Camera = get(&cam)?;
    let mut scene = scn.settings()?;
    with_model(m, |m| scn.load_surfaces(m, &mut scene))??;
    let view = View { opt: &opt, pert: &pert, catmask };
    let result = run(m.py(), m, d, |m, d| {
        mark_nodes(m, d, view.opt);
        let result = scene::update_scene(m, d, view, &mut camera, &mut scene);
        note_status(d, &scene);
        result
    })?;
    scn.store(&scene)?;
    put(&cam, &camera)?;
    result.map_err(error)
}

#[pyfunction]
fn scene_add_geoms(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    opt: Bytes<'_>,
    pert: Bytes<'_>,
    catmask: i32,
    scn: PyScene<'_>,
) -> PyResult<()> {
    let (opt, pert) = view_of(&opt, Some(&pert))?;
    let mut scene = with_model(m, |m| scn.load(m))??;
    let view = View { opt: &opt, pert: &pert, catmask };
    run(m.py(), m, d, |m, d| {
        mark_nodes(m, d, view.opt);
        scene::add_geoms(m, d, view, &mut scene);
    })?;
    scn.store(&scene)
}

#[pyfunction]
fn scene_lights(m: &Bound<'_, Model>, d: &Bound<'_, Data>, scn: PyScene<'_>) -> PyResult<()> {
    let mut scene = with_model(m, |m| scn.load(m))??;
    run(m.py(), m, d, |m, d| scene::make_lights(m, d, &mut scene))?.map_err(error)?;
    scn.store(&scene)
}

#[pyfunction]
fn scene_camera(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    cam: Bytes<'_>,
    scn: PyScene<'_>,
) -> PyResult<()> {
    let mut camera: Camera = get(&cam)?;
    let mut scene = with_model(m, |m| scn.load(m))??;
    let update = |m: &_, d: &mut _| scene::update_camera(m, d, &mut camera, &mut scene);
    run(m.py(), m, d, update)?.map_err(error)?;
    put(&cam, &camera)?;
    scn.store(&scene)
}

#[pyfunction]
fn scene_skin(m: &Bound<'_, Model>, d: &Bound<'_, Data>, scn: PyScene<'_>) -> PyResult<()> {
    let mut scene = with_model(m, |m| scn.load(m))??;
    let opt = VisOption::default();
    run(m.py(), m, d, |m, d| scene::update_active_skin(m, d, &mut scene, &opt))?;
    scn.store(&scene)
}

/// Position, forward, up and right of a camera.
#[pyfunction]
fn scene_camera_frame(d: &Bound<'_, Data>, cam: Bytes<'_>) -> PyResult<[[f64; 3]; 4]> {
    let data = d.get().cell.read(d.py())?;
    let frame = scene::camera_frame(&data, &get(&cam)?).map_err(error)?;
    Ok([frame.pos, frame.forward, frame.up, frame.right].map(Vec3::to_array))
}

/// Vertical and horizontal half widths of a camera's frustum, near and far plane.
#[pyfunction]
fn scene_camera_frustum(m: &Bound<'_, Model>, cam: Bytes<'_>) -> PyResult<[[f32; 2]; 3]> {
    let camera: Camera = get(&cam)?;
    let seen = with_model(m, |m| scene::camera_frustum(m, &camera))?.map_err(error)?;
    Ok([seen.zver, seen.zhor, seen.zclip])
}

#[pyfunction]
fn scene_free_camera(m: &Bound<'_, Model>, cam: Bytes<'_>) -> PyResult<()> {
    put(&cam, &with_model(m, Camera::free)?)
}

#[pyfunction]
fn scene_camera_in_model(scn: PyScene<'_>) -> PyResult<[[f64; 3]; 3]> {
    let frame = scene::camera_in_model(&scn.settings()?).map_err(error)?;
    Ok(frame.map(Vec3::to_array))
}

#[pyfunction]
fn scene_camera_in_room(scn: PyScene<'_>) -> PyResult<[[f64; 3]; 3]> {
    let frame = scene::camera_in_room(&scn.settings()?).map_err(error)?;
    Ok(frame.map(Vec3::to_array))
}

#[pyfunction]
fn scene_frustum_height(scn: PyScene<'_>) -> PyResult<f64> {
    scene::frustum_height(&scn.settings()?).map_err(error)
}

#[pyfunction]
fn scene_average_camera<'py>(a: Bytes<'py>, b: Bytes<'py>) -> PyResult<Bound<'py, PyBytes>> {
    let mean = scene::average_camera(&get(&a)?, &get(&b)?).map_err(error)?;
    Ok(PyBytes::new(a.py(), record_bytes(&mean)))
}

/// A pose as Python tuples.
type PyPose = ([f64; 3], [f64; 4]);

fn pose((pos, quat): (Vec3, Quat)) -> PyPose {
    (pos.to_array(), quat.to_array())
}

#[pyfunction]
fn scene_room2model(pos: V3, quat: Q4, scn: PyScene<'_>) -> PyResult<PyPose> {
    scene::room_2_model(pos.0, quat.0, &scn.settings()?).map(pose).map_err(error)
}

#[pyfunction]
fn scene_model2room(pos: V3, quat: Q4, scn: PyScene<'_>) -> PyResult<PyPose> {
    scene::model_2_room(pos.0, quat.0, &scn.settings()?).map(pose).map_err(error)
}

#[pyfunction]
fn scene_align(vec: V3, forward: V3) -> [f64; 3] {
    scene::align_to_camera(vec.0, forward.0).to_array()
}

#[pyfunction]
fn scene_move_camera(
    m: &Bound<'_, Model>,
    action: i32,
    motion: [f64; 2],
    scn: PyScene<'_>,
    cam: Bytes<'_>,
) -> PyResult<()> {
    let mut camera: Camera = get(&cam)?;
    let scene = scn.settings()?;
    with_model(m, |m| scene::move_camera(m, VisMouse(action), motion, &scene, &mut camera))?
        .map_err(error)?;
    put(&cam, &camera)
}

#[pyfunction]
fn scene_move_perturb(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    action: i32,
    motion: [f64; 2],
    scn: PyScene<'_>,
    pert: Bytes<'_>,
) -> PyResult<()> {
    let mut held: Perturb = get(&pert)?;
    let scene = scn.settings()?;
    run(m.py(), m, d, |m, d| {
        scene::move_perturb(m, d, VisMouse(action), motion, &scene, &mut held)
    })?
    .map_err(error)?;
    put(&pert, &held)
}

#[pyfunction]
fn scene_move_model(
    m: &Bound<'_, Model>,
    action: i32,
    motion: [f64; 2],
    roomup: V3,
    scn: PyScene<'_>,
) -> PyResult<()> {
    let mut scene = with_model(m, |m| scn.load(m))??;
    with_model(m, |m| scene::move_model(m, VisMouse(action), motion, roomup.0, &mut scene))?
        .map_err(error)?;
    scn.store(&scene)
}

#[pyfunction]
fn scene_init_perturb(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    scn: PyScene<'_>,
    pert: Bytes<'_>,
) -> PyResult<()> {
    let mut held: Perturb = get(&pert)?;
    let scene = scn.settings()?;
    run(m.py(), m, d, |m, d| scene::init_perturb(m, d, &scene, &mut held))?.map_err(error)?;
    put(&pert, &held)
}

#[pyfunction]
fn scene_perturb_pose(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    pert: Bytes<'_>,
    paused: bool,
) -> PyResult<()> {
    let held: Perturb = get(&pert)?;
    run(m.py(), m, d, |m, d| scene::apply_perturb_pose(m, d, &held, paused))
}

#[pyfunction]
fn scene_perturb_force(m: &Bound<'_, Model>, d: &Bound<'_, Data>, pert: Bytes<'_>) -> PyResult<()> {
    let held: Perturb = get(&pert)?;
    run(m.py(), m, d, |m, d| scene::apply_perturb_force(m, d, &held))
}

/// Body, point, geom, flex and skin under the cursor; -1 for none.
type PySelection = (i64, [f64; 3], i64, i64, i64);

#[pyfunction]
fn scene_select(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    opt: Bytes<'_>,
    cursor: [f64; 3],
    scn: PyScene<'_>,
) -> PyResult<Option<PySelection>> {
    let opt: VisOption = get(&opt)?;
    let scene = with_model(m, |m| scn.load(m))??;
    let [aspectratio, relx, rely] = cursor;
    let cursor = Cursor { aspectratio, relx, rely };
    let found = run(m.py(), m, d, |m, d| scene::select(m, d, &opt, cursor, &scene))?;
    let number = |id: Option<usize>| id.map_or(-1, |id| id as i64);
    Ok(found.map_err(error)?.map(|s| {
        let (geom, flex) = (s.geom.map(|g| g.idx()), s.flex.map(|f| f.idx()));
        let skin = number(s.skin.map(|s| s.idx()));
        (s.body.idx() as i64, s.point.to_array(), number(geom), number(flex), skin)
    }))
}

#[pyfunction]
fn scene_init_geom(
    geom: Bytes<'_>,
    kind: i32,
    size: Option<V3>,
    pos: Option<V3>,
    mat: Option<M9>,
    rgba: Option<In<4>>,
) -> PyResult<()> {
    let mut record: SceneGeom = get(&geom)?;
    let mat: Option<Mat3> = mat.map(|mat| mat.0);
    let rgba = rgba.map(|rgba| rgba.0.map(|x| x as f32));
    record.init(GeomType(kind), size.map(|v| v.0), pos.map(|v| v.0), mat, rgba);
    put(&geom, &record)
}

#[pyfunction]
fn scene_connector(geom: Bytes<'_>, kind: i32, width: f64, from: V3, to: V3) -> PyResult<()> {
    let mut record: SceneGeom = get(&geom)?;
    scene::connector(&mut record, GeomType(kind), width, from.0, to.0).map_err(error)?;
    put(&geom, &record)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(scene_arrays, m)?)?;
    m.add_function(wrap_pyfunction!(scene_update, m)?)?;
    m.add_function(wrap_pyfunction!(scene_add_geoms, m)?)?;
    m.add_function(wrap_pyfunction!(scene_lights, m)?)?;
    m.add_function(wrap_pyfunction!(scene_camera, m)?)?;
    m.add_function(wrap_pyfunction!(scene_skin, m)?)?;
    m.add_function(wrap_pyfunction!(scene_camera_frame, m)?)?;
    m.add_function(wrap_pyfunction!(scene_camera_frustum, m)?)?;
    m.add_function(wrap_pyfunction!(scene_free_camera, m)?)?;
    m.add_function(wrap_pyfunction!(scene_camera_in_model, m)?)?;
    m.add_function(wrap_pyfunction!(scene_camera_in_room, m)?)?;
    m.add_function(wrap_pyfunction!(scene_frustum_height, m)?)?;
    m.add_function(wrap_pyfunction!(scene_average_camera, m)?)?;
    m.add_function(wrap_pyfunction!(scene_room2model, m)?)?;
    m.add_function(wrap_pyfunction!(scene_model2room, m)?)?;
    m.add_function(wrap_pyfunction!(scene_align, m)?)?;
    m.add_function(wrap_pyfunction!(scene_move_camera, m)?)?;
    m.add_function(wrap_pyfunction!(scene_move_perturb, m)?)?;
    m.add_function(wrap_pyfunction!(scene_move_model, m)?)?;
    m.add_function(wrap_pyfunction!(scene_init_perturb, m)?)?;
    m.add_function(wrap_pyfunction!(scene_perturb_pose, m)?)?;
    m.add_function(wrap_pyfunction!(scene_perturb_force, m)?)?;
    m.add_function(wrap_pyfunction!(scene_select, m)?)?;
    m.add_function(wrap_pyfunction!(scene_init_geom, m)?)?;
    m.add_function(wrap_pyfunction!(scene_connector, m)?)
}
