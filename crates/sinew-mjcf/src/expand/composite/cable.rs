//! The bodies of a cable: one for each edge of a curve, in a frame that turns as little as it can.

use sinew_math::{Mat3, Quat, Vec3, scalar};
use sinew_model::enums::{GeomType, JointType};

use crate::expand::composite::made::{Made, Wrong};
use crate::expand::composite::skin;
use crate::pose::{unit_quat, unit_vec};
use crate::spec::{
    Attr, Body, Child, Composite, CompositeJoint, Exclude, Geom, Head, Joint, Partial, Poly, Site,
    Text,
};

/// Maximum number of points: bodies of a cable are inside of each other, and the compiler recurses.
const MAX_POINTS: i32 = 2000;

/// Group of joints and sites, hidden by default.
const HIDDEN: i32 = 3;

/// Makes the bodies of a cable.
#[doc(alias = "MakeCable")]
pub(super) fn make(comp: &Composite, count: [i32; 3]) -> Result<Made, Wrong> {
    if count[0] < 2 || count[1] != 1 {
        return Err("Cable must be one-dimensional".into());
    }
    let shape = comp.geom.values().type_();
    if !matches!(shape, GeomType::Cylinder | GeomType::Capsule | GeomType::Box) {
        return Err("Cable geom type must be sphere, capsule or box".into());
    }
    if count[0] > MAX_POINTS {
        let words = format!("a cable may have at most {MAX_POINTS} points");
        return Err(words.as_str().into());
    }
    let points = points(comp, count[0])?;
    let links = links(&points);

    // from the last body, which is the innermost, to the first
    let mut body = None;
    let mut excludes = Vec::new();
    for i in (0..links.len()).rev() {
        let mut this = link_body(comp, &points, &links, i);
        this.children.extend(body.take().map(Child::Body));
        body = Some(this);
    }
    for i in 0..links.len() - 1 {
        let name = |i: usize| Attr::at(body_name(comp, links.len(), i), comp.head.span);
        // MuJoCo calls the second body of a cable of two by a number that it has not, and rejects
        // it
        let (body1, body2) = match i {
            0 => (name(0), Attr::at(format!("{}B_1", comp.prefix.text()), comp.head.span)),
            i => (name(i), name(i + 1)),
        };
        excludes.push(Exclude { head: comp.head, body1, body2, ..Exclude::default() });
    }
    let body = body.ok_or("Cable must be one-dimensional")?;
    let prefix = comp.prefix.text();
    let text = Text {
        head: comp.head,
        name: Attr::at(format!("composite_{prefix}"), comp.head.span),
        data: Attr::at(format!("rope_{prefix}"), comp.head.span),
    };
    let skin = (shape == GeomType::Box).then(|| skin::make(comp, count[0]));
    Ok(Made { body: Child::Body(body), text, excludes, skin })
}

/// The points of the curve, in single precision as in MuJoCo.
fn points(comp: &Composite, count: i32) -> Result<Vec<[f32; 3]>, Wrong> {
    // given one by one
    if let Some(flat) = comp.vertex.get() {
        return Ok(flat.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect());
    }

    // or by a formula for each coordinate
    let words: Vec<&str> = comp.curve.text().split_ascii_whitespace().collect();
    if words.len() > 3 {
        return Err("The curve array must have a maximum of 3 components".into());
    }

    // length, radius, and the angle of the whole curve in units of π
    let size = comp.values().size();
    let quat = Quat::from(comp.values().quat());
    let last = f64::from(count - 1);
    let mut points = Vec::with_capacity(count as usize);
    for i in (0..count).map(f64::from) {
        let angle = core::f64::consts::PI * i * size[2] / last;
        let mut p = [0.0; 3];
        for (x, word) in p.iter_mut().zip(&words) {
            *x = match *word {
                "s" => i * size[0] / last,
                "cos(s)" => size[1] * scalar::cos(angle),
                "sin(s)" => size[1] * scalar::sin(angle),
                "0" => 0.0,
                _ => return Err("The curve array contains an invalid shape".into()),
            };
        }
        points.push(quat.rotate(Vec3::from(p)).to_array().map(|x| x as f32));
    }
    Ok(points)
}

/// An edge of the curve.
struct Link {
    length: f64,
    /// Orientation relative to the curve's own frame.
    quat: Quat,
    /// Length of the edge before.
    before: f64,
}

/// Orientations along the curve.
///
/// The first frame has its normal in the plane of the first two edges. Every other frame is the
/// previous one, turned about the binormal of the vertex between them. MuJoCo `mjuu_updateFrame`.
fn links(points: &[[f32; 3]]) -> Vec<Link> {
    let edge = |i: usize| {
        let [a, b] = [points[i], points[i + 1]];
        Vec3::new((b[0] - a[0]).into(), (b[1] - a[1]).into(), (b[2] - a[2]).into())
    };
    let mut normal = Vec3::Y;
    let mut out: Vec<Link> = Vec::new();
    for i in 0..points.len() - 1 {
        let tangent = unit_vec(edge(i)).0;
        let mut before = 0.0;
        let binormal = if i == 0 {
            // a curve of one edge has no plane: its normal is then zero
            let next = if points.len() > 2 { unit_vec(edge(1)).0 } else { Vec3::ZERO };
            let binormal = unit_vec(tangent.cross(next)).0;
            normal = unit_vec(binormal.cross(tangent)).0;
            binormal
        } else {
            let (previous, length) = unit_vec(edge(i - 1));
            before = length;
            let (axis, sine) = unit_vec(previous.cross(tangent));
            let angle = scalar::atan2(sine, previous.dot(tangent));
            normal = unit_vec(turn(axis, angle).rotate(normal)).0;
            unit_vec(tangent.cross(normal)).0
        };
        let quat = Mat3::from_cols(tangent, normal, binormal).to_quat();
        let e = edge(i);
        out.push(Link { length: scalar::sqrt(e.dot(e)), quat, before });
    }
    out
}

/// Rotation about a unit axis.
fn turn(axis: Vec3, angle: f64) -> Quat {
    if angle == 0.0 {
        return Quat::IDENTITY;
    }
    let s = scalar::sin(angle * 0.5);
    Quat::new(scalar::cos(angle * 0.5), axis.x * s, axis.y * s, axis.z * s)
}

fn body_name(comp: &Composite, links: usize, i: usize) -> String {
    let prefix = comp.prefix.text();
    match i {
        0 => format!("{prefix}B_first"),
        i if i == links - 1 => format!("{prefix}B_last"),
        i => format!("{prefix}B_{i}"),
    }
}

/// Body number `i`, without the next one.
fn link_body(comp: &Composite, points: &[[f32; 3]], links: &[Link], i: usize) -> Body {
    let (span, prefix) = (comp.head.span, comp.prefix.text());
    let link = &links[i];
    let (pos, quat) = if i == 0 {
        let offset = comp.values().offset();
        let at = core::array::from_fn(|k| offset[k] + f64::from(points[0][k]));
        (at, link.quat)
    } else {
        ([link.before, 0.0, 0.0], unit_quat(links[i - 1].quat.conj() * link.quat))
    };
    let mut body = Body {
        head: comp.head,
        name: Attr::at(body_name(comp, links.len(), i), span),
        pos: Attr::at(pos, span),
        quat: Attr::at(quat.to_array(), span),
        ..Body::default()
    };
    body.plugin = comp.plugin.as_ref().map(|plugin| plugin.shared("composite", prefix));
    body.children.push(Child::Geom(geom(comp, link.length, i)));
    body.children.extend(joint(comp, links.len(), i).map(Child::Joint));

    // sites at both ends
    let last = i == links.len() - 1;
    if i == 0 || last {
        let mut site: Site = comp.site.clone();
        site.head = no_class(comp);
        let end = if i == 0 { "first" } else { "last" };
        site.name = Attr::at(format!("{prefix}S_{end}"), span);
        site.group = Attr::at(site.group.or(HIDDEN), span);
        site.pos = Attr::at([if last { link.length } else { 0.0 }, 0.0, 0.0], span);
        body.children.push(Child::Site(site));
    }
    body
}

/// The place of the composite; no defaults apply.
fn no_class(comp: &Composite) -> Head {
    Head { class: None, ..comp.head }
}

fn geom(comp: &Composite, length: f64, i: usize) -> Geom {
    let span = comp.head.span;
    let mut geom = comp.geom.clone();
    geom.head = no_class(comp);
    geom.name = Attr::at(format!("{}G{i}", comp.prefix.text()), span);
    if geom.type_.get() == Some(&GeomType::Box) {
        let [_, y, z] = geom.size.fill([0.0; 3]);
        geom.size = Attr::at(Partial { value: [length / 2.0, y, z], len: 3 }, span);
        geom.pos = Attr::at([length / 2.0, 0.0, 0.0], span);
    } else {
        geom.fromto = Attr::at([0.0, 0.0, 0.0, length, 0.0, 0.0], span);
    }
    geom
}

/// The joint of body `i`: a ball, or the kind of `initial` at the first.
fn joint(comp: &Composite, links: usize, i: usize) -> Option<Joint> {
    let initial = comp.initial.get().map_or("ball", String::as_str);
    if i == 0 && initial == "none" {
        return None;
    }

    // attributes that were written for all joints
    let none = CompositeJoint::default();
    let written = comp.joints.first().unwrap_or(&none);
    let (span, prefix) = (comp.head.span, comp.prefix.text());
    let free = i == 0 && initial == "free";
    let name = match i {
        0 => format!("{prefix}J_first"),
        i if i == links - 1 => format!("{prefix}J_last"),
        i => format!("{prefix}J_{i}"),
    };
    let mut joint = Joint {
        head: no_class(comp),
        name: Attr::at(name, span),
        type_: Attr::at(if free { JointType::Free } else { JointType::Ball }, span),
        group: Attr::at(written.group.or(HIDDEN), span),
        solreflimit: written.solreflimit.clone(),
        solimplimit: written.solimplimit.clone(),
        solreffriction: written.solreffriction.clone(),
        solimpfriction: written.solimpfriction.clone(),
        stiffness: written.stiffness.map(Poly::from),
        range: written.range.clone(),
        margin: written.margin.clone(),
        armature: written.armature.clone(),
        damping: written.damping.map(Poly::from),
        frictionloss: written.frictionloss.clone(),
        ..Joint::default()
    };

    // a free joint has neither armature nor resistance
    if free {
        joint.armature.clear();
        joint.damping.clear();
        joint.frictionloss.clear();
    }
    Some(joint)
}
