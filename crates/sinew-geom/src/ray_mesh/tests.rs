//! Rays against meshes: the tree gives the same hits as a test of every triangle.

use sinew_math::{Quat, Vec3};

use super::*;
use crate::bvh::{Bvh, BvhItem};

/// A bumpy closed surface: a sphere of `n` rings with radii that vary.
fn bumpy(n: usize) -> (Vec<[f32; 3]>, Vec<[i32; 3]>) {
    let (mut vert, mut face) = (Vec::new(), Vec::new());
    for i in 0..=n {
        for j in 0..2 * n {
            let (theta, phi) = (
                core::f64::consts::PI * i as f64 / n as f64,
                core::f64::consts::PI * j as f64 / n as f64,
            );
            let r = 1.0 + 0.2 * (3.0 * theta).sin() * (4.0 * phi).cos();
            let v = [theta.sin() * phi.cos(), theta.sin() * phi.sin(), theta.cos()];
            vert.push(v.map(|x| (r * x) as f32));
        }
    }
    let at = |i: usize, j: usize| (i * 2 * n + j % (2 * n)) as i32;
    for i in 0..n {
        for j in 0..2 * n {
            face.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            face.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (vert, face)
}

fn tree(vert: &[[f32; 3]], face: &[[i32; 3]]) -> Bvh {
    let items: Vec<BvhItem> = face
        .iter()
        .enumerate()
        .map(|(id, f)| {
            let v = f.map(|v| Vec3::from(vert[v as usize].map(f64::from)));
            let low = |k: usize| v[0][k].min(v[1][k]).min(v[2][k]);
            let high = |k: usize| v[0][k].max(v[1][k]).max(v[2][k]);
            let mean = |k: usize| (low(k) + high(k)) / 2.0;
            let half = |k: usize| (high(k) - low(k)) / 2.0;
            let center = Vec3::new(mean(0), mean(1), mean(2));
            let half = Vec3::new(half(0), half(1), half(2));
            BvhItem { id: id as i32, collides: true, pos: center, quat: None, center, half }
        })
        .collect();
    Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY)
}

#[test]
fn the_tree_finds_the_nearest_triangle() {
    let (vert, face) = bumpy(9);
    let bvh = tree(&vert, &face);
    let mesh = MeshTree {
        vert: &vert,
        face: &face,
        aabb: &bvh.aabb,
        child: &bvh.child,
        item: &bvh.nodeid,
    };
    let turn = Quat::from_axis_angle(Vec3::new(0.0, 0.6, 0.8), 1.1);
    let pose = Pose { pos: Vec3::new(0.1, 0.2, 0.3), mat: turn.to_mat() };
    let half = Vec3::new(1.3, 1.3, 1.3);
    let mut hits = 0;
    for i in 0..500 {
        let unit = |k: usize| ((i * k) % 101) as f64 / 50.5 - 1.0;
        let origin = Vec3::new(2.0 * unit(17), 2.0 * unit(31), 2.0 * unit(53));
        let dir = Vec3::new(unit(7), unit(11), unit(3) + 0.01) - origin;
        let ray = Ray { origin, dir };
        let across = Across::new(ray.local(pose));
        let all = (0..face.len()).filter_map(|f| across.hit(mesh.triangle(f)));
        let want = all.map(|(x, _)| x).filter(|&x| x >= 0.0).fold(f64::INFINITY, f64::min);
        let got = mesh.hit(half, pose, ray, |_| {});
        assert_eq!(got.map_or(f64::INFINITY, |hit| hit.dist), want, "ray {i}");
        if let Some(hit) = got {
            hits += 1;
            assert!((hit.normal.norm() - 1.0).abs() < 1e-14);
        }
    }
    assert!(hits > 100);
}

#[test]
fn a_triangle_is_hit_from_both_sides() {
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
    for (z, dir) in [(2.0, -1.0), (-2.0, 1.0)] {
        let ray = Ray { origin: Vec3::new(0.2, 0.3, z), dir: Vec3::new(0.0, 0.0, dir) };
        assert_eq!(Across::new(ray).hit(triangle), Some((2.0, Vec3::Z)));
    }
    let beside = Ray { origin: Vec3::new(0.7, 0.7, 1.0), dir: -Vec3::Z };
    assert_eq!(Across::new(beside).hit(triangle), None);
}
