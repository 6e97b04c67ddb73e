"""Time of exact derivatives beside MuJoCo's finite differences, on one thread.

    python crates/sinew-py/benches/derivatives.py [--mujoco PYTHON] [--gradient] [model.xml ...]

The default models are those of this repository. Every model makes 100 steps first, so that its
contacts are there. All engines then differentiate the same state: Sinew by `transition`, MuJoCo by
`mjd_transitionFD`, centred and forward. The fastest round counts.

`--mujoco` names the interpreter of another version of MuJoCo, and may be given again. `--gradient`
measures a gradient through 1,000 steps of 64 worlds instead, its memory included.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

MODELS = pathlib.Path(__file__).parents[3] / "models"
WORLDS, STEPS = 64, 1000


def settled(engine, m, steps=100):
    """A state after some steps with constant controls, from the first keyframe."""
    d = engine.MjData(m)
    if m.nkey:
        engine.mj_resetDataKeyframe(m, d, 0)
    rng = np.random.default_rng(0)
    d.ctrl = d.ctrl + 0.1 * rng.standard_normal(m.nu)
    d.qvel = 0.1 * rng.standard_normal(m.nv)
    for _ in range(steps):
        engine.mj_step(m, d)
    return {name: getattr(d, name).tolist() for name in ("qpos", "qvel", "act", "ctrl")}


def fastest(call, seconds=0.5):
    """The shortest time of a call in microseconds."""
    call()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times)


def differences(engine, file, state):
    """Times of centred and forward differences of an engine."""
    m = engine.MjModel.from_xml_path(file)
    d = engine.MjData(m)
    for name, values in state.items():
        setattr(d, name, values)
    engine.mj_forward(m, d)
    n = 2 * m.nv + m.na
    a, b = np.zeros((n, n)), np.zeros((n, m.nu))
    call = lambda centred: engine.mjd_transitionFD(m, d, 1e-6, centred, a, b, None, None)
    return [fastest(lambda: call(centred)) for centred in (True, False)]


def child(path):
    """Prints the times of the installed package `mujoco`, for a list of files and states."""
    import mujoco

    with open(path) as text:
        out = [differences(mujoco, file, state) for file, state in json.load(text)]
    print(json.dumps([mujoco.__version__, out]))


def race(files, interpreters):
    """Prints a row for every model and the geometric means."""
    import sinew

    jobs, own = [], []
    for file in files:
        m = sinew.MjModel.from_xml_path(file)
        state = settled(sinew, m)
        d = sinew.MjData(m)
        for name, values in state.items():
            setattr(d, name, values)
        try:
            sinew.transition(m, d, sensors=False)
        except NotImplementedError as reason:
            print(f"{pathlib.Path(file).stem}: {reason}")
            continue
        own.append((m.nv, d.nefc, fastest(lambda: sinew.transition(m, d, sensors=False))))
        jobs.append((file, state))
    with tempfile.NamedTemporaryFile("w", suffix=".json") as text:
        json.dump(jobs, text)
        text.flush()
        for interpreter in [sys.executable, *interpreters]:
            command = [interpreter, __file__, "--child", text.name]
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            table(jobs, own, *json.loads(out))


def table(jobs, own, version, theirs):
    print(
        f"\n| model | dofs | rows | Sinew, µs | MuJoCo {version} centred, µs | forward, µs | times |"
    )
    print("|---|---|---|---|---|---|---|")
    ratios = [[], []]
    for (file, _), (nv, rows, mine), times in zip(jobs, own, theirs):
        both = [t / mine for t in times]
        for kept, ratio in zip(ratios, both):
            kept.append(ratio)
        name = pathlib.Path(file).stem
        print(f"| {name} | {nv} | {rows} | {mine:.1f} | {times[0]:.1f} | {times[1]:.1f} ", end="")
        print(f"| {both[0]:.1f}, {both[1]:.1f} |")
    means = [statistics.geometric_mean(kept) for kept in ratios]
    least = [min(kept) for kept in ratios]
    print(f"geometric means: {means[0]:.1f} centred, {means[1]:.1f} forward; ", end="")
    print(f"least: {least[0]:.1f}, {least[1]:.1f}")


def gradient(files):
    """Prints time and memory of a gradient through many steps of many worlds."""
    import sinew

    print(f"| model | states of {WORLDS} worlds, {STEPS} steps, s | gradient, s | memory, MiB |")
    print("|---|---|---|---|")
    for file in files:
        m = sinew.MjModel.from_xml_path(file)
        rollouts = sinew.Rollouts(m)
        start = np.concatenate([settled(sinew, m)[name] for name in ("qpos", "qvel", "act")])
        state = np.tile(start, (WORLDS, 1))
        ctrl = 0.1 * np.random.default_rng(0).standard_normal((WORLDS, STEPS, m.nu))
        try:
            begin = time.perf_counter()
            states = rollouts.run(state, ctrl)
            middle = time.perf_counter()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            rollouts.vjp(state, ctrl, states)
            end = time.perf_counter()
        except (NotImplementedError, ValueError) as reason:
            print(f"| {pathlib.Path(file).stem}: {reason} | | | |")
            continue
        memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        name = pathlib.Path(file).stem
        print(f"| {name} | {middle - begin:.2f} | {end - middle:.2f} | {memory:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=sorted(map(str, MODELS.glob("*.xml"))))
    parser.add_argument("--mujoco", action="append", default=[], metavar="PYTHON")
    parser.add_argument("--gradient", action="store_true")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.child)
    elif options.gradient:
        gradient(options.models)
    else:
        race(options.models, options.mujoco)


if __name__ == "__main__":
    main()
