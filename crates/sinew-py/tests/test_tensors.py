"""Environments in tensors, by the kernel that the processor runs where there is no GPU."""

import numpy as np
import pytest

import sinew

torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")

from sinew.gym import tensors  # noqa: E402

POLE = """<mujoco><option timestep=".02"/><worldbody><body><joint type="slide" axis="1 0 0"/>
<geom size=".1" contype="0" conaffinity="0"/><body><joint axis="0 1 0"/>
<geom type="capsule" size=".03" fromto="0 0 0 0 0 .6" contype="0" conaffinity="0"/>
<site name="tip" pos="0 0 .6"/></body></body></worldbody>
<actuator><motor joint="" gear="10"/></actuator><sensor><gyro site="tip"/></sensor></mujoco>"""
POLE = POLE.replace('<joint type="slide"', '<joint name="cart" type="slide"')
POLE = POLE.replace('joint=""', 'joint="cart"')


class Balance(tensors.Task):
    xml_file = sinew.MjModel.from_xml_string(POLE)
    frame_skip = 2
    fields = ("sensordata", "site_xpos")

    def start(self, uniform):
        return self.init_qpos + 0.1 * (uniform(2) - 0.5), self.init_qvel

    def observation(self):
        return torch.cat([self.qpos, self.qvel, self.sensordata, self.site_xpos[:, 0]], 1)

    def outcome(self, action, before):
        fallen = self.qpos[:, 1].abs() > 0.2
        return 1.0 - fallen.to(self.dtype), fallen


def make(n=6, **options):
    options = {"device": "kernel", "dtype": np.float64, "seed": 3, **options}
    return tensors.VectorEnv(Balance, n, **options)


def test_steps_are_those_of_the_batch():
    envs, batch = make(), sinew.Batch(Balance.xml_file, 6)
    first, _ = envs.reset()
    batch.qpos[:] = first[:, :2].numpy()
    action = torch.linspace(-0.1, 0.1, 6, dtype=torch.float64)[:, None]
    batch.ctrl[:] = action.numpy()
    for name in Balance.fields:
        batch.bind(name)
    batch.forward()
    np.testing.assert_allclose(first[:, 4:7], batch.sensordata, atol=1e-12)
    for _ in range(3):
        seen, reward, ended, cut, _ = envs.step(action)
        batch.step(2)
    np.testing.assert_allclose(seen[:, :2], batch.qpos, atol=1e-9)
    np.testing.assert_allclose(seen[:, 4:7], batch.sensordata, atol=1e-9)
    np.testing.assert_allclose(seen[:, 7:], batch.site_xpos[:, 0], atol=1e-9)
    assert (reward == 1).all() and not ended.any() and not cut.any()


def test_episodes_end_and_start_again():
    envs = make(max_episode_steps=9)
    envs.reset(seed=1)
    push = torch.zeros(6, 1, dtype=torch.float64)
    push[2] = 3.0
    for k in range(9):
        seen, reward, ended, cut, infos = envs.step(push)
        if ended.any():
            break
    assert ended.tolist() == [False, False, True, False, False, False] and reward[2] == 0
    assert infos["final_obs"][2, 1].abs() > 0.2 and seen[2, 1].abs() < 0.06
    assert torch.equal(infos["final_obs"][0], seen[0]) and envs.elapsed[2] == 0
    assert envs.task.time[2] == 0 and envs.task.time[0] > 0
    # results of the new episode follow from its start
    assert abs(seen[2, 7] - 0.6 * torch.sin(seen[2, 1]) - seen[2, 0]) < 1e-9
    while not cut.any():
        seen, reward, ended, cut, infos = envs.step(0 * push)
    assert cut[0] and not cut[2]


def test_a_world_with_bad_numbers_ends():
    envs = make(3)
    envs.reset()
    envs.task.qvel[1, 0] = np.nan
    seen, _, ended, _, _ = envs.step(torch.zeros(3, 1, dtype=torch.float64))
    assert ended.tolist() == [False, True, False] and torch.isfinite(seen).all()


def test_seeds_and_what_is_missing():
    a, b = make(seed=5).reset()[0], make(seed=5).reset()[0]
    assert torch.equal(a, b) and not torch.equal(a, make(seed=6).reset()[0])
    assert make(dtype=np.float32).reset()[0].dtype == torch.float32
    with pytest.raises(NotImplementedError, match="outcome"):
        tensors.Task(1, device="kernel", xml_file=Balance.xml_file).outcome(None, None)
    with pytest.raises(ValueError, match="processor"):
        make(device="cpu")
