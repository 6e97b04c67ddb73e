//! The state of a simulation: creating, resetting, copying, and its vector form.

use crate::awake::begin_awake;
use crate::data::Data;
use crate::enums::{StateBit, Timer, Warning};
use crate::fields::Mark;
use crate::ids::{Flag, KeyId};
use crate::model::Model;
use crate::options::{TimerStat, WarningStat};

/// Reasons why a state cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// The signature has bits outside `mjtState`.
    Signature(i32),
    /// The signature has components that the source lacks.
    NotSubset {
        /// Requested signature.
        wanted: i32,
        /// Signature of the source.
        source: i32,
    },
    /// The vector has the wrong length.
    Length {
        /// Actual length.
        found: usize,
        /// Length required by the signature.
        wanted: usize,
    },
    /// The keyframe does not exist.
    Keyframe {
        /// Requested keyframe.
        found: usize,
        /// Number of keyframes.
        nkey: usize,
    },
}

impl core::fmt::Display for StateError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            StateError::Signature(sig) => write!(f, "invalid state signature {sig}"),
            StateError::NotSubset { wanted, source } => {
                write!(f, "state signature {wanted} is not a subset of {source}")
            }
            StateError::Length { found, wanted } => {
                write!(f, "state vector has {found} numbers, its signature asks for {wanted}")
            }
            StateError::Keyframe { found, nkey } => {
                write!(f, "keyframe {found} does not exist, the model has {nkey}")
            }
        }
    }
}

impl core::error::Error for StateError {}

impl Data {
    /// Creates a state for the model, in its initial configuration. A plugin that cannot be made
    /// for the present model is inactive: see `d.plugins.missing()`.
    #[doc(alias = "mj_makeData")]
    pub fn new(m: &Model) -> Data {
        let mut d = Data::allocate(m);
        d.init_plugins(m);
        reset_data(m, &mut d);
        d
    }

    /// Creates a state with inactive plugins, for plugins that need a state when they are made.
    pub fn without_plugins(m: &Model) -> Data {
        let mut d = Data::allocate(m);
        reset_data(m, &mut d);
        d
    }

    /// Counts a warning and stores its argument.
    #[doc(alias = "mj_warning")]
    pub fn warn(&mut self, kind: Warning, info: usize) {
        if let Some(w) = usize::try_from(kind.0).ok().and_then(|k| self.warning.get_mut(k)) {
            w.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
            w.number = w.number.saturating_add(1);
        }
    }

    /// Adds to the time and the number of calls of a stage.
    #[inline(always)]
    pub fn clock(&mut self, stage: Timer, duration: f64, calls: i64) {
        if let Some(t) = usize::try_from(stage.0).ok().and_then(|k| self.timer.get_mut(k)) {
            // without a clock the duration is a constant zero, and the compiler drops the sum
            if duration != 0.0 {
                t.duration += duration;
            }
            t.number = t.number.wrapping_add(calls);
        }
    }
}

/// Clears everything and sets the initial configuration. In models with sleep MuJoCo also runs
/// stages on a reset, which the engine's function of the same name does.
pub fn reset_data(m: &Model, d: &mut Data) {
    reset_data_debug(m, d, 0);
}

/// Like `reset_data`, but sets the bytes of all computed quantities to `value`, which exposes reads
/// of values before their computation.
pub fn reset_data_debug(m: &Model, d: &mut Data, value: u8) {
    clear(d, value);
    d.qpos.copy_from_slice(&m.qpos0);
    d.eq_active.copy_from_slice(&m.eq_active0);
    m.start_plastic(&mut d.plastic);
    m.start_ctrl(&mut d.ctrl);
    init_history(m, d);
    begin_awake(m, d);
    place_mocap(m, d);
    d.plugin.copy_from_slice(&m.plugin);
    d.reset_plugins(m);
}

/// Sets the poses of mocap bodies to the model's.
pub fn place_mocap(m: &Model, d: &mut Data) {
    for b in m.bodies() {
        if let Some(mocap) = m.body_mocapid[b].get() {
            d.mocap_pos[mocap] = m.body_pos[b];
            d.mocap_quat[mocap] = m.body_quat[b];
        }
    }
}

/// Sets the state to a keyframe; does nothing if the keyframe does not exist.
pub fn load_keyframe(m: &Model, d: &mut Data, key: usize) {
    if key >= m.nkey {
        return;
    }
    let key = KeyId::new(key);
    d.time = m.key_time[key];
    d.qpos.copy_from_slice(&m.key_qpos[key]);
    d.qvel.copy_from_slice(&m.key_qvel[key]);
    d.act.copy_from_slice(&m.key_act[key]);
    d.mocap_pos.flat_mut().copy_from_slice(&m.key_mpos[key]);
    d.mocap_quat.flat_mut().copy_from_slice(&m.key_mquat[key]);
    d.ctrl.copy_from_slice(&m.key_ctrl[key]);
    d.plastic.copy_from_slice(m.key_plastic(key.idx()));
}

/// Saves the state as a keyframe of the model.
#[doc(alias = "mj_setKeyframe")]
pub fn set_keyframe(m: &mut Model, d: &Data, key: usize) -> Result<(), StateError> {
    if key >= m.nkey {
        return Err(StateError::Keyframe { found: key, nkey: m.nkey });
    }
    m.key_time[key] = d.time;
    m.key_qpos[key].copy_from_slice(&d.qpos);
    m.key_qvel[key].copy_from_slice(&d.qvel);
    m.key_act[key].copy_from_slice(&d.act);
    m.key_mpos[key].copy_from_slice(d.mocap_pos.flat());
    m.key_mquat[key].copy_from_slice(d.mocap_quat.flat());
    m.key_ctrl[key].copy_from_slice(&d.ctrl);
    m.key_plastic_mut(key).copy_from_slice(&d.plastic);
    Ok(())
}

/// Number of values of the state components `sig` (bits of [`StateBit`]).
#[doc(alias = "mj_stateSize")]
pub fn state_size(m: &Model, sig: i32) -> Result<usize, StateError> {
    Ok(parts(sig)?.map(|part| part_size(m, part)).sum())
}

/// Copies the state components `sig` to one vector.
#[doc(alias = "mj_getState")]
pub fn get_state(m: &Model, d: &Data, state: &mut [f64], sig: i32) -> Result<(), StateError> {
    check_length(m, state.len(), sig)?;
    let mut rest = state;
    for part in parts(sig)? {
        let (head, tail) = rest.split_at_mut(part_size(m, part));
        if part == StateBit::EqActive {
            for (x, on) in head.iter_mut().zip(d.eq_active.iter()) {
                *x = f64::from(u8::from(on.get()));
            }
        } else {
            head.copy_from_slice(part_of(d, part));
        }
        rest = tail;
    }
    Ok(())
}

/// Sets the state components `sig` from one vector.
#[doc(alias = "mj_setState")]
pub fn set_state(m: &Model, d: &mut Data, state: &[f64], sig: i32) -> Result<(), StateError> {
    check_length(m, state.len(), sig)?;
    let mut rest = state;
    for part in parts(sig)? {
        let (head, tail) = rest.split_at(part_size(m, part));
        if part == StateBit::EqActive {
            for (on, x) in d.eq_active.iter_mut().zip(head) {
                *on = Flag::from(*x as u8 != 0);
            }
        } else {
            part_of_mut(d, part).copy_from_slice(head);
        }
        rest = tail;
    }
    forget_impulses(d, sig);
    Ok(())
}

/// A state vector does not contain the warmstart of exact friction. The warmstart is cleared where
/// motion is set, so that equal states have equal futures.
fn forget_impulses(d: &mut Data, sig: i32) {
    if sig & (StateBit::Qpos.0 | StateBit::Qvel.0) != 0 {
        d.coulomb.forget();
    }
}

/// Copies the components `dst_sig` from a vector with the components `src_sig`.
#[doc(alias = "mj_extractState")]
pub fn extract_state(
    m: &Model,
    src: &[f64],
    src_sig: i32,
    dst: &mut [f64],
    dst_sig: i32,
) -> Result<(), StateError> {
    check_length(m, src.len(), src_sig)?;
    let (src_sig, dst_sig) = (whole(src_sig), whole(dst_sig));
    if src_sig & dst_sig != dst_sig {
        return Err(StateError::NotSubset { wanted: dst_sig, source: src_sig });
    }
    check_length(m, dst.len(), dst_sig)?;
    let (mut from, mut to) = (src, dst);
    for part in parts(src_sig)? {
        let (head, tail) = from.split_at(part_size(m, part));
        if dst_sig & part.0 != 0 {
            let (out, left) = to.split_at_mut(head.len());
            out.copy_from_slice(head);
            to = left;
        }
        from = tail;
    }
    Ok(())
}

/// Copies the state components `sig` from one `Data` to another of the same model.
#[doc(alias = "mj_copyState")]
pub fn copy_state(m: &Model, src: &Data, dst: &mut Data, sig: i32) -> Result<(), StateError> {
    state_size(m, sig)?;
    for part in parts(sig)? {
        if part == StateBit::EqActive {
            dst.eq_active.copy_from_slice(&src.eq_active);
        } else {
            part_of_mut(dst, part).copy_from_slice(part_of(src, part));
        }
    }
    forget_impulses(dst, sig);
    Ok(())
}

/// Sets everything to zero as after allocation, and computed fields to `value`; buffers are kept.
fn clear(d: &mut Data, value: u8) {
    d.for_each_field_mut(|f| {
        // filling an empty slice still has a cost
        if f.info.has(Mark::Plugin) || f.bytes.is_empty() {
            return;
        }
        let zero = value == 0 || f.info.has(Mark::Input);
        f.bytes.fill(if zero { 0 } else { value });
    });
    d.clear_lists();
    d.contact.clear();
    d.solver.clear();
    d.coulomb.clear();
    d.warning = [WarningStat::default(); 8];
    d.timer = [TimerStat::default(); 15];
    d.solver_niter = [0; 20];
    d.solver_nnz = [0; 20];
    d.solver_fwdinv = [0.0; 2];
    (d.time, d.energy) = (0.0, [0.0; 2]);
    (d.ncon, d.ne, d.nf, d.nl, d.nefc) = (0, 0, 0, 0, 0);
    (d.nJ, d.nA, d.nisland, d.nidof) = (0, 0, 0, 0);
    (d.maxuse_con, d.maxuse_efc) = (0, 0);
    (d.flg_energypos, d.flg_energyvel, d.flg_subtreevel, d.flg_rnepost) =
        (false, false, false, false);
}

/// Removes the constraint rows and islands, and keeps the contacts and the counts of each type of
/// row.
#[doc(alias = "mj_clearEfc")]
pub fn clear_rows(d: &mut Data) {
    d.clear_lists();
    (d.nefc, d.nisland) = (0, 0);
    for contact in &mut d.contact {
        contact.efc_address = -1;
    }
}

/// Fills the history buffers with zeros, at times that end one step before the start.
///
/// A buffer has an unused slot, the index of the newest sample, the times, and the samples.
fn init_history(m: &Model, d: &mut Data) {
    let dt = m.opt.timestep;
    for u in m.actuators() {
        let n = m.actuator_history[u][0];
        if n > 0 {
            let buf = history(d, m.actuator_historyadr[u]);
            buf[1] = f64::from(n - 1);
            for j in 0..n {
                buf[2 + j as usize] = -f64::from(n - j) * dt;
            }
        }
    }
    for s in m.sensors() {
        let n = m.sensor_history[s][0];
        if n <= 0 {
            continue;
        }
        let [period, phase] = m.sensor_interval[s];
        let first = if phase == 0.0 { -period } else { phase };
        let buf = history(d, m.sensor_historyadr[s]);
        buf[0] = if period > 0.0 { first } else { -dt };
        buf[1] = f64::from(n - 1);
        for j in 0..n {
            buf[2 + j as usize] = if period > 0.0 {
                // rounded up to a multiple of the time step
                ((first - f64::from(n - 1 - j) * period) / dt).ceil() * dt
            } else {
                -f64::from(n - j) * dt
            };
        }
    }
}

/// The history buffer from `adr` on; empty without a history.
fn history(d: &mut Data, adr: i32) -> &mut [f64] {
    let start = usize::try_from(adr).unwrap_or(usize::MAX).min(d.history.len());
    d.history.split_at_mut(start).1
}

/// A signature with the plastic state if it has the rest of `mjSTATE_PHYSICS`, which includes it
/// since 4.0.
fn whole(sig: i32) -> i32 {
    let physics = StateBit::Physics.0;
    if sig & physics == physics { sig | StateBit::PLASTIC.0 } else { sig }
}

/// The components of `sig`, in order.
fn parts(sig: i32) -> Result<impl Iterator<Item = StateBit>, StateError> {
    let known = ((1 << StateBit::Count.0) - 1) | StateBit::PLASTIC.0;
    if sig & !known != 0 {
        return Err(StateError::Signature(sig));
    }
    let (sig, bits) = (whole(sig), (0..StateBit::Count.0).map(|i| 1 << i));
    let bits = bits.chain([StateBit::PLASTIC.0]);
    Ok(bits.filter(move |bit| sig & bit != 0).map(StateBit))
}

fn check_length(m: &Model, found: usize, sig: i32) -> Result<(), StateError> {
    let wanted = state_size(m, sig)?;
    if found == wanted { Ok(()) } else { Err(StateError::Length { found, wanted }) }
}

fn part_size(m: &Model, part: StateBit) -> usize {
    match part {
        StateBit::Time => 1,
        StateBit::Qpos => m.nq,
        StateBit::Qvel | StateBit::Warmstart | StateBit::QfrcApplied => m.nv,
        StateBit::Act => m.na,
        StateBit::History => m.nhistory,
        StateBit::Ctrl => m.nu,
        StateBit::XfrcApplied => 6 * m.nbody,
        StateBit::EqActive => m.neq,
        StateBit::MocapPos => 3 * m.nmocap,
        StateBit::MocapQuat => 4 * m.nmocap,
        StateBit::Userdata => m.nuserdata,
        StateBit::Plugin => m.npluginstate,
        StateBit::PLASTIC => m.nplastic(),
        _ => 0,
    }
}

fn part_of(d: &Data, part: StateBit) -> &[f64] {
    match part {
        StateBit::Time => core::slice::from_ref(&d.time),
        StateBit::Qpos => &d.qpos,
        StateBit::Qvel => &d.qvel,
        StateBit::Act => &d.act,
        StateBit::History => &d.history,
        StateBit::Warmstart => &d.qacc_warmstart,
        StateBit::Ctrl => &d.ctrl,
        StateBit::QfrcApplied => &d.qfrc_applied,
        StateBit::XfrcApplied => d.xfrc_applied.flat(),
        StateBit::MocapPos => d.mocap_pos.flat(),
        StateBit::MocapQuat => d.mocap_quat.flat(),
        StateBit::Userdata => &d.userdata,
        StateBit::Plugin => &d.plugin_state,
        StateBit::PLASTIC => &d.plastic,
        _ => &[],
    }
}

fn part_of_mut(d: &mut Data, part: StateBit) -> &mut [f64] {
    match part {
        StateBit::Time => core::slice::from_mut(&mut d.time),
        StateBit::Qpos => &mut d.qpos,
        StateBit::Qvel => &mut d.qvel,
        StateBit::Act => &mut d.act,
        StateBit::History => &mut d.history,
        StateBit::Warmstart => &mut d.qacc_warmstart,
        StateBit::Ctrl => &mut d.ctrl,
        StateBit::QfrcApplied => &mut d.qfrc_applied,
        StateBit::XfrcApplied => d.xfrc_applied.flat_mut(),
        StateBit::MocapPos => d.mocap_pos.flat_mut(),
        StateBit::MocapQuat => d.mocap_quat.flat_mut(),
        StateBit::Userdata => &mut d.userdata,
        StateBit::Plugin => &mut d.plugin_state,
        StateBit::PLASTIC => &mut d.plastic,
        _ => &mut [],
    }
}
