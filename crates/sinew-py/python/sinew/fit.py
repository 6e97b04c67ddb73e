"""System identification: parameters of a model from a recorded trajectory.

    import sinew.fit

    result = sinew.fit.fit(model, state, ctrl, ["body_mass:forearm", "dof_damping:elbow"])
    print(result)                                   # values with their standard deviations
    result.model                                    # a copy of the model with these values

On the command line, with `qpos`, `qvel` (and `act`) before and after every step in rows, and `ctrl`
of every step:

    python -m sinew.fit recording.npz arm.xml --params body_mass:forearm dof_damping:elbow
"""

import argparse
import copy
import dataclasses

import numpy as np

from sinew._derivatives import Rollouts, parameter_shape, parameter_value
from sinew._enums import mjtObj
from sinew._functions import mj_name2id
from sinew._structs import MjModel

__all__ = ["Fit", "fit"]

# the objects that the rows of a field belong to
_OWNERS = {
    "body": mjtObj.mjOBJ_BODY,
    "dof": mjtObj.mjOBJ_JOINT,
    "jnt": mjtObj.mjOBJ_JOINT,
    "actuator": mjtObj.mjOBJ_ACTUATOR,
}


@dataclasses.dataclass(frozen=True)
class Fit:
    """The result of `fit`: values, standard deviations, and a copy of the model with the values.

    `covariance` is that of the values, in their order. `residual` is the root mean square of the
    errors of prediction, for each number of a state. `converged` says whether the last step changed
    the values by less than the tolerance.
    """

    names: tuple
    values: np.ndarray
    deviations: np.ndarray
    covariance: np.ndarray
    residual: np.ndarray
    iterations: int
    converged: bool
    model: MjModel

    def __str__(self):
        width = max(map(len, self.names))
        rows = zip(self.names, self.values, self.deviations)
        lines = [f"{name:{width}}  {value:12.6g} ± {dev:.2g}" for name, value, dev in rows]
        state = "converged" if self.converged else "not converged"
        return "\n".join([*lines, f"{state} after {self.iterations} iterations"])


class _Entry:
    """A number of a parameter: `field`, `field:object` or `field:object:column`."""

    def __init__(self, m, text):
        name, *rest = text.split(":")
        shape = parameter_shape(m, name)
        self.text, self.name = text, name
        index = list(rest)
        if index and not index[0].lstrip("-").isdigit():
            index[0] = self._row(m, index[0])
        try:
            index = tuple(int(k) for k in index)
            chosen = np.zeros(shape, bool)
            chosen[index] = True
        except (ValueError, IndexError):
            raise ValueError(f"params: '{text}' is no entry of {name}, of shape {shape}") from None
        if chosen.sum() != 1:
            raise ValueError(f"params: '{text}' names {chosen.sum()} numbers, wanted one")
        self.flat = int(np.flatnonzero(chosen)[0])

    def _row(self, m, label):
        """The row of a named object."""
        owner = self.name.split("_")[0]
        row = mj_name2id(m, _OWNERS[owner], label) if owner in _OWNERS else -1
        if row < 0:
            raise ValueError(f"params: '{self.text}': there is no {owner} '{label}'")
        return m.jnt_dofadr[row] if owner == "dof" else row


class _Problem:
    """Predictions of segments of a recording, and their derivatives by the values."""

    def __init__(self, m, state, ctrl, entries, steps):
        self.rollouts, self.entries = Rollouts.of(m), entries
        n, count = self.rollouts.nstate, len(ctrl)
        if state.ndim != 2 or state.shape != (count + 1, n):
            raise ValueError(f"state has shape {state.shape}, wanted {(count + 1, n)}")
        if count < steps:
            raise ValueError(f"ctrl has {count} steps, wanted at least {steps}")
        starts = np.arange(0, count - steps + 1, steps)
        self.state, self.after = state[starts], state[starts + steps]
        self.ctrl = np.stack([ctrl[k : k + steps] for k in starts])
        self.base = {e.name: parameter_value(m, e.name) for e in entries}

    def params(self, values):
        out = {name: base.copy() for name, base in self.base.items()}
        for entry, value in zip(self.entries, values):
            out[entry.name].reshape(-1)[entry.flat] = value
        return out

    def residual(self, values):
        """Prediction minus recording at the ends of the segments, a row for each."""
        states = self.rollouts.run(self.state, self.ctrl, self.params(values))
        return states[:, -1] - self.after

    def jacobian(self, values):
        """Derivatives of the residual by the values: (segments, nstate, values)."""
        segments, n = self.state.shape
        params = {
            name: np.broadcast_to(x, (segments, n, *x.shape))
            for name, x in self.params(values).items()
        }
        # a world for every number of the last states
        state = np.repeat(self.state[:, None], n, 1)
        ctrl = np.repeat(self.ctrl[:, None], n, 1)
        weights = np.zeros((segments, n, ctrl.shape[2], n))
        weights[:, :, -1] = np.eye(n)
        gradient = self.rollouts.vjp(state, ctrl, weights, params).params
        columns = [gradient[e.name].reshape(segments, n, -1)[..., e.flat] for e in self.entries]
        return np.stack(columns, -1)


def fit(model, state, ctrl, params, *, steps=10, iterations=30, tolerance=1e-8):
    """fit(model, state, ctrl, params, *, steps=10, iterations=30, tolerance=1e-8)

    Fits parameters to a recording by Gauss-Newton with exact derivatives, damped as Levenberg and
    Marquardt do. `state` has `qpos`, `qvel` and `act` in a row before the first step and after every
    step; `ctrl` has a row for every step.

    `params` names numbers of the model: `"opt.gravity:2"`, `"body_mass:forearm"`,
    `"actuator_gainprm:motor:0"`. The recording is cut into segments of `steps` steps. A segment
    starts at its recorded state, and its last state is predicted. Numbers of a state are weighted by
    how well they are predicted, and standard deviations follow from the same errors.
    """
    state, ctrl = np.asarray(state, float), np.asarray(ctrl, float)
    entries = [_Entry(model, text) for text in params]
    if not entries:
        raise ValueError("params: wanted at least one")
    problem = _Problem(model, state, ctrl, entries, steps)
    values = np.array([problem.base[e.name].reshape(-1)[e.flat] for e in entries])
    residual, damping, converged = problem.residual(values), 1e-6, False
    for iteration in range(1, iterations + 1):
        weights = _weights(residual)
        jacobian = problem.jacobian(values)
        normal, gradient = _normal(jacobian, residual, weights)
        values, residual, damping, change = _descend(
            problem, values, residual, weights, normal, gradient, damping
        )
        if change < tolerance:
            converged = True
            break

    # the covariance of the values
    weights = _weights(residual)
    normal, _ = _normal(problem.jacobian(values), residual, weights)
    covariance = np.linalg.pinv(normal, hermitian=True)
    fitted = copy.copy(model)
    for name, numbers in problem.params(values).items():
        _set(fitted, name, numbers)
    return Fit(
        tuple(params),
        values,
        np.sqrt(np.diag(covariance)),
        covariance,
        np.sqrt(np.mean(residual**2, 0)),
        iteration,
        converged,
        fitted,
    )


def _weights(residual):
    """Weights of the numbers of a state: the inverse of the mean square of their errors."""
    squares = np.mean(residual**2, 0)
    # numbers that are predicted exactly count no more than rounding lets them
    return 1 / np.maximum(squares, max(squares.max() * 1e-12, 1e-24))


def _normal(jacobian, residual, weights):
    """The matrix and the gradient of the weighted least squares."""
    weighted = jacobian * weights[:, None]
    normal = np.einsum("sni,snj->ij", weighted, jacobian)
    return normal, np.einsum("sni,sn->i", weighted, residual)


def _descend(problem, values, residual, weights, normal, gradient, damping):
    """A step that lowers the sum of squares, and how much it changes the values."""
    before = (residual**2 * weights).sum()
    scale = np.diag(np.maximum(np.diag(normal), 1e-300))
    for _ in range(12):
        step = np.linalg.solve(normal + damping * scale, -gradient)
        try:
            moved = problem.residual(values + step)
            after = (moved**2 * weights).sum()
        except ValueError:  # the states go bad at these values
            after = np.inf
        if after <= before:
            change = np.max(np.abs(step) / (np.abs(values) + 1e-3))
            return values + step, moved, max(damping / 10, 1e-12), change
        damping = max(10 * damping, 1e-9)
    return values, residual, damping, 0.0


def _set(m, name, numbers):
    owner, _, field = name.rpartition(".")
    getattr(m.opt if owner else m, field)[:] = numbers


def main(arguments=None):
    """The program `python -m sinew.fit`."""
    parser = argparse.ArgumentParser(
        prog="python -m sinew.fit", description=__doc__.splitlines()[0]
    )
    parser.add_argument("recording", help="an npz file with qpos, qvel, act and ctrl")
    parser.add_argument("model", help="an MJCF file")
    parser.add_argument("--params", nargs="+", required=True, metavar="FIELD:OBJECT[:COLUMN]")
    parser.add_argument("--steps", type=int, default=10, help="steps of a segment")
    parser.add_argument("--out", help="an npz file for values, deviations and covariance")
    options = parser.parse_args(arguments)
    model = MjModel.from_xml_path(options.model)
    with np.load(options.recording) as recording:
        missing = [name for name in ("qpos", "qvel", "ctrl") if name not in recording]
        if missing:
            raise SystemExit(f"{options.recording}: there is no {', '.join(missing)}")
        act = recording["act"] if "act" in recording else np.zeros((len(recording["qpos"]), 0))
        state = np.concatenate([recording["qpos"], recording["qvel"], act], 1)
        ctrl = recording["ctrl"]
    try:
        result = fit(model, state, ctrl, options.params, steps=options.steps)
    except (NotImplementedError, ValueError) as error:
        raise SystemExit(f"{options.model}: {error}") from None
    print(result)
    if options.out:
        names = np.array(result.names)
        numbers = {k: getattr(result, k) for k in ("values", "deviations", "covariance")}
        np.savez(options.out, names=names, **numbers)


if __name__ == "__main__":
    main()
