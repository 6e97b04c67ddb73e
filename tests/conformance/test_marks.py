"""Which bounding volumes took part in the last collision: `bvh_active`, node by node."""
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
