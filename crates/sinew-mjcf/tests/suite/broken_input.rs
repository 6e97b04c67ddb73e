//! Damaged models give errors, never a panic.

use sinew_mjcf::{Assets, LoadOptions, load_str};

const MODEL: &str = "<mujoco model='m'><compiler angle='radian' eulerseq='zyx'/><size memory='1M'/>\
    <option timestep='.01'><flag contact='disable'/></option><visual><map znear='.1'/></visual>\
    <default><geom size='.1'/><default class='k'><joint damping='1'/><motor gear='2'/></default>\
    </default>\
    <custom><numeric name='n' data='1 2'/><tuple name='t'><element objtype='body' objname='o'/>\
    </tuple></custom>\
    <asset><mesh name='q' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/><material name='m' rgba='1 0 0 1'/>\
    <texture name='x' type='2d' builtin='checker' width='8' height='8'/>\
    <hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='0 1 2 3'/></asset>\
    <worldbody><geom type='hfield' hfield='h'/>\
    <body name='o' pos='0 0 5'><freejoint/><geom name='og'/><site name='os'/></body>\
    <replicate count='3' offset='1 0 0'>\
    <body name='b' euler='1 2 3' childclass='k'><joint name='j' range='0 1'/>\
    <geom name='g' material='m'/>\
    <site name='s'/><frame pos='1 0 0'><geom type='mesh' mesh='q'/></frame><camera/><light/>\
    </body></replicate>\
    </worldbody>\
    <contact><pair geom1='g' geom2='og'/><exclude body1='b' body2='o'/></contact>\
    <equality><connect body1='b' body2='o' anchor='0 0 0'/></equality>\
    <tendon><spatial name='t'><site site='s'/><site site='os'/></spatial></tendon>\
    <actuator><motor joint='j'/><position tendon='t' kp='2'/></actuator>\
    <sensor><jointpos joint='j'/><framepos objtype='site' objname='s'/></sensor></mujoco>";

/// Words that are likely to reach odd branches.
const WORDS: [&str; 20] = [
    "'",
    "\"",
    "<",
    ">",
    "/>",
    "</body>",
    "<body>",
    "nan",
    "inf",
    "-1",
    "0",
    "1e999",
    "99999999",
    "<!--",
    "&#0;",
    "<include file='x'/>",
    "class='zz'",
    "\u{fffd}",
    "<replicate count='9'>",
    " ",
];

#[test]
fn damaged_models_do_not_panic() {
    let mut random = sinew_testkit::Random::new(1);
    let mut accepted = 0;
    for _ in 0..1500 {
        let mut text = MODEL.to_owned();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            let end = (at + random.below(12)).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                let word = WORDS[random.below(WORDS.len())];
                match random.below(3) {
                    0 => text.insert_str(at, word),
                    1 => text.replace_range(at..end, ""),
                    _ => text.replace_range(at..end, word),
                }
            }
        }
        match load_str(&text, &Assets::new(), &LoadOptions::default()) {
            Ok(_) => accepted += 1,
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(accepted > 0);
}

#[test]
fn every_beginning_of_a_model_is_an_error() {
    for end in 0..MODEL.len() - 1 {
        assert!(load_str(&MODEL[..end], &Assets::new(), &LoadOptions::default()).is_err());
    }
    assert!(load_str(MODEL, &Assets::new(), &LoadOptions::default()).is_ok());
}
