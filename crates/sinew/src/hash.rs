use sinew_model::{Data, Model};

/// Offset basis and prime of the FNV-1a hash (Fowler, Noll and Vo).
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Hash of the state: `time`, `qpos`, `qvel` and `act`.
///
/// Two runs with equal hashes after every step have the same trajectory.
///
/// ```
/// let model = sinew::load_str(
///     "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>",
/// )?;
/// let mut data = sinew::Data::new(&model);
/// let mut branch = data.clone();
/// for state in [&mut data, &mut branch] {
///     sinew::step(&model, state);
/// }
/// assert_eq!(sinew::state_hash(&data), sinew::state_hash(&branch));
/// sinew::step(&model, &mut branch);
/// assert_ne!(sinew::state_hash(&data), sinew::state_hash(&branch));
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn state_hash(d: &Data) -> u64 {
    let numbers = [d.time].into_iter().chain(d.qpos.iter().copied());
    let numbers = numbers.chain(d.qvel.iter().copied()).chain(d.act.iter().copied());
    // the rotation moves high bits down, which multiplication alone does not
    numbers.fold(BASIS, |hash, x| (hash ^ x.to_bits()).wrapping_mul(PRIME).rotate_left(23))
}

/// Hash of a model's binary file.
///
/// ```
/// let mut model = sinew::load_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")?;
/// let before = sinew::model_hash(&model);
/// model.opt.timestep = 0.001;
/// assert_ne!(sinew::model_hash(&model), before);
/// # Ok::<(), sinew::Error>(())
/// ```
pub fn model_hash(m: &Model) -> u64 {
    m.to_binary().iter().fold(BASIS, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
}
