//! A model with the files it needs, to be put elsewhere.

use std::collections::BTreeMap;

use sinew_model::Model;

use crate::diag::Diagnostics;
use crate::files::{AssetKind, Assets, Files, asset_path, base_name, join};
use crate::spec::{Attr, Head, Scope, Spec};
use crate::write::write;

/// The folder of the files, beside the model.
const FOLDER: &str = "assets";

/// A model as one text, and the files it names.
#[derive(Clone, Debug, Default)]
pub struct Collected {
    /// MJCF that names the files below.
    pub xml: String,
    /// Files, by their paths from the folder of the text.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Files that were found, by where they were.
struct Collector<'a> {
    scopes: Vec<Scope>,
    files: Files<'a>,
    /// Whether files stay where they are, and are named by their whole paths.
    stay: bool,
    /// The new path of every old one.
    places: BTreeMap<String, String>,
    found: Vec<(String, Vec<u8>)>,
}

impl Spec {
    /// The model as MJCF in one text, with every file that it needs: they lie in the folder
    /// `assets` beside it, wherever they were before. `model` is the compiled spec.
    ///
    /// The error says which file cannot be read.
    pub fn collect(&self, assets: &Assets, model: Option<&Model>) -> Result<Collected, String> {
        self.gather(assets, model, false)
    }

    /// The model as MJCF in one text that may be put anywhere: it names its files by their whole
    /// paths.
    ///
    /// The error says which file cannot be read.
    pub fn to_xml_anywhere(&self, model: Option<&Model>) -> Result<String, String> {
        Ok(self.gather(&Assets::new(), model, true)?.xml)
    }

    fn gather(
        &self,
        assets: &Assets,
        model: Option<&Model>,
        stay: bool,
    ) -> Result<Collected, String> {
        let mut spec = crate::expand::expand(self, &mut Diagnostics::default()).into_owned();
        let mut collector = Collector {
            scopes: spec.scopes.clone(),
            files: Files { assets, confined_to: None },
            stay,
            places: BTreeMap::new(),
            found: Vec::new(),
        };

        // every element that names a file
        for mesh in &mut spec.meshes {
            collector.take(&mut mesh.file, &mesh.head, AssetKind::Mesh)?;
        }
        for hfield in &mut spec.hfields {
            collector.take(&mut hfield.file, &hfield.head, AssetKind::Mesh)?;
        }
        for skin in &mut spec.skins {
            collector.take(&mut skin.file, &skin.head, AssetKind::Mesh)?;
        }
        for texture in &mut spec.textures {
            let head = texture.head;
            for file in texture.files_mut() {
                collector.take(file, &head, AssetKind::Texture)?;
            }
        }

        // paths are whole now, from one folder
        let dir = spec.scopes.first().map(|scope| scope.dir.clone()).unwrap_or_default();
        for scope in &mut spec.scopes {
            scope.dir.clone_from(&dir);
            let compiler = &mut scope.compiler;
            compiler.meshdir.clear();
            compiler.texturedir.clear();
            compiler.assetdir.clear();
            compiler.strippath.clear();
        }
        Ok(Collected { xml: write(&spec, model), files: collector.found })
    }
}

impl Collector<'_> {
    /// Reads the file of an attribute, if it has one, and gives it its new path.
    fn take(
        &mut self,
        file: &mut Attr<String>,
        head: &Head,
        kind: AssetKind,
    ) -> Result<(), String> {
        let Some(name) = file.get().filter(|name| !name.is_empty()).cloned() else { return Ok(()) };
        let scope = &self.scopes[head.scope];
        let whole = join(&scope.dir.to_string_lossy(), &asset_path(scope, kind, &name));
        if !self.places.contains_key(&whole) {
            let bytes = self.files.read(scope, kind, &name)?.into_owned();
            let place = match self.stay {
                true => std::path::absolute(&whole)
                    .map_or_else(|_| whole.clone(), |path| path.to_string_lossy().into_owned()),
                false => self.place(base_name(&whole)),
            };
            self.found.push((place.clone(), bytes));
            self.places.insert(whole.clone(), place);
        }
        file.set(self.places[&whole].clone());
        Ok(())
    }

    /// A path that is not taken. The name stays: elements without one are called after their file.
    fn place(&self, base: &str) -> String {
        let taken = |path: &String| self.found.iter().any(|(known, _)| known == path);
        let first = format!("{FOLDER}/{base}");
        let mut others = (2..).map(|k| format!("{FOLDER}/{k}/{base}"));
        match taken(&first) {
            true => others.find(|path| !taken(path)).unwrap_or(first),
            false => first,
        }
    }
}
