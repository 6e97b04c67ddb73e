//! Weaker springs, gains and dampers, as changes and in words.

use sinew_model::enums::{BiasType, GainType, ObjType};
use sinew_model::{ActuatorId, FlexId, JointId, Model};

use crate::change::{Change, Edit};
use crate::element::Element;
use crate::finding::{round_down, shown};
use crate::modes::Along;
use crate::shares::joint_dofs;

/// The change that multiplies an element's stiffness or damping by about `factor`, and its
/// description; `None` for elements without such a value.
pub(crate) fn weaker(
    m: &Model,
    part: &Element,
    along: Along,
    factor: f64,
) -> Option<(Change, String)> {
    match part.kind {
        ObjType::Actuator => actuator(m, part, along, factor),
        ObjType::Joint => Some(joint(m, part, along, factor)),
        ObjType::Tendon => {
            let id = part.id;
            let (field, word, old) = match along {
                Along::Position => ("tendon_stiffness", "stiffness", m.tendon_stiffness[id]),
                Along::Velocity => ("tendon_damping", "damping", m.tendon_damping[id]),
            };
            let value = closer(old, factor);
            Some((Change::one(field, [id, 0], value), format!("{word}=\"{value}\" at {part}")))
        }
        ObjType::Flex => Some(flex(m, part, along, factor)),
        _ => None,
    }
}

/// A number multiplied by a factor and rounded towards zero.
fn closer(old: f64, factor: f64) -> f64 {
    round_down(old.abs() * factor) * old.signum()
}

fn actuator(m: &Model, part: &Element, along: Along, factor: f64) -> Option<(Change, String)> {
    let u = ActuatorId::new(part.id);
    let affine = m.actuator_biastype[u] == BiasType::Affine;
    let (gain, bias) = (m.actuator_gainprm[u], m.actuator_biasprm[u]);
    let servo = affine && m.actuator_gaintype[u] == GainType::Fixed;
    match along {
        // a position servo: its gain and its bias are one number
        Along::Position if servo && gain[0] == -bias[1] => {
            let kp = closer(gain[0], factor);
            let change = Change::one("actuator_gainprm", [part.id, 0], kp);
            let change = change.and("actuator_biasprm", [part.id, 1], -kp);
            Some((change, format!("kp=\"{kp}\" at {part}")))
        }
        Along::Velocity if servo && gain[0] == -bias[2] => {
            let kv = closer(gain[0], factor);
            let change = Change::one("actuator_gainprm", [part.id, 0], kv);
            let change = change.and("actuator_biasprm", [part.id, 2], -kv);
            Some((change, format!("kv=\"{kv}\" at {part}")))
        }
        _ => {
            let column = if along == Along::Position { 1 } else { 2 };
            if !affine || bias[column] == 0.0 {
                return None;
            }
            let value = closer(bias[column], factor);
            let change = Change::one("actuator_biasprm", [part.id, column], value);
            let word = match (along, m.actuator_gaintype[u] == GainType::Fixed) {
                (Along::Velocity, true) => format!("kv=\"{}\"", shown(-value)),
                _ => format!("biasprm[{column}]={value}"),
            };
            Some((change, format!("{word} at {part}")))
        }
    }
}

fn joint(m: &Model, part: &Element, along: Along, factor: f64) -> (Change, String) {
    let j = JointId::new(part.id);
    match along {
        Along::Position => {
            let k = closer(m.jnt_stiffness[j], factor);
            (Change::one("jnt_stiffness", [part.id, 0], k), format!("stiffness=\"{k}\" at {part}"))
        }
        Along::Velocity => {
            let dofs = joint_dofs(m, j);
            let b = closer(m.dof_damping[dofs.start], factor);
            let mut change = Change::default();
            for v in dofs {
                change = change.and("dof_damping", [v, 0], b);
            }
            (change, format!("damping=\"{b}\" at {part}"))
        }
    }
}

fn flex(m: &Model, part: &Element, along: Along, factor: f64) -> (Change, String) {
    let f = FlexId::new(part.id);
    let rows = |first: i32, n: i32| first.max(0) as usize..(first.max(0) + n.max(0)) as usize;
    let factor = round_down(factor);
    let own = part.id..part.id + 1;
    let scale = |field, rows| Edit::Scale { field, rows, factor };
    match along {
        Along::Position => {
            let elements = rows(m.flex_elemadr[f], m.flex_elemnum[f]);
            let edges = rows(m.flex_edgeadr[f], m.flex_edgenum[f]);
            let edits = vec![
                scale("flex_stiffness", elements),
                scale("flex_bending", edges),
                scale("flex_edgestiffness", own),
            ];
            (Change(edits), format!("{} of its stiffness (young) at {part}", shown(factor)))
        }
        Along::Velocity => {
            let edits = vec![scale("flex_damping", own.clone()), scale("flex_edgedamping", own)];
            (Change(edits), format!("{} of its damping at {part}", shown(factor)))
        }
    }
}
