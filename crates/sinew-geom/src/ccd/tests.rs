//! Contacts and distances with known answers.

use sinew_math::{Mat3, Vec3};

use super::*;
use crate::collide::Form;
use crate::shape::{Pose, Shape};

fn solid(shape: Shape, pos: Vec3) -> Solid<'static> {
    Solid { pose: Pose { pos, mat: Mat3::IDENTITY }, form: Form::Shape(shape) }
}

#[test]
fn ellipsoid_rests_on_a_box() {
    let ground = solid(Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) }, Vec3::ZERO);
    let egg = solid(
        Shape::Ellipsoid { half: Vec3::new(0.3, 0.2, 0.1) },
        Vec3::new(0.1, 0.2, 1.0 + 0.1 - 0.01),
    );
    let mut out = Vec::new();
    collide_convex(&egg, &ground, 0.0, &Options::default(), &mut Work::default(), &mut out);
    assert_eq!(out.len(), 1);
    assert!((out[0].dist + 0.01).abs() < 1e-6);
    assert!(out[0].normal.dist(-Vec3::Z) < 1e-3);
}
