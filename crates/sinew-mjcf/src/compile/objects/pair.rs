//! Explicit contact pairs and excluded pairs of bodies.

use sinew_model::Model;
use sinew_model::enums::ObjType;
use sinew_model::friction_ref::mix_solreffriction;
use sinew_model::ids::GeomId;

use crate::compile::cx::{At, Cx};
use crate::compile::world::GeomRec;
use crate::pose::{EPS, largest};
use crate::spec::{Attr, Pair};

/// A compiled contact pair.
#[derive(Debug)]
pub(crate) struct PairRec {
    /// The element with its defaults.
    pub(crate) elem: Pair,
    /// First geom: the one in the lower body.
    pub(crate) geom1: usize,
    /// Second geom.
    pub(crate) geom2: usize,
    /// Bodies: `body1 << 16 + body2`.
    pub(crate) signature: i32,
    /// Values for attributes that the pair omits.
    base: Base,
}

/// Contact parameters where a pair does not give them.
#[derive(Clone, Copy, Debug)]
struct Base {
    condim: i32,
    friction: [f64; 5],
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
    margin: f64,
    gap: f64,
}

impl Default for Base {
    fn default() -> Self {
        let none = Pair::default();
        let v = none.values();
        Base {
            condim: v.condim(),
            friction: v.friction(),
            solref: v.solref(),
            solreffriction: v.solreffriction(),
            solimp: v.solimp(),
            margin: v.margin(),
            gap: v.gap(),
        }
    }
}

/// Compiles the pairs, sorted by signature.
pub(crate) fn compile_pairs(cx: &mut Cx<'_>) -> Vec<PairRec> {
    let spec = cx.spec;
    let mut out: Vec<PairRec> = Vec::with_capacity(spec.pairs.len());
    for (id, written) in spec.pairs.iter().enumerate() {
        match compile_pair(cx, id, written) {
            Ok(rec) if rec.geom1 == rec.geom2 && cx.opts.pair_skip_self => {}
            Ok(rec) => out.push(rec),
            Err(message) => {
                let at = At { name: written.name.text(), id, span: written.head.span };
                cx.fail(at, message);
            }
        }
    }
    if cx.opts.pair_dedup {
        keep_last(&mut out);
    }
    out.sort_by_key(|p| p.signature);
    out
}

fn compile_pair(cx: &Cx<'_>, id: usize, written: &Pair) -> Result<PairRec, String> {
    let elem = cx.defaults.pair(written);
    if !matches!(elem.values().condim(), 1 | 3 | 4 | 6) {
        return Err("invalid condim in contact pair".into());
    }
    let find = |attr: &Attr<String>, word: &str| {
        let name = attr.text();
        cx.find_unnamed(ObjType::Geom, name)
            .ok_or_else(|| format!("geom '{name}' not found in collision {id}, attribute '{word}'"))
    };
    let (mut geom1, mut geom2) = (find(&elem.geom1, "geom1")?, find(&elem.geom2, "geom2")?);
    let body = |g: usize| cx.world.geoms[g].body;
    if body(geom1) > body(geom2) {
        (geom1, geom2) = (geom2, geom1);
    }
    let signature = ((body(geom1) as i32) << 16) + body(geom2) as i32;
    let base = if cx.opts.pair_from_geoms {
        combine(&cx.world.geoms[geom1], &cx.world.geoms[geom2])
    } else {
        Base::default()
    };
    Ok(PairRec { elem, geom1, geom2, signature, base })
}

/// Contact parameters of two geoms as the engine would combine them.
fn combine(a: &GeomRec, b: &GeomRec) -> Base {
    let condim = |g: &GeomRec| g.elem.values().condim();
    let friction = |g: &GeomRec| g.elem.values().friction();
    let solref = |g: &GeomRec| g.elem.values().solref();
    let solreffriction = |g: &GeomRec| g.elem.values().solreffriction();
    let solimp = |g: &GeomRec| g.elem.values().solimp();
    let spread = |f: [f64; 3]| [f[0], f[0], f[1], f[2], f[2]];
    let margin = a.margin + b.margin;
    let gap = a.elem.values().gap() + b.elem.values().gap();

    // the geom of higher priority decides alone
    let (pa, pb) = (a.elem.values().priority(), b.elem.values().priority());
    if pa != pb {
        let g = if pa > pb { a } else { b };
        return Base {
            condim: condim(g),
            friction: spread(friction(g)),
            solref: solref(g),
            solreffriction: solreffriction(g),
            solimp: solimp(g),
            margin,
            gap,
        };
    }

    // equal priority: the larger, and a weighted mean for the solver
    let (ma, mb) = (a.elem.values().solmix(), b.elem.values().solmix());
    let mix = match (ma >= EPS, mb >= EPS) {
        (true, true) => ma / (ma + mb),
        (false, false) => 0.5,
        (false, true) => 0.0,
        (true, false) => 1.0,
    };
    let (fa, fb) = (friction(a), friction(b));
    let (ra, rb) = (solref(a), solref(b));
    let (ia, ib) = (solimp(a), solimp(b));
    let mean = |x: f64, y: f64| mix * x + (1.0 - mix) * y;
    let standard = ra[0] > 0.0 && rb[0] > 0.0;
    Base {
        condim: condim(a).max(condim(b)),
        friction: spread(core::array::from_fn(|k| largest(fa[k], fb[k]))),
        solref: core::array::from_fn(
            |k| {
                if standard { mean(ra[k], rb[k]) } else { ra[k].min(rb[k]) }
            },
        ),
        solreffriction: mix_solreffriction(solreffriction(a), solreffriction(b), mix),
        solimp: core::array::from_fn(|k| mean(ia[k], ib[k])),
        margin,
        gap,
    }
}

/// Of several pairs of the same two geoms keeps the last.
fn keep_last(pairs: &mut Vec<PairRec>) {
    let mut seen = std::collections::HashSet::new();
    let key = |p: &PairRec| (p.geom1.min(p.geom2), p.geom1.max(p.geom2));
    pairs.reverse();
    pairs.retain(|p| seen.insert(key(p)));
    pairs.reverse();
}

/// Copies the pairs into the model.
pub(crate) fn store_pairs(recs: &[PairRec], m: &mut Model) {
    for (i, rec) in recs.iter().enumerate() {
        let (e, base) = (&rec.elem, &rec.base);
        m.pair_dim[i] = e.condim.or(base.condim);
        m.pair_geom1[i] = GeomId::new(rec.geom1);
        m.pair_geom2[i] = GeomId::new(rec.geom2);
        m.pair_signature[i] = rec.signature;
        m.pair_solref[i] = e.solref.fill(base.solref);
        m.pair_solreffriction[i] = e.solreffriction.fill(base.solreffriction);
        m.pair_solimp[i] = e.solimp.fill(base.solimp);
        m.pair_margin[i] = e.margin.or(base.margin);
        m.pair_gap[i] = e.gap.or(base.gap);
        m.pair_friction[i] = e.friction.fill(base.friction);
    }
}

/// A compiled exclusion.
#[derive(Debug)]
pub(crate) struct ExcludeRec {
    /// Name, or empty.
    pub(crate) name: String,
    /// Bodies: `body1 << 16 + body2`.
    pub(crate) signature: i32,
}

/// Compiles the exclusions, sorted by signature.
pub(crate) fn compile_excludes(cx: &mut Cx<'_>) -> Vec<ExcludeRec> {
    let spec = cx.spec;
    let mut out = Vec::with_capacity(spec.excludes.len());
    for (id, e) in spec.excludes.iter().enumerate() {
        let find = |attr: &Attr<String>, word: &str| {
            let name = attr.text();
            cx.find_unnamed(ObjType::Body, name).ok_or_else(|| {
                format!("body '{name}' not found in bodypair {id}, attribute '{word}'")
            })
        };
        match (find(&e.body1, "body1"), find(&e.body2, "body2")) {
            (Ok(a), Ok(b)) => {
                let signature = ((a.min(b) as i32) << 16) + a.max(b) as i32;
                out.push(ExcludeRec { name: e.name.text().to_owned(), signature });
            }
            (Err(message), _) | (_, Err(message)) => {
                cx.fail(At { name: e.name.text(), id, span: e.head.span }, message);
            }
        }
    }
    out.sort_by_key(|e| e.signature);
    out
}

/// Copies the exclusions into the model.
pub(crate) fn store_excludes(recs: &[ExcludeRec], m: &mut Model) {
    for (i, rec) in recs.iter().enumerate() {
        m.exclude_signature[i] = rec.signature;
    }
}
