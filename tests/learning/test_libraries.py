"""The vector environments under the libraries for learning, each the real one."""

import numpy as np
import pytest
import torch

import gymnasium
import sinew.gym

SETTINGS = {"num_envs": 4, "nthread": 1}


class Short(sinew.gym.Task):
    """A pole whose episodes end soon, some by time."""

    xml_file = "inverted_pendulum.xml"
    max_episode_steps = 7

    def start(self, rng):
        return self.init_qpos + rng.uniform(-0.1, 0.1, self.model.nq), self.init_qvel

    def outcome(self, action, before):
        fallen = abs(self.batch.qpos[:, 1]) > 0.12
        return 1.0 - fallen, fallen, {"angle": self.batch.qpos[:, 1].copy()}


def test_stable_baselines3_sees_what_the_environment_gives():
    envs = sinew.gym.sb3(Short, **SETTINGS)
    plain = sinew.gym.VectorEnv(Short, 4, max_episode_steps=7, autoreset_mode="SameStep", nthread=1)
    envs.seed(5)
    first, _ = plain.reset(seed=5)
    assert np.array_equal(envs.reset(), first.astype(np.float32))
    rng, limits, falls = np.random.default_rng(0), 0, 0
    for _ in range(40):
        action = rng.uniform(-3, 3, (4, 1)).astype(np.float32)
        observation, reward, done, infos = envs.step(action)
        wanted, wanted_reward, ended, cut, wanted_infos = plain.step(action)
        assert np.array_equal(observation, wanted.astype(np.float32))
        assert np.array_equal(reward, wanted_reward) and np.array_equal(done, ended | cut)
        for world in np.flatnonzero(done):
            last = wanted_infos["final_obs"][world].astype(np.float32)
            assert np.array_equal(infos[world]["terminal_observation"], last)
            assert infos[world]["TimeLimit.truncated"] == (cut[world] and not ended[world])
        limits, falls = limits + cut.sum(), falls + ended.sum()
    assert limits and falls


@pytest.mark.parametrize("name", ["HalfCheetah-v5", "sinew/HalfCheetah-v5"])
def test_stable_baselines3_learns(name):
    from stable_baselines3 import PPO, SAC
    from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

    envs = VecNormalize(VecMonitor(sinew.gym.sb3(name, **SETTINGS)))
    PPO("MlpPolicy", envs, n_steps=32, batch_size=64, device="cpu").learn(256)
    model = SAC("MlpPolicy", sinew.gym.sb3(name, **SETTINGS), learning_starts=40, device="cpu")
    model.learn(80)
    assert model.num_timesteps == 80


def test_stable_baselines3_balances_a_pole():
    """Untrained policies hold the pole for less than 100 steps."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.evaluation import evaluate_policy

    envs = sinew.gym.sb3("InvertedPendulum-v5", num_envs=8, nthread=1)
    model = PPO("MlpPolicy", envs, n_steps=64, batch_size=64, learning_rate=2e-3, device="cpu", seed=1)
    before = evaluate_policy(model, envs, 8, warn=False)[0]
    model.learn(16_384)
    after = evaluate_policy(model, envs, 8, warn=False)[0]
    assert before < 100 and after > 300, (before, after)


def test_rsl_rl_learns():
    from rsl_rl.runners import OnPolicyRunner

    model = {
        "class_name": "MLPModel",
        "hidden_dims": [32, 32],
        "activation": "elu",
        "obs_normalization": True,
    }
    noise = {"class_name": "GaussianDistribution", "init_std": 0.5, "std_type": "scalar"}
    settings = {
        "num_steps_per_env": 16,
        "save_interval": 100,
        "obs_groups": {"actor": ["policy"], "critic": ["policy"]},
        "actor": {**model, "distribution_cfg": noise},
        "critic": dict(model),
        "algorithm": {
            "class_name": "PPO",
            "num_learning_epochs": 2,
            "num_mini_batches": 2,
            "rnd_cfg": None,
            "symmetry_cfg": None,
        },
    }
    envs = sinew.gym.rsl_rl("sinew/Hopper-v5", **SETTINGS)
    runner = OnPolicyRunner(envs, settings, device="cpu")
    runner.learn(3, init_at_random_ep_len=True)
    assert envs.get_observations()["policy"].shape == (4, 11)


def test_rsl_rl_is_told_of_time_limits():
    envs = sinew.gym.rsl_rl(Short, **SETTINGS)
    limits = 0
    for step in range(7):
        _, reward, over, extras = envs.step(torch.zeros(4, 1))
        assert reward.dtype == torch.float32 and not (extras["time_outs"] & (over == 0)).any()
        limits += int(extras["time_outs"].sum())
    assert limits
    assert (envs.episode_length_buf[over == 1] == 0).all()


def test_skrl_learns():
    from skrl.envs.wrappers.torch import wrap_env
    from skrl.agents.torch.ppo import PPO, PPO_CFG
    from skrl.memories.torch import RandomMemory
    from skrl.models.torch import DeterministicMixin, GaussianMixin, Model
    from skrl.trainers.torch import SequentialTrainer

    envs = wrap_env(gymnasium.make_vec("sinew/Hopper-v5", **SETTINGS))

    spaces = {
        "observation_space": envs.observation_space,
        "action_space": envs.action_space,
        "device": envs.device,
    }

    class Policy(GaussianMixin, Model):
        def __init__(self):
            Model.__init__(self, **spaces)
            GaussianMixin.__init__(self)
            self.net = torch.nn.Linear(11, 3)
            self.log_std = torch.nn.Parameter(torch.zeros(3))

        def compute(self, inputs, role):
            return self.net(inputs["observations"]), {"log_std": self.log_std}

    class Value(DeterministicMixin, Model):
        def __init__(self):
            Model.__init__(self, **spaces)
            DeterministicMixin.__init__(self)
            self.net = torch.nn.Linear(11, 1)

        def compute(self, inputs, role):
            return self.net(inputs["observations"]), {}

    settings = PPO_CFG()
    settings.rollouts, settings.experiment.write_interval = 16, 0
    settings.experiment.checkpoint_interval = 0
    agent = PPO(
        models={"policy": Policy(), "value": Value()},
        memory=RandomMemory(memory_size=16, num_envs=envs.num_envs, device=envs.device),
        cfg=settings,
        **spaces,
    )
    before = agent.models["policy"].net.weight.clone()
    SequentialTrainer(env=envs, agents=agent, cfg={"timesteps": 32, "headless": True}).train()
    assert not torch.equal(before, agent.models["policy"].net.weight)


def test_torchrl_collects():
    from torchrl.envs import GymWrapper

    envs = GymWrapper(gymnasium.make_vec("sinew/Hopper-v5", autoreset_mode="SameStep", **SETTINGS))
    found = envs.rollout(40, break_when_any_done=False)
    assert found["observation"].shape == (4, 40, 11)
    assert found["next", "done"].any()
    # after an end comes the first observation of the next episode
    world, step = torch.nonzero(found["next", "done"][:, :-1, 0])[0]
    last, first = found["next", "observation"][world, step], found["observation"][world, step + 1]
    assert not torch.equal(last, first)
    assert abs(first[0] - 1.25) < 0.02
