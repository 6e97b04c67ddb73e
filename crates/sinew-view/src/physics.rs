//! The options of the physics, as pages show and set them.

use serde_json::{Value, json};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::{
    ConeType, DisableBit, EnableBit, EnumValue, Integrator, JacobianType, SolverType,
};
use sinew_model::options::Options;

/// The values that an option may have.
#[derive(Clone, Copy)]
enum Form {
    /// Numbers between two bounds.
    Real(f64, f64),
    /// An integer between two bounds.
    Whole(i32, i32),
    /// A value of an enumeration.
    Choice(&'static [EnumValue]),
    /// A set of bits.
    Flags(&'static [EnumValue]),
    /// Groups, as bits.
    Groups,
}

/// Bounds of numbers that may have any value; beyond them a step overflows.
const ANY: Form = Form::Real(-1e10, 1e10);
/// Bounds of numbers that are not negative.
const POSITIVE: Form = Form::Real(0.0, 1e10);
/// Bounds of iterations: a page must not make a step endless.
const ITERATIONS: Form = Form::Whole(0, 1000);

/// Number of groups of actuators that pages show.
const GROUPS: usize = 6;

/// The options in the order in which pages list them.
const SETTINGS: [(&str, Form); 29] = [
    ("timestep", Form::Real(1e-6, 1.0)),
    ("integrator", Form::Choice(Integrator::VALUES)),
    ("cone", Form::Choice(ConeType::VALUES)),
    ("jacobian", Form::Choice(JacobianType::VALUES)),
    ("solver", Form::Choice(SolverType::VALUES)),
    ("gravity", ANY),
    ("wind", ANY),
    ("magnetic", ANY),
    ("density", POSITIVE),
    ("viscosity", POSITIVE),
    ("impratio", Form::Real(1e-6, 1e10)),
    ("tolerance", POSITIVE),
    ("ls_tolerance", POSITIVE),
    ("noslip_tolerance", POSITIVE),
    ("ccd_tolerance", POSITIVE),
    ("sleep_tolerance", POSITIVE),
    ("iterations", ITERATIONS),
    ("ls_iterations", ITERATIONS),
    ("noslip_iterations", ITERATIONS),
    ("ccd_iterations", ITERATIONS),
    ("sdf_iterations", ITERATIONS),
    ("sdf_initpoints", ITERATIONS),
    ("o_margin", POSITIVE),
    ("o_solref", ANY),
    ("o_solimp", POSITIVE),
    ("o_friction", POSITIVE),
    ("disableflags", Form::Flags(DisableBit::VALUES)),
    ("enableflags", Form::Flags(EnableBit::VALUES)),
    ("disableactuator", Form::Groups),
];

/// The memory of an option.
enum Field<'a> {
    Real(&'a mut f64),
    Vector(&'a mut Vec3),
    List(&'a mut [f64]),
    Whole(&'a mut i32),
}

impl Field<'_> {
    fn values(&self) -> Vec<f64> {
        match self {
            Field::Real(x) => vec![**x],
            Field::Vector(v) => v.to_array().to_vec(),
            Field::List(list) => list.to_vec(),
            Field::Whole(i) => vec![f64::from(**i)],
        }
    }

    /// Sets all values of the option.
    fn set(&mut self, values: &[f64]) {
        match self {
            Field::Real(x) => **x = values[0],
            Field::Vector(v) => **v = Vec3::new(values[0], values[1], values[2]),
            Field::List(list) => list.copy_from_slice(values),
            Field::Whole(i) => **i = values[0] as i32,
        }
    }
}

fn field<'a>(o: &'a mut Options, name: &str) -> Option<Field<'a>> {
    Some(match name {
        "timestep" => Field::Real(&mut o.timestep),
        "impratio" => Field::Real(&mut o.impratio),
        "tolerance" => Field::Real(&mut o.tolerance),
        "ls_tolerance" => Field::Real(&mut o.ls_tolerance),
        "noslip_tolerance" => Field::Real(&mut o.noslip_tolerance),
        "ccd_tolerance" => Field::Real(&mut o.ccd_tolerance),
        "sleep_tolerance" => Field::Real(&mut o.sleep_tolerance),
        "gravity" => Field::Vector(&mut o.gravity),
        "wind" => Field::Vector(&mut o.wind),
        "magnetic" => Field::Vector(&mut o.magnetic),
        "density" => Field::Real(&mut o.density),
        "viscosity" => Field::Real(&mut o.viscosity),
        "o_margin" => Field::Real(&mut o.o_margin),
        "o_solref" => Field::List(&mut o.o_solref),
        "o_solimp" => Field::List(&mut o.o_solimp),
        "o_friction" => Field::List(&mut o.o_friction),
        "integrator" => Field::Whole(&mut o.integrator.0),
        "cone" => Field::Whole(&mut o.cone.0),
        "jacobian" => Field::Whole(&mut o.jacobian.0),
        "solver" => Field::Whole(&mut o.solver.0),
        "iterations" => Field::Whole(&mut o.iterations),
        "ls_iterations" => Field::Whole(&mut o.ls_iterations),
        "noslip_iterations" => Field::Whole(&mut o.noslip_iterations),
        "ccd_iterations" => Field::Whole(&mut o.ccd_iterations),
        "sdf_iterations" => Field::Whole(&mut o.sdf_iterations),
        "sdf_initpoints" => Field::Whole(&mut o.sdf_initpoints),
        "disableflags" => Field::Whole(&mut o.disableflags),
        "enableflags" => Field::Whole(&mut o.enableflags),
        "disableactuator" => Field::Whole(&mut o.disableactuator),
        _ => return None,
    })
}

/// The values of an enumeration without the count that ends it.
fn listed(values: &'static [EnumValue]) -> impl Iterator<Item = &'static EnumValue> {
    values.iter().filter(|(name, _)| !name.starts_with("mjN"))
}

/// MuJoCo's name in MJCF: `mjDSBL_CONTACT` is `contact`.
fn short(name: &str) -> String {
    name.split_once('_').map_or(name, |(_, word)| word).to_lowercase()
}

/// The names of all options, and the values that they may have.
pub(crate) fn describe() -> Value {
    let names = |values| listed(values).map(|(name, _)| short(name)).collect::<Vec<_>>();
    let entry = |&(name, form): &(&str, Form)| match form {
        Form::Real(low, high) => json!({ "name": name, "range": [low, high] }),
        Form::Whole(low, high) => json!({ "name": name, "range": [low, high], "whole": true }),
        Form::Choice(values) => json!({ "name": name, "choice": names(values) }),
        Form::Flags(values) => json!({ "name": name, "flags": names(values) }),
        Form::Groups => json!({ "name": name, "groups": GROUPS }),
    };
    SETTINGS.iter().map(entry).collect()
}

/// The values of all options, in the order of [`describe`].
pub(crate) fn values(m: &Model) -> Value {
    let mut options = m.opt;
    let mut of = |name: &str| field(&mut options, name).map_or(vec![], |field| field.values());
    SETTINGS.iter().map(|(name, _)| json!(of(name))).collect()
}

/// Sets an option of the physics. The error says which values it may have.
///
/// Forward dynamics must follow before the state is drawn, because rows of constraints depend on
/// the options.
pub fn set_option(m: &mut Model, name: &str, values: &[f64]) -> Result<(), String> {
    let form = SETTINGS.iter().find(|(known, _)| *known == name).map(|&(_, form)| form);
    let (Some(form), Some(mut field)) = (form, field(&mut m.opt, name)) else {
        return Err(format!("the physics has no option '{name}'"));
    };
    let count = field.values().len();
    if values.len() != count {
        return Err(format!("{name} has {count} values, not {}", values.len()));
    }

    // bounds, and whether fractions are possible
    let (low, high, whole) = match form {
        Form::Real(low, high) => (low, high, false),
        Form::Whole(low, high) => (low.into(), high.into(), true),
        Form::Choice(values) => (0.0, listed(values).count() as f64 - 1.0, true),
        Form::Flags(values) => (0.0, f64::from((1 << listed(values).count()) - 1), true),
        Form::Groups => (0.0, f64::from(i32::MAX), true),
    };
    let fits = |x: &f64| (low..=high).contains(x) && (!whole || x.fract() == 0.0);
    if !values.iter().all(fits) {
        let kind = if whole { "integers" } else { "numbers" };
        return Err(format!("{name} takes {kind} from {low:e} to {high:e}"));
    }
    field.set(values);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        let xml =
            "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
        sinew_mjcf::load_str(xml, &Default::default(), &Default::default()).unwrap().model
    }

    #[test]
    fn every_option_has_a_field_and_keeps_its_own_value() {
        let mut m = model();
        for (name, _) in SETTINGS {
            let own = field(&mut m.opt, name).unwrap().values();
            assert!(set_option(&mut m, name, &own).is_ok(), "{name} {own:?}");
            assert_eq!(field(&mut m.opt, name).unwrap().values(), own);
        }
        assert_eq!(describe().as_array().unwrap().len(), values(&m).as_array().unwrap().len());
    }

    #[test]
    fn values_are_set_and_bad_ones_are_refused() {
        let mut m = model();
        set_option(&mut m, "gravity", &[0.0, 0.0, -1.6]).unwrap();
        set_option(&mut m, "cone", &[1.0]).unwrap();
        set_option(&mut m, "disableflags", &[f64::from(DisableBit::Contact.0)]).unwrap();
        assert_eq!((m.opt.gravity.z, m.opt.cone), (-1.6, ConeType::Elliptic));
        assert!(m.opt.disabled(DisableBit::Contact));
        for (name, values) in [
            ("gravity", &[1.0][..]),
            ("timestep", &[0.0]),
            ("timestep", &[f64::NAN]),
            ("cone", &[2.0]),
            ("iterations", &[1e9]),
            ("iterations", &[1.5]),
            ("disableflags", &[-1.0]),
            ("colour", &[1.0]),
        ] {
            assert!(set_option(&mut m, name, values).is_err(), "{name} {values:?}");
        }
    }

    #[test]
    fn names_are_those_of_mjcf() {
        let listed = describe();
        let of = |name: &str| {
            listed.as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap().clone()
        };
        assert_eq!(of("solver")["choice"], json!(["pgs", "cg", "newton"]));
        assert_eq!(of("disableflags")["flags"].as_array().unwrap().len(), 19);
        assert_eq!(of("enableflags")["flags"][1], "energy");
    }
}
