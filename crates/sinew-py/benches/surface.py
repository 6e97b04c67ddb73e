"""Times of small uses of the package beside MuJoCo's: `python crates/sinew-py/benches/surface.py`.

Prints nanoseconds of both and their ratio; below 1 Sinew is faster. Rounds of the two take turns and
the smallest counts, since everything else that a machine does only adds to it. With `--bound 1.15`
it fails if a ratio is larger: such a use is timed again first, so that a busy machine accuses nothing.
Only a release build says anything about speed; a bound on any other is refused.
"""

import argparse
import sys
import time
import timeit

import mujoco
import numpy as np

import sinew

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="upper"><joint name="a"/><geom name="x" size=".05" pos=".2 0 0"/>
      <body name="lower" pos=".4 0 0"><joint name="b"/><geom size=".05" pos=".2 0 0"/>
        <site name="tip" pos=".4 0 0"/></body></body>
  </worldbody>
  <actuator><motor name="motor" joint="a"/></actuator>
  <sensor><jointpos name="angle" joint="a"/></sensor>
</mujoco>
"""
BOXES = "".join(
    f'<body pos="{0.3 * (i % 4)} {0.3 * (i // 4)} .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    for i in range(16)
)
PILE = f'<mujoco><worldbody><geom type="plane" size="5 5 .1"/>{BOXES}</worldbody></mujoco>'

USES = {
    "d.time": "d.time",
    "d.time = 0": "d.time = 0.0",
    "d.qpos": "d.qpos",
    "d.qpos[0]": "d.qpos[0]",
    "d.qpos[0] = 0": "d.qpos[0] = 0.0",
    "d.qpos[:] = 0": "d.qpos[:] = 0",
    "d.qpos[:] = array": "d.qpos[:] = pair",
    "d.qpos = array": "d.qpos = pair",
    "d.ctrl[:] = 0": "d.ctrl[:] = 0",
    "d.qpos.copy()": "d.qpos.copy()",
    "d.energy": "d.energy",
    "d.warning[0].number": "d.warning[0].number",
    "d.timer[0].duration": "d.timer[0].duration",
    "m.nq": "m.nq",
    "m.names": "m.names",
    "m.body_mass": "m.body_mass",
    "m.geom_bodyid": "m.geom_bodyid",
    "m.opt": "m.opt",
    "m.opt.timestep": "m.opt.timestep",
    "m.opt.timestep = x": "m.opt.timestep = 0.002",
    "m.opt.iterations = n": "m.opt.iterations = 100",
    "m.opt.gravity": "m.opt.gravity",
    "m.opt.gravity[2] = x": "m.opt.gravity[2] = -9.81",
    "m.vis.map.znear": "m.vis.map.znear",
    "m.body('lower').id": "m.body('lower').id",
    "m.body('lower').mass": "m.body('lower').mass",
    "m.body(2).name": "m.body(2).name",
    "m.geom('x').pos": "m.geom('x').pos",
    "m.geom('x').pos = p": "m.geom('x').pos = point",
    "m.joint('a').qposadr[0]": "m.joint('a').qposadr[0]",
    "d.body('lower').xpos": "d.body('lower').xpos",
    "d.joint('a').qpos": "d.joint('a').qpos",
    "d.joint('a').qpos = x": "d.joint('a').qpos = 0.0",
    "d.actuator('motor').ctrl": "d.actuator('motor').ctrl",
    "d.site(0).xpos": "d.site(0).xpos",
    "d.sensor(0).data": "d.sensor(0).data",
    "d.sensor('angle').data": "d.sensor('angle').data",
    "mj_name2id": "e.mj_name2id(m, 1, 'lower')",
    "mj_name2id, enumeration": "e.mj_name2id(m, e.mjtObj.mjOBJ_BODY, 'lower')",
    "mj_id2name": "e.mj_id2name(m, 1, 2)",
    "mjtObj.mjOBJ_BODY": "e.mjtObj.mjOBJ_BODY",
    "mj_resetData": "e.mj_resetData(m, d)",
    "mj_kinematics": "e.mj_kinematics(m, d)",
    "mj_step, 2 dofs": "e.mj_step(m, d)",
    "mj_step, nstep=4": "e.mj_step(m, d, nstep=4)",
    "mj_forward, 2 dofs": "e.mj_forward(m, d)",
    "mj_inverse, 2 dofs": "e.mj_inverse(m, d)",
    "mj_getState": "e.mj_getState(m, d, state, physics)",
    "mj_setState": "e.mj_setState(m, d, state, physics)",
    "mj_fullM": "e.mj_fullM(m, full, d.qM)",
    "mj_jacSite": "e.mj_jacSite(m, d, jac, None, 0)",
    "mj_jacBody, both": "e.mj_jacBody(m, d, jac, jac2, 2)",
    "mj_objectVelocity": "e.mj_objectVelocity(m, d, 1, 2, six, 0)",
    "mj_integratePos": "e.mj_integratePos(m, pair, pair, 0.0)",
    "mj_differentiatePos": "e.mj_differentiatePos(m, pair, 0.1, pair, pair)",
    "mju_mulQuat": "e.mju_mulQuat(out, quat, quat)",
    "mju_quat2Mat": "e.mju_quat2Mat(nine, quat)",
    "mju_mat2Quat": "e.mju_mat2Quat(out, nine)",
    "mju_negQuat": "e.mju_negQuat(out, quat)",
    "mju_rotVecQuat": "e.mju_rotVecQuat(point2, point, quat)",
    "mju_quat2Vel": "e.mju_quat2Vel(point2, quat, 1.0)",
    "mju_axisAngle2Quat": "e.mju_axisAngle2Quat(out, point, 0.1)",
    "mju_cross": "e.mju_cross(point2, point, point)",
    "mju_dot": "e.mju_dot(point, point)",
    "mju_norm": "e.mju_norm(point)",
    "mju_norm3": "e.mju_norm3(point)",
    "mju_normalize4": "e.mju_normalize4(out)",
    "mju_mulMatVec": "e.mju_mulMatVec(point2, mat3, point)",
    "mju_mulMatMat": "e.mju_mulMatMat(mat3b, mat3, mat3)",
    "mju_copy": "e.mju_copy(point2, point)",
    "mju_clip": "e.mju_clip(0.5, 0.0, 1.0)",
    "MjData(m), 2 dofs": "e.MjData(m)",
    "MjvOption()": "e.MjvOption()",
}
CONTACT_USES = {
    "d.ncon": "d.ncon",
    "d.contact": "d.contact",
    "len(d.contact)": "len(d.contact)",
    "d.contact[5]": "d.contact[5]",
    "d.contact[5].dist": "d.contact[5].dist",
    "d.contact[5].frame": "d.contact[5].frame",
    "d.contact.geom": "d.contact.geom",
    "d.contact.dist": "d.contact.dist",
    "loop over 64 contacts": "for i in range(d.ncon): c = d.contact[i]; c.geom1; c.geom2; c.dist",
    "loop over all": "for c in d.contact: c.geom1; c.geom2",
    "loop after a step": "e.mj_fwdPosition(m, d)\nfor c in d.contact: c.pos; c.frame",
    "mj_contactForce": "e.mj_contactForce(m, d, 5, six)",
    "d.efc_force": "d.efc_force",
    "d.efc_J": "d.efc_J",
    "mj_resetData, 96 dofs": "e.mj_resetData(m, d2)",
    "copy(d), 96 dofs": "copy(d)",
    "MjData(m), 96 dofs": "e.MjData(m)",
    "MjModel.from_xml_string": "e.MjModel.from_xml_string(xml)",
}


def names(engine, xml):
    """What statements may use."""
    from copy import copy

    m = engine.MjModel.from_xml_string(xml)
    d = engine.MjData(m)
    engine.mj_forward(m, d)
    quat = np.array([1.0, 0, 0, 0])
    physics = engine.mjtState.mjSTATE_PHYSICS.value
    return {
        "e": engine, "m": m, "d": d, "d2": engine.MjData(m), "xml": xml, "copy": copy,
        "quat": quat, "out": quat.copy(), "nine": np.eye(3).flatten(), "point": np.ones(3),
        "point2": np.zeros(3), "pair": np.zeros(2), "six": np.zeros(6), "mat3": np.eye(3),
        "mat3b": np.eye(3), "full": np.zeros((m.nv, m.nv)), "physics": physics,
        "jac": np.zeros((3, m.nv)), "jac2": np.zeros((3, m.nv)),
        "state": np.zeros(engine.mj_stateSize(m, physics)),
    }  # fmt: skip


def both(statement, engines, rounds):
    """Nanoseconds of one execution with either engine: the best of rounds of at least 3 ms."""
    timers = [timeit.Timer(statement, timer=time.thread_time, globals=n) for n in engines]
    numbers = []
    for timer in timers:
        number, seconds = 1, 0.0
        while seconds < 0.003:
            number *= 3
            seconds = timer.timeit(number)
        numbers.append(number)
    best = [float("inf")] * 2
    for _ in range(rounds):
        for i, timer in enumerate(timers):
            best[i] = min(best[i], timer.timeit(numbers[i]) / numbers[i] * 1e9)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bound", type=float, help="fail if a ratio is larger")
    parser.add_argument("--only", default="", help="only uses whose name contains this")
    args = parser.parse_args()
    if args.bound and not sinew._sinew.OPTIMIZED:
        return "this is not a release build: its speed says nothing"

    slow = []
    print(f"{'':<26}{'MuJoCo ns':>12}{'Sinew ns':>12}{'ratio':>8}")
    for xml, uses in ((PENDULUM, USES), (PILE, CONTACT_USES)):
        engines = [names(engine, xml) for engine in (mujoco, sinew)]
        for title, statement in uses.items():
            if args.only not in title:
                continue
            theirs, ours = both(statement, engines, 7)
            if ours > (args.bound or 1.15) * theirs:
                theirs, ours = map(min, zip((theirs, ours), both(statement, engines, 40)))
            if ours > (args.bound or 1.15) * theirs:
                slow.append(f"{title} ({ours / theirs:.2f})")
            print(f"{title:<26}{theirs:>12.0f}{ours:>12.0f}{ours / theirs:>8.2f}", flush=True)
    print("slower:", ", ".join(slow) or "none")
    return 1 if args.bound and slow else 0


if __name__ == "__main__":
    sys.exit(main())
