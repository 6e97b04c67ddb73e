//! Rays against shapes whose answers are known.

use sinew_math::{Mat3, Quat, Vec3};

use super::*;

const AHEAD: Vec3 = Vec3::new(0.0, 0.0, -1.0);

fn pose() -> Pose {
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7);
    Pose { pos: Vec3::new(0.3, -0.2, 0.5), mat: turn.to_mat() }
}

/// Casts a ray that is given in the frame of the shape; the answer is in that frame as well.
fn cast(shape: Shape, origin: Vec3, dir: Vec3) -> Option<(f64, Vec3)> {
    let at = pose();
    let ray = Ray { origin: at.mat * origin + at.pos, dir: at.mat * dir };
    ray.hit(shape, at).map(|hit| (hit.dist, at.mat.tmul_vec(hit.normal)))
}

#[track_caller]
fn check(shape: Shape, origin: Vec3, dir: Vec3, want: Option<(f64, Vec3)>) {
    let got = cast(shape, origin, dir);
    match (got, want) {
        (Some((x, n)), Some((want_x, want_n))) => {
            assert!((x - want_x).abs() < 1e-14, "{shape:?}: {x}, wanted {want_x}");
            assert!((n - want_n).norm() < 1e-14, "{shape:?}: {n}, wanted {want_n}");
        }
        _ => assert_eq!(got, want, "{shape:?}"),
    }
}

#[test]
fn planes_stop_rays_from_above_inside_the_rectangle() {
    let plane = Shape::Plane { half: [1.0, 0.0] };
    check(plane, Vec3::new(0.5, 7.0, 2.0), AHEAD, Some((2.0, Vec3::Z)));
    check(plane, Vec3::new(1.5, 0.0, 2.0), AHEAD, None);
    check(plane, Vec3::new(0.0, 0.0, -2.0), Vec3::Z, None);
    check(plane, Vec3::new(0.0, 0.0, 2.0), Vec3::X, None);
}

#[test]
fn spheres_are_hit_from_outside_and_inside() {
    let sphere = Shape::Sphere { radius: 0.5 };
    check(sphere, Vec3::new(0.0, 0.0, 2.0), AHEAD, Some((1.5, Vec3::Z)));
    check(sphere, Vec3::new(0.0, 0.0, 2.0), AHEAD * 3.0, Some((0.5, Vec3::Z)));
    check(sphere, Vec3::ZERO, AHEAD, Some((0.5, AHEAD)));
    check(sphere, Vec3::new(0.6, 0.0, 2.0), AHEAD, None);
    check(sphere, Vec3::new(0.0, 0.0, -2.0), AHEAD, None);
}

#[test]
fn capsules_have_sides_and_caps() {
    let capsule = Shape::Capsule { radius: 0.5, half_len: 1.0 };
    check(capsule, Vec3::new(2.0, 0.0, 0.3), -Vec3::X, Some((1.5, Vec3::X)));
    check(capsule, Vec3::new(0.0, 0.0, 3.0), AHEAD, Some((1.5, Vec3::Z)));
    check(capsule, Vec3::new(0.0, 0.0, -3.0), Vec3::Z, Some((1.5, AHEAD)));
    let slant = Vec3::new(0.3, 0.0, 0.4) * 2.0;
    check(capsule, Vec3::new(0.3, 0.0, 5.0), AHEAD, Some((3.6, slant)));
    check(capsule, Vec3::ZERO, Vec3::X, Some((0.5, Vec3::X)));
    check(capsule, Vec3::new(0.45, 0.0, 2.0), Vec3::X, None);
}

#[test]
fn ellipsoids_have_the_normal_of_their_gradient() {
    let half = Vec3::new(1.0, 2.0, 3.0);
    let ellipsoid = Shape::Ellipsoid { half };
    check(ellipsoid, Vec3::new(0.0, 5.0, 0.0), -Vec3::Y, Some((3.0, Vec3::Y)));
    let (x, z) = (0.6, 3.0 * 0.8);
    let normal = Vec3::new(x, 0.0, z / 9.0).normalize().0;
    check(ellipsoid, Vec3::new(x, 0.0, 5.0), AHEAD, Some((5.0 - z, normal)));
    check(ellipsoid, Vec3::new(1.1, 0.0, 5.0), AHEAD, None);
}

#[test]
fn cylinders_have_sides_and_ends() {
    let cylinder = Shape::Cylinder { radius: 0.5, half_len: 1.0 };
    check(cylinder, Vec3::new(2.0, 0.0, 0.3), -Vec3::X, Some((1.5, Vec3::X)));
    check(cylinder, Vec3::new(0.4, 0.0, 3.0), AHEAD, Some((2.0, Vec3::Z)));
    check(cylinder, Vec3::new(0.4, 0.0, -3.0), Vec3::Z, Some((2.0, AHEAD)));
    check(cylinder, Vec3::new(0.0, 0.0, 1.2), Vec3::X, None);
}

#[test]
fn boxes_have_six_faces() {
    let half = Vec3::new(1.0, 2.0, 3.0);
    for k in 0..3 {
        for side in [-1.0, 1.0] {
            let mut normal = Vec3::ZERO;
            normal[k] = side;
            let start = normal * 5.0 + Vec3::new(0.1, 0.2, -0.1);
            let want = 5.0 - half[k] + side * [0.1, 0.2, -0.1][k];
            check(Shape::Box { half }, start, -normal, Some((want, normal)));
            check(Shape::Box { half }, Vec3::ZERO, normal, Some((half[k], normal)));
        }
    }
    check(Shape::Box { half }, Vec3::new(1.1, 0.0, 5.0), AHEAD, None);
}

#[test]
fn points_are_inside_where_rays_only_leave() {
    let at = pose();
    let shapes = [
        Shape::Sphere { radius: 0.7 },
        Shape::Capsule { radius: 0.5, half_len: 0.4 },
        Shape::Ellipsoid { half: Vec3::new(0.4, 0.6, 0.8) },
        Shape::Cylinder { radius: 0.5, half_len: 0.6 },
        Shape::Box { half: Vec3::new(0.4, 0.5, 0.6) },
    ];
    let mut inside = 0;
    for shape in shapes {
        for i in 0..1000 {
            let unit = |k: usize| ((i * k) % 97) as f64 / 48.5 - 1.0;
            let origin = at.pos + Vec3::new(unit(13), unit(29), unit(71));
            let dir = Vec3::new(0.3, unit(7), 0.8);
            let hit = Ray { origin, dir }.hit(shape, at);
            let leaves = hit.is_some_and(|hit| hit.normal.dot(dir) > 0.0);
            assert_eq!(shape.contains(at, origin), leaves, "{shape:?} {origin}");
            inside += usize::from(leaves);
        }
    }
    assert!(inside > 500);
    assert!(!Shape::Plane { half: [0.0; 2] }.contains(at, at.pos + at.mat.col(2)));
}

#[test]
fn a_ray_without_direction_meets_nothing() {
    let at = Pose { pos: Vec3::ZERO, mat: Mat3::IDENTITY };
    let ray = Ray { origin: Vec3::ZERO, dir: Vec3::ZERO };
    assert_eq!(ray.hit(Shape::Sphere { radius: 1.0 }, at), None);
    assert_eq!(ray.hit(Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) }, at), None);
}
