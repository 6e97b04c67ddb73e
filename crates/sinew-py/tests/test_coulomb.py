"""The exact friction mode from Python."""

import copy
import math
import pickle

import numpy as np
import pytest

import sinew as mujoco

XML = """<mujoco><option coulomb="exact" gravity="{} 0 {}"/><worldbody>
  <geom type="plane" size="5 5 1" friction=".5"/>
  <body pos="0 0 .099999"><freejoint/>
    <geom type="box" size=".2 .15 .1" friction=".5" restitution=".3"/></body></worldbody></mujoco>"""


@pytest.fixture
def slope():
    xml = XML.format(9.81 * math.sin(0.4), -9.81 * math.cos(0.4))
    with pytest.warns(UserWarning):
        m = mujoco.MjModel.from_xml_string(xml)
    return m, mujoco.MjData(m)


def test_a_box_on_a_slope_holds(slope):
    m, d = slope
    mujoco.mj_step(m, d, nstep=500)
    assert abs(d.qpos[0]) < 1e-10
    assert d.coulomb["converged"] and d.coulomb["status"] == "converged"
    assert [c["state"] for c in d.coulomb["contacts"]] == ["stick"] * 4


def test_settings_are_read_and_written(slope):
    m, d = slope
    assert m.coulomb["law"] == "exact" and m.coulomb["geom_restitution"] == [0, 0.3]
    m.coulomb = {"law": "convex", "slop": 1e-3}
    assert m.coulomb["law"] == "convex" and m.coulomb["slop"] == 1e-3
    for other in (copy.copy(m), pickle.loads(pickle.dumps(m))):
        assert other.coulomb == m.coulomb
    with pytest.raises(KeyError):
        m.coulomb = {"laws": "exact"}
    with pytest.raises(ValueError):
        m.coulomb = {"law": "soft"}


def test_without_the_mode_the_box_creeps(slope):
    m, d = slope
    m.coulomb = {"enabled": False}
    mujoco.mj_step(m, d, nstep=500)
    assert d.qpos[0] > 1e-5
    assert d.coulomb["status"] == "idle"


def test_geoms_have_reference_parameters_of_friction(slope):
    m, d = slope
    assert m.geom_solreffriction.tolist() == [[0, 0], [0, 0]]
    m.geom_solreffriction = [[0.05, 1], [0, 0]]
    assert m.geom_solreffriction.tolist() == [[0.05, 1], [0, 0]]
    m.coulomb = {"enabled": False}
    mujoco.mj_forward(m, d)
    assert d.contact.solreffriction[0].tolist() == [0.05, 1]
    with pytest.raises(ValueError):
        m.geom_solreffriction = [[0.05, 1]]


HEAP = """<mujoco><option coulomb="exact"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .2" euler="10 20 30"><freejoint/><geom type="box" size=".1 .08 .06"/></body>
  <body pos=".02 .03 .5" euler="50 10 0"><freejoint/><geom type="box" size=".1 .08 .06"/></body>
  <body pos="-.03 0 .8" euler="0 80 20"><freejoint/><geom type="capsule" size=".05 .1"/></body>
  </worldbody></mujoco>"""


@pytest.fixture
def heap():
    with pytest.warns(UserWarning):
        m = mujoco.MjModel.from_xml_string(HEAP)
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, nstep=200)
    return m, d


def future(m, d):
    mujoco.mj_step(m, d, nstep=200)
    return d.qpos.copy()


def test_a_restored_state_has_the_same_future_every_time(heap):
    m, d = heap
    sig = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(m, sig))
    mujoco.mj_getState(m, d, state, sig)
    ends = []
    for other in (d, d, mujoco.MjData(m)):
        mujoco.mj_setState(m, other, state, sig)
        ends.append(future(m, other))
    assert all((end == ends[0]).all() for end in ends)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))]
)
def test_copies_and_pickles_go_on_as_the_original(heap, duplicate):
    m, d = heap
    other = duplicate(d)
    assert other.coulomb == d.coulomb
    assert (future(m, other) == future(m, d)).all()
