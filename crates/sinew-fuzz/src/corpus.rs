//! What is mutated: the models of this project and their files, and small models of its own.

use std::fs;
use std::path::{Path, PathBuf};

use sinew::Assets;
use sinew_testkit::Random;

/// Texts of models and the files they may name, in one order on every machine.
#[derive(Debug)]
pub struct Corpus {
    /// Name and text of each model, MJCF and URDF, those that compile fast first.
    pub models: Vec<(String, String)>,
    /// Name and bytes of every file, the models among them.
    pub files: Vec<(String, Vec<u8>)>,
    /// The files, as a reader takes them.
    pub assets: Assets,
}

impl Corpus {
    /// Reads the folder `models` of the workspace and the folder `seeds` of this crate.
    ///
    /// # Panics
    /// Where it cannot be read.
    pub fn read() -> Corpus {
        let mut corpus = Corpus { models: Vec::new(), files: Vec::new(), assets: Assets::new() };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        corpus.visit(&here.join("../../models"));
        corpus.visit(&here.join("seeds"));
        // short models first; fields of distances take long to make, whatever their length
        let slow = |text: &str| text.contains("\"sdf\"");
        corpus.models.sort_by_key(|(name, text)| (slow(text), text.len(), name.clone()));
        corpus.files.sort();
        corpus.assets = corpus.files.iter().cloned().collect();
        corpus
    }

    fn visit(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).expect("the models are there");
        let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match path.extension().and_then(|e| e.to_str()) {
                _ if path.is_dir() => self.visit(&path),
                Some("xml" | "urdf") => {
                    let text = fs::read_to_string(&path).expect("models are texts");
                    self.files.push((name.clone(), text.clone().into_bytes()));
                    self.models.push((name, text));
                }
                Some("py" | "md") => {}
                _ => self.files.push((name, fs::read(&path).expect("a file that can be read"))),
            }
        }
    }

    /// The bytes of a file.
    ///
    /// # Panics
    /// Where there is none of this name.
    pub fn file(&self, name: &str) -> &[u8] {
        let found = self.files.iter().find(|(file, _)| file == name);
        &found.expect("a file of the corpus").1
    }
}

/// A place in a list whose first items are the smallest: all of them, the small ones more often,
/// because many inputs show more than large ones.
pub fn pick_small(random: &mut Random, count: usize) -> usize {
    let below = 1 + random.below(count);
    random.below(below)
}
