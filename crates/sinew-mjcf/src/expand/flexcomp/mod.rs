//! `<flexcomp>`: a mesh of points, a body with sliders at each of them, and a flex over the bodies.
//!
//! MuJoCo `mjCFlexcomp`. The reader does this, so later passes see plain bodies and a plain flex.

mod bodies;
mod made;
mod pin;
mod shape;

use sinew_math::{MINVAL, Quat, Vec3};
use sinew_model::enums::EqType;

use crate::asset::gmsh;
use crate::asset::mesh::surface::load_surface;
use crate::orientation::orientation;
use crate::settings::Settings;
use crate::spec::{Attr, Equality, Flex, FlexEdge, Flexcomp, FlexcompDof, FlexcompType, Words};
pub(crate) use made::Made;
use pin::{Pinned, nodes, pinned};
use shape::{MAX_POINTS, Shape};

/// Reads the file of a flexcomp.
pub(crate) type ReadFile<'a> = dyn Fn(&str) -> Result<Vec<u8>, String> + 'a;

/// The body a flexcomp is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent<'a> {
    /// Name of the flexcomp.
    pub(crate) name: &'a str,
    /// The settings of its file.
    pub(crate) settings: &'a Settings,
}

/// Makes bodies, flex and constraint of a flexcomp, or says in MuJoCo's words why it cannot.
pub(crate) fn make(fc: &Flexcomp, parent: Parent<'_>, read: &ReadFile<'_>) -> Result<Made, String> {
    check(fc, parent)?;
    let quat = orientation(&fc.quat, &fc.alt, parent.settings)?;

    // points and elements, in the frame of the parent
    let mut shape = Shape::written(fc);
    match fc.values().type_() {
        FlexcompType::Mesh => load_mesh(fc, read, &mut shape)?,
        FlexcompType::Gmsh => load_gmsh(fc, read, &mut shape)?,
        _ => shape.generate(fc)?,
    }
    let mut pins = pinned(fc, &shape)?;
    check_shape(&shape)?;
    place(fc, quat, &mut shape.point);
    let bounds = bounding_box(&shape.point);
    if has_own_points(fc) {
        drop_unused(&mut shape, &mut pins, nodes(fc));
    }

    // a rigid flex is part of the parent; otherwise points or nodes are bodies
    let mut made = Made { flex: flex(fc, &shape), bodies: Vec::new(), equality: None };
    if pins.rigid {
        made.flex.body.set(Words(vec![parent.name.to_owned()]));
        made.flex.vertex.set(shape.point);
        return Ok(made);
    }
    let points = if nodes(fc) > 0 { 0 } else { shape.point.len() / 3 };
    made.flex.body.set(Words(vec![parent.name.to_owned(); shape.point.len() / 3]));
    for i in (0..points).filter(|i| !pins.at[*i]) {
        let point = &mut shape.point[3 * i..3 * i + 3];
        made.bodies.push(bodies::at_point(fc, i, points, point));
        if let Some(Words(names)) = made.flex.body.get_mut() {
            names[i] = bodies::name_of(fc, i);
        }
        if !pins.centered {
            point.fill(0.0);
        }
    }
    if nodes(fc) > 0 {
        bodies::at_nodes(fc, bounds, &pins, parent.name, &mut made);
    }
    if !pins.centered || nodes(fc) > 0 {
        made.flex.vertex.set(shape.point);
    }
    made.equality = equality(fc);
    Ok(made)
}

/// Whether points and elements are not generated.
fn has_own_points(fc: &Flexcomp) -> bool {
    use FlexcompType::{Direct, Gmsh, Mesh};
    matches!(fc.type_.get(), Some(Direct | Mesh | Gmsh))
}

/// The first error in the attributes, for all types.
fn check(fc: &Flexcomp, parent: Parent<'_>) -> Result<(), String> {
    let dim = fc.values().dim();
    let radial = fc.values().dof() == FlexcompDof::Radial && dim == 3;
    let least = if radial { 2 } else { 1 };
    let space = 2.0 * fc.values().radius() + fc.contact.values().margin();
    let spacing = fc.values().spacing();

    // the first that holds is reported
    let checks = [
        (parent.name.is_empty(), "Parent body must have name"),
        (!(1..=3).contains(&dim), "Invalid dim, must be between 1 and 3"),
        (fc.values().count().iter().any(|n| *n < least), "Count too small"),
        (
            !has_own_points(fc) && spacing.iter().any(|x| *x < space),
            "Spacing must be larger than geometry size",
        ),
        (fc.values().scale().iter().any(|x| *x < MINVAL), "Scale must be larger than mjMINVAL"),
        (
            fc.values().mass() < MINVAL || fc.values().inertiabox() < MINVAL,
            "Mass and inertiabox must be larger than mjMINVAL",
        ),
    ];
    match checks.iter().find(|(wrong, _)| *wrong) {
        Some((_, words)) => Err((*words).into()),
        None => Ok(()),
    }
}

/// Points and elements must be there and fit together.
fn check_shape(shape: &Shape) -> Result<(), String> {
    let points = shape.point.len() / 3;
    let checks = [
        (shape.point.is_empty() || shape.element.is_empty(), "Point and element required"),
        (!shape.point.len().is_multiple_of(3), "Point size must be a multiple of 3"),
        (
            !shape.element.len().is_multiple_of(shape.dim as usize + 1),
            "Element size must be a multiple of dim+1",
        ),
    ];
    if let Some((_, words)) = checks.iter().find(|(wrong, _)| *wrong) {
        return Err((*words).into());
    }
    let missing = |v: &i32| usize::try_from(*v).map_or(true, |v| v >= points);
    match shape.element.iter().position(missing) {
        Some(i) => Err(format!(
            "element {i} has point id {}, number of points is {points}",
            shape.element[i]
        )),
        None => Ok(()),
    }
}

/// Bytes of the file a flexcomp names.
fn file(fc: &Flexcomp, read: &ReadFile<'_>) -> Result<Vec<u8>, String> {
    match fc.file.text() {
        "" => Err("File is required".into()),
        path => read(path),
    }
}

/// Triangles of a mesh, or tetrahedra from them to the origin.
#[doc(alias = "MakeMesh")]
fn load_mesh(fc: &Flexcomp, read: &ReadFile<'_>, shape: &mut Shape) -> Result<(), String> {
    if fc.file.text().is_empty() {
        return Err("File is required".into());
    }
    if shape.dim < 2 {
        return Err("Flex dim must be at least 2 for mesh".into());
    }
    let mesh = load_surface(fc.file.text(), &file(fc, read)?).map_err(|e| e.message)?;
    if mesh.vert.is_empty() || mesh.face.is_empty() {
        return Err("Vertex and face data required".into());
    }
    if mesh.vert.len() > MAX_POINTS {
        return Err(format!("flexcomp has more than {MAX_POINTS} points"));
    }
    if !mesh.texcoord.is_empty() {
        shape.texcoord = mesh.texcoord;
        shape.elemtexcoord = mesh.facetexcoord;
    }
    shape.point = mesh.vert.iter().flat_map(|v| v.to_array()).collect();
    if shape.dim == 2 {
        shape.element = mesh.face;
        return Ok(());
    }

    // only tetrahedra with positive volume
    let origin = Vec3::from(fc.values().origin());
    shape.point.splice(0..0, origin.to_array());
    for face in mesh.face.chunks_exact(3) {
        let corner = |k: usize| usize::try_from(face[k]).ok().and_then(|v| mesh.vert.get(v));
        let (Some(&a), Some(&b), Some(&c)) = (corner(0), corner(1), corner(2)) else {
            return Err("mesh has a face with a vertex there is not".into());
        };
        if (a - origin).cross(b - origin).dot(c - origin) >= MINVAL {
            shape.element.extend([0, face[0] + 1, face[1] + 1, face[2] + 1]);
        }
    }
    Ok(())
}

/// Nodes and elements of a GMSH file.
#[doc(alias = "MakeGMSH")]
fn load_gmsh(fc: &Flexcomp, read: &ReadFile<'_>, shape: &mut Shape) -> Result<(), String> {
    let mesh = gmsh::load(&file(fc, read)?).map_err(|e| e.message)?;
    if mesh.point.len() / 3 > MAX_POINTS {
        return Err(format!("flexcomp has more than {MAX_POINTS} points"));
    }
    shape.dim = mesh.dim;
    shape.point.extend(mesh.point);
    shape.element.extend(mesh.element);
    Ok(())
}

/// Scales points that were given, and puts all into the frame of the parent.
fn place(fc: &Flexcomp, quat: Quat, point: &mut [f64]) {
    let scale = fc.values().scale();
    let pos = Vec3::from(fc.values().pos());
    for p in point.chunks_exact_mut(3) {
        if has_own_points(fc) {
            (0..3).for_each(|k| p[k] *= scale[k]);
        }
        p.copy_from_slice(&(quat.rotate(Vec3::from_slice(p)) + pos).to_array());
    }
}

/// Smallest and largest coordinates.
fn bounding_box(point: &[f64]) -> [Vec3; 2] {
    const FAR: f64 = 1e10;
    let (mut lo, mut hi) = (Vec3::new(FAR, FAR, FAR), Vec3::new(-FAR, -FAR, -FAR));
    for p in point.chunks_exact(3) {
        for k in 0..3 {
            lo[k] = if p[k] < lo[k] { p[k] } else { lo[k] };
            hi[k] = if hi[k] < p[k] { p[k] } else { hi[k] };
        }
    }
    [lo, hi]
}

/// Drops points that no element uses.
fn drop_unused(shape: &mut Shape, pins: &mut Pinned, nodes: usize) {
    let points = shape.point.len() / 3;
    let mut used = vec![false; points];
    shape.element.iter().for_each(|&v| used[v as usize] = true);
    if !used.contains(&false) {
        return;
    }

    // number of each point among those that are used
    let mut next = 0;
    let ids: Vec<i32> = used
        .iter()
        .map(|used| {
            next += i32::from(*used);
            next - 1
        })
        .collect();
    shape.element.iter_mut().for_each(|v| *v = ids[*v as usize]);

    let kept: Vec<usize> = (0..points).filter(|&i| used[i]).collect();
    shape.point = kept.iter().flat_map(|&i| [0, 1, 2].map(|k| shape.point[3 * i + k])).collect();
    if !shape.texcoord.is_empty() {
        let uv = |i: usize| shape.texcoord.get(i).copied().unwrap_or(0.0);
        shape.texcoord = kept.iter().flat_map(|&i| [uv(2 * i), uv(2 * i + 1)]).collect();
    }
    for (to, &from) in kept.iter().enumerate() {
        pins.at[to] = pins.at[from];
    }
    pins.at.resize(kept.len().max(nodes), false);
}

/// The flex, without its bodies and vertices.
fn flex(fc: &Flexcomp, shape: &Shape) -> Flex {
    use FlexcompType::{Box, Cylinder, Grid};
    let span = fc.head.span;

    // flat shading where the surface has edges
    let mut flatskin = fc.flatskin.clone();
    let kind = fc.values().type_();
    if matches!(kind, Box | Cylinder) || (kind == Grid && shape.dim == 3) {
        flatskin.set(true);
    }

    // lists that are empty count as not written
    fn filled<T: Clone>(list: &[T], span: crate::spec::Span) -> Attr<Vec<T>> {
        if list.is_empty() { Attr::default() } else { Attr::at(list.to_vec(), span) }
    }
    Flex {
        head: fc.head,
        name: fc.name.clone(),
        group: fc.group.clone(),
        dim: Attr::at(shape.dim, fc.dim.span().unwrap_or(span)),
        radius: fc.radius.clone(),
        material: fc.material.clone(),
        rgba: fc.rgba.clone(),
        flatskin,
        element: Attr::at(shape.element.clone(), span),
        texcoord: filled(&shape.texcoord, span),
        elemtexcoord: filled(&shape.elemtexcoord, span),
        contact: fc.contact.clone(),
        edge: FlexEdge {
            head: fc.edge.head,
            stiffness: fc.edge.stiffness.clone(),
            damping: fc.edge.damping.clone(),
        },
        elasticity: fc.elasticity.clone(),
        ..Flex::default()
    }
}

/// The constraint that holds the edges; defaults do not apply to it.
fn equality(fc: &Flexcomp) -> Option<Equality> {
    let kind = match fc.edge.equality.get()?.0 {
        0 => return None,
        1 => EqType::Flex,
        _ => EqType::Flexvert,
    };
    Some(Equality {
        head: crate::spec::Head { class: None, ..fc.head },
        flex: Attr::at(fc.name.text().to_owned(), fc.head.span),
        solref: fc.edge.solref.clone(),
        solimp: fc.edge.solimp.clone(),
        kind,
        ..Equality::default()
    })
}
