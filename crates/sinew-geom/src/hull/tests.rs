use sinew_testkit::Random;

use super::*;

const CUBE: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, 1.0, 1.0],
    [-1.0, -1.0, 1.0],
];

fn point(random: &mut Random) -> Vec3 {
    random.array().into()
}

fn unit(v: Vec3) -> Vec3 {
    v.normalize().0
}

/// Closed, convex, and around all points, within `slack`.
fn check(points: &[Vec3], hull: &Hull, slack: f64) {
    let mut edges = std::collections::BTreeSet::new();
    for [a, b, c] in hull.faces() {
        for edge in [(a, b), (b, c), (c, a)] {
            assert!(edges.insert(edge), "edge {edge:?} twice");
        }
        let [p, q, r] = [a, b, c].map(|i| points[i as usize]);
        let (normal, area) = (q - p).cross(r - p).normalize();
        if area > 1e-9 {
            for x in points {
                assert!((*x - p).dot(normal) <= slack, "point outside by {}", (*x - p).dot(normal));
            }
        }
    }
    for &(a, b) in &edges {
        assert!(edges.contains(&(b, a)), "edge {a} {b} is open");
    }
    assert_eq!(hull.triangles.len() + 4, 2 * hull.vertices.len());
    let graph = hull.graph();
    assert_eq!(graph.len(), 2 + 3 * hull.vertices.len() + 6 * hull.triangles.len());
}

fn hull_of(points: &[Vec3]) -> Hull {
    convex_hull(points, None).expect("a hull")
}

#[test]
fn cube_has_the_graph_of_mujoco() {
    // mesh_graph of MuJoCo 3.5.0 for a mesh with these vertices and no faces
    let points = CUBE.map(Vec3::from);
    let graph = hull_of(&points).graph();
    #[rustfmt::skip]
    let expected = [
        8, 12, 0, 6, 10, 16, 22, 27, 32, 37, 4, 3, 2, 1, 5, 0, 7, 6, 1, 2, 3, 6, 7, -1, 0, 2, 7,
        -1, 0, 1, 3, 4, 7, -1, 0, 2, 4, 5, 6, -1, 2, 3, 5, 7, -1, 4, 3, 6, 7, -1, 0, 3, 5, 7, -1,
        1, 2, 4, 0, 6, 5, -1, 3, 4, 2, 2, 4, 1, 5, 2, 1, 5, 1, 0, 4, 7, 1, 1, 7, 0, 6, 3, 2, 5, 6,
        2, 6, 4, 3, 6, 7, 4, 6, 5, 0, 7, 6, 0,
    ];
    assert_eq!(graph, expected);
}

#[test]
fn vertex_limit_gives_the_graph_of_mujoco() {
    // the same with maxhullvert="6"; vertices are stored in single precision
    let number =
        |i: i32| (f64::from(i * 37 % 101 - 50) / 7.0 + f64::from(i * 13 % 7) / 100.0) as f32;
    let points: Vec<Vec3> =
        (0..30).map(|i| [0, 1, 2].map(|k| f64::from(number(3 * i + k))).into()).collect();
    let hull = convex_hull(&points, Some(6)).expect("a hull");
    assert_eq!(hull.vertices, [23, 2, 6, 0, 10, 27]);
    let faces: Vec<_> = hull.faces().take(3).collect();
    assert_eq!(faces, [[27, 6, 10], [6, 23, 0], [23, 27, 0]]);
}

#[test]
fn hulls_of_random_clouds_hold_all_points() {
    let mut random = Random::new(1);
    for n in [4, 5, 8, 50, 500, 3000] {
        let points: Vec<Vec3> = (0..n).map(|_| point(&mut random)).collect();
        check(&points, &hull_of(&points), 1e-12);
    }
}

#[test]
fn points_on_a_sphere_are_all_corners() {
    let mut random = Random::new(2);
    let points: Vec<Vec3> = (0..2000).map(|_| unit(point(&mut random))).collect();
    let hull = hull_of(&points);
    assert_eq!(hull.vertices.len(), points.len());
    check(&points, &hull, 1e-12);
}

#[test]
fn grids_have_eight_corners() {
    for n in 2..7 {
        let mut points = Vec::new();
        for i in 0..n * n * n {
            points.push(Vec3::new((i % n).into(), (i / n % n).into(), (i / n / n).into()));
        }
        let hull = hull_of(&points);
        assert_eq!(hull.vertices.len(), 8);
        check(&points, &hull, 1e-12);
    }
}

#[test]
fn points_on_the_sides_of_a_turned_cube_are_no_corners() {
    let mut random = Random::new(3);
    let turn = sinew_math::Quat::new(0.3, 0.5, -0.2, 0.7).normalize().0;
    let mut points: Vec<Vec3> = CUBE.map(|p| turn.rotate(p.into())).to_vec();
    for i in 0..600 {
        let mut p = point(&mut random);
        p[i % 3] = if i % 2 == 0 { 1.0 } else { -1.0 };
        points.push(turn.rotate(p));
    }
    let hull = hull_of(&points);
    check(&points, &hull, 1e-10);
    let corners = hull.vertices.iter().filter(|v| **v < 8).count();
    assert_eq!(corners, 8);
}

#[test]
fn doubled_points_count_once() {
    for sides in [3_i32, 4, 17, 100] {
        let mut points = Vec::new();
        for i in 0..4 * sides {
            let angle = f64::from(i % sides) * core::f64::consts::TAU / f64::from(sides);
            let z = if i / sides % 2 == 0 { -0.5 } else { 1.5 };
            let (x, y) = (angle.cos() as f32, angle.sin() as f32);
            points.push(Vec3::new(x.into(), y.into(), z));
        }
        let hull = hull_of(&points);
        assert_eq!(hull.vertices.len(), 2 * sides as usize);
        check(&points, &hull, 1e-6);
    }
}

#[test]
fn flat_or_broken_input_is_an_error() {
    let mut random = Random::new(4);
    let plane: Vec<Vec3> =
        (0..100).map(|_| Vec3::new(random.signed(), random.signed(), 0.25)).collect();
    let line: Vec<Vec3> = (0..100).map(|i| Vec3::new(1.0, 2.0, -3.0) * f64::from(i)).collect();
    let turn = sinew_math::Quat::new(0.3, 0.5, -0.2, 0.7).normalize().0;
    let turned: Vec<Vec3> = plane.iter().map(|p| turn.rotate(*p)).collect();
    assert_eq!(convex_hull(&plane, None), Err(HullError::Flat));
    assert!(convex_hull(&turned, None).is_err());
    assert!(convex_hull(&line, None).is_err());
    assert_eq!(convex_hull(&[Vec3::X; 50], None), Err(HullError::Flat));
    assert_eq!(convex_hull(&plane[..3], None), Err(HullError::Flat));
    let mut bad = CUBE.map(Vec3::from);
    bad[3].y = f64::NAN;
    assert_eq!(convex_hull(&bad, None), Err(HullError::NotFinite));
}

#[test]
fn hulls_of_extreme_scales_are_closed() {
    let mut random = Random::new(5);
    for scale in [1e-30, 1e-9, 1e9, 1e30] {
        let points: Vec<Vec3> = (0..200).map(|_| point(&mut random) * scale).collect();
        let hull = hull_of(&points);
        let unscaled: Vec<Vec3> = points.iter().map(|p| *p * (1.0 / scale)).collect();
        check(&unscaled, &hull, 1e-10);
    }
}

#[test]
fn nearly_flat_input_ends() {
    let mut random = Random::new(6);
    for digits in 1..18 {
        let flat = 10.0_f64.powi(-digits);
        let points: Vec<Vec3> = (0..300)
            .map(|_| Vec3::new(random.signed(), random.signed(), random.signed() * flat))
            .collect();
        if let Ok(hull) = convex_hull(&points, None) {
            assert_eq!(hull.triangles.len() + 4, 2 * hull.vertices.len());
        }
    }
}
