//! URDF by MuJoCo's rules: links become bodies, joints join them.

use std::collections::{HashMap, HashSet};

use sinew_math::Vec3;
use sinew_model::enums::{GeomType, JointType};

use super::Reader;
use crate::files::{base_name, stem};
use crate::pose::z_to;
use crate::spec::attr::{Value, read_attr};
use crate::spec::{
    Angle, Attr, Body, Child, ClassId, Geom, Inertial, Joint, Mesh, Orientation, Partial, Poly,
    Span, Tri,
};
use crate::xml::Node;

/// Chains of links longer than this are refused: the compiler recurses.
const MAX_DEPTH: usize = 500;

/// Elements gathered before the tree is built.
#[derive(Default)]
struct Robot<'t> {
    names: Vec<&'t str>,
    index: HashMap<&'t str, usize>,
    parent: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    bodies: Vec<Option<Body>>,
    /// Colours of named materials.
    colors: HashMap<&'t str, [f32; 4]>,
    geom_names: HashSet<&'t str>,
    /// Meshes by the name of their file: name and scale of each.
    meshes: HashMap<String, Vec<(String, [f64; 3])>>,
}

impl<'t> Reader<'_, 't> {
    /// A whole robot.
    pub(super) fn robot(&mut self, root: Node<'t>) {
        self.robot_settings(root);
        if let Some((name, span)) = root.attr("name") {
            self.spec.modelname = Attr::at(name.to_owned(), span);
        }
        let mut robot = Robot::default();
        self.materials(root, &mut robot);
        self.links(root, &mut robot);
        self.joints(root, &mut robot);
        for link in root.named("link") {
            self.link(link, &mut robot);
        }
        for joint in root.named("joint") {
            self.urdf_joint(joint, &mut robot);
        }
        self.assemble(root, robot);
    }

    /// `<mujoco>` inside of the robot, and MuJoCo's settings for URDF.
    fn robot_settings(&mut self, root: Node<'t>) {
        if let Some(mujoco) = self.part(root, "mujoco") {
            if let Some(section) = self.part(mujoco, "compiler") {
                self.compiler(section);
            }
            if let Some(section) = self.part(mujoco, "option") {
                self.option(section);
            }
            if let Some(section) = self.part(mujoco, "size") {
                self.size(section);
            }
        }
        let compiler = &mut self.spec.scopes[0].compiler;
        for presumed in
            [&mut compiler.strippath, &mut compiler.fusestatic, &mut compiler.discardvisual]
        {
            if !presumed.is_set() {
                presumed.set(true);
            }
        }
        compiler.angle.set(Angle::Radian);
    }

    /// The child of this name; several are an error.
    fn part(&mut self, node: Node<'t>, name: &'static str) -> Option<Node<'t>> {
        let mut all = node.named(name);
        let first = all.next()?;
        if all.next().is_some() {
            self.error(first, "repeated-element", format!("repeated element: '{name}'"));
        }
        Some(first)
    }

    /// The child of this name, which must be there.
    fn needed(&mut self, node: Node<'t>, name: &'static str) -> Option<Node<'t>> {
        let part = self.part(node, name);
        if part.is_none() {
            self.error(node, "missing-element", format!("missing element: '{name}'"));
        }
        part
    }

    /// A number or numbers.
    fn value<T: Value>(&mut self, node: Node<'t>, name: &'static str) -> Attr<T> {
        read_attr(&mut self.source(node), name)
    }

    /// A number or numbers that must be there.
    fn needed_value<T: Value>(&mut self, node: Node<'t>, name: &'static str) -> Attr<T> {
        let value = self.value(node, name);
        if node.attr(name).is_none_or(|(text, _)| text.trim_ascii().is_empty()) {
            let words = format!("required attribute missing: '{name}'");
            self.error(node, "missing-attribute", words);
        }
        value
    }

    fn text(&mut self, node: Node<'t>, name: &'static str) -> &'t str {
        self.require(node, &[name]);
        node.attr(name).map_or("", |(text, _)| text)
    }

    /// Colours of materials anywhere in the robot; the first of a name counts.
    fn materials(&mut self, node: Node<'t>, robot: &mut Robot<'t>) {
        if node.name() == "material"
            && let Some((name, _)) = node.attr("name")
            && !robot.colors.contains_key(name)
            && let Some(color) = self.part(node, "color")
            && let Some(rgba) = self.needed_value(color, "rgba").get()
        {
            robot.colors.insert(name, *rgba);
        }
        for child in node.children() {
            self.materials(child, robot);
        }
    }

    fn links(&mut self, root: Node<'t>, robot: &mut Robot<'t>) {
        for link in root.named("link") {
            let name = self.text(link, "name");
            if robot.index.contains_key(name) {
                self.error(link, "repeated-name", format!("repeated URDF name: '{name}'"));
                continue;
            }
            robot.index.insert(name, robot.names.len());
            robot.names.push(name);
            robot.parent.push(None);
            robot.children.push(Vec::new());
            let mut body = Body { head: self.head(link, Some(ClassId(0))), ..Body::default() };
            body.name = Attr::at(name.to_owned(), link.span());
            robot.bodies.push(Some(body));
        }
    }

    fn joints(&mut self, root: Node<'t>, robot: &mut Robot<'t>) {
        for joint in root.named("joint") {
            let Some((parent, child)) = self.ends(joint, robot) else { continue };
            if robot.parent[child].is_some() {
                let words = format!("URDF body has multiple parents: '{}'", robot.names[child]);
                self.error(joint, "joint", words);
                continue;
            }
            robot.parent[child] = Some(parent);
            robot.children[parent].push(child);
        }
    }

    /// The links a joint joins.
    fn ends(&mut self, joint: Node<'t>, robot: &Robot<'t>) -> Option<(usize, usize)> {
        let parent = self.needed(joint, "parent")?;
        let child = self.needed(joint, "child")?;
        let parent = robot.index.get(self.text(parent, "link")).copied();
        let child = robot.index.get(self.text(child, "link")).copied();
        if parent.is_none() || child.is_none() {
            self.error(joint, "joint", "URDF joint parent or child missing");
        }
        Some((parent?, child?))
    }

    /// `<origin>`: position, orientation as angles about fixed axes.
    fn origin(&mut self, node: Node<'t>) -> (Attr<[f64; 3]>, Attr<[f64; 4]>) {
        let Some(origin) = self.part(node, "origin") else { return Default::default() };
        let pos = self.value(origin, "xyz");
        let rpy: Attr<[f64; 3]> = self.value(origin, "rpy");
        let quat = match rpy.get() {
            Some(&angles) => {
                let fixed = crate::settings::Settings {
                    degree: false,
                    eulerseq: *b"XYZ",
                    ..crate::settings::Settings::new(&Default::default())
                };
                let alt = Orientation::Euler(angles);
                let quat = crate::orientation::resolve(&alt, &fixed).unwrap_or_default();
                Attr::at(quat.to_array(), origin.span())
            }
            None => Attr::default(),
        };
        (pos, quat)
    }

    fn link(&mut self, link: Node<'t>, robot: &mut Robot<'t>) {
        let name = link.attr("name").map_or("", |(text, _)| text);
        let Some(&id) = robot.index.get(name) else { return };
        let mut children = Vec::new();
        if let Some(node) = self.part(link, "inertial") {
            children.push(Child::Inertial(self.urdf_inertial(node)));
        }
        // the colour and the name of a geom stay in force until they are changed
        let mut color: Option<[f32; 4]> = None;
        let mut geom_name = "";
        for node in link.children() {
            let collision = match node.name() {
                "visual" => false,
                "collision" => true,
                _ => continue,
            };
            if !collision {
                color = self.color(node, robot).or(color);
                if self.spec.scopes[0].compiler.discardvisual.or(true) {
                    continue;
                }
            }
            let Some(mut geom) = self.urdf_geom(node, collision, robot) else { continue };
            if let Some(rgba) = color.filter(|c| c[0] >= 0.0) {
                geom.rgba = Attr::at(rgba, node.span());
            }
            geom_name = node.attr("name").map_or(geom_name, |(text, _)| text);
            if robot.geom_names.insert(geom_name) {
                geom.name = Attr::at(geom_name.to_owned(), node.span());
            } else if node.attr("name").is_some() {
                let words = format!("geom with duplicate name '{geom_name}': left without a name");
                self.diag.warn("repeated-name", node.span(), words);
            }
            children.push(Child::Geom(geom));
        }
        if let Some(body) = &mut robot.bodies[id] {
            body.children.append(&mut children);
        }
    }

    fn urdf_inertial(&mut self, node: Node<'t>) -> Inertial {
        let mut inertial =
            Inertial { head: self.head(node, Some(ClassId(0))), ..Default::default() };
        let (pos, quat) = self.origin(node);
        inertial.pos = Attr::at(pos.or([0.0; 3]), node.span());
        inertial.quat = quat;
        if let Some(mass) = self.needed(node, "mass") {
            inertial.mass = self.needed_value(mass, "value");
        }
        if let Some(inertia) = self.needed(node, "inertia") {
            let full = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]
                .map(|name| self.needed_value::<f64>(inertia, name).or(0.0));
            // all zero stands for unknown
            if full.iter().any(|x| *x != 0.0) {
                inertial.fullinertia = Attr::at(full, inertia.span());
            }
        }
        inertial
    }

    /// The colour that a visual names.
    fn color(&mut self, visual: Node<'t>, robot: &Robot<'t>) -> Option<[f32; 4]> {
        let material = self.part(visual, "material")?;
        match self.part(material, "color") {
            Some(color) => self.needed_value(color, "rgba").get().copied(),
            None => robot.colors.get(self.text(material, "name")).copied(),
        }
    }

    fn urdf_geom(
        &mut self,
        node: Node<'t>,
        collision: bool,
        robot: &mut Robot<'t>,
    ) -> Option<Geom> {
        let shape = self.needed(node, "geometry")?;
        let span = node.span();

        // collision geoms collide, visual ones have no mass and are in group 1
        let mut geom = Geom { head: self.head(node, Some(ClassId(0))), ..Geom::default() };
        geom.contype = Attr::at(i32::from(collision), span);
        geom.conaffinity = geom.contype.clone();
        if !collision {
            geom.group = Attr::at(1, span);
            geom.density = Attr::at(0.0, span);
        }

        // shape and size
        let size = |value, len| Attr::at(Partial { value, len }, span);
        let round = [
            ("cylinder", GeomType::Cylinder),
            ("sphere", GeomType::Sphere),
            ("capsule", GeomType::Capsule),
        ];
        if let Some(part) = self.part(shape, "box") {
            let full: Attr<[f64; 3]> = self.needed_value(part, "size");
            geom.type_ = Attr::at(GeomType::Box, span);
            geom.size = size(full.or([0.0; 3]).map(|x| x / 2.0), 3);
        } else if let Some((kind, part)) =
            round.into_iter().find_map(|(name, kind)| Some((kind, self.part(shape, name)?)))
        {
            geom.type_ = Attr::at(kind, span);
            let radius = self.needed_value(part, "radius").or(0.0);
            let length = if kind == GeomType::Sphere {
                0.0
            } else {
                self.needed_value(part, "length").or(0.0)
            };
            geom.size = size([radius, length / 2.0, 0.0], 2);
        } else if let Some(part) = self.part(shape, "mesh") {
            geom.type_ = Attr::at(GeomType::Mesh, span);
            geom.mesh = Attr::at(self.urdf_mesh(part, robot), span);
        } else {
            self.error(shape, "geometry", "visual geometry specification not found");
            return None;
        }

        // place
        (geom.pos, geom.quat) = self.origin(node);
        Some(geom)
    }

    /// The mesh of a file at a scale: made when first needed.
    fn urdf_mesh(&mut self, node: Node<'t>, robot: &mut Robot<'t>) -> String {
        let mut file = self.text(node, "filename");
        let scale = self.value(node, "scale").or([1.0; 3]);
        if self.spec.scopes[0].compiler.strippath.or(true) {
            file = base_name(file);
        }
        let stem = stem(file).to_owned();
        let known = robot.meshes.entry(stem.clone()).or_default();
        if let Some((name, _)) = known.iter().find(|(_, s)| *s == scale) {
            return name.clone();
        }
        let name = if known.is_empty() { stem } else { format!("{stem}{}", known.len()) };
        known.push((name.clone(), scale));
        let mut mesh = Mesh { head: self.head(node, Some(ClassId(0))), ..Mesh::default() };
        mesh.name = Attr::at(name.clone(), node.span());
        mesh.file = Attr::at(file.to_owned(), node.span());
        mesh.scale = Attr::at(scale, node.span());
        self.name(node, "mesh", &mesh.name);
        self.spec.meshes.push(mesh);
        name
    }

    fn urdf_joint(&mut self, node: Node<'t>, robot: &mut Robot<'t>) {
        // its body, place and axis
        let kind = self.text(node, "type");
        let name = self.text(node, "name");
        let child = self.part(node, "child").and_then(|c| c.attr("link"));
        let Some(&id) = child.and_then(|(link, _)| robot.index.get(link)) else { return };
        let (pos, quat) = self.origin(node);
        let axis = match self.part(node, "axis") {
            Some(axis) => self.needed_value(axis, "xyz").or([1.0, 0.0, 0.0]),
            None => [1.0, 0.0, 0.0],
        };

        // the joints it becomes
        let new = |suffix: &str, kind, axis: Option<[f64; 3]>| {
            let mut joint = Joint { head: self.head(node, Some(ClassId(0))), ..Joint::default() };
            joint.name = Attr::at(format!("{name}{suffix}"), node.span());
            joint.type_ = Attr::at(kind, node.span());
            joint.axis = axis.map_or(Attr::default(), |a| Attr::at(a, node.span()));
            joint
        };
        let mut joints = match kind {
            "revolute" | "continuous" => vec![new("", JointType::Hinge, Some(axis))],
            "prismatic" => vec![new("", JointType::Slide, Some(axis))],
            "fixed" => Vec::new(),
            "floating" => vec![new("", JointType::Free, None)],
            "spherical" => vec![new("", JointType::Ball, Some(axis))],
            "planar" => {
                let frame = z_to(Vec3::from(axis)).to_mat();
                let x = frame * Vec3::new(1.0, 0.0, 0.0);
                let y = frame * Vec3::new(0.0, 1.0, 0.0);
                vec![
                    new("_TX", JointType::Slide, Some(x.to_array())),
                    new("_TY", JointType::Slide, Some(y.to_array())),
                    new("_RZ", JointType::Hinge, Some(axis)),
                ]
            }
            _ => {
                self.error(node, "joint", "invalid joint type in URDF joint definition");
                return;
            }
        };

        // damping, friction and limits
        self.dynamics(node, &mut joints);
        for joint in &joints {
            self.name(node, "joint", &joint.name);
        }

        // put into the body
        if let Some(body) = &mut robot.bodies[id] {
            (body.pos, body.quat) = (pos, quat);
            body.children.extend(joints.into_iter().map(Child::Joint));
        }
    }

    /// Damping and friction of all parts of a joint, limits of the first.
    fn dynamics(&mut self, node: Node<'t>, joints: &mut [Joint]) {
        if joints.is_empty() {
            return;
        }

        // damping and friction of all joints
        if let Some(part) = self.part(node, "dynamics") {
            let damping: Attr<f64> = self.value(part, "damping");
            let friction = self.value(part, "friction");
            for joint in &mut *joints {
                joint.damping = damping.map(Poly::from);
                joint.frictionloss = friction.clone();
            }
        }

        // range and effort of the first
        if let Some(part) = self.part(node, "limit") {
            let (lower, upper) = (self.value(part, "lower"), self.value(part, "upper"));
            let effort = self.value::<f64>(part, "effort").or(0.0).abs();
            let range = [lower.or(0.0), upper.or(0.0)];
            let at = part.span();
            if lower.is_set() || upper.is_set() {
                joints[0].range = Attr::at(range, at);
            }
            if lower.is_set() != upper.is_set() || range[0] > range[1] {
                joints[0].limited = Attr::at(Tri::False, at);
            }
            if effort > 0.0 {
                joints[0].actuatorfrcrange = Attr::at([-effort, effort], at);
            }
        }
    }

    /// Hangs the bodies into each other; the roots into the world, without pose.
    fn assemble(&mut self, root: Node<'t>, mut robot: Robot<'t>) {
        let roots: Vec<usize> =
            (0..robot.names.len()).filter(|&i| robot.parent[i].is_none()).collect();
        for id in roots {
            let Some(mut body) = self.grow(id, &mut robot, 0) else { continue };
            if robot.names[id] == "world" {
                let keep = |c: &Child| !matches!(c, Child::Inertial(_) | Child::Joint(_));
                body.children.retain(keep);
                self.spec.world.children.append(&mut body.children);
            } else {
                (body.pos, body.quat) = Default::default();
                self.spec.world.children.push(Child::Body(body));
            }
        }
        if let Some(lost) = robot.bodies.iter().position(Option::is_some) {
            let words = format!("URDF body not found: '{}' is in a loop", robot.names[lost]);
            self.error(root, "joint", words);
        }
        self.spec.world.head.span = Span::default();
        self.spec.world.head.class = Some(ClassId(0));
    }

    fn grow(&mut self, id: usize, robot: &mut Robot<'t>, depth: usize) -> Option<Body> {
        let mut body = robot.bodies[id].take()?;
        if depth > MAX_DEPTH {
            self.diag.error("xml", body.head.span, "links are nested too deeply");
            return Some(body);
        }
        for child in core::mem::take(&mut robot.children[id]) {
            body.children.extend(self.grow(child, robot, depth + 1).map(Child::Body));
        }
        Some(body)
    }
}
