"""Nonlinear least squares with bounds on the variables.

Gauss-Newton with a Levenberg-Marquardt regulariser. Every step minimises the quadratic model within
the bounds (`mju_boxQP`). The regulariser grows until Armijo's rule holds, and shrinks where the
model predicts well (Bazaraa, Sherali and Shetty, *Nonlinear Programming*, section 8.6).
"""

import abc
import dataclasses
import enum
import time

import numpy as np

from sinew import _names
from sinew._functions import mju_boxQP

# fraction of the predicted decrease that a step must reach (Armijo's constant)
_ARMIJO = 1e-2
# largest relative difference between a user's derivative and finite differences
_CHECK = 1e-5


class Verbosity(enum.Enum):
    """Amount of printed and logged information."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Reason for the end of the minimisation."""

    FACTORIZATION_FAILED = 1
    NO_IMPROVEMENT = 2
    MAX_ITER = 3
    DX_TOL = 4
    G_TOL = 5


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """Log of one iteration: the point, and with full verbosity the derivatives there."""

    candidate: np.ndarray
    objective: float
    reduction: float
    regularizer: float
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """The objective as a function of the residual."""

    @abc.abstractmethod
    def value(self, r):
        """The norm of the column `r`."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """Gradient and Hessian at the column `r`: proj' g and proj' H proj."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r):
        return 0.5 * (r.T @ r).item()

    def grad_hess(self, r, proj):
        return proj.T @ r, proj.T @ proj


class _Regularizer:
    """The multiple of the identity added to the Hessian."""

    def __init__(self, least, most, factor):
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.least, self.most, self.factor = least, most, factor
        self.value, self.decreases = 0.0, 0

    def increase(self):
        self.value = max(self.least, self.factor * self.value)
        self.decreases = 0

    def decrease(self):
        """Each consecutive decrease has the square of the previous factor."""
        self.value /= self.factor ** (2**self.decreases)
        self.value = self.value if self.value >= self.least else 0.0
        self.decreases += 1


class _Problem:
    """The residual and its derivatives, with counts and times of evaluations."""

    def __init__(self, residual, jacobian, eps, bounds):
        self.function, self.derivative = residual, jacobian
        self.eps, self.bounds = np.float64(eps), bounds
        self.n_res = self.n_jac = 0
        self.t_res = self.t_jac = 0.0

    def residual(self, x):
        start = time.time()
        r = self.function(x)
        self.t_res += time.time() - start
        self.n_res += 1
        return r

    def jacobian(self, x, r):
        start = time.time()
        if self.derivative is None:
            jac, self.n_res = jacobian_fd(self.function, x, r, self.eps, self.n_res, self.bounds)
            self.t_res += time.time() - start
        else:
            jac = self.derivative(x, r)
            self.t_jac += time.time() - start
            self.n_jac += 1
        return jac


def _check_bounds(bounds, n):
    """The bounds as two columns."""
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    if any(np.size(b) != n for b in bounds):
        raise ValueError("bounds must have the same size as x0.")
    lower, upper = (np.asarray(b, np.float64).reshape(n, 1) for b in bounds)
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise ValueError("bounds must be finite.")
    if not (lower < upper).all():
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return [lower, upper]


def _check_scale(x_scale, n):
    """The sizes of the variables as a column; None if they follow from the Jacobian."""
    if isinstance(x_scale, str):
        if x_scale != "jac":
            raise ValueError(f"x_scale is '{x_scale}', wanted numbers or 'jac'.")
        return None
    sizes = np.asarray(1.0 if x_scale is None else x_scale, np.float64)
    if sizes.ndim and sizes.shape != (n,):
        raise ValueError("x_scale must be a number or have the shape (n,).")
    if not (np.isfinite(sizes).all() and (sizes > 0).all()):
        raise ValueError("x_scale must be positive and finite.")
    return np.full((n, 1), sizes) if not sizes.ndim else sizes.reshape(n, 1)


def _scale(jac):
    """Inverse norms of the columns of a Jacobian; one for a column of zeros."""
    norms = np.linalg.norm(jac, axis=0)
    return (1 / np.where(norms > 0, norms, 1)).reshape(-1, 1)


def least_squares(
    x0,
    residual,
    bounds=None,
    jacobian=None,
    norm=Quadratic(),
    eps=np.finfo(np.float64).eps ** 0.5,
    mu_min=1e-6,
    mu_max=1e8,
    mu_factor=10.0**0.1,
    xtol=1e-8,
    gtol=1e-8,
    max_iter=100,
    verbose=Verbosity.ITER,
    output=None,
    iter_callback=None,
    check_derivatives=False,
    x_scale=None,
):
    """Minimises norm(residual(x)), with x between the bounds; returns x and the log of iterations.

    x0: initial point.
    residual: maps columns of points to columns of residuals.
    bounds: lower and upper bounds of x.
    jacobian: derivative of the residual, given a point and its residual; default finite
    differences.
    norm: the objective, default half the sum of squares.
    eps: step of finite differences.
    mu_min, mu_max, mu_factor: bounds of the regulariser, and factor of its changes.
    xtol, gtol: tolerances of the step and the gradient for termination.
    max_iter: maximum number of iterations.
    verbose, output: amount of output, and its file.
    iter_callback: called with the log after every iteration.
    check_derivatives: first compare the user's derivatives with finite differences.
    x_scale: size of each variable, for the regulariser: a number, an array, or "jac" for the
    inverse norms of the columns of the Jacobian; default 1.
    """
    begin = time.time()
    verbose = Verbosity(verbose).value
    say = lambda text: print(text, file=output)
    n = x0.size
    x = x0.astype(np.float64).reshape((n, 1))
    bounds, sizes = _check_bounds(bounds, n), _check_scale(x_scale, n)
    if bounds is not None:
        x = np.clip(x, *bounds)
    if not np.isfinite(x).all():
        raise ValueError("x0 must be finite.")
    mu = _Regularizer(mu_min, mu_max, mu_factor)
    problem = _Problem(residual, jacobian, eps, bounds)
    r = problem.residual(x)
    if r.dtype != np.float64:
        raise ValueError("residual function must return float64 arrays.")

    trace, status, i = [], Status.MAX_ITER, 0

    def log(**entries):
        trace.append(IterLog(**entries))
        if iter_callback is not None:
            iter_callback(trace)

    for i in range(max_iter):
        # value and derivatives
        y = norm.value(r)
        jac = problem.jacobian(x, r)
        if i == 0 and check_derivatives:
            _check_derivatives(problem, norm, (x, r, jac), output)
        grad, hess = norm.grad_hess(r, jac)

        # the gradient of the coordinates that are not at a bound
        free = np.ones_like(x, bool)
        if bounds is not None:
            free = ~(((x == bounds[0]) & (grad > 0)) | ((x == bounds[1]) & (grad < 0)))
        size = np.linalg.norm(grad[free])
        if size <= gtol:
            status = Status.G_TOL
            if size == 0 and (verbose > 0 or not _names.is_since("4.0.0")):
                say("Zero gradient norm: exact minimum found?")
            break

        # a step with sufficient decrease
        step = _Step(x, y, grad, hess, bounds, _scale(jac) if sizes is None else sizes)
        ended = step.search(problem, norm, mu)
        if ended is not None:
            status = ended
            break
        expected = -(grad.T @ step.dx + 0.5 * step.dx.T @ hess @ step.dx).item()
        ratio = step.reduction / expected if expected > 0 else 0.0
        if expected == 0 and verbose > 0:
            say("Zero expected reduction: exact minimum found?")

        # log of the iteration
        length = np.linalg.norm(step.dx)
        if verbose >= Verbosity.ITER.value:
            power = np.log10(mu.value) if mu.value > 0 else -np.inf
            say(
                f"iter: {i:<3d}  y: {y:<9.4g}  log10mu: {power:>4.1f}  ratio: {ratio:<7.2g}  "
                f"dx: {length:<7.2g}  reduction: {step.reduction:<7.2g}"
            )
        details = {"residual": r, "jacobian": jac, "grad": grad, "step": step.dx}
        entries = {"candidate": x, "objective": y, "reduction": step.reduction}
        entries["regularizer"] = mu.value
        log(**entries, **(details if verbose >= Verbosity.FULLITER.value else {}))

        # the next point
        if length < xtol * (xtol + np.linalg.norm(x)):
            status = Status.DX_TOL
            if _names.is_since("4.0.0"):
                # the step has been accepted
                x, r = step.x, step.r
            break
        if ratio > 0.75:
            mu.decrease()
        elif ratio < 0.25:
            mu.increase()
        x, r = step.x, step.r

    # the last point
    final = {"candidate": x, "objective": norm.value(r), "reduction": 0.0, "regularizer": mu.value}
    if verbose >= Verbosity.FULLITER.value:
        jac = problem.jacobian(x, r)
        final |= {"residual": r, "jacobian": jac, "grad": norm.grad_hess(r, jac)[0]}
    log(**final)
    if verbose > Verbosity.SILENT.value:
        _report(problem, (i, status, final["objective"]), time.time() - begin, say)
    return x.reshape(x0.shape), trace


class _Step:
    """Search for a step from one point."""

    def __init__(self, x, y, grad, hess, bounds, sizes):
        self.x0, self.y0, self.grad, self.sizes = x, y, grad, sizes
        # the problem in variables of size one
        self.slope, self.hess = sizes * grad, sizes * hess * sizes.T
        self.lower, self.upper = (
            (None, None) if bounds is None else ((b - x) / sizes for b in bounds)
        )
        self.scaled = np.zeros_like(x)

    def search(self, problem, norm, mu):
        """Finds the step; returns the reason if there is none."""
        n = self.x0.size
        scratch = np.zeros((n, n + 7))
        while True:
            regular = self.hess + mu.value * np.eye(n)
            box = (self.lower, self.upper)
            if mju_boxQP(self.scaled, scratch, None, regular, self.slope, *box) < 0:
                failure = Status.FACTORIZATION_FAILED
            else:
                self.dx = self.sizes * self.scaled
                self.x = self.x0 + self.dx
                self.r = problem.residual(self.x)
                self.reduction = self.y0 - norm.value(self.r)
                if self.reduction + _ARMIJO * (self.grad.T @ self.dx).item() >= 0:
                    return None
                failure = Status.NO_IMPROVEMENT
            if mu.value >= mu.most:
                return failure
            mu.increase()


def _report(problem, outcome, total, say):
    """Prints the reason for the end and the times."""
    i, status, y = outcome
    text = f"Terminated after {i} iterations: {_MESSAGES[status]} y: {y:<.4g}, "
    text += f"Residual evals: {problem.n_res:d}"
    if problem.n_jac:
        text += f", Jacobian evals: {problem.n_jac:d}"
    say(text)
    if total > 0:
        span = f"{total:<.1f}s" if total > 1 else f"{1000 * total:<.1f}ms"
        text = f"total time {span} of which residual {100 * problem.t_res / total:<.1f}%"
        if problem.t_jac:
            text += f" Jacobian {100 * problem.t_jac / total:<.1f}%"
        say(text)


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
    """The Jacobian of the residual by finite differences, with the updated count of evaluations.

    Steps point away from the nearer bound. The steps are exact differences of two floating-point
    numbers.
    """
    nudge = np.full_like(x, eps)
    if bounds is not None:
        nudge[bounds[1] - x < x - bounds[0]] *= -1
    nudge *= np.maximum(1.0, np.abs(x))
    # between narrow bounds the step ends at the farther one
    moved = x + nudge if bounds is None else np.clip(x + nudge, *bounds)
    points = np.where(np.eye(x.size, dtype=bool), moved, x)
    jac = (residual(points) - r) / (moved - x).T
    return jac, n_res + x.size


def _check_derivatives(problem, norm, point, output):
    x, r, jac = point
    if problem.derivative is not None:
        count = problem.n_res
        arguments = (problem.eps, count, problem.bounds, output)
        problem.n_res = check_jacobian(problem.function, x, r, jac, *arguments)
    if not isinstance(norm, Quadratic):
        check_norm(r, norm, problem.eps, output)


def check_jacobian(residual, x, r, jac, eps, n_res, bounds=None, output=None, name="Jacobian"):
    """Compares a derivative with finite differences; returns the updated count of evaluations."""
    differences, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    if _names.is_since("4.0.0") and not np.isfinite(differences).all():
        raise ValueError(f"Finite-difference {name} must contain finite numbers.")
    scale = np.abs(jac).sum() + np.abs(differences).sum() + 1e-8
    if not np.isfinite(scale) or (np.abs(jac - differences) > _CHECK * scale).any():
        raise ValueError(
            f"User-provided {name} does not match finite-differences to a relative tolerance of 1e-5."
        )
    print(f"User-provided {name} matches finite-differences.", file=output)
    return n_res


def check_norm(r, norm, eps, output=None):
    """Compares the derivatives of a norm with finite differences."""
    eye = np.eye(r.size)
    grad, hess = norm.grad_hess(r, eye)
    if _names.is_since("4.0.0") and not np.isfinite(hess).all():
        raise ValueError("User-provided norm Hessian must contain finite numbers.")
    if not np.allclose(hess, hess.T):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    least = np.linalg.eigvals(hess).min()
    if least < 0:
        raise ValueError(
            f"User-provided norm Hessian is not positive definite. Minimum eigenvalue is {least:<.4g}"
        )
    by_columns = lambda f: lambda v: np.hstack([np.atleast_2d(f(c[:, None])) for c in v.T])
    value = by_columns(norm.value)
    gradient = by_columns(lambda c: norm.grad_hess(c, eye)[0])
    check_jacobian(value, r, value(r), grad.T, eps, 0, None, output, "norm gradient")
    check_jacobian(gradient, r, grad, hess, eps, 0, None, output, "norm Hessian")
