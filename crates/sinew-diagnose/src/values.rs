//! Numbers of a model that are not finite, and ranges that are the wrong way round.

use sinew_model::enums::ObjType;
use sinew_model::pod::Scalar;
use sinew_model::{Data, Model};

use crate::change::Change;
use crate::element::Element;
use crate::finding::{Cause, Finding, Remedy, Weight, shown};

/// Findings of one model at most; a file may be wrong in every number.
const MOST: usize = 20;

/// Numbers of the model, or of its initial state, that are not finite; each element once.
pub(crate) fn not_finite(m: &Model) -> Vec<Finding> {
    let mut found: Vec<Finding> = Vec::new();
    m.for_each_field(|field| {
        let Some(kind) = kind_of(field.info.rows) else { return };
        let size = field.info.scalar.size();
        let bad = |bytes: &[u8]| match field.info.scalar {
            Scalar::F64 => bytes.try_into().is_ok_and(|x| !f64::from_ne_bytes(x).is_finite()),
            Scalar::F32 => bytes.try_into().is_ok_and(|x| !f32::from_ne_bytes(x).is_finite()),
            _ => false,
        };
        let cols = field.shape.cols.unwrap_or(1).max(1);
        let numbers = field.bytes.chunks_exact(size).enumerate();
        for (at, _) in numbers.filter(|(_, bytes)| bad(bytes)) {
            let id = row_of(m, field.info.rows, at / cols);
            let part = Element::new(m, kind, id);
            if found.len() < MOST && !found.iter().any(|f| f.parts[0] == part) {
                let text = format!("{part}: {} has a number that is not finite", field.info.name);
                let (cause, weight) = (Cause::Input, Weight::Warning);
                found.push(Finding { cause, weight, parts: vec![part], text, remedies: vec![] });
            }
        }
    });
    found
}

/// The type of the elements that a size counts.
fn kind_of(rows: &str) -> Option<ObjType> {
    Some(match rows {
        "nbody" => ObjType::Body,
        "njnt" | "nv" => ObjType::Joint,
        "ngeom" => ObjType::Geom,
        "nsite" => ObjType::Site,
        "nmesh" => ObjType::Mesh,
        "nhfield" => ObjType::Hfield,
        "nmat" => ObjType::Material,
        "npair" => ObjType::Pair,
        "neq" => ObjType::Equality,
        "ntendon" => ObjType::Tendon,
        "nu" => ObjType::Actuator,
        "nkey" => ObjType::Key,
        "nflex" => ObjType::Flex,
        _ => return None,
    })
}

/// The element of a row: rows of degrees of freedom belong to joints.
fn row_of(m: &Model, rows: &str, row: usize) -> usize {
    match rows {
        "nv" => m.dof_jntid.get(row).map_or(0, |j| j.idx()),
        _ => row,
    }
}

/// Ranges whose lower end is above the upper one: without `limited` they limit nothing.
pub(crate) fn inverted_ranges(m: &Model) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut add = |kind, field: &'static str, word: &str, id: usize, [low, high]: [f64; 2]| {
        if low <= high || found.len() >= MOST {
            return;
        }
        let part = Element::new(m, kind, id);
        let text = format!(
            "{part}: its {word} of {} to {} is the wrong way round and limits nothing",
            shown(low),
            shown(high)
        );
        let change = Change::one(field, [id, 0], high).and(field, [id, 1], low);
        let remedies =
            vec![Remedy::new(format!("{word}=\"{} {}\"", shown(high), shown(low)), change)];
        let (cause, weight) = (Cause::Limit, Weight::Warning);
        found.push(Finding { cause, weight, parts: vec![part], text, remedies });
    };
    for j in m.joints() {
        add(ObjType::Joint, "jnt_range", "range", j.idx(), m.jnt_range[j]);
        add(ObjType::Joint, "jnt_actfrcrange", "actuatorfrcrange", j.idx(), m.jnt_actfrcrange[j]);
    }
    for t in m.tendons() {
        add(ObjType::Tendon, "tendon_range", "range", t.idx(), m.tendon_range[t]);
    }
    for u in m.actuators() {
        add(ObjType::Actuator, "actuator_ctrlrange", "ctrlrange", u.idx(), m.actuator_ctrlrange[u]);
        let force = m.actuator_forcerange[u];
        add(ObjType::Actuator, "actuator_forcerange", "forcerange", u.idx(), force);
        add(ObjType::Actuator, "actuator_actrange", "actrange", u.idx(), m.actuator_actrange[u]);
    }
    found
}

/// Joint positions of the initial state that are not finite.
pub(crate) fn start_not_finite(m: &Model, d: &Data) -> Vec<Finding> {
    let bad = |j: &sinew_model::JointId| m.jnt_qpos(*j).any(|i| !d.qpos[i].is_finite());
    let finding = |j: sinew_model::JointId| {
        let part = Element::new(m, ObjType::Joint, j.idx());
        let text = format!("{part}: qpos has a number that is not finite at the start");
        let (cause, weight) = (Cause::Input, Weight::Warning);
        Finding { cause, weight, parts: vec![part], text, remedies: vec![] }
    };
    m.joints().filter(bad).take(MOST).map(finding).collect()
}
