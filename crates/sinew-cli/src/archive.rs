//! NumPy's `.npz`: a ZIP archive of `.npy` arrays, stored without compression.
//!
//! Formats: NEP 1 (npy 1.0) and PKWARE's APPNOTE; the little of them that arrays of `f64` need.

use std::io::{self, Write};

use anyhow::{Result, ensure};

/// An array to be written: name, shape and numbers in row-major order.
pub(crate) struct Array<'a> {
    pub(crate) name: &'a str,
    pub(crate) shape: Vec<usize>,
    pub(crate) values: &'a [f64],
}

/// Writes the arrays as an `.npz` archive.
pub(crate) fn write_npz(out: &mut impl Write, arrays: &[Array<'_>]) -> Result<()> {
    let mut directory = Vec::new();
    let mut offset = 0u64;
    for array in arrays {
        let name = format!("{}.npy", array.name);
        let body = npy(array);
        // without ZIP64 extensions sizes and offsets are 32 bits
        ensure!(offset + body.len() as u64 + 1024 < 1 << 32, "the trajectory exceeds 4 GiB");
        let crc = crc32(&body);
        let local = header(0x0403_4b50, &[20, 0, 0, 0, 0x21], crc, body.len(), &name, &[0]);
        out.write_all(&local)?;
        out.write_all(&body)?;

        // version made by, then the local header's numbers, then lengths, attributes and the offset
        let made_by = [20, 20, 0, 0, 0, 0x21];
        let mut entry = header(0x0201_4b50, &made_by, crc, body.len(), &name, &[0; 6]);
        let at = entry.len() - name.len() - 4;
        entry[at..at + 4].copy_from_slice(&(offset as u32).to_le_bytes());
        directory.push(entry);
        offset += (local.len() + body.len()) as u64;
    }

    // the central directory and its end
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

/// A ZIP header: signature, 16-bit numbers, checksum, sizes, name length, 16-bit numbers, name.
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

/// One array in npy 1.0 format.
fn npy(array: &Array<'_>) -> Vec<u8> {
    let shape: Vec<String> = array.shape.iter().map(|n| format!("{n},")).collect();
    let mut header =
        format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}), }}", shape.join(" "));
    // magic, version and length take 10 bytes; the data starts at a multiple of 64
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    array.values.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    bytes
}

/// The checksum of ZIP and PNG, polynomial 0xEDB88320, four bits at a time.
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

/// Writes a header and rows of numbers as CSV; `{:?}` gives the shortest text that reads back.
pub(crate) fn write_csv(
    out: &mut impl Write,
    columns: &[String],
    rows: impl Iterator<Item = Vec<f64>>,
) -> io::Result<()> {
    writeln!(out, "{}", columns.join(","))?;
    for row in rows {
        let cells: Vec<String> = row.iter().map(|x| format!("{x:?}")).collect();
        writeln!(out, "{}", cells.join(","))?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn npy_data_is_aligned() {
        let bytes = npy(&Array { name: "x", shape: vec![2, 3], values: &[0.0; 6] });
        assert_eq!(bytes.len() % 64, 48);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    }
}
