"""A plugin in Python: a spring that gives way, which `<plugin>` elements in XML name.

python crates/sinew-py/examples/plugin.py
"""

import numpy as np

import sinew

XML = """
<mujoco>
  <extension>
    <plugin plugin="example.creep"/>
  </extension>
  <worldbody>
    <body pos="0 0 1">
      <joint type="slide" axis="0 0 1"/>
      <geom size="0.1" mass="1"/>
      <plugin plugin="example.creep">
        <config key="stiffness" value="100"/>
        <config key="rate" value="0.5"/>
      </plugin>
    </body>
  </worldbody>
</mujoco>
"""


@sinew.register_plugin
class Creep:
    """A spring between a body and a height that follows it."""

    name = "example.creep"
    attributes = ("stiffness", "rate")
    capabilities = sinew.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE
    nstate = 1

    def __init__(self, config, instance):
        self.instance = instance
        self.stiffness = float(config["stiffness"])
        self.rate = float(config["rate"])

    def reset(self, state):
        state[:] = 1

    def compute(self, model, data, capability):
        rest = data.plugin_state[model.plugin_stateadr[self.instance]]
        for body in np.flatnonzero(model.body_plugin == self.instance):
            force = np.array([0, 0, self.stiffness * (rest - data.xpos[body, 2])])
            sinew.mj_applyFT(model, data, force, np.zeros(3), data.xipos[body], body, data.qfrc_passive)

    def advance(self, model, data):
        at = model.plugin_stateadr[self.instance]
        body = np.flatnonzero(model.body_plugin == self.instance)[0]
        height = data.xpos[body, 2]
        data.plugin_state[at] += self.rate * model.opt.timestep * (height - data.plugin_state[at])


def main():
    model = sinew.MjModel.from_xml_string(XML)
    data = sinew.MjData(model)
    for second in range(1, 6):
        sinew.mj_step(model, data, 500)
        print(f"{second} s: z = {1 + data.qpos[0]:.3f} m, rest = {data.plugin_state[0]:.3f} m")
    return data


if __name__ == "__main__":
    main()
