"""Actuators between two sites: moments are derivatives of lengths, and lengths equal MuJoCo's."""

import mujoco
import numpy as np
import pytest

import sinew

# sites with orientations; references that are fixed, slide, and rotate
ARM = """
<mujoco>
  <worldbody>
    <site name="w" pos=".1 .2 .3" euler="20 -40 70"/>
    <site name="y" pos="0 0 .2" euler="0 35 0"/>
    <body name="sled" pos="0 .4 0"><joint name="s" type="slide" axis="1 .5 0"/><geom size=".1"/>
      <site name="sled" pos=".1 0 0" euler="-50 10 30"/>
    </body>
    <body name="br" pos="-.3 0 .1" euler="10 20 30">
      <joint name="r" axis=".3 1 -.2"/><geom size=".1"/>
      <site name="br" pos="0 .1 0" euler="15 -25 65"/>
    </body>
    <body name="upper"><joint name="a" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/>
      <body name="lower" pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".05" pos=".2 0 0"/>
        <site name="tip" pos=".3 .1 0"/>
        <body name="wrist" pos=".3 0 0" euler="0 30 0"><joint name="c" type="ball"/><geom size=".03"/>
          <site name="hand" pos=".05 .02 .01" euler="25 -35 45"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>{}</actuator>
</mujoco>
"""
GEARS = ["1 0 0 0 0 0", ".3 -.2 .9 0 0 0", "0 0 0 .3 .1 -.7", ".1 .2 .3 .4 .5 .6"]


def make(site, refsite, gears):
    actuators = [f'<general site="{site}" refsite="{refsite}" gear="{g}"/>' for g in gears]
    return ARM.format("".join(actuators))


def states(m, count=6):
    rng = np.random.default_rng(3)
    for _ in range(count):
        qpos = m.qpos0.copy()
        sinew.mj_integratePos(m, qpos, rng.normal(size=m.nv), 1)
        yield qpos


def moment(m, d):
    dense = np.zeros((m.nu, m.nv))
    for u in range(m.nu):
        row = slice(d.moment_rowadr[u], d.moment_rowadr[u] + d.moment_rownnz[u])
        dense[u, d.moment_colind[row]] = d.actuator_moment[row]
    return dense


def assert_differences_agree(m, dofs):
    d = sinew.MjData(m)
    for qpos in states(m):
        d.qpos = qpos
        sinew.mj_forward(m, d)
        found = moment(m, d)
        for v in dofs:
            lengths = []
            for eps in (1e-6, -1e-6):
                d.qpos = qpos
                sinew.mj_integratePos(m, d.qpos, np.eye(m.nv)[v], eps)
                sinew.mj_forward(m, d)
                lengths.append(d.actuator_length.copy())
            np.testing.assert_allclose(found[:, v], (lengths[0] - lengths[1]) / 2e-6, atol=1e-8)


@pytest.mark.parametrize("refsite", ["w", "sled"])
@pytest.mark.parametrize("site", ["tip", "hand", "br"])
def test_translations_have_mujocos_lengths_and_moments(site, refsite):
    # the moment is the full derivative only if the reference does not rotate
    m = sinew.MjModel.from_xml_string(make(site, refsite, GEARS[:2]))
    assert_differences_agree(m, range(m.nv))


def test_rotations_about_one_axis_have_mujocos_lengths_and_moments():
    # all turns are about y: then angles add, and the rotation vector has the moment as derivative
    m = sinew.MjModel.from_xml_string(make("tip", "y", ["0 0 0 0 1 0", "0 0 0 .5 -2 .5"]))
    hinges = [m.joint(name).dofadr[0] for name in "ab"]
    assert_differences_agree(m, hinges)


@pytest.mark.parametrize("refsite", ["w", "y", "sled", "br", "tip"])
@pytest.mark.parametrize("site", ["tip", "hand", "br", "w"])
def test_lengths_are_mujocos(site, refsite):
    # its rotation is site_quat * xquat, in this order, for any orientation of the sites
    if site == refsite:
        pytest.skip("a site is no reference of itself")
    xml = make(site, refsite, GEARS)
    m, ref = sinew.MjModel.from_xml_string(xml), mujoco.MjModel.from_xml_string(xml)
    d, ref_d = sinew.MjData(m), mujoco.MjData(ref)
    for qpos in states(m):
        d.qpos, ref_d.qpos = qpos, qpos
        sinew.mj_forward(m, d)
        mujoco.mj_forward(ref, ref_d)
        np.testing.assert_allclose(d.actuator_length, ref_d.actuator_length, rtol=0, atol=1e-14)
        np.testing.assert_allclose(moment(m, d), moment(ref, ref_d), rtol=0, atol=1e-14)
