//! A distance field of a plugin, as distances on a grid.

use std::sync::{Arc, OnceLock};

use sinew_math::Vec3;
use sinew_model::plugin::DistanceField;

use crate::asset::error::AssetError;

/// Cells along three edges of the box around a field, together.
const CELLS: f64 = 300.0;

/// A distance field that meshes are made of.
#[derive(Clone)]
pub(crate) struct Field {
    field: Arc<dyn DistanceField>,
    /// Distances of the field, computed on first use.
    grid: OnceLock<Result<Grid, AssetError>>,
}

/// Distances at the points of a grid.
#[derive(Clone)]
pub(crate) struct Grid {
    /// Centre and half sizes of the box that the grid fills.
    pub(crate) aabb: [f64; 6],
    /// Points along the edges of the box.
    pub(crate) n: [usize; 3],
    /// The distances, along x first.
    pub(crate) samples: Vec<f32>,
}

impl From<Box<dyn DistanceField>> for Field {
    fn from(field: Box<dyn DistanceField>) -> Field {
        Field { field: field.into(), grid: OnceLock::new() }
    }
}

impl core::fmt::Debug for Field {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Field({:?})", self.field.aabb())
    }
}

impl Field {
    /// The distances, sampled on first use.
    pub(crate) fn grid(&self) -> Result<&Grid, AssetError> {
        self.grid.get_or_init(|| sample(&*self.field)).as_ref().map_err(Clone::clone)
    }
}

/// The distances on a grid over the box around a field.
fn sample(field: &dyn DistanceField) -> Result<Grid, AssetError> {
    // a grid over the box
    let aabb = field.aabb();
    let half = [aabb[3], aabb[4], aabb[5]];
    let total = half[0] + half[1] + half[2];
    if !half.iter().all(|h| *h > 0.0 && h.is_finite()) {
        let words = "the box around the distance field has no size: check the plugin's settings";
        return Err(AssetError::new(words));
    }
    let n = half.map(|h| (CELLS / total * h).floor() as usize + 1);
    let place =
        |k: usize, i: usize| aabb[k] - half[k] + 2.0 * half[k] * i as f64 / (n[k] as f64 - 1.0);

    // a layer after the other
    let mut samples = Vec::with_capacity(n[0] * n[1] * n[2]);
    let mut layer = Vec::with_capacity(n[0] * n[1]);
    let mut dist = vec![0.0; n[0] * n[1]];
    for k in 0..n[2] {
        layer.clear();
        for j in 0..n[1] {
            layer.extend((0..n[0]).map(|i| Vec3::new(place(0, i), place(1, j), place(2, k))));
        }
        field.distances(&layer, &mut dist);
        samples.extend(dist.iter().map(|d| *d as f32));
    }
    Ok(Grid { aabb, n, samples })
}
