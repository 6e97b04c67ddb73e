//! A short soak test: states repeat in every way of running.
#![allow(clippy::unwrap_used)]

use sinew_workload::soak::{CASES, soak_batch};

const STEPS: usize = 300;
const CHECKPOINTS: usize = 3;

#[test]
fn states_repeat_in_another_thread_and_from_a_saved_state() {
    for case in CASES {
        let report = case.soak(STEPS, CHECKPOINTS).unwrap();
        assert!(report.faults.is_empty(), "{}: {:?}", case.name, report.faults);
        assert_eq!(report.hashes.len(), CHECKPOINTS);
    }
}

#[test]
fn a_batch_repeats_with_any_number_of_threads() {
    let report = soak_batch(16 * STEPS, CHECKPOINTS).unwrap();
    assert!(report.faults.is_empty(), "{:?}", report.faults);
}
