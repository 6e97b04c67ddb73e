"""Tasks: a model with initial states, observations and rewards."""

import copy
import importlib.util
import os

import numpy as np
from gymnasium import spaces

import sinew

# the parts of a state that a step depends on, the solver's warmstart among them
_ALL = sinew.mjtState.mjSTATE_INTEGRATION


class Task:
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

    # the model: a path, a model file of Gymnasium, or a `sinew.MjModel`
    xml_file = None
    # steps of the engine per step of the environment
    frame_skip = 1
    # whether `cfrc_ext`, `cfrc_int` and `cacc` are computed
    forces = False
    # fields that `observation`, `before` and `outcome` use, besides the state's
    fields = ()
    # names of attributes that later steps depend on, for `snapshot`
    carried = ()
    # default camera, as fields of `MjvCamera`
    camera = {}
    max_episode_steps = None
    reward_threshold = None

    def __init__(self, n, *, nthread=0, xml_file=None, frame_skip=None):
        model = self.xml_file if xml_file is None else xml_file
        if not isinstance(model, sinew.MjModel):
            model = sinew.MjModel.from_xml_path(find_model(model))
        if frame_skip is not None:
            self.frame_skip = frame_skip
        self.model, self.n = model, n
        self.batch = sinew.Batch(model, n, nthread=nthread)
        for name in self.fields:
            self.batch.bind(name)
        self.init_qpos, self.init_qvel = self.batch.qpos[0].copy(), self.batch.qvel[0].copy()

    @property
    def dt(self):
        """Duration of a step of the environment in seconds."""
        return self.model.opt.timestep * self.frame_skip

    # methods that subclasses define

    def start(self, rng):
        """The initial positions and velocities of an episode, for one world."""
        return self.init_qpos, self.init_qvel

    def observation(self):
        """The observations of all worlds: (n, size)."""
        return np.concatenate([self.batch.qpos, self.batch.qvel], axis=1)

    def before(self):
        """Data from before the step that `outcome` needs; a copy, not a view."""

    def outcome(self, action, before):
        """Rewards, terminations and infos of every world: (n,), (n,), a dictionary of arrays."""
        raise NotImplementedError(f"{type(self).__name__}.outcome is missing")

    def start_info(self):
        """Infos of worlds at the start of an episode."""
        return {}

    def control(self, action):
        """The controls for actions, by default the actions themselves."""
        return action

    # names and ranges of the user's commands, which `drive` gets: (("forward", -0.5, 1.0), ...)
    commands = ()

    def drive(self, state, policy):
        """Controls of one robot from its state, written in PyTorch: the function that
        `drive.onnx` computes.

        `state` has the fields `time`, `qpos`, `qvel`, `act`, `ctrl`, `sensordata`, `xpos` and
        `site_xpos` as rows (1, size), `command` with a number for each of `commands`, and
        the methods `sensor(name)`, `tensor`, `cat` and `stack`. The function `policy` gives actions for observations. A result
        `(controls, last)` makes `last` the field `state.last` of the next call, at first zeros of
        the size `last_size`. None, the default of a task with observations or controls of its own,
        means that there is no such file.
        """
        own = (type(self).observation, type(self).control)
        if own != (Task.observation, Task.control):
            return None
        return policy(state.cat(state.qpos, state.qvel))

    # how many numbers `drive` remembers
    last_size = 0

    def action_space(self):
        """The space of the actions of one world: the ranges of the actuators."""
        return actuator_ranges(self.model)

    def observation_space(self):
        """The space of the observations of one world."""
        return spaces.Box(-np.inf, np.inf, self.observation().shape[1:], np.float64)

    # methods that environments call

    def snapshot(self):
        """A copy of everything that later steps depend on."""
        return {
            "batch": self.batch.state(_ALL),
            "parameters": {name: x.copy() for name, x in self.batch.parameters.items()},
            "has_const": self.batch.has_const,
            "bound": {name: x.copy() for name, x in self.batch.bound.items()},
            "carried": {name: copy.deepcopy(getattr(self, name)) for name in self.carried},
        }

    def restore(self, state):
        """Restores a `snapshot` of a task with the same arguments."""
        for name, values in state["parameters"].items():
            self.batch.expand(name)[:] = values
        if state["has_const"]:
            self.batch.set_const()
        self.batch.set_state(state["batch"], _ALL)
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


def actuator_ranges(model):
    """The space of controls: the ranges of the actuators."""
    low, high = model.actuator_ctrlrange.astype(np.float32).T
    limited = model.actuator_ctrllimited.astype(bool)
    low, high = np.where(limited, low, -np.inf), np.where(limited, high, np.inf)
    return spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)


def find_model(path):
    """The path of a model: as given, or among Gymnasium's files."""
    if path is None:
        raise ValueError("a task needs a model: set `xml_file`")
    path = os.path.expanduser(os.fspath(path))
    if os.path.isabs(path) or path.startswith("."):
        return path
    spec = importlib.util.find_spec("gymnasium")
    for folder in spec.submodule_search_locations:
        found = os.path.join(folder, "envs", "mujoco", "assets", path)
        if os.path.exists(found):
            return found
    raise FileNotFoundError(
        f"'{path}' is not among the models that come with Gymnasium in "
        f"{list(spec.submodule_search_locations)}: pip install 'gymnasium>=1.0', or give a path that "
        "begins with / or ."
    )
