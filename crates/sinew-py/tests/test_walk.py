"""The example of a robot that walks by commanded velocity: its rhythm stands, a snapshot goes on."""

import importlib.util
import pathlib

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

PATH = pathlib.Path(__file__).parents[1] / "examples" / "walk.py"
spec = importlib.util.spec_from_file_location("walk", PATH)
walk = importlib.util.module_from_spec(spec)
spec.loader.exec_module(walk)


def make(**options):
    settings = {"num_envs": 6, "nthread": 1, "autoreset_mode": "SameStep"}
    return gymnasium.make_vec("own/Walk-v0", **settings, **options)


def test_the_rhythm_alone_stands_on_rough_ground():
    envs = make(pushes=False)
    observation, _ = envs.reset(seed=0)
    assert observation.shape == (6, 47)
    for _ in range(100):
        observation, reward, fallen, *_ = envs.step(np.zeros((6, 12), np.float32))
        assert not fallen.any() and (reward >= 0).all() and np.isfinite(observation).all()
    batch = envs.unwrapped.batch
    assert (batch.qpos[:, 2] > 0.25).all()
    # worlds differ in mass and friction
    assert len(np.unique(batch.parameters["body_mass"][:, 1])) == 6


def test_pushes_commands_and_noise_repeat_with_the_seed_and_after_a_snapshot():
    actions = np.random.default_rng(0).uniform(-1, 1, (60, 6, 12)).astype(np.float32)
    first, second = make(), make()
    for envs in (first, second):
        envs.reset(seed=4)
        envs.unwrapped.task.push_in[:] = np.arange(6) * 10
    for action in actions[:30]:
        for a, b in zip(first.step(action)[:4], second.step(action)[:4]):
            assert np.array_equal(a, b)
    third = make()
    third.unwrapped.restore(first.unwrapped.snapshot())
    for action in actions[30:]:
        for a, b in zip(first.step(action)[:4], third.step(action)[:4]):
            assert np.array_equal(a, b)


def test_noise_is_an_option():
    quiet = make(noise=0.0)
    quiet.reset(seed=1)
    task = quiet.unwrapped.task
    assert np.array_equal(task.observation(), task.observation())
    loud = make()
    loud.reset(seed=1)
    assert not np.array_equal(loud.unwrapped.task.observation(), loud.unwrapped.task.observation())


def test_velocities_are_measured_by_command():
    rest = lambda observation: np.zeros((len(observation), 12))
    found = {}
    for speed in (0.0, 0.6):
        found[speed], fallen = walk.measure(rest, (speed, 0, 0), robots=3, seconds=2.0, nthread=1)
        assert fallen == 0 and found[speed].shape == (3,)
    # the rhythm alone follows a little
    assert found[0.6][0] - found[0.0][0] > 0.2, found
