//! Messages of the viewer's page: right ones with wrong numbers, and mutated ones.

use std::sync::OnceLock;

use sinew::{Data, Model};
use sinew_testkit::Random;
use sinew_view::{Event, Player};

use crate::mutate::bytes;
use crate::{Outcome, refused};

/// Messages, in which `#` is a number.
const MESSAGES: [&str; 20] = [
    r##"{"do":"drawn"}"##,
    r##"{"do":"run","on":true}"##,
    r##"{"do":"step","n":#}"##,
    r##"{"do":"speed","x":#}"##,
    r##"{"do":"reset"}"##,
    r##"{"do":"key","i":#}"##,
    r##"{"do":"scrub","i":#}"##,
    r##"{"do":"control","i":#,"x":#}"##,
    r##"{"do":"clear"}"##,
    r##"{"do":"joint","i":#,"x":#}"##,
    r##"{"do":"flag","i":#,"on":false}"##,
    r##"{"do":"group","kind":#,"i":#,"on":true}"##,
    r##"{"do":"choice","of":"bvh_depth","i":#}"##,
    r##"{"do":"look","camera":{"type":#,"fixedcamid":#,"trackbodyid":#,"orthographic":#,"lookat":[#,#,#],"distance":#,"azimuth":#,"elevation":#}}"##,
    r##"{"do":"select","camera":{"type":#,"fixedcamid":#,"trackbodyid":#,"orthographic":0,"lookat":[0,0,0],"distance":#,"azimuth":#,"elevation":#},"aspect":#,"x":#,"y":#}"##,
    r##"{"do":"grab","camera":{"type":0,"fixedcamid":-1,"trackbodyid":-1,"orthographic":0,"lookat":[0,0,0],"distance":2,"azimuth":#,"elevation":#},"aspect":1,"x":0.5,"y":0.5,"turn":false,"pick":true}"##,
    r##"{"do":"drag","action":"turn-level","dx":#,"dy":#}"##,
    r##"{"do":"release"}"##,
    r##"{"do":"drop","files":[{"name":"a.xml","data":"aGk="}]}"##,
    r##"{"do":"size","width":#,"height":#}"##,
];

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "0.5",
    "1e99",
    "-1e99",
    "1e-300",
    "2147483647",
    "4294967295",
    "100",
    "null",
    "1e308",
];

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gripper.xml");
        sinew::load(path).expect("a model of the project")
    })
}

fn message(random: &mut Random) -> String {
    let mut text = String::new();
    for part in random.pick(&MESSAGES).split_inclusive('#') {
        text.push_str(part.trim_end_matches('#'));
        if part.ends_with('#') {
            text.push_str(random.pick(&NUMBERS));
        }
    }
    if random.below(4) == 0 {
        let mut raw = text.into_bytes();
        bytes::mutate(random, &mut raw);
        text = String::from_utf8_lossy(&raw).into_owned();
    }
    text
}

pub(super) fn viewer(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let m = model();
    let mut d = Data::new(m);
    let mut player = Player::new(m, false);
    let mut outcome = Outcome::Refused;
    for _ in 0..1 + random.below(8) {
        match Event::parse(&message(&mut random)) {
            Ok(event) => {
                let _ = player.apply(m, &mut d, event);
                outcome = Outcome::Accepted;
            }
            Err(reason) => {
                let _ = refused(&reason);
            }
        }
    }
    outcome
}
