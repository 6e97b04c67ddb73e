//! The states of a run, written as `.npz` or `.csv`.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sinew::model::enums::ObjType;
use sinew::{Data, Model};

use crate::archive::{self, Array};

/// Most numbers a trajectory may hold: 4 GiB, the limit of the archive.
const MOST_NUMBERS: usize = 1 << 29;

/// One quantity over time: its name, its width, its numbers.
struct Channel {
    name: &'static str,
    width: usize,
    values: Vec<f64>,
}

/// The recorded states, one row per step and one for the start.
pub(crate) struct Trajectory {
    channels: Vec<Channel>,
    rows: usize,
}

impl Trajectory {
    /// An empty trajectory with room for `rows`.
    pub(crate) fn new(m: &Model, rows: usize) -> Result<Trajectory> {
        let widths = [
            ("time", 1),
            ("qpos", m.nq),
            ("qvel", m.nv),
            ("act", m.na),
            ("ctrl", m.nu),
            ("sensordata", m.nsensordata),
        ];
        let width: usize = widths.iter().map(|(_, w)| w).sum();
        let total = rows.checked_mul(width);
        ensure!(
            total.is_some_and(|n| n <= MOST_NUMBERS),
            "{rows} states of {width} numbers are too many to record; simulate less at once"
        );
        let channels = widths.map(|(name, width)| Channel {
            name,
            width,
            values: Vec::with_capacity(rows * width),
        });
        Ok(Trajectory { channels: channels.into(), rows: 0 })
    }

    /// Appends the present state.
    pub(crate) fn push(&mut self, d: &Data) {
        let rows: [&[f64]; 6] = [&[d.time], &d.qpos, &d.qvel, &d.act, &d.ctrl, &d.sensordata];
        for (channel, row) in self.channels.iter_mut().zip(rows) {
            channel.values.extend_from_slice(row);
        }
        self.rows += 1;
    }

    /// Writes the file in the format its extension names.
    pub(crate) fn write(&self, m: &Model, path: &Path) -> Result<()> {
        let kind = Format::of(path)?;
        let create = || File::create(path).map(BufWriter::new);
        let mut file = create().with_context(|| format!("cannot write {}", path.display()))?;
        match kind {
            Format::Npz => {
                let arrays: Vec<Array<'_>> = self.channels.iter().map(|c| self.array(c)).collect();
                archive::write_npz(&mut file, &arrays)
            }
            Format::Csv => {
                let rows = (0..self.rows).map(|r| self.row(r));
                Ok(archive::write_csv(&mut file, &self.columns(m), rows)?)
            }
        }
    }

    fn array<'a>(&self, channel: &'a Channel) -> Array<'a> {
        // time is a vector, all else a matrix
        let shape = match channel.name {
            "time" => vec![self.rows],
            _ => vec![self.rows, channel.width],
        };
        Array { name: channel.name, shape, values: &channel.values }
    }

    fn row(&self, r: usize) -> Vec<f64> {
        let parts = self.channels.iter().map(|c| &c.values[r * c.width..(r + 1) * c.width]);
        parts.flatten().copied().collect()
    }

    fn columns(&self, m: &Model) -> Vec<String> {
        let mut columns = Vec::new();
        for c in &self.channels {
            for i in 0..c.width {
                let actuator =
                    (c.name == "ctrl").then(|| m.id2name(ObjType::Actuator, i)).flatten();
                columns.push(match (c.name, actuator) {
                    ("time", _) => "time".to_string(),
                    (name, Some(label)) if !label.is_empty() => format!("{name}.{label}"),
                    (name, _) => format!("{name}.{i}"),
                });
            }
        }
        columns
    }
}

/// What a trajectory file can be.
pub(crate) enum Format {
    Npz,
    Csv,
}

impl Format {
    /// The format a file name asks for.
    pub(crate) fn of(path: &Path) -> Result<Format> {
        match path.extension().and_then(|e| e.to_str()) {
            Some("npz") => Ok(Format::Npz),
            Some("csv") => Ok(Format::Csv),
            _ => bail!("{}: wanted a name that ends in .npz or .csv", path.display()),
        }
    }
}
