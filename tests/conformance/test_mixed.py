"""Random models with flexes, plugins and sleep: from MuJoCo's state at every step."""
import copy

import mujoco
import pytest

import random_mixed
import test_sleep

# models that MuJoCo accepts, that stay finite, and that compile fast
SEEDS = [0, 1, 3, 5, 6, 7, 9, 12, 13, 17, 18, 19, 20, 22, 23, 24, 25, 27, 29, 31, 32]
STEPS = 12

# forward and inverse cancel up to rounding
ROUNDING = {"qfrc_inverse"}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.filterwarnings("ignore")
def test_steps_of_mixed_models_are_mujocos(engine, seed):
    text = random_mixed.model(seed)
    m, ours = (e.MjModel.from_xml_string(text) for e in (mujoco, engine))
    # other solvers stop at a wider tolerance than the comparison's; they have separate tests
    m.opt.solver = ours.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    d, mine = mujoco.MjData(m), engine.MjData(ours)
    names = test_sleep.persistent_fields(d)
    for t in range(STEPS):
        test_sleep.copy_all(d, mine, names)
        before = copy.copy(d)
        mujoco.mj_step(m, d)
        engine.mj_step(ours, mine)
        found = test_sleep.sleep_differences(d, mine)
        found += test_sleep.field_differences(d, mine, [f for f in names if f not in ROUNDING], m, before)
        assert not found, f"step {t}:\n" + "\n".join(found)
