//! Forces of a fluid: boxes of equal inertia for bodies, ellipsoids for geoms that enable it.

use crate::common::{close, model};
use core::f64::consts::PI;
use sinew_engine::{forward, smooth_vel, step};
use sinew_model::enums::Integrator;
use sinew_model::{Data, Model};

const SPHERE: &str = "type='sphere' size='.1'";

/// A free body with one geom, in a medium.
fn floating(medium: &str, geom: &str) -> Model {
    model(&format!(
        "<mujoco><option integrator='implicitfast' {medium}/><worldbody><body pos='0 0 100'>\
         <freejoint/><geom {geom}/></body></worldbody></mujoco>"
    ))
}

/// The fluid's force on the body in motion, which must be all of its passive force.
#[track_caller]
fn check(medium: &str, geom: &str, force: [f64; 6]) {
    let m = floating(medium, geom);
    let mut d = Data::new(&m);
    d.qvel.copy_from_slice(&[1.0, -2.0, 3.0, 0.5, -0.6, 0.7]);
    forward(&m, &mut d);
    close(&d.qfrc_fluid, &force, 1e-10);
    assert_eq!(d.qfrc_fluid, d.qfrc_passive);
}

/// Downward speed after two minutes of falling.
fn terminal_speed(medium: &str) -> (Model, f64) {
    let m = floating(medium, SPHERE);
    let mut d = Data::new(&m);
    for _ in 0..60_000 {
        step(&m, &mut d);
    }
    (m, -d.qvel[2])
}

#[test]
fn density_resists_with_the_square_of_speed() {
    let turning = [-8.365_644_027_808e-7, 1.204_652_740_004e-6, -1.639_666_229_450e-6];
    let [x, y, z] = turning;
    check("density='1.2'", SPHERE, [-0.0144, 0.0576, -0.1296, x, y, z]);
}

#[test]
fn viscosity_resists_with_speed() {
    check(
        "viscosity='1'",
        SPHERE,
        [
            -1.460_080_323_351,
            2.920_160_646_701,
            -4.380_240_970_052,
            -0.005_840_321_293,
            0.007_008_385_552,
            -0.008_176_449_811,
        ],
    );
}

#[test]
fn ellipsoids_are_dragged_and_lifted() {
    check(
        "density='1.2'",
        &format!("{SPHERE} fluidshape='ellipsoid'"),
        [
            -0.071_533_890_392_54,
            0.139_046_539_819_9,
            -0.212_591_050_695_0,
            -1.581_566_482_767e-5,
            1.897_879_779_320e-5,
            -2.214_193_075_874e-5,
        ],
    );
    check(
        "density='1.2' viscosity='.05'",
        "type='ellipsoid' size='.1 .2 .05' fluidshape='ellipsoid'",
        [
            -0.114_911_744_909,
            0.149_291_575_051,
            -1.029_150_656_073,
            0.040_808_926_342,
            0.018_265_542_634,
            -0.004_363_100_300,
        ],
    );
}

#[test]
fn wind_pushes() {
    let m = floating("density='1.2' viscosity='1.8e-5' wind='5 0 0'", SPHERE);
    let mut d = Data::new(&m);
    forward(&m, &mut d);
    close(&d.qfrc_fluid, &[0.360_131_407_229, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-10);
}

#[test]
fn without_a_medium_there_is_no_force() {
    check("wind='5 0 0'", SPHERE, [0.0; 6]);
    check("wind='5 0 0'", &format!("{SPHERE} fluidshape='ellipsoid'"), [0.0; 6]);
}

#[test]
fn falling_becomes_steady() {
    let (m, speed) = terminal_speed("viscosity='1'");
    // the sphere's box of equal inertia has edges of √2.4 radii
    let edge = 2.4_f64.sqrt() * 0.1;
    close(&[speed], &[m.body_mass[1] * 9.81 / (3.0 * PI * edge)], 1e-8);
    close(&[speed], &[28.143_678_982], 1e-9);
    let (_, speed) = terminal_speed("density='1000'");
    close(&[speed], &[1.850_496_147_635], 1e-10);
}

#[test]
fn derivative_of_a_small_fin_has_mujocos_guard() {
    let fin = "type='ellipsoid' size='.06 .002 .03' fluidshape='ellipsoid'";
    let mut m = floating("density='1000' gravity='0 0 0'", fin);
    m.opt.integrator = Integrator::Implicit;
    let mut d = Data::new(&m);
    d.qvel.copy_from_slice(&[0.3, -0.02, 0.1, 0.5, -0.6, 0.7]);
    forward(&m, &mut d);
    smooth_vel(&m, &mut d, true);
    close(
        &d.qDeriv.flat()[..9],
        &[
            -1.575_334_457_622_57,
            -0.044_808_198_212_35,
            -0.253_473_259_126_03,
            0.0,
            0.001_419_228_655_45,
            -0.003_389_983_886_52,
            0.210_752_967_162_89,
            -2.355_602_581_716_57,
            0.084_686_583_952_01,
        ],
        1e-12,
    );
}
