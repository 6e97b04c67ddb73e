//! The exact friction mode: contacts that hold, slide, bounce and carry as Coulomb's law says.
#![allow(clippy::unwrap_used)]

use sinew::model::coulomb::{ContactState, FrictionLaw};
use sinew::{Data, Model};

const G: f64 = 9.81;

/// A model from XML, in the exact mode.
fn exact(xml: &str) -> Model {
    let mut m = sinew::load_str(xml).unwrap();
    m.coulomb.enabled = true;
    m
}

/// A box of 2 x 0.2 m on a slope of `angle` radians, 1e-6 m deep in it, friction `mu`.
fn slope(angle: f64, mu: f64) -> (Model, Data) {
    let (gx, gz) = (G * angle.sin(), -G * angle.cos());
    let xml = format!(
        "<mujoco><option gravity='{gx} 0 {gz}'/><worldbody>\
         <geom type='plane' size='5 5 1' friction='{mu}'/>\
         <body pos='0 0 .099999'><freejoint/><geom type='box' size='.2 .15 .1' friction='{mu}'/></body>\
         </worldbody></mujoco>"
    );
    let m = exact(&xml);
    let d = Data::new(&m);
    (m, d)
}

#[test]
fn a_box_below_the_friction_angle_stays_put() {
    for law in [FrictionLaw::Exact, FrictionLaw::Convex] {
        let (mut m, mut d) = slope(0.4, 0.5);
        m.coulomb.law = law;
        let start = d.qpos.to_vec();
        for _ in 0..5000 {
            sinew::step(&m, &mut d);
            assert!(d.coulomb.converged(), "{:?}", d.coulomb);
        }
        let drift = d.qpos.iter().zip(&start).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()));
        assert!(drift < 1e-9, "{law:?}: {drift:e}");
        assert!(d.coulomb.contacts.iter().all(|c| c.state == ContactState::Stick));
    }
}

#[test]
fn a_box_above_the_friction_angle_accelerates_as_coulomb_says() {
    let (angle, mu) = (0.6_f64, 0.4);
    let (m, mut d) = slope(angle, mu);
    let wanted = G * (angle.sin() - mu * angle.cos());
    for _ in 0..500 {
        sinew::step(&m, &mut d);
        assert!(d.coulomb.converged(), "{:?}", d.coulomb);
        assert!((d.qacc[0] - wanted).abs() < 1e-6, "{} {wanted}", d.qacc[0]);
    }
    assert!((d.qvel[0] - wanted * d.time).abs() < 1e-6);
}
