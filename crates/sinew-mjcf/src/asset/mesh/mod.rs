//! Meshes: from files or inline numbers to the tables of the model.

mod builtin;
pub(crate) mod data;
mod field;
pub(crate) mod fit;
mod isosurface;
mod msh;
mod normals;
mod obj;
mod polygon;
mod recipe;
mod stl;
pub(crate) mod surface;

use sinew_geom::bvh::{Bvh, BvhItem};
use sinew_geom::hull::{Hull, convex_hull};
use sinew_geom::mass::{self, MassRule};
use sinew_geom::sdf::{Cells, Surface, grow};
use sinew_math::{MINVAL, Quat, Vec3, eig3_by};
use sinew_model::enums::MeshInertia;

use crate::asset::error::AssetError;
use crate::asset::mesh::builtin::expand_builtin;
use crate::asset::mesh::data::{CompiledMesh, MeshInput, RawMesh, points};
use crate::asset::mesh::polygon::Polygons;
use crate::asset::source::{ReadFile, content_type};
use crate::pose::unit_quat;

/// Compiles one mesh.
#[doc(alias = "mjCMesh")]
pub(crate) fn compile_mesh(
    input: &MeshInput,
    read: &mut ReadFile<'_>,
) -> Result<CompiledMesh, AssetError> {
    if input.builtin.is_some() {
        let mut made = input.clone();
        expand_builtin(&mut made)?;
        return compile_mesh(&made, read);
    }

    // vertices, faces, normals as given
    let mut raw = match &input.field {
        Some(field) => isosurface::make(field, input)?,
        None => gather(input, read)?,
    };
    let from_obj = content_type(&input.file, &input.content_type).as_deref() == Some("model/obj");
    check(&raw, from_obj && !input.file.is_empty())?;
    if input.inertia == MeshInertia::Exact {
        check_orientation(&raw, &input.name)?;
    }

    // hull; its faces stand in if there are none
    let convex = input.inertia == MeshInertia::Convex;
    let hull = if input.needhull || convex || raw.face.is_empty() {
        Some(hull(&raw.vert, input.maxhullvert)?)
    } else {
        None
    };
    let hull_face: Vec<[i32; 3]> =
        hull.iter().flat_map(|h| h.faces()).map(|f| f.map(|i| i as i32)).collect();
    if raw.face.is_empty() {
        raw.face = hull_face.concat();
    }
    complete(&mut raw, input.smoothnormal)?;
    let face = triples(&raw.face);
    let outline_of = if hull.is_some() { &hull_face } else { &face };
    let polygons = polygon::polygons(&raw.vert, outline_of);

    let warnings = match input.needhull && !input.only_field {
        true => hull_warning(&raw.vert, &face, &hull_face).into_iter().collect(),
        false => Vec::new(),
    };

    // to the frame of inertia
    transform(&mut raw, input);
    let mass_of = if convex { &hull_face } else { &face };
    let body = principal(&raw.vert, &face, mass_of, input)?;
    let (center, quat) = match input.field.is_some() {
        // a plugin's distances are in the frame they are written in
        true => (Vec3::ZERO, Quat::IDENTITY),
        false => (body.center, body.quat),
    };
    let aamm = to_frame(&mut raw, center, quat);

    let mut mesh = CompiledMesh {
        vert: raw.vert.iter().map(|v| v.to_array().map(|x| x as f32)).collect(),
        normal: raw.normal.chunks_exact(3).map(|n| [n[0], n[1], n[2]]).collect(),
        texcoord: raw.texcoord.chunks_exact(2).map(|t| [t[0], t[1]]).collect(),
        facenormal: triples(&raw.facenormal),
        facetexcoord: triples(&raw.facetexcoord),
        graph: hull.as_ref().map(Hull::graph).unwrap_or_default(),
        pos: center,
        quat,
        scale: input.scale.into(),
        boxsz: body.boxsz,
        volume: body.volume,
        aamm,
        inertia: input.inertia,
        bvh: face_tree(&raw.vert, &face),
        face,
        warnings,
        ..CompiledMesh::default()
    };
    mesh.set_polygons(polygons, &raw.vert);
    if input.needoctree && input.field.is_none() {
        mesh.octree = octree(&raw.vert, &mesh.face, aamm, !input.plugin)?;
    }
    Ok(mesh)
}

/// Distances from the surface, sampled; all zero if a plugin has them.
fn octree(
    vert: &[Vec3],
    face: &[[i32; 3]],
    aamm: [f64; 6],
    sampled: bool,
) -> Result<Cells, AssetError> {
    let corners: Vec<[Vec3; 3]> =
        face.iter().map(|f| f.map(|i| vert[usize::try_from(i).unwrap_or(0)])).collect();
    let surface = Surface::new(vert, face);
    let exact = surface.as_ref().map(|s| |p: Vec3| s.distance(p));
    let exact = exact.as_ref().filter(|_| sampled).map(|f| f as &dyn Fn(Vec3) -> f64);
    grow(&corners, aamm, exact).ok_or_else(|| AssetError::new("sdf coefficient computation failed"))
}

/// A hull that is larger than its mesh by less than this is not worth a warning: grooves, screw
/// holes and coarse rounding stay below.
const HULL_EXCESS: f64 = 1.05;

/// The warning about a mesh that collides as its hull although it is not convex.
fn hull_warning(vert: &[Vec3], face: &[[i32; 3]], hull_face: &[[i32; 3]]) -> Option<String> {
    let somewhere = vert[usize::try_from(hull_face.first()?[0]).ok()?];
    let (hull, center) = mass::volume_and_center(vert, hull_face, somewhere, MassRule::Signed);
    let mesh = mass::volume_and_center(vert, face, center, MassRule::Signed).0.abs();
    if !hull.is_finite() || hull <= HULL_EXCESS * mesh {
        return None;
    }
    let collides = "geoms collide as its convex hull";
    Some(match hull > 1e3 * mesh {
        true => format!("the mesh encloses no volume, and {collides}"),
        false => {
            let ratio = hull / mesh;
            format!("the mesh is not convex: {collides}, with {ratio:.2} times its volume")
        }
    })
}

/// The user's lists, completed by the file's; a list in both is an error.
fn gather(input: &MeshInput, read: &mut ReadFile<'_>) -> Result<RawMesh, AssetError> {
    // lists in the element
    let user = RawMesh {
        vert: points(&input.uservert)?,
        normal: input.usernormal.clone(),
        texcoord: input.usertexcoord.clone(),
        face: input.userface.clone(),
        facenormal: input.userfacenormal.clone(),
        facetexcoord: input.userfacetexcoord.clone(),
    };
    if !input.userface.len().is_multiple_of(3) {
        return Err(AssetError::new("face data must be a multiple of 3"));
    }
    if input.file.is_empty() {
        return Ok(user);
    }

    // lists in the file; no list may be in both
    let file = load(input, read)?;
    let clash = |what: &str| AssetError::new(format!("repeated {what} specification"));
    let clashes = [
        (!file.normal.is_empty() && !user.normal.is_empty(), "normal"),
        (!file.texcoord.is_empty() && !user.texcoord.is_empty(), "texcoord"),
        (!file.face.is_empty() && !user.face.is_empty(), "face"),
        (!file.vert.is_empty() && !user.vert.is_empty(), "vertex"),
        (!file.facenormal.is_empty() && !user.normal.is_empty(), "facenormal"),
        (!file.facetexcoord.is_empty() && !user.facetexcoord.is_empty(), "facetexcoord"),
    ];
    if let Some((_, what)) = clashes.iter().find(|(both, _)| *both) {
        return Err(clash(what));
    }

    // the one that there is
    fn either<T>(file: Vec<T>, user: Vec<T>) -> Vec<T> {
        if file.is_empty() { user } else { file }
    }
    Ok(RawMesh {
        vert: either(file.vert, user.vert),
        normal: either(file.normal, user.normal),
        texcoord: either(file.texcoord, user.texcoord),
        face: either(file.face, user.face),
        facenormal: either(file.facenormal, user.facenormal),
        facetexcoord: either(file.facetexcoord, user.facetexcoord),
    })
}

fn load(input: &MeshInput, read: &mut ReadFile<'_>) -> Result<RawMesh, AssetError> {
    let path = &input.file;
    let bytes = read(path).map_err(AssetError::new)?;
    let righthand = input.scale[0] * input.scale[1] * input.scale[2] > 0.0;
    match content_type(path, &input.content_type).as_deref() {
        Some("model/stl") => stl::load(&bytes, path, righthand),
        Some("model/obj") => obj::load(&bytes, path, righthand),
        Some("model/vnd.mujoco.msh") => msh::load(&bytes, path, righthand),
        Some(other) => Err(AssetError::new(format!("unsupported mesh type: '{other}'"))),
        None if input.content_type.is_empty() => {
            Err(AssetError::new(format!("unknown or unsupported mesh file: '{path}'")))
        }
        None => Err(AssetError::new(format!("invalid content type: '{}'", input.content_type))),
    }
}

/// Sizes and indices that everything after relies on.
#[doc(alias = "CheckInitialMesh")]
fn check(raw: &RawMesh, from_obj: bool) -> Result<(), AssetError> {
    let nvert = raw.vert.len();

    // lengths of the lists
    let sizes = [
        (nvert < 4, "at least 4 vertices required"),
        (!raw.normal.len().is_multiple_of(3), "normal data must be a multiple of 3"),
        (!raw.texcoord.len().is_multiple_of(2), "texcoord must be a multiple of 2"),
        (!raw.face.len().is_multiple_of(3), "face data must be a multiple of 3"),
        (
            !raw.texcoord.is_empty()
                && raw.texcoord.len() != 2 * nvert
                && raw.facetexcoord.is_empty()
                && !from_obj,
            "texcoord must be 2*nv if face texcoord indices are not provided in an OBJ file",
        ),
    ];
    if let Some((_, message)) = sizes.iter().find(|(bad, _)| *bad) {
        return Err(AssetError::new(*message));
    }

    // vertices that faces name
    let missing = |&(_, v): &(usize, &i32)| usize::try_from(*v).map_or(true, |v| v >= nvert);
    match raw.face.iter().enumerate().find(missing) {
        None => Ok(()),
        Some((i, v)) => {
            let face = i / 3;
            Err(AssetError::new(format!("in face {face}, vertex index {v} does not exist")))
        }
    }
}

/// An edge that two triangles run along in the same direction has them turned differently.
fn check_orientation(raw: &RawMesh, name: &str) -> Result<(), AssetError> {
    let mut edges = Vec::with_capacity(raw.face.len());
    for face in raw.face.chunks_exact(3) {
        let [a, b, c] = [face[0], face[1], face[2]];
        let at = |i: i32| raw.vert[i as usize];
        if mass::triangle(at(a), at(b), at(c)).0 > MINVAL.sqrt() {
            edges.extend([(a, b), (b, c), (c, a)]);
        }
    }
    edges.sort_unstable();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => Err(AssetError::new(format!(
            "faces of mesh '{name}' have inconsistent orientation. Please check the faces \
             containing the vertices {} and {}.",
            pair[0].0 + 1,
            pair[0].1 + 1
        ))),
    }
}

fn hull(vert: &[Vec3], maxhullvert: i32) -> Result<Hull, AssetError> {
    let limit = usize::try_from(maxhullvert).ok();
    convex_hull(vert, limit).map_err(|_| AssetError::new("qhull error"))
}

/// Normals, and the indices of normals and texture coordinates, where they were not given.
fn complete(raw: &mut RawMesh, smoothnormal: bool) -> Result<(), AssetError> {
    let sizes = |list: &[i32], what: &str| {
        if list.is_empty() || list.len() == raw.face.len() {
            return Ok(());
        }
        Err(AssetError::new(format!("face data must have the same size as face {what} data")))
    };
    sizes(&raw.facenormal, "normal")?;
    sizes(&raw.facetexcoord, "texcoord")?;
    if raw.normal.is_empty() {
        raw.normal = normals::vertex_normals(&raw.vert, &raw.face, smoothnormal);
        raw.facenormal.clone_from(&raw.face);
    }
    if raw.facetexcoord.is_empty() {
        raw.facetexcoord =
            if raw.texcoord.is_empty() { vec![0; raw.face.len()] } else { raw.face.clone() };
    }
    if raw.facenormal.is_empty() {
        let per_vertex = (raw.normal.len() / (3 * raw.vert.len())) as i32;
        raw.facenormal = raw.face.iter().map(|v| per_vertex * v).collect();
    }
    Ok(())
}

/// Applies `refpos`, `refquat` and `scale`, and makes the normals unit vectors.
#[doc(alias = "ApplyTransformations")]
fn transform(raw: &mut RawMesh, input: &MeshInput) {
    let RawMesh { vert, normal, .. } = raw;

    // translate
    if input.refpos != [0.0; 3] {
        let shift = Vec3::from(input.refpos);
        vert.iter_mut().for_each(|v| *v -= shift);
    }

    // rotate
    if input.refquat != [1.0, 0.0, 0.0, 0.0] {
        let mat = unit_quat(input.refquat.into()).to_mat();
        vert.iter_mut().for_each(|v| *v = mat.tmul_vec(*v));
        for n in normal.chunks_exact_mut(3) {
            let turned = mat.tmul_vec(Vec3::new(n[0].into(), n[1].into(), n[2].into()));
            (n[0], n[1], n[2]) = (turned.x as f32, turned.y as f32, turned.z as f32);
        }
    }

    // scale, normals too
    if input.scale != [1.0; 3] {
        let scale = Vec3::from(input.scale);
        vert.iter_mut().for_each(|v| *v = v.mul_elem(scale));
        for n in normal.chunks_exact_mut(3) {
            for k in 0..3 {
                n[k] = (f64::from(n[k]) * scale[k]) as f32;
            }
        }
    }
    for n in normal.chunks_exact_mut(3) {
        // unit length
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        if f64::from(square) > MINVAL {
            let s = 1.0 / square.sqrt();
            n.iter_mut().for_each(|x| *x *= s);
        } else {
            n.copy_from_slice(&[0.0, 0.0, 1.0]);
        }
    }
}

/// Mass properties of a mesh of unit density.
struct Principal {
    center: Vec3,
    quat: Quat,
    boxsz: Vec3,
    volume: f64,
}

/// Centre of mass, principal axes, equivalent box and volume (or area).
fn principal(
    vert: &[Vec3],
    face: &[[i32; 3]],
    mass_of: &[[i32; 3]],
    input: &MeshInput,
) -> Result<Principal, AssetError> {
    let name = &input.name;
    let rule = match input.inertia {
        MeshInertia::Shell => MassRule::Shell,
        MeshInertia::Legacy => MassRule::Absolute,
        _ => MassRule::Signed,
    };
    let (area, centroid) = mass::face_centroid(vert, face);
    if area < MINVAL {
        return Err(AssetError::new(format!("mesh surface area is too small: {name}")));
    }
    let (volume, center) = mass::volume_and_center(vert, mass_of, centroid, rule);
    if volume < MINVAL {
        return Err(AssetError::new(match rule {
            MassRule::Shell => format!("mesh surface area is too small: {name}"),
            _ if volume < 0.0 => {
                format!("mesh volume is negative (misoriented triangles): {name}")
            }
            _ => format!("mesh volume is too small: {name} . Try setting inertia to shell"),
        }));
    }

    // principal axes
    let (volume, inertia) = mass::inertia(vert, mass_of, center, rule);
    let eig = eig3_by(inertia, unit_quat);
    let [a, b, c] = eig.val.to_array();
    if c <= 0.0 {
        return Err(AssetError::new(format!(
            "eigenvalue of mesh inertia must be positive: {name}"
        )));
    }
    let exceeds = |x: f64, y: f64, z: f64| x + y < z * (1.0 - 1e-6) - 1e-9;
    if exceeds(a, b, c) || exceeds(a, c, b) || exceeds(b, c, a) {
        return Err(AssetError::new(format!(
            "eigenvalues of mesh inertia violate A + B >= C: {name}"
        )));
    }

    // half sizes of the box with this inertia
    let half = |x: f64, y: f64, z: f64| 0.5 * (6.0 * (x + y - z) / volume).sqrt();
    let boxsz = Vec3::new(half(b, c, a), half(a, c, b), half(a, b, c));
    Ok(Principal { center, quat: eig.quat, boxsz, volume })
}

/// Moves the mesh to the frame at `center`, `quat` and returns its bounds.
fn to_frame(raw: &mut RawMesh, center: Vec3, quat: Quat) -> [f64; 6] {
    let mat = quat.conj().to_mat();
    let mut aamm = [1e10, 1e10, 1e10, -1e10, -1e10, -1e10];
    for v in &mut raw.vert {
        *v = mat * (*v - center);
        for k in 0..3 {
            aamm[k] = f64::min(aamm[k], v[k]);
            aamm[k + 3] = f64::max(aamm[k + 3], v[k]);
        }
    }
    for n in raw.normal.chunks_exact_mut(3) {
        let turned = mat * Vec3::new(n[0].into(), n[1].into(), n[2].into());
        (n[0], n[1], n[2]) = (turned.x as f32, turned.y as f32, turned.z as f32);
    }
    aamm
}

/// Tree of the triangles, sorted by their circumcentres.
fn face_tree(vert: &[Vec3], face: &[[i32; 3]]) -> Bvh {
    let items: Vec<BvhItem> = face
        .iter()
        .enumerate()
        .map(|(id, corners)| {
            let [a, b, c] = corners.map(|i| vert[i as usize]);
            let low =
                Vec3::new(a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y), a.z.min(b.z).min(c.z));
            let high =
                Vec3::new(a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y), a.z.max(b.z).max(c.z));
            BvhItem {
                id: id as i32,
                collides: true,
                pos: circumcenter(a, b, c),
                quat: None,
                center: (low + high) * 0.5,
                half: (high - low) * 0.5,
            }
        })
        .collect();
    Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY)
}

/// Centre of the circle through three points; not finite if they are collinear.
fn circumcenter(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let (ca, cb) = (a - c, b - c);
    let normal = ca.cross(cb);
    let (aa, bb) = (ca.dot(ca), cb.dot(cb));
    let area = normal.norm();
    let toward = Vec3::new(aa * cb.x - bb * ca.x, aa * cb.y - bb * ca.y, aa * cb.z - bb * ca.z)
        .cross(normal);
    let along = |x: f64| x / (2.0 * area * area);
    Vec3::new(along(toward.x) + c.x, along(toward.y) + c.y, along(toward.z) + c.z)
}

impl CompiledMesh {
    fn set_polygons(&mut self, polygons: Polygons, vert: &[Vec3]) {
        let Polygons { vert: polyvert, num } = polygons;
        self.polymapnum = vec![0; vert.len()];
        for &num in &num {
            let adr =
                self.polyvertadr.last().zip(self.polyvertnum.last()).map_or(0, |(a, n)| a + n);
            let corners = &polyvert[adr as usize..(adr + num) as usize];
            self.polynormal.push(polygon::normal(vert, [corners[0], corners[1], corners[2]]));
            self.polyvertadr.push(adr);
            self.polyvertnum.push(num);
            for &corner in corners {
                self.polymapnum[corner as usize] += 1;
            }
        }

        // polygons at each vertex, in order
        let mut end = 0;
        for &num in &self.polymapnum {
            self.polymapadr.push(end);
            end += num;
        }
        self.polymap = vec![0; end as usize];
        let mut next = self.polymapadr.clone();
        for (i, (&adr, &num)) in self.polyvertadr.iter().zip(&self.polyvertnum).enumerate() {
            for &corner in &polyvert[adr as usize..(adr + num) as usize] {
                let at = &mut next[corner as usize];
                self.polymap[*at as usize] = i as i32;
                *at += 1;
            }
        }
        self.polyvert = polyvert;
    }
}

fn triples(flat: &[i32]) -> Vec<[i32; 3]> {
    flat.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
