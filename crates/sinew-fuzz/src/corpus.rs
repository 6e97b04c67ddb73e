//! Inputs of mutations: the models of this repository with their files, and small seed models.

use std::fs;
use std::path::{Path, PathBuf};

use sinew::Assets;
use sinew_testkit::Random;

/// Texts of models and the files they may refer to, in the same order on every machine.
#[derive(Debug)]
pub struct Corpus {
    /// Name and text of each model, MJCF and URDF; the fastest to compile are first.
    pub models: Vec<(String, String)>,
    /// Name and bytes of every file, including the models.
    pub files: Vec<(String, Vec<u8>)>,
    /// The files as assets of a reader.
    pub assets: Assets,
}

impl Corpus {
    /// Reads the folder `models` of the workspace and the folder `seeds` of this crate.
    ///
    /// # Panics
    /// If a folder cannot be read.
    pub fn read() -> Corpus {
        let mut corpus = Corpus { models: Vec::new(), files: Vec::new(), assets: Assets::new() };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        corpus.visit(&here.join("../../models"));
        corpus.visit(&here.join("seeds"));
        // short models first; models with distance fields last, because they compile slowly
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
    /// If the file does not exist.
    pub fn file(&self, name: &str) -> &[u8] {
        let found = self.files.iter().find(|(file, _)| file == name);
        &found.expect("a file of the corpus").1
    }
}

/// A random index into a list sorted by size. Small items are more likely, because many small
/// inputs find more than few large ones.
pub fn pick_small(random: &mut Random, count: usize) -> usize {
    let below = 1 + random.below(count);
    random.below(below)
}
