"""Writes docs/conformance.md: stage by stage, how close Sinew is to MuJoCo on the models of this repository.

    python tests/conformance/table.py

Runs every stage alone on MuJoCo's own inputs, as the suite does, and counts instead of judging.
"""
import pathlib
import tempfile
from operator import attrgetter

import mujoco
import numpy as np
import sinew

import stages
import test_models

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "conformance.md"
HEAD = """# Conformance

This table shows the agreement of every stage with MuJoCo 3.5.0, over {models} models of this repository
with three states each. `python tests/conformance/table.py` writes the page.

Each stage runs alone: both engines get MuJoCo's model and MuJoCo's inputs, and outputs are filled
with NaN first. *Equal* is the share of numbers with the same bits. *Worst* is the largest
difference, relative to the largest number of the field.

| stage | fields | models | numbers | equal | worst |
|---|---|---:|---:|---:|---:|
"""
TAIL = """
`cargo xtask ci conformance` runs the whole suite, which has no list of known failures. The suite
also takes the MJCF files of `dm_control` and `gymnasium`, and random models. Further tests compare
every field of the compiled model, constraint rows, solvers, whole trajectories and errors.
"""


class Count:
    def __init__(self):
        self.models, self.numbers, self.equal, self.worst = set(), 0, 0, 0.0

    def add(self, name, want, got):
        want, got = np.asarray(want, float).ravel(), np.asarray(got, float).ravel()
        self.models.add(name)
        if want.shape != got.shape:
            self.worst = np.inf
            return
        same = (want == got) | (np.isnan(want) & np.isnan(got))
        self.numbers += want.size
        self.equal += int(same.sum())
        finite = np.abs(want[np.isfinite(want)])
        scale = max(finite.max() if finite.size else 0.0, 1e-6)
        if not same.all():
            self.worst = max(self.worst, float(np.max(np.where(same, 0.0, np.abs(want - got)) / scale)))


def stage_counts(name, want, counts):
    """Adds the stages of a model."""
    with tempfile.TemporaryDirectory() as folder:
        binary = str(pathlib.Path(folder) / "model.mjb")
        mujoco.mj_saveModel(want, binary)
        ours = sinew.MjModel.from_binary_path(binary)
    d, mine = mujoco.MjData(want), sinew.MjData(ours)
    rng = np.random.default_rng(7)
    for size in (0, 0.1, 1.0):
        sinew.mj_resetData(ours, mine)
        stages.random_state(mujoco, want, d, rng, size)
        mujoco.mj_forward(want, d)
        mujoco.mj_energyPos(want, d)
        mujoco.mj_energyVel(want, d)
        mujoco.mj_subtreeVel(want, d)
        names = stages.array_fields(d)
        for stage in stages.STAGES:
            arrays = {f for f in stage.fields() if not f.startswith("contact.")}
            known = set(names) | {"time", "energy", "ncon", "nefc", "nisland"}
            if arrays - known or not test_models.judged(stage, want, d):
                continue
            stages.copy_fields(names, d, mine)
            if stage.name == "passive" and want.nflex:
                mine._set_list("contact", stages.contact_bytes(d))
                mine.ncon = d.ncon
            if stage.poison and not want.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP:
                test_models.poison(mine, arrays - stages.SPARSELY_WRITTEN)
            stage.run(mujoco, want, d)
            stage.run(sinew, ours, mine)
            for field in stage.fields():
                if field not in stages.SPARSELY_WRITTEN:
                    counts[stage.name].add(name, attrgetter(field)(d), attrgetter(field)(mine))


def main():
    counts = {stage.name: Count() for stage in stages.STAGES}
    models = 0
    for path in sorted((ROOT / "models").rglob("*.xml")) + sorted((ROOT / "models").rglob("*.urdf")):
        if "parts" in path.parts:
            continue
        try:
            want = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            # plugins that MuJoCo's package does not load
            continue
        models += 1
        try:
            stage_counts(path.stem, want, counts)
        except mujoco.FatalError:
            continue
    lines = []
    for stage in stages.STAGES:
        count = counts[stage.name]
        fields = ["contact" if f.startswith("contact.") else f for f in stage.fields() if f not in stages.SPARSELY_WRITTEN]
        fields = ", ".join(f"`{f}`" for f in dict.fromkeys(fields))
        share = 100 * count.equal / max(count.numbers, 1)
        equal = "100 %" if count.equal == count.numbers else f"{share:.2f} %"
        worst = "0" if count.worst == 0 else f"{count.worst:.0e}"
        lines.append(f"| {stage.name} | {fields} | {len(count.models)} | {count.numbers:,} | {equal} | {worst} |")
    PAGE.write_text(HEAD.format(models=models) + "\n".join(lines) + "\n" + TAIL)
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
