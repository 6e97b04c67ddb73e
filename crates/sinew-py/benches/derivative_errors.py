"""Errors of exact derivatives beside extrapolated differences, by class of model.

    python crates/sinew-py/benches/derivative_errors.py [--states N] [model.xml ...]

The default models are those of this repository. Each has some states: after a while of simulation,
away from the switches of contacts and limits. Every column of A and B is compared with central
differences that are extrapolated to step zero (Ridders). Errors are relative to the largest entry
of the column. Columns are left out where the differences do not agree with each other.
"""

import argparse
import collections
import pathlib

import numpy as np

import sinew

MODELS = pathlib.Path(__file__).parents[3] / "models"
# the longest steps of differences that are tried, and how often each is halved
LONGEST, HALVINGS = (1e-5, 1e-4, 1e-3, 1e-2), 4
# distances from switches, in metres and in metres per square second
GAP, ACCELERATION = 1e-4, 1e-2
# the largest disagreement of differences that can be a judge
SURE = 1e-7


def states(m, count):
    """Data at states of a simulation with random controls."""
    rng = np.random.default_rng(0)
    d = sinew.MjData(m)
    if m.nkey:
        sinew.mj_resetDataKeyframe(m, d, 0)
    d.qvel = 0.1 * rng.standard_normal(m.nv)
    for _ in range(count):
        d.ctrl = 0.2 * rng.standard_normal(m.nu)
        for _ in range(30):
            sinew.mj_step(m, d)
        yield d


def kind(m, d):
    """The class of a state, by its constraint rows."""
    types = set(d.efc_type[: d.nefc].tolist())
    T = sinew.mjtConstraint
    contact = {
        T.mjCNSTR_CONTACT_FRICTIONLESS,
        T.mjCNSTR_CONTACT_PYRAMIDAL,
        T.mjCNSTR_CONTACT_ELLIPTIC,
    }
    if types & {int(t) for t in contact}:
        return "contacts, elliptic" if m.opt.cone else "contacts, pyramidal"
    if int(T.mjCNSTR_EQUALITY) in types:
        return "equalities"
    return "limits and dry friction" if types else "no rows"


class Differences:
    """Steps from a state whose inputs are changed, many at once."""

    def __init__(self, m, d):
        self.m, self.n = m, 2 * m.nv + m.na
        self.start = {name: getattr(d, name).copy() for name in ("qpos", "qvel", "act", "ctrl")}
        self.batch = sinew.Batch(m, 2 * (self.n + m.nu))

    def central(self, h):
        """A and B, side by side, by central differences."""
        m, batch, nv = self.m, self.batch, self.m.nv
        batch.reset()
        for name, values in self.start.items():
            getattr(batch, name)[:] = values
        rows = {"qvel": nv, "act": 2 * nv, "ctrl": self.n}
        for k in range(self.n + m.nu):
            for world, by in ((2 * k, -h), (2 * k + 1, h)):
                if k < nv:
                    sinew.mj_integratePos(m, batch.qpos[world], np.eye(nv)[k], by)
                    continue
                name = "ctrl" if k >= self.n else "act" if k >= 2 * nv else "qvel"
                getattr(batch, name)[world, k - rows[name]] += by
        batch.step()
        out = np.zeros((self.n, self.n + m.nu))
        for k in range(self.n + m.nu):
            move = np.zeros(nv)
            sinew.mj_differentiatePos(m, move, 2 * h, batch.qpos[2 * k], batch.qpos[2 * k + 1])
            rest = [
                (getattr(batch, x)[2 * k + 1] - getattr(batch, x)[2 * k]) / (2 * h)
                for x in ("qvel", "act")
            ]
            out[:, k] = np.concatenate([move, *rest])
        return out

    def best(self):
        """The best extrapolation of every column, and how much it differs from the next best."""
        found, doubt = None, None
        for longest in LONGEST:
            value, apart, scale = self.ridders(longest)
            if found is None:
                found, doubt = value, apart
                continue
            # longer steps may agree with each other on the far side of a kink
            same = np.abs(value - found).max(0) / scale < np.maximum(10 * doubt, 1e-9)
            better = same & (apart < doubt)
            found[:, better], doubt[better] = value[:, better], apart[better]
        return found, doubt

    def ridders(self, longest):
        """The extrapolation that agrees best with its neighbours, by how much, and the scale."""
        row = [self.central(longest / 2**k) for k in range(HALVINGS)]
        scale = np.maximum(np.abs(row[-1]).max(0), 1e-3)
        found, doubt, factor = row[-1].copy(), np.full(len(scale), np.inf), 1
        while len(row) > 1:
            factor *= 4
            better = [(factor * b - a) / (factor - 1) for a, b in zip(row, row[1:])]
            for a, b, c in zip(row, row[1:], better):
                apart = np.maximum(abs(c - a).max(0), abs(c - b).max(0)) / scale
                closer = apart < doubt
                found[:, closer], doubt[closer] = c[:, closer], apart[closer]
            row = better
        return found, doubt, scale


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=sorted(map(str, MODELS.glob("*.xml"))))
    parser.add_argument("--states", type=int, default=5)
    options = parser.parse_args()
    errors, worst = collections.defaultdict(list), {}
    counts = collections.Counter()
    for file in options.models:
        try:
            m = sinew.MjModel.from_xml_path(file)
        except Exception as reason:
            print(f"{file}: {type(reason).__name__}")
            continue
        m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations = 0, 200, 200
        try:
            compare(m, pathlib.Path(file).stem, options.states, errors, worst, counts)
        except (NotImplementedError, ValueError) as reason:
            print(f"{pathlib.Path(file).stem}: {reason}")
    print(
        "\n| class | columns | median | 99th percentile | largest | of |\n|---|---|---|---|---|---|"
    )
    for name, values in sorted(errors.items()):
        percentiles = [f"{x:.0e}" for x in np.percentile(values, [50, 99, 100])]
        print(f"| {name} | {len(values)} | {' | '.join(percentiles)} | {worst[name][1]} |")
    print(f"{counts['near']} of {counts['states']} states near a switch, ", end="")
    print(f"{counts['unsure']} columns whose differences disagree")


def compare(m, label, count, errors, worst, counts):
    """Adds the errors of the columns at some states of a model."""
    if m.nv + m.na + m.nu == 0:
        return
    for d in states(m, count):
        found = sinew.transition(m, d, sensors=False)
        counts["states"] += 1
        if found.gap < GAP or found.acceleration < ACCELERATION:
            counts["near"] += 1
            continue
        name = kind(m, d)
        wanted, doubt = Differences(m, d).best()
        scale = np.maximum(np.abs(wanted).max(0), 1e-3)
        apart = (np.abs(np.hstack([found.A, found.B]) - wanted) / scale).max(0)
        sure = doubt < SURE
        counts["unsure"] += int((~sure).sum())
        errors[name] += apart[sure].tolist()
        if sure.any() and apart[sure].max() >= worst.get(name, (0, ""))[0]:
            worst[name] = apart[sure].max(), label


if __name__ == "__main__":
    main()
