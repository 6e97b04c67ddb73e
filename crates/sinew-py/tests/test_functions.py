"""`mj_*` functions against MuJoCo's, on the same model and state."""

import mujoco
import numpy as np
import pytest

import sinew

# stages start from MuJoCo's inputs, so errors do not accumulate
CLOSE = dict(rtol=1e-10, atol=1e-12)

SMOOTH = """xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos
cam_xmat light_xpos light_xdir subtree_com cdof cinert ten_length ten_velocity actuator_length
actuator_velocity cvel cdof_dot qfrc_bias qfrc_passive qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid
actuator_force qfrc_actuator qfrc_smooth qacc_smooth act_dot M qM qLD crb""".split()


def scramble(pair, seed=0):
    """The same random state in both engines, without contacts."""
    for model in (pair.m, pair.ref_m):
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    rng = np.random.RandomState(seed)
    m, d, ref = pair.ref_m, pair.d, pair.ref_d
    mujoco.mj_integratePos(m, ref.qpos, 0.3 * rng.randn(m.nv), 1.0)
    ref.qvel[:] = 0.3 * rng.randn(m.nv)
    ref.ctrl[:] = 0.3 * rng.randn(m.nu)
    ref.act[:] = rng.rand(m.na)
    for name in ("qpos", "qvel", "ctrl", "act"):
        getattr(d, name)[:] = getattr(ref, name)


def test_forward_dynamics_are_mujocos(pair):
    scramble(pair)
    sinew.mj_forward(pair.m, pair.d)
    mujoco.mj_forward(pair.ref_m, pair.ref_d)
    for name in SMOOTH:
        want, got = getattr(pair.ref_d, name), getattr(pair.d, name)
        scale = np.abs(want).max(initial=1.0)
        np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-11 * scale, err_msg=name)


def test_positions_are_integrated_as_in_mujoco(pair):
    m, ref_m = pair.m, pair.ref_m
    rng = np.random.RandomState(0)
    q, ref_q = pair.d.qpos.copy(), pair.ref_d.qpos.copy()
    vel = rng.randn(m.nv)
    sinew.mj_integratePos(m, q, vel, 0.1)
    mujoco.mj_integratePos(ref_m, ref_q, vel, 0.1)
    np.testing.assert_array_equal(q, ref_q)
    v, ref_v = np.zeros(m.nv), np.zeros(m.nv)
    sinew.mj_differentiatePos(m, v, 0.1, pair.d.qpos, q)
    mujoco.mj_differentiatePos(ref_m, ref_v, 0.1, pair.ref_d.qpos, q)
    np.testing.assert_array_equal(v, ref_v)
    q *= 1.5
    ref_q *= 1.5
    sinew.mj_normalizeQuat(m, q)
    mujoco.mj_normalizeQuat(ref_m, ref_q)
    np.testing.assert_array_equal(q, ref_q)


@pytest.fixture
def scrambled(pair):
    scramble(pair)
    sinew.mj_forward(pair.m, pair.d)
    mujoco.mj_forward(pair.ref_m, pair.ref_d)
    return pair


def both(pair, name, shapes, *args):
    """Calls the function in both engines and compares its results."""
    want, got = [np.ones(s) for s in shapes], [np.ones(s) for s in shapes]
    a = getattr(mujoco, name)(pair.ref_m, pair.ref_d, *want, *args)
    b = getattr(sinew, name)(pair.m, pair.d, *got, *args)
    assert a == b
    for w, g in zip(want, got):
        np.testing.assert_allclose(g, w, **CLOSE, err_msg=name)


def test_inertia_is_mujocos(scrambled):
    p = scrambled
    nv = p.m.nv
    rng = np.random.RandomState(1)
    vec, rows = rng.randn(nv), rng.randn(3, nv)
    both(p, "mj_mulM", [nv], vec)
    both(p, "mj_mulM2", [nv], vec)
    both(p, "mj_solveM", [(3, nv)], rows)
    both(p, "mj_solveM2", [(3, nv)], rows, np.sqrt(p.ref_d.qLDiagInv))
    dense, ref = np.ones((nv, nv)), np.ones((nv, nv))
    sinew.mj_fullM(p.m, dense, p.d.qM)
    mujoco.mj_fullM(p.ref_m, ref, p.ref_d.qM)
    np.testing.assert_allclose(dense, ref, **CLOSE)
    for flag in (0, 1):
        ours, theirs = np.ones(nv), np.ones(nv)
        p.d.qacc[:] = p.ref_d.qacc
        sinew.mj_rne(p.m, p.d, flag, ours)
        mujoco.mj_rne(p.ref_m, p.ref_d, flag, theirs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_jacobians_are_mujocos(scrambled):
    p = scrambled
    point, axis = np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.6, 0.8])
    jac = [(3, p.m.nv)] * 2
    for body in range(p.m.nbody):
        both(p, "mj_jac", jac, point, body)
        both(p, "mj_jacBody", jac, body)
        both(p, "mj_jacBodyCom", jac, body)
        both(p, "mj_jacDot", jac, point, body)
        both(p, "mj_jacPointAxis", jac, point, axis, body)
        if p.m.body_subtreemass[body] > 0:
            both(p, "mj_jacSubtreeCom", jac[:1], body)
        both(p, "mj_angmomMat", jac[:1], body)
        force = np.arange(6.0)
        target, ref = np.ones(p.m.nv), np.ones(p.m.nv)
        sinew.mj_applyFT(p.m, p.d, force[:3], force[3:], point, body, target)
        mujoco.mj_applyFT(p.ref_m, p.ref_d, force[:3], force[3:], point, body, ref)
        np.testing.assert_allclose(target, ref, **CLOSE)
    for site in range(p.m.nsite):
        both(p, "mj_jacSite", jac, site)
    for geom in range(p.m.ngeom):
        both(p, "mj_jacGeom", jac, geom)


def test_one_jacobian_may_be_asked_for_alone(scrambled):
    p = scrambled
    jacp, jacr, only = (np.zeros((3, p.m.nv)) for _ in range(3))
    sinew.mj_jacBody(p.m, p.d, jacp, jacr, p.m.nbody - 1)
    sinew.mj_jacBody(p.m, p.d, None, only, p.m.nbody - 1)
    np.testing.assert_array_equal(only, jacr)
    sinew.mj_jacBody(p.m, p.d, None, None, 0)


def test_velocities_and_forces_of_objects_are_mujocos(scrambled):
    p = scrambled
    kinds = (mujoco.mjtObj.mjOBJ_BODY, mujoco.mjtObj.mjOBJ_XBODY)
    for kind in (k.value for k in kinds):
        for body in range(p.m.nbody):
            for local in (0, 1):
                want, got = np.zeros(6), np.zeros(6)
                mujoco.mj_objectVelocity(p.ref_m, p.ref_d, kind, body, want, local)
                sinew.mj_objectVelocity(p.m, p.d, kind, body, got, local)
                np.testing.assert_allclose(got, want, **CLOSE)
    with pytest.raises(sinew.FatalError):
        sinew.mj_objectVelocity(p.m, p.d, 77, 0, np.zeros(6), 0)


def test_states_are_vectors(pair):
    m, d, ref_m, ref_d = pair.m, pair.d, pair.ref_m, pair.ref_d
    scramble(pair)
    for sig in [s.value for s in mujoco.mjtState.__members__.values()]:
        if sig == mujoco.mjtState.mjNSTATE:
            continue
        size = mujoco.mj_stateSize(ref_m, sig)
        assert sinew.mj_stateSize(m, sig) == size
        want, got = np.zeros(size), np.zeros(size)
        mujoco.mj_getState(ref_m, ref_d, want, sig)
        sinew.mj_getState(m, d, got, sig)
        np.testing.assert_array_equal(got, want)
        other = sinew.MjData(m)
        sinew.mj_setState(m, other, got, sig)
        again = np.zeros(size)
        sinew.mj_getState(m, other, again, sig)
        np.testing.assert_array_equal(again, want)
        sinew.mj_copyState(m, d, other, sig)
    with pytest.raises(TypeError):
        sinew.mj_getState(m, d, np.zeros(m.nq + 1), sinew.mjtState.mjSTATE_QPOS)
    with pytest.raises(sinew.FatalError):
        sinew.mj_stateSize(m, 1 << 20)


def test_keyframes_are_stored_and_restored(zoo):
    m, d = zoo.m, zoo.d
    for key in (0, 1, 77, -1):
        sinew.mj_resetDataKeyframe(m, d, key)
        if key != -1:
            mujoco.mj_resetDataKeyframe(zoo.ref_m, zoo.ref_d, key)
        else:
            mujoco.mj_resetData(zoo.ref_m, zoo.ref_d)
        for name in ("time", "qpos", "qvel", "ctrl", "act", "mocap_pos"):
            np.testing.assert_array_equal(getattr(d, name), getattr(zoo.ref_d, name))
    d.qvel[:] = 4
    sinew.mj_setKeyframe(m, d, 1)
    assert (m.key("away").qvel == 4).all()
    with pytest.raises(sinew.FatalError, match="index must be smaller than 2"):
        sinew.mj_setKeyframe(m, d, 2)


def test_data_is_copied_whole(zoo):
    other = sinew.MjData(zoo.m)
    view = other.qpos
    sinew.mj_step(zoo.m, zoo.d, 5)
    sinew.mj_copyData(other, zoo.m, zoo.d)
    np.testing.assert_array_equal(view, zoo.d.qpos)
    assert other.time == zoo.d.time and other.qpos is view


def test_saved_models_are_mujocos(zoo, tmp_path):
    theirs, ours = tmp_path / "theirs.mjb", tmp_path / "ours.mjb"
    mujoco.mj_saveModel(zoo.ref_m, str(theirs))
    sinew.mj_saveModel(zoo.m, str(ours))
    assert theirs.read_bytes() == ours.read_bytes()
    buffer = np.zeros(sinew.mj_sizeModel(zoo.m), np.uint8)
    sinew.mj_saveModel(zoo.m, None, buffer)
    assert buffer.tobytes() == ours.read_bytes() and len(buffer) == mujoco.mj_sizeModel(zoo.ref_m)
    with pytest.raises(sinew.FatalError):
        sinew.mj_saveModel(zoo.m, buffer=np.zeros(10, np.uint8))


def test_constants_follow_the_model(zoo):
    view = zoo.m.body_subtreemass
    for module, m, d in ((mujoco, zoo.ref_m, zoo.ref_d), (sinew, zoo.m, zoo.d)):
        m.body("hand").mass = 3
        module.mj_setConst(m, d)
    np.testing.assert_allclose(view, zoo.ref_m.body_subtreemass, rtol=1e-14)
    np.testing.assert_allclose(zoo.m.dof_invweight0, zoo.ref_m.dof_invweight0, rtol=1e-10)
    sinew.mj_setTotalmass(zoo.m, 10.0)
    assert sinew.mj_getTotalmass(zoo.m) == pytest.approx(10.0, rel=1e-14)


def test_facts_about_objects_are_mujocos(pair):
    for name in ("mj_isSparse", "mj_isDual", "mj_isPyramidal", "mj_getTotalmass"):
        assert getattr(sinew, name)(pair.m) == getattr(mujoco, name)(pair.ref_m)
    assert sinew.mj_version() == mujoco.mj_version()
    assert sinew.mj_versionString() == mujoco.mj_versionString() == sinew.__version__


SIZES = [
    "mj_integratePos(m, Z(30), Z(2), 1)", "mj_integratePos(m, Z(m.nq), Z(2), 1)",
    "mj_differentiatePos(m, Z(2), 1, Z(1), Z(1))", "mj_normalizeQuat(m, Z(3))",
    "mj_fullM(m, Z((2, 2)), d.qM)", "mj_fullM(m, Z((m.nv, m.nv)), d.qM[:3])",
    "mj_jacBody(m, d, Z((3, 2)), None, 1)", "mj_jacBody(m, d, None, Z((3, 2)), 1)",
    "mj_jacSubtreeCom(m, d, Z((3, 2)), 1)", "mj_mulM(m, d, Z(2), d.qvel)",
    "mj_mulM(m, d, Z(m.nv), d.qvel[:2])", "mj_solveM(m, d, Z((1, m.nv)), Z((2, m.nv)))",
    "mj_solveM(m, d, Z((1, 3)), Z((1, m.nv)))", "mj_solveM2(m, d, Z((1, m.nv)), Z((1, m.nv)), Z(3))",
    "mj_rne(m, d, 0, Z(2))", "mj_getState(m, d, Z(3), 2)", "mj_setState(m, d, Z(3), 2)",
    "mj_extractState(m, Z(3), 2, Z(1), 2)", "mj_extractState(m, Z(m.nq), 2, Z(1), 2)",
    "mj_applyFT(m, d, Z(3), Z(3), Z(3), 1, Z(2))", "mju_add(Z(3), Z(2), Z(3))",
    "mju_copy(Z(3), Z(2))", "mju_mulMatVec(Z(2), Z((3, 2)), Z(2))", "mju_dot(Z(3), Z(2))",
    "mju_mulMatMat(Z((2, 3)), Z((2, 2)), Z((3, 3)))", "mju_eye(Z((2, 3)))",
    "mju_cholFactor(Z((2, 3)), 0)", "mju_cholSolve(Z(2), Z((3, 3)), Z(3))",
]  # fmt: skip


@pytest.mark.parametrize("call", SIZES)
def test_wrong_sizes_have_mujocos_text(zoo, call):
    texts = []
    for module, m, d in ((mujoco, zoo.ref_m, zoo.ref_d), (sinew, zoo.m, zoo.d)):
        with pytest.raises(TypeError) as error:
            eval("module." + call, {"module": module, "m": m, "d": d, "Z": np.zeros})
        texts.append(str(error.value))
    assert texts[0] == texts[1]


def test_missing_objects_are_errors(zoo):
    m, d = zoo.m, zoo.d
    for call in (
        lambda: sinew.mj_jacBody(m, d, np.zeros((3, m.nv)), None, 99),
        lambda: sinew.mj_local2Global(d, np.zeros(3), np.zeros(9), np.zeros(3), np.zeros(4), 99, 0),
    ):
        with pytest.raises(ValueError, match="body is 99, must be from 0 to"):
            call()
    for call in (
        lambda: sinew.mju_euler2Quat(np.zeros(4), np.zeros(3), "xy"),
        lambda: sinew.mju_euler2Quat(np.zeros(4), np.zeros(3), "xyw"),
        lambda: sinew.mj_RungeKutta(m, d, 3),
    ):
        with pytest.raises(sinew.FatalError):
            call()
    for bad in ("a", None, 3):
        with pytest.raises(TypeError):
            sinew.mj_step(bad, d)
        with pytest.raises(TypeError):
            sinew.mj_step(m, bad)


def test_reset_needs_time_for_histories():
    xml = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><motor joint="j" delay=".02" nsample="4"/></actuator></mujoco>"""
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(xml)
        d = engine.MjData(m)
        m.opt.timestep = 0
        for reset in (
            lambda: engine.mj_resetData(m, d),
            lambda: engine.mj_resetDataKeyframe(m, d, 0),
            lambda: engine.mj_resetDataDebug(m, d, 1),
            lambda: engine.MjData(m),
        ):
            with pytest.raises(engine.FatalError, match="history buffers require positive timestep, got 0"):
                reset()
