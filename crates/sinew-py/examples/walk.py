"""A robot with four legs that walks by commanded velocity, over rough ground.

    cd crates/sinew-py/examples
    python -m sinew.gym.ppo --env walk_device:Walk --device cuda --out runs/walk    # on a GPU
    python -m sinew.gym.ppo --env walk:own/Walk-v0 --worlds 64 --minibatch 512 --out runs/walk
    python walk.py runs/walk         # how fast the robot walks, by command

The command is a velocity forward, a velocity to the left, and a rate of turning. Worlds differ in
friction, mass and delay. The observations have noise, and now and then something pushes the robot.
A robot of one's own needs another model, pose and gait.
"""

import pathlib
import sys

import gymnasium
import numpy as np

import sinew
import sinew.gym

MODEL = pathlib.Path(__file__).parents[3] / "models" / "quadruped.xml"

# half width of the ground in metres, its points along a side, and the height of its bumps
GROUND, POINTS, BUMPS = 12.0, 241, 0.05
# limits of the commands: forward, to the left, turning
SLOWEST, FASTEST = np.array([-0.5, -0.3, -1.0]), np.array([1.0, 0.3, 1.0])
# legs step at this rate, in pairs across: front left with rear right
STEPS_PER_SECOND, PAIRS = 2.0, (0.0, np.pi, np.pi, 0.0)
# where legs stand to the left of the middle, and their length, in metres
LEFT, LEG = (0.135, -0.135, 0.135, -0.135), 0.31
# standard deviations of noise: gyro, down, command and clock, angles, rates, last action
NOISE = np.repeat([0.1, 0.03, 0.0, 0.01, 0.5, 0.0], [3, 3, 5, 12, 12, 12])


def rough_ground(path=MODEL):
    """The model with a height field in place of its floor."""
    spec = sinew.MjSpec.from_file(str(path))
    noise = np.random.default_rng(0).uniform(size=(POINTS, POINTS))
    for axis in (0, 1):  # bumps as wide as a foot step
        noise = (np.roll(noise, 1, axis) + noise + np.roll(noise, -1, axis)) / 3
    noise = (noise - noise.min()) / (noise.max() - noise.min())
    field = spec.add_hfield(name="ground", nrow=POINTS, ncol=POINTS)
    field.size, field.userdata = [GROUND, GROUND, BUMPS, 0.1], noise.ravel()
    # a longer step than the model's own, of which a robot needs half as many
    spec.option.timestep = 0.004
    floor = spec.geom("floor")
    floor.type, floor.hfieldname = sinew.mjtGeom.mjGEOM_HFIELD, "ground"
    return spec.compile()


def down(quat):
    """The direction of gravity as the torso sees it: three columns."""
    w, x, y, z = (quat[:, k : k + 1] for k in range(4))
    return 2 * (w * y - x * z), -2 * (y * z + w * x), 2 * (x * x + y * y) - 1


def rhythm(xp, phase, command):
    """Angles of a gait around the stand: twelve columns; `xp` is the module numpy or torch.

    Feet are lifted in turn, and go back on the ground at the commanded speed."""
    angles = []
    for pair, left in zip(PAIRS, LEFT):
        lift, speed = xp.sin(phase + pair).clip(0), command[:, :1] - command[:, 2:] * left
        swing = speed / (4 * STEPS_PER_SECOND * LEG) * xp.cos(phase + pair)
        angles += [0 * lift, 0.25 * lift + swing, -0.5 * lift]
    return angles


class Gait:
    """The walk, for the arrays of `Walk` and for tensors on a GPU: `xp` is the module of either.

    A subclass has the fields `qpos`, `qvel`, `force`, `gyro` and `speed`, the random numbers
    `uniform(k)` and `normal(k)`, and the functions `cat` and `array`."""

    frame_skip, max_episode_steps = 5, 1000
    commands = tuple(zip(("forward", "to the left", "turn"), SLOWEST, FASTEST))
    last_size = 12
    carried = ("command", "phase", "last", "late", "push_in")

    def set_up(self, noise, pushes, rng):
        """Sets the pose, and what differs by world: friction of the feet, mass of the torso, and
        delay by one step."""
        self.noise, self.pushes, key = noise * self.array(NOISE), pushes, self.model.key("stand")
        self.stand, self.pose = self.array(key.ctrl), self.array(key.qpos)
        self.slowest, self.range = self.array(SLOWEST), self.array(FASTEST - SLOWEST)
        toes = [self.model.geom(leg + "_toe").id for leg in ("FL", "FR", "RL", "RR")]
        torso = self.model.body("torso").id
        self.batch.expand("geom_friction")[:, toes, 0] = rng.uniform(0.5, 1.25, (self.n, 1))
        self.batch.expand("body_mass")[:, torso] += rng.uniform(-1.0, 2.0, self.n)
        self.batch.set_const()
        self.late = self.array(rng.uniform(size=(self.n, 1))) < 0.5
        zeros = lambda *shape: self.array(np.zeros((self.n, *shape)))
        self.command, self.phase, self.last, self.push_in = zeros(3), zeros(1), zeros(12), zeros()

    def action_space(self):
        return gymnasium.spaces.Box(-1.0, 1.0, (12,), np.float32)

    def begin(self, over):
        """Begins episodes in the worlds of a mask."""
        where, rows = self.xp.where, over[:, None]
        self.last = where(rows, 0.0, self.last)
        self.phase = where(rows, 2 * np.pi * self.uniform(1), self.phase)
        self.command_anew(over)

    def command_anew(self, worlds):
        """Gives some robots another command, until something happens again."""
        where, rows = self.xp.where, worlds[:, None]
        self.command = where(rows, self.slowest + self.range * self.uniform(3), self.command)
        self.push_in = where(worlds, 100 + 300 * self.uniform(1)[:, 0], self.push_in)

    def observation(self):
        clock = self.xp.sin(self.phase), self.xp.cos(self.phase)
        parts = [self.gyro, *down(self.qpos[:, 3:7]), self.command, *clock]
        seen = self.cat([*parts, self.qpos[:, 7:] - self.stand, self.qvel[:, 6:], self.last], 1)
        return seen + self.noise * self.normal(len(NOISE))

    def control(self, action):
        # actions move the joints around the rhythm
        sent = self.xp.where(self.late, self.last, action)
        return self.stand + self.cat(rhythm(self.xp, self.phase, self.command), 1) + 0.4 * sent

    def drive(self, state, policy):
        """The same observations and controls for one robot, without noise, for the viewer."""
        import torch  # what `state` has

        phase = 2 * np.pi * STEPS_PER_SECOND * state.time
        angles, rates = state.qpos[:, 7:] - state.tensor(self.stand), state.qvel[:, 6:]
        parts = (state.sensor("gyro"), *down(state.qpos[:, 3:7]), state.command)
        seen = state.cat(*parts, phase.sin(), phase.cos(), angles, rates, state.last)
        action = policy(seen).double()
        legs = state.cat(*rhythm(torch, phase, state.command))
        return state.tensor(self.stand) + legs + 0.4 * action, action

    def rewards(self, action):
        """Rewards, falls, and how well the robots follow; then what happens to them."""
        self.phase = (self.phase + 2 * np.pi * STEPS_PER_SECOND * self.dt) % (2 * np.pi)
        change, self.last = action - self.last, action
        square, exp = lambda x: (x * x).sum(1), self.xp.exp
        follows = exp(-4 * square(self.speed[:, :2] - self.command[:, :2]))
        turns = exp(-4 * square(self.gyro[:, 2:] - self.command[:, 2:]))
        x, y, z = down(self.qpos[:, 3:7])
        cost = 2 * square(self.speed[:, 2:]) + 0.05 * square(self.gyro[:, :2])
        cost += 0.02 * square(change) + 5e-4 * square(self.force) + square(x) + square(y)
        fallen = z[:, 0] > -0.5
        reward = (follows + 0.5 * turns - 0.5 * cost).clip(0) - 1.0 * fallen

        # now and then a robot is pushed sideways, and gets another command
        self.push_in = self.push_in - 1
        now = self.push_in < 0
        self.command_anew(now)
        if self.pushes:
            self.qvel[:, :2] += now[:, None] * (self.uniform(2) - 0.5)
        return reward, fallen, {"follows": follows, "turns": turns}


class Walk(Gait, sinew.gym.Task):
    """Walks by commanded velocity."""

    xp, cat, array = np, staticmethod(np.concatenate), staticmethod(np.array)
    carried = (*Gait.carried, "rng")
    qpos = property(lambda self: self.batch.qpos)
    qvel = property(lambda self: self.batch.qvel)

    def __init__(self, n, *, noise=1.0, pushes=True, **options):
        super().__init__(n, xml_file=rough_ground(), **options)
        self.gyro, self.speed = self.batch.sensor("gyro"), self.batch.sensor("velocity")
        self.force, self.rng = self.batch.bind("actuator_force"), np.random.default_rng(0)
        self.set_up(noise, pushes, self.rng)

    def uniform(self, size):
        return self.rng.uniform(size=(self.n, size))

    def normal(self, size):
        return self.rng.standard_normal((self.n, size))

    def start(self, rng):
        qpos, turn = self.pose.copy(), rng.uniform(-np.pi, np.pi) / 2
        qpos[:2] = rng.uniform(-0.4, 0.4, 2) * GROUND
        qpos[2] += BUMPS
        qpos[3:7] = np.cos(turn), 0, 0, np.sin(turn)
        qpos[7:] += rng.uniform(-0.1, 0.1, 12)
        return qpos, rng.uniform(-0.1, 0.1, self.model.nv)

    def restart(self, rngs, mask=None):
        if mask is None:
            self.rng = np.random.default_rng(rngs[0].integers(2**63))
        self.begin(np.ones(self.n, bool) if mask is None else mask)
        super().restart(rngs, mask)

    def outcome(self, action, before):
        return self.rewards(np.array(action, float))


def trained(folder):
    """The policy of a training, by NumPy."""
    p = np.load(pathlib.Path(folder) / "policy.npz")
    count = sum(name.startswith("weight") for name in p)

    def policy(observation):
        x = np.clip((observation - p["mean"]) * p["scale"], -p["widest"], p["widest"])
        for k in range(count):
            x = (np.tanh(x) if k else x) @ p[f"weight{k}"].T + p[f"bias{k}"]
        return p["middle"] + p["reach"] * np.clip(x, -p["limit"], p["limit"])

    return policy


def measure(policy, command, robots=8, seconds=6.0, **options):
    """Mean velocities without pushes, forward, to the left and turning; and how many robots fell."""
    task = Walk(robots, pushes=False, **options)
    task.restart([np.random.default_rng(1000 + k) for k in range(robots)])
    found, fallen = [], np.zeros(robots, bool)
    for _ in range(round(seconds / task.dt)):
        task.command[:] = command
        fallen |= task.advance(policy(task.observation()))[1]
        found.append(np.column_stack([task.speed[:, :2], task.gyro[:, 2]]))
    return np.mean(found, axis=(0, 1)), fallen.sum()


def main(folder):
    print("command (m/s, m/s, rad/s): mean velocities, robots that fell of 8")
    commands = [(v, 0, 0) for v in (0, 0.3, 0.6, 0.9, -0.4)] + [(0, 0.25, 0), (0, 0, 0.8)]
    for command in commands:
        found, fallen = measure(trained(folder), command)
        print(*(f"{x:5.2f}" for x in command), ":", *(f"{x:6.3f}" for x in found), fallen)


sinew.gym.register("own/Walk-v0", Walk, max_episode_steps=Walk.max_episode_steps)

if __name__ == "__main__":
    main(sys.argv[1])
