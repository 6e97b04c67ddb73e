//! Keyframes in arguments: by name or number.

use anyhow::{Result, ensure};
use sinew::Model;

/// The index of a keyframe.
pub(crate) fn find(model: &Model, key: &str) -> Result<usize> {
    let index = match key.parse::<usize>() {
        Ok(index) => index,
        Err(_) => model.key(key)?.idx(),
    };
    ensure!(index < model.nkey, "--key {index}: the model has {} keyframes", model.nkey);
    Ok(index)
}
