"""Rays: single, many, against one geom, against a shape."""

import ctypes
import pathlib

import mujoco
import numpy as np
import pytest

import sinew

XML = """
<mujoco>
  <asset>
    <hfield name="hill" nrow="3" ncol="3" elevation="0 1 0 1 3 1 0 1 0" size="1 1 0.5 0.1"/>
    <mesh name="tent" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="5 5 0.1" pos="0 0 -1" group="2"/>
    <geom type="hfield" hfield="hill" pos="2 0 0"/>
    <body name="free" pos="0 0 1">
      <freejoint/>
      <geom type="mesh" mesh="tent"/>
      <geom type="box" size="0.2 0.3 0.1" pos="-1 0 0" euler="10 20 30"/>
      <geom type="capsule" size="0.2 0.3" pos="0 -1 0" rgba="1 1 1 0"/>
    </body>
    <body pos="-2 1 0"><joint/><geom type="ellipsoid" size="0.4 0.5 0.6"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def pair():
    """The model at rest in both engines."""
    found = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        engine.mj_kinematics(m, d)
        engine.mj_comPos(m, d)
        found.append((engine, m, d))
    return found


def directions(n):
    return np.random.default_rng(3).normal(size=(n, 3))


@pytest.mark.parametrize("group", [None, [1, 1, 0, 1, 1, 1]])
@pytest.mark.parametrize("flg_static, bodyexclude", [(1, -1), (0, -1), (1, 1)])
def test_rays_hit_what_mujocos_hit(pair, group, flg_static, bodyexclude):
    group = None if group is None else np.array(group, np.uint8)
    pnt, found = np.array([0.3, 0.2, 3]), []
    for engine, m, d in pair:
        geomid, normal, rows = np.zeros(1, np.int32), np.zeros(3), []
        for vec in [*directions(100), *(directions(100) - [0.0, 0.0, 2.0])]:
            dist = engine.mj_ray(m, d, pnt, vec, group, flg_static, bodyexclude, geomid, normal)
            rows.append([dist, geomid[0], *normal])
            assert engine.mj_ray(m, d, pnt, vec, group, flg_static, bodyexclude, None) == dist
        found.append(np.array(rows))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-13, atol=1e-13)
    assert (found[0][:, 0] >= 0).any() and (found[0][:, 0] < 0).any()


def test_many_rays_are_each_alone(pair):
    vec = directions(50)
    vec[7] = 0
    for cutoff in (1.0, 100.0):
        found = []
        for engine, m, d in pair:
            geomid = np.full(50, 9, np.int32)
            dist, normal = np.zeros(50), np.full(150, 9.0)
            engine.mj_multiRay(
                m, d, [0.1, 0.2, 0.6], vec.ravel(), None, 1, -1, geomid, dist, normal, 50, cutoff
            )
            found.append(np.concatenate([geomid, dist, normal]))
        np.testing.assert_allclose(found[0], found[1], rtol=1e-13, atol=1e-13)


def test_rays_against_one_geom_are_mujocos(pair):
    for name, geom in (("mj_rayMesh", 2), ("mj_rayHfield", 1)):
        found = []
        for engine, m, d in pair:
            normal = np.zeros(3)
            pnt = d.geom_xpos[geom] + [0.1, 0.05, 3]
            dist = getattr(engine, name)(m, d, geom, pnt, [0, 0, -2], normal)
            found.append([dist, *normal])
        np.testing.assert_allclose(found[0], found[1], rtol=1e-13, atol=1e-13)
        assert found[0][0] > 0


def test_rays_against_shapes_are_mujocos():
    mat = np.eye(3).ravel()
    for kind in ("PLANE", "SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX"):
        for vec in directions(40):
            found = []
            for engine in (mujoco, sinew):
                normal = np.zeros(3)
                shape = getattr(engine.mjtGeom, "mjGEOM_" + kind)
                size = [1, 0.5, 0.7]
                dist = engine.mju_rayGeom([0, 0, 0], mat, size, -vec, vec, shape, normal)
                found.append([dist, *normal])
            np.testing.assert_allclose(found[0], found[1], rtol=1e-13, atol=1e-13)
    with pytest.raises(sinew.FatalError, match="unexpected geom type 7"):
        sinew.mju_rayGeom([0, 0, 0], mat, [1, 1, 1], [0, 0, 2], [0, 0, -1], 7)


def test_bad_arguments_are_refused(pair):
    # MuJoCo's binding kills the process
    engine, m, d = pair[1]
    with pytest.raises(engine.FatalError, match="vector length is too small"):
        engine.mj_ray(m, d, [0, 0, 0], [0, 0, 0], None, 1, -1, None)
    for function in (engine.mj_rayMesh, engine.mj_rayHfield):
        with pytest.raises(engine.FatalError, match="type expected"):
            function(m, d, 0, [0, 0, 0], [0, 0, -1])
        for geom in (-1, 99):
            with pytest.raises(ValueError, match="geomid is .*, must be from 0 to 5"):
                function(m, d, geom, [0, 0, 0], [0, 0, -1])
    for engine, m, d in pair:
        with pytest.raises(TypeError, match="3\\*nray"):
            engine.mj_multiRay(
                m, d, [0, 0, 0], np.ones(5), None, 1, -1, np.zeros(2, np.int32), np.zeros(2),
                None, 2, 1.0,
            )


SOFT = """<mujoco><worldbody>
  <flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".02" pos="2 0 1"/>
  <flexcomp name="block" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" radius=".02" pos="0 2 1"/>
  <flexcomp name="rope" type="grid" dim="1" count="5 1 1" spacing=".1 .1 .1" radius=".02" pos="0 0 1"/>
</worldbody></mujoco>"""


def test_a_ray_hits_the_parts_of_a_flex_that_mujocos_hits():
    states = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(SOFT)
        d = engine.MjData(m)
        engine.mj_kinematics(m, d)
        engine.mj_comPos(m, d)
        engine.mj_flex(m, d)
        states.append((engine, m, d))
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(300):
        flags, layer, flex = rng.integers(0, 2, 4), rng.integers(0, 2), rng.integers(0, 3)
        pnt = rng.normal(size=3)
        centre = states[0][2].flexvert_xpos[states[0][1].flex_vertadr[flex]:].mean(axis=0)
        vec = centre + rng.normal(size=3) * 0.1 - pnt
        found = []
        for engine, m, d in states:
            vertex, normal = np.array([-7], np.int32), np.ones(3)
            dist = engine.mj_rayFlex(m, d, int(layer), *map(int, flags), int(flex), pnt, vec, vertex, normal)
            found.append([dist, *vertex, *normal])
            assert engine.mj_rayFlex(m, d, int(layer), *map(int, flags), int(flex), pnt, vec) == dist
        np.testing.assert_allclose(found[1], found[0], atol=1e-12)
        hits += found[0][0] >= 0
    assert hits > 30
    _, m, d = states[1]
    with pytest.raises(ValueError, match="flexid is 3, must be from 0 to 2"):
        sinew.mj_rayFlex(m, d, 0, 1, 1, 1, 1, 3, np.zeros(3), np.ones(3))


def test_a_ray_hits_the_triangle_of_a_skin_that_mujocos_hits():
    # MuJoCo's Python function takes scalars for its arrays, so the library is called directly
    library = next(pathlib.Path(mujoco.__file__).parent.glob("libmujoco.so*"))
    theirs = ctypes.CDLL(str(library)).mju_raySkin
    theirs.restype = ctypes.c_double
    pointer = lambda array: ctypes.c_void_p(array.ctypes.data)
    rng = np.random.default_rng(5)
    vert = rng.normal(size=(40, 3)).astype(np.float32)
    face = rng.integers(0, 40, (60, 3)).astype(np.int32)
    hits = 0
    for _ in range(300):
        pnt = rng.normal(size=3) * 2
        vec = rng.normal(size=3) * 0.5 - pnt
        ids = [np.array([-7], np.int32) for _ in range(2)]
        wanted = theirs(60, 40, *map(pointer, (face, vert, pnt, vec, ids[0])))
        found = sinew.mju_raySkin(60, 40, face, vert, pnt, vec, ids[1])
        np.testing.assert_allclose(found, wanted, atol=1e-12)
        assert ids[0] == ids[1]
        hits += found >= 0
    assert 50 < hits < 300
    with pytest.raises(ValueError, match="vertices below nvert"):
        sinew.mju_raySkin(60, 39, face, vert, pnt, vec, ids[1])
    assert sinew.mju_raySkin(0, 0, [], [], pnt, vec, ids[1]) == -1
