//! Reset, state vectors, and the treatment of bad states.

use crate::chain::{ALL_KINDS, chain, moving};
use sinew_engine as engine;
use sinew_model::Data;
use sinew_model::enums::{DisableBit, StateBit, Warning};

#[test]
fn reset_restores_the_initial_state() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::step(&m, &mut d);
    engine::reset_data(&m, &mut d);
    let fresh = Data::new(&m);
    d.for_each_field(|f| {
        assert_eq!(f.bytes, fresh.field(f.info.name).map_or(&[][..], |f| f.bytes))
    });
    assert_eq!(d.time, 0.0);
}

#[test]
fn a_state_vector_brings_back_the_state() {
    let m = chain(ALL_KINDS);
    let sig = StateBit::Integration.0;
    let mut d = moving(&m);
    engine::step(&m, &mut d);
    let mut state = vec![0.0; engine::state_size(&m, sig).unwrap()];
    engine::get_state(&m, &d, &mut state, sig).unwrap();
    let mut other = Data::new(&m);
    engine::set_state(&m, &mut other, &state, sig).unwrap();
    for _ in 0..3 {
        engine::step(&m, &mut d);
        engine::step(&m, &mut other);
    }
    assert_eq!(d.qpos, other.qpos);

    // a part of it
    let mut qvel = vec![0.0; m.nv];
    engine::extract_state(&m, &state, sig, &mut qvel, StateBit::Qvel.0).unwrap();
    assert_eq!(qvel, state[1 + m.nq..1 + m.nq + m.nv]);
}

#[test]
fn bad_signatures_and_lengths_are_errors() {
    let m = chain(ALL_KINDS);
    let d = Data::new(&m);
    assert_eq!(engine::state_size(&m, -1), Err(engine::StateError::Signature(-1)));
    assert!(engine::state_size(&m, 1 << StateBit::Count.0).is_err());
    assert!(engine::get_state(&m, &d, &mut [0.0], StateBit::Qpos.0).is_err());
}

#[test]
fn a_bad_state_resets_and_is_counted_once() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    d.time = 1.0;
    d.qvel[2] = f64::NAN;
    engine::check_vel(&m, &mut d);
    let warning = d.warning[Warning::Badqvel.0 as usize];
    assert_eq!((warning.number, warning.lastinfo), (1, 2));
    assert_eq!(d.time, 0.0);
    assert_eq!(&*d.qpos, &*m.qpos0);

    // a step from a bad position goes on from the initial one
    d.qpos[0] = 1e11;
    engine::step(&m, &mut d);
    assert_eq!(d.warning[Warning::Badqpos.0 as usize].number, 1);
    assert_eq!(d.time, m.opt.timestep);
}

#[test]
fn without_autoreset_a_bad_state_stays() {
    let mut m = chain(ALL_KINDS);
    m.opt.disableflags = DisableBit::Autoreset.0;
    let mut d = moving(&m);
    d.qpos[1] = f64::INFINITY;
    engine::check_pos(&m, &mut d);
    let warning = d.warning[Warning::Badqpos.0 as usize];
    assert_eq!((warning.number, warning.lastinfo), (2, 1));
    assert_eq!(d.qpos[1], f64::INFINITY);
}

#[test]
fn debug_reset_marks_results_and_keeps_inputs_clean() {
    let m = chain(ALL_KINDS);
    let mut d = moving(&m);
    engine::reset_data_debug(&m, &mut d, 7);
    assert_eq!(&*d.qpos, &*m.qpos0);
    assert!(d.qvel.iter().chain(d.qacc.iter()).chain(d.qM.iter()).all(|x| *x == 0.0));
    assert!(d.qfrc_bias.iter().all(|x| x.to_bits() == 0x0707_0707_0707_0707));
    engine::forward(&m, &mut d);
    let mut fresh = Data::new(&m);
    engine::forward(&m, &mut fresh);
    assert_eq!(d.qacc, fresh.qacc);
}
