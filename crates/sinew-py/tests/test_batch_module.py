"""`sinew.batch`, the module of MuJoCo 3.17, against a loop over single simulations."""

import numpy as np
import pytest

import sinew
from sinew import batch

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body name="cart" pos="0 0 .1"><joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size=".1 .1 .05" mass="1"/>
      <body name="pole" pos="0 0 .05"><joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02" mass=".1"/><site name="tip" pos="0 0 .5"/>
      </body></body>
    <body name="mark" mocap="true"/>
  </worldbody>
  <actuator><motor joint="slide" gear="5"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><accelerometer site="tip"/></sensor>
  <keyframe><key qpos=".3 .5" ctrl=".1"/><key qpos="-.3 -.5"/></keyframe>
</mujoco>
"""
N = 5


@pytest.fixture
def model():
    return sinew.MjModel.from_xml_string(XML)


def single(model, qpos, ctrl=0, steps=1):
    d = sinew.MjData(model)
    d.qpos, d.ctrl = qpos, ctrl
    for _ in range(steps):
        sinew.mj_step(model, d)
    return d


@pytest.mark.parametrize("persistent", [False, True])
def test_steps_are_those_of_single_simulations(model, persistent):
    b = batch.Batch(model, N, 2, persistent)
    xpos, data = b.bind("xpos"), b.sensor("angle").data
    b.ctrl = 0.3
    b.joint("hinge").qpos[:, 0] = start = np.linspace(-1, 1, N)
    b.step([1, 3], nstep=4)
    for i in range(N):
        d = single(model, [0, start[i]], 0.3, 4)
        ran = i in (1, 3)
        assert np.array_equal(b.qpos[i], d.qpos if ran else [0, start[i]])
        assert np.array_equal(xpos[i], d.xpos if ran else np.zeros_like(d.xpos))
        assert np.array_equal(data[i], d.sensor("angle").data if ran else [0])
    with pytest.raises(ValueError):
        xpos[0] = 1
    with pytest.raises(ValueError, match="computed by every call"):
        b.xpos = 0


def test_resets_and_records(model):
    b = batch.Batch(model, N)
    b.step(nstep=3)
    b.reset(keyframe=np.array([0, -1, 1, -1, 0]))
    assert b.qpos[:, 0].tolist() == [0.3, 0, -0.3, 0, 0.3]
    control = np.linspace(-1, 1, 3 * 4).reshape(3, 4, 1)
    full = sinew.mjtState.mjSTATE_FULLPHYSICS
    start = b.state[[0, 2, 4]].copy()
    out = b.rollout(4, control, record=(full, "xpos"), ids=[0, 2, 4])
    assert out[full].shape == (3, 4, sinew.mj_stateSize(model, full))
    for i in range(3):
        d = sinew.MjData(model)
        sinew.mj_setState(model, d, start[i], sinew.mjtState.mjSTATE_INTEGRATION)
        for k in range(4):
            d.ctrl = control[i, k]
            sinew.mj_step(model, d)
            wanted = np.zeros(out[full].shape[2])
            sinew.mj_getState(model, d, wanted, full)
            assert np.array_equal(out[full][i, k], wanted) and np.array_equal(
                out["xpos"][i, k], d.xpos
            )


def test_parameters_of_simulations(model):
    b = batch.Batch(model, N)
    pole = b.body("pole")
    assert pole.mass.tolist() == [[0.1]] * N and b.expanded("body_mass") is None
    pole.mass = masses = np.linspace(0.1, 1, N)[:, None]
    b.set_const()
    assert np.array_equal(b.expanded("body_subtreemass")[:, pole.id], masses[:, 0])
    b.qpos[:, 1] = 0.2
    b.step(nstep=3)
    for i in (0, 4):
        m = b.get_model(i)
        assert m.body_mass[pole.id] == masses[i, 0]
        assert np.array_equal(single(m, [0, 0.2], 0, 3).qpos, b.qpos[i])
        assert np.array_equal(b.get_data(i).qvel, b.qvel[i])
    with pytest.raises(ValueError, match="structural"):
        b.joint("hinge").qposadr = 0


def test_constants_of_other_simulations_stay():
    m = sinew.MjModel.from_xml_string("""<mujoco><worldbody>
      <flexcomp name="cloth" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" mass="1"/>
    </worldbody></mujoco>""")
    b = batch.Batch(m, 2)
    derived = set(batch._CONSTANTS)
    assert {"body_subtreemass", "dof_invweight0", "flexedge_rigid"} <= derived
    assert not derived & {"body_mass", "qpos0", "geom_size"}
    for name in sorted(derived & batch.MODEL_FIELDS):
        b.expand(name)[...] = 1
    b.set_const([0])
    for name in sorted(derived & batch.MODEL_FIELDS):
        assert (b.expanded(name)[1] == 1).all(), name
    assert np.array_equal(b.expanded("body_subtreemass")[0], m.body_subtreemass)


def test_statistics_of_other_simulations_stay(model):
    b = batch.Batch(model, 2)
    b.expand("body_mass")[...] *= 2
    b.set_const([0])
    assert b.get_model(0).stat.meaninertia > 1.9 * model.stat.meaninertia
    assert b.get_model(1).stat.meaninertia == model.stat.meaninertia


def test_models_of_simulations(model):
    other = sinew.MjModel.from_xml_string(XML.replace('mass=".1"', 'mass=".7"'))
    b = batch.Batch(model, 2)
    b.set_models([model, other])
    b.qpos[:, 1] = 0.2
    b.step(nstep=3)
    for i, m in enumerate((model, other)):
        assert np.array_equal(single(m, [0, 0.2], 0, 3).qpos, b.qpos[i])
    assert b.body("pole").mass[:, 0].tolist() == [0.1, 0.7]
    with pytest.raises(sinew.FatalError, match="caller"):
        b.expand("body_mass")


def test_jacobians_and_rays(model):
    b = batch.Batch(model, N)
    b.qpos[:, 1] = np.linspace(-1, 1, N)
    jacp, jacr = b.jac(model.body("pole").id, np.zeros(3))
    dist, geoms, normals = b.ray([0, -1, 0.1], [[0, 1, 0], [0, -1, 0]], normal=True)
    assert dist.shape == geoms.shape == (N, 2) and normals.shape == (N, 2, 3)
    for i in range(N):
        d = sinew.MjData(model)
        d.qpos = b.qpos[i]
        sinew.mj_kinematics(model, d)
        sinew.mj_comPos(model, d)
        wanted = np.zeros((3, model.nv))
        sinew.mj_jac(model, d, wanted, None, np.zeros(3), model.body("pole").id)
        assert np.array_equal(jacp[i], wanted)
        hit, far = np.zeros(1, np.int32), np.array([0, -1, 0.1])
        assert dist[i, 0] == sinew.mj_ray(model, d, far, np.array([0.0, 1, 0]), None, 1, -1, hit)
        assert geoms[i].tolist() == [hit[0], -1] and dist[i, 1] == -1


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda b: b.step([0, N]), r"in \[0, 5\), got 5"),
        (lambda b: b.step([2, 1]), "got 2 before 1"),
        (lambda b: b.step([0.5]), "integers"),
        (lambda b: b.bind("body_mass"), "use expand"),
        (lambda b: b.bind("qpso"), "did you mean 'qpos'"),
        (lambda b: b.bind("efc_force"), "arena"),
        (lambda b: b.expand("xpos"), "use bind"),
        (lambda b: b.expand("mesh_vert"), "asset data"),
        (lambda b: b.reset(keyframe=2), "keyframe"),
        (lambda b: b.jac(9, np.zeros(3)), "body"),
        (lambda b: b.rollout(2, out={"qpos": np.zeros((N, 1, 2))}), "shape"),
    ],
)
def test_wrong_arguments(model, call, text):
    with pytest.raises(ValueError, match=text):
        call(batch.Batch(model, N))


def test_errors_name_simulations(model):
    b = batch.Batch(model, N)
    b.expand("jnt_type")[2] = 99
    before = b.state.copy()
    with pytest.raises(batch.SimulationError, match="1 of 5 simulations failed .2.") as error:
        b.step()
    assert error.value.ids.tolist() == [2] and b.status.tolist() == [0, 0, 1, 0, 0]
    assert b.error(2) and not b.error(0) and np.array_equal(b.state, before)
    sinew.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match="mjcb_control"):
            b.step()
    finally:
        sinew.set_mjcb_control(None)


def test_warnings_end_a_rollout(model):
    b = batch.Batch(model, N)
    b.qvel[3, 0] = np.inf
    time = b.rollout(3, record=(sinew.mjtState.mjSTATE_TIME,))[sinew.mjtState.mjSTATE_TIME][..., 0]
    assert b.warning[:, sinew.mjtWarning.mjWARN_BADQVEL, 1].tolist() == [0, 0, 0, 1, 0]
    assert len(set(time[3])) == 1 and len(set(time[0])) == 3
