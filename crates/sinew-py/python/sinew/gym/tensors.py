"""Environments whose observations, rewards and resets are PyTorch tensors on the device of the worlds.

    class Balance(tensors.Task):
        xml_file = "/path/to/pole.xml"
        frame_skip = 2

        def start(self, uniform):
            qpos = self.init_qpos + 0.2 * (uniform(self.model.nq) - 0.5)
            return qpos, self.init_qvel

        def outcome(self, action, before):
            fallen = self.qpos[:, 1].abs() > 0.2
            return 1.0 - fallen.to(self.qpos.dtype), fallen

    envs = tensors.VectorEnv(Balance, 4096, device="cuda", max_episode_steps=500)

No number leaves the device in a step. `device="kernel"` runs the same worlds on the processor, for
tests. `python -m sinew.gym.ppo --env module:Balance --device cuda` trains such a task.
"""

import numpy as np
import torch

import sinew
from sinew.gym._outline import Outline


class Task(Outline):
    """Task(n, *, device="cuda", dtype=np.float32, xml_file=None, frame_skip=None)

    A task in `n` worlds of a `sinew.DeviceBatch`, the attribute `batch`. Fields of the state, such as
    `qpos` and `ctrl`, and the results of steps in `fields` are attributes: tensors with a row for
    each world that share the memory of the worlds.
    """

    def __init__(
        self, n, *, device="cuda", dtype=np.float32, xml_file=None, frame_skip=None, nthread=0
    ):
        super().__init__(n, xml_file, frame_skip, device=device, dtype=dtype, nthread=nthread)
        if not isinstance(self.batch, sinew.DeviceBatch):
            raise ValueError("worlds on the processor: see sinew.gym.VectorEnv")
        names = ("time", "qpos", "qvel", "act", "ctrl", "qacc_warmstart")
        for name in (*names, *self.fields):
            setattr(self, name, torch.from_dlpack(self.batch.bind(name)))
        self.device, self.dtype = self.qpos.device, self.qpos.dtype
        self.generator = torch.Generator(self.device)
        # the state that episodes start from
        self._state = [getattr(self, name) for name in names]
        self._initial = [x[0].clone() for x in self._state]
        self.init_qpos, self.init_qvel = self._initial[1], self._initial[2]

    def uniform(self, size):
        """Random numbers between 0 and 1: (n, size)."""
        return self._random(torch.rand, size)

    def normal(self, size):
        """Random numbers of the standard normal distribution: (n, size)."""
        return self._random(torch.randn, size)

    def _random(self, draw, size):
        kind = {"device": self.device, "dtype": self.dtype}
        return draw((self.n, size), generator=self.generator, **kind)

    # methods that subclasses define

    def start(self, uniform):
        """Positions and velocities at the start of episodes, for all worlds: (n, ...) or one row.

        `uniform(k)` gives random numbers between 0 and 1: (n, k).
        """
        return self.init_qpos, self.init_qvel

    def observation(self):
        """The observations of all worlds: (n, size)."""
        return torch.cat([self.qpos, self.qvel], 1)

    def outcome(self, action, before):
        """Rewards and terminations of every world: (n,), (n,)."""
        raise NotImplementedError(f"{type(self).__name__}.outcome is missing")

    # methods that environments call

    def snapshot(self):
        """A copy of everything that later steps depend on, in the memory of the processor."""
        own = {name: getattr(self, name) for name in (*self.fields, *self.carried)}
        return {
            **self._saved_worlds(),
            "tensors": {name: x.cpu().clone() for name, x in own.items()},
            "random": self.generator.get_state(),
        }

    def restore(self, state):
        """Takes over what `snapshot` gave, in a task with the same arguments."""
        self._restore_worlds(state)
        for name in self.fields:
            getattr(self, name).copy_(state["tensors"][name])
        for name in self.carried:
            setattr(self, name, state["tensors"][name].to(self.device).clone())
        self.generator.set_state(state["random"])

    def restart(self, over):
        """Starts episodes in the worlds of a mask."""
        qpos, qvel = self.start(self.uniform)
        values = [*self._initial]
        values[1], values[2] = qpos, qvel
        for x, value in zip(self._state, values):
            mask = over.reshape(-1, *[1] * (x.ndim - 1))
            x.copy_(torch.where(mask, value, x))
        if self.fields:
            self.batch.forward(over)

    def advance(self, action):
        """Steps all worlds, and returns the result of `outcome`; a world whose numbers went bad has
        ended."""
        before = self.before()
        self.ctrl.copy_(self.control(action))
        self.batch.step(self.frame_skip)
        reward, ended = self.outcome(action, before)
        return reward, ended | self._diverged

    @property
    def _diverged(self):
        return torch.from_dlpack(self.batch.diverged)


class VectorEnv:
    """VectorEnv(task, num_envs, *, device="cuda", max_episode_steps=None, seed=None, **settings)

    `num_envs` worlds of a task, a subclass of `Task`. Episodes that end start again in the same step:
    the observations are those of the new ones, and `infos["final_obs"]` has those of the ended.
    """

    def __init__(
        self, task, num_envs, *, device="cuda", max_episode_steps=None, seed=None, **settings
    ):
        self.task, self.num_envs = task(num_envs, device=device, **settings), num_envs
        limit = self.task.max_episode_steps
        self.max_episode_steps = limit if max_episode_steps is None else max_episode_steps
        self.device = self.task.device
        self.single_action_space = self.task.action_space()
        self.single_observation_space = self.task.observation_space()
        self._seed(seed)
        self.elapsed = torch.zeros(num_envs, dtype=torch.int64, device=self.device)

    model = property(lambda self: self.task.model, doc="The model.")
    batch = property(lambda self: self.task.batch, doc="The worlds.")
    num_actions = property(lambda self: self.task.ctrl.shape[1], doc="Numbers of an action.")

    def _seed(self, seed):
        if seed is None:
            self.task.generator.seed()
        else:
            self.task.generator.manual_seed(seed)

    def reset(self, *, seed=None):
        """Starts episodes in all worlds: observations and infos."""
        if seed is not None:
            self._seed(seed)
        self.task.restart(torch.ones_like(self.elapsed, dtype=torch.bool))
        self.elapsed.zero_()
        return self.task.observation().clone(), {}

    def stagger(self):
        """Gives episodes random ages, so that the limit of time does not end all of them at once."""
        if self.max_episode_steps is not None:
            age = self.task.uniform(1)[:, 0] * self.max_episode_steps
            self.elapsed.copy_(age.long())

    def step(self, actions):
        """Steps all worlds: observations, rewards, terminations, truncations, infos; all tensors of
        the caller's own."""
        reward, ended = self.task.advance(actions)
        self.elapsed += 1
        limit = self.max_episode_steps
        cut = torch.zeros_like(ended) if limit is None else (self.elapsed >= limit) & ~ended
        over, last = ended | cut, self.task.observation().clone()
        self.task.restart(over)
        self.elapsed.masked_fill_(over, 0)
        return self.task.observation().clone(), reward, ended, cut, {"final_obs": last}

    def snapshot(self):
        """A copy of everything that later steps depend on; `restore` continues from it with the
        same bits."""
        return {"task": self.task.snapshot(), "elapsed": self.elapsed.cpu().clone()}

    def restore(self, state):
        """Takes over what `snapshot` gave, in an environment with the same arguments."""
        if len(state["elapsed"]) != self.num_envs:
            raise ValueError(
                f"the state has {len(state['elapsed'])} environments, this has {self.num_envs}"
            )
        self.task.restore(state["task"])
        self.elapsed.copy_(state["elapsed"])

    def close(self):
        """Does nothing: the memory goes with the last reference to it."""
