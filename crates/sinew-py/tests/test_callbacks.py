"""Callbacks: the same Python function, called by both engines, gives the same numbers."""

import ctypes
import subprocess
import sys
import threading

import mujoco
import numpy as np
import pytest

import sinew

XML = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body name="upper"><joint name="a" axis="0 1 0" damping="1"/><geom size=".1" pos=".2 0 0"/>
      <body name="lower" pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="a"/>
    <general joint="b" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
  </actuator>
  <sensor>
    <user dim="2" needstage="pos"/><user dim="1" needstage="vel"/><user dim="1" cutoff="1"/>
    <jointpos joint="a"/>
  </sensor>
</mujoco>
"""
CROWD = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .09"><freejoint/>
      <geom size=".1"/><geom size=".1" pos=".15 0 0" contype="0" conaffinity="0"/></body>
    <body pos="0 .15 .09"><freejoint/>
      <geom size=".1" contype="2" conaffinity="2"/><geom type="box" size=".1 .1 .1" pos=".15 0 0"/></body>
    <body pos="0 .3 .09"><freejoint/><geom size=".1" contype="2" conaffinity="2"/></body>
    <body pos="0 .45 .09"><freejoint/><geom name="e" type="capsule" size=".1 .05"/></body>
    <body pos="0 .6 .09"><freejoint/><geom name="f" size=".1" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><pair geom1="e" geom2="f"/></contact>
</mujoco>
"""
KINDS = "control passive act_dyn act_gain act_bias sensor time contactfilter".split()
ENGINES = [mujoco, sinew]


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    for engine in ENGINES:
        for kind in KINDS:
            getattr(engine, f"set_mjcb_{kind}")(None)


def make(engine, xml=XML):
    m = engine.MjModel.from_xml_string(xml)
    return m, engine.MjData(m)


def set_all(engine):
    def control(m, d):
        d.ctrl[0] = np.sin(d.time) - 0.1 * d.qvel[0]
        d.qfrc_applied[1] = 0.1

    def passive(m, d):
        d.qfrc_passive[:] -= 0.05 * d.qvel * np.abs(d.qvel)

    def sensor(m, d, stage):
        if stage == 1:
            d.sensordata[:2] = d.qpos
        elif stage == 2:
            d.sensordata[2] = d.qvel.sum()
        else:
            d.sensordata[3] = 2 + d.qacc[0]

    engine.set_mjcb_control(control)
    engine.set_mjcb_passive(passive)
    engine.set_mjcb_act_dyn(lambda m, d, i: d.ctrl[0] - d.act[0])
    engine.set_mjcb_act_gain(lambda m, d, i: 2.0 + d.actuator_length[i])
    engine.set_mjcb_act_bias(lambda m, d, i: -d.actuator_velocity[i])
    engine.set_mjcb_sensor(sensor)


def rows(engine, function):
    m, d = make(engine)
    # not before: MuJoCo's compiler calls callbacks with objects that Python cannot have
    set_all(engine)
    d.qpos[:] = [0.3, -0.2]
    d.qvel[:] = [1, -2]
    d.ctrl[:] = [0.1, 0.2]
    out = function(engine, m, d)
    names = "qpos qvel act ctrl qacc qfrc_passive qfrc_inverse actuator_force sensordata act_dot"
    return [np.copy(getattr(d, n)) for n in names.split()] + list(out or [])


def steps(engine, m, d):
    engine.mj_step(m, d, nstep=20)


def runge_kutta(engine, m, d):
    m.opt.integrator = engine.mjtIntegrator.mjINT_RK4
    engine.mj_step(m, d)


def halves(engine, m, d):
    engine.mj_step1(m, d)
    engine.mj_step2(m, d)


def inverse(engine, m, d):
    d.qacc[:] = [1, 2]
    engine.mj_inverse(m, d)


def transition(engine, m, d):
    n = 2 * m.nv + m.na
    A, B, C = np.zeros((n, n)), np.zeros((n, m.nu)), np.zeros((m.nsensordata, n))
    engine.mjd_transitionFD(m, d, 1e-6, True, A, B, C, None)
    return A, B, C


def inverse_fd(engine, m, d):
    DfDq, DsDv = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nsensordata))
    engine.mjd_inverseFD(m, d, 1e-6, True, DfDq, None, None, None, DsDv, None, None)
    return DfDq, DsDv


def stages(engine, m, d):
    for stage in "fwdPosition sensorPos fwdVelocity sensorVel fwdActuation passive".split():
        getattr(engine, f"mj_{stage}")(m, d)


@pytest.mark.parametrize(
    "function", [steps, runge_kutta, halves, inverse, transition, inverse_fd, stages]
)
def test_callbacks_give_mujocos_numbers(function):
    for theirs, ours in zip(rows(mujoco, function), rows(sinew, function), strict=True):
        # finite differences divide rounding errors by the step
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=2e-8)


def test_arguments_are_the_objects_of_the_caller():
    m, d = make(sinew)
    seen = []
    sinew.set_mjcb_control(lambda *args: seen.append(args))
    sinew.set_mjcb_sensor(lambda m, d, stage: seen.append(stage))
    sinew.mj_forward(m, d)
    assert seen == [1, 2, (m, d), 3]
    assert seen[2][0] is m and seen[2][1] is d


def test_functions_and_attributes_work_inside():
    m, d = make(sinew)
    got = {}

    def control(m, d):
        full, jac = np.zeros((m.nv, m.nv)), np.zeros((3, m.nv))
        sinew.mj_fullM(m, full, d.qM)
        sinew.mj_jacBody(m, d, jac, None, m.body("lower").id)
        got.update(full=full, jac=jac, time=d.time, step=m.opt.timestep, efc=d.efc_J.copy())
        d.time += 1
        d.qpos = [0.5, 0.5]
        sinew.mj_kinematics(m, d)
        got["xpos"] = d.xpos.copy()
        other = sinew.MjData(m)
        sinew.mj_kinematics(m, other)
        sinew.mj_copyData(other, m, d)
        got["copy"] = other.qpos.copy()

    sinew.set_mjcb_control(control)
    sinew.mj_forward(m, d)
    assert got["full"][0, 0] > got["full"][1, 1] > 0
    assert got["jac"][2, 0] == pytest.approx(-0.4)
    assert (got["time"], d.time, got["step"]) == (0, 1, 0.01)
    np.testing.assert_array_equal(d.qpos, [0.5, 0.5])
    np.testing.assert_array_equal(got["copy"], [0.5, 0.5])
    assert got["xpos"][2, 2] < 0


def test_a_callback_cannot_step_what_it_was_called_for():
    m, d = make(sinew)
    sinew.set_mjcb_control(lambda m, d: sinew.mj_step(m, d))
    with pytest.raises(RuntimeError, match="a step of this data is under way"):
        sinew.mj_step(m, d)
    other = sinew.MjData(m)
    sinew.set_mjcb_control(lambda m, d: d is other or sinew.mj_step(m, other))
    sinew.mj_step(m, d)
    assert d.time == other.time == 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_exceptions_reach_the_caller(kind):
    m, d = make(sinew, CROWD if kind == "contactfilter" else XML)
    m.opt.timestep = 0.01

    def fail(*args):
        raise ValueError("enough")

    getattr(sinew, f"set_mjcb_{kind}")(fail)
    for nstep in (1, 3):
        with pytest.raises(ValueError, match="enough"):
            sinew.mj_step(m, d, nstep=nstep)
    assert d.time == 0
    getattr(sinew, f"set_mjcb_{kind}")(None)
    sinew.mj_step(m, d)
    assert d.time == 0.01


@pytest.mark.parametrize("engine", ENGINES)
def test_invalid_callbacks_are_refused(engine):
    for wrong in (1, "x", 0.5):
        with pytest.raises(TypeError, match="callback is not an Optional"):
            engine.set_mjcb_control(wrong)
    m, d = make(engine)
    engine.set_mjcb_act_bias(lambda m, d, i: "a")
    with pytest.raises(TypeError, match="mjcb_act_bias callback did not return a number"):
        engine.mj_step(m, d)


def test_c_functions_are_refused():
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(lambda a, b: None)
    with pytest.raises(TypeError, match="pass a Python function"):
        sinew.set_mjcb_control(function)


FILTERS = {
    "nothing": lambda m, d, geom1, geom2: 0,
    "everything": lambda m, d, geom1, geom2: True,
    "thirds": lambda m, d, geom1, geom2: (geom1 + geom2) % 3 == 0,
    "odd": lambda m, d, geom1, geom2: (geom1 + geom2) % 2,
    "first": lambda m, d, geom1, geom2: geom1 < 1,
    "state": lambda m, d, geom1, geom2: d.geom_xpos[geom2, 1] > 0.2,
}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("midphase", [True, False])
def test_contact_filters_decide_as_in_mujoco(name, midphase):
    states = []
    for engine in ENGINES:
        m, d = make(engine, CROWD)
        if not midphase:
            m.opt.disableflags |= engine.mjtDisableBit.mjDSBL_MIDPHASE
        engine.set_mjcb_contactfilter(FILTERS[name])
        engine.mj_step(m, d, nstep=5)
        engine.mj_inverse(m, d)
        states.append((d.contact.geom.copy(), d.contact.dist.copy(), d.qpos.copy()))
        engine.mj_collision(m, d)
        np.testing.assert_array_equal(d.contact.geom, states[-1][0])
        engine.set_mjcb_contactfilter(None)
        engine.mj_collision(m, d)
        assert not np.array_equal(d.contact.geom, states[-1][0])
    np.testing.assert_array_equal(states[0][0], states[1][0])
    for reference, ours in zip(states[0][1:], states[1][1:]):
        np.testing.assert_allclose(ours, reference, atol=1e-9)


def test_contact_filter_is_asked_in_the_order_of_types():
    m, d = make(sinew, CROWD)
    asked = []
    sinew.set_mjcb_contactfilter(lambda m, d, geom1, geom2: asked.append((geom1, geom2)) or 0)
    sinew.mj_forward(m, d)
    assert (5, 4) in asked and all(m.geom_type[a] <= m.geom_type[b] for a, b in asked)
    assert not {(6, 7), (7, 6)} & set(asked)  # an explicit pair


def test_contact_filter_may_remove_itself():
    m, d = make(sinew, CROWD)
    sinew.mj_forward(m, d)
    usual = d.contact.geom.copy()

    def remove(m, d, geom1, geom2):
        sinew.set_mjcb_contactfilter(None)
        return 0

    sinew.set_mjcb_contactfilter(remove)
    sinew.mj_forward(m, d)
    np.testing.assert_array_equal(d.contact.geom, usual)


def test_callbacks_can_be_read_and_reset():
    def control(m, d):
        pass

    assert sinew.get_mjcb_control() is None
    sinew.set_mjcb_control(control)
    assert sinew.get_mjcb_control() is control
    sinew.mj_resetCallbacks()
    assert sinew.get_mjcb_control() is None


def test_callback_may_remove_itself():
    m, d = make(sinew)
    calls = []

    def once(m, d):
        calls.append(d.time)
        sinew.set_mjcb_control(None)

    sinew.set_mjcb_control(once)
    sinew.mj_step(m, d, nstep=5)
    assert calls == [0]


def test_the_model_can_be_changed_inside():
    masses = []
    for engine in ENGINES:
        m, d = make(engine)
        engine.set_mjcb_control(lambda m, d, e=engine: e.mj_setTotalmass(m, 1))
        engine.mj_step(m, d)
        engine.set_mjcb_control(None)
        masses.append((m.body_mass.copy(), d.qpos.copy()))
    np.testing.assert_allclose(masses[0][0], masses[1][0])


def test_a_clock_may_read_the_data():
    m, d = make(sinew)
    sinew.set_mjcb_time(lambda: d.time)
    sinew.mj_step(m, d)
    sinew.set_mjcb_time(lambda: sinew.mj_kinematics(m, d) or 0.0)
    with pytest.raises(RuntimeError, match="the engine is computing with it"):
        sinew.mj_step(m, d)


def test_callbacks_reach_the_data_of_other_threads():
    m = make(sinew)[0]
    states = [sinew.MjData(m) for _ in range(2)]

    def control(m, d):
        other = states[d is states[0]]
        len(other.contact), other.efc_J.size, other.time
        sinew.mj_kinematics(m, other)

    sinew.set_mjcb_control(control)
    work = [
        threading.Thread(target=sinew.mj_step, args=(m, d, 300), daemon=True) for d in states
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(20)
    assert not any(thread.is_alive() for thread in work)


def test_a_callback_may_wait_for_a_thread_that_uses_the_data():
    m, d = make(sinew)
    seen = []

    def use():
        seen.append((d.time, len(d.contact), d.efc_pos.size))
        sinew.mj_kinematics(m, d)

    def control(m, d):
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()

    sinew.set_mjcb_control(control)
    sinew.mj_step(m, d, 3)
    assert len(seen) == 3


def test_forked_children_find_no_lock_held():
    # a child either has a complete state, or gets an error for an incomplete step
    script = f"""
import os, threading, sinew
m = sinew.MjModel.from_xml_string({XML!r})
d = sinew.MjData(m)
done = threading.Event()
def work():
    while not done.is_set():
        sinew.mj_step(m, d, 50)
thread = threading.Thread(target=work)
thread.start()
codes = []
while len(codes) < 60 or 7 not in codes:
    pid = os.fork()
    if pid == 0:
        own, torn = sinew.MjData(m), False
        try:
            sinew.mj_step(m, d, 3)
            d.efc_J, len(d.contact)
        except RuntimeError as error:
            torn = "when the process forked" in str(error)
            assert torn, error
            d.qpos + 0
            del d
        sinew.mj_step(m, own, 3)
        own.efc_J, len(own.contact)
        assert own.time > 0
        os._exit(7 if torn else 0)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
done.set()
thread.join()
assert set(codes) <= {{0, 7}}, codes
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=True, timeout=600)


def test_threads_share_a_model():
    m = sinew.MjModel.from_xml_string(XML)
    states = [sinew.MjData(m) for _ in range(4)]

    def control(m, d):
        d.ctrl[0] = m.opt.timestep + d.time

    sinew.set_mjcb_control(control)
    work = [threading.Thread(target=sinew.mj_step, args=(m, d, 200)) for d in states]
    for thread in work:
        thread.start()
    while any(thread.is_alive() for thread in work):
        assert states[0].time <= 2.01
    for d in states:
        np.testing.assert_array_equal(d.qpos, states[0].qpos)
        assert d.time == pytest.approx(2)


def test_timers_count_as_mujocos():
    counts = []
    for engine in ENGINES:
        m, d = make(engine)
        engine.mj_step(m, d, nstep=3)
        engine.mj_step1(m, d)
        engine.mj_step2(m, d)
        engine.mj_inverse(m, d)
        m.opt.integrator = engine.mjtIntegrator.mjINT_RK4
        engine.mj_step(m, d)
        engine.mj_collision(m, d)
        m.opt.disableflags |= engine.mjtDisableBit.mjDSBL_CONTACT
        engine.mj_collision(m, d)
        counts.append([t.number for t in d.timer])
    assert counts[0] == counts[1]


def test_the_own_clock_counts_seconds():
    # in a process without a user's clock
    script = f"""
import sinew
m = sinew.MjModel.from_xml_string({XML!r})
d = sinew.MjData(m)
sinew.mj_step(m, d)
assert 0 < d.timer[1].duration <= d.timer[0].duration < 1
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_clock_of_the_user_is_asked():
    m, d = make(sinew)
    ticks = iter(range(1000))
    sinew.set_mjcb_time(lambda: next(ticks))
    sinew.mj_step(m, d)
    assert d.timer[0].duration == next(ticks) - 1
    sinew.set_mjcb_time(None)
    sinew.mj_resetData(m, d)
    sinew.mj_step(m, d)
    assert d.timer[0].number == 1 and 0 < d.timer[0].duration < 1


def test_c_functions_get_warnings_as_bytes():
    # dm_control sets such a function; meshes that are not convex issue a warning
    seen = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(seen.append)
    sinew.set_mju_user_warning(handler)
    try:
        sinew._callbacks._warn("a warning", sinew.LoadWarning)
    finally:
        sinew.set_mju_user_warning(None)
    assert seen == [b"a warning"]
