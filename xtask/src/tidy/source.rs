//! The checked files.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of the workspace with its path relative to the root, `/` between folders.
#[derive(Clone, Debug)]
pub struct Source {
    /// Relative path.
    pub path: String,
    /// Contents.
    pub text: String,
}

/// The text files of the workspace, without build outputs, environments and hidden folders except
/// `.ci`.
pub(super) fn read_all(root: &Path) -> Result<Vec<Source>, String> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if path.is_dir() {
                let hidden = name.starts_with('.') && name != ".ci" && name != ".cargo";
                if !hidden && name != "target" && name != "node_modules" && name != "__pycache__" {
                    folders.push(path);
                }
            } else if is_text(&name)
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.push(Source { path: relative(root, &path), text });
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn is_text(name: &str) -> bool {
    const EXTENSIONS: [&str; 11] =
        ["rs", "toml", "md", "py", "pyi", "xml", "urdf", "txt", "sh", "yml", "yaml"];
    name == "run" || Path::new(name).extension().is_some_and(|e| EXTENSIONS.iter().any(|x| e == *x))
}

fn relative(root: &Path, path: &Path) -> String {
    let rest: PathBuf = path.strip_prefix(root).unwrap_or(path).to_path_buf();
    rest.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
