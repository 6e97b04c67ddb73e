//! The files a model is made of, without compiling it.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diag::{Diagnostics, Error};
use crate::files::{Assets, Files, dir_name, join};
use crate::spec::{Source, Span};
use crate::xml::{Node, Tree, text_of};

/// Attributes of `<texture>` that name files.
const TEXTURE_FILES: [&str; 7] =
    ["file", "fileright", "fileup", "fileleft", "filedown", "filefront", "fileback"];

/// All files that a model file reads, itself included, in alphabetical order. The list has includes
/// and models with their own files, meshes, height fields, textures, and skins. Whether assets
/// exist is not checked.
///
/// Every file has its own `assetdir`, `meshdir` and `texturedir` here, and paths in a file are
/// relative to its own folder, as MuJoCo computes them.
#[doc(alias = "mju_getXMLDependencies")]
pub fn xml_dependencies(path: &Path) -> Result<Vec<String>, Error> {
    let mut found = BTreeSet::new();
    let mut open = vec![path.to_string_lossy().into_owned()];
    while let Some(path) = open.pop() {
        if found.insert(path.clone()) {
            collect(&path, &mut found, &mut open)?;
        }
    }
    Ok(found.into_iter().collect())
}

/// Adds the assets of a file to `found`, and the XML files it names to `open`.
fn collect(path: &str, found: &mut BTreeSet<String>, open: &mut Vec<String>) -> Result<(), Error> {
    // the elements of the file
    let mut diag = Diagnostics::default();
    let mut tree = Tree::default();
    let files = Files { assets: &Assets::new(), confined_to: None };
    let root = match files.read_path("".as_ref(), path) {
        Ok(bytes) => {
            let (path, text) = (path.to_owned(), text_of(&bytes));
            let source = Source { path, text, ..Source::default() };
            tree.parse(source, &mut diag)
        }
        Err(words) => {
            let words = format!("Problem reading XML file '{path}': {words}");
            diag.error("missing-file", Span::default(), words);
            None
        }
    };
    let Some(root) = root else {
        return Err(Error { diagnostics: diag.list, sources: tree.sources });
    };

    // the files they name, and the folders of assets, of which the last in the file hold
    let mut names = Names::default();
    names.collect(tree.node(root));
    let [asset, mesh, texture] = names.folders;
    let asset = asset.unwrap_or_default();
    let folder = dir_name(path);
    let lists = [
        (names.textures, texture.as_ref().unwrap_or(&asset)),
        (names.meshes, mesh.as_ref().unwrap_or(&asset)),
        (names.hfields, &asset),
    ];
    for (list, assets) in lists {
        found.extend(list.iter().map(|file| join(folder, &join(assets, file))));
    }
    open.extend(names.models.iter().map(|file| join(folder, file)));
    Ok(())
}

/// Files as they are written.
#[derive(Default)]
struct Names {
    models: Vec<String>,
    meshes: Vec<String>,
    hfields: Vec<String>,
    textures: Vec<String>,
    /// `assetdir`, `meshdir`, `texturedir`.
    folders: [Option<String>; 3],
}

impl Names {
    /// Collects from an element and all below it; the parser bounds their depth.
    fn collect(&mut self, node: Node<'_>) {
        let text = |name: &str| node.attr(name).map(|(text, _)| text.to_owned());
        match node.name() {
            "include" | "model" => self.models.extend(text("file")),
            "mesh" | "flexcomp" | "skin" => self.meshes.extend(text("file")),
            "hfield" => self.hfields.extend(text("file")),
            "texture" => self.textures.extend(TEXTURE_FILES.into_iter().filter_map(text)),
            "compiler" => {
                let written = ["assetdir", "meshdir", "texturedir"].map(text);
                for (folder, written) in self.folders.iter_mut().zip(written) {
                    *folder = written.or(folder.take());
                }
            }
            _ => {}
        }
        node.children().for_each(|child| self.collect(child));
    }
}
