//! Reads a model file and puts the contents of its includes in place.

use std::collections::HashSet;

use crate::diag::Diagnostics;
use crate::files::{Files, dir_name, join, reduce};
use crate::schema::tag;
use crate::spec::Source;
use crate::xml::{Node, NodeId, Tree, text_of};

/// Elements nested deeper than this over all files are refused: later passes recurse.
const MAX_DEPTH: usize = 500;
/// No model has more files, elements or bytes of text than this.
const MAX_FILES: usize = 10_000;
const MAX_NODES: usize = 20_000_000;
const MAX_TEXT: usize = 1 << 30;

/// A model file with everything it includes.
pub(crate) struct Document {
    pub(crate) tree: Tree,
    pub(crate) root: NodeId,
    /// Folder of the top file, as written by the user, with its last separator.
    pub(crate) dir: String,
    /// For each file the folder its assets may also be in: none for the top file.
    include_dirs: Vec<String>,
    /// `assetdir`, `meshdir`, `texturedir`: where files are looked for while reading.
    folders: [String; 3],
}

/// Which `<compiler>` folder a file attribute is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Folder {
    Asset,
    Mesh,
    Texture,
    /// None: relative to the model.
    Model,
}

impl Document {
    /// Reads a top file given as text. `path` is empty for a text without a file; `base` is the
    /// number of files read before, which spans count too. If it fails, gives the sources that
    /// the errors point into.
    pub(crate) fn read(
        path: &str,
        text: String,
        base: usize,
        files: Files<'_>,
        diag: &mut Diagnostics,
    ) -> Result<Document, Vec<Source>> {
        // the file itself
        let mut tree = Tree::default();
        tree.base = base;
        let source = Source { path: path.to_owned(), text, ..Source::default() };
        let Some(root) = tree.parse(source, diag) else { return Err(tree.sources) };

        // contents of includes; URDF has no includes
        let dir = dir_name(path).to_owned();
        let mut includer = Includer {
            doc: Document {
                tree,
                root,
                dir,
                include_dirs: vec![String::new()],
                folders: Default::default(),
            },
            files,
            included: HashSet::from([reduce(path)]),
            open: vec![reduce(path)],
            text: 0,
            diag,
        };
        let before = includer.diag.list.len();
        if includer.doc.tree.node(root).name() != "robot" {
            includer.splice(root, "", 0);
        }
        let failed = includer.diag.list[before..].iter().any(|d| d.is_error());
        if failed { Err(includer.doc.tree.sources) } else { Ok(includer.doc) }
    }

    /// A file name as MuJoCo resolves it while reading. The name stands as written if there is such
    /// a file in the folder; otherwise it is relative to the folder of the included file.
    pub(crate) fn resolve(
        &self,
        node: Node<'_>,
        file: &str,
        folder: Folder,
        files: Files<'_>,
    ) -> String {
        let include_dir = &self.include_dirs[node.file()];
        if include_dir.is_empty() {
            return reduce(file);
        }
        let [asset, mesh, texture] = &self.folders;
        let none = String::new();
        let own = match folder {
            Folder::Model => &none,
            Folder::Mesh if !mesh.is_empty() => mesh,
            Folder::Texture if !texture.is_empty() => texture,
            _ => asset,
        };
        let path = join(own, file);
        if files.exists(self.dir.as_ref(), &path) { reduce(file) } else { join(include_dir, file) }
    }

    /// Path of a model that is named by `<asset><model file>`.
    pub(crate) fn model_path(&self, node: Node<'_>, file: &str, files: Files<'_>) -> String {
        let include_dir = &self.include_dirs[node.file()];
        if include_dir.is_empty() || files.exists(self.dir.as_ref(), file) {
            return join(&self.dir, file);
        }
        join(&self.dir, &join(include_dir, file))
    }
}

struct Includer<'a> {
    doc: Document,
    files: Files<'a>,
    /// MuJoCo's names of the files that were included.
    included: HashSet<String>,
    /// Full paths of the files that are being read.
    open: Vec<String>,
    /// Bytes read so far.
    text: usize,
    diag: &'a mut Diagnostics,
}

impl Includer<'_> {
    /// Replaces all includes below a node; `dir` is the folder of the file it is in.
    fn splice(&mut self, id: NodeId, dir: &str, depth: usize) {
        let node = self.doc.tree.node(id);
        if depth > MAX_DEPTH {
            let span = node.span();
            self.diag.error("xml", span, "elements are nested too deeply");
            return;
        }

        // folders of assets that hold from here on
        if node.name() == "compiler" {
            let folders = ["assetdir", "meshdir", "texturedir"];
            let found = folders.map(|f| node.attr(f).map(|(text, _)| text.to_owned()));
            for (folder, found) in self.doc.folders.iter_mut().zip(found) {
                *folder = found.unwrap_or(core::mem::take(folder));
            }
        }

        // children, an include replaced by its contents
        let old: Vec<NodeId> = self.doc.tree.node(id).children().map(|c| c.id).collect();
        let mut new = Vec::with_capacity(old.len());
        for child in old {
            if self.doc.tree.node(child).name() != "include" {
                self.splice(child, dir, depth + 1);
                new.push(child);
            } else if let Some(root) = self.include(child, dir, depth) {
                new.extend(self.doc.tree.node(root).children().map(|c| c.id));
            }
        }
        self.doc.tree.set_children(id, new);
    }

    /// The root of an included file, its own includes replaced.
    fn include(&mut self, id: NodeId, dir: &str, depth: usize) -> Option<NodeId> {
        let (span, file) = {
            let node = self.doc.tree.node(id);
            let span = node.span();
            if node.has_content() {
                self.diag.error("include", span, "Include element cannot have children");
                return None;
            }
            let Some((file, at)) = node.attr("file") else {
                let words = format!("{}: required attribute missing: 'file'", tag(node));
                self.diag.error("missing-attribute", span, words);
                return None;
            };
            if let Some(attr) = node.attrs().find(|a| a.name != "file") {
                let words = format!("{}: attribute '{}' has no effect", tag(node), attr.name);
                self.diag.warn("unknown-attribute", attr.name_span, words);
            }
            // as in the folder of the model, else as seen from the including file
            let base = &self.doc.include_dirs[node.file()];
            let known = self.files.exists(self.doc.dir.as_ref(), file);
            let file = if known || base.is_empty() { reduce(file) } else { join(base, file) };
            (at, file)
        };
        let model_dir = self.doc.dir.clone();
        let relative = join(dir, &file);
        let bytes = (self.files.read_path(model_dir.as_ref(), &file))
            .map(|b| (b, join(&model_dir, &file)))
            .or_else(|e| -> Result<_, String> {
                let other = self.files.read_path(model_dir.as_ref(), &relative).map_err(|_| e)?;
                Ok((other, join(&model_dir, &relative)))
            });
        let (bytes, full) = match bytes {
            Ok(found) => found,
            Err(words) => {
                self.diag.error("missing-file", span, words);
                return None;
            }
        };

        // the same file twice, in MuJoCo's sense or as a cycle; bounds on the total size
        if self.included.contains(&file) || self.open.contains(&full) {
            self.diag.error("include", span, format!("File '{file}' already included"));
            return None;
        }
        self.text += bytes.len();
        let tree = &self.doc.tree;
        if tree.sources.len() >= MAX_FILES || tree.len() > MAX_NODES || self.text > MAX_TEXT {
            self.diag.error("include", span, format!("File '{file}': too much is included"));
            return None;
        }
        if bytes.is_empty() {
            self.diag.error("include", span, format!("Empty file '{file}'"));
            return None;
        }

        // its elements
        let text = text_of(&bytes);
        let source = Source { path: full.clone(), text, included: Some(span), ..Source::default() };
        let root = self.doc.tree.parse(source, self.diag);
        let next_dir = dir_name(&full).to_owned();
        while self.doc.include_dirs.len() < self.doc.tree.sources.len() {
            self.doc.include_dirs.push(next_dir.clone());
        }
        let root = root?;
        self.included.insert(relative);
        if self.doc.tree.node(root).children().next().is_none() {
            self.diag.error("include", span, format!("Empty include file '{file}'"));
            return None;
        }
        self.open.push(full);
        self.splice(root, &next_dir, depth);
        self.open.pop();
        Some(root)
    }
}
