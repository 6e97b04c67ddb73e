"""Saving a model that was changed after compilation."""

import pathlib
import warnings

import mujoco
import numpy as np
import pytest
import spec_compare

import sinew

MODELS = pathlib.Path(__file__).parents[3] / "models"
# fused or discarded elements are written as they were: MuJoCo's text has lost poses and inertia;
# and of instances of plugins that attached files name, MuJoCo's text lacks the names
# (test_spec_files)
OTHER = {"fusestatic", "discardvisual", "plugin_attach"}
FILES = [
    path
    for path in [*sorted(MODELS.glob("*.xml")), *sorted(MODELS.glob("features/*.xml"))]
    if path.stem not in OTHER
]

XML = """
<mujoco>
  <default><geom rgba=".1 .2 .3 1" friction=".7"/><joint damping=".2"/></default>
  <asset>
    <material name="steel" rgba=".5 .5 .5 1"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1  1 1 0" scale=".1 .2 .3"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <camera name="eye" pos="1 0 1" euler="30 0 0"/>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <frame pos="0 1 0" euler="0 0 90">
      <body name="arm" pos="0 0 1" axisangle="0 0 1 45">
        <inertial pos="0 0 .1" mass="2" diaginertia=".1 .2 .25"/>
        <joint name="hip" range="-30 60" axis="0 1 0" ref="10" springdamper=".1 1"/>
        <geom name="bone" type="capsule" fromto="0 0 0 0 0 .5" size=".05"/>
        <geom name="horn" type="mesh" mesh="wedge" pos=".1 0 0" contype="0" conaffinity="0"/>
        <site name="tip" pos="0 0 .5" size=".01"/>
        <body name="hand" pos="0 0 .6">
          <joint name="reach" type="slide" axis="1 0 0" range="-1 1" stiffness="3"/>
          <geom name="palm" type="box" size=".1 .1 .02" material="steel"/>
        </body>
      </body>
    </frame>
  </worldbody>
  <tendon><fixed name="cord" range="-1 1"><joint joint="hip" coef="2"/></fixed></tendon>
  <equality><joint joint1="hip" joint2="reach" polycoef="0 1 0 0 0" active="false"/></equality>
  <actuator>
    <motor name="drive" joint="hip" gear="3"/>
    <position name="servo" joint="reach" kp="10" ctrlrange="-1 1"/>
  </actuator>
  <sensor><jointpos joint="hip" cutoff="2"/></sensor>
  <custom><numeric name="n" data="1 2 3"/></custom>
  <keyframe><key name="k" qpos=".1 .2"/></keyframe>
</mujoco>
"""

# each edit changes a model; all edits together are another case
EDITS = {
    "options": lambda m: (
        setattr(m.opt, "timestep", 0.003),
        setattr(m.opt, "integrator", 3),
        setattr(m.opt, "disableflags", 1 << 4),
        setattr(m.opt, "enableflags", 1 << 1),
        m.opt.gravity.__setitem__(0, 1.5),
    ),
    "visual": lambda m: (
        setattr(m.vis.global_, "fovy", 30),
        m.vis.rgba.fog.__setitem__(0, 0.25),
        setattr(m.stat, "extent", 7),
    ),
    "body": lambda m: (m.body_pos.__setitem__((1, 2), 1.25), m.body_pos.__setitem__((2, 0), 0.5)),
    "turned body": lambda m: m.body_quat.__setitem__(1, [0.5, 0.5, 0.5, 0.5]),
    "inertia": lambda m: (
        m.body_mass.__setitem__(1, 5),
        m.body_inertia.__setitem__(1, [0.3, 0.4, 0.45]),
        m.body_ipos.__setitem__(1, [0.1, 0, 0.2]),
    ),
    "joint": lambda m: (
        m.jnt_range.__setitem__(0, [-0.5, 0.75]),
        m.jnt_axis.__setitem__(0, [1, 0, 0]),
        m.jnt_stiffness.__setitem__(slice(None), [4, 5]),
        m.jnt_margin.__setitem__(1, 0.01),
    ),
    "dof": lambda m: (
        m.dof_damping.__setitem__(slice(None), [0.7, 0.8]),
        m.dof_armature.__setitem__(1, 0.3),
        m.dof_frictionloss.__setitem__(0, 0.1),
    ),
    "geom": lambda m: (
        m.geom_rgba.__setitem__(slice(None), 0.5),
        m.geom_friction.__setitem__((0, 0), 0.9),
        m.geom_pos.__setitem__(1, [0.1, 0, 0.3]),
        m.geom_pos.__setitem__((2, 1), 0.25),
        m.geom_margin.__setitem__(3, 0.02),
    ),
    "site": lambda m: (m.site_pos.__setitem__(0, [0, 0.1, 0.4]), m.site_rgba.__setitem__(0, 0.75)),
    "camera": lambda m: (m.cam_pos.__setitem__(0, [2, 0, 1]), m.cam_fovy.__setitem__(0, 60)),
    "light": lambda m: (m.light_pos.__setitem__(0, [0, 1, 4]), m.light_diffuse.__setitem__(0, 0.5)),
    "material": lambda m: m.mat_rgba.__setitem__(0, [1, 0, 0, 1]),
    "tendon": lambda m: (m.tendon_range.__setitem__(0, [-2, 2]), m.tendon_damping.__setitem__(0, 3)),
    "equality": lambda m: m.eq_data.__setitem__((0, slice(0, 5)), [0.1, 0.9, 0.2, 0, 0]),
    "gear": lambda m: m.actuator_gear.__setitem__((0, 0), 7),
    "law": lambda m: (
        m.actuator_gainprm.__setitem__((1, 0), 20),
        m.actuator_biasprm.__setitem__((1, 1), -20),
        m.actuator_ctrlrange.__setitem__(1, [-2, 2]),
    ),
    "sensor": lambda m: m.sensor_cutoff.__setitem__(0, 3),
    "numeric": lambda m: m.numeric_data.__setitem__(1, 9),
    "key": lambda m: m.key_qpos.__setitem__((0, 1), 0.75),
}
# MuJoCo writes six digits
DIGITS = {"rtol": 2e-5, "atol": 1e-5}
SKIP = ("names", "paths", "name_", "names_map", "narena", "nnames")


def saved(engine, tmp_path, edits):
    """The XML that an engine saves after some edits, read by MuJoCo."""
    m = engine.MjModel.from_xml_string(XML)
    for edit in edits:
        edit(m)
    path = tmp_path / f"{engine.__name__}.xml"
    engine.mj_saveLastXML(str(path), m)
    return mujoco.MjModel.from_xml_path(str(path))


@pytest.mark.parametrize("name", [*EDITS, "everything"])
def test_edits_are_saved_as_mujoco_saves_them(name, tmp_path):
    edits = EDITS.values() if name == "everything" else [EDITS[name]]
    theirs, ours = saved(mujoco, tmp_path, edits), saved(sinew, tmp_path, edits)
    for field in mujoco.MjModel._all_fields:
        a = getattr(theirs, field)
        if not isinstance(a, np.ndarray) or field.startswith(SKIP):
            continue
        np.testing.assert_allclose(getattr(ours, field), a, **DIGITS, err_msg=field)
    for part in (lambda m: m.opt, lambda m: m.stat, lambda m: m.vis.rgba, lambda m: m.vis.global_):
        a, b = part(theirs), part(ours)
        for field in (n for n in dir(a) if not n.startswith("_")):
            np.testing.assert_allclose(getattr(b, field), getattr(a, field), **DIGITS, err_msg=field)


@pytest.mark.parametrize("name", [*EDITS, "everything"])
def test_the_text_is_mujocos(name, tmp_path):
    edits = EDITS.values() if name == "everything" else [EDITS[name]]
    saved(mujoco, tmp_path, edits), saved(sinew, tmp_path, edits)
    assert (tmp_path / "sinew.xml").read_text() == (tmp_path / "mujoco.xml").read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_files_are_saved_in_mujocos_words(path, tmp_path):
    texts = []
    for engine in (mujoco, sinew):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            m = engine.MjModel.from_xml_path(str(path))
            engine.mj_saveLastXML(str(tmp_path / "a.xml"), m)
        texts.append(spec_compare.text((tmp_path / "a.xml").read_text()))
    assert texts[1] == texts[0]


def test_a_model_made_by_other_rules_is_saved_as_it_was_written(tmp_path):
    m = sinew.MjModel.from_xml_string(XML, pair_dedup=True)
    m.dof_damping[0] = 0.5
    sinew.mj_saveLastXML(str(tmp_path / "a.xml"), m)
    text = (tmp_path / "a.xml").read_text()
    assert 'fromto="0 0 0 0 0 0.5"' in text and "<frame" in text and 'axisangle="0 0 1 45"' in text
    assert sinew.MjModel.from_xml_string(text).dof_damping[0] == 0.5
