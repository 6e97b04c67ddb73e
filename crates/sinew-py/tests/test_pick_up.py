"""The example that picks up a cube: a scripted hand lifts it, and exact friction holds it still."""

import importlib.util
import pathlib

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

PATH = pathlib.Path(__file__).parents[1] / "examples" / "pick_up.py"
spec = importlib.util.spec_from_file_location("pick_up", PATH)
pick_up = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pick_up)


@pytest.fixture(scope="module")
def scripted():
    """Results of the scripted policy with soft and with exact contacts."""
    run = lambda exact: pick_up.measure(pick_up.scripted, exact, worlds=8, seconds=8.0, nthread=1)
    return run(False), run(True)


def test_a_scripted_hand_lifts_every_cube(scripted):
    for found in scripted:
        assert found["lifted"] == found["held"] == 1.0, found
        assert found["grip"] == pytest.approx(4.0)


def test_soft_contacts_creep_and_exact_ones_hold(scripted):
    soft, exact = (found["slip"] for found in scripted)
    assert 1.0 < soft < 4.0 and abs(exact) < 1e-3 * soft, (soft, exact)


def test_exact_friction_holds_with_a_grip_just_above_the_limit():
    """The cube weighs 1.96 N, so two fingers with friction 0.6 must press with 1.64 N each."""

    def policy(force):
        def press(task):
            action = pick_up.scripted(task)
            action[task.batch.qpos[:, 7] > 0.1, 3] = force / pick_up.FORCE
            return action

        return press

    run = lambda force: pick_up.measure(policy(force), True, worlds=4, seconds=8.0, nthread=1)
    assert run(1.5)["held"] < 1.0 and np.isnan(run(1.5)["slip"])
    found = run(1.8)
    assert found["grip"] == pytest.approx(1.8) and abs(found["slip"]) < 1e-6, found


def test_noisy_attempts_succeed_as_often_with_both_kinds_of_contacts():
    """A learner finds the same: attempts with noise in every action lift as many cubes."""

    def attempt(exact):
        rng, worlds = np.random.default_rng(0), 32
        task = pick_up.PickUp(worlds, exact=exact, nthread=1)
        task.restart([np.random.default_rng(1000 + k) for k in range(worlds)])
        total = 0.0
        for _ in range(100):
            noise = 0.3 * rng.standard_normal((worlds, 4))
            action = np.clip(pick_up.scripted(task) + noise, -1, 1)
            task.advance(action)
            total += task.outcome(action, None)[0].mean()
        return total, (task.batch.qpos[:, 7] > 0.06).mean()

    (soft, up), (exact, also_up) = attempt(False), attempt(True)
    assert exact == pytest.approx(soft, rel=0.1), (soft, exact)
    # an attempt in four, with a standard error of 0.08
    assert 0.1 < up < 0.5 and abs(up - also_up) < 0.2, (up, also_up)


def test_a_closed_hand_on_top_of_the_cube_earns_less_than_an_open_one_around_it():
    """A learner would stay with the closed hand, which reaches its place from anywhere."""
    task = pick_up.PickUp(2, nthread=1)
    task.restart([np.random.default_rng(k) for k in range(2)])
    qpos = task.batch.qpos
    qpos[:, :3] = qpos[:, 5:8] - pick_up.GRASP
    # the ends of the fingers are 15 mm below the point between them, the cube's top 20 mm above it
    qpos[1, :3] += [0.007, 0.008, 0.035]
    qpos[:, 3:5] = [[0.0, 0.0], [0.035, 0.035]]
    around, on_top = task.outcome(np.zeros((2, 4)), None)[0]
    assert around == pytest.approx(1.0) and on_top < 0.8, (around, on_top)


@pytest.mark.parametrize("exact", [False, True])
def test_the_fingers_do_not_reach_the_table(exact):
    """A learner would press them on it, and hold on to it by friction."""
    task = pick_up.PickUp(2, exact=exact, nthread=1)
    task.restart([np.random.default_rng(k) for k in range(2)])
    for _ in range(50):
        task.advance(np.tile([0.0, 0.0, -1.0, -1.0], (2, 1)))
    # the ends of the fingers are 0.145 m above the table at first
    assert (0.145 + task.batch.qpos[:, 2] > 0.002).all(), task.batch.qpos[:, 2]


@pytest.mark.parametrize("name", ["own/PickUp-v0", "own/PickUpExact-v0"])
def test_the_environments_step(name):
    envs = gymnasium.make_vec(name, num_envs=3, nthread=1, autoreset_mode="SameStep")
    observation, _ = envs.reset(seed=3)
    assert observation.shape == (3, 25) and len(np.unique(observation[:, 12])) == 3
    rng = np.random.default_rng(0)
    for t in range(100):
        action = rng.uniform(-1, 1, (3, 4)).astype(np.float32)
        observation, reward, fallen, cut, _ = envs.step(action)
        assert np.isfinite(observation).all() and (reward < 3.5).all()
    assert cut.all()
