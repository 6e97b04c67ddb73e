//! Flexes, skins and cables.

use crate::common::{model as load, rejected, try_load};
use sinew_mjcf::LoadOptions;

fn world(inside: &str) -> String {
    format!("<mujoco><worldbody>{inside}</worldbody></mujoco>")
}

fn grid(attributes: &str, children: &str) -> String {
    world(&format!(
        "<flexcomp name='f' type='grid' spacing='.1 .1 .1' radius='.01' {attributes}>{children}</flexcomp>"
    ))
}

#[test]
fn a_cloth_has_a_body_per_point_and_an_edge_per_neighbour() {
    let m = load(&grid("dim='2' count='4 4 1'", "<edge equality='true'/>"));
    assert_eq!((m.nflexvert, m.nflexelem, m.nflexedge), (16, 18, 33));
    assert_eq!((m.nbody, m.nv, m.neq), (17, 48, 1));
    assert_eq!(m.flex_edgeequality[0], 1);
}

#[test]
fn tetrahedra_have_their_border_in_layer_zero() {
    let m = load(&grid("dim='3' count='3 3 3'", ""));
    assert_eq!((m.nflexvert, m.nflexelem, m.nflexedge, m.nv), (27, 48, 98, 81));
    assert!(m.flex_elemlayer.iter().all(|layer| *layer <= 1));
    assert_eq!(m.flex_shellnum[0], 48);
}

#[test]
fn pinned_points_are_fixed_to_the_parent() {
    let m = load(&grid("dim='2' count='3 3 1'", "<pin id='0 8'/>"));
    assert_eq!(m.nbody, 8);
    assert_eq!(m.flex_vertbodyid[0].get().map(|b| b.idx()), Some(0));
    assert!(!m.flex_centered[0].get());
}

#[test]
fn a_flexcomp_ignores_the_frames_it_is_in() {
    let flexcomp = grid("dim='2' count='2 2 1'", "");
    let inside = flexcomp.replace("<mujoco><worldbody>", "").replace("</worldbody></mujoco>", "");
    let framed = world(&format!(
        "<frame pos='0 0 5'><body name='before'/>{inside}<body name='after'/></frame>"
    ));
    let m = load(&framed);
    let height = |b: usize| m.body_pos[b].z;
    assert_eq!((height(1), height(2), height(5), height(6)), (5.0, 0.0, 0.0, 5.0));
}

#[test]
fn removed_composites_name_what_replaces_them() {
    for (kind, instead) in [
        ("particle", "replicate"),
        ("grid", "flexcomp"),
        ("loop", "flexcomp"),
        ("cloth", "flexcomp"),
    ] {
        let xml = world(&format!("<body name='b'><composite type='{kind}' count='2 2 1'/></body>"));
        rejected(&xml, &format!("The \"{kind}\" composite type is deprecated"));
        let error = try_load(&xml, &LoadOptions::default()).expect_err("must be rejected");
        assert!(error.to_string().contains(instead), "{error}");
    }
}

#[test]
fn a_box_of_one_point_is_an_error_and_not_an_endless_loop() {
    let flexcomp =
        "<flexcomp name='f' type='box' dim='3' count='3 3 1' spacing='.1 .1 .1' radius='.01'/>";
    rejected(&world(flexcomp), "Count too small");
}

#[test]
fn a_lattice_too_large_for_memory_is_an_error() {
    rejected(&grid("dim='3' count='100000 100000 100000'", ""), "more than");
}

#[test]
fn a_cable_is_a_chain_of_bodies_that_do_not_collide_with_their_neighbours() {
    let m = load(&world(
        "<composite type='cable' prefix='c' count='5 1 1' curve='s 0 0' size='1' initial='none'>\
         <geom type='capsule' size='.02'/></composite>",
    ));
    assert_eq!((m.nbody, m.njnt, m.nexclude, m.ntext, m.nsite), (5, 3, 3, 1, 2));
}

#[test]
fn a_long_cable_compiles() {
    let m = load(&world(
        "<composite type='cable' prefix='c' count='201 1 1' curve='s 0 0' size='10'>\
         <geom type='capsule' size='.002'/></composite>",
    ));
    assert_eq!(m.nbody, 201);
}

#[test]
fn weights_of_a_skin_sum_to_one_at_each_vertex() {
    let m = load(
        "<mujoco><worldbody><body name='a'/><body name='b'/></worldbody><deformable>\
         <skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'>\
         <bone body='a' bindpos='0 0 0' bindquat='2 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>\
         <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='2' vertweight='3'/>\
         </skin></deformable></mujoco>",
    );
    assert_eq!(m.skin_bonevertweight.to_vec(), [1.0, 1.0, 0.25, 0.75]);
    assert_eq!(m.skin_bonebindquat[0], [1.0, 0.0, 0.0, 0.0]);
}
