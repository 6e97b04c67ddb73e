//! Kinds of attributes of edited models, MuJoCo's `mjs`, and rows that describe them.

use core::fmt;

/// The type of an attribute of an edited model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only files have the attribute.
    File,
    /// An integer.
    Integer,
    /// A flag of one byte.
    Flag,
    /// A number of eight bytes.
    Real,
    /// A number of four bytes.
    Single,
    /// A text.
    Text,
    /// A value of the enumeration of this name.
    Enum(&'static str),
    /// An integer that has the keywords of this name in files.
    Words(&'static str),
    /// Coefficients of a polynomial: a number in versions before 3.7, then three.
    Poly,
    /// This many integers.
    Integers(usize),
    /// This many numbers of eight bytes.
    Reals(usize),
    /// This many numbers of four bytes.
    Singles(usize),
    /// This many characters.
    Characters(usize),
    /// Any number of integers.
    IntegerList,
    /// Any number of numbers of eight bytes.
    RealList,
    /// Any number of numbers of four bytes.
    SingleList,
    /// Any number of texts.
    TextList,
    /// Any number of lists of integers.
    IntegerLists,
    /// Any number of lists of numbers.
    SingleLists,
    /// Bytes.
    Bytes,
    /// An orientation other than a quaternion.
    Orientation,
    /// The plugin of an element.
    Plugin,
}

impl fmt::Display for Kind {
    /// A short code, by which callers in other languages choose their own type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::File => f.write_str("-"),
            Kind::Integer => f.write_str("i"),
            Kind::Flag => f.write_str("u"),
            Kind::Real => f.write_str("d"),
            Kind::Single => f.write_str("f"),
            Kind::Poly => f.write_str("p3"),
            Kind::Text => f.write_str("s"),
            Kind::Enum(name) => write!(f, "e:{name}"),
            Kind::Words(name) => write!(f, "k:{name}"),
            Kind::Integers(n) => write!(f, "i{n}"),
            Kind::Reals(n) => write!(f, "d{n}"),
            Kind::Singles(n) => write!(f, "f{n}"),
            Kind::Characters(n) => write!(f, "c{n}"),
            Kind::IntegerList => f.write_str("I"),
            Kind::RealList => f.write_str("D"),
            Kind::SingleList => f.write_str("F"),
            Kind::TextList => f.write_str("S"),
            Kind::IntegerLists => f.write_str("II"),
            Kind::SingleLists => f.write_str("FF"),
            Kind::Bytes => f.write_str("B"),
            Kind::Orientation => f.write_str("alt"),
            Kind::Plugin => f.write_str("plugin"),
        }
    }
}

/// The default of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Preset {
    /// Numbers; positions beyond them are zero.
    Numbers(Vec<f64>),
    /// A text; of a list of texts, its members with commas between them.
    Text(&'static str),
}

/// An attribute of an edited model.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in `mjs`; `None` if only files have it.
    pub name: Option<&'static str>,
    /// Name in MJCF; `None` if no attribute of that name has the value.
    pub xml: Option<&'static str>,
    /// Type of the attribute.
    pub kind: Kind,
    /// Value in a new element.
    pub preset: fn() -> Preset,
}
