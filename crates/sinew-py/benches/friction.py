"""Races exact friction against MuJoCo's Newton solver with elliptic cones, on the same scenes.

    cargo run --profile dist -p sinew-bench --example friction_cost write DIR
    python crates/sinew-py/benches/friction.py DIR

needs the wheel and mujoco==3.5.0. Each engine runs a scene some times, in turns. The fastest run of
each step counts, by the processor's time of the thread; the result is the median over the steps.
"""

import argparse
import time
import warnings
from pathlib import Path

import mujoco
import sinew

# of the wall the ball comes first, on a joint that slides
BALL_SPEED = 5.0


def load(engine, path, option):
    xml = path.read_text().replace("<mujoco>", f"<mujoco><option {option}/>", 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return engine.MjModel.from_xml_string(xml)


def run(engine, model, warmup, times):
    """One run: each step's time, if it is less than before."""
    data = engine.MjData(model)
    if model.jnt_type[0] == engine.mjtJoint.mjJNT_SLIDE:
        data.qvel[0] = BALL_SPEED
    for _ in range(warmup):
        engine.mj_step(model, data)
    for k in range(len(times)):
        start = time.thread_time_ns()
        engine.mj_step(model, data)
        times[k] = min(times[k], (time.thread_time_ns() - start) / 1e3)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    entries = (
        ("MuJoCo", mujoco, "cone='elliptic'"),
        ("Newton", sinew, "cone='elliptic'"),
        ("exact", sinew, "coulomb='exact'"),
    )
    print(f"{'scene':<24}" + "".join(f"{name + ' us':>12}" for name, *_ in entries), end="")
    print(f"{'over MuJoCo':>13}{'over Newton':>13}{'worst/median':>14}")
    for path in sorted(args.folder.glob("*.xml")):
        scene, warmup, steps = path.stem.rsplit(" ", 2)
        models = [load(engine, path, option) for _, engine, option in entries]
        times = [[float("inf")] * int(steps) for _ in entries]
        for _ in range(args.runs):
            for (_, engine, _), model, each in zip(entries, models, times):
                run(engine, model, int(warmup), each)
        median = [sorted(each)[len(each) // 2] for each in times]
        print(f"{scene:<24}" + "".join(f"{x:>12.1f}" for x in median), end="")
        ratios = median[2] / median[0], median[2] / median[1], max(times[2]) / median[2]
        print(f"{ratios[0]:>13.2f}{ratios[1]:>13.2f}{ratios[2]:>14.1f}")


if __name__ == "__main__":
    main()
