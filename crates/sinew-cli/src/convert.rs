//! `sinew convert`: MJCF or URDF to MJCF in one file, or to a binary model.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::common::Common;
use crate::{diagnostics, out};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew convert robot.urdf robot.xml
  sinew convert models/arm.xml arm.mjb";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF or MJB
    model: PathBuf,
    /// File to write: .xml or .mjb
    out: PathBuf,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let model = diagnostics::model(&args.model, common)?;
    let bytes = match args.out.extension().and_then(|e| e.to_str()) {
        Some("mjb") => model.to_binary(),
        Some("xml") => {
            if !common.set.is_empty() {
                bail!("--set changes compiled models only; convert to .mjb instead");
            }
            match diagnostics::load(&args.model, common).spec {
                Some(spec) => spec.to_xml(Some(&model)).into_bytes(),
                None => bail!("a binary model has lost its elements; it cannot become XML"),
            }
        }
        _ => bail!("{}: wanted a name that ends in .xml or .mjb", args.out.display()),
    };
    let written = || format!("cannot write {}", args.out.display());
    fs::write(&args.out, &bytes).with_context(written)?;
    let (file, size) = (args.out.display().to_string(), bytes.len());
    match common.json {
        true => out::json(&json!({ "out": file, "bytes": size }))?,
        false => out::line(&format!("written   {file} ({size} bytes)"))?,
    }
    Ok(ExitCode::SUCCESS)
}
