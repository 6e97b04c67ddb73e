//! `<compiler>` with MuJoCo's defaults filled in.

use crate::spec::{Angle, Compiler, Tri};

/// The compiler settings of one scope.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Whether angles are in degrees.
    pub(crate) degree: bool,
    /// Axes of Euler angles; lower case turns with the body.
    pub(crate) eulerseq: [u8; 3],
    /// Whether limits follow from ranges.
    pub(crate) autolimits: bool,
    /// Smallest mass.
    pub(crate) boundmass: f64,
    /// Smallest principal inertia.
    pub(crate) boundinertia: f64,
    /// Whether impossible inertias are averaged.
    pub(crate) balanceinertia: bool,
    /// Whether inertia comes from the geoms: always, never, or where none is written.
    pub(crate) inertiafromgeom: Tri,
    /// Groups of geoms that have mass.
    pub(crate) inertiagrouprange: [i32; 2],
    /// Whether free bodies are aligned with their inertia.
    pub(crate) alignfree: bool,
    /// Whether primitives are fitted to the bounding box of a mesh.
    pub(crate) fitaabb: bool,
    /// Total mass, if it is to be set.
    pub(crate) settotalmass: f64,
    /// Whether MuJoCo's style writes the inertia of every body.
    pub(crate) saveinertial: bool,
    /// Whether bodies without joints are merged into their parents.
    pub(crate) fusestatic: bool,
    /// Whether visual elements are left out.
    pub(crate) discardvisual: bool,
}

impl Settings {
    /// The settings a `<compiler>` gives.
    pub(crate) fn new(c: &Compiler) -> Settings {
        let v = c.values();
        let mut eulerseq = *b"xyz";
        if let Ok(seq) = <[u8; 3]>::try_from(c.eulerseq.text().as_bytes()) {
            eulerseq = seq;
        }
        Settings {
            degree: c.angle.or(Angle::Degree) == Angle::Degree,
            eulerseq,
            autolimits: v.autolimits(),
            boundmass: v.boundmass(),
            boundinertia: v.boundinertia(),
            balanceinertia: v.balanceinertia(),
            inertiafromgeom: v.inertiafromgeom(),
            inertiagrouprange: v.inertiagrouprange(),
            alignfree: v.alignfree(),
            fitaabb: v.fitaabb(),
            settotalmass: v.settotalmass(),
            saveinertial: v.saveinertial(),
            fusestatic: v.fusestatic(),
            discardvisual: v.discardvisual(),
        }
    }
}
