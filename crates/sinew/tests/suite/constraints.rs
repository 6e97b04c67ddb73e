//! Constraint rows and their forces compared with MuJoCo's numbers.

use sinew::engine::{contact_force, jacobian_row};
use sinew::model::enums::{ConeType, ConstraintType, SolverType};
use sinew::{Assets, Data, LoadOptions, Model, Quat, Vec3, forward, load_str, load_str_with, step};
use sinew_testkit::near;

/// Tolerance of rows, and of the converged forces of Newton's method.
const EXACT: f64 = 1e-10;
/// Tolerance of forces after hundreds of steps.
const SETTLED: f64 = 1e-4;
const SOLVERS: [SolverType; 3] = [SolverType::Newton, SolverType::Cg, SolverType::Pgs];
const CONES: [ConeType; 2] = [ConeType::Pyramidal, ConeType::Elliptic];

/// The model with a solver at tolerance 0 and many iterations.
fn solved_by(xml: &str, solver: SolverType) -> Model {
    let mut m = load_str(xml).unwrap();
    (m.opt.solver, m.opt.tolerance, m.opt.iterations) = (solver, 1e-14, 500);
    m
}

fn with_cone(xml: &str, cone: ConeType) -> Model {
    let mut m = load_str(xml).unwrap();
    m.opt.cone = cone;
    m
}

/// Forward dynamics after `prepare`.
fn computed(m: &Model, prepare: impl FnOnce(&mut Data)) -> Data {
    let mut d = Data::new(m);
    prepare(&mut d);
    forward(m, &mut d);
    d
}

fn stepped(m: &Model, steps: usize, prepare: impl FnOnce(&mut Data)) -> Data {
    let mut d = Data::new(m);
    prepare(&mut d);
    for _ in 0..steps {
        step(m, &mut d);
    }
    d
}

/// A row of the Jacobian as `nv` numbers.
fn dense_row(m: &Model, d: &Data, r: usize) -> Vec<f64> {
    let mut out = vec![0.0; m.nv];
    let (ind, val) = jacobian_row(d, r);
    for (&i, &x) in ind.iter().zip(val) {
        out[i as usize] = x;
    }
    out
}

/// A sphere of 5 cm on a plane, both with these attributes.
fn ball_on_plane(height: &str, attributes: &str) -> String {
    format!(
        "<mujoco><option timestep='.001'/><worldbody>\
         <body pos='0 0 {height}'><freejoint/><geom size='.05' {attributes}/></body>\
         <geom type='plane' size='1 1 .1' {attributes}/></worldbody></mujoco>"
    )
}

/// A sphere of 10 cm, 0.1 mm deep in a plane.
fn pressed(body: &str) -> String {
    format!(
        "<mujoco><worldbody><geom name='p' type='plane' size='1 1 .1'/><body name='s' \
         pos='0 0 .0999'><freejoint/><geom name='s' size='.1'/></body></worldbody>{body}</mujoco>"
    )
}

const HINGE: &str = "<mujoco><option gravity='0 0 0'/><worldbody><body>\
    <joint axis='0 1 0' frictionloss='1' damping='.1'/>\
    <geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/></body></worldbody></mujoco>";

#[test]
fn dry_friction_of_a_dof_holds_up_to_its_bound() {
    let cases = [
        (2.0, 0.0, -210.526315789474, -1.0, -2.995613012693),
        (-2.0, 0.0, 210.526315789474, 1.0, 2.995613012693),
        (0.0, 0.5, 0.0, -0.45, 0.124817208862),
        (0.0, 1.5, 0.0, -1.0, 1.248172088622),
        (0.0, 0.999, 0.0, -0.8991, 0.249384783307),
        (1e-5, 0.0, -0.001052631579, -0.000378602326, -0.000947618055),
    ];
    for solver in SOLVERS {
        let m = solved_by(HINGE, solver);
        for (qvel, applied, aref, force, qacc) in cases {
            let d = computed(&m, |d| (d.qvel[0], d.qfrc_applied[0]) = (qvel, applied));
            assert_eq!((d.ne, d.nf, d.nl, d.nefc), (0, 1, 0, 1));
            assert_eq!(d.efc_type[0], ConstraintType::FrictionDof);
            near(&d.efc_R, &[0.277371575249], 1e-11);
            near(&d.efc_aref, &[aref], 1e-11);
            near(&d.efc_force, &[force], 1e-8);
            near(&d.qacc, &[qacc], 1e-8);
            // dry friction is no passive force
            near(&d.qfrc_passive, &[-0.1 * qvel], 1e-15);
        }
    }
}

#[test]
fn dry_friction_of_a_tendon_acts_through_its_jacobian() {
    let xml = "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='a' axis='0 1 0'/>\
        <geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/><body pos='.5 0 0'>\
        <joint name='b' axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/>\
        </body></body></worldbody><tendon><fixed frictionloss='.7'><joint joint='a' coef='1'/>\
        <joint joint='b' coef='-2'/></fixed></tendon></mujoco>";
    for solver in SOLVERS {
        let mut m = solved_by(xml, solver);
        let set = |d: &mut Data| d.qvel.copy_from_slice(&[1.0, 0.2]);
        let d = computed(&m, set);
        assert_eq!(d.efc_type[0], ConstraintType::FrictionTendon);
        assert_eq!(d.tendon_efcadr[0], 0);
        near(&d.efc_force, &[-0.7], 1e-8);
        near(&d.qfrc_constraint, &[-0.7, 1.4], 1e-8);
        // a negative loss counts as zero
        m.tendon_frictionloss[0] = -0.7;
        assert_eq!(computed(&m, set).nefc, 0);
    }
}

/// Two links with limits.
const ARM: &str = "<mujoco><worldbody><body><joint axis='0 1 0' range='-30 30'/>\
    <geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/><body pos='.5 0 0'>\
    <joint axis='0 1 0' range='-10 45'/><geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/>\
    </body></body></worldbody></mujoco>";

#[test]
fn hinges_are_pushed_back_from_their_limits() {
    for solver in SOLVERS {
        let m = solved_by(ARM, solver);
        let d = computed(&m, |d| {
            d.qpos.copy_from_slice(&[32f64.to_radians(), -12f64.to_radians()]);
            d.qvel.copy_from_slice(&[0.3, -0.2]);
        });
        near(&d.efc_pos, &[-0.03490658504; 2], 1e-10);
        assert_eq!(dense_row(&m, &d, 0), [-1.0, 0.0]);
        assert_eq!(dense_row(&m, &d, 1), [0.0, 1.0]);
        near(&d.efc_force, &[103.663153767936, 0.0], 1e-8);
        near(&d.qacc, &[-116.071685829560, 299.377157502478], 1e-8);
    }
}

#[test]
fn direct_reference_is_stiffness_and_damping() {
    for (solref, force) in [
        ([0.02, 1.0], 78.800273704949),
        ([-2500.0, -100.0], 78.800273704949),
        ([-100.0, -5.0], 16.75386036957),
        // a mixed format is replaced by the default
        ([-100.0, 5.0], 78.800273704949),
    ] {
        let mut m = solved_by(ARM, SolverType::Newton);
        m.jnt_solref[0] = solref;
        let d = computed(&m, |d| d.qpos[0] = 32f64.to_radians());
        near(&d.efc_force, &[force], 1e-10);
        if solref != [-100.0, -5.0] {
            near(&d.efc_KBIP[0], &[2770.083102493, 105.263157895, 0.95, 0.0], 1e-10);
        }
    }
}

#[test]
fn weld_and_connect_of_free_bodies() {
    let xml = "<mujoco><worldbody><body name='a' pos='0 0 1'><freejoint/>\
        <geom type='box' size='.1 .1 .1'/></body><body name='b' pos='.3 0 1'><freejoint/>\
        <geom type='box' size='.1 .05 .1'/></body></worldbody><equality>\
        <weld body1='a' body2='b'/><connect body1='a' anchor='0 0 .1'/></equality></mujoco>";
    let want = [
        22.081949571717,
        -1.746852634141,
        22.218414698763,
        -3.100777291910,
        2.464123075663,
        1.065864369163,
        41.272312357256,
        -98.997893541768,
        391.630324217993,
    ];
    for (solver, tolerance) in SOLVERS.into_iter().zip([1e-9, 1e-7, 1e-6]) {
        let m = solved_by(xml, solver);
        let d = computed(&m, |d| {
            for (x, dx) in d.qpos.iter_mut().zip([0.01, 0.02, -0.01]) {
                *x += dx;
            }
            for (i, v) in d.qvel.iter_mut().enumerate() {
                *v = -0.3 + 0.7 * i as f64 / 11.0;
            }
        });
        assert_eq!((d.ne, d.nefc), (9, 9));
        near(&d.efc_force, &want, tolerance);
    }
}

#[test]
fn tendon_lengths_follow_a_polynomial() {
    let xml = |eq: &str| {
        format!(
            "<mujoco><option gravity='0 0 0'/><worldbody><body pos='0 0 1'>\
             <joint name='a' type='slide' axis='1 0 0'/><geom size='.1'/></body><body pos='0 1 1'>\
             <joint name='b' type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody>\
             <tendon><fixed name='t1'><joint joint='a' coef='1'/></fixed>\
             <fixed name='t2'><joint joint='b' coef='1'/></fixed></tendon>\
             <equality><tendon tendon1='t1' {eq}/></equality></mujoco>"
        )
    };
    let at = |d: &mut Data| d.qpos.copy_from_slice(&[0.7, 0.25]);
    for (eq, pos, jac) in [
        ("tendon2='t2'", 0.45, [1.0, -1.0]),
        ("tendon2='t2' polycoef='.1 .5 .2 .3 .4'", 0.45625, [1.0, -0.68125]),
        ("polycoef='.3'", 0.4, [1.0, 0.0]),
    ] {
        let m = load_str(&xml(eq)).unwrap();
        let d = computed(&m, at);
        near(&d.efc_pos, &[pos], 1e-14);
        near(&dense_row(&m, &d, 0), &jac, 1e-14);
    }
    let off = load_str(&xml("tendon2='t2' active='false'")).unwrap();
    assert_eq!(computed(&off, at).nefc, 0);
    for solver in SOLVERS {
        let m = solved_by(&xml("tendon2='t2'"), solver);
        near(&stepped(&m, 4000, at).ten_length, &[0.475, 0.475], 1e-9);
    }
}

#[test]
fn limit_of_a_tendon_pulls_through_its_jacobian() {
    let xml = "<mujoco><worldbody><body pos='0 0 1'><joint axis='0 1 0'/>\
        <geom type='capsule' size='.05' fromto='0 0 0 0 0 -.5'/><site name='s1'/>\
        <body pos='0 0 -.5'><joint axis='0 1 0'/>\
        <geom type='capsule' size='.04' fromto='0 0 0 0 0 -.4'/><site name='s2' pos='0 0 -.2'/>\
        </body></body></worldbody><tendon><spatial stiffness='100' damping='10' range='.35 .9'>\
        <site site='s1'/><site site='s2'/></spatial></tendon></mujoco>";
    for solver in SOLVERS {
        let m = solved_by(xml, solver);
        let d = computed(&m, |d| d.qpos[1] = 2.9);
        assert_eq!(d.efc_type[0], ConstraintType::LimitTendon);
        near(&d.ten_length, &[0.309529266742], 1e-11);
        near(&d.efc_pos, &[-0.040470733258], 1e-11);
        near(&d.efc_force, &[2066.120444876182], 1e-9);
        near(&d.qfrc_constraint, &[0.0, -159.699900340], 1e-9);
    }
}

/// A ball joint with a range in degrees, and a capsule along z.
fn ball_joint(range: &str, more: &str) -> String {
    format!(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='ball' limited='true' \
         range='{range}' {more}/><geom type='capsule' size='.05' fromto='0 0 0 0 0 .4'/></body>\
         </worldbody></mujoco>"
    )
}

fn turned(d: &mut Data, axis: Vec3, degrees: f64) {
    let q = Quat::from_axis_angle(axis, degrees.to_radians());
    let n = d.qpos.len();
    (*d.qpos)[n - 4..].copy_from_slice(&q.to_array());
}

#[test]
fn ball_joint_is_limited_by_its_angle() {
    let m = load_str(&ball_joint("0 45", "")).unwrap();
    let tilted = Vec3::new(0.6, 0.8, 0.0);
    let minus_z = Vec3::Z * -1.0;
    for (axis, degrees, about, force) in [
        (Vec3::Z, 50.0, Vec3::Z, Some(1.003736040643)),
        (Vec3::X, 50.0, Vec3::X, Some(26.283878645666)),
        (tilted, 50.0, tilted, None),
        (Vec3::Z, -50.0, minus_z, None),
        (Vec3::Z, 310.0, minus_z, None),
    ] {
        let d = computed(&m, |d| turned(d, axis, degrees));
        near(&d.efc_pos, &[-5f64.to_radians()], 1e-12);
        near(&dense_row(&m, &d, 0), &(about * -1.0).to_array(), 1e-12);
        if let Some(force) = force {
            near(&d.efc_force, &[force], EXACT);
        }
    }
    assert_eq!(computed(&m, |d| turned(d, tilted, 44.0)).nefc, 0);
    let m = load_str(&ball_joint("0 45", "margin='.1'")).unwrap();
    near(&computed(&m, |d| turned(d, Vec3::X, 44.0)).efc_pos, &[1f64.to_radians()], 1e-12);
}

/// A swing of z by 35° about (1, 2, 0) after a twist of 50°.
fn swing_twist() -> Quat {
    let swing = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 0.0).normalize().0, 35f64.to_radians());
    swing * Quat::from_axis_angle(Vec3::Z, 50f64.to_radians())
}

#[test]
fn swing_and_twist_have_limits_of_their_own() {
    // MuJoCo rejects such a range
    let loaded =
        load_str_with(&ball_joint("30 45", ""), &Assets::new(), &LoadOptions::default()).unwrap();
    assert!(
        loaded.warnings.iter().any(|w| w.message.contains("range[0] should be 0 in ball joint"))
    );
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    assert!(load_str_with(&ball_joint("30 45", ""), &Assets::new(), &strict).is_err());
    assert!(load_str(&ball_joint("-10 45", "")).is_err());

    let m = loaded.model;
    for sign in [1.0, -1.0] {
        let q = swing_twist().to_array().map(|x| x * sign);
        let d = computed(&m, |d| d.qpos.copy_from_slice(&q));
        near(&d.efc_pos, &[-5f64.to_radians(); 2], 1e-12);
        near(&dense_row(&m, &d, 0), &[-0.972634337511, -0.232341226421, 0.0], 1e-11);
        near(&dense_row(&m, &d, 1), &[0.073256907297, -0.306670428639, -1.0], 1e-11);
    }

    // without a row where the angle has no derivative
    assert_eq!(computed(&m, |d| turned(d, Vec3::Z, 50.0)).nefc, 1);
    assert_eq!(computed(&m, |d| d.qpos.copy_from_slice(&[0.0, 1.0, 0.0, 0.0])).nefc, 0);

    // both limits act
    let mut d = stepped(&m, 2000, |d| d.qpos.copy_from_slice(&swing_twist().to_array()));
    forward(&m, &mut d);
    assert!(d.efc_pos.iter().all(|&pos| pos > -1e-3), "{:?}", d.efc_pos);
}

#[test]
fn free_joints_have_limits_on_demand() {
    let xml = "<mujoco><option gravity='0 0 0'/><worldbody><body>\
        <joint type='free' limited='true' range='0 45'/><geom size='.1'/></body></worldbody></mujoco>";
    let set = |d: &mut Data| turned(d, Vec3::X, 50.0);
    assert_eq!(computed(&load_str(xml).unwrap(), set).nefc, 0);
    let options = LoadOptions { free_joint_limits: true, ..LoadOptions::default() };
    let m = load_str_with(xml, &Assets::new(), &options).unwrap().model;
    let d = computed(&m, set);
    near(&d.efc_pos, &[-5f64.to_radians()], 1e-12);
    near(&dense_row(&m, &d, 0), &[0.0, 0.0, 0.0, -1.0, 0.0, 0.0], 1e-12);
    assert!(d.qacc[3] < 0.0);
}

#[test]
fn frictionless_contact_pushes_along_its_normal() {
    for cone in CONES {
        let m = with_cone(&ball_on_plane(".0499", "condim='1'"), cone);
        let d = computed(&m, |d| d.qfrc_applied[0] = 1.0);
        assert_eq!((d.contact.len(), d.nefc), (1, 1));
        assert_eq!(d.efc_type[0], ConstraintType::ContactFrictionless);
        near(&d.efc_force, &[4.745734694751], 1e-10);
        near(&d.qfrc_constraint, &[0.0, 0.0, 4.745734694751, 0.0, 0.0, 0.0], 1e-10);
    }
}

#[test]
fn contacts_have_the_rows_of_their_dimension() {
    for (dim, pyramidal) in [(1, 1), (3, 4), (4, 6), (6, 10)] {
        let xml = ball_on_plane(".0499", &format!("condim='{dim}'"));
        for (cone, rows) in CONES.into_iter().zip([pyramidal, dim]) {
            assert_eq!(computed(&with_cone(&xml, cone), |_| {}).nefc, rows);
        }
    }
    // zero friction does not reduce the dimension
    let xml = ball_on_plane(".0499", "friction='0 0 0'");
    for (cone, rows) in CONES.into_iter().zip([4, 3]) {
        let d = computed(&with_cone(&xml, cone), |_| {});
        assert_eq!(d.nefc, rows);
        assert_eq!(d.contact[0].friction, [1e-5; 5]);
    }
}

#[test]
fn spin_ends_only_with_torsional_friction() {
    for cone in CONES {
        for (dim, spin) in [(3, 10.0), (4, 0.0)] {
            let friction = format!("condim='{dim}' friction='1 .1 .0001'");
            let m = with_cone(&ball_on_plane(".05", &friction), cone);
            let d = stepped(&m, 200, |d| d.qvel[5] = 10.0);
            assert!((d.qvel[5] - spin).abs() < 1e-8, "{}", d.qvel[5]);
        }
    }
}

#[test]
fn rolling_friction_slows_a_ball() {
    let roll = |cone, dim: usize, height: &str, spin: f64| {
        let attributes = format!("condim='{dim}' friction='1 .005 .01'");
        let m = with_cone(&ball_on_plane(height, &attributes), cone);
        stepped(&m, 200, |d| (d.qvel[0], d.qvel[4]) = (1.0, spin)).qvel[0]
    };
    let [pyramidal, elliptic] = CONES;
    for (cone, dim, height, spin, speed) in [
        (pyramidal, 6, ".06", 0.0, 0.5146073006),
        (pyramidal, 4, ".06", 0.0, 0.7098845476),
        (pyramidal, 3, ".06", 0.0, 0.7096474450),
        (pyramidal, 1, ".06", 0.0, 1.0),
        (elliptic, 6, ".06", 0.0, 0.4458689559),
        (elliptic, 3, ".06", 0.0, 0.7096782329),
        (pyramidal, 6, ".05", 0.0, 0.5171689235),
        (elliptic, 4, ".05", 0.0, 0.7134059836),
        (pyramidal, 6, ".05", 20.0, 0.7783106669),
        (pyramidal, 3, ".05", 20.0, 0.9989463110),
        (elliptic, 6, ".05", 20.0, 0.7271045108),
        (elliptic, 3, ".05", 20.0, 0.9989463229),
    ] {
        near(&[roll(cone, dim, height, spin)], &[speed], SETTLED);
    }
}

#[test]
fn contacts_of_several_dimensions_coexist() {
    let xml = "<mujoco><option timestep='.001'/><worldbody><body pos='-.3 0 .0499'><freejoint/>\
        <geom size='.05' condim='6' friction='1 .005 .01'/></body><body pos='.3 0 .0499'>\
        <freejoint/><geom size='.05' condim='1'/></body>\
        <geom type='plane' size='1 1 .1' condim='3' friction='1 .005 .0001'/></worldbody></mujoco>";
    for (cone, rows, normal) in [
        (ConeType::Pyramidal, 14, [5.045433441156, 4.745734694751]),
        (ConeType::Elliptic, 9, [4.745734694751; 2]),
    ] {
        let m = with_cone(xml, cone);
        let d = computed(&m, |_| {});
        assert_eq!(d.nefc, rows);
        // the larger of the two dimensions counts
        assert_eq!([d.contact[0].dim, d.contact[1].dim], [6, 3]);
        near(&[0, 1].map(|c| contact_force(&m, &d, c).force.x), &normal, 1e-10);
    }
}

#[test]
fn sliding_force_lies_on_the_ellipse() {
    let pair = "<contact><pair geom1='p' geom2='s' friction='1 .5 .005 .0001 .0001'/></contact>";
    let xml = "<mujoco><worldbody><geom name='p' type='plane' size='1 1 .1'/>\
        <body pos='0 0 .0499'><freejoint/><geom name='s' size='.05'/></body></worldbody>"
        .to_owned()
        + pair
        + "</mujoco>";
    let m = with_cone(&xml, ConeType::Elliptic);
    let d = computed(&m, |d| (d.qvel[0], d.qvel[1]) = (3.0, 4.0));
    near(&d.efc_force, &[62.915810566372, -47.605424919163, 20.567709750295], 1e-9);
    let [f, f1, f2] = [d.efc_force[0], d.efc_force[1], d.efc_force[2]];
    near(&[f1 * f1 + (f2 / 0.5).powi(2)], &[f * f], 1e-9);
}

#[test]
fn angular_rows_are_rotation_about_the_axes_of_the_contact() {
    let m = with_cone(
        "<mujoco><worldbody><geom type='plane' size='1 1 .1' condim='6'/><body pos='0 0 .0499'>\
         <joint axis='0 0 1'/><joint axis='0 1 0'/><geom size='.05' pos='.1 0 0' condim='6'/>\
         </body></worldbody></mujoco>",
        ConeType::Elliptic,
    );
    let d = computed(&m, |_| {});
    let con = &d.contact[0];
    let (mut jacp, mut jacr) = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
    let body = m.body_parentid.ids().nth(1).unwrap();
    sinew::engine::jac(&m, &d, Some(&mut jacp), Some(&mut jacr), con.pos, body);
    for (axis, jac) in [(0, &jacp), (3, &jacr)] {
        for k in 0..3 {
            let row = con.frame.row(k).to_array();
            let want: Vec<f64> =
                (0..m.nv).map(|v| (0..3).map(|i| row[i] * jac[i * m.nv + v]).sum()).collect();
            near(&dense_row(&m, &d, axis + k), &want, 1e-14);
        }
    }
}

#[test]
fn no_contact_no_rows() {
    let m = load_str(&ball_on_plane("1", "")).unwrap();
    let d = computed(&m, |_| {});
    assert_eq!((d.contact.len(), d.nefc), (0, 0));
    assert_eq!(*d.qacc, *d.qacc_smooth);
}

#[test]
fn friction_directions_have_a_reference_of_their_own() {
    let speed = |d: &mut Data| (d.qvel[0], d.qvel[1]) = (0.05, 0.02);
    let of = |cone, attribute: &str| {
        let pair = format!("<contact><pair geom1='p' geom2='s' {attribute}/></contact>");
        computed(&with_cone(&pressed(&pair), cone), speed)
    };
    let elliptic = |attribute: &str| of(ConeType::Elliptic, attribute);
    let damping = |d: &Data| d.efc_KBIP.iter().map(|k| k[1]).collect::<Vec<_>>();
    let d = elliptic("solreffriction='.05 1'");
    near(&d.efc_aref, &[0.249584487535, -0.842105263158, 2.105263157895], 1e-11);
    near(&damping(&d), &[105.263157895, 42.105263158, 42.105263158], 1e-10);
    near(&d.efc_force, &[37.965877558011, -0.977829811908, 2.444574529771], 1e-9);
    near(&damping(&elliptic("solreffriction='-100 -10'"))[1..], &[10.526315789; 2], 1e-10);

    // the default, zeros and a mixed format all mean the reference of the normal
    let usual = [37.965877558011, -2.444574529771, 6.111436324427];
    for attribute in ["", "solreffriction='0 0'", "solreffriction='.05 -1'"] {
        near(&elliptic(attribute).efc_force, &usual, 1e-9);
    }

    // pyramids ignore it
    let [with, without] =
        ["solreffriction='.05 1'", ""].map(|a| of(ConeType::Pyramidal, a).efc_aref.to_vec());
    assert_eq!(with, without);
}

#[test]
fn geoms_have_a_reference_of_friction() {
    let load = |plane: &str, ball: &str, cone| {
        let xml = format!(
            "<mujoco><default><default class='soft'><geom solreffriction='.05 1'/></default>\
             </default><worldbody><geom type='plane' size='1 1 .1' {plane}/><body pos='0 0 .0999'>\
             <freejoint/><geom size='.1' {ball}/></body></worldbody></mujoco>"
        );
        with_cone(&xml, cone)
    };
    let speed = |d: &mut Data| (d.qvel[0], d.qvel[1]) = (0.05, 0.02);
    let of = |plane: &str, ball: &str| computed(&load(plane, ball, ConeType::Elliptic), speed);
    let own = "solreffriction='.05 1'";

    // the values of an explicit pair with the same parameters
    let alone = [37.965877558011, -0.977829811908, 2.444574529771];
    let class = "class='soft'";
    for (plane, ball) in [(own, ""), ("", own), (class, ""), ("", class), (own, class)] {
        let d = of(plane, ball);
        assert_eq!(d.contact[0].solreffriction, [0.05, 1.0]);
        near(&d.efc_force, &alone, 1e-9);
        near(&d.efc_aref, &[0.249584487535, -0.842105263158, 2.105263157895], 1e-11);
    }
    let usual = [37.965877558011, -2.444574529771, 6.111436324427];
    near(&of("", "").efc_force, &usual, 1e-9);
    near(&of("solreffriction='0 0'", "").efc_force, &usual, 1e-9);

    // two references mix by weight unless one has priority; stiffness and damping do not mix
    let value = |plane: &str, ball: &str| of(plane, ball).contact[0].solreffriction;
    near(&value(own, "solreffriction='.01 2' solmix='3'"), &[0.02, 1.75], 1e-15);
    assert_eq!(value(own, "solreffriction='.01 2' priority='1'"), [0.01, 2.0]);
    assert_eq!(value(own, "priority='1'"), [0.0; 2]);
    assert_eq!(value(own, "solreffriction='-100 -10'"), [-100.0, -10.0]);

    // pyramids ignore it
    let [with, without] =
        [own, ""].map(|a| computed(&load(a, "", ConeType::Pyramidal), speed).efc_aref.to_vec());
    assert_eq!(with, without);

    // the field survives a binary file
    let m = load(own, "", ConeType::Elliptic);
    assert_eq!(Model::from_binary(&m.to_binary()).unwrap(), m);
    assert_eq!(m.geom_solreffriction, [[0.05, 1.0], [0.0; 2]]);
    assert!(load("", "", ConeType::Elliptic).geom_solreffriction.is_empty());
}

#[test]
fn edges_of_the_pyramid_add_up() {
    let xml = "<mujoco><worldbody>\
        <geom type='plane' size='1 1 .1' friction='.4 .1 .05' condim='6'/>\
        <body pos='0 0 .0999'><freejoint/><geom size='.1' condim='6' friction='.4 .1 .05'/></body>\
        </worldbody></mujoco>";
    let set = |d: &mut Data| d.qvel.copy_from_slice(&[0.5, 0.2, 0.0, 0.3, -0.4, 0.6]);
    let m = with_cone(xml, ConeType::Pyramidal);
    let d = computed(&m, set);
    let elliptic = with_cone(xml, ConeType::Elliptic);
    let e = computed(&elliptic, set);

    // the row of an edge is the normal's row ± friction times a tangent's row
    let friction = d.contact[0].friction;
    for k in 0..5 {
        for (edge, sign) in [(2 * k, 1.0), (2 * k + 1, -1.0)] {
            let (normal, along) = (dense_row(&elliptic, &e, 0), dense_row(&elliptic, &e, k + 1));
            let want: Vec<f64> =
                normal.iter().zip(&along).map(|(n, t)| n + sign * friction[k] * t).collect();
            near(&dense_row(&m, &d, edge), &want, 1e-15);
        }
    }
    near(&d.efc_R, &[0.009737102951; 10], 1e-9);
    let force = contact_force(&m, &d, 0);
    near(&[force.force.x, force.force.z], &[85.837889098205, 34.335155639282], 1e-8);
    near(&[d.efc_force.iter().sum::<f64>()], &[force.force.x], 1e-12);
    near(&[(d.efc_force[2] - d.efc_force[3]) * friction[1]], &[force.force.z], 1e-12);
}

#[test]
fn all_solvers_find_the_same_acceleration_of_a_sliding_box() {
    let xml = "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .0999'>\
        <freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody></mujoco>";
    let want =
        [-27.222538374, -2.752356067, 20.164894442, -0.319403510, 25.038268177, -2.520217109];
    for solver in SOLVERS {
        let m = solved_by(xml, solver);
        let d = computed(&m, |d| (d.qvel[0], d.qvel[1]) = (0.5, 0.2));
        near(&d.qacc, &want, 1e-6);
        if solver == SolverType::Newton {
            near(&d.qacc, &want, 1e-8);
        }
    }
}

const ADHESION: &str = "<actuator><adhesion body='s' gain='100' ctrlrange='0 1'/></actuator>";

/// The moment of the only actuator as `nv` numbers.
fn moment(m: &Model, d: &Data) -> Vec<f64> {
    let mut out = vec![0.0; m.nv];
    for k in 0..d.moment_rownnz[0] as usize {
        out[d.moment_colind[k].idx()] = d.actuator_moment[k];
    }
    out
}

#[test]
fn adhesion_pulls_along_the_normals() {
    let down = [0.0, 0.0, -1.0, 0.0, 0.0, 0.0];
    for cone in CONES {
        let m = with_cone(&pressed(ADHESION), cone);
        let d = computed(&m, |d| d.ctrl[0] = 1.0);
        near(&moment(&m, &d), &down, 1e-15);
        near(&d.qfrc_actuator, &down.map(|x| 100.0 * x), 1e-13);

        // no contact to adhere to
        let d = computed(&m, |d| (d.ctrl[0], d.qpos[2]) = (1.0, 0.5));
        assert_eq!((d.actuator_force[0], d.moment_rownnz[0]), (100.0, 0));
        assert!(d.qfrc_actuator.iter().all(|&x| x == 0.0));
    }

    // the gear has no effect
    let geared = "<actuator><general body='s' gear='2' gainprm='100' ctrlrange='0 1'/></actuator>";
    let m = load_str(&pressed(geared)).unwrap();
    near(&moment(&m, &computed(&m, |d| d.ctrl[0] = 1.0)), &down, 1e-15);
}

#[test]
fn adhesion_is_the_mean_over_contacts() {
    let xml =
        pressed(ADHESION).replace("size='.1'/></body>", "type='box' size='.1 .1 .1'/></body>");
    let m = with_cone(&xml, ConeType::Elliptic);
    let d = computed(&m, |d| {
        turned(d, Vec3::X, 0.001f64.to_degrees());
        d.ctrl[0] = 1.0;
    });
    assert!(d.contact.len() > 1);
    let n = d.contact.len() as f64;
    let mut mean = vec![0.0; m.nv];
    for con in &d.contact {
        for (sum, x) in mean.iter_mut().zip(dense_row(&m, &d, con.efc_address as usize)) {
            *sum -= x / n;
        }
    }
    near(&moment(&m, &d), &mean, 1e-14);
}

#[test]
fn adhesion_counts_contacts_in_the_gap() {
    let xml = "<mujoco><worldbody><geom type='plane' size='1 1 .1' margin='.01' gap='.01'/>\
        <body name='s' pos='0 0 .105'><freejoint/><geom size='.1'/></body></worldbody>"
        .to_owned()
        + ADHESION
        + "</mujoco>";
    let m = load_str(&xml).unwrap();
    let d = computed(&m, |d| d.ctrl[0] = 0.5);
    assert_eq!((d.contact.len(), d.nefc), (1, 0));
    near(&d.qfrc_actuator, &[0.0, 0.0, -50.0, 0.0, 0.0, 0.0], 1e-13);
}

#[test]
fn adhesion_lowers_the_equilibrium() {
    let m = load_str(&pressed(ADHESION)).unwrap();
    for (ctrl, height) in [(0.0, 0.099632818158), (1.0, 0.099239731625)] {
        let d = stepped(&m, 3000, |d| d.ctrl[0] = ctrl);
        near(&[d.qpos[2]], &[height], 1e-9);
    }
}
