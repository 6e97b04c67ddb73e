"""The task {Name}: worlds start, step and repeat."""

import gymnasium
import numpy as np

import {name}  # noqa: F401: registers the task


def run(seed):
    envs = gymnasium.make_vec("own/{Name}-v0", num_envs=4)
    envs.action_space.seed(seed)
    seen = [envs.reset(seed=seed)[0]]
    for _ in range(100):
        observation, reward, *_ = envs.step(envs.action_space.sample())
        assert np.isfinite(observation).all() and np.isfinite(reward).all()
        seen.append(observation)
    envs.close()
    return np.array(seen)


def test_worlds_step_and_differ():
    seen = run(0)
    assert seen.shape[:2] == (101, 4)
    assert not np.array_equal(seen[:, 0], seen[:, 1])


def test_a_seed_repeats():
    assert np.array_equal(run(3), run(3))
