//! The values of an element of an edited model, by the rows of the table of its kind.

use core::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use crate::spec::datum::Datum;
use crate::spec::kind::{Kind, Preset};
use crate::spec::mjs::{keyword_tables, records};

/// An attribute of a kind of element.
#[derive(Debug)]
pub struct Field {
    /// Name in `mjs`.
    pub name: &'static str,
    /// Name in MJCF; `None` if no attribute of that name has the value.
    pub xml: Option<&'static str>,
    /// Type of the attribute.
    pub kind: Kind,
    /// Value in a new element.
    pub preset: Datum,
    /// The numbers of its keywords; none if it has no keywords.
    keywords: Option<Vec<i32>>,
}

/// The attributes of a kind of element.
#[derive(Debug)]
pub struct Fields {
    /// The kind, as in `add_geom`.
    pub kind: &'static str,
    /// Attributes of the kind.
    pub list: Vec<Field>,
    by_name: HashMap<&'static str, usize>,
    by_xml: HashMap<&'static str, usize>,
}

impl Fields {
    /// The attributes of the kind of this name.
    pub fn of(kind: &str) -> Option<&'static Fields> {
        static ALL: LazyLock<HashMap<&'static str, Fields>> = LazyLock::new(all_fields);
        ALL.get(kind)
    }

    /// The place of an attribute in the list.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
}

/// The tables of all kinds.
fn all_fields() -> HashMap<&'static str, Fields> {
    let keywords: HashMap<_, _> = keyword_tables().into_iter().collect();
    let numbers_of = |kind: Kind| match kind {
        Kind::Enum(name) | Kind::Words(name) => {
            keywords.get(name).map(|words| words.iter().map(|(_, number)| *number).collect())
        }
        _ => None,
    };
    let of_record = |record: crate::spec::mjs::Record| {
        let rows = record.rows.into_iter().filter_map(|row| {
            let (name, kind) = (row.name?, row.kind);
            let preset = preset(kind, (row.preset)());
            Some(Field { name, xml: row.xml, kind, preset, keywords: numbers_of(kind) })
        });
        let list: Vec<Field> = rows.collect();
        let by_name = list.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
        let by_xml = list.iter().enumerate().filter_map(|(i, f)| Some((f.xml?, i))).collect();
        (record.name, Fields { kind: record.name, list, by_name, by_xml })
    };
    records().into_iter().map(of_record).collect()
}

/// The default of an attribute as a value of its type.
fn preset(kind: Kind, preset: Preset) -> Datum {
    let (numbers, text) = match preset {
        Preset::Numbers(numbers) => (numbers, ""),
        Preset::Text(text) => (Vec::new(), text),
    };
    let first = numbers.first().copied().unwrap_or_default();
    let at = |i: usize| numbers.get(i).copied().unwrap_or_default();
    let row = |n: usize| (0..n).map(at);
    match kind {
        Kind::Integer | Kind::Flag | Kind::Enum(_) | Kind::Words(_) => Datum::Integer(first as i32),
        Kind::Real | Kind::Single => Datum::Real(first),
        Kind::Integers(n) => Datum::Integers(row(n).map(|x| x as i32).collect()),
        Kind::Reals(n) => Datum::Reals(row(n).collect()),
        Kind::Poly => Datum::Reals(row(3).collect()),
        Kind::Singles(n) => Datum::Singles(row(n).map(|x| x as f32).collect()),
        Kind::Characters(_) => Datum::Texts(text.chars().map(String::from).collect()),
        Kind::TextList if text.is_empty() => Datum::Texts(Vec::new()),
        Kind::TextList => Datum::Texts(text.split(',').map(str::to_owned).collect()),
        Kind::IntegerList => Datum::Integers(Vec::new()),
        Kind::RealList => Datum::Reals(Vec::new()),
        Kind::SingleList => Datum::Singles(Vec::new()),
        Kind::IntegerLists => Datum::IntegerLists(Vec::new()),
        Kind::SingleLists => Datum::SingleLists(Vec::new()),
        Kind::Bytes => Datum::Bytes(Vec::new()),
        Kind::Text | Kind::File | Kind::Orientation | Kind::Plugin => Datum::Text(text.to_owned()),
    }
}

/// A fixed number of numbers that keep their place in memory, so that views may write them.
#[derive(Clone, Debug)]
pub enum Row {
    /// Numbers of eight bytes, by their bits.
    Reals(Arc<[AtomicU64]>),
    /// Numbers of four bytes, by their bits.
    Singles(Arc<[AtomicU32]>),
    /// Integers.
    Integers(Arc<[AtomicI32]>),
}

impl Row {
    /// A row of its own with these values; none if they are no numbers in a row.
    fn new(datum: &Datum) -> Option<Row> {
        Some(match datum {
            Datum::Reals(list) => Row::Reals(list.iter().map(|x| x.to_bits().into()).collect()),
            Datum::Singles(list) => Row::Singles(list.iter().map(|x| x.to_bits().into()).collect()),
            Datum::Integers(list) => Row::Integers(list.iter().map(|x| (*x).into()).collect()),
            _ => return None,
        })
    }

    /// The values.
    fn datum(&self) -> Datum {
        match self {
            Row::Reals(list) => {
                Datum::Reals(list.iter().map(|x| f64::from_bits(x.load(Relaxed))).collect())
            }
            Row::Singles(list) => {
                Datum::Singles(list.iter().map(|x| f32::from_bits(x.load(Relaxed))).collect())
            }
            Row::Integers(list) => Datum::Integers(list.iter().map(|x| x.load(Relaxed)).collect()),
        }
    }

    /// Writes the first values.
    fn write(&self, numbers: &[f64]) {
        for (i, &x) in numbers.iter().enumerate() {
            match self {
                Row::Reals(list) => list[i].store(x.to_bits(), Relaxed),
                Row::Singles(list) => list[i].store((x as f32).to_bits(), Relaxed),
                Row::Integers(list) => list[i].store(x as i32, Relaxed),
            }
        }
    }

    /// Number of its entries.
    pub fn count(&self) -> usize {
        match self {
            Row::Reals(list) => list.len(),
            Row::Singles(list) => list.len(),
            Row::Integers(list) => list.len(),
        }
    }
}

/// A value of an element.
#[derive(Debug)]
enum Value {
    Datum(Datum),
    Row(Row),
    /// A struct inside of the element: an orientation, or the reference to a plugin.
    Part(Box<Record>),
}

impl Clone for Value {
    /// A value that shares no memory with this one.
    fn clone(&self) -> Value {
        match self {
            Value::Datum(datum) => Value::Datum(datum.clone()),
            Value::Row(row) => Row::new(&row.datum()).map_or(Value::Row(row.clone()), Value::Row),
            Value::Part(part) => Value::Part(part.clone()),
        }
    }
}

/// Values of an element of an edited model. A copy shares no memory with the original.
#[derive(Clone, Debug)]
pub struct Record {
    fields: &'static Fields,
    /// Name, unique among elements of a kind.
    pub name: String,
    /// The name of its default class.
    pub class: String,
    /// Number in the compiled model; -1 before.
    pub id: i32,
    /// Attributes of MJCF that edited models lack, and settings of plugins.
    pub extra: Vec<(&'static str, Datum)>,
    values: Vec<Option<Value>>,
}

impl Record {
    /// A new element.
    pub fn new(fields: &'static Fields) -> Record {
        Record {
            fields,
            name: String::new(),
            class: String::new(),
            id: -1,
            extra: Vec::new(),
            values: fields.list.iter().map(|_| None).collect(),
        }
    }

    /// The attributes of its kind.
    pub fn fields(&self) -> &'static Fields {
        self.fields
    }

    /// Whether an attribute was set or looked at.
    pub fn has(&self, i: usize) -> bool {
        self.values[i].is_some()
    }

    /// Whether any attribute was set or looked at, or has no place in the table.
    pub fn says_anything(&self) -> bool {
        !self.extra.is_empty() || self.values.iter().any(Option::is_some)
    }

    /// The value of an attribute.
    pub fn value(&self, i: usize) -> Datum {
        match &self.values[i] {
            Some(Value::Datum(datum)) => datum.clone(),
            Some(Value::Row(row)) => row.datum(),
            Some(Value::Part(_)) | None => self.fields.list[i].preset.clone(),
        }
    }

    /// The value of an attribute that is no row of numbers.
    fn datum(&self, i: usize) -> &Datum {
        match &self.values[i] {
            Some(Value::Datum(datum)) => datum,
            _ => &self.fields.list[i].preset,
        }
    }

    /// The value of an attribute that is no row of numbers, to be changed.
    pub fn datum_mut(&mut self, i: usize) -> Option<&mut Datum> {
        let preset = &self.fields.list[i].preset;
        match self.values[i].get_or_insert_with(|| Value::Datum(preset.clone())) {
            Value::Datum(datum) => Some(datum),
            _ => None,
        }
    }

    /// The numbers of an attribute that has a fixed number of them.
    pub fn row(&mut self, i: usize) -> Option<&Row> {
        let field = &self.fields.list[i];
        let fixed = matches!(
            field.kind,
            Kind::Reals(_) | Kind::Singles(_) | Kind::Integers(_) | Kind::Poly
        );
        if !fixed {
            return None;
        }
        if self.values[i].is_none() {
            self.values[i] = Row::new(&field.preset).map(Value::Row);
        }
        match &self.values[i] {
            Some(Value::Row(row)) => Some(row),
            _ => None,
        }
    }

    /// The struct that an attribute is, if it was set or looked at.
    pub fn part(&self, i: usize) -> Option<&Record> {
        match &self.values[i] {
            Some(Value::Part(part)) => Some(part),
            _ => None,
        }
    }

    /// The struct that an attribute is, to be changed; none if it is no struct.
    pub fn part_mut(&mut self, i: usize) -> Option<&mut Record> {
        let kind = match self.fields.list[i].kind {
            Kind::Orientation => "orientation",
            Kind::Plugin => "plugin",
            _ => return None,
        };
        if self.values[i].is_none() {
            self.values[i] = Some(Value::Part(Box::new(Record::new(Fields::of(kind)?))));
        }
        match &mut self.values[i] {
            Some(Value::Part(part)) => Some(part),
            _ => None,
        }
    }

    /// Sets an attribute; of a fixed number of numbers the first ones.
    pub fn set(&mut self, i: usize, datum: Datum) {
        if let Some(row) = self.row(i) {
            let numbers = datum.numbers();
            row.write(&numbers[..numbers.len().min(row.count())]);
            return;
        }
        self.values[i] = Some(Value::Datum(datum));
    }

    /// Makes an attribute as in a new element.
    pub fn forget(&mut self, i: usize) {
        match &self.values[i] {
            Some(Value::Row(row)) => row.write(&self.fields.list[i].preset.numbers()),
            _ => self.values[i] = None,
        }
    }

    /// Copies the values of another element of its kind.
    pub fn assign(&mut self, other: &Record) {
        self.name.clone_from(&other.name);
        self.class.clone_from(&other.class);
        self.extra.clone_from(&other.extra);
        for (own, value) in self.values.iter_mut().zip(&other.values) {
            match (own, value) {
                (_, None) => {}
                (Some(Value::Row(row)), Some(Value::Row(new))) => row.write(&new.datum().numbers()),
                (Some(Value::Part(part)), Some(Value::Part(new))) => part.assign(new),
                (own, value) => own.clone_from(value),
            }
        }
    }

    // by name; an attribute that the kind lacks is as one that says nothing

    /// Sets an attribute.
    pub fn put(&mut self, name: &str, datum: impl Into<Datum>) {
        if let Some(i) = self.fields.index(name) {
            self.set(i, datum.into());
        }
    }

    /// The text of an attribute.
    pub fn text(&self, name: &str) -> &str {
        match self.fields.index(name).map(|i| self.datum(i)) {
            Some(Datum::Text(text)) => text,
            _ => "",
        }
    }

    /// The texts of an attribute.
    pub fn texts(&self, name: &str) -> &[String] {
        match self.fields.index(name).map(|i| self.datum(i)) {
            Some(Datum::Texts(list)) => list,
            _ => &[],
        }
    }

    /// The integer of an attribute.
    pub fn integer(&self, name: &str) -> i32 {
        match self.fields.index(name).map(|i| self.datum(i)) {
            Some(Datum::Integer(x)) => *x,
            _ => 0,
        }
    }

    /// The number of an attribute.
    pub fn real(&self, name: &str) -> f64 {
        match self.fields.index(name).map(|i| self.datum(i)) {
            Some(Datum::Real(x)) => *x,
            _ => 0.0,
        }
    }

    /// The numbers of an attribute.
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        self.fields.index(name).map_or(Vec::new(), |i| self.value(i).numbers())
    }

    /// The struct of an attribute, if it was set or looked at.
    pub fn part_of(&self, name: &str) -> Option<&Record> {
        self.part(self.fields.index(name)?)
    }

    /// Whether an attribute was set or looked at.
    pub fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.fields.index(name).is_some_and(|i| self.has(i)))
    }

    /// A value of a file beside the attributes of the table.
    pub fn extra(&self, name: &str) -> Option<&Datum> {
        self.extra.iter().find(|(n, _)| *n == name).map(|(_, datum)| datum)
    }

    // to and from attributes of MJCF

    /// The MJCF attributes that differ from a new element's, or the error in a keyword.
    pub(super) fn differing(&self) -> Result<Vec<(&'static Field, Datum)>, String> {
        let mut out = Vec::with_capacity(8);
        for (field, value) in self.fields.list.iter().zip(&self.values) {
            let (Some(_), Some(value)) = (field.xml, value) else { continue };
            let Some(datum) = field.differing(value) else { continue };
            if let (Datum::Integer(number), Some(keywords)) = (&datum, &field.keywords)
                && !keywords.contains(number)
            {
                return Err(format!("invalid {} in {}", field.name, self.fields.kind));
            }
            out.push((field, datum));
        }
        Ok(out)
    }

    /// The same by their names in MJCF.
    pub(super) fn said(&self) -> Result<Vec<(&'static str, Datum)>, String> {
        let found = self.differing()?.into_iter();
        Ok(found.filter_map(|(field, datum)| Some((field.xml?, datum))).collect())
    }

    /// Sets the values of MJCF attributes, except special ones. Attributes without a place in the
    /// table are kept beside it.
    pub(super) fn say(&mut self, attributes: Vec<(&'static str, Datum)>, special: &[&str]) {
        for (name, datum) in attributes {
            if name == "name" {
                if let Datum::Text(text) = datum {
                    self.name = text;
                }
            } else if special.contains(&name) {
            } else if let Some(&i) = self.fields.by_xml.get(name) {
                let datum = match (self.fields.list[i].kind, datum) {
                    (Kind::Characters(_), Datum::Text(text)) => {
                        Datum::Texts(text.chars().map(String::from).collect())
                    }
                    (_, datum) => datum,
                };
                self.set(i, datum);
            } else {
                self.add_extra(name, datum);
            }
        }
    }

    /// Keeps an attribute that has no place in the table.
    pub(super) fn add_extra(&mut self, name: &'static str, datum: Datum) {
        self.extra.retain(|(n, _)| *n != name);
        self.extra.push((name, datum));
    }
}

impl Field {
    /// The value if it differs from a new element's; NaN stands for none.
    fn differing(&self, value: &Value) -> Option<Datum> {
        let datum = match value {
            Value::Datum(datum) => datum.clone(),
            Value::Row(row) => row.datum(),
            Value::Part(_) => return None,
        };
        let is_nan = |first: Option<f64>| first.is_some_and(f64::is_nan);
        match (&datum, self.kind) {
            (Datum::Real(x), _) if x.is_nan() => None,
            (Datum::Reals(list), Kind::Reals(_) | Kind::Poly) if is_nan(list.first().copied()) => {
                None
            }
            (Datum::Singles(list), Kind::Singles(_))
                if list.first().is_some_and(|x| x.is_nan()) =>
            {
                None
            }
            _ if datum == self.preset => None,
            (Datum::Integer(x), Kind::Flag) => Some(Datum::Integer((*x != 0).into())),
            (Datum::Reals(list), Kind::Poly) => {
                // the last coefficients that are zero are not said
                let last = list.iter().rposition(|x| *x != 0.0).map_or(1, |last| last + 1);
                Some(Datum::Reals(list[..last].to_vec()))
            }
            (Datum::Texts(list), Kind::Characters(_)) => Some(Datum::Text(list.concat())),
            (Datum::Texts(list), _) if list.is_empty() => None,
            (Datum::IntegerLists(_) | Datum::SingleLists(_) | Datum::Bytes(_), _) => None,
            _ => Some(datum),
        }
    }
}
