//! Checks and automation of the workspace: `cargo xtask tidy`, `cargo xtask ci`, `cargo xtask
//! publish`.
//!
//! The crate has no dependencies, so that the checks build in a second and run everywhere.

pub mod chart;
pub mod ci;
pub mod guided;
pub mod learn;
pub mod long;
pub mod ptx;
pub mod publish;
pub mod race;
pub mod scan;
pub mod tidy;

use std::path::{Path, PathBuf};

/// The folder of the workspace for which cargo runs this program. A program that was built in
/// another checkout is not always built again.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let here = here.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}
