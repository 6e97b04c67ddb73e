//! Where the bytes of models and assets come from: memory first, then the disk.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::spec::Scope;

/// No file larger than this is read (bytes): a bound on memory, far above any real asset.
pub const MAX_FILE: u64 = 1 << 31;

/// Files in memory, by name; they come before those on disk.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    files: HashMap<String, Vec<u8>>,
}

impl Assets {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces it.
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(normalize(&name.into()), bytes.into());
    }

    /// The file of this path, or of the same base name.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        let exact = self.files.get(&normalize(path));
        exact.or_else(|| self.files.get(base_name(path))).map(Vec::as_slice)
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

impl<N: Into<String>, B: Into<Vec<u8>>> FromIterator<(N, B)> for Assets {
    fn from_iter<I: IntoIterator<Item = (N, B)>>(files: I) -> Self {
        let mut out = Assets::new();
        for (name, bytes) in files {
            out.insert(name, bytes);
        }
        out
    }
}

/// Which folder of the compiler settings an asset's path is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssetKind {
    /// `meshdir`: meshes and height fields.
    Mesh,
    /// `texturedir`: textures.
    Texture,
}

/// Reads assets for the compiler.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// Files in memory.
    pub assets: &'a Assets,
}

impl<'a> Files<'a> {
    /// The bytes of an asset named `file` in the given scope, or MuJoCo's words why not.
    pub fn read(
        &self,
        scope: &Scope,
        kind: AssetKind,
        file: &str,
    ) -> Result<Cow<'a, [u8]>, String> {
        let path = asset_path(scope, kind, file);
        self.read_path(&scope.dir, &path)
    }

    /// The bytes of a path that is relative to `dir`.
    pub fn read_path(&self, dir: &Path, path: &str) -> Result<Cow<'a, [u8]>, String> {
        let full = dir.join(path);
        let name = full.to_string_lossy();
        if let Some(bytes) = self.assets.get(&name).or_else(|| self.assets.get(path)) {
            return Ok(Cow::Borrowed(bytes));
        }
        match std::fs::metadata(&full) {
            Ok(info) if info.is_file() && info.len() <= MAX_FILE => {}
            _ => return Err(format!("Error opening file '{name}'")),
        }
        std::fs::read(&full).map(Cow::Owned).map_err(|_| format!("Error opening file '{name}'"))
    }
}

/// Path of an asset relative to the model's folder: `strippath`, then `meshdir`, `texturedir` or
/// `assetdir`.
pub fn asset_path(scope: &Scope, kind: AssetKind, file: &str) -> String {
    let c = &scope.compiler;
    let file = if c.strippath.or(false) { base_name(file) } else { file };
    let own = match kind {
        AssetKind::Mesh => &c.meshdir,
        AssetKind::Texture => &c.texturedir,
    };
    let dir = if own.is_set() { own.text() } else { c.assetdir.text() };
    PathBuf::from(dir).join(file).to_string_lossy().into_owned()
}

/// What follows the last separator.
pub fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A path without `.` and with `..` resolved where possible, `/` between its parts.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|p| !p.is_empty() && *p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
