//! The kinematic tree as MuJoCo 3.5.0 compiles it; the numbers are MuJoCo's.

use sinew_model::Model;

/// The model with these sections.
#[track_caller]
fn model(sections: &str) -> Model {
    crate::common::model(&format!("<mujoco>{sections}</mujoco>"))
}

/// Numbers must agree but for rounding.
#[track_caller]
fn close(got: &[f64], want: &[f64]) {
    crate::common::close(got, want, 1e-13);
}

/// Mass and inertia of a body with one geom.
#[track_caller]
fn check_geom(attributes: &str, mass: f64, inertia: [f64; 3]) {
    let m = model(&format!("<worldbody><body><geom {attributes}/></body></worldbody>"));
    close(&[m.body_mass[1]], &[mass]);
    close(&m.body_inertia[1].to_array(), &inertia);
}

#[test]
fn solids_have_their_volume_and_inertia() {
    check_geom(r#"type="sphere" size=".1""#, 4.188790204786391, [0.01675516081914557; 3]);
    check_geom(
        r#"type="capsule" size=".1 .2""#,
        16.75516081914557,
        [0.44610615680975085, 0.44610615680975085, 0.07958701389094144],
    );
    check_geom(
        r#"type="cylinder" size=".1 .2""#,
        12.566370614359174,
        [0.19896753472735362, 0.19896753472735362, 0.06283185307179588],
    );
    check_geom(
        r#"type="ellipsoid" size=".1 .2 .3""#,
        25.132741228718345,
        [0.653451271946677, 0.5026548245743669, 0.25132741228718347],
    );
    check_geom(
        r#"type="box" size=".1 .2 .3""#,
        48.0,
        [2.0800000000000005, 1.6000000000000003, 0.8000000000000003],
    );
}

#[test]
fn shells_have_their_area_and_inertia() {
    let shell = |a: &str| format!(r#"{a} shellinertia="true""#);
    check_geom(&shell(r#"type="sphere" size=".1""#), 125.66370614359174, [0.8377580409572783; 3]);
    check_geom(
        &shell(r#"type="capsule" size=".1 .2""#),
        376.9911184307752,
        [12.985249634837814, 12.985249634837814, 3.351032163829113],
    );
    check_geom(
        &shell(r#"type="cylinder" size=".1 .2""#),
        314.1592653589793,
        [7.278022980816355, 7.278022980816355, 2.827433388230814],
    );
    check_geom(
        &shell(r#"type="ellipsoid" size=".1 .2 .3""#),
        489.7193333371731,
        [18.075174882542342, 14.068366576335393, 8.102680936804973],
    );
    check_geom(
        &shell(r#"type="box" size=".1 .2 .3""#),
        880.0,
        [54.13333333333334, 42.13333333333334, 24.266666666666673],
    );
}

#[test]
fn ellipsoids_have_coefficients_of_fluids() {
    let m = model(
        r#"<worldbody><geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"
           fluidcoef="1"/></worldbody>"#,
    );
    let wanted = [
        1.0,
        1.0,
        0.25,
        1.5,
        1.0,
        1.0,
        0.03421892335102304,
        0.009161969686093343,
        0.004656001295402555,
        3.914190145187043e-05,
        0.0003559983762595036,
        9.632561918504682e-05,
    ];
    close(&m.geom_fluid[0], &wanted);
}

#[test]
fn a_free_body_can_be_aligned_with_its_inertia() {
    let m = model(
        r#"<worldbody><body><freejoint align="true"/>
             <geom type="capsule" size=".1" fromto="0 0 0 1 0 0"/>
             <geom type="box" size=".1 .2 .3" pos="0 1 0"/>
             <site pos="1 0 0"/>
           </body></worldbody>"#,
    );
    let qpos0 = [
        0.21293485660096798,
        0.5741302867980642,
        0.0,
        0.3550354310227972,
        0.6115143847191641,
        -0.3550354310227972,
        0.6115143847191641,
    ];
    close(&m.qpos0, &qpos0);
    close(&m.body_ipos[1].to_array(), &[0.0; 3]);
    close(&m.geom_pos[0].to_array(), &[0.0, 0.03535541646762275, 0.6409227545499827]);
    close(&m.site_pos[0].to_array(), &[0.0, -0.3988631298431954, 0.8888224399868971]);
    assert_eq!(*m.body_simple, [1, 1]);
}

#[test]
fn frames_move_what_they_contain() {
    let m = model(
        r#"<compiler angle="radian"/><worldbody>
             <frame pos="1 0 0" euler="0 0 1.5707963267948966"><body pos="1 0 0">
               <frame pos="0 0 1"><joint axis="1 0 0" pos="0 1 0"/></frame><geom size="1"/>
             </body></frame>
           </worldbody>"#,
    );
    close(&m.body_pos[1].to_array(), &[1.0, 1.0, 0.0]);
    close(&m.jnt_pos[0].to_array(), &[0.0, 1.0, 1.0]);
    close(&m.jnt_axis[0].to_array(), &[1.0, 0.0, 0.0]);
}

#[test]
fn short_keyframes_go_on_with_the_reference_pose() {
    let m = model(
        r#"<size nkey="3"/><worldbody>
             <body><joint type="slide" ref="5"/><joint type="slide" ref="6" axis="1 0 0"/>
               <geom size=".1"/></body>
             <body mocap="true" pos="0 0 3"/>
           </worldbody>
           <keyframe><key qpos="1"/><key mpos="1 2 3"/></keyframe>"#,
    );
    assert_eq!(m.key_qpos.flat(), [1.0, 6.0, 5.0, 6.0, 5.0, 6.0]);
    assert_eq!(m.key_mpos.flat(), [0.0, 0.0, 3.0, 1.0, 2.0, 3.0, 0.0, 0.0, 3.0]);
    assert_eq!(m.key_mquat[2], [1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn springdamper_follows_the_inertia() {
    let m = model(
        r#"<worldbody><body><joint springdamper=".1 1"/><geom size=".1" pos="1 0 0"/></body>
           </worldbody>"#,
    );
    close(&[m.jnt_stiffness[0], m.dof_damping[0]], &[420.55453656055363, 84.11090731211073]);
}

#[test]
fn two_trees_have_separate_blocks_of_inertia() {
    let m = model(
        r#"<worldbody>
             <body><joint/><geom size=".1"/>
               <body><joint/><joint axis="1 0 0"/><geom size=".1"/></body></body>
             <body><freejoint/><geom size=".1"/></body>
           </worldbody>"#,
    );
    assert_eq!((m.nM, m.nC, m.nD, m.nB), (27, 12, 45, 21));
    assert_eq!(*m.M_rownnz, [1, 2, 3, 1, 1, 1, 1, 1, 1]);
    assert_eq!(*m.D_rownnz, [3, 3, 3, 6, 6, 6, 6, 6, 6]);
    assert_eq!(*m.B_rownnz, [9, 3, 3, 6]);
    assert_eq!(*m.dof_simplenum, [0, 0, 0, 6, 5, 4, 3, 2, 1]);
    assert_eq!(*m.mapM2M, [0, 2, 1, 5, 4, 3, 6, 7, 9, 12, 16, 21]);
    assert_eq!(*m.mapD2M, [0, 3, 4, 6, 7, 8, 9, 16, 23, 30, 37, 44]);
    let filled = [0, 1, 3, 1, 2, 4, 3, 4, 5, 6, -1, -1, -1, -1, -1, -1, 7];
    assert!(m.mapM2D.starts_with(&filled));
}

#[test]
fn names_are_hashed_as_mujoco_does() {
    let m = model(r#"<worldbody><body name="first"/><body name="second"/><body/></worldbody>"#);
    assert_eq!(*m.names_map, [1, -1, -1, -1, -1, 2, -1, 0]);
    assert_eq!(m.name2id(sinew_model::enums::ObjType::Body, "second"), Some(2));
}

#[test]
fn camera_intrinsics_prefer_pixels() {
    let m = model(
        r#"<worldbody><camera sensorsize=".1 .2" resolution="100 200" focal=".3 .4"
           principalpixel="5 10"/></worldbody>"#,
    );
    close(&[m.cam_fovy[0]], &[28.07248730010261]);
    assert_eq!(m.cam_intrinsic[0], [0.3, 0.4, 0.005, 0.01]);
}

/// Names of the bodies that are left.
fn bodies(m: &Model) -> Vec<&str> {
    (0..m.nbody).filter_map(|b| m.id2name(sinew_model::enums::ObjType::Body, b)).collect()
}

#[test]
fn static_bodies_are_fused_unless_something_needs_them() {
    let m = model(
        r#"<compiler fusestatic="true"/><worldbody>
             <body name="arm"><joint/><geom size=".1"/>
               <body name="fixed" pos="0 0 1"><geom size=".1"/></body>
             </body>
             <body name="seen" pos="3 0 0"><geom size=".1"/></body>
             <camera mode="targetbody" target="seen"/>
           </worldbody>"#,
    );
    assert_eq!(bodies(&m), ["world", "arm", "seen"]);
    assert_eq!(m.body_geomnum[1], 2);
    close(&m.geom_pos[1].to_array(), &[0.0, 0.0, 1.0]);
    assert_eq!(m.cam_targetbodyid[0].get().map(sinew_model::BodyId::idx), Some(2));
}

/// Bodies of which the last is merged into the first, and sections that refer to something.
fn merged(sections: &str) -> String {
    format!(
        r#"<mujoco><compiler fusestatic="true"/><worldbody>
             <geom name="floor" type="plane" size="1 1 1"/>
             <body name="arm"><joint/><geom name="upper" size=".1"/><site name="root"/>
               <body name="hand"><joint/><geom name="hand" size=".1"/><site name="tip"/></body>
               <body name="plate"><geom name="plate" size=".1"/><site name="mark"/></body>
             </body></worldbody>{sections}</mujoco>"#
    )
}

#[test]
fn fusing_mistakes_names_as_mujoco_does_and_says_so() {
    let xml = merged(r#"<sensor><framepos objtype="site" objname="tip"/></sensor>"#);
    let m = crate::common::warned(&xml, "takes site 'mark' for 'tip'");
    assert_eq!(m.sensor_objid[0], 1);

    let xml = merged(r#"<contact><pair geom1="floor" geom2="hand"/></contact>"#);
    let m = crate::common::warned(&xml, "takes geom 'plate' for 'hand'");
    assert_eq!(m.pair_geom2[0].idx(), 2);
}

#[test]
fn a_body_whose_frame_is_measured_is_not_fused() {
    let xml = merged(r#"<sensor><framepos objtype="xbody" objname="plate"/></sensor>"#);
    let m = crate::common::extension(&xml, "unrecognized name 'plate' of sensorized object");
    assert_eq!(bodies(&m), ["world", "arm", "hand", "plate"]);
}

#[test]
fn visual_geoms_can_be_left_out() {
    let m = model(
        r#"<compiler discardvisual="true"/>
           <asset><texture name="t" type="2d" builtin="flat" width="2" height="2"/>
             <material name="m" texture="t"/></asset>
           <worldbody><body><joint/>
             <geom name="skin" size=".1" contype="0" conaffinity="0" material="m"/>
             <geom name="ray" size=".1" contype="0" conaffinity="0"/>
             <geom name="bone" size=".1" density="0"/>
           </body></worldbody>
           <sensor><framepos objtype="geom" objname="ray"/></sensor>"#,
    );
    assert_eq!((m.ngeom, m.nmat, m.ntex), (2, 0, 0));
    assert_eq!(m.sensor_objid[0], 0);
    // the mass of left-out elements stays
    close(&[m.body_mass[1]], &[2.0 * 4.188790204786391]);
}

#[test]
fn sizes_are_bounded_before_anything_is_allocated() {
    for size in ["nuserdata", "nkey", "nuser_geom"] {
        let xml = format!(
            r#"<mujoco><size {size}="2147483647"/><worldbody><geom size="1"/></worldbody></mujoco>"#
        );
        let result = crate::common::try_load(&xml, &sinew_mjcf::LoadOptions::default());
        assert!(result.is_err(), "{size}");
    }
}
