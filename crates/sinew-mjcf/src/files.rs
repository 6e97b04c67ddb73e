//! Where the bytes of models and assets come from: memory first, then the disk.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use crate::schema::nearest;
use crate::spec::{Attr, Scope};

/// No file larger than this is read (bytes): a bound on memory, far above any real asset.
pub(crate) const MAX_FILE: u64 = 1 << 31;
/// Entries of a folder that are compared with the name of a missing file.
const MAX_LISTED: usize = 4096;

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

    /// All files with their names, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
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

    /// The size of an asset, 0 if it cannot be read.
    pub(crate) fn size(&self, scope: &Scope, kind: AssetKind, file: &str) -> u64 {
        let full = join(&scope.dir.to_string_lossy(), &asset_path(scope, kind, file));
        match self.assets.get(&full) {
            Some(bytes) => bytes.len() as u64,
            None => std::fs::metadata(&full).map_or(0, |info| info.len()),
        }
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
        let wrong = |why: String| format!("Error opening file '{path}': {why}");
        match std::fs::metadata(&full) {
            Err(_) => Err(wrong(self.missing(&full))),
            Ok(info) if !info.is_file() => Err(wrong(format!("'{full}' is not a file"))),
            Ok(info) if info.len() > MAX_FILE => {
                Err(wrong(format!("it has {} bytes, at most {MAX_FILE} are read", info.len())))
            }
            Ok(_) => std::fs::read(&full).map(Cow::Owned).map_err(|e| wrong(e.to_string())),
        }
    }

    /// The folder where a missing file was looked for, and a file there with a similar name.
    fn missing(&self, full: &str) -> String {
        let (dir, name) = (dir_name(full), base_name(full));
        let folder = if dir.is_empty() { Path::new(".") } else { Path::new(dir) };
        let in_memory: Vec<String> = self.assets.iter().map(|(n, _)| base_name(n).into()).collect();
        let Ok(entries) = std::fs::read_dir(folder) else {
            let near = nearest(name, in_memory.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            return format!("there is no folder '{}'{near}", folder.display());
        };
        let names = entries.take(MAX_LISTED).filter_map(|e| e.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.chain(in_memory).collect();
        names.sort_unstable();
        let near = nearest(name, names.iter().map(String::as_str));
        let near = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        format!("it is not in the folder '{}'{near}", folder.display())
    }

    /// Whether a path relative to `dir` can be read.
    pub(crate) fn exists(&self, dir: &Path, path: &str) -> bool {
        let full = join(&dir.to_string_lossy(), path);
        self.assets.get(&full).is_some() || self.allows(&full) && Path::new(&full).is_file()
    }

    /// Whether a file may be read: it is in the folder, with links and `..` resolved. A file that
    /// does not exist may not be read.
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

/// The name of a file without its folder and extension.
pub(crate) fn stem(path: &str) -> &str {
    let base = base_name(path);
    base.rsplit_once('.').map_or(base, |(stem, _)| stem)
}

/// The name of an asset; the name of its file where it has none of its own.
pub(crate) fn asset_name<'a>(name: &'a Attr<String>, file: &'a Attr<String>) -> &'a str {
    if name.text().is_empty() { stem(file.text()) } else { name.text() }
}

/// The part after the last separator.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The folder part of a path, with its last separator.
pub(crate) fn dir_name(path: &str) -> &str {
    &path[..path.len() - base_name(path).len()]
}

/// `path` seen from `dir`; an absolute path stands for itself.
pub(crate) fn join(dir: &str, path: &str) -> String {
    if dir.is_empty() || is_absolute(path) {
        reduce(path)
    } else if dir.ends_with(['/', '\\']) {
        reduce(&format!("{dir}{path}"))
    } else {
        reduce(&format!("{dir}/{path}"))
    }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.contains(":/") || path.contains(":\\")
}

/// A path without `.`, with `..` resolved where possible and `/` between its parts.
pub(crate) fn reduce(path: &str) -> String {
    let prefix = match path.find(":/").or_else(|| path.find(":\\")) {
        _ if path.starts_with(['/', '\\']) => 1,
        Some(at) => at + 2,
        None => 0,
    };
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = &path[prefix..];
    while let Some(at) = rest.find(['/', '\\']) {
        match &rest[..at] {
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            "." => {}
            part => parts.push(part),
        }
        rest = &rest[at + 1..];
    }
    parts.push(rest);
    format!("{}{}", &path[..prefix], parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_reduced_as_in_mujoco() {
        assert_eq!(reduce("a/./b/../c.obj"), "a/c.obj");
        assert_eq!(reduce("../../x\\y"), "../../x/y");
        assert_eq!(join("/m/", "/abs/f"), "/abs/f");
        assert_eq!(join("/m", "s/f"), "/m/s/f");
        assert_eq!(dir_name("a/b.xml"), "a/");
    }

    #[test]
    fn assets_are_found_by_base_name_in_any_case() {
        let assets: Assets = [("meshes/Cube.obj", "x")].into_iter().collect();
        assert!(assets.get("/m/cube.OBJ").is_some());
        assert!(assets.get("meshes/Cube.obj").is_some());
        assert!(assets.get("ball.obj").is_none());
    }
}
