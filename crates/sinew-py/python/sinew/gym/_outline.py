"""The common part of tasks over arrays and over tensors: the model, actions and saved worlds."""

import importlib.util
import os

import numpy as np
from gymnasium import spaces

import sinew

# the parts of a state that a step depends on, the solver's warmstart among them
_ALL = sinew.mjtState.mjSTATE_INTEGRATION


class Outline:
    """A task in `n` worlds, without its observations, rewards and initial states."""

    # the model: a path, a model file of Gymnasium, or a `sinew.MjModel`
    xml_file = None
    # steps of the engine per step of the environment
    frame_skip = 1
    # fields that the task uses, besides the state's
    fields = ()
    # names of attributes that later steps depend on, for `snapshot`
    carried = ()
    max_episode_steps = None
    # names and ranges of the user's commands, which `drive` gets: (("forward", -0.5, 1.0), ...)
    commands = ()
    # length of the memory of `drive`
    last_size = 0

    def __init__(self, n, xml_file, frame_skip, **options):
        model = self.xml_file if xml_file is None else xml_file
        if not isinstance(model, sinew.MjModel):
            model = sinew.MjModel.from_xml_path(find_model(model))
        if frame_skip is not None:
            self.frame_skip = frame_skip
        self.model, self.n = model, n
        self.batch = sinew.Batch(model, n, **options)

    @property
    def dt(self):
        """Duration of a step of the environment in seconds."""
        return self.model.opt.timestep * self.frame_skip

    # methods that subclasses define

    def before(self):
        """Data from before the step that `outcome` needs; a copy, not a view."""

    def control(self, action):
        """The controls for actions, by default the actions themselves."""
        return action

    def drive(self, state, policy):
        """Controls of one robot from its state, written in PyTorch: the function that
        `drive.onnx` computes.

        `state` has the fields `time`, `qpos`, `qvel`, `act`, `ctrl`, `sensordata`, `xpos` and
        `site_xpos` as rows (1, size), and `command` with a number for each of `commands`. Its
        methods are `sensor(name)`, `tensor`, `cat` and `stack`. The function `policy` gives actions
        for observations. A result `(controls, last)` makes `last` the field `state.last` of the next
        call, at first zeros of the size `last_size`. None, the default of a task with observations
        or controls of its own, means that there is no such file.
        """
        usual = next(cls for cls in type(self).__mro__ if Outline in cls.__bases__)
        own = (type(self).observation, type(self).control)
        if own != (usual.observation, usual.control):
            return None
        return policy(state.cat(state.qpos, state.qvel))

    def action_space(self):
        """The space of the actions of one world: the ranges of the actuators."""
        low, high = self.model.actuator_ctrlrange.astype(np.float32).T
        limited = self.model.actuator_ctrllimited.astype(bool)
        low, high = np.where(limited, low, -np.inf), np.where(limited, high, np.inf)
        return spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)

    def observation_space(self):
        """The space of the observations of one world."""
        return spaces.Box(-np.inf, np.inf, tuple(self.observation().shape[1:]), np.float64)

    # the worlds, for `snapshot` and `restore`

    def _saved_worlds(self):
        """Copies of the states and parameters of all worlds, in the memory of the processor."""
        return {
            "batch": self.batch.state(_ALL),
            "parameters": {name: x.copy() for name, x in self.batch.parameters.items()},
            "has_const": self.batch.has_const,
        }

    def _restore_worlds(self, state):
        """Gives all worlds the states and parameters of `_saved_worlds`."""
        for name, values in state["parameters"].items():
            self.batch.expand(name)[:] = values
        if state["has_const"]:
            self.batch.set_const()
        self.batch.set_state(state["batch"], _ALL)


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
