"""Time of exact derivatives beside MuJoCo's finite differences, on one thread.

    python crates/sinew-py/benches/derivatives.py [--least 20] [--floor 5] [--mujoco PYTHON]
        [--rounds 9] [--library FILE] [--gradient] [model.xml ...]

The default models are those of this repository. Every model makes 100 steps first, so that its
contacts are there. Both engines then differentiate the same state in one process, in turns: Sinew
by `transition`, MuJoCo by `mjd_transitionFD`, centred and forward. A time is the median of the CPU
time of some rounds, and the ratios are those of the round's neighbours.

`--library` names the library of the crate `sinew-bench`, which is called without the package:

    cargo build --profile dist --package sinew-bench

`--mujoco` names the interpreter of another version of MuJoCo, and may be given again. The faster
version counts. `--least` and `--floor` fail when the geometric mean or a model is below.
`--gradient` measures a gradient through 1,000 steps of 64 worlds instead, its memory included.
"""

import argparse
import ctypes
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import numpy as np

MODELS = pathlib.Path(__file__).parents[3] / "models"
WORLDS, STEPS = 64, 1000
FIELDS = ("qpos", "qvel", "act", "ctrl")
# seconds that the calls of one measurement take at least
SPAN = 0.01


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
    return {name: getattr(d, name).tolist() for name in FIELDS}


def at(engine, m, state):
    """Data at a state, after forward dynamics."""
    d = engine.MjData(m)
    for name, values in state.items():
        setattr(d, name, values)
    engine.mj_forward(m, d)
    return d


def timer(call):
    """A function that returns the CPU time of a call in microseconds."""
    call()
    start = time.thread_time()
    call()
    times = max(1, round(SPAN / max(time.thread_time() - start, 1e-7)))

    def measure():
        start = time.thread_time()
        for _ in range(times):
            call()
        return 1e6 * (time.thread_time() - start) / times

    return measure


def package(file, state):
    """A function that returns the time of a call of the package."""
    import sinew

    m = sinew.MjModel.from_xml_path(file)
    d = at(sinew, m, state)
    return timer(lambda: sinew.transition(m, d, sensors=False))


def in_library(path, file, state, sizes):
    """A function that returns the time of a call of a library."""
    library = ctypes.CDLL(path)
    library.sh_open.restype = ctypes.c_void_p
    library.sh_open.argtypes = [
        ctypes.c_char_p,
        ctypes.c_int,
        ctypes.c_uint64,
        ctypes.c_double,
        ctypes.c_char_p,
        ctypes.c_int,
    ]
    library.sh_set.argtypes = [ctypes.c_void_p] * 5
    library.sh_transition.restype = ctypes.c_double
    library.sh_transition.argtypes = [ctypes.c_void_p, ctypes.c_int] + [ctypes.c_void_p] * 2
    reason = ctypes.create_string_buffer(1000)
    handle = library.sh_open(os.fsencode(file), -1, 1, 0.0, reason, len(reason))
    if not handle:
        raise ValueError(reason.value.decode())
    arrays = [np.array(state[name], dtype=float) for name in FIELDS]
    library.sh_set(handle, *(array.ctypes.data for array in arrays))
    n, nu = sizes
    a, b = np.zeros((n, n)), np.zeros((n, nu))

    def call(times):
        took = library.sh_transition(handle, times, a.ctypes.data, b.ctypes.data)
        if took < 0:
            raise NotImplementedError("a part of the model has no derivative")
        return took

    call(1)
    times = max(1, round(1e6 * SPAN / max(call(1), 0.1)))
    return lambda: call(times)


def race(file, options):
    """Times of one model in microseconds: a row of three for each round."""
    import mujoco

    theirs = mujoco.MjModel.from_xml_path(file)
    state = settled(mujoco, theirs)
    other = at(mujoco, theirs, state)
    n = 2 * theirs.nv + theirs.na
    a, b = np.zeros((n, n)), np.zeros((n, theirs.nu))

    def differences(centred):
        mujoco.mjd_transitionFD(theirs, other, 1e-6, centred, a, b, None, None)

    if options.library:
        mine = in_library(options.library, file, state, (n, theirs.nu))
    else:
        mine = package(file, state)
    timers = [mine, timer(lambda: differences(True)), timer(lambda: differences(False))]
    times = [[measure() for measure in timers] for _ in range(options.rounds)]
    return {"dofs": theirs.nv, "rows": int(other.nefc), "times": times}


def child(options):
    """Prints the version of the installed package `mujoco` and a result or a reason by file."""
    import mujoco

    out = {}
    for file in options.models:
        try:
            out[file] = race(file, options)
        except Exception as reason:
            out[file] = {"reason": f"{type(reason).__name__}: {reason}".splitlines()[0]}
    print(json.dumps([mujoco.__version__, out]))


def race_all(options):
    """The results of all versions of MuJoCo, by version."""
    env, arguments = dict(os.environ), ["--rounds", str(options.rounds), *options.models]
    if options.library:
        arguments += ["--library", os.path.abspath(options.library)]
    else:
        import sinew

        env["PYTHONPATH"] = str(pathlib.Path(sinew.__file__).parents[1])
    results = {}
    for interpreter in [sys.executable, *options.mujoco]:
        command = [interpreter, __file__, "--child", *arguments]
        out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=env)
        version, found = json.loads(out.stdout.splitlines()[-1])
        results[version] = found
    return results


def table(files, results):
    """Prints a row for each model; the ratios to the faster MuJoCo, centred and forward."""
    print("| model | dofs | rows | Sinew, µs | centred, µs | forward, µs | times | times |")
    print("|---|---|---|---|---|---|---|---|")
    kept = {}
    for file in files:
        name = label(file)
        found = [result[file] for result in results.values()]
        reasons = [result["reason"] for result in found if "reason" in result]
        if reasons:
            print(f"| {name} | | | | | | {reasons[0]} | |")
            continue
        medians = [list(map(statistics.median, zip(*result["times"]))) for result in found]
        ratios = [
            [statistics.median(row[k] / row[0] for row in result["times"]) for k in (1, 2)]
            for result in found
        ]
        kept[name] = ratio = [min(column) for column in zip(*ratios)]
        mine, *theirs = [min(column) for column in zip(*medians)]
        print(f"| {name} | {found[0]['dofs']} | {found[0]['rows']} | {mine:.1f} ", end="")
        print(f"| {theirs[0]:.0f} | {theirs[1]:.0f} | {ratio[0]:.1f} | {ratio[1]:.1f} |")
    return kept


def label(file):
    """The name of a model: that of its folder where the file has a general name."""
    path = pathlib.Path(file)
    return path.parent.name if path.stem.startswith("scene") else path.stem


def judge(kept, versions, least, floor):
    """Prints the geometric means; whether they and all models are high enough."""
    good = True
    for k, kind in enumerate(("centred", "forward")):
        ratios = {name: ratio[k] for name, ratio in kept.items()}
        mean, worst = statistics.geometric_mean(ratios.values()), min(ratios, key=ratios.get)
        print(f"{kind} differences of MuJoCo {' and '.join(versions)}: ", end="")
        print(f"geometric mean {mean:.1f} of {len(ratios)} models, ", end="")
        print(f"least {ratios[worst]:.1f} ({worst})")
        good &= mean >= least and ratios[worst] >= floor
    return good


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
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--least", type=float, default=0, help="least geometric mean")
    parser.add_argument("--floor", type=float, default=0, help="least ratio of a model")
    parser.add_argument("--library", help="library of sinew-bench, instead of the package")
    parser.add_argument("--gradient", action="store_true")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options)
    elif options.gradient:
        gradient(options.models)
    else:
        results = race_all(options)
        kept = table(options.models, results)
        if not kept or not judge(kept, results, options.least, options.floor):
            sys.exit(1)


if __name__ == "__main__":
    main()
