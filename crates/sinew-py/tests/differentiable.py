"""Models and states for tests of derivatives: away from kinks, solved to the last digit."""

import numpy as np

import sinew

_HEAD = """<mujoco><compiler angle="radian"/>
  <option timestep="0.004" tolerance="0" iterations="100" ls_iterations="100"{option}/>"""

_TREE = """
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".2 .1 .1" mass="2"/>
      <body pos=".2 0 0"><joint name="ball" type="ball" damping=".1" stiffness=".5"/>
        <geom type="capsule" fromto="0 0 0 .3 0 .1" size=".04" mass=".4"/>
        <body pos=".3 0 .1"><joint name="wrist" axis="0 1 .2" damping=".1" armature=".01"/>
          <geom size=".05" pos=".1 0 0" mass=".3"/></body></body>
    </body>
  </worldbody>"""

_ARM = """
  <worldbody>
    <body><joint name="shoulder" axis="0 1 0" damping=".2" {limit}/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04" mass=".8"/>
      <body pos=".4 0 0"><joint name="elbow" axis="0 1 .1" damping=".1" frictionloss="{dry}"/>
        <geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03" mass=".4"/></body></body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="2"/><position joint="elbow" kp="4" kv=".2"/></actuator>"""

_ACT = """
  <actuator><general joint="shoulder" dyntype="filter" dynprm=".1" gainprm="3"/>
    <general joint="elbow" dyntype="integrator" gainprm="2 .1 -.1" gaintype="affine"
             biastype="affine" biasprm=".1 -2 -.1"/></actuator></mujoco>"""

_BALLS = """
  <worldbody><geom type="plane" size="3 3 .1"/>
    <body pos="0 0 .0983"><freejoint/><geom size=".1" mass="1"/></body>
    <body pos="1 0 .0996"><freejoint/><geom type="capsule" size=".1 .2" euler="1.5707963 0 0" mass="1"/>
      <body pos="0 0 .2"><joint name="arm" axis="0 1 .2" damping=".1"/>
        <geom type="capsule" fromto="0 0 0 .1 .2 .3" size=".05" mass=".3"/></body></body>
  </worldbody>
  <actuator><motor joint="arm" gear=".3"/></actuator></mujoco>"""

MODELS = {
    "tree": _HEAD + _TREE + '<actuator><motor joint="wrist"/></actuator></mujoco>',
    "tree, implicit": _HEAD + _TREE + '<actuator><motor joint="wrist"/></actuator></mujoco>',
    "limits": _HEAD + _ARM.format(limit='range="-1 -.01" limited="true"', dry=0.05) + "</mujoco>",
    "activations": _HEAD + _ARM.format(limit="", dry=0).split("<actuator>")[0] + _ACT,
    "activations, implicit": _HEAD + _ARM.format(limit="", dry=0).split("<actuator>")[0] + _ACT,
    "contacts": _HEAD + _BALLS,
    "contacts, elliptic": _HEAD + _BALLS,
}
OPTIONS = {
    "tree, implicit": ' integrator="implicit"',
    "activations, implicit": ' integrator="implicitfast"',
    "contacts, elliptic": ' cone="elliptic"',
}
# the longest step of differences: contacts turn round within millimetres
STEPS = {name: 2e-5 if "contacts" in name else 1e-3 for name in MODELS}
PARAMETERS = ("body_mass", "dof_damping", "opt.gravity")


def load(name, engine=sinew):
    return engine.MjModel.from_xml_string(xml(name))


def xml(name):
    return MODELS[name].replace("{option}", OPTIONS.get(name, ""))


def inputs(m, worlds=(), steps=(), seed=0):
    """States and controls of worlds: `qpos`, `qvel` and `act`, one after another."""
    rng = np.random.default_rng(seed)
    qpos = np.broadcast_to(m.qpos0, (*worlds, m.nq))
    rates = 0.2 * rng.standard_normal((*worlds, m.nv + m.na))
    return np.concatenate([qpos, rates], -1), 0.3 * rng.standard_normal((*worlds, *steps, m.nu))


def put(m, d, state, ctrl):
    """Sets the state of an `MjData`."""
    d.qpos, d.qvel, d.act = np.split(state, [m.nq, m.nq + m.nv])
    d.ctrl = ctrl


def extrapolated(value, step):
    """The derivative of `value(by)` at zero, by three central differences."""
    a, b, c = ((value(h) - value(-h)) / (2 * h) for h in (step, step / 2, step / 4))
    first, second = (4 * b - a) / 3, (4 * c - b) / 3
    return (16 * second - first) / 15
