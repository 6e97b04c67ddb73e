//! `cargo xtask ptx`: the kernel for a GPU, from Rust to PTX and to machine code.
//!
//! Debian's compiler for the web has NVIDIA's target and comes with the source of `core`; nothing
//! else is needed, no toolkit and no linker. The result is committed, so that a build of the
//! workspace needs none of this; `tidy` compares it with the sources it was built from.

mod kernel;
mod machine;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::ci::check;
use kernel::{ENTRY, PROGRAMS, hash, read};

pub use kernel::KERNELS;

const TARGET: &str = "nvptx64-nvidia-cuda";
/// The oldest cards that the kernel runs on: Ampere, of 2020.
const CARD: &str = "sm_80";
/// Where Debian's packages put the compiler and the source of its library.
const COMPILER: &str = "/usr/bin/rustc";
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
/// The oldest compiler that knows a panic that traps at once.
const OLDEST: (u32, u32) = (1, 91);
/// The last flag bounds the bytes that are copied in words. Larger copies go byte by byte, in loops
/// that took a fifth of a step with meshes.
const FLAGS: [&str; 5] = [
    "-Zunstable-options",
    "-Cpanic=immediate-abort",
    "-Copt-level=3",
    "-Ccodegen-units=1",
    "-Cllvm-args=-mem-intrinsic-expand-size=8192",
];

/// Before each source in the head of the kernel.
const SOURCE: &str = "// source ";

/// `cargo xtask ptx`: builds the kernel; with `--check` compares it with the committed one.
pub fn run(args: &[String]) -> Result<(), String> {
    let compare = match args {
        [] => false,
        [only] if only == "--check" => true,
        _ => return Err("usage: cargo xtask ptx [--check]".to_owned()),
    };
    let root = crate::root();
    let version = compiler()?;
    let sysroot = sysroot(&root, &version)?;
    let text = build(&root, &version, &sysroot)?;
    inspect(&text)?;
    let folder = root.join(KERNELS);
    fs::create_dir_all(&folder).map_err(|e| format!("{KERNELS}: {e}"))?;
    for number in PROGRAMS {
        let path = folder.join(number).with_extension("ptx");
        let program = program(&text, number);
        if !compare {
            fs::write(&path, program).map_err(|e| format!("{}: {e}", path.display()))?;
        } else if code(&read(&path)?) != code(&program) {
            let path = path.display();
            return Err(format!("{path} is not what the sources make: run cargo xtask ptx"));
        }
    }
    if compare { Ok(()) } else { machine::translate(&root) }
}

/// The kernel without functions that only steps of other numbers call.
fn program(text: &str, number: &str) -> String {
    // functions, with the text between them
    let mut parts: Vec<(Option<&str>, Vec<&str>)> = vec![(None, Vec::new())];
    for line in text.lines() {
        let ended = parts.last().is_some_and(|(name, lines)| name.is_some() && is_whole(lines));
        let name = function_name(line);
        if ended || name.is_some() {
            parts.push((name, Vec::new()));
        }
        if let Some((_, lines)) = parts.last_mut() {
            lines.push(line);
        }
    }

    // functions that a remaining entry calls
    let is_entry = |lines: &[&str]| lines.first().is_some_and(|line| line.contains(".entry"));
    let mut wanted: Vec<&str> = Vec::new();
    let mut next: Vec<&str> = parts
        .iter()
        .filter(|(_, lines)| is_entry(lines))
        .filter_map(|p| p.0)
        .filter(|name| {
            let number_of_entry = name.strip_prefix(ENTRY);
            number_of_entry.is_none_or(|other| other == number)
        })
        .collect();
    while let Some(name) = next.pop() {
        wanted.push(name);
        let bodies = parts.iter().filter(|part| part.0 == Some(name)).flat_map(|part| &part.1);
        let words = bodies
            .filter(|line| line.contains("call"))
            .flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')));
        for word in words {
            let callee = parts.iter().filter_map(|part| part.0).find(|&name| name == word);
            next.extend(callee.filter(|name| !wanted.contains(name) && !next.contains(name)));
        }
    }
    let stays = parts.iter().filter(|(name, _)| name.is_none_or(|name| wanted.contains(&name)));
    let lines: Vec<&str> = stays.flat_map(|part| part.1.iter().copied()).collect();
    lines.join("\n") + "\n"
}

/// Whether a function has ended: with its body, or as a declaration without one.
fn is_whole(lines: &[&str]) -> bool {
    let last = lines.last().copied().unwrap_or_default();
    last == "}" || last.ends_with(';') && !lines.contains(&"{")
}

/// The name of the function that a line begins.
fn function_name(line: &str) -> Option<&str> {
    if !line.starts_with('.') || !(line.contains(".entry ") || line.contains(".func ")) {
        return None;
    }
    let name = line.trim_end_matches(['(', ')', ';', ' ']).rsplit([' ', ')', '\t']).next();
    name.filter(|name| !name.is_empty())
}

/// The version of the compiler; installs it with apt where it can.
fn compiler() -> Result<String, String> {
    let found = version();
    if found.is_some() {
        return usable(found);
    }
    for arguments in [&["update", "-q"][..], &["install", "-y", "-q", "--no-install-recommends"]] {
        let mut apt = Command::new("apt-get");
        apt.args(arguments);
        if arguments.len() > 2 {
            apt.args(PACKAGES);
        }
        let _ = check(apt);
    }
    usable(version())
}

/// The version that Debian's compiler has, if it is there with the source of the same version.
fn version() -> Option<String> {
    let told = Command::new(COMPILER).arg("--version").output().ok()?;
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    let version = told.split_whitespace().nth(1)?.to_owned();
    library(&version).join("src/lib.rs").exists().then_some(version)
}

fn usable(version: Option<String>) -> Result<String, String> {
    let wanted = || {
        let [compiler, source] = PACKAGES;
        let (major, minor) = OLDEST;
        format!(
            "the kernel is built by Debian's compiler {major}.{minor} or later: \
             apt-get install {compiler} {source}"
        )
    };
    let version = version.ok_or_else(wanted)?;
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    let parts = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    if parts < OLDEST { Err(format!("{version} is installed; {}", wanted())) } else { Ok(version) }
}

/// The source of `core`.
fn library(version: &str) -> PathBuf {
    PathBuf::from(format!("/usr/src/rustc-{version}/library/core"))
}

/// A folder with `core` for the GPU, built once: half a minute.
fn sysroot(root: &Path, version: &str) -> Result<PathBuf, String> {
    let sysroot = root.join("target/ptx").join(version).join("sysroot");
    let libraries = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    let failed = |e: std::io::Error| format!("{}: {e}", libraries.display());
    fs::create_dir_all(&libraries).map_err(failed)?;
    let core = libraries.join("libcore.rlib");
    if !core.exists() {
        let source = library(version).join("src/lib.rs");
        let unfinished = libraries.join("unfinished.rlib");
        check(rustc("core", "2024", &source, &unfinished))?;
        fs::rename(&unfinished, &core).map_err(failed)?;
    }

    // the compiler asks for this crate by name; a kernel without copies of large values and
    // without 128-bit division calls nothing in it
    let builtins = libraries.join("libcompiler_builtins.rlib");
    if !builtins.exists() {
        let source = libraries.join("compiler_builtins.rs");
        let text = "#![no_std]\n#![allow(internal_features)]\n\
                    #![feature(compiler_builtins)]\n#![compiler_builtins]\n";
        fs::write(&source, text).map_err(failed)?;
        let mut build = rustc("compiler_builtins", "2021", &source, &builtins);
        build.arg("--extern").arg(format!("core={}", core.display()));
        check(build)?;
    }
    Ok(sysroot)
}

/// The command that builds a crate of the sysroot.
fn rustc(name: &str, edition: &str, source: &Path, to: &Path) -> Command {
    let mut build = Command::new(COMPILER);
    build.args(["--crate-name", name, "--crate-type", "rlib", "--edition", edition]).arg(source);
    build.args(["--target", TARGET, "-C", &format!("target-cpu={CARD}")]).args(FLAGS);
    build.args(["-Cembed-bitcode=yes", "-Zforce-unstable-if-unmarked", "--cap-lints", "allow"]);
    build.arg("-o").arg(to).env("RUSTC_BOOTSTRAP", "1");
    build
}

/// The kernel as text, after a head that names the compiler and the sources.
fn build(root: &Path, version: &str, sysroot: &Path) -> Result<String, String> {
    let folder = root.join("target/ptx").join(version);
    let flags = format!("--sysroot {} -Ctarget-cpu={CARD} {}", sysroot.display(), FLAGS.join(" "));
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(root).env("CARGO_TARGET_DIR", &folder);
    cargo.env("RUSTC", COMPILER).env("RUSTC_BOOTSTRAP", "1");
    cargo.env("CARGO_TARGET_NVPTX64_NVIDIA_CUDA_RUSTFLAGS", flags);
    cargo.args(["rustc", "--quiet", "--profile", "dist", "--package", "sinew-kernel", "--lib"]);
    // link-time optimization ends in assembly, and nothing is linked
    cargo.args(["--target", TARGET, "--crate-type", "cdylib"]);
    cargo.args(["--features", "lockstep", "--", "--emit=asm", "-Clinker=/bin/true", "-Awarnings"]);
    check(cargo)?;

    // the head, then the code
    let built = folder.join(TARGET).join("dist");
    let code = read(&built.join("deps/sinew_kernel.s"))?;
    let made_of = read(&built.join("sinew_kernel.d"))?;
    let (_, sources) = made_of.split_once(": ").ok_or("no list of sources")?;
    let mut sources: Vec<&str> = sources.split_whitespace().collect();
    sources.sort_unstable();
    let mut text =
        format!("// The kernel of sinew-kernel, made by cargo xtask ptx with rustc {version}.\n");
    for source in sources {
        let path = Path::new(source);
        let name = path.strip_prefix(root).map_err(|e| format!("{source}: {e}"))?;
        let hash = hash(&read(path)?);
        text.push_str(&format!("{SOURCE}{hash:016x} {}\n", name.display()));
    }
    let start = code.find(".version").ok_or("the compiler wrote no PTX")?;
    text.push_str(&code[start..]);

    // without the pragma, unrolled loops overflow the instruction cache, on which a humanoid's step
    // spent two thirds of its time. The gain is 2.0 to 3.8 million steps per second on an H200.
    let size = ".address_size 64\n";
    Ok(text.replacen(size, &format!("{size}.pragma \"nounroll\";\n"), 1))
}

/// The text of a kernel after its head.
fn code(text: &str) -> &str {
    text.find("\n.version").map_or(text, |at| &text[at..])
}

/// Rejects rounding that differs from the processor's, and calls of functions that do not exist.
/// Reports the size of the program and its local memory.
fn inspect(text: &str) -> Result<(), String> {
    let head = text.lines().take_while(|line| !line.starts_with(".version"));
    if let Some(line) = head.filter(|line| !line.is_empty()).find(|line| !line.starts_with("//")) {
        return Err(format!("the kernel does not begin with its version: {line}"));
    }
    for (word, why) in [
        ("\tfma.", "a fused multiply-add"),
        ("\tmad.rn.f", "a fused multiply-add"),
        (".approx", "an approximate operation"),
        (".ftz", "an operation that drops small numbers"),
        (".extern", "a function or number that is not there"),
    ] {
        if let Some(line) = text.lines().find(|line| line.contains(word)) {
            return Err(format!("the kernel has {why}: {}", line.trim()));
        }
    }
    // without its own rounding an operation may be fused later
    for kind in ["add", "sub", "mul", "div", "sqrt"] {
        for number in ["f32", "f64"] {
            let word = format!("\t{kind}.{number}");
            if text.contains(&word) {
                return Err(format!("the kernel has {word} without a rounding mode"));
            }
        }
    }
    let lines = |word: &str| text.lines().filter(|line| line.contains(word)).count();
    eprintln!(
        "{} lines, {} calls, {} reads and {} writes of local memory",
        text.lines().count(),
        lines("\tcall"),
        lines("ld.local"),
        lines("st.local"),
    );
    Ok(())
}

/// The sources that changed since the kernel was built, and the kernels that changed since
/// their translation.
pub(crate) fn changed(root: &Path) -> Result<Vec<String>, String> {
    let mut changed = machine::changed(root)?;
    for number in PROGRAMS {
        let path = root.join(KERNELS).join(number).with_extension("ptx");
        if !path.exists() {
            continue;
        }
        let text = read(&path)?;
        let sources = text.lines().filter_map(|line| line.strip_prefix(SOURCE)?.split_once(' '));
        for (wanted, name) in sources {
            let same =
                read(&root.join(name)).is_ok_and(|text| format!("{:016x}", hash(&text)) == wanted);
            if !same && !changed.iter().any(|other| other == name) {
                changed.push(name.to_owned());
            }
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_program_has_what_its_entry_calls() {
        let text = ".version 7.0\n.func used(\n)\n{\n\tret;\n}\n.func other(\n)\n{\n\tret;\n}\n\
                    .visible .entry copy_rows(\n)\n{\n\tret;\n}\n\
                    .visible .entry step_f64(\n)\n{\n\tcall.uni used, ();\n}\n\
                    .visible .entry step_f32(\n)\n{\n\tcall.uni other, ();\n}\n";
        let double = super::program(text, "f64");
        assert!(double.contains("func used") && double.contains("copy_rows"), "{double}");
        assert!(!double.contains("other") && !double.contains("step_f32"), "{double}");
        assert_eq!(super::program(text, "f32").matches("\n}").count(), 3);
    }
}
