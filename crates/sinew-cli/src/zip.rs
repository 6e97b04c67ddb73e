//! ZIP archives: written uncompressed, read with or without compression (PKWARE's APPNOTE).

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};

/// A file in an archive.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Maximum size of a file when it is unpacked.
const MOST_BYTES: usize = 1 << 31;

/// Writes an archive file by file, so that only one file at a time is in memory.
pub(crate) fn write_zip(
    out: &mut impl Write,
    entries: impl IntoIterator<Item = Entry>,
) -> Result<()> {
    let mut directory = Vec::new();
    let mut offset = 0u64;
    for Entry { name, bytes } in entries {
        // without ZIP64 extensions sizes and offsets are 32 bits
        ensure!(offset + bytes.len() as u64 + 1024 < 1 << 32, "the archive exceeds 4 GiB");
        let crc = crc32(&bytes);
        let local = header(0x0403_4b50, &[20, 0, 0, 0, 0x21], crc, bytes.len(), &name, &[0]);
        out.write_all(&local)?;
        out.write_all(&bytes)?;

        // version made by, then the local header's numbers, then lengths, attributes and the offset
        let made_by = [20, 20, 0, 0, 0, 0x21];
        let mut entry = header(0x0201_4b50, &made_by, crc, bytes.len(), &name, &[0; 6]);
        let at = entry.len() - name.len() - 4;
        entry[at..at + 4].copy_from_slice(&(offset as u32).to_le_bytes());
        directory.push(entry);
        offset += (local.len() + bytes.len()) as u64;
    }

    // the central directory and the end record
    let size: usize = directory.iter().map(Vec::len).sum();
    for entry in &directory {
        out.write_all(entry)?;
    }
    let count = u16::try_from(directory.len())?;
    out.write_all(&0x0605_4b50u32.to_le_bytes())?;
    for half in [0, 0, count, count] {
        out.write_all(&half.to_le_bytes())?;
    }
    out.write_all(&(size as u32).to_le_bytes())?;
    out.write_all(&(offset as u32).to_le_bytes())?;
    out.write_all(&0u16.to_le_bytes())?;
    Ok(out.flush()?)
}

/// A header: signature, 16-bit fields, checksum, sizes, name length, 16-bit fields, name.
fn header(sign: u32, first: &[u16], crc: u32, size: usize, name: &str, last: &[u16]) -> Vec<u8> {
    let mut bytes = sign.to_le_bytes().to_vec();
    first.iter().for_each(|half| bytes.extend(half.to_le_bytes()));
    bytes.extend(crc.to_le_bytes());
    bytes.extend((size as u32).to_le_bytes());
    bytes.extend((size as u32).to_le_bytes());
    bytes.extend((name.len() as u16).to_le_bytes());
    last.iter().for_each(|half| bytes.extend(half.to_le_bytes()));
    if sign == 0x0201_4b50 {
        // external attributes are part of `last`; the offset of the local header follows
        bytes.extend([0; 4]);
    }
    bytes.extend(name.as_bytes());
    bytes
}

/// Reads all files of an archive.
pub(crate) fn read_zip(bytes: &[u8]) -> Result<Vec<Entry>> {
    let broken = || "the archive is broken";
    let half =
        |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let word =
        |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);

    // the central directory, located from the end record
    let end = bytes.windows(4).rposition(|w| w == 0x0605_4b50_u32.to_le_bytes());
    let end = end.filter(|end| end + 22 <= bytes.len()).context("not an archive")?;
    let (count, mut at) =
        (half(end + 10).with_context(broken)?, word(end + 16).with_context(broken)?);
    let mut entries = Vec::new();
    for _ in 0..count {
        let field = |offset: usize| half(at + offset).with_context(broken);
        let (method, name_len) = (field(10)?, field(28)?);
        let (extra, comment) = (field(30)?, field(32)?);
        let (packed, size) =
            (word(at + 20).with_context(broken)?, word(at + 24).with_context(broken)?);
        let local = word(at + 42).with_context(broken)?;
        let name = bytes.get(at + 46..at + 46 + name_len).with_context(broken)?;
        let name = String::from_utf8_lossy(name).into_owned();

        // the data follow the local header, whose name and extra field may differ in length
        let skip =
            half(local + 26).with_context(broken)? + half(local + 28).with_context(broken)?;
        let start = local + 30 + skip;
        let body = bytes.get(start..start.saturating_add(packed)).with_context(broken)?;
        entries.push(Entry { bytes: unpacked(&name, method, body, size)?, name });
        at += 46 + name_len + extra + comment;
    }
    Ok(entries)
}

/// The unpacked bytes of a file.
fn unpacked(name: &str, method: usize, body: &[u8], size: usize) -> Result<Vec<u8>> {
    match method {
        0 => Ok(body.to_vec()),
        8 => {
            let most = size.min(MOST_BYTES);
            let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(body, most);
            let bytes = bytes.ok().with_context(|| format!("{name} cannot be unpacked"))?;
            ensure!(bytes.len() == size, "{name} has another size than the archive says");
            Ok(bytes)
        }
        other => bail!("{name} is compressed in a way ({other}) that is not read here"),
    }
}

/// The CRC-32 of ZIP and PNG, polynomial 0xEDB88320, four bits at a time.
fn crc32(bytes: &[u8]) -> u32 {
    const NIBBLES: [u32; 16] = [
        0x0000_0000,
        0x1db7_1064,
        0x3b6e_20c8,
        0x26d9_30ac,
        0x76dc_4190,
        0x6b6b_51f4,
        0x4db2_6158,
        0x5005_713c,
        0xedb8_8320,
        0xf00f_9344,
        0xd6d6_a3e8,
        0xcb61_b38c,
        0x9b64_c2b0,
        0x86d3_d2d4,
        0xa00a_e278,
        0xbdbd_f21c,
    ];
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        crc = (crc >> 4) ^ NIBBLES[(crc & 15) as usize];
        crc = (crc >> 4) ^ NIBBLES[(crc & 15) as usize];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn archives_are_read_as_they_were_written_and_broken_ones_refused() {
        let entry = |name: &str, bytes: &[u8]| Entry { name: name.into(), bytes: bytes.to_vec() };
        let entries = [entry("a.xml", b"<mujoco/>"), entry("assets/b.bin", &[0, 255, 7])];
        let mut bytes = Vec::new();
        write_zip(&mut bytes, entries.clone()).unwrap();
        assert_eq!(read_zip(&bytes).unwrap(), entries);
        for end in 0..bytes.len() {
            assert!(read_zip(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn compressed_files_are_unpacked() {
        let plain = b"sinew ".repeat(100);
        let packed = miniz_oxide::deflate::compress_to_vec(&plain, 6);
        assert_eq!(unpacked("x", 8, &packed, plain.len()).unwrap(), plain);
        assert!(unpacked("x", 8, &packed, plain.len() - 1).is_err());
        assert!(unpacked("x", 9, &packed, plain.len()).is_err());
    }
}
