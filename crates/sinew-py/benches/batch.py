"""Steps per second of many worlds beside MuJoCo's rollout and Gymnasium's vector environments.

    python crates/sinew-py/benches/batch.py [--menagerie DIR] [--mujoco PYTHON] [model.xml ...]

Engines run in processes of their own, which take turns. Each round lets every engine make the same
steps from the same states with the same controls (environments start together and go on). The
fastest round counts, since all else that a machine does only adds to it; `--median` takes the
middle one. Rates are by the clock, and with `--cpu` by the processor time of all threads, which
suits a machine that others use too.

Processor time includes processes that an engine has started (`async`), where the system shows it
under `/proc`. Elsewhere those environments are left out of `--cpu`.

`--mujoco` names the interpreter of another version of MuJoCo, and may be given again. Models are
Gymnasium's, and with a checkout of MuJoCo Menagerie some robots of that.
"""

import argparse
import importlib.util
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import time

import numpy as np

GYM = {
    "cheetah": "half_cheetah.xml",
    "hopper": "hopper.xml",
    "ant": "ant.xml",
    "humanoid": "humanoid.xml",
}
MENAGERIE = {
    "go1": "unitree_go1/scene.xml",
    "panda": "franka_emika_panda/scene.xml",
    "shadow hand": "shadow_hand/scene_right.xml",
}


def start_states(engine, m, worlds):
    """Slightly different states near the first keyframe, and controls within their ranges."""
    rng = np.random.default_rng(0)
    d = engine.MjData(m)
    if m.nkey:
        engine.mj_resetDataKeyframe(m, d, 0)
    spec = engine.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(engine.mj_stateSize(m, spec))
    engine.mj_getState(m, d, state, spec)
    states = np.tile(state, (worlds, 1))
    states[:, 1 + m.nq : 1 + m.nq + m.nv] += 0.1 * rng.standard_normal((worlds, m.nv))
    low, high = m.actuator_ctrlrange.T
    limited = m.actuator_ctrllimited.astype(bool)
    low, high = np.where(limited, low, -1.0), np.where(limited, high, 1.0)
    base = d.ctrl.copy()
    controls = rng.uniform(low, high, (worlds, m.nu))
    return states, base + 0.3 * (controls - base) if m.nkey else controls


class Rolls:
    """Rollouts of an engine with MuJoCo's interface."""

    def __init__(self, engine, path, worlds, nsteps, nthread):
        m = engine.MjModel.from_xml_path(path)
        self.states, controls = start_states(engine, m, worlds)
        self.controls = np.repeat(controls[:, None], nsteps, axis=1)
        self.datas = [engine.MjData(m) for _ in range(nthread)]
        module = __import__(f"{engine.__name__}.rollout", fromlist=["Rollout"])
        # without threads of its own it works on the thread of the caller
        self.threads = module.Rollout(nthread=nthread if nthread > 1 else 0)
        self.out = np.zeros((worlds, nsteps, self.states.shape[1]))
        self.sensors = np.zeros((worlds, nsteps, m.nsensordata))
        self.model = m

    def run(self):
        self.threads.rollout(
            self.model, self.datas, self.states, self.controls,
            state=self.out, sensordata=self.sensors,
        )  # fmt: skip


class Steps:
    """A batch of Sinew, stepped from Python one step at a time."""

    def __init__(self, path, worlds, nsteps, nthread):
        import sinew

        m = sinew.MjModel.from_xml_path(path)
        self.states, self.controls = start_states(sinew, m, worlds)
        self.batch, self.nsteps = sinew.Batch(m, worlds, nthread=nthread), nsteps

    def run(self):
        self.batch.reset()
        self.batch.set_state(self.states)
        for _ in range(self.nsteps):
            self.batch.ctrl[:] = self.controls
            self.batch.step()


class Environments:
    """A vector environment of Gymnasium that goes on where the round before has left it."""

    def __init__(self, kind, name, worlds, nsteps, nthread):
        import gymnasium

        sys.modules.setdefault("imageio", type(sys)("imageio"))
        if kind == "sinew":
            import sinew.gym  # noqa: F401

            self.envs = gymnasium.make_vec(f"sinew/{name}", worlds, nthread=nthread)
        else:
            self.envs = gymnasium.make_vec(name, worlds, vectorization_mode=kind)
        self.envs.action_space.seed(0)
        self.nsteps, self.actions = nsteps, [self.envs.action_space.sample() for _ in range(8)]
        self.envs.reset(seed=0)

    def run(self):
        for k in range(self.nsteps):
            self.envs.step(self.actions[k % 8])


def make(kind, *arguments):
    """The program of an engine of this kind."""
    if kind == "steps":
        return Steps(*arguments)
    if kind.startswith("env:"):
        return Environments(kind[4:], *arguments)
    engine = importlib.import_module(kind)
    return Rolls(engine, *arguments)


def processor_time():
    """Seconds that this process and the processes of its environments have spent on processors."""
    times = os.times()
    seconds = time.process_time() + times.children_user + times.children_system
    for child in multiprocessing.active_children():
        # the fields after the name: user and system time are the 14th and 15th of the line
        with open(f"/proc/{child.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def serve():
    """In a process of its own: prepares and runs its orders, and returns the time."""
    job = None
    for line in sys.stdin:
        command = json.loads(line)
        if "make" in command:
            job = make(*command["make"])
            job.run()
            answer = importlib.import_module("mujoco").__version__ if command["version"] else ""
        else:
            wall, cpu = time.perf_counter(), processor_time()
            job.run()
            answer = [time.perf_counter() - wall, processor_time() - cpu]
        print("@" + json.dumps(answer), flush=True)


class Engine:
    """A process that serves."""

    def __init__(self, python, label, version=False):
        self.label, self.wants_version, self.version = label, version, ""
        command = [python, __file__, "--serve"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(command, text=True, **pipes)

    def tell(self, command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()

    def ask(self, command):
        self.tell(command)
        return self.answer()

    def answer(self):
        for line in self.process.stdout:
            if line.startswith("@"):
                return json.loads(line[1:])
        raise RuntimeError(f"{self.label} stopped")

    def prepare(self, *arguments):
        self.version = self.ask({"make": arguments, "version": self.wants_version})

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Pair:
    """Two processes that serve at the same time, each on one thread with half of the worlds."""

    def __init__(self, python, label):
        self.label, self.halves = label, [Engine(python, label), Engine(python, label)]

    def prepare(self, kind, path, worlds, nsteps, _):
        for half in self.halves:
            half.prepare(kind, path, worlds // 2, nsteps, 1)

    def ask(self, command):
        for half in self.halves:
            half.tell(command)
        wall, cpu = zip(*(half.answer() for half in self.halves))
        return [max(wall), sum(cpu)]

    def close(self):
        for half in self.halves:
            half.close()


def race(engines, arguments, options):
    """Steps per second of every engine, each with a number of threads of its own if it is given."""
    for engine, kind, *threads in engines:
        engine.prepare(kind, *arguments, *(threads or [options.threads]))
    engines = [(engine, kind) for engine, kind, *_ in engines]
    times = {engine.label: [] for engine, _ in engines}
    for _ in range(options.rounds):
        for engine, _ in engines:
            times[engine.label].append(engine.ask({"run": True})[1 if options.cpu else 0])
    pick = statistics.median if options.median else min
    worlds, nsteps = arguments[1], arguments[2]
    return {label: worlds * nsteps / pick(t) for label, t in times.items()}


def table(title, rows, base):
    """Prints rates in thousands, and the ratio to the fastest of those to be compared with."""
    labels = list(next(iter(rows.values())))
    print(f"\n{title}\n")
    print("| | " + " | ".join(labels) + " | ratio |\n|---|" + "---:|" * (len(labels) + 1))
    ratios = []
    for name, rates in rows.items():
        ours = max(rate for label, rate in rates.items() if label not in base(rates))
        ratio = ours / max(rates[label] for label in base(rates))
        ratios.append(ratio)
        print(f"| {name} | " + " | ".join(f"{rates[x] / 1e3:.1f}" for x in labels) + f" | {ratio:.2f} |")
    mean = statistics.geometric_mean(ratios)
    print(f"\nthousands of steps per second; ratio: geometric mean {mean:.2f}, least {min(ratios):.2f}")


def models(options):
    """Names and paths of the models."""
    paths = {os.path.basename(p): p for p in options.models}
    spec = importlib.util.find_spec("gymnasium")
    if spec and not options.models:
        folder = os.path.join(spec.submodule_search_locations[0], "envs", "mujoco", "assets")
        paths |= {name: os.path.join(folder, file) for name, file in GYM.items()}
    if options.menagerie:
        paths |= {n: os.path.join(options.menagerie, file) for n, file in MENAGERIE.items()}
    for name in [name for name, path in paths.items() if not os.path.exists(path)]:
        print(f"{name} is left out: there is no {paths.pop(name)}")
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("models", nargs="*", help="other models than Gymnasium's")
    add("--menagerie", help="a checkout of MuJoCo Menagerie")
    add("--mujoco", action="append", default=[], help="interpreter of another MuJoCo")
    add("--worlds", type=int, default=64)
    add("--steps", type=int, default=200)
    add("--rounds", type=int, default=5)
    add("--threads", type=int, default=2)
    add("--median", action="store_true")
    add("--cpu", action="store_true", help="rates by processor time")
    add("--only", choices=["rollout", "scaling", "environments"])
    add("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve()
    size = (options.worlds, options.steps)

    # rollouts and batches beside MuJoCo's rollouts
    if options.only in (None, "rollout"):
        engines = [(Engine(sys.executable, "Batch"), "steps")]
        engines += [(Engine(sys.executable, "rollout"), "sinew")]
        others = [(Engine(p, f"MuJoCo {i}", True), "mujoco") for i, p in enumerate([sys.executable, *options.mujoco])]
        rows = {}
        for name, path in models(options).items():
            rates = race([*engines, *others], (path, *size), options)
            names = {e.label: f"MuJoCo {e.version}" for e, _ in others}
            rows[name] = {names.get(label, label): rate for label, rate in rates.items()}
        for engine, _ in [*engines, *others]:
            engine.close()
        title = f"rollouts of {size[0]} worlds, {size[1]} steps, {options.threads} threads"
        table(title, rows, lambda rates: [x for x in rates if x.startswith("MuJoCo")])

    # one thread and two
    if options.only in (None, "scaling"):
        for kind, title in (("steps", "batches"), ("sinew", "rollouts"), ("mujoco", "MuJoCo's rollouts")):
            engines = [(Engine(sys.executable, f"{n} threads"), kind, n) for n in (1, 2)]
            # how much of a second core the machine gives to two that know nothing of each other
            engines.append((Pair(sys.executable, "2 processes"), kind))
            rows = {name: race(engines, (path, *size), options) for name, path in models(options).items()}
            for engine, *_ in engines:
                engine.close()
            for label, base in (("1 threads", "2 processes"), ("2 processes", "1 threads")):
                pairs = {name: {k: r for k, r in rates.items() if k != label} for name, rates in rows.items()}
                table(f"{title}, two threads beside {base}", pairs, lambda rates, base=base: [base])

    # vector environments
    if options.only in (None, "environments"):
        kinds = [("Sinew", "env:sinew"), ("MuJoCo sync", "env:sync"), ("MuJoCo async", "env:async")]
        blind = options.cpu and not os.path.exists("/proc/self/stat")
        kinds = [(label, kind) for label, kind in kinds if not (blind and "async" in kind)]
        rows = {}
        for name in ("HalfCheetah-v5", "Hopper-v5", "Walker2d-v5", "Ant-v5", "Humanoid-v5"):
            engines = [(Engine(sys.executable, label), kind) for label, kind in kinds]
            rows[name] = race(engines, (name, *size), options)
            for engine, _ in engines:
                engine.close()
        table("vector environments", rows, lambda rates: [x for x in rates if x.startswith("MuJoCo")])


if __name__ == "__main__":
    main()
