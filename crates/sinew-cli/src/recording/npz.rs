//! NumPy's `.npz`: a ZIP archive of `.npy` arrays (NEP 1, npy 1.0).

use std::io::Write;

use anyhow::{Context, Result, bail, ensure};

use crate::zip::{Entry, read_zip, write_zip};

/// An array: name, shape and values in row-major order.
#[derive(Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) shape: Vec<usize>,
    pub(crate) values: Values,
}

/// Values of an array.
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
    let entries =
        arrays.iter().map(|array| Entry { name: format!("{}.npy", array.name), bytes: npy(array) });
    write_zip(out, entries)
}

/// Encodes one array in npy 1.0 format.
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

/// Reads an archive of arrays of `f64`, `u64` and `u8`, as written by this program or NumPy.
pub(crate) fn read_npz(bytes: &[u8]) -> Result<Vec<Array>> {
    let entries = read_zip(bytes).context("not an .npz archive")?;
    let arrays = entries
        .into_iter()
        .map(|Entry { name, bytes }| read_npy(name.trim_end_matches(".npy").to_string(), &bytes));
    arrays.collect()
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

#[cfg(test)]
mod tests {
    use super::*;

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
