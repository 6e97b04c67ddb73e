//! Actuators: transmissions, ranges and the settings of each kind.

use crate::common::{close, extension, model, rejected};
use sinew_engine::forward;
use sinew_model::enums::{DynType, TrnType};
use sinew_model::{Data, Model};

/// An arm of three hinges and a slide, with sites on all links.
fn arm(actuators: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='w' pos='0.1 0.2 0.3' euler='20 30 40'/>\
         <body name='l1' pos='0 0 1'><joint name='j1' axis='0 1 0'/>\
         <geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/>\
         <site name='s1' pos='.2 0.02 0' euler='10 0 0'/>\
         <body name='l2' pos='.4 0 0'><joint name='j2' axis='0 0 1'/>\
         <geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>\
         <site name='s2' pos='.15 0.01 0.02' euler='0 20 0'/>\
         <body name='l3' pos='.3 0 0'><joint name='j3' axis='1 1 0'/>\
         <geom type='capsule' size='.02' fromto='0 0 0 .2 0 0'/>\
         <site name='ee' pos='.2 0.03 -.01' euler='15 25 35'/></body>\
         <body name='l4' pos='.1 .2 0'><joint name='j4' type='slide' axis='0 1 0'/>\
         <geom size='.03'/>\
         <site name='br' pos='.02 0 .05' euler='0 0 30'/></body></body></body></worldbody>\
         <actuator>{actuators}</actuator></mujoco>"
    )
}

/// A joint with limits, a ball joint, and actuators.
fn joints(actuators: &str) -> String {
    format!(
        "<mujoco><worldbody><site name='w' pos='1 0 0'/>\
         <body name='b'><joint name='j' range='-90 180'/><geom size='.1'/><site name='s'/>\
         <body pos='0 0 1'><joint name='k'/><geom size='.1'/>\
         <body pos='0 0 1'><joint name='ball' type='ball'/><geom size='.1'/></body></body></body>\
         </worldbody>\
         <tendon><fixed name='t' range='0 4'><joint joint='j' coef='1'/></fixed></tendon>\
         <actuator>{actuators}</actuator></mujoco>"
    )
}

/// The state of the arm's reference numbers.
fn moved(m: &Model, ctrl: f64) -> Data {
    let mut d = Data::new(m);
    d.qpos.copy_from_slice(&[0.3, -0.4, 0.5, 0.06]);
    d.qvel.copy_from_slice(&[0.7, -0.2, 0.9, 0.3]);
    d.ctrl.fill(ctrl);
    forward(m, &mut d);
    d
}

/// Force on the joints of the arm for one actuator, per unit of its force of 2.
fn moment(actuator: &str) -> Vec<f64> {
    let m = model(&arm(actuator));
    moved(&m, 2.0).qfrc_actuator.iter().map(|f| f / 2.0).collect()
}

#[test]
fn site_without_reference_has_no_length() {
    let m = model(&arm("<general site='ee' gear='0 0 1'/>"));
    let d = moved(&m, 2.0);
    assert_eq!((d.actuator_length[0], m.actuator_trnid[0]), (0.0, [3, -1]));
    close(&d.actuator_velocity, &[-0.395_610_116_216], 1e-10);
}

#[test]
fn gear_of_a_site_is_a_wrench() {
    close(
        &moment("<general site='ee' gear='0 0 1'/>"),
        &[-0.500_604_883_813, -0.268_528_199_397, -0.109_880_374_919, 0.0],
        1e-10,
    );
    close(
        &moment("<general site='ee' gear='0 0 0 1 0 0'/>"),
        &[0.394_247_374_420, -0.196_661_711_651, 0.980_075_720_431, 0.0],
        1e-10,
    );
    close(
        &moment("<general site='ee' gear='1 2 3 4 5 6'/>"),
        &[-2.639_345_504_881, 6.583_892_025_717, 5.058_268_883_875, 0.0],
        1e-10,
    );
}

#[test]
fn lengths_are_measured_in_the_frame_of_a_reference_site() {
    let length = |gear: &str| {
        let m = model(&arm(&format!("<general site='ee' refsite='w' gear='{gear}'/>")));
        moved(&m, 2.0).actuator_length[0]
    };
    close(&[length(".5 -1 .2")], &[0.624_140_031_838], 1e-10);
    close(&[length("0 0 0 .3 .1 -.7")], &[0.559_540_167_206], 1e-10);
}

#[test]
fn angles_are_measured_about_the_axes_of_a_reference_site() {
    let m = model(
        "<mujoco><worldbody><site name='r'/><body><joint axis='1 0 0'/><geom size='.1'/>\
         <site name='s'/>\
         </body></worldbody><actuator><general site='s' refsite='r' gear='0 0 0 2 0 0'/>\
         </actuator></mujoco>",
    );
    let mut d = Data::new(&m);
    d.qpos[0] = core::f64::consts::FRAC_PI_2;
    forward(&m, &mut d);
    close(&d.actuator_length, &[core::f64::consts::PI], 1e-12);
}

#[test]
fn moment_of_a_turning_reference_site_is_not_the_gradient_of_length() {
    let m = model(
        "<mujoco><worldbody><body><joint axis='0 0 1'/><geom size='.1'/>\
         <site name='r' pos='.1 0 0'/></body>\
         <body pos='1 0 0'><joint axis='0 0 1'/><geom size='.1'/><site name='s' pos='.2 .1 0'/>\
         </body></worldbody>\
         <actuator><general site='s' refsite='r' gear='1 2 0 0 0 0'/></actuator></mujoco>",
    );
    let at = |qpos: [f64; 2]| {
        let mut d = Data::new(&m);
        d.qpos.copy_from_slice(&qpos);
        d.ctrl[0] = 1.0;
        forward(&m, &mut d);
        (d.actuator_length[0], d.qfrc_actuator.to_vec())
    };
    close(&at([0.3, 0.5]).1, &[-0.2, 0.214_552_241_034], 1e-10);
    let slope = (at([0.3 + 1e-6, 0.5]).0 - at([0.3 - 1e-6, 0.5]).0) / 2e-6;
    close(&[slope], &[-2.420_745], 1e-6);
}

#[test]
fn moment_of_a_turn_is_not_the_gradient_of_length() {
    let m = model(
        "<mujoco><worldbody><site name='r'/><body><joint type='ball'/><geom size='.1'/>\
         <site name='s'/></body>\
         </worldbody><actuator><general site='s' refsite='r' gear='0 0 0 .3 .2 .5'/></actuator>\
         </mujoco>",
    );
    let mut d = Data::new(&m);
    let (sin, cos) = 0.35_f64.sin_cos();
    d.qpos.copy_from_slice(&[cos, 0.6 * sin, 0.8 * sin, 0.0]);
    d.ctrl[0] = 1.0;
    forward(&m, &mut d);
    close(&d.qfrc_actuator, &[0.019_737_775_084, 0.410_196_668_687, 0.459_727_216_111], 1e-10);
}

#[test]
fn actuators_do_the_work_that_joints_see() {
    for reference in ["w", "s1", "s2", "ee", "br"] {
        for gear in [".5 -1 .2 0 0 0", "0 0 0 .3 .1 -.7", ".5 -1 .2 .3 .1 -.7"] {
            let actuator = format!("<general site='ee' refsite='{reference}' gear='{gear}'/>");
            let d = moved(&model(&arm(&actuator)), 2.0);
            let power: f64 = d.qfrc_actuator.iter().zip(d.qvel.iter()).map(|(f, v)| f * v).sum();
            close(&[d.actuator_force[0] * d.actuator_velocity[0]], &[power], 1e-14);
        }
    }
}

#[test]
fn sensors_read_actuators_of_sites() {
    let sensors = "<sensor><actuatorpos actuator='a'/><actuatorvel actuator='a'/>\
                   <actuatorfrc actuator='a'/><actuatorvel actuator='b'/>\
                   <actuatorfrc actuator='b'/></sensor>";
    let xml = arm("<motor name='a' site='ee' refsite='w' gear='1 2 3 0 0 0'/>\
                   <motor name='b' site='ee' gear='0 0 1 0 0 0'/>")
    .replace("</mujoco>", &format!("{sensors}</mujoco>"));
    let d = moved(&model(&xml), 2.0);
    let (length, velocity, force) = (&d.actuator_length, &d.actuator_velocity, &d.actuator_force);
    assert_eq!(*d.sensordata, [length[0], velocity[0], force[0], velocity[1], force[1]]);
    assert!(length[0] != 0.0 && velocity[0] != 0.0);
}

#[test]
fn common_ancestors_are_not_moved() {
    let same = moment("<general site='ee' refsite='ee' gear='1 1 1 1 1 1'/>");
    close(&same, &[0.0; 4], 1e-12);
    let partial = moment("<general site='ee' refsite='s1' gear='.5 -1 .2'/>");
    close(&partial, &[0.0, -0.399_461_980_127, -0.077_567_609_790, 0.0], 1e-10);
}

#[test]
fn a_unit_force_has_its_acceleration_stored() {
    let muscle = ".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2";
    let m = model(&arm(&format!(
        "<position site='ee' refsite='w' kp='10' kv='2'/><velocity site='ee' kv='3' gear='0 0 1'/>\
         <general site='ee' gaintype='affine' gainprm='1 2 3' biastype='affine' biasprm='.1 .2 .3' \
         gear='0 1 0 0 0 1'/><general dyntype='muscle' gaintype='muscle' biastype='muscle' \
         gainprm='{muscle}' biasprm='{muscle}' dynprm='.01 .04' site='ee' \
         refsite='w' lengthrange='.1 1'/>"
    )));
    close(
        &m.actuator_acc0,
        &[9.726_026_479_189, 54.843_647_557_662, 69.126_446_370_303, 9.726_026_479_189],
        1e-10,
    );
    close(
        &moved(&m, 0.5).actuator_force,
        &[3.686_268_175_275, 2.686_830_348_649, -1.330_669_809_653, 0.0],
        1e-10,
    );
}

#[test]
fn gear_pads_with_zeros() {
    let gear = |text: &str| model(&arm(&format!("<motor joint='j1' gear='{text}'/>")));
    assert_eq!(gear("50").actuator_gear[0], [50.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(gear("1 2").actuator_gear[0], [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    let seven = arm("<motor joint='j1' gear='1 2 3 4 5 6 7'/>");
    let m = extension(&seven, "attribute 'gear' has too much data");
    assert_eq!(m.actuator_gear[0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn targets_become_transmissions() {
    let check = |actuator: &str, text| rejected(&arm(actuator), text);
    check(
        "<motor site='nonexistent'/>",
        "transmission target 'nonexistent' not found in actuator 0",
    );
    check(
        "<motor site='ee' refsite='nonexistent'/>",
        "reference site 'nonexistent' not found for actuator 0",
    );
    check("<motor joint='j1' site='ee'/>", "actuator can have at most one of transmission target");
    check("<motor/>", "missing transmission target for actuator");
    check("<motor joint='zz'/>", "unknown transmission target 'zz' for actuator id = 0");
    check(
        "<adhesion body='zz' ctrlrange='0 1'/>",
        "transmission target 'zz' not found in actuator 0",
    );
    check("<adhesion ctrlrange='0 1'/>", "missing transmission target for actuator");
}

#[test]
fn refsite_of_a_joint_is_ignored() {
    let text = "refsite can only be used with site transmission";
    let m = extension(&arm("<motor joint='j1' refsite='ee'/>"), text);
    assert_eq!(m.actuator_trnid[0], [0, -1]);
}

#[test]
fn muscle_of_a_site_needs_a_length_range() {
    let muscle = ".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2";
    let general = format!(
        "<general dyntype='muscle' gaintype='muscle' biastype='muscle' gainprm='{muscle}' \
         biasprm='{muscle}' site='ee' gear='0 0 1'/>"
    );
    rejected(&arm(&general), "Invalid lengthrange (0, 0) in actuator 0");
}

#[test]
fn a_slider_crank_has_a_rod_of_fixed_length() {
    let check = |actuator: &str, text| rejected(&joints(actuator), text);
    check("<motor cranksite='s'/>", "missing base site for slider-crank");
    check("<motor cranksite='s' slidersite='zz'/>", "base site 'zz' not found for actuator 0");
    check("<motor cranksite='s' slidersite='w'/>", "crank length must be positive in actuator");
    check(
        "<motor joint='j' cranklength='1'/>",
        "cranklength and slidersite can only be used in slidercrank transmission",
    );
    let m = model(&joints("<motor cranksite='s' slidersite='w' cranklength='2'/>"));
    assert_eq!((m.actuator_trntype[0], m.actuator_trnid[0]), (TrnType::Slidercrank, [1, 0]));
}

#[test]
fn ranges_are_inherited() {
    let m = model(&joints(
        "<position joint='j' inheritrange='.5'/><position tendon='t' inheritrange='1'/>\
         <intvelocity joint='j' inheritrange='1'/>",
    ));
    let rad = core::f64::consts::PI / 180.0;
    close(&m.actuator_ctrlrange[0], &[-22.5 * rad, 112.5 * rad], 1e-14);
    assert_eq!(m.actuator_ctrlrange[1], [0.0, 4.0]);
    close(&m.actuator_actrange[2], &[-90.0 * rad, 180.0 * rad], 1e-14);
    assert!(m.actuator_ctrllimited[0].get() && m.actuator_actlimited[2].get());
    let check = |actuator: &str, text| rejected(&joints(actuator), text);
    check(
        "<position joint='j' inheritrange='1' ctrlrange='0 1'/>",
        "ctrlrange and inheritrange cannot both be defined",
    );
    check("<position joint='ball' inheritrange='1'/>", "only be used with hinge and slide joints");
    check("<position joint='k' inheritrange='1'/>", "target 'k' has no range defined");
    check("<position site='s' inheritrange='1'/>", "with joint and tendon transmission");
}

#[test]
fn limits_follow_ranges() {
    let m = model(&joints(
        "<motor joint='j' ctrlrange='-1 1' forcerange='-2 2'/>\
         <general joint='j' dyntype='filter' actrange='0 1'/><motor joint='j' ctrlrange='1 0'/>\
         <motor joint='j' ctrllimited='false' ctrlrange='-1 1'/>",
    ));
    let flags = |u: usize| {
        let limited = (m.actuator_ctrllimited[u], m.actuator_forcelimited[u]);
        (limited.0.get(), limited.1.get(), m.actuator_actlimited[u].get())
    };
    assert_eq!(flags(0), (true, true, false));
    assert_eq!(flags(1), (false, false, true));
    assert_eq!(flags(2), (false, false, false));
    assert_eq!(flags(3), (false, false, false));
    let check = |actuator: &str, text| rejected(&joints(actuator), text);
    check("<motor joint='j' ctrlrange='1 0' ctrllimited='true'/>", "invalid control range for");
    check("<motor joint='j' forcerange='1 0' forcelimited='true'/>", "invalid force range for");
    check("<intvelocity joint='j'/>", "invalid actrange for actuator");
    check("<general joint='j' actrange='0 1'/>", "actrange specified but dyntype is 'none'");
}

#[test]
fn dynamics_decide_the_number_of_activations() {
    let m = model(&joints(
        "<motor joint='j'/><general joint='j' dyntype='user' actdim='3'/>\
         <general joint='j' dyntype='filter'/><position joint='j' timeconst='.1'/>",
    ));
    assert_eq!(m.na, 5);
    assert_eq!(*m.actuator_actadr, [-1, 0, 3, 4]);
    assert_eq!(*m.actuator_actnum, [0, 3, 1, 1]);
    assert_eq!(m.actuator_dyntype[3], DynType::Filterexact);
    let check = |actuator: &str, text| rejected(&joints(actuator), text);
    check("<general joint='j' actdim='2' dyntype='filter'/>", "actdim > 1 is only allowed");
    check("<general joint='j' actdim='1'/>", "invalid actdim 1 in stateless actuator");
    check("<general joint='j' actdim='0' dyntype='filter'/>", "invalid actdim 0 in stateful");
}

#[test]
fn histories_are_laid_out_one_after_another() {
    let m = model(&joints(
        "<motor joint='j' nsample='3' delay='.1' interp='cubic'/><motor joint='j'/>\
         <motor joint='j' nsample='1'/>",
    ));
    assert_eq!(*m.actuator_history, [[3, 2], [0, 0], [1, 0]]);
    assert_eq!((m.actuator_historyadr.to_vec(), m.nhistory), (vec![0, -1, 8], 12));
    let text = "setting delay > 0 without a history buffer";
    rejected(&joints("<motor joint='j' delay='.1'/>"), text);
    rejected(&joints("<motor joint='j' nsample='20000000'/>"), "at most 2^24 samples");
}

#[test]
fn muscles_have_mujocos_parameters() {
    let check = |attr: &str, text| {
        rejected(&joints(&format!("<muscle joint='j' lengthrange='0 1' {attr}/>")), text);
    };
    check("range='1 .5'", "range[0]<range[1] required in muscle");
    check("lmin='1.5'", "lmin<1<lmax required in muscle");
    check("vmax='0'", "positive scale, vmax, fpmax, fvmax required in muscle");
    check("timeconst='1'", "attribute 'timeconst' does not have enough data");
}

#[test]
fn adhesion_acts_on_a_body() {
    let check = |attr: &str, text| rejected(&joints(&format!("<adhesion body='b' {attr}/>")), text);
    check("ctrlrange='0 1' gain='-1'", "adhesion gain cannot be negative");
    check("ctrlrange='-1 1'", "adhesion control range cannot be negative");
    let text = "invalid control range for actuator";
    let m = extension(&joints("<adhesion body='b' gain='100'/>"), text);
    assert_eq!((m.actuator_ctrlrange[0], m.actuator_gainprm[0][0]), ([0.0, 1.0], 100.0));
    assert_eq!((m.actuator_trntype[0], m.actuator_ctrllimited[0].get()), (TrnType::Body, true));
}

#[test]
fn damping_ratio_is_resolved_with_the_inertia() {
    let m = model(&joints("<position joint='k' kp='4' dampratio='1'/>"));
    let mass = m.dof_M0[1];
    close(&[m.actuator_biasprm[0][2]], &[-2.0 * (4.0 * mass).sqrt()], 1e-14);
}
