//! Derivatives of steps with contacts of two geoms.

use sinew::Data;
use sinew_testkit::Random;

use super::{STEP, analytic, check_rows_with, check_state_within};

/// Differences that are allowed for contacts of ellipsoids and cylinders. A search finds the normal
/// with an error of about the root of `ccd_tolerance`, which is noise in the differences of steps.
const SEARCHED: f64 = 1e-3;

/// Compares two geoms in contact, with both cones, with and without torques.
#[track_caller]
fn check_contact(ground: &str, pos: &str, geom: &str) {
    check_contact_with(ground, pos, geom, 4e-5);
}

/// `check_contact` with a length of the steps.
#[track_caller]
fn check_contact_with(ground: &str, pos: &str, geom: &str, step: f64) {
    for cone in ["pyramidal", "elliptic"] {
        for condim in [1, 3, 6] {
            check_rows_with(
                &format!(
                    "<mujoco>
                       <option timestep='0.01' tolerance='0' iterations='200' impratio='2'
                               cone='{cone}' ccd_tolerance='1e-12' ccd_iterations='200'/>
                       <default><geom condim='{condim}' solimp='.6 .95 .05 .5 2'
                                      friction='.8 .1 .05'/></default>
                       <asset>
                         <mesh name='block' vertex='.3 .3 .1  .3 .3 -.1  .3 -.3 .1  .3 -.3 -.1
                               -.3 .3 .1  -.3 .3 -.1  -.3 -.3 .1  -.3 -.3 -.1'/>
                         <mesh name='hull' vertex='0 0 -.1  .1 .02 .05  -.08 .1 .06  -.05 -.1 .04'/>
                       </asset>
                       <worldbody>
                         <body>{ground}</body>
                         <body {pos}>
                           <freejoint/><inertial pos='.1 0 .1' mass='1' diaginertia='.02 .03 .01'/>
                           {geom}
                         </body>
                       </worldbody>
                     </mujoco>"
                ),
                0.002,
                condim,
                step,
            );
        }
    }
}

/// A body that moves, with a geom.
fn moving(geom: &str) -> String {
    format!(
        "<joint axis='0 1 .3'/><joint type='slide' axis='0 0 1'/>
         <inertial pos='.1 .1 -.2' mass='3' diaginertia='.2 .3 .25'/>{geom}"
    )
}

const PLANE: &str = "<geom type='plane' size='3 3 .1' euler='3 4 0'/>";
const BALL: &str = "<geom size='.1'/>";

#[test]
fn contacts_with_a_plane_move_as_their_derivatives_say() {
    check_contact(PLANE, "pos='0 0 .09'", BALL);
    check_contact(PLANE, "pos='0 0 .09' euler='90 20 3'", "<geom type='capsule' size='.1 .2'/>");
    check_contact(PLANE, "pos='0 0 .12' euler='5 8 3'", "<geom type='box' size='.1 .2 .15'/>");
    check_contact(PLANE, "pos='0 0 .14' euler='5 8 3'", "<geom type='cylinder' size='.1 .15'/>");
    check_contact(PLANE, "pos='0 0 .09' euler='5 8 3'", "<geom type='mesh' mesh='hull'/>");
    check_contact(
        PLANE,
        "pos='0 0 .11' euler='35 8 3'",
        "<geom type='ellipsoid' size='.1 .15 .12'/>",
    );
}

#[test]
fn contacts_of_a_tree_with_the_ground_add_up() {
    for cone in ["pyramidal", "elliptic"] {
        // other references along the tangents than along the normal
        let pair = |foot: &str, condim: usize| {
            format!(
                "<pair geom1='floor' geom2='{foot}' condim='{condim}' solref='.02 1'
                       solreffriction='.05 1.5' friction='.8 .7 .1 .05 .04'/>"
            )
        };
        let pairs = [pair("torso", 3), pair("left", 6), pair("right", 4)].concat();
        check_rows_with(
            &format!(
                "<mujoco>
                   <option timestep='0.01' tolerance='0' iterations='200' cone='{cone}'/>
                   <default><geom contype='0' conaffinity='0' mass='1'/></default>
                   <worldbody>
                     <geom name='floor' type='plane' size='3 3 .1' euler='2 1 0'/>
                     <body pos='0 0 .3'>
                       <freejoint/><geom name='torso' size='.1' pos='.05 0 -.22'/>
                       <body pos='.3 0 0'>
                         <joint type='ball' damping='.1'/>
                         <geom name='left' size='.1' pos='.1 0 -.22'/>
                       </body>
                       <body pos='-.3 .1 0'>
                         <joint axis='0 1 .2'/><geom size='.05' pos='-.1 0 0'/>
                         <body pos='-.2 0 0'>
                           <joint axis='0 1 0' frictionloss='.1'/>
                           <geom name='right' size='.1' pos='0 .05 -.22'/>
                         </body>
                       </body>
                     </body>
                   </worldbody>
                   <contact>{pairs}</contact>
                 </mujoco>"
            ),
            0.002,
            12,
            STEP / 100.0,
        );
    }
}

#[test]
fn contacts_of_balls_move_as_their_derivatives_say() {
    for (ground, place) in [
        ("<geom size='.2'/>", "pos='.02 .03 .29'"),
        ("<geom size='.2 .3' type='capsule' euler='60 20 0'/>", "pos='.02 .03 .31'"),
        ("<geom size='.2 .3' type='capsule' euler='20 10 0' pos='0 0 -.3'/>", "pos='.02 .03 .225'"),
        ("<geom size='.2 .3 .2' type='box' euler='10 20 0'/>", "pos='.02 .03 .3'"),
        ("<geom size='.2 .3 .2' type='box' euler='45 5 0' pos='0 0 -.1'/>", "pos='.02 .03 .34'"),
        ("<geom size='.2 .2 .2' type='box' euler='45 35 0' pos='0 0 -.1'/>", "pos='-.03 -.04 .33'"),
        ("<geom size='.2 .3' type='cylinder' euler='70 20 0'/>", "pos='.02 .03 .295'"),
        ("<geom size='.2 .3' type='cylinder' euler='10 20 0'/>", "pos='.02 .03 .4'"),
        (
            "<geom size='.2 .3' type='cylinder' euler='50 10 0' pos='0 0 -.05'/>",
            "pos='.026 -.112 .385'",
        ),
    ] {
        check_contact(&moving(ground), place, BALL);
    }
}

#[test]
fn contacts_of_capsules_move_as_their_derivatives_say() {
    let ground = &moving("<geom size='.1 .3' type='capsule' euler='70 20 0'/>");
    let capsule = "<geom size='.1 .3' type='capsule'/>";
    check_contact(ground, "pos='.02 .03 .19' euler='0 90 0'", capsule);
    check_contact(ground, "pos='.02 .03 .43' euler='10 20 0'", capsule);
}

#[test]
fn contacts_of_boxes_move_as_their_derivatives_say() {
    let block = "<geom type='box' size='.1 .2 .15'/>";
    // a face with corners, with edges that cross its outline, and below a larger box
    let table = &moving("<geom type='box' size='.5 .5 .1' euler='3 5 8'/>");
    check_contact(table, "pos='.1 .05 .24' euler='9 2 30'", block);
    check_contact(table, "pos='.45 .4 .235' euler='4 7 30'", block);
    let post = &moving("<geom type='box' size='.05 .06 .1' euler='3 5 8'/>");
    check_contact(post, "pos='.03 .02 .24' euler='9 2 30'", block);
    check_contact(post, "pos='.03 .02 .24' euler='3.2 5.1 30'", block);
    // edges that cross
    let roof = &moving("<geom type='box' size='.3 .3 .3' euler='45 3 2' pos='0 0 -.4'/>");
    check_contact(roof, "pos='.02 .01 .22' euler='4 48 5'", "<geom type='box' size='.2 .2 .2'/>");
}

#[test]
fn contacts_of_capsules_with_boxes_move_as_their_derivatives_say() {
    let table = &moving("<geom type='box' size='.3 .3 .1' euler='3 5 8'/>");
    let capsule = "<geom size='.1 .2' type='capsule'/>";
    check_contact(table, "pos='.02 .03 .19' euler='0 88 20'", capsule);
    check_contact(table, "pos='.25 .03 .21' euler='0 86 20'", capsule);
    check_contact(table, "pos='.05 .03 .38' euler='10 20 5'", capsule);
    let roof = &moving("<geom type='box' size='.3 .3 .3' euler='45 3 2' pos='0 0 -.4'/>");
    check_contact(roof, "pos='.02 .01 .11' euler='0 88 20'", capsule);
}

#[test]
fn contacts_that_a_search_finds_move_as_their_derivatives_say() {
    let hull = "<geom type='mesh' mesh='hull'/>";
    let table = &moving("<geom type='box' size='.3 .3 .1' euler='3 5 8'/>");
    check_contact(table, "pos='.02 .03 .185' euler='5 8 3'", hull);
    let mesh = &moving("<geom type='mesh' mesh='block' euler='3 5 8'/>");
    check_contact(mesh, "pos='.02 .03 .185' euler='5 8 3'", hull);
    let capsule = "<geom size='.1 .2' type='capsule'/>";
    check_contact_with(mesh, "pos='.05 .03 .388' euler='10 20 5'", capsule, 1e-4);
    // the search for a ball's contact has an error of its own, so steps are longer
    check_contact_with(mesh, "pos='.02 .03 .19'", BALL, 3e-4);
}

/// Pairs that a search finds up to `ccd_tolerance`.
const TABLE: &str = "<geom type='box' size='.4 .4 .1' euler='3 5 8'/>";
const ROD: &str = "<geom type='capsule' size='.2 .4' euler='85 5 8'/>";
const EGG: &str = "<geom type='ellipsoid' size='.1 .15 .2'/>";
const CAN: &str = "<geom type='cylinder' size='.1 .2'/>";
const ROUND: [(&str, &str, &str); 9] = [
    (TABLE, EGG, "pos='.02 .03 .28' euler='10 25 5'"),
    (TABLE, EGG, "pos='.02 .03 .23' euler='85 20 30'"),
    (TABLE, CAN, "pos='.02 .03 .315' euler='10 25 5'"),
    (TABLE, CAN, "pos='.02 .03 .215' euler='85 20 30'"),
    (ROD, EGG, "pos='.02 .03 .32' euler='85 20 30'"),
    (ROD, CAN, "pos='.02 .03 .29' euler='85 60 30'"),
    (EGG, EGG, "pos='.02 .03 .3' euler='85 20 30'"),
    (CAN, EGG, "pos='.02 .03 .33' euler='85 20 30'"),
    (CAN, CAN, "pos='.02 .03 .33' euler='60 20 30'"),
];

/// Two geoms in contact, and a state with velocities.
fn searched(ground: &str, geom: &str, place: &str, option: &str) -> (sinew::Model, Data) {
    let m = sinew::load_str(&format!(
        "<mujoco>
           <option timestep='0.01' tolerance='0' iterations='200' impratio='2' cone='elliptic'
                   {option}/>
           <default><geom solimp='.6 .95 .05 .5 2' friction='.8 .1 .05'/></default>
           <worldbody>
             <body>{}</body>
             <body {place}>
               <freejoint/><inertial pos='.1 0 .1' mass='1' diaginertia='.02 .03 .01'/>{geom}
             </body>
           </worldbody>
         </mujoco>",
        moving(ground)
    ))
    .unwrap();
    let mut d = Data::new(&m);
    let mut random = Random::new(5);
    d.qvel.fill_with(|| random.between([-0.5, 0.5]));
    sinew::forward(&m, &mut d);
    assert_eq!(d.ncon, 1, "{geom} {place}");
    (m, d)
}

#[test]
fn contacts_of_ellipsoids_and_cylinders_move_as_their_derivatives_say() {
    // contacts that the search finds well enough for differences
    for (ground, geom, place) in &ROUND[..6] {
        let (m, d) = searched(ground, geom, place, "ccd_tolerance='1e-12' ccd_iterations='200'");
        check_state_within(&m, &d, STEP, SEARCHED, &format!("{geom} {place}"));
    }
}

/// The largest difference of two matrices, relative to the largest entry.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1e-3_f64, |most, x| most.max(x.abs()));
    a.iter().zip(b).fold(0.0, |most: f64, (x, y)| most.max((x - y).abs())) / scale
}

#[test]
fn contacts_that_a_search_finds_have_exact_derivatives_at_any_tolerance() {
    for (ground, geom, place) in ROUND {
        let [rough, fine] = ["", "ccd_tolerance='1e-12' ccd_iterations='200'"].map(|option| {
            let (m, mut d) = searched(ground, geom, place, option);
            let before = (d.qacc.to_vec(), d.contact[0].pos);
            let found = analytic(&m, &mut d);
            assert_eq!(before, (d.qacc.to_vec(), d.contact[0].pos));
            found.0
        });
        let error = apart(&rough, &fine);
        assert!(error < 1e-8, "{ground} {geom} {place}: {error:e}");
    }
}

#[test]
fn a_round_ellipsoid_has_the_derivatives_of_a_ball() {
    let ball = "<geom size='.12'/>";
    let egg = "<geom type='ellipsoid' size='.12 .12 .12'/>";
    for (ground, place) in [
        (TABLE, "pos='.02 .03 .21'"),
        ("<geom size='.2 .3 .2' type='box' euler='45 5 0' pos='0 0 -.1'/>", "pos='.02 .03 .34'"),
        (ROD, "pos='.02 .03 .31'"),
        ("<geom size='.2 .3' type='capsule' euler='20 10 0' pos='0 0 -.3'/>", "pos='.02 .03 .225'"),
        (CAN, "pos='.02 .03 .31'"),
        ("<geom size='.2 .3' type='cylinder' euler='70 20 0'/>", "pos='.02 .03 .31'"),
    ] {
        let [wanted, found] = [ball, egg].map(|geom| {
            let (m, mut d) = searched(ground, geom, place, "");
            analytic(&m, &mut d).0
        });
        let error = apart(&found, &wanted);
        assert!(error < 1e-9, "{ground} {place}: {error:e}");
    }
}
