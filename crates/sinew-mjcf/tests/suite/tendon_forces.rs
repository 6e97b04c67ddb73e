//! Jacobians and forces of tendons: springs, dampers, motors, sides of obstacles, transitions.

use crate::common::{close, model, rejected};
use sinew_engine::{forward, full_m};
use sinew_model::{Data, Model};

/// Two links of an arm with a site each and a tendon between them; `insertion` is on the second.
fn arm(tendon: &str, insertion: &str, actuator: &str) -> String {
    format!(
        "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0'/>\
         <geom type='capsule' size='.05' fromto='0 0 0 0 0 -.5'/><site name='s1'/>\
         <body pos='0 0 -.5'><joint axis='0 1 0'/>\
         <geom type='capsule' size='.04' fromto='0 0 0 0 0 -.4'/>\
         <site name='s2' pos='{insertion}'/></body></body></worldbody>\
         <tendon><spatial name='t' stiffness='100' damping='10' {tendon}><site site='s1'/>\
         <site site='s2'/></spatial></tendon><actuator>{actuator}</actuator></mujoco>"
    )
}

const MOTOR: &str = "<motor tendon='t'/>";
const STRAIGHT: &str = "0 0 -.2";

/// From the site `from` around a geom at the origin to a body at `to` that slides along y.
fn obstacle(from: &str, to: &str, geom: &str, side: &str) -> Model {
    let (site, attribute) = match side {
        "" => (String::new(), ""),
        _ => (format!("<site name='side' pos='{side}'/>"), "sidesite='side'"),
    };
    model(&format!(
        "<mujoco><worldbody><site name='s1' pos='{from}'/><body>\
         <geom name='g' {geom}/>{site}</body>\
         <body pos='{to}'><joint type='slide' axis='0 1 0'/><geom size='.02'/><site name='s2'/>\
         </body>\
         </worldbody><tendon><spatial><site site='s1'/><geom geom='g' {attribute}/>\
         <site site='s2'/>\
         </spatial></tendon></mujoco>"
    ))
}

const SPHERE: &str = "size='.1'";
const CYLINDER: &str = "type='cylinder' size='.1 .3'";

fn at(m: &Model, qpos: &[f64]) -> Data {
    let mut d = Data::new(m);
    d.qpos.copy_from_slice(qpos);
    forward(m, &mut d);
    d
}

#[test]
fn springs_and_dampers_pull_through_the_jacobian() {
    let m = model(&arm("", STRAIGHT, MOTOR));
    let mut d = Data::new(&m);
    d.qpos.copy_from_slice(&[0.3, 0.9]);
    d.qvel.copy_from_slice(&[0.5, -1.2]);
    d.ctrl[0] = 3.0;
    forward(&m, &mut d);
    close(&[d.ten_length[0], d.ten_velocity[0]], &[0.643_678_486_245, 0.146_034_442_915], 1e-11);
    close(&d.ten_J[0], &[0.0, -0.121_695_369_096], 1e-11);
    close(&d.qfrc_spring, &[0.0, -0.685_406_740_451], 1e-10);
    close(&d.qfrc_damper, &[0.0, 0.177_717_154_313], 1e-10);
    close(&d.qfrc_actuator, &[0.0, -0.365_086_107_288], 1e-11);
}

#[test]
fn springs_rest_in_their_dead_band() {
    let m = model(&arm("springlength='.65 .75'", STRAIGHT, ""));
    for (elbow, force) in [(0.0, 0.0), (0.9, -0.076_929_894_971), (1.8, -3.061_584_352_411)] {
        close(&at(&m, &[0.0, elbow]).qfrc_spring, &[0.0, force], 1e-10);
    }
}

#[test]
fn pulley_divides_its_jacobian() {
    let slide = "<joint type='slide' axis='0 0 1'/><geom size='.02'/>";
    let m = model(&format!(
        "<mujoco><worldbody><body pos='0 0 .5'>{slide}<site name='a'/></body><body>\
         <site name='b'/></body>\
         <body pos='0 0 -.5'>{slide}<site name='c'/></body></worldbody><tendon><spatial>\
         <site site='a'/>\
         <site site='b'/><pulley divisor='2'/><site site='b'/><site site='c'/></spatial></tendon>\
         </mujoco>"
    ));
    let d = at(&m, &[0.0; 2]);
    close(&d.ten_length, &[0.75], 1e-12);
    close(&d.ten_J[0], &[1.0, -0.5], 1e-12);
}

#[test]
fn muscle_knows_the_acceleration_of_its_unit_force() {
    let muscle = "<muscle tendon='t' force='100' lengthrange='.35 .9'/>";
    let stretched = model(&arm("", STRAIGHT, muscle));
    close(&stretched.actuator_acc0, &[0.0], 1e-12);
    let m = model(&arm("", ".05 0 -.2", muscle));
    close(&m.actuator_acc0, &[0.754_703_013_267], 1e-11);

    // |M⁻¹ J|
    let d = at(&m, &[0.0; 2]);
    close(&d.ten_length, &[0.701_783_442_381], 1e-11);
    close(&d.ten_J[0], &[0.0, 0.035_623_524_994], 1e-11);
    let mut mass = [0.0; 4];
    full_m(&m, &mut mass, &d.qM);
    let ([a, b, c, e], j) = (mass, &d.ten_J[0]);
    let det = a * e - b * c;
    let acc = [(e * j[0] - b * j[1]) / det, (a * j[1] - c * j[0]) / det];
    close(&m.actuator_acc0, &[acc[0].hypot(acc[1])], 1e-11);
}

#[test]
fn limits_are_a_length_range_if_asked() {
    let muscle = "<muscle tendon='t' force='100'/>";
    let limited = arm("limited='true' range='.35 .9'", STRAIGHT, muscle);
    let compiler = "<mujoco><compiler><lengthrange uselimit='true'/></compiler>";
    let m = model(&limited.replace("<mujoco>", compiler));
    assert_eq!(m.actuator_lengthrange[0], [0.35, 0.9]);
    rejected(&limited, "Invalid lengthrange (0.7, 0.7) in actuator 0");
}

#[test]
fn a_side_site_decides_on_which_side_a_tendon_pulls() {
    let ends = ["-.3 .15 0", ".3 -.05 0"];
    let sphere = |side: &str| obstacle(ends[0], ends[1], SPHERE, side).tendon_length0[0];
    close(&[sphere("0 .3 0"), sphere("0 -.3 0")], &[0.641_312_096_242, 0.701_011_882_559], 1e-11);
    let ends = ["-.3 .1 .2", ".3 -.05 -.2"];
    let geom = "type='cylinder' size='.08 .3'";
    let cylinder = |side: &str| obstacle(ends[0], ends[1], geom, side).tendon_length0[0];
    close(
        &[cylinder("0 .2 0"), cylinder("0 -.2 0")],
        &[0.745_072_068_094, 0.766_329_409_223],
        1e-11,
    );
    let ends = ["-.3 .2 0", ".3 .2 0"];
    let clear = |side: &str| obstacle(ends[0], ends[1], SPHERE, side).tendon_length0[0];
    close(&[clear("0 -.3 0"), clear("0 .3 0")], &[0.866_627_824_038, 0.6], 1e-11);
}

#[test]
fn straight_at_the_centre_turns_to_a_fixed_side() {
    let m = obstacle("-.3 0 0", ".3 0 0", SPHERE, "");
    let d = at(&m, &[0.0]);
    close(&d.ten_length, &[0.633_652_806_840], 1e-11);
    let touches = &d.wrap_xpos.as_flattened()[3..9];
    let (along, aside) = (1.0 / 30.0, 1.0 / 15.0);
    close(touches, &[-along, aside, aside, along, aside, aside], 1e-11);
    // 2 √(d² - r²) + r acos(7/9)
    close(&d.ten_length, &[2.0 * 0.08_f64.sqrt() + 0.1 * (7.0_f64 / 9.0).acos()], 1e-11);
}

#[test]
fn a_tendon_inside_a_geom_bends_along_its_wall() {
    for (geom, z, length, slope) in [
        (SPHERE, "0", 0.651_465_670_898, 0.322_941_225_795),
        (SPHERE, ".07", 0.657_087_479_804, 0.327_059_335_349),
        (CYLINDER, "0", 0.651_465_670_898, 0.322_941_154_697),
        (CYLINDER, ".07", 0.655_215_628_903, 0.321_092_884_120),
    ] {
        let m = obstacle(&format!("-.3 .25 {z}"), ".3 .2 0", geom, "0 0 0");
        let d = at(&m, &[0.0]);
        close(&d.ten_length, &[length], 1e-11);
        close(&d.ten_J[0], &[slope], 1e-10);
    }
}

#[test]
fn ends_inside_the_geom_are_joined_straight() {
    let m = obstacle("-.05 .02 0", ".3 .2 0", SPHERE, "");
    close(&m.tendon_length0, &[0.35_f64.hypot(0.18)], 1e-12);
}

#[test]
fn length_is_smooth_where_wrapping_begins() {
    const STEP: f64 = 1e-4;
    for geom in [SPHERE, CYLINDER] {
        let m = obstacle("-.3 0 0", ".3 0 0", geom, "");
        let (mut before, mut wraps) = (at(&m, &[0.15]), Vec::new());
        for k in 1..1000 {
            let d = at(&m, &[0.15 + f64::from(k) * STEP]);
            let mean = (before.ten_J[0][0] + d.ten_J[0][0]) / 2.0;
            let jump = d.ten_length[0] - before.ten_length[0] - mean * STEP;
            assert!(jump.abs() < 1e-7, "{geom}: {jump} at {k}");
            wraps.push(d.ten_wrapnum[0]);
            before = d;
        }
        assert_eq!((wraps[0], wraps[wraps.len() - 1]), (4, 2), "{geom}");
    }
}

#[test]
fn straight_tendon_is_like_a_fixed_one() {
    let m = model(
        "<mujoco><worldbody><site name='w'/><body pos='1 0 0'>\
         <joint name='j' type='slide' axis='1 0 0'/>\
         <geom size='.1'/><site name='s'/></body></worldbody><tendon><spatial stiffness='10'>\
         <site site='w'/><site site='s'/></spatial><fixed stiffness='10'>\
         <joint joint='j' coef='1'/>\
         </fixed></tendon></mujoco>",
    );
    let d = at(&m, &[0.25]);
    close(&d.ten_length, &[1.25, 0.25], 1e-14);
    assert_eq!((d.ten_J[0][0], d.ten_J[1][0]), (1.0, 1.0));
    close(&d.qfrc_spring, &[-5.0], 1e-12);
}
