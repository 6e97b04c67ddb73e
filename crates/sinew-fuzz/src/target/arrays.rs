//! Values written to arrays and options of a model, as numpy views permit.

use sinew::Model;
use sinew::model::pod::Scalar;
use sinew_testkit::Random;

use super::mjb::seeds;
use crate::corpus::pick_small;
use crate::exercise::exercise;
use crate::mutate::mjb::change;
use crate::{Outcome, refused};

pub(super) fn arrays(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let seeds = seeds();
    let mut m = seeds[pick_small(&mut random, seeds.len())].model.clone();
    for _ in 0..1 + random.below(3) {
        write(&mut random, &mut m);
    }
    match m.validate() {
        Ok(()) => {
            exercise(&mut random, &mut m);
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

/// Changes a value of a random array; integers are more likely.
fn write(random: &mut Random, m: &mut Model) {
    let integers = !random.once_in(4);
    for _ in 0..100 {
        let info = &Model::FIELDS[random.below(Model::FIELDS.len())];
        let Some(field) = m.field_mut(info.name) else { continue };
        if field.bytes.is_empty() || integers != (info.scalar == Scalar::I32) {
            continue;
        }
        let size = info.scalar.size();
        let at = size * random.below(field.bytes.len() / size);
        change(random, info.scalar, &mut field.bytes[at..at + size]);
        return;
    }
}
