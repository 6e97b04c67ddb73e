"""A gripper picks up a cube, with MuJoCo's soft contacts and with exact friction.

    cd crates/sinew-py/examples
    python -m sinew.gym.ppo --env pick_up:own/PickUp-v0 --std 0.5 --gamma 0.97 --out runs/soft
    python -m sinew.gym.ppo --env pick_up:own/PickUpExact-v0 --std 0.5 --gamma 0.97 --out runs/exact
    python pick_up.py runs/soft runs/exact        # every policy with both kinds of contacts

Three axes move the hand, and its fingers close with a force. A cube lies on the table, at a random
place and slightly turned. The robot lifts it and presses no harder than it must. The last command
prints the results of the policies. The policy `scripted` was not trained.
"""

import pathlib
import sys
import time

import gymnasium
import numpy as np

import sinew
import sinew.gym

MODEL = """
<mujoco model="pick up">
  <option timestep="0.008" integrator="implicitfast" cone="elliptic"/>
  <default>
    <geom friction="0.6" rgba="0.3 0.3 0.35 1"/>
    <joint type="slide" damping="5" armature="0.1"/>
    <position kp="1000" dampratio="1" ctrlrange="-0.15 0.15"/>
  </default>
  <worldbody>
    <light pos="0 -0.5 1"/>
    <geom type="box" size="0.3 0.3 0.02" pos="0 0 -0.02" rgba="0.6 0.5 0.4 1"/>
    <body name="hand" pos="0 0 0.22" gravcomp="1">
      <joint name="x" axis="1 0 0"/> <joint name="y" axis="0 1 0"/> <joint name="z" axis="0 0 1"/>
      <geom type="box" size="0.06 0.02 0.015" mass="0.5" rgba="0.85 0.85 0.85 1"/>
      <body name="left" pos="-0.045 0 -0.05" gravcomp="1">
        <joint name="left" axis="1 0 0" range="0 0.035"/>
        <geom type="box" size="0.006 0.015 0.025" mass="0.05"/>
      </body>
      <body name="right" pos="0.045 0 -0.05" gravcomp="1">
        <joint name="right" axis="-1 0 0" range="0 0.035"/>
        <geom type="box" size="0.006 0.015 0.025" mass="0.05"/>
      </body>
    </body>
    <body name="cube" pos="0 0 0.02">
      <freejoint/>
      <geom type="box" size="0.02 0.02 0.02" mass="0.2" rgba="0.8 0.2 0.2 1"/>
    </body>
  </worldbody>
  <contact><exclude body1="left" body2="right"/></contact>
  <equality><joint joint1="left" joint2="right"/></equality>
  <tendon>
    <fixed name="grip"><joint joint="left" coef="1"/><joint joint="right" coef="1"/></fixed>
  </tendon>
  <actuator>
    <position joint="x"/> <position joint="y"/> <position joint="z" ctrlrange="-0.142 0.1"/>
    <motor tendon="grip" ctrlrange="-10 10"/>
  </actuator>
</mujoco>
"""
# the point between the fingers in the model's position, the cube's height at rest, and the goal
GRASP, LOW, HIGH = np.array([0.0, 0.0, 0.16]), 0.02, 0.14
# metres that the hand moves in a step at most, and newtons of the fingers
REACH, FORCE = 0.02, 10.0


class PickUp(sinew.gym.Task):
    """Lifts a cube."""

    frame_skip, max_episode_steps = 5, 100

    def __init__(self, n, *, exact=False, **options):
        model = sinew.MjModel.from_xml_string(MODEL)
        model.coulomb = {"enabled": exact}
        super().__init__(n, xml_file=model, **options)

    def action_space(self):
        return gymnasium.spaces.Box(-1.0, 1.0, (4,), np.float32)

    def start(self, rng):
        qpos, turn = self.init_qpos.copy(), rng.uniform(-0.1, 0.1)
        qpos[5:7] = rng.uniform(-0.1, 0.1, 2)
        qpos[8:12] = np.cos(turn), 0, 0, np.sin(turn)
        return qpos, self.init_qvel

    def offset(self):
        """The cube as seen from the point between the fingers."""
        return self.batch.qpos[:, 5:8] - self.batch.qpos[:, :3] - GRASP

    def observation(self):
        qpos, qvel, ctrl = self.batch.qpos, self.batch.qvel, self.batch.ctrl
        parts = [qpos[:, :4], qvel[:, :4], ctrl[:, :3] - qpos[:, :3], ctrl[:, 3:] / FORCE]
        # where the cube is, coarse and fine
        parts += [self.offset(), np.tanh(self.offset() / 0.02)]
        return np.hstack([*parts, qpos[:, 7:8], qpos[:, 9:12], qvel[:, 5:8]])

    def control(self, action):
        low, high = self.model.actuator_ctrlrange.T
        moved = self.batch.ctrl[:, :3] + REACH * np.clip(action[:, :3], -1, 1)
        return np.clip(np.hstack([moved, FORCE * action[:, 3:]]), low, high)

    def outcome(self, action, before):
        # the cube is between the fingers: a closed hand, on top of it or beside it, is farther away
        offset, height = self.offset(), self.batch.qpos[:, 7]
        near = np.linalg.norm(offset, axis=1) < 0.03
        # the way leads from above: the farther aside, the higher
        offset[:, 2] += np.minimum(3 * np.hypot(offset[:, 0], offset[:, 1]), 0.07)
        distance = np.linalg.norm(offset, axis=1)
        lifted = near * np.clip((height - LOW) / (HIGH - LOW), 0, 1)
        # fingers are open on the way, and close around the cube
        closed = np.clip(self.batch.qpos[:, 3] / 0.019, 0, 1)
        ready = np.where(near, 1 + closed, 1 - closed)
        pressed = np.clip(action[:, 3], 0, 1) ** 2
        close = 1 - np.tanh(5 * distance) + 1 / (1 + 50 * distance)
        reward = 0.4 * close + 0.2 * ready + lifted * (2 - 0.5 * pressed)
        return reward, height < 0, {"lifted": lifted}


def scripted(task):
    """A policy that was not trained: goes above the cube, down, closes and lifts."""
    qpos, offset = task.batch.qpos, task.offset()
    aside, above = np.hypot(offset[:, 0], offset[:, 1]) > 0.01, -offset[:, 2] > 0.01
    holds = (qpos[:, 3] > 0.017) & (np.linalg.norm(offset, axis=1) < 0.04)
    grip = np.where(holds | ~(aside | above), 0.4, -0.4)
    goal = offset + [0, 0, 0.08] * (aside & above)[:, None]
    goal[holds] = np.array([0, 0, HIGH - GRASP[2]]) - qpos[holds, :3] * [0, 0, 1]
    return np.column_stack([goal / REACH, grip]).clip(-1, 1)


def trained(folder):
    """The policy of a training."""
    p = np.load(pathlib.Path(folder) / "policy.npz")

    def policy(task):
        x = np.clip((task.observation() - p["mean"]) * p["scale"], -p["widest"], p["widest"])
        for k in (0, 1):
            x = np.tanh(x @ p[f"weight{k}"].T + p[f"bias{k}"])
        return p["middle"] + p["reach"] * np.clip(x @ p["weight2"].T + p["bias2"], -1, 1)

    return policy


def measure(policy, exact, worlds=32, seconds=20.0, **options):
    """Results of a policy: shares of cubes held after 4 s and at the end, slip (mm/s), grip (N)."""
    task, start = PickUp(worlds, exact=exact, **options), time.process_time()
    task.restart([np.random.default_rng(1000 + k) for k in range(worlds)])
    held, slip, grip = [], [], []
    for _ in range(round(seconds / task.dt)):
        task.advance(policy(task))
        held.append((task.batch.qpos[:, 7] > 0.1) & (np.linalg.norm(task.offset(), axis=1) < 0.05))
        slip.append(task.offset()[:, 2])
        grip.append(task.batch.ctrl[:, 3].copy())
    early, late = round(4 / task.dt) - 1, round(8 / task.dt) - 1
    # worlds that hold the cube between both times
    held, slip, grip = np.array(held), np.array(slip), np.array(grip)
    always = held[early:late].all(axis=0)
    found = {"lifted": held[early].mean(), "held": held[-1].mean(), "slip": np.nan, "grip": np.nan}
    if always.any():
        found["slip"] = np.median((slip[early] - slip[late])[always]) / 4 * 1000
        found["grip"] = np.median(grip[early:late, always])
    return found | {"cpu": time.process_time() - start}


def main(folders):
    print("policy, contacts: held after 4 s and 20 s, slip in mm/s, grip in N, CPU time in s")
    for name in ["scripted", *folders]:
        policy = scripted if name == "scripted" else trained(name)
        for exact in (False, True):
            x = measure(policy, exact)
            shares = f"{x['lifted']:4.0%} {x['held']:4.0%} {x['slip']:9.2e} {x['grip']:5.2f}"
            print(f"{name}, {'exact' if exact else 'soft':5}: {shares} {x['cpu']:6.1f}")


for name, exact in (("own/PickUp-v0", False), ("own/PickUpExact-v0", True)):
    kwargs, limit = {"exact": exact}, PickUp.max_episode_steps
    sinew.gym.register(name, PickUp, kwargs=kwargs, max_episode_steps=limit)

if __name__ == "__main__":
    main(sys.argv[1:])
