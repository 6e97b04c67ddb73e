//! The text in MuJoCo's style; MuJoCo 3.5.0 wrote the texts here.

use sinew_mjcf::spec::Spec;
use sinew_mjcf::{Assets, LoadOptions};
use sinew_model::Model;

/// A spec and its compiled model.
fn compiled(xml: &str) -> (Spec, Model) {
    let opts = LoadOptions::default();
    let (spec, _) = Spec::parse_str(xml, &Assets::new(), &opts).unwrap_or_else(|e| panic!("{e}"));
    let model = spec.compile(&Assets::new(), &opts).unwrap_or_else(|e| panic!("{e}")).model;
    (spec, model)
}

/// The text of a model after a change.
fn edited(xml: &str, change: impl FnOnce(&mut Model)) -> String {
    let (spec, before) = compiled(xml);
    let mut after = before.clone();
    change(&mut after);
    let plugins = LoadOptions::default().plugins;
    spec.to_mujoco_xml_edited(&before, &after, &plugins).unwrap().unwrap()
}

const ARM: &str = r#"
<mujoco model="arm">
  <!-- An arm with a servo. -->
  <default>
    <geom rgba=".1 .2 .3 1"/>
    <default class="steel"><geom density="7800"/><position kp="5"/></default>
  </default>
  <worldbody>
    <frame pos="0 0 1" euler="0 0 90">
      <body name="arm" childclass="steel">
        <freejoint name="root"/>
        <geom type="capsule" fromto="0 0 0 1 0 0" size=".1"/>
        <body name="hand" pos="1 0 0">
          <joint name="wrist" range="-90 45" damping=".5"/>
          <geom size=".2" class="main" mass="2"/>
          <site name="tip" pos="0 0 .25"/>
        </body>
      </body>
    </frame>
  </worldbody>
  <actuator><position class="steel" name="servo" joint="wrist" kv="1"/></actuator>
  <sensor><jointpos joint="wrist" cutoff="3"/><accelerometer site="tip"/></sensor>
</mujoco>"#;

const TEXT: &str = r#"<mujoco model="arm">
  <!-- An arm with a servo. -->
  <compiler angle="radian"/>

  <default>
    <geom rgba="0.1 0.2 0.3 1"/>
    <default class="steel">
      <geom density="7800"/>
      <general biastype="affine" gainprm="5" biasprm="0 -5"/>
    </default>
  </default>

  <worldbody>
    <body name="arm" childclass="steel" pos="0 0 1" quat="0.707107 0 0 0.707107">
      <joint name="root" type="free"/>
      <geom size="0.1 0.5" pos="0.5 0 0" quat="0.707107 0 -0.707107 0" type="capsule"/>
      <body name="hand" pos="1 0 0">
        <joint name="wrist" pos="0 0 0" axis="0 0 1" range="-1.5708 0.785398" damping="0.5"/>
        <geom size="0.2" mass="2"/>
        <site name="tip" pos="0 0 0.25"/>
      </body>
    </body>
  </worldbody>

  <actuator>
    <general name="servo" class="steel" joint="wrist" biasprm="0 -5 -1"/>
  </actuator>

  <sensor>
    <jointpos joint="wrist" cutoff="3"/>
    <accelerometer site="tip"/>
  </sensor>
</mujoco>
"#;

#[test]
fn the_text_is_mujocos() {
    let (spec, model) = compiled(ARM);
    let text = spec.to_mujoco_xml(&model, &LoadOptions::default().plugins).unwrap().unwrap();
    assert_eq!(text, TEXT);
    assert_eq!(edited(ARM, |_| ()), TEXT);
}

#[test]
fn an_empty_name_of_a_model_is_written() {
    let text = edited(r#"<mujoco model=""><worldbody/></mujoco>"#, |_| ());
    assert!(text.starts_with("<mujoco model=\"\">\n"), "{text}");
}

#[test]
fn changes_of_the_compiled_model_are_written() {
    let text = edited(ARM, |m| {
        m.geom_rgba[1] = [1.0, 0.0, 0.0, 1.0];
        m.dof_armature[2] = 0.25;
        m.jnt_range[1] = [0.0, 1.0];
        m.actuator_biasprm[0][2] = -3.0;
        m.opt.timestep = 0.001;
    });
    for part in [
        r#"<geom size="0.2" mass="2" rgba="1 0 0 1"/>"#,
        r#"axis="0 0 1" range="0 1" damping="0.5"/>"#,
        r#"joint="wrist" biasprm="0 -5 -3"/>"#,
        r#"<option timestep="0.001"/>"#,
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn a_free_joint_keeps_its_damping() {
    let change = |m: &mut Model| m.dof_damping[0] = 0.5;
    assert!(edited(ARM, change).contains(r#"<joint name="root" type="free" damping="0.5"/>"#));

    // also in the style of the file
    let (spec, before) = compiled(ARM);
    let mut after = before.clone();
    change(&mut after);
    let text = spec.to_xml_edited(&before, &after).unwrap();
    let (_, again) = compiled(&text);
    assert_eq!(again.dof_damping[5], 0.5);
}

#[test]
fn a_model_without_some_elements_has_no_text() {
    let xml = r#"<mujoco><compiler fusestatic="true"/><worldbody>
        <body><joint/><geom size="1"/><body><geom size="1"/></body></body>
    </worldbody></mujoco>"#;
    let (spec, model) = compiled(xml);
    assert_eq!(spec.to_mujoco_xml(&model, &LoadOptions::default().plugins), Ok(None));
}

#[test]
fn pairs_are_written_in_the_order_of_their_bodies() {
    let xml = r#"<mujoco>
      <worldbody>
        <geom name="floor" type="plane" size="1 1 1"/>
        <body><joint/><geom name="a" size="1"/></body>
        <body><joint/><geom name="b" size="1"/></body>
      </worldbody>
      <contact>
        <pair geom1="b" geom2="a" margin=".1"/>
        <pair geom1="a" geom2="floor" margin=".2"/>
      </contact>
    </mujoco>"#;
    let text = edited(xml, |m| m.pair_margin[0] = 0.3);
    let first = text.find(r#"<pair geom1="floor" geom2="a" margin="0.3"/>"#).unwrap();
    let second = text.find(r#"<pair geom1="a" geom2="b" margin="0.1"/>"#).unwrap();
    assert!(first < second, "{text}");
}
