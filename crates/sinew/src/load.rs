//! Loading models.

use std::path::Path;

use sinew_mjcf::{Assets, LoadOptions, Loaded};
use sinew_model::Model;

use crate::error::Result;

/// Loads and compiles a model file, MJCF or URDF.
///
/// Warnings are dropped; [`load_with`] gives them.
#[doc(alias = "mj_loadXML")]
pub fn load(path: impl AsRef<Path>) -> Result<Model> {
    Ok(load_with(path, &LoadOptions::default())?.model)
}

/// Loads and compiles a model file with options, and returns the warnings with the model.
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Loaded> {
    Ok(sinew_mjcf::load_path(path.as_ref(), options)?)
}

/// Loads and compiles a model given as a text.
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

/// Loads and compiles a text whose files are `assets`, with options.
pub fn load_str_with(xml: &str, assets: &Assets, options: &LoadOptions) -> Result<Loaded> {
    Ok(sinew_mjcf::load_str(xml, assets, options)?)
}
