//! The bodies of a flexcomp: one at each point that moves, or one at each node.

use sinew_math::Vec3;
use sinew_model::enums::{GeomType, JointType};

use crate::expand::flexcomp::made::Made;
use crate::expand::flexcomp::pin::Pinned;
use crate::pose::unit_vec;
use crate::spec::{
    Attr, Body, Child, Flexcomp, FlexcompDof, Geom, Inertial, Joint, Partial, Words,
};

/// Group of the geoms at points, hidden by default.
const POINT_GROUP: i32 = 4;

/// Name of the body at a point.
pub(super) fn name_of(fc: &Flexcomp, i: usize) -> String {
    format!("{}_{i}", fc.name.text())
}

/// The body at point `i` of `points`, with a share of the mass. Sliders are along all axes or along
/// the line from the origin of the parent.
pub(super) fn at_point(fc: &Flexcomp, i: usize, points: usize, point: &[f64]) -> Child {
    let pos = Vec3::from_slice(point);
    let mut body = body(fc, name_of(fc, i), pos, fc.values().mass() / points as f64);
    if fc.contact.values().vertcollide() {
        let mut geom = sphere(fc);
        geom.group = Attr::at(POINT_GROUP, fc.head.span);
        body.children.push(Child::Geom(geom));
    }
    match fc.values().dof() {
        FlexcompDof::Radial => body.children.push(slider(fc, unit_vec(pos).0)),
        _ => body.children.extend(AXES.map(|axis| slider(fc, axis))),
    }
    Child::Body(body)
}

const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// The nodes of an interpolated flexcomp: corners of the box around its points, and midpoints
/// between them. Their masses are the box's mass spread by the shape functions.
pub(super) fn at_nodes(
    fc: &Flexcomp,
    [lo, hi]: [Vec3; 2],
    pins: &Pinned,
    parent: &str,
    made: &mut Made,
) {
    let quadratic = fc.values().dof() == FlexcompDof::Quadratic;
    let order = if quadratic { 2 } else { 1 };
    let step = 1.0 / f64::from(order);
    let width = order as usize + 1;
    let mass = fc.values().mass();
    let mut names = Vec::new();
    made.flex.node_pos = vec![0.0; 3 * width * width * width];
    for id in 0..width * width * width {
        // place in the box
        let at = [id / width / width, id / width % width, id % width];
        let along = |k: usize| lo[k] + at[k] as f64 * step * (hi[k] - lo[k]);
        let pos = Vec3::new(along(0), along(1), along(2));

        // a pinned node is a point of the parent
        if pins.at[id] {
            made.flex.node_pos[3 * id..3 * id + 3].copy_from_slice(&pos.to_array());
            names.push(parent.to_owned());
            continue;
        }

        // the others are bodies with three sliders; shares of the mass by Simpson's rule
        const SHARE: [f64; 3] = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];
        let share = match quadratic {
            true => mass * SHARE[at[0]] * SHARE[at[1]] * SHARE[at[2]],
            false => mass / 8.0,
        };
        let name = format!("{}_{}_{}_{}", fc.name.text(), at[0], at[1], at[2]);
        let mut body = body(fc, name.clone(), pos, share);
        if fc.contact.values().vertcollide() {
            body.children.push(Child::Geom(sphere(fc)));
        }
        body.children.extend(AXES.map(|axis| slider(fc, axis)));
        made.bodies.push(Child::Body(body));
        names.push(name);
    }

    // the flex's lists of nodes
    if pins.centered {
        made.flex.node_pos.clear();
    }
    made.flex.node.set(Words(names));
    made.flex.order = Some(order);
}

/// A body with the inertia of a box.
fn body(fc: &Flexcomp, name: String, pos: Vec3, mass: f64) -> Body {
    let span = fc.head.span;
    let size = fc.values().inertiabox();
    let inertia = mass * (2.0 * size * size) / 3.0;
    let inertial = Inertial {
        head: fc.head,
        pos: Attr::at([0.0; 3], span),
        mass: Attr::at(mass, span),
        diaginertia: Attr::at([inertia; 3], span),
        ..Inertial::default()
    };
    Body {
        head: fc.head,
        name: Attr::at(name, span),
        pos: Attr::at(pos.to_array(), span),
        plugin: fc.plugin.as_ref().map(|plugin| plugin.shared("flexcomp_", fc.name.text())),
        children: vec![Child::Inertial(inertial)],
        ..Body::default()
    }
}

fn slider(fc: &Flexcomp, axis: Vec3) -> Child {
    let span = fc.head.span;
    Child::Joint(Joint {
        head: fc.head,
        type_: Attr::at(JointType::Slide, span),
        pos: Attr::at([0.0; 3], span),
        axis: Attr::at(axis.to_array(), span),
        ..Joint::default()
    })
}

fn sphere(fc: &Flexcomp) -> Geom {
    let span = fc.head.span;
    let size = Partial { value: [fc.values().radius(), 0.0, 0.0], len: 1 };
    Geom {
        head: fc.head,
        type_: Attr::at(GeomType::Sphere, span),
        size: Attr::at(size, span),
        ..Geom::default()
    }
}
