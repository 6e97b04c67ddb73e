//! `<compiler>` with MuJoCo's defaults filled in.

use crate::spec::{Angle, Compiler, Tri};

/// The compiler settings of one scope.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether angles are in degrees.
    pub degree: bool,
    /// Axes of Euler angles; lower case turns with the body.
    pub eulerseq: [u8; 3],
    /// Whether limits follow from ranges.
    pub autolimits: bool,
    /// Smallest mass.
    pub boundmass: f64,
    /// Smallest principal inertia.
    pub boundinertia: f64,
    /// Whether impossible inertias are averaged.
    pub balanceinertia: bool,
    /// Whether inertia comes from the geoms: always, never, or where none is written.
    pub inertiafromgeom: Tri,
    /// Groups of geoms that have mass.
    pub inertiagrouprange: [i32; 2],
    /// Whether free bodies are aligned with their inertia.
    pub alignfree: bool,
    /// Whether primitives are fitted to the bounding box of a mesh.
    pub fitaabb: bool,
    /// Total mass, if it is to be set.
    pub settotalmass: f64,
    /// Whether bodies without joints are merged into their parents.
    pub fusestatic: bool,
    /// Whether what is only seen is left out.
    pub discardvisual: bool,
}

impl Settings {
    /// The settings a `<compiler>` gives.
    pub fn new(c: &Compiler) -> Settings {
        let mut eulerseq = *b"xyz";
        if let Ok(seq) = <[u8; 3]>::try_from(c.eulerseq.text().as_bytes()) {
            eulerseq = seq;
        }
        Settings {
            degree: c.angle.or(Angle::Degree) == Angle::Degree,
            eulerseq,
            autolimits: c.autolimits.or(true),
            boundmass: c.boundmass.or(0.0),
            boundinertia: c.boundinertia.or(0.0),
            balanceinertia: c.balanceinertia.or(false),
            inertiafromgeom: c.inertiafromgeom.or(Tri::Auto),
            inertiagrouprange: c.inertiagrouprange.or([0, 5]),
            alignfree: c.alignfree.or(false),
            fitaabb: c.fitaabb.or(false),
            settotalmass: c.settotalmass.or(-1.0),
            fusestatic: c.fusestatic.or(false),
            discardvisual: c.discardvisual.or(false),
        }
    }
}
