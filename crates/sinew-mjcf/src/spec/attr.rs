//! Attributes: a value that was written or not, and where.

use core::fmt::Write as _;
use std::borrow::Cow;

use crate::number;
use crate::spec::datum::Datum;
use crate::spec::kind::{Kind, Preset};

/// A stretch of a source file, in bytes. `file` indexes the sources of the `Spec`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Index of the file.
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The same place after other sources were put before its model's sources.
    #[doc(hidden)]
    pub fn shift(&mut self, by: u32) {
        if *self != Span::default() {
            self.file += by;
        }
    }
}

/// An attribute: present with its place in the source, or absent. Presence decides, not a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Attr<T>(Option<(T, Span)>);

impl<T> Default for Attr<T> {
    fn default() -> Self {
        Attr(None)
    }
}

impl<T> Attr<T> {
    /// An attribute written at `span`.
    pub fn at(value: T, span: Span) -> Self {
        Attr(Some((value, span)))
    }

    /// The value, if written.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref().map(|(v, _)| v)
    }

    /// The place in the file; `None` if the file does not set it, or if code has set it.
    pub fn span(&self) -> Option<Span> {
        self.0.as_ref().map(|&(_, s)| s).filter(|s| *s != Span::default())
    }

    /// The same attribute after other sources were put before its model's sources.
    #[doc(hidden)]
    pub fn shift(&mut self, by: u32) {
        if let Some((_, span)) = &mut self.0 {
            span.shift(by);
        }
    }

    /// Whether it was written.
    pub fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// Sets the value from code; the place is the old value's place or nowhere.
    pub fn set(&mut self, value: T) {
        let span = self.span().unwrap_or_default();
        self.0 = Some((value, span));
    }

    /// Removes the value.
    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// The value to be changed in place, if written.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_mut().map(|(v, _)| v)
    }
}

impl<T: Clone> Attr<T> {
    /// The same attribute with another value.
    pub(crate) fn map<U>(&self, f: impl FnOnce(T) -> U) -> Attr<U> {
        Attr(self.0.clone().map(|(value, span)| (f(value), span)))
    }

    /// The value, or `default` where nothing was written.
    pub fn or(&self, default: T) -> T {
        self.get().cloned().unwrap_or(default)
    }
}

impl Attr<String> {
    /// The text, or an empty one.
    pub fn text(&self) -> &str {
        self.get().map_or("", String::as_str)
    }
}

impl<const N: usize> Attr<Partial<N>> {
    /// `base` with the written positions overwritten.
    pub fn fill(&self, base: [f64; N]) -> [f64; N] {
        self.get().map_or(base, |p| p.fill(base))
    }
}

impl<T: Value> Attr<T> {
    /// This attribute on top of the one of a default class.
    pub fn over(&self, base: &Attr<T>) -> Attr<T> {
        match (&self.0, &base.0) {
            (Some((v, span)), Some((b, _))) => Attr(Some((v.over(b), *span))),
            (Some(_), None) => self.clone(),
            (None, _) => base.clone(),
        }
    }
}

/// Up to `N` numbers: the first `len` positions were written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partial<const N: usize> {
    /// The numbers; those past `len` mean nothing.
    pub value: [f64; N],
    /// How many were written.
    pub len: usize,
}

impl<const N: usize> Partial<N> {
    /// `base` with the written positions overwritten.
    pub fn fill(&self, mut base: [f64; N]) -> [f64; N] {
        base[..self.len].copy_from_slice(&self.value[..self.len]);
        base
    }
}

/// Why a text is not a value of the wanted type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueError {
    /// Not a number.
    NotNumber {
        /// The offending word.
        word: String,
    },
    /// Not an integer, where a single one is wanted.
    NotInteger {
        /// The offending text.
        word: String,
    },
    /// Fewer numbers than wanted.
    TooFew {
        /// How many there must be.
        wanted: usize,
        /// How many there are.
        found: usize,
    },
    /// More numbers than wanted.
    TooMany {
        /// How many there may be.
        wanted: usize,
    },
    /// Not one of the keywords.
    Keyword {
        /// The text found.
        found: String,
        /// Allowed texts.
        words: Vec<&'static str>,
    },
    /// A number too large or too small for its type.
    Range {
        /// The offending word.
        word: String,
    },
    /// A keyword twice.
    Repeated {
        /// The keyword.
        word: String,
    },
    /// Anything else, in words.
    Other(String),
}

impl ValueError {
    /// Another type is wanted.
    fn wanted(what: &str) -> Self {
        ValueError::Other(format!("wanted {what}"))
    }
}

/// The type of an attribute: how it is read, written and laid over a default.
pub trait Value: Clone + 'static {
    /// The type that code gives for it: a text for a name, a slice for a list, else the value
    /// itself.
    type Given<'a>;

    /// The value with all positions, borrowed where it has an allocation.
    type Whole<'e>;

    /// Type in edited models.
    const KIND: Kind = Kind::File;

    /// The value that was written; where none was, and at positions not written, the default.
    fn whole<'e>(written: Option<&'e Self>, default: Self::Whole<'static>) -> Self::Whole<'e>;

    /// A default as numbers; none of a text or of a list, whose defaults are empty.
    fn preset(_default: Self::Whole<'static>) -> Preset {
        Preset::Numbers(Vec::new())
    }

    /// The value that code gives.
    fn given(given: Self::Given<'_>) -> Self;

    /// The text in MuJoCo's style of a value that differs from a base, where the type has such a
    /// style. `trim` leaves out the last positions that do not differ.
    fn difference(_: Self::Whole<'_>, _: Self::Whole<'_>, _trim: bool) -> Option<String> {
        None
    }

    /// Whether an attribute without any text counts as not written, as it does for arrays.
    const BLANK_IS_ABSENT: bool = false;

    /// Reads the text of an attribute.
    fn parse(text: &str) -> Result<Self, ValueError>;

    /// The text that reads back as this value.
    fn write(&self) -> String;

    /// The value for callers that have types of their own.
    fn datum(&self) -> Datum {
        Datum::Text(self.write())
    }

    /// The value that such a caller gives.
    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        match datum {
            Datum::Text(text) => Self::parse(text),
            _ => Err(ValueError::wanted("a text")),
        }
    }

    /// Whether there is a NaN in it.
    fn has_nan(&self) -> bool {
        false
    }

    /// This value on top of a default's: partial arrays keep the positions that were not written.
    fn over(&self, _base: &Self) -> Self {
        self.clone()
    }
}

/// A number as MuJoCo reads them.
pub trait Number: Copy + core::fmt::Display {
    /// The number a word stands for.
    fn read(word: &str) -> Result<Self, NumberError>;

    /// The nearest number that can be read again.
    fn readable(self) -> Self {
        self
    }

    /// Differences up to this are rounding.
    const ROUNDING: f64;

    /// The number as a real one.
    fn real(self) -> f64;

    /// The number that a real one is; none if there is none.
    fn of_real(real: f64) -> Option<Self>;

    /// Numbers as a datum.
    fn data(values: &[Self]) -> Datum;
}

/// Why a word is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The text is no number.
    Format,
    /// The number is too large or too small.
    Range,
}

macro_rules! float {
    ($($t:ident $list:ident),*) => {$(
        impl Number for $t {
            fn read(word: &str) -> Result<Self, NumberError> {
                let x: $t = match word.parse() {
                    Ok(x) => x,
                    Err(_) => odd_float(word).ok_or(NumberError::Format)? as $t,
                };
                // C's strtod calls overflow, and loss of digits near zero, a range error
                let named = word.contains(['n', 'N']);
                let written_zero = || {
                    let mantissa = word.split(['e', 'E', 'p', 'P']).next().unwrap_or(word);
                    let digits = mantissa.strip_prefix("0x").unwrap_or(mantissa);
                    !digits.contains(|c: char| c.is_ascii_hexdigit() && c != '0')
                };
                if !named && (x.is_infinite() || (!x.is_normal() && !written_zero())) {
                    return Err(NumberError::Range);
                }
                Ok(x)
            }

            fn readable(self) -> Self {
                if self.is_subnormal() { 0.0 } else { self }
            }

            const ROUNDING: f64 = <$t>::EPSILON as f64;

            fn real(self) -> f64 {
                self.into()
            }

            fn of_real(real: f64) -> Option<Self> {
                Some(real as $t)
            }

            fn data(values: &[Self]) -> Datum {
                Datum::$list(values.to_vec())
            }
        }
    )*};
}
float! { f64 Reals, f32 Singles }

/// Numbers that C reads and Rust does not: hexadecimal numbers and `nan(...)`.
fn odd_float(word: &str) -> Option<f64> {
    let (sign, rest) = match word.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    if rest.get(..4).is_some_and(|s| s.eq_ignore_ascii_case("nan(")) && rest.ends_with(')') {
        return Some(f64::NAN);
    }
    let hex = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    let (mantissa, exponent) = match hex.split_once(['p', 'P']) {
        Some((m, e)) => (m, e.strip_prefix('+').unwrap_or(e).parse::<i32>().ok()?),
        None => (hex, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for c in whole.chars().chain(fraction.chars()) {
        value = 16.0 * value + f64::from(c.to_digit(16)?);
    }
    let shift = exponent.saturating_sub(4 * fraction.len() as i32);
    Some(sign * value * f64::powi(2.0, shift))
}

impl Number for i32 {
    fn read(word: &str) -> Result<Self, NumberError> {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(NumberError::Format);
        }
        word.parse().map_err(|_| NumberError::Range)
    }

    const ROUNDING: f64 = 0.0;

    fn real(self) -> f64 {
        self.into()
    }

    fn of_real(real: f64) -> Option<Self> {
        let integer = real as i32;
        (f64::from(integer) == real).then_some(integer)
    }

    fn data(values: &[Self]) -> Datum {
        Datum::Integers(values.to_vec())
    }
}

/// All numbers of a text, at most `max`.
fn numbers<T: Number>(text: &str, max: usize) -> Result<Vec<T>, ValueError> {
    // an upper bound by the text's length, since the lists of meshes are long
    let mut out = Vec::with_capacity(max.min(text.len() / 4 + 1));
    for word in text.split_ascii_whitespace() {
        if out.len() == max {
            return Err(ValueError::TooMany { wanted: max });
        }
        out.push(T::read(word).map_err(|e| match e {
            NumberError::Format => ValueError::NotNumber { word: word.into() },
            NumberError::Range => ValueError::Range { word: word.into() },
        })?);
    }
    Ok(out)
}

/// All numbers of a datum, at most `max`.
fn numbers_of<T: Number>(datum: &Datum, max: usize) -> Result<Vec<T>, ValueError> {
    fn convert<T: Number, X: Number>(given: &[X], max: usize) -> Result<Vec<T>, ValueError> {
        if given.len() > max {
            return Err(ValueError::TooMany { wanted: max });
        }
        let number = |x: &X| {
            T::of_real(x.real()).ok_or_else(|| ValueError::NotInteger { word: x.to_string() })
        };
        given.iter().map(number).collect()
    }
    match datum {
        Datum::Integer(x) => convert(&[*x], max),
        Datum::Real(x) => convert(&[*x], max),
        Datum::Integers(list) => convert(list, max),
        Datum::Reals(list) => convert(list, max),
        Datum::Singles(list) => convert(list, max),
        Datum::Text(text) => numbers(text, max),
        Datum::Texts(list) if list.is_empty() => Ok(Vec::new()),
        _ => Err(ValueError::wanted("numbers")),
    }
}

/// Exactly `N` numbers of a datum.
fn array_of<T: Number, const N: usize>(datum: &Datum) -> Result<[T; N], ValueError> {
    let list = numbers_of::<T>(datum, N)?;
    let found = list.len();
    list.try_into().map_err(|_| ValueError::TooFew { wanted: N, found })
}

#[expect(clippy::eq_op, reason = "only a NaN differs from itself, for floats and integers alike")]
fn is_nan<T: PartialEq + Copy>(x: T) -> bool {
    x != x
}

/// Numbers separated by spaces.
fn join<T: Number>(values: &[T]) -> String {
    let mut out = String::new();
    for (i, v) in values.iter().enumerate() {
        let sep = if i > 0 { " " } else { "" };
        write!(out, "{sep}{}", v.readable()).expect("a String takes all text");
    }
    out
}

/// The text in MuJoCo's style of numbers that differ from a base.
fn difference<T: Number>(value: &[T], base: &[T], trim: bool) -> Option<String> {
    let real = |numbers: &[T]| numbers.iter().map(|x| x.real()).collect::<Vec<f64>>();
    number::difference(&real(value), &real(base), T::ROUNDING, trim)
}

macro_rules! number_values {
    ($($t:ty, $blank:literal, $datum:ident $one:ident $some:ident $list:ident;)*) => {$(
        impl Value for $t {
            type Given<'a> = $t;
            type Whole<'e> = $t;
            const BLANK_IS_ABSENT: bool = $blank;
            const KIND: Kind = Kind::$one;

            fn whole(written: Option<&$t>, default: $t) -> $t {
                written.copied().unwrap_or(default)
            }
            fn preset(default: $t) -> Preset {
                Preset::Numbers(vec![f64::from(default)])
            }

            fn difference(value: $t, base: $t, trim: bool) -> Option<String> {
                difference(&[value], &[base], trim)
            }

            fn given(given: $t) -> Self {
                given
            }

            fn parse(text: &str) -> Result<Self, ValueError> {
                match <[$t; 1]>::parse(text) {
                    Ok([x]) => Ok(x),
                    Err(ValueError::TooMany { wanted }) => Err(ValueError::TooMany { wanted }),
                    Err(_) if !$blank => Err(ValueError::NotInteger { word: text.to_owned() }),
                    Err(e) => Err(e),
                }
            }
            fn write(&self) -> String {
                self.readable().to_string()
            }
            fn datum(&self) -> Datum {
                Datum::$datum((*self).into())
            }
            fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
                array_of(datum).map(|[x]| x)
            }
            fn has_nan(&self) -> bool {
                is_nan(*self)
            }
        }

        impl<const N: usize> Value for [$t; N] {
            type Given<'a> = [$t; N];
            type Whole<'e> = [$t; N];
            const BLANK_IS_ABSENT: bool = true;
            const KIND: Kind = Kind::$some(N);

            fn whole(written: Option<&[$t; N]>, default: [$t; N]) -> [$t; N] {
                written.copied().unwrap_or(default)
            }
            fn preset(default: [$t; N]) -> Preset {
                Preset::Numbers(default.map(f64::from).to_vec())
            }

            fn difference(value: [$t; N], base: [$t; N], trim: bool) -> Option<String> {
                difference(&value, &base, trim)
            }

            fn given(given: [$t; N]) -> Self {
                given
            }

            fn parse(text: &str) -> Result<Self, ValueError> {
                let v = numbers::<$t>(text, N)?;
                let found = v.len();
                v.try_into().map_err(|_| ValueError::TooFew { wanted: N, found })
            }
            fn write(&self) -> String {
                join(self)
            }
            fn datum(&self) -> Datum {
                Number::data(self)
            }
            fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
                array_of(datum)
            }
            fn has_nan(&self) -> bool {
                self.iter().any(|x| is_nan(*x))
            }
        }

        impl Value for Vec<$t> {
            type Given<'a> = &'a [$t];
            type Whole<'e> = &'e [$t];
            const BLANK_IS_ABSENT: bool = true;
            const KIND: Kind = Kind::$list;

            fn whole<'e>(written: Option<&'e Vec<$t>>, default: &'static [$t]) -> &'e [$t] {
                written.map_or(default, Vec::as_slice)
            }

            fn given(given: &[$t]) -> Self {
                given.to_vec()
            }

            fn parse(text: &str) -> Result<Self, ValueError> {
                numbers::<$t>(text, usize::MAX)
            }
            fn write(&self) -> String {
                join(self)
            }
            fn datum(&self) -> Datum {
                Number::data(self)
            }
            fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
                numbers_of(datum, usize::MAX)
            }
            fn has_nan(&self) -> bool {
                self.iter().any(|x| is_nan(*x))
            }
        }
    )*};
}
number_values! {
    f64, true, Real Real Reals RealList;
    f32, true, Real Single Singles SingleList;
    i32, false, Integer Integer Integers IntegerList;
}

impl<const N: usize> Value for Partial<N> {
    type Given<'a> = &'a [f64];
    type Whole<'e> = [f64; N];
    const BLANK_IS_ABSENT: bool = true;
    const KIND: Kind = Kind::Reals(N);

    fn whole(written: Option<&Self>, default: [f64; N]) -> [f64; N] {
        written.map_or(default, |partial| partial.fill(default))
    }
    fn preset(default: [f64; N]) -> Preset {
        Preset::Numbers(default.to_vec())
    }

    fn difference(value: [f64; N], base: [f64; N], trim: bool) -> Option<String> {
        difference(&value, &base, trim)
    }

    /// The first numbers, up to the capacity.
    fn given(given: &[f64]) -> Self {
        let len = given.len().min(N);
        let mut value = [0.0; N];
        value[..len].copy_from_slice(&given[..len]);
        Partial { value, len }
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        let v = numbers::<f64>(text, N)?;
        let mut value = [0.0; N];
        value[..v.len()].copy_from_slice(&v);
        Ok(Partial { value, len: v.len() })
    }
    fn write(&self) -> String {
        join(&self.value[..self.len])
    }
    fn datum(&self) -> Datum {
        Datum::Reals(self.value[..self.len].to_vec())
    }
    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        numbers_of::<f64>(datum, N).map(|list| Self::given(&list))
    }
    fn has_nan(&self) -> bool {
        self.value[..self.len].iter().any(|x| x.is_nan())
    }
    fn over(&self, base: &Self) -> Self {
        Partial { value: self.fill(base.value), len: self.len.max(base.len) }
    }
}

/// Two numbers of which a single one, if only one is written, stands for both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OneOrTwo(pub [f64; 2]);

impl OneOrTwo {
    fn of_numbers(numbers: &[f64]) -> Result<Self, ValueError> {
        match numbers[..] {
            [both] => Ok(OneOrTwo([both; 2])),
            [first, second] => Ok(OneOrTwo([first, second])),
            _ => Err(ValueError::TooFew { wanted: 1, found: 0 }),
        }
    }
}

impl Value for OneOrTwo {
    type Given<'a> = [f64; 2];
    type Whole<'e> = [f64; 2];
    const KIND: Kind = Kind::Reals(2);

    fn whole(written: Option<&Self>, default: [f64; 2]) -> [f64; 2] {
        written.map_or(default, |both| both.0)
    }
    fn preset(default: [f64; 2]) -> Preset {
        Preset::Numbers(default.to_vec())
    }

    fn difference(value: [f64; 2], base: [f64; 2], trim: bool) -> Option<String> {
        let count = if value[0] != value[1] || base[0] != base[1] { 2 } else { 1 };
        difference(&value[..count], &base[..count], trim)
    }

    fn given(given: [f64; 2]) -> Self {
        OneOrTwo(given)
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        OneOrTwo::of_numbers(&numbers(text, 2)?)
    }
    fn write(&self) -> String {
        join(&self.0)
    }
    fn datum(&self) -> Datum {
        Datum::Reals(self.0.to_vec())
    }
    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        OneOrTwo::of_numbers(&numbers_of(datum, 2)?)
    }
}

/// A list of words, such as names of bodies. A word with spaces stands between apostrophes, its own
/// apostrophes doubled. MuJoCo writes it bare, as several words, which it cannot read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

impl Value for Words {
    type Given<'a> = &'a [&'a str];
    type Whole<'e> = &'e [String];
    const KIND: Kind = Kind::TextList;

    fn whole<'e>(written: Option<&'e Self>, default: &'static [String]) -> &'e [String] {
        written.map_or(default, |words| &words.0)
    }

    fn given(given: &[&str]) -> Self {
        Words(given.iter().map(|word| (*word).to_owned()).collect())
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        let mut words = Vec::new();
        let mut rest = text.trim_ascii_start();
        while !rest.is_empty() {
            let (word, after) = quoted_word(rest).unwrap_or_else(|| {
                let (word, after) = split_at_space(rest);
                (word.to_owned(), after)
            });
            words.push(word);
            rest = after.trim_ascii_start();
        }
        Ok(Words(words))
    }
    fn write(&self) -> String {
        let words = self.0.iter().map(|word| match has_space(word) {
            true => Cow::Owned(format!("'{}'", word.replace('\'', "''"))),
            false => Cow::Borrowed(word.as_str()),
        });
        words.collect::<Vec<_>>().join(" ")
    }
    fn datum(&self) -> Datum {
        Datum::Texts(self.0.clone())
    }
    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        match datum {
            Datum::Texts(list) => Ok(Words(list.clone())),
            Datum::Text(text) => Self::parse(text),
            _ => Err(ValueError::wanted("texts")),
        }
    }
}

fn has_space(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_whitespace())
}

/// The first word of a text, and the rest.
fn split_at_space(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len()))
}

/// The word between apostrophes with which a text begins, and the rest. Names may have apostrophes,
/// too. So a word is quoted only if it has a space between apostrophes that end words.
fn quoted_word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut rest = text.strip_prefix('\'')?;
    loop {
        let (part, after) = rest.split_once('\'')?;
        word.push_str(part);
        match after.strip_prefix('\'') {
            Some(more) => {
                word.push('\'');
                rest = more;
            }
            None => {
                let ends = after.is_empty() || after.starts_with(|c: char| c.is_ascii_whitespace());
                return (ends && has_space(&word)).then_some((word, after));
            }
        }
    }
}

impl Value for String {
    type Given<'a> = &'a str;
    type Whole<'e> = &'e str;
    const KIND: Kind = Kind::Text;

    fn whole<'e>(written: Option<&'e String>, default: &'static str) -> &'e str {
        written.map_or(default, String::as_str)
    }
    fn preset(default: &'static str) -> Preset {
        Preset::Text(default)
    }

    fn difference(value: &str, base: &str, _: bool) -> Option<String> {
        (value != base && !value.is_empty()).then(|| value.to_owned())
    }

    fn given(given: &str) -> Self {
        given.to_owned()
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        Ok(text.to_owned())
    }
    fn write(&self) -> String {
        self.clone()
    }
}

/// The values of an element's attributes: the written value, else the default.
///
/// ```
/// # use sinew_mjcf::spec::Geom;
/// let geom = Geom::sphere(0.1).friction(&[0.5]);
/// assert_eq!(geom.values().friction(), [0.5, 0.005, 0.0001]);
/// assert_eq!(geom.values().density(), 1000.0);
/// assert!(geom.density.get().is_none());
/// ```
#[derive(Debug)]
pub struct Values<'e, E>(pub(crate) &'e E);

impl<E> Clone for Values<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Values<'_, E> {}

/// Where an element's attributes come from while it is read.
pub trait AttrSource {
    /// The text of an attribute and its place, if written.
    fn text(&self, name: &'static str) -> Option<(&str, Span)>;
    /// The value of an attribute and its place, from a source that has types of its own.
    fn datum(&self, _name: &'static str) -> Option<(&Datum, Span)> {
        None
    }
    /// Reports an attribute whose text could not be read.
    fn fail(&mut self, name: &'static str, span: Span, error: ValueError);
    /// Reports an attribute with a NaN in it.
    fn note_nan(&mut self, name: &'static str, span: Span);
    /// The element itself.
    fn head(&self) -> Head;
}

/// Attributes that differ from a base, with their places in a list of names. A star after a name
/// leaves out the last positions that do not differ.
#[derive(Debug)]
pub(crate) struct Differences<'o> {
    order: &'o str,
    found: Vec<(usize, (&'static str, String))>,
}

impl<'o> Differences<'o> {
    /// No attributes yet.
    pub(crate) fn new(order: &'o str) -> Self {
        Differences { order, found: Vec::new() }
    }

    /// Adds an attribute that is in the list, if it differs.
    pub(crate) fn add<T: Value>(
        &mut self,
        name: &'static str,
        own: &Attr<T>,
        base: &Attr<T>,
        default: fn() -> T::Whole<'static>,
    ) {
        let Some((place, trim)) = self.place(name) else { return };
        let (own, base) = (T::whole(own.get(), default()), T::whole(base.get(), default()));
        let text = T::difference(own, base, trim);
        self.found.extend(text.map(|text| (place, (name, text))));
    }

    /// The place of a name, and whether a star is after it.
    fn place(&self, name: &str) -> Option<(usize, bool)> {
        let mut words = self.order.split_ascii_whitespace().enumerate();
        words.find_map(|(i, word)| {
            let trim = word.strip_suffix('*');
            (trim.unwrap_or(word) == name).then_some((i, trim.is_some()))
        })
    }

    /// The attributes in the order of the list.
    pub(crate) fn in_order(mut self) -> Vec<(&'static str, String)> {
        self.found.sort_by_key(|(place, _)| *place);
        self.found.into_iter().map(|(_, attribute)| attribute).collect()
    }
}

/// Reads one attribute; a bad one is reported and left out.
pub fn read_attr<T: Value>(src: &mut dyn AttrSource, name: &'static str) -> Attr<T> {
    let (read, span) = if let Some((datum, span)) = src.datum(name) {
        (T::of_datum(datum), span)
    } else {
        let Some((text, span)) = src.text(name) else { return Attr::default() };
        if T::BLANK_IS_ABSENT && text.trim_ascii().is_empty() {
            return Attr::default();
        }
        (T::parse(text), span)
    };
    match read {
        Ok(value) => {
            if value.has_nan() {
                src.note_nan(name, span);
            }
            Attr::at(value, span)
        }
        Err(error) => {
            src.fail(name, span, error);
            Attr::default()
        }
    }
}

/// Data of every element beside its attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Head {
    /// The element's start tag.
    pub span: Span,
    /// The (sub)model it comes from: index into `Spec::scopes`, which hold the compiler settings.
    pub scope: usize,
    /// Default class, as written on it or inherited by `childclass`. `None` applies no defaults at
    /// all (an unknown class, accepted with a warning).
    pub class: Option<ClassId>,
    /// Number of a joint, actuator or mocap body while models are put together; 0 for none.
    pub(crate) mark: u32,
    /// Identity in its model; 0 until somebody asks for it.
    pub(crate) id: u32,
}

/// A default class: index into `Spec::defaults`; 0 is `main`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassId(pub usize);
