//! Rays against height fields.

use sinew_math::{Mat3, Vec3};

use super::*;

const POSE: Pose = Pose { pos: Vec3::ZERO, mat: Mat3::IDENTITY };

/// A ramp that rises with x from 0 to 1 over [-2, 2], on a base one deep.
fn ramp(data: &mut Vec<f32>) -> HeightField<'_> {
    data.extend((0..3).flat_map(|_| (0..5).map(|c| c as f32 / 4.0)));
    HeightField { size: [2.0, 1.0, 1.0, 1.0], nrow: 3, ncol: 5, data }
}

#[track_caller]
fn check(field: &HeightField<'_>, origin: Vec3, dir: Vec3, want: Option<(f64, Vec3)>) {
    let got = field.hit(POSE, Ray { origin, dir });
    match (got, want) {
        (Some(hit), Some((x, normal))) => {
            assert!((hit.dist - x).abs() < 1e-14, "{}, wanted {x}", hit.dist);
            assert!((hit.normal - normal).norm() < 1e-14, "{}, wanted {normal}", hit.normal);
        }
        _ => assert_eq!(got.map(|hit| hit.dist), want.map(|(x, _)| x)),
    }
}

#[test]
fn terrain_sides_and_base_are_hit() {
    let mut data = Vec::new();
    let field = ramp(&mut data);
    let slope = Vec3::new(-0.25, 0.0, 1.0).normalize().0;
    for x in [-1.9, -0.3, 0.1, 1.7] {
        let height = (x + 2.0) / 4.0;
        let above = Vec3::new(x, 0.3, 3.0);
        check(&field, above, -Vec3::Z, Some((3.0 - height, slope)));
    }
    check(&field, Vec3::new(3.0, 0.1, 0.5), -Vec3::X, Some((1.0, Vec3::X)));
    check(&field, Vec3::new(1.0, 3.0, 0.5), -Vec3::Y, Some((2.0, Vec3::Y)));
    check(&field, Vec3::new(0.3, 0.2, -3.0), Vec3::Z, Some((2.0, -Vec3::Z)));
    check(&field, Vec3::new(-3.0, 0.2, -0.5), Vec3::X, Some((1.0, -Vec3::X)));
}

#[test]
fn rays_above_the_terrain_pass() {
    let mut data = Vec::new();
    let field = ramp(&mut data);
    check(&field, Vec3::new(-1.0, 3.0, 0.5), -Vec3::Y, None);
    check(&field, Vec3::new(0.0, 0.0, 2.0), Vec3::Z, None);
    // over the low end and into the slope
    let slope = Vec3::new(-0.25, 0.0, 1.0).normalize().0;
    check(&field, Vec3::new(-3.0, 0.1, 0.6), Vec3::X, Some((3.4, slope)));
}
