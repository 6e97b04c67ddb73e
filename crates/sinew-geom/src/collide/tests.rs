//! Literal cases; wide comparison with MuJoCo is in the conformance tests.

use sinew_math::{Mat3, Quat, Vec3};

use super::collide;
use crate::shape::{Pose, Shape};
use crate::solid::{Form, Hull, Solid};
use crate::touch::Touch;

const TOL: f64 = 1e-12;

fn solid(shape: Shape, pos: [f64; 3]) -> Solid<'static> {
    Solid { pose: Pose { pos: pos.into(), mat: Mat3::IDENTITY }, form: Form::Shape(shape) }
}

fn turned(shape: Shape, pos: [f64; 3], quat: [f64; 4]) -> Solid<'static> {
    let [w, x, y, z] = quat;
    let mat = Quat::new(w, x, y, z).normalize().0.to_mat();
    Solid { pose: Pose { pos: pos.into(), mat }, form: Form::Shape(shape) }
}

fn touches(a: &Solid<'_>, b: &Solid<'_>, margin: f64) -> Vec<Touch> {
    let mut out = Vec::new();
    collide(a, b, margin, &Default::default(), &mut Default::default(), &mut out);
    out
}

/// Checks distance, position and normal of each contact.
#[track_caller]
fn check(a: &Solid<'_>, b: &Solid<'_>, margin: f64, want: &[(f64, [f64; 3], [f64; 3])]) {
    let got = touches(a, b, margin);
    assert_eq!(got.len(), want.len(), "{got:?}");
    for (touch, &(dist, pos, normal)) in got.iter().zip(want) {
        assert!((touch.dist - dist).abs() < TOL, "{touch:?}, wanted distance {dist}");
        assert!(touch.pos.dist(pos.into()) < TOL, "{touch:?}, wanted position {pos:?}");
        assert!(touch.normal.dist(normal.into()) < TOL, "{touch:?}, wanted normal {normal:?}");
    }
}

const PLANE: Shape = Shape::Plane { half: [0.0, 0.0] };
const BALL: Shape = Shape::Sphere { radius: 0.5 };
const CAPSULE: Shape = Shape::Capsule { radius: 0.25, half_len: 1.0 };
const CYLINDER: Shape = Shape::Cylinder { radius: 0.5, half_len: 1.0 };
const CUBE: Shape = Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) };

/// A quarter turn about y: z becomes x.
const TIPPED: [f64; 4] = [1.0, 0.0, 1.0, 0.0];
const UP: [f64; 3] = [0.0, 0.0, 1.0];

#[test]
fn sphere_rests_on_plane() {
    let ground = solid(PLANE, [0.0; 3]);
    check(&ground, &solid(BALL, [1.0, 2.0, 0.25]), 0.0, &[(-0.25, [1.0, 2.0, -0.125], UP)]);
    check(&ground, &solid(BALL, [1.0, 2.0, 0.75]), 0.25, &[(0.25, [1.0, 2.0, 0.125], UP)]);
    check(&ground, &solid(BALL, [1.0, 2.0, 0.75]), 0.24, &[]);
}

#[test]
fn lying_capsule_touches_plane_twice_along_its_axis() {
    let ground = solid(PLANE, [0.0; 3]);
    let lying = turned(CAPSULE, [0.0, 0.0, 0.25], TIPPED);
    check(&ground, &lying, 0.0, &[(0.0, [1.0, 0.0, 0.0], UP), (0.0, [-1.0, 0.0, 0.0], UP)]);
    assert!(touches(&ground, &lying, 0.0).iter().all(|t| t.tangent.dist(Vec3::X) < TOL));
}

#[test]
fn upright_cylinder_touches_plane_on_three_points_of_its_rim() {
    let ground = solid(PLANE, [0.0; 3]);
    let side = 0.5 * 3f64.sqrt() / 2.0;
    check(
        &ground,
        &solid(CYLINDER, [0.0, 0.0, 1.0]),
        0.0,
        &[
            (0.0, [0.5, 0.0, 0.0], UP),
            (0.0, [-0.25, side, 0.0], UP),
            (0.0, [-0.25, -side, 0.0], UP),
        ],
    );
}

#[test]
fn box_in_plane_has_the_first_four_corners_that_are_not_above_its_centre() {
    let ground = solid(PLANE, [0.0; 3]);
    let corner = |x: f64, y: f64| (-0.5, [x, y, -0.25], UP);
    let want = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0)];
    check(&ground, &solid(CUBE, [0.0, 0.0, 0.5]), 0.0, &want);
}

#[test]
fn ellipsoid_touches_plane_at_its_lowest_point() {
    let egg = Shape::Ellipsoid { half: Vec3::new(1.0, 2.0, 3.0) };
    let ground = solid(PLANE, [0.0; 3]);
    check(&ground, &solid(egg, [0.0, 0.0, 2.5]), 0.0, &[(-0.5, [0.0, 0.0, -0.25], UP)]);
}

#[test]
fn hull_touches_plane_at_three_vertices_far_from_each_other() {
    // a unit cube; the last vertex is so near to the lowest that it is left out
    let cube: Vec<_> =
        (0..8).map(|i| [1, 2, 4].map(|bit| if i & bit != 0 { 1f32 } else { -1f32 })).collect();
    let mut vert = cube.clone();
    vert.insert(1, [-0.9, -0.9, -1.0]);
    let hull = Hull {
        rbound: 3f64.sqrt(),
        vert: &vert,
        graph: &[],
        links: &[],
        poly_normal: &[],
        poly_vert_adr: &[],
        poly_vert_num: &[],
        poly_vert: &[],
        poly_map_adr: &[],
        poly_map_num: &[],
        poly_map: &[],
    };
    let pose = Pose { pos: Vec3::new(0.0, 0.0, 0.5), mat: Mat3::IDENTITY };
    let want = [
        (-0.5, [-1.0, -1.0, -0.25], UP),
        (-0.5, [1.0, -1.0, -0.25], UP),
        (-0.5, [-1.0, 1.0, -0.25], UP),
    ];
    check(&solid(PLANE, [0.0; 3]), &Solid { pose, form: Form::Hull(hull) }, 0.0, &want);

    // the same cube with a graph: neighbours only, in the order of the edges
    let mut graph = vec![8, 12];
    graph.extend((0..8).map(|i| 4 * i));
    graph.extend(0..8);
    for i in 0..8 {
        graph.extend([i ^ 4, i ^ 2, i ^ 1, -1]);
    }
    let hull = Hull { vert: &cube, graph: &graph, ..hull };
    let want = [
        (-0.5, [-1.0, -1.0, -0.25], UP),
        (-0.5, [-1.0, 1.0, -0.25], UP),
        (-0.5, [1.0, -1.0, -0.25], UP),
    ];
    check(&solid(PLANE, [0.0; 3]), &Solid { pose, form: Form::Hull(hull) }, 0.0, &want);

    // the same cube in the steady form, tilted by less than leaning directions: its four corners,
    // whichever of them is lowest by a hair
    let ground = solid(PLANE, [0.0; 3]);
    for (x, y) in [(1e-17, 0.0), (-1e-13, 2e-14), (0.0, -1e-9), (1e-6, 1e-6)] {
        let mat = Quat::new(1.0, x, y, 0.0).normalize().0.to_mat();
        let tilted = Solid { pose: Pose { mat, ..pose }, form: Form::Hull(hull) };
        let mut out = Vec::new();
        let options = crate::ccd::Options { steady: true, ..Default::default() };
        collide(&ground, &tilted, 0.0, &options, &mut Default::default(), &mut out);
        assert_eq!(out.len(), 4, "{out:?}");
        for corner in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
            let near = |t: &Touch| (t.pos - Vec3::new(corner[0], corner[1], -0.25)).norm() < 1e-5;
            assert!(out.iter().any(near), "{corner:?}: {out:?}");
        }
    }

    // a graph that names vertices that are not there
    let broken = Hull { vert: &cube[..2], ..hull };
    touches(&solid(PLANE, [0.0; 3]), &Solid { pose, form: Form::Hull(broken) }, 0.0);
    let broken = Hull { graph: &graph[..12], ..hull };
    touches(&solid(PLANE, [0.0; 3]), &Solid { pose, form: Form::Hull(broken) }, 0.0);
}

#[test]
fn coincident_spheres_part_across_their_z_axes() {
    let a = solid(BALL, [1.0, 1.0, 1.0]);
    check(&a, &a, 0.0, &[(-1.0, [1.0, 1.0, 1.0], [1.0, 0.0, 0.0])]);
    let b = turned(BALL, [1.0, 1.0, 1.0], TIPPED);
    check(&a, &b, 0.0, &[(-1.0, [1.0, 1.0, 1.0], [0.0, 1.0, 0.0])]);
}

#[test]
fn sphere_meets_end_and_side_of_a_capsule() {
    let capsule = solid(CAPSULE, [0.0; 3]);
    check(
        &solid(BALL, [0.0, 0.0, 1.5]),
        &capsule,
        0.0,
        &[(-0.25, [0.0, 0.0, 1.125], [0.0, 0.0, -1.0])],
    );
    check(
        &solid(BALL, [0.5, 0.0, 0.5]),
        &capsule,
        0.0,
        &[(-0.25, [0.125, 0.0, 0.5], [-1.0, 0.0, 0.0])],
    );
}

#[test]
fn sphere_meets_side_cap_and_rim_of_a_cylinder() {
    let cylinder = solid(CYLINDER, [0.0; 3]);
    let ball = |x: f64, z: f64| solid(BALL, [x, 0.0, z]);
    check(&ball(0.75, 0.5), &cylinder, 0.0, &[(-0.25, [0.375, 0.0, 0.5], [-1.0, 0.0, 0.0])]);
    check(&ball(0.25, -1.25), &cylinder, 0.0, &[(-0.25, [0.25, 0.0, -0.875], UP)]);
    check(&ball(0.8, 1.4), &cylinder, 0.0, &[(0.0, [0.5, 0.0, 1.0], [-0.6, 0.0, -0.8])]);

    // inside: through the side, as the cap is no nearer
    check(&ball(0.25, 0.75), &cylinder, 0.0, &[(-0.75, [0.125, 0.0, 0.75], [-1.0, 0.0, 0.0])]);

    // a cylinder without radius is a segment
    let segment = solid(Shape::Cylinder { radius: 0.0, half_len: 1.0 }, [0.0; 3]);
    check(&ball(0.0, 1.25), &segment, 0.0, &[(-0.25, [0.0, 0.0, 0.875], [0.0, 0.0, -1.0])]);
}

#[test]
fn sphere_inside_a_box_leaves_through_the_nearest_face() {
    let cube = solid(CUBE, [0.0; 3]);
    check(&solid(BALL, [0.0; 3]), &cube, 0.0, &[(-1.5, [-0.25, 0.0, 0.0], [1.0, 0.0, 0.0])]);
    check(
        &solid(BALL, [0.0, 0.75, 0.0]),
        &cube,
        0.0,
        &[(-0.75, [0.0, 0.625, 0.0], [0.0, -1.0, 0.0])],
    );
    check(&solid(BALL, [1.3, 1.4, 0.0]), &cube, 0.0, &[(0.0, [1.0, 1.0, 0.0], [-0.6, -0.8, 0.0])]);

    // no size at all
    let point = solid(Shape::Box { half: Vec3::ZERO }, [0.0; 3]);
    check(&solid(BALL, [0.0; 3]), &point, 0.0, &[(-0.5, [0.25, 0.0, 0.0], [1.0, 0.0, 0.0])]);
}

#[test]
fn parallel_capsules_touch_twice_crossed_ones_once() {
    let a = solid(CAPSULE, [0.0; 3]);
    let beside = solid(CAPSULE, [0.5, 0.0, 0.5]);
    let normal = [1.0, 0.0, 0.0];
    let want = [(0.0, [0.25, 0.0, 1.0], normal), (0.0, [0.25, 0.0, -0.5], normal)];
    check(&a, &beside, 0.0, &want);

    let crossed = turned(CAPSULE, [0.25, 0.5, 0.0], TIPPED);
    check(&a, &crossed, 0.0, &[(0.0, [0.0, 0.25, 0.0], [0.0, 1.0, 0.0])]);

    // without length
    let ball = solid(Shape::Capsule { radius: 0.25, half_len: 0.0 }, [0.5, 0.0, 0.0]);
    check(&a, &ball, 0.0, &[(0.0, [0.25, 0.0, 0.0], normal), (0.0, [0.25, 0.0, 0.0], normal)]);
}

#[test]
fn lying_capsule_touches_box_at_both_ends_of_the_face() {
    let lying = turned(CAPSULE, [0.0, 0.0, 1.25], TIPPED);
    let down = [0.0, 0.0, -1.0];
    let cube = solid(CUBE, [0.0; 3]);
    check(&lying, &cube, 0.0, &[(0.0, [-1.0, 0.0, 1.0], down), (0.0, [1.0, 0.0, 1.0], down)]);
}

#[test]
fn stacked_boxes_touch_at_four_corners() {
    let small = Shape::Box { half: Vec3::new(0.5, 0.5, 0.5) };
    let got = touches(&solid(CUBE, [0.0; 3]), &solid(small, [0.0, 0.0, 1.5]), 0.0);
    assert_eq!(got.len(), 4);
    for touch in got {
        assert_eq!((touch.dist, touch.normal, touch.pos.z), (0.0, Vec3::Z, 1.0));
        assert_eq!((touch.pos.x.abs(), touch.pos.y.abs()), (0.5, 0.5));
    }
}

#[test]
fn crossed_edges_of_boxes_touch_once() {
    // two long boxes on edge, one along x and one along y
    let long = Shape::Box { half: Vec3::new(3.0, 0.5, 0.5) };
    let eighth = std::f64::consts::FRAC_PI_8;
    let on_edge = [eighth.cos(), eighth.sin(), 0.0, 0.0];
    let height = 2.0 * 0.5f64.sqrt();
    let a = turned(long, [0.0; 3], on_edge);
    let half = 0.5f64.sqrt();
    let b = turned(
        long,
        [0.0, 0.0, height - 0.01],
        [half * eighth.cos(), half * eighth.sin(), half * eighth.sin(), half * eighth.cos()],
    );
    let got = touches(&a, &b, 0.0);
    assert!(!got.is_empty());
    for touch in got {
        assert!(touch.normal.dist(Vec3::Z) < TOL);
        assert!(touch.pos.x.abs() < 0.02 && touch.pos.y.abs() < 0.02, "{touch:?}");
    }
}

#[test]
fn points_do_not_touch() {
    let point = solid(Shape::Box { half: Vec3::ZERO }, [0.0; 3]);
    check(&point, &point, 0.0, &[]);
}
