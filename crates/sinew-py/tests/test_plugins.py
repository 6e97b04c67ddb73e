"""Plugins: MuJoCo's, and user-defined classes."""

import copy
import importlib.util
import pickle
from pathlib import Path

import numpy as np
import pytest

import sinew

PASSIVE = sinew.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE
ACTUATOR = sinew.mjtPluginCapabilityBit.mjPLUGIN_ACTUATOR
SENSOR = sinew.mjtPluginCapabilityBit.mjPLUGIN_SENSOR
SDF = sinew.mjtPluginCapabilityBit.mjPLUGIN_SDF


@sinew.register_plugin
class Spring:
    """A spring on the joints of its bodies."""

    name = "test.spring"
    attributes = ("stiffness", "rest")
    capabilities = PASSIVE

    def __init__(self, config, instance):
        self.instance = instance
        self.stiffness = float(config["stiffness"])
        self.rest = float(config.get("rest", 0))
        if self.stiffness < 0:
            raise ValueError("stiffness must not be negative")

    def compute(self, model, data, capability):
        assert capability == PASSIVE
        for body in np.flatnonzero(model.body_plugin == self.instance):
            dof = model.body_dofadr[body]
            data.qfrc_passive[dof] += self.stiffness * (self.rest - data.qpos[dof])


@sinew.register_plugin
class Servo:
    """A servo that keeps the integral of its error, and counts steps in its state."""

    name = "test.servo"
    attributes = ("kp", "ki")
    capabilities = ACTUATOR | SENSOR
    needstage = sinew.mjtStage.mjSTAGE_ACC
    nstate = 2
    nsensordata = staticmethod(lambda config: 3 if "ki" in config else 1)

    def __init__(self, config, instance):
        self.instance = instance
        self.kp, self.ki = (float(config.get(key, 0)) for key in ("kp", "ki"))

    def reset(self, state):
        state[:] = [10, 0]

    def act_dot(self, model, data):
        for u in np.flatnonzero(model.actuator_plugin == self.instance):
            data.act_dot[model.actuator_actadr[u]] = data.ctrl[u] - data.actuator_length[u]

    def compute(self, model, data, capability):
        adr = model.plugin_stateadr[self.instance]
        if capability == SENSOR:
            s = np.flatnonzero(model.sensor_plugin == self.instance)[0]
            start, dim = model.sensor_adr[s], model.sensor_dim[s]
            data.sensordata[start:start + dim] = data.plugin_state[adr] + np.arange(dim)
            return
        for u in np.flatnonzero(model.actuator_plugin == self.instance):
            error = data.ctrl[u] - data.actuator_length[u]
            data.actuator_force[u] = self.kp * error + self.ki * data.act[model.actuator_actadr[u]]

    def advance(self, model, data):
        adr = model.plugin_stateadr[self.instance]
        data.plugin_state[adr] += 1
        data.plugin_state[adr + 1] = data.time


@sinew.register_plugin
class Ball:
    name = "test.ball"
    attributes = ("radius",)
    capabilities = SDF

    def __init__(self, config, instance):
        self.radius = float(config.get("radius", 0.5))

    def distance(self, points):
        return np.linalg.norm(points, axis=1) - self.radius

    def aabb(self):
        return [0, 0, 0] + [1.1 * self.radius] * 3


def spring_model(stiffness="40", joint=""):
    return f"""
    <mujoco>
      <extension><plugin plugin="test.spring"/></extension>
      <worldbody>
        <body pos="0 0 1"><joint axis="0 1 0" damping=".1" {joint}/><geom size=".1" pos=".3 0 0"/>
          <plugin plugin="test.spring"><config key="stiffness" value="{stiffness}"/></plugin></body>
      </worldbody>
    </mujoco>"""


SERVO = """
<mujoco>
  <extension><plugin plugin="test.servo">
    <instance name="pi"><config key="kp" value="20"/><config key="ki" value="5"/></instance>
  </plugin></extension>
  <worldbody>
    <body pos="0 0 1"><joint name="j" axis="0 1 0" damping=".5"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody>
  <actuator><plugin joint="j" instance="pi" actdim="1"/></actuator>
  <sensor><plugin instance="pi" cutoff="11.5"/><actuatorfrc actuator="a"/></sensor>
</mujoco>""".replace('<sensor>', '<sensor>').replace('joint="j" instance', 'name="a" joint="j" instance')


def test_a_python_spring_is_a_spring():
    mine = sinew.MjModel.from_xml_string(spring_model())
    native = sinew.MjModel.from_xml_string(spring_model("0", 'stiffness="40"'))
    a, b = sinew.MjData(mine), sinew.MjData(native)
    for integrator in range(4):
        mine.opt.integrator = native.opt.integrator = integrator
        for m, d in ((mine, a), (native, b)):
            sinew.mj_resetData(m, d)
            d.qvel[:] = 1
            sinew.mj_step(m, d, 100)
        assert np.allclose(a.qpos, b.qpos, rtol=1e-12)


def test_state_activation_and_sensors_of_a_python_plugin():
    m = sinew.MjModel.from_xml_string(SERVO)
    assert (m.nplugin, m.npluginstate, m.nsensordata, m.na) == (1, 2, 4, 1)
    d = sinew.MjData(m)
    assert list(d.plugin_state) == [10, 0]
    d.ctrl[:] = 0.5
    sinew.mj_step(m, d, 3)
    assert list(d.plugin_state) == [13, d.time]
    sinew.mj_forward(m, d)
    assert list(d.sensordata[:3]) == [11.5, 11.5, 11.5]
    assert d.sensordata[3] == 20 * (0.5 - d.qpos[0]) + 5 * d.act[0]
    assert d.act[0] > 0
    sinew.mj_resetData(m, d)
    assert list(d.plugin_state) == [10, 0]


def test_copies_and_pickles_go_on_as_the_original():
    m = sinew.MjModel.from_xml_string(SERVO)
    d = sinew.MjData(m)
    d.ctrl[:] = 0.5
    sinew.mj_step(m, d, 5)
    others = [copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))]
    state = np.zeros(sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_INTEGRATION))
    sinew.mj_getState(m, d, state, sinew.mjtState.mjSTATE_INTEGRATION)
    others.append(sinew.MjData(m))
    sinew.mj_setState(m, others[-1], state, sinew.mjtState.mjSTATE_INTEGRATION)
    sinew.mj_step(m, d, 5)
    for other in others:
        sinew.mj_step(other.model, other, 5)
        assert np.array_equal(other.qpos, d.qpos) and np.array_equal(other.plugin_state, d.plugin_state)


def test_derivatives_see_python_plugins():
    m = sinew.MjModel.from_xml_string(spring_model())
    d = sinew.MjData(m)
    A = np.zeros((2, 2))
    sinew.mjd_transitionFD(m, d, 1e-6, True, A, None, None, None)
    stiff = sinew.MjModel.from_xml_string(spring_model("0", 'stiffness="40"'))
    B = np.zeros((2, 2))
    sinew.mjd_transitionFD(stiff, sinew.MjData(stiff), 1e-6, True, B, None, None, None)
    assert np.allclose(A, B, atol=1e-8)


def test_a_python_distance_field_has_a_mesh_contacts_and_rays():
    xml = """
    <mujoco>
      <extension><plugin plugin="test.ball"><instance name="b"><config key="radius" value=".3"/></instance>
      </plugin></extension>
      <asset><mesh name="ball"><plugin instance="b"/></mesh></asset>
      <worldbody>
        <body pos="0 0 .29"><freejoint/><geom type="sdf" mesh="ball"><plugin instance="b"/></geom></body>
        <geom type="box" size="1 1 .1" pos="0 0 -.1"/>
      </worldbody>
    </mujoco>"""
    m = sinew.MjModel.from_xml_string(xml)
    assert np.allclose(np.linalg.norm(m.mesh_vert, axis=1), 0.3, atol=1e-3)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    assert d.ncon > 0 and np.abs(d.contact.frame[:, :3]).max() > 0.9
    geom = np.zeros(1, np.int32)
    hit = sinew.mj_ray(m, d, np.array([0.0, 0, 2]), np.array([0.0, 0, -1]), None, 1, -1, geom)
    assert hit == pytest.approx(2 - 0.59, abs=1e-6) and geom[0] == 1


def test_exceptions_of_python_plugins_are_raised():
    with pytest.raises(ValueError, match="stiffness must not be negative"):
        sinew.MjModel.from_xml_string(spring_model("-1"))
    with pytest.raises(ValueError, match="could not convert string to float"):
        sinew.MjModel.from_xml_string(spring_model("much"))

    @sinew.register_plugin
    class Moody(Spring):
        name = "test.moody"

        def compute(self, model, data, capability):
            raise KeyError("not today")

    m = sinew.MjModel.from_xml_string(spring_model().replace("test.spring", "test.moody"))
    d = sinew.MjData(m)
    with pytest.raises(KeyError, match="not today"):
        sinew.mj_step(m, d)


def test_unknown_plugins_are_named_with_the_known_ones():
    with pytest.raises(ValueError) as error:
        sinew.MjModel.from_xml_string('<mujoco><extension><plugin plugin="test.sprnig"/></extension></mujoco>')
    text = str(error.value)
    assert "plugin test.sprnig not found" in text and "did you mean 'test.spring'?" in text
    for name in sinew.plugin_names():
        assert name in text
    assert sinew.plugin_names()[:3] == ["mujoco.pid", "mujoco.elasticity.cable", "mujoco.sensor.touch_grid"]


def test_names_are_checked_when_a_class_is_registered():
    with pytest.raises(TypeError, match="must have a name"):
        sinew.register_plugin(type("NoName", (), {"capabilities": PASSIVE}))
    with pytest.raises(ValueError, match="built in"):
        sinew.register_plugin(type("Pid", (), {"name": "mujoco.pid", "capabilities": ACTUATOR}))


def test_a_class_of_the_same_name_replaces_the_first_for_new_models():
    old = sinew.MjModel.from_xml_string(spring_model())

    @sinew.register_plugin
    class Stiffer(Spring):
        def __init__(self, config, instance):
            super().__init__(config, instance)
            self.stiffness *= 2

    try:
        new = sinew.MjModel.from_xml_string(spring_model())
        forces = []
        for m in (old, new):
            d = sinew.MjData(m)
            d.qpos[:] = 0.1
            sinew.mj_forward(m, d)
            forces.append(d.qfrc_passive[0])
        assert forces == [-4, -8]
    finally:
        sinew.register_plugin(Spring)


def test_binary_files_and_pickles_find_plugins_by_slot(tmp_path):
    m = sinew.MjModel.from_xml_string(SERVO)
    path = str(tmp_path / "servo.mjb")
    sinew.mj_saveModel(m, path, None)
    for again in (sinew.MjModel.from_binary_path(path), pickle.loads(pickle.dumps(m))):
        d = sinew.MjData(again)
        sinew.mj_step(again, d)
        assert list(d.plugin_state) == [11, d.time]
    binary = bytearray(open(path, "rb").read())
    slot = sinew.plugin_names().index("test.servo")
    m.plugin[:] = len(sinew.plugin_names())
    with pytest.raises(ValueError, match="no plugin is registered"):
        pickle.loads(pickle.dumps(m))
    assert slot >= 8 and binary


def test_rollouts_run_python_plugins():
    m = sinew.MjModel.from_xml_string(SERVO)
    d = sinew.MjData(m)
    initial = np.zeros((3, sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS)))
    for row in initial:
        sinew.mj_getState(m, d, row, sinew.mjtState.mjSTATE_FULLPHYSICS)
    from sinew import rollout

    datas = [sinew.MjData(m) for _ in range(2)]
    states, _ = rollout.rollout(m, datas, initial, np.full((3, 10, 1), 0.5))
    d.ctrl[:] = 0.5
    sinew.mj_step(m, d, 10)
    row = np.zeros(initial.shape[1])
    sinew.mj_getState(m, d, row, sinew.mjtState.mjSTATE_FULLPHYSICS)
    assert all(np.array_equal(states[i, -1], row) for i in range(3))


def test_muscles_with_python_plugins_find_their_length_range():
    # the compiler steps the model with a state of its own
    xml = spring_model().replace("<worldbody>", "<worldbody>", 1).replace(
        "</mujoco>", '<actuator><muscle joint="j"/></actuator></mujoco>').replace(
        '<joint axis', '<joint name="j" range="-60 60" axis')
    m = sinew.MjModel.from_xml_string(xml)
    assert np.all(m.actuator_lengthrange[0] != 0)


def test_mujocos_libraries_are_built_in(tmp_path):
    for name in ("libactuator.so", "libelasticity.so", "libsensor.so", "libsdf_plugin.so"):
        sinew.mj_loadPluginLibrary(f"/anywhere/{name}")
        (tmp_path / name).write_bytes(b"")
    sinew.mj_loadAllPluginLibraries(str(tmp_path))
    sinew.mj_loadAllPluginLibraries("/nowhere")
    with pytest.raises(sinew.FatalError, match="register_plugin"):
        sinew.mj_loadPluginLibrary("/anywhere/libmine.so")


def test_the_settings_of_an_instance_are_checked_when_a_data_is_made():
    m = sinew.MjModel.from_xml_string("""
    <mujoco>
      <extension><plugin plugin="mujoco.pid"/></extension>
      <worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><plugin joint="j" plugin="mujoco.pid"><config key="kp" value="1"/></plugin></actuator>
    </mujoco>""")
    m.actuator_plugin[:] = -1
    with pytest.raises(sinew.FatalError, match="plugin->init failed for plugin id 0"):
        sinew.MjData(m)


def test_the_example_of_a_plugin_sinks():
    example = Path(__file__).parents[1] / "examples" / "plugin.py"
    spec = importlib.util.spec_from_file_location("plugin_example", example)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    data = module.main()
    # a spring without creep holds at -m g / k
    assert data.qpos[0] < -9.81 / 100 - 0.1 and data.plugin_state[0] < 0.9


def test_editable_models_find_plugins_of_the_user():
    xml = """<mujoco><extension><plugin plugin="test.spring"/></extension><worldbody>
      <body><joint/><geom size=".1"/><plugin plugin="test.spring"><config key="stiffness" value="3"/></plugin></body>
      </worldbody></mujoco>"""
    spec = sinew.MjSpec.from_string(xml)
    m = spec.compile()
    d = sinew.MjData(m)
    d.qpos[0] = 0.5
    sinew.mj_forward(m, d)
    assert d.qfrc_passive[0] == -1.5
    assert 'key="stiffness"' in spec.to_xml()
