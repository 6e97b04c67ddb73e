//! Meaning of each integer whose type does not determine it.

use super::{Check, Requirement, check};
use crate::fields::FieldInfo;
use crate::ids::ActuatorId;
use crate::later::{BIAS_SO3, DYN_PID, GAIN_PID, GAIN_SO3, TRN_SO3};
use crate::model::Model;
use crate::pod::{Meaning, Scalar};

/// Permitted values of a field's integers.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Any value: bits, groups, priorities. Also normals and texture coordinates of faces, which
    /// files may omit and only drawing uses.
    Any,
    /// A value within bounds.
    Between(i64, i64),
    /// An index of a row; a size is the number of rows.
    Row(&'static str),
    /// An index of a row, or -1.
    MaybeRow(&'static str),
    /// The first of consecutive rows, whose number is in the second field; -1 if there are none.
    Run(&'static str, &'static str),
    /// The same, with ranges that start at the end of the previous one.
    NextRun(&'static str, &'static str),
    /// The first byte of a zero-terminated text.
    Text(&'static str),
    /// A value that depends on others: a separate pass checks it, within these bounds.
    Checked(i64, i64),
}

/// A count or an index.
const COUNT: Rule = Rule::Between(0, i32::MAX as i64);
/// An address checked by a separate pass; -1 if missing.
const ADDRESS: Rule = Rule::Checked(-1, i32::MAX as i64);
/// A row of an object that another field specifies; -1 if missing.
const OBJECT: Rule = Rule::Checked(-1, i32::MAX as i64);
/// Number of samples (0 or less for none), and interpolation order.
const HISTORY: Rule = Rule::Checked(i32::MIN as i64, i32::MAX as i64);
/// Parameters of a sensor, which determine the dimension of some types.
const PARAMETERS: Rule = Rule::Checked(i32::MIN as i64, i32::MAX as i64);
/// Contact dimensions; a separate pass excludes 2 and 5.
const CONDIM: Rule = Rule::Checked(1, 6);
const NAME: Rule = Rule::Text("names");
const PATH: Rule = Rule::Text("paths");

/// Integers without a specific type, or with a type that is too general, in the order of the
/// tables.
const RULES: &[(&str, Rule)] = {
    use Rule::*;
    &[
        ("body_jntnum", COUNT),
        ("body_jntadr", Run("body_jntnum", "njnt")),
        ("body_dofnum", COUNT),
        ("body_dofadr", Run("body_dofnum", "nv")),
        ("body_geomnum", COUNT),
        ("body_geomadr", Run("body_geomnum", "ngeom")),
        ("body_simple", Checked(0, 2)),
        ("body_contype", Any),
        ("body_conaffinity", Any),
        ("body_bvhadr", Run("body_bvhnum", "nbvhstatic")),
        ("body_bvhnum", COUNT),
        ("bvh_depth", COUNT),
        ("bvh_child", OBJECT),
        ("bvh_nodeid", OBJECT),
        ("oct_depth", COUNT),
        ("oct_child", OBJECT),
        ("jnt_qposadr", Row("nq")),
        ("jnt_group", Any),
        ("dof_Madr", Row("nM")),
        ("dof_simplenum", Checked(0, i32::MAX as i64)),
        ("tree_bodynum", COUNT),
        ("tree_bodyadr", Run("tree_bodynum", "nbody")),
        ("tree_dofnum", COUNT),
        ("tree_dofadr", Run("tree_dofnum", "nv")),
        ("geom_type", Between(0, 8)),
        ("geom_contype", Any),
        ("geom_conaffinity", Any),
        ("geom_condim", CONDIM),
        ("geom_dataid", OBJECT),
        ("geom_group", Any),
        ("geom_priority", Any),
        ("site_type", Between(0, 8)),
        ("site_group", Any),
        ("cam_resolution", COUNT),
        ("cam_output", Any),
        ("flex_contype", Any),
        ("flex_conaffinity", Any),
        // the values of the touching geom may be larger
        ("flex_condim", Between(0, 6)),
        ("flex_priority", Any),
        ("flex_selfcollide", Between(0, 4)),
        ("flex_activelayers", Any),
        ("flex_passive", Any),
        ("flex_dim", Between(1, 3)),
        ("flex_group", Any),
        ("flex_interp", Checked(0, 2)),
        ("flex_nodeadr", Run("flex_nodenum", "nflexnode")),
        ("flex_nodenum", COUNT),
        ("flex_vertadr", NextRun("flex_vertnum", "nflexvert")),
        ("flex_vertnum", COUNT),
        ("flex_edgeadr", NextRun("flex_edgenum", "nflexedge")),
        ("flex_edgenum", COUNT),
        ("flex_elemadr", Run("flex_elemnum", "nflexelem")),
        ("flex_elemnum", COUNT),
        ("flex_elemdataadr", ADDRESS),
        ("flex_elemedgeadr", ADDRESS),
        ("flex_shellnum", COUNT),
        ("flex_shelldataadr", ADDRESS),
        ("flex_evpairadr", Run("flex_evpairnum", "nflexevpair")),
        ("flex_evpairnum", COUNT),
        ("flex_texcoordadr", MaybeRow("nflextexcoord")),
        ("flex_vertedgeadr", ADDRESS),
        ("flex_vertedgenum", COUNT),
        ("flex_vertedge", OBJECT),
        ("flex_edge", OBJECT),
        ("flex_edgeflap", OBJECT),
        ("flex_elem", OBJECT),
        ("flex_elemtexcoord", Any),
        ("flex_elemedge", OBJECT),
        ("flex_elemlayer", Any),
        ("flex_shell", OBJECT),
        ("flex_evpair", OBJECT),
        ("flex_edgeequality", Between(0, 2)),
        ("flex_bvhadr", Run("flex_bvhnum", "nbvh")),
        ("flex_bvhnum", COUNT),
        ("flexedge_J_rownnz", COUNT),
        ("flexedge_J_rowadr", Run("flexedge_J_rownnz", "nJfe")),
        ("flexedge_J_colind", Row("nv")),
        ("flexvert_J_rownnz", COUNT),
        ("flexvert_J_rowadr", ADDRESS),
        ("flexvert_J_colind", Row("nv")),
        ("mesh_vertadr", Run("mesh_vertnum", "nmeshvert")),
        ("mesh_vertnum", COUNT),
        ("mesh_faceadr", Run("mesh_facenum", "nmeshface")),
        ("mesh_facenum", COUNT),
        ("mesh_bvhadr", Run("mesh_bvhnum", "nbvhstatic")),
        ("mesh_bvhnum", COUNT),
        ("mesh_octadr", Run("mesh_octnum", "noct")),
        ("mesh_octnum", COUNT),
        ("mesh_normaladr", Run("mesh_normalnum", "nmeshnormal")),
        ("mesh_normalnum", COUNT),
        ("mesh_texcoordadr", Run("mesh_texcoordnum", "nmeshtexcoord")),
        ("mesh_texcoordnum", COUNT),
        ("mesh_graphadr", MaybeRow("nmeshgraph")),
        ("mesh_face", OBJECT),
        ("mesh_facenormal", Any),
        ("mesh_facetexcoord", Any),
        ("mesh_graph", OBJECT),
        ("mesh_pathadr", PATH),
        ("mesh_polynum", COUNT),
        ("mesh_polyadr", Run("mesh_polynum", "nmeshpoly")),
        ("mesh_polyvertadr", Run("mesh_polyvertnum", "nmeshpolyvert")),
        ("mesh_polyvertnum", COUNT),
        ("mesh_polyvert", OBJECT),
        ("mesh_polymapadr", Run("mesh_polymapnum", "nmeshpolymap")),
        ("mesh_polymapnum", COUNT),
        ("mesh_polymap", OBJECT),
        ("skin_group", Any),
        ("skin_vertadr", Run("skin_vertnum", "nskinvert")),
        ("skin_vertnum", COUNT),
        ("skin_texcoordadr", ADDRESS),
        ("skin_faceadr", Run("skin_facenum", "nskinface")),
        ("skin_facenum", COUNT),
        ("skin_boneadr", Run("skin_bonenum", "nskinbone")),
        ("skin_bonenum", COUNT),
        ("skin_face", OBJECT),
        ("skin_bonevertadr", Run("skin_bonevertnum", "nskinbonevert")),
        ("skin_bonevertnum", COUNT),
        ("skin_bonevertid", OBJECT),
        ("skin_pathadr", PATH),
        ("hfield_nrow", COUNT),
        ("hfield_ncol", COUNT),
        ("hfield_adr", ADDRESS),
        ("hfield_pathadr", PATH),
        ("tex_height", COUNT),
        ("tex_width", COUNT),
        ("tex_nchannel", Between(0, 4)),
        ("tex_adr", Checked(0, i64::MAX)),
        ("tex_data", Any),
        ("tex_pathadr", PATH),
        ("pair_dim", CONDIM),
        ("pair_signature", Any),
        ("exclude_signature", Any),
        ("eq_obj1id", OBJECT),
        ("eq_obj2id", OBJECT),
        ("tendon_num", COUNT),
        ("tendon_adr", Run("tendon_num", "nwrap")),
        ("tendon_group", Any),
        ("tendon_treenum", COUNT),
        ("wrap_objid", OBJECT),
        ("actuator_trnid", OBJECT),
        ("actuator_actadr", Run("actuator_actnum", "na")),
        ("actuator_actnum", COUNT),
        ("actuator_group", Any),
        ("actuator_history", HISTORY),
        ("actuator_historyadr", ADDRESS),
        ("sensor_objid", OBJECT),
        ("sensor_refid", OBJECT),
        ("sensor_intprm", PARAMETERS),
        ("sensor_dim", COUNT),
        ("sensor_adr", Run("sensor_dim", "nsensordata")),
        ("sensor_history", HISTORY),
        ("sensor_historyadr", ADDRESS),
        ("plugin", COUNT),
        ("plugin_stateadr", Run("plugin_statenum", "npluginstate")),
        ("plugin_statenum", COUNT),
        ("plugin_attradr", Text("plugin_attr")),
        ("numeric_adr", Run("numeric_size", "nnumericdata")),
        ("numeric_size", COUNT),
        ("text_adr", Run("text_size", "ntextdata")),
        ("text_size", COUNT),
        ("tuple_adr", Run("tuple_size", "ntupledata")),
        ("tuple_size", COUNT),
        ("tuple_objid", OBJECT),
        ("name_bodyadr", NAME),
        ("name_jntadr", NAME),
        ("name_geomadr", NAME),
        ("name_siteadr", NAME),
        ("name_camadr", NAME),
        ("name_lightadr", NAME),
        ("name_flexadr", NAME),
        ("name_meshadr", NAME),
        ("name_skinadr", NAME),
        ("name_hfieldadr", NAME),
        ("name_texadr", NAME),
        ("name_matadr", NAME),
        ("name_pairadr", NAME),
        ("name_excludeadr", NAME),
        ("name_eqadr", NAME),
        ("name_tendonadr", NAME),
        ("name_actuatoradr", NAME),
        ("name_sensoradr", NAME),
        ("name_numericadr", NAME),
        ("name_textadr", NAME),
        ("name_tupleadr", NAME),
        ("name_keyadr", NAME),
        ("name_pluginadr", NAME),
        ("names_map", MaybeRow("nnames_map")),
        ("B_rownnz", COUNT),
        ("B_rowadr", ADDRESS),
        ("M_rownnz", COUNT),
        ("M_rowadr", ADDRESS),
        ("mapM2M", Row("nM")),
        ("D_rownnz", COUNT),
        ("D_rowadr", ADDRESS),
        ("D_diag", COUNT),
        ("mapM2D", MaybeRow("nC")),
        ("mapD2M", Row("nD")),
    ]
};

/// The rules of a field, declared or from its type.
fn rule(info: &FieldInfo) -> Option<Rule> {
    if let Some((_, rule)) = RULES.iter().find(|(name, _)| *name == info.name) {
        return Some(*rule);
    }
    Some(match info.meaning {
        Meaning::Number => Rule::Any,
        Meaning::Flag => Rule::Between(0, 255),
        Meaning::Row(size) => Rule::Row(size),
        Meaning::MaybeRow(size) => Rule::MaybeRow(size),
        Meaning::OneOf(..) => Rule::Checked(i64::MIN, i64::MAX),
        Meaning::Untold => return None,
    })
}

impl FieldInfo {
    /// Whether a change of the field can change a reference of the model. One such field has no
    /// integers: `wrap_prm`, which holds the side site of a wrapping geom.
    pub fn refers(&self) -> bool {
        let integer = matches!(self.scalar, Scalar::I32 | Scalar::I64 | Scalar::U8);
        let free = matches!(rule(self), Some(Rule::Any)) || self.meaning == Meaning::Flag;
        (integer && !free) || self.name == "wrap_prm"
    }
}

impl Model {
    /// Whether a number is the type of an actuator of a later version, which is whole.
    fn is_later_type(&self, field: &str, at: usize, number: i64) -> bool {
        let u = || ActuatorId::new(at);
        let is = |number: i32, field: &'static str| (i64::from(number), field);
        match (number, field) {
            _ if !field.starts_with("actuator_") => false,
            kind if kind == is(DYN_PID.0, "actuator_dyntype") => self.is_pid(u()),
            kind if kind == is(GAIN_PID.0, "actuator_gaintype") => self.is_pid(u()),
            kind if kind == is(GAIN_SO3.0, "actuator_gaintype") => self.servo_rows(u()).is_some(),
            kind if kind == is(BIAS_SO3.0, "actuator_biastype") => self.servo_rows(u()).is_some(),
            kind if kind == is(TRN_SO3.0, "actuator_trntype") => self.servo_rows(u()).is_some(),
            (_, "actuator_dyntype" | "actuator_gaintype" | "actuator_biastype") => {
                self.is_motor(u())
            }
            _ => false,
        }
    }

    /// Every integer satisfies its rule.
    pub(super) fn check_rules(&self) -> Check {
        for info in Model::FIELDS {
            let found = rule(info);
            if let Some(found) = found {
                self.check_rule(info.name, found)?;
            }
            if let Meaning::OneOf(values) = info.meaning {
                for (at, n) in self.numbers(info.name).enumerate() {
                    let known = values.iter().any(|&(_, value)| value == n)
                        || self.is_later_type(info.name, at, n);
                    check(known, info.name, at, one_of(values))?;
                }
            }
        }
        Ok(())
    }

    fn check_rule(&self, field: &'static str, rule: Rule) -> Check {
        let size = |name| self.size(name).unwrap_or(0) as i64;
        let bounds = match rule {
            Rule::Any => return Ok(()),
            Rule::Between(lo, hi) | Rule::Checked(lo, hi) => (lo, hi),
            Rule::Row(of) => (0, size(of) - 1),
            Rule::MaybeRow(of) => (-1, size(of) - 1),
            Rule::Run(num, of) => return self.check_run(field, num, size(of)),
            Rule::NextRun(num, of) => {
                self.check_run(field, num, size(of))?;
                return self.check_order(field, num);
            }
            Rule::Text(of) => return self.check_texts(field, of),
        };
        for (at, n) in self.numbers(field).enumerate() {
            check(
                bounds.0 <= n && n <= bounds.1,
                field,
                at,
                Requirement::Between(bounds.0, bounds.1),
            )?;
        }
        Ok(())
    }

    /// The rows from each address on exist.
    fn check_run(&self, field: &'static str, num: &'static str, size: i64) -> Check {
        for (at, (adr, n)) in self.numbers(field).zip(self.numbers(num)).enumerate() {
            check(n >= 0 && n <= size, num, at, Requirement::Between(0, size))?;
            let least = if n == 0 { -1 } else { 0 };
            let ok = least <= adr && adr <= size - n;
            check(ok, field, at, Requirement::Between(least, size - n))?;
        }
        Ok(())
    }

    /// Nonempty ranges are consecutive.
    fn check_order(&self, field: &'static str, num: &'static str) -> Check {
        let mut next = 0;
        for (at, (adr, n)) in self.numbers(field).zip(self.numbers(num)).enumerate() {
            check(n == 0 || adr == next, field, at, Requirement::Exactly(next))?;
            next += n;
        }
        Ok(())
    }

    /// The texts at all addresses are terminated.
    fn check_texts(&self, field: &'static str, of: &'static str) -> Check {
        let bytes = self.field(of).map_or(&[][..], |view| view.bytes);
        // every text ends at the last zero or before
        let end = bytes.iter().rposition(|&b| b == 0).map_or(-1, |at| at as i64);
        let none = if of == "paths" { -1 } else { 0 };
        for (at, adr) in self.numbers(field).enumerate() {
            check(none <= adr && adr <= end, field, at, Requirement::Between(none, end))?;
        }
        Ok(())
    }
}

/// The smallest and the largest value, or a description if there are gaps.
pub(super) fn one_of(values: &'static [crate::enums::EnumValue]) -> Requirement {
    let numbers = || values.iter().map(|&(_, value)| value);
    match (numbers().min(), numbers().max()) {
        (Some(lo), Some(hi)) if hi - lo < values.len() as i64 => Requirement::Between(lo, hi),
        _ => Requirement::Such("one of its enumeration"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_integer_has_a_meaning() {
        for info in Model::FIELDS {
            assert!(
                rule(info).is_some(),
                "{}: no type and no rule says what it refers to",
                info.name
            );
        }
    }

    #[test]
    fn every_rule_is_of_a_field_and_names_fields_and_sizes() {
        let field = |name: &str| Model::FIELDS.iter().any(|info| info.name == name);
        let size = |name: &str| Model::SIZES.iter().any(|(size, _)| *size == name);
        for (k, (name, rule)) in RULES.iter().enumerate() {
            assert!(field(name), "{name} is no field");
            assert!(RULES[..k].iter().all(|(other, _)| other != name), "{name} has two rules");
            let known = match rule {
                Rule::Row(of) | Rule::MaybeRow(of) => size(of),
                Rule::Run(num, of) | Rule::NextRun(num, of) => field(num) && size(of),
                Rule::Text(of) => field(of),
                Rule::Any | Rule::Between(..) | Rule::Checked(..) => true,
            };
            assert!(known, "the rule of {name} names something unknown");
        }
        for info in Model::FIELDS {
            if let Meaning::Row(of) | Meaning::MaybeRow(of) = info.meaning {
                assert!(size(of), "{}: {of} is no size", info.name);
            }
        }
    }
}
