//! A few cases of every target, without panic, hang or excessive memory.
//!
//! A failure names its case, which `cargo run -p sinew-fuzz -- case TARGET NUMBER` repeats.
#![allow(clippy::unwrap_used)]

use std::time::{Duration, Instant};

use sinew_fuzz::{Outcome, TARGETS, run, target};
use sinew_testkit::alloc::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Time for each target.
const TIME: Duration = Duration::from_secs(3);
/// Time limit of a case in CPU seconds, for unoptimised builds.
const LIMIT: f64 = 30.0;

fn cases_are_handled(name: &str) {
    let target = target::find(name).unwrap();
    let begin = Instant::now();
    let clock = run::Clock::new();
    let (mut cases, mut accepted) = (0u64, 0);
    // at least one case on a busy machine, and at least one accepted input
    while begin.elapsed() < TIME || (accepted == 0 && cases < 500) {
        cases += 1;
        match run::run_case(target, cases, &clock, LIMIT) {
            Ok(case) => accepted += u64::from(case.outcome == Outcome::Accepted),
            Err(fault) => panic!("{name} {cases} {fault}"),
        }
    }
    assert!(accepted > 0, "all of {cases} inputs were refused");
}

macro_rules! targets {
    ($($test:ident, $name:literal;)*) => {
        $(#[test] fn $test() { cases_are_handled($name); })*

        #[test]
        fn every_target_is_tried() {
            let tried = [$($name),*];
            assert_eq!(TARGETS.iter().map(|t| t.name).collect::<Vec<_>>(), tried);
        }
    };
}

targets! {
    mjcf_texts_are_handled, "xml";
    urdf_texts_are_handled, "urdf";
    stl_files_are_handled, "stl";
    obj_files_are_handled, "obj";
    msh_files_are_handled, "msh";
    png_files_are_handled, "png";
    height_fields_are_handled, "hfield";
    skins_are_handled, "skin";
    gmsh_files_are_handled, "gmsh";
    binary_models_are_handled, "mjb";
    written_arrays_are_handled, "arrays";
    edits_are_handled, "spec";
    hulls_are_handled, "hull";
    problems_of_cones_are_handled, "cone";
    policies_are_handled, "policy";
    messages_of_the_page_are_handled, "viewer";
    requests_and_frames_are_handled, "server";
}

#[test]
fn a_case_is_the_same_input_every_time() {
    for target in TARGETS {
        if let Some(write) = target.write {
            assert!(write(7) == write(7), "{}", target.name);
        }
    }
}
