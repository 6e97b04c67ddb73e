//! The committed kernels, and the text of sources.

use std::fs;
use std::path::Path;

/// Where the committed kernels are.
pub const KERNELS: &str = "crates/sinew-gpu/ptx";

/// A program for each kind of number, for plain models and for all. Each has the entry of its name,
/// so that a GPU holds no more than it runs.
pub(super) const PROGRAMS: [&str; 4] = ["f64", "f32", "f64_full", "f32_full"];

/// FNV-1a of a source's lines, without lines of comments: words change no kernel.
pub(super) fn hash(source: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let lines = source.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
        for byte in line.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

/// The text of a file.
pub(super) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn a_hash_is_of_the_code_alone() {
        let code = "fn f() -> &'static str {\n    \"a // b\"\n}\n";
        let with_words = "/// Says.\nfn f() -> &'static str {\n\n  // so\n  \"a // b\"\n}\n";
        assert_eq!(hash(code), hash(with_words));
        assert_ne!(hash(code), hash(&code.replace("// b", "// c")));
    }
}
