//! A mesh of a distance field.

use sinew_geom::sdf::marching_cubes;

use crate::asset::error::AssetError;
use crate::asset::mesh::data::{MeshInput, RawMesh, points};
use crate::asset::mesh::field::{Field, Grid};

/// The surface where a field is zero.
#[doc(alias = "LoadSDF")]
pub(super) fn make(field: &Field, input: &MeshInput) -> Result<RawMesh, AssetError> {
    if input.scale != [1.0; 3] {
        let name = &input.name;
        let words = format!("attribute scale is not compatible with SDFs in mesh '{name}'");
        return Err(AssetError::new(words));
    }
    let Grid { aabb, n, samples } = field.grid()?;

    // its surface, from grid to box
    let surface = marching_cubes(samples, *n);
    let mut flat = Vec::with_capacity(3 * surface.vertices.len());
    for vertex in &surface.vertices {
        for k in 0..3 {
            let (half, last) = (aabb[k + 3], n[k] as f64 - 1.0);
            let x = 2.0 * half * f64::from(vertex[k]) / last + aabb[k] - half;
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
