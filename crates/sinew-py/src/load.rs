//! Loading models, and saving them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew_mjcf::diag::{Diagnostic, Error, render};
use sinew_mjcf::spec::Spec;
use sinew_mjcf::{AssetCache, Assets, LoadOptions, Loaded, schema_text};
use sinew_model::enums::JointType;
use sinew_model::ids::BodyId;

use crate::args::Text;
use crate::call::with_model;
use crate::failure::{Failure, FatalError, caught, exception, quiet};
use crate::model::{Model, Origin};
use crate::plugin::registry;

/// Loads a model from the bytes of an MJB file.
#[pyfunction]
fn load_binary(py: Python<'_>, bytes: &[u8]) -> PyResult<Model> {
    let plugins = registry();
    let model = py.detach(|| quiet(|| sinew_model::Model::from_binary_with(bytes, &plugins)));
    let model = model.map_err(|panic| exception(Failure::Panic(panic)))?;
    let model = model.map_err(|e| PyValueError::new_err(format!("mj_loadModel: {e}")))?;
    Ok(Model::own(model))
}

/// Loads a model from an XML file, which may be one of the assets.
#[pyfunction]
#[pyo3(signature = (path, assets, **options))]
fn load_path(
    py: Python<'_>,
    path: &str,
    assets: HashMap<String, Vec<u8>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Model> {
    let options = load_options(options)?;
    load(py, assets, &options, |assets| Spec::load_with_assets(Path::new(path), assets, &options))
}

/// Loads a model from XML text.
#[pyfunction]
#[pyo3(signature = (xml, assets, **options))]
fn load_string(
    py: Python<'_>,
    xml: &str,
    assets: HashMap<String, Vec<u8>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Model> {
    let options = load_options(options)?;
    load(py, assets, &options, |assets| Spec::parse_str(xml, assets, &options))
}

/// The given options; the others are defaults.
fn load_options(given: Option<&Bound<'_, PyDict>>) -> PyResult<LoadOptions> {
    let mut options = LoadOptions { plugins: registry(), ..LoadOptions::default() };
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let option = match name.as_str() {
            "strict" => &mut options.strict,
            "pair_from_geoms" => &mut options.pair_from_geoms,
            "pair_dedup" => &mut options.pair_dedup,
            "pair_skip_self" => &mut options.pair_skip_self,
            "free_joint_limits" => &mut options.free_joint_limits,
            "confine" => &mut options.confine,
            "cache" if value.extract()? => continue,
            "cache" => {
                options.cache = AssetCache::new(0);
                continue;
            }
            _ => return Err(PyTypeError::new_err(format!("unknown load option '{name}'"))),
        };
        *option = value.extract()?;
    }
    Ok(options)
}

/// A parsed model with its diagnostics.
type Parsed = Result<(Spec, Vec<Diagnostic>), Error>;

/// Reads and compiles without the interpreter. An error becomes a `ValueError`; warnings stay with
/// the model.
fn load(
    py: Python<'_>,
    assets: HashMap<String, Vec<u8>>,
    options: &LoadOptions,
    read: impl FnOnce(&Assets) -> Parsed + Send,
) -> PyResult<Model> {
    // warnings of the reader precede the compiler's
    let compile = |assets: &Assets| -> Result<(Spec, Loaded), Error> {
        let (spec, mut said) = read(assets)?;
        match spec.compile(assets, options) {
            Ok(mut loaded) => {
                said.append(&mut loaded.warnings);
                Ok((spec, Loaded { warnings: said, ..loaded }))
            }
            Err(mut error) => {
                said.append(&mut error.diagnostics);
                Err(Error { diagnostics: said, ..error })
            }
        }
    };

    // detached: no Python object is used
    let assets: Assets = assets.into_iter().collect();
    let result = py.detach(|| quiet(|| compile(&assets)));
    let (spec, loaded) = result
        .map_err(|panic| exception(Failure::Panic(panic)))?
        .map_err(|e| PyValueError::new_err(error_text(&e)))?;

    // the model, its warnings, and its sources
    let text = |w: &Diagnostic| {
        let text = render(core::slice::from_ref(w), &loaded.sources);
        text.trim_end().to_owned()
    };
    let warnings = loaded.warnings.iter().map(text).collect();
    let origin = Origin { spec, assets, options: options.clone(), read: true };
    Ok(Model::compiled(loaded.model, warnings, origin))
}

/// The text of an error. The line of the first error is also given in MuJoCo's wording, which tools
/// search for.
pub(crate) fn error_text(error: &Error) -> String {
    let text = error.to_string().trim_end().to_owned();
    let first = error.diagnostics.iter().find(|d| d.is_error());
    match first.and_then(|d| d.place(&error.sources)) {
        Some(place) => format!("{text}\n(line {})", place.line),
        None => text,
    }
}

/// Saves a model that was read from XML, with later changes, as MuJoCo writes it. Some models are
/// saved as they were written. Such models were made in code, or read by other rules than MuJoCo's,
/// or elements of them were fused or discarded.
#[pyfunction]
#[pyo3(signature = (filename, m))]
fn mj_saveLastXML(filename: PathBuf, m: &Bound<'_, Model>) -> PyResult<()> {
    let usual = |o: &&Arc<Origin>| {
        let (plugins, cache) = (o.options.plugins.clone(), o.options.cache.clone());
        let scopes = &o.spec.scopes;
        let compiler = scopes.first().map(|scope| scope.compiler.values());
        let whole = compiler.is_none_or(|c| !c.fusestatic() && !c.discardvisual());
        o.read && whole && o.options == LoadOptions { plugins, cache, ..LoadOptions::default() }
    };
    let Some(origin) = m.get().origin.as_ref().filter(usual) else {
        return save_as_written(filename, m);
    };
    let Origin { spec, assets, options, .. } = &**origin;
    let xml = with_model(m, |model| -> Result<Option<String>, String> {
        let before = spec.compile(assets, options).map_err(|e| e.to_string())?.model;
        spec.to_mujoco_xml_edited(&before, model, &options.plugins)
    })?;
    match xml.map_err(|words| FatalError::new_err(format!("XML Error: {words}")))? {
        Some(xml) => Ok(std::fs::write(filename, xml)?),
        None => save_as_written(filename, m),
    }
}

/// Saves the model as XML in its original form, with later changes.
#[pyfunction]
#[pyo3(signature = (filename, m))]
fn save_as_written(filename: PathBuf, m: &Bound<'_, Model>) -> PyResult<()> {
    let Some(origin) = &m.get().origin else {
        return Err(FatalError::new_err("mj_saveLastXML: the model was not loaded from XML"));
    };
    let Origin { spec, assets, options, .. } = &**origin;
    let xml = with_model(m, |model| -> Result<String, String> {
        // compiling again gives reference values for finding changes
        let before = spec.compile(assets, options).map_err(|e| e.to_string())?.model;
        // bytes, because normals of degenerate polygons are NaN
        if before.to_binary() == model.to_binary() {
            return Ok(spec.to_xml(Some(model)));
        }
        spec.to_xml_edited(&before, model).ok_or_else(|| {
            "bodies were fused or objects discarded by the compiler: changes cannot be written back"
                .to_owned()
        })
    })?;
    let xml = xml.map_err(|text| FatalError::new_err(format!("mj_saveLastXML: {text}")))?;
    std::fs::write(filename, xml)?;
    Ok(())
}

/// All files of a model: the XML file, included files, and assets.
#[pyfunction]
fn mju_getXMLDependencies(filename: Text) -> PyResult<Vec<String>> {
    caught(|| sinew_mjcf::xml_dependencies(Path::new(&filename.0)))?
        .map_err(|e| FatalError::new_err(e.to_string().trim_end().to_owned()))
}

/// All elements of MJCF with their attributes, as text or as an HTML table.
#[pyfunction]
fn mj_printSchema(flg_html: bool, flg_pad: bool) -> String {
    schema_text(flg_html, flg_pad)
}

/// Saves the model as an MJB file, or writes the same bytes to a buffer.
#[pyfunction]
#[pyo3(signature = (m, filename=None, buffer=None))]
fn mj_saveModel(
    m: &Bound<'_, Model>,
    filename: Option<PathBuf>,
    buffer: Option<&Bound<'_, PyArray1<u8>>>,
) -> PyResult<()> {
    let bytes = m.get().cell.read(m.py())?.to_binary();
    if let Some(buffer) = buffer {
        let mut buffer = buffer.try_readwrite()?;
        let target = buffer.as_slice_mut()?;
        if target.len() < bytes.len() {
            return Err(FatalError::new_err("attempting to write outside model buffer"));
        }
        target[..bytes.len()].copy_from_slice(&bytes);
    } else if let Some(filename) = filename {
        std::fs::write(filename, bytes)?;
    }
    Ok(())
}

/// Number of bytes that `mj_saveModel` writes.
#[pyfunction]
fn mj_sizeModel(m: &Bound<'_, Model>) -> PyResult<usize> {
    Ok(m.get().cell.read(m.py())?.to_binary().len())
}

/// A hash of the model's structure: the tree of bodies, their elements, and the numbers of other
/// elements.
#[pyfunction]
fn signature(m: &Bound<'_, Model>) -> PyResult<u64> {
    with_model(m, |m| hash_text(&structure(m)))
}

/// FNV-1a hash of a text.
#[pyfunction]
fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The structure of a model as text, in the same form as an `MjSpec`'s.
fn structure(m: &sinew_model::Model) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut open: Vec<usize> = Vec::new();

    // numbers of sites, cameras and lights of each body
    let count = |bodies: &[BodyId]| {
        let mut counts = vec![0; m.nbody];
        bodies.iter().for_each(|b| counts[b.idx()] += 1);
        counts
    };
    let counts =
        [("s", count(&m.site_bodyid)), ("c", count(&m.cam_bodyid)), ("l", count(&m.light_bodyid))];

    // descendants of a body have consecutive ids
    for body in 0..m.nbody {
        let parent = m.body_parentid[body].idx();
        while open.last().is_some_and(|last| *last != parent) {
            open.pop();
            words.push(")".into());
        }
        open.push(body);
        words.push("(".into());
        let first = m.body_jntadr[body].get().map_or(0, |j| j.idx());
        let joints = usize::try_from(m.body_jntnum[body]).unwrap_or(0);
        words.extend((first..first + joints).map(|j| match m.jnt_type[j] {
            JointType::Free => "j7".to_owned(),
            JointType::Ball => "j4".to_owned(),
            _ => "j1".to_owned(),
        }));
        let geoms = usize::try_from(m.body_geomnum[body]).unwrap_or(0);
        words.extend(core::iter::repeat_n("g".to_owned(), geoms));
        for (word, counts) in &counts {
            words.extend(core::iter::repeat_n((*word).to_owned(), counts[body]));
        }
    }
    words.extend(open.iter().map(|_| ")".to_owned()));

    // other elements
    let counts = [
        ("flex", m.nflex),
        ("mesh", m.nmesh),
        ("skin", m.nskin),
        ("hfield", m.nhfield),
        ("texture", m.ntex),
        ("material", m.nmat),
        ("pair", m.npair),
        ("exclude", m.nexclude),
        ("equality", m.neq),
        ("tendon", m.ntendon),
        ("actuator", m.nu),
    ];
    words.extend(counts.iter().map(|(name, n)| format!("{name}{n}")));
    words.extend(m.sensor_type.iter().map(|kind| format!("sensor{}", kind.0)));
    words.push(format!("key{}", m.nkey));
    words.join(" ")
}

/// Bytes that the assets in the cache take.
#[pyfunction]
fn cache_size() -> PyResult<usize> {
    caught(|| AssetCache::shared().size())
}

/// Maximum number of bytes that the assets in the cache may take.
#[pyfunction]
fn cache_capacity() -> PyResult<usize> {
    caught(|| AssetCache::shared().capacity())
}

/// Sets how many bytes the assets in the cache may take.
#[pyfunction]
fn set_cache_capacity(bytes: usize) -> PyResult<()> {
    caught(|| AssetCache::shared().set_capacity(bytes))
}

/// Removes all assets from the cache.
#[pyfunction]
fn clear_cache() -> PyResult<()> {
    caught(|| AssetCache::shared().clear())
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    // initialise now, while the interpreter lock is held: a child forked during initialisation in
    // another thread would wait for that thread forever
    let _ = Spec::parse_str("<mujoco/>", &sinew_mjcf::Assets::default(), &LoadOptions::default());
    m.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    m.add("OPTIMIZED", !cfg!(debug_assertions))?;
    m.add_function(wrap_pyfunction!(load_binary, m)?)?;
    m.add_function(wrap_pyfunction!(load_path, m)?)?;
    m.add_function(wrap_pyfunction!(load_string, m)?)?;
    m.add_function(wrap_pyfunction!(cache_size, m)?)?;
    m.add_function(wrap_pyfunction!(cache_capacity, m)?)?;
    m.add_function(wrap_pyfunction!(set_cache_capacity, m)?)?;
    m.add_function(wrap_pyfunction!(clear_cache, m)?)?;
    m.add_function(wrap_pyfunction!(signature, m)?)?;
    m.add_function(wrap_pyfunction!(hash_text, m)?)?;
    m.add_function(wrap_pyfunction!(mju_getXMLDependencies, m)?)?;
    m.add_function(wrap_pyfunction!(mj_printSchema, m)?)?;
    m.add_function(wrap_pyfunction!(mj_saveModel, m)?)?;
    m.add_function(wrap_pyfunction!(mj_saveLastXML, m)?)?;
    m.add_function(wrap_pyfunction!(save_as_written, m)?)?;
    m.add_function(wrap_pyfunction!(mj_sizeModel, m)?)
}
