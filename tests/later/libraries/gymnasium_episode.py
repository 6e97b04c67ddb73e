"""Episodes of gymnasium's environments."""

import gymnasium

for name in ("HalfCheetah-v5", "Hopper-v5", "Ant-v5", "Humanoid-v5", "Pusher-v5"):
    env = gymnasium.make(name)
    env.action_space.seed(1)
    state, _ = env.reset(seed=1)
    total = 0.0
    for _ in range(20):
        state, reward, ended, _, _ = env.step(env.action_space.sample())
        total += reward
        if ended:
            break
    print("=" + name, *state.ravel(), total)
