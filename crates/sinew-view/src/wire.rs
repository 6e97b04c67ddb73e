//! Encoding of messages: little-endian, in multiples of four bytes, so that a page reads them in
//! place.

use serde_json::Value;

/// Kinds of messages, the first byte of each.
pub(crate) const MODEL: u8 = 1;
pub(crate) const STATE: u8 = 2;
pub(crate) const STYLE: u8 = 3;
pub(crate) const FRAME: u8 = 4;
pub(crate) const NOTICE: u8 = 5;
pub(crate) const OVERLAY: u8 = 6;
pub(crate) const KEYS: u8 = 7;
pub(crate) const WIDGETS: u8 = 8;

/// A message under construction.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) bytes: Vec<u8>,
}

impl Out {
    pub(crate) fn new(kind: u8) -> Out {
        let mut out = Out::default();
        out.u32(u32::from(kind));
        out
    }

    pub(crate) fn u32(&mut self, x: u32) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn i32(&mut self, x: i32) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, x: f32) {
        self.bytes.extend(x.to_le_bytes());
    }

    pub(crate) fn f32s(&mut self, xs: &[f32]) {
        for &x in xs {
            self.f32(x);
        }
    }

    /// Appends double-precision numbers in single precision.
    pub(crate) fn narrow(&mut self, xs: &[f64]) {
        for &x in xs {
            self.f32(x as f32);
        }
    }

    pub(crate) fn f64(&mut self, x: f64) {
        self.bytes.extend(x.to_le_bytes());
    }

    /// Appends a unit vector as four signed bytes.
    pub(crate) fn normal(&mut self, n: [f32; 3]) {
        let byte = |x: f32| (x.clamp(-1.0, 1.0) * 127.0).round() as i8;
        self.bytes.extend([byte(n[0]), byte(n[1]), byte(n[2]), 0].map(|b| b as u8));
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.pad();
    }

    fn pad(&mut self) {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
    }

    /// Appends a JSON value, preceded by its length.
    pub(crate) fn json(&mut self, value: &Value) {
        let mut text = value.to_string();
        while !text.len().is_multiple_of(4) {
            text.push(' ');
        }
        self.u32(text.len() as u32);
        self.bytes.extend(text.into_bytes());
    }

    /// Appends a section: its tag, the index of its object, its length, and the output of `fill`.
    pub(crate) fn section(&mut self, tag: u32, about: u32, fill: impl FnOnce(&mut Out)) {
        self.u32(tag);
        self.u32(about);
        let at = self.bytes.len();
        self.u32(0);
        fill(self);
        self.pad();
        let length = (self.bytes.len() - at - 4) as u32;
        self.bytes[at..at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// A message that is one JSON value.
pub(crate) fn json_message(kind: u8, value: &Value) -> Vec<u8> {
    let mut out = Out::new(kind);
    out.json(value);
    out.bytes
}
