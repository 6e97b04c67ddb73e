"""Exact derivatives of steps beside MuJoCo's differences, and rollouts of many worlds."""

import subprocess
import sys
import threading

import differentiable
import mujoco
import numpy as np
import pytest
from conftest import corpus

import sinew

NAMES = list(differentiable.MODELS)
# largest errors relative to the largest entry of a column: of the differences, not of Sinew
PLAIN, EXTRAPOLATED = 1e-5, 1e-6


def error(found, wanted, floor=1e-3):
    """The largest error relative to the largest entry of its column."""
    scale = np.maximum(np.abs(wanted).max(0, initial=0), floor)
    return (np.abs(found - wanted) / scale).max(initial=0)


def differences(engine, m, d, eps=1e-6):
    n = 2 * m.nv + m.na
    out = [np.zeros(s) for s in ((n, n), (n, m.nu), (m.nsensordata, n), (m.nsensordata, m.nu))]
    engine.mjd_transitionFD(m, d, eps, True, *out)
    return out


def columns(m, d, step, which=None):
    """Columns of A and B of MuJoCo's own steps, by differences that are extrapolated."""
    nv, n = m.nv, 2 * m.nv + m.na
    after = mujoco.MjData(m)

    def make_step(column, by):
        mujoco.mj_copyData(after, m, d)
        if column < nv:
            mujoco.mj_integratePos(m, after.qpos, np.eye(nv)[column], by)
        elif column < 2 * nv:
            after.qvel[column - nv] += by
        elif column < n:
            after.act[column - 2 * nv] += by
        else:
            after.ctrl[column - n] += by
        mujoco.mj_step(m, after)

    make_step(0, 0)
    nominal = after.qpos.copy()

    def moved(column, by):
        make_step(column, by)
        move = np.zeros(nv)
        mujoco.mj_differentiatePos(m, move, 1, nominal, after.qpos)
        return np.concatenate([move, after.qvel, after.act])

    which = range(n + m.nu) if which is None else which
    return np.array([differentiable.extrapolated(lambda by: moved(k, by), step) for k in which]).T


@pytest.mark.parametrize("name", NAMES)
def test_matrices_are_those_of_mujocos_steps(name):
    m, ref = differentiable.load(name), differentiable.load(name, mujoco)
    d, ref_d = sinew.MjData(m), mujoco.MjData(ref)
    state, ctrl = differentiable.inputs(m, seed=3)
    for model, data in ((m, d), (ref, ref_d)):
        differentiable.put(model, data, state, ctrl)
    before = d.qpos.copy()
    found = sinew.transition(m, d)
    assert np.array_equal(d.qpos, before)
    for one, other in zip(found[:4], differences(mujoco, ref, ref_d)):
        assert one.shape == other.shape
        # MuJoCo's differences by activation and control keep the factor of an implicit integrator
        if name != "activations, implicit":
            assert error(one, other) < PLAIN
    wanted = columns(ref, ref_d, differentiable.STEPS[name])
    assert error(np.hstack([found.A, found.B]), wanted) < EXTRAPOLATED
    if "tree" in name:
        assert found.gap == found.acceleration == np.inf
    else:
        assert found.gap > 1e-4 or "limits" not in name


@pytest.mark.parametrize("file", corpus(), ids=lambda f: f.stem)
def test_the_models_of_the_repository_have_derivatives_or_a_reason(file):
    m, ref = sinew.MjModel.from_xml_path(str(file)), mujoco.MjModel.from_xml_path(str(file))
    for model in (m, ref):
        model.opt.tolerance, model.opt.iterations = 0, 200
    d, ref_d = sinew.MjData(m), mujoco.MjData(ref)
    rng = np.random.default_rng(0)
    qvel, ctrl = 0.1 * rng.standard_normal(m.nv), 0.1 * rng.standard_normal(m.nu)
    # away from limits that begin at the initial position
    qpos, along = d.qpos.copy(), 0.01 * rng.standard_normal(m.nv)
    sinew.mj_integratePos(m, qpos, along, 1)
    # activations of muscles have a kink at 0
    act = rng.uniform(0.2, 0.6, m.na)
    for data in (d, ref_d):
        data.qpos, data.qvel, data.ctrl, data.act = qpos, qvel, ctrl, act
    try:
        found = sinew.transition(m, d, sensors=False)
    except NotImplementedError as reason:
        assert str(reason).endswith(": no analytic derivative")
        return
    assert found.C is None and found.D is None
    if found.gap < 1e-4 or found.acceleration < 1e-3:
        return
    found = np.hstack([found.A, found.B])
    if m.opt.integrator == sinew.mjtIntegrator.mjINT_RK4:  # mjd_transitionFD refuses it
        wanted = columns(ref, ref_d, 1e-5)
    else:
        wanted = np.hstack(differences(mujoco, ref, ref_d)[:2])
    for k in range(found.shape[1]):
        if error(found[:, [k]], wanted[:, [k]]) > 100 * PLAIN:
            # kinks, and factors of implicit integrators that MuJoCo keeps
            steps = [columns(ref, ref_d, step, [k]) for step in (1e-3, 1e-5, 1e-7)]
            assert min(error(found[:, [k]], step) for step in steps) < 10 * PLAIN, k


def test_sensors_have_rows():
    text = differentiable.xml("activations").replace(
        "</mujoco>", '<sensor><jointpos joint="elbow"/><jointvel joint="elbow"/></sensor></mujoco>'
    )
    m, ref = (e.MjModel.from_xml_string(text) for e in (sinew, mujoco))
    d, ref_d = sinew.MjData(m), mujoco.MjData(ref)
    found, wanted = sinew.transition(m, d), differences(mujoco, ref, ref_d)
    assert found.C.shape == (2, 2 * m.nv + m.na) and found.D.shape == (2, m.nu)
    assert error(found.C, wanted[2]) < PLAIN and error(found.D, wanted[3]) < PLAIN


def weighted(name, worlds, steps):
    """A model, inputs and weights of its states."""
    m = differentiable.load(name)
    state, ctrl = differentiable.inputs(m, worlds, steps)
    weights = np.random.default_rng(1).standard_normal((*worlds, *steps, state.shape[-1]))
    return m, state, ctrl, weights


@pytest.mark.parametrize("name", NAMES)
def test_states_are_those_of_steps(name):
    m, state, ctrl, _ = weighted(name, (3,), (7,))
    states = sinew.Rollouts(m).run(state, ctrl)
    for world in range(3):
        d = sinew.MjData(m)
        differentiable.put(m, d, state[world], 0)
        for k in range(7):
            d.ctrl = ctrl[world, k]
            sinew.mj_step(m, d)
            assert np.array_equal(states[world, k], np.concatenate([d.qpos, d.qvel, d.act]))


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_those_of_the_states(name):
    m, state, ctrl, weights = weighted(name, (2,), (5,))
    rollouts = sinew.Rollouts(m, nthread=2)
    params = {p: differentiable_value(m, p) for p in differentiable.PARAMETERS}
    found = rollouts.vjp(state, ctrl, weights, params)
    assert list(found.params) == list(params)
    rng, step = np.random.default_rng(2), differentiable.STEPS[name] / 10

    def along(x):
        return rng.standard_normal(x.shape) * (0.1 if x is state else 1.0)

    for which in ("state", "ctrl", *params):
        inputs = {"state": state, "ctrl": ctrl, **params}
        change = along(inputs[which])

        def value(by):
            moved = {**inputs, which: inputs[which] + by * change}
            given = {p: moved[p] for p in params}
            return (weights * rollouts.run(moved["state"], moved["ctrl"], given)).sum()

        gradient = {"state": found.state, "ctrl": found.ctrl, **found.params}[which]
        assert gradient.shape == inputs[which].shape
        wanted = differentiable.extrapolated(value, step)
        assert abs((gradient * change).sum() - wanted) < 1e-6 * (1 + abs(wanted)), which


def differentiable_value(m, name):
    return np.array(m.opt.gravity if name == "opt.gravity" else getattr(m, name))


def test_changes_and_gradients_have_the_same_product():
    m, state, ctrl, weights = weighted("contacts", (2, 3), (6,))
    rollouts = sinew.Rollouts(m)
    rng = np.random.default_rng(4)
    moves = rng.standard_normal(state.shape), rng.standard_normal(ctrl.shape)
    gradient = rollouts.vjp(state, ctrl, weights)
    back = (gradient.state * moves[0]).sum() + (gradient.ctrl * moves[1]).sum()
    forth = (weights * rollouts.jvp(state, ctrl, *moves)).sum()
    assert np.isclose(forth, back, rtol=1e-9)


def test_threads_and_other_worlds_change_no_bit():
    m, state, ctrl, weights = weighted("contacts", (9,), (20,))
    params = {"body_mass": np.linspace(0.9, 1.1, 9)[:, None] * m.body_mass}
    results = []
    for threads in (1, 2, 5):
        rollouts = sinew.Rollouts(m, nthread=threads)
        assert rollouts.nthread == threads
        gradient = rollouts.vjp(state, ctrl, weights, params)
        states = rollouts.run(state, ctrl, params)
        results.append([states, gradient.state, gradient.ctrl, gradient.params["body_mass"]])
    for other in results[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(results[0], other))
    # a world alone
    single = {"body_mass": params["body_mass"][4]}
    gradient = rollouts.vjp(state[4], ctrl[4], weights[4], single)
    assert np.array_equal(gradient.ctrl, results[0][2][4])
    assert np.array_equal(gradient.params["body_mass"], results[0][3][4])
    assert np.array_equal(rollouts.run(state[4], ctrl[4], single), results[0][0][4])


def test_shared_parameters_have_the_sum_of_the_worlds():
    m, state, ctrl, weights = weighted("tree", (3,), (4,))
    rollouts = sinew.Rollouts(m)
    one = rollouts.vjp(state, ctrl, weights, {"body_mass": m.body_mass})
    each = np.tile(m.body_mass, (3, 1))
    own = rollouts.vjp(state, ctrl, weights, {"body_mass": each})
    assert one.params["body_mass"].shape == m.body_mass.shape
    assert own.params["body_mass"].shape == each.shape
    assert np.allclose(one.params["body_mass"], own.params["body_mass"].sum(0), rtol=1e-13)


def test_calls_take_the_model_as_it_is():
    m, state, ctrl, _ = weighted("tree", (2,), (3,))
    rollouts = sinew.Rollouts(m)
    before = rollouts.run(state, ctrl)
    m.opt.gravity[2] = -1.6
    after = rollouts.run(state, ctrl)
    assert not np.array_equal(before, after)
    m.opt.gravity[2] = -9.81
    given = rollouts.run(state, ctrl, {"opt.gravity": [0, 0, -1.6]})
    assert np.array_equal(given, after)
    assert np.array_equal(rollouts.run(state, ctrl), before)


def test_bad_arguments_are_named():
    m, state, ctrl, weights = weighted("tree", (2,), (3,))
    rollouts = sinew.Rollouts(m)
    bad = state.copy()
    bad[1, 2] = np.nan
    cases = [
        (r"state is not finite at \(1, 2\)", bad, ctrl, None),
        (r"state has shape \(2, 21\), wanted \(..., 22\)", state[:, 1:], ctrl, None),
        (r"ctrl has shape \(1, 3, 1\), wanted \(2, steps, 1\)", state, ctrl[:1], None),
        (r"ctrl has shape \(2,\), wanted \(2, steps, 1\)", state, ctrl[:, 0, 0], None),
        (r"ctrl: wanted an array of numbers", state, "text", None),
        (r"ctrl is not finite at \(0, 0, 0\)", state, ctrl * np.inf, None),
        (r"body_mass has shape \(2,\), wanted", state, ctrl, {"body_mass": [1, 2]}),
        (r"body_mass is not finite at \(0,\)", state, ctrl, {"body_mass": m.body_mass * np.nan}),
        (r"params: no gradients by 'body_pos'; there are body_mass", state, ctrl, {"body_pos": 1}),
        (r"state has shape \(0, 22\), wanted at least one", state[:0], ctrl[:0], None),
    ]
    for text, s, c, params in cases:
        with pytest.raises(ValueError, match=text):
            rollouts.run(s, c, params)
    with pytest.raises(ValueError, match=r"by_states has shape \(3, 22\), wanted \(2, 3, 22\)"):
        rollouts.vjp(state, ctrl, weights[0])
    with pytest.raises(ValueError, match=r"change_of_ctrl has shape \(3, 1\), wanted \(2, 3, 1\)"):
        rollouts.jvp(state, ctrl, state, ctrl[0])
    with pytest.raises(TypeError, match="model is a str, wanted an MjModel"):
        sinew.Rollouts("arm.xml")
    with pytest.raises(TypeError, match="model is a str, wanted an MjModel or Rollouts"):
        sinew.Rollouts.of("arm.xml")
    with pytest.raises(ValueError, match="100000 threads"):
        sinew.Rollouts(m, nthread=100000)
    d = sinew.MjData(m)
    d.qvel[0] = np.nan
    with pytest.raises(ValueError, match=r"qvel\[0\] is not finite"):
        sinew.transition(m, d)


def test_states_that_go_bad_name_their_world():
    m, state, ctrl, _ = weighted("tree", (3,), (4,))
    state[1, m.nq] = 1e11
    with pytest.raises(ValueError, match=r"world 1: qvel\[0\] is not finite or too large"):
        sinew.Rollouts(m).run(state, ctrl)


def test_parts_without_derivative_are_named():
    text = '<mujoco><option><flag sleep="enable"/></option></mujoco>'
    m = sinew.MjModel.from_xml_string(text)
    for call in (
        lambda: sinew.transition(m, sinew.MjData(m)),
        lambda: sinew.Rollouts(m).run(np.zeros((1, 0)), np.zeros((1, 2, 0))),
    ):
        with pytest.raises(NotImplementedError, match="option sleep: no analytic derivative"):
            call()
    m, state, ctrl, _ = weighted("tree", (1,), (1,))
    sinew.set_mjcb_control(lambda m, d: None)
    try:
        for call in (
            lambda: sinew.transition(m, sinew.MjData(m)),
            lambda: sinew.Rollouts(m).run(state, ctrl),
        ):
            with pytest.raises(NotImplementedError, match="mjcb_control: no analytic derivative"):
                call()
    finally:
        sinew.set_mjcb_control(None)


def test_other_threads_run_meanwhile():
    m, state, ctrl, weights = weighted("contacts", (4,), (300,))
    rollouts = sinew.Rollouts(m, nthread=1)
    running, counts = threading.Event(), []

    def count():
        k = 0
        while not running.is_set():
            k += 1
        counts.append(k)

    thread = threading.Thread(target=count)
    thread.start()
    rollouts.vjp(state, ctrl, weights)
    running.set()
    thread.join()
    assert counts[0] > 1000


def test_rollouts_of_a_model_share_their_threads():
    m = differentiable.load("tree")
    first, second = sinew.Rollouts.of(m), sinew.Rollouts.of(m)
    assert first._engine is second._engine and first.model is m
    assert sinew.Rollouts.of(first) is first
    assert repr(first).startswith("<sinew.Rollouts: states of 22 numbers")


@pytest.mark.parametrize("name, package", [("torch", "PyTorch"), ("jax", "JAX")])
def test_missing_packages_are_named(name, package):
    text = f"import sys; sys.modules['{name}'] = None; import sinew.{name}"
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert f"sinew.{name} needs {package}: pip install {name}" in result.stderr
