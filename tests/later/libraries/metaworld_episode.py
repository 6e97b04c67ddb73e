"""An episode of metaworld."""

import gymnasium
import metaworld  # noqa: F401  (registers its environments)

env = gymnasium.make("Meta-World/MT1", env_name="reach-v3", seed=1)
env.action_space.seed(1)
state, _ = env.reset(seed=1)
for _ in range(20):
    state, reward, *_ = env.step(env.action_space.sample())
print("=reach", *state, reward)
