"""Bounding volumes that were active in the last collision detection: `bvh_active`, node by node."""
import mujoco
import numpy as np
import pytest

import random_flex
import random_mixed
import random_model
import stages
import test_mixed

MODELS = [(random_model, seed) for seed in range(8)]
MODELS += [(random_flex, seed) for seed in range(8)]
MODELS += [(random_mixed, seed) for seed in test_mixed.SEEDS[:8]]


@pytest.mark.parametrize("maker, seed", MODELS, ids=lambda x: getattr(x, "__name__", x))
@pytest.mark.filterwarnings("ignore")
def test_marks_are_mujocos(engine, maker, seed):
    text = maker.model(seed)
    m, ours = (e.MjModel.from_xml_string(text) for e in (mujoco, engine))
    d, mine = mujoco.MjData(m), engine.MjData(ours)
    rng = np.random.default_rng(seed)
    for size in (0, 0.1, 0.5):
        stages.random_state(mujoco, m, d, rng, size)
        mine.qpos[:], mine.mocap_pos[:], mine.mocap_quat[:] = d.qpos, d.mocap_pos, d.mocap_quat
        mujoco.mj_fwdPosition(m, d)
        engine.mj_fwdPosition(ours, mine)
        wrong = np.flatnonzero(d.bvh_active != mine.bvh_active)
        assert not len(wrong), f"state {size}: {len(wrong)} of {d.bvh_active.sum()} differ, first {wrong[:5]}"


RAYS = """<mujoco>
  <asset><mesh name="ball" builtin="sphere" params="2"/></asset>
  <worldbody>
    <camera name="eye" pos=".3 .2 4" resolution="5 4"/>
    <geom name="fixed" type="mesh" mesh="ball"/>
    <body pos=".2 0 2.5"><freejoint/><geom type="mesh" mesh="ball" pos=".1 0 0"/><geom size=".1"/></body>
    <body pos="0 0 5" mocap="true"><site name="lamp" euler="180 0 0"/></body>
  </worldbody>
  <sensor><rangefinder site="lamp"/>%s</sensor></mujoco>"""


@pytest.mark.parametrize("sensor", ["", '<rangefinder camera="eye"/>'], ids=["site", "camera"])
def test_rays_mark_the_nodes_of_meshes_that_they_meet(engine, sensor):
    both = [(e, e.MjModel.from_xml_string(RAYS % sensor)) for e in (mujoco, engine)]
    both = [(e, m, e.MjData(m)) for e, m in both]

    def same(what, at_least):
        theirs, ours = (d.bvh_active.copy() for _, _, d in both)
        assert np.array_equal(theirs, ours) and theirs.sum() >= at_least, what
        return theirs.sum()

    for e, m, d in both:
        e.mj_forward(m, d)
    marked = same("sensors", 10)
    down, none = np.array([0, 0, -1.0]), np.full((1, 1), -1, np.int32)
    for e, m, d in both:
        e.mj_ray(m, d, np.array([.3, .4, 6.0]), down, None, 1, -1, none)
    marked = same("mj_ray", marked + 1)
    for e, m, d in both:
        e.mj_rayMesh(m, d, 0, np.array([-.5, .4, 6.0]), down)
    marked = same("mj_rayMesh", marked + 1)
    rays = np.array([[.1, .3, -1], [-.2, .1, -1], [.05, -.2, -1.0]])
    for e, m, d in both:
        e.mj_multiRay(m, d, np.array([.1, .1, 6.0]), rays.ravel(), None, 1, -1, np.zeros(3, np.int32), np.zeros(3), None, 3, 100)
    same("mj_multiRay", marked + 1)
    for e, m, d in both:
        e.mj_step(m, d, 3)
    same("steps", 10)


def test_marks_that_are_written_stay_until_the_next_collision(engine):
    m = engine.MjModel.from_xml_string("""<mujoco><worldbody><geom type="plane" size="1 1 1"/>
        <body><freejoint/><geom size=".1"/><geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>""")
    d = engine.MjData(m)
    engine.mj_forward(m, d)
    marked = d.bvh_active.copy()
    assert marked.any()
    d.bvh_active[:] = 0
    assert not d.bvh_active.any()
    engine.mj_forward(m, d)
    assert np.array_equal(d.bvh_active, marked)
    m.vis.global_.bvactive = 0
    d.bvh_active[:] = 0
    engine.mj_forward(m, d)
    assert not d.bvh_active.any()
