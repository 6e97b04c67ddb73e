"""Parameters of an arm from a recorded trajectory."""

import differentiable
import numpy as np
import pytest

import sinew
import sinew.fit

ARM = (
    differentiable.xml("limits").replace("0.05", "0").replace('range="-1 -.01" limited="true"', "")
)
PARAMS = ["body_mass:2", "dof_damping:elbow", "actuator_gainprm:1:0", "opt.gravity:2"]


def recording(m, steps=300):
    """States and controls of an arm that moves all the time."""
    rng = np.random.default_rng(0)
    time = m.opt.timestep * np.arange(steps)
    phases = rng.uniform(0, 6, (3, m.nu))
    ctrl = sum(np.sin((3 + 5 * k) * time[:, None] + phase) for k, phase in enumerate(phases))
    start = np.zeros(m.nq + m.nv + m.na)
    states = np.vstack([start, sinew.Rollouts(m).run(start, ctrl)])
    return states, ctrl


def changed(m):
    """The arm with other parameters than those of its file."""
    m.body_mass[2] *= 1.3
    m.dof_damping[1] *= 0.6
    m.actuator_gainprm[1, 0] *= 1.2
    m.opt.gravity[2] *= 0.98
    wanted = [m.body_mass[2], m.dof_damping[1], m.actuator_gainprm[1, 0], m.opt.gravity[2]]
    return np.array(wanted)


def arm():
    return sinew.MjModel.from_xml_string(ARM)


def test_parameters_are_found_exactly_without_noise():
    true = arm()
    wanted = changed(true)
    state, ctrl = recording(true)
    result = sinew.fit.fit(arm(), state, ctrl, PARAMS)
    assert result.converged and np.allclose(result.values, wanted, rtol=1e-6)
    assert np.allclose(sinew.Rollouts(result.model).run(state[0], ctrl), state[1:], atol=1e-6)


def test_deviations_are_those_of_the_noise():
    true = arm()
    wanted = changed(true)
    apart = []
    for seed in range(3):
        state, ctrl = recording(true)
        rng = np.random.default_rng(seed)
        state = state + 1e-3 * rng.standard_normal(state.shape)
        result = sinew.fit.fit(arm(), state, ctrl, PARAMS, steps=25)
        apart.append((result.values - wanted) / result.deviations)
        assert (result.deviations / np.abs(wanted) < 0.1).all()
    # of 12 numbers, about a normal distribution
    assert 0.4 < np.sqrt(np.mean(np.square(apart))) < 2.0
    assert "±" in str(result) and "body_mass:2" in str(result)


def test_the_program_prints_values(tmp_path, capsys):
    true = arm()
    wanted = changed(true)
    state, ctrl = recording(true)
    qpos, qvel = state[:, : true.nq], state[:, true.nq :]
    np.savez(tmp_path / "recording.npz", qpos=qpos, qvel=qvel, ctrl=ctrl)
    (tmp_path / "arm.xml").write_text(ARM)
    files = [str(tmp_path / "recording.npz"), str(tmp_path / "arm.xml")]
    sinew.fit.main([*files, "--params", *PARAMS, "--out", str(tmp_path / "out.npz")])
    assert "dof_damping:elbow" in capsys.readouterr().out
    assert np.allclose(np.load(tmp_path / "out.npz")["values"], wanted, rtol=1e-6)
    with pytest.raises(SystemExit, match="there is no body 'hand'"):
        sinew.fit.main([*files, "--params", "body_mass:hand"])


def test_bad_names_are_errors():
    m = arm()
    state, ctrl = recording(m, 20)
    for name, text in [
        ("body_pos:1", "no gradients by 'body_pos'"),
        ("body_mass", "names 3 numbers, wanted one"),
        ("body_mass:9", "is no entry of body_mass"),
        ("dof_damping:wrist", "there is no dof 'wrist'"),
    ]:
        with pytest.raises(ValueError, match=text):
            sinew.fit.fit(m, state, ctrl, [name])
    with pytest.raises(ValueError, match="params: wanted at least one"):
        sinew.fit.fit(m, state, ctrl, [])
    with pytest.raises(ValueError, match="ctrl has 20 steps, wanted at least 30"):
        sinew.fit.fit(m, state, ctrl, ["body_mass:1"], steps=30)
    with pytest.raises(ValueError, match="state has shape"):
        sinew.fit.fit(m, state[1:], ctrl, ["body_mass:1"])
