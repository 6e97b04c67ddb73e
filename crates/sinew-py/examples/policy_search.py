"""Teaches a walker to walk, by random search with workers on many processes or machines.

    python policy_search.py                            # two processes on this machine
    python policy_search.py --backend ray --workers 8  # Ray actors: this machine, or a cluster

Every worker has one batch of worlds. The search moves a linear policy along the random directions
whose returns differ most. (Mania, Guy and Recht, "Simple random search of static linear policies is
competitive for reinforcement learning", 2018.)

The work is cut into numbered jobs. A job's result depends on its number alone, and results are
merged in the order of the numbers. So the curve is the same for any number of workers. A worker
that is lost is replaced, and its job is given out again; a result counts once.
"""

import argparse
import csv
import time

import numpy as np

import sinew.gym
from sinew.gym.workers import BACKENDS, Team


class Worker:
    """Tries policies in a batch of worlds."""

    def __init__(self, env, worlds, horizon, nthread):
        self.task = sinew.gym.TASKS[env](worlds, nthread=nthread)
        self.horizon = horizon

    def run(self, job):
        """Returns, steps and statistics of the observations of the policies of a job."""
        task, n = self.task, self.task.n
        weights, mean, scale = job["weights"], job["mean"], job["scale"]
        task.restart([np.random.default_rng([*job["seed"], i]) for i in range(n)])
        alive, returns, steps = np.ones(n, bool), np.zeros(n), np.zeros(n, int)
        count, total, squares = 0, np.zeros_like(mean), np.zeros_like(mean)
        space = task.action_space()
        for _ in range(self.horizon):
            seen = task.observation()
            count += int(alive.sum())
            total += seen[alive].sum(axis=0)
            squares += np.square(seen[alive]).sum(axis=0)
            actions = np.einsum("nij,nj->ni", weights, (seen - mean) / scale)
            actions = np.clip(actions, space.low, space.high).astype(np.float32)
            reward, ended, info = task.advance(actions, alive)
            # the reward for being alive teaches to stand still
            returns[alive] += (reward - info.get("reward_survive", 0.0) * job["shaped"])[alive]
            steps += alive
            alive &= ~np.asarray(ended)
            if not alive.any():
                break
        return {"returns": returns, "steps": steps, "observed": (count, total, squares)}


class Observed:
    """Mean and scale of the observations so far."""

    def __init__(self, size):
        self.count, self.total, self.squares = 0, np.zeros(size), np.zeros(size)

    def add(self, count, total, squares):
        """Takes in the sums of a job."""
        self.count += count
        self.total += total
        self.squares += squares

    def normal(self):
        """The offset and divisor of observations."""
        if self.count < 2:
            return np.zeros_like(self.total), np.ones_like(self.total)
        mean = self.total / self.count
        variance = np.maximum(self.squares / self.count - mean**2, 0.0)
        scale = np.sqrt(variance)
        return mean, np.where(scale < 1e-7, np.inf, scale)


def say(text):
    """Prints at once, on any output."""
    print(text, flush=True)


def search(options, report=say):
    """Searches for a policy: the policy, and the mean return of it after each round."""
    task = sinew.gym.TASKS[options.env](1, nthread=1)
    inputs, outputs = task.observation().shape[1], task.action_space().shape[0]
    per_job = options.worlds // 2
    settings = (options.env, options.worlds, options.horizon, options.nthread)
    team = Team(BACKENDS[options.backend](Worker, *settings), options.workers)
    policy, observed = np.zeros((outputs, inputs)), Observed(inputs)
    steps, start, curve = 0, time.perf_counter(), []
    try:
        for round in range(options.rounds):
            # the directions, half of the worlds of a job along each of two signs
            rng = np.random.default_rng([options.seed, round])
            directions = rng.standard_normal((options.directions, outputs, inputs))
            mean, scale = observed.normal()
            common = {"mean": mean, "scale": scale, "shaped": options.shaped}
            jobs = []
            for k in range(0, options.directions, per_job):
                some = np.resize(directions[k : k + per_job], (per_job, outputs, inputs))
                both = np.concatenate([policy + options.noise * some, policy - options.noise * some])
                jobs.append({**common, "weights": both, "seed": (options.seed, round, k)})
            tries = len(jobs)
            # and now and then the policy itself, to see how it does
            if round % options.every == 0 or round == options.rounds - 1:
                same = np.broadcast_to(policy, (options.worlds, outputs, inputs)).copy()
                jobs.append({**common, "weights": same, "seed": (options.seed, round), "shaped": False})
            results = team.run(jobs)
            tried, own = results[:tries], results[tries:]

            # a step along the best directions
            plus = np.concatenate([r["returns"][:per_job] for r in tried])[: options.directions]
            minus = np.concatenate([r["returns"][per_job:] for r in tried])[: options.directions]
            best = np.argsort(-np.maximum(plus, minus))[: options.top]
            spread = np.concatenate([plus[best], minus[best]]).std() + 1e-12
            gain = np.einsum("k,kij->ij", plus[best] - minus[best], directions[best])
            policy = policy + options.rate / (len(best) * spread) * gain
            for result in results:
                observed.add(*result["observed"])
                steps += int(result["steps"].sum())
            for result in own:
                seconds = time.perf_counter() - start
                mean, length = float(result["returns"].mean()), float(result["steps"].mean())
                curve.append((round, steps, seconds, mean, length))
                report(
                    f"round {round:3d}  {steps:9d} steps  {seconds:6.1f} s  "
                    f"return {mean:8.1f}  length {length:6.1f}"
                )
    finally:
        team.close()
    return {"policy": policy, "normal": observed.normal(), "curve": curve, "replaced": team.replaced}


def write_curve(path, curve):
    """Writes a learning curve as a CSV file."""
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["round", "steps", "seconds", "return", "length"])
        writer.writerows(curve)


def arguments(given=None):
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--env", default="Walker2d-v5", choices=sorted(sinew.gym.TASKS))
    add("--backend", default="processes", choices=sorted(BACKENDS))
    add("--workers", type=int, default=2, help="processes or actors")
    add("--nthread", type=int, default=1, help="threads of each")
    add("--worlds", type=int, default=40, help="worlds of each, an even number")
    add("--rounds", type=int, default=100)
    add("--every", type=int, default=5, help="rounds between looks at the policy itself")
    add("--horizon", type=int, default=1000, help="most steps of an episode")
    add("--directions", type=int, default=40)
    add("--top", type=int, default=30, help="directions that count")
    add("--rate", type=float, default=0.03)
    add("--noise", type=float, default=0.025)
    add("--seed", type=int, default=0)
    add("--keep-survival", dest="shaped", action="store_false", help="count the reward for survival")
    add("--curve", help="a CSV file for the learning curve")
    add("--policy", help="a .npz file for the policy")
    return parser.parse_args(given)


def main():
    """Runs the search, and writes the files of the arguments."""
    options = arguments()
    found = search(options)
    if options.curve:
        write_curve(options.curve, found["curve"])
    if options.policy:
        mean, scale = found["normal"]
        np.savez(options.policy, policy=found["policy"], mean=mean, scale=scale)


if __name__ == "__main__":
    main()
