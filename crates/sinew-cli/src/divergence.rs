//! Report of `run` about a bad state, and the recording that it writes for `replay` and `view`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::{Value, json};
use sinew::diagnose::{Diagnosis, Edit, Finding, NoDiagnosis, Watch, Weight};
use sinew::model::enums::StateBit;
use sinew::model::state::set_state;
use sinew::{Data, Model};

use crate::progress::Waiting;
use crate::recording::Recording;

/// Longest time for trying remedies, since the run has ended.
const LONGEST: Duration = Duration::from_secs(10);

/// A run with a bad state.
pub(crate) struct Divergence {
    diagnosis: Result<Diagnosis, NoDiagnosis>,
    /// Recording of the states before, if it could be written.
    states: Option<PathBuf>,
}

impl Divergence {
    /// Finds the cause and writes the last good states beside the other output.
    pub(crate) fn new(m: &Model, watch: &Watch, model: &Path, out: Option<&Path>) -> Divergence {
        let _waiting = Waiting::new("running the last part again, to find the cause".to_string());
        let until = Instant::now() + LONGEST;
        let diagnosis = watch.diagnose_while(m, || Instant::now() < until);
        let states = diagnosis.as_ref().ok().and_then(|found| {
            let file = file_name(model, out);
            write_states(m, watch, model, found.step, &file).ok().map(|()| file)
        });
        Divergence { diagnosis, states }
    }

    /// The report as text.
    pub(crate) fn text(&self, model: &Path) -> String {
        let mut text = match &self.diagnosis {
            Ok(found) => format!("{found}\n"),
            Err(why) => format!("diverged; {why}\n"),
        };
        if let Some(file) = &self.states {
            let (file, model) = (file.display(), model.display());
            text.push_str(&format!(
                "  states {file}: sinew replay {file}, or sinew view {model} --at {file}\n"
            ));
        }
        text
    }

    /// The report as JSON.
    pub(crate) fn json(&self) -> Value {
        let Ok(found) = &self.diagnosis else { return json!({ "cause": null }) };
        let name = |part: &sinew::diagnose::Element| json!(part.to_string());
        json!({
            "step": found.step,
            "time": found.bad.time,
            "since": found.since,
            "what": found.bad.to_string(),
            "joint": found.joint.as_ref().map(name),
            "body": found.body.as_ref().map(name),
            "contact": found.contact.as_ref().map(|pair| pair.each_ref().map(name)),
            "cause": finding_json(&found.cause),
            "others": found.others.iter().map(finding_json).collect::<Vec<_>>(),
            "states": self.states.as_ref().map(|path| path.display().to_string()),
        })
    }
}

/// A finding as JSON.
pub(crate) fn finding_json(finding: &Finding) -> Value {
    let remedy = |r: &sinew::diagnose::Remedy| {
        let edits: Vec<String> = r.change.0.iter().map(Edit::to_string).collect();
        json!({ "text": r.text, "edits": edits, "held": r.held })
    };
    json!({
        "code": finding.cause.code(),
        "severity": if finding.weight == Weight::Warning { "warning" } else { "note" },
        "message": finding.text,
        "parts": finding.parts.iter().map(|p| p.to_string()).collect::<Vec<_>>(),
        "remedies": finding.remedies.iter().map(remedy).collect::<Vec<_>>(),
    })
}

/// The path `MODEL-diverged.npz` in the folder of the output or in the current folder.
fn file_name(model: &Path, out: Option<&Path>) -> PathBuf {
    let stem = model.file_stem().map_or("model".into(), |stem| stem.to_string_lossy());
    let folder = out.and_then(Path::parent).unwrap_or(Path::new(""));
    folder.join(format!("{stem}-diverged.npz"))
}

/// Repeats the last good steps and records them.
fn write_states(m: &Model, watch: &Watch, model: &Path, bad: u64, file: &Path) -> Result<()> {
    let mut d = Data::new(m);
    set_state(m, &mut d, watch.start(), StateBit::Integration.0)?;
    let steps = usize::try_from(bad.saturating_sub(watch.first() + 1))?;
    let mut recording = Recording::new(m, &d, model, steps + 1)?;
    recording.push(m, &d);
    for _ in 0..steps {
        sinew::step(m, &mut d);
        recording.push(m, &d);
    }
    recording.write(file)
}
