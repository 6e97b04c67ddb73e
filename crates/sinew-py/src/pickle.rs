//! Serialisation of a state.
//!
//! The format has scalars, small arrays, records, contacts, every table with its length, and the
//! impulses of exact friction. The format is private to one version of the package: it is for
//! pickling between processes, not for files.

use sinew_model::Data;
use sinew_model::contact::Contact;
use sinew_model::coulomb::Certificate;
use sinew_model::record::{Record, record_bytes};

use crate::memory::{records_mut, zeroed};
use crate::scalars::{INLINE, Number, SCALARS, inline};

/// The whole state except scratch memory.
pub(crate) fn dump(d: &mut Data) -> Vec<u8> {
    let mut out = Vec::new();
    for field in SCALARS {
        match (field.get)(d) {
            Number::Float(x) => out.extend_from_slice(&x.to_ne_bytes()),
            Number::Int(x) => out.extend_from_slice(&x.to_ne_bytes()),
        }
    }
    for (name, _) in INLINE {
        out.extend_from_slice(inline(d, name).map_or(&[][..], |s| s.bytes));
    }
    dump_records(&mut out, &d.warning);
    dump_records(&mut out, &d.timer);
    dump_records(&mut out, &d.solver);
    dump_records(&mut out, &d.contact);
    d.for_each_field(|f| {
        out.extend_from_slice(&(f.bytes.len() as u64).to_ne_bytes());
        out.extend_from_slice(f.bytes);
    });
    let impulses = d.coulomb.to_numbers();
    out.extend_from_slice(&(impulses.len() as u64).to_ne_bytes());
    out.extend(impulses.iter().flat_map(|x| x.to_ne_bytes()));
    out
}

fn dump_records<R: Record>(out: &mut Vec<u8>, records: &[R]) {
    out.extend_from_slice(&(records.len() as u64).to_ne_bytes());
    for record in records {
        out.extend_from_slice(record_bytes(record));
    }
}

/// Restores the bytes of `dump`. Returns `None` and keeps the state if they do not fit.
pub(crate) fn load(d: &mut Data, bytes: &[u8]) -> Option<()> {
    let mut input = Input(bytes);
    let mut new = d.clone();

    // scalars
    for field in SCALARS {
        let raw: [u8; 8] = input.take(8)?.try_into().ok()?;
        let value = match field.real {
            true => Number::Float(f64::from_ne_bytes(raw)),
            false => Number::Int(i64::from_ne_bytes(raw)),
        };
        field.put_unchecked(&mut new, value);
    }

    // arrays in the struct, and records
    for (name, _) in INLINE {
        let slot = inline(&mut new, name)?;
        slot.bytes.copy_from_slice(input.take(slot.bytes.len())?);
    }
    input.records(&mut new.warning)?;
    input.records(&mut new.timer)?;
    new.solver = input.list()?;
    new.contact = input.list()?;

    // tables
    for info in Data::FIELDS {
        let bytes = input.sized(1)?;
        if info.fixed {
            fill(&mut new, info.name, bytes)?;
        } else {
            set_list(&mut new, info.name, bytes)?;
        }
    }

    // certificate of exact friction
    let impulses = input.sized(8)?.as_chunks().0.iter();
    let impulses: Vec<f64> = impulses.map(|x| f64::from_ne_bytes(*x)).collect();
    new.coulomb = Certificate::from_numbers(&impulses)?;
    d.copy_from(&new);
    Some(())
}

/// Replaces the per-step list called `name`, or the contacts, by the rows in `bytes`. Returns
/// `None` if there is no such list or `bytes` has partial rows.
pub(crate) fn set_list(d: &mut Data, name: &str, bytes: &[u8]) -> Option<()> {
    if name == "contact" {
        let mut rows = vec![zeroed::<Contact>(); bytes.len() / size_of::<Contact>()];
        let target = records_mut(&mut rows);
        if target.len() != bytes.len() {
            return None;
        }
        target.copy_from_slice(bytes);
        d.contact = rows;
        return Some(());
    }
    let field = d.field(name)?;
    let width = field.shape.cols.unwrap_or(1) * field.info.scalar.size();
    if !d.resize_list(name, bytes.len() / width) {
        return None;
    }
    fill(d, name, bytes)
}

/// Writes the bytes of a field.
fn fill(d: &mut Data, name: &str, bytes: &[u8]) -> Option<()> {
    let field = d.field_mut(name)?;
    if field.bytes.len() != bytes.len() {
        return None;
    }
    field.bytes.copy_from_slice(bytes);
    Some(())
}

/// Unread bytes.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }

    /// A number of items of `size` bytes, then the items.
    fn sized(&mut self, size: usize) -> Option<&'a [u8]> {
        let n = u64::from_ne_bytes(self.take(8)?.try_into().ok()?);
        self.take(usize::try_from(n).ok()?.checked_mul(size)?)
    }

    fn records<R: Record>(&mut self, records: &mut [R]) -> Option<()> {
        let bytes = self.sized(size_of::<R>())?;
        let target = records_mut(records);
        (target.len() == bytes.len()).then(|| target.copy_from_slice(bytes))
    }

    fn list<R: Record>(&mut self) -> Option<Vec<R>> {
        let bytes = self.sized(size_of::<R>())?;
        let mut list = vec![zeroed::<R>(); bytes.len() / size_of::<R>()];
        records_mut(&mut list).copy_from_slice(bytes);
        Some(list)
    }
}
