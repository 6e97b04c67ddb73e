//! Machine code of the kernel for common cards, by NVIDIA's assembler.
//!
//! A driver that translates the kernel itself takes seconds. The assembler is a program of a Python
//! package; it needs no GPU. A card without machine code here has the kernel translated.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::kernel::{ENTRY, KERNELS, PROGRAMS, hash, read};
use crate::ci::check;

/// The first card of common generations, whose code the later ones of the generation run.
const CARDS: [u32; 2] = [80, 90];
/// Registers of a thread. The fastest layouts on an H200 have this number.
const REGISTERS: u32 = 128;
/// The package with the assembler, and where the assembler is in it.
const PACKAGE: &str = "nvidia-cuda-nvcc-cu12==12.9.86";
const ASSEMBLER: &str = "nvidia/cuda_nvcc/bin/ptxas";
/// The table of machine code, a part of `sinew-gpu`.
const TABLE: &str = "machine.rs";

/// Before each program in the head of the table.
const OF: &str = "// of ";

/// Translates the committed kernels, and writes the table of the results.
pub(super) fn translate(root: &Path) -> Result<(), String> {
    let assembler = assembler(root)?;
    let folder = root.join(KERNELS);
    let mut head = String::from(
        "//! Machine code of the kernel for common cards, made by `cargo xtask ptx`.\n\n",
    );
    let (mut rows, mut texts) = (String::new(), String::new());
    for number in PROGRAMS {
        let program = folder.join(number).with_extension("ptx");
        head.push_str(&format!("{OF}{:016x} {number}.ptx\n", hash(&read(&program)?)));
        texts.push_str(&format!("    (\"{ENTRY}{number}\", include_str!(\"{number}.ptx\")),\n"));
        for card in CARDS {
            let name = format!("{number}.sm_{card}.cubin");
            let mut translation = Command::new(&assembler);
            translation.args(["--gpu-name", &format!("sm_{card}")]);
            translation.args(["--maxrregcount", &REGISTERS.to_string(), "--output-file"]);
            translation.arg(folder.join(&name)).arg(&program);
            check(translation)?;
            rows.push_str(&format!(
                "    ({card}, \"{ENTRY}{number}\", include_bytes!(\"{name}\")),\n"
            ));
        }
    }
    let text = format!(
        "{head}\n/// Registers of a thread.\npub(crate) const REGISTERS: u32 = {REGISTERS};\n\n\
         /// Programs: the entry, and the text.\n\
         pub(crate) static TEXT: [(&str, &str); {}] = [\n{texts}];\n\n\
         /// The first card that runs the code, the entry of the program, and the code.\n\
         pub(crate) static CODE: [(i32, &str, &[u8]); {}] = [\n{rows}];\n",
        PROGRAMS.len(),
        CARDS.len() * PROGRAMS.len()
    );
    let table = folder.join(TABLE);
    fs::write(&table, text).map_err(|e| format!("{}: {e}", table.display()))
}

/// The programs that have changed since they were translated.
pub(super) fn changed(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join(KERNELS);
    let table = folder.join(TABLE);
    if !table.exists() {
        return Ok(Vec::new());
    }
    let table = read(&table)?;
    let of = table.lines().filter_map(|line| line.strip_prefix(OF)?.split_once(' '));
    let mut changed = Vec::new();
    for (wanted, name) in of {
        if format!("{:016x}", hash(&read(&folder.join(name))?)) != wanted {
            changed.push(format!("{KERNELS}/{name}"));
        }
    }
    Ok(changed)
}

/// The assembler, from its package.
fn assembler(root: &Path) -> Result<PathBuf, String> {
    let folder = root.join("target/ptx").join(PACKAGE.replace("==", "-"));
    let program = folder.join(ASSEMBLER);
    if !program.exists() {
        let mut install = Command::new("python3");
        install.args(["-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check"]);
        install.arg("--target").arg(&folder).arg(PACKAGE);
        check(install)?;
    }
    Ok(program)
}
