"""Batches: live arrays over worlds that equal single states bit for bit."""

import gc
import os
import threading
import weakref

import numpy as np
import pytest

import sinew
import sinew.rollout

XML = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="ball" pos="0 0 .3"><freejoint/><geom name="ball" size=".1"/></body>
    <body pos="1 0 1"><joint name="hinge" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body>
  </worldbody>
  <actuator><motor joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos name="place" objtype="body" objname="ball"/></sensor>
  <keyframe><key qpos="0 0 2 1 0 0 0 .5" time="7"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model():
    return sinew.MjModel.from_xml_string(XML)


def disturb(batch):
    batch.qvel = np.random.default_rng(1).normal(size=batch.qvel.shape)
    batch.ctrl = np.linspace(-1, 1, batch.n)[:, None]


def singles(model, batch):
    """Single states with the positions, velocities and controls of a batch."""
    out = []
    for i in range(batch.n):
        d = sinew.MjData(model)
        d.qpos, d.qvel, d.ctrl = batch.qpos[i], batch.qvel[i], batch.ctrl[i]
        out.append(d)
    return out


@pytest.mark.parametrize("nthread,chunk", [(1, 0), (2, 1), (3, 2), (8, 4)])
def test_worlds_have_the_bits_of_single_states(model, nthread, chunk):
    batch = sinew.Batch(model, 9, nthread=nthread, chunk_size=chunk)
    disturb(batch)
    datas = singles(model, batch)
    fields = ["time", "qpos", "qvel", "sensordata", "xpos", "qfrc_constraint", "cvel", "energy"]
    arrays = {name: batch.bind(name) for name in fields}
    for _ in range(1000 if nthread == 2 else 50):
        batch.step()
        for d in datas:
            sinew.mj_step(model, d)
    for name, array in arrays.items():
        assert np.array_equal(array, [getattr(d, name) for d in datas]), name
    assert np.array_equal(batch.ncon, [d.ncon for d in datas]) and batch.ncon.any()


def test_arrays_are_live_and_the_same_object(model):
    batch = sinew.Batch(model, 4)
    qpos = batch.bind("qpos")
    assert qpos is batch.qpos and qpos.shape == (4, model.nq) and qpos.flags.c_contiguous
    assert qpos.flags.writeable and not qpos.flags.owndata
    before = qpos.ctypes.data
    qpos[2, 2] = 5.0
    batch.step(3)
    assert 4.9 < qpos[2, 2] < 5.0 and qpos.ctypes.data == before
    batch.ctrl = 0.5
    assert (batch.ctrl == 0.5).all()
    assert batch.time.shape == (4,) and np.allclose(batch.time, 3 * model.opt.timestep)
    with pytest.raises(AttributeError):
        batch.qposs = 1
    with pytest.raises(AttributeError):
        batch.nothing  # noqa: B018


def test_arrays_outlive_their_batch(model):
    batch = sinew.Batch(model, 100)
    qpos, gone = batch.qpos, weakref.ref(batch)
    copy = qpos.copy()
    del batch
    gc.collect()
    assert gone() is None
    junk = [np.ones(1000) for _ in range(1000)]
    assert np.array_equal(qpos, copy) and len(junk) == 1000


def test_arrays_go_to_other_libraries_by_dlpack(model):
    batch = sinew.Batch(model, 3)
    other = np.from_dlpack(batch.qpos)
    assert np.shares_memory(other, batch.qpos)
    batch.step(5)
    assert np.array_equal(other, batch.qpos)


def test_parameters_are_those_of_models_of_their_own(model):
    batch = sinew.Batch(model, 3)
    friction, gravity = batch.expand("geom_friction"), batch.expand("opt.gravity")
    mass, inertia = batch.expand("body_mass"), batch.expand("body_inertia")
    assert friction.shape == (3, model.ngeom, 3) and gravity.shape == (3, 3)
    factors = np.array([1.0, 0.5, 2.0])
    for array in (friction, gravity, mass, inertia):
        array *= factors.reshape((3,) + (1,) * (array.ndim - 1))
    batch.set_const()
    disturb(batch)
    models = [sinew.MjModel.from_xml_string(XML) for _ in range(3)]
    datas = []
    for i, (m, f) in enumerate(zip(models, factors)):
        m.geom_friction *= f
        m.opt.gravity *= f
        m.body_mass *= f
        m.body_inertia *= f
        sinew.mj_setConst(m, sinew.MjData(m))
        d = sinew.MjData(m)
        d.qvel, d.ctrl = batch.qvel[i], batch.ctrl[i]
        datas.append(d)
        sinew.mj_step(m, d, 200)
    batch.step(200)
    assert np.array_equal(batch.qpos, [d.qpos for d in datas])
    assert np.array_equal(batch.world_model(2).body_mass, models[2].body_mass)
    assert np.array_equal(batch.expand("body_invweight0")[1], models[1].body_invweight0)


def test_changes_of_the_model_come_with_set_model(model):
    batch = sinew.Batch(model, 2)
    model.opt.gravity[:] = 0
    batch.step()
    assert (batch.qvel[:, 2] < 0).all()
    batch.reset()
    batch.set_model(model)
    batch.step()
    assert (batch.qvel == 0).all()


def test_lists_of_models(model):
    heavy = sinew.MjModel.from_xml_string(XML.replace('size=".03"', 'size=".06"'))
    batch = sinew.Batch([model, heavy, model])
    batch.step(50)
    assert np.array_equal(batch.qpos[0], batch.qpos[2])
    for i, m in enumerate((model, heavy)):
        d = sinew.MjData(m)
        sinew.mj_step(m, d, 50)
        assert np.array_equal(batch.qpos[i], d.qpos)
    with pytest.raises(ValueError, match="shape"):
        sinew.Batch([model, sinew.MjModel.from_xml_string("<mujoco/>")])
    with pytest.raises(ValueError, match="2 models"):
        sinew.Batch([model, model], 3)


def test_masks_and_keyframes(model):
    batch = sinew.Batch(model, 5)
    batch.step(10)
    mask = np.array([1, 0, 0, 1, 0], bool)
    batch.reset(mask, keyframe=0)
    assert (batch.time[mask] == 7).all() and (batch.time[~mask] < 1).all()
    assert (batch.qpos[mask, 2] == 2).all()
    batch.step(1, [False, True, False, False, False])
    assert batch.time[1] > batch.time[2]
    batch.reset(mask)
    assert (batch.time[mask] == 0).all() and np.array_equal(batch.qpos[0], model.qpos0)
    with pytest.raises(ValueError, match="mask"):
        batch.step(1, [True])
    with pytest.raises(ValueError, match="key"):
        batch.reset(keyframe=1)


def test_states_in_and_out(model):
    batch = sinew.Batch(model, 4)
    disturb(batch)
    batch.step(20)
    full = sinew.mjtState.mjSTATE_INTEGRATION
    state = batch.state(full)
    assert state.shape == (4, sinew.mj_stateSize(model, full))
    other = sinew.Batch(model, 4, nthread=1)
    other.set_state(state, full)
    for b in (batch, other):
        b.step(20)
    assert np.array_equal(batch.qpos, other.qpos)
    other.set_state(state[1], full, mask=[True, False, False, False])
    assert np.array_equal(other.state(full)[0], state[1])


def test_forward_sensors_and_data_of_one_world(model):
    batch = sinew.Batch(model, 3)
    batch.qpos[1, -1] = 0.25
    batch.forward()
    assert batch.sensor("angle").shape == (3, 1) and batch.sensor("angle")[1, 0] == 0.25
    assert np.array_equal(batch.sensor("place"), batch.qpos[:, :3])
    with pytest.raises(KeyError, match="speed"):
        batch.sensor("speed")
    batch.step(300)
    d = batch.data(-1)
    assert np.array_equal(d.qpos, batch.qpos[2]) and d.ncon == len(d.contact) == 1
    with pytest.raises(IndexError):
        batch.data(3)


def test_forces_between_bodies(model):
    batch = sinew.Batch(model, 2)
    batch.bind("cfrc_ext")
    batch.step(400, forces=True)
    d = sinew.MjData(model)
    sinew.mj_step(model, d, 400)
    sinew.mj_rnePostConstraint(model, d)
    assert np.array_equal(batch.cfrc_ext[1], d.cfrc_ext) and d.cfrc_ext.any()


def test_a_world_that_diverges_is_flagged(model):
    batch, good = sinew.Batch(model, 4), sinew.Batch(model, 4)
    batch.qpos[1, 0] = np.nan
    batch.step()
    good.step()
    assert batch.diverged.tolist() == [False, True, False, False]
    assert batch.warning[1, sinew.mjtWarning.mjWARN_BADQPOS] == 1
    batch.step(50)
    good.step(50)
    others = [0, 2, 3]
    assert not batch.diverged.any() and np.array_equal(batch.qpos[others], good.qpos[others])


def test_errors_name_what_is_wrong(model):
    batch = sinew.Batch(model, 2)
    with pytest.raises(KeyError, match="qposs"):
        batch.bind("qposs")
    with pytest.raises(ValueError, match="contact"):
        batch.bind("contact")
    with pytest.raises(KeyError, match="geom_frictions"):
        batch.expand("geom_frictions")
    with pytest.raises(ValueError, match="at least one world"):
        sinew.Batch(model, 0)
    with pytest.raises(TypeError, match="number of worlds"):
        sinew.Batch(model)
    batch.expand("geom_bodyid")[1, 0] = 10**6
    with pytest.raises(ValueError, match="world 1.*geom_bodyid"):
        batch.step()


def test_callbacks_are_not_ignored(model):
    batch = sinew.Batch(model, 2)
    sinew.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(RuntimeError, match="mjcb_control"):
            batch.step()
    finally:
        sinew.set_mjcb_control(None)
    batch.step()


def test_the_interpreter_is_free_during_steps(model):
    batch = sinew.Batch(model, 2000, nthread=1)
    thread = threading.Thread(target=batch.step, args=(20,))
    thread.start()
    count = 0
    while thread.is_alive():
        count += 1
    assert count > 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_process_has_threads_of_its_own(model):
    batch = sinew.Batch(model, 20, nthread=3)
    pool = sinew.rollout.Rollout(nthread=2)
    datas = [sinew.MjData(model) for _ in range(2)]
    start = np.zeros((4, sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_FULLPHYSICS)))
    start[:, 1 : 1 + model.nq] = model.qpos0
    batch.step()
    pool.rollout(model, datas, start, nstep=3)
    twin = sinew.Batch(model, 20, nthread=1)
    twin.step(6)
    pid = os.fork()
    if pid == 0:
        ok = False
        try:
            batch.step(5)
            state, _ = pool.rollout(model, datas, start, nstep=3)
            ok = np.array_equal(batch.qpos, twin.qpos) and np.isfinite(state).all()
        finally:
            os._exit(0 if ok else 1)
    assert os.waitpid(pid, 0)[1] == 0
    batch.step(5)
    assert np.array_equal(batch.qpos, twin.qpos)


def test_ten_thousand_worlds_take_little_memory(model):
    batch = sinew.Batch(model, 10_000)
    floats = model.nq + 3 * model.nv + model.nu + 6 * model.nbody + model.nsensordata + 1
    assert batch.nbytes_per_world <= 8 * floats + 4 * 8 + 8
    batch.step()
    assert np.unique(batch.qpos, axis=0).shape[0] == 1
