//! A step allocates nothing; the allocations of a call do not depend on its number of steps.

use crate::common::{batch, disturb, model};
use sinew_testkit::alloc::allocations;

#[test]
fn steps_allocate_nothing() {
    // worlds with own parameters are stepped one at a time, others in groups of four
    check(true);
    check(false);
}

fn check(parameters: bool) {
    let m = model("quadruped.xml");
    let mut b = batch(&m, 32, 1, 8);
    if parameters {
        b.expand("geom_friction").unwrap();
    }
    b.bind("xpos").unwrap();
    disturb(&mut b);
    b.step(1500, None).unwrap();
    let mut count = |steps| {
        let before = allocations();
        b.step(steps, None).unwrap();
        allocations() - before
    };
    let one = count(1);
    assert_eq!(count(100), one);

    // two lists for each of the four chunks, and the lists of the call
    assert!(one < 20, "{one} allocations");
}
