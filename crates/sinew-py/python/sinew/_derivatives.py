"""Derivatives of steps: matrices of one step, and rollouts of many worlds with their gradients."""

import weakref
from typing import NamedTuple

import numpy as np

from sinew import _sinew
from sinew._structs import MjModel

# engines of the models that functions were called with, without keeping the models alive
_ENGINES = weakref.WeakKeyDictionary()


class Transition(NamedTuple):
    """The result of `transition`: a step as dx' = A dx + B du, and its sensors as C dx + D du."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray | None
    D: np.ndarray | None
    gap: float
    acceleration: float


class RolloutGradient(NamedTuple):
    """The result of `Rollouts.vjp`: gradients in the shapes of the arguments."""

    state: np.ndarray
    ctrl: np.ndarray
    params: dict


def transition(m, d, *, sensors=True):
    """transition(m, d, *, sensors=True)

    The exact derivatives of a step, without finite differences: a named tuple of A, B, C, D, `gap`
    and `acceleration`. The matrices have the meaning and the shapes of `mjd_transitionFD`. `gap` is
    the distance of the nearest limit or contact from the margin where it begins. `acceleration` is
    the smallest change of a row's acceleration that changes its branch.

    A part of the model without derivative is a `NotImplementedError` that names it. Without
    `sensors` C and D are None.
    """
    matrices, gap, acceleration = _sinew._transition(m, d, sensors)
    return Transition(*matrices, gap, acceleration)


class Rollouts:
    """Rollouts(model, *, nthread=0)

    Rollouts of many worlds on `nthread` threads (0 for all cores), and products with their
    derivatives. A state is `qpos`, `qvel` and `act`, one after another: `nstate` numbers.

        rollouts = sinew.Rollouts(model)
        states = rollouts.run(state, ctrl)            # (worlds, steps, nstate)
        gradient = rollouts.vjp(state, ctrl, 2 * states)
        gradient.ctrl                                 # (worlds, steps, nu)

    `state` has shape (..., nstate) and `ctrl` (..., steps, nu), with the same leading dimensions:
    the worlds. `params` has parameters of the model by name, such as `{"body_mass": mass}`: in the
    shape of the field for all worlds, or with the leading dimensions. `Rollouts.PARAMETERS` lists
    their names.

    Every call takes the model as it is then. Every world has the same bits for any number of
    threads. Other settings, such as `mocap_pos`, are those of the initial state.
    """

    PARAMETERS = tuple(_sinew.PARAMETERS)

    def __init__(self, model, *, nthread=0):
        if not isinstance(model, MjModel):
            raise TypeError(f"model is a {type(model).__name__}, wanted an MjModel")
        self._model, self._engine = model, _sinew.Rollouts(nthread)

    @classmethod
    def of(cls, model):
        """Rollouts of a model; those of one model share their threads."""
        if isinstance(model, cls):
            return model
        if not isinstance(model, MjModel):
            raise TypeError(f"model is a {type(model).__name__}, wanted an MjModel or Rollouts")
        if model not in _ENGINES:
            _ENGINES[model] = _sinew.Rollouts(0)
        self = cls.__new__(cls)
        self._model, self._engine = model, _ENGINES[model]
        return self

    model = property(lambda self: self._model, doc="The model.")
    nthread = property(lambda self: self._engine.nthread, doc="Number of threads.")

    @property
    def nstate(self):
        """Numbers of a state: `nq` + `nv` + `na`."""
        m = self._model
        return m.nq + m.nv + m.na

    def run(self, state, ctrl, params=None):
        """The states after every step: (..., steps, nstate)."""
        inputs = _Inputs(self, state, ctrl, params)
        return self._engine.run(self._model, inputs).reshape(inputs.states_shape)

    def vjp(self, state, ctrl, by_states, params=None):
        """The gradients by `state`, `ctrl` and `params` from that by the states after every step.

        Gradients by parameters that all worlds share are sums over the worlds. A gradient of n
        steps keeps about 2 √n states of a world.
        """
        inputs = _Inputs(self, state, ctrl, params)
        by_states = _array("by_states", by_states, inputs.states_shape)
        by_state, by_ctrl, by_params = self._engine.vjp(self._model, inputs, by_states.reshape(-1))
        return RolloutGradient(
            by_state.reshape(inputs.state_shape),
            by_ctrl.reshape(inputs.ctrl_shape),
            inputs.params_gradient(by_params),
        )

    def jvp(self, state, ctrl, change_of_state, change_of_ctrl, params=None):
        """The changes of the states after every step, where `state` and `ctrl` change."""
        inputs = _Inputs(self, state, ctrl, params)
        state = _array("change_of_state", change_of_state, inputs.state_shape).reshape(-1)
        ctrl = _array("change_of_ctrl", change_of_ctrl, inputs.ctrl_shape).reshape(-1)
        out = self._engine.jvp(self._model, inputs, state, ctrl)
        return out.reshape(inputs.states_shape)

    def __repr__(self):
        return f"<sinew.Rollouts: states of {self.nstate} numbers, {self.nthread} threads>"


class _Inputs:
    """The inputs of a call: flat arrays for the extension module, and their shapes."""

    def __init__(self, rollouts, state, ctrl, params):
        m, n = rollouts.model, rollouts.nstate
        state, ctrl = _array("state", state), _array("ctrl", ctrl)
        if state.ndim < 1 or state.shape[-1] != n:
            raise ValueError(
                f"state has shape {state.shape}, wanted (..., {n}): qpos, qvel and act"
            )
        lead = state.shape[:-1]
        if ctrl.ndim < 2 or ctrl.shape[:-2] != lead or ctrl.shape[-1] != m.nu:
            wanted = ", ".join([*map(str, lead), "steps", str(m.nu)])
            raise ValueError(f"ctrl has shape {ctrl.shape}, wanted ({wanted})")
        self.state_shape, self.ctrl_shape = state.shape, ctrl.shape
        self.states_shape = (*ctrl.shape[:-1], n)
        self.worlds, self.steps = int(np.prod(lead)), ctrl.shape[-2]
        if self.worlds == 0:
            raise ValueError(f"state has shape {state.shape}, wanted at least one world")
        self.start, self.ctrl = state.reshape(-1), ctrl.reshape(-1)

        # parameters, those of all worlds repeated
        self.params, self._shapes, self._lead = [], {}, lead
        for name, values in (params or {}).items():
            field = parameter_shape(m, name)
            values = _array(name, values)
            if values.shape not in (field, lead + field):
                wanted = f"{field} or {lead + field}" if lead else f"{field}"
                raise ValueError(f"{name} has shape {values.shape}, wanted {wanted}")
            self._shapes[name] = values.shape
            self.params.append((name, np.broadcast_to(values, lead + field).reshape(-1)))

    def params_gradient(self, gradients):
        """Gradients by parameters in the shapes that the parameters have."""
        out = {}
        for (name, shape), gradient in zip(self._shapes.items(), gradients):
            rows = gradient.reshape(self.worlds, -1)
            shared = rows.size != np.prod(shape, dtype=int)
            out[name] = (rows.sum(0) if shared else rows).reshape(shape)
        return out


def parameter_shape(m, name):
    """The shape of a parameter of a model."""
    if name not in Rollouts.PARAMETERS:
        known = ", ".join(Rollouts.PARAMETERS)
        raise ValueError(f"params: no gradients by {name!r}; there are {known}")
    return np.shape(parameter_value(m, name))


def parameter_value(m, name):
    """A copy of the present value of a parameter."""
    owner = m
    for part in name.split("."):
        owner = getattr(owner, part)
    return np.array(owner)


def _array(name, values, shape=None):
    """Finite numbers, in a shape if one is given."""
    try:
        values = np.asarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: wanted an array of numbers: {error}") from None
    if shape is not None and values.shape != shape:
        raise ValueError(f"{name} has shape {values.shape}, wanted {shape}")
    finite = np.isfinite(values)
    if not finite.all():
        place = tuple(int(k) for k in np.argwhere(~finite)[0])
        raise ValueError(f"{name} is not finite at {place}")
    return values


for _name in (Rollouts, RolloutGradient, Transition, transition):
    _name.__module__ = "sinew"
