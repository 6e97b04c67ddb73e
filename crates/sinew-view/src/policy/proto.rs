//! Reads the wire format of protocol buffers: fields of a message, one after the other.

/// A value of a field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    /// An integer.
    Number(u64),
    /// Eight bytes.
    Eight([u8; 8]),
    /// Four bytes.
    Four([u8; 4]),
    /// A text, bytes, a message or a packed list.
    Bytes(&'a [u8]),
}

impl<'a> Value<'a> {
    pub(super) fn bytes(self) -> Result<&'a [u8], String> {
        match self {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err("a field has a wrong type".into()),
        }
    }

    pub(super) fn text(self) -> Result<String, String> {
        String::from_utf8(self.bytes()?.to_vec()).map_err(|_| "a name is not UTF-8".into())
    }

    pub(super) fn number(self) -> Result<u64, String> {
        match self {
            Value::Number(n) => Ok(n),
            _ => Err("a field has a wrong type".into()),
        }
    }
}

/// The fields of a message: numbers and values.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or("it ends early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (taken, rest) = self.0.split_first_chunk().ok_or("it ends early")?;
        self.0 = rest;
        Ok(*taken)
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = self.array()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err("a number is too long".into())
    }

    /// The next field, `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Value<'a>)>, String> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Value::Number(self.varint()?),
            1 => Value::Eight(self.array()?),
            2 => {
                let length = usize::try_from(self.varint()?).map_err(|_| "it ends early")?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Four(self.array()?),
            _ => return Err("it is not a protocol buffer".into()),
        };
        Ok(Some((tag >> 3, value)))
    }
}

/// Calls `f` for every field of a message.
pub(super) fn each<'a>(
    bytes: &'a [u8],
    mut f: impl FnMut(u64, Value<'a>) -> Result<(), String>,
) -> Result<(), String> {
    let mut fields = Fields(bytes);
    while let Some((number, value)) = fields.next()? {
        f(number, value)?;
    }
    Ok(())
}

/// Appends the integers of a repeated field, packed or single.
pub(super) fn integers(value: Value<'_>, list: &mut Vec<i64>) -> Result<(), String> {
    match value {
        Value::Number(n) => list.push(n as i64),
        _ => {
            let mut rest = Fields(value.bytes()?);
            while !rest.0.is_empty() {
                list.push(rest.varint()? as i64);
            }
        }
    }
    Ok(())
}

/// Appends the single-precision numbers of a repeated field, packed or single.
pub(super) fn floats(value: Value<'_>, list: &mut Vec<f64>) -> Result<(), String> {
    let number = |bytes: [u8; 4]| f64::from(f32::from_le_bytes(bytes));
    match value {
        Value::Four(bytes) => list.push(number(bytes)),
        _ => list.extend(value.bytes()?.as_chunks().0.iter().map(|&bytes| number(bytes))),
    }
    Ok(())
}

/// Appends the double-precision numbers of a repeated field, packed or single.
pub(super) fn doubles(value: Value<'_>, list: &mut Vec<f64>) -> Result<(), String> {
    match value {
        Value::Eight(bytes) => list.push(f64::from_le_bytes(bytes)),
        _ => {
            list.extend(value.bytes()?.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)))
        }
    }
    Ok(())
}
