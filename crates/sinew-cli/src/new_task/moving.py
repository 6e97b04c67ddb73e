"""{Name} moves forward without falling.

`sinew new-task` wrote this file as a start: change the observation and the reward. Train with

    python -m sinew.gym.ppo --env {name}:own/{Name}-v0 --out runs
"""

import pathlib

import gymnasium
import numpy as np

import sinew.gym

MODEL = pathlib.Path(__file__).resolve().parent / {model}


class {Name}(sinew.gym.Task):
    """Moves forward without falling."""

    xml_file = MODEL
    frame_skip = {frame_skip}
    max_episode_steps = 1000

    def __init__(self, n, **options):
        super().__init__(n, **options)
        m = self.model
        limited = m.actuator_ctrllimited.astype(bool)
        self.low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
        self.high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
        self.middle = (self.low + self.high) / 2
        # the first keyframe, if there is one, is the pose to start from
        if m.nkey:
            self.init_qpos, self.middle = m.key_qpos[0].copy(), m.key_ctrl[0].copy()

    def action_space(self):
        return gymnasium.spaces.Box(-1.0, 1.0, (self.model.nu,), np.float32)

    def control(self, action):
        reach = (self.high - self.low) / 2
        return np.clip(self.middle + reach * action, self.low, self.high)

    def start(self, rng):
        qpos = self.init_qpos.copy()
        qpos[7:] += rng.uniform(-0.02, 0.02, self.model.nq - 7)
        return qpos, rng.uniform(-0.02, 0.02, self.model.nv)

    def observation(self):
        # the place in the plane does not matter
        return np.concatenate([self.batch.qpos[:, 2:], np.clip(self.batch.qvel, -20, 20)], axis=1)

    def drive(self, state, policy):
        # the same in PyTorch, for one robot: `sinew view --policy` lets it drive
        observation = state.cat(state.qpos[:, 2:], state.qvel.clamp(-20, 20))
        low, high, middle = map(state.tensor, (self.low, self.high, self.middle))
        controls = middle + (high - low) / 2 * policy(observation)
        return controls.minimum(high).maximum(low)

    def before(self):
        return self.batch.qpos[:, 0].copy()

    def outcome(self, action, before):
        speed = (self.batch.qpos[:, 0] - before) / self.dt
        fallen = self.batch.qpos[:, 2] < 0.5 * self.init_qpos[2]
        reward = speed + 1.0 - 0.1 * np.square(action).mean(axis=1)
        return reward, fallen, {"speed": speed}


sinew.gym.register("own/{Name}-v0", {Name}, max_episode_steps={Name}.max_episode_steps)
