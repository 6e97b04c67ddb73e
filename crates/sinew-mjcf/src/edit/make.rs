//! Elements in few words.

use sinew_model::enums::{EqType, GeomType, JointType};

use crate::spec::{Actuator, ActuatorTag, Equality, Geom, Joint, Sensor, Tendon, Wrap, WrapTag};

impl Geom {
    fn shape(kind: GeomType, size: &[f64]) -> Geom {
        Geom::default().type_(kind).size(size)
    }

    /// A sphere.
    pub fn sphere(radius: f64) -> Geom {
        Geom::shape(GeomType::Sphere, &[radius])
    }

    /// A capsule along its z axis; `half` is half the length of its cylinder.
    pub fn capsule(radius: f64, half: f64) -> Geom {
        Geom::shape(GeomType::Capsule, &[radius, half])
    }

    /// A cylinder along its z axis.
    pub fn cylinder(radius: f64, half: f64) -> Geom {
        Geom::shape(GeomType::Cylinder, &[radius, half])
    }

    /// A box, by half its sides.
    pub fn cuboid(half: [f64; 3]) -> Geom {
        Geom::shape(GeomType::Box, &half)
    }

    /// An ellipsoid, by its radii.
    pub fn ellipsoid(radii: [f64; 3]) -> Geom {
        Geom::shape(GeomType::Ellipsoid, &radii)
    }

    /// A plane; it is infinite for contacts, and drawn with these half sides (0 for without end).
    pub fn plane(half: [f64; 2]) -> Geom {
        Geom::shape(GeomType::Plane, &[half[0], half[1], 1.0])
    }

    /// A mesh, by the name of the asset.
    pub fn of_mesh(name: &str) -> Geom {
        Geom::default().type_(GeomType::Mesh).mesh(name)
    }
}

impl Joint {
    /// A hinge.
    pub fn hinge(axis: [f64; 3]) -> Joint {
        Joint::default().type_(JointType::Hinge).axis(axis)
    }

    /// A slider.
    pub fn slide(axis: [f64; 3]) -> Joint {
        Joint::default().type_(JointType::Slide).axis(axis)
    }

    /// A ball joint.
    pub fn ball() -> Joint {
        Joint::default().type_(JointType::Ball)
    }
}

impl Actuator {
    fn of(kind: ActuatorTag, joint: &str) -> Actuator {
        Actuator { kind, ..Actuator::default() }.joint(joint)
    }

    /// A motor of a joint.
    pub fn motor(joint: &str) -> Actuator {
        Actuator::of(ActuatorTag::Motor, joint)
    }

    /// A position servo of a joint.
    pub fn position(joint: &str, kp: f64) -> Actuator {
        Actuator::of(ActuatorTag::Position, joint).kp(kp)
    }

    /// A velocity servo of a joint.
    pub fn velocity(joint: &str, kv: f64) -> Actuator {
        Actuator::of(ActuatorTag::Velocity, joint).kv(kv)
    }
}

impl Sensor {
    /// A sensor by its tag in MJCF (`accelerometer`, `jointpos` ...); other methods set its object.
    pub fn new(tag: &str) -> Sensor {
        Sensor { tag: tag.to_owned(), ..Sensor::default() }
    }
}

impl Equality {
    /// Holds a point of one body at another body.
    pub fn connect(body1: &str, body2: &str, anchor: [f64; 3]) -> Equality {
        let equality = Equality { kind: EqType::Connect, ..Equality::default() };
        equality.body1(body1).body2(body2).anchor(anchor)
    }

    /// Holds two bodies together as they are in the reference pose.
    pub fn weld(body1: &str, body2: &str) -> Equality {
        Equality { kind: EqType::Weld, ..Equality::default() }.body1(body1).body2(body2)
    }

    /// Makes the position of one joint a polynomial of another joint's position.
    pub fn couple(joint1: &str, joint2: &str, coefficients: &[f64]) -> Equality {
        let equality = Equality { kind: EqType::Joint, ..Equality::default() };
        equality.joint1(joint1).joint2(joint2).polycoef(coefficients)
    }
}

impl Tendon {
    /// A tendon through sites, in order.
    pub fn through(sites: &[&str]) -> Tendon {
        let wrap = |site: &&str| Wrap { kind: WrapTag::Site, ..Wrap::default() }.site(site);
        let path = sites.iter().map(wrap).collect();
        Tendon { spatial: true, path, ..Tendon::default() }
    }

    /// A sum of joints, each times a number.
    pub fn sum(joints: &[(&str, f64)]) -> Tendon {
        let wrap = |(joint, coef): &(&str, f64)| {
            Wrap { kind: WrapTag::Joint, ..Wrap::default() }.joint(joint).coef(*coef)
        };
        Tendon { path: joints.iter().map(wrap).collect(), ..Tendon::default() }
    }
}
