"""Enumerations and constants equal MuJoCo's."""

import copy
import pickle

import mujoco
import numpy as np
import pytest

import sinew

ENUMS = [n for n in dir(mujoco) if n.startswith("mjt") and isinstance(getattr(mujoco, n), type)]


@pytest.mark.parametrize("name", ENUMS)
def test_members_are_mujocos(name):
    want, got = getattr(mujoco, name).__members__, getattr(sinew, name).__members__
    # other members are of other versions
    found = [(k, v.value) for k, v in got.items() if k in want]
    assert found == [(k, v.value) for k, v in want.items()]
    for member in want.values():
        assert getattr(sinew, name)(member.value).name in want


EXPRESSIONS = """
repr(x) str(x) f'{x}' '%d'%x x.name x.value hash(x) x==1 x==1.0 x!=1 int(x) float(x) [10,20][x] {1:5}[x]
{x:5}[1] x+1 1+x x-1 3-x x*2 2*x x/2 x//1 x%2 x<<2 x>>1 -x x+0.5 x&3 x|6 6|x x^3 x|E.mjJNT_SLIDE bool(x)
bool(E.mjJNT_FREE) E(x).name E(1).name list(range(x)) (np.array([1,2])==x).tolist() isinstance(x,int)
x==G(1) x==E.mjJNT_BALL x==E.mjJNT_HINGE E.__name__ x=='a' x==None
""".split()
FAILURES = ["x<2", "E('mjJNT_BALL')", "E()", "E(1.0)", "E(77)"]


def scope(module):
    return {"x": module.mjtJoint.mjJNT_BALL, "E": module.mjtJoint, "G": module.mjtGeom, "np": np}


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_have_mujocos_values(expression):
    want, got = (eval(expression, scope(module)) for module in (mujoco, sinew))
    assert type(got) is type(want) and got == want


@pytest.mark.parametrize("expression", FAILURES)
def test_failures_are_mujocos(expression):
    errors = []
    for module in (mujoco, sinew):
        with pytest.raises((TypeError, ValueError)) as error:
            eval(expression, scope(module))
        errors.append(error.type)
    assert errors[0] is errors[1]


def test_members_copy_and_pickle():
    x = sinew.mjtObj.mjOBJ_GEOM
    assert copy.deepcopy(x) is x and copy.copy(x) is x and pickle.loads(pickle.dumps(x)) is x
    with pytest.raises(AttributeError):
        x.value = 3


def test_constants_are_mujocos():
    names = [n for n in dir(mujoco) if n.startswith("mj") and not callable(getattr(mujoco, n))]
    assert {n: getattr(sinew, n) for n in names} == {n: getattr(mujoco, n) for n in names}
