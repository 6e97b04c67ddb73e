//! Contacts of small scenes: colliding pairs, their order and their parameters.

use sinew::{Assets, Contact, Data, LoadOptions, Model, load_str_with};
use sinew_testkit::tolerance::ROUNDING;
use sinew_testkit::{Random, near};

fn load(xml: &str) -> Model {
    sinew::load_str(xml).unwrap_or_else(|e| panic!("{e}"))
}

/// The contacts of a model in its initial configuration.
fn contacts(xml: &str) -> Vec<Contact> {
    let m = load(xml);
    let mut d = Data::new(&m);
    sinew::forward(&m, &mut d);
    assert_eq!(d.ncon, d.contact.len());
    d.contact
}

#[track_caller]
fn close(got: &[f64], want: &[f64]) {
    near(got, want, ROUNDING);
}

/// Two free spheres of radius 0.1, 0.19 apart, with attributes, and the content of `<contact>`.
fn two_spheres(a: &str, b: &str, contact: &str) -> String {
    spheres_at(".19", a, b, contact)
}

fn spheres_at(z: &str, a: &str, b: &str, contact: &str) -> String {
    format!(
        "<mujoco><worldbody>\
         <body name='A'><freejoint/><geom name='a' size='.1' {a}/></body>\
         <body name='B' pos='0 0 {z}'><freejoint/><geom name='b' size='.1' {b}/></body>\
         </worldbody><contact>{contact}</contact></mujoco>"
    )
}

/// A sphere of radius 0.1 above a plane, both with attributes.
fn sphere_on_plane(height: f64, plane: &str, sphere: &str, contact: &str) -> String {
    format!(
        "<mujoco><worldbody><geom name='p' type='plane' size='1 1 .1' {plane}/>\
         <body pos='0 0 {z}'><freejoint/><geom name='s' size='.1' {sphere}/></body></worldbody>\
         <contact>{contact}</contact></mujoco>",
        z = 0.1 + height
    )
}

// pairs and excluded bodies

#[test]
fn overlapping_spheres_have_a_contact() {
    let c = contacts(&two_spheres("", "", ""));
    assert_eq!(c.len(), 1);
    close(&[c[0].dist, c[0].pos.x, c[0].pos.y, c[0].pos.z], &[-0.01, 0.0, 0.0, 0.095]);
    close(&c[0].frame.row(0).to_array(), &[0.0, 0.0, 1.0]);
    assert_eq!((c[0].geom, c[0].geom1, c[0].geom2), ([0, 1], 0, 1));
    assert_eq!((c[0].flex, c[0].elem, c[0].vert), ([-1, -1], [-1, -1], [-1, -1]));
    assert_eq!((c[0].dim, c[0].exclude), (3, 0));
}

#[test]
fn excluded_bodies_have_no_contacts_whatever_their_order() {
    assert!(contacts(&two_spheres("", "", "<exclude body1='A' body2='B'/>")).is_empty());
    assert!(contacts(&two_spheres("", "", "<exclude body1='B' body2='A'/>")).is_empty());
    assert_eq!(contacts(&two_spheres("", "", "<exclude body1='A' body2='A'/>")).len(), 1);
}

#[test]
fn no_filter_stops_an_explicit_pair() {
    let pair = "<pair geom1='a' geom2='b'/>";
    let excluded = format!("<exclude body1='A' body2='B'/>{pair}");
    assert_eq!(contacts(&two_spheres("", "", &excluded)).len(), 1);
    let silent = "contype='0' conaffinity='0'";
    assert!(contacts(&two_spheres(silent, silent, "")).is_empty());
    assert_eq!(contacts(&two_spheres(silent, silent, pair)).len(), 1);

    // parent and child, and one body
    let family = |contact: &str| {
        format!(
            "<mujoco><worldbody><body><freejoint/><geom name='a' size='.1'/>\
             <body pos='0 0 .19'><joint/><geom name='b' size='.1'/></body></body></worldbody>\
             <contact>{contact}</contact></mujoco>"
        )
    };
    assert!(contacts(&family("")).is_empty());
    assert_eq!(contacts(&family(pair)).len(), 1);
    let alone = |contact: &str| {
        format!(
            "<mujoco><worldbody><body><freejoint/><geom name='a' size='.1'/>\
             <geom name='b' pos='0 0 .19' size='.1'/></body></worldbody>\
             <contact>{contact}</contact></mujoco>"
        )
    };
    assert!(contacts(&alone("")).is_empty());
    assert_eq!(contacts(&alone(pair)).len(), 1);
}

#[test]
fn no_contact_is_lost_in_the_broad_and_mid_phase() {
    // explicit pairs are tested if their bounding spheres overlap; other pairs only if their
    // axis-aligned boxes overlap, too
    let shapes = [
        "size='.2'",
        "type='capsule' size='.05 .3'",
        "type='ellipsoid' size='.1 .2 .3'",
        "type='cylinder' size='.2 .1'",
        "type='box' size='.1 .2 .3'",
        "type='mesh' mesh='m'",
    ];
    let mesh = "<asset><mesh name='m' vertex='0 0 0 .5 0 0 0 .3 0 0 0 .2 .1 .1 .4'/></asset>";
    let mut random = Random::new(5);
    let mut touching = 0;
    for round in 0..720 {
        let margin = [0.0, 0.05][round / 36 % 2];
        let body = |name: &str, shape: &str, random: &mut Random| {
            let [x, y, z] = random.array::<3>().map(|x| 0.35 * x);
            let [a, b, c] = random.array::<3>().map(|x| 180.0 * x);
            format!(
                "<body pos='{x} {y} {z}' euler='{a} {b} {c}'><freejoint/>\
                 <geom name='{name}' {shape} margin='{margin}'/></body>"
            )
        };
        let bodies = body("a", shapes[round % 6], &mut random)
            + &body("b", shapes[round / 6 % 6], &mut random);
        let scene = |contact: &str| {
            format!(
                "<mujoco>{mesh}<worldbody>{bodies}</worldbody><contact>{contact}</contact></mujoco>"
            )
        };
        let found = contacts(&scene(""));
        let margins = 2.0 * margin;
        let explicit = contacts(&scene(&format!("<pair geom1='a' geom2='b' margin='{margins}'/>")));
        let dists = |contacts: &[Contact]| contacts.iter().map(|c| c.dist).collect::<Vec<_>>();
        assert_eq!(dists(&found), dists(&explicit), "round {round}");
        touching += usize::from(!found.is_empty());
    }
    assert!((100..620).contains(&touching), "{touching}");
}

#[test]
fn explicit_pairs_still_have_to_touch() {
    let pair = "<pair geom1='a' geom2='b'/>";
    assert!(contacts(&spheres_at(".5", "", "", pair)).is_empty());
    assert!(contacts(&spheres_at(".201", "", "", pair)).is_empty());
}

#[test]
fn a_pair_replaces_the_automatic_contact() {
    let c = contacts(&two_spheres("", "", "<pair geom1='b' geom2='a' condim='1'/>"));
    assert_eq!((c.len(), c[0].dim), (1, 1));
    let c = contacts(&two_spheres(
        "",
        "",
        "<pair geom1='a' geom2='b' friction='.8 .7 .01 .001 .002' solref='.05 .8' \
         solimp='.85 .9 .002 .4 1.5'/>",
    ));
    close(&c[0].friction, &[0.8, 0.7, 0.01, 0.001, 0.002]);
    close(&c[0].solref, &[0.05, 0.8]);
    close(&c[0].solimp, &[0.85, 0.9, 0.002, 0.4, 1.5]);
    close(&c[0].solreffriction, &[0.0, 0.0]);
}

#[test]
fn a_pair_that_says_nothing_has_its_own_defaults() {
    let unlike = "condim='4' friction='.3 .2 .1' solref='.05 .7' solimp='.8 .9 .01 .4 3' \
                  margin='.01' gap='.005'";
    let c = &contacts(&two_spheres(unlike, "", ""))[0];
    assert_eq!(c.dim, 4);
    close(&c.friction, &[1.0, 1.0, 0.2, 0.1, 0.1]);
    close(&c.solref, &[0.035, 0.85]);
    close(&c.solimp, &[0.85, 0.925, 0.0055, 0.45, 2.5]);
    close(&[c.includemargin], &[0.005]);

    let c = &contacts(&two_spheres(unlike, "", "<pair geom1='a' geom2='b'/>"))[0];
    assert_eq!(c.dim, 3);
    close(&c.friction, &[1.0, 1.0, 0.005, 0.0001, 0.0001]);
    close(&c.solref, &[0.02, 1.0]);
    close(&c.solimp, &[0.9, 0.95, 0.001, 0.5, 2.0]);
    close(&[c.includemargin], &[0.0]);
}

#[test]
fn margin_and_gap_of_a_pair_act() {
    let pair = "<pair geom1='a' geom2='b' margin='.1' gap='.05'/>";
    let c = contacts(&spheres_at(".24", "", "", pair));
    close(&[c[0].dist, c[0].includemargin], &[0.04, 0.05]);
    assert_eq!(c[0].exclude, 0);
    let negative = "<pair geom1='a' geom2='b' margin='-.1'/>";
    assert!(contacts(&two_spheres("", "", negative)).is_empty());

    // at the end of the gap, active with nearly no force; then four equal forces
    for (z, dist, force) in [(".25", 0.05, 0.0), (".24", 0.04, 13.089969389957)] {
        let m = load(&spheres_at(z, "", "", pair));
        let mut d = Data::new(&m);
        sinew::forward(&m, &mut d);
        assert_eq!((d.ncon, d.nefc, d.contact[0].exclude), (1, 4, 0));
        close(&[d.contact[0].dist], &[dist]);
        assert!(d.contact[0].dist < 0.05);
        for got in d.efc_force.iter().take(4) {
            assert!((got - force).abs() < 1e-9, "{got}, wanted {force}");
        }
    }
}

/// The error of loading a scene.
#[track_caller]
fn refusal(xml: &str) -> String {
    sinew::load_str(xml).expect_err("an error").to_string()
}

#[test]
fn names_that_are_unknown_or_missing_are_named_with_their_attribute() {
    for (contact, wanted) in [
        ("<pair geom1='foo' geom2='a'/>", ["geom 'foo' not found in collision 0", "geom1"]),
        ("<pair geom1='a' geom2='foo'/>", ["geom 'foo' not found in collision 0", "geom2"]),
        ("<exclude body1='foo' body2='A'/>", ["body 'foo' not found in bodypair 0", "body1"]),
        ("<exclude body1='A' body2='foo'/>", ["body 'foo' not found in bodypair 0", "body2"]),
        ("<pair geom2='a'/>", ["geom '' not found in collision 0", "geom1"]),
        ("<pair geom1='a'/>", ["geom '' not found in collision 0", "geom2"]),
        ("<pair/>", ["geom '' not found in collision 0", "geom1"]),
        ("<exclude body2='A'/>", ["required attribute missing: 'body1'", "exclude"]),
        ("<exclude body1='A'/>", ["required attribute missing: 'body2'", "exclude"]),
        ("<exclude/>", ["required attribute missing: 'body1'", "exclude"]),
    ] {
        let message = refusal(&two_spheres("", "", contact));
        for part in wanted {
            assert!(message.contains(part), "{contact}: {message}, wanted {part}");
        }
    }
}

#[test]
fn pairs_inherit_from_their_class() {
    let xml = "<mujoco><default><pair solref='.05 .8'/><default class='c'><pair condim='4'/>\
               </default></default><worldbody>\
               <body><freejoint/><geom name='a' size='.1'/></body>\
               <body pos='0 0 .19'><freejoint/><geom name='b' size='.1'/></body></worldbody>\
               <contact><pair class='c' geom1='a' geom2='b'/></contact></mujoco>";
    let c = contacts(xml);
    assert_eq!(c[0].dim, 4);
    close(&c[0].solref, &[0.05, 0.8]);
}

#[test]
fn repeated_pairs_have_a_contact_each() {
    for second in ["geom1='a' geom2='b'", "geom1='b' geom2='a'"] {
        let both = format!("<pair geom1='a' geom2='b' condim='1'/><pair {second} condim='4'/>");
        let c = contacts(&two_spheres("", "", &both));
        assert_eq!(c.iter().map(|c| c.dim).collect::<Vec<_>>(), [1, 4]);
    }
}

#[test]
fn numbers_of_a_pair_given_in_part_keep_the_rest() {
    let c = contacts(&two_spheres(
        "",
        "",
        "<pair geom1='a' geom2='b' friction='.5' solref='.5' solimp='.5'/>",
    ));
    close(&c[0].friction, &[0.5, 1.0, 0.005, 0.0001, 0.0001]);
    close(&c[0].solref, &[0.5, 1.0]);
    close(&c[0].solimp, &[0.5, 0.95, 0.001, 0.5, 2.0]);
}

#[test]
fn contacts_are_sorted_by_their_bodies() {
    let body = |name: &str, x: f64| {
        format!(
            "<body name='{name}' pos='{x} 0 0'><freejoint/><geom name='{name}' size='.1'/></body>"
        )
    };
    let xml = format!(
        "<mujoco><worldbody><geom name='p' type='plane' size='9 9 1'/>{}{}{}</worldbody><contact>\
         <pair geom1='c' geom2='p' condim='4'/><pair geom1='p' geom2='a' condim='6'/>\
         </contact></mujoco>",
        body("a", 0.0),
        body("b", 0.15),
        body("c", 0.3),
    );
    let c = contacts(&xml);
    let list: Vec<_> = c.iter().map(|c| (c.geom, c.dim)).collect();
    assert_eq!(list, [([0, 1], 6), ([0, 2], 3), ([0, 3], 4), ([1, 2], 3), ([2, 3], 3)]);
}

#[test]
fn a_pair_of_a_geom_with_itself_collides() {
    let c = contacts(&two_spheres("", "", "<pair geom1='a' geom2='a'/>"));
    assert_eq!(c.iter().map(|c| c.geom).collect::<Vec<_>>(), [[0, 0], [0, 1]]);
    close(&[c[0].dist], &[-0.2]);
    let boxed = "<mujoco><worldbody><body><freejoint/><geom name='a' type='box' size='.1 .1 .1'/>\
                 </body></worldbody><contact><pair geom1='a' geom2='a'/></contact></mujoco>";
    assert_eq!(contacts(boxed).len(), 4);
}

#[test]
fn a_pair_within_the_world_does_no_harm() {
    let xml = |body: &str| {
        format!(
            "<mujoco><worldbody><geom name='a' size='.1'/><geom name='b' size='.1'/>{body}\
             </worldbody><contact><pair geom1='a' geom2='b'/></contact></mujoco>"
        )
    };
    assert!(contacts(&xml("")).is_empty());
    let moving = "<body pos='5 0 0'><freejoint/><geom size='.1'/></body>";
    assert_eq!(contacts(&xml(moving)).len(), 1);
}

// colliding pairs

#[test]
fn bits_say_who_collides() {
    let both = |a: &str, b: &str| contacts(&two_spheres(a, b, "")).len();
    assert_eq!(both("contype='2' conaffinity='0'", "contype='0' conaffinity='2'"), 1);
    assert_eq!(both("contype='0' conaffinity='4'", "contype='4' conaffinity='0'"), 1);
    assert_eq!(both("contype='2' conaffinity='2'", "contype='1' conaffinity='1'"), 0);
}

#[test]
fn bits_may_change_between_steps() {
    let mut m = load(&two_spheres("", "", ""));
    let mut d = Data::new(&m);
    sinew::forward(&m, &mut d);
    assert_eq!(d.ncon, 1);
    (m.geom_contype[0], m.geom_conaffinity[0]) = (2, 2);
    sinew::forward(&m, &mut d);
    assert_eq!(d.ncon, 0);
    m.geom_contype[1] = 2;
    // bodies keep the union of their geoms' bits, which is tested first
    sinew::forward(&m, &mut d);
    assert_eq!(d.ncon, 1);
    m.body_contype[1] = 0;
    m.body_conaffinity[1] = 0;
    sinew::forward(&m, &mut d);
    assert_eq!(d.ncon, 0);
}

#[test]
fn parents_collide_with_children_only_if_fixed_or_unfiltered() {
    let xml = |joint: &str, flag: &str| {
        format!(
            "<mujoco><option><flag {flag}/></option><worldbody><body>{joint}<geom size='.1'/>\
             <body pos='0 0 .15'><joint/><geom size='.1'/></body></body></worldbody></mujoco>"
        )
    };
    assert_eq!(contacts(&xml("<freejoint/>", "")).len(), 0);
    assert_eq!(contacts(&xml("<freejoint/>", "filterparent='disable'")).len(), 1);
    assert_eq!(contacts(&xml("", "")).len(), 1);
}

#[test]
fn contacts_can_be_switched_off() {
    for flag in ["contact='disable'", "constraint='disable'"] {
        let xml = two_spheres("", "", "")
            .replace("<worldbody>", &format!("<option><flag {flag}/></option><worldbody>"));
        assert!(contacts(&xml).is_empty());
    }
}

#[test]
fn the_order_does_not_depend_on_the_tree_of_boxes() {
    let geom = |i: usize, kind: &str| {
        format!("<geom type='{kind}' size='.1 .1 .1' pos='{} 0 0'/>", 0.3 * i as f64)
    };
    let body = |kinds: [&str; 3]| {
        let geoms: String = kinds.iter().enumerate().map(|(i, k)| geom(i, k)).collect();
        format!("<body pos='0 0 .15'><freejoint/>{geoms}</body>")
    };
    let xml = |flag: &str| {
        format!(
            "<mujoco><option><flag {flag}/></option><worldbody>{}{}</worldbody></mujoco>",
            body(["box", "sphere", "capsule"]),
            body(["sphere", "sphere", "box"]),
        )
    };
    let pairs = |flag: &str| {
        let mut pairs: Vec<_> = contacts(&xml(flag)).iter().map(|c| c.geom).collect();
        pairs.dedup();
        pairs
    };
    // geoms are ordered by type first; without the midphase in their own order
    assert_eq!(pairs(""), [[1, 4], [2, 5], [3, 0]]);
    assert_eq!(pairs("midphase='disable'"), [[3, 0], [1, 4], [2, 5]]);
}

// friction, priority, solmix

/// Parameters of the plane and of the sphere in the tests of priority and mixing.
const A: &str = "friction='.3 .2 .1' solref='.05 .7' solimp='.8 .9 .01 .4 3' condim='1' \
                 margin='.01' gap='.002'";
const B: &str = "friction='.7 .1 .01' solref='.03 2' solimp='.5 .6 .002 .2 1' condim='4' \
                 margin='.02' gap='.003'";

fn mixed(a: &str, b: &str) -> Contact {
    let xml = sphere_on_plane(0.0, &format!("{A} {a}"), &format!("{B} {b}"), "");
    contacts(&xml)[0]
}

#[test]
fn friction_is_the_larger_of_each_kind() {
    let xml = sphere_on_plane(-1e-3, "friction='.3 .2 .0001'", "friction='.7 .1 .01'", "");
    close(&contacts(&xml)[0].friction, &[0.7, 0.7, 0.2, 0.01, 0.01]);
    let xml = sphere_on_plane(-1e-3, "friction='.3'", "friction='.7'", "");
    close(&contacts(&xml)[0].friction[..2], &[0.7, 0.7]);
    let xml = sphere_on_plane(-1e-3, "friction='0 0 0'", "friction='0 0 0'", "");
    close(&contacts(&xml)[0].friction, &[1e-5; 5]);
}

#[test]
fn the_geom_with_priority_decides_alone() {
    let c = mixed("", "");
    assert_eq!(c.dim, 4);
    close(&c.friction, &[0.7, 0.7, 0.2, 0.1, 0.1]);
    close(&c.solref, &[0.04, 1.35]);
    close(&c.solimp, &[0.65, 0.75, 0.006, 0.3, 2.0]);
    close(&[c.includemargin], &[0.025]);

    for (a, b) in [("priority='1'", ""), ("", "priority='-1'")] {
        let c = mixed(&format!("{a} solmix='3'"), b);
        assert_eq!(c.dim, 1);
        close(&c.friction, &[0.3, 0.3, 0.2, 0.1, 0.1]);
        close(&c.solref, &[0.05, 0.7]);
        close(&c.solimp, &[0.8, 0.9, 0.01, 0.4, 3.0]);
        close(&[c.includemargin], &[0.025]);
    }
    let c = mixed("", "priority='1'");
    assert_eq!(c.dim, 4);
    close(&c.friction, &[0.7, 0.7, 0.1, 0.01, 0.01]);
    close(&c.solref, &[0.03, 2.0]);
}

#[test]
fn priority_is_a_whole_number() {
    let m = load(&two_spheres("", "priority='-3'", ""));
    assert_eq!(m.geom_priority.to_vec(), [0, -3]);
    for wrong in ["1.5", "x", "", "99999999999"] {
        let message = refusal(&two_spheres(&format!("priority='{wrong}'"), "", ""));
        let wanted = "problem reading attribute 'priority'";
        assert!(message.contains(wanted), "{wrong}: {message}");
    }
}

#[test]
fn dimensions_there_are_not_become_the_next_with_a_warning() {
    let strict = LoadOptions { strict: true, ..LoadOptions::default() };
    for (condim, rounded) in [(0, 1), (2, 3), (5, 6), (7, 6), (-1, 1)] {
        let attribute = format!("condim='{condim}'");
        let pair = format!("<pair geom1='a' geom2='b' {attribute}/>");
        for (xml, wanted) in [
            (two_spheres(&attribute, "condim='1'", ""), "invalid condim in geom"),
            (two_spheres("", "", &pair), "invalid condim in contact pair"),
        ] {
            let loaded = load_str_with(&xml, &Assets::new(), &LoadOptions::default()).unwrap();
            let warned = loaded.warnings.iter().any(|w| w.message.contains(wanted));
            assert!(warned, "condim {condim}: {:?}", loaded.warnings);
            assert_eq!(contacts(&xml)[0].dim, rounded, "condim {condim}");
            let error = load_str_with(&xml, &Assets::new(), &strict).unwrap_err().to_string();
            assert!(error.contains(wanted), "condim {condim}: {error}");
        }
    }
}

#[test]
fn pairs_ignore_priority() {
    let xml = sphere_on_plane(-1e-3, "priority='5' condim='6'", "", "<pair geom1='p' geom2='s'/>");
    assert_eq!(contacts(&xml)[0].dim, 3);
}

#[test]
fn solmix_weighs_the_softness() {
    let c = mixed("solmix='2'", "solmix='1'");
    close(&c.solref, &[0.13 / 3.0, 3.4 / 3.0]);
    close(&c.solimp, &[0.7, 0.8, 0.022 / 3.0, 1.0 / 3.0, 7.0 / 3.0]);
    close(&mixed("solmix='0'", "solmix='0'").solref, &[0.04, 1.35]);
    close(&mixed("solmix='0'", "solmix='1'").solref, &[0.03, 2.0]);
    close(&mixed("solmix='1'", "solmix='0'").solref, &[0.05, 0.7]);
    close(&mixed("solmix='1'", "solmix='-2'").solref, &[0.05, 0.7]);
}

#[test]
fn stiffness_and_damping_are_not_mixed() {
    let reference = |a: &str, b: &str| {
        let (a, b) = (format!("solref='{a}'"), format!("solref='{b}'"));
        contacts(&sphere_on_plane(-1e-3, &a, &b, ""))[0].solref
    };
    close(&reference("-100 -5", ".03 2"), &[-100.0, -5.0]);
    close(&reference("-100 -5", "-200 -3"), &[-200.0, -5.0]);
}

// margin and gap

#[test]
fn margins_and_gaps_add_up() {
    let c = contacts(&sphere_on_plane(0.0035, "margin='.002'", "margin='.002'", ""));
    close(&[c[0].dist, c[0].includemargin], &[0.0035, 0.004]);
    let soft = "margin='.002' gap='.001'";
    let c = contacts(&sphere_on_plane(0.0035, soft, soft, ""));
    close(&[c[0].includemargin], &[0.002]);
    assert_eq!(c[0].exclude, 1);
    assert!(contacts(&sphere_on_plane(0.0041, soft, soft, "")).is_empty());
}

#[test]
fn contacts_in_the_gap_are_listed_and_excluded() {
    let at = |height: f64| {
        let c = contacts(&sphere_on_plane(height, "margin='.004' gap='.003'", "", ""));
        c.iter().map(|c| c.exclude).collect::<Vec<_>>()
    };
    assert_eq!(at(0.002), [1]);
    assert_eq!(at(0.0011), [1]);
    assert_eq!(at(0.0005), [0]);
    assert_eq!(at(-0.0005), [0]);
    assert_eq!(at(0.0041), []);

    let pair = "<pair geom1='p' geom2='s' margin='.01' gap='.005'/>";
    let c = contacts(&sphere_on_plane(0.006, "", "", pair));
    close(&[c[0].includemargin], &[0.005]);
    assert_eq!(c[0].exclude, 1);
    assert_eq!(contacts(&sphere_on_plane(0.004, "", "", pair))[0].exclude, 0);
}

#[test]
fn without_margin_only_overlap_counts() {
    let c = contacts(&sphere_on_plane(0.0, "", "", ""));
    assert_eq!((c.len(), c[0].exclude, c[0].dist), (1, 1, 0.0));
    assert!(contacts(&sphere_on_plane(1e-9, "", "", "")).is_empty());
}

#[test]
fn options_can_override_all_contacts() {
    let xml = |flag: &str| {
        sphere_on_plane(0.001, "", "", "").replace(
            "<worldbody>",
            &format!(
                "<option o_margin='.01' o_solref='.07 .8' o_solimp='.7 .8 .01 .4 3' \
                 o_friction='.3 .2 0 .01 .02'><flag {flag}/></option><worldbody>"
            ),
        )
    };
    assert!(contacts(&xml("")).is_empty());
    let c = &contacts(&xml("override='enable'"))[0];
    close(&[c.includemargin], &[0.01]);
    close(&c.solref, &[0.07, 0.8]);
    close(&c.solreffriction, &[0.07, 0.8]);
    close(&c.solimp, &[0.7, 0.8, 0.01, 0.4, 3.0]);
    close(&c.friction, &[0.3, 0.2, 1e-5, 0.01, 0.02]);
}

// forces

/// The vertical constraint force on the first free body; both cones agree.
fn lift(xml: &str) -> f64 {
    let [pyramidal, elliptic] = ["pyramidal", "elliptic"].map(|cone| {
        let option = format!("<option cone='{cone}'/><worldbody>");
        let m = load(&xml.replace("<worldbody>", &option));
        let mut d = Data::new(&m);
        sinew::forward(&m, &mut d);
        d.qfrc_constraint[2]
    });
    assert!((pyramidal - elliptic).abs() < 1e-9, "{pyramidal} and {elliptic}");
    pyramidal
}

#[track_caller]
fn lifts(xml: &str, force: f64) {
    let got = lift(xml);
    assert!((got - force).abs() < 1e-9, "{got}, wanted {force}");
}

#[test]
fn force_begins_at_the_end_of_the_gap() {
    lifts(&sphere_on_plane(0.001, "margin='.002'", "margin='.002'", ""), 70.453356849405);
    let gap = "margin='.004' gap='.003'";
    for (height, force) in [
        (0.002, 0.0),
        (0.001, 0.0),
        (0.0005, 42.974164999121),
        (0.0, 49.509405825473),
        (-0.0005, 54.745393581456),
    ] {
        lifts(&sphere_on_plane(height, gap, "", ""), force);
    }
    let pair = "<pair geom1='p' geom2='s' margin='.01' gap='.005'/>";
    lifts(&sphere_on_plane(0.006, "", "", pair), 0.0);
    lifts(&sphere_on_plane(0.004, "", "", pair), 49.509405825473);
    for (height, force) in [
        (-0.002, 91.397307873336),
        (-0.00075, 78.307338483379),
        (0.0005, 65.217369093422),
        (0.00175, 52.127399703464),
        (0.003, 0.0),
    ] {
        lifts(&sphere_on_plane(height, "margin='.004' gap='.001'", "", ""), force);
    }
}

#[test]
fn rows_carry_the_margin_of_their_contact() {
    let xml = sphere_on_plane(0.001, "margin='.002'", "margin='.002'", "");
    let rows = |cone: &str| {
        let option = format!("<option cone='{cone}'/><worldbody>");
        let m = load(&xml.replace("<worldbody>", &option));
        let mut d = Data::new(&m);
        sinew::forward(&m, &mut d);
        close(&[d.efc_aref[0]], &[7.894736842105263]);
        (d.efc_pos.to_vec(), d.efc_margin.to_vec())
    };
    let (pos, margin) = rows("pyramidal");
    close(&margin, &[0.004; 4]);
    close(&pos, &[0.001; 4]);
    let (pos, margin) = rows("elliptic");
    close(&margin, &[0.004, 0.0, 0.0]);
    close(&pos, &[0.001, 0.0, 0.0]);
}

#[test]
fn pairs_that_move_nothing_have_rows_without_dofs() {
    let forces = |xml: &str| {
        let m = load(xml);
        let mut d = Data::new(&m);
        sinew::forward(&m, &mut d);
        (d.efc_J.iter().all(|&x| x == 0.0), d.efc_force.to_vec())
    };

    // within a body, and between a geom and itself
    let body = "<mujoco><worldbody><body><freejoint/><geom name='a' size='.1'/>\
                <geom name='b' pos='0 0 .19' size='.1'/></body></worldbody><contact>\
                <pair geom1='a' geom2='b'/></contact></mujoco>";
    let (zero, force) = forces(body);
    assert!(zero && force.len() == 4, "{force:?}");
    let alone = "<mujoco><worldbody><body><freejoint/><geom name='a' size='.1'/></body></worldbody>\
                 <contact><pair geom1='a' geom2='a'/></contact></mujoco>";
    let (zero, force) = forces(alone);
    assert!(zero && force.len() == 4, "{force:?}");
    assert!((force[0] - 5235.98775598).abs() < 1e-6, "{force:?}");

    // a contact within the margin only
    let pair = "<pair geom1='a' geom2='b' margin='.1' gap='.05'/>";
    let (_, force) = forces(&spheres_at(".24", "", "", pair));
    assert_eq!(force.len(), 4);
}

// spheres that barely touch

#[test]
fn spheres_that_just_touch_are_found_or_not_as_in_mujoco() {
    // along the sweep axis, single precision hides an overlap of 1e-9
    let count = |pos: &str| {
        contacts(&two_spheres("", "", "").replace("pos='0 0 .19'", &format!("pos='{pos}'"))).len()
    };
    for x in [".2", ".199999999"] {
        let hidden = [format!("{x} 0 0"), format!("0 -{x} 0")];
        assert_eq!(hidden.map(|pos| count(&pos)), [0, 0]);
        let found = [format!("0 {x} 0"), format!("0 0 {x}"), format!("-{x} 0 0")];
        assert_eq!(found.map(|pos| count(&pos)), [1, 1, 1]);
    }
    assert_eq!(count(".19999997 0 0"), 1);
}

// distances

#[test]
fn distances_between_geoms_are_measured_up_to_a_bound() {
    let m = load(&spheres_at(".5", "", "", ""));
    let mut d = Data::new(&m);
    sinew::forward(&m, &mut d);
    let (a, b) = (m.geom("a").unwrap(), m.geom("b").unwrap());
    let near = sinew::geom_distance(&m, &mut d, b, a, 1.0);
    close(&[near.dist], &[0.3]);
    close(&near.from.to_array(), &[0.0, 0.0, 0.4]);
    close(&near.to.to_array(), &[0.0, 0.0, 0.1]);
    let far = sinew::geom_distance(&m, &mut d, b, a, 0.2);
    close(&[far.dist], &[0.2]);
    close(&far.from.to_array(), &[0.0; 3]);
}
