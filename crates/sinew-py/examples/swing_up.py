"""Trajectory optimisation: a cart swings its pole up, by iLQR with exact derivatives.

    python swing_up.py [--steps 250] [--html swing_up.html]

iLQR alternates between two passes. The backward pass solves a linear-quadratic problem along the
trajectory, with A and B from `sinew.transition`. The forward pass follows the new controls, and
shortens the change until the cost falls.
"""

import argparse

import numpy as np

import sinew

XML = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <light pos="0 -2 3"/>
    <geom type="plane" size="4 4 .1" pos="0 0 -.8" rgba=".8 .85 .9 1"/>
    <body>
      <joint name="slide" type="slide" axis="1 0 0" damping=".1"/>
      <geom type="box" size=".15 .1 .06" mass="1" contype="0" rgba=".2 .4 .7 1"/>
      <body>
        <joint name="hinge" axis="0 1 0" damping=".005"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.6" size=".03" mass=".2" contype="0" rgba=".8 .4 .2 1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="20"/></actuator>
</mujoco>
"""
# weights of position, velocity and control, during the motion and at its end
RUNNING, LAST, EFFORT = np.array([0.1, 1.0, 0.01, 0.01]), np.array([50, 500, 10, 50.0]), 0.1
GOAL = np.array([0, np.pi, 0, 0])


def simulate(m, d, ctrl, follow=None):
    """The states of a trajectory, with controls that may react to them."""
    d.qpos, d.qvel = 0, 0
    states, used = [np.zeros(4)], []
    for k, u in enumerate(ctrl):
        u = u if follow is None else follow(k, states[-1])
        d.ctrl = u
        sinew.mj_step(m, d)
        states.append(np.concatenate([d.qpos, d.qvel]))
        used.append(u)
    return np.array(states), np.array(used)


def cost(states, ctrl):
    apart = states - GOAL
    running = (RUNNING * apart[:-1] ** 2).sum() + EFFORT * (ctrl**2).sum()
    return 0.01 * running + 0.5 * (LAST * apart[-1] ** 2).sum()


def linearise(m, d, states, ctrl):
    """A and B of every step."""
    out = []
    for x, u in zip(states, ctrl):
        d.qpos, d.qvel = np.split(x, 2)
        d.ctrl = u
        out.append(sinew.transition(m, d, sensors=False)[:2])
    return out


def backward(matrices, states, ctrl, damping):
    """The changes of the controls, and their feedback."""
    by_x, by_xx = LAST * (states[-1] - GOAL), np.diag(LAST)
    gains = []
    for (a, b), x, u in zip(reversed(matrices), states[-2::-1], ctrl[::-1]):
        q_x = 0.02 * RUNNING * (x - GOAL) + a.T @ by_x
        q_u = 0.02 * EFFORT * u + b.T @ by_x
        q_xx = 0.02 * np.diag(RUNNING) + a.T @ by_xx @ a
        q_uu = 0.02 * EFFORT * np.eye(len(u)) + b.T @ by_xx @ b + damping * np.eye(len(u))
        q_ux = b.T @ by_xx @ a
        step, feedback = -np.linalg.solve(q_uu, q_u), -np.linalg.solve(q_uu, q_ux)
        by_x = q_x + feedback.T @ (q_uu @ step + q_u) + q_ux.T @ step
        by_xx = q_xx + feedback.T @ q_uu @ feedback + feedback.T @ q_ux + q_ux.T @ feedback
        gains.append((step, feedback))
    return gains[::-1]


def optimise(m, steps=250, iterations=200):
    """States, controls and the costs of all iterations."""
    d = sinew.MjData(m)
    ctrl = 0.1 * np.random.default_rng(0).standard_normal((steps, m.nu))
    states, ctrl = simulate(m, d, ctrl)
    costs, damping = [cost(states, ctrl)], 1e-3
    while len(costs) < iterations:
        gains = backward(linearise(m, d, states, ctrl), states, ctrl, damping)
        for scale in 0.5 ** np.arange(8):
            follow = lambda k, x: ctrl[k] + scale * gains[k][0] + gains[k][1] @ (x - states[k])
            moved, used = simulate(m, d, ctrl, follow)
            if cost(moved, used) < costs[-1]:
                states, ctrl, damping = moved, used, max(damping / 3, 1e-9)
                break
        else:
            damping *= 10
            if damping > 1e6:
                break
            continue
        costs.append(cost(states, ctrl))
        if costs[-2] - costs[-1] < 1e-7 * costs[-1]:
            break
    return states, ctrl, costs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--html", help="a page with the motion")
    options = parser.parse_args()
    m = sinew.MjModel.from_xml_string(XML)
    states, ctrl, costs = optimise(m, options.steps)
    print(f"cost {costs[0]:.1f} -> {costs[-1]:.3f} in {len(costs) - 1} iterations")
    print(f"at the end: cart {states[-1, 0]:.3f} m, pole {np.degrees(states[-1, 1]):.1f} degrees")
    if options.html:
        d = sinew.MjData(m)
        recording = sinew.Recording(m)
        for x, u in zip(states, ctrl):
            (d.qpos, d.qvel), d.ctrl = np.split(x, 2), u
            sinew.mj_step(m, d)
            recording.append(d)
        recording.save(options.html)


if __name__ == "__main__":
    main()
