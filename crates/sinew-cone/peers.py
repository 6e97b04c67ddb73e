"""Pinocchio's contact solvers on the problems that `timing -- write FOLDER` has written.

usage: peers.py FOLDER

Needs Pinocchio 4 (`pip install pin`), which nothing else does. For each family: the share of
problems that a solver brings to our residual or to 1e-8, whichever is larger, under Coulomb's law.
Two further columns compare time: the share solved faster than by us, and the median of the solver's
time over ours. Residuals are computed here, from the problem alone.
"""

import collections
import pathlib
import sys
import time

import numpy as np
import pinocchio

SOLVED = 1e-8
ITERATIONS = 5000
RUNS = 3


def read(path):
    """Our time and residual, friction, b and A of a problem, by contacts with the normal first."""
    numbers = np.fromfile(path)
    contacts, seconds, residual = int(numbers[0]), numbers[1], numbers[2]
    n = 3 * contacts
    mu, b, a = np.split(numbers[3:], [contacts, contacts + n])
    return seconds, residual, mu, b, a.reshape(n, n)


def residual(a, b, mu, x):
    """|λ - Π(λ - ĝ)| over max(1, |λ|∞), ĝ with De Saxcé's correction."""
    g = (a @ x - b).reshape(-1, 3)
    g[:, 0] += mu * np.hypot(g[:, 1], g[:, 2])
    x = x.reshape(-1, 3)
    p = x - g
    tangent = np.hypot(p[:, 1], p[:, 2])
    inside, beyond = tangent <= mu * p[:, 0], mu * tangent <= -p[:, 0]
    normal = (p[:, 0] + mu * tangent) / (1 + mu * mu)
    scale = mu * normal / np.where(tangent > 0, tangent, 1)
    surface = np.stack([normal, scale * p[:, 1], scale * p[:, 2]], axis=1)
    nearest = np.where(inside[:, None], p, np.where(beyond[:, None], 0, surface))
    return np.linalg.norm(x - nearest) / max(1, np.abs(x).max())


class Peer:
    """A solver of Pinocchio; its normals come last."""

    def __init__(self, kind, rule=None):
        self.solver = getattr(pinocchio, kind + "ConstraintSolver")()
        self.result = getattr(pinocchio, kind + "SolverResult")()
        self.settings = getattr(pinocchio, kind + "SolverSettings")()
        self.settings.max_iterations = ITERATIONS
        for name in dir(self.settings):
            if name.endswith("_tol"):
                setattr(self.settings, name, 1e-10 if name.startswith("absolute") else 0.0)
        if rule:
            self.settings.admm_update_rule = getattr(pinocchio.ADMMUpdateRule, rule)

    def solve(self, a, b, mu):
        """Impulses and the least time of a few runs."""
        order = np.arange(len(b)).reshape(-1, 3)[:, [1, 2, 0]].ravel()
        model = pinocchio.Model()
        joint = model.addJoint(0, pinocchio.JointModelFreeFlyer(), pinocchio.SE3.Identity(), "body")
        models, datas = pinocchio.StdVec_ConstraintModel(), pinocchio.StdVec_ConstraintData()
        for friction in mu:
            contact = pinocchio.PointContactConstraintModel(model, joint)
            contact.setFriction(float(friction))
            models.append(pinocchio.ConstraintModel(contact))
            datas.append(models[-1].createData())
        best = np.inf
        for _ in range(RUNS):
            delassus = pinocchio.DelassusOperatorDense(a[np.ix_(order, order)])
            self.solver.reset()
            self.result.reset()
            start = time.perf_counter()
            self.solver.solve(delassus, -b[order], models, datas, self.settings, self.result)
            best = min(best, time.perf_counter() - start)
        x = np.empty_like(b)
        x[order] = self.result.retrieveConstraintImpulses()
        return x, best


def main():
    peers = {
        "ADMM": Peer("ADMM", "SPECTRAL"),
        "ADMM, OSQP": Peer("ADMM", "OSQP"),
        "PGS": Peer("PGS"),
    }
    families = collections.defaultdict(list)
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.bin")):
        families[path.stem.rsplit(" ", 1)[0]].append(path)
    titles = [f"{peer:>10} {'solved':>6} {'faster':>6}" for peer in peers]
    print(f"{'':24} {'problems':>8} {'ours':>5} " + " ".join(titles))
    for name, paths in families.items():
        problems = [read(path) for path in paths]
        ours = sum(problem[1] <= SOLVED for problem in problems)
        line = f"{name:24} {len(paths):8} {ours:5}"
        for peer in peers.values():
            solved, faster, ratios = 0, 0, []
            for seconds, error, mu, b, a in problems:
                x, taken = peer.solve(a, b, mu)
                good = residual(a, b, mu, x) <= max(SOLVED, error)
                solved += good
                faster += good and taken < seconds
                ratios.append(taken / seconds)
            line += f" {np.median(ratios):10.1f} {solved:6} {faster:6}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
