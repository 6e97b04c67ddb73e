//! Conditions that every solver's solution satisfies, on models with all types of rows; and the
//! noslip solver.

use sinew::engine::{contact_force, mul_jac_t_vec, mul_jac_vec, mul_m};
use sinew::model::enums::{ConeType, ConstraintType, DisableBit, JacobianType, SolverType};
use sinew::{Data, Model, forward, load_str, step};

const SOLVERS: [SolverType; 3] = [SolverType::Pgs, SolverType::Cg, SolverType::Newton];
const CONES: [ConeType; 2] = [ConeType::Pyramidal, ConeType::Elliptic];

/// A free box with two links that have limits, dry friction and contacts of every dimension, and
/// equalities of every type to other bodies. Beside it are a stack of balls and a body without
/// contacts.
const EVERYTHING: &str = "<mujoco><worldbody><geom type='plane' size='5 5 .1'/>
    <body name='a' pos='0 0 .09'><freejoint/><geom type='box' size='.1 .1 .1'/>
      <body pos='.2 0 .2'><joint name='h1' axis='0 1 0' limited='true' range='-10 10' frictionloss='.3'/>
        <geom type='capsule' size='.03' fromto='0 0 0 .3 0 -.1' condim='4'/>
        <body pos='.3 0 -.1'><joint name='h2' axis='0 1 0' frictionloss='.1' limited='true' range='-5 30'/>
          <geom type='capsule' size='.03' fromto='0 0 0 .1 0 -.165' condim='6'/></body></body>
      <body pos='-.2 0 .2'><joint type='ball' limited='true' range='0 20'/>
        <geom type='capsule' size='.03' fromto='0 0 0 -.3 0 -.2' condim='1'/></body></body>
    <body name='b' pos='.8 .3 .099'><freejoint/><geom type='box' size='.1 .05 .1'/></body>
    <body name='c' pos='1.6 .2 .5'><joint name='s1' type='slide' axis='1 0 0'/>
      <joint name='s2' type='slide' axis='0 0 1' limited='true' range='-.1 .1'/>
      <joint axis='0 1 0'/><geom size='.1' contype='0' conaffinity='0'/></body>
    <body pos='3 0 .0995'><freejoint/><geom size='.1'/></body>
    <body pos='3.01 0 .298'><freejoint/><geom size='.1' condim='6' friction='.5 .02 .01'/></body>
    <body pos='-3 0 2'><freejoint/><geom size='.1'/></body></worldbody>
  <tendon><fixed name='t1' limited='true' range='-.05 .05' frictionloss='.2'><joint joint='h1' coef='1'/>
    <joint joint='s1' coef='-1'/></fixed><fixed name='t2'><joint joint='s2' coef='1'/></fixed></tendon>
  <equality><weld body1='a' body2='b'/><connect body1='c' anchor='0 0 .1' body2='b'/>
    <joint joint1='h1' joint2='h2' polycoef='0 .5 0 0 0'/><tendon tendon1='t1' tendon2='t2'/>
  </equality></mujoco>";

/// The model with a solver at tolerance 0 and many iterations.
fn everything(solver: SolverType, cone: ConeType) -> Model {
    let mut m = load_str(EVERYTHING).unwrap();
    m.opt.solver = solver;
    m.opt.cone = cone;
    m.opt.tolerance = 1e-15;
    m.opt.iterations = 5000;
    m
}

/// A state after some steps, in motion everywhere.
fn moving(m: &Model, steps: usize) -> Data {
    let mut d = Data::new(m);
    for (i, v) in d.qvel.iter_mut().enumerate() {
        *v = 0.3 * (1.7 * i as f64 + 0.4).sin();
    }
    for _ in 0..steps {
        step(m, &mut d);
    }
    forward(m, &mut d);
    d
}

#[track_caller]
fn assert_near(actual: &[f64], wanted: &[f64], tol: f64) {
    assert_eq!(actual.len(), wanted.len());
    let scale = wanted.iter().fold(1.0_f64, |s, w| s.max(w.abs()));
    for (i, (a, w)) in actual.iter().zip(wanted).enumerate() {
        assert!((a - w).abs() <= tol * scale, "[{i}] = {a}, wanted {w}");
    }
}

/// Runs a check for every solver and cone, at some states.
fn for_all(check: impl Fn(&Model, &Data)) {
    for solver in SOLVERS {
        for cone in CONES {
            let m = everything(solver, cone);
            for steps in [0, 5, 40] {
                let d = moving(&m, steps);
                assert!(d.nefc > 30, "{}", d.nefc);
                check(&m, &d);
            }
        }
    }
}

#[test]
fn forces_balance() {
    for_all(|m, d| {
        // M q̈ = applied + actuator + passive + constraint - bias, constraint = Jᵀ f
        let mut inertial = vec![0.0; m.nv];
        mul_m(m, d, &mut inertial, &d.qacc);
        let mut from_rows = vec![0.0; m.nv];
        mul_jac_t_vec(d, &mut from_rows, &d.efc_force);
        let sum: Vec<f64> =
            (0..m.nv).map(|v| d.qfrc_passive[v] + d.qfrc_constraint[v] - d.qfrc_bias[v]).collect();
        // the primal solvers stop at a small residual
        let tol = match m.opt.solver {
            SolverType::Pgs => 1e-10,
            SolverType::Cg => 1e-5,
            _ => 1e-8,
        };
        assert_near(&inertial, &sum, tol);
        assert_near(&d.qfrc_constraint, &from_rows, 1e-12);
    });
}

/// The type of a row, and the first row of its contact.
fn cone_of(d: &Data, row: usize) -> Option<(usize, usize)> {
    let elliptic = d.efc_type[row] == ConstraintType::ContactElliptic;
    elliptic.then(|| &d.contact[d.efc_id[row] as usize]).map(|c| {
        let start = c.efc_address as usize;
        (start, c.dim as usize)
    })
}

#[test]
fn forces_stay_within_their_bounds() {
    for_all(|_, d| {
        for r in d.ne..d.nefc {
            let force = d.efc_force[r];
            if r < d.ne + d.nf {
                assert!(force.abs() <= d.efc_frictionloss[r] * (1.0 + 1e-12), "row {r}: {force}");
                continue;
            }
            let Some((start, dim)) = cone_of(d, r) else {
                assert!(force >= 0.0, "row {r}: {force}");
                continue;
            };
            // Σ (fᵢ / μᵢ)² ≤ f₀²
            let contact = &d.contact[d.efc_id[r] as usize];
            let normal = d.efc_force[start];
            let friction: f64 =
                (1..dim).map(|k| (d.efc_force[start + k] / contact.friction[k - 1]).powi(2)).sum();
            assert!(normal >= 0.0 && friction.sqrt() <= normal * (1.0 + 1e-8) + 1e-12);
        }
    });
}

#[test]
fn forces_and_violations_are_complementary() {
    for_all(|m, d| {
        // the gradient of the dual cost: J q̈ - aref + R f
        let mut gradient = vec![0.0; d.nefc];
        mul_jac_vec(d, &mut gradient, &d.qacc);
        for r in 0..d.nefc {
            gradient[r] += d.efc_R[r] * d.efc_force[r] - d.efc_aref[r];
        }
        let scale = gradient.iter().chain(d.efc_aref.iter()).fold(1.0_f64, |s, x| s.max(x.abs()));
        // conjugate gradient and Gauss-Seidel converge slowly, Newton's method fully
        let tol = scale * if m.opt.solver == SolverType::Newton { 1e-9 } else { 1e-4 };
        for r in 0..d.nefc {
            let (force, slope) = (d.efc_force[r], gradient[r]);
            if r < d.ne {
                assert!(slope.abs() < tol, "equality {r}: {slope}");
            } else if r < d.ne + d.nf {
                let loss = d.efc_frictionloss[r];
                assert!(slope < tol || force < -loss * (1.0 - 1e-6), "{r}: {slope} {force}");
                assert!(slope > -tol || force > loss * (1.0 - 1e-6), "{r}: {slope} {force}");
            } else if let Some((start, dim)) = cone_of(d, r) {
                let work: f64 = (start..start + dim).map(|k| d.efc_force[k] * gradient[k]).sum();
                assert!(work.abs() < tol * (1.0 + d.efc_force[start]), "cone {r}: {work}");
            } else {
                assert!(slope > -tol, "row {r} pulls: {slope}");
                assert!((force * slope).abs() < tol * (1.0 + force), "row {r}: {force} {slope}");
            }
        }
    });
}

#[test]
fn all_solvers_give_the_same_acceleration() {
    for cone in CONES {
        let reference = everything(SolverType::Newton, cone);
        for steps in [0, 5, 40] {
            let newton = moving(&reference, steps);
            for (solver, tol) in [(SolverType::Pgs, 1e-3), (SolverType::Cg, 1e-5)] {
                let m = everything(solver, cone);
                let mut d = newton.clone();
                forward(&m, &mut d);
                assert_near(&d.qacc, &newton.qacc, tol);
            }
        }
    }
}

#[test]
fn islands_and_the_kind_of_jacobian_change_nothing() {
    for_all(|m, d| {
        assert!(d.nisland >= 2 && d.nidof < m.nv);
        // conjugate gradient converges slowly; Gauss-Seidel makes all sweeps, because its stopping
        // depends on rounding
        let tol = if m.opt.solver == SolverType::Cg { 1e-5 } else { 1e-9 };
        let (mut m, mut d) = (m.clone(), d.clone());
        if m.opt.solver == SolverType::Pgs {
            m.opt.tolerance = -1.0;
            forward(&m, &mut d);
        }
        let mut other = m.clone();
        other.opt.disableflags |= DisableBit::Island.0;
        let mut again = d.clone();
        forward(&other, &mut again);
        assert_eq!(again.nisland, 0);
        assert_near(&again.qacc, &d.qacc, tol);

        for jacobian in [JacobianType::Dense, JacobianType::Sparse] {
            other.opt = m.opt;
            other.opt.jacobian = jacobian;
            let mut again = d.clone();
            forward(&other, &mut again);
            assert_near(&again.qacc, &d.qacc, tol);
            assert_near(&again.efc_force, &d.efc_force, tol);
        }
    });
}

#[test]
fn friction_never_adds_energy() {
    for solver in SOLVERS {
        for cone in CONES {
            // a flat box that slides and rotates on a plane
            let mut m = load_str(
                "<mujoco><option timestep='.001'><flag energy='enable'/></option><worldbody>
                 <geom type='plane' size='5 5 .1'/><body pos='0 0 .02'><freejoint/>
                 <geom type='box' size='.1 .1 .02' condim='6' friction='.4 .05 .05'/></body>
                 </worldbody></mujoco>",
            )
            .unwrap();
            m.opt.solver = solver;
            m.opt.cone = cone;
            let mut d = Data::new(&m);
            for _ in 0..200 {
                step(&m, &mut d);
            }
            d.qvel.copy_from_slice(&[1.0, 0.5, 0.0, 0.0, 0.0, 4.0]);
            forward(&m, &mut d);
            let mut least = f64::INFINITY;
            for _ in 0..600 {
                // of 1 J; a soft plane returns the energy stored when the box began to slide
                let kinetic = d.energy[1];
                assert!(kinetic < least + 0.005, "{solver:?} {cone:?}: {least} {kinetic}");
                least = least.min(kinetic);
                step(&m, &mut d);
                forward(&m, &mut d);
            }
            assert!(d.energy[1] < 1e-3, "{solver:?} {cone:?}: {:?}", d.energy);
        }
    }
}

// noslip

/// A box on a slope of 20 degrees, 0.1 mm deep in it.
fn slope(solver: SolverType, cone: ConeType, noslip: i32) -> (Model, Data) {
    let mut m = load_str(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1' euler='0 20 0'/>
         <body pos='0 0 .2' euler='0 20 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
         </worldbody></mujoco>",
    )
    .unwrap();
    m.opt.solver = solver;
    m.opt.cone = cone;
    m.opt.noslip_iterations = noslip;
    let mut d = Data::new(&m);
    let angle = 20.0_f64.to_radians();
    d.qpos[0] = 0.0999 * angle.sin();
    d.qpos[2] = 0.0999 * angle.cos();
    (m, d)
}

/// Velocity down the slope after 100 steps.
fn slip(solver: SolverType, cone: ConeType, noslip: i32) -> f64 {
    let (m, mut d) = slope(solver, cone, noslip);
    for _ in 0..100 {
        step(&m, &mut d);
    }
    let angle = 20.0_f64.to_radians();
    d.qvel[0] * angle.cos() - d.qvel[2] * angle.sin()
}

#[test]
fn noslip_stops_creeping() {
    // without, and with ten iterations
    let wanted = [
        (SolverType::Pgs, ConeType::Pyramidal, 1.8537e-3, 3.03e-6),
        (SolverType::Cg, ConeType::Pyramidal, 1.8533e-3, 3.14e-6),
        (SolverType::Newton, ConeType::Pyramidal, 1.8535e-3, 3.05e-6),
        (SolverType::Pgs, ConeType::Elliptic, 8.760e-4, 2.77e-6),
        (SolverType::Cg, ConeType::Elliptic, 8.760e-4, 2.80e-6),
        (SolverType::Newton, ConeType::Elliptic, 8.760e-4, 2.80e-6),
    ];
    for (solver, cone, creep, held) in wanted {
        let (without, with) = (slip(solver, cone, 0), slip(solver, cone, 10));
        assert!((without - creep).abs() < 1e-7, "{solver:?} {cone:?}: {without}");
        assert!((with - held).abs() < 1e-8, "{solver:?} {cone:?}: {with}");
    }
}

#[test]
fn noslip_leaves_normal_forces_alone() {
    for solver in SOLVERS {
        for cone in CONES {
            let normals = |noslip| {
                let (mut m, mut d) = slope(solver, cone, noslip);
                m.opt.tolerance = 1e-14;
                m.opt.iterations = 200;
                forward(&m, &mut d);
                (0..d.contact.len()).map(|c| contact_force(&m, &d, c).force.x).collect::<Vec<_>>()
            };
            let (before, after) = (normals(0), normals(10));
            // opposite edges of a pyramid keep their sum up to rounding
            let tol = if cone == ConeType::Elliptic { 0.0 } else { 1e-12 };
            assert_near(&after, &before, tol);
        }
    }
}

#[test]
fn noslip_forces_are_those_of_mujoco() {
    let (mut m, mut d) = slope(SolverType::Newton, ConeType::Elliptic, 10);
    m.opt.tolerance = 1e-14;
    m.opt.iterations = 200;
    forward(&m, &mut d);
    let forces: Vec<f64> = d.efc_force.iter().copied().collect();
    let wanted = [
        [12.183146201603, -0.075044494502, 6.568946570257],
        [24.676222555825, 0.111235663737, 6.405842015490],
    ];
    assert_near(&forces[..6], wanted.as_flattened(), 1e-9);
    assert_near(&[forces[6], forces[9]], &[12.183146201603, 24.676222555825], 1e-9);
}
