"""Steps per second of batches on a GPU, by model, number of worlds and kind of number.

usage: gpu.py MODEL... [--device cuda] [--worlds 256 4096 8192 32768] [--steps 200] [--each 1]

Every world starts from keyframe 0 (or `qpos0`) and gets controls of its own, changed every 25 steps. 100 steps are not
counted. A call steps `--each` times. The rates are those of users: each call waits for the GPU and looks at its flags.
"""

import argparse
import time

import numpy as np

import sinew


def controls(m, rng, n):
    """Controls around those of keyframe 0, within their ranges."""
    low, high = m.actuator_ctrlrange.T
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = np.where(limited, low, -1), np.where(limited, high, 1)
    middle = m.key_ctrl[0] if m.nkey else (low + high) / 2
    return np.clip(middle + 0.15 * (high - low) * rng.standard_normal((n, m.nu)), low, high)


def run(batch, sets, steps, each):
    """Seconds of the steps, without those of new controls."""
    took = 0.0
    for i in range(0, steps, 25):
        batch.ctrl = sets[i // 25 % len(sets)]
        begin = time.perf_counter()
        for _ in range(25 // each):
            batch.step(each)
        took += time.perf_counter() - begin
    return took


def main():
    """Prints a line for each model, kind of number and number of worlds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--worlds", nargs="+", type=int, default=[256, 4096, 8192, 32768])
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--each", type=int, default=1, choices=[1, 5, 25])
    options = parser.parse_args()
    for path in options.models:
        binary = path.endswith(".mjb")
        m = (sinew.MjModel.from_binary_path if binary else sinew.MjModel.from_xml_path)(path)
        for dtype in (np.float64, np.float32):
            for n in options.worlds:
                begin, rng = time.perf_counter(), np.random.default_rng(1)
                batch = sinew.Batch(m, n, device=options.device, dtype=dtype)
                if m.nkey:
                    batch.reset(keyframe=0)
                first = time.perf_counter() - begin
                sets = [controls(m, rng, n) for _ in range(4)]
                run(batch, sets, 100, options.each)
                took = run(batch, sets, options.steps, options.each)
                bad = int(batch.diverged.numpy().sum())
                print(
                    f"{path} {np.dtype(dtype).name} {n} worlds: {n * options.steps / took:,.0f} steps/s, "
                    f"{took / options.steps * 1e6:.0f} us a step, made in {first:.2f} s, diverged {bad}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
