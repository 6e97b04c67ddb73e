//! `sinew convert`: MJCF or URDF to one MJCF file, to a folder or archive with all its files, or to
//! a binary model.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::json;
use sinew::mjcf::Collected;
use sinew::{Model, Spec};

use crate::common::Common;
use crate::diagnostics::{self, Outcome};
use crate::out;
use crate::zip::{Entry, write_zip};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew convert robot.urdf robot.xml
  sinew convert models/arm.xml arm.mjb
  sinew convert models/features/meshes.xml meshes.zip
  sinew convert models/features/meshes.xml meshes/";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF, MJB, or a .zip with a model in it
    model: PathBuf,
    /// File to write: .xml, .mjb, or with all files that the model needs a .zip or a folder (ends
    /// in /)
    out: PathBuf,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let mut outcome = diagnostics::load_waiting(&args.model, common);
    let Some(mut model) = outcome.model.take() else {
        return Err(diagnostics::bad_model(&args.model, outcome));
    };
    if !outcome.diagnostics.is_empty() {
        eprintln!("{}", outcome.text().trim_end());
    }
    common.set.iter().try_for_each(|setting| setting.apply(&mut model))?;

    // the extension selects the format
    let kind = args.out.extension().and_then(|e| e.to_str());
    if kind != Some("mjb") && !common.set.is_empty() {
        bail!("--set changes compiled models only; convert to .mjb instead");
    }
    let written = match kind {
        Some("mjb") => write_file(&args.out, &model.to_binary())?,
        Some("xml") => write_file(&args.out, xml(args, &outcome, &model)?.as_bytes())?,
        Some("zip") => write_archive(args, collected(&outcome, &model)?)?,
        _ if is_folder(&args.out) => write_folder(args, collected(&outcome, &model)?)?,
        _ => bail!("{}: wanted a name that ends in .xml, .mjb, .zip or /", args.out.display()),
    };

    // summary
    let (file, (files, size)) = (args.out.display().to_string(), written);
    match common.json {
        true => out::json(&json!({ "out": file, "files": files, "bytes": size }))?,
        false if files > 1 => {
            out::line(&format!("written   {file} ({files} files, {size} bytes)"))?;
        }
        false => out::line(&format!("written   {file} ({size} bytes)"))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a path is a folder or ends in `/`.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', '\\'])
}

/// The elements of a model; a binary model has none.
fn elements(outcome: &Outcome) -> Result<&Spec> {
    outcome.spec.as_ref().context("a binary model has lost its elements; it cannot become XML")
}

/// The model as one text. In another folder, it refers to its files by absolute paths.
fn xml(args: &Args, outcome: &Outcome, model: &Model) -> Result<String> {
    let spec = elements(outcome)?;
    let folder = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        folder.canonicalize().ok()
    };
    if outcome.assets.is_empty() && folder(&args.model) == folder(&args.out) {
        return Ok(spec.to_xml(Some(model)));
    }
    let named = collected(outcome, model)?.files;
    match (named.is_empty(), outcome.assets.is_empty()) {
        (true, _) => Ok(spec.to_xml(Some(model))),
        (false, true) => spec.to_xml_anywhere(Some(model)).map_err(|e| anyhow!(e)),
        (false, false) => {
            bail!("the files of the model are in an archive; convert to .zip or a folder")
        }
    }
}

fn collected(outcome: &Outcome, model: &Model) -> Result<Collected> {
    elements(outcome)?.collect(&outcome.assets, Some(model)).map_err(|e| anyhow!(e))
}

/// Writes one file and returns the number of files and their size.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(usize, usize)> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok((1, bytes.len()))
}

/// The name of the XML file among the files.
fn name(args: &Args) -> String {
    let stem = args.model.file_stem().map_or("model".into(), |stem| stem.to_string_lossy());
    format!("{stem}.xml")
}

fn write_archive(args: &Args, collected: Collected) -> Result<(usize, usize)> {
    let written = || format!("cannot write {}", args.out.display());
    let mut file = BufWriter::new(File::create(&args.out).with_context(written)?);
    let count = 1 + collected.files.len();
    let text = Entry { name: name(args), bytes: collected.xml.into_bytes() };
    let files = collected.files.into_iter().map(|(name, bytes)| Entry { name, bytes });
    write_zip(&mut file, [text].into_iter().chain(files))?;
    let size = fs::metadata(&args.out).map_or(0, |info| info.len());
    Ok((count, usize::try_from(size)?))
}

fn write_folder(args: &Args, collected: Collected) -> Result<(usize, usize)> {
    let (mut count, mut size) = (0, 0);
    let text = (name(args), collected.xml.into_bytes());
    for (name, bytes) in [text].into_iter().chain(collected.files) {
        let path = args.out.join(name);
        if let Some(folder) = path.parent() {
            let made = || format!("cannot make the folder {}", folder.display());
            fs::create_dir_all(folder).with_context(made)?;
        }
        size += write_file(&path, &bytes)?.1;
        count += 1;
    }
    Ok((count, size))
}
