//! Equality constraints: which objects they tie and with which numbers.
//!
//! `set_const` fills in the quantities that depend on the pose at `qpos0` (the second anchor, an
//! unwritten relative pose).

use sinew_model::Model;
use sinew_model::enums::{EqType, JointType, ObjType};

use crate::compile::cx::{At, Cx};
use crate::diag::tag;
use crate::spec::{Attr, Equality};

/// A compiled equality constraint.
#[derive(Clone, Debug)]
pub(crate) struct EqualityRec {
    /// The element with its defaults.
    pub(crate) elem: Equality,
    /// First object.
    pub(crate) obj1: usize,
    /// Second object; none for a joint or tendon that is tied to a constant.
    pub(crate) obj2: Option<usize>,
    /// Kind of both objects where MuJoCo says so: bodies or sites.
    pub(crate) objtype: ObjType,
    /// Anchors, pose or polynomial.
    pub(crate) data: [f64; 11],
}

/// Which attributes name the objects.
struct Ends<'e> {
    kind: ObjType,
    first: &'e Attr<String>,
    second: &'e Attr<String>,
}

/// Compiles all equality constraints.
pub(crate) fn compile_equalities(cx: &mut Cx<'_>) -> Vec<EqualityRec> {
    let spec = cx.spec;
    let mut recs = Vec::with_capacity(spec.equalities.len());
    for (id, written) in spec.equalities.iter().enumerate() {
        let elem = cx.defaults.equality(written);
        recs.extend(compile_equality(cx, id, elem));
    }
    recs
}

/// Sets the sizes that depend on equality constraints.
pub(crate) fn size_equalities(recs: &[EqualityRec], m: &mut Model) {
    m.neq = recs.len();
}

/// Copies the constraints to the model.
pub(crate) fn store_equalities(recs: &[EqualityRec], m: &mut Model) {
    for (i, rec) in recs.iter().enumerate() {
        m.eq_type[i] = rec.elem.kind;
        m.eq_obj1id[i] = rec.obj1 as i32;
        m.eq_obj2id[i] = rec.obj2.map_or(-1, |id| id as i32);
        m.eq_objtype[i] = rec.objtype;
        m.eq_active0[i] = rec.elem.values().active().into();
        m.eq_solref[i] = rec.elem.values().solref();
        m.eq_solimp[i] = rec.elem.values().solimp();
        m.eq_data[i] = rec.data;
    }
}

fn compile_equality(cx: &mut Cx<'_>, id: usize, elem: Equality) -> Option<EqualityRec> {
    let at = At { name: elem.name.text(), id, span: elem.head.span };
    let ends = match ends(&elem) {
        Ok(ends) => ends,
        Err(text) => {
            let text = format!(
                "{}: {text}",
                tag(Equality::tag_of(elem.kind).unwrap_or("tendon"), &elem.name)
            );
            cx.diag.error("equality", at.span, text);
            return None;
        }
    };

    // objects
    let obj1 = find(cx, at, &ends, ends.first, String::new())?;
    let mut obj2 = None;
    if !ends.second.text().is_empty() {
        obj2 = Some(find(cx, at, &ends, ends.second, format!(" {id}"))?);
    } else if ends.kind == ObjType::Body {
        obj2 = Some(0);
    } else if ends.kind == ObjType::Site {
        cx.fail(at, "Invalid model: eq_obj2id out of bounds");
        return None;
    }
    if obj2 == Some(obj1) {
        let name = ends.first.text();
        cx.fail(at, format!("element '{name}' is repeated in equality constraint {id}"));
        return None;
    }

    // joints must be scalar
    let scalar = |j: usize| matches!(cx.world.joints[j].kind, JointType::Hinge | JointType::Slide);
    if ends.kind == ObjType::Joint && !(scalar(obj1) && obj2.is_none_or(scalar)) {
        cx.fail(at, "only HINGE and SLIDE joint allowed in constraint");
        return None;
    }

    let spatial = matches!(elem.kind, EqType::Connect | EqType::Weld);
    let objtype = if spatial { ends.kind } else { ObjType::Unknown };
    let data = data(&elem);
    Some(EqualityRec { obj1, obj2, objtype, data, elem })
}

/// The attributes that name the objects of a constraint, or the error in its attributes.
fn ends(e: &Equality) -> Result<Ends<'_>, String> {
    let ends = |kind, first, second| Ok(Ends { kind, first, second });
    let required = |name: &str| Err(format!("required attribute missing: '{name}'"));
    match e.kind {
        EqType::Joint if !e.joint1.is_set() => required("joint1"),
        EqType::Joint => ends(ObjType::Joint, &e.joint1, &e.joint2),
        EqType::Tendon if !e.tendon1.is_set() => required("tendon1"),
        EqType::Tendon => ends(ObjType::Tendon, &e.tendon1, &e.tendon2),
        EqType::Flex | EqType::Flexvert if !e.flex.is_set() => required("flex"),
        // there is no second flex: an attribute that is never written stands for it
        EqType::Flex | EqType::Flexvert => ends(ObjType::Flex, &e.flex, &e.tendon2),
        EqType::Connect | EqType::Weld => {
            // two sites, or one or two bodies, not both
            let connect = e.kind == EqType::Connect;
            let any_site = e.site1.is_set() || e.site2.is_set();
            let pose = e.anchor.is_set() || e.relpose.is_set();
            if any_site && (e.body1.is_set() || e.body2.is_set() || pose) {
                return Err("body and site semantics cannot be mixed".into());
            }
            let sites = e.site1.is_set() && e.site2.is_set();
            let bodies = e.body1.is_set() && (e.anchor.is_set() || !connect);
            match (sites, bodies) {
                (true, false) => ends(ObjType::Site, &e.site1, &e.site2),
                (false, true) => ends(ObjType::Body, &e.body1, &e.body2),
                _ if connect => Err("either both body1 and anchor must be defined, \
                                     or both site1 and site2 must be defined"
                    .into()),
                _ => Err("either body1 must be defined and optionally {body2, anchor, relpose}, \
                          or site1 and site2 must be defined"
                    .into()),
            }
        }
        _ => Err("invalid type in equality constraint".into()),
    }
}

/// The object an attribute names.
fn find(
    cx: &mut Cx<'_>,
    at: At<'_>,
    ends: &Ends<'_>,
    attr: &Attr<String>,
    which: String,
) -> Option<usize> {
    let name = attr.text();
    let id = cx.find_unnamed(ends.kind, name);
    if id.is_none() {
        let at = At { span: attr.span().unwrap_or(at.span), ..at };
        cx.fail(at, format!("unknown element '{name}' in equality constraint{which}"));
        cx.suggest(ends.kind, name);
    }
    id
}

/// The numbers of a constraint. The identity polynomial and a unit torque scale lie under every
/// kind, also where they mean nothing.
fn data(e: &Equality) -> [f64; 11] {
    let mut data = [0.0; 11];
    data[1] = 1.0;
    data[10] = 1.0;
    match e.kind {
        EqType::Connect | EqType::Weld => {
            if let Some(anchor) = e.anchor.get() {
                data[..3].copy_from_slice(anchor);
            } else if e.kind == EqType::Weld && e.body1.is_set() {
                data[1] = 0.0;
            }
            if let Some(relpose) = e.relpose.get() {
                data[3..10].copy_from_slice(relpose);
            }
            data[10] = e.values().torquescale();
        }
        _ => {
            let poly = e.values().polycoef();
            data[..5].copy_from_slice(&poly);
        }
    }
    data
}
