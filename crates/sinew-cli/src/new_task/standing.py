"""{Name} reaches postures.

`sinew new-task` wrote this file as a start: change the observation and the reward. Train with

    python -m sinew.gym.ppo --env {name}:own/{Name}-v0 --out runs
"""

import pathlib

import gymnasium
import numpy as np

import sinew
import sinew.gym

MODEL = pathlib.Path(__file__).resolve().parent / {model}


class {Name}(sinew.gym.Task):
    """Reaches a random posture, and stays there."""

    xml_file = MODEL
    frame_skip = {frame_skip}
    max_episode_steps = 200
    carried = ("goal",)

    def __init__(self, n, **options):
        super().__init__(n, **options)
        m = self.model
        limited = m.actuator_ctrllimited.astype(bool)
        self.low = np.where(limited, m.actuator_ctrlrange[:, 0], -1.0)
        self.high = np.where(limited, m.actuator_ctrlrange[:, 1], 1.0)
        # hinges and slides, and the ranges of their goals
        kinds = (sinew.mjtJoint.mjJNT_HINGE, sinew.mjtJoint.mjJNT_SLIDE)
        joints = np.isin(m.jnt_type, [int(kind) for kind in kinds])
        self.moves, self.joints = joints, m.jnt_qposadr[joints]
        limited = m.jnt_limited[joints].astype(bool)
        self.range = np.where(limited[:, None], m.jnt_range[joints], [-1.0, 1.0])
        self.goal = np.zeros((n, len(self.joints)))

    def action_space(self):
        return gymnasium.spaces.Box(-1.0, 1.0, (self.model.nu,), np.float32)

    def control(self, action):
        middle, reach = (self.high + self.low) / 2, (self.high - self.low) / 2
        return np.clip(middle + reach * action, self.low, self.high)

    def restart(self, rngs, mask=None):
        for world in range(self.n) if mask is None else np.flatnonzero(mask):
            self.goal[world] = rngs[world].uniform(*self.range.T)
        super().restart(rngs, mask)

    def observation(self):
        velocity = np.clip(self.batch.qvel, -20, 20)
        return np.concatenate([self.batch.qpos, velocity, self.goal], axis=1)

    @property
    def commands(self):
        joints = np.flatnonzero(self.moves)
        names = [self.model.joint(int(j)).name or f"joint {j}" for j in joints]
        return tuple((name, *ends) for name, ends in zip(names, self.range))

    def drive(self, state, policy):
        # the same in PyTorch, for one robot: `sinew view --policy` runs it, and the user's commands
        # are the goal
        if len(self.joints) > 16:
            return None
        observation = state.cat(state.qpos, state.qvel.clamp(-20, 20), state.command)
        low, high = state.tensor(self.low), state.tensor(self.high)
        controls = (high + low) / 2 + (high - low) / 2 * policy(observation)
        return controls.minimum(high).maximum(low)

    def outcome(self, action, before):
        size = self.range[:, 1] - self.range[:, 0]
        miss = np.square((self.batch.qpos[:, self.joints] - self.goal) / size).mean(axis=1)
        reward = np.exp(-20 * miss) - 0.01 * np.square(action).mean(axis=1)
        return reward, np.zeros(self.n, bool), {"miss": miss}


sinew.gym.register("own/{Name}-v0", {Name}, max_episode_steps={Name}.max_episode_steps)
