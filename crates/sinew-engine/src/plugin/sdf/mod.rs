//! `mujoco.sdf.*`: shapes given by signed distances.

mod bolt;
mod bowl;
mod gear;
mod nut;
mod ops;
mod screw;
mod torus;

use std::sync::Arc;

use sinew_model::enums::PluginCapabilityBit;
use sinew_model::plugin::{DistanceField, Instance, Plugin};
use sinew_model::{Model, PluginId};

use crate::plugin::settings::{is_number, leading_number};

/// A shape with parameters.
#[derive(Clone, Copy)]
pub(super) struct ShapeKind {
    name: &'static str,
    /// Parameters and their defaults.
    attributes: &'static [(&'static str, f64)],
    /// Parameters that must be whole numbers of text.
    checked: &'static [&'static str],
    /// MuJoCo's message otherwise.
    wrong: &'static str,
    /// The shape with given parameters.
    make: fn(&[f64]) -> Box<dyn DistanceField>,
}

/// All shapes, in the order of their registration.
pub(super) const KINDS: [ShapeKind; 5] = [
    ShapeKind {
        name: "mujoco.sdf.bolt",
        attributes: &[("radius", 0.26)],
        checked: &["radius"],
        wrong: "Invalid parameter specification in Bolt plugin",
        make: |p| Box::new(bolt::Bolt { radius: p[0] }),
    },
    ShapeKind {
        name: "mujoco.sdf.bowl",
        attributes: &[("height", 0.4), ("radius", 1.0), ("thickness", 0.02)],
        checked: &["radius", "height", "thickness"],
        wrong: "Invalid parameter specification in Bowl plugin",
        make: |p| Box::new(bowl::Bowl { height: p[0], radius: p[1], thickness: p[2] }),
    },
    ShapeKind {
        name: "mujoco.sdf.gear",
        attributes: &[
            ("alpha", 0.0),
            ("diameter", 2.8),
            ("teeth", 25.0),
            ("thickness", 0.2),
            ("innerdiameter", -1.0),
        ],
        checked: &["alpha", "diameter", "teeth", "innerdiameter"],
        wrong: "Invalid parameter specification in Gear plugin",
        make: |p| {
            Box::new(gear::Gear {
                alpha: p[0],
                diameter: p[1],
                teeth: p[2],
                thickness: p[3],
                inner_diameter: p[4],
            })
        },
    },
    ShapeKind {
        name: "mujoco.sdf.nut",
        attributes: &[("radius", 0.26)],
        checked: &["radius"],
        wrong: "Invalid parameter specification in Nut plugin",
        make: |p| Box::new(nut::Nut { radius: p[0] }),
    },
    ShapeKind {
        name: "mujoco.sdf.torus",
        attributes: &[("radius1", 0.35), ("radius2", 0.15)],
        checked: &["radius1", "radius2"],
        wrong: "Invalid radius1 or radius2 parameters in Torus plugin",
        make: |p| Box::new(torus::Torus { radius: p[0], tube: p[1] }),
    },
];

impl ShapeKind {
    /// The shape whose parameters have these texts, with defaults where one is empty.
    fn shape<'v>(
        &self,
        mut values: impl Iterator<Item = &'v str>,
    ) -> Result<Box<dyn DistanceField>, String> {
        let mut numbers = Vec::with_capacity(self.attributes.len());
        for (name, default) in self.attributes {
            numbers.push(match values.next().unwrap_or("") {
                "" => *default,
                value => match leading_number(value) {
                    Some((x, _)) => x,
                    None => return Err(format!("invalid attribute value for '{name}'")),
                },
            });
        }
        Ok((self.make)(&numbers))
    }
}

impl Plugin for ShapeKind {
    fn name(&self) -> &str {
        self.name
    }

    fn attributes(&self) -> Vec<&str> {
        self.attributes.iter().map(|(name, _)| *name).collect()
    }

    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Sdf.0
    }

    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        if self.checked.iter().any(|name| !is_number(m, id, name)) {
            return Err(self.wrong.into());
        }
        Ok(Arc::new(Shape(self.shape(m.plugin_values(id))?)))
    }

    fn distance_field(&self, values: &[&str]) -> Option<Result<Box<dyn DistanceField>, String>> {
        Some(self.shape(values.iter().copied()))
    }
}

/// An instance: all of it is its shape.
struct Shape(Box<dyn DistanceField>);

impl Instance for Shape {
    fn distance_field(&self) -> Option<&dyn DistanceField> {
        Some(&*self.0)
    }
}
