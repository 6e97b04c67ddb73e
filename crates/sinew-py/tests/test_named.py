"""Access by name: attributes, shapes, contents and errors equal MuJoCo's."""

import mujoco
import numpy as np
import pytest
from solved import SOLVED, SOLVERS_DIGITS

import sinew

GROUPS = (
    "actuator body cam camera eq equality exclude geom hfield jnt joint key keyframe light mat "
    "material mesh numeric pair sensor site skin tendon tex texture tuple"
).split()
DATA_GROUPS = "actuator body cam camera geom jnt joint light sensor site ten tendon".split()

SIZES = dict(
    actuator="nu", cam="ncam", camera="ncam", eq="neq", equality="neq", jnt="njnt", joint="njnt",
    key="nkey", keyframe="nkey", mat="nmat", material="nmat", ten="ntendon", tex="ntex",
    texture="ntex",
)  # fmt: skip


def same(want, got, what):
    """Asserts that all attributes of MuJoCo's view have the same contents."""
    assert (got.id, got.name) == (want.id, want.name)
    for name in (n for n in dir(want) if not n.startswith("_") and n not in ("id", "name")):
        w, g = getattr(want, name), getattr(got, name)
        if (want.__class__.__name__, name) == ("_MjModelTextureViews", "adr"):
            continue  # MuJoCo takes the 64-bit field for one of 32 bits here
        assert (g.shape, g.dtype) == (w.shape, w.dtype), f"{what}.{name}"
        np.testing.assert_array_equal(g, w, err_msg=f"{what}.{name}")


def numbered(m, groups):
    """Every object of every group."""
    return [(g, i) for g in groups for i in range(getattr(m, SIZES.get(g, "n" + g)))]


def test_named_views_of_the_model_are_mujocos(pair):
    for group, i in numbered(pair.ref_m, GROUPS):
        want = getattr(pair.ref_m, group)(i)
        same(want, getattr(pair.m, group)(i), group)
        if want.name:
            assert getattr(pair.m, group)(want.name).id == i


def test_named_views_of_data_are_mujocos(pair):
    for name in ("qpos", "qvel", "ctrl", "xpos", "sensordata", "cdof", "ten_length", "geom_xmat"):
        for d in (pair.d, pair.ref_d):
            field = getattr(d, name)
            field[:] = np.random.default_rng(2).normal(size=field.shape)
    # with sleep a new state has been through the solver, whose sums differ
    solved = pair.ref_m.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP
    for group, i in numbered(pair.ref_m, DATA_GROUPS):
        want, got = getattr(pair.ref_d, group)(i), getattr(pair.d, group)(i)
        names = {n for n in dir(want) if not n.startswith("_")} - {"id", "name", "moment"}
        if pair.ref_m.nv > 1:  # MuJoCo's views of these start at the wrong row
            names -= {"cdof", "cdof_dot"}
        for name in names:
            w, g = getattr(want, name), getattr(got, name)
            assert (g.shape, g.dtype) == (w.shape, w.dtype), f"{group}.{name}"
            if solved and name in SOLVED:
                np.testing.assert_allclose(g, w, **SOLVERS_DIGITS, err_msg=f"{group}.{name}")
            else:
                np.testing.assert_array_equal(g, w, err_msg=f"{group}.{name}")


def test_joints_have_all_their_rows(zoo):
    zoo.d.cdof[:] = np.arange(zoo.d.cdof.size).reshape(-1, 6)
    np.testing.assert_array_equal(zoo.d.joint("shoulder").cdof, zoo.d.cdof[6:9])


def test_extra_groups_are_reached_by_name(zoo):
    assert zoo.m.text("txt").data == b"hello\0"
    assert zoo.m.tendon("string").range.shape == (2,)
    assert zoo.d.equality("couple").active.shape == (1,)


def test_moment_is_dense(zoo):
    sinew.mj_forward(zoo.m, zoo.d)
    moment = zoo.d.actuator("push").moment
    assert moment.shape == (zoo.m.nv,) and np.count_nonzero(moment[:6]) == 6


@pytest.mark.parametrize("call", [lambda m: m.body("x"), lambda m: m.body(77), lambda m: m.body(-1),
                                  lambda m: m.body(), lambda m: m.geom("")])  # fmt: skip
def test_errors_have_the_same_text(zoo, call):
    with pytest.raises((KeyError, IndexError)) as want:
        call(zoo.ref_m)
    with pytest.raises(want.type) as got:
        call(zoo.m)
    assert str(got.value) == str(want.value)


def test_wrong_types_are_refused(zoo):
    for bad in (1.5, None, [1]):
        with pytest.raises(TypeError):
            zoo.m.body(bad)
    assert zoo.m.body(np.int64(1)).id == 1


def test_repr_lists_attributes(zoo):
    lines = repr(zoo.m.body("base")).splitlines()
    assert lines[0] == "<_MjModelBodyViews" and lines[-1] == ">"
    assert set(repr(zoo.ref_m.body("base")).splitlines()) <= set(lines)


def test_names_are_mujocos(zoo):
    kinds = [k for k in dir(sinew.mjtObj) if k.startswith("mjOBJ_")]
    for kind in (getattr(mujoco.mjtObj, k).value for k in kinds):
        for i in range(-1, 6):
            want = mujoco.mj_id2name(zoo.ref_m, kind, i)
            assert sinew.mj_id2name(zoo.m, kind, i) == want
            if want:
                assert sinew.mj_name2id(zoo.m, kind, want) == i
    assert sinew.mj_name2id(zoo.m, sinew.mjtObj.mjOBJ_BODY, "nobody") == -1
