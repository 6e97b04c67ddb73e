//! Models as texts: MJCF and URDF, with the files they name.

use std::sync::OnceLock;

use sinew::{Assets, LoadOptions, Model, Spec};
use sinew_testkit::Random;

use super::Files;
use crate::corpus::Corpus;
use crate::exercise::exercise;
use crate::mutate::{bytes, xml as text};
use crate::{Outcome, refused};

/// The corpus, read once.
pub(super) fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(Corpus::read)
}

/// A mutated model and its files.
struct Case {
    name: String,
    text: String,
    files: Vec<(String, Vec<u8>)>,
    random: Random,
}

impl Case {
    fn new(number: u64, kind: &str) -> Case {
        let corpus = corpus();
        let models: Vec<&(String, String)> =
            corpus.models.iter().filter(|(name, _)| name.ends_with(kind)).collect();
        let mut random = Random::new(number);
        let (name, text) = random.pick(&models);
        let mut text = text.clone();
        let mut files = corpus.files.clone();
        for _ in 0..1 + random.below(4) {
            if random.below(8) == 0 {
                let file = random.below(files.len());
                bytes::mutate(&mut random, &mut files[file].1);
            } else {
                let (_, donor) = random.pick(&models);
                text = text::mutate(&mut random, &text, donor);
            }
        }
        Case { name: name.clone(), text, files, random }
    }

    fn run(mut self) -> Outcome {
        let assets: Assets = self.files.into_iter().collect();
        let options = LoadOptions::default();
        let loaded = match sinew::load_str_with(&self.text, &assets, &options) {
            Ok(loaded) => loaded,
            Err(error) => return refused(&error),
        };
        check_round_trips(&mut self.random, &self.text, &loaded.model, &assets);
        exercise(&mut self.random, &loaded.model);
        Outcome::Accepted
    }

    fn write(self) -> Files {
        let mut files = vec![(self.name.clone(), self.text.into_bytes())];
        files.extend(self.files.into_iter().filter(|(name, _)| *name != self.name));
        files
    }
}

/// What is written is read again: as a binary file it is the same, as XML it is a model of the same
/// sizes.
fn check_round_trips(random: &mut Random, text: &str, m: &Model, assets: &Assets) {
    let options = LoadOptions::default();
    let file = m.to_binary();
    match Model::from_binary_with(&file, &options.plugins) {
        Ok(again) => assert!(again.to_binary() == file, "the binary file is read as another model"),
        Err(error) => panic!("its own binary file is refused: {error}"),
    }
    if random.below(4) != 0 {
        return;
    }
    let Ok((spec, _)) = Spec::parse_str(text, assets, &options) else { return };
    let saved = spec.to_xml(Some(m));
    match sinew::load_str_with(&saved, assets, &options) {
        Ok(again) => {
            for (size, _) in Model::SIZES {
                // paths are saved in another form, and names that MuJoCo makes up get written
                let kept = !matches!(*size, "nnames" | "npaths" | "nbuffer" | "narena");
                let (was, is) = (m.size(size), again.model.size(size));
                assert!(!kept || was == is, "saved as XML, {size} is {is:?} and was {was:?}");
            }
        }
        Err(error) => panic!("its own XML is refused: {error}"),
    }
}

pub(super) fn xml(number: u64) -> Outcome {
    Case::new(number, ".xml").run()
}

pub(super) fn urdf(number: u64) -> Outcome {
    Case::new(number, ".urdf").run()
}

pub(super) fn write_xml(number: u64) -> Files {
    Case::new(number, ".xml").write()
}

pub(super) fn write_urdf(number: u64) -> Files {
    Case::new(number, ".urdf").write()
}
