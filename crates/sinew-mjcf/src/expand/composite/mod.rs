//! `<composite>`: a cable, a chain of bodies along a curve. MuJoCo `mjCComposite`.

mod cable;
mod made;
mod skin;
mod subgrid;

use crate::expand::composite::made::{Made, Wrong};
use crate::spec::{Composite, CompositeType};

/// Makes the bodies of a composite.
pub(crate) fn make(comp: &Composite) -> Result<Made, Wrong> {
    let count = check(comp)?;
    check_plugin(comp)?;
    match comp.values().type_() {
        CompositeType::Cable => cable::make(comp, count),
        CompositeType::Particle => {
            removed("particle", "replicate", "a <replicate> with a body that has a free joint")
        }
        CompositeType::Grid => {
            removed("grid", "flex", "<flexcomp type=\"grid\"> with <edge equality=\"true\"/>")
        }
        CompositeType::Rope => removed("rope", "cable", "<composite type=\"cable\">"),
        CompositeType::Loop => removed("loop", "flexcomp", "<flexcomp type=\"circle\" dim=\"1\">"),
        CompositeType::Cloth => removed(
            "cloth",
            "shell",
            "<flexcomp type=\"grid\" dim=\"2\"> with <edge equality=\"true\"/> or <elasticity>",
        ),
    }
}

/// The error for a kind that MuJoCo no longer has, in its words and with the replacement.
fn removed(kind: &str, word: &str, help: &str) -> Result<Made, Wrong> {
    let words =
        format!("The \"{kind}\" composite type is deprecated. Please use \"{word}\" instead.");
    Err(Wrong { words, help: Some(format!("write {help}")) })
}

/// Only the plugin for cables is for composites.
fn check_plugin(comp: &Composite) -> Result<(), Wrong> {
    let Some(plugin) = &comp.plugin else { return Ok(()) };
    if comp.type_.get() != Some(&CompositeType::Cable) {
        return Err("Only cable composite supports plugins".into());
    }
    if plugin.plugin.text() != "mujoco.elasticity.cable" {
        return Err("Only mujoco.elasticity.cable is supported by composites".into());
    }
    Ok(())
}

/// Numbers of points along the axes, if the attributes make sense.
fn check(comp: &Composite) -> Result<[i32; 3], Wrong> {
    let written = comp.values().count().to_vec();
    if written.len() > 3 {
        return Err("attribute 'count' has too much data".into());
    }

    // counts and sizes
    let mut count = [1; 3];
    count[..written.len()].copy_from_slice(&written);
    let size = comp.values().size();
    let vertices = comp.vertex.get().map_or(0, Vec::len);
    if comp.joints.len() > 1 && comp.type_.get() != Some(&CompositeType::Particle) {
        return Err("Only particles are allowed to have multiple joints".into());
    }
    if count.iter().any(|n| *n < 1) {
        return Err("Positive counts expected in composite".into());
    }
    let square = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
    if square < sinew_math::MINVAL && vertices == 0 {
        return Err("Positive spacing or length expected in composite".into());
    }

    // points that are given determine the count
    if vertices > 0 {
        if count[0] > 1 {
            return Err("Either vertex or count can be specified, not both".into());
        }
        count[0] = i32::try_from(vertices / 3).map_err(|_| "too many vertices in composite")?;
        count[1] = 1;
    }

    // dimensions, and the needs of a skin
    let singles = count.iter().position(|n| *n == 1).unwrap_or(3);
    if count[singles..].iter().any(|n| *n != 1) {
        return Err("Singleton counts must come last".into());
    }
    let subgrid = comp.skin.as_ref().map_or(0, |s| s.subgrid.or(0));
    let is_cable = comp.type_.get() == Some(&CompositeType::Cable);
    if subgrid > 0 && !is_cable && (count[0] < 3 || count[1] < 3) {
        return Err("At least 3x3 required for skin subgrid".into());
    }
    Ok(count)
}
