"""Training with worlds, rewards and networks on one device, by the kernel of the processor."""

import csv

import numpy as np
import onnxruntime
import pytest
import torch
import walk
import walk_device

from sinew.gym import ppo

POLE = "--env pole:Pole --device kernel --worlds 16 --length 64 --minibatch 128 --nthread 1".split()
WALK = "--env walk_device:Walk --device kernel --worlds 4 --length 16 --minibatch 32".split()
WALK += "--steps 256 --save-every 0 --episodes 1 --nthread 1".split()


def balanced(agent, seed):
    """The mean return of a policy."""
    return ppo.episodes(agent, ppo.make(ppo.arguments(POLE), 8), 8, seed)[0].mean()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pole")
    more = ["--out", str(folder), "--episodes", "4", "--steps", "40960", "--rate", "1e-3"]
    return ppo.main([*POLE, *more]), folder


def test_training_improves_by_a_margin_that_chance_does_not_reach(trained):
    """The best of twenty untrained policies is no accident that training could be mistaken for."""
    chance = []
    for seed in range(20):
        torch.manual_seed(seed)
        untrained = ppo.Agent(ppo.make(ppo.arguments(POLE), 1), ppo.arguments(POLE))
        with torch.no_grad():
            untrained.actor[-1].weight.mul_(torch.rand(()) * 1000)
        chance.append(balanced(untrained, seed))
    learned = balanced(trained[0].agent, 100)
    assert learned > 3 * max(chance) and learned > 300, (learned, sorted(chance))


def test_results_are_those_of_other_trainings(trained, capsys):
    training, folder = trained
    with open(folder / "curve.csv") as file:
        rows = list(csv.DictReader(file))
    assert int(rows[-1]["steps"]) == 40960
    assert float(rows[-1]["return"]) > 3 * float(rows[0]["return"])
    # the policy and the robot's controls as files
    x = np.random.default_rng(0).standard_normal((1, 4)) / 3
    with torch.no_grad():
        wanted = training.agent(torch.as_tensor(x)).numpy()
    session = onnxruntime.InferenceSession(folder / "policy.onnx")
    assert abs(session.run(None, {"observation": x})[0] - wanted).max() < 1e-5
    session = onnxruntime.InferenceSession(folder / "drive.onnx")
    assert abs(session.run(None, {"qpos": x[:, :2], "qvel": x[:, 2:]})[0] - wanted).max() < 1e-5
    assert "<html" in (folder / "replay.html").read_text()[:200].lower()
    # the same policy again, without the worlds of the training
    capsys.readouterr()
    ppo.main(["--evaluate", "--device", "kernel", "--out", str(folder), "--episodes", "3"])
    assert capsys.readouterr().out.startswith("pole:Pole: return")


def test_a_resumed_training_has_the_same_bits(tmp_path):
    whole = ppo.main([*WALK, "--out", str(tmp_path / "whole")])
    part = ppo.Training(ppo.arguments([*WALK, "--out", str(tmp_path / "part")]))
    (tmp_path / "part").mkdir()
    for _ in range(2):
        part.learn(part.rollout())
    part.save(tmp_path / "part")
    resume = ["--resume", "--device", "kernel", "--out", str(tmp_path / "part"), "--nthread", "1"]
    resumed = ppo.main(resume)
    assert resumed.steps == whole.steps == 256
    for name, value in whole.agent.state_dict().items():
        assert torch.equal(value, resumed.agent.state_dict()[name]), name


def test_returns_and_values_of_what_follows():
    """Episodes that end, and that a limit of time cuts off, are told apart."""
    sizes = "--worlds 3 --length 6 --minibatch 18".split()
    collector = ppo.Collector(ppo.arguments([*POLE, *sizes]), 3, 0)
    collector.envs.max_episode_steps = 4
    collector.envs.elapsed.zero_()
    agent = ppo.Agent(collector.envs, ppo.arguments([*POLE, "--std", "1e-4"]))
    collector.envs.task.qpos[2, 1] = 0.3
    met, ended = collector.rollout(agent)
    assert ended == [(0.0, 1.0), (4.0, 4.0), (4.0, 4.0), (4.0, 4.0)]
    over = torch.zeros(6, 3, dtype=torch.bool)
    over[0, 2] = over[3, :2] = over[4, 2] = True
    assert torch.equal(met["over"], over) and met["after"][0, 2] == 0
    assert (met["after"][3, :2] != 0).all() and (met["after"][3, :2] != met["value"][4, :2]).all()
    assert torch.equal(met["after"][1], met["value"][2])
    assert met["discounted"][2, 0].item() == pytest.approx(1 + 0.99 + 0.99**2)


def test_the_walk_is_the_same_with_arrays_and_tensors():
    """Equal states and actions give equal observations and rewards, and equal next states."""
    own = {"noise": 0.0, "pushes": False, "nthread": 1}
    arrays, rng = walk.Walk(6, **own), np.random.default_rng(0)
    device = walk_device.Walk(6, device="kernel", dtype=np.float64, **own)
    for name in ("geom_friction", "body_mass"):
        assert np.array_equal(arrays.batch.parameters[name], device.batch.parameters[name])
    assert np.array_equal(arrays.late, device.late.numpy()) and 0 < arrays.late.sum() < 6
    arrays.restart([np.random.default_rng(k) for k in range(6)])
    device.restart(torch.ones(6, dtype=torch.bool))
    states = 0
    for step in range(40):
        # the tensors take over the state of the arrays: searches amplify the last bits
        for name in ("command", "phase", "last", "push_in"):
            setattr(device, name, torch.tensor(getattr(arrays, name)))
        for name in ("qpos", "qvel", "qacc_warmstart"):
            getattr(device, name).copy_(torch.tensor(getattr(arrays.batch, name)))
        action = rng.uniform(-0.3, 0.3, (6, 12))
        reward, fallen, _ = arrays.advance(action)
        found, ended = device.advance(torch.tensor(action))
        np.testing.assert_allclose(device.qpos, arrays.qpos, atol=1e-8)
        np.testing.assert_allclose(found, reward, atol=1e-7)
        np.testing.assert_allclose(device.observation(), arrays.observation(), atol=1e-6)
        assert ended.tolist() == fallen.tolist()
        states += len(np.unique(reward))
    assert states > 200


def test_pushes_and_noise_come_from_the_seed():
    run = lambda seed: ppo.Collector(ppo.arguments(WALK), 4, seed)
    options = ppo.arguments(WALK)
    torch.manual_seed(0)
    agent = ppo.Agent(ppo.make(options, 1), options)
    met = []
    for seed in (5, 5, 6):
        torch.manual_seed(1)
        collector = run(seed)
        collector.envs.task.push_in[:] = torch.arange(4.0) * 4
        met.append(collector.rollout(agent)[0]["observed"])
    assert torch.equal(met[0], met[1]) and not torch.equal(met[0], met[2])
    assert torch.isfinite(met[0]).all() and met[0].shape == (16, 4, 47)


@pytest.mark.parametrize(
    "given, message",
    [
        ("--env pole:Pole", "needs cuda"),
        ("--env pole:Pole --device kernel --pixels 32", "--pixels"),
        ("--env pole:Pole --device kernel --collectors 2", "--collectors"),
        ("--env sinew/Hopper-v5 --device kernel", "is not a sinew.gym.tensors.Task"),
    ],
)
def test_errors_are_clear(given, message):
    with pytest.raises(ValueError, match=message):
        ppo.Training(ppo.arguments(given.split()))


def test_a_training_ends_after_some_seconds(tmp_path):
    training = ppo.Training(ppo.arguments([*POLE, "--seconds", "100"]))
    training.seconds = 75.0
    training.learn(training.rollout())
    assert training.optimizer.param_groups[0]["lr"] == pytest.approx(0.25 * 3e-4)
    training.seconds, steps = 100.0, training.steps
    training.run(tmp_path)
    assert training.steps == steps
