//! Many simulations of one model on all cores: the model is shared, each thread has its data.
// a program talks to its user on stdout; the libraries never do
#![allow(clippy::print_stdout)]

use std::thread;

use sinew::Data;

fn main() -> sinew::Result<()> {
    let model = sinew::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pendulum.xml"))?;
    let ends = thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|k| {
                let model = &model;
                scope.spawn(move || {
                    let mut data = Data::new(model);
                    data.qvel[0] = f64::from(k);
                    for _ in 0..500 {
                        sinew::step(model, &mut data);
                    }
                    data.qpos[0]
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join()).collect::<Vec<_>>()
    });
    for (k, end) in ends.into_iter().enumerate() {
        println!("start at {k} rad/s: {end:?}");
    }
    Ok(())
}
