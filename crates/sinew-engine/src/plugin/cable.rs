//! `mujoco.elasticity.cable`: bending and twisting of the bodies of a cable.

use core::f64::consts::PI;
use std::sync::Arc;

use sinew_math::{Quat, Vec3, scalar};
use sinew_model::enums::{GeomType, PluginCapabilityBit};
use sinew_model::plugin::{Instance, Plugin};
use sinew_model::{BodyId, Data, GeomId, Model, PluginId};

use crate::plugin::settings::{is_number, number, text};
use crate::smooth::jacobian::apply_ft;
use crate::smooth::kinematics::kinematics;
use crate::work::set_aside;

/// The plugin.
pub(super) struct Cable;

impl Plugin for Cable {
    fn name(&self) -> &str {
        "mujoco.elasticity.cable"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["twist", "bend", "flat", "vmax"]
    }

    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Passive.0
    }

    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        if !is_number(m, id, "twist") || !is_number(m, id, "bend") {
            return Err("Invalid parameter specification in cable plugin".into());
        }
        let mut bodies = m.bodies().skip(1).filter(|&b| m.body_plugin[b].get() == Some(id));
        let first = bodies.next().unwrap_or(BodyId::WORLD);
        let n = bodies.count() + usize::from(first != BodyId::WORLD);

        // where the bodies are at the reference position; mocap bodies are not there yet
        let mut d = Data::without_plugins(m);
        d.mocap_quat.flat_mut().fill(0.0);
        kinematics(m, &mut d);
        let links = (0..n).map(|k| Link::new(m, &d, id, first.idx() + k, k == 0));
        let links = links.collect::<Result<_, _>>()?;
        Ok(Arc::new(Links { first: first.idx(), links, most: number(m, id, "vmax") }))
    }
}

/// The bodies of a cable, one inside of the other.
struct Links {
    first: usize,
    links: Vec<Link>,
    /// The stress that is shown as red; none is shown if it is zero.
    most: f64,
}

/// A body of a cable and its tie to the one before.
struct Link {
    /// Of twist and of bending about y and z, times the distance of the bodies.
    stiffness: Vec3,
    /// Distance to the body before; 0 for the first.
    length: f64,
    /// Curvature at rest.
    rest: Vec3,
    /// Where the rotation against the body before is in `qpos`; none for the first body.
    qpos: Option<usize>,
}

impl Link {
    fn new(m: &Model, d: &Data, id: PluginId, body: usize, first: bool) -> Result<Link, String> {
        let of_plugin = m.body_plugin.get(body).is_some_and(|p| p.get() == Some(id));
        if !of_plugin {
            return Err("This body does not have the requested plugin instance".into());
        }
        let qpos = if first { None } else { Some(rotation(m, body)?) };

        // the shape of the section: torsion constant and second moments of area
        let geom = m.body_geomadr[body].get().ok_or("A body of a cable must have a geom")?;
        let size = m.geom_size[geom];
        let [twist, bend_y, bend_z] = match m.geom_type[geom] {
            GeomType::Cylinder | GeomType::Capsule => {
                let fourth = scalar::pow(size.x, 4.0);
                [PI * fourth / 2.0, PI * fourth / 4.0, PI * fourth / 4.0]
            }
            GeomType::Box => {
                let (h, w) = (size.y, size.z);
                let (a, b) = (if h < w { w } else { h }, if w < h { w } else { h });
                let slender = 1.0 - scalar::pow(b, 4.0) / scalar::pow(a, 4.0) / 12.0;
                let torsion = a * scalar::pow(b, 3.0) * (16.0 / 3.0 - 3.36 * b / a * slender);
                let y = scalar::pow(2.0 * w, 3.0) * 2.0 * h / 12.0;
                let z = scalar::pow(2.0 * h, 3.0) * 2.0 * w / 12.0;
                [torsion, y, z]
            }
            _ => [0.0; 3],
        };
        let (shear, young) = (number(m, id, "twist"), number(m, id, "bend"));

        // curvature at rest: the curvature of the reference position unless the cable is flat
        let curved = qpos.filter(|_| text(m, id, "flat") != "true");
        let rest = curved.map_or(Vec3::ZERO, |adr| {
            m.body_quat[body].rotvec_from(Quat::from_slice(d.qpos.split_at(adr).1))
        });
        let length = if first { 0.0 } else { d.xpos[body].dist(d.xpos[body - 1]) };
        let stiffness = Vec3::new(twist * shear, bend_y * young, bend_z * young);
        Ok(Link { stiffness, length, rest, qpos })
    }

    /// Torque of the tie in the frame of this body's parent, and the rotation it comes from.
    fn stress(&self, m: &Model, d: &Data, body: usize, qpos: usize) -> (Vec3, Quat) {
        let turn = m.body_quat[body] * Quat::from_slice(d.qpos.split_at(qpos).1);
        (self.torque(turn), turn)
    }

    /// Torque of a tie that is turned like this.
    fn torque(&self, turn: Quat) -> Vec3 {
        let bent = turn.to_vel(1.0);
        let along = |k: usize| -self.stiffness[k] * (bent[k] - self.rest[k]) / self.length;
        Vec3::new(along(0), along(1), along(2))
    }

    /// The torque that there was when the bodies were last placed, in the frame of this body.
    fn last_torque(&self, m: &Model, d: &Data, body: usize) -> Vec3 {
        if self.qpos.is_none() || self.stiffness == Vec3::ZERO {
            return Vec3::ZERO;
        }
        let turn = d.xquat[m.body_parentid[body]].conj() * d.xquat[body];
        turn.conj().rotate(self.torque(turn))
    }
}

/// Where the rotation of a body against its parent is in `qpos`.
fn rotation(m: &Model, body: usize) -> Result<usize, String> {
    let wrong = "A body of a cable must have a ball joint or a free joint";
    let joint = m.body_jntadr[body].get().ok_or(wrong)?;
    let turns = usize::try_from(m.body_dofnum[body] - 3).map_err(|_| wrong)?;
    let start = m.jnt_qpos(joint).start + turns;
    if start + 4 > m.nq { Err(wrong.into()) } else { Ok(start) }
}

impl Instance for Links {
    /// Torques of the ties on both sides of each body.
    fn compute(&self, m: &Model, d: &mut Data, _id: PluginId, _capability: PluginCapabilityBit) {
        set_aside(
            d,
            |d| &mut d.qfrc_passive,
            |d, qfrc| {
                for (k, link) in self.links.iter().enumerate() {
                    let body = self.first + k;
                    if link.stiffness == Vec3::ZERO {
                        continue;
                    }

                    // from the body before, in the frame of this one; from the body after
                    let mut torque = Vec3::ZERO;
                    if let Some(qpos) = link.qpos {
                        let (stress, turn) = link.stress(m, d, body, qpos);
                        torque += turn.conj().rotate(stress) * 1.0;
                    }
                    if let Some(next) = self.links.get(k + 1)
                        && let Some(qpos) = next.qpos
                    {
                        torque += next.stress(m, d, body + 1, qpos).0 * -1.0;
                    }
                    let torque = d.xquat[body].rotate(torque);
                    apply_ft(m, d, Vec3::ZERO, torque, d.xpos[body], BodyId::new(body), qfrc);
                }
            },
        );
    }

    /// The first geom of each body by the mean of the torques on both sides.
    fn colors(&self, m: &Model, d: &Data, _id: PluginId, paint: &mut dyn FnMut(GeomId, [f32; 3])) {
        if self.most == 0.0 {
            return;
        }
        let at = |k: usize| self.links[k].last_torque(m, d, self.first + k);
        let last = self.links.len().saturating_sub(1);
        for k in 0..self.links.len() {
            let Some(geom) = m.body_geomadr[self.first + k].get() else { continue };
            let before = at(if k > 0 { k } else { last.min(1) });
            let after = at(if k < last { k + 1 } else { k });
            paint(geom, jet(((before + after) * 0.5).norm() / self.most));
        }
    }
}

/// From blue over green to red as `x` goes from 0 to 1.
fn jet(x: f64) -> [f32; 3] {
    let x = if x > 1.0 { 1.0 } else { x };
    let [red, green, blue] = if x < 0.25 {
        [0.0, 4.0 * x, 1.0]
    } else if x < 0.5 {
        [0.0, 1.0, 1.0 + 4.0 * (0.25 - x)]
    } else if x < 0.75 {
        [4.0 * (x - 0.5), 1.0, 0.0]
    } else {
        [1.0, 1.0 + 4.0 * (0.75 - x), 0.0]
    };
    [red as f32, green as f32, blue as f32]
}
