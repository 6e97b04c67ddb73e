//! Models as text: MJCF and URDF, with the files they refer to.

use std::sync::OnceLock;

use sinew::{Assets, LoadOptions, Model, Spec};
use sinew_testkit::Random;

use super::Files;
use crate::corpus::{Corpus, pick_small};
use crate::exercise::exercise;
use crate::guided::Guide;
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
    /// The files of the corpus, if one of them is mutated.
    files: Option<Assets>,
    random: Random,
}

impl Case {
    fn new(number: u64, kind: &str) -> Case {
        let corpus = corpus();
        let models = models(kind);
        let mut random = Random::new(number);
        let (name, text) = models[pick_small(&mut random, models.len())];
        let mut text = text.clone();
        let mut files = None;
        for _ in 0..1 + random.below(4) {
            if random.once_in(8) {
                // one of the files that the model refers to
                let named: Vec<_> =
                    corpus.files.iter().filter(|(name, _)| text.contains(name)).collect();
                let Some((name, bytes)) = named.get(random.below(named.len())) else { continue };
                let mut bytes = bytes.clone();
                bytes::mutate(&mut random, &mut bytes);
                files.get_or_insert_with(|| corpus.assets.clone()).insert(name, bytes);
            } else {
                let (_, donor) = models[pick_small(&mut random, models.len())];
                text = text::mutate(&mut random, &text, donor);
            }
        }
        Case { name: name.clone(), text, files, random }
    }

    fn run(mut self) -> Outcome {
        let assets = self.files.as_ref().unwrap_or(&corpus().assets);
        read(&mut self.random, &self.text, assets)
    }

    /// The model, then all files that it refers to, directly or indirectly.
    fn write(self) -> Files {
        let assets = self.files.as_ref().unwrap_or(&corpus().assets);
        let mut others: Vec<(&str, &[u8])> = assets.iter().collect();
        others.retain(|(name, _)| *name != self.name);
        others.sort_unstable();
        let mut files = vec![(self.name, self.text.into_bytes())];
        let mut next = 0;
        while let Some((_, bytes)) = files.get(next) {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let (named, rest) = others.into_iter().partition(|(name, _)| text.contains(name));
            let named: Vec<(&str, &[u8])> = named;
            files.extend(named.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())));
            others = rest;
            next += 1;
        }
        files
    }
}

/// Reads a text, saves the model, and exercises the engine with it.
fn read(random: &mut Random, text: &str, assets: &Assets) -> Outcome {
    let mut loaded = match sinew::load_str_with(text, assets, &LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(error) => return refused(&error),
    };
    check_round_trips(random, text, &loaded.model, assets);
    exercise(random, &mut loaded.model);
    Outcome::Accepted
}

/// Inputs for the guided search.
pub(super) const GUIDE: Guide = Guide { seeds: || texts(".xml"), mutate, feed };
pub(super) const GUIDE_URDF: Guide = Guide { seeds: || texts(".urdf"), mutate, feed };

fn texts(kind: &str) -> Vec<Vec<u8>> {
    models(kind).iter().map(|(_, text)| text.clone().into_bytes()).collect()
}

fn mutate(random: &mut Random, input: &[u8], donor: &[u8]) -> Vec<u8> {
    let (input, donor) = (String::from_utf8_lossy(input), String::from_utf8_lossy(donor));
    text::mutate(random, &input, &donor).into_bytes()
}

fn feed(random: &mut Random, input: &[u8]) -> Outcome {
    read(random, &String::from_utf8_lossy(input), &corpus().assets)
}

/// The models of a format, the shortest first.
fn models(kind: &str) -> &'static [&'static (String, String)] {
    static MODELS: OnceLock<[Vec<&'static (String, String)>; 2]> = OnceLock::new();
    let [mjcf, urdf] = MODELS.get_or_init(|| {
        [".xml", ".urdf"]
            .map(|kind| corpus().models.iter().filter(|(name, _)| name.ends_with(kind)).collect())
    });
    if kind == ".xml" { mjcf } else { urdf }
}

/// Round trips: the binary file gives the same model, and XML a model of the same sizes.
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
                // saved paths have another form, and names that MuJoCo generates are saved
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
