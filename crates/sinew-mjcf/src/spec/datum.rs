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
    /// Lists of integers.
    IntegerLists(Vec<Vec<i32>>),
    /// Lists of numbers of four bytes.
    SingleLists(Vec<Vec<f32>>),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl Datum {
    /// Numbers of the value; `None` if it is a text or has lists of lists.
    pub fn numbers(&self) -> Vec<f64> {
        match self {
            Datum::Integer(x) => vec![f64::from(*x)],
            Datum::Real(x) => vec![*x],
            Datum::Integers(list) => list.iter().map(|x| f64::from(*x)).collect(),
            Datum::Reals(list) => list.clone(),
            Datum::Singles(list) => list.iter().map(|x| f64::from(*x)).collect(),
            _ => Vec::new(),
        }
    }
}

macro_rules! from {
    ($($t:ty => $kind:ident;)*) => {$(
        impl From<$t> for Datum {
            fn from(value: $t) -> Datum {
                Datum::$kind(value)
            }
        }
    )*};
}
from! {
    i32 => Integer;
    f64 => Real;
    String => Text;
    Vec<i32> => Integers;
    Vec<f64> => Reals;
    Vec<f32> => Singles;
    Vec<String> => Texts;
}

impl From<&str> for Datum {
    fn from(text: &str) -> Datum {
        Datum::Text(text.to_owned())
    }
}
