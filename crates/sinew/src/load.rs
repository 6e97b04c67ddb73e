//! Loading models.

use std::path::Path;

use sinew_mjcf::{Assets, LoadOptions, Loaded};
use sinew_model::Model;

use crate::error::Result;

/// Loads and compiles a model file, MJCF or URDF.
///
/// Warnings are dropped; [`load_with`] returns them.
///
/// ```
/// # std::env::set_current_dir("../..").expect("the models are there");
/// let model = sinew::load("models/arm.xml")?;
/// assert_eq!(model.nu, 7);
///
/// let error = sinew::load("models/leg.xml").unwrap_err().to_string();
/// assert!(error.contains("models/leg.xml"));
/// # Ok::<(), sinew::Error>(())
/// ```
#[doc(alias = "mj_loadXML")]
pub fn load(path: impl AsRef<Path>) -> Result<Model> {
    Ok(load_with(path, &LoadOptions::default())?.model)
}

/// Loads and compiles a model file with options. Returns the model with its warnings.
///
/// ```
/// # std::env::set_current_dir("../..").expect("the models are there");
/// // files outside of the model's folder are refused
/// let options = sinew::LoadOptions { confine: true, ..Default::default() };
/// let loaded = sinew::load_with("models/arm.xml", &options)?;
/// assert!(loaded.warnings.is_empty());
/// assert_eq!(loaded.model.nv, 7);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Loaded> {
    Ok(sinew_mjcf::load_path(path.as_ref(), options)?)
}

/// Loads and compiles a model from a string.
///
/// ```
/// let model = sinew::load_str(
///     r#"<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"#,
/// )?;
/// assert_eq!((model.nq, model.nv), (7, 6));
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn load_str(xml: &str) -> Result<Model> {
    Ok(load_str_with(xml, &Assets::new(), &LoadOptions::default())?.model)
}

/// Loads and compiles a string with options; `assets` are its files.
///
/// ```
/// let xml = r#"<mujoco><asset><mesh name="rock" file="rock.obj"/></asset>
///     <worldbody><geom type="mesh" mesh="rock"/></worldbody></mujoco>"#;
/// let rock = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
/// let assets = [("rock.obj", rock)].into_iter().collect();
/// let loaded = sinew::load_str_with(xml, &assets, &sinew::LoadOptions::default())?;
/// assert_eq!(loaded.model.nmeshvert, 4);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn load_str_with(xml: &str, assets: &Assets, options: &LoadOptions) -> Result<Loaded> {
    Ok(sinew_mjcf::load_str(xml, assets, options)?)
}
