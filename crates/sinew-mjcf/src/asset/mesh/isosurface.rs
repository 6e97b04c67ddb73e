//! A mesh of a distance field.

use sinew_geom::sdf::marching_cubes;
use sinew_math::Vec3;
use sinew_model::plugin::DistanceField;

use crate::asset::error::AssetError;
use crate::asset::mesh::data::{MeshInput, RawMesh, points};

/// Cells along three edges of the box around a field, together.
const CELLS: f64 = 300.0;

/// The surface where a field is zero.
#[doc(alias = "LoadSDF")]
pub(super) fn make(field: &dyn DistanceField, input: &MeshInput) -> Result<RawMesh, AssetError> {
    if input.scale != [1.0; 3] {
        let name = &input.name;
        let words = format!("attribute scale is not compatible with SDFs in mesh '{name}'");
        return Err(AssetError::new(words));
    }

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

    // its surface, from grid to box
    let surface = marching_cubes(&samples, n);
    let mut flat = Vec::with_capacity(3 * surface.vertices.len());
    for vertex in &surface.vertices {
        for k in 0..3 {
            let x = 2.0 * half[k] * f64::from(vertex[k]) / (n[k] as f64 - 1.0) + aabb[k] - half[k];
            flat.push(x as f32);
        }
    }
    Ok(RawMesh {
        vert: points(&flat)?,
        normal: surface.normals.concat(),
        face: surface.faces.concat().into_iter().map(|i| i as i32).collect(),
        ..RawMesh::default()
    })
}
