//! MCAP: a log of timed messages, here JSON, for robotics tools.
//!
//! The format is version 0 of the MCAP specification, with records outside chunks and without an
//! index, which readers accept.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde_json::Value;

const MAGIC: &[u8] = b"\x89MCAP0\r\n";
const HEADER: u8 = 0x01;
const FOOTER: u8 = 0x02;
const SCHEMA: u8 = 0x03;
const CHANNEL: u8 = 0x04;
const MESSAGE: u8 = 0x05;
const METADATA: u8 = 0x0c;
const DATA_END: u8 = 0x0f;

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
    out.write_all(MAGIC)?;
    record(out, HEADER, &[text(""), text("sinew")].concat())?;
    let properties: Vec<u8> =
        metadata.iter().flat_map(|(key, value)| [text(key), text(value)].concat()).collect();
    record(out, METADATA, &[text("sinew"), sized(&properties)].concat())?;

    // a schema and its channel have the same number
    for Channel { id, topic, schema_name, schema } in channels {
        let number = id.to_le_bytes().to_vec();
        let described = [text(schema_name), text("jsonschema"), text(schema)].concat();
        record(out, SCHEMA, &[number.clone(), described].concat())?;
        let channel = [number.clone(), number, text(topic), text("json"), sized(&[])];
        record(out, CHANNEL, &channel.concat())?;
    }

    for (sequence, Message { channel, time, value }) in messages.enumerate() {
        let mut content = channel.to_le_bytes().to_vec();
        content.extend((sequence as u32).to_le_bytes());
        content.extend(time.to_le_bytes());
        content.extend(time.to_le_bytes());
        content.extend(value.to_string().into_bytes());
        record(out, MESSAGE, &content)?;
    }

    // no checksums and no summary
    record(out, DATA_END, &[0; 4])?;
    record(out, FOOTER, &[0; 20])?;
    out.write_all(MAGIC)?;
    out.flush()
}

/// Reads the metadata and the states of a file written by this program.
pub(crate) fn read_mcap(bytes: &[u8]) -> Result<(Metadata, Vec<Value>)> {
    let mut rest = bytes.strip_prefix(MAGIC).context("not an MCAP file")?;
    let (mut metadata, mut messages) = (Vec::new(), Vec::new());
    loop {
        let (&kind, after) = rest.split_first().context("the MCAP file ends early")?;
        let (length, after) = after.split_first_chunk::<8>().context("the MCAP file ends early")?;
        let length = usize::try_from(u64::from_le_bytes(*length))?;
        let content = after.get(..length).context("the MCAP file ends early")?;
        rest = &after[length..];
        match kind {
            METADATA => metadata = read_metadata(content).context("broken metadata")?,
            MESSAGE if content.starts_with(&STATES.to_le_bytes()) => {
                let json = content.get(22..).context("a message ends early")?;
                messages.push(serde_json::from_slice(json).context("a message is not JSON")?);
            }
            FOOTER => return Ok((metadata, messages)),
            0x06 => bail!("chunked MCAP files are not read; record with `sinew run`"),
            _ => {}
        }
    }
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

fn record(out: &mut impl Write, kind: u8, content: &[u8]) -> io::Result<()> {
    out.write_all(&[kind])?;
    out.write_all(&(content.len() as u64).to_le_bytes())?;
    out.write_all(content)
}

fn text(text: &str) -> Vec<u8> {
    sized(text.as_bytes())
}

fn sized(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_le_bytes(), bytes].concat()
}
