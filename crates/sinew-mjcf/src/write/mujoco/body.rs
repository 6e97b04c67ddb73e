//! The kinematic tree.

use sinew_model::enums::SleepPolicy;

use crate::spec::{Body, Child, Frame};
use crate::write::mujoco::Writer;
use crate::write::mujoco::node::{Node, UNIT};
use crate::write::mujoco::outline::{Leaf, Outline};

/// The number of an element's kind in the order in which bodies list them.
fn kind(leaf: &Leaf<'_>) -> usize {
    match leaf.child {
        Child::Joint(_) | Child::FreeJoint(_) => 0,
        Child::Geom(_) => 1,
        Child::Site(_) => 2,
        Child::Camera(_) => 3,
        _ => 4,
    }
}

impl Writer<'_> {
    /// A body, or the part of it in a frame; `childclass` is the class outside.
    pub(super) fn body(
        &self,
        node: &mut Node,
        o: &Outline<'_>,
        frame: Option<usize>,
        childclass: &str,
    ) {
        if frame.is_none() && o.id > 0 {
            self.body_attributes(node, o, childclass);
        }
        let own = self.class_in(o, frame, childclass);
        for wanted in 0..5 {
            let found = o.leaves.iter().filter(|l| l.frame == frame && kind(l) == wanted);
            found.for_each(|leaf| node.push(self.leaf(leaf, o, own)));
        }
        self.push_plugin(node, o.body.plugin.as_deref());
        self.inner_bodies(node, o, frame, childclass);
    }

    /// Bodies and frames in turn: frames once a body is in one, or at the end.
    fn inner_bodies(
        &self,
        node: &mut Node,
        o: &Outline<'_>,
        frame: Option<usize>,
        childclass: &str,
    ) {
        let mut frames = 0..o.frames.len();
        for i in 0..o.bodies.len().max(1) {
            let child = o.bodies.get(i);
            if let Some((inside, body)) = child
                && *inside == frame
            {
                let mut inner = Node::new("body");
                self.body(&mut inner, body, None, self.class_in(o, frame, childclass));
                node.push(inner);
            }
            if child.is_none_or(|(inside, _)| inside.is_none()) && i + 1 < o.bodies.len() {
                continue;
            }
            for other in frames.by_ref().filter(|f| o.frames[*f].0 == frame) {
                match self.frame(o.frames[other].1) {
                    Some(mut inner) => {
                        self.body(&mut inner, o, Some(other), childclass);
                        node.push(inner);
                    }
                    None => self.body(node, o, Some(other), childclass),
                }
            }
        }
    }

    /// The class that elements of a body have if they say nothing.
    fn class_in<'c>(
        &'c self,
        o: &Outline<'_>,
        frame: Option<usize>,
        childclass: &'c str,
    ) -> &'c str {
        let frame = frame.map_or("", |f| self.class_name(&o.frames[f].1.head));
        let body = self.class_name(&o.body.head);
        [frame, body].into_iter().find(|class| !class.is_empty()).unwrap_or(childclass)
    }

    /// A frame that says something.
    fn frame(&self, frame: &Frame) -> Option<Node> {
        let (name, class) = (frame.name.text(), self.class_name(&frame.head));
        if name.is_empty() && matches!(class, "" | "main") {
            return None;
        }
        let mut node = Node::new("frame");
        node.text("name", name);
        if class != "main" {
            node.text("childclass", class);
        }
        Some(node)
    }

    fn body_attributes(&self, node: &mut Node, o: &Outline<'_>, childclass: &str) {
        let (m, i, body) = (self.m, o.id, o.body);
        node.text("name", body.name.text());
        let class = self.class_name(&body.head);
        if class != childclass && class != "main" {
            node.text("childclass", class);
        }
        let pos = m.body_pos[i].to_array();
        if pos != [0.0; 3] {
            node.all("pos", &pos);
        }
        node.numbers("quat", &m.body_quat[i].to_array(), &UNIT);
        node.extend(body.differing(&Body::default(), "mocap gravcomp"));
        let v = body.values();
        if v.sleep() >= SleepPolicy::Never {
            node.extend(body.differing(&Body::default(), "sleep"));
        }
        Writer::user(node, v.user(), &[], m.nuser_body);
        if self.settings[0].saveinertial || o.explicit_inertia(&self.settings[0]) {
            let mut inertial = Node::new("inertial");
            inertial.all("pos", &m.body_ipos[i].to_array());
            inertial.numbers("quat", &m.body_iquat[i].to_array(), &UNIT);
            inertial.all("mass", &[m.body_mass[i]]);
            inertial.all("diaginertia", &m.body_inertia[i].to_array());
            node.push(inertial);
        }
    }
}
