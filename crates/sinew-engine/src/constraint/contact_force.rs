//! Forces of contacts, from the rows of the constraint solver.

use sinew_math::{Vec3, vector};
use sinew_model::enums::ConeType;
use sinew_model::{Data, Model};

use crate::constraint::adhesive::contact_adhesion;

/// Force and torque of a contact, in its own frame: the normal first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Force.
    pub force: Vec3,
    /// Torque.
    pub torque: Vec3,
}

/// The force that the second geom of contact `c` feels, which may pull; zero without rows.
///
/// Reads `contact`, `efc_force`.
#[doc(alias = "mj_contactForce")]
pub fn contact_force(m: &Model, d: &Data, c: usize) -> ContactForce {
    let mut result = [0.0; 6];
    let rows = d.contact.get(c).and_then(|contact| {
        let start = usize::try_from(contact.efc_address).ok()?;
        Some((contact, d.efc_force.get(start..)?))
    });
    if let Some((contact, force)) = rows {
        let dim = usize::try_from(contact.dim).unwrap_or(0).min(6);
        if m.cone() == ConeType::Pyramidal {
            decode_pyramid(&mut result[..dim], force, &contact.friction);
        } else {
            let n = dim.min(force.len());
            vector::copy(&mut result[..n], &force[..n]);
        }
    }
    if m.later.is_some()
        && let Some((contact, _)) = rows
    {
        result[0] -= contact_adhesion(m, contact);
    }
    ContactForce { force: Vec3::from_slice(&result), torque: Vec3::from_slice(&result[3..]) }
}

/// Forces along the axes of a contact from those along the edges of its pyramid.
#[doc(alias = "mju_decodePyramid")]
fn decode_pyramid(force: &mut [f64], edges: &[f64], friction: &[f64; 5]) {
    let [normal, tangents @ ..] = force else { return };
    if tangents.is_empty() {
        *normal = edges.first().copied().unwrap_or(0.0);
        return;
    }
    *normal = edges.iter().take(2 * tangents.len()).fold(0.0, |sum, edge| sum + edge);
    for ((tangent, pair), mu) in tangents.iter_mut().zip(edges.as_chunks::<2>().0).zip(friction) {
        *tangent = (pair[0] - pair[1]) * mu;
    }
}
