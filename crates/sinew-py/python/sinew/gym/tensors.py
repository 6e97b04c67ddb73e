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
tests.
"""

import numpy as np
import torch

import sinew


class Task:
    """Task(n, *, device="cuda", dtype=np.float32, xml_file=None, frame_skip=None)

    A task in `n` worlds of a `sinew.DeviceBatch`, the attribute `batch`. Fields of the state, such as
    `qpos` and `ctrl`, and the results of steps in `fields` are attributes: tensors with a row for
    each world that share the memory of the worlds.
    """

    # the model: a path, or a `sinew.MjModel`
    xml_file = None
    # steps of the engine per step of the environment
    frame_skip = 1
    # results of steps that the task uses, such as `xpos` and `sensordata`
    fields = ()
    max_episode_steps = None

    def __init__(
        self, n, *, device="cuda", dtype=np.float32, xml_file=None, frame_skip=None, nthread=0
    ):
        model = self.xml_file if xml_file is None else xml_file
        if not isinstance(model, sinew.MjModel):
            model = sinew.MjModel.from_xml_path(model)
        if frame_skip is not None:
            self.frame_skip = frame_skip
        self.model, self.n = model, n
        self.batch = sinew.Batch(model, n, device=device, dtype=dtype, nthread=nthread)
        if not isinstance(self.batch, sinew.DeviceBatch):
            raise ValueError("worlds on the processor: see sinew.gym.VectorEnv")
        names = ("time", "qpos", "qvel", "act", "ctrl", "qacc_warmstart")
        for name in (*names, *self.fields):
            setattr(self, name, torch.from_dlpack(self.batch.bind(name)))
        self.device, self.dtype = self.qpos.device, self.qpos.dtype
        # what an episode starts from
        self._state = [getattr(self, name) for name in names]
        self._initial = [x[0].clone() for x in self._state]
        self.init_qpos, self.init_qvel = self._initial[1], self._initial[2]

    @property
    def dt(self):
        """Duration of a step of the environment in seconds."""
        return self.model.opt.timestep * self.frame_skip

    # methods that subclasses define

    def start(self, uniform):
        """Positions and velocities at the start of episodes, for all worlds: (n, ...) or one row.

        `uniform(k)` gives random numbers between 0 and 1: (n, k).
        """
        return self.init_qpos, self.init_qvel

    def observation(self):
        """The observations of all worlds: (n, size)."""
        return torch.cat([self.qpos, self.qvel], 1)

    def before(self):
        """Data from before the step that `outcome` needs; a copy, not a view."""

    def outcome(self, action, before):
        """Rewards and terminations of every world: (n,), (n,)."""
        raise NotImplementedError(f"{type(self).__name__}.outcome is missing")

    def control(self, action):
        """The controls for actions, by default the actions themselves."""
        return action

    # methods that environments call

    def restart(self, over, generator):
        """Starts episodes in the worlds of a mask."""

        def uniform(size):
            shape = (self.n, size)
            return torch.rand(shape, generator=generator, device=self.device, dtype=self.dtype)

        qpos, qvel = self.start(uniform)
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
        self._generator = torch.Generator(self.device)
        self._seed(seed)
        self.elapsed = torch.zeros(num_envs, dtype=torch.int64, device=self.device)

    model = property(lambda self: self.task.model, doc="The model.")
    batch = property(lambda self: self.task.batch, doc="The worlds.")
    num_actions = property(lambda self: self.task.ctrl.shape[1], doc="Numbers of an action.")

    def _seed(self, seed):
        if seed is None:
            self._generator.seed()
        else:
            self._generator.manual_seed(seed)

    def reset(self, *, seed=None):
        """Starts episodes in all worlds: observations and infos."""
        if seed is not None:
            self._seed(seed)
        self.task.restart(torch.ones_like(self.elapsed, dtype=torch.bool), self._generator)
        self.elapsed.zero_()
        return self.task.observation().clone(), {}

    def step(self, actions):
        """Steps all worlds: observations, rewards, terminations, truncations, infos; all tensors of
        the caller's own."""
        reward, ended = self.task.advance(actions)
        self.elapsed += 1
        limit = self.max_episode_steps
        cut = torch.zeros_like(ended) if limit is None else (self.elapsed >= limit) & ~ended
        over, last = ended | cut, self.task.observation().clone()
        self.task.restart(over, self._generator)
        self.elapsed.masked_fill_(over, 0)
        return self.task.observation().clone(), reward, ended, cut, {"final_obs": last}
