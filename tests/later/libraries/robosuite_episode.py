"""An episode of robosuite."""

import numpy as np
import robosuite

env = robosuite.make(
    "Lift", robots="Panda", has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, seed=1
)
env.reset()
rng = np.random.default_rng(1)
low, high = env.action_spec
for _ in range(10):
    state, reward, *_ = env.step(rng.uniform(low, high))
print("=Lift", *state["robot0_proprio-state"], *state["object-state"], reward)
