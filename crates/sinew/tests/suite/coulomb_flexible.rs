//! Exact friction of flexible bodies: a rope around a drum, and a cloth on a slope.

use std::f64::consts::PI;
use std::fmt::Write;

use sinew::{Data, Model, load_str, step};

/// A rope of capsules half way around a drum, with weights of 1 kg and `heavy` kg at its ends.
/// Friction 0.5 holds it up to a ratio of exp(π / 2) = 4.81 (capstan equation of Euler and
/// Eytelwein).
fn rope(heavy: f64) -> Model {
    let (links, length, radius) = (29, 0.04, 0.21);
    let point = |k: usize| {
        let along = (k as f64 - 0.5 * links as f64) * length;
        let turn = (along / radius).clamp(-0.5 * PI, 0.5 * PI);
        [radius * turn.sin(), radius * turn.cos() - (along.abs() - 0.5 * PI * radius).max(0.0)]
    };
    let (mut bodies, mut last) = (String::new(), [0.0; 2]);
    for k in 0..links {
        let ([x, z], [to_x, to_z]) = (point(k), point(k + 1));
        let (dx, dz) = (to_x - x, to_z - z);
        let joint = if k == 0 { "<freejoint/>" } else { "<joint axis='0 1 0' damping='.002'/>" };
        let weight = match k {
            0 => "<geom size='.03' mass='1' contype='0' conaffinity='0'/>".into(),
            _ if k + 1 == links => format!(
                "<geom size='.03' mass='{heavy}' pos='{dx} 0 {dz}' contype='0' conaffinity='0'/>"
            ),
            _ => String::new(),
        };
        write!(
            bodies,
            "<body pos='{} 0 {}'>{joint}{weight}<geom type='capsule' size='.01' mass='.01'
               fromto='0 0 0 {dx} 0 {dz}' friction='.5' conaffinity='2'/>",
            x - last[0],
            z - last[1]
        )
        .unwrap();
        last = [x, z];
    }
    bodies.push_str(&"</body>".repeat(links));
    load_str(&format!(
        "<mujoco><option coulomb='exact'/><worldbody>
           <geom type='cylinder' size='.2 .2' euler='90 0 0' friction='.5' contype='2'/>
           {bodies}</worldbody></mujoco>"
    ))
    .unwrap()
}

/// Height of the lighter end after a time.
fn height(m: &Model, d: &mut Data, time: f64) -> f64 {
    while d.time < time {
        step(m, d);
    }
    d.qpos[2]
}

#[test]
fn a_rope_around_a_drum_holds_as_euler_and_eytelwein_say() {
    let m = rope(3.0);
    let mut d = Data::new(&m);
    let start = height(&m, &mut d, 0.2);
    for _ in 0..400 {
        step(&m, &mut d);
        assert!(d.coulomb.converged(), "{:e}", d.coulomb.residual);
    }
    assert!((d.qpos[2] - start).abs() < 1e-4, "it slips by {} m", d.qpos[2] - start);

    let m = rope(8.0);
    let mut d = Data::new(&m);
    let start = height(&m, &mut d, 0.05);
    let end = height(&m, &mut d, 0.4);
    assert!(end - start > 0.1, "it holds: {} m", end - start);
}

/// A cloth on a plane with friction 0.8.
fn cloth(gravity: &str) -> Model {
    load_str(&format!(
        "<mujoco><option coulomb='exact' gravity='{gravity}'/><worldbody>
           <geom type='plane' size='5 5 1' friction='.8'/>
           <flexcomp name='c' type='grid' count='6 6 1' spacing='.05 .05 .05' pos='0 0 .0101' radius='.01'
             mass='.5' dim='2'><edge equality='true'/>
             <contact selfcollide='none' friction='.8' condim='3'/></flexcomp></worldbody></mujoco>"
    ))
    .unwrap()
}

#[test]
fn a_cloth_lies_still_on_a_slope_and_slides_on_a_steeper_one() {
    let m = cloth("2.5 0 -9");
    let mut d = Data::new(&m);
    (0..250).for_each(|_| step(&m, &mut d));
    let start = d.qpos.to_vec();
    for _ in 0..500 {
        step(&m, &mut d);
        assert!(d.coulomb.converged(), "{:e}", d.coulomb.residual);
    }
    let drift = d.qpos.iter().zip(&start).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()));
    assert!(drift < 1e-9, "{drift:e}");

    // acceleration 9 - 0.8 · 9
    let m = cloth("9 0 -9");
    let mut d = Data::new(&m);
    let speed = |d: &Data| d.qvel.iter().step_by(3).sum::<f64>() / 36.0;
    (0..50).for_each(|_| step(&m, &mut d));
    let (start, time) = (speed(&d), d.time);
    (0..100).for_each(|_| step(&m, &mut d));
    let acceleration = (speed(&d) - start) / (d.time - time);
    assert!((acceleration - 1.8).abs() < 1e-3, "{acceleration}");
}
