"""Steps and rollouts for JAX: gradients under `jit`, `grad` and `vmap`."""

import differentiable
import numpy as np
import pytest

import sinew

jax = pytest.importorskip("jax")
jnp = jax.numpy

import sinew.jax  # noqa: E402

NAMES = list(differentiable.MODELS)


@pytest.fixture(autouse=True)
def double():
    with jax.enable_x64(True):
        yield


def value(m, name, weights):
    """A number that depends on a rollout."""

    def of(state, ctrl, params):
        return (weights * sinew.jax.rollout(m, state, ctrl, params)).sum()

    return of


def setting(name, worlds=(), steps=(4,)):
    m = differentiable.load(name)
    state, ctrl = differentiable.inputs(m, worlds, steps, seed=5)
    weights = np.random.default_rng(1).standard_normal((*worlds, *steps, state.shape[-1]))
    return m, state, ctrl, weights


@pytest.mark.parametrize("name", NAMES)
def test_gradients_are_those_of_differences(name):
    m, state, ctrl, weights = setting(name)
    params = {"body_mass": np.array(m.body_mass), "opt.gravity": np.array(m.opt.gravity)}
    of = value(m, name, weights)
    found = jax.jit(jax.grad(of, argnums=(0, 1, 2)))(state, ctrl, params)
    rng = np.random.default_rng(3)
    change = jax.tree.map(lambda x: 0.1 * rng.standard_normal(x.shape), (state, ctrl, params))

    def along(by):
        return float(
            of(*jax.tree.map(lambda x, move: x + by * move, (state, ctrl, params), change))
        )

    wanted = differentiable.extrapolated(along, differentiable.STEPS[name] / 4)
    products = jax.tree.map(lambda x, move: (x * move).sum(), found, change)
    assert np.isclose(sum(jax.tree.leaves(products)), wanted, rtol=1e-6)


def test_steps_make_rollouts():
    m, state, ctrl, _ = setting("contacts", (3,))
    states = sinew.jax.rollout(m, state, ctrl)
    assert np.array_equal(states, sinew.Rollouts(m).run(state, ctrl))
    after = sinew.jax.step(m, state, ctrl[:, 0])
    assert after.shape == state.shape and np.array_equal(after, states[:, 0])


def test_vmap_gives_the_numbers_of_worlds():
    m, state, ctrl, weights = setting("contacts", (3, 2))
    mass = np.linspace(0.9, 1.1, 3)[:, None] * m.body_mass

    def of(state, ctrl, mass, weights):
        return (weights * sinew.jax.rollout(m, state, ctrl, {"body_mass": mass})).sum()

    gradients = jax.jit(jax.vmap(jax.grad(of, argnums=(0, 1, 2))))(state, ctrl, mass, weights)
    for k in range(3):
        wanted = sinew.Rollouts(m).vjp(state[k], ctrl[k], weights[k], {"body_mass": mass[k]})
        assert np.allclose(gradients[0][k], wanted.state, rtol=1e-12, atol=1e-12)
        assert np.allclose(gradients[1][k], wanted.ctrl, rtol=1e-12, atol=1e-12)
        assert np.allclose(gradients[2][k], wanted.params["body_mass"], rtol=1e-12)
    # controls alone
    several = jax.vmap(lambda ctrl: sinew.jax.rollout(m, state[0, 0], ctrl))(ctrl[:, 0])
    assert np.array_equal(several[1], sinew.Rollouts(m).run(state[0, 0], ctrl[1, 0]))


def test_single_precision_is_the_default():
    m, state, ctrl, _ = setting("tree", (2,))
    with jax.enable_x64(False):
        state, ctrl = jnp.asarray(state), jnp.asarray(ctrl)
        found, back = jax.vjp(lambda s, c: sinew.jax.rollout(m, s, c), state, ctrl)
        assert found.dtype == jnp.float32
        by_state, by_ctrl = back(jnp.ones_like(found))
        assert by_state.dtype == by_ctrl.dtype == jnp.float32
    wanted = sinew.Rollouts(m).vjp(state, ctrl, np.ones(found.shape))
    assert np.allclose(by_ctrl, wanted.ctrl, rtol=1e-6)


def test_errors_name_the_argument():
    m, state, ctrl, _ = setting("tree", (2,))
    with pytest.raises(Exception, match=r"state is not finite at \(1, 0\)"):
        sinew.jax.step(m, np.where(np.arange(2)[:, None] > 0, np.nan, state), ctrl[:, 0])
    with pytest.raises(ValueError, match="no gradients by 'body_pos'"):
        sinew.jax.step(m, state, ctrl[:, 0], {"body_pos": 1.0})
