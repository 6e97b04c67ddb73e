//! Tendons: their paths, and their data before lengths are known.

use sinew_model::Model;
use sinew_model::enums::{GeomType, ObjType, WrapType};
use sinew_model::ids::{MatId, Maybe, WrapId};

use crate::compile::cx::{At, Cx};
use crate::compile::limits::{Limited, limits, undecided};
use crate::compile::tree::discard_visual;
use crate::spec::{Attr, Span, Tendon, Wrap, WrapTag};

/// A compiled tendon.
#[derive(Clone, Debug)]
pub(crate) struct TendonRec {
    /// The element with its defaults.
    pub(crate) elem: Tendon,
    /// The path.
    pub(crate) path: Vec<WrapRec>,
    /// Material.
    pub(crate) material: Option<usize>,
    /// Whether the length is limited.
    pub(crate) limited: bool,
    /// Range of the length.
    pub(crate) range: [f64; 2],
    /// Whether the actuator force is limited.
    pub(crate) actfrclimited: bool,
    /// Range of the actuator force.
    pub(crate) actfrcrange: [f64; 2],
    /// Lengths between which the spring rests; negative for the length at `qpos0`.
    pub(crate) springlength: [f64; 2],
}

/// An element of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WrapRec {
    /// Type of the element.
    pub(crate) kind: WrapType,
    /// The joint, geom or site of the element.
    pub(crate) obj: Option<usize>,
    /// Divisor, coefficient or side site.
    pub(crate) prm: f64,
}

/// Compiles all tendons.
pub(crate) fn compile_tendons(cx: &mut Cx<'_>) -> Vec<TendonRec> {
    let spec = cx.spec;
    let elems: Vec<Tendon> = spec.tendons.iter().map(|t| cx.defaults.tendon(t)).collect();

    // user data: `nuser_tendon` numbers, or the length of the longest list
    let longest = elems.iter().map(|t| t.user.get().map_or(0, Vec::len)).max();
    cx.nuser.tendon = match spec.size.values().nuser_tendon() {
        n if n >= 0 => n as usize,
        _ => longest.unwrap_or(0),
    };

    let mut recs = Vec::with_capacity(elems.len());
    for (id, elem) in elems.into_iter().enumerate() {
        let rec = compile_tendon(cx, id, &elem);
        recs.push(TendonRec { elem, ..rec });
    }
    recs
}

/// Sets the sizes that depend on tendons.
pub(crate) fn size_tendons(recs: &[TendonRec], m: &mut Model) {
    m.ntendon = recs.len();
    m.nwrap = recs.iter().map(|rec| rec.path.len()).sum();
}

/// Copies the tendons and their paths to the model.
pub(crate) fn store_tendons(recs: &[TendonRec], m: &mut Model) {
    let mut adr = 0;
    for (i, rec) in recs.iter().enumerate() {
        // the tendon
        let e = &rec.elem;
        m.tendon_adr[i] = WrapId::new(adr);
        m.tendon_num[i] = rec.path.len() as i32;
        m.tendon_matid[i] = Maybe::from(rec.material.map(MatId::new));
        m.tendon_group[i] = e.values().group();
        m.tendon_limited[i] = rec.limited.into();
        m.tendon_actfrclimited[i] = rec.actfrclimited.into();
        m.tendon_width[i] = e.values().width();
        m.tendon_solref_lim[i] = e.values().solreflimit();
        m.tendon_solimp_lim[i] = e.values().solimplimit();
        m.tendon_solref_fri[i] = e.values().solreffriction();
        m.tendon_solimp_fri[i] = e.values().solimpfriction();
        m.tendon_range[i] = rec.range;
        m.tendon_actfrcrange[i] = rec.actfrcrange;
        m.tendon_margin[i] = e.values().margin();
        m.tendon_stiffness[i] = e.values().stiffness()[0];
        m.tendon_damping[i] = e.values().damping()[0];
        m.tendon_armature[i] = e.values().armature();
        m.tendon_frictionloss[i] = e.values().frictionloss();
        m.tendon_lengthspring[i] = rec.springlength;
        m.tendon_rgba[i] = e.values().rgba();
        for (to, from) in m.tendon_user[i].iter_mut().zip(e.user.get().into_iter().flatten()) {
            *to = *from;
        }

        // its path
        for (j, wrap) in rec.path.iter().enumerate() {
            m.wrap_type[adr + j] = wrap.kind;
            m.wrap_objid[adr + j] = wrap.obj.map_or(-1, |id| id as i32);
            m.wrap_prm[adr + j] = wrap.prm;
        }
        adr += rec.path.len();
    }
}

/// How messages about limits call tendons.
const TENDON: Limited<'_> = Limited { entity: "tendon", attr: "" };

/// Everything but the element itself.
fn compile_tendon(cx: &mut Cx<'_>, id: usize, e: &Tendon) -> TendonRec {
    let at = At { name: e.name.text(), id, span: e.head.span };
    if e.user.get().map_or(0, Vec::len) > cx.nuser.tendon {
        let at = At { span: e.user.span().unwrap_or(at.span), ..at };
        cx.fail(at, "user has more values than nuser_tendon in tendon");
    }

    let path = compile_path(cx, at, e);
    let material = material(cx, at, e);
    let mut rec = TendonRec {
        elem: Tendon::default(),
        path,
        material,
        limited: false,
        range: e.values().range(),
        actfrclimited: false,
        actfrcrange: e.values().actuatorfrcrange(),
        springlength: e.values().springlength(),
    };
    compile_ranges(cx, at, e, &mut rec);
    rec
}

/// The material; visual elements may be left out of the model.
fn material(cx: &mut Cx<'_>, at: At<'_>, e: &Tendon) -> Option<usize> {
    let name = e.material.text();
    if name.is_empty() {
        return None;
    }
    if cx.settings[0].discardvisual {
        discard_visual::warn_lost(cx, &e.material);
        return None;
    }
    let found = cx.find(ObjType::Material, name);
    if found.is_none() {
        let at_attr = At { span: e.material.span().unwrap_or(at.span), ..at };
        cx.fail(at_attr, format!("material '{name}' not found in tendon {}", at.id));
        cx.suggest(ObjType::Material, name);
    }
    found
}

/// Limits, force limits and the resting length.
fn compile_ranges(cx: &mut Cx<'_>, at: At<'_>, e: &Tendon, rec: &mut TendonRec) {
    let auto = cx.settings(&e.head).autolimits;
    let place = |span: Option<Span>| At { span: span.unwrap_or(at.span), ..at };

    // length
    let limited = e.values().limited();
    rec.limited = limits(limited, rec.range);
    if let Some(text) = undecided(auto, limited, rec.range, TENDON) {
        cx.fail(place(e.range.span()), text);
    } else if rec.limited && rec.range[0] >= rec.range[1] {
        cx.fail(place(e.range.span()), "invalid limits in tendon");
    }

    // force; unlike everywhere else MuJoCo's default is "false", not "auto"
    let limited = e.values().actuatorfrclimited();
    let range = rec.actfrcrange;
    rec.actfrclimited = limits(limited, range);
    if let Some(text) = undecided(auto, limited, range, TENDON) {
        cx.fail(place(e.actuatorfrcrange.span()), text);
    } else if rec.actfrclimited && (range[0] >= range[1] || range[0] > 0.0 || range[1] < 0.0) {
        cx.fail(place(e.actuatorfrcrange.span()), "invalid actuatorfrcrange in tendon");
    }

    if rec.springlength[0] > rec.springlength[1] {
        cx.fail(place(e.springlength.span()), "invalid springlength in tendon");
    }
    if e.values().springyield() < 0.0 {
        cx.fail(place(e.springyield.span()), "springyield cannot be negative in tendon");
    }
}

/// The path with its names resolved; errors in it are reported.
fn compile_path(cx: &mut Cx<'_>, at: At<'_>, e: &Tendon) -> Vec<WrapRec> {
    let (name, id) = (at.name, at.id);
    let fail = |cx: &mut Cx<'_>, text: &str| {
        cx.fail(at, format!("tendon '{name}' (id = {id}){text}"));
    };

    // paths that cannot be
    if e.path.is_empty() {
        fail(cx, ": path cannot be empty");
        return Vec::new();
    }
    if e.spatial {
        if e.path.len() < 2 {
            fail(cx, ": spatial path must contain at least two objects");
            return Vec::new();
        }
        if e.values().width() <= 0.0 {
            fail(cx, " must have positive width");
        }
        if e.values().armature() < 0.0 {
            fail(cx, ": tendon armature cannot be negative");
        }
        if e.path.iter().all(|w| w.kind == WrapTag::Pulley) {
            fail(cx, ": no attached reference found");
            return Vec::new();
        }
    }

    // its elements; their neighbours are checked if all were found
    let mut path = Vec::with_capacity(e.path.len());
    for (pos, wrap) in e.path.iter().enumerate() {
        path.extend(compile_wrap(cx, id, pos, wrap));
    }
    if path.len() == e.path.len() {
        check_path(cx, at, e, &path);
    }
    path
}

/// An element of a path with its names resolved.
fn compile_wrap(cx: &mut Cx<'_>, tendon: usize, pos: usize, wrap: &Wrap) -> Option<WrapRec> {
    let place = format!("tendon {tendon}, wrap {pos}");

    // kind, object, and coefficient, side site or divisor
    match wrap.kind {
        WrapTag::Joint => {
            let missing = || format!("not found in {place}");
            let joint = Reference { word: "joint", kind: ObjType::Joint, attr: &wrap.joint };
            let obj = find(cx, pos, wrap, joint, missing)?;
            let Some(&coef) = wrap.coef.get() else {
                cx.diag.error("tendon", wrap.head.span, "required attribute missing: 'coef'");
                return None;
            };
            Some(WrapRec { kind: WrapType::Joint, obj: Some(obj), prm: coef })
        }
        WrapTag::Site => {
            let missing = || format!("not found in wrap {pos}");
            let site = Reference { word: "site", kind: ObjType::Site, attr: &wrap.site };
            let obj = find(cx, pos, wrap, site, missing)?;
            Some(WrapRec { kind: WrapType::Site, obj: Some(obj), prm: 0.0 })
        }
        WrapTag::Geom => {
            let missing = || format!("not found in {place}");
            let geom = Reference { word: "geom", kind: ObjType::Geom, attr: &wrap.geom };
            let obj = find(cx, pos, wrap, geom, missing)?;
            let name = wrap.geom.text();
            let at = At { name, id: pos, span: wrap.head.span };
            let kind = match cx.world.geoms[obj].kind {
                GeomType::Sphere => WrapType::Sphere,
                GeomType::Cylinder => WrapType::Cylinder,
                _ => {
                    cx.fail(at, format!("geom '{name}' in {place} is not sphere or cylinder"));
                    return None;
                }
            };
            let mut prm = -1.0;
            if !wrap.sidesite.text().is_empty() {
                let (word, kind) = ("side site", ObjType::Site);
                let side = Reference { word, kind, attr: &wrap.sidesite };
                prm = find(cx, pos, wrap, side, missing)? as f64;
            }
            Some(WrapRec { kind, obj: Some(obj), prm })
        }
        WrapTag::Pulley => {
            let prm = divisor(cx, pos, wrap, &place)?;
            Some(WrapRec { kind: WrapType::Pulley, obj: None, prm })
        }
    }
}

/// The divisor of the branches after a pulley.
fn divisor(cx: &mut Cx<'_>, pos: usize, wrap: &Wrap, place: &str) -> Option<f64> {
    let Some(&divisor) = wrap.divisor.get() else {
        let text = "required attribute missing: 'divisor'";
        cx.diag.extension("pulley-divisor", wrap.head.span, text, "the divisor is 1");
        return (!cx.diag.strict).then_some(1.0);
    };
    let at = At { name: "", id: pos, span: wrap.divisor.span().unwrap_or(wrap.head.span) };
    if divisor < 0.0 {
        cx.fail(at, format!("pulley has negative divisor in {place}"));
        return None;
    }
    // MuJoCo accepts 0 and computes infinite lengths; here it is an error
    if divisor == 0.0 {
        cx.fail(at, format!("pulley has zero divisor in {place}"));
        return None;
    }
    Some(divisor)
}

/// A reference of an element of a path: its name in messages, kind and attribute.
struct Reference<'a> {
    word: &'a str,
    kind: ObjType,
    attr: &'a Attr<String>,
}

/// The object an element of a path refers to.
fn find(
    cx: &mut Cx<'_>,
    pos: usize,
    wrap: &Wrap,
    reference: Reference<'_>,
    missing: impl Fn() -> String,
) -> Option<usize> {
    let Reference { word, kind, attr } = reference;
    if !attr.is_set() {
        let text = format!("required attribute missing: '{word}'");
        cx.diag.error("tendon", wrap.head.span, text);
        return None;
    }
    let name = attr.text();
    let id = cx.find_unnamed(kind, name);
    if id.is_none() {
        let at = At { name, id: pos, span: attr.span().unwrap_or(wrap.head.span) };
        cx.fail(at, format!("{word} '{name}' {}", missing()));
        cx.suggest(kind, name);
    }
    id
}

/// The rules about which elements may be neighbours.
fn check_path(cx: &mut Cx<'_>, at: At<'_>, e: &Tendon, path: &[WrapRec]) {
    let (name, id) = (at.name, at.id);
    let tendon = format!("tendon '{name}' (id = {id})");
    let kind = |i: usize| path.get(i).map(|w| w.kind);
    for (i, wrap) in path.iter().enumerate() {
        // the element and its neighbours
        let before = i.checked_sub(1).and_then(kind);
        let after = kind(i + 1);
        let at = At { span: e.path[i].head.span, ..at };

        // fixed tendons have joints only
        if !e.spatial {
            if wrap.kind != WrapType::Joint {
                cx.fail(at, format!("{tendon}: spatial object found in fixed path at pos {i}"));
            }
            continue;
        }

        // spatial ones have rules for each kind
        let no_end = |k: Option<WrapType>| k.is_none() || k == Some(WrapType::Pulley);
        match wrap.kind {
            WrapType::Pulley if before == Some(WrapType::Pulley) => {
                cx.fail(at, format!("{tendon}: consecutive pulleys (pos {i})"));
            }
            WrapType::Pulley if after.is_none() => {
                cx.fail(at, format!("{tendon}: path ends with pulley"));
            }
            WrapType::Site if no_end(before) && no_end(after) => {
                let text = format!("{tendon}: site {i} needs a neighbor that is not a pulley");
                cx.fail(at, text);
            }
            WrapType::Site if path.get(i + 1).is_some_and(|next| same_site(wrap, next)) => {
                cx.fail(at, format!("{tendon}: site {i} is repeated"));
            }
            WrapType::Sphere | WrapType::Cylinder => {
                if before != Some(WrapType::Site) || after != Some(WrapType::Site) {
                    cx.fail(at, format!("{tendon}: geom at pos {i} not bracketed by sites"));
                } else if e.values().armature() > 0.0 {
                    let text = "geom wrapping not supported by tendon armature";
                    cx.fail(at, format!("{tendon}: {text}"));
                }
            }
            WrapType::Joint => cx.fail(
                at,
                format!(
                    "Joint elements inside spatial tendons are not supported (tendon '{name}'). \
                     Use a fixed tendon for joint coupling."
                ),
            ),
            _ => {}
        }
    }
}

fn same_site(a: &WrapRec, b: &WrapRec) -> bool {
    a.kind == WrapType::Site && b.kind == WrapType::Site && a.obj == b.obj
}
