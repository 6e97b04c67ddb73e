"""Models by robot_descriptions: the list of models that it would fetch."""

import mujoco
from robot_descriptions import DESCRIPTIONS

assert "ur5e_mj_description" in DESCRIPTIONS
print("=count", sum(1 for d in DESCRIPTIONS.values() if d.has_mjcf), mujoco.mjNEQDATA)
