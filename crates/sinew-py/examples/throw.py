"""A throw through contact: an arm learns the torques with which a ball flies through a point.

    python throw.py [--target 2.5 1.2] [--html throw.html]

The ball lies in a tray, rolls, is pushed, and leaves it: the contact begins and ends many times. The
place of the ball at the end depends on all torques. `sinew.Rollouts.vjp` has that gradient for both
coordinates, and Gauss-Newton takes the smallest change of the torques that hits the target.
"""

import argparse

import numpy as np

import sinew

XML = """
<mujoco>
  <option timestep="0.005" cone="elliptic"/>
  <worldbody>
    <light pos="0 -3 4"/>
    <geom type="plane" size="5 5 .1" rgba=".8 .85 .9 1"/>
    <geom type="capsule" fromto="0 0 0 0 0 .8" size=".06" contype="0" rgba=".5 .5 .55 1"/>
    <body pos="0 0 .8">
      <joint name="shoulder" axis="0 1 0" damping=".2"/>
      <geom type="capsule" fromto="0 0 0 -.7 0 0" size=".025" mass=".5" contype="0" rgba=".2 .4 .7 1"/>
      <geom type="box" size=".1 .1 .01" pos="-.75 0 .035" mass=".1" rgba=".2 .4 .7 1"/>
      <geom type="capsule" fromto="-.86 -.1 .05 -.86 .1 .05" size=".02" mass=".05" rgba=".2 .4 .7 1"/>
      <geom type="capsule" fromto="-.64 -.1 .05 -.64 .1 .05" size=".02" mass=".05" rgba=".2 .4 .7 1"/>
    </body>
    <body pos="-.76 0 .895">
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><joint axis="0 1 0"/>
      <geom size=".05" mass=".2" rgba=".8 .4 .2 1"/>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="20" ctrlrange="-1.5 1.5"/></actuator>
</mujoco>
"""
# where the ball is at the start, as its coordinates begin with zero there
START = np.array([-0.76, 0.895])
STEPS = 220


def first_torques():
    """A push and a stop."""
    time = np.arange(STEPS) * 0.005
    return np.where(time < 0.25, 0.75, np.where(time < 0.45, -0.75, 0.0))[:, None]


def optimise(m, target, iterations=30, near=1e-4):
    """Torques, states and the distances from the target of all iterations."""
    rollouts = sinew.Rollouts(m)
    start, ctrl = np.zeros(rollouts.nstate), first_torques()
    miss = lambda states: states[..., -1, 1:3] + START - target
    states = rollouts.run(start, ctrl)
    apart, damping = [np.linalg.norm(miss(states))], 1e-4
    # a world for each coordinate of the ball
    weights = np.zeros((2, *states.shape))
    weights[[0, 1], -1, [1, 2]] = 1
    while len(apart) <= iterations and apart[-1] > near:
        repeated = np.broadcast_to(start, (2, *start.shape)), np.broadcast_to(ctrl, (2, *ctrl.shape))
        jacobian = rollouts.vjp(*repeated, weights).ctrl[..., 0]
        square = jacobian @ jacobian.T
        square += damping * np.trace(square) * np.eye(2)
        step = -(jacobian.T @ np.linalg.solve(square, miss(states)))[:, None]
        # eight lengths of the step at once
        tried = np.clip(ctrl + 0.5 ** np.arange(8)[:, None, None] * step, -1.5, 1.5)
        found = rollouts.run(np.broadcast_to(start, (8, *start.shape)), tried)
        best = np.linalg.norm(miss(found), axis=1).argmin()
        if np.linalg.norm(miss(found[best])) >= apart[-1]:
            damping *= 10
            if damping > 1e3:
                break
            continue
        ctrl, states, damping = tried[best], found[best], max(damping / 10, 1e-6)
        apart.append(np.linalg.norm(miss(states)))
    return ctrl, states, apart


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", type=float, nargs=2, default=(2.5, 1.2), metavar=("X", "Z"))
    parser.add_argument("--html", help="a page with the motion")
    options = parser.parse_args()
    m = sinew.MjModel.from_xml_string(XML)
    ctrl, states, apart = optimise(m, np.array(options.target))
    print(f"misses by {apart[0]:.3f} m, then by {apart[-1]:.6f} m after {len(apart) - 1} iterations")
    if options.html:
        d, recording = sinew.MjData(m), sinew.Recording(m)
        for u in ctrl:
            d.ctrl = u
            sinew.mj_step(m, d)
            recording.append(d)
        recording.save(options.html)


if __name__ == "__main__":
    main()
