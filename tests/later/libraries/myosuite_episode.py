"""An episode of myosuite."""

import numpy as np
from myosuite.utils import gym

env = gym.make("myoElbowPose1D6MRandom-v0")
env.reset(seed=1)
rng = np.random.default_rng(1)
for _ in range(10):
    state, reward, *_ = env.step(rng.uniform(0, 1, env.action_space.shape))
print("=elbow", *state, reward)
