//! Joints, geoms, sites, cameras and lights, of bodies and of default classes.

use core::f64::consts::PI;

use sinew_engine as engine;
use sinew_geom::shape::Matter;
use sinew_math::{Quat, Vec3};
use sinew_model::enums::{GeomType, JointType};
use sinew_model::later::row;

use crate::number::same;
use crate::spec::attr::Partial;
use crate::spec::{Camera, Child, Geom, Head, Joint, Light, Poly, Site};
use crate::write::mujoco::Writer;
use crate::write::mujoco::node::{Node, UNIT};
use crate::write::mujoco::outline::{Leaf, Outline};

/// Where an element is that does not belong to a class.
#[derive(Clone, Copy)]
pub(super) struct ClassContext<'p> {
    /// Number of the element.
    id: usize,
    /// The class of elements there that say nothing.
    class: &'p str,
    /// Body of the element.
    body: &'p Outline<'p>,
}

/// The volume of a geom, or its area; a mesh's volume is not known here, and unlike any other.
fn volume(kind: GeomType, size: Vec3, shell: bool) -> f64 {
    let matter = if shell { Matter::Shell } else { Matter::Solid };
    match kind {
        kind if kind.is_mesh() => f64::INFINITY,
        kind => engine::shape(kind, size).map_or(0.0, |shape| shape.volume(matter)),
    }
}

/// A pose before another was applied inside of it.
fn without(pos: Vec3, quat: Quat, at: Vec3, turn: Quat) -> (Vec3, Quat) {
    let quat = quat * turn.conj();
    let shift = quat * Quat::new(0.0, at.x, at.y, at.z) * quat.conj();
    (pos - Vec3::new(shift.x, shift.y, shift.z), quat)
}

impl Writer<'_> {
    /// An element of a body.
    pub(super) fn leaf(&self, leaf: &Leaf<'_>, body: &Outline<'_>, class: &str) -> Node {
        let at = Some(ClassContext { id: leaf.id, class, body });
        match leaf.child {
            Child::Joint(e) => {
                self.joint(&self.defaults.joint(e), &self.class_of(&e.head).joint, at)
            }
            Child::FreeJoint(e) => self.joint(&e.joint(), &self.class_of(&e.head).joint, at),
            Child::Geom(e) => self.geom(&self.defaults.geom(e), &self.class_of(&e.head).geom, at),
            Child::Site(e) => self.site(&self.defaults.site(e), &self.class_of(&e.head).site, at),
            Child::Camera(e) => {
                self.camera(&self.defaults.camera(e), &self.class_of(&e.head).camera, at)
            }
            Child::Light(e) => {
                self.light(&self.defaults.light(e), &self.class_of(&e.head).light, at)
            }
            Child::Body(_)
            | Child::Frame(_)
            | Child::Replicate(_)
            | Child::Attach(_)
            | Child::Inertial(_) => Node::default(),
        }
    }

    /// Adds the name of an element in a body and its class.
    fn placed(&self, node: &mut Node, name: &str, head: &Head, at: ClassContext<'_>) {
        node.text("name", name);
        let class = self.class_name(head);
        if class != at.class && class != "main" {
            node.text("class", class);
        }
    }

    /// A joint; angles are in radians.
    pub(super) fn joint(&self, e: &Joint, base: &Joint, at: Option<ClassContext<'_>>) -> Node {
        let (mut node, mut own, mut base) = (Node::new("joint"), e.clone(), base.clone());
        let kind = e.values().type_();
        let scalar = matches!(kind, JointType::Hinge | JointType::Slide);

        // numbers of the compiled joint
        if let Some(at) = at {
            let (m, i) = (self.m, at.id);
            self.placed(&mut node, e.name.text(), &e.head, at);
            if kind != JointType::Free {
                node.all("pos", &m.jnt_pos[i].to_array());
            }
            if scalar {
                node.all("axis", &m.jnt_axis[i].to_array());
            }
            own.range.set(m.jnt_range[i]);
            if kind == JointType::Hinge && self.settings[e.head.scope].degree {
                for angle in [&mut own.ref_, &mut own.springref] {
                    angle.get_mut().into_iter().for_each(|x| *x *= PI / 180.0);
                }
            }
            if e.values().springdamper() != [0.0; 2] {
                let damping = m.dof_damping[m.jnt_dofadr[i]];
                own.stiffness
                    .set(own.stiffness.or(Poly::from(0.0)).with_linear(m.jnt_stiffness[i]));
                own.damping.set(own.damping.or(Poly::from(0.0)).with_linear(damping));
            }
        }

        // angles are compared with zero; some attributes do not go with all kinds
        base.ref_.clear();
        base.springref.clear();
        base.springyield.clear();
        match (at, &self.m.later) {
            (Some(at), Some(later)) => own.springyield.set(row(&later.jnt_springyield, at.id)),
            _ => own.springyield.clear(),
        }
        if kind == JointType::Free {
            own.limited = base.limited.clone();
        }
        if !scalar {
            own.actuatorfrclimited = base.actuatorfrclimited.clone();
        }
        let order = "type group ref springref springyield solreflimit* solimplimit* solreffriction* \
                     solimpfriction* stiffness limited range actuatorfrclimited \
                     actuatorgravcomp actuatorfrcrange margin armature damping frictionloss";
        node.extend(own.differing(&base, order));
        let base = if at.is_some() { base.values().user() } else { &[] };
        Writer::user(&mut node, e.values().user(), base, self.m.nuser_jnt);
        node
    }

    /// A geom; one that has a mass says it, others their density.
    pub(super) fn geom(&self, e: &Geom, base: &Geom, at: Option<ClassContext<'_>>) -> Node {
        let (mut node, mut own, mut base) = (Node::new("geom"), e.clone(), base.clone());
        let (mut kind, v) = (e.values().type_(), e.values());
        let (mut mass, mut usual) = (0.0, 0.0);
        if let Some(at) = at {
            // type, size and pose of the compiled geom
            let (m, i) = (self.m, at.id);
            kind = m.geom_type[i];
            own.type_.set(kind);
            self.placed(&mut node, e.name.text(), &e.head, at);
            let count = kind.size_count();
            node.numbers("size", &m.geom_size[i].to_array()[..count], &base.values().size());
            if !v.mass().is_nan() {
                usual = volume(kind, m.geom_size[i], v.shellinertia()) * base.values().density();
                let massless = matches!(kind, GeomType::Plane | GeomType::Hfield);
                mass = if self.has_mass(e, at) && !massless { v.mass() } else { 0.0 };
            }
            self.geom_pose(&mut node, i, kind);
            // a geom that was fitted to a mesh is written without it
            if let Some(later) = m.later.as_ref().filter(|_| e.mesh.is_set() && !kind.is_mesh()) {
                own.surfacevel.set(Partial { value: row(&later.geom_surfacevel, i), len: 6 });
            }
        } else {
            node.extend(own.differing(&base, "size"));
        }

        // attributes with another form, or of some kinds only
        if kind == GeomType::Mesh {
            own.shellinertia = base.shellinertia.clone();
        }
        let order = "type contype conaffinity condim group priority friction* solmix solref* \
                     solimp* margin gap surfacevel adhesion fluidshape fluidcoef shellinertia";
        node.extend(own.differing(&base, order));
        if v.mass().is_nan() {
            node.extend(own.differing(&base, "density"));
        } else {
            node.numbers("mass", &[mass], &[usual]);
        }
        node.extend(own.differing(&base, "material rgba"));
        if kind == GeomType::Hfield {
            node.text("hfield", v.hfield());
        }
        if kind.is_mesh() {
            node.text("mesh", v.mesh());
        }
        base.user = if at.is_some() { base.user } else { Default::default() };
        Writer::user(&mut node, v.user(), base.values().user(), self.m.nuser_geom);

        // attributes that MuJoCo does not have
        let only_ours = |name: &str| matches!(name, "solreffriction" | "restitution");
        node.extend(e.attributes().into_iter().filter(|(name, _)| only_ours(name)).collect());
        self.push_plugin(&mut node, e.plugin.as_deref());
        node
    }

    /// Whether a geom gives mass to its body.
    fn has_mass(&self, e: &Geom, at: ClassContext<'_>) -> bool {
        let settings = &self.settings[e.head.scope];
        let [low, high] = settings.inertiagrouprange;
        let group = e.values().group();
        at.body.id > 0 && !at.body.explicit_inertia(settings) && (low..=high).contains(&group)
    }

    /// Adds the pose of a geom; a mesh has its pose before it was put into its own frame.
    fn geom_pose(&self, node: &mut Node, i: usize, kind: GeomType) {
        let m = self.m;
        let (mut pos, mut quat) = (m.geom_pos[i], m.geom_quat[i]);
        if kind.is_mesh()
            && let Ok(mesh) = usize::try_from(m.geom_dataid[i])
        {
            let (at, turn) = (m.mesh_pos[mesh], m.mesh_quat[mesh]);
            let near = |a: &[f64], b: &[f64]| same(a, b, f64::EPSILON);
            if near(&pos.to_array(), &at.to_array()) && near(&quat.to_array(), &turn.to_array()) {
                return;
            }
            (pos, quat) = without(pos, quat, at, turn);
        }
        node.numbers("pos", &pos.to_array(), &[0.0; 3]);
        node.numbers("quat", &quat.to_array(), &UNIT);
    }

    /// A site.
    pub(super) fn site(&self, e: &Site, base: &Site, at: Option<ClassContext<'_>>) -> Node {
        let mut node = Node::new("site");
        if let Some(at) = at {
            let (m, i) = (self.m, at.id);
            self.placed(&mut node, e.name.text(), &e.head, at);
            node.all("pos", &m.site_pos[i].to_array());
            node.numbers("quat", &m.site_quat[i].to_array(), &UNIT);
            let count = e.values().type_().size_count();
            node.numbers("size", &m.site_size[i].to_array()[..count], &base.values().size());
        } else {
            node.extend(e.differing(base, "size"));
        }
        node.extend(e.differing(base, "group type material rgba mesh"));
        let base = if at.is_some() { base.values().user() } else { &[] };
        Writer::user(&mut node, e.values().user(), base, self.m.nuser_site);
        node
    }

    /// A camera, with its field of view or the properties of its lens.
    pub(super) fn camera(&self, e: &Camera, base: &Camera, at: Option<ClassContext<'_>>) -> Node {
        let mut node = Node::new("camera");
        if let Some(at) = at {
            let (m, i) = (self.m, at.id);
            self.placed(&mut node, e.name.text(), &e.head, at);
            node.text("target", e.values().target());
            node.all("pos", &m.cam_pos[i].to_array());
            node.numbers("quat", &m.cam_quat[i].to_array(), &UNIT);
        }
        node.extend(e.differing(base, "ipd mode resolution output projection"));
        let sensor = e.values().sensorsize();
        if sensor.iter().all(|size| *size > 0.0) {
            node.all("sensorsize", &sensor.map(f64::from));
            node.extend(e.differing(base, "focal focalpixel principal principalpixel"));
        } else {
            node.extend(e.differing(base, "fovy"));
        }
        let base = if at.is_some() { base.values().user() } else { &[] };
        Writer::user(&mut node, e.values().user(), base, self.m.nuser_cam);
        node
    }

    /// A light.
    pub(super) fn light(&self, e: &Light, base: &Light, at: Option<ClassContext<'_>>) -> Node {
        let mut node = Node::new("light");
        if let Some(at) = at {
            self.placed(&mut node, e.name.text(), &e.head, at);
            node.text("target", e.values().target());
            node.all("pos", &self.m.light_pos[at.id].to_array());
            node.all("dir", &self.m.light_dir[at.id].to_array());
        }
        node.extend(e.differing(base, "bulbradius intensity range type"));
        node.text("texture", e.values().texture());
        let order = "castshadow active attenuation cutoff exponent ambient diffuse specular mode";
        node.extend(e.differing(base, order));
        node
    }
}
