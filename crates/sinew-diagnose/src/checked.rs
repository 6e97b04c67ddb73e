//! Steps that return an error for a bad state instead of resetting it.

use sinew_engine::{advance, forward, is_bad};
use sinew_model::enums::{ObjType, Warning};
use sinew_model::{Data, DofId, Model};

use crate::bad_state::BadState;

/// Advances the simulation by one step, or returns the reason why it cannot be advanced. After an
/// error `d` holds the bad state.
pub fn step_checked(m: &Model, d: &mut Data) -> Result<(), BadState> {
    first_bad(m, d, Warning::Badqpos, &d.qpos)?;
    first_bad(m, d, Warning::Badqvel, &d.qvel)?;
    first_bad(m, d, Warning::Badctrl, &d.ctrl)?;

    let before = d.warning;
    forward(m, d);
    first_bad(m, d, Warning::Badqacc, &d.qacc)?;

    // the stages count full buffers and singular matrices
    advance(m, d);
    for (k, (old, new)) in before.iter().zip(&d.warning).enumerate() {
        if new.number > old.number {
            let warning = Warning(i32::try_from(k).unwrap_or(i32::MAX));
            let index = usize::try_from(new.lastinfo).unwrap_or(0);
            return Err(bad_state(m, d, warning, index));
        }
    }
    Ok(())
}

fn first_bad(m: &Model, d: &Data, warning: Warning, values: &[f64]) -> Result<(), BadState> {
    match values.iter().position(|&x| is_bad(x)) {
        Some(index) => Err(bad_state(m, d, warning, index)),
        None => Ok(()),
    }
}

/// The joint of a coordinate or degree of freedom.
pub(crate) fn joint_of(m: &Model, warning: Warning, index: usize) -> Option<usize> {
    match warning {
        Warning::Badqpos => m.joints().find(|&j| m.jnt_qpos(j).contains(&index)).map(|j| j.idx()),
        Warning::Badqvel | Warning::Badqacc | Warning::Inertia => {
            (index < m.nv).then(|| m.dof_jntid[DofId::new(index)].idx())
        }
        _ => None,
    }
}

/// The warning with the name of its joint or actuator.
fn bad_state(m: &Model, d: &Data, warning: Warning, index: usize) -> BadState {
    let named = match warning {
        Warning::Badctrl => Some((ObjType::Actuator, index)),
        _ => joint_of(m, warning, index).map(|j| (ObjType::Joint, j)),
    };
    let name = named.and_then(|(kind, id)| m.id2name(kind, id)).filter(|name| !name.is_empty());
    BadState { warning, index, name: name.map(str::to_string), time: d.time }
}
