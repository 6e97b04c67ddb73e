//! Lengths of tendons at rest and in the hundredth step, compiled and simulated end to end.

use crate::common::{close, model};
use sinew_engine::{forward, integrate_pos, step};
use sinew_model::{Data, Model};

/// The numbers of `simulated`, and then the Jacobian must be the gradient of length.
#[track_caller]
fn check(world: &str, tendon: &str, at_rest: f64, after: [f64; 2]) {
    let (m, mut d) = simulated(world, tendon, at_rest, after);
    forward(&m, &mut d);
    close(&d.ten_J[0], &gradient(&m, &d), 1e-8);
}

/// Length at `qpos0`; length and velocity in the 100th step from velocities of ±0.3.
#[track_caller]
fn simulated(world: &str, tendon: &str, at_rest: f64, after: [f64; 2]) -> (Model, Data) {
    let m =
        model(&format!("<mujoco><worldbody>{world}</worldbody><tendon>{tendon}</tendon></mujoco>"));
    close(&[m.tendon_length0[0]], &[at_rest], 1e-11);
    let mut d = Data::new(&m);
    for (v, qvel) in d.qvel.iter_mut().enumerate() {
        *qvel = if v % 2 == 0 { 0.3 } else { -0.3 };
    }
    for _ in 0..100 {
        step(&m, &mut d);
    }
    close(&[d.ten_length[0], d.ten_velocity[0]], &after, 1e-8);
    (m, d)
}

/// Central difference of the length along each dof.
fn gradient(m: &Model, d: &Data) -> Vec<f64> {
    let length = |v: usize, step: f64| {
        let mut d = d.clone();
        let mut along = vec![0.0; m.nv];
        along[v] = 1.0;
        integrate_pos(m, &mut d.qpos, &along, step);
        forward(m, &mut d);
        d.ten_length[0]
    };
    (0..m.nv).map(|v| (length(v, 1e-6) - length(v, -1e-6)) / 2e-6).collect()
}

/// Jacobian at `qpos0`.
#[track_caller]
fn check_jacobian(world: &str, tendon: &str, jacobian: &[f64]) {
    let m =
        model(&format!("<mujoco><worldbody>{world}</worldbody><tendon>{tendon}</tendon></mujoco>"));
    let mut d = Data::new(&m);
    forward(&m, &mut d);
    close(&d.ten_J[0], jacobian, 1e-10);
}

/// Two ends that move by `joint`, with sites at `offsets`, and a geom to wrap around.
fn wrapped(joint: &str, ends: [&str; 2], offsets: [&str; 2], geom: &str) -> String {
    let end = |name: &str, i: usize| {
        format!(
            "<body pos='{}'><joint {joint}/><geom size='.02'/><site name='{name}' pos='{}'/>\
             </body>",
            ends[i], offsets[i]
        )
    };
    format!("{}<body>{geom}</body>{}", end("a", 0), end("b", 1))
}

/// From the first end around the geom to the second.
fn around(attributes: &str) -> String {
    format!("<spatial><site site='a'/><geom geom='g' {attributes}/><site site='b'/></spatial>")
}

const ZERO: [&str; 2] = ["0 0 0", "0 0 0"];
const OFF: [&str; 2] = [".02 .03 .01", "-.01 .02 -.02"];
const HINGE: &str = "axis='0 0 1'";
const SLIDE_X: &str = "type='slide' axis='1 0 0'";
const SLIDE_Y: &str = "type='slide' axis='0 1 0'";
const SPHERE: &str = "<geom name='g' size='.1'/>";
const CYLINDER: &str = "<geom name='g' type='cylinder' size='.08 .3'/>";

/// Links hanging from each other, with a site each; `extra` is on the second.
fn chain(sites: [&str; 3], radii: [&str; 3], extra: &str) -> String {
    let [r1, r2, r3] = radii;
    let [s1, s2, s3] = sites;
    format!(
        "<body pos='0 0 1'><joint axis='0 1 0'/>\
         <geom type='capsule' size='{r1}' fromto='0 0 0 0 0 -.5'/>\
         <site name='s1' pos='{s1}'/><body pos='0 0 -.5'><joint axis='0 1 0'/>\
         <geom type='capsule' size='{r2}' fromto='0 0 0 0 0 -.4'/>\
         <site name='s2' pos='{s2}'/>{extra}\
         <body pos='0 0 -.4'><joint axis='0 1 0'/>\
         <geom type='capsule' size='{r3}' fromto='0 0 0 0 0 -.3'/>\
         <site name='s3' pos='{s3}'/></body></body></body>"
    )
}

#[test]
fn a_path_through_three_sites_has_the_sum_of_two_lengths() {
    check(
        &chain(["0 0 0", "0 0 -.2", "0 0 -.15"], [".05", ".04", ".03"], ""),
        "<spatial stiffness='100' damping='10'><site site='s1'/><site site='s2'/>\
         <site site='s3'/></spatial>",
        1.05,
        [1.049_978_224_660, 0.000_696_205_061],
    );
}

#[test]
fn a_tendon_around_a_sphere_has_the_length_of_an_arc() {
    let ends = ["-.3 .05 0", ".3 .05 0"];
    let tendon = around("").replace("<spatial>", "<spatial stiffness='200'>");
    let world = wrapped(HINGE, ends, ZERO, SPHERE);
    check(&world, &tendon, 0.608_432_629_250, [0.608_432_629_250, 0.0]);
    let world = wrapped(HINGE, ends, OFF, SPHERE);
    check(&world, &tendon, 0.573_044_648_506, [0.573_001_887_122, -0.012_970_983_779]);
}

#[test]
fn a_tendon_around_a_cylinder_has_the_length_of_a_helix() {
    let ends = ["-.3 .1 .2", ".3 -.05 -.2"];
    let after = [0.653_432_512_254, -0.440_322_889_439];
    check(&wrapped(SLIDE_X, ends, ZERO, CYLINDER), &around(""), 0.745_072_068_094, after);
    let side = format!("{CYLINDER}<site name='side' pos='0 .2 0'/>");
    let tendon = around("sidesite='side'");
    check(&wrapped(SLIDE_X, ends, ZERO, &side), &tendon, 0.745_072_068_094, after);
}

#[test]
fn side_site_chooses_the_side() {
    let tendon = around("sidesite='side'");
    let side = |pos: &str| format!("{SPHERE}<site name='side' pos='{pos}'/>");
    let ends = ["-.3 .15 0", ".3 -.05 0"];
    let world = wrapped(HINGE, ends, ZERO, &side("0 .3 0"));
    check(&world, &tendon, 0.641_312_096_242, [0.641_312_096_242, 0.0]);
    let world = wrapped(HINGE, ends, OFF, &side("0 .3 0"));
    check(&world, &tendon, 0.610_739_686_623, [0.613_629_825_676, 0.014_850_189_785]);
    let ends = ["-.3 .2 0", ".3 .2 0"];
    let world = wrapped(HINGE, ends, ZERO, &side("0 -.3 0"));
    check(&world, &tendon, 0.866_627_824_038, [0.866_627_824_038, 0.0]);
    let world = wrapped(HINGE, ends, OFF, &side("0 -.3 0"));
    check(&world, &tendon, 0.888_288_317_180, [0.891_423_275_324, 0.015_615_711_683]);
}

#[test]
fn a_path_through_the_centre_of_a_sphere_turns_to_a_fixed_side() {
    // it stays there, where the way around is arbitrary and length has no gradient
    let world = wrapped(SLIDE_Y, ["-.3 0 0", ".3 0 0"], ZERO, SPHERE);
    simulated(&world, &around(""), 0.633_652_806_840, [0.644_647_833_904, 0.110_131_449_052]);
}

#[test]
fn pulley_halves_its_branch() {
    let slide = "<joint type='slide' axis='0 0 1'/><geom size='.02'/>";
    check(
        &format!(
            "<body pos='0 0 .5'>{slide}<site name='s1'/></body><body><site name='s2'/>\
             <site name='s3'/></body>\
             <body pos='0 0 -.5'>{slide}<site name='s4'/></body>"
        ),
        "<spatial stiffness='100'><site site='s1'/><site site='s2'/><pulley divisor='2'/>\
         <site site='s3'/><site site='s4'/></spatial>",
        0.75,
        [0.746_579_724_458, 0.425_809_257_068],
    );
}

#[test]
fn a_path_to_a_free_body_follows_it() {
    check(
        "<site name='a'/><body pos='1 0 0' euler='0 45 0'><freejoint/><geom size='.05'/>\
         <site name='b' pos='.2 .1 0'/></body>",
        "<spatial stiffness='100'><site site='a'/><site site='b'/></spatial>",
        1.154_488_073_769,
        [1.156_705_997_599, -0.241_788_182_234],
    );
}

#[test]
fn a_path_may_be_straight_and_then_go_around() {
    let sphere = "<body pos='0 0 -.2'><geom name='g' size='.08'/></body>";
    let tendon = "<spatial stiffness='100'><site site='s1'/><site site='s2'/><geom geom='g'/>\
                  <site site='s3'/></spatial>";
    let radii = [".04", ".03", ".02"];
    let world = chain(["0 .3 0", "0 .15 0", "0 0 0"], radii, sphere);
    check(&world, tendon, 0.949_672_356_856, [0.949_672_356_856, 0.0]);
    let world = chain([".05 .3 .02", ".02 .15 0", "-.01 0 -.05"], radii, sphere);
    check(&world, tendon, 1.017_325_193_694, [1.017_345_212_480, 0.008_986_847_335]);
}

#[test]
fn jacobians_at_rest_are_the_lever_arms() {
    let side = |pos: &str| format!("{SPHERE}<site name='side' pos='{pos}'/>");
    let world = wrapped(SLIDE_X, ["-.3 .1 .2", ".3 -.05 -.2"], ZERO, CYLINDER);
    check_jacobian(&world, &around(""), &[-0.841_834_586_578, 0.766_403_388_178]);
    let world = wrapped(SLIDE_Y, ["-.3 0 0", ".3 0 0"], ZERO, SPHERE);
    check_jacobian(&world, &around(""), &[-0.235_702_260_396; 2]);
    let world = wrapped(HINGE, ["-.3 .05 0", ".3 .05 0"], OFF, SPHERE);
    check_jacobian(&world, &around(""), &[0.028_444_316_164, -0.018_831_391_859]);
    let tendon = around("sidesite='side'");
    let world = wrapped(HINGE, ["-.3 .15 0", ".3 -.05 0"], OFF, &side("0 .3 0"));
    check_jacobian(&world, &tendon, &[0.034_161_631_775, -0.013_616_503_524]);
    let world = wrapped(HINGE, ["-.3 .2 0", ".3 .2 0"], OFF, &side("0 -.3 0"));
    check_jacobian(&world, &tendon, &[0.033_496_383_783, -0.019_977_644_021]);
    let sphere = "<body pos='0 0 -.2'><geom name='g' size='.08'/></body>";
    let tendon =
        "<spatial><site site='s1'/><site site='s2'/><geom geom='g'/><site site='s3'/></spatial>";
    let sites = [".05 .3 .02", ".02 .15 0", "-.01 0 -.05"];
    let world = chain(sites, [".04", ".03", ".02"], sphere);
    check_jacobian(&world, tendon, &[0.0, 0.019_187_016_259, -0.006_290_917_270]);
}

#[test]
fn jacobian_of_a_free_body_turns_with_it() {
    check_jacobian(
        "<site name='a'/><body pos='1 0 0' euler='0 45 0'><freejoint/><geom size='.05'/>\
         <site name='b' pos='.2 .1 0'/></body>",
        "<spatial stiffness='100'><site site='a'/><site site='b'/></spatial>",
        &[
            0.988_681_808_129,
            0.086_618_478_157,
            -0.122_497_026_561,
            0.061_248_513_281,
            -0.122_497_026_561,
            -0.061_248_513_281,
        ],
    );
}
