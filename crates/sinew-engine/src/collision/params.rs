//! Parameters of contacts: dimension, friction, softness, margin.

use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::EnableBit;
use sinew_model::friction_ref::mix_solreffriction;
use sinew_model::{Contact, FlexId, GeomId, Model, PairId};

/// Smallest friction coefficient (`mjMINMU`): cones must not be flat.
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

/// Distance at which contacts of a geom with a flex are found.
pub(super) fn surface_margin(m: &Model, g: GeomId, f: FlexId) -> f64 {
    override_margin(m, m.geom_margin[g] + m.flex_margin[f])
}

/// A flex's share of the margin of its contacts.
pub(super) fn half_flex_margin(m: &Model, f: FlexId) -> f64 {
    match m.opt.enabled(EnableBit::Override) {
        true => 0.5 * m.opt.o_margin,
        false => m.flex_margin[f],
    }
}

/// Contact parameters of a geom or flex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface<'a> {
    priority: i32,
    condim: i32,
    gap: f64,
    solmix: f64,
    friction: &'a Vec3,
    solref: &'a [f64; 2],
    solreffriction: [f64; 2],
    solimp: &'a [f64; 5],
}

impl<'a> Surface<'a> {
    #[inline(always)]
    pub(super) fn of_geom(m: &'a Model, g: GeomId) -> Self {
        Surface {
            priority: m.geom_priority[g],
            condim: m.geom_condim[g],
            gap: m.geom_gap[g],
            solmix: m.geom_solmix[g],
            friction: &m.geom_friction[g],
            solref: &m.geom_solref[g],
            solreffriction: m.solreffriction(g),
            solimp: &m.geom_solimp[g],
        }
    }

    pub(super) fn of_flex(m: &'a Model, f: FlexId) -> Self {
        Surface {
            priority: m.flex_priority[f],
            condim: m.flex_condim[f],
            gap: m.flex_gap[f],
            solmix: m.flex_solmix[f],
            friction: &m.flex_friction[f],
            solref: &m.flex_solref[f],
            solreffriction: [0.0; 2],
            solimp: &m.flex_solimp[f],
        }
    }
}

/// Parameters of all contacts of a pair of geoms or flexes.
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
    /// Of the contacts of two geoms.
    pub(super) fn of_geoms(m: &Model, g1: GeomId, g2: GeomId) -> Params {
        Params::of_surfaces(m, &Surface::of_geom(m, g1), &Surface::of_geom(m, g2))
    }

    /// Combined from two surfaces: values of the surface with priority, else a mixture.
    #[doc(alias = "mj_contactParam")]
    #[inline(always)]
    pub(super) fn of_surfaces(m: &Model, a: &Surface, b: &Surface) -> Params {
        let mut params = if a.priority > b.priority {
            Params::of_surface(a)
        } else if a.priority < b.priority {
            Params::of_surface(b)
        } else {
            Params::mixed(a, b)
        };
        params.gap = a.gap + b.gap;
        params.override_all(m);
        params
    }

    /// As an explicit pair says.
    pub(super) fn of_pair(m: &Model, pair: PairId) -> Params {
        let mut params = Params {
            dim: m.pair_dim[pair],
            gap: m.pair_gap[pair],
            friction: m.pair_friction[pair],
            solref: m.pair_solref[pair],
            solreffriction: m.pair_solreffriction[pair],
            solimp: m.pair_solimp[pair],
        };
        params.override_all(m);
        params
    }

    fn of_surface(surface: &Surface) -> Params {
        Params {
            dim: surface.condim,
            gap: 0.0,
            friction: five(surface.friction.to_array()),
            solref: *surface.solref,
            solreffriction: surface.solreffriction,
            solimp: *surface.solimp,
        }
    }

    #[inline(always)]
    fn mixed(a: &Surface, b: &Surface) -> Params {
        let mix = match (a.solmix >= MINVAL, b.solmix >= MINVAL) {
            (true, true) => a.solmix / (a.solmix + b.solmix),
            (false, false) => 0.5,
            (false, true) => 0.0,
            (true, false) => 1.0,
        };
        let mean = |a: f64, b: f64| mix * a + (1.0 - mix) * b;

        // time constants are averaged; of stiffness and damping, given as negative numbers, the
        // larger count
        let solref = match a.solref[0] > 0.0 && b.solref[0] > 0.0 {
            true => each(*a.solref, *b.solref, mean),
            false => each(*a.solref, *b.solref, |a, b| if a < b { a } else { b }),
        };
        Params {
            dim: a.condim.max(b.condim),
            gap: 0.0,
            friction: five(each(a.friction.to_array(), b.friction.to_array(), larger)),
            solref,
            solreffriction: mix_solreffriction(a.solreffriction, b.solreffriction, mix),
            solimp: each(*a.solimp, *b.solimp, mean),
        }
    }

    /// Takes over the options that replace the parameters of all contacts, and keeps within bounds.
    /// A dimension outside of 1 to 6, an error in MuJoCo, becomes the nearest.
    #[doc(alias = "mj_setContact")]
    fn override_all(&mut self, m: &Model) {
        if m.opt.enabled(EnableBit::Override) {
            self.solref = m.opt.o_solref;
            self.solreffriction = m.opt.o_solref;
            self.solimp = m.opt.o_solimp;
            self.friction = m.opt.o_friction;
        }
        self.friction = self.friction.map(|mu| larger(MIN_FRICTION, mu));
        self.dim = self.dim.clamp(1, 6);
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

/// The parameters that contacts of two geoms will have: values of an explicit pair if there is one,
/// else combined from the geoms. Place and frame are left at zero.
#[doc(alias = "mj_contactParam")]
pub fn contact_param(m: &Model, g1: GeomId, g2: GeomId) -> Contact {
    let ids = [g1.idx() as i32, g2.idx() as i32];
    let is_pair = |p: &PairId| {
        let pair = [m.pair_geom1[*p].idx() as i32, m.pair_geom2[*p].idx() as i32];
        pair == ids || pair == [ids[1], ids[0]]
    };
    let pair = (0..m.npair).map(PairId::new).find(is_pair);
    let (params, margin) = match pair {
        Some(pair) => (Params::of_pair(m, pair), pair_margin(m, pair)),
        None => (Params::of_geoms(m, g1, g2), margin(m, g1, g2)),
    };
    Contact {
        includemargin: margin - params.gap,
        friction: params.friction,
        solref: params.solref,
        solreffriction: params.solreffriction,
        solimp: params.solimp,
        dim: params.dim,
        geom: ids,
        geom1: ids[0],
        geom2: ids[1],
        ..Contact::default()
    }
}
