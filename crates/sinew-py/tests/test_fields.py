"""Every attribute of MjModel and MjData: name, shape, type, contents."""

import mujoco
import numpy as np
import pytest
from solved import SOLVED, SOLVERS_DIGITS

import sinew

# MuJoCo's internal memory, and attributes that need its spec
ABSENT = {"bind", "bind_scalar"}
OWN = {"signature", "nbuffer", "narena"}


def public(cls):
    return {n for n in dir(cls) if not n.startswith("_")}


@pytest.mark.parametrize("name", ["MjModel", "MjData", "MjOption", "MjStatistic", "MjContact"])
def test_every_attribute_is_there(name):
    missing = public(getattr(mujoco, name)) - public(getattr(sinew, name))
    assert missing <= ABSENT


def check(name, want, got):
    if isinstance(want, np.ndarray):
        assert (got.shape, got.dtype) == (want.shape, want.dtype), name
        np.testing.assert_array_equal(got, want, err_msg=name)
    elif isinstance(want, (int, float, bytes)) and name not in OWN:
        assert type(got) is type(want) and got == want, name


def test_model_fields_are_mujocos(pair):
    for name in public(mujoco.MjModel) - ABSENT:
        check(name, getattr(pair.ref_m, name), getattr(pair.m, name))
    assert list(pair.m._sizes) == list(pair.ref_m._sizes)


def test_records_are_mujocos(pair):
    m, ref = pair.m, pair.ref_m
    assert repr(m.opt) == repr(ref.opt)
    assert repr(m.stat) == repr(ref.stat)
    for part in ("global_", "quality", "headlight", "map", "scale"):
        assert repr(getattr(m.vis, part)) == repr(getattr(ref.vis, part))
    # MuJoCo's own views of these two are empty
    colours = [f for f in m.vis.rgba._all_fields if f not in ("bv", "bvactive")]
    for name in colours:
        check(name, getattr(ref.vis.rgba, name), getattr(m.vis.rgba, name))


def test_new_data_is_mujocos(pair):
    lists = {f.name for f in sinew._sinew.DATA_FIELDS if not f.fixed}
    # memory addresses
    lists |= {"plugin_data"}
    if pair.ref_m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP:
        # MuJoCo counts memory used by stages on a new state, keeps the number of dropped row
        # entries, and its solvers' sums differ
        lists |= {"maxuse_stack", "maxuse_arena", "maxuse_threadstack", "parena", "pbase", "pstack", "nJ"}
        for name in SOLVED:
            np.testing.assert_allclose(getattr(pair.d, name), getattr(pair.ref_d, name), **SOLVERS_DIGITS)
        lists |= set(SOLVED)
    for name in public(mujoco.MjData) - ABSENT - lists:
        check(name, getattr(pair.ref_d, name), getattr(pair.d, name))


def test_lists_follow_their_counts(pair):
    sinew.mj_forward(pair.m, pair.d)
    d = pair.d
    for field in sinew._sinew.DATA_FIELDS:
        value = getattr(d, field.name)
        if field.rows in ("nefc", "nJ", "nA", "nisland") and len(value):
            assert len(value) == getattr(d, field.rows), field.name
    assert len(d.contact) == d.ncon and d.contact.pos.shape == (d.ncon, 3)
    assert d.contact.H.shape == (d.ncon, 36) and d.contact.geom.shape == (d.ncon, 2)


def test_views_write_through(zoo):
    m, d = zoo.m, zoo.d
    m.body_mass[2] = 5.0
    assert m.body("base").mass[0] == 5.0
    m.body("base").mass = 6
    assert m.body_mass[2] == 6.0
    d.qpos = 0.5
    assert (d.qpos == 0.5).all() and (d.joint("root").qpos == 0.5).all()
    m.opt.gravity = [1, 2, 3]
    m.opt.timestep = 1e-2
    m.opt.integrator = sinew.mjtIntegrator.mjINT_EULER
    assert list(m.opt.gravity) == [1, 2, 3] and m.opt.timestep == 1e-2 and m.opt.integrator == 0
    before = d.qvel.copy()
    sinew.mj_step(m, d)
    assert d.time == 1e-2 and (d.qvel != before).any()
    d.time = 3
    assert d.time == 3.0
    m.vis.global_.fovy = 30
    m.stat.center[1] = 2
    assert m.vis.global_.fovy == 30 and list(m.stat.center)[1] == 2


def test_read_only_attributes_are_refused(zoo):
    m, d = zoo.m, zoo.d
    for name, value in (("nq", 3), ("names", b""), ("opt", m.opt), ("nonsense", 1)):
        with pytest.raises(AttributeError):
            setattr(m, name, value)
    for obj, name, value in (
        (m.opt, "timestep", "x"),
        (m.opt, "iterations", 1.5),
        (d, "time", "x"),
    ):
        with pytest.raises(TypeError):
            setattr(obj, name, value)
    with pytest.raises(AttributeError):
        m.opt.nonsense = 1
    with pytest.raises(ValueError):
        m.qpos0 = np.zeros(3)


def test_records_live_without_a_model():
    option = sinew.MjOption()
    assert repr(option) == repr(mujoco.MjOption())
    assert repr(sinew.MjContact()) == repr(mujoco.MjContact())
    assert repr(sinew.MjStatistic()) == repr(mujoco.MjStatistic())
    other = sinew.MjOption()
    assert option == other
    other.wind[2] = 1
    assert option != other
    with pytest.raises(TypeError):
        hash(option)
    assert sinew.MjVisual().global_.fovy == 45


def test_statistics_of_a_run_are_mujocos(zoo):
    d = zoo.d
    assert len(d.warning) == len(zoo.ref_d.warning) and len(d.timer) == len(zoo.ref_d.timer)
    assert len(d.solver) == len(zoo.ref_d.solver)
    assert d.solver.gradient.shape == zoo.ref_d.solver.gradient.shape
    d.qpos[0] = np.nan
    sinew.mj_step(zoo.m, d)
    assert d.warning[sinew.mjtWarning.mjWARN_BADQPOS].number == 1
    assert d.warning.number.sum() == 1 and not np.isnan(d.qpos).any()
    with pytest.raises(IndexError):
        d.warning[99]


def test_no_class_leaks_private_memory():
    assert sinew.MjModel.qpos0.name == "qpos0"
    assert sinew.MjModel.qpos0.__doc__
    assert set(mujoco.MjModel._size_fields) == set(sinew.MjModel._size_fields)
    assert set(mujoco.MjModel._all_fields) <= set(sinew.MjModel._all_fields)


def test_rows_of_trees_and_dofs_are_there_without_islands():
    xml = "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>"
    names = ("tree_island", "map_itree2tree", "dof_island", "map_dof2idof", "map_idof2dof")
    shapes = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(xml)
        d = engine.MjData(m)
        new = [getattr(d, name).shape for name in names]
        engine.mj_forward(m, d)
        shapes.append((new, [getattr(d, name).shape for name in names]))
    assert shapes[0] == shapes[1]
