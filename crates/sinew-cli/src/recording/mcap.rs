//! MCAP: a log of timed messages, here JSON, for robotics tools.
//!
//! The format is version 0 of the MCAP specification. Messages are in chunks without compression,
//! and a summary at the end lists the chunks, so that tools read parts of a long file.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde_json::Value;

const MAGIC: &[u8] = b"\x89MCAP0\r\n";
const HEADER: u8 = 0x01;
const FOOTER: u8 = 0x02;
const SCHEMA: u8 = 0x03;
const CHANNEL: u8 = 0x04;
const MESSAGE: u8 = 0x05;
const CHUNK: u8 = 0x06;
const MESSAGE_INDEX: u8 = 0x07;
const CHUNK_INDEX: u8 = 0x08;
const STATISTICS: u8 = 0x0b;
const METADATA: u8 = 0x0c;
const METADATA_INDEX: u8 = 0x0d;
const DATA_END: u8 = 0x0f;

/// Bytes of messages after which a chunk ends.
const CHUNK_SIZE: usize = 1 << 20;
/// The name of the metadata.
const NAME: &str = "sinew";

/// A message: its channel, the time in nanoseconds, and JSON.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) channel: u16,
    pub(crate) time: u64,
    pub(crate) value: Value,
}

/// A channel of messages, which has its own schema.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    pub(crate) id: u16,
    pub(crate) topic: &'static str,
    pub(crate) schema_name: String,
    pub(crate) schema: String,
}

/// Number of the channel of states.
pub(crate) const STATES: u16 = 1;

/// Pairs of keys and values.
pub(crate) type Metadata = Vec<(String, String)>;

/// Writes the channels, their messages and the metadata.
pub(crate) fn write_mcap(
    out: &mut impl Write,
    metadata: &[(&str, String)],
    channels: &[Channel],
    messages: impl Iterator<Item = Message>,
) -> io::Result<()> {
    let mut file = Writer { out, at: 0 };
    file.raw(MAGIC)?;
    file.record(HEADER, &[text(""), text("sinew")].concat())?;
    let properties: Vec<u8> =
        metadata.iter().flat_map(|(key, value)| [text(key), text(value)].concat()).collect();
    let start = file.at;
    file.record(METADATA, &[text(NAME), sized(&properties)].concat())?;
    let metadata_index = [word(start), word(file.at - start), text(NAME)].concat();

    // a schema and its channel have the same number; readers of chunks look for both there
    let mut described = Vec::new();
    for Channel { id, topic, schema_name, schema } in channels {
        let number = id.to_le_bytes().to_vec();
        let rest = [text(schema_name), text("jsonschema"), text(schema)].concat();
        described.extend(record(SCHEMA, &[number.clone(), rest].concat()));
        let channel = [number.clone(), number, text(topic), text("json"), sized(&[])];
        described.extend(record(CHANNEL, &channel.concat()));
    }

    // chunks
    let mut chunk = Chunk { records: described.clone(), ..Chunk::default() };
    let mut chunks = Vec::new();
    for (sequence, message) in messages.enumerate() {
        chunk.push(sequence as u32, &message);
        if chunk.records.len() >= CHUNK_SIZE {
            chunks.push(file.chunk(std::mem::take(&mut chunk))?);
        }
    }
    if !chunk.times.is_empty() || chunks.is_empty() {
        chunks.push(file.chunk(chunk)?);
    }
    file.record(DATA_END, &[0; 4])?;

    // the summary, without checksums and without offsets of its groups
    let start = file.at;
    file.raw(&described)?;
    file.record(STATISTICS, &statistics(channels, &chunks))?;
    for chunk in &chunks {
        file.record(CHUNK_INDEX, &chunk.index)?;
    }
    file.record(METADATA_INDEX, &metadata_index)?;
    file.record(FOOTER, &[word(start), word(0), vec![0; 4]].concat())?;
    file.raw(MAGIC)?;
    out.flush()
}

/// Messages that are written together.
#[derive(Default)]
struct Chunk {
    records: Vec<u8>,
    /// Channel and time of every message, and its place among the records.
    times: Vec<(u16, u64, u64)>,
}

impl Chunk {
    fn push(&mut self, sequence: u32, Message { channel, time, value }: &Message) {
        self.times.push((*channel, *time, self.records.len() as u64));
        let mut content = channel.to_le_bytes().to_vec();
        content.extend(sequence.to_le_bytes());
        content.extend(time.to_le_bytes());
        content.extend(time.to_le_bytes());
        content.extend(value.to_string().into_bytes());
        self.records.extend(record(MESSAGE, &content));
    }

    /// The times of the first and the last message.
    fn span(&self) -> [u64; 2] {
        let times = || self.times.iter().map(|(_, time, _)| *time);
        [times().min().unwrap_or(0), times().max().unwrap_or(0)]
    }
}

/// A chunk in the file: its times, the number of messages of each channel, and its index.
struct Written {
    span: [u64; 2],
    counts: BTreeMap<u16, u64>,
    index: Vec<u8>,
}

fn statistics(channels: &[Channel], chunks: &[Written]) -> Vec<u8> {
    let mut counts = BTreeMap::<u16, u64>::new();
    for (channel, n) in chunks.iter().flat_map(|chunk| &chunk.counts) {
        *counts.entry(*channel).or_default() += n;
    }
    let number = channels.len() as u32;
    let full = || chunks.iter().filter(|chunk| !chunk.counts.is_empty());
    let pairs: Vec<u8> = counts
        .iter()
        .flat_map(|(id, n)| [&id.to_le_bytes()[..], &n.to_le_bytes()].concat())
        .collect();
    [
        word(counts.values().sum()),
        (number as u16).to_le_bytes().to_vec(),
        number.to_le_bytes().to_vec(),
        0_u32.to_le_bytes().to_vec(),
        1_u32.to_le_bytes().to_vec(),
        (chunks.len() as u32).to_le_bytes().to_vec(),
        word(full().map(|chunk| chunk.span[0]).min().unwrap_or(0)),
        word(full().map(|chunk| chunk.span[1]).max().unwrap_or(0)),
        sized(&pairs),
    ]
    .concat()
}

/// A file of which the length so far is known.
struct Writer<'a, W> {
    out: &'a mut W,
    at: u64,
}

impl<W: Write> Writer<'_, W> {
    fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn record(&mut self, kind: u8, content: &[u8]) -> io::Result<()> {
        self.raw(&record(kind, content))
    }

    /// Writes a chunk and the indices of its messages.
    fn chunk(&mut self, chunk: Chunk) -> io::Result<Written> {
        let ([first, last], size) = (chunk.span(), chunk.records.len() as u64);
        let start = self.at;
        let times = [word(first), word(last)].concat();
        let head = [&times[..], &word(size), &[0; 4], &text(""), &word(size)].concat();
        self.record(CHUNK, &[head, chunk.records].concat())?;
        let length = self.at - start;

        // places of messages by channel
        let mut places = BTreeMap::<u16, Vec<u8>>::new();
        for (channel, time, place) in &chunk.times {
            places.entry(*channel).or_default().extend([word(*time), word(*place)].concat());
        }
        let mut offsets = Vec::new();
        let indices = self.at;
        for (channel, list) in &places {
            offsets.extend([&channel.to_le_bytes()[..], &word(self.at)].concat());
            let content = [&channel.to_le_bytes()[..], &sized(list)].concat();
            self.record(MESSAGE_INDEX, &content)?;
        }
        let place = [word(start), word(length), sized(&offsets), word(self.at - indices)].concat();
        let index = [times, place, text(""), word(size), word(size)].concat();
        let counts = places.iter().map(|(id, list)| (*id, list.len() as u64 / 16)).collect();
        Ok(Written { span: [first, last], counts, index })
    }
}

/// Reads the metadata and the states of a file written by this program.
pub(crate) fn read_mcap(bytes: &[u8]) -> Result<(Metadata, Vec<Value>)> {
    let rest = bytes.strip_prefix(MAGIC).context("not an MCAP file")?;
    let (mut metadata, mut messages) = (Vec::new(), Vec::new());
    let end = records(rest, |kind, content| {
        match kind {
            METADATA => metadata = read_metadata(content).context("broken metadata")?,
            MESSAGE => messages.extend(state(content)?),
            CHUNK => {
                let inside = read_chunk(content)?;
                records(inside, |kind, content| {
                    if kind == MESSAGE {
                        messages.extend(state(content)?);
                    }
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    match end {
        true => Ok((metadata, messages)),
        false => bail!("the MCAP file ends early"),
    }
}

/// Calls `f` for every record up to the footer, or to the end of the bytes. Whether there was a
/// footer.
fn records<'a>(mut rest: &'a [u8], mut f: impl FnMut(u8, &'a [u8]) -> Result<()>) -> Result<bool> {
    while let Some((&kind, after)) = rest.split_first() {
        let (length, after) = after.split_first_chunk::<8>().context("the MCAP file ends early")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let content = after.get(..length).context("the MCAP file ends early")?;
        if kind == FOOTER {
            return Ok(true);
        }
        f(kind, content)?;
        rest = &after[length..];
    }
    Ok(false)
}

/// The state in a message, unless the message is of another channel.
fn state(content: &[u8]) -> Result<Option<Value>> {
    if !content.starts_with(&STATES.to_le_bytes()) {
        return Ok(None);
    }
    let json = content.get(22..).context("a message ends early")?;
    Ok(Some(serde_json::from_slice(json).context("a message is not JSON")?))
}

/// The records in a chunk.
fn read_chunk(content: &[u8]) -> Result<&[u8]> {
    // times, size and checksum, then the name of the compression
    let rest = content.get(28..).context("a chunk ends early")?;
    let rest = rest.strip_prefix(&0_u32.to_le_bytes());
    let rest = rest.context("compressed MCAP files are not read; record with `sinew run`")?;
    rest.get(8..).context("a chunk ends early")
}

fn read_metadata(content: &[u8]) -> Option<Metadata> {
    fn string<'a>(rest: &mut &'a [u8]) -> Option<&'a str> {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        let text = after.get(..length)?;
        *rest = &after[length..];
        core::str::from_utf8(text).ok()
    }
    let mut rest = content;
    string(&mut rest)?;
    rest = rest.get(4..)?;
    let mut pairs = Vec::new();
    while !rest.is_empty() {
        pairs.push((string(&mut rest)?.to_string(), string(&mut rest)?.to_string()));
    }
    Some(pairs)
}

fn record(kind: u8, content: &[u8]) -> Vec<u8> {
    [&[kind], &word(content.len() as u64)[..], content].concat()
}

fn word(number: u64) -> Vec<u8> {
    number.to_le_bytes().to_vec()
}

fn text(text: &str) -> Vec<u8> {
    sized(text.as_bytes())
}

fn sized(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_le_bytes(), bytes].concat()
}
