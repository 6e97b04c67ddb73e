//! The condition of each constraint row: its cone, and its least velocity.

use sinew_cone::Cone;
use sinew_model::enums::ConstraintType;
use sinew_model::{Contact, Data, Model};

use super::work::Work;

/// Cones, biases and restitution of the current rows.
pub(super) fn describe(m: &Model, d: &Data, work: &mut Work) {
    let Work { rows, cones, bias, bounce, before, demand, .. } = work;
    cones.clear();
    before.clear();
    before.extend(demand.iter().map(|x| -x));
    for list in [&mut *bias, &mut *bounce] {
        list.clear();
        list.resize(rows.len(), 0.0);
    }
    let h = m.opt.timestep;
    let mut k = 0;
    while k < rows.len() {
        let r = rows[k];
        match d.efc_type[r] {
            ConstraintType::Equality => cones.push(Cone::Free),
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => {
                let most = (h * d.efc_frictionloss[r]).max(0.0);
                cones.push(Cone::Interval { lower: -most, upper: most });
            }
            ConstraintType::LimitJoint | ConstraintType::LimitTendon => {
                cones.push(Cone::HalfLine);
                bias[k] = closing_velocity(d.efc_pos[r], h);
            }
            _ => {
                let contact = usize::try_from(d.efc_id[r]).ok().and_then(|c| d.contact.get(c));
                let dim = contact.map_or(1, |con| con.dim.clamp(1, 6) as usize);
                // a contact that is cut short cannot come from `make_constraint`
                let dim = dim.min(rows.len() - k);
                push_contact(cones, contact, dim);
                if let Some(con) = contact {
                    bias[k] = closing_velocity(con.dist, h);
                    // it bounces if it touches, or would within this step
                    let approach = -d.efc_vel[r];
                    let touches = con.dist <= 0.0 || con.dist < h * demand[k];
                    if touches && approach > m.coulomb.bounce_speed {
                        let e = restitution(m, con);
                        if e > 0.0 {
                            bounce[k] = e * approach - bias[k];
                            // a bounce is judged by its own velocity
                            let own = rows[k..k + dim].iter().map(|&r| d.efc_vel[r]);
                            before[k..k + dim].iter_mut().zip(own).for_each(|(b, v)| *b = v);
                        }
                    }
                }
                k += dim - 1;
            }
        }
        k += 1;
    }
}

/// The velocity that closes a gap exactly within the step.
fn closing_velocity(gap: f64, h: f64) -> f64 {
    if gap > 0.0 { -gap / h } else { 0.0 }
}

/// The cone of a contact; one row each if its dimension is none of MuJoCo's.
fn push_contact(cones: &mut Vec<Cone>, contact: Option<&Contact>, dim: usize) {
    let mu = contact.map_or([0.0; 5], |con| con.friction);
    match (dim, mu) {
        (3, [a, b, ..]) => cones.push(Cone::Contact3([a, b])),
        (4, [a, b, c, ..]) => cones.push(Cone::Contact4([a, b, c])),
        (6, _) => cones.push(Cone::Contact6(mu)),
        _ => {
            cones.push(Cone::HalfLine);
            cones.extend((1..dim).map(|_| Cone::Interval { lower: 0.0, upper: 0.0 }));
        }
    }
}

/// Restitution of a contact: its pair's if it has one, the larger one of its geoms otherwise.
fn restitution(m: &Model, con: &Contact) -> f64 {
    let settings = &m.coulomb;
    let of_pair = settings.pair_restitution.iter().enumerate().find_map(|(p, &e)| {
        let pair = [m.pair_geom1.get(p)?, m.pair_geom2.get(p)?].map(|g| g.idx() as i32);
        let same = pair == con.geom || [pair[1], pair[0]] == con.geom;
        (same && e >= 0.0).then_some(e)
    });
    let geom = con.geom.map(|g| usize::try_from(g).unwrap_or(usize::MAX));
    of_pair.unwrap_or_else(|| settings.restitution_of_geoms(geom))
}

/// Multiplies the bounds of dry friction.
pub(super) fn scale_intervals(cones: &mut [Cone], factor: f64) {
    for cone in cones {
        if let Cone::Interval { lower, upper } = cone {
            *lower *= factor;
            *upper *= factor;
        }
    }
}
