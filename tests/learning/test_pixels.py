"""Training from pictures: a network with convolutions learns, resumes and is exported."""

import gymnasium
import numpy as np
import onnxruntime
import pytest
import torch

from sinew.gym import ppo

POLE = "--env sinew/InvertedPendulum-v5 --pixels 32 --nthread 1 --episodes 4".split()
SHORT = "--worlds 4 --length 16 --minibatch 32 --steps 256 --save-every 0".split()


def test_a_pole_is_balanced_by_sight(tmp_path):
    """Without training no episode is long: the best of twenty random policies sets the bound."""
    settings = "--worlds 32 --length 64 --minibatch 256 --epochs 4 --rate 1e-3 --steps 49152"
    training = ppo.main([*POLE, "--out", str(tmp_path), *settings.split()])
    envs = ppo.make(training.options, 8)
    chance = []
    for seed in range(20):
        torch.manual_seed(seed)
        untrained = ppo.Agent(envs, training.options)
        with torch.no_grad():
            untrained.actor[-1].weight.mul_(torch.rand(()) * 1000)
        chance.append(ppo.episodes(untrained, ppo.make(training.options, 8), 8, seed)[0].mean())
    learned = ppo.episodes(training.agent, envs, 8, 100)[0].mean()
    assert learned > 3 * max(chance) and learned > 100, (learned, sorted(chance))


@pytest.mark.parametrize("more", [[], ["--collectors", "2"]])
def test_a_resumed_training_has_the_same_bits(tmp_path, more):
    settings = [*POLE, *SHORT, *more]
    whole = ppo.main([*settings, "--out", str(tmp_path / "whole")])
    part = ppo.Training(ppo.arguments([*settings, "--out", str(tmp_path / "part")]))
    (tmp_path / "part").mkdir()
    for _ in range(2):
        part.learn(part.rollout())
    part.save(tmp_path / "part")
    part.collector.close()
    resumed = ppo.main(["--resume", "--out", str(tmp_path / "part"), "--nthread", "1"])
    assert resumed.steps == whole.steps == 256
    for name, value in whole.agent.state_dict().items():
        assert torch.equal(value, resumed.agent.state_dict()[name]), name
    assert not (tmp_path / "whole" / "drive.onnx").exists()

    # the exported policy sees the same
    envs = gymnasium.make_vec(
        "sinew/InvertedPendulum-v5", 3, pixels=True, frames=2, width=32, height=32
    )
    pictures, _ = envs.reset(seed=5)
    session = onnxruntime.InferenceSession(tmp_path / "whole" / "policy.onnx")
    with torch.no_grad():
        wanted = whole.agent(torch.as_tensor(pictures)).numpy()
    assert abs(session.run(None, {"observation": pictures})[0] - wanted).max() < 1e-4
    p = np.load(tmp_path / "whole" / "policy.npz")
    assert p["eyes.0.weight"].shape == (16, 6, 5, 5)


def test_pictures_of_foreign_environments_are_refused():
    with pytest.raises(ValueError, match="--pixels"):
        ppo.make(ppo.arguments(["--env", "InvertedPendulum-v5", "--pixels", "32"]), 2)
