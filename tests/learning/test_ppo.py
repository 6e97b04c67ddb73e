"""The program that trains robots: it learns, resumes with the same bits and exports its policy."""

import csv

import numpy as np
import onnxruntime
import pytest
import torch

from sinew.gym import ppo

# balancing a pole, which takes seconds to learn
POLE = "--env sinew/InvertedPendulum-v5 --worlds 16 --length 64 --minibatch 128 --nthread 1".split()


def pole(folder, *more):
    return ppo.main([*POLE, "--out", str(folder), "--episodes", "4", *more])


def balanced(agent, seed):
    """The mean return of a policy."""
    envs = ppo.make(ppo.arguments(POLE), 8)
    return ppo.episodes(agent, envs, 8, seed)[0].mean()


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pole")
    return pole(folder, "--steps", "40960", "--rate", "1e-3"), folder


def test_training_improves_by_a_margin_that_chance_does_not_reach(trained):
    """The best of twenty untrained policies is no accident that training could be mistaken for."""
    training, _ = trained
    chance = []
    for seed in range(20):
        torch.manual_seed(seed)
        untrained = ppo.Training(ppo.arguments([*POLE, "--seed", str(seed)])).agent
        with torch.no_grad():
            untrained.actor[-1].weight.mul_(torch.rand(()) * 1000)
        chance.append(balanced(untrained, seed))
    learned = balanced(training.agent, 100)
    assert learned > 3 * max(chance) and learned > 300, (learned, sorted(chance))


def test_the_curve_rises(trained):
    training, folder = trained
    with open(folder / "curve.csv") as file:
        rows = list(csv.DictReader(file))
    assert int(rows[-1]["steps"]) == 40960
    assert float(rows[-1]["return"]) > 3 * float(rows[0]["return"])
    assert all(float(a["seconds"]) < float(b["seconds"]) for a, b in zip(rows, rows[1:]))


@pytest.mark.parametrize("env", ["sinew/Ant-v5", "sinew/Hopper-v5"])
def test_a_resumed_training_has_the_same_bits(env, tmp_path):
    settings = ["--env", env, "--worlds", "8", "--length", "32", "--minibatch", "64"]
    settings += ["--steps", "1024", "--nthread", "1", "--episodes", "1", "--save-every", "0"]
    whole = ppo.main([*settings, "--out", str(tmp_path / "whole")])
    part = ppo.Training(ppo.arguments([*settings, "--out", str(tmp_path / "part")]))
    (tmp_path / "part").mkdir()
    for _ in range(2):
        part.learn(part.rollout())
    part.save(tmp_path / "part")
    resumed = ppo.main(["--resume", "--out", str(tmp_path / "part"), "--nthread", "1"])
    assert resumed.steps == whole.steps == 1024
    for name, value in whole.agent.state_dict().items():
        assert torch.equal(value, resumed.agent.state_dict()[name]), name


def test_the_exported_policies_agree(trained):
    training, folder = trained
    x = np.random.default_rng(0).standard_normal((5, 4)) * 3
    with torch.no_grad():
        wanted = training.agent(torch.as_tensor(x)).numpy()
    session = onnxruntime.InferenceSession(folder / "policy.onnx")
    assert abs(session.run(None, {"observation": x})[0] - wanted).max() < 1e-5

    # the arrays, as a program without torch would use them
    p = np.load(folder / "policy.npz")
    y = np.clip((x - p["mean"]) * p["scale"], -p["widest"], p["widest"])
    y = np.tanh(y @ p["weight0"].T + p["bias0"])
    y = np.tanh(y @ p["weight1"].T + p["bias1"]) @ p["weight2"].T + p["bias2"]
    assert abs(p["middle"] + p["reach"] * np.clip(y, -p["limit"], p["limit"]) - wanted).max() < 1e-5
    assert "<html" in (folder / "replay.html").read_text()[:200].lower()


def test_a_policy_does_the_same_in_mujoco(trained, capsys):
    _, folder = trained
    ppo.main(["--evaluate", "--out", str(folder), "--episodes", "3"])
    here, there = capsys.readouterr().out.splitlines()[-2:]
    assert here.startswith("sinew/InvertedPendulum-v5: return")
    assert here.removeprefix("sinew/") == there


def test_truncation_keeps_the_value_of_the_last_state():
    """With a reward of 1 in each step and a value of 10, no advantage differs at a time limit."""
    training = ppo.Training(ppo.arguments([*POLE, "--gamma", "0.9"]))
    ones, value = torch.ones(4, 1), torch.full((4, 1), 10.0)
    over = torch.tensor([[False], [True], [False], [False]])
    assert training._advantage(ones, value, value, over).abs().max() < 1e-6
    after = torch.where(over, 0.0, value)
    assert training._advantage(ones, value, after, over)[1] == -9.0


def test_errors_are_clear(tmp_path):
    with pytest.raises(SystemExit, match="does not exist"):
        ppo.main(["--resume", "--out", str(tmp_path)])
    with pytest.raises(SystemExit):
        ppo.arguments(["--worlds", "3", "--minibatch", "256"])
