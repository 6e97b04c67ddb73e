//! Back to the initial state.

use sinew_model::enums::EnableBit;
use sinew_model::{Data, Model, state};

use crate::hooks::Hooks;
use crate::sleep::SleepError;
use crate::step::forward::begin_sleep;

/// Clears everything and sets the initial position.
///
/// Trees that the model wants asleep but that others keep awake stay awake; `reset_data_with` says
/// so.
pub fn reset_data(m: &Model, d: &mut Data) {
    reset_data_debug(m, d, 0);
}

/// `reset_data`, with the bytes of all computed fields set to `value`, which exposes numbers that
/// are read before they are computed.
pub fn reset_data_debug(m: &Model, d: &mut Data, value: u8) {
    // that trees stay awake is all there is to be done about the error
    let _ = reset_data_with(m, d, value, &mut ());
}

/// Clears everything and sets the state of a keyframe; the initial one if there is no such key.
pub fn reset_data_keyframe(m: &Model, d: &mut Data, key: usize) {
    reset_data(m, d);
    state::load_keyframe(m, d, key);
}

/// `reset_data_debug`, with an error if a tree that the model wants asleep cannot be. Stages run
/// where trees may sleep, and with them the user's hooks.
#[doc(alias = "mj_resetDataDebug")]
pub fn reset_data_with(
    m: &Model,
    d: &mut Data,
    value: u8,
    hooks: &mut (impl Hooks + ?Sized),
) -> Result<(), SleepError> {
    state::reset_data_debug(m, d, value);
    if m.opt.enabled(EnableBit::Sleep) { begin_sleep(m, d, hooks) } else { Ok(()) }
}
