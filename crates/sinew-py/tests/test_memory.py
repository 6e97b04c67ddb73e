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
    m = sinew.MjModel.from_xml_string(PILE.format(""))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    for get in (lambda: d.efc_J, lambda: d.efc_pos, lambda: d.contact, lambda: d.contact[0],
                lambda: d.solver, lambda: d.body(1), lambda: m.opt.gravity, lambda: d.body(1).xpos):  # fmt: skip
        assert get() is get()
    assert d.efc_J.flags.writeable and d.efc_pos.flags.writeable


PILE = """
<mujoco>
  <option cone="elliptic" {}/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .09"><freejoint/><geom size=".1 .1 .1" type="box"/></body>
    <body pos="0 0 .35"><freejoint/><geom size=".1 .1 .1" type="box"/></body>
  </worldbody>
</mujoco>
"""


def test_contacts_are_live():
    m = sinew.MjModel.from_xml_string(PILE.format(""))
    d = sinew.MjData(m)
    contact, counts = d.contact, []
    assert len(contact) == 0
    for _ in range(400):
        sinew.mj_step(m, d)
        counts.append(len(contact))
        assert len(contact) == d.ncon == len(contact.dist)
    assert counts[0] == 4 and counts[-1] == 8
    first = contact[0]
    first.dist = 7
    assert contact.dist[0] == 7 and d.contact[0].dist == 7
    contact.friction[:] = 0.5
    assert (first.friction == 0.5).all()
    first.friction[0] = 2
    assert contact.friction[0, 0] == 2
    assert [c.dim for c in contact] == [3] * 8
    with pytest.raises(IndexError):
        contact[8]


def test_old_memory_of_lists_stays_readable():
    m = sinew.MjModel.from_xml_string(PILE.format(""))
    d = sinew.MjData(m)
    kept = []
    for _ in range(300):
        sinew.mj_step(m, d)
        kept.append((d.efc_pos, d.efc_force, d.contact.dist, d.contact[0] if d.ncon else None))
    junk = [np.random.rand(1000) for _ in range(100)]
    assert all(np.isfinite(a).all() and np.isfinite(b).all() for a, b, *_ in kept)
    assert len(junk) == 100


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_writing_rows_is_seen_by_the_engine(jacobian):
    m = sinew.MjModel.from_xml_string(PILE.format(f'jacobian="{jacobian}"'))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    vec, out = np.arange(m.nv) + 1.0, np.zeros(d.nefc)
    sinew.mj_mulJacVec(m, d, out, vec)
    d.efc_J[:] *= 2
    double = np.zeros(d.nefc)
    sinew.mj_mulJacVec(m, d, double, vec)
    np.testing.assert_allclose(double, 2 * out)
    kept = d.efc_J
    kept[:] = 0
    sinew.mj_mulJacVec(m, d, double, vec)
    assert not double.any()
    sinew.mj_forward(m, d)
    assert kept.any() and np.array_equal(kept, d.efc_J)
    d.efc_force[:] = 3
    assert (d.efc_force == 3).all()


def test_counts_are_those_of_rows(zoo):
    sinew.mj_forward(zoo.m, zoo.d)
    for name in ("nefc", "ncon", "nJ", "nisland"):
        with pytest.raises(ValueError, match=f"{name} = 1000000, wanted 0 to"):
            setattr(zoo.d, name, 10**6)
    zoo.d.ncon = 0
    assert len(zoo.d.contact) == 0


def test_views_survive_every_function(zoo):
    m, d = zoo.m, zoo.d
    names = [f.name for f in sinew._sinew.DATA_FIELDS if f.rows and f.fixed]
    before = {n: getattr(d, n) for n in names}
    for integrator in range(sinew.mjtIntegrator.mjINT_IMPLICITFAST + 1):
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
    parents = zoo.m.body_parentid
    good = parents.copy()
    parents[1] = 10**6
    for call in (sinew.mj_forward, sinew.mj_step, sinew.mj_resetData):
        with pytest.raises(ValueError, match=r"body_parentid\[1\].*1000000"):
            call(zoo.m, zoo.d)
    with pytest.raises(ValueError, match="body_parentid"):
        sinew.MjData(zoo.m)
    parents[:] = good
    sinew.mj_forward(zoo.m, zoo.d)


@pytest.mark.parametrize("field", ["solver", "integrator"])
def test_kinds_that_do_not_exist(zoo, field):
    setattr(zoo.m.opt, field, 10)
    with pytest.raises(sinew.FatalError, match=field):
        sinew.mj_step(zoo.m, zoo.d)


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
