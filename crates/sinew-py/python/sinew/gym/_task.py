"""Tasks: a model with initial states, observations and rewards."""

import copy

import numpy as np

from sinew.gym._outline import Outline


class Task(Outline):
    """Task(n, *, nthread=0, xml_file=None, frame_skip=None)

    A task in `n` worlds at once. Subclasses define it for all worlds together: arrays have a row
    for each world.

        class Balance(sinew.gym.Task):
            xml_file = "/path/to/pole.xml"
            frame_skip = 2

            def start(self, rng):
                return self.init_qpos + rng.uniform(-0.1, 0.1, self.model.nq), self.init_qvel

            def observation(self):
                return np.hstack([self.batch.qpos, self.batch.qvel])

            def outcome(self, action, before):
                fallen = abs(self.batch.qpos[:, 1]) > 0.2
                return 1.0 - fallen, fallen, {}

    The attribute `batch` is a `sinew.Batch`, which also has sensors and parameters by world.
    """

    # whether `cfrc_ext`, `cfrc_int` and `cacc` are computed
    forces = False
    # default camera, as fields of `MjvCamera`
    camera = {}
    reward_threshold = None

    def __init__(self, n, *, nthread=0, xml_file=None, frame_skip=None):
        super().__init__(n, xml_file, frame_skip, nthread=nthread)
        for name in self.fields:
            self.batch.bind(name)
        self.init_qpos, self.init_qvel = self.batch.qpos[0].copy(), self.batch.qvel[0].copy()

    # methods that subclasses define

    def start(self, rng):
        """The initial positions and velocities of an episode, for one world."""
        return self.init_qpos, self.init_qvel

    def observation(self):
        """The observations of all worlds: (n, size)."""
        return np.concatenate([self.batch.qpos, self.batch.qvel], axis=1)

    def outcome(self, action, before):
        """Rewards, terminations and infos of every world: (n,), (n,), a dictionary of arrays."""
        raise NotImplementedError(f"{type(self).__name__}.outcome is missing")

    def start_info(self):
        """Infos of worlds at the start of an episode."""
        return {}

    # methods that environments call

    def snapshot(self):
        """A copy of everything that later steps depend on."""
        return {
            **self._saved_worlds(),
            "bound": {name: x.copy() for name, x in self.batch.bound.items()},
            "carried": {name: copy.deepcopy(getattr(self, name)) for name in self.carried},
        }

    def restore(self, state):
        """Restores a `snapshot` of a task with the same arguments."""
        self._restore_worlds(state)
        # fields that were computed before the last change of the state
        for name, values in state["bound"].items():
            self.batch.bind(name)[:] = values
        for name, values in state["carried"].items():
            setattr(self, name, copy.deepcopy(values))

    def restart(self, rngs, mask=None):
        """Starts episodes in all worlds, or in those of a mask, with the random generator of each
        world."""
        batch = self.batch
        batch.reset(mask)
        for i in range(self.n) if mask is None else np.flatnonzero(mask):
            batch.qpos[i], batch.qvel[i] = self.start(rngs[i])
        batch.forward(mask)

    def advance(self, action, mask=None):
        """Steps all worlds, or those of a mask, and returns the result of `outcome`."""
        ctrl, control = self.batch.ctrl, np.asarray(self.control(action))
        if control.shape != ctrl.shape:
            raise ValueError(
                f"Action dimension mismatch. Expected {ctrl.shape[1:]}, found {control.shape[1:]}"
            )
        before = self.before()
        if mask is None:
            ctrl[:] = control
        else:
            ctrl[mask] = control[mask]
        self.batch.step(self.frame_skip, mask, forces=self.forces)
        return self.outcome(action, before)
