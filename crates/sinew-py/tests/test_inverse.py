"""Inverse dynamics and finite differences compared with MuJoCo's, without contacts and
constraints."""

import mujoco
import numpy as np
import pytest

import sinew

EPS = 1e-6
INTEGRATORS = {"euler": 0, "implicit": 2, "implicitfast": 3}
BIT = mujoco.mjtDisableBit


def close(got, want, name, rounding=1e-10):
    """Asserts equality up to rounding, relative to the largest value."""
    scale = np.abs(want).max(initial=1.0)
    np.testing.assert_allclose(got, want, rtol=rounding, atol=rounding * scale, err_msg=name)


def readings(m):
    """Indices of comparable sensor readings; distances between geoms need collision detection."""
    distances = [getattr(mujoco.mjtSensor, "mjSENS_GEOM" + s) for s in ("DIST", "NORMAL", "FROMTO")]
    return np.repeat(~np.isin(m.sensor_type, distances), m.sensor_dim)


@pytest.fixture
def free(pair):
    """The same random state in both engines, without contacts and constraints."""
    m, d, ref = pair.ref_m, pair.d, pair.ref_d
    for model in (pair.m, m):
        model.opt.disableflags |= BIT.mjDSBL_CONTACT | BIT.mjDSBL_CONSTRAINT
        model.opt.integrator, model.opt.noslip_iterations = 3, 0
    rng = np.random.RandomState(4)
    mujoco.mj_integratePos(m, ref.qpos, 0.2 * rng.randn(m.nv), 1.0)
    ref.qvel[:] = 0.3 * rng.randn(m.nv)
    ref.qacc[:] = rng.randn(m.nv)
    ref.ctrl[:] = 0.3 * rng.randn(m.nu)
    ref.act[:] = rng.rand(m.na)
    ref.qfrc_applied[:] = rng.randn(m.nv)
    ref.xfrc_applied[:] = rng.randn(m.nbody, 6)
    for name in "qpos qvel qacc ctrl act qfrc_applied xfrc_applied".split():
        getattr(d, name)[:] = getattr(ref, name)
    return pair


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("discrete", [False, True])
def test_inverse_dynamics_are_mujocos(free, integrator, discrete):
    p = free
    for model in (p.m, p.ref_m):
        model.opt.integrator = INTEGRATORS[integrator]
        if discrete:
            model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    asked = p.d.qacc.copy()
    sinew.mj_inverse(p.m, p.d)
    mujoco.mj_inverse(p.ref_m, p.ref_d)
    close(p.d.qfrc_inverse, p.ref_d.qfrc_inverse, "qfrc_inverse")
    np.testing.assert_array_equal(p.d.qacc, asked)
    some = readings(p.ref_m)
    close(p.d.sensordata[some], p.ref_d.sensordata[some], "sensordata", 1e-9)
    for name in "qfrc_constraint qfrc_passive energy".split():
        close(getattr(p.d, name), getattr(p.ref_d, name), name, 1e-9)
    p.d.qacc[:] = p.ref_d.qacc[:] = 0.5
    sinew.mj_inverseSkip(p.m, p.d, 2, 1)
    mujoco.mj_inverseSkip(p.ref_m, p.ref_d, 2, 1)
    close(p.d.qfrc_inverse, p.ref_d.qfrc_inverse, "qfrc_inverse, skipped")


def test_inverse_undoes_forward(free):
    p = free
    sinew.mj_forward(p.m, p.d)
    want = p.d.qfrc_smooth + p.d.qfrc_bias - p.d.qfrc_passive
    sinew.mj_inverse(p.m, p.d)
    close(p.d.qfrc_inverse, want, "qfrc_inverse", 1e-8)
    sinew.mj_compareFwdInv(p.m, p.d)
    np.testing.assert_array_equal(p.d.solver_fwdinv, 0)


def test_stages_of_the_inverse_are_mujocos(free):
    p = free
    for engine, m, d in ((sinew, p.m, p.d), (mujoco, p.ref_m, p.ref_d)):
        engine.mj_invPosition(m, d)
        engine.mj_invVelocity(m, d)
        engine.mj_invConstraint(m, d)
    for name in "xpos M qLD actuator_length qfrc_bias qfrc_passive qfrc_constraint".split():
        close(getattr(p.d, name), getattr(p.ref_d, name), name)


def transition(engine, m, d, centered):
    n, nu, ns = 2 * m.nv + m.na, m.nu, m.nsensordata
    out = [np.ones(s) for s in ((n, n), (n, nu), (ns, n), (ns, nu))]
    engine.mjd_transitionFD(m, d, EPS, centered, *out)
    return dict(zip("ABCD", out))


def changes_by_last_bits(p, want, centered):
    """The largest change of each of MuJoCo's matrices when positions change by one bit."""
    qpos = p.ref_d.qpos.copy()
    p.ref_d.qpos[:] = np.nextafter(qpos, 0)
    moved = transition(mujoco, p.ref_m, p.ref_d, centered)
    p.ref_d.qpos[:] = qpos
    return {name: np.abs(moved[name] - want[name]).max(initial=0) for name in want}


# finite differences divide the rounding of two evaluations by the step
ROUNDING = 1e-8


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("centered", [0, 1])
def test_transition_matrices_are_mujocos(free, integrator, centered):
    p = free
    for model in (p.m, p.ref_m):
        model.opt.integrator = INTEGRATORS[integrator]
    if p.m.nhistory:
        for engine, m, d in ((sinew, p.m, p.d), (mujoco, p.ref_m, p.ref_d)):
            with pytest.raises(engine.FatalError, match="mjd_transitionFD: delays are not supp"):
                engine.mjd_transitionFD(m, d, EPS, 0, None, None, None, None)
        return
    before = [getattr(p.d, n).copy() for n in ("qpos", "qvel", "act", "ctrl")]
    got = transition(sinew, p.m, p.d, centered)
    want = transition(mujoco, p.ref_m, p.ref_d, centered)
    some = readings(p.ref_m)
    unsure = {}
    for name in "ABCD":
        rows = some if name in "CD" else ...
        try:
            close(got[name][rows], want[name][rows], name, ROUNDING)
        except AssertionError:
            # stiff models: within MuJoCo's own change when a position changes by one bit
            unsure = unsure or changes_by_last_bits(p, want, centered)
            np.testing.assert_allclose(got[name][rows], want[name][rows], rtol=0, atol=unsure[name], err_msg=name)
    for name, x in zip(("qpos", "qvel", "act", "ctrl"), before):
        np.testing.assert_array_equal(getattr(p.d, name), x)


@pytest.mark.parametrize("actuation", [0, 1])
def test_derivatives_of_the_inverse_are_mujocos(free, actuation):
    p = free
    nv, ns = p.m.nv, p.m.nsensordata
    shapes = dict.fromkeys(("DfDq", "DfDv", "DfDa"), (nv, nv))
    shapes |= dict.fromkeys(("DsDq", "DsDv", "DsDa"), (nv, ns)) | {"DmDq": (nv, p.m.nM)}
    got = {n: np.ones(s) for n, s in shapes.items()}
    want = {n: np.ones(s) for n, s in shapes.items()}
    sinew.mjd_inverseFD(p.m, p.d, EPS, actuation, *got.values())
    mujoco.mjd_inverseFD(p.ref_m, p.ref_d, EPS, actuation, *want.values())
    some = readings(p.ref_m)
    for name in shapes:
        columns = some if name.startswith("Ds") else slice(None)
        close(got[name][:, columns], want[name][:, columns], name, ROUNDING)


def test_errors_have_mujocos_text(zoo):
    m, d = zoo.m, zoo.d
    wrong = np.zeros((9, 7))
    calls = [("mjd_transitionFD", 0, 4), ("mjd_inverseFD", 0, 7)]
    for name, flag, n in calls:
        for k in range(n):
            args = [None] * n
            args[k] = wrong
            with pytest.raises(TypeError) as want:
                getattr(mujoco, name)(zoo.ref_m, zoo.ref_d, EPS, flag, *args)
            with pytest.raises(TypeError) as got:
                getattr(sinew, name)(m, d, EPS, flag, *args)
            assert str(got.value) == str(want.value)
    for model in (m, zoo.ref_m):
        model.opt.integrator = 1
        model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_INVDISCRETE
    for call in (
        lambda e, m, d: e.mj_inverse(m, d),
        lambda e, m, d: e.mjd_transitionFD(m, d, EPS, 0, None, None, None, None),
        lambda e, m, d: e.mjd_inverseFD(m, d, EPS, 0, *[None] * 7),
    ):
        with pytest.raises(mujoco.FatalError) as want:
            call(mujoco, zoo.ref_m, zoo.ref_d)
        with pytest.raises(sinew.FatalError) as got:
            call(sinew, m, d)
        assert str(got.value) == str(want.value)
    with pytest.raises(ValueError, match="body is 6, must be from 0 to 5"):
        sinew.mj_angmomMat(m, d, np.zeros((3, m.nv)), m.nbody)


def test_inertia_is_added_as_in_mujoco(free):
    p = free
    sinew.mj_forward(p.m, p.d)
    mujoco.mj_forward(p.ref_m, p.ref_d)
    n = p.m.nM
    results = []
    for engine, m, d in ((sinew, p.m, p.d), (mujoco, p.ref_m, p.ref_d)):
        # the pattern of the diagonal first, which then grows to the pattern of M
        dst, nnz, adr = np.ones(n), np.ones(m.nv, np.int32), m.M_rowadr.copy()
        ind = np.zeros(n, np.int32)
        ind[adr] = np.arange(m.nv)
        engine.mj_addM(m, d, dst, nnz, adr, ind)
        results.append((nnz, ind, dst))
    for got, want in zip(*results):
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-11)


DELAYED = """
<mujoco><worldbody><body name="b"><joint name="a"/><geom size=".1"/></body></worldbody>
<actuator>
  <motor joint="a" delay="0.01" nsample="5"/><motor joint="a"/>
  <muscle joint="a" lengthrange="0 1"/>
</actuator>
<sensor><jointpos joint="a"/><framepos objtype="body" objname="b" nsample="4" delay="0.004"/></sensor></mujoco>
"""


@pytest.fixture
def delayed():
    m, ref_m = sinew.MjModel.from_xml_string(DELAYED), mujoco.MjModel.from_xml_string(DELAYED)
    return (sinew, m, sinew.MjData(m)), (mujoco, ref_m, mujoco.MjData(ref_m))


def test_histories_are_read_and_written(delayed):
    times, values = np.arange(5.0), np.arange(12.0).reshape(4, 3)
    histories = []
    for engine, m, d in delayed:
        engine.mj_initCtrlHistory(m, d, 0, times, times**2)
        engine.mj_initCtrlHistory(m, d, 0, None, -times)
        engine.mj_initSensorHistory(m, d, 1, times[1:], values, 0.5)
        engine.mj_initSensorHistory(m, d, 1, None, values + 1, 0.25)
        histories.append(d.history.copy())
    np.testing.assert_array_equal(*histories)


@pytest.mark.parametrize(
    "name,args",
    [
        ("mj_initCtrlHistory", (0, np.arange(3.0), np.zeros(5))),
        ("mj_initCtrlHistory", (0, None, np.zeros(3))),
        ("mj_initCtrlHistory", (0, -np.arange(5.0), np.zeros(5))),
        ("mj_initCtrlHistory", (1, np.arange(5.0), np.zeros(5))),
        ("mj_initCtrlHistory", (9, np.arange(5.0), np.zeros(5))),
        ("mj_initSensorHistory", (1, np.arange(3.0), np.zeros((4, 3)), 0.0)),
        ("mj_initSensorHistory", (1, None, np.zeros((3, 4)), 0.0)),
        ("mj_initSensorHistory", (0, np.arange(3.0), np.zeros((4, 3)), 0.0)),
    ],
)
def test_bad_histories_are_refused(delayed, name, args):
    texts = []
    for engine, m, d in delayed:
        with pytest.raises((TypeError, engine.FatalError)) as error:
            getattr(engine, name)(m, d, *args)
        texts.append((error.type.__name__, str(error.value)))
    assert texts[0] == texts[1]


def test_length_ranges_are_mujocos(delayed):
    ranges = []
    for engine, m, d in delayed:
        opt = engine.MjLROpt()
        assert opt.accel == 0
        engine.mj_defaultLROpt(opt)
        assert (opt.mode, opt.useexisting, opt.accel, opt.tolrange) == (1, 1, 20, 0.05)
        engine.mj_setLengthRange(m, d, 2, opt)
        assert list(m.actuator_lengthrange[2]) == [0, 1]
        with pytest.raises(engine.FatalError, match="mj_setLengthRange: invalid actuator index"):
            engine.mj_setLengthRange(m, d, 3, opt)
        m.jnt_range[0] = -0.5, 0.25
        m.jnt_limited[0] = 1
        opt.useexisting, opt.uselimit = 0, 1
        engine.mj_setLengthRange(m, d, 2, opt)
        ranges.append(m.actuator_lengthrange.copy())
    np.testing.assert_array_equal(*ranges)


def test_debug_reset_marks_what_is_not_state(zoo):
    sinew.mj_resetDataDebug(zoo.m, zoo.d, 7)
    mujoco.mj_resetDataDebug(zoo.ref_m, zoo.ref_d, 7)
    for name in "qpos qvel act ctrl qM qacc mocap_pos eq_active xpos qfrc_bias sensordata time".split():
        np.testing.assert_array_equal(getattr(zoo.d, name), getattr(zoo.ref_d, name), name)


def test_default_solver_parameters_are_mujocos():
    solref, solimp = np.zeros(2), np.zeros(5)
    sinew.mj_defaultSolRefImp(solref, solimp)
    np.testing.assert_array_equal(solref, mujoco.MjOption().o_solref)
    np.testing.assert_array_equal(solimp, mujoco.MjOption().o_solimp)
