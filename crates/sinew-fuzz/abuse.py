"""Writes invalid values to arrays and settings of models and states from Python.

    python abuse.py sinew FIRST COUNT FOLDER
    python abuse.py mujoco FIRST COUNT FOLDER

Every case writes a few invalid values, calls a few functions, and ends with a result or a Python
exception. Cases run one after the other in a child process with limits. A child that dies or hangs
is replaced. The same number gives the same kind of case in both engines. The output has the number
of cases that succeeded, raised an exception of each kind, killed the process, or exceeded the time
limit.
"""

import collections
import copy
import functools
import importlib
import multiprocessing
import pathlib
import random
import re
import resource
import sys
import time
import warnings

import numpy as np

SECONDS = 5.0
BYTES = 6 << 30
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
NAMES = ["pendulum.xml", "double_pendulum.xml", "arm.xml", "gripper.xml", "tendons.xml", "muscles.xml"]
NAMES += [f"features/{name}.xml" for name in (
    "actuators", "contacts", "delays", "equality", "flex", "hfields", "joints", "keyframes", "meshes", "sensors",
    "sensor_contacts", "sleep_init", "tendon_paths", "skin", "textures", "plugin_pid")]
INTEGERS = [-1, 0, 1, 2, 7, 99, 1000, 2**31 - 1, -(2**31)]
FLOATS = [0.0, -1.0, 1e308, -1e308, 1e-308, float("nan"), float("inf"), -float("inf"), 1e10]
CALLS = ["mj_step", "mj_forward", "mj_inverse", "mj_step1", "mj_step2", "mj_kinematics", "mj_collision", "mj_makeConstraint",
         "mj_fwdPosition", "mj_fwdVelocity", "mj_fwdAcceleration", "mj_fwdConstraint", "mj_sensorPos", "mj_sensorVel",
         "mj_sensorAcc", "mj_energyPos", "mj_rnePostConstraint", "mj_comPos", "mj_tendon", "mj_passive", "mj_island",
         "mj_resetData", "mj_setConst", "mj_transmission", "mj_subtreeVel", "mj_camlight"]
# text of a panic
PANIC = re.compile("panicked|out of bounds|out of range for|with overflow|capacity overflow|`(Option|Result)::|slice|by zero"
                   "|assertion|unreachable")
# number of cases between reports of a child
REPORTED = 50
# names that affect the process or the random numbers of the case
KEPT = {"bind"}


@functools.cache
def public(kind):
    return [name for name in dir(kind) if not name.startswith("_") and name not in KEPT]


def write_array(rng, owner):
    """Writes invalid values to one of the arrays."""
    for _ in range(30):
        array = getattr(owner, rng.choice(public(type(owner))), None)
        if isinstance(array, np.ndarray) and array.size and array.dtype.kind in "iuf":
            value = rng.choice(INTEGERS if array.dtype.kind in "iu" else FLOATS)
            value = np.array(value).astype(array.dtype)
            if rng.random() < 0.1:
                array[...] = value
            else:
                array.flat[rng.randrange(array.size)] = value
            return


def write_setting(rng, owner):
    """Writes an invalid value to one of the settings."""
    for _ in range(30):
        name = rng.choice(public(type(owner)))
        if isinstance(getattr(owner, name, None), (int, float)):
            setattr(owner, name, rng.choice(INTEGERS + FLOATS))
            return


def abuse(engine, texts, number):
    """Runs one case."""
    rng = random.Random(number)
    m = engine.MjModel.from_binary_path(rng.choice(texts))
    d = engine.MjData(m)
    if rng.random() < 0.5:
        engine.mj_step(m, d)
    for _ in range(rng.randint(1, 3)):
        kind = rng.randrange(6)
        if kind < 3:
            write_array(rng, m)
        elif kind == 3:
            write_array(rng, d if rng.random() < 0.8 or d.ncon == 0 else d.contact)
        else:
            write_setting(rng, rng.choice([m, m.opt, m.vis.map, m.stat, d]))
    for _ in range(rng.randint(1, 3)):
        getattr(engine, rng.choice(CALLS))(m, d)
    if rng.random() < 0.1:
        engine.MjData(m)
    if rng.random() < 0.1:
        copy.copy(d)


def serve(name, texts, first, last, current, counts):
    """Runs cases until one kills the process."""
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    np.seterr(all="ignore")
    warnings.simplefilter("ignore")
    engine = importlib.import_module(name)
    engine.set_mju_user_warning(lambda text: None)
    tally = collections.Counter()
    for number in range(first, last):
        if number % REPORTED == 0:
            counts.put(tally)
            tally = collections.Counter()
        current.value = number
        try:
            abuse(engine, texts, number)
            result = "done"
        except Exception as error:
            result = type(error).__name__
            words = str(error)
            if PANIC.search(words):
                result = f"panic at {number}: {words[:200]}"
        except BaseException as error:
            result = f"{type(error).__name__} at {number}: {str(error)[:200]}"
        tally[result] += 1
    counts.put(tally)
    current.value = last


def computed(process):
    """CPU seconds of a process."""
    words = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / 100


def watch(child, current, counts, tally):
    """Waits for a child and counts its cases; returns the fault of its last case, if any."""
    last, since, quiet = -1, 0.0, time.time()
    while True:
        while not counts.empty():
            tally.update(counts.get())
        if not child.is_alive():
            child.join()
            return f"signal {-child.exitcode}" if child.exitcode < 0 else f"exit {child.exitcode}" if child.exitcode else None
        now = computed(child.pid)
        if current.value != last:
            last, since, quiet = current.value, now, time.time()
        elif now - since > SECONDS or time.time() - quiet > 300:
            child.kill()
            child.join()
            return "does not end"
        time.sleep(0.02)


def main():
    name, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    folder = pathlib.Path(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    engine = importlib.import_module(name)

    # models as binary files, which load faster
    texts = []
    for model in NAMES:
        path = folder / f"{name}-{pathlib.Path(model).stem}.mjb"
        engine.mj_saveModel(engine.MjModel.from_xml_path(str(MODELS / model)), str(path), None)
        texts.append(str(path))

    context = multiprocessing.get_context("spawn")
    tally, faults = collections.Counter(), []
    current = context.Value("q", first)
    last = first + count
    while current.value < last:
        counts = context.SimpleQueue()
        child = context.Process(target=serve, args=(name, texts, current.value, last, current, counts), daemon=True)
        child.start()
        fault = watch(child, current, counts, tally)
        while not counts.empty():
            tally.update(counts.get())
        if fault:
            tally[fault] += 1
            tally["not told"] += current.value - first - sum(tally.values()) + 1
            faults.append(f"{current.value}: {fault}")
            current.value += 1
    print(name, first, count, dict(tally))
    print("\n".join(faults[:40]))


if __name__ == "__main__":
    main()
