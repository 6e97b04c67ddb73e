//! Values of attributes with types that callers in other languages have, too.

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// An integer, a flag or a keyword by its number.
    Integer(i32),
    /// A number.
    Real(f64),
    /// A text.
    Text(String),
    /// Integers.
    Integers(Vec<i32>),
    /// Numbers of eight bytes.
    Reals(Vec<f64>),
    /// Numbers of four bytes.
    Singles(Vec<f32>),
    /// Texts.
    Texts(Vec<String>),
}

impl From<&str> for Datum {
    fn from(text: &str) -> Datum {
        Datum::Text(text.to_owned())
    }
}
