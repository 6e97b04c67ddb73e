//! The committed kernels, and the text of sources.

use std::fs;
use std::path::Path;

/// Where the committed kernels are.
pub const KERNELS: &str = "crates/sinew-gpu/ptx";

/// A program for each kind of number, for plain models and then for all: the one table of their
/// names. Each has one entry of `sinew-kernel`, so that a GPU holds no more than it runs.
/// `sinew-gpu` counts the programs in this order.
pub(super) const PROGRAMS: [&str; 4] = ["f64", "f32", "f64_full", "f32_full"];

/// Before the name of a program in the name of its entry.
pub(super) const ENTRY: &str = "step_";

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
    use super::{ENTRY, KERNELS, PROGRAMS, hash, read};

    #[test]
    fn the_kernel_has_an_entry_for_each_program() {
        let source = read(&crate::root().join("crates/sinew-kernel/src/job.rs"));
        let source = source.expect("the source of the entries");
        let entries = source.split("extern \"ptx-kernel\" fn ").skip(1);
        let entries: Vec<_> = entries.filter_map(|text| text.split('(').next()).collect();
        assert_eq!(entries, PROGRAMS.map(|name| format!("{ENTRY}{name}")));

        let table = read(&crate::root().join(KERNELS).join("machine.rs"));
        let table = table.expect("the table of programs");
        let rows = PROGRAMS.map(|name| format!("(\"{ENTRY}{name}\", include_str!(\"{name}.ptx\")"));
        let places = rows.map(|row| table.find(&row).expect("a row of the program"));
        assert!(places.is_sorted());
    }

    #[test]
    fn a_hash_is_of_the_code_alone() {
        let code = "fn f() -> &'static str {\n    \"a // b\"\n}\n";
        let with_words = "/// Says.\nfn f() -> &'static str {\n\n  // so\n  \"a // b\"\n}\n";
        assert_eq!(hash(code), hash(with_words));
        assert_ne!(hash(code), hash(&code.replace("// b", "// c")));
    }
}
