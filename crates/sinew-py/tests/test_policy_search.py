"""The example that trains a walker: workers may come and go without changing the learning curve."""

import importlib.util
import os
import pathlib
import sys

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from sinew.gym import workers  # noqa: E402

PATH = pathlib.Path(__file__).parents[1] / "examples" / "policy_search.py"
spec = importlib.util.spec_from_file_location("policy_search", PATH)
policy_search = importlib.util.module_from_spec(spec)
# new processes import it by name
sys.modules["policy_search"] = policy_search
sys.path.insert(0, str(PATH.parent))
spec.loader.exec_module(policy_search)

SMALL = "--env Hopper-v5 --rounds 4 --horizon 60 --directions 6 --top 4 --worlds 4 --every 1".split()


def run(*more):
    return policy_search.search(policy_search.arguments([*SMALL, *more]), report=lambda text: None)


def same(a, b):
    """Whether two curves are equal except for times."""
    drop = lambda curve: [(r, s, ret, length) for r, s, _, ret, length in curve]
    return drop(a["curve"]) == drop(b["curve"]) and np.array_equal(a["policy"], b["policy"])


@pytest.fixture(scope="module")
def alone():
    return run("--workers", "1")


def test_the_curve_does_not_depend_on_the_workers(alone):
    assert same(run("--workers", "3"), alone)
    assert same(run("--workers", "2", "--nthread", "2"), alone)


class Fragile(workers.Processes):
    """Occasionally loses a worker during a job."""

    losses = 3

    def submit(self, worker, number, job):
        super().submit(worker, number, job)
        if Fragile.losses and number == 2:
            Fragile.losses -= 1
            worker[0].kill()


def test_a_lost_worker_is_replaced_and_nothing_counts_twice(alone, monkeypatch):
    monkeypatch.setitem(workers.BACKENDS, "processes", Fragile)
    found = run("--workers", "2")
    assert found["replaced"] == 3 and same(found, alone)


def test_ray_actors(alone):
    ray = pytest.importorskip("ray")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PATH.parent), *filter(None, sys.path)])
    ray.init("local", num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        assert same(run("--workers", "2", "--backend", "ray"), alone)

        class Fragile(workers.RayActors):
            losses = 1

            def submit(self, worker, number, job):
                super().submit(worker, number, job)
                if Fragile.losses and number == 2:
                    Fragile.losses -= 1
                    ray.kill(worker)

        workers.BACKENDS["fragile"] = Fragile
        found = run("--workers", "2", "--backend", "fragile")
        assert found["replaced"] == 1 and same(found, alone)
    finally:
        workers.BACKENDS.pop("fragile", None)
        ray.shutdown()


def test_the_search_learns():
    small = "--env InvertedPendulum-v5 --rounds 12 --horizon 200 --directions 8 --top 4 --worlds 16"
    small += " --noise 0.3 --rate 0.3 --keep-survival --every 11"
    options = policy_search.arguments(small.split())
    curve = policy_search.search(options, report=lambda text: None)["curve"]
    first, last = curve[0][3], curve[-1][3]
    assert last > 3 * first, (first, last)
