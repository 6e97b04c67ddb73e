//! Meshes in models.

use crate::common::{model, try_load};
use sinew_mjcf::LoadOptions;

/// An arrow head from above: a square with a notch, 0.1 high; its hull is a third larger.
const NOTCHED: &str = "vertex='0 0 0  1 .5 0  2 0 0  1 2 0  0 0 .1  1 .5 .1  2 0 .1  1 2 .1' \
                       face='0 3 1  1 3 2  4 5 7  5 6 7  0 1 5  0 5 4  1 2 6  1 6 5 \
                             2 3 7  2 7 6  3 0 4  3 4 7'";

fn scene(geom: &str) -> String {
    format!(
        "<mujoco>\n<asset>\n<mesh name='arrow' {NOTCHED}/>\n</asset>\n<worldbody>\n\
         <body><freejoint/><geom type='mesh' mesh='arrow' {geom}/></body></worldbody></mujoco>"
    )
}

#[test]
fn a_mesh_that_collides_as_a_larger_hull_is_pointed_out() {
    let loaded = try_load(&scene(""), &LoadOptions::default()).unwrap();
    let [warning] = &*loaded.warnings else { panic!("{:#?}", loaded.warnings) };
    assert!(warning.message.contains("with 1.33 times its volume"), "{}", warning.message);
    let place = warning.place(&loaded.sources).unwrap();
    assert_eq!(place.line, 3, "{place:?}");

    // MuJoCo accepts it without a word, so it is no error if strict
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    assert!(try_load(&scene(""), &strict).is_ok());

    // only shown
    model(&scene("contype='0' conaffinity='0'"));
}
