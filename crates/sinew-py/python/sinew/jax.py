"""Steps and rollouts for JAX, with gradients, under `jit`, `grad` and `vmap`.

    import sinew.jax

    after = sinew.jax.step(model, state, ctrl)                         # one step
    states = sinew.jax.rollout(model, state, ctrls)                    # (..., steps, nstate)
    loss = lambda mass: sinew.jax.rollout(model, state, ctrls, {"body_mass": mass})[-1, 2]
    jax.jit(jax.grad(loss))(mass)

Steps are callbacks (`jax.pure_callback`) on the processor in double precision, on all cores.
Results have the type of `state`: single precision, unless `jax_enable_x64` is set.
"""

import functools

import numpy as _np

try:
    import jax as _jax
    import jax.numpy as _jnp
except ImportError as error:
    raise ImportError("sinew.jax needs JAX: pip install jax") from error

from sinew._derivatives import Rollouts, parameter_shape

__all__ = ["rollout", "step"]


def step(model, state, ctrl, params=None):
    """step(model, state, ctrl, params=None)

    The state after a step: `qpos`, `qvel` and `act`, in the shape of `state`.

    `state` has shape (..., nstate) and `ctrl` (..., nu), with the same leading dimensions: the
    worlds. `params` has arrays by the names of the model's fields, for all worlds or with the
    leading dimensions. `model` is an `MjModel`, or `sinew.Rollouts` for a number of threads.
    """
    return rollout(model, state, _jnp.asarray(ctrl)[..., None, :], params)[..., 0, :]


def rollout(model, state, ctrl, params=None):
    """rollout(model, state, ctrl, params=None)

    The states after every step: (..., steps, nstate). `ctrl` has shape (..., steps, nu); the other
    arguments are those of `step`.
    """
    rollouts = Rollouts.of(model)
    state, ctrl = _floats(state), _floats(ctrl)
    lead, expanded = state.shape[:-1], {}
    for name, values in (params or {}).items():
        field, values = parameter_shape(rollouts.model, name), _floats(values)
        # shared inputs get the sum of the gradients of all worlds
        shared = values.shape == field
        expanded[name] = _jnp.broadcast_to(values, lead + field) if shared else values
    return _rollout(model, state, ctrl, expanded)


def _floats(values):
    values = _jnp.asarray(values)
    return values if _jnp.issubdtype(values.dtype, _jnp.floating) else values.astype(float)


@functools.partial(_jax.custom_vjp, nondiff_argnums=(0,))
def _rollout(model, state, ctrl, params):
    def run(state, ctrl, params):
        states = Rollouts.of(model).run(*_numbers(state, ctrl, params))
        return states.astype(state.dtype)

    shape = (*ctrl.shape[:-1], state.shape[-1])
    out = _jax.ShapeDtypeStruct(shape, state.dtype)
    return _jax.pure_callback(run, out, state, ctrl, params, vmap_method="broadcast_all")


def _forward(model, state, ctrl, params):
    return _rollout(model, state, ctrl, params), (state, ctrl, params)


def _backward(model, inputs, by_states):
    def vjp(state, ctrl, params, by_states):
        state_, ctrl_, params_ = _numbers(state, ctrl, params)
        by_states = _np.asarray(by_states, _np.float64)
        gradient = Rollouts.of(model).vjp(state_, ctrl_, by_states, params_)
        by_params = {name: x.astype(params[name].dtype) for name, x in gradient.params.items()}
        return gradient.state.astype(state.dtype), gradient.ctrl.astype(ctrl.dtype), by_params

    out = _jax.tree.map(lambda x: _jax.ShapeDtypeStruct(x.shape, x.dtype), inputs)
    return _jax.pure_callback(vjp, out, *inputs, by_states, vmap_method="broadcast_all")


_rollout.defvjp(_forward, _backward)


def _numbers(state, ctrl, params):
    """Arrays of JAX as numbers."""
    return _jax.tree.map(lambda x: _np.asarray(x, _np.float64), (state, ctrl, params))
