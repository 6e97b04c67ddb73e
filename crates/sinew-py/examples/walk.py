"""A robot with four legs that walks by commanded velocity, over rough ground.

    cd crates/sinew-py/examples
    python -m sinew.gym.ppo --env walk:own/Walk-v0 --worlds 64 --minibatch 512 --std 0.25

The command is a velocity forward, a velocity to the left, and a rate of turning. Worlds differ in
friction, mass and delay. The observations have noise, and now and then something pushes the robot.
A robot of one's own needs another model, pose and gait.
"""

import pathlib

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
STEPS_PER_SECOND, PAIRS = 2.0, np.array([0.0, np.pi, np.pi, 0.0])
# where legs stand to the left of the middle, and their length, in metres
LEFT, LEG = np.array([0.135, -0.135, 0.135, -0.135]), 0.31


def rough_ground(path=MODEL):
    """The model with a height field in place of its floor."""
    spec = sinew.MjSpec.from_file(str(path))
    noise = np.random.default_rng(0).uniform(size=(POINTS, POINTS))
    for axis in (0, 1):  # bumps as wide as a foot step
        noise = (np.roll(noise, 1, axis) + noise + np.roll(noise, -1, axis)) / 3
    noise = (noise - noise.min()) / (noise.max() - noise.min())
    field = spec.add_hfield(name="ground", nrow=POINTS, ncol=POINTS)
    field.size, field.userdata = [GROUND, GROUND, BUMPS, 0.1], noise.ravel()
    floor = spec.geom("floor")
    floor.type, floor.hfieldname = sinew.mjtGeom.mjGEOM_HFIELD, "ground"
    return spec.compile()


class Walk(sinew.gym.Task):
    """Walks by commanded velocity."""

    frame_skip, max_episode_steps = 10, 1000
    commands = tuple(zip(("forward", "to the left", "turn"), SLOWEST, FASTEST))
    last_size = 12
    carried = ("rng", "command", "phase", "last", "late", "push_in")

    def __init__(self, n, *, noise=1.0, pushes=True, **options):
        super().__init__(n, xml_file=rough_ground(), **options)
        self.noise, self.pushes, self.rng = noise, pushes, np.random.default_rng(0)
        key = self.model.key("stand")
        self.stand, self.pose = key.ctrl.copy(), key.qpos.copy()
        self.torso = self.model.body("torso").id
        self.gyro, self.speed = self.batch.sensor("gyro"), self.batch.sensor("velocity")
        self.force = self.batch.bind("actuator_force")
        # friction of the feet, mass of the torso and delay by one step differ by world
        toes = [self.model.geom(leg + "_toe").id for leg in ("FL", "FR", "RL", "RR")]
        self.batch.expand("geom_friction")[:, toes, 0] = self.rng.uniform(0.5, 1.25, (n, 1))
        self.batch.expand("body_mass")[:, self.torso] += self.rng.uniform(-1.0, 2.0, n)
        self.batch.set_const()
        self.late = self.rng.uniform(size=n) < 0.5
        self.command, self.phase = np.zeros((n, 3)), np.zeros(n)
        self.last, self.push_in = np.zeros((n, 12)), np.zeros(n, int)

    def action_space(self):
        return gymnasium.spaces.Box(-1.0, 1.0, (12,), np.float32)

    def start(self, rng):
        qpos = self.pose.copy()
        qpos[:2] = rng.uniform(-0.6, 0.6, 2) * GROUND
        qpos[2] += BUMPS
        turn = rng.uniform(-np.pi, np.pi) / 2
        qpos[3:7] = np.cos(turn), 0, 0, np.sin(turn)
        qpos[7:] += rng.uniform(-0.1, 0.1, 12)
        return qpos, rng.uniform(-0.1, 0.1, self.model.nv)

    def restart(self, rngs, mask=None):
        worlds = np.arange(self.n) if mask is None else np.flatnonzero(mask)
        if mask is None:
            self.rng = np.random.default_rng(rngs[0].integers(2**63))
        self.last[worlds], self.phase[worlds] = 0.0, self.rng.uniform(0, 2 * np.pi, len(worlds))
        self.push_in[worlds] = self.rng.integers(100, 400, len(worlds))
        self.command[worlds] = self.rng.uniform(SLOWEST, FASTEST, (len(worlds), 3))
        super().restart(rngs, mask)

    def down(self):
        """The direction of gravity as the torso sees it."""
        w, x, y, z = self.batch.qpos[:, 3:7].T
        return np.stack([2 * (w * y - x * z), -2 * (y * z + w * x), 2 * (x * x + y * y) - 1], 1)

    def observation(self):
        noisy = lambda x, scale: x + self.rng.normal(0, scale * self.noise, x.shape)
        clock = np.stack([np.sin(self.phase), np.cos(self.phase)], 1)
        angles, rates = self.batch.qpos[:, 7:] - self.stand, self.batch.qvel[:, 6:]
        parts = [noisy(self.gyro, 0.1), noisy(self.down(), 0.03), self.command, clock]
        parts += [noisy(angles, 0.01), noisy(rates, 0.5), self.last]
        return np.concatenate(parts, axis=1)

    def control(self, action):
        # feet are lifted in turn, and go back on the ground at the commanded speed
        angle = self.phase[:, None] + PAIRS
        lift, speed = np.maximum(0, np.sin(angle)), self.command[:, :1] - self.command[:, 2:] * LEFT
        swing = speed / (4 * STEPS_PER_SECOND * LEG) * np.cos(angle)
        rhythm = np.stack([0 * lift, 0.25 * lift + swing, -0.5 * lift], 2).reshape(self.n, 12)
        # actions move the joints around that
        sent = np.where(self.late[:, None], self.last, action)
        return self.stand + rhythm + 0.4 * sent

    def drive(self, state, policy):
        """The same observations and controls for one robot, without noise, for the viewer."""
        w, x, y, z = (state.qpos[:, k : k + 1] for k in range(3, 7))
        down = (2 * (w * y - x * z), -2 * (y * z + w * x), 2 * (x * x + y * y) - 1)
        phase = 2 * np.pi * STEPS_PER_SECOND * state.time
        angles, rates = state.qpos[:, 7:] - state.tensor(self.stand), state.qvel[:, 6:]
        clock = (phase.sin(), phase.cos())
        parts = (state.sensor("gyro"), *down, state.command, *clock, angles, rates, state.last)
        action = policy(state.cat(*parts)).double()

        # feet go as in `control`
        angle = phase + state.tensor(PAIRS)
        lift = angle.sin().clamp(min=0)
        speed = state.command[:, :1] - state.command[:, 2:] * state.tensor(LEFT)
        swing = speed / (4 * STEPS_PER_SECOND * LEG) * angle.cos()
        rhythm = state.stack(0 * lift, 0.25 * lift + swing, -0.5 * lift)
        return state.tensor(self.stand) + rhythm + 0.4 * action, action

    def outcome(self, action, before):
        self.phase = (self.phase + 2 * np.pi * STEPS_PER_SECOND * self.dt) % (2 * np.pi)
        change, self.last = action - self.last, np.array(action, float)
        square = lambda x: np.square(x).reshape(self.n, -1).sum(1)
        follows = np.exp(-4 * square(self.speed[:, :2] - self.command[:, :2]))
        turns = np.exp(-4 * np.square(self.gyro[:, 2] - self.command[:, 2]))
        cost = 2 * np.square(self.speed[:, 2]) + 0.05 * square(self.gyro[:, :2])
        cost += 0.02 * square(change) + 5e-4 * square(self.force) + square(self.down()[:, :2])
        fallen = self.down()[:, 2] > -0.5
        self._push()
        info = {"follows": follows, "turns": turns}
        return np.maximum(follows + 0.5 * turns - 0.5 * cost, 0.0) - fallen, fallen, info

    def _push(self):
        """Pushes some robots sideways, and gives them another command."""
        self.push_in -= 1
        now = np.flatnonzero(self.push_in < 0)
        self.push_in[now] = self.rng.integers(100, 400, len(now))
        self.command[now] = self.rng.uniform(SLOWEST, FASTEST, (len(now), 3))
        if self.pushes:
            self.batch.qvel[now, :2] += self.rng.uniform(-0.5, 0.5, (len(now), 2))


sinew.gym.register("own/Walk-v0", Walk, max_episode_steps=Walk.max_episode_steps)
