"""Trains a robot by proximal policy optimisation (PPO), in many worlds at once.

    python -m sinew.gym.ppo --env sinew/HalfCheetah-v5 --out runs/cheetah
    python -m sinew.gym.ppo --resume --out runs/cheetah      # continues an interrupted training
    python -m sinew.gym.ppo --evaluate --out runs/cheetah    # in Gymnasium's own, on MuJoCo
    python -m sinew.gym.ppo --env module:Name --device cuda  # worlds and networks on a GPU

`--env` is any environment with continuous actions that Gymnasium can make. `module:name` imports a
module of the present folder first, so a task of one's own trains by the same command. `Name` may
also be a `sinew.gym.tensors.Task` of the module, whose worlds are on the device. The folder
`--out` gets `curve.csv`, `checkpoint.pt`, `policy.npz`, `policy.onnx`, `drive.onnx` and
`replay.html`.

`--pixels 32` shows the policy pictures of 32 x 32 pixels, the last `--frames 2` of them, in place
of numbers. A network of convolutions looks at them, as at those of any environment whose
observations are pictures.

`--collectors 4` steps the worlds in four processes, and `--backend ray` on the machines of a Ray
cluster. The policy is the same if a collector is lost on the way.

The algorithm is that of Schulman et al., "Proximal policy optimization algorithms" (2017), with
generalised advantage estimation (GAE). Observations and returns are normalised. A truncated episode
keeps the value of its last state.
"""

import argparse
import collections
import copy
import csv
import importlib.util
import os
import pathlib
import sys
import time

import gymnasium
import numpy as np
import torch
from torch import nn

import sinew
import sinew.gym
from sinew.gym import tensors, workers
from sinew.gym._drive import export_drive

# normalised observations beyond this many standard deviations are cut off
WIDEST = 10.0


class Normal(nn.Module):
    """Mean and variance of numbers so far."""

    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size, dtype=torch.float64))
        self.register_buffer("var", torch.ones(size, dtype=torch.float64))
        self.register_buffer("count", torch.zeros((), dtype=torch.float64))

    def add(self, x):
        """Takes in rows of numbers (Chan et al., 1983)."""
        x = x.double().reshape(-1, *self.mean.shape)
        n, delta = len(x), x.mean(0) - self.mean
        total = self.count + n
        squares = self.var * self.count + x.var(0, correction=0) * n
        self.var.copy_((squares + delta**2 * self.count * n / total) / total)
        self.mean += delta * n / total
        self.count.copy_(total)


def layers(inputs, hidden, outputs, scale):
    """A network with hidden layers, and orthogonal weights at the start."""
    sizes, parts = [inputs, *hidden], []
    for a, b in zip(sizes, sizes[1:]):
        parts += [nn.Linear(a, b), nn.Tanh()]
        nn.init.orthogonal_(parts[-2].weight, 2**0.5)
        nn.init.zeros_(parts[-2].bias)
    parts.append(nn.Linear(sizes[-1], outputs))
    nn.init.orthogonal_(parts[-1].weight, scale)
    nn.init.zeros_(parts[-1].bias)
    return nn.Sequential(*parts)


class Eyes(nn.Sequential):
    """Convolutions that turn pictures, (worlds, height, width, channels), into rows of numbers."""

    def __init__(self, shape, channels=(16, 32)):
        parts, before = [], shape[2]
        for after, size in zip(channels, (5, 3)):
            parts += [nn.Conv2d(before, after, size, stride=2), nn.ReLU()]
            nn.init.orthogonal_(parts[-2].weight, 2**0.5)
            nn.init.zeros_(parts[-2].bias)
            before = after
        super().__init__(*parts, nn.Flatten())
        self.outputs = self(torch.zeros(1, *shape)).shape[1]

    def forward(self, pictures):
        return super().forward(pictures.permute(0, 3, 1, 2))


class Agent(nn.Module):
    """A policy with normally distributed actions, and the value of states."""

    def __init__(self, envs, options):
        super().__init__()
        shape, space = envs.single_observation_space.shape, envs.single_action_space
        outputs, hidden, std = space.shape[0], options.hidden, options.std
        self.observed, self.returns = Normal(shape), Normal(())
        # actor and critic have the same eyes
        self.eyes = Eyes(shape) if len(shape) == 3 else nn.Identity()
        inputs = self.eyes.outputs if len(shape) == 3 else shape[0]
        self.actor = layers(inputs, hidden, outputs, 0.01)
        self.critic = layers(inputs, hidden, 1, 1.0)
        self.log_std = nn.Parameter(torch.full((outputs,), float(np.log(std))))
        # actions of -1 and 1 are the ends of the range, if there is one
        low, high = (torch.as_tensor(x, dtype=torch.float32) for x in (space.low, space.high))
        finite = torch.isfinite(low) & torch.isfinite(high)
        self.register_buffer("reach", torch.where(finite, (high - low) / 2, 1.0))
        self.register_buffer("middle", torch.where(finite, (high + low) / 2, 0.0))
        self.register_buffer("limit", torch.where(finite, 1.0, torch.inf))

    def tensor(self, x):
        """Numbers where the agent is."""
        return torch.as_tensor(x, device=self.reach.device)

    def normal(self, observation):
        """Observations with mean 0 and variance 1."""
        x = (observation.double() - self.observed.mean) / torch.sqrt(self.observed.var + 1e-8)
        return x.clamp(-WIDEST, WIDEST).float()

    def judge(self, normal):
        """The mean action and the value of normalised observations."""
        seen = self.eyes(normal)
        return self.actor(seen), self.critic(seen).squeeze(-1)

    def act(self, mean, random=None):
        """Random actions, and the logarithms of their probability densities."""
        noise = torch.randn(mean.shape, generator=random, device=mean.device)
        action = mean + self.log_std.exp() * noise
        return action, self.log_density(mean, action)

    def log_density(self, mean, action):
        """The logarithm of the probability density of actions, up to a constant."""
        return (-0.5 * ((action - mean) / self.log_std.exp()) ** 2 - self.log_std).sum(-1)

    def control(self, action):
        """The action that the environment gets."""
        return self.middle + self.reach * torch.maximum(torch.minimum(action, self.limit), -self.limit)

    def forward(self, observation):
        """The action without noise: the policy that is exported."""
        return self.control(self.judge(self.normal(observation))[0])


def make(options, worlds):
    """The vector environment; without a native one, Gymnasium steps single ones in turn."""
    task = tensor_task(options)
    if task is not None:
        return tensors.VectorEnv(task, worlds, device=options.device, nthread=options.nthread)
    name = options.env.rpartition(":")[2]
    if options.device == "kernel":
        raise ValueError(f"--device kernel: {options.env} is not a sinew.gym.tensors.Task")
    mode = gymnasium.vector.AutoresetMode.SAME_STEP
    if gymnasium.spec(name).vector_entry_point == "sinew.gym:VectorEnv":
        own = {"autoreset_mode": mode, "nthread": options.nthread}
        if options.pixels:
            own |= {"pixels": True, "width": options.pixels, "height": options.pixels}
            own["frames"] = options.frames
    else:
        if options.pixels:
            raise ValueError(f"--pixels: {options.env} is not an environment of sinew.gym")
        own = {"vectorization_mode": "sync", "vector_kwargs": {"autoreset_mode": mode}}
    return Arrays(gymnasium.make_vec(name, num_envs=worlds, **own), options.device)


def tensor_task(options):
    """The task whose worlds are on the device, if the module of the environment has one."""
    module, _, name = options.env.rpartition(":")
    if not module:
        return None
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    task = getattr(importlib.import_module(module), name, None)
    if not (isinstance(task, type) and issubclass(task, tensors.Task)):
        return None
    if options.device == "cpu":
        raise ValueError(f"--device: {options.env} needs cuda, or kernel for tests without a GPU")
    for refused in ("pixels", "collectors"):
        if getattr(options, refused):
            raise ValueError(f"--{refused}: the worlds of {options.env} are numbers on one device")
    return task


def networks_on(device):
    """The device of the networks: the processor if it steps the worlds by the kernel."""
    return torch.device("cpu" if device == "kernel" else device)


class Arrays:
    """A vector environment of Gymnasium whose results are tensors, as in `sinew.gym.tensors`."""

    def __init__(self, envs, device):
        self.envs, self.device, self.num_envs = envs, torch.device(device), envs.num_envs
        self.single_observation_space = envs.single_observation_space
        self.single_action_space = envs.single_action_space
        inner = envs.unwrapped
        self.task = inner.task if isinstance(inner, sinew.gym.VectorEnv) else None

    def _tensor(self, x):
        return torch.tensor(np.asarray(x), device=self.device)

    def reset(self, *, seed=None):
        """Starts episodes in all worlds: observations and infos."""
        return self._tensor(self.envs.reset(seed=seed)[0]), {}

    def step(self, actions):
        """Steps all worlds: observations, rewards, terminations, truncations, infos."""
        seen, *outcome, infos = self.envs.step(actions.cpu().numpy())
        _, ended, cut = outcome
        last, worlds = {}, np.flatnonzero(cut & ~ended)
        if len(worlds):
            final = np.array(seen)
            final[worlds] = np.stack([infos["final_obs"][world] for world in worlds])
            last["final_obs"] = self._tensor(final)
        return self._tensor(seen), *map(self._tensor, outcome), last

    def snapshot(self):
        """Everything that later steps depend on; None for worlds that cannot be stored."""
        return self.envs.unwrapped.snapshot() if self.task else None

    def restore(self, state):
        """Takes over what `snapshot` gave."""
        self.envs.unwrapped.restore(state)

    def close(self):
        """Ends the environments."""
        self.envs.close()


class Collector:
    """Worlds that meet what an agent does, and the running returns of their episodes."""

    def __init__(self, options, worlds, seed):
        self.options, self.envs = options, make(options, worlds)
        self.observation, _ = self.envs.reset(seed=seed)
        if isinstance(self.envs, tensors.VectorEnv):
            self.envs.stagger()
        # return, length and discounted return of each world's episode so far
        kind = {"dtype": torch.float64, "device": self.observation.device}
        self.running = torch.zeros(3, worlds, **kind)
        self._factor = torch.tensor([[1.0], [1.0], [options.gamma]], **kind)

    @torch.no_grad()
    def rollout(self, agent, random=None):
        """Steps all worlds; returns what they met, tensors of shape (length, worlds, ...), and the
        returns and lengths of the episodes that ended."""
        met = collections.defaultdict(list)
        for _ in range(self.options.length):
            observed = self.observation
            mean, value = agent.judge(agent.normal(observed))
            action, density = agent.act(mean, random)
            self.observation, reward, ended, cut, infos = self.envs.step(agent.control(action))
            over, reward = ended | cut, reward.double()
            added = torch.stack([reward, torch.ones_like(reward), reward])
            total = self.running * self._factor + added
            self.running = torch.where(over, 0.0, total)
            # a truncated episode goes on: the value of its last state is part of the return
            last, final = torch.zeros_like(value), infos.get("final_obs")
            if final is not None:
                last = torch.where(cut & ~ended, agent.judge(agent.normal(final))[1], last)
            step = {"observed": observed, "action": action, "density": density, "value": value}
            step |= {"last": last, "reward": reward, "over": over, "total": total}
            for name, x in step.items():
                met[name].append(x)
        met = {name: torch.stack(x) for name, x in met.items()}

        # the value of what follows each step
        following = agent.judge(agent.normal(self.observation))[1]
        after = torch.cat([met["value"][1:], following[None]])
        met["after"] = torch.where(met["over"], met.pop("last"), after)
        total = met.pop("total")
        met["discounted"] = total[:, 2]
        # the only numbers that go from a device to the processor, once in a rollout
        ended = total[:, :2].transpose(1, 2)[met["over"]]
        return met, [tuple(episode) for episode in ended.tolist()]

    def state(self):
        """The worlds; those of Gymnasium cannot be stored, and begin again."""
        worlds = self.envs.snapshot()
        if worlds is None:
            return None
        own = {"running": self.running, "observation": self.observation}
        return {name: x.cpu().numpy().copy() for name, x in own.items()} | {"worlds": worlds}

    def set_state(self, state):
        """Goes on from stored worlds."""
        self.envs.restore(state["worlds"])
        for name in ("running", "observation"):
            setattr(self, name, torch.tensor(state[name], device=self.running.device))

    def close(self):
        """Ends the environments."""
        self.envs.close()


class Worker:
    """A collector that is somewhere else, with an agent of its own."""

    def __init__(self, options):
        torch.set_num_threads(1)
        own = {"nthread": options.nthread or 1, "device": "cpu"}
        options = argparse.Namespace(**{**vars(options), **own})
        self.collector = Collector(options, options.worlds // options.collectors, 0)
        envs, self.random = self.collector.envs, torch.Generator()
        if self.collector.state() is None:
            raise ValueError(f"--collectors: the state of {options.env} cannot be stored")
        self.agent = Agent(envs, options)

    def run(self, job):
        """The experience of the worlds of a job, the ended episodes, and the present worlds."""
        # arrays from other processes may be read-only
        numbers = {name: torch.from_numpy(np.array(x)) for name, x in job["agent"].items()}
        self.agent.load_state_dict(numbers)
        collector, shard = self.collector, job["shard"]
        if "worlds" in shard:
            collector.set_state(shard["worlds"])
            self.random.set_state(torch.from_numpy(np.array(shard["random"])))
        else:
            collector.running.zero_()
            collector.observation, _ = collector.envs.reset(seed=shard["seed"])
            self.random.manual_seed(shard["seed"])
        met, ended = collector.rollout(self.agent, self.random)
        met = {name: np.asarray(x) for name, x in met.items()}
        shard = {"worlds": collector.state(), "random": self.random.get_state().numpy()}
        return met, ended, shard


class Team:
    """Collectors in other processes or machines. A rollout depends on the stored worlds alone, so a
    lost collector is replaced without a loss of steps, and none counts twice."""

    def __init__(self, options):
        count, each = options.collectors, options.worlds // options.collectors
        self.options, self.team = options, None
        self.shards = [{"seed": options.seed + k * each} for k in range(count)]

    def rollout(self, agent):
        """The experience of the worlds of all collectors, side by side."""
        if self.team is None:
            backend = workers.BACKENDS[self.options.backend](Worker, self.options)
            self.team = workers.Team(backend, len(self.shards))
        numbers = {name: x.cpu().numpy() for name, x in agent.state_dict().items()}
        replaced = self.team.replaced
        done = self.team.run([{"agent": numbers, "shard": shard} for shard in self.shards])
        if self.team.replaced > replaced:
            print(f"\nlost collectors that were replaced, so far: {self.team.replaced}")
        self.shards = [shard for _, _, shard in done]
        met = {name: np.concatenate([x[name] for x, _, _ in done], axis=1) for name in done[0][0]}
        return met, [episode for _, ended, _ in done for episode in ended]

    def state(self):
        """The worlds of all collectors."""
        return self.shards

    def set_state(self, state):
        """Goes on from stored worlds."""
        self.shards = state

    def close(self):
        """Ends the collectors."""
        if self.team is not None:
            self.team.close()


class Training:
    """Environments, agent and optimiser, and everything else that a checkpoint has."""

    def __init__(self, options):
        torch.set_num_threads(options.torch_threads)
        torch.manual_seed(options.seed)
        self.options, self.device = options, networks_on(options.device)
        if options.collectors:
            self.collector, envs = Team(options), make(options, 1)
        else:
            self.collector = Collector(options, options.worlds, options.seed)
            envs = self.collector.envs
        self.agent = Agent(envs, options).to(self.device)
        networks = (self.agent.eyes, self.agent.actor, self.agent.critic)
        parameters = [x for network in networks for x in network.parameters()]
        parameters.append(self.agent.log_std)
        self.optimizer = torch.optim.Adam(parameters, options.rate, eps=1e-5, fused=True)
        # progress, and the returns and lengths of the last episodes
        self.steps, self.seconds, self.curve = 0, 0.0, []
        self.ended = collections.deque(maxlen=max(100, options.worlds))

    @torch.no_grad()
    def rollout(self):
        """Steps all worlds; returns rows of what the agent learns from."""
        agent = self.agent
        met, ended = self.collector.rollout(agent)
        met = {name: agent.tensor(x) for name, x in met.items()}
        self.ended.extend(ended)
        self.steps += met["reward"].numel()

        # rewards in units of the standard deviation of returns
        agent.returns.add(met["discounted"])
        reward = (met["reward"] / torch.sqrt(agent.returns.var + 1e-8)).float()
        value, normal = met["value"], agent.normal(met["observed"])
        advantage = self._advantage(reward, value, met["after"], met["over"])
        agent.observed.add(met["observed"])
        parts = (normal, met["action"], met["density"], value, advantage, advantage + value)
        return [x.flatten(0, 1) for x in parts]

    def _advantage(self, reward, value, after, over):
        """Generalised advantage estimation."""
        gamma, decay = self.options.gamma, self.options.gamma * self.options.decay
        surprise = reward + gamma * after - value
        advantage, following = torch.empty_like(surprise), 0.0
        for t in range(len(surprise) - 1, -1, -1):
            following = surprise[t] + decay * following * ~over[t]
            advantage[t] = following
        return advantage

    def learn(self, batch):
        """Improves the agent by what the worlds met."""
        options, agent = self.options, self.agent
        share = 1.0 - self.done
        for group in self.optimizer.param_groups:
            group["lr"] = options.rate * max(share, 0.0)
        parameters = self.optimizer.param_groups[0]["params"]
        for _ in range(options.epochs):
            order = torch.randperm(len(batch[0]), device=self.device)
            for rows in order.split(options.minibatch):
                loss = self._loss(*(x[rows] for x in batch))
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(parameters, 0.5)
                self.optimizer.step()

    def _loss(self, normal, action, density, value, advantage, target):
        """The loss of a minibatch: policy, value and entropy."""
        options, agent = self.options, self.agent
        mean, now = agent.judge(normal)
        ratio = (agent.log_density(mean, action) - density).exp()
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        near = ratio.clamp(1 - options.clip, 1 + options.clip)
        policy = -torch.minimum(ratio * advantage, near * advantage).mean()
        error = (now - target) ** 2
        if options.clip_values:
            near = value + (now - value).clamp(-options.clip, options.clip)
            error = torch.maximum(error, (near - target) ** 2)
        return policy + 0.25 * error.mean() - options.entropy * agent.log_std.sum()

    def state(self):
        """Everything that a checkpoint has."""
        own = ("steps", "seconds", "curve", "ended")
        state = {name: getattr(self, name) for name in own}
        state |= {"agent": self.agent.state_dict(), "optimizer": self.optimizer.state_dict()}
        state |= {"options": vars(self.options), "random": torch.get_rng_state()}
        if self.device.type == "cuda":
            state["random_cuda"] = torch.cuda.get_rng_state(self.device)
        state["collector"] = self.collector.state()
        return state

    def set_state(self, state):
        """Continues from a checkpoint, with the same bits if the environment keeps its state."""
        self.agent.load_state_dict(state["agent"])
        self.optimizer.load_state_dict(state["optimizer"])
        for name in ("steps", "seconds", "curve", "ended"):
            setattr(self, name, state[name])
        if state["collector"] is not None:
            self.collector.set_state(state["collector"])
        torch.set_rng_state(state["random"])
        if self.device.type == "cuda" and "random_cuda" in state:
            torch.cuda.set_rng_state(state["random_cuda"], self.device)

    def save(self, folder):
        """Writes the checkpoint, the curve and the policy for numpy; an interruption leaves the
        former."""
        torch.save(self.state(), folder / "checkpoint.new")
        os.replace(folder / "checkpoint.new", folder / "checkpoint.pt")
        with open(folder / "curve.csv", "w", newline="") as file:
            csv.writer(file).writerows([("steps", "seconds", "return", "length"), *self.curve])
        export_arrays(copy.deepcopy(self.agent).cpu(), folder)

    @property
    def done(self):
        """The share of the training that is done, by steps or by time."""
        spent = self.seconds / self.options.seconds if self.options.seconds else 0.0
        return max(self.steps / self.options.steps, spent)

    def run(self, folder):
        """Trains to the number of steps or seconds, and shows the progress."""
        options, saved = self.options, time.perf_counter()
        while self.done < 1.0:
            start = time.perf_counter()
            self.learn(self.rollout())
            self.seconds += time.perf_counter() - start
            mean, length = np.mean(self.ended, axis=0) if self.ended else (np.nan, np.nan)
            self.curve.append((self.steps, round(self.seconds, 2), round(mean, 2), round(length, 1)))
            show(self.done, self.steps, self.seconds, mean, length)
            if time.perf_counter() - saved > options.save_every or self.done >= 1.0:
                self.save(folder)
                saved = time.perf_counter()


def show(done, steps, seconds, mean, length):
    """The progress bar, rewritten in place on a terminal."""
    bar = "#" * min(int(20 * done), 20)
    left = max(seconds / done - seconds, 0.0)
    text = f"[{bar:20}] {steps:9,} steps  {steps / seconds:7,.0f}/s  {left:5.0f} s left"
    end = "\n" if done >= 1.0 or not sys.stdout.isatty() else "\r"
    print(f"{text}  return {mean:8.1f}  length {length:6.1f}", end=end, flush=True)


@torch.no_grad()
def episodes(agent, envs, count, seed, watch=None):
    """Returns and lengths of the first episode of each world, with the policy without noise."""
    observation, _ = envs.reset(seed=seed)
    returns, lengths = torch.zeros(2, count, dtype=torch.float64, device=envs.device)
    alive = torch.ones(count, dtype=torch.bool, device=envs.device)
    while alive.any():
        if watch is not None:
            watch(envs)
        observation, reward, ended, cut, _ = envs.step(agent(observation))
        returns += reward * alive
        lengths += alive
        alive &= ~(ended | cut)
    envs.close()
    return returns.cpu().numpy(), lengths.cpu().numpy()


def evaluate(agent, options):
    """Runs the policy here, and in Gymnasium's environment of that name on MuJoCo."""
    names = [options.env]
    if options.env.removeprefix(sinew.gym.PREFIX) in sinew.gym.TASKS and not options.pixels:
        names = [sinew.gym.PREFIX + names[0].removeprefix(sinew.gym.PREFIX)]
        names.append(names[0].removeprefix(sinew.gym.PREFIX))
    for name in names:
        try:
            envs = make(argparse.Namespace(**{**vars(options), "env": name}), options.episodes)
        except (ImportError, gymnasium.error.DependencyNotInstalled) as error:
            print(f"{name}: skipped ({error}): pip install 'gymnasium[mujoco]' mujoco==3.5.0")
            continue
        returns, lengths = episodes(agent, envs, options.episodes, options.seed + 1000)
        print(
            f"{name}: return {returns.mean():.1f} +- {returns.std():.1f}, "
            f"length {lengths.mean():.1f}, {len(returns)} episodes"
        )


def export_arrays(agent, folder):
    """Writes the policy for numpy."""
    linear = [part for part in agent.actor if isinstance(part, nn.Linear)]
    arrays = {f"weight{i}": part.weight.detach().numpy() for i, part in enumerate(linear)}
    arrays |= {f"bias{i}": part.bias.detach().numpy() for i, part in enumerate(linear)}
    scale = 1 / np.sqrt(agent.observed.var.numpy() + 1e-8)
    arrays |= {"mean": agent.observed.mean.numpy(), "scale": scale, "widest": WIDEST}
    arrays |= {name: getattr(agent, name).numpy() for name in ("reach", "middle", "limit")}
    arrays |= {f"eyes.{name}": part.numpy() for name, part in agent.eyes.state_dict().items()}
    np.savez(folder / "policy.npz", **arrays)


def export(agent, options, folder):
    """Writes the policy as ONNX, and an episode as a page for the browser."""
    agent = copy.deepcopy(agent).cpu().eval()
    if importlib.util.find_spec("onnx"):
        shape = agent.observed.mean.shape
        kind = torch.uint8 if len(shape) == 3 else torch.float64
        example = torch.zeros(1, *shape, dtype=kind)
        names = {"input_names": ["observation"], "output_names": ["action"]}
        axes = {"observation": {0: "worlds"}}
        names |= {"dynamic_axes": axes, "dynamo": False}
        torch.onnx.export(agent, (example,), folder / "policy.onnx", **names)
    else:
        print("policy.onnx: skipped, because onnx is not installed (pip install onnx)")
    # a world in the memory of the processor; the kernel has the same bits there
    here = "kernel" if tensor_task(options) else "cpu"
    envs = make(argparse.Namespace(**{**vars(options), "device": here}), 1)
    if envs.task is not None:
        if len(agent.observed.mean.shape) == 1:
            export_drive(agent, envs.task, folder)
        recording = sinew.Recording(envs.task.batch.world_model(0), fps=30, name=options.env)
        watch = lambda envs: recording.append(envs.task.batch.data(0))
        episodes(agent, envs, 1, options.seed, watch)
        recording.save(folder / "replay.html")


def arguments(given=None):
    """The options of the command line."""
    parser = argparse.ArgumentParser("python -m sinew.gym.ppo", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--env", default="sinew/HalfCheetah-v5", help="an environment, or module:environment")
    add("--out", type=pathlib.Path, default=pathlib.Path("runs/ppo"), help="folder of the results")
    add("--resume", action="store_true", help="continue from the checkpoint, with its options")
    add("--evaluate", action="store_true", help="run the policy of the checkpoint")
    add("--episodes", type=int, default=20, help="episodes of an evaluation")
    add("--pixels", type=int, default=0, help="width of pictures as observations; 0 means numbers")
    add("--frames", type=int, default=2, help="how many of the last pictures are seen at once")
    add("--device", default="cpu", help="where networks and tasks in tensors are: cpu, cuda")
    add("--nthread", type=int, default=0, help="threads that step worlds; 0 means all")
    add("--collectors", type=int, default=0, help="workers that step worlds; 0 means this process")
    add("--backend", default="processes", choices=sorted(workers.BACKENDS), help="where those are")
    add("--torch-threads", type=int, default=1, help="threads of the networks")
    add("--seed", type=int, default=0)
    add("--steps", type=int, default=3_000_000, help="steps of all worlds together")
    add("--seconds", type=float, default=0.0, help="end after so many seconds; 0 means no limit")
    add("--save-every", type=float, default=30.0, help="seconds between checkpoints")
    add("--worlds", type=int, default=32)
    add("--length", type=int, default=64, help="steps of a world between updates")
    add("--epochs", type=int, default=10)
    add("--minibatch", type=int, default=256)
    add("--rate", type=float, default=3e-4, help="learning rate at the start; it falls to 0")
    add("--gamma", type=float, default=0.99, help="discount")
    add("--decay", type=float, default=0.92, help="lambda of GAE")
    add("--clip", type=float, default=0.2, help="change of probabilities that still counts")
    add("--clip-values", action="store_true", help="limit the change of values too")
    add("--entropy", type=float, default=0.0, help="weight of the entropy")
    add("--std", type=float, default=0.4, help="standard deviation of actions at the start")
    add("--hidden", type=int, nargs="+", default=[64, 64], help="units of the hidden layers")
    options = parser.parse_args(given)
    if options.worlds * options.length % options.minibatch:
        parser.error("--minibatch must divide --worlds times --length")
    if options.collectors and options.worlds % options.collectors:
        parser.error("--collectors must divide --worlds")
    return options


def main(given=None):
    """Trains, continues or evaluates, as the command line says."""
    options = arguments(given)
    path, state = options.out / "checkpoint.pt", None
    if options.resume or options.evaluate:
        if not path.exists():
            sys.exit(f"{path} does not exist: train first, with the same --out")
        state = torch.load(path, map_location="cpu", weights_only=False)
        kept = ("out", "device", "nthread", "torch_threads", "backend", "episodes")
        kept += ("evaluate", "resume")
        kept = {name: getattr(options, name) for name in kept}
        options = argparse.Namespace(**{**vars(options), **state["options"], **kept})
    if options.evaluate:
        # the worlds of the training are not needed
        options.worlds, options.collectors, state["collector"] = 1, 0, None
    training = Training(options)
    if state is not None:
        training.set_state(state)
    if not options.evaluate:
        options.out.mkdir(parents=True, exist_ok=True)
        training.run(options.out)
        training.collector.close()
        export(training.agent, options, options.out)
    evaluate(training.agent, options)
    return training


if __name__ == "__main__":
    # the module by its name, so that workers in other processes find its classes
    importlib.import_module("sinew.gym.ppo").main()
