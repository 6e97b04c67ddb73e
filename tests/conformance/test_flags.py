"""Every flag and integrator: whole steps of the repository's models, without contacts and
constraints."""
import mujoco
import numpy as np
import pytest

import compare
import conftest
import stages

BITS = mujoco.mjtDisableBit
ENABLE = mujoco.mjtEnableBit
UNCONSTRAINED = int(BITS.mjDSBL_CONSTRAINT | BITS.mjDSBL_CONTACT)

FLAGS = {bit.name: (int(bit), 0) for bit in BITS.__members__.values() if bit.name.startswith("mjDSBL")}
FLAGS |= {bit.name: (0, int(bit)) for bit in (ENABLE.mjENBL_ENERGY, ENABLE.mjENBL_FWDINV, ENABLE.mjENBL_OVERRIDE)}
FLAGS["spring and damper"] = (int(BITS.mjDSBL_SPRING | BITS.mjDSBL_DAMPER), 0)

FIELDS = """qpos qvel act qacc qacc_smooth qfrc_smooth qfrc_passive qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid
qfrc_bias qfrc_actuator actuator_force act_dot energy""".split()


def own_models():
    return [pair for name, pair in conftest.pairs().items() if name.startswith("models/") and pair.want.nv > 0]


def differences(engine, pair, folder, disable, enable, integrator):
    """Differences after a few steps from a random state, in MuJoCo's own model with these flags."""
    binary = str(folder / "model.mjb")
    mujoco.mj_saveModel(pair.want, binary)
    models = mujoco.MjModel.from_binary_path(binary), engine.MjModel.from_binary_path(binary)
    for m in models:
        m.opt.disableflags = UNCONSTRAINED | disable
        m.opt.enableflags = enable
        m.opt.integrator = integrator
    want, ours = models
    d, mine = mujoco.MjData(want), engine.MjData(ours)
    stages.random_state(mujoco, want, d, np.random.default_rng(3), 0.5)
    stages.copy_fields(stages.array_fields(d), d, mine)
    mine.time = d.time
    for _ in range(3):
        mujoco.mj_step(want, d)
        engine.mj_step(ours, mine)
    found = [(field, compare.difference(field, getattr(d, field), getattr(mine, field))) for field in FIELDS]
    return [f"{pair.name}: {field} {how}" for field, how in found if how]


@pytest.mark.parametrize("flag", list(FLAGS))
def test_steps_under_a_flag_are_mujocos(engine, flag, tmp_path):
    disable, enable = FLAGS[flag]
    failures = []
    for pair in own_models():
        failures += differences(engine, pair, tmp_path, disable, enable, pair.want.opt.integrator)
    assert not failures, "\n" + "\n".join(failures)


@pytest.mark.parametrize("integrator", list(mujoco.mjtIntegrator.__members__))
def test_steps_of_an_integrator_are_mujocos(engine, integrator, tmp_path):
    kind = int(mujoco.mjtIntegrator.__members__[integrator])
    failures = []
    for pair in own_models():
        failures += differences(engine, pair, tmp_path, 0, 0, kind)
    assert not failures, "\n" + "\n".join(failures)
