"""A step of MJX from a model and a state."""

import jax
import mujoco
import numpy as np
from mujoco import mjx

MODEL = """<mujoco><worldbody><geom type="plane" size="5 5 0.1"/><body pos="0 0 1"><freejoint/>
<geom size="0.1"/><body pos="0.2 0 0"><joint axis="0 1 0" damping="0.1"/><site name="s" pos="0.1 0 0"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.05"/></body></body></worldbody>
<actuator><motor site="s" gear="0 0 1 0 0 0"/></actuator></mujoco>"""
m = mujoco.MjModel.from_xml_string(MODEL)
d = mujoco.MjData(m)
d.qvel[:] = np.linspace(-1, 1, m.nv)
d.ctrl[:] = 0.3
mx, dx = mjx.put_model(m), mjx.put_data(m, d)
dx = jax.jit(mjx.step)(mx, dx)
back = mjx.get_data(m, dx)
print("=mjx", *back.qpos, *back.qvel)
