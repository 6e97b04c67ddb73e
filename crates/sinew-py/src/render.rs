//! Images of scenes as numpy arrays.

use std::sync::RwLock;

use numpy::ndarray::{Array2, Array3, Array4};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArray4, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_model::enums::CatBit;
use sinew_render::{RenderError, Renderer, TextStyle, parallel_map};
use sinew_scene::{Camera, Perturb, Scene, View, VisOption, update_scene};

use crate::data::{Data, fits};
use crate::failure::{FatalError, caught};
use crate::model::Model;
use crate::scene::{PyScene, get};

/// A renderer of a model.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct RenderContext {
    renderer: RwLock<Renderer>,
}

/// The error for a scene that cannot be rendered.
fn error(e: RenderError) -> PyErr {
    match e {
        RenderError::Size => PyValueError::new_err(e.to_string()),
        _ => FatalError::new_err(e.to_string()),
    }
}

/// An array from rows of pixels.
fn shaped<T>(numbers: Vec<T>, height: usize, width: usize) -> PyResult<Array2<T>> {
    Array2::from_shape_vec((height, width), numbers)
        .map_err(|e| PyValueError::new_err(e.to_string()))
}

fn colors(rgb: Vec<[u8; 3]>, height: usize, width: usize) -> PyResult<Array3<u8>> {
    Array3::from_shape_vec((height, width, 3), rgb.into_flattened())
        .map_err(|e| PyValueError::new_err(e.to_string()))
}

impl RenderContext {
    /// Calls `f` on the renderer, the model and the scene, detached from the interpreter.
    fn with<R: Send>(
        &self,
        m: &Bound<'_, Model>,
        scn: &PyScene<'_>,
        f: impl FnOnce(&Renderer, &sinew_model::Model, &Scene) -> Result<R, RenderError> + Send,
    ) -> PyResult<R> {
        let py = m.py();
        let scene = {
            let model = m.get().cell.read(py)?;
            scn.load(&model)?
        };
        let shared = m.get();
        py.detach(|| {
            let model = shared.cell.read_detached()?;
            let renderer = self.renderer.read().unwrap_or_else(|e| e.into_inner());
            f(&renderer, &model, &scene).map_err(error)
        })
    }
}

#[pymethods]
impl RenderContext {
    #[new]
    fn new(m: &Bound<'_, Model>, font_scale: usize) -> PyResult<Self> {
        let model = m.get().cell.read(m.py())?;
        let mut renderer = Renderer::new(&model);
        renderer.set_font_scale(font_scale);
        Ok(RenderContext { renderer: RwLock::new(renderer) })
    }

    /// Chooses the size of labels, in percent.
    fn set_font_scale(&self, percent: usize) {
        self.renderer.write().unwrap_or_else(|e| e.into_inner()).set_font_scale(percent);
    }

    /// Colours: an array of (height, width, 3).
    fn picture<'py>(
        &self,
        m: &Bound<'py, Model>,
        scn: PyScene<'py>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let picture = self.with(m, &scn, |r, m, scn| r.render(m, scn, width, height))?;
        Ok(colors(picture.rgb, height, width)?.into_pyarray(m.py()))
    }

    /// Distances along the line of sight: an array of (height, width).
    fn depth<'py>(
        &self,
        m: &Bound<'py, Model>,
        scn: PyScene<'py>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let depth = self.with(m, &scn, |r, m, scn| r.depth(m, scn, width, height))?;
        Ok(shaped(depth, height, width)?.into_pyarray(m.py()))
    }

    /// Depths from 1 at the near plane to 0 at the far plane: an array of (height, width).
    fn raw_depth<'py>(
        &self,
        m: &Bound<'py, Model>,
        scn: PyScene<'py>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let depth = self.with(m, &scn, |r, m, scn| r.raw_depth(m, scn, width, height))?;
        Ok(shaped(depth, height, width)?.into_pyarray(m.py()))
    }

    /// Ids and types of the visible objects, -1 for none: an array of (height, width, 2).
    fn segmentation<'py>(
        &self,
        m: &Bound<'py, Model>,
        scn: PyScene<'py>,
        width: usize,
        height: usize,
    ) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let objects = self.with(m, &scn, |r, m, scn| {
            let object = |geom: i32| match usize::try_from(geom) {
                Ok(i) => [scn.geoms[i].objid, scn.geoms[i].objtype.0],
                Err(_) => [-1, -1],
            };
            Ok(r.segment(m, scn, width, height)?.into_iter().map(object).collect::<Vec<_>>())
        })?;
        let array = Array3::from_shape_vec((height, width, 2), objects.into_flattened())
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(array.into_pyarray(m.py()))
    }

    /// Images of several states from one camera: an array of (states, height, width, 3).
    fn batch<'py>(
        &self,
        m: &Bound<'py, Model>,
        datas: Vec<Bound<'py, Data>>,
        opt: Bound<'py, PyArray1<u8>>,
        cam: Bound<'py, PyArray1<u8>>,
        size: [usize; 2],
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let py = m.py();
        let [height, width] = size;
        let (opt, cam): (VisOption, Camera) = (get(&opt)?, get(&cam)?);
        let shared = m.get();
        let states: Vec<&Data> = datas.iter().map(|d| d.get()).collect();

        // detached, one state per thread
        let pictures = py.detach(|| {
            let guard = shared.cell.read_detached()?;
            let model: &sinew_model::Model = &guard;
            let renderer = self.renderer.read().unwrap_or_else(|e| e.into_inner());
            let pert = Perturb::default();
            let draw = |d: &&Data| -> Result<Vec<[u8; 3]>, PyErr> {
                let data = d.cell.read_detached()?;
                if !fits(model, &data) {
                    return Err(PyValueError::new_err("the data was made for another model"));
                }
                let mut scn = Scene::new(model, model.ngeom.max(1000) * 10);
                let view = View { opt: &opt, pert: &pert, catmask: CatBit::All.0 };
                caught(|| update_scene(model, &data, view, &mut cam.clone(), &mut scn))?
                    .map_err(|e| error(e.into()))?;
                Ok(renderer.render(model, &scn, width, height).map_err(error)?.rgb)
            };
            parallel_map(&states, draw).into_iter().collect::<Result<Vec<_>, _>>()
        })?;

        // one array
        let bytes: Vec<u8> = pictures.into_iter().flat_map(Vec::into_flattened).collect();
        let array = Array4::from_shape_vec((datas.len(), height, width, 3), bytes)
            .map_err(|e| PyValueError::new_err(e.to_string()))?;
        Ok(array.into_pyarray(py))
    }

    /// Reads a changed texture, mesh or height field.
    fn upload(&self, m: &Bound<'_, Model>, kind: &str, id: usize) -> PyResult<()> {
        let model = m.get().cell.read(m.py())?;
        let mut renderer = self.renderer.write().unwrap_or_else(|e| e.into_inner());
        let count = match kind {
            "texture" => model.ntex,
            "mesh" => model.nmesh,
            _ => model.nhfield,
        };
        if id >= count {
            return Err(FatalError::new_err(format!("Invalid {kind} index {id}")));
        }
        match kind {
            "texture" => renderer.upload_texture(&model, id),
            "mesh" => renderer.upload_mesh(&model, id),
            _ => renderer.upload_hfield(&model, id),
        }
        Ok(())
    }
}

/// Writes a line of text to an image of (height, width, 3), starting at the left end above a row.
#[pyfunction]
fn draw_text(
    picture: &Bound<'_, PyArray3<u8>>,
    place: [i64; 2],
    text: &str,
    dot: usize,
    color: [u8; 3],
    shadow: bool,
) -> PyResult<()> {
    let mut picture = picture.try_readwrite()?;
    let width = picture.dims()[1];
    let (pixels, _) = picture.as_slice_mut()?.as_chunks_mut();
    let style = TextStyle { dot: dot.clamp(1, 64), color, shadow };
    sinew_render::draw_text(pixels, width, place, text.as_bytes(), style);
    Ok(())
}

/// Adds the class and the function to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(draw_text, m)?)?;
    m.add_class::<RenderContext>()
}
