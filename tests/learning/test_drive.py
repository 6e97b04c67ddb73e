"""`drive.onnx`: from the state of a robot to its controls, as the task computes them."""

import json
import types

import numpy as np
import onnx
import onnxruntime
import pytest
import torch
import walk

import sinew.gym
from sinew.gym import ppo


class Stopped(sinew.gym.Task):
    """A task with its own observation, and no way to compute it elsewhere."""

    xml_file, frame_skip = "hopper.xml", 4

    def observation(self):
        return self.batch.qpos[:, 1:]


def exported(task, folder):
    """A policy with random weights, and the session and metadata of its file."""
    torch.manual_seed(0)
    sees, acts = task.observation_space(), task.action_space()
    envs = types.SimpleNamespace(single_observation_space=sees, single_action_space=acts)
    agent = ppo.Agent(envs, types.SimpleNamespace(hidden=[32, 32], std=0.4)).eval()
    with torch.no_grad():
        agent.actor[-1].weight.mul_(50)
    ppo.export_drive(agent, task, folder)
    path = folder / "drive.onnx"
    if not path.exists():
        return agent, None, None
    about = {p.key: p.value for p in onnx.load(path).metadata_props}
    return agent, onnxruntime.InferenceSession(path), about


def run(session, batch, **more):
    """The outputs for the first world of a batch."""
    names = [i.name for i in session.get_inputs()]
    field = lambda name: np.atleast_1d(getattr(batch, name)[0]).reshape(1, -1)
    return session.run(None, {n: more[n] if n in more else field(n) for n in names})


@pytest.mark.parametrize("name", ["HalfCheetah-v5", "Hopper-v5", "Swimmer-v5", "InvertedPendulum-v5"])
def test_controls_are_those_of_the_task(name, tmp_path):
    envs = sinew.gym.VectorEnv(name, 1)
    task = envs.task
    agent, session, about = exported(task, tmp_path)
    assert float(about["sinew.period"]) == task.dt and json.loads(about["sinew.commands"]) == []
    observation, _ = envs.reset(seed=0)
    for _ in range(20):
        with torch.no_grad():
            action = agent(torch.as_tensor(observation)).numpy()
        (ctrl,) = run(session, task.batch)
        assert abs(ctrl - action).max() < 1e-5
        observation, *_ = envs.step(action)


def test_a_walker_follows_the_commands_and_its_own_rhythm(tmp_path):
    task = walk.Walk(1, noise=0.0, pushes=False)
    task.late[:] = False
    agent, session, about = exported(task, tmp_path)
    assert [name for name, *_ in json.loads(about["sinew.commands"])] == ["forward", "to the left", "turn"]
    task.restart([np.random.default_rng(0)])
    task.command[:], task.phase[:] = [[0.4, -0.1, 0.5]], 0.0
    task.batch.forward()
    last, start = np.zeros((1, 12)), task.batch.time[0]
    for _ in range(50):
        with torch.no_grad():
            action = agent(torch.as_tensor(task.observation())).numpy()
        wanted = task.control(action)
        time = np.array([[task.batch.time[0] - start]])
        ctrl, last_now = run(session, task.batch, command=task.command, last=last, time=time)
        assert abs(ctrl - wanted).max() < 1e-4 and abs(last_now - action).max() < 1e-4
        task.advance(action)
        last = task.last


def test_a_task_that_does_not_say_how_has_no_file(tmp_path, capsys):
    task = Stopped(1)
    assert task.drive(types.SimpleNamespace(), None) is None
    assert exported(task, tmp_path)[1] is None
    assert "drive.onnx: skipped, because the task has no drive" in capsys.readouterr().out
