//! Writes every field of `Data` after `forward`, for comparison with another engine.
//!
//! `dump MODEL.mjb STATES OUT [STEPS]`: STATES holds full state vectors (all bits of the state
//! signature) as little-endian f64, one after another. For each, OUT gets the fields after
//! `forward`, and, with STEPS, after that many unconstrained steps.

use std::io::Write;

use sinew_engine as engine;
use sinew_model::enums::{DisableBit, StateBit};
use sinew_model::{Data, Model};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [model, states, out, rest @ ..] = args.as_slice() else {
        return Err("usage: dump MODEL.mjb STATES OUT [STEPS]".into());
    };
    let steps: usize = rest.first().map_or(Ok(0), |s| s.parse())?;
    let mut m = Model::from_binary(&std::fs::read(model)?)?;
    let bytes = std::fs::read(states)?;
    let numbers: Vec<f64> =
        bytes.as_chunks::<8>().0.iter().map(|&b| f64::from_le_bytes(b)).collect();
    let sig = StateBit::Integration.0;
    let size = engine::state_size(&m, sig)?;
    let mut out = std::io::BufWriter::new(std::fs::File::create(out)?);
    let flags = m.opt.disableflags;

    let mut d = Data::new(&m);
    for state in numbers.chunks_exact(size) {
        m.opt.disableflags = flags;
        engine::reset_data(&m, &mut d);
        engine::set_state(&m, &mut d, state, sig)?;
        engine::forward(&m, &mut d);
        engine::energy_pos(&m, &mut d);
        engine::energy_vel(&m, &mut d);
        engine::subtree_vel(&m, &mut d);
        write_fields(&mut out, &d)?;
        if steps > 0 {
            m.opt.disableflags = flags | DisableBit::Constraint.0;
            engine::reset_data(&m, &mut d);
            engine::set_state(&m, &mut d, state, sig)?;
            for _ in 0..steps {
                engine::step(&m, &mut d);
            }
            engine::rne_post_constraint(&m, &mut d);
            write_fields(&mut out, &d)?;
        }
    }
    Ok(())
}

/// For each field: length of the name, name, number of bytes, bytes; then an empty name.
fn write_fields(out: &mut impl Write, d: &Data) -> std::io::Result<()> {
    let mut put = |name: &str, bytes: &[u8]| {
        out.write_all(&(name.len() as u32).to_le_bytes())?;
        out.write_all(name.as_bytes())?;
        out.write_all(&(bytes.len() as u64).to_le_bytes())?;
        out.write_all(bytes)
    };
    let mut result = Ok(());
    d.for_each_field(|f| {
        if result.is_ok() {
            result = put(f.info.name, f.bytes);
        }
    });
    result?;
    put("time", &d.time.to_le_bytes())?;
    put("energy", &d.energy.map(f64::to_le_bytes).concat())?;
    put("", &[])
}
