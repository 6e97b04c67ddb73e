//! `sinew view`: shows a model in the browser.

use std::fs::File;
use std::io::Read;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::json;
use sinew::LoadOptions;
use sinew::model::enums::StateBit;
use sinew::model::state::{get_state, state_size};
use sinew_view::{MAX_POLICY, Options, Policy, Start, ViewError, Viewer};

use crate::common::Common;
use crate::recording::Recording;
use crate::{diagnostics, keyframe, out, replay};

pub(crate) const EXAMPLES: &str = "Examples:
  sinew view models/humanoid.xml
  sinew view models/arm.xml --key home --paused
  sinew run arm.xml; sinew view arm.xml --at arm-diverged.npz
  sinew view models/quadruped.xml --policy runs/walk/drive.onnx
  sinew view models/quadruped.xml --camera track --port 8000 --no-open

The page is served to this machine alone, at an address with a random token. To see it from
elsewhere, forward the port: ssh -L 8000:127.0.0.1:8000 HOST";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF or MJB; it is reloaded whenever it or a file it names is saved
    model: PathBuf,
    /// Port to listen at; 0 chooses a free port
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Address to listen at; other machines can reach any but a loopback address
    #[arg(long, default_value = "127.0.0.1")]
    address: IpAddr,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Start paused; otherwise the simulation starts when the page is open
    #[arg(long, conflicts_with = "play")]
    paused: bool,
    /// Start at once, before a page is open
    #[arg(long)]
    play: bool,
    /// Camera of the model to look through, by name or number
    #[arg(long, value_name = "C")]
    camera: Option<String>,
    /// Keyframe to start from, by name or number
    #[arg(long, value_name = "K")]
    key: Option<String>,
    /// Start at the last state of a recording (.npz or .mcap), as `sinew run` leaves it when a
    /// simulation goes bad; time waits for the user
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    at: Option<PathBuf>,
    /// Let a policy drive the robot: an ONNX file as `python -m sinew.gym.ppo` writes (drive.onnx);
    /// arrow keys set its commands
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Let the model name files outside of its folder
    #[arg(long)]
    unconfined: bool,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    ensure!(
        common.set.is_empty(),
        "--set does not last when a file is saved; edit the model instead"
    );
    let load = LoadOptions { confine: !args.unconfined, ..common.load_options() };

    // initial state
    let key = match &args.key {
        Some(key) => Some(keyframe::find(&diagnostics::model(&args.model, common)?, key)?),
        None => None,
    };
    let state = match &args.at {
        Some(file) => Some(last_state(file, &args.model, common)?),
        None => None,
    };
    let options = Options {
        address: args.address,
        port: args.port,
        start: match () {
            () if args.play => Start::Now,
            () if args.paused || args.at.is_some() => Start::Paused,
            () => Start::Seen,
        },
        camera: args.camera.clone(),
        key,
        state,
        policy: args.policy.as_deref().map(policy).transpose()?,
        load,
    };

    // the server
    let (mut viewer, warnings) = Viewer::start(&args.model, options).map_err(reason)?;
    if !warnings.is_empty() {
        eprintln!("{}", warnings.trim_end());
    }

    // the address
    let url = viewer.server().url();
    if !viewer.server().is_local() {
        eprintln!(
            "warning: anyone who can reach {} and learns the address below can steer this \
             simulation and load models into it; nothing is encrypted",
            args.address
        );
    }
    if common.json {
        out::json(&json!({ "url": url }))?;
    } else {
        out::text(&format!("{}\n{url}\nCtrl-C ends the viewer.\n", args.model.display()))?;
    }

    // run until stopped
    if !args.no_open {
        open(&url);
    }
    viewer.run(|| false);
    Ok(ExitCode::SUCCESS)
}

/// The policy in a file, of which no more is read than a policy may have.
fn policy(file: &Path) -> Result<Policy> {
    let shown = file.display();
    let mut bytes = Vec::new();
    File::open(file)
        .and_then(|file| file.take(MAX_POLICY as u64 + 1).read_to_end(&mut bytes))
        .with_context(|| format!("cannot read {shown}"))?;
    Policy::read(&bytes).map_err(|why| anyhow!("{shown} is not a policy: {why}"))
}

/// The state at the end of a recording, computed by repeating its steps.
fn last_state(file: &Path, model: &Path, common: &Common) -> Result<Vec<f64>> {
    let recording = Recording::read(file)?;
    let m = diagnostics::model(model, common)?;
    let (d, parted) = replay::repeat(&recording, &m, &file.display().to_string())?;
    ensure!(
        parted.is_none(),
        "{} is not a recording of {}: they part at step {}",
        file.display(),
        model.display(),
        parted.unwrap_or(0)
    );
    let mut state = vec![0.0; state_size(&m, StateBit::Integration.0)?];
    get_state(&m, &d, &mut state, StateBit::Integration.0)?;
    Ok(state)
}

/// The reason why the model cannot be viewed.
fn reason(error: ViewError) -> anyhow::Error {
    match error {
        ViewError::Model(error) => anyhow!("{}", error.to_string().trim_end()),
        other => anyhow!(other),
    }
}

/// Asks the system to open a page; on failure the user has the printed address.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null());
    let _ = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
