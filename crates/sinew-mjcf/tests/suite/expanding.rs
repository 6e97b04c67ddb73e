//! `<replicate>` and `<attach>`: copied elements and their names. Wanted values are MuJoCo's.

use crate::common::{close, model, rejected, try_load};
use sinew_mjcf::diag::Error;
use sinew_mjcf::{Assets, LoadOptions, Loaded, load_str};
use sinew_model::Model;
use sinew_model::enums::ObjType;

const BODY: &str =
    "<body name='b'><joint name='j'/><geom name='g' size='.1'/><site name='s'/></body>";

fn names(m: &Model, kind: ObjType, n: usize) -> Vec<String> {
    (0..n).map(|i| m.id2name(kind, i).unwrap_or_default().to_owned()).collect()
}

#[test]
fn copies_are_numbered_and_placed() {
    let m = model(
        "<mujoco><worldbody><replicate count='11' sep='-' offset='1 0 0' euler='0 0 90'>\
         <geom name='g' size='1'/></replicate></worldbody></mujoco>",
    );
    let list = names(&m, ObjType::Geom, m.ngeom);
    assert_eq!((list[0].as_str(), list[10].as_str()), ("g-00", "g-10"));
    close(&m.geom_pos[2].to_array(), &[1.0, 1.0, 0.0], 1e-15);
    close(&m.geom_pos[4].to_array(), &[0.0, 0.0, 0.0], 1e-15);
}

#[test]
fn inner_numbers_come_first() {
    let m = model(&format!(
        "<mujoco><worldbody><replicate count='2'><replicate count='2' sep='_'>{BODY}</replicate>\
         </replicate></worldbody><actuator><motor name='m' joint='j'/></actuator></mujoco>"
    ));
    assert_eq!(names(&m, ObjType::Body, m.nbody)[1..], ["b_00", "b_10", "b_01", "b_11"]);
    assert_eq!(names(&m, ObjType::Actuator, m.nu), ["m_00", "m_10", "m_01", "m_11"]);
}

#[test]
fn what_refers_to_a_copy_is_copied() {
    let m = model(&format!(
        "<mujoco><worldbody><geom name='fl' size='1'/><replicate count='2' offset='1 0 0'>{BODY}\
         </replicate></worldbody>\
         <contact><pair geom1='g' geom2='fl'/><exclude body1='b' body2='world'/></contact>\
         <sensor><clock name='c'/><jointpos name='sj' joint='j'/></sensor>\
         <actuator><motor name='m' joint='j'/></actuator>\
         <equality><connect name='e' body1='b' anchor='0 0 0'/>\
         <weld name='w' body1='b' body2='world'/></equality>\
         <tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon></mujoco>"
    ));
    assert_eq!((m.npair, m.nexclude), (2, 2));
    assert_eq!(names(&m, ObjType::Sensor, m.nsensor), ["c", "c0", "sj0", "c1", "sj1", "c01"]);
    assert_eq!(names(&m, ObjType::Equality, m.neq), ["e0", "e1"]);
    assert_eq!(names(&m, ObjType::Tendon, m.ntendon), ["t0", "t1"]);
}

#[test]
fn names_of_copies_may_clash() {
    let around = |before: &str, after: &str| {
        format!(
            "<mujoco><worldbody>{before}<replicate count='2'>{BODY}</replicate>{after}\
             </worldbody></mujoco>"
        )
    };
    rejected(&around("<geom name='g0' size='1'/>", ""), "repeated name 'g0' in geom");
    rejected(&around("<geom name='g' size='1'/>", ""), "repeated name 'g' in geom");
    assert_eq!(model(&around("", "<geom name='g' size='1'/>")).ngeom, 3);
}

#[test]
fn too_many_copies_are_refused() {
    let xml = |n: &str| {
        format!(
            "<mujoco><worldbody><replicate count='{n}'>{BODY}</replicate></worldbody>\
                 <sensor><clock/></sensor></mujoco>"
        )
    };
    rejected(&xml("2000000000"), "are too many");
    // a sensor that refers to nothing doubles with every copy
    rejected(&xml("64"), "copied too often");
    assert_eq!(model(&xml("0")).nbody, 1);
    assert_eq!(model(&xml("-1")).nbody, 1);
}

#[test]
fn keyframes_of_replicated_bodies_are_completed() {
    let m = model(&format!(
        "<mujoco><worldbody><replicate count='2'>{BODY}</replicate></worldbody>\
         <keyframe><key name='k' qpos='1'/></keyframe></mujoco>"
    ));
    assert_eq!(names(&m, ObjType::Key, m.nkey), ["k0", "k1", "k"]);
    close(&m.key_qpos[0], &[1.0, 0.0], 0.0);
    close(&m.key_qpos[1], &[0.0, 1.0], 0.0);
    close(&m.key_qpos[2], &[0.0, 0.0], 0.0);
}

#[test]
fn nested_copies_are_bounded() {
    let nested = |n: usize, count: usize| {
        let open = format!("<replicate count='{count}'>").repeat(n);
        let close = "</replicate>".repeat(n);
        format!("<mujoco><worldbody>{open}<geom size='1'/>{close}</worldbody></mujoco>")
    };
    assert_eq!(model(&nested(480, 1)).ngeom, 1);
    rejected(&nested(100, 2), "are too many");
}

const CHILD: &str = "<mujoco model='c'><compiler angle='radian'/><default><geom rgba='1 0 0 1'/>\
    <default class='k'><geom size='.2'/></default></default><asset><material name='m'/></asset>\
    <worldbody><geom name='wg' size='1'/><body name='b' childclass='k'>\
    <joint name='j' range='0 1'/><geom name='g' material='m'/></body>\
    <body name='d'><joint name='jd'/><geom name='gd' size='1'/></body></worldbody>\
    <contact><exclude body1='b' body2='world'/><pair geom1='g' geom2='gd'/></contact>\
    <actuator><motor name='a' joint='j'/><motor name='ad' joint='jd'/></actuator>\
    <equality><weld name='w' body1='b'/><weld name='w2' body1='b' body2='world'/></equality>\
    <custom><numeric name='n' data='1'/></custom>\
    <keyframe><key name='k' qpos='1 2' ctrl='4 5'/></keyframe></mujoco>";

fn attach(world: &str, tail: &str) -> Result<Loaded, Error> {
    let xml = format!(
        "<mujoco><asset><model name='c' file='c.xml'/></asset>\
         <worldbody>{world}</worldbody>{tail}</mujoco>"
    );
    let assets: Assets = [("c.xml", CHILD)].into_iter().collect();
    load_str(&xml, &assets, &LoadOptions::default())
}

#[track_caller]
fn attached(world: &str, tail: &str) -> Model {
    attach(world, tail).unwrap_or_else(|e| panic!("{e}")).model
}

#[test]
fn a_whole_model_is_attached() {
    let m = attached("<attach model='c' prefix='p_'/>", "");
    assert_eq!(names(&m, ObjType::Body, m.nbody), ["world", "p_b", "p_d"]);
    assert_eq!(names(&m, ObjType::Geom, m.ngeom), ["p_wg", "p_g", "p_gd"]);
    assert_eq!(names(&m, ObjType::Actuator, m.nu), ["p_a", "p_ad"]);
    assert_eq!((m.npair, m.nexclude, m.nnumeric, m.nmat), (1, 1, 1, 1));
    // with a prefix there is no body 'p_world' to weld to
    assert_eq!(names(&m, ObjType::Equality, m.neq), ["p_w"]);
    // settings and classes come from the attached file
    assert_eq!(m.jnt_range[0], [0.0, 1.0]);
    assert_eq!((m.geom_size[1].x, m.geom_rgba[1][1]), (0.2, 0.0));
}

#[test]
fn one_body_is_attached_with_what_refers_to_it() {
    let m = attached("<attach model='c' body='b' prefix='p_'/>", "");
    assert_eq!(names(&m, ObjType::Actuator, m.nu), ["p_a"]);
    assert_eq!(m.npair, 0);
}

#[test]
fn keyframes_are_attached() {
    let body = "<body name='q'><joint name='qq'/><geom size='1'/></body>";
    let world = format!(
        "{body}<attach model='c' body='b' prefix='p_'/><attach model='c' body='d' prefix='q_'/>"
    );
    let m = attached(&world, "<keyframe><key name='mine' qpos='7'/></keyframe>");
    assert_eq!(names(&m, ObjType::Key, m.nkey), ["mine", "p_k", "q_k"]);
    close(&m.key_qpos[0], &[7.0, 0.0, 0.0], 0.0);
    // the first keyframe waits for the rest of its model
    close(&m.key_qpos[1], &[0.0, 1.0, 2.0], 0.0);
    close(&m.key_qpos[2], &[0.0, 0.0, 2.0], 0.0);
    close(&m.key_ctrl[1], &[4.0, 5.0], 0.0);
}

#[test]
fn the_parent_may_refer_to_what_is_attached() {
    let m = attached(
        "<attach model='c' body='b' prefix='p_'/>",
        "<actuator><motor joint='p_j'/></actuator>",
    );
    assert_eq!(m.nu, 2);
}

#[test]
fn bad_attachments_are_rejected() {
    #[track_caller]
    fn fails(world: &str, words: &str) {
        let text = attach(world, "").expect_err("must be rejected").to_string();
        assert!(text.contains(words), "{text}");
    }
    fails("<attach model='x' prefix='p_'/>", "could not find model 'x'");
    fails("<attach model='c' body='x' prefix='p_'/>", "could not find body 'x'");
    fails("<attach model='c'/>", "required attribute missing: 'prefix'");
    let two = "<attach model='c' body='b' prefix='p_'/><attach model='c' body='d' prefix='p_'/>";
    fails(two, "repeated name 'p_m' in material");
    let own = "<mujoco><asset><model name='m' file='m.xml'/></asset></mujoco>";
    let assets: Assets = [("m.xml", own)].into_iter().collect();
    let error = load_str(own, &assets, &LoadOptions::default()).expect_err("rejected");
    assert!(error.to_string().contains("contains itself"));
}

#[test]
fn joints_of_a_replicate_belong_to_the_body_around_it() {
    let inside = |x: &str| format!("<mujoco><worldbody>{x}</worldbody></mujoco>");
    let joint = "<replicate count='2'><joint type='slide' axis='1 0 0'/></replicate>";
    rejected(&inside(joint), "joint found in world body");
    let xml = inside(&format!("<body>{joint}<geom size='1'/></body>"));
    assert_eq!(try_load(&xml, &LoadOptions::default()).map(|l| l.model.njnt).ok(), Some(2));
}

#[test]
fn a_body_that_is_attached_again_in_its_parent_moves_to_the_other_frame() {
    let again = "<attach model='c' body='b' prefix='p_'/>";
    let place = |world: &str| {
        let m = attached(world, "");
        let names = names(&m, ObjType::Body, m.nbody);
        let at = names.iter().position(|n| n == "p_b").expect("attached");
        (names[1..].to_vec(), m.body_pos[at] - attached(again, "").body_pos[1])
    };
    let z = "<body name='z'><geom size='.1'/></body>";
    let (list, pos) = place(&format!(
        "<frame pos='1 0 0'><site name='s1'/>{again}<site name='s2'/></frame>{z}\
         <frame pos='2 0 0'><frame pos='7 0 0'>{again}</frame></frame>"
    ));
    assert_eq!(list, ["p_b", "z"], "the order of bodies stays");
    close(&pos.to_array(), &[9.0, 0.0, 0.0], 1e-15);
    let (_, pos) = place(&format!("<frame pos='1 0 0'>{again}</frame>{again}"));
    close(&pos.to_array(), &[0.0; 3], 1e-15);

    // in another body it is an error, and so it is in a replicate
    let elsewhere = format!("{again}<body name='y'><geom size='.1'/>{again}</body>");
    let copies = format!("{again}<replicate count='2' offset='0 1 0'>{again}</replicate>");
    for world in [elsewhere, copies] {
        let error = attach(&world, "").expect_err("must be rejected").to_string();
        assert!(error.contains("mismatched parents"), "{error}");
    }
}
