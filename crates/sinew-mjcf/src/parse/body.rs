//! `<worldbody>` and all below it.

use super::Reader;
use crate::spec::{
    Attach, Attr, Body, Camera, Child, ClassId, Frame, FreeJoint, Geom, Inertial, Joint, Replicate,
    Site,
};
use crate::xml::Node;

/// Where children are read.
#[derive(Clone, Copy)]
struct Parent<'t> {
    /// The class of elements without their own.
    class: Option<ClassId>,
    /// Name of the body they belong to; empty if it has none.
    body: &'t str,
    /// The class of the body, independent of frames inside of it.
    body_class: Option<ClassId>,
    /// Whether they belong to the world.
    world: bool,
}

/// An element of a body.
struct BodyElement {
    child: Child,
    /// Whether the frames it is in have no effect on it, as on the bodies of a flexcomp.
    unframed: bool,
}

impl<'t> Reader<'_, 't> {
    pub(super) fn world(&mut self, node: Node<'t>) {
        if node.attrs().next().is_some() {
            self.error(node, "worldbody", "World body cannot have attributes");
        }
        let main = Some(ClassId(0));
        let place = Parent { class: main, body: "world", body_class: main, world: true };
        let mut children = self.children(node, place);
        self.spec.world.head = self.head(node, Some(ClassId(0)));
        self.spec.world.children.append(&mut children);
        self.spec.world.plugin = self.plugin_of_body(node).or(self.spec.world.plugin.take());
    }

    fn children(&mut self, node: Node<'t>, place: Parent<'t>) -> Vec<Child> {
        let mut parts = Vec::new();
        self.parts(node, place, &mut parts);
        children_of(parts)
    }

    /// Reads the children of a node. Containers recurse and elements are made in functions of their
    /// own: the stack holds no element.
    fn parts(&mut self, node: Node<'t>, place: Parent<'t>, out: &mut Vec<BodyElement>) {
        for child in node.children() {
            match child.name() {
                "body" => self.body(child, place, out),
                "frame" => self.frame(child, place, out),
                "replicate" => self.replicate(child, place, out),
                _ => self.element(child, place, out),
            }
        }
    }

    /// An element that contains no other elements of the tree.
    #[inline(never)]
    fn element(&mut self, node: Node<'t>, place: Parent<'t>, out: &mut Vec<BodyElement>) {
        let framed = |child: Child| BodyElement { child, unframed: false };
        match node.name() {
            "composite" => out.extend(self.composite(node).into_iter().map(framed)),
            "flexcomp" => {
                let bodies = self.flexcomp(node, place.body_class, place.body);
                out.extend(bodies.into_iter().map(|child| BodyElement { child, unframed: true }));
            }
            _ => out.extend(self.leaf(node, place).map(framed)),
        }
    }

    fn body(&mut self, node: Node<'t>, place: Parent<'t>, out: &mut Vec<BodyElement>) {
        let class = self.childclass_of(node, place.class);
        let at = out.len();
        self.body_attributes(node, class, out);
        let name = node.attr("name").map_or("", |(name, _)| name);
        let inside = Parent { class, body: name, body_class: class, world: false };
        let children = self.children(node, inside);
        if let Some(BodyElement { child: Child::Body(body), .. }) = out.get_mut(at) {
            body.children = children;
        }
    }

    #[inline(never)]
    fn body_attributes(
        &mut self,
        node: Node<'t>,
        class: Option<ClassId>,
        out: &mut Vec<BodyElement>,
    ) {
        let source = &mut self.source_of(node, class);
        let mut body = Body::read(source);
        source.check_quat(&body.quat);
        body.alt = source.orientation();
        body.plugin = self.plugin_of_body(node);
        self.name(node, "body", &body.name);
        out.push(BodyElement { child: Child::Body(body), unframed: false });
    }

    /// A frame; where it holds elements it has no effect on, the parts before and after them.
    fn frame(&mut self, node: Node<'t>, place: Parent<'t>, out: &mut Vec<BodyElement>) {
        let class = self.childclass_of(node, place.class);
        let at = out.len();
        self.frame_attributes(node, class, out);
        let mut parts = Vec::new();
        self.parts(node, Parent { class, ..place }, &mut parts);
        fill_frame(out, at, parts);
    }

    #[inline(never)]
    fn frame_attributes(
        &mut self,
        node: Node<'t>,
        class: Option<ClassId>,
        out: &mut Vec<BodyElement>,
    ) {
        let source = &mut self.source_of(node, class);
        let mut frame = Frame::read(source);
        source.check_quat(&frame.quat);
        frame.alt = source.orientation();
        self.name(node, "frame", &frame.name);
        out.push(BodyElement { child: Child::Frame(frame), unframed: false });
    }

    fn replicate(&mut self, node: Node<'t>, place: Parent<'t>, out: &mut Vec<BodyElement>) {
        let class = self.childclass_of(node, place.class);
        let at = out.len();
        self.replicate_attributes(node, class, out);
        let mark = self.names.enter();
        let inside = Parent { class, body: "", body_class: class, world: false };
        let children = self.children(node, inside);
        self.names.leave(mark);
        if let Some(BodyElement { child: Child::Replicate(replicate), .. }) = out.get_mut(at) {
            replicate.children = children;
        }
    }

    #[inline(never)]
    fn replicate_attributes(
        &mut self,
        node: Node<'t>,
        class: Option<ClassId>,
        out: &mut Vec<BodyElement>,
    ) {
        let replicate = Replicate::read(&mut self.source_of(node, class));
        self.require(node, &["count"]);
        out.push(BodyElement { child: Child::Replicate(replicate), unframed: false });
    }

    /// An element that contains no bodies.
    #[inline(never)]
    fn leaf(&mut self, node: Node<'t>, place: Parent<'t>) -> Option<Child> {
        let class = self.class_of(node, place.class);
        Some(match node.name() {
            "inertial" => Child::Inertial(self.inertial(node, place)),
            "joint" => {
                let joint = Joint::read(&mut self.source_of(node, class));
                self.name(node, "joint", &joint.name);
                self.no_joint_in_world(node, place);
                Child::Joint(joint)
            }
            "freejoint" => {
                let joint = FreeJoint::read(&mut self.source_of(node, class));
                self.name(node, "joint", &joint.name);
                self.no_joint_in_world(node, place);
                Child::FreeJoint(joint)
            }
            "geom" => {
                let geom = self.geom(node, class);
                self.name(node, "geom", &geom.name);
                Child::Geom(geom)
            }
            "site" => {
                let site = self.site(node, class);
                self.name(node, "site", &site.name);
                Child::Site(site)
            }
            "camera" => {
                let camera = self.camera(node, class);
                self.name(node, "camera", &camera.name);
                Child::Camera(camera)
            }
            "light" => {
                let light = self.light(node, class);
                self.name(node, "light", &light.name);
                Child::Light(light)
            }
            "attach" => {
                let attach = Attach::read(&mut self.source_of(node, class));
                self.require(node, &["model", "prefix"]);
                Child::Attach(attach)
            }
            // the schema has reported all others
            _ => return None,
        })
    }

    fn no_joint_in_world(&mut self, node: Node<'t>, place: Parent<'t>) {
        if place.world {
            self.error(node, "worldbody", "World body cannot have joints");
        }
    }

    fn inertial(&mut self, node: Node<'t>, place: Parent<'t>) -> Inertial {
        if place.world {
            self.error(node, "worldbody", "World body cannot have inertia");
        }
        let source = &mut self.source_of(node, place.class);
        let mut inertial = Inertial::read(source);
        source.check_quat(&inertial.quat);
        inertial.alt = source.orientation();
        self.require(node, &["pos", "mass"]);
        let oriented = inertial.alt.is_set() || inertial.quat.is_set();
        if oriented && inertial.fullinertia.is_set() {
            let words = "fullinertia and inertial orientation cannot both be specified";
            self.error(node, "inertial", words);
        }
        inertial
    }

    pub(super) fn geom(&mut self, node: Node<'t>, class: Option<ClassId>) -> Geom {
        let source = &mut self.source_of(node, class);
        let mut geom = Geom::read(source);
        source.check_quat(&geom.quat);
        geom.alt = source.orientation();
        geom.plugin = self.plugin_in(node);
        self.round_condim(node, &mut geom.condim, "invalid condim in geom");
        geom
    }

    pub(super) fn site(&mut self, node: Node<'t>, class: Option<ClassId>) -> Site {
        let source = &mut self.source_of(node, class);
        let mut site = Site::read(source);
        source.check_quat(&site.quat);
        site.alt = source.orientation();
        site
    }

    pub(super) fn camera(&mut self, node: Node<'t>, class: Option<ClassId>) -> Camera {
        let source = &mut self.source_of(node, class);
        let mut camera = Camera::read(source);
        source.check_quat(&camera.quat);
        camera.alt = source.orientation();
        if camera.fovy.is_set() && camera.sensorsize.is_set() {
            let words = "either 'fovy' or 'sensorsize' attribute can be specified, not both";
            self.error(node, "camera", words);
        }
        camera
    }

    /// A `condim` there is not is rounded to one there is: an extension.
    pub(super) fn round_condim(&mut self, node: Node<'t>, condim: &mut Attr<i32>, mujoco: &str) {
        let Some(&n) = condim.get() else { return };
        let rounded = match n {
            1 | 3 | 4 | 6 => return,
            ..=0 => 1,
            2 => 3,
            _ => 6,
        };
        let span = condim.span().unwrap_or(node.span());
        let words = format!("{}: {mujoco}: condim = {n}", crate::schema::tag(node));
        self.diag.extension("condim", span, &words, &format!("taken as {rounded}"));
        condim.set(rounded);
    }
}

#[inline(never)]
fn children_of(parts: Vec<BodyElement>) -> Vec<Child> {
    parts.into_iter().map(|part| part.child).collect()
}

/// Puts parts into the frame at `at`, the last so far; those it has no effect on divide it.
#[inline(never)]
fn fill_frame(out: &mut Vec<BodyElement>, mut at: usize, parts: Vec<BodyElement>) {
    for part in parts {
        let Some(BodyElement { child: Child::Frame(frame), .. }) = out.get_mut(at) else { return };
        if !part.unframed {
            frame.children.push(part.child);
            continue;
        }

        // the following elements are in a frame of the same pose, without the name
        if frame.children.is_empty() {
            out.insert(at, part);
            at += 1;
        } else {
            let mut rest = frame.without_children();
            rest.name.clear();
            out.push(part);
            at = out.len();
            out.push(BodyElement { child: Child::Frame(rest), unframed: false });
        }
    }
}
