//! Where the bytes of models and assets come from: memory first, then the disk.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use crate::spec::{Scope, Spec};

/// No file larger than this is read (bytes): a bound on memory, far above any real asset.
pub(crate) const MAX_FILE: u64 = 1 << 31;

/// Files in memory, by name; they come before those on disk.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    files: HashMap<String, Vec<u8>>,
    /// The first file of each base name in small letters.
    by_base: HashMap<String, String>,
}

impl Assets {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file, or replaces it.
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        let name = reduce(&name.into());
        self.by_base.entry(base_name(&name).to_lowercase()).or_insert_with(|| name.clone());
        self.files.insert(name, bytes.into());
    }

    /// The file of this path, else one of the same base name in any case of letters.
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        if self.files.is_empty() {
            return None;
        }
        let by_base = || self.files.get(self.by_base.get(&base_name(path).to_lowercase())?);
        self.files.get(&reduce(path)).or_else(by_base).map(Vec::as_slice)
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
pub(crate) enum AssetKind {
    /// `meshdir`: meshes and height fields.
    Mesh,
    /// `texturedir`: textures.
    Texture,
}

/// Reads assets for the compiler.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files<'a> {
    /// Files in memory.
    pub(crate) assets: &'a Assets,
    /// The only folder that is read from on disk; all are if none is given.
    pub(crate) confined_to: Option<&'a Path>,
}

impl<'a> Files<'a> {
    /// The bytes of an asset named `file` in the given scope, or MuJoCo's words why not.
    pub(crate) fn read(
        &self,
        scope: &Scope,
        kind: AssetKind,
        file: &str,
    ) -> Result<Cow<'a, [u8]>, String> {
        let path = asset_path(scope, kind, file);
        self.read_path(&scope.dir, &path)
    }

    /// The bytes of a path that is relative to `dir`.
    pub(crate) fn read_path(&self, dir: &Path, path: &str) -> Result<Cow<'a, [u8]>, String> {
        let full = join(&dir.to_string_lossy(), path);
        if let Some(bytes) = self.assets.get(&full) {
            return Ok(Cow::Borrowed(bytes));
        }
        if !self.allows(&full) {
            return Err(format!("Error opening file '{path}': it is outside the model's folder"));
        }
        let wrong = |_| format!("Error opening file '{path}'");
        if !std::fs::metadata(&full).is_ok_and(|info| info.is_file() && info.len() <= MAX_FILE) {
            return Err(wrong(()));
        }
        std::fs::read(&full).map(Cow::Owned).map_err(|_| wrong(()))
    }

    /// Whether a path relative to `dir` can be read.
    pub(crate) fn exists(&self, dir: &Path, path: &str) -> bool {
        let full = join(&dir.to_string_lossy(), path);
        self.assets.get(&full).is_some() || self.allows(&full) && Path::new(&full).is_file()
    }

    /// Whether a file may be read: it is in the folder, with links and `..` resolved. What does not
    /// exist may not.
    fn allows(&self, path: &str) -> bool {
        let Some(folder) = self.confined_to else { return true };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        match (folder.canonicalize(), Path::new(path).canonicalize()) {
            (Ok(folder), Ok(path)) => path.starts_with(folder),
            _ => false,
        }
    }
}

/// Path of an asset relative to the model's folder: `strippath`, then `meshdir` or `texturedir`
/// (an `assetdir` has set both when the file was read).
pub(crate) fn asset_path(scope: &Scope, kind: AssetKind, file: &str) -> String {
    let c = &scope.compiler;
    let file = if c.strippath.or(false) { base_name(file) } else { file };
    let dir = match kind {
        AssetKind::Mesh => &c.meshdir,
        AssetKind::Texture => &c.texturedir,
    };
    join(dir.text(), file)
}
