"""Times of small uses of the package beside MuJoCo's: `python crates/sinew-py/benches/surface.py`.

Prints nanoseconds of both and their ratio; below 1 Sinew is faster. The smallest of several rounds
counts, since everything else that a machine does only adds to it.
"""

import sys
import timeit

import mujoco

import sinew

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="upper"><joint name="a"/><geom size=".05" pos=".2 0 0"/>
      <body name="lower" pos=".4 0 0"><joint name="b"/><geom size=".05" pos=".2 0 0"/>
        <site name="tip" pos=".4 0 0"/></body></body>
  </worldbody>
  <actuator><motor joint="a"/></actuator>
  <sensor><jointpos joint="a"/></sensor>
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
    "d.qpos[:] = 0": "d.qpos[:] = 0",
    "m.nq": "m.nq",
    "m.body_mass": "m.body_mass",
    "m.geom_bodyid": "m.geom_bodyid",
    "m.opt.timestep": "m.opt.timestep",
    "m.opt.gravity": "m.opt.gravity",
    "m.body('lower').id": "m.body('lower').id",
    "m.body('lower').mass": "m.body('lower').mass",
    "d.body('lower').xpos": "d.body('lower').xpos",
    "d.joint('a').qpos": "d.joint('a').qpos",
    "d.site(0).xpos": "d.site(0).xpos",
    "d.sensor(0).data": "d.sensor(0).data",
    "mj_name2id": "e.mj_name2id(m, 1, 'lower')",
    "mj_kinematics": "e.mj_kinematics(m, d)",
    "mj_step, 2 dofs": "e.mj_step(m, d)",
    "mj_forward, 2 dofs": "e.mj_forward(m, d)",
    "mju_mulQuat": "e.mju_mulQuat(out, quat, quat)",
    "mj_jacSite": "e.mj_jacSite(m, d, jac, None, 0)",
    "MjData(m), 2 dofs": "e.MjData(m)",
}
CONTACT_USES = {
    "d.ncon": "d.ncon",
    "d.contact": "d.contact",
    "len(d.contact)": "len(d.contact)",
    "d.contact[5]": "d.contact[5]",
    "d.contact[5].dist": "d.contact[5].dist",
    "d.contact.geom": "d.contact.geom",
    "loop over 64 contacts": "for i in range(d.ncon): c = d.contact[i]; c.geom1; c.geom2; c.dist",
    "loop after a step": "e.mj_fwdPosition(m, d)\nfor c in d.contact: c.pos; c.frame",
    "d.efc_force": "d.efc_force",
    "d.efc_J": "d.efc_J",
    "MjData(m), 96 dofs": "e.MjData(m)",
    "MjModel.from_xml_string": "e.MjModel.from_xml_string(xml)",
}


def nanoseconds(statement, names):
    """Of one execution, the best of nine rounds of at least 5 ms."""
    timer = timeit.Timer(statement, globals=names)
    number, seconds = 1, 0.0
    while seconds < 0.005:
        number *= 4
        seconds = timer.timeit(number)
    return min(timer.repeat(9, number)) / number * 1e9


def names(engine, xml):
    import numpy as np

    m = engine.MjModel.from_xml_string(xml)
    d = engine.MjData(m)
    engine.mj_forward(m, d)
    quat = np.array([1.0, 0, 0, 0])
    jac = np.zeros((3, m.nv))
    return {"e": engine, "m": m, "d": d, "xml": xml, "quat": quat, "out": quat.copy(), "jac": jac}


def main():
    worst = 0.0
    print(f"{'':<26}{'MuJoCo ns':>12}{'Sinew ns':>12}{'ratio':>8}")
    for xml, uses in ((PENDULUM, USES), (PILE, CONTACT_USES)):
        both = [names(engine, xml) for engine in (mujoco, sinew)]
        for title, statement in uses.items():
            theirs, ours = (nanoseconds(statement, n) for n in both)
            worst = max(worst, ours / theirs)
            print(f"{title:<26}{theirs:>12.0f}{ours:>12.0f}{ours / theirs:>8.2f}")
    print(f"largest ratio {worst:.2f}")


if __name__ == "__main__":
    sys.exit(main())
