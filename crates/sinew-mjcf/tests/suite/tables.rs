//! The tables of edited models are complete.

use std::collections::HashSet;

use sinew_mjcf::SHORTCUTS;
use sinew_mjcf::spec::ActuatorTag;
use sinew_mjcf::spec::kind::Kind;
use sinew_mjcf::spec::mjs::{keyword_tables, records};
use sinew_mjcf::spec::sensor_kinds::SENSOR_KINDS;
use sinew_model::enums::{ENUMS, SensorType};

#[test]
fn attributes_of_an_element_have_different_names() {
    for record in records() {
        let mut seen = HashSet::new();
        for name in record.rows.iter().filter_map(|row| row.name) {
            assert!(seen.insert(name), "{}: '{name}' twice", record.name);
        }
    }
}

#[test]
fn types_of_attributes_exist() {
    let words: Vec<&str> = keyword_tables().iter().map(|(name, _)| *name).collect();
    for record in records() {
        for row in record.rows.iter().filter(|row| row.name.is_some()) {
            match row.kind {
                Kind::File => panic!("{}: {:?} has no type", record.name, row.name),
                Kind::Words(name) => assert!(words.contains(&name), "no keywords '{name}'"),
                Kind::Enum(name) => assert!(ENUMS.iter().any(|(e, _)| *e == name), "no {name}"),
                _ => {}
            }
        }
    }
}

#[test]
fn every_sensor_has_a_row() {
    for (name, number) in SensorType::VALUES {
        let found = SENSOR_KINDS.iter().any(|kind| i64::from(kind.type_.0) == *number);
        assert!(found, "no element for {name}");
    }
}

#[test]
fn every_kind_of_actuator_but_the_general_ones_is_a_shortcut() {
    use ActuatorTag as A;

    // later kinds set more than the methods of edited models do
    for (name, tag) in A::NAMES {
        let later = matches!(tag, A::DcMotor | A::Pid | A::Orientation);
        let general = later || matches!(tag, A::General | A::Plugin);
        assert_eq!(SHORTCUTS.iter().any(|s| s.kind == tag), !general, "{name}");
    }
}
