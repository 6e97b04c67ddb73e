//! Geoms: pose, size, bounding box, mass.

use sinew_engine as engine;
use sinew_geom::shape::Shape;
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::{GeomType, ObjType, SameFrame};
use sinew_model::ids::BodyId;

use crate::asset::mesh::fit::FitShape;
use crate::compile::cx::{At, Cx};
use crate::compile::rows::copy_user;
use crate::compile::tree::{discard_visual, fluid, geom_mass};
use crate::compile::world::GeomRec;
use crate::orientation::unit_orientation;
use crate::pose::{EPS, Pose, largest, same_pos, same_quat, unit_quat, unit_vec, z_to};
use crate::spec::{Attr, FluidShape};

/// Half size of the bounding box of a plane (`mjMAXVAL`).
const UNBOUNDED: f64 = 1e10;

/// Finds the assets geoms refer to; a missing one is an error.
pub(crate) fn resolve_assets(cx: &mut Cx<'_>) {
    let discard = cx.settings[0].discardvisual;
    for id in 0..cx.world.geoms.len() {
        let elem = &cx.world.geoms[id].elem;
        let (mesh, hfield, own) = (elem.mesh.clone(), elem.hfield.clone(), elem.material.clone());
        cx.world.geoms[id].mesh = find(cx, id, ObjType::Mesh, "mesh", &mesh);
        cx.world.geoms[id].hfield = find(cx, id, ObjType::Hfield, "hfield", &hfield);

        // without a material of its own a geom has its mesh's
        let material = match cx.world.geoms[id].mesh {
            Some(mesh) if discard || own.text().is_empty() => cx.mesh_elems[mesh].material.clone(),
            _ => own,
        };
        if discard {
            if cx.world.geoms[id].mesh.is_some() && !material.text().is_empty() {
                discard_visual::warn_lost(cx, &material);
            }
            continue;
        }
        cx.world.geoms[id].material = find(cx, id, ObjType::Material, "material", &material);
    }
}

/// The asset a geom names; none if it names none or there is no such asset.
fn find(
    cx: &mut Cx<'_>,
    id: usize,
    kind: ObjType,
    tag: &str,
    name: &Attr<String>,
) -> Option<usize> {
    if name.text().is_empty() {
        return None;
    }
    let found = cx.find(kind, name.text());
    if found.is_none() {
        let elem = &cx.world.geoms[id].elem;
        let (geom, span) = (elem.name.text().to_owned(), elem.head.span);
        let at = At { name: &geom, id, span: name.span().unwrap_or(span) };
        cx.fail(at, format!("{tag} '{}' not found in geom {id}", name.text()));
        cx.suggest(kind, name.text());
    }
    found
}

/// Reports an error about a geom.
fn fail(cx: &mut Cx<'_>, id: usize, message: impl core::fmt::Display) {
    let elem = &cx.world.geoms[id].elem;
    let (name, span) = (elem.name.text().to_owned(), elem.head.span);
    cx.fail(At { name: &name, id, span }, message);
}

/// Compiles one geom; `infer` says whether its mass counts for its body.
#[doc(alias = "mjCGeom::Compile")]
pub(crate) fn compile_geom(cx: &mut Cx<'_>, id: usize, infer: bool) {
    if let Err(message) = try_compile(cx, id, infer) {
        fail(cx, id, message);
    }
}

fn try_compile(cx: &mut Cx<'_>, id: usize, infer: bool) -> Result<(), String> {
    if !check_kind(cx, id)? {
        return Ok(());
    }
    let mut pose = place(cx, id)?;
    pose = fit_to_mesh(cx, id, pose)?;
    let Cx { world, meshes, hfield_sizes, .. } = cx;
    let geom = &mut world.geoms[id];
    let mesh = geom.mesh.and_then(|i| meshes.get(i)?.as_deref());
    let is_mesh = geom.kind.is_mesh();

    // size; a height field or mesh has the size of its box
    check_size(geom.kind, geom.size)?;
    if let Some(size) = geom.hfield.and_then(|i| hfield_sizes.get(i)) {
        geom.size = Vec3::new(size[0], size[1], 0.25 * size[2] + 0.5 * size[3]);
    } else if let (true, Some(mesh)) = (is_mesh, mesh) {
        geom.size = box_size(mesh.aamm);
    }
    if geom.size.to_array().iter().any(|s| s.is_nan()) {
        return Err("nan size in geom".into());
    }
    let hfield_size = geom.hfield.and_then(|i| hfield_sizes.get(i)).copied().unwrap_or_default();
    geom.aabb = bounding_box(geom, mesh.map(|m| m.aamm), hfield_size);

    // mass and inertia, then the quantities that depend on them
    if infer {
        let (mass, inertia) = geom_mass::mass_and_inertia(geom, mesh)?;
        geom.mass = mass;
        geom.inertia = inertia;
    }
    if geom.elem.values().fluidshape() == FluidShape::Ellipsoid {
        let coefs = geom.elem.values().fluidcoef();
        geom.fluid = fluid::interaction(geom.kind, geom.size, coefs);
    }

    geom.pose = match geom.frame {
        Some(frame) => frame.then(pose),
        None => pose,
    };
    Ok(())
}

/// Whether there is anything to compile; an error if the type does not fit the rest of the geom
/// or its body.
fn check_kind(cx: &mut Cx<'_>, id: usize) -> Result<bool, String> {
    let geom = &cx.world.geoms[id];
    let name = geom.elem.name.text();
    if geom.elem.user.get().map_or(0, Vec::len) > cx.nuser.geom {
        return Err(format!("user has more values than nuser_geom in geom '{name}' (id = {id})"));
    }
    if !matches!(geom.elem.values().condim(), 1 | 3 | 4 | 6) {
        return Err("invalid condim in geom".into());
    }
    // an asset that was not found has been reported
    let lost =
        |name: &Attr<String>, found: Option<usize>| !name.text().is_empty() && found.is_none();
    if lost(&geom.elem.mesh, geom.mesh) || lost(&geom.elem.hfield, geom.hfield) {
        return Ok(false);
    }
    if geom.kind.is_mesh() && geom.mesh.is_none() {
        return Err(format!("mesh geom '{name}' (id = {id}) must have valid meshid"));
    }
    if (geom.kind == GeomType::Hfield) != geom.hfield.is_some() {
        return Err(format!("hfield geom '{name}' (id = {id}) must have valid hfieldid"));
    }
    if geom.kind == GeomType::Plane && cx.world.bodies[geom.body].weld != 0 {
        return Err("plane only allowed in static bodies".into());
    }
    Ok(true)
}

/// The pose as written, and the size where `fromto` gives it.
fn place(cx: &mut Cx<'_>, id: usize) -> Result<Pose, String> {
    let geom = &cx.world.geoms[id];
    let pos: Vec3 = geom.elem.values().pos().into();
    match geom.elem.fromto.get().copied() {
        Some(fromto) if !fromto[0].is_nan() => {
            let (pose, size) = from_to(geom.kind, fromto, pos, geom.size)?;
            cx.world.geoms[id].size = size;
            Ok(pose)
        }
        _ => {
            let settings = cx.settings(&geom.elem.head);
            let quat = unit_orientation(&geom.elem.quat, &geom.elem.alt, settings)
                .map_err(|why| format!("orientation specification error '{why}' in geom {id}"))?;
            Ok(Pose { pos, quat })
        }
    }
}

/// Pose and size of an elongated geom or site between two points.
pub(crate) fn from_to(
    kind: GeomType,
    fromto: [f64; 6],
    pos: Vec3,
    size: Vec3,
) -> Result<(Pose, Vec3), String> {
    // shapes with an axis and without a place
    if !matches!(kind, GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box)
    {
        return Err("fromto requires capsule, cylinder, box or ellipsoid in geom".into());
    }
    if pos != Vec3::ZERO {
        return Err("both pos and fromto defined in geom".into());
    }

    // axis and half length
    let (from, to) = (Vec3::from_slice(&fromto), Vec3::from_slice(&fromto[3..]));
    let (dir, len) = unit_vec(from - to);
    let half = len / 2.0;
    if half < EPS {
        return Err("fromto points too close in geom".into());
    }

    // the size along the axis comes from the points
    let size = match kind {
        GeomType::Ellipsoid | GeomType::Box => Vec3::new(size.x, size.x, half),
        _ => Vec3::new(size.x, half, size.z),
    };
    let middle = Vec3::new((from.x + to.x) / 2.0, (from.y + to.y) / 2.0, (from.z + to.z) / 2.0);
    Ok((Pose { pos: middle, quat: z_to(dir) }, size))
}

/// Half sizes of a box around the origin that holds a mesh.
pub(crate) fn box_size(aamm: [f64; 6]) -> Vec3 {
    let reach = |k: usize| largest(aamm[k].abs(), aamm[k + 3].abs());
    Vec3::new(reach(0), reach(1), reach(2))
}

/// Accounts for the frame of the mesh; a primitive gets its size from it.
fn fit_to_mesh(cx: &mut Cx<'_>, id: usize, pose: Pose) -> Result<Pose, String> {
    let Cx { world, meshes, settings, .. } = cx;
    let geom = &mut world.geoms[id];
    let Some(index) = geom.mesh else { return Ok(pose) };
    if geom.elem.fromto.is_set() {
        return Err("fromto cannot be used with mesh geom".into());
    }
    // a mesh that failed to compile was reported
    let Some(mesh) = meshes.get(index).and_then(Option::as_deref) else { return Ok(pose) };

    let mut center = Vec3::ZERO;
    if geom.kind.is_mesh() {
        if geom.elem.values().shellinertia() {
            let text = "for mesh geoms, inertia should be specified in the mesh asset";
            return Err(text.into());
        }
    } else {
        let shape = match geom.kind {
            GeomType::Sphere => FitShape::Sphere,
            GeomType::Capsule => FitShape::Capsule,
            GeomType::Ellipsoid => FitShape::Ellipsoid,
            GeomType::Cylinder => FitShape::Cylinder,
            GeomType::Box => FitShape::Box,
            _ => {
                let name = geom.elem.mesh.text();
                let what = match settings[0].fitaabb {
                    true => "fittype in",
                    false => "geom type in fitting",
                };
                return Err(format!("invalid {what} mesh {name}"));
            }
        };
        let scale = geom.elem.values().fitscale();
        let (size, middle) = mesh.fit(shape, geom.size.to_array(), scale, settings[0].fitaabb);
        geom.size = size.into();
        center = middle;
    }
    let (pos, quat) = mesh.geom_frame(Vec3::ZERO, Pose::IDENTITY.quat, center);
    geom.in_mesh = Pose { pos, quat };
    let (pos, quat) = mesh.geom_frame(pose.pos, pose.quat, center);
    Ok(Pose { pos, quat: unit_quat(quat) })
}

/// Whether the sizes a type needs are positive.
pub(crate) fn check_size(kind: GeomType, size: Vec3) -> Result<(), String> {
    if kind == GeomType::Plane {
        // the half widths of a plane may be zero: it is infinite then
        let fine = size.z > 0.0 || size.z.is_nan();
        return if fine { Ok(()) } else { Err("plane size(3) must be positive".into()) };
    }
    match (0..kind.size_count()).find(|&i| size[i] <= 0.0) {
        Some(i) => Err(format!("size {i} must be positive in geom")),
        None => Ok(()),
    }
}

/// Centre and half sizes of the box around a geom, in its frame.
#[doc(alias = "ComputeAABB")]
fn bounding_box(geom: &GeomRec, mesh: Option<[f64; 6]>, hfield: [f64; 4]) -> [f64; 6] {
    let around = |Vec3 { x, y, z }: Vec3| [-x, -y, -z, x, y, z];
    let shape = engine::shape(geom.kind, geom.size);
    let b = match (geom.kind, mesh) {
        (GeomType::Hfield, _) => {
            let [x, y, top, base] = hfield;
            [-x, -y, -base, x, y, top]
        }
        (GeomType::Plane, _) => [-UNBOUNDED, -UNBOUNDED, -UNBOUNDED, UNBOUNDED, UNBOUNDED, 0.0],
        (kind, Some(box_)) if kind.is_mesh() => box_,
        _ => around(shape.map_or(geom.size, Shape::half_box)),
    };
    core::array::from_fn(|k| match k {
        0..3 => (b[k + 3] + b[k]) / 2.0,
        _ => (b[k] - b[k - 3]) / 2.0,
    })
}

/// Radius of the sphere around the frame that holds the geom; zero for a plane.
#[doc(alias = "GetRBound")]
fn bounding_radius(geom: &GeomRec, hfield: [f64; 4]) -> f64 {
    match geom.kind {
        GeomType::Hfield => {
            let [x, y, top, base] = hfield;
            (x * x + y * y + largest(top * top, base * base)).sqrt()
        }
        // a mesh has the size of its box
        kind if kind.is_mesh() => Shape::Box { half: geom.size }.bounding_radius(),
        kind => engine::shape(kind, geom.size).map_or(0.0, Shape::bounding_radius),
    }
}

/// Copies the geoms into the model.
pub(crate) fn store_geoms(cx: &Cx<'_>, m: &mut Model) {
    for (i, geom) in cx.world.geoms.iter().enumerate() {
        let (e, body) = (&geom.elem, &cx.world.bodies[geom.body]);
        m.geom_type[i] = geom.kind;
        m.geom_contype[i] = geom.contype;
        m.geom_conaffinity[i] = geom.conaffinity;
        m.geom_condim[i] = e.values().condim();
        m.geom_bodyid[i] = BodyId::new(geom.body);
        m.geom_dataid[i] = geom.mesh.or(geom.hfield).map_or(-1, |id| id as i32);
        m.geom_matid[i] = geom.material.map(sinew_model::MatId::new).into();
        m.geom_group[i] = e.values().group();
        m.geom_priority[i] = e.values().priority();
        m.geom_sameframe[i] = same_frame(geom.pose, body.ipose());
        m.geom_solmix[i] = e.values().solmix();
        m.geom_solref[i] = e.values().solref();
        m.geom_solimp[i] = e.values().solimp();
        m.geom_size[i] = geom.size;
        m.geom_aabb[i] = geom.aabb;
        let hfield = geom.hfield.and_then(|h| cx.hfield_sizes.get(h)).copied();
        m.geom_rbound[i] = bounding_radius(geom, hfield.unwrap_or_default());
        m.geom_pos[i] = geom.pose.pos;
        m.geom_quat[i] = geom.pose.quat;
        m.geom_friction[i] = e.values().friction().into();
        m.geom_margin[i] = geom.margin;
        m.geom_gap[i] = e.values().gap();
        m.geom_fluid[i] = geom.fluid;
        m.geom_rgba[i] = e.values().rgba();
        copy_user(&mut m.geom_user[i], e.user.get());
    }

    // an extension; the table stays empty if no geom has it
    let geoms = &cx.world.geoms;
    if geoms.iter().any(|geom| geom.elem.solreffriction.is_set()) {
        let values = geoms.iter().map(|geom| geom.elem.values().solreffriction());
        m.geom_solreffriction = values.collect();
    }
}

/// Which frame of its body a geom or site shares.
pub(crate) fn same_frame(pose: Pose, inertial: Pose) -> SameFrame {
    let null = same_quat(pose.quat, Pose::IDENTITY.quat);
    let turned = same_quat(pose.quat, inertial.quat);
    if null && same_pos(pose.pos, Vec3::ZERO) {
        SameFrame::Body
    } else if null {
        SameFrame::Bodyrot
    } else if turned && same_pos(pose.pos, inertial.pos) {
        SameFrame::Inertia
    } else if turned {
        SameFrame::Inertiarot
    } else {
        SameFrame::None
    }
}
