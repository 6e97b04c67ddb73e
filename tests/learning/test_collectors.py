"""Training with collectors in other processes, some of which are lost."""

import os
import sys

import pytest
import torch

from sinew.gym import ppo, workers

SMALL = "--env sinew/InvertedPendulum-v5 --worlds 8 --length 32 --minibatch 64 --steps 1024".split()
SMALL += "--nthread 1 --episodes 1 --save-every 0 --collectors 2".split()


def train(folder, *more):
    return ppo.main([*SMALL, "--out", str(folder), *more])


def same(a, b):
    """Whether two trainings counted the same steps and ended with the same bits."""
    own, other = a.agent.state_dict(), b.agent.state_dict()
    rows = [[(steps, *rest) for steps, _, *rest in x.curve] for x in (a, b)]
    equal = all(torch.equal(own[name], other[name]) for name in own)
    return equal and a.steps == b.steps == 1024 and repr(rows[0]) == repr(rows[1])


def fragile(backend, kill):
    """A backend that loses a collector in the second and third round."""

    class Fragile(backend):
        losses = {5: 1, 9: 2}
        given = 0

        def submit(self, worker, number, job):
            super().submit(worker, number, job)
            self.given += 1
            if self.losses.pop(self.given, None):
                kill(worker)

    return Fragile


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return train(tmp_path_factory.mktemp("whole"))


def test_a_lost_collector_changes_nothing(whole, tmp_path, monkeypatch):
    kill = lambda worker: worker[0].kill()
    monkeypatch.setitem(workers.BACKENDS, "processes", fragile(workers.Processes, kill))
    found = train(tmp_path)
    assert found.collector.team.replaced == 2 and same(found, whole)


def test_a_resumed_training_has_the_same_bits(whole, tmp_path):
    part = ppo.Training(ppo.arguments([*SMALL, "--out", str(tmp_path)]))
    for _ in range(2):
        part.learn(part.rollout())
        part.curve.append(whole.curve[len(part.curve)])
    part.save(tmp_path)
    part.collector.close()
    assert same(ppo.main(["--resume", "--out", str(tmp_path)]), whole)


def test_collectors_learn(tmp_path):
    settings = "--worlds 16 --length 64 --minibatch 128 --steps 40960 --rate 1e-3 --save-every 30"
    training = train(tmp_path, *settings.split())
    first, last = training.curve[0][2], training.curve[-1][2]
    assert last > 3 * first, (first, last)


def test_ray_actors(whole, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    ray.init("local", num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        monkeypatch.setitem(workers.BACKENDS, "ray", fragile(workers.RayActors, ray.kill))
        found = train(tmp_path, "--backend", "ray")
        assert found.collector.team.replaced == 2 and same(found, whole)
    finally:
        ray.shutdown()


def test_a_collector_that_always_dies_is_an_error(tmp_path, monkeypatch):
    class Dying(workers.Processes):
        def submit(self, worker, number, job):
            super().submit(worker, number, job)
            worker[0].kill()

    monkeypatch.setitem(workers.BACKENDS, "processes", Dying)
    with pytest.raises(RuntimeError, match="lost 5 workers"):
        train(tmp_path)


def test_foreign_environments_are_refused(tmp_path):
    with pytest.raises(ValueError, match="the state of InvertedPendulum-v5 cannot be stored"):
        train(tmp_path, "--env", "InvertedPendulum-v5")
    with pytest.raises(SystemExit):
        ppo.arguments(["--collectors", "3"])
