//! Recordings: the states of a run, with the data to repeat it, as `.npz`, `.csv` or `.mcap`.

mod csv;
mod foxglove;
mod mcap;
mod names;
mod npz;

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Map, Value, json};
use sinew::model::enums::StateBit;
use sinew::model::state::{get_state, state_size};
use sinew::{Data, Model, model_hash, state_hash};

use foxglove::Film;
use npz::{Array, Values};

/// Maximum number of values in a recording: 4 GiB, the limit of a ZIP archive.
const MOST_NUMBERS: usize = 1 << 29;

/// A quantity over time: its name, its columns' names and its values.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) name: String,
    pub(crate) columns: Vec<String>,
    pub(crate) values: Vec<f64>,
}

/// The data needed to repeat a run.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// Path of the model.
    pub(crate) model: String,
    pub(crate) model_hash: u64,
    /// The start state in the layout of `StateBit::Integration`.
    pub(crate) start: Vec<f64>,
    /// The hash of every recorded state.
    pub(crate) hashes: Vec<u64>,
}

/// Recorded states: a row for the start and one for each step.
#[derive(Clone, Debug)]
pub(crate) struct Recording {
    pub(crate) channels: Vec<Channel>,
    pub(crate) rows: usize,
    /// `None` if the file does not contain it.
    pub(crate) origin: Option<Origin>,
    /// The scene, for files that show it.
    film: Option<Film>,
}

impl Recording {
    /// Creates an empty recording with capacity for `rows`.
    pub(crate) fn new(m: &Model, d: &Data, file: &Path, rows: usize) -> Result<Recording> {
        let quantities = names::quantities(m);
        let width: usize = quantities.iter().map(|(_, columns)| columns.len()).sum();
        let total = rows.checked_mul(width);
        ensure!(
            total.is_some_and(|n| n <= MOST_NUMBERS),
            "{rows} states of {width} numbers are too many to record; simulate less at once"
        );
        let channels = quantities.into_iter().map(|(name, columns)| Channel {
            name: name.to_string(),
            values: Vec::with_capacity(rows * columns.len()),
            columns,
        });
        let mut start = vec![0.0; state_size(m, StateBit::Integration.0)?];
        get_state(m, d, &mut start, StateBit::Integration.0)?;
        let origin = Origin {
            model: file.display().to_string(),
            model_hash: model_hash(m),
            start,
            hashes: Vec::with_capacity(rows),
        };
        Ok(Recording { channels: channels.collect(), rows: 0, origin: Some(origin), film: None })
    }

    /// Records the scene too, if the format of `path` has a place for it.
    pub(crate) fn with_scene(mut self, m: &Model, path: &Path) -> Result<Recording> {
        if matches!(Format::of(path)?, Format::Mcap) {
            self.film = Some(Film::new(m)?);
        }
        Ok(self)
    }

    /// Appends a state.
    pub(crate) fn push(&mut self, m: &Model, d: &Data) {
        let rows: [&[f64]; 6] = [&[d.time], &d.qpos, &d.qvel, &d.act, &d.ctrl, &d.sensordata];
        for (channel, row) in self.channels.iter_mut().zip(rows) {
            channel.values.extend_from_slice(row);
        }
        if let Some(origin) = &mut self.origin {
            origin.hashes.push(state_hash(d));
        }
        if let Some(film) = &mut self.film {
            film.push(m, d, self.rows);
        }
        self.rows += 1;
    }

    /// Writes the file in the format of its extension.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let kind = Format::of(path)?;
        let create = || File::create(path).map(BufWriter::new);
        let mut file = create().with_context(|| format!("cannot write {}", path.display()))?;
        match kind {
            Format::Npz => npz::write_npz(&mut file, &self.arrays()),
            Format::Csv => {
                let columns: Vec<String> =
                    self.channels.iter().flat_map(|c| c.columns.clone()).collect();
                let rows = (0..self.rows).map(|r| self.row(r).concat());
                Ok(csv::write_csv(&mut file, &columns, rows)?)
            }
            Format::Mcap => {
                let mut channels = vec![mcap::Channel {
                    id: mcap::STATES,
                    topic: "/state",
                    schema_name: "sinew.State".into(),
                    schema: self.schema().to_string(),
                }];
                channels.extend(self.film.iter().flat_map(|_| foxglove::channels()));
                // in the order of time
                let mut film = self.film.iter().flat_map(Film::messages).peekable();
                let messages = (0..self.rows).flat_map(|r| {
                    let due = || film.next_if(|(row, _)| *row <= r).map(|(_, message)| message);
                    let mut list: Vec<mcap::Message> = std::iter::from_fn(due).collect();
                    list.push(self.message(r));
                    list
                });
                Ok(mcap::write_mcap(&mut file, &self.metadata(), &channels, messages)?)
            }
        }
    }

    /// Reads a file written by this program.
    pub(crate) fn read(path: &Path) -> Result<Recording> {
        let kind = Format::of(path)?;
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let read = match kind {
            Format::Npz => from_arrays(npz::read_npz(&bytes)?),
            Format::Csv => from_table(&String::from_utf8_lossy(&bytes)),
            Format::Mcap => from_messages(&bytes),
        };
        let mut read = read.with_context(|| format!("cannot read {}", path.display()))?;
        let rows = read.rows;
        read.channels.retain(|c| c.values.len() == rows * c.columns.len());
        // formats omit quantities without columns
        read.channels.retain(|c| !c.columns.is_empty());
        Ok(read)
    }

    /// Reads the quantities of a file, each with a number of rows of its own.
    pub(crate) fn read_channels(path: &Path) -> Result<Vec<Channel>> {
        if !matches!(Format::of(path)?, Format::Npz) {
            return Ok(Recording::read(path)?.channels);
        }
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let read = npz::read_npz(&bytes).and_then(from_arrays);
        Ok(read.with_context(|| format!("cannot read {}", path.display()))?.channels)
    }

    pub(crate) fn channel(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|c| c.name == name)
    }

    /// The values of one row, a slice per channel.
    pub(crate) fn row(&self, r: usize) -> Vec<&[f64]> {
        let width = |c: &Channel| c.columns.len();
        self.channels.iter().map(|c| &c.values[r * width(c)..(r + 1) * width(c)]).collect()
    }

    fn arrays(&self) -> Vec<Array> {
        let mut arrays: Vec<Array> = self.channels.iter().map(|c| self.array(c)).collect();
        let columns: Vec<String> = self.channels.iter().flat_map(|c| c.columns.clone()).collect();
        let text = columns.join("\n").into_bytes();
        arrays.push(Array {
            name: "columns".into(),
            shape: vec![text.len()],
            values: Values::Bytes(text),
        });
        if let Some(origin) = &self.origin {
            let list = |name: &str, shape, values| Array { name: name.into(), shape, values };
            let model = origin.model.clone().into_bytes();
            arrays.push(list("model", vec![model.len()], Values::Bytes(model)));
            arrays.push(list("model_hash", vec![1], Values::Whole(vec![origin.model_hash])));
            let start = origin.start.clone();
            arrays.push(list("start", vec![start.len()], Values::Real(start)));
            arrays.push(list("state_hash", vec![self.rows], Values::Whole(origin.hashes.clone())));
        }
        arrays
    }

    fn array(&self, channel: &Channel) -> Array {
        // time is a vector, the others are matrices
        let shape = match channel.name.as_str() {
            "time" => vec![self.rows],
            _ => vec![self.rows, channel.columns.len()],
        };
        let values = Values::Real(channel.values.clone());
        Array { name: channel.name.clone(), shape, values }
    }

    fn metadata(&self) -> Vec<(&'static str, String)> {
        let columns: Map<String, Value> =
            self.channels.iter().map(|c| (c.name.clone(), json!(c.columns))).collect();
        let mut pairs = vec![("columns", Value::Object(columns).to_string())];
        if let Some(origin) = &self.origin {
            pairs.push(("model", origin.model.clone()));
            pairs.push(("model_hash", format!("{:016x}", origin.model_hash)));
            let bits: Vec<String> =
                origin.start.iter().map(|x| format!("{:016x}", x.to_bits())).collect();
            pairs.push(("start", bits.join(" ")));
        }
        pairs
    }

    fn message(&self, r: usize) -> mcap::Message {
        let mut value = Map::new();
        for (channel, row) in self.channels.iter().zip(self.row(r)) {
            value.insert(channel.name.clone(), json!(row));
        }
        if let Some(hash) = self.origin.as_ref().and_then(|origin| origin.hashes.get(r)) {
            value.insert("state_hash".into(), json!(format!("{hash:016x}")));
        }
        let seconds = self.channel("time").map_or(0.0, |c| c.values[r]);
        let time = foxglove::nanoseconds(seconds);
        mcap::Message { channel: mcap::STATES, time, value: Value::Object(value) }
    }

    /// The JSON Schema of a state, by which Foxglove offers the numbers for plots.
    fn schema(&self) -> Value {
        let numbers = json!({ "type": "array", "items": { "type": "number" } });
        let mut members: Map<String, Value> =
            self.channels.iter().map(|c| (c.name.clone(), numbers.clone())).collect();
        members.insert("state_hash".into(), json!({ "type": "string" }));
        json!({ "title": "sinew.State", "type": "object", "properties": members })
    }
}

fn from_arrays(arrays: Vec<Array>) -> Result<Recording> {
    let mut recording = Recording { channels: Vec::new(), rows: 0, origin: None, film: None };
    let mut origin = Origin { model: String::new(), model_hash: 0, start: vec![], hashes: vec![] };
    let mut columns = Vec::new();
    for Array { name, shape, values } in arrays {
        match (name.as_str(), values) {
            ("columns", Values::Bytes(text)) => {
                columns = String::from_utf8(text)?.lines().map(str::to_string).collect();
            }
            ("model", Values::Bytes(text)) => origin.model = String::from_utf8(text)?,
            ("model_hash", Values::Whole(hash)) => {
                origin.model_hash = *hash.first().context("no hash")?
            }
            ("state_hash", Values::Whole(hashes)) => origin.hashes = hashes,
            ("start", Values::Real(start)) => origin.start = start,
            (_, Values::Real(values)) if shape.len() <= 2 => {
                let width = shape.get(1).copied().unwrap_or(1);
                let rows = shape.first().copied().unwrap_or(0);
                ensure!(rows.checked_mul(width) == Some(values.len()), "{name} has a wrong shape");
                recording.rows = recording.rows.max(rows);
                let numbered = (0..width).map(|i| format!("{name}.{i}")).collect();
                recording.channels.push(Channel { name, columns: numbered, values });
            }
            _ => {}
        }
    }

    // names of the columns, if the file has a name for each
    let total: usize = recording.channels.iter().map(|c| c.columns.len()).sum();
    if columns.len() == total {
        let mut names = columns.into_iter();
        for channel in &mut recording.channels {
            channel.columns = names.by_ref().take(channel.columns.len()).collect();
        }
    }
    recording.origin =
        (origin.hashes.len() == recording.rows && !origin.start.is_empty()).then_some(origin);
    Ok(recording)
}

fn from_table(text: &str) -> Result<Recording> {
    let (columns, rows) = csv::read_csv(text)?;
    let mut channels: Vec<Channel> = Vec::new();
    for (k, column) in columns.iter().enumerate() {
        let name = column.split('.').next().unwrap_or(column);
        if channels.last().is_none_or(|c| c.name != name) {
            channels.push(Channel { name: name.into(), columns: vec![], values: vec![] });
        }
        let Some(channel) = channels.last_mut() else { bail!("the table has no columns") };
        channel.columns.push(column.clone());
        // column-major here; transposed below
        channel.values.extend(rows.iter().map(|row| row[k]));
    }
    let count = rows.len();
    for channel in &mut channels {
        let width = channel.columns.len();
        let by_column = core::mem::take(&mut channel.values);
        channel.values =
            (0..count * width).map(|i| by_column[i % width * count + i / width]).collect();
    }
    Ok(Recording { channels, rows: count, origin: None, film: None })
}

fn from_messages(bytes: &[u8]) -> Result<Recording> {
    let (metadata, messages) = mcap::read_mcap(bytes)?;
    let value = |key: &str| metadata.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str());
    let names: Value = serde_json::from_str(value("columns").context("no columns")?)?;
    let mut channels = Vec::new();
    for name in names::NAMES {
        let list = names[name].as_array().into_iter().flatten();
        let columns = list.filter_map(|c| Some(c.as_str()?.to_string())).collect();
        let numbers = messages.iter().flat_map(|m| m[name].as_array().into_iter().flatten());
        let values: Vec<f64> = numbers.map(|x| x.as_f64().unwrap_or(f64::NAN)).collect();
        channels.push(Channel { name: name.into(), columns, values });
    }
    let rows = messages.len();
    let fits = channels.iter().all(|c| c.values.len() == rows * c.columns.len());
    ensure!(fits, "messages have other numbers than the columns say");

    // data to repeat the run
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let origin = || {
        let hashes = messages.iter().map(|m| number(m["state_hash"].as_str()?));
        Some(Origin {
            model: value("model")?.to_string(),
            model_hash: number(value("model_hash")?)?,
            start: value("start")?
                .split_whitespace()
                .map(|bits| number(bits).map(f64::from_bits))
                .collect::<Option<_>>()?,
            hashes: hashes.collect::<Option<_>>()?,
        })
    };
    Ok(Recording { origin: origin(), channels, rows, film: None })
}

/// File formats of recordings.
pub(crate) enum Format {
    Npz,
    Csv,
    Mcap,
}

impl Format {
    /// The format of a file name's extension.
    pub(crate) fn of(path: &Path) -> Result<Format> {
        match path.extension().and_then(|e| e.to_str()) {
            Some("npz") => Ok(Format::Npz),
            Some("csv") => Ok(Format::Csv),
            Some("mcap") => Ok(Format::Mcap),
            _ => bail!("{}: wanted a name that ends in .npz, .csv or .mcap", path.display()),
        }
    }
}

/// Whether a file name has the extension of a recording.
pub(crate) fn is_recording(path: &Path) -> bool {
    Format::of(path).is_ok()
}
