//! URDF by MuJoCo's rules. Wanted values are MuJoCo's.

use crate::common::{close, model, rejected};
use sinew_model::enums::{GeomType, JointType};

const INERTIAL: &str = "<inertial><mass value='2'/>\
    <inertia ixx='.1' iyy='.2' izz='.25' ixy='0' ixz='0' iyz='0'/></inertial>";

fn link(name: &str, parts: &str) -> String {
    format!("<link name='{name}'>{INERTIAL}{parts}</link>")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, parts: &str) -> String {
    format!(
        "<joint name='{name}' type='{kind}'><parent link='{parent}'/>\
         <child link='{child}'/>{parts}</joint>"
    )
}

fn robot(parts: &[String]) -> String {
    format!("<robot name='r'>{}</robot>", parts.concat())
}

const BOX: &str = "<collision><origin xyz='0 0 1' rpy='1 0 0'/><geometry><box size='1 2 3'/>\
    </geometry></collision>";
const VISUAL: &str =
    "<visual name='v'><geometry><sphere radius='.3'/></geometry><material name='red'/></visual>";

#[test]
fn links_and_joints_become_bodies_and_joints() {
    let parts = "<origin xyz='1 2 3'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='10'/>\
                 <dynamics damping='1' friction='.1'/>";
    let m = model(&robot(&[
        link("a", ""),
        link("b", &format!("{BOX}{VISUAL}")),
        joint("j", "revolute", "a", "b", parts),
    ]));
    // the root is static and merged into the world; visuals are left out
    assert_eq!((m.nbody, m.ngeom, m.njnt), (2, 1, 1));
    assert_eq!((m.jnt_type[0], m.jnt_range[0]), (JointType::Hinge, [-1.0, 1.0]));
    close(&m.body_pos[1].to_array(), &[1.0, 2.0, 3.0], 0.0);
    close(&m.geom_size[0].to_array(), &[0.5, 1.0, 1.5], 0.0);
    assert_eq!((m.dof_damping[0], m.dof_frictionloss[0]), (1.0, 0.1));
    assert_eq!(m.geom_type[0], GeomType::Box);
}

#[test]
fn planar_joints_are_three() {
    let axis = "<axis xyz='0 0 1'/><dynamics damping='3'/>";
    let m = model(&robot(&[link("a", ""), link("b", ""), joint("p", "planar", "a", "b", axis)]));
    assert_eq!(*m.jnt_type, [JointType::Slide, JointType::Slide, JointType::Hinge]);
    assert_eq!(*m.dof_damping, [3.0; 3]);
}

#[test]
fn visuals_are_kept_if_asked_for() {
    let keep = "<mujoco><compiler fusestatic='false' discardvisual='false'/></mujoco>\
                <material name='red'><color rgba='1 0 0 1'/></material>";
    let m = model(&robot(&[keep.to_owned(), link("a", &format!("{VISUAL}{BOX}"))]));
    assert_eq!((m.nbody, m.ngeom), (2, 2));
    assert_eq!((m.geom_contype[0], m.geom_group[0], m.geom_contype[1]), (0, 1, 1));
    assert_eq!(m.geom_rgba[1][0], 1.0);
}

#[test]
fn broken_robots_are_rejected() {
    let two = || [link("a", ""), link("b", "")].concat();
    rejected(&robot(&[link("a", ""), link("a", "")]), "repeated URDF name");
    rejected(&robot(&[two(), joint("j", "revolute", "a", "x", "")]), "parent or child missing");
    rejected(&robot(&[two(), joint("j", "screw", "a", "b", "")]), "invalid joint type");
    let loop_of_two = [joint("j", "revolute", "a", "b", ""), joint("k", "revolute", "b", "a", "")];
    rejected(&robot(&[two(), loop_of_two.concat()]), "URDF body not found");
    rejected(&robot(&["<link name='a'><collision/></link>".into()]), "missing element: 'geometry'");
}
