"""Inverse kinematics of an arm by mink."""

import mink
import mujoco
import numpy as np

ARM = """<mujoco><worldbody><body><joint name="a" axis="0 0 1"/><joint name="b" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/><body pos="0.4 0 0"><joint name="c" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/><body pos="0.3 0 0"><joint name="d" axis="1 0 0"/>
<joint name="e" axis="0 1 0"/><geom size="0.04"/><site name="tip" pos="0.1 0 0"/></body></body></body>
</worldbody></mujoco>"""
model = mujoco.MjModel.from_xml_string(ARM)
arm = mink.Configuration(model)
arm.update(np.array([0.1, 0.2, 0.3, 0.1, 0.2]))
tip = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.2)
rest = mink.PostureTask(model, cost=1e-2)
tip.set_target(mink.SE3.from_translation(np.array([0.5, 0.2, 0.1])))
rest.set_target(np.zeros(5))
for _ in range(50):
    velocity = mink.solve_ik(arm, [tip, rest], 0.02, "daqp")
    arm.integrate_inplace(velocity, 0.02)
print("=q", *arm.q)
