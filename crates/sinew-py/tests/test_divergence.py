"""A simulation with a bad state issues a warning with the cause."""

import warnings

import pytest
import sinew

WILD = """<mujoco><worldbody><body name="upper"><joint name="shoulder" axis="0 1 0"/>
  <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body></worldbody>
  <actuator><position name="servo" joint="shoulder" kp="1e6"/></actuator></mujoco>"""


def run(m, steps):
    d = sinew.MjData(m)
    d.ctrl[0] = 0.1
    for _ in range(steps):
        sinew.mj_step(m, d)
    return d


def test_the_warning_names_step_joint_cause_and_value():
    m = sinew.MjModel.from_xml_string(WILD)
    with pytest.warns(sinew.DivergenceWarning) as caught:
        run(m, 200)
    assert len(caught) == 1
    text = str(caught[0].message)
    assert text.startswith("diverged at step ")
    for words in ("joint 'shoulder' of body 'upper'", "actuator 'servo': its stiffness", "holds  with kp="):
        assert words in text, text


def test_the_remedy_of_the_warning_holds():
    m = sinew.MjModel.from_xml_string(WILD)
    [found] = [f for f in sinew.check(m) if f["cause"] == "gain"]
    assert found["weight"] == "warning" and "servo" in found["text"]
    for edit in found["remedies"][0]["edits"]:
        exec("m." + edit)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        d = run(m, 2000)
    assert not caught
    assert abs(d.qpos[0]) < 3 and not [f for f in sinew.check(m) if f["weight"] == "warning"]


def test_a_step_does_not_fail_where_warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        d = run(sinew.MjModel.from_xml_string(WILD), 200)
    assert d.warning[sinew.mjtWarning.mjWARN_BADQACC].number


def test_an_ignored_warning_is_not_computed():
    m = sinew.MjModel.from_xml_string(WILD)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning)
        d = run(m, 200)
    assert not caught and d.warning[sinew.mjtWarning.mjWARN_BADQACC].number


def test_several_steps_at_once_and_many_divergences_warn_once():
    m = sinew.MjModel.from_xml_string(WILD)
    d = sinew.MjData(m)
    d.ctrl[0] = 0.1
    with pytest.warns(sinew.DivergenceWarning) as caught:
        for _ in range(20):
            sinew.mj_step(m, d, nstep=50)
            d.ctrl[0] = 0.1
    assert len(caught) == 1


def test_changes_between_steps_are_reported_as_missing():
    m = sinew.MjModel.from_xml_string(WILD.replace("1e6", "10"))
    d = sinew.MjData(m)
    with pytest.warns(sinew.DivergenceWarning, match="without what was changed"):
        for i in range(5):
            d.qvel[0] = float("nan") if i == 3 else 0
            sinew.mj_step(m, d)


def test_a_flex_that_will_diverge_warns_when_it_is_loaded():
    def load(young):
        return sinew.MjModel.from_xml_string(
            f"""<mujoco><worldbody><flexcomp name="sheet" type="grid" count="4 4 1" dim="2" mass=".01"
            spacing=".05 .05 .05" radius=".005"><elasticity young="{young}" poisson=".2" thickness=".005"
            elastic2d="stretch"/></flexcomp></worldbody></mujoco>"""
        )

    with pytest.warns(sinew.LoadWarning, match="flex 'sheet': its stiffness makes it oscillate"):
        m = load(3e5)
    assert any("it holds with timestep=" in text for text in m.load_warnings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not load(1e3).load_warnings
