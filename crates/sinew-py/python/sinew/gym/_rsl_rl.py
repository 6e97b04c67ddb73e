"""The interface of rsl_rl."""

import numpy as np
import torch
from rsl_rl.env import VecEnv
from tensordict import TensorDict


class WorldsRslRl(VecEnv):
    """All worlds of a vector environment as a `VecEnv` of tensors.

    The group of observations is named `policy`. Lengths of episodes in `episode_length_buf` are
    those of the environment, so the runner may spread the starts of episodes.
    """

    def __init__(self, envs, device="cpu"):
        self.envs, self.device, self.cfg = envs, device, {}
        self.num_envs = envs.num_envs
        self.num_actions = envs.single_action_space.shape[0]
        limit = envs.max_episode_steps
        self.max_episode_length = np.iinfo(np.int32).max if limit is None else limit
        self._observation, _ = envs.reset()

    @property
    def episode_length_buf(self):
        """Steps of the present episodes."""
        return torch.as_tensor(self.envs.elapsed, device=self.device)

    @episode_length_buf.setter
    def episode_length_buf(self, lengths):
        self.envs.elapsed = lengths.cpu().numpy()

    def get_observations(self):
        """The present observations."""
        tensor = torch.as_tensor(self._observation, dtype=torch.float32, device=self.device)
        return TensorDict({"policy": tensor}, batch_size=[self.num_envs], device=self.device)

    def step(self, actions):
        """Steps all worlds: observations, rewards, ends, and which of these are time limits."""
        actions = actions.detach().cpu().numpy()
        self._observation, reward, ended, cut, _ = self.envs.step(actions)
        tensor = lambda x: torch.as_tensor(x, device=self.device)
        over, limit = tensor(ended | cut), tensor(cut & ~ended)
        extras = {"time_outs": limit}
        return self.get_observations(), tensor(reward).float(), over.long(), extras
