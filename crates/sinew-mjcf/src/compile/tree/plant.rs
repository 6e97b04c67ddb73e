//! The kinematic tree as records: bodies depth first, the contents of frames in their bodies.

use sinew_math::Vec3;
use sinew_model::enums::JointType;

use crate::compile::cx::{At, Cx};
use crate::compile::world::{BodyRec, CameraRec, GeomRec, JointRec, LightRec, SiteRec};
use crate::orientation::{orientation, unit_orientation};
use crate::pose::{Pose, unit_quat};
use crate::spec::{Attr, Body, Child, Frame, FreeJoint, Head, Inertial, Joint, Tri};

/// Bodies nested deeper than this are refused: a bound on recursion, far above any real model.
const MAX_DEPTH: usize = 2000;

/// Fills `cx.world` with one record for each object, elements laid over their defaults and frames
/// accumulated. Later passes resolve dependencies between elements.
pub(crate) fn plant<'a>(cx: &mut Cx<'a>) {
    let world: &'a Body = &cx.spec.world;
    let mut rec = BodyRec { head: world.head, ..BodyRec::default() };
    rec.name = "world".to_owned();
    rec.plugin_use = world.plugin.clone();
    rec.plugin = cx.plugins.of(&world.plugin);
    rec.inertial = None;
    cx.world.bodies.push(rec);

    // depth first, without recursion over bodies: the deepest chain is only bounded by memory
    let mut open = vec![Visit { body: 0, children: contents(cx, 0, world, None), next: 0 }];
    while let Some(top) = open.last_mut() {
        let Some(&(child, frame)) = top.children.get(top.next) else {
            open.pop();
            continue;
        };
        top.next += 1;
        let parent = top.body;
        let id = add_body(cx, parent, child, frame);
        let children = contents(cx, id, child, None);
        open.push(Visit { body: id, children, next: 0 });
    }
}

/// A body whose children are being added.
struct Visit<'a> {
    body: usize,
    children: Vec<(&'a Body, Option<Pose>)>,
    next: usize,
}

/// Adds the record of a body; its contents follow.
fn add_body(cx: &mut Cx<'_>, parent: usize, body: &Body, frame: Option<Pose>) -> usize {
    let id = cx.world.bodies.len();
    let mut rec = BodyRec {
        name: body.name.text().to_owned(),
        head: body.head,
        parent,
        mocap: body.values().mocap(),
        gravcomp: body.values().gravcomp(),
        sleep: body.values().sleep(),
        user: body.values().user().to_vec(),
        plugin_use: body.plugin.clone(),
        plugin: cx.plugins.of(&body.plugin),
        frame,
        ..BodyRec::default()
    };

    // pose: as written, and with the orientation made a quaternion
    rec.pose.pos = body.values().pos().into();
    rec.written = Pose { pos: rec.pose.pos, quat: body.values().quat().into() };
    let at = At { name: body.name.text(), id, span: body.head.span };
    match unit_orientation(&body.quat, &body.alt, cx.settings(&body.head)) {
        Ok(quat) => rec.pose.quat = quat,
        Err(why) => cx.fail(at, format!("error '{why}' in frame alternative")),
    }

    // into the tree
    cx.world.bodies.push(rec);
    cx.world.bodies[parent].children.push(id);
    id
}

/// Adds everything in a body but its child bodies, which are returned with their frames.
fn contents<'a>(
    cx: &mut Cx<'a>,
    body: usize,
    element: &'a Body,
    frame: Option<Pose>,
) -> Vec<(&'a Body, Option<Pose>)> {
    let mut bodies = Vec::new();
    add_children(cx, body, &element.children, frame, &mut bodies, 0);
    bodies
}

/// Adds a list of children that are in `frame`.
fn add_children<'a>(
    cx: &mut Cx<'a>,
    body: usize,
    children: &'a [Child],
    frame: Option<Pose>,
    bodies: &mut Vec<(&'a Body, Option<Pose>)>,
    depth: usize,
) {
    for child in children {
        match child {
            Child::Body(b) => bodies.push((b, frame)),
            Child::Frame(f) if depth < MAX_DEPTH => {
                let inner = add_frame(cx, f, frame);
                add_children(cx, body, &f.children, Some(inner), bodies, depth + 1);
            }
            Child::Frame(f) => {
                let at = At { name: f.name.text(), id: 0, span: f.head.span };
                cx.fail(at, "frames are nested too deeply");
            }
            Child::Inertial(inertial) => add_inertial(cx, body, inertial),
            Child::Joint(j) => {
                let joint = cx.defaults.joint(j);
                let kind = joint.values().type_();
                let align = flag(&joint.align);
                push_joint(cx, body, joint, kind, align, frame);
            }
            Child::FreeJoint(j) => {
                let align = flag(&j.align);
                push_joint(cx, body, free_joint(j), JointType::Free, align, frame);
            }
            Child::Geom(g) => {
                let elem = cx.defaults.geom(g);
                let id = cx.world.geoms.len();
                cx.world.bodies[body].geoms.push(id);
                let plugin = cx.plugins.of(&g.plugin);
                cx.world.geoms.push(GeomRec { plugin, ..new_geom(elem, body, frame) });
            }
            Child::Site(s) => {
                let elem = cx.defaults.site(s);
                let id = cx.world.sites.len();
                cx.world.bodies[body].sites.push(id);
                let kind = elem.values().type_();
                let size = elem.values().size().into();
                let pose = Pose::IDENTITY;
                cx.world.sites.push(SiteRec {
                    elem,
                    body,
                    frame,
                    kind,
                    size,
                    pose,
                    mesh: None,
                    material: None,
                });
            }
            Child::Camera(c) => {
                let elem = cx.defaults.camera(c);
                let id = cx.world.cameras.len();
                cx.world.bodies[body].cameras.push(id);
                cx.world.cameras.push(CameraRec::new(elem, body, frame));
            }
            Child::Light(l) => {
                let mut elem = cx.defaults.light(l);
                // the older way to write the type wins over an inherited one
                if l.directional.is_set() {
                    elem.type_.clear();
                }
                let id = cx.world.lights.len();
                cx.world.bodies[body].lights.push(id);
                cx.world.lights.push(LightRec::new(elem, body, frame));
            }
            Child::Replicate(r) => not_expanded(cx, "replicate", &r.head),
            Child::Attach(a) => not_expanded(cx, "attach", &a.head),
        }
    }
}

/// Reports an element that the expansion should have removed.
fn not_expanded(cx: &mut Cx<'_>, tag: &str, head: &Head) {
    let at = At { name: "", id: 0, span: head.span };
    cx.fail(at, format!("{tag} is not expanded"));
}

/// The pose of a frame in its body.
fn add_frame(cx: &mut Cx<'_>, f: &Frame, outer: Option<Pose>) -> Pose {
    let id = cx.world.frames.len();
    cx.world.frames.push((f.name.text().to_owned(), f.head.span));
    let mut pose = Pose { pos: f.values().pos().into(), ..Pose::IDENTITY };
    match orientation(&f.quat, &f.alt, cx.settings(&f.head)) {
        Ok(quat) => pose.quat = quat,
        Err(why) => {
            let at = At { name: f.name.text(), id, span: f.head.span };
            cx.fail(at, format!("orientation specification error '{why}' in frame {id}"));
        }
    }
    if let Some(outer) = outer {
        pose = outer.then(pose);
    }
    pose.quat = unit_quat(pose.quat);
    pose
}

/// Notes the inertia written in a body.
fn add_inertial(cx: &mut Cx<'_>, body: usize, e: &Inertial) {
    let rec = &mut cx.world.bodies[body];
    rec.explicit = Some(e.clone());
}

/// The decision of an attribute; `None` if it leaves the choice.
fn flag(attr: &Attr<Tri>) -> Option<bool> {
    match attr.or(Tri::Auto) {
        Tri::True => Some(true),
        Tri::False => Some(false),
        Tri::Auto => None,
    }
}

/// A free joint takes nothing from defaults.
fn free_joint(j: &FreeJoint) -> Joint {
    Joint { head: j.head, name: j.name.clone(), group: j.group.clone(), ..Joint::default() }
}

/// Adds a joint that is still to be compiled.
fn push_joint(
    cx: &mut Cx<'_>,
    body: usize,
    elem: Joint,
    kind: JointType,
    align: Option<bool>,
    frame: Option<Pose>,
) {
    // as written; units and limits follow when it is compiled
    let id = cx.world.joints.len();
    cx.world.bodies[body].joints.push(id);
    cx.world.joints.push(JointRec {
        body,
        frame,
        kind,
        align,
        pos: elem.values().pos().into(),
        axis: elem.values().axis().into(),
        limited: false,
        range: elem.values().range(),
        actfrclimited: false,
        actfrcrange: elem.values().actuatorfrcrange(),
        ref_: elem.values().ref_(),
        springref: elem.values().springref(),
        springyield: elem.values().springyield(),
        qposadr: 0,
        dofadr: 0,
        elem,
    });
}

/// A geom that is still to be compiled.
fn new_geom(elem: crate::spec::Geom, body: usize, frame: Option<Pose>) -> GeomRec {
    GeomRec {
        body,
        frame,
        kind: elem.values().type_(),
        size: elem.values().size().into(),
        pose: Pose::IDENTITY,
        mesh: None,
        in_mesh: Pose::IDENTITY,
        hfield: None,
        material: None,
        plugin: None,
        mass: 0.0,
        inertia: Vec3::ZERO,
        aabb: [0.0; 6],
        fluid: [0.0; 12],
        contype: elem.values().contype(),
        conaffinity: elem.values().conaffinity(),
        margin: elem.values().margin(),
        elem,
    }
}
