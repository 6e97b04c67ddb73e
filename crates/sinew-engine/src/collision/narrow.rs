//! Narrow phase: contacts of two geoms.

use sinew_geom::ccd;
use sinew_geom::collide::{
    Rod, collide, collide_capsules, collide_fitted_ellipsoid, collide_shapes, collide_steady,
};
use sinew_geom::shape::Placed;
use sinew_geom::solid::{Form, Solid};
use sinew_geom::touch::Touch;
use sinew_model::enums::{DisableBit, EnableBit, GeomType};
use sinew_model::options::iterations;
use sinew_model::{Data, GeomId, Model};

use crate::geometry::{height_field, mesh_hull, shape};
use crate::ray::{Pose, Shape};
use crate::sdf;

/// Options of convex collision of two geoms.
pub(super) fn ccd_options(m: &Model, g1: GeomId, g2: GeomId) -> ccd::Options {
    ccd::Options {
        tolerance: m.opt.ccd_tolerance,
        iterations: iterations(m.opt.ccd_iterations),
        // with one contact nothing flat can rest, which soft contacts hide
        multi: m.opt.enabled(EnableBit::Multiccd) || m.coulomb.enabled,
        steady: m.coulomb.enabled,
        native: !m.opt.disabled(DisableBit::Nativeccd),
        rbound: m.geom_rbound[g1].min(m.geom_rbound[g2]),
        pair: (g1.idx() as u64 + 1) << 32 | (g2.idx() as u64 + 1),
    }
}

/// The two geoms by rising type, as contacts list them.
pub(super) fn by_type(m: &Model, [g1, g2]: [GeomId; 2]) -> [GeomId; 2] {
    if m.geom_type[g1].0 > m.geom_type[g2].0 { [g2, g1] } else { [g1, g2] }
}

/// Whether two geoms, ordered by type, are more than planes and height fields.
pub(super) fn can_touch(m: &Model, [_, g2]: [GeomId; 2]) -> bool {
    m.geom_type[g2].0 > GeomType::Hfield.0
}

/// Finds where two geoms, ordered by type, are closer than `margin`. Nothing is found between
/// planes and height fields.
pub(super) fn touches(
    m: &Model,
    d: &Data,
    [g1, g2]: [GeomId; 2],
    margin: f64,
    work: &mut ccd::Work,
    out: &mut Vec<Touch>,
) {
    out.clear();

    // two capsules need little of their poses
    if m.geom_type[g1] == GeomType::Capsule && m.geom_type[g2] == GeomType::Capsule {
        let at = |g: GeomId| {
            let size = m.geom_size[g];
            Rod::along(d.geom_xpos[g], d.geom_xmat[g].col(2), [size.x, size.y])
        };
        return collide_capsules(&at(g1), &at(g2), margin, out);
    }

    // most pairs are primitives with a formula
    if let (Some(a), Some(b)) = (primitive(m, g1), primitive(m, g2)) {
        // one by one: as a pair they would be copied once more, in pieces that stall
        let pose1 = pose(d, g1);
        let pose2 = pose(d, g2);
        let first = Placed { pose: &pose1, shape: &a };
        let second = Placed { pose: &pose2, shape: &b };
        if m.coulomb.enabled && collide_steady(first, second, margin, out) {
            return;
        }
        if !collide_shapes(first, second, margin, out) {
            let first = Solid { pose: pose1, form: Form::Shape(a) };
            let second = Solid { pose: pose2, form: Form::Shape(b) };
            ccd::collide_convex(&first, &second, margin, &ccd_options(m, g1, g2), work, out);
        } else if let (Shape::Plane { .. }, Shape::Ellipsoid { .. }) = (a, b)
            && (0..m.nmesh as i32).contains(&m.geom_dataid[g2])
            && let Some(mesh) = mesh_hull(m, g2)
        {
            collide_fitted_ellipsoid(&pose1, &pose2, &mesh, margin, out);
        }
        return;
    }
    // a distance field collides with planes by its hull, and not with height fields
    if m.geom_type[g2] == GeomType::Sdf && m.geom_type[g1] != GeomType::Plane {
        if m.geom_type[g1] != GeomType::Hfield {
            sdf::touches(m, d, [g1, g2], out);
        }
        return;
    }
    if let Some(a) = solid(m, d, g1)
        && let Some(b) = solid(m, d, g2)
    {
        collide(&a, &b, margin, &ccd_options(m, g1, g2), work, out);
    }
}

/// Whether the contacts of two geoms, ordered by type, take no longer than a test of their boxes.
pub(super) fn is_quick(m: &Model, [g1, g2]: [GeomId; 2]) -> bool {
    let (first, second) = (m.geom_type[g1].0, m.geom_type[g2].0);
    first == GeomType::Plane.0 && second < GeomType::Mesh.0 || second <= GeomType::Capsule.0
}

/// A geom as a solid; none for kinds that geometry does not know.
#[inline(always)]
pub(crate) fn solid<'a>(m: &'a Model, d: &Data, g: GeomId) -> Option<Solid<'a>> {
    let form = match m.geom_type[g] {
        GeomType::Mesh | GeomType::Sdf => Form::Hull(mesh_hull(m, g)?),
        GeomType::Hfield => Form::HeightField(height_field(m, g)?),
        _ => Form::Shape(primitive(m, g)?),
    };
    Some(Solid { pose: pose(d, g), form })
}

#[inline(always)]
fn primitive(m: &Model, g: GeomId) -> Option<Shape> {
    shape(m.geom_type[g], m.geom_size[g])
}

#[inline(always)]
fn pose(d: &Data, g: GeomId) -> Pose {
    Pose { pos: d.geom_xpos[g], mat: d.geom_xmat[g] }
}
