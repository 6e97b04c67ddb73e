//! Videos: GIF, animated PNG and Y4M directly, other formats by ffmpeg.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

/// A video under construction.
pub(crate) enum Video {
    /// GIF.
    Gif(Gif),
    /// Animated PNG.
    Png(Box<png::Writer<BufWriter<File>>>),
    /// Y4M, into a file.
    Y4m(Y4m<BufWriter<File>>),
    /// Y4M, into ffmpeg.
    Ffmpeg(Y4m<std::process::ChildStdin>, Child),
}

impl Video {
    pub(crate) fn create(path: &Path, size: [usize; 2], fps: u32, frames: u32) -> Result<Video> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
        let file = || -> Result<BufWriter<File>> {
            Ok(BufWriter::new(File::create(path).with_context(|| path.display().to_string())?))
        };
        Ok(match extension.as_str() {
            "gif" => Video::Gif(Gif::new(file()?, size, fps)?),
            "png" | "apng" => {
                let [width, height] = size.map(|n| n as u32);
                let mut encoder = png::Encoder::new(file()?, width, height);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_animated(frames, 0)?;
                encoder.set_frame_delay(1, fps as u16)?;
                Video::Png(Box::new(encoder.write_header()?))
            }
            "y4m" => Video::Y4m(Y4m::new(file()?, size, fps)?),
            _ => ffmpeg(path, size, fps)?,
        })
    }

    /// Appends an image.
    pub(crate) fn add(&mut self, rgb: &[[u8; 3]]) -> Result<()> {
        match self {
            Video::Gif(gif) => gif.add(rgb),
            Video::Png(writer) => Ok(writer.write_image_data(rgb.as_flattened())?),
            Video::Y4m(y4m) => y4m.add(rgb),
            Video::Ffmpeg(y4m, _) => y4m.add(rgb),
        }
    }

    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Video::Gif(gif) => gif.finish(),
            Video::Png(writer) => Ok(writer.finish()?),
            Video::Y4m(mut y4m) => Ok(y4m.out.flush()?),
            Video::Ffmpeg(y4m, mut child) => {
                drop(y4m);
                ensure!(child.wait()?.success(), "ffmpeg could not write the video");
                Ok(())
            }
        }
    }
}

fn ffmpeg(path: &Path, size: [usize; 2], fps: u32) -> Result<Video> {
    let child = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-y", "-i", "-", "-pix_fmt", "yuv420p"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        bail!(
            "{}: this format needs ffmpeg, which was not found; .gif, .png and .y4m do not",
            path.display()
        );
    };
    let stdin = child.stdin.take().context("ffmpeg takes no input")?;
    Ok(Video::Ffmpeg(Y4m::new(stdin, size, fps)?, child))
}

/// Uncompressed video: luma and two chroma planes (BT.601).
pub(crate) struct Y4m<W: Write> {
    out: W,
}

impl<W: Write> Y4m<W> {
    fn new(mut out: W, [width, height]: [usize; 2], fps: u32) -> Result<Y4m<W>> {
        writeln!(out, "YUV4MPEG2 W{width} H{height} F{fps}:1 Ip A1:1 C444")?;
        Ok(Y4m { out })
    }

    fn add(&mut self, rgb: &[[u8; 3]]) -> Result<()> {
        writeln!(self.out, "FRAME")?;
        let planes = [
            (16.0, [65.481, 128.553, 24.966]),
            (128.0, [-37.797, -74.203, 112.0]),
            (128.0, [112.0, -93.786, -18.214]),
        ];
        for (offset, weight) in planes {
            let value = |c: &[u8; 3]| {
                let sum: f32 = (0..3).map(|k| weight[k] * f32::from(c[k]) / 255.0).sum();
                (offset + sum).round() as u8
            };
            self.out.write_all(&rgb.iter().map(value).collect::<Vec<u8>>())?;
        }
        Ok(())
    }
}

/// Levels of red, green and blue in the palette of a GIF.
const LEVELS: [usize; 3] = [6, 7, 6];

/// GIF89a with one global palette.
pub(crate) struct Gif {
    out: BufWriter<File>,
    size: [usize; 2],
    delay: u16,
}

impl Gif {
    fn new(mut out: BufWriter<File>, size: [usize; 2], fps: u32) -> Result<Gif> {
        ensure!(size.iter().all(|&n| n <= 65535), "a GIF has at most 65535 pixels along a side");
        out.write_all(b"GIF89a")?;
        for n in size {
            out.write_all(&(n as u16).to_le_bytes())?;
        }
        out.write_all(&[0xf7, 0, 0])?;
        let shade = |i: usize, n: usize| (i * 255 / (n - 1)) as u8;
        let [reds, greens, blues] = LEVELS;
        for i in 0..256 {
            let (r, g, b) = (i / (greens * blues) % reds, i / blues % greens, i % blues);
            out.write_all(&[shade(r, reds), shade(g, greens), shade(b, blues)])?;
        }
        // loops without end
        out.write_all(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")?;
        Ok(Gif { out, size, delay: (100.0 / f64::from(fps)).round() as u16 })
    }

    fn add(&mut self, rgb: &[[u8; 3]]) -> Result<()> {
        self.out.write_all(&[0x21, 0xf9, 4, 0])?;
        self.out.write_all(&self.delay.to_le_bytes())?;
        self.out.write_all(&[0, 0, 0x2c, 0, 0, 0, 0])?;
        for n in self.size {
            self.out.write_all(&(n as u16).to_le_bytes())?;
        }
        self.out.write_all(&[0, 8])?;
        let nearest = |c: &[u8; 3]| {
            let level = |k: usize| (usize::from(c[k]) * (LEVELS[k] - 1) + 127) / 255;
            ((level(0) * LEVELS[1] + level(1)) * LEVELS[2] + level(2)) as u8
        };
        let bytes = lzw(rgb.iter().map(nearest));
        for block in bytes.chunks(255) {
            self.out.write_all(&[block.len() as u8])?;
            self.out.write_all(block)?;
        }
        Ok(self.out.write_all(&[0])?)
    }

    fn finish(mut self) -> Result<()> {
        self.out.write_all(&[0x3b])?;
        Ok(self.out.flush()?)
    }
}

/// Variable-length codes, packed from the lowest bit.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, code: u16, width: u32) {
        self.pending |= u32::from(code) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }
}

/// The codes that clear the table and end the data.
const CLEAR: u16 = 256;
const END: u16 = 257;

/// LZW compression as GIF requires (Welch, "A technique for high-performance data compression",
/// 1984).
fn lzw(bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut table: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut width, mut next, mut prefix) = (9, END + 1, None);
    bits.push(CLEAR, width);
    for byte in bytes {
        // the longest prefix in the table
        let Some(code) = prefix else {
            prefix = Some(u16::from(byte));
            continue;
        };
        if let Some(&longer) = table.get(&(code, byte)) {
            prefix = Some(longer);
            continue;
        }

        // its code, and a new entry one byte longer; the code width grows with the table
        bits.push(code, width);
        table.insert((code, byte), next);
        if next == 1 << width {
            width += 1;
        }
        next += 1;

        // a full table is cleared
        if next == 4096 {
            bits.push(CLEAR, width);
            table.clear();
            (width, next) = (9, END + 1);
        }
        prefix = Some(u16::from(byte));
    }

    // the last prefix, the end code, and padding of the last byte
    if let Some(code) = prefix {
        bits.push(code, width);
    }
    bits.push(END, width);
    bits.push(0, 7);
    bits.bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inverse of `lzw`, by the book.
    fn unpack(data: &[u8]) -> Vec<u8> {
        let (mut out, mut table) = (Vec::new(), Vec::new());
        let (mut at, mut width, mut last): (usize, u32, Option<u16>) = (0, 9, None);
        let reset = || (0..=END).map(|c| vec![c as u8]).collect::<Vec<_>>();
        loop {
            let bit = |i: usize| u16::from(data[i / 8] >> (i % 8) & 1);
            let code = (0..width as usize).map(|k| bit(at + k) << k).sum::<u16>();
            at += width as usize;
            if code == CLEAR {
                (table, width, last) = (reset(), 9, None);
                continue;
            }
            if code == END {
                return out;
            }
            if let Some(previous) = last {
                let mut entry: Vec<u8> = table[usize::from(previous)].clone();
                let first = if usize::from(code) < table.len() {
                    table[usize::from(code)][0]
                } else {
                    entry[0]
                };
                entry.push(first);
                table.push(entry);
                if table.len() == 1 << width && width < 12 {
                    width += 1;
                }
            }
            out.extend(&table[usize::from(code)]);
            last = Some(code);
        }
    }

    #[test]
    fn what_is_packed_can_be_unpacked() {
        let noise = |n: u32| (0..n).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 % 251);
        for n in [0, 1, 2, 300, 70_000] {
            let bytes: Vec<u8> = noise(n).collect();
            assert_eq!(unpack(&lzw(bytes.iter().copied())), bytes);
        }
        let flat = vec![7; 100_000];
        assert_eq!(unpack(&lzw(flat.iter().copied())), flat);
    }
}
