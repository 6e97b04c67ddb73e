//! Meshes: from files or inline numbers to the tables of the model.

use sinew_geom::bvh::Bvh;
use sinew_math::{Quat, Vec3};

use super::{AssetError, ReadFile};

/// How the inertia of a mesh is computed (`mesh/inertia`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MeshInertia {
    /// Of the convex hull.
    Convex,
    /// Of the enclosed volume; needs consistent faces.
    Exact,
    /// Sum of absolute pyramid volumes: overestimates concave meshes.
    #[default]
    Legacy,
    /// Of the surface.
    Shell,
}

/// Shapes a mesh can be generated from (`mesh/builtin`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshBuiltin {
    /// Subdivided icosahedron: `[subdivisions]`.
    Sphere,
    /// Upper half of a sphere with a cap: `[resolution]`.
    Hemisphere,
    /// Prism, cone or frustum: `[edges, top radius]`.
    Cone,
    /// Supertoroid: `[resolution, radius, s, t]`.
    Supertorus,
    /// Superellipsoid: `[resolution, e, n]`.
    Supersphere,
    /// Patch of a sphere: `[columns, rows, horizontal fov, vertical fov, gamma]`.
    Wedge,
    /// Rectangle, always a shell: `[columns, rows]`.
    Plate,
}

/// All that decides a compiled mesh. Empty lists mean "not given".
#[derive(Clone, Debug)]
pub struct MeshInput {
    /// Name used in messages.
    pub name: String,
    /// File to read, as `ReadFile` understands it; empty if the data is inline or builtin.
    pub file: String,
    /// Content type of the file; empty to go by its extension.
    pub content_type: String,
    /// `vertex`, flat.
    pub uservert: Vec<f32>,
    /// `normal`, flat.
    pub usernormal: Vec<f32>,
    /// `texcoord`, flat.
    pub usertexcoord: Vec<f32>,
    /// `face`, flat.
    pub userface: Vec<i32>,
    /// Normal of each face corner, flat.
    pub userfacenormal: Vec<i32>,
    /// Texture coordinate of each face corner, flat.
    pub userfacetexcoord: Vec<i32>,
    /// Shape to generate instead, with its parameters.
    pub builtin: Option<(MeshBuiltin, Vec<f64>)>,
    /// Scale along each axis, after `refpos` and `refquat`.
    pub scale: [f64; 3],
    /// Origin of the mesh, in the coordinates of the file.
    pub refpos: [f64; 3],
    /// Orientation of the mesh, in the coordinates of the file.
    pub refquat: [f64; 4],
    /// Whether to average normals over sharp edges too.
    pub smoothnormal: bool,
    /// Most vertices of the hull, or -1.
    pub maxhullvert: i32,
    /// Kind of inertia.
    pub inertia: MeshInertia,
    /// Whether a geom of type mesh (or sdf) that collides, is in a pair, or has convex inertia
    /// refers to this mesh.
    pub needhull: bool,
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
        }
    }
}

/// The tables of one mesh, with addresses relative to the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompiledMesh {
    /// Vertices, in the frame of inertia.
    pub vert: Vec<[f32; 3]>,
    /// Unit normals.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates; empty if there are none.
    pub texcoord: Vec<[f32; 2]>,
    /// Vertices of each triangle.
    pub face: Vec<[i32; 3]>,
    /// Normals of each triangle.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinates of each triangle; zeros if there are none.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Convex hull as `mesh_graph` has it; empty if none is needed.
    pub graph: Vec<i32>,
    /// Normal of each polygon of the hull (or of the mesh if it has no hull).
    pub polynormal: Vec<Vec3>,
    /// First entry of each polygon in `polyvert`.
    pub polyvertadr: Vec<i32>,
    /// Number of vertices of each polygon.
    pub polyvertnum: Vec<i32>,
    /// Vertices of the polygons.
    pub polyvert: Vec<i32>,
    /// First entry of each vertex in `polymap`.
    pub polymapadr: Vec<i32>,
    /// Number of polygons at each vertex.
    pub polymapnum: Vec<i32>,
    /// Polygons at the vertices.
    pub polymap: Vec<i32>,
    /// Where the centre of mass was before the mesh was moved there.
    pub pos: Vec3,
    /// How the frame of inertia was turned before the mesh was turned there.
    pub quat: Quat,
    /// The scale that was applied.
    pub scale: Vec3,
    /// Half sizes of the box with the same inertia.
    pub boxsz: Vec3,
    /// Volume, or surface area if the inertia is that of a shell.
    pub volume: f64,
    /// Smallest and largest coordinates: x, y, z, x, y, z.
    pub aamm: [f64; 6],
    /// Kind of inertia that was used (a plate is always a shell).
    pub inertia: MeshInertia,
    /// Tree of boxes around the triangles.
    pub bvh: Bvh,
    /// What the user should know although the mesh is accepted.
    pub warnings: Vec<String>,
}

/// Geom types that can be fitted to a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FitShape {
    /// Sphere.
    Sphere,
    /// Capsule along z.
    Capsule,
    /// Ellipsoid.
    Ellipsoid,
    /// Cylinder along z.
    Cylinder,
    /// Box.
    Box,
}

impl CompiledMesh {
    /// Size of a primitive fitted to the mesh and its centre in the mesh frame; entries that the
    /// shape does not use keep the values of `size`. `fitaabb` fits the bounding box instead of
    /// the box of inertia.
    #[doc(alias = "FitGeom")]
    pub fn fit(
        &self,
        shape: FitShape,
        size: [f64; 3],
        fitscale: f64,
        fitaabb: bool,
    ) -> ([f64; 3], Vec3) {
        let _ = (shape, fitscale, fitaabb);
        (size, Vec3::ZERO)
    }

    /// The geom frame in its body, given the pose written in the XML and the centre of the fit.
    pub fn geom_frame(&self, pos: Vec3, quat: Quat, center: Vec3) -> (Vec3, Quat) {
        let _ = center;
        (pos, quat)
    }
}

/// Compiles one mesh.
pub fn compile_mesh(
    input: &MeshInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledMesh, AssetError> {
    let _ = (input, read);
    Err(AssetError::new("meshes are not supported yet"))
}
