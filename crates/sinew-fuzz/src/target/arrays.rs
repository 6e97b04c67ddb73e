//! Arrays and options of a model that were written in place, as numpy views allow.

use sinew::Model;
use sinew::model::pod::Scalar;
use sinew_testkit::Random;

use super::mjb::seeds;
use crate::exercise::exercise;
use crate::mutate::mjb::integer;
use crate::{Outcome, refused};

pub(super) fn arrays(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let seeds = seeds();
    let mut m = seeds[random.below(seeds.len())].model.clone();
    for _ in 0..1 + random.below(3) {
        write(&mut random, &mut m);
    }
    match m.validate() {
        Ok(()) => {
            exercise(&mut random, &m);
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

/// Another integer somewhere in an array.
fn write(random: &mut Random, m: &mut Model) {
    for _ in 0..100 {
        let info = &Model::FIELDS[random.below(Model::FIELDS.len())];
        let Some(field) = m.field_mut(info.name) else { continue };
        if field.bytes.is_empty() || info.scalar != Scalar::I32 {
            continue;
        }
        let (numbers, _) = field.bytes.as_chunks_mut::<4>();
        let at = random.below(numbers.len());
        let was = i32::from_ne_bytes(numbers[at]);
        numbers[at] = (integer(random, i64::from(was)) as i32).to_ne_bytes();
        return;
    }
}
