"""Episodes of gymnasium-robotics' environments."""

import gymnasium
import gymnasium_robotics

gymnasium.register_envs(gymnasium_robotics)
for name in ("FetchReach-v4", "FetchPush-v4", "HandReach-v3", "AdroitHandDoor-v1"):
    env = gymnasium.make(name)
    env.action_space.seed(1)
    state, _ = env.reset(seed=1)
    total = 0.0
    for _ in range(10):
        state, reward, *_ = env.step(env.action_space.sample())
        total += reward
    if isinstance(state, dict):
        state = state["observation"]
    print("=" + name, *state.ravel(), total)
