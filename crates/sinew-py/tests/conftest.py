"""Models in both engines: compiled by MuJoCo and passed on as MJB files."""

import pathlib

import mujoco
import pytest

import sinew

MODELS = pathlib.Path(__file__).parents[3] / "models"

# one element of every named type
ZOO = """
<mujoco model="zoo">
  <option timestep="0.001" integrator="implicitfast"><flag energy="enable"/></option>
  <size nuser_body="2" nuser_jnt="1"/>
  <asset>
    <texture name="tex" type="2d" builtin="checker" width="8" height="4" rgb1="1 0 0"/>
    <material name="mat" texture="tex" rgba=".1 .2 .3 1"/>
    <mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="2" ncol="3" size="1 1 1 .1" elevation="0 1 2 3 4 5"/>
  </asset>
  <worldbody>
    <light name="sun" pos="0 0 3"/>
    <camera name="eye" pos="0 -2 1"/>
    <geom name="floor" type="plane" size="5 5 .1" contype="0" conaffinity="0"/>
    <body name="mocap" mocap="true" pos="1 1 1"/>
    <body name="base" pos="0 0 1" user="3 4">
      <freejoint name="root"/>
      <geom name="torso" type="box" size=".2 .1 .1" material="mat"/>
      <site name="tip" pos=".2 0 0"/>
      <body name="arm" pos=".2 0 0">
        <joint name="shoulder" type="ball" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" contype="0" conaffinity="0"/>
        <body name="hand" pos=".3 0 0">
          <joint name="wrist" axis="0 1 0" range="-1 1" stiffness="2" user="7"/>
          <geom name="fist" type="sphere" size=".06" contype="0" conaffinity="0"/>
          <site name="grip"/>
        </body>
      </body>
    </body>
    <body name="stone" pos="2 0 1">
      <joint name="slide" type="slide" axis="0 0 1"/>
      <geom type="mesh" mesh="tet" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact>
    <pair name="touch" geom1="floor" geom2="torso"/>
    <exclude name="apart" body1="base" body2="hand"/>
  </contact>
  <equality><joint name="couple" joint1="wrist" joint2="slide" active="false"/></equality>
  <tendon><spatial name="string"><site site="tip"/><site site="grip"/></spatial></tendon>
  <actuator>
    <motor name="turn" joint="wrist" ctrlrange="-1 1" ctrllimited="true"/>
    <general name="pull" tendon="string" dyntype="filter" dynprm=".1"/>
    <motor name="push" joint="root" gear="1 2 3 4 5 6"/>
  </actuator>
  <sensor><jointpos name="angle" joint="wrist"/><framepos name="where" objtype="site" objname="grip"/></sensor>
  <custom>
    <numeric name="num" data="1 2 3"/><text name="txt" data="hello"/>
    <tuple name="pick"><element objtype="body" objname="arm" prm="2"/></tuple>
  </custom>
  <keyframe><key name="home" time="3" ctrl=".1 .2 .3"/><key name="away" qvel="1 2 3 4 5 6 7 8 9 10 11"/></keyframe>
</mujoco>
"""

PAIR_FREE = "no contacts, limits or equality constraints act"


class Pair:
    """One model in both engines."""

    def __init__(self, reference, tmp_path):
        path = str(tmp_path / "model.mjb")
        mujoco.mj_saveModel(reference, path)
        self.m, self.ref_m = sinew.MjModel.from_binary_path(path), reference
        self.d, self.ref_d = sinew.MjData(self.m), mujoco.MjData(reference)


def corpus():
    """The repository's models; empty if only the wheel is available."""
    files = sorted(MODELS.glob("*.xml")) + sorted((MODELS / "features").glob("*.xml"))
    return [f for f in files if "mujocoinclude" not in f.read_text()]


@pytest.fixture
def zoo(tmp_path):
    return Pair(mujoco.MjModel.from_xml_string(ZOO), tmp_path)


@pytest.fixture(params=["zoo", *corpus()], ids=lambda p: getattr(p, "stem", p))
def pair(request, tmp_path):
    if request.param == "zoo":
        return Pair(mujoco.MjModel.from_xml_string(ZOO), tmp_path)
    return Pair(mujoco.MjModel.from_xml_path(str(request.param)), tmp_path)
