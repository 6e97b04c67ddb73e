//! A mesh in three stages: its description, the file's contents, the compiled arrays.

use sinew_geom::bvh::Bvh;
use sinew_geom::sdf::Cells;
use sinew_math::{Quat, Vec3};
use sinew_model::enums::{MeshBuiltin, MeshInertia};

use crate::asset::error::AssetError;
use crate::asset::mesh::field::Field;

/// All that decides a compiled mesh. Empty lists mean "not given".
#[derive(Clone, Debug)]
pub(crate) struct MeshInput {
    /// Name used in messages.
    pub(crate) name: String,
    /// File to read, as `ReadFile` understands it; empty if the data is inline or builtin.
    pub(crate) file: String,
    /// Content type of the file; empty to go by its extension.
    pub(crate) content_type: String,
    /// `vertex`, flat.
    pub(crate) uservert: Vec<f32>,
    /// `normal`, flat.
    pub(crate) usernormal: Vec<f32>,
    /// `texcoord`, flat.
    pub(crate) usertexcoord: Vec<f32>,
    /// `face`, flat.
    pub(crate) userface: Vec<i32>,
    /// Normal of each face corner, flat.
    pub(crate) userfacenormal: Vec<i32>,
    /// Texture coordinate of each face corner, flat.
    pub(crate) userfacetexcoord: Vec<i32>,
    /// Shape to generate instead, with its parameters.
    pub(crate) builtin: Option<(MeshBuiltin, Vec<f64>)>,
    /// Scale along each axis, after `refpos` and `refquat`.
    pub(crate) scale: [f64; 3],
    /// Origin of the mesh, in the coordinates of the file.
    pub(crate) refpos: [f64; 3],
    /// Orientation of the mesh, in the coordinates of the file.
    pub(crate) refquat: [f64; 4],
    /// Whether to average normals over sharp edges too.
    pub(crate) smoothnormal: bool,
    /// Maximum number of vertices of the hull, or -1.
    pub(crate) maxhullvert: i32,
    /// Kind of inertia.
    pub(crate) inertia: MeshInertia,
    /// Whether a geom of type mesh (or sdf) that collides, is in a pair, or has convex inertia
    /// refers to this mesh.
    pub(crate) needhull: bool,
    /// Whether a geom of type sdf refers to this mesh.
    pub(crate) needoctree: bool,
    /// Whether all geoms that collide as this mesh are distance fields, so that none takes its
    /// hull.
    pub(crate) only_field: bool,
    /// Whether a plugin has the distances of the mesh.
    pub(crate) plugin: bool,
    /// The distance field from which the mesh is made, instead of the other inputs.
    pub(crate) field: Option<Field>,
}

impl Default for MeshInput {
    fn default() -> Self {
        MeshInput {
            name: String::new(),
            file: String::new(),
            content_type: String::new(),
            uservert: Vec::new(),
            usernormal: Vec::new(),
            usertexcoord: Vec::new(),
            userface: Vec::new(),
            userfacenormal: Vec::new(),
            userfacetexcoord: Vec::new(),
            builtin: None,
            scale: [1.0; 3],
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            smoothnormal: false,
            maxhullvert: -1,
            inertia: MeshInertia::Legacy,
            needhull: false,
            needoctree: false,
            only_field: false,
            plugin: false,
            field: None,
        }
    }
}

/// The tables of one mesh, with addresses relative to the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CompiledMesh {
    /// Vertices, in the frame of inertia.
    pub(crate) vert: Vec<[f32; 3]>,
    /// Unit normals.
    pub(crate) normal: Vec<[f32; 3]>,
    /// Texture coordinates; empty if there are none.
    pub(crate) texcoord: Vec<[f32; 2]>,
    /// Vertices of each triangle.
    pub(crate) face: Vec<[i32; 3]>,
    /// Normals of each triangle.
    pub(crate) facenormal: Vec<[i32; 3]>,
    /// Texture coordinates of each triangle; zeros if there are none.
    pub(crate) facetexcoord: Vec<[i32; 3]>,
    /// Convex hull as `mesh_graph` has it; empty if none is needed.
    pub(crate) graph: Vec<i32>,
    /// Normal of each polygon of the hull (or of the mesh if it has no hull).
    pub(crate) polynormal: Vec<Vec3>,
    /// First entry of each polygon in `polyvert`.
    pub(crate) polyvertadr: Vec<i32>,
    /// Number of vertices of each polygon.
    pub(crate) polyvertnum: Vec<i32>,
    /// Vertices of the polygons.
    pub(crate) polyvert: Vec<i32>,
    /// First entry of each vertex in `polymap`.
    pub(crate) polymapadr: Vec<i32>,
    /// Number of polygons at each vertex.
    pub(crate) polymapnum: Vec<i32>,
    /// Polygons at the vertices.
    pub(crate) polymap: Vec<i32>,
    /// Where the centre of mass was before the mesh was moved there.
    pub(crate) pos: Vec3,
    /// How the frame of inertia was turned before the mesh was turned there.
    pub(crate) quat: Quat,
    /// The scale that was applied.
    pub(crate) scale: Vec3,
    /// Half sizes of the box with the same inertia.
    pub(crate) boxsz: Vec3,
    /// Volume, or surface area for a shell's inertia.
    pub(crate) volume: f64,
    /// Smallest and largest coordinates: x, y, z, x, y, z.
    pub(crate) aamm: [f64; 6],
    /// Kind of inertia that was used (a plate is always a shell).
    pub(crate) inertia: MeshInertia,
    /// Tree of boxes around the triangles.
    pub(crate) bvh: Bvh,
    /// Sampled distances from the surface; empty unless a geom needs them.
    pub(crate) octree: Cells,
    /// Warnings about an accepted mesh.
    pub(crate) warnings: Vec<String>,
}

/// A mesh as it was read, lists flat except for the vertices.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawMesh {
    pub(crate) vert: Vec<Vec3>,
    pub(crate) normal: Vec<f32>,
    pub(crate) texcoord: Vec<f32>,
    pub(crate) face: Vec<i32>,
    pub(crate) facenormal: Vec<i32>,
    pub(crate) facetexcoord: Vec<i32>,
}

/// Flat single-precision coordinates as points.
pub(crate) fn points(flat: &[f32]) -> Result<Vec<Vec3>, AssetError> {
    if !flat.len().is_multiple_of(3) {
        return Err(AssetError::new("vertex data must be a multiple of 3"));
    }
    let points = flat.chunks_exact(3).enumerate().map(|(i, v)| {
        if v.iter().any(|x| !x.is_finite()) {
            return Err(AssetError::new(format!("vertex coordinate {i} is not finite")));
        }
        Ok(Vec3::new(v[0].into(), v[1].into(), v[2].into()))
    });
    points.collect()
}
