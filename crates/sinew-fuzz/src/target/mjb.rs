//! Binary models.

use std::sync::OnceLock;

use sinew::{LoadOptions, Model};
use sinew_testkit::Random;

use super::Files;
use super::model::corpus;
use crate::corpus::pick_small;
use crate::exercise::exercise;
use crate::guided::Guide;
use crate::mutate::bytes;
use crate::mutate::mjb::{Layout, mutate};
use crate::{Outcome, refused};

/// An initial model with its file and the positions of its values.
pub(super) struct Seed {
    pub(super) model: Model,
    file: Vec<u8>,
    layout: Layout,
}

/// The models of the corpus that compile, as binary files, the smallest first.
pub(super) fn seeds() -> &'static [Seed] {
    static SEEDS: OnceLock<Vec<Seed>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let compiled = corpus().models.iter().filter_map(|(_, text)| {
            let assets = &corpus().assets;
            let loaded = sinew::load_str_with(text, assets, &LoadOptions::default()).ok()?;
            let file = loaded.model.to_binary();
            let layout = Layout::new(&loaded.model, &file);
            Some(Seed { model: loaded.model, file, layout })
        });
        let mut seeds: Vec<Seed> = compiled.collect();
        seeds.sort_by_key(|seed| seed.file.len());
        seeds
    })
}

fn case(number: u64) -> (Random, Vec<u8>) {
    let mut random = Random::new(number);
    let seeds = seeds();
    let seed = &seeds[pick_small(&mut random, seeds.len())];
    let mut file = seed.file.clone();
    for _ in 0..1 + random.below(3) {
        mutate(&mut random, &seed.layout, &mut file);
        if file.len() != seed.file.len() {
            break;
        }
    }
    (random, file)
}

pub(super) fn mjb(number: u64) -> Outcome {
    let (mut random, file) = case(number);
    feed(&mut random, &file)
}

/// Inputs for the guided search.
pub(super) const GUIDE: Guide = Guide {
    seeds: || seeds().iter().map(|seed| seed.file.clone()).collect(),
    mutate: change,
    feed,
};

/// Mutates values if the file is a valid model, else bytes.
fn change(random: &mut Random, input: &[u8], _donor: &[u8]) -> Vec<u8> {
    let mut file = input.to_vec();
    match Model::from_binary_with(input, &LoadOptions::default().plugins) {
        Ok(m) => mutate(random, &Layout::new(&m, input), &mut file),
        Err(_) => bytes::mutate(random, &mut file),
    }
    file
}

fn feed(random: &mut Random, file: &[u8]) -> Outcome {
    match Model::from_binary_with(file, &LoadOptions::default().plugins) {
        Ok(mut m) => {
            exercise(random, &mut m);
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

pub(super) fn write(number: u64) -> Files {
    vec![("model.mjb".to_owned(), case(number).1)]
}
