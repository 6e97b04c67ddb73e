"""A humanoid that balances: model-predictive control by iLQR with exact derivatives.

    python balance.py [--seconds 4] [--push 60] [--html balance.html]

Every 30 ms the controller looks 0.24 s ahead. The controller linearises the predicted motion with
`sinew.transition` on two threads, solves the linear-quadratic problem backwards, and improves the
torques. The cost after the horizon is the cost of a linear regulator of the standing pose. A push
hits the pelvis from the side and from behind.
"""

import argparse
import concurrent.futures
import pathlib
import time

import numpy as np

import sinew

MODEL = pathlib.Path(__file__).parents[3] / "models" / "humanoid.xml"
TIMESTEP, AHEAD, EVERY = 0.01, 24, 3
# weights of the centre of mass over the feet, of the trunk, of all joints, and of velocities
BALANCE, TRUNK, JOINTS, SPEED, EFFORT = 1000.0, 50.0, 3.0, 0.3, 3.0


def load():
    m = sinew.MjModel.from_xml_path(str(MODEL))
    m.opt.timestep, m.opt.integrator = TIMESTEP, sinew.mjtIntegrator.mjINT_IMPLICITFAST
    # only the feet touch the floor
    keep = [g for g in range(m.ngeom) if m.geom(g).name.startswith(("floor", "foot"))]
    others = np.setdiff1d(np.arange(m.ngeom), keep)
    m.geom_contype[others], m.geom_conaffinity[others] = 0, 0
    return m


class Controller:
    """Torques for a humanoid that is to stand."""

    def __init__(self, m):
        self.m, self.nv, self.nu = m, m.nv, m.nu
        self.pool = concurrent.futures.ThreadPoolExecutor(2)
        self.datas = [sinew.MjData(m), sinew.MjData(m)]
        self.stand, self.hold = self._standing()
        self.cost, self.effort = self._weights(), EFFORT * np.eye(m.nu)
        self._set(self.datas[0], self.stand, self.hold)
        a, b = sinew.transition(m, self.datas[0], sensors=False)[:2]
        self.last, self.gain = regulator(a, b, self.cost, self.effort)
        self.ctrl = np.tile(self.hold, (AHEAD, 1))
        self.feedback, self.states = [self.gain] * AHEAD, None

    def _set(self, d, state, ctrl):
        d.qpos, d.qvel = np.split(state, [self.m.nq])
        d.ctrl = ctrl

    def _standing(self):
        """A pose whose weight the feet carry, and the torques that hold it."""
        m, d = self.m, self.datas[0]
        sinew.mj_resetDataKeyframe(m, d, 0)
        lift = []
        heights = np.linspace(-0.02, 0.02, 401)
        base = float(d.qpos[2])
        for height in heights:
            d.qpos[2] = base + height
            d.qvel, d.qacc = 0, 0
            sinew.mj_inverse(m, d)
            lift.append(abs(d.qfrc_inverse[2]))
        d.qpos[2] = base + heights[int(np.argmin(lift))]
        sinew.mj_inverse(m, d)
        moment = np.zeros((m.nu, m.nv))
        for u in range(m.nu):
            joint = m.actuator_trnid[u, 0]
            moment[u, m.jnt_dofadr[joint]] = m.actuator_gear[u, 0]
        hold = d.qfrc_inverse @ np.linalg.pinv(moment)
        return np.concatenate([d.qpos, np.zeros(m.nv)]), hold

    def _weights(self):
        """The matrix of the cost of a state, in the coordinates of the dofs."""
        m, d = self.m, self.datas[0]
        self._set(d, self.stand, self.hold)
        sinew.mj_forward(m, d)
        centre, foot = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        sinew.mj_jacSubtreeCom(m, d, centre, m.body("pelvis").id)
        for side in ("left", "right"):
            jac = np.zeros((3, m.nv))
            sinew.mj_jacBodyCom(m, d, jac, None, m.body(f"foot_{side}").id)
            foot += 0.5 * jac
        apart = (centre - foot)[:2]
        weights = np.full(m.nv, JOINTS)
        weights[:6] = [0, 0, TRUNK, TRUNK, TRUNK, TRUNK]
        pos = BALANCE * apart.T @ apart + np.diag(weights)
        zero = np.zeros_like(pos)
        return np.block([[pos, zero], [zero, SPEED * np.eye(m.nv) + 0.1 * BALANCE * apart.T @ apart]])

    def apart(self, state, other):
        """How far a state is from another one, in the coordinates of the dofs."""
        m, dif = self.m, np.zeros(self.nv)
        sinew.mj_differentiatePos(m, dif, 1.0, other[: m.nq], state[: m.nq])
        return np.concatenate([dif, state[m.nq :] - other[m.nq :]])

    def predict(self, state, ctrl, feedback, states):
        """A motion under controls that react to deviations from the planned motion."""
        m, d = self.m, self.datas[0]
        self._set(d, state, 0)
        found, used, cost = [state], [], 0.0
        for k in range(AHEAD):
            u = ctrl[k] if states is None else ctrl[k] + feedback[k] @ self.apart(found[k], states[k])
            u = np.clip(u, -1, 1)
            x = self.apart(found[k], self.stand)
            cost += x @ self.cost @ x + (u - self.hold) @ self.effort @ (u - self.hold)
            d.ctrl = u
            sinew.mj_step(m, d)
            found.append(np.concatenate([d.qpos, d.qvel]))
            used.append(u)
        x = self.apart(found[-1], self.stand)
        return np.array(found), np.array(used), cost + x @ self.last @ x

    def linearise(self, states, ctrl):
        """A and B of all steps, half of them on each thread."""

        def half(worker):
            d, out = self.datas[worker], []
            for x, u in list(zip(states, ctrl))[worker::2]:
                self._set(d, x, u)
                out.append(sinew.transition(self.m, d, sensors=False)[:2])
            return out

        even, odd = self.pool.map(half, range(2))
        return [(even, odd)[k % 2][k // 2] for k in range(len(ctrl))]

    def plan(self, state):
        """Improves the torques from a state on; the first of them."""
        if self.states is None:
            moved = self.predict(state, self.ctrl, None, None)
        else:
            # the rest of the last plan, and the regulator after it
            shift = lambda rows, last: [*rows[EVERY:], *[last] * EVERY]
            ctrl, feedback = shift(self.ctrl, self.hold), shift(self.feedback, self.gain)
            states = shift(self.states, self.stand)
            moved = self.predict(state, ctrl, feedback, states)
        states, ctrl, cost = moved
        steps, self.feedback = self.backward(self.linearise(states[:-1], ctrl), states, ctrl)
        for scale in (1.0, 0.3):
            better = self.predict(state, ctrl + scale * steps, self.feedback, states)
            if better[2] < cost:
                states, ctrl, cost = better
                break
        self.states, self.ctrl = states, ctrl
        return cost

    def backward(self, matrices, states, ctrl):
        """The changes of the torques, and their feedback."""
        by_x, by_xx = self.last @ self.apart(states[-1], self.stand), self.last
        steps, gains = [], []
        for k in range(AHEAD - 1, -1, -1):
            a, b = matrices[k]
            x, u = self.apart(states[k], self.stand), ctrl[k] - self.hold
            left = by_xx @ a
            q_x, q_u = self.cost @ x + a.T @ by_x, self.effort @ u + b.T @ by_x
            q_uu, q_ux = self.effort + b.T @ by_xx @ b, b.T @ left
            # a torque at its limit stays there
            held = ((ctrl[k] >= 1) & (q_u < 0)) | ((ctrl[k] <= -1) & (q_u > 0))
            solved = np.linalg.solve(q_uu, np.column_stack([q_u, q_ux]))
            solved[held] = 0
            step, gain = -solved[:, 0], -solved[:, 1:]
            by_x = q_x + gain.T @ (q_uu @ step + q_u) + q_ux.T @ step
            by_xx = self.cost + a.T @ left + gain.T @ (q_uu @ gain + q_ux) + q_ux.T @ gain
            by_xx = 0.5 * (by_xx + by_xx.T)
            steps.append(step)
            gains.append(gain)
        return np.array(steps[::-1]), gains[::-1]


def regulator(a, b, cost, effort, iterations=2000):
    """The cost to go of a linear-quadratic regulator, and its gain."""
    last = cost
    for _ in range(iterations):
        gain = -np.linalg.solve(effort + b.T @ last @ b, b.T @ last @ a)
        better = cost + a.T @ last @ (a + b @ gain)
        better = 0.5 * (better + better.T)
        done = np.abs(better - last).max() < 1e-9 * np.abs(last).max()
        last = better
        if done:
            break
    return last, gain


def balance(seconds=4.0, push=200.0, record=None):
    """Heights of the pelvis, and the time of every plan in seconds."""
    m = load()
    controller, d = Controller(m), sinew.MjData(m)
    controller._set(d, controller.stand, controller.hold)
    pelvis = m.body("pelvis").id
    heights, times = [], []
    for step in range(round(seconds / TIMESTEP)):
        state = np.concatenate([d.qpos, d.qvel])
        if step % EVERY == 0:
            begin = time.perf_counter()
            controller.plan(state)
            times.append(time.perf_counter() - begin)
        k = step % EVERY
        moved = controller.apart(state, controller.states[k])
        d.ctrl = np.clip(controller.ctrl[k] + controller.feedback[k] @ moved, -1, 1)
        # two pushes of 0.1 s
        d.xfrc_applied[pelvis] = 0
        if 50 <= step < 60:
            d.xfrc_applied[pelvis, 1] = push
        elif 200 <= step < 210:
            d.xfrc_applied[pelvis, 0] = push
        sinew.mj_step(m, d)
        heights.append(float(d.xpos[pelvis, 2]))
        if record is not None:
            record(m, d)
    return np.array(heights), np.array(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--push", type=float, default=200.0, help="force of a push, N")
    parser.add_argument("--html", help="a page with the motion")
    options = parser.parse_args()
    recordings = []

    def record(m, d):
        if not recordings:
            recordings.append(sinew.Recording(m))
        recordings[0].append(d)

    heights, times = balance(options.seconds, options.push, record if options.html else None)
    print(f"pelvis between {heights.min():.3f} and {heights.max():.3f} m")
    budget = 1e3 * EVERY * TIMESTEP
    print(f"a plan takes {1e3 * np.median(times):.1f} ms (median), of {budget:.0f} ms")
    if options.html:
        recordings[0].save(options.html)


if __name__ == "__main__":
    main()
