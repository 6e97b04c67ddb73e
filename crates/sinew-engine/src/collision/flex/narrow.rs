//! Contacts of single elements and vertices.

use sinew_geom::ccd::{self, collide_element, collide_hfield};
use sinew_geom::collide::{
    Triangle, box_triangle, capsule_triangle, collide_shapes, sphere_triangle,
};
use sinew_geom::shape::{Placed, Pose, Shape};
use sinew_geom::solid::{Element, Form, Solid};
use sinew_geom::touch::Touch;
use sinew_math::{Mat3, Quat, Vec3};
use sinew_model::enums::DisableBit;
use sinew_model::options::iterations;
use sinew_model::{Data, FlexId, GeomId, Model};

use crate::collision::flex::corners::{Corners, share_vertex};
use crate::collision::flex::search::{FlexSearch, ball_separated, boxes_separated};
use crate::collision::list::Touching;
use crate::collision::narrow::solid;
use crate::collision::params::{Params, Surface, override_margin, surface_margin};

/// A plane against all vertices of a flex.
#[doc(alias = "mj_collidePlaneFlex")]
pub(crate) fn collide_plane(s: &mut FlexSearch, plane: GeomId, f: FlexId) {
    let (m, d) = (s.m, s.d);
    let (radius, margin) = (m.flex_radius[f], surface_margin(m, plane, f));
    let normal = d.geom_xmat[plane].col(2);
    let params = geom_params(s, plane, f);
    for (i, v) in m.flex_verts(f).enumerate() {
        let vert = d.flexvert_xpos[v];
        let height = (vert - d.geom_xpos[plane]).dot(normal);
        if height > margin + radius {
            continue;
        }
        let dist = height - radius;
        let pos = vert + normal * (-dist * 0.5 - radius);
        s.touches.clear();
        s.touches.push(Touch { dist, pos, normal, tangent: Vec3::ZERO });
        let of = Touching { vert: [-1, i as i32], ..geom_flex(plane, f) };
        s.add(of, margin - params.gap, &params);
    }
}

/// A geom that is no plane against an element.
#[doc(alias = "mj_collideGeomElem")]
pub(crate) fn collide_geom_elem(s: &mut FlexSearch, g: GeomId, f: FlexId, elem: usize) {
    let (m, d) = (s.m, s.d);
    let margin = surface_margin(m, g, f);

    // without trees the bounding sphere of the geom is compared here
    let far = || ball_separated(d.geom_xpos[g], m.geom_rbound[g] + margin, s.elem_box(f, elem));
    if m.opt.disabled(DisableBit::Midphase) && far() {
        return;
    }
    if Corners::new(m, f, elem).are_on(m.geom_bodyid[g]) {
        return;
    }

    s.touches.clear();
    touch_geom_elem(s, g, f, elem, margin);
    if s.touches.is_empty() {
        return;
    }
    let params = geom_params(s, g, f);
    let of = Touching { elem: [-1, elem as i32], ..geom_flex(g, f) };
    s.add(of, margin - params.gap, &params);
}

/// Where a geom and an element touch: by formula for lines and triangles, else as convex solids.
fn touch_geom_elem(s: &mut FlexSearch, g: GeomId, f: FlexId, elem: usize, margin: f64) {
    let (m, d) = (s.m, s.d);
    let Some(geom) = solid(m, d, g) else { return };
    let out = &mut *s.touches;
    match (geom.form, m.flex_dim[f]) {
        (Form::Shape(shape @ (Shape::Sphere { .. } | Shape::Capsule { .. })), 1) => {
            let (pose, capsule) = edge_capsule(s.m, s.d, f, elem);
            collide_shapes(placed(&geom.pose, &shape), placed(&pose, &capsule), margin, out);
        }
        (Form::Shape(shape @ Shape::Box { .. }), 1) => {
            let (pose, capsule) = edge_capsule(s.m, s.d, f, elem);
            collide_shapes(placed(&pose, &capsule), placed(&geom.pose, &shape), margin, out);
            // the box comes second in the formula and first in the contact
            out.iter_mut().for_each(|touch| touch.normal *= -1.0);
        }
        (Form::Shape(Shape::Sphere { radius }), 2) => {
            sphere_triangle(geom.pose.pos, radius, &triangle(s.m, s.d, f, elem), margin, out);
        }
        (Form::Shape(Shape::Capsule { radius, half_len }), 2) => {
            let triangle = triangle(s.m, s.d, f, elem);
            capsule_triangle(&geom.pose, [radius, half_len], &triangle, margin, out);
        }
        (Form::Shape(Shape::Box { half }), 2) => {
            box_triangle(&geom.pose, half, &triangle(s.m, s.d, f, elem), margin, out);
        }
        (Form::HeightField(_), _) => {
            let element = element(s, f, elem);
            collide_hfield(&geom, &element, margin, &options(s), s.ccd, s.touches);
        }
        _ => {
            let element = element(s, f, elem);
            collide_element(&geom, &element, margin, &options(s), s.ccd, s.touches);
        }
    }
}

/// Two elements of two flexes, or of one, where the margin does not count.
#[doc(alias = "mj_collideElems")]
pub(crate) fn collide_elems(s: &mut FlexSearch, flexes: [FlexId; 2], [e1, e2]: [usize; 2]) {
    let m = s.m;
    let [f1, f2] = flexes;
    let margin = match f1 == f2 {
        // most elements of one flex whose boxes overlap are neighbours
        true if share_vertex(m, f1, [e1, e2]) => return,
        true => 0.0,
        false => override_margin(m, m.flex_margin[f1] + m.flex_margin[f2]),
    };
    if !boxes_separated(s.elem_box(f1, e1), s.elem_box(f2, e2), margin) {
        let corners = [Corners::new(m, f1, e1), Corners::new(m, f2, e2)];
        if !corners[0].share_body(&corners[1]) {
            collide_corners(s, flexes, [&corners[0], &corners[1]], margin);
        }
    }
}

/// Two elements of one flex whose boxes overlap, and that have no body in common.
pub(crate) fn collide_own(s: &mut FlexSearch, f: FlexId, first: &Corners, second: &Corners) {
    collide_corners(s, [f, f], [first, second], 0.0);
}

/// Two elements whose boxes overlap, and that have no body in common.
fn collide_corners(s: &mut FlexSearch, flexes: [FlexId; 2], pair: [&Corners; 2], margin: f64) {
    let (m, [f1, f2], [e1, e2]) = (s.m, flexes, pair.map(|corners| corners.elem));
    // convex collision reports contacts within its tolerance
    let reach = m.flex_radius[f1] + m.flex_radius[f2] + margin + 2.0 * m.opt.ccd_tolerance.abs();
    let middles = [(f1, e1), (f2, e2)].map(|(f, e)| middle(s, f, e));
    if !m.opt.disabled(DisableBit::Nativeccd) && pair[0].separated(pair[1], s.d, middles, reach) {
        return;
    }

    s.touches.clear();
    if m.flex_dim[f1] == 1 && m.flex_dim[f2] == 1 {
        let (pose1, capsule1) = edge_capsule(m, s.d, f1, e1);
        let (pose2, capsule2) = edge_capsule(m, s.d, f2, e2);
        let (first, second) = (placed(&pose1, &capsule1), placed(&pose2, &capsule2));
        collide_shapes(first, second, margin, s.touches);
    } else {
        let (first, second) = (element(s, f1, e1), element(s, f2, e2));
        collide_element(&first, &second, margin, &options(s), s.ccd, s.touches);
    }
    if s.touches.is_empty() {
        return;
    }
    let mut params = Params::of_surfaces(m, &Surface::of_flex(m, f1), &Surface::of_flex(m, f2));
    if f1 == f2 {
        params.gap = 0.0;
    }
    let of = Touching {
        flex: flexes.map(|f| f.idx() as i32),
        elem: [e1, e2].map(|e| e as i32),
        ..Touching::NOTHING
    };
    s.add(of, margin - params.gap, &params);
}

/// A vertex against an element of the same flex.
#[doc(alias = "mj_collideElemVert")]
pub(crate) fn collide_elem_vert(s: &mut FlexSearch, f: FlexId, elem: usize, vert: usize) {
    let (m, d) = (s.m, s.d);
    let radius = m.flex_radius[f];
    let center = d.flexvert_xpos[m.flex_verts(f).start + vert];
    let margin = override_margin(m, m.flex_margin[f]);
    if ball_separated(center, margin + radius, s.elem_box(f, elem)) {
        return;
    }

    // a ball against the capsule, triangle or solid of the element
    s.touches.clear();
    match m.flex_dim[f] {
        1 => {
            let ball = Pose { pos: center, mat: Mat3::IDENTITY };
            let (pose, capsule) = edge_capsule(m, d, f, elem);
            let sphere = Shape::Sphere { radius };
            collide_shapes(placed(&ball, &sphere), placed(&pose, &capsule), 0.0, s.touches);
        }
        2 => sphere_triangle(center, radius, &triangle(m, d, f, elem), 0.0, s.touches),
        _ => {
            let pose = Pose { pos: center, mat: Mat3::IDENTITY };
            let first = Solid { pose, form: Form::Element(Element::new([center], radius)) };
            let second = element(s, f, elem);
            collide_element(&first, &second, 0.0, &options(s), s.ccd, s.touches);
        }
    }
    if s.touches.is_empty() {
        return;
    }

    // the contact has the vertex first
    let surface = Surface::of_flex(m, f);
    let params = Params::of_surfaces(m, &surface, &surface);
    let of = Touching {
        flex: [f.idx() as i32; 2],
        elem: [-1, elem as i32],
        vert: [vert as i32, -1],
        ..Touching::NOTHING
    };
    s.add(of, 0.0, &params);
}

/// Parameters of contacts of a geom with a flex.
fn geom_params(s: &FlexSearch, g: GeomId, f: FlexId) -> Params {
    Params::of_surfaces(s.m, &Surface::of_geom(s.m, g), &Surface::of_flex(s.m, f))
}

/// Common data of the contacts between a geom and a flex.
fn geom_flex(g: GeomId, f: FlexId) -> Touching {
    Touching { geom: [g.idx() as i32, -1], flex: [-1, f.idx() as i32], ..Touching::NOTHING }
}

/// The middle of an element's box.
fn middle(s: &FlexSearch, f: FlexId, elem: usize) -> Vec3 {
    let &[x, y, z, ..] = s.elem_box(f, elem);
    Vec3::new(x, y, z)
}

/// The corners of an element.
fn corners<'a>(
    m: &'a Model,
    d: &'a Data,
    f: FlexId,
    elem: usize,
) -> impl Iterator<Item = Vec3> + 'a {
    let first = m.flex_verts(f).start;
    m.flex_elem_verts(f, elem).iter().map(move |&v| d.flexvert_xpos[first + v as usize])
}

/// An element as a convex solid; its middle is the middle of its box.
fn element(s: &FlexSearch, f: FlexId, elem: usize) -> Solid<'static> {
    let element = Element::new(corners(s.m, s.d, f, elem), s.m.flex_radius[f]);
    let pose = Pose { pos: middle(s, f, elem), mat: Mat3::IDENTITY };
    Solid { pose, form: Form::Element(element) }
}

fn placed<'a>(pose: &'a Pose, shape: &'a Shape) -> Placed<'a> {
    Placed { pose, shape }
}

/// An element of a cloth.
fn triangle(m: &Model, d: &Data, f: FlexId, elem: usize) -> Triangle {
    let mut triangle = Triangle { corners: [Vec3::ZERO; 3], radius: m.flex_radius[f] };
    for (slot, corner) in triangle.corners.iter_mut().zip(corners(m, d, f, elem)) {
        *slot = corner;
    }
    triangle
}

/// An element of a line.
#[doc(alias = "mj_makeCapsule")]
fn edge_capsule(m: &Model, d: &Data, f: FlexId, elem: usize) -> (Pose, Shape) {
    let mut ends = [Vec3::ZERO; 2];
    for (slot, corner) in ends.iter_mut().zip(corners(m, d, f, elem)) {
        *slot = corner;
    }
    let (axis, length) = (ends[0] - ends[1]).normalize();
    let pose = Pose { pos: (ends[0] + ends[1]) * 0.5, mat: Quat::z_to(axis).to_mat() };
    (pose, Shape::Capsule { radius: m.flex_radius[f], half_len: 0.5 * length })
}

/// Options of convex collision of elements.
fn options(s: &FlexSearch) -> ccd::Options {
    let m = s.m;
    ccd::Options {
        tolerance: m.opt.ccd_tolerance,
        iterations: iterations(m.opt.ccd_iterations),
        native: !m.opt.disabled(DisableBit::Nativeccd),
        ..ccd::Options::default()
    }
}
