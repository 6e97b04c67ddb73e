//! Surfaces that move within themselves, such as conveyors' (`surfacevel`, MuJoCo 3.11).

use sinew_math::Vec3;
use sinew_model::enums::ConeType;
use sinew_model::{Contact, Data, GeomId, Model};

/// Adds the velocity of the surfaces to the velocity of the contact rows.
///
/// Surfaces move in the tangent plane and turn about the normal. Reads `contact`, `geom_xpos`,
/// `geom_xmat`. Writes `efc_vel`.
#[doc(alias = "mj_addSurfaceVel")]
#[cold]
#[inline(never)]
pub(super) fn add_surface_velocity(m: &Model, d: &mut Data) {
    let Some(later) = &m.later else { return };
    if later.geom_surfacevel.is_empty() {
        return;
    }
    let Data { contact, efc_vel, geom_xpos, geom_xmat, .. } = d;
    for c in contact.iter() {
        let Ok(adr) = usize::try_from(c.efc_address) else { continue };

        // velocity of the second surface relative to the first, and its spin
        let (mut vel, mut spin) = (Vec3::ZERO, Vec3::ZERO);
        for (geom, sign) in c.geom.into_iter().zip([-1.0, 1.0]) {
            let Some(g) = usize::try_from(geom).ok().filter(|g| *g < m.ngeom) else { continue };
            let own = later.geom_surfacevel.get(g).copied().unwrap_or_default();
            if own == [0.0; 6] {
                continue;
            }
            let (frame, g) = (geom_xmat[g], GeomId::new(g));
            let turn = frame * Vec3::from_slice(&own[3..]);
            let slide = frame * Vec3::from_slice(&own) + turn.cross(c.pos - geom_xpos[g]);
            vel += slide * sign;
            spin += turn * sign;
        }
        add_to_rows(m, c, efc_vel.flat_mut().split_at_mut(adr).1, [vel, spin]);
    }
}

/// Adds a velocity and a spin to the rows of a contact.
fn add_to_rows(m: &Model, c: &Contact, rows: &mut [f64], [vel, spin]: [Vec3; 2]) {
    let (vel, spin) = (c.frame * vel, c.frame * spin);
    let along = [0.0, vel.y, vel.z, spin.x, 0.0, 0.0];
    let dim = (c.dim.max(1) as usize).min(along.len());
    if dim == 1 || m.cone() == ConeType::Elliptic {
        rows.iter_mut().zip(&along[..dim]).for_each(|(row, x)| *row += x);
        return;
    }
    let edges = rows.as_chunks_mut::<2>().0.iter_mut();
    for (pair, (friction, x)) in edges.zip(c.friction.iter().zip(&along[1..dim])) {
        pair[0] += friction * x;
        pair[1] -= friction * x;
    }
}
