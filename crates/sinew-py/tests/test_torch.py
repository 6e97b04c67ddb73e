"""Steps and rollouts for PyTorch: `torch.autograd.gradcheck` and batches."""

import differentiable
import numpy as np
import pytest

import sinew

torch = pytest.importorskip("torch")

import sinew.torch  # noqa: E402

NAMES = list(differentiable.MODELS)


def setting(name, worlds=(), steps=()):
    """A model, and leaves that want gradients."""
    m = differentiable.load(name)
    state, ctrl = differentiable.inputs(m, worlds, steps)
    params = {"body_mass": np.array(m.body_mass), "dof_damping": np.array(m.dof_damping)}
    leaves = [torch.tensor(x, requires_grad=True) for x in (state, ctrl, *params.values())]
    return m, leaves[0], leaves[1], dict(zip(params, leaves[2:]))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("worlds", [(), (2,)])
def test_gradcheck_passes(name, worlds):
    m, state, ctrl, params = setting(name, worlds)

    def after(state, ctrl, *values):
        return sinew.torch.step(m, state, ctrl, dict(zip(params, values)))

    step = differentiable.STEPS[name] / 20
    assert torch.autograd.gradcheck(after, (state, ctrl, *params.values()), eps=step, atol=1e-5)


@pytest.mark.parametrize("name", ["tree", "contacts"])
def test_gradcheck_passes_in_forward_mode(name):
    m, state, ctrl, _ = setting(name, (), (3,))
    of = lambda state, ctrl: sinew.torch.rollout(m, state, ctrl)
    step = differentiable.STEPS[name] / 20
    assert torch.autograd.gradcheck(of, (state, ctrl), eps=step, atol=1e-5, check_forward_ad=True)


def test_rollouts_are_chains_of_steps():
    m, state, ctrl, params = setting("contacts", (3,), (6,))
    states = sinew.torch.rollout(m, state, ctrl, params)
    plain = {name: x.detach() for name, x in params.items()}
    wanted = sinew.Rollouts(m).run(state.detach(), ctrl.detach(), plain)
    assert np.array_equal(states.detach(), wanted)
    weights = torch.from_numpy(np.random.default_rng(1).standard_normal(states.shape))
    leaves = (state, ctrl, *params.values())
    whole = torch.autograd.grad((weights * states).sum(), leaves)
    now, total = state, 0
    for k in range(6):
        now = sinew.torch.step(m, now, ctrl[:, k], params)
        total = total + (weights[:, k] * now).sum()
    # a step begins without the warm start of the one before
    for a, b in zip(whole, torch.autograd.grad(total, leaves)):
        assert torch.allclose(a, b, rtol=1e-7, atol=1e-9)


def test_types_and_shared_parameters():
    m, state, ctrl, params = setting("tree", (4,), (3,))
    single = state.detach().float().requires_grad_()
    states = sinew.torch.rollout(m, single, ctrl, {"body_mass": params["body_mass"]})
    assert states.dtype == torch.float32 and states.shape == (4, 3, m.nq + m.nv + m.na)
    states.sum().backward()
    assert single.grad.dtype == torch.float32 and ctrl.grad.dtype == torch.float64
    assert params["body_mass"].grad.shape == (m.nbody,)
    rollouts = sinew.Rollouts(m, nthread=1)
    assert torch.equal(sinew.torch.rollout(rollouts, single, ctrl), states.detach())


def test_a_descent_finds_a_control():
    m, state, _, _ = setting("limits")
    goal = sinew.Rollouts(m).run(state.detach(), np.full((20, m.nu), 0.4))[-1]
    ctrl = torch.zeros(20, m.nu, dtype=torch.float64, requires_grad=True)
    losses = []
    optimizer = torch.optim.LBFGS([ctrl], max_iter=50, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        last = sinew.torch.rollout(m, state.detach(), ctrl)[-1]
        loss = (last - torch.from_numpy(goal)).square().sum()
        loss.backward()
        losses.append(loss.item())
        return loss

    optimizer.step(closure)
    assert losses[-1] < 1e-6 * losses[0]


def test_errors_are_python_exceptions():
    m, state, ctrl, _ = setting("tree", (2,), (3,))
    with pytest.raises(ValueError, match="ctrl has shape"):
        sinew.torch.rollout(m, state, ctrl[:1])
    with pytest.raises(ValueError, match="no gradients by 'body_pos'"):
        sinew.torch.rollout(m, state, ctrl, {"body_pos": state})
    m.opt.enableflags |= sinew.mjtEnableBit.mjENBL_SLEEP
    with pytest.raises(NotImplementedError, match="option sleep: no analytic derivative"):
        sinew.torch.rollout(m, state, ctrl)
