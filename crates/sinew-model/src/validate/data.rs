//! Meaning of each integer of a state.
//!
//! Stages write these integers and use them without checks. A caller that lets others write into a
//! state, as Python does, can use this check after a panic of a stage. The check finds the invalid
//! value.

use super::rules::one_of;
use super::{Check, Fault, InvalidData, Requirement, check, index, integers};
use crate::contact::Contact;
use crate::data::Data;
use crate::enums::ConstraintType;
use crate::fields::FieldInfo;
use crate::model::Model;
use crate::pod::{Meaning, Scalar};
use crate::record::{Record, RecordField, record_bytes};

/// Permitted values of a field's integers. Sizes are names of a model's sizes, of a state's counts,
/// or of lists whose rows are counted.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Any value: no stage uses it as an index.
    Any,
    /// A value within bounds.
    Between(i64, i64),
    /// A count up to the number of rows.
    Count(&'static str),
    /// An index of a row.
    Row(&'static str),
    /// An index of a row, or -1.
    MaybeRow(&'static str),
    /// An index of a row, or a negative value.
    RowOrLess(&'static str),
    /// The first of consecutive rows, whose number is in the second field.
    Run(&'static str, &'static str),
    /// The object of a constraint row.
    Source,
}

/// Integers without a specific type, in the order of the table.
const RULES: &[(&str, Rule)] = {
    use Rule::*;
    &[
        ("tree_asleep", RowOrLess("ntree")),
        ("plugin", Any),
        ("ten_wrapadr", Run("ten_wrapnum", "path points")),
        ("ten_wrapnum", Count("path points")),
        ("ten_J_rownnz", Count("nv")),
        ("ten_J_rowadr", Run("ten_J_rownnz", "ten_J")),
        ("wrap_obj", Any),
        ("moment_rownnz", Count("nv")),
        ("moment_rowadr", Run("moment_rownnz", "nJmom")),
        ("tree_awake", Between(0, 1)),
        ("body_awake_ind", Row("nbody")),
        ("parent_awake_ind", Row("nbody")),
        ("dof_awake_ind", Row("nv")),
        ("efc_id", Source),
        ("efc_J_rownnz", Count("nv")),
        ("efc_J_rowadr", Run("efc_J_rownnz", "efc_J")),
        ("efc_J_rowsuper", Count("efc_type")),
        ("efc_J_colind", Row("nv")),
        ("tendon_efcadr", Any),
        ("tree_island", MaybeRow("island_nv")),
        ("island_ntree", Count("ntree")),
        ("island_itreeadr", Run("island_ntree", "ntree")),
        ("map_itree2tree", Row("ntree")),
        ("dof_island", MaybeRow("island_nv")),
        ("island_nv", Count("nv")),
        ("island_idofadr", Run("island_nv", "nv")),
        ("island_dofadr", Row("nv")),
        ("map_dof2idof", Row("nv")),
        ("map_idof2dof", Row("nv")),
        ("iM_rownnz", Any),
        ("iM_rowadr", Any),
        ("iM_colind", Any),
        ("efc_island", MaybeRow("island_nv")),
        ("island_ne", Count("efc_type")),
        ("island_nf", Count("efc_type")),
        ("island_nefc", Count("efc_type")),
        ("island_iefcadr", Run("island_nefc", "efc_type")),
        ("map_efc2iefc", Row("efc_type")),
        ("map_iefc2efc", Row("efc_type")),
        ("iefc_id", Any),
        ("iefc_J_rownnz", Any),
        ("iefc_J_rowadr", Any),
        ("iefc_J_rowsuper", Any),
        ("iefc_J_colind", Any),
        ("efc_AR_rownnz", Count("efc_type")),
        ("efc_AR_rowadr", Run("efc_AR_rownnz", "efc_AR")),
        ("efc_AR_colind", Row("efc_type")),
    ]
};

/// Integers of a contact.
const CONTACT: &[(&str, Rule)] = {
    use Rule::*;
    &[
        ("dim", Between(1, 6)),
        ("geom1", Any),
        ("geom2", Any),
        ("geom", MaybeRow("ngeom")),
        ("flex", MaybeRow("nflex")),
        ("elem", MaybeRow("nflexelem")),
        ("vert", MaybeRow("nflexvert")),
        ("exclude", Between(0, 4)),
        ("efc_address", MaybeRow("efc_type")),
        ("pad_", Any),
    ]
};

/// The rule of a field, declared or from its type.
fn rule(info: &FieldInfo) -> Option<Rule> {
    if let Some((_, rule)) = RULES.iter().find(|(name, _)| *name == info.name) {
        return Some(*rule);
    }
    Some(match info.meaning {
        Meaning::Number | Meaning::Flag | Meaning::OneOf(_) => Rule::Any,
        Meaning::Row(size) => Rule::Row(size),
        Meaning::MaybeRow(size) => Rule::MaybeRow(size),
        Meaning::Untold => return None,
    })
}

/// The integers of a field of the contacts.
fn of_contacts<'d>(d: &'d Data, field: &RecordField) -> impl Iterator<Item = i64> + use<'d> {
    let bytes = field.offset..field.offset + field.width * field.scalar.size();
    let integers = field.scalar == Scalar::I32;
    let contacts = d.contact.iter().filter(move |_| integers);
    contacts.flat_map(move |con| {
        let numbers = record_bytes(con)[bytes.clone()].chunks_exact(4);
        numbers.map(|n| n.try_into().map_or(0, i32::from_ne_bytes).into())
    })
}

impl Data {
    /// Validates all references: ids, addresses, counts.
    ///
    /// The lists must belong to one step. Between collision detection and the creation of
    /// constraint rows they do not.
    pub fn validate(&self, m: &Model) -> Result<(), InvalidData> {
        self.check_arrays(m).map_err(|fault| self.describe(fault))?;
        self.check_contacts(m)?;
        self.check_counts(m)?;
        self.check_islands().map_err(|fault| self.describe(fault))
    }

    fn check_arrays(&self, m: &Model) -> Check {
        for info in Data::FIELDS {
            let rule = rule(info).unwrap_or(Rule::Any);
            let numbers = || integers(self.field(info.name));

            // values within the bounds of their rule
            match rule {
                Rule::Source => self.check_sources(m)?,
                Rule::Run(num, of) => {
                    let counts = integers(self.field(num));
                    for (at, (adr, n)) in numbers().zip(counts).enumerate() {
                        let most = self.size(m, of) - n.max(0);
                        let ok = 0 <= adr && adr <= most;
                        check(ok, info.name, at, Requirement::Between(0, most))?;
                    }
                }
                _ => {
                    let Some((lo, hi)) = self.bounds(m, rule) else { continue };
                    for (at, n) in numbers().enumerate() {
                        check(lo <= n && n <= hi, info.name, at, Requirement::Between(lo, hi))?;
                    }
                }
            }

            // enumerations
            if let Meaning::OneOf(values) = info.meaning {
                for (at, n) in numbers().enumerate() {
                    let known = values.iter().any(|&(_, value)| value == n);
                    check(known, info.name, at, one_of(values))?;
                }
            }
        }
        Ok(())
    }

    /// Bounds of a rule that are the same for all values.
    fn bounds(&self, m: &Model, rule: Rule) -> Option<(i64, i64)> {
        Some(match rule {
            Rule::Between(lo, hi) => (lo, hi),
            Rule::Count(of) => (0, self.size(m, of)),
            Rule::Row(of) => (0, self.size(m, of) - 1),
            Rule::MaybeRow(of) => (-1, self.size(m, of) - 1),
            Rule::RowOrLess(of) => (i64::MIN, self.size(m, of) - 1),
            Rule::Any | Rule::Run(..) | Rule::Source => return None,
        })
    }

    /// A size of the model, or the number of values in an array.
    fn size(&self, m: &Model, name: &str) -> i64 {
        let size = match name {
            "path points" => 2 * m.nwrap,
            _ => m.size(name).unwrap_or_else(|| {
                let view = self.field(name);
                view.map_or(0, |view| view.shape.rows * view.shape.cols.unwrap_or(1))
            }),
        };
        size as i64
    }

    /// Constraint rows have valid sources.
    fn check_sources(&self, m: &Model) -> Check {
        for (at, (&id, &kind)) in self.efc_id.iter().zip(&*self.efc_type).enumerate() {
            let rows = match kind {
                ConstraintType::Equality => m.neq,
                ConstraintType::FrictionDof => m.nv,
                ConstraintType::LimitJoint => m.njnt,
                ConstraintType::FrictionTendon | ConstraintType::LimitTendon => m.ntendon,
                _ => self.contact.len(),
            };
            super::row(id, rows, "efc_id", at)?;
        }
        Ok(())
    }

    fn check_contacts(&self, m: &Model) -> Result<(), InvalidData> {
        for field in Contact::FIELDS {
            let rule = CONTACT.iter().find(|(name, _)| *name == field.name);
            let bounds = rule.and_then(|&(_, rule)| self.bounds(m, rule));
            let Some((lo, hi)) = bounds else { continue };
            let wanted = Requirement::Between(lo, hi);
            for (at, n) in of_contacts(self, field).enumerate() {
                if n < lo || n > hi {
                    let column = (field.width > 1).then_some(at % field.width);
                    let index = Some((at / field.width, column));
                    let field = CONTACT_NAMES.iter().find(|name| name.ends_with(field.name));
                    let field = field.unwrap_or(&"contact");
                    return Err(InvalidData { field, index, value: Some(n), wanted });
                }
            }
        }
        Ok(())
    }

    /// Counts equal the numbers of rows, and are within their bounds.
    fn check_counts(&self, m: &Model) -> Result<(), InvalidData> {
        // rows of each type, counted again
        let of_kind = |first: ConstraintType, last: ConstraintType| {
            let kinds = first.0..=last.0;
            self.efc_type.iter().filter(|kind| kinds.contains(&kind.0)).count()
        };
        let rows = |n: usize| (if self.nefc == 0 { 0 } else { n }, n);

        // bounds of each count
        for (field, found, (least, most)) in [
            ("ncon", self.ncon, (0, self.contact.len())),
            ("nefc", self.nefc, rows(self.efc_type.len())),
            ("ne", self.ne, rows(of_kind(ConstraintType::Equality, ConstraintType::Equality))),
            (
                "nf",
                self.nf,
                rows(of_kind(ConstraintType::FrictionDof, ConstraintType::FrictionTendon)),
            ),
            ("nl", self.nl, rows(of_kind(ConstraintType::LimitJoint, ConstraintType::LimitTendon))),
            ("nJ", self.nJ, (0, self.efc_J.len())),
            ("nA", self.nA, (0, self.efc_AR.len())),
            ("nisland", self.nisland, (0, self.island_nv.len())),
            ("nidof", self.nidof, (0, m.nv)),
            ("ntree_awake", self.ntree_awake, (0, m.ntree)),
            ("nbody_awake", self.nbody_awake, (0, m.nbody)),
            ("nparent_awake", self.nparent_awake, (0, m.nbody)),
            ("nv_awake", self.nv_awake, (0, m.nv)),
        ] {
            if !(least..=most).contains(&found) {
                let wanted = Requirement::Between(least as i64, most as i64);
                return Err(InvalidData { field, index: None, value: Some(found as i64), wanted });
            }
        }
        Ok(())
    }

    /// Dofs and rows of islands are consecutive, and a row has entries only at dofs of its island.
    fn check_islands(&self) -> Check {
        // consecutive ranges of dofs and rows
        for (field, count, starts, counts) in [
            ("island_idofadr", "island_nv", &*self.island_idofadr, &*self.island_nv),
            ("island_iefcadr", "island_nefc", &*self.island_iefcadr, &*self.island_nefc),
        ] {
            let mut next = 0;
            for (at, (&start, &n)) in starts.iter().zip(counts).take(self.nisland).enumerate() {
                super::exactly(start.into(), next, field, at)?;
                next += n.max(0) as usize;
            }
            let last = self.nisland.min(counts.len());
            let all = if count == "island_nv" { self.nidof } else { self.nefc };
            check(
                last == 0 || next == all,
                count,
                last.saturating_sub(1),
                Requirement::Such(REST),
            )?;
        }

        // the maps of dofs are inverses of each other
        for (at, &dof) in self.map_idof2dof.iter().enumerate().take(self.nidof) {
            let place = self.map_dof2idof.get(dof as usize).copied().unwrap_or(-1);
            check(place as usize == at, "map_idof2dof", at, Requirement::Such(INVERSE))?;
        }

        // entries of the Jacobian
        let rows = self.efc_island.iter().zip(self.efc_J_rowadr.iter().zip(&*self.efc_J_rownnz));
        for (island, (&start, &n)) in rows.filter(|_| self.nisland > 0) {
            for at in super::rows(start, n) {
                let dof = self.efc_J_colind[at] as usize;
                let own = self.dof_island.get(dof) == Some(island);
                check(own, "efc_J_colind", at, Requirement::Such("a dof of the row's island"))?;
            }
        }
        Ok(())
    }

    /// A fault of an array with the actual value.
    fn describe(&self, fault: Fault) -> InvalidData {
        let Fault { field, at, wanted } = fault;
        let index = self.field(field).map(|view| index(&view, at));
        InvalidData { field, index, value: integers(self.field(field)).nth(at), wanted }
    }
}

const REST: &str = "what the other islands leave";
const INVERSE: &str = "the dof whose place in `map_dof2idof` this is";

/// The names of the validated fields of contacts, as in Python.
const CONTACT_NAMES: [&str; 7] = [
    "contact.dim",
    "contact.geom",
    "contact.flex",
    "contact.elem",
    "contact.vert",
    "contact.exclude",
    "contact.efc_address",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integer_has_a_meaning() {
        for info in Data::FIELDS {
            assert!(rule(info).is_some(), "{}: no rule says what it refers to", info.name);
        }
        for field in Contact::FIELDS.iter().filter(|field| field.scalar == Scalar::I32) {
            let rule = CONTACT.iter().find(|(name, _)| *name == field.name);
            let (_, rule) = rule.unwrap_or_else(|| panic!("{}: no rule", field.name));
            let named = CONTACT_NAMES.iter().any(|name| name.ends_with(field.name));
            assert!(named || matches!(rule, Rule::Any), "{}: no name", field.name);
        }
    }

    #[test]
    fn every_rule_is_of_a_field_and_names_fields_and_sizes() {
        let field = |name: &str| Data::FIELDS.iter().any(|info| info.name == name);
        let model = |name: &str| Model::SIZES.iter().any(|(size, _)| *size == name);
        let size = |name: &str| name == "path points" || field(name) || model(name);
        for (k, (name, rule)) in RULES.iter().enumerate() {
            assert!(field(name), "{name} is no field");
            assert!(RULES[..k].iter().all(|(other, _)| other != name), "{name} has two rules");
            let known = match rule {
                Rule::Count(of) | Rule::Row(of) | Rule::MaybeRow(of) | Rule::RowOrLess(of) => {
                    size(of)
                }
                Rule::Run(num, of) => field(num) && size(of),
                Rule::Any | Rule::Between(..) | Rule::Source => true,
            };
            assert!(known, "the rule of {name} names something unknown");
        }
    }
}
