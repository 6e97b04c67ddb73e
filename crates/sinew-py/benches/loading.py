"""Times of loading beside MuJoCo's: `python crates/sinew-py/benches/loading.py MODELS...`.

A model is an XML file, or a text file with a path on each line. Only models with meshes, textures or
height fields count. For each, in milliseconds of CPU time of all threads and by the clock:

- first: a load with an empty cache of assets,
- second: a load after that,
- recompile: `MjSpec.recompile` after a change of one joint (CPU time only).

The engines take turns, and the median of the rounds counts. Only a release build says anything.
"""

import argparse
import pathlib
import statistics
import sys
import time
import warnings

import mujoco
import numpy as np

import sinew

KINDS = ("first", "first by the clock", "second", "second by the clock", "recompile")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--meshes", action="store_true", help="only models with meshes")
    return parser.parse_args()


def files(paths):
    """The models, with those that are in lists."""
    for path in paths:
        if path.suffix != ".txt":
            yield path
            continue
        for line in path.read_text().split("\n"):
            if line.strip() and not line.startswith("#"):
                yield path.parent / line.strip()


def timed(call):
    """CPU time and time by the clock of a call."""
    cpu, clock = time.process_time(), time.perf_counter()
    result = call()
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    del result
    return cpu, clock


def load(engine, path):
    return engine.MjModel.from_xml_path(str(path))


def recompiled(engine, path):
    """Times of compiling again, each after another change."""
    spec = engine.MjSpec.from_file(str(path))
    model = spec.compile()
    data = engine.MjData(model)
    for i in range(3):
        if spec.joints:
            spec.joints[0].armature = 0.1 + 0.1 * i
        cpu = time.process_time()
        model, data = spec.recompile(model, data)
        yield time.process_time() - cpu


def measure(path, rounds):
    """Medians by engine and kind."""
    found = {engine: {kind: [] for kind in KINDS} for engine in (mujoco, sinew)}
    for _ in range(rounds):
        for engine, times in found.items():
            engine.mj_clearCache(engine.mj_getCache())
            for kind in ("first", "second", "second", "second"):
                cpu, clock = timed(lambda engine=engine: load(engine, path))
                times[kind].append(cpu)
                times[kind + " by the clock"].append(clock)
            times["recompile"].extend(recompiled(engine, path))
    return [[statistics.median(times[k]) for k in KINDS] for times in found.values()]


def main():
    args = arguments()
    if not sinew._sinew.OPTIMIZED:
        sys.exit("this is not a release build")
    warnings.simplefilter("ignore")
    rows = []
    print("first, second and recompile: MuJoCo, Sinew (ms of CPU time)")
    for path in files(args.models):
        try:
            m = load(mujoco, path)
            if m.nmesh + (0 if args.meshes else m.ntex + m.nhfield) == 0:
                continue
            theirs, ours = measure(path, args.rounds)
        except (ValueError, mujoco.FatalError) as error:
            print(f"# {path}: {str(error).splitlines()[0]}")
            continue
        rows.append((theirs, ours))
        pairs = (f"{1e3 * theirs[i]:8.2f} {1e3 * ours[i]:8.2f}" for i in (0, 2, 4))
        print(*pairs, "/".join(path.parts[-2:]), sep="  ", flush=True)

    # speed-ups
    speed = np.array([[t / o for t, o in zip(*row)] for row in rows])
    print(f"\nspeed-up of {len(rows)} models: geometric mean, least, 5th percentile, median")
    for kind, column in zip(KINDS, speed.T):
        mean = np.exp(np.log(column).mean())
        numbers = (mean, column.min(), np.percentile(column, 5), np.median(column))
        print(*(f"{x:7.2f}" for x in numbers), kind)


if __name__ == "__main__":
    main()
