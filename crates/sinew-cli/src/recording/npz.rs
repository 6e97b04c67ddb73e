//! NumPy's `.npz`: a ZIP archive of `.npy` arrays, stored without compression.
//!
//! Formats: NEP 1 (npy 1.0) and PKWARE's APPNOTE; the little of them that plain arrays need.

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};

/// An array: name, shape and numbers in row-major order.
#[derive(Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Values,
}

/// The numbers of an array.
#[derive(Debug)]
pub(crate) enum Values {
    /// NumPy's `float64`.
    Real(Vec<f64>),
    /// NumPy's `uint64`.
    Whole(Vec<u64>),
    /// NumPy's `uint8`: bytes of text.
    Bytes(Vec<u8>),
}

impl Values {
    fn descr(&self) -> &'static str {
        match self {
            Values::Real(_) => "<f8",
            Values::Whole(_) => "<u8",
            Values::Bytes(_) => "|u1",
        }
    }
}

/// Writes the arrays as an `.npz` archive.
pub(crate) fn write_npz(out: &mut impl Write, arrays: &[Array]) -> Result<()> {
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
fn npy(array: &Array) -> Vec<u8> {
    let shape: Vec<String> = array.shape.iter().map(|n| format!("{n},")).collect();
    let mut header = format!(
        "{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
        array.values.descr(),
        shape.join(" ")
    );
    // magic, version and length take 10 bytes; the data starts at a multiple of 64
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    match &array.values {
        Values::Real(values) => values.iter().for_each(|x| bytes.extend(x.to_le_bytes())),
        Values::Whole(values) => values.iter().for_each(|x| bytes.extend(x.to_le_bytes())),
        Values::Bytes(values) => bytes.extend(values),
    }
    bytes
}

/// Reads an archive of stored arrays of `f64`, `u64` and bytes, such as this program writes and
/// `numpy.savez` too.
pub(crate) fn read_npz(bytes: &[u8]) -> Result<Vec<Array>> {
    let broken = || "the archive is broken";
    let half =
        |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let word =
        |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);

    // the central directory, found from its end
    let end = bytes.windows(4).rposition(|w| w == 0x0605_4b50_u32.to_le_bytes());
    let end = end.filter(|end| end + 22 <= bytes.len()).context("not an .npz archive")?;
    let (count, mut at) =
        (half(end + 10).with_context(broken)?, word(end + 16).with_context(broken)?);
    let mut arrays = Vec::new();
    for _ in 0..count {
        let entry = |offset: usize| half(at + offset).with_context(broken);
        let (method, name_len) = (entry(10)?, entry(28)?);
        let (extra, comment) = (entry(30)?, entry(32)?);
        let size = word(at + 24).with_context(broken)?;
        let local = word(at + 42).with_context(broken)?;
        let name = bytes.get(at + 46..at + 46 + name_len).with_context(broken)?;
        let name = String::from_utf8_lossy(name).trim_end_matches(".npy").to_string();
        ensure!(method == 0, "array {name} is compressed; write it with numpy.savez");

        // the array lies behind the local header, whose own name and extra field may differ in length
        let skip =
            half(local + 26).with_context(broken)? + half(local + 28).with_context(broken)?;
        let start = local + 30 + skip;
        let body = bytes.get(start..start.saturating_add(size)).with_context(broken)?;
        arrays.push(read_npy(name, body)?);
        at += 46 + name_len + extra + comment;
    }
    Ok(arrays)
}

/// Reads one array in npy 1.0 format.
fn read_npy(name: String, body: &[u8]) -> Result<Array> {
    ensure!(body.len() > 10 && body.starts_with(b"\x93NUMPY\x01"), "{name} is not an array");
    let end = 10 + usize::from(u16::from_le_bytes([body[8], body[9]]));
    let header = String::from_utf8_lossy(body.get(10..end).context("a header ends early")?);
    let shape = header.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    let (shape, _) = shape.with_context(|| format!("{name} has no shape"))?;
    let shape: Vec<usize> = shape.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    let data = &body[end..];
    let eight = data.chunks_exact(8).map(|c| core::array::from_fn::<u8, 8, _>(|i| c[i]));
    let values = match () {
        () if header.contains("'<f8'") => Values::Real(eight.map(f64::from_le_bytes).collect()),
        () if header.contains("'<u8'") => Values::Whole(eight.map(u64::from_le_bytes).collect()),
        () if header.contains("'|u1'") => Values::Bytes(data.to_vec()),
        () => bail!("{name}: wanted numbers of type float64, uint64 or uint8"),
    };
    Ok(Array { name, shape, values })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn npy_data_is_aligned() {
        let values = Values::Real(vec![0.0; 6]);
        let bytes = npy(&Array { name: "x".into(), shape: vec![2, 3], values });
        assert_eq!(bytes.len() % 64, 48);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    }

    #[test]
    fn archives_are_read_as_they_were_written() {
        let array = |name: &str, values| Array { name: name.into(), shape: vec![2], values };
        let arrays = [
            array("x", Values::Real(vec![1.5, -0.0])),
            array("n", Values::Whole(vec![7, u64::MAX])),
            array("t", Values::Bytes(b"ab".to_vec())),
        ];
        let mut bytes = Vec::new();
        write_npz(&mut bytes, &arrays).unwrap();
        let read = read_npz(&bytes).unwrap();
        assert_eq!(format!("{read:?}"), format!("{arrays:?}"));
        for end in 0..bytes.len() {
            assert!(read_npz(&bytes[..end]).is_err());
        }
    }
}
