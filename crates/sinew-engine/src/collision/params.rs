//! What a contact is made of beyond its geometry: dimension, friction, softness, margin.

use sinew_math::MINVAL;
use sinew_model::enums::EnableBit;
use sinew_model::friction_ref::mix_solreffriction;
use sinew_model::{GeomId, Model, PairId};

/// Least friction coefficient (`mjMINMU`): cones must not be flat.
const MIN_FRICTION: f64 = 1e-5;

/// Distance at which contacts of two geoms are found.
#[doc(alias = "mj_assignMargin")]
pub(super) fn margin(m: &Model, g1: GeomId, g2: GeomId) -> f64 {
    override_margin(m, m.geom_margin[g1] + m.geom_margin[g2])
}

/// Distance at which contacts of an explicit pair are found.
pub(super) fn pair_margin(m: &Model, pair: PairId) -> f64 {
    override_margin(m, m.pair_margin[pair])
}

/// The margin, unless the model's options say one for all.
pub(super) fn override_margin(m: &Model, margin: f64) -> f64 {
    if m.opt.enabled(EnableBit::Override) { m.opt.o_margin } else { margin }
}

/// A geom's share of the margin of its contacts.
pub(super) fn half_margin(m: &Model, g: GeomId) -> f64 {
    match m.opt.enabled(EnableBit::Override) {
        true => 0.5 * m.opt.o_margin,
        false => m.geom_margin[g],
    }
}

/// Parameters of all contacts of a pair of geoms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Params {
    pub(super) dim: i32,
    pub(super) gap: f64,
    pub(super) friction: [f64; 5],
    pub(super) solref: [f64; 2],
    pub(super) solreffriction: [f64; 2],
    pub(super) solimp: [f64; 5],
}

impl Params {
    /// Combined from those of two geoms: of the one with priority, else a mixture.
    #[doc(alias = "mj_contactParam")]
    pub(super) fn of_geoms(m: &Model, g1: GeomId, g2: GeomId) -> Params {
        let (priority1, priority2) = (m.geom_priority[g1], m.geom_priority[g2]);
        let mut params = if priority1 > priority2 {
            Params::of_geom(m, g1)
        } else if priority1 < priority2 {
            Params::of_geom(m, g2)
        } else {
            Params::mixed(m, g1, g2)
        };
        params.gap = m.geom_gap[g1] + m.geom_gap[g2];
        params.overridden(m)
    }

    /// As an explicit pair says.
    pub(super) fn of_pair(m: &Model, pair: PairId) -> Params {
        let params = Params {
            dim: m.pair_dim[pair],
            gap: m.pair_gap[pair],
            friction: m.pair_friction[pair],
            solref: m.pair_solref[pair],
            solreffriction: m.pair_solreffriction[pair],
            solimp: m.pair_solimp[pair],
        };
        params.overridden(m)
    }

    fn of_geom(m: &Model, g: GeomId) -> Params {
        Params {
            dim: m.geom_condim[g],
            gap: 0.0,
            friction: five(m.geom_friction[g].to_array()),
            solref: m.geom_solref[g],
            solreffriction: m.solreffriction(g),
            solimp: m.geom_solimp[g],
        }
    }

    fn mixed(m: &Model, g1: GeomId, g2: GeomId) -> Params {
        let (mix1, mix2) = (m.geom_solmix[g1], m.geom_solmix[g2]);
        let mix = match (mix1 >= MINVAL, mix2 >= MINVAL) {
            (true, true) => mix1 / (mix1 + mix2),
            (false, false) => 0.5,
            (false, true) => 0.0,
            (true, false) => 1.0,
        };
        let mean = |a: f64, b: f64| mix * a + (1.0 - mix) * b;

        // time constants are averaged; of stiffness and damping, given as negative numbers, the
        // larger count
        let (ref1, ref2) = (m.geom_solref[g1], m.geom_solref[g2]);
        let solref = match ref1[0] > 0.0 && ref2[0] > 0.0 {
            true => each(ref1, ref2, mean),
            false => each(ref1, ref2, |a, b| if a < b { a } else { b }),
        };
        let (friction1, friction2) = (m.geom_friction[g1], m.geom_friction[g2]);
        Params {
            dim: m.geom_condim[g1].max(m.geom_condim[g2]),
            gap: 0.0,
            friction: five(each(friction1.to_array(), friction2.to_array(), larger)),
            solref,
            solreffriction: mix_solreffriction(m.solreffriction(g1), m.solreffriction(g2), mix),
            solimp: each(m.geom_solimp[g1], m.geom_solimp[g2], mean),
        }
    }

    /// With the options that replace the parameters of all contacts, and within bounds. A
    /// dimension outside of 1 to 6, an error in MuJoCo, becomes the nearest.
    #[doc(alias = "mj_setContact")]
    fn overridden(mut self, m: &Model) -> Params {
        if m.opt.enabled(EnableBit::Override) {
            self.solref = m.opt.o_solref;
            self.solreffriction = m.opt.o_solref;
            self.solimp = m.opt.o_solimp;
            self.friction = m.opt.o_friction;
        }
        self.friction = self.friction.map(|mu| larger(MIN_FRICTION, mu));
        self.dim = self.dim.clamp(1, 6);
        self
    }
}

/// Sliding, torsional and rolling friction as those of two, one and two directions.
fn five([slide, spin, roll]: [f64; 3]) -> [f64; 5] {
    [slide, slide, spin, roll, roll]
}

/// The larger of two numbers, the second if they do not compare.
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

fn each<const N: usize>(a: [f64; N], b: [f64; N], f: impl Fn(f64, f64) -> f64) -> [f64; N] {
    core::array::from_fn(|i| f(a[i], b[i]))
}
