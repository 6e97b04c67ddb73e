"""Steps and rollouts for PyTorch, with gradients.

    import sinew.torch

    state = torch.zeros(64, model.nq + model.nv + model.na, dtype=torch.float64)
    after = sinew.torch.step(model, state, ctrl)                       # one step of 64 worlds
    states = sinew.torch.rollout(model, state, ctrls)                  # (64, steps, nstate)
    states = sinew.torch.rollout(model, state, ctrls, {"body_mass": mass})
    states[:, -1].square().sum().backward()                            # mass.grad, ctrls.grad

Steps are made on the processor in double precision, on all cores. Results have the type and the
device of `state`.
"""

try:
    import torch as _torch
except ImportError as error:
    raise ImportError("sinew.torch needs PyTorch: pip install torch") from error

from sinew._derivatives import Rollouts, parameter_shape

__all__ = ["rollout", "step"]


def step(model, state, ctrl, params=None):
    """step(model, state, ctrl, params=None)

    The state after a step: `qpos`, `qvel` and `act`, in the shape of `state`.

    `state` has shape (..., nstate) and `ctrl` (..., nu), with the same leading dimensions: the
    worlds. `params` has tensors by the names of the model's fields, for all worlds or with the
    leading dimensions. `model` is an `MjModel`, or `sinew.Rollouts` for a number of threads.
    """
    return rollout(model, state, ctrl.unsqueeze(-2), params).squeeze(-2)


def rollout(model, state, ctrl, params=None):
    """rollout(model, state, ctrl, params=None)

    The states after every step: (..., steps, nstate). `ctrl` has shape (..., steps, nu); the other
    arguments are those of `step`.
    """
    rollouts, params = Rollouts.of(model), params or {}
    lead, expanded = state.shape[:-1], []
    for name, values in params.items():
        field = parameter_shape(rollouts.model, name)
        # shared inputs get the sum of the gradients of all worlds
        expanded.append(values.expand(lead + field) if values.shape == field else values)
    return _Rollout.apply(rollouts, tuple(params), state, ctrl, *expanded)


class _Rollout(_torch.autograd.Function):
    """A rollout and its products."""

    @staticmethod
    def forward(ctx, rollouts, names, state, ctrl, *params):
        ctx.rollouts, ctx.names = rollouts, names
        ctx.save_for_backward(state, ctrl, *params)
        ctx.save_for_forward(state, ctrl, *params)
        state_, ctrl_, *params_ = map(_numbers, (state, ctrl, *params))
        return _tensor(rollouts.run(state_, ctrl_, dict(zip(names, params_))), state)

    @staticmethod
    @_torch.autograd.function.once_differentiable
    def backward(ctx, by_states):
        inputs = ctx.saved_tensors
        state, ctrl, *params = map(_numbers, inputs)
        named = dict(zip(ctx.names, params))
        gradient = ctx.rollouts.vjp(state, ctrl, _numbers(by_states), named)
        outputs = (gradient.state, gradient.ctrl, *gradient.params.values())
        return None, None, *map(_tensor, outputs, inputs)

    @staticmethod
    def jvp(ctx, _rollouts, _names, by_state, by_ctrl, *by_params):
        if any(change is not None for change in by_params):
            raise NotImplementedError("params: no derivatives in forward mode, use backward mode")
        inputs = ctx.saved_tensors
        state, ctrl, *params = map(_numbers, inputs)
        zeros = lambda change, like: like * 0 if change is None else _numbers(change)
        changes = zeros(by_state, state), zeros(by_ctrl, ctrl)
        named = dict(zip(ctx.names, params))
        return _tensor(ctx.rollouts.jvp(state, ctrl, *changes, named), inputs[0])


def _numbers(tensor):
    """A tensor as numbers of the processor."""
    return tensor.detach().to("cpu", _torch.float64).numpy()


def _tensor(numbers, like):
    """Numbers as a tensor of the type and on the device of another."""
    return _torch.from_numpy(numbers).to(like)
