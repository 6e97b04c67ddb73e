//! Softness of contacts in SI units, in place of `solref` and `solimp`.
//!
//! A constraint row has the force f = (aref - a) / R with aref = -B v - K d r (MuJoCo docs,
//! "Computation / Constraint model"). Here r is the violation, v its rate and d the impedance. The
//! regularisation is R = (1 - d) / d W, where W is the inverse of the mass that the contact moves.
//! In steady motion a = 0, so a load F and a depth δ satisfy
//!
//! ```text
//! F = K d δ / R + B v / R
//! ```
//!
//! The stiffness is K d / R and the damping B / R. Friction rows have K = 0: under a tangential
//! load T the contact creeps at T R_t / B, with R_t = R / impratio. The edges of a pyramidal cone
//! have a common R, 2 μ² / impratio times the R of an elliptic cone with W (1 + μ²). All edges
//! carry the normal load, and the two edges of a direction the tangential load.

use sinew_engine::{contact_param, row_response};
use sinew_model::enums::ConeType;
use sinew_model::{GeomId, Model};

/// A contact of two geoms as a damped spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness {
    /// Mass that one contact of the pair moves, kg.
    pub mass: f64,
    /// Impedance at this depth, between 0 and 1 (`solimp`).
    pub impedance: f64,
    /// Load per depth, N/m.
    pub stiffness: f64,
    /// Load per approach speed, N s/m.
    pub damping: f64,
    /// Time constant of the violation's decay, s.
    pub time_constant: f64,
    /// Damping relative to critical damping.
    pub damping_ratio: f64,
    /// Depth under the load, measured from the margin, m.
    pub penetration: f64,
    /// Creep speed under the tangential load, m/s; `None` without friction.
    pub creep_speed: Option<f64>,
    /// Tangential load above which the contact slides, N.
    pub sliding_load: f64,
}

/// Forces on one contact, N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Normal force, which presses the geoms together.
    pub normal: f64,
    /// Tangential force.
    pub tangential: f64,
}

/// `solref` and `solimp` of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    /// Stiffness and damping in MuJoCo's direct format, as negative numbers.
    pub solref: [f64; 2],
    /// An impedance independent of the depth.
    pub solimp: [f64; 5],
}

/// Regularisation of the rows of a pair, divided by (1 - d) / d.
struct Weights {
    /// Inverse mass.
    inverse_mass: f64,
    /// All rows together, for the normal load.
    normal: f64,
    /// The rows of one direction, for the tangential load.
    tangential: f64,
}

/// Softness of one contact of two geoms under a load.
///
/// The result is exact for a contact at rest or in steady motion. Several contacts of a pair share
/// the load.
///
/// ```
/// let m = sinew::load_str("<mujoco><worldbody><geom type='plane' size='1 1 1'/>
///     <body><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>")?;
/// let load = sinew::softness::Load { normal: 9.81, tangential: 0.0 };
/// let [ground, ball] = [0, 1].map(sinew::GeomId::new);
/// let soft = sinew::softness::contact_softness(&m, ground, ball, load);
/// assert!((soft.time_constant - 0.02).abs() < 0.002);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn contact_softness(m: &Model, g1: GeomId, g2: GeomId, load: Load) -> Softness {
    let contact = contact_param(m, g1, g2);
    let weights = Weights::new(m, g1, g2);
    let response = |depth: f64| row_response(m, contact.solref, contact.solimp, -depth);
    let stiffness_at = |depth: f64| {
        let [k, _, d, _] = response(depth);
        k * d * d / ((1.0 - d) * weights.normal)
    };

    // find the depth whose spring force is the load; the force is monotonic in the depth
    let (mut low, mut high) = (0.0, 1e-9);
    while stiffness_at(high) * high < load.normal && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        let deeper = stiffness_at(middle) * middle < load.normal;
        (low, high) = if deeper { (middle, high) } else { (low, middle) };
    }
    let penetration = 0.5 * (low + high);

    // spring and damper at that depth
    let [k, b, d, _] = response(penetration);
    let softness = (1.0 - d) / d;
    let friction = contact.friction[0];
    Softness {
        mass: 1.0 / weights.inverse_mass,
        impedance: d,
        stiffness: stiffness_at(penetration),
        damping: b / (softness * weights.normal),
        time_constant: 2.0 / (d * b),
        damping_ratio: b / (2.0 * k.sqrt()),
        penetration,
        creep_speed: (contact.dim > 1).then(|| load.tangential * softness * weights.tangential / b),
        sliding_load: if contact.dim > 1 { friction * load.normal } else { 0.0 },
    }
}

/// Parameters that give one contact of two geoms a requested stiffness (N/m) and damping (N s/m).
///
/// The impedance is between 0 and 1; MuJoCo's default is 0.9 to 0.95. A larger impedance makes the
/// contact's own softness matter less than inertia. Both geoms must have these parameters, or one
/// of them a higher priority.
///
/// ```
/// use sinew::softness::{Load, contact_parameters, contact_softness};
///
/// let mut m = sinew::load_str("<mujoco><worldbody><geom type='plane' size='1 1 1'/>
///     <body><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>")?;
/// let [ground, ball] = [0, 1].map(sinew::GeomId::new);
/// let wanted = contact_parameters(&m, [ground, ball], 50_000.0, 300.0, 0.9);
/// for geom in [ground, ball] {
///     m.geom_solref[geom] = wanted.solref;
///     m.geom_solimp[geom] = wanted.solimp;
/// }
/// let load = Load { normal: 9.81, tangential: 0.0 };
/// assert!((contact_softness(&m, ground, ball, load).stiffness - 50_000.0).abs() < 1e-6);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn contact_parameters(
    m: &Model,
    [g1, g2]: [GeomId; 2],
    stiffness: f64,
    damping: f64,
    impedance: f64,
) -> ContactParameters {
    let weight = Weights::new(m, g1, g2).normal;
    let scale = (1.0 - impedance) * weight;
    ContactParameters {
        solref: [-stiffness * scale, -damping * scale],
        solimp: [impedance, impedance, 0.001, 0.5, 2.0],
    }
}

impl Weights {
    fn new(m: &Model, g1: GeomId, g2: GeomId) -> Weights {
        let contact = contact_param(m, g1, g2);
        let of = |g: GeomId| m.body_invweight0[m.geom_bodyid[g]][0];
        let inverse_mass = of(g1) + of(g2);
        let friction = contact.friction[0];
        let ratio = m.opt.impratio;
        if contact.dim == 1 || m.opt.cone == ConeType::Elliptic {
            return Weights {
                inverse_mass,
                normal: inverse_mass,
                tangential: inverse_mass / ratio,
            };
        }
        // all edges of the pyramid, two for each direction of friction
        let edge = 2.0 * friction * friction / ratio * inverse_mass * (1.0 + friction * friction);
        let edges = 2.0 * f64::from(contact.dim - 1);
        let tangential = edge / (2.0 * friction * friction);
        Weights { inverse_mass, normal: edge / edges, tangential }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sinew_model::Data;

    use super::*;

    /// A ball without rotation on a plane, with tilted gravity.
    fn ball(options: &str, geom: &str) -> Model {
        crate::load_str(&format!(
            "<mujoco><option gravity='1 0 -9.81' {options}/><worldbody>
               <geom type='plane' size='9 9 1' {geom}/>
               <body pos='0 0 .1'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>
                 <joint type='slide' axis='0 0 1'/><geom size='.1' mass='2' {geom}/></body>
             </worldbody></mujoco>"
        ))
        .unwrap()
    }

    fn settled(m: &Model) -> Data {
        let mut d = Data::new(m);
        for _ in 0..3000 {
            crate::step(m, &mut d);
        }
        d
    }

    const LOAD: Load = Load { normal: 2.0 * 9.81, tangential: 2.0 };

    #[test]
    fn depth_and_creep_are_those_of_a_simulation() {
        let geoms = ["", "solref='.05 .7'", "solimp='.5 .9 .01 .5 3'", "condim='6'", "condim='4'"];
        for options in ["cone='elliptic'", "cone='pyramidal'", "cone='elliptic' impratio='7'"] {
            for geom in geoms {
                let m = ball(options, geom);
                let d = settled(&m);
                let soft = contact_softness(&m, GeomId::new(0), GeomId::new(1), LOAD);
                let depth = -d.contact[0].dist;
                let what = format!("{options} {geom}");
                sinew_testkit::near(&[soft.penetration * 1e3], &[depth * 1e3], 1e-5);
                let creep = soft.creep_speed.unwrap();
                let error = (creep - d.qvel[0]).abs();
                assert!(error < 1e-3 * creep, "{what}: {creep}, simulated {}", d.qvel[0]);
            }
        }
    }

    #[test]
    fn wanted_stiffness_is_found_again() {
        for cone in ["cone='elliptic'", "cone='pyramidal'"] {
            let geoms = [GeomId::new(0), GeomId::new(1)];
            let wanted = contact_parameters(&ball(cone, ""), geoms, 5e4, 300.0, 0.9);
            let [k, b] = wanted.solref;
            let m = ball(cone, &format!("solref='{k} {b}' solimp='.9 .9 .001 .5 2'"));
            let soft = contact_softness(&m, geoms[0], geoms[1], LOAD);
            sinew_testkit::near(&[soft.stiffness, soft.damping], &[5e4, 300.0], 1e-9);
            let depth = -settled(&m).contact[0].dist;
            sinew_testkit::near(&[LOAD.normal / depth], &[5e4], 1e-4);
        }
    }
}
