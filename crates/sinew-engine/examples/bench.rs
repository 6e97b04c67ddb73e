//! Microseconds per step without constraints, contacts and sensors, and a hash of the last state.
//!
//! `bench MODEL.mjb ...`: the time is the least over many short chunks, which other programs
//! on the machine disturb little; the hash tells whether a change of the code changed its numbers.
// a program talks to its user on stdout; the libraries never do
#![allow(clippy::print_stdout)]

use std::time::Instant;

use sinew_engine as engine;
use sinew_model::enums::DisableBit;
use sinew_model::{Data, Model};

/// Steps from the initial state for the hash.
const HASHED_STEPS: usize = 200;
/// Chunks of steps that are timed, and the seconds that each takes.
const CHUNKS: usize = 300;
const CHUNK_SECONDS: f64 = 2e-3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let mut m = Model::from_binary(&std::fs::read(&path)?)?;
        let off = DisableBit::Constraint.0 | DisableBit::Contact.0 | DisableBit::Sensor.0;
        m.opt.disableflags |= off;
        let mut d = Data::new(&m);
        engine::reset_data(&m, &mut d);
        for (i, u) in d.ctrl.iter_mut().enumerate() {
            *u = 0.1 * (i % 3) as f64;
        }

        // the state after some steps, in bits
        let start = Instant::now();
        for _ in 0..HASHED_STEPS {
            engine::step(&m, &mut d);
        }
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for x in d.qpos.iter().chain(d.qvel.iter()).chain(d.act.iter()).chain(d.qacc.iter()) {
            hash = (hash ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
        }

        // the fastest chunk
        let rough = start.elapsed().as_secs_f64() / HASHED_STEPS as f64;
        let steps = ((CHUNK_SECONDS / rough) as usize).max(1);
        let mut least = f64::INFINITY;
        for _ in 0..CHUNKS {
            let start = Instant::now();
            for _ in 0..steps {
                engine::step(&m, &mut d);
            }
            least = least.min(start.elapsed().as_secs_f64() / steps as f64);
        }
        println!("{:9.3} us/step  {hash:016x}  {path}", least * 1e6);
    }
    Ok(())
}
