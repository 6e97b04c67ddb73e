"""Small things that no model of the other tests has."""
import mujoco
import numpy as np
import pytest

import compare

BALL_ON_PLANE = """<mujoco><option {}</option><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def both(engine, text):
    """A model in both engines, with a state of each."""
    models = [e.MjModel.from_xml_string(text) for e in (mujoco, engine)]
    return models, [e.MjData(m) for e, m in zip((mujoco, engine), models)]


def test_singular_inertia(engine):
    (want, got), _ = both(engine, """<mujoco><worldbody><body><joint/><joint/><geom size=".1"/></body>
        </worldbody></mujoco>""")
    assert np.isnan(want.dof_invweight0).all()
    assert not compare.model_differences(want, got)


@pytest.mark.parametrize("step", ["mj_step", "mj_step2"])
def test_inverse_of_runge_kutta(engine, step):
    text = BALL_ON_PLANE.format('integrator="RK4"><flag invdiscrete="enable" fwdinv="enable"/>')
    for e, m, d in zip((mujoco, engine), *both(engine, text)):
        e.mj_step1(m, d)
        with pytest.raises(e.FatalError, match="discrete inverse dynamics is not supported by RK4 integrator"):
            getattr(e, step)(m, d)
        assert d.time == 0 and d.ncon == 1
        # nothing to compare, nothing to refuse
        d.qpos[2] = 1
        e.mj_step(m, d)
        assert d.time == m.opt.timestep


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("noslip", [0, 2])
def test_sizes_of_row_inertia(engine, jacobian, solver, noslip):
    text = BALL_ON_PLANE.format(f'jacobian="{jacobian}" solver="{solver}" noslip_iterations="{noslip}">')
    models, (d, mine) = both(engine, text.replace("<freejoint/>", '<joint/><joint type="slide"/>'))
    for e, m, x in zip((mujoco, engine), models, (d, mine)):
        e.mj_forward(m, x)
    assert d.nefc and d.nA == mine.nA
    for name in "efc_AR_rownnz efc_AR_rowadr efc_AR_colind efc_AR".split():
        assert getattr(d, name).shape == getattr(mine, name).shape, name


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_sign_of_zero_in_tendons(engine, jacobian):
    models, (d, mine) = both(engine, f"""<mujoco><option jacobian="{jacobian}"/><worldbody>
        <body><joint name="a"/><joint name="b" axis="1 0 0"/><geom size=".1"/></body></worldbody>
        <tendon><fixed><joint joint="a" coef="-0"/><joint joint="b" coef="2"/></fixed></tendon></mujoco>""")
    for e, m, x in zip((mujoco, engine), models, (d, mine)):
        e.mj_tendon(m, e.mj_kinematics(m, x) or x)
    assert d.ten_J.tobytes() == mine.ten_J.tobytes()
