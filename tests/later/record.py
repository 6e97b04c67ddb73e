"""Records the results of a later version of MuJoCo for the models in this folder.

PYTHON tests/later/record.py

PYTHON is one with that version of MuJoCo. Each line of a record is an integrator, a number of
steps, a field, and numbers.
"""

import pathlib

import mujoco

MODELS = pathlib.Path(__file__).parent
FIELDS = """qpos qvel act plastic qacc qfrc_passive qfrc_spring qfrc_damper qfrc_actuator qfrc_bias
actuator_length actuator_velocity actuator_force act_dot energy sensordata""".split()
STEPS = (0, 1, 100)


def lines(path):
    """The lines of a model's record."""
    yield f"# MuJoCo {mujoco.__version__}, by record.py"
    m = mujoco.MjModel.from_xml_path(str(path))
    # other versions have another approximation for bodies that turn about several axes
    plain = min(m.jnt_type) >= int(mujoco.mjtJoint.mjJNT_SLIDE)
    for name in ("Euler", "implicit", *(["implicitfast"] if plain else [])):
        m.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{name.upper()}")
        d = mujoco.MjData(m)
        mujoco.mj_resetDataKeyframe(m, d, 0)
        done = 0
        for steps in STEPS:
            mujoco.mj_step(m, d, steps - done)
            done = steps
            mujoco.mj_forward(m, d)
            for field in FIELDS:
                numbers = [repr(float(x)) for x in getattr(d, field).ravel()]
                if numbers:
                    yield " ".join([name, str(steps), field, *numbers])


def main():
    """Writes the records beside the models."""
    for path in sorted(MODELS.glob("*.xml")):
        path.with_suffix(".txt").write_text("\n".join([*lines(path), ""]))


if __name__ == "__main__":
    main()
