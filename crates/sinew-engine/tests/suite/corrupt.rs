//! A damaged binary model is an error or a model that simulates: never a panic.

use crate::chain::{ALL_KINDS, chain};
use sinew_engine as engine;
use sinew_model::{Data, Model};
use sinew_testkit::Random;

#[test]
fn damaged_files_do_not_panic() {
    // models with geoms, sensors and the rest are damaged by the fuzz targets
    damage(&chain(ALL_KINDS), 1);
}

fn damage(model: &Model, seed: u64) {
    let bytes = model.to_binary();
    assert_eq!(Model::from_binary(&bytes).map(|_| ()), Ok(()));
    let mut random = Random::new(seed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..2000 {
        // an integer somewhere becomes another
        let mut damaged = bytes.clone();
        let at = 4 * random.below(bytes.len() / 4);
        let value = random.pick(&[0, -1, 1, 7, 100, i32::MAX, i32::MIN]);
        damaged[at..at + 4].copy_from_slice(&i32::to_le_bytes(value));
        let Ok(m) = Model::from_binary(&damaged) else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let mut d = Data::new(&m);
        engine::step(&m, &mut d);
        engine::step(&m, &mut d);
    }
    assert!(accepted > 0 && refused > 0);
}
