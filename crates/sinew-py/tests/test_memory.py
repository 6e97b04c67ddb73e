"""Views and their owners, copies, pickles, threads."""

import copy
import gc
import pickle
import threading
import time
import weakref

import numpy as np
import pytest

import sinew


def test_views_outlive_their_owners(zoo):
    m, d = zoo.m, zoo.d
    sinew.mj_forward(m, d)
    views = [d.qpos, d.xpos, m.body_mass, m.opt.gravity, m.vis.rgba.fog, d.body("arm").xpos,
             m.body("arm").pos, d.warning.number, d.energy, d.timer[0]]  # fmt: skip
    before = [repr(v) for v in views]
    gone = [weakref.ref(m), weakref.ref(d)]
    del m, d, zoo.m, zoo.d
    gc.collect()
    assert [r() for r in gone] == [None, None]
    junk = [np.random.rand(4, 5) for _ in range(2000)]
    assert [repr(v) for v in views] == before
    views[0][:] = 1
    assert len(junk) == 2000


def test_views_are_made_once(zoo):
    assert zoo.d.qpos is zoo.d.qpos and zoo.m.geom_pos is zoo.m.geom_pos
    assert zoo.d.qpos.flags.writeable and zoo.d.qpos.flags.aligned
    assert not zoo.d.efc_J.flags.writeable


def test_views_survive_every_function(zoo):
    m, d = zoo.m, zoo.d
    names = [f.name for f in sinew._sinew.DATA_FIELDS if f.rows and f.fixed]
    before = {n: getattr(d, n) for n in names}
    for integrator in sinew.mjtIntegrator.__members__.values():
        m.opt.integrator = integrator
        sinew.mj_step(m, d, 3)
    sinew.mj_resetDataKeyframe(m, d, 0)
    sinew.mj_resetData(m, d)
    sinew.mj_setConst(m, d)
    sinew.mj_copyData(d, m, sinew.MjData(m))
    d._set_state(sinew.MjData(m)._state())
    d.qpos[:] = np.arange(m.nq)
    again = copy.copy(d)
    for name in names:
        assert np.array_equal(before[name], getattr(again, name), equal_nan=True), name


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_of_a_model_are_independent(pair, duplicate):
    m = pair.m
    new = duplicate(m)
    assert type(new) is sinew.MjModel and new._binary() == m._binary()
    assert new.names == m.names and new.signature == m.signature
    new.opt.timestep = 7
    new.body_pos[:] = 9
    assert m.opt.timestep != 7 and not (m.body_pos == 9).any()


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_copies_of_data_are_independent(pair, duplicate):
    m, d = pair.m, pair.d
    d.qvel[:] = 0.1
    for _ in range(3):
        sinew.mj_step(m, d)
    new = duplicate(d)
    assert type(new) is sinew.MjData
    assert (new.model is m) == (duplicate is copy.copy)
    for f in sinew._sinew.DATA_FIELDS:
        assert np.array_equal(getattr(new, f.name), getattr(d, f.name), equal_nan=True), f.name
    assert new.contact == d.contact and new.warning == d.warning
    before = d.qpos.copy()
    sinew.mj_step(new.model, new)
    assert np.array_equal(d.qpos, before)
    sinew.mj_step(m, d)
    assert np.array_equal(d.qpos, new.qpos)


def test_broken_pickles_are_refused(zoo):
    state = zoo.d._state()
    for bad in (b"", state[:-1], state[:100], b"\xff" * len(state)):
        with pytest.raises(ValueError):
            zoo.d._set_state(bad)


def test_records_copy_and_pickle(zoo):
    option = zoo.m.opt
    for new in (copy.copy(option), copy.deepcopy(option), pickle.loads(pickle.dumps(option))):
        assert new == option
        new.timestep = 5
        assert option.timestep != 5
    vis = copy.deepcopy(zoo.m.vis)
    assert vis == zoo.m.vis
    vis.map.force = 3
    assert vis != zoo.m.vis


def test_mixing_models_is_refused(zoo, tmp_path):
    other = sinew.MjModel.from_binary_path(_tiny(tmp_path))
    for call in (sinew.mj_step, sinew.mj_forward, sinew.mj_resetData):
        with pytest.raises(TypeError):
            call(other, zoo.d)
    with pytest.raises(TypeError):
        sinew.mj_copyData(sinew.MjData(other), zoo.m, zoo.d)


def _tiny(tmp_path):
    import mujoco

    xml = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string(xml), str(tmp_path / "tiny.mjb"))
    return str(tmp_path / "tiny.mjb")


def test_nonsense_in_the_model_is_an_exception(zoo):
    zoo.m.body_parentid[:] = 10**6
    with pytest.raises(sinew.FatalError):
        sinew.mj_forward(zoo.m, zoo.d)
    sinew.mj_resetData(zoo.m, zoo.d)  # the state can still be used


def test_threads_step_in_parallel(zoo):
    m = zoo.m
    datas = [sinew.MjData(m) for _ in range(8)]

    def roll(d):
        for _ in range(50):
            sinew.mj_step(m, d, nstep=4)

    threads = [threading.Thread(target=roll, args=(d,)) for d in datas]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(np.array_equal(d.qpos, datas[0].qpos) for d in datas)
    assert datas[0].time == pytest.approx(200 * m.opt.timestep)


def test_many_threads_share_one_state(zoo):
    m, d = zoo.m, zoo.d
    threads = [
        threading.Thread(target=lambda: [sinew.mj_step(m, d) for _ in range(50)]) for _ in range(4)
    ]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert d.time == pytest.approx(200 * m.opt.timestep)


def test_the_interpreter_runs_while_stepping(zoo):
    m, d, seen = zoo.m, zoo.d, []
    done = threading.Event()

    def step():
        sinew.mj_step(m, d, nstep=20_000)
        done.set()

    thread = threading.Thread(target=step)
    thread.start()
    while not done.is_set():
        seen.append((d.time, m.nq, len(d.contact), d.efc_J.size))
        time.sleep(0)
    thread.join()
    assert len(seen) > 10 and seen == sorted(seen)
    assert d.time == pytest.approx(20_000 * m.opt.timestep)
