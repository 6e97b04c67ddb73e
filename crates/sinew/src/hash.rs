use sinew_model::{Data, Model};

/// Where the hash of Fowler, Noll and Vo begins, and what it multiplies by.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A number that changes with any bit of the state: `time`, `qpos`, `qvel` and `act`.
///
/// Two runs whose hashes agree after every step have the same trajectory.
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
    // the rotation carries high bits down, which a multiplication alone never does
    numbers.fold(BASIS, |hash, x| (hash ^ x.to_bits()).wrapping_mul(PRIME).rotate_left(23))
}

/// A number that changes with any bit of a model, as its binary file has them.
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
