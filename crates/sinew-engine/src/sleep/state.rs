//! Whether an object sleeps.

use sinew_model::enums::{EqType, ObjType, SensorType, SleepState, TrnType};
use sinew_model::later::TRN_SO3;
use sinew_model::{ActuatorId, Data, EqId, Model, SensorId, TendonId};

/// Whether an object is awake, asleep, or fixed. Objects without such a state count as awake.
///
/// Reads `body_awake`, `tree_awake`.
#[doc(alias = "mj_sleepState")]
pub fn sleep_state(m: &Model, d: &Data, kind: ObjType, id: usize) -> SleepState {
    state_of(m, d, kind, id)
}

/// `sleep_state` for a caller that knows the kind, which is left with one arm. Arms that are long
/// are out of line: most steps need none of them.
#[inline(always)]
pub(crate) fn state_of(m: &Model, d: &Data, kind: ObjType, id: usize) -> SleepState {
    let body = match kind {
        ObjType::Body | ObjType::Xbody => (id < m.nbody).then_some(id),
        ObjType::Joint => m.jnt_bodyid.get(id).map(|b| b.idx()),
        ObjType::Dof => m.dof_bodyid.get(id).map(|b| b.idx()),
        ObjType::Geom => m.geom_bodyid.get(id).map(|b| b.idx()),
        ObjType::Site => m.site_bodyid.get(id).map(|b| b.idx()),
        ObjType::Camera => m.cam_bodyid.get(id).map(|b| b.idx()),
        ObjType::Light => m.light_bodyid.get(id).map(|b| b.idx()),
        ObjType::Equality if id < m.neq => return equality_state(m, d, EqId::new(id)),
        ObjType::Tendon if id < m.ntendon => return tendon_state(m, d, TendonId::new(id)),
        ObjType::Actuator if id < m.nu => return actuator_state(m, d, ActuatorId::new(id)),
        ObjType::Sensor if id < m.nsensor => return sensor_state(m, d, SensorId::new(id)),
        _ => None,
    };
    body.map_or(SleepState::Awake, |b| d.body_awake[b])
}

/// Whether an object sleeps: stages leave it out.
#[inline(always)]
pub(crate) fn is_asleep(m: &Model, d: &Data, kind: ObjType, id: usize) -> bool {
    state_of(m, d, kind, id) == SleepState::Asleep
}

/// The state of an element that depends on two others.
fn either(awake: bool) -> SleepState {
    if awake { SleepState::Awake } else { SleepState::Asleep }
}

/// A tendon sleeps with all of its trees; without any it is fixed. A tendon that spans more than
/// two is always awake.
#[cold]
#[inline(never)]
fn tendon_state(m: &Model, d: &Data, t: TendonId) -> SleepState {
    let awake = |k: usize| m.tendon_treeid[t][k].get().is_none_or(|tree| d.tree_awake[tree] != 0);
    match m.tendon_treenum[t] {
        0 => SleepState::Static,
        1 => either(awake(0)),
        2 => either(awake(0) || awake(1)),
        _ => SleepState::Awake,
    }
}

#[cold]
#[inline(never)]
fn actuator_state(m: &Model, d: &Data, u: ActuatorId) -> SleepState {
    let [first, second] = m.actuator_trnid[u].map(|id| usize::try_from(id).unwrap_or(usize::MAX));
    let of = |kind| sleep_state(m, d, kind, first);
    match m.actuator_trntype[u] {
        TrnType::Joint | TrnType::Jointinparent => of(ObjType::Joint),
        TrnType::Tendon => of(ObjType::Tendon),
        TrnType::Site => of(ObjType::Site),
        TrnType::Body => of(ObjType::Body),
        TRN_SO3 if m.actuator_trnid[u][1] < 0 => of(ObjType::Joint),
        // between two fixed sites it sleeps
        TrnType::Slidercrank | TRN_SO3 => {
            either([first, second].iter().any(|&s| is_awake(sleep_state(m, d, ObjType::Site, s))))
        }
        _ => SleepState::Awake,
    }
}

fn is_awake(state: SleepState) -> bool {
    state == SleepState::Awake
}

/// An equality sleeps unless one of its objects is awake.
#[cold]
#[inline(never)]
fn equality_state(m: &Model, d: &Data, e: EqId) -> SleepState {
    let kind = match m.eq_type[e] {
        EqType::Connect | EqType::Weld => m.eq_objtype[e],
        EqType::Joint => ObjType::Joint,
        EqType::Tendon => ObjType::Tendon,
        EqType::Flex | EqType::Flexvert => ObjType::Flex,
        _ => return SleepState::Awake,
    };
    let awake = |id: i32| match usize::try_from(id) {
        Ok(id) => is_awake(sleep_state(m, d, kind, id)),
        Err(_) => false,
    };
    either(awake(m.eq_obj1id[e]) || awake(m.eq_obj2id[e]))
}

/// A sensor sleeps with its object. A sensor that looks around, or that the user computes, never
/// sleeps. Never fixed.
#[cold]
#[inline(never)]
fn sensor_state(m: &Model, d: &Data, s: SensorId) -> SleepState {
    let (kind, reference) = (m.sensor_objtype[s], m.sensor_reftype[s]);
    let in_volume = kind == ObjType::Site || reference == ObjType::Site;
    let awake = match m.sensor_type[s] {
        SensorType::User | SensorType::Plugin | SensorType::Rangefinder => true,
        SensorType::Contact if in_volume => true,
        _ => {
            let state =
                |kind, id: i32| sleep_state(m, d, kind, usize::try_from(id).unwrap_or(usize::MAX));
            let own = state(kind, m.sensor_objid[s]);
            let other = state(reference, m.sensor_refid[s]);
            match (kind == ObjType::Unknown, reference == ObjType::Unknown) {
                (true, true) => true,
                (true, false) => other != SleepState::Asleep,
                (false, true) => own != SleepState::Asleep,
                (false, false) => is_awake(own) || is_awake(other),
            }
        }
    };
    either(awake)
}
