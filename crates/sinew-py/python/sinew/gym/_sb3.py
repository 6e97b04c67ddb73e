"""The interface of Stable-Baselines3."""

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv


class WorldsSb3(VecEnv):
    """All worlds of a vector environment as a `VecEnv`.

    Observations are 32-bit numbers, because policies of Stable-Baselines3 are. Infos are those that
    its algorithms and `VecMonitor` read. `infos` of the last step has all others, as arrays.
    """

    def __init__(self, envs):
        self.envs, self.infos, self._actions = envs, {}, None
        space = envs.single_observation_space
        if space.dtype == np.float64:
            space = spaces.Box(-np.inf, np.inf, space.shape, np.float32)
        super().__init__(envs.num_envs, space, envs.single_action_space)

    def reset(self):
        """Starts episodes in all worlds, with the seeds that `seed` set."""
        observation, self.infos = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        self._reset_options()
        return self._numbers(observation)

    def step_async(self, actions):
        """Keeps the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self):
        """Steps all worlds: observations, rewards, ends, and an info for each."""
        observation, reward, ended, cut, self.infos = self.envs.step(self._actions)
        infos = [{} for _ in range(self.num_envs)]
        over = ended | cut
        for world in np.flatnonzero(over):
            infos[world]["TimeLimit.truncated"] = bool(cut[world] and not ended[world])
            infos[world]["terminal_observation"] = self._numbers(self.infos["final_obs"][world])
        return self._numbers(observation), reward.astype(np.float32), over, infos

    def _numbers(self, observation):
        return np.asarray(observation).astype(self.observation_space.dtype)

    def close(self):
        """Releases the worlds."""
        self.envs.close()

    def get_images(self):
        """An image of every world."""
        return self.envs.render()

    def get_attr(self, attr_name, indices=None):
        """An attribute of the vector environment, once for each world."""
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name, value, indices=None):
        """Sets an attribute of the vector environment; worlds share it."""
        self._get_indices(indices)
        setattr(self.envs, attr_name, value)

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        """Calls a method of the vector environment, once; each world gets the result."""
        result = getattr(self.envs, method_name)(*method_args, **method_kwargs)
        return [result for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class, indices=None):
        """Whether single worlds have a wrapper: they do not."""
        return [False for _ in self._get_indices(indices)]
