//! Inertia of bodies: as written, from geoms, or joined with a fused body's inertia.

use sinew_math::{MINVAL, Quat, Vec3};

use crate::compile::cx::Cx;
use crate::compile::world::BodyRec;
use crate::orientation::resolve;
use crate::pose::{EPS, Pose, displaced_mass, principal_axes, turned_inertia, unit_quat};

/// Takes the `<inertial>` of a body into its record; returns whether there is one.
pub(crate) fn from_element(cx: &mut Cx<'_>, id: usize) -> Result<bool, String> {
    // diagonal inertia in the frame of `quat`
    let Some(e) = cx.world.bodies[id].explicit.clone() else { return Ok(false) };
    let settings = cx.settings(&e.head).clone();
    let body = &mut cx.world.bodies[id];
    body.mass = e.values().mass();
    body.inertia = e.values().diaginertia().into();
    let mut quat = unit_quat(e.values().quat().into());

    // or a full one, whose axes are the frame
    if let Some(&full) = e.fullinertia.get() {
        if e.alt.is_set() {
            return Err("fullinertia and inertial orientation cannot both be specified".into());
        }
        if body.inertia != Vec3::ZERO {
            return Err("fullinertia and diagonal inertia cannot both be specified".into());
        }
        let found = principal_axes(full).map_err(|why| format!("error '{why}' in fullinertia"))?;
        (quat, body.inertia) = found.unwrap_or((quat, body.inertia));
    }

    // or a frame written otherwise
    if let Some(alt) = e.alt.get() {
        quat = resolve(alt, &settings)
            .map_err(|why| format!("error '{why}' in inertia alternative"))?;
    }
    let pos: Vec3 = e.values().pos().into();
    body.inertial = (!pos.x.is_nan()).then_some(Pose { pos, quat });
    Ok(true)
}

/// Mass, frame and inertia from the geoms of the given groups; nothing if none of them has mass.
#[doc(alias = "InertiaFromGeom")]
pub(crate) fn from_geoms(cx: &mut Cx<'_>, id: usize, groups: [i32; 2]) -> Result<(), String> {
    let world = &mut cx.world;
    let body = &mut world.bodies[id];

    // geoms of the groups that have mass
    let parts: Vec<PointInertia> = body
        .geoms
        .iter()
        .map(|&g| &world.geoms[g])
        .filter(|g| (groups[0]..=groups[1]).contains(&g.elem.values().group()) && g.mass > EPS)
        .map(|g| PointInertia {
            mass: g.mass,
            inertia: g.inertia,
            pos: g.pose.pos,
            quat: g.pose.quat,
        })
        .collect();

    // one geom is the inertia; several are added about their centre
    match parts[..] {
        [] => {}
        [PointInertia { mass, inertia, pos, quat }] => {
            (body.mass, body.inertia) = (mass, inertia);
            body.inertial = Some(Pose { pos, quat });
        }
        _ => {
            body.mass = parts.iter().fold(0.0, |sum, p| sum + p.mass);
            if body.mass < EPS {
                let text = "body mass is too small, cannot compute center of mass";
                return Err(text.into());
            }
            let pos = center(&parts, body.mass);
            let found = total_inertia(&parts, pos)
                .map_err(|why| format!("error '{why}' in alternative for principal axes"))?;
            body.set_inertia(pos, found);
        }
    }
    Ok(())
}

/// Adds the mass and inertia of `other`, a child, to `body`.
#[doc(alias = "AccumulateInertia")]
pub(crate) fn accumulate(body: &mut BodyRec, other: &BodyRec) -> Result<(), String> {
    let own = body.ipose();
    // MuJoCo composes the child's two poses in the opposite order, and turns by the inner one only
    let inner = other.ipose();
    let placed = inner.then(other.pose);
    let parts = [
        PointInertia { mass: body.mass, inertia: body.inertia, pos: own.pos, quat: own.quat },
        PointInertia {
            mass: other.mass,
            inertia: other.inertia,
            pos: placed.pos,
            quat: inner.quat,
        },
    ];
    body.mass = parts[0].mass + parts[1].mass;
    if body.mass < MINVAL {
        body.mass = 0.0;
        body.inertia = Vec3::ZERO;
        body.inertial = Some(Pose::IDENTITY);
        return Ok(());
    }
    let pos = center(&parts, body.mass);
    let found = total_inertia(&parts, pos)
        .map_err(|why| format!("error '{why}' in fusing static body inertias"))?;
    body.set_inertia(pos, found);
    Ok(())
}

impl BodyRec {
    /// Moves the inertial frame to `pos`; its axes and the inertia stay where none were found. A
    /// NaN place counts as none.
    fn set_inertia(&mut self, pos: Vec3, found: Option<(Quat, Vec3)>) {
        let (quat, inertia) = found.unwrap_or((self.ipose().quat, self.inertia));
        self.inertia = inertia;
        self.inertial = (!pos.x.is_nan()).then_some(Pose { pos, quat });
    }
}

/// A mass with its own principal axes.
struct PointInertia {
    mass: f64,
    inertia: Vec3,
    pos: Vec3,
    quat: Quat,
}

/// The common centre of mass.
fn center(parts: &[PointInertia], mass: f64) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for p in parts {
        sum += Vec3::new(p.mass * p.pos.x, p.mass * p.pos.y, p.mass * p.pos.z);
    }
    Vec3::new(sum.x / mass, sum.y / mass, sum.z / mass)
}

/// Principal axes and inertias about `com`.
fn total_inertia(parts: &[PointInertia], com: Vec3) -> Result<Option<(Quat, Vec3)>, &'static str> {
    let mut total = [0.0; 6];
    for p in parts {
        let own = turned_inertia(p.inertia, p.quat);
        let moved = displaced_mass(p.mass, p.pos - com);
        for k in 0..6 {
            total[k] = total[k] + own[k] + moved[k];
        }
    }
    principal_axes(total)
}
