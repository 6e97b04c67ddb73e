//! Checks and automation of the workspace: `cargo xtask tidy`, `cargo xtask ci`, `cargo xtask
//! publish`.
//!
//! Depends on nothing, so that the checks are built in a second and run everywhere.

pub mod ci;
pub mod long;
pub mod publish;
pub mod scan;
pub mod tidy;

use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_path_buf(), Path::to_path_buf)
}
