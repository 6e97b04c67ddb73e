"""States of worlds on a GPU against those of the same kernel on the processor, bit for bit.

usage: gpu_bits.py MODEL... [--steps 200] [--many 4096] [--every 4] [--seconds 600]

Every model that the kernel covers is stepped on the GPU in both precisions, with 1 and 7 worlds.
Further runs have the 7 in another order, and masses by world. States and results of the last step
are compared. Every fourth one is stepped with many worlds too. The exit status is 1 if a bit
differs.
"""

import argparse
import sys
import time

import numpy as np

import sinew


# results of steps that are compared beside the state
RESULTS = ("xpos", "geom_xmat", "cacc", "qfrc_constraint", "sensordata")


def states(m, n, device, dtype, steps, order=None, masses=False):
    """Positions, velocities and results after the steps, as bytes of every world."""
    rng = np.random.default_rng(7)
    qvel, ctrl = 0.1 * rng.standard_normal((n, m.nv)), 0.3 * rng.standard_normal((n, m.nu))
    batch = sinew.Batch(m, n, device=device, dtype=dtype)
    order = np.arange(n) if order is None else order
    if m.nv:
        batch.qvel = qvel[order]
    if m.nu:
        batch.ctrl = ctrl[order]
    if masses:
        batch.expand("body_mass")[:] *= np.linspace(0.8, 1.2, n)[order, None]
    known = batch._fields()
    arrays = [batch.bind(name) for name in ("qpos", "qvel", *RESULTS) if name in known]
    batch.step(steps)
    return [b"".join(x.tobytes() for x in world) for world in zip(*(x.numpy() for x in arrays))]


def agrees(m, steps, many):
    """Whether all runs of a model have the same bits."""
    for dtype in (np.float64, np.float32):
        for n in (1, 7):
            native = states(m, n, "kernel", dtype, steps)
            if any(states(m, n, "cuda", dtype, steps) != native for _ in range(2)):
                return False
        order = np.random.default_rng(3).permutation(7)
        if states(m, 7, "cuda", dtype, steps, order) != [native[i] for i in order]:
            return False
        own = [states(m, 7, device, dtype, steps, masses=True) for device in ("cuda", "kernel")]
        if own[0] != own[1]:
            return False
    return not many or states(m, many, "cuda", np.float64, 50) == states(
        m, many, "kernel", np.float64, 50
    )


def main():
    """Prints the models that differ, and how many are covered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--many", type=int, default=4096)
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=600)
    options = parser.parse_args()
    begin, covered, different, seen = time.monotonic(), 0, [], 0
    for path in options.models:
        if time.monotonic() - begin > options.seconds:
            break
        seen += 1
        binary = path.endswith(".mjb")
        m = (sinew.MjModel.from_binary_path if binary else sinew.MjModel.from_xml_path)(path)
        try:
            sinew.Batch(m, 1, device="kernel")
        except RuntimeError as refused:
            print(f"{path}: {refused}")
            continue
        many = options.many if covered % options.every == 0 else 0
        covered += 1
        if not agrees(m, options.steps, many):
            different.append(path)
    print(f"{seen} of {len(options.models)} models seen, {covered} covered, {len(different)} differ")
    for path in different:
        print("differs:", path)
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
