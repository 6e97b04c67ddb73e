"""The example of a throw that is optimised through contact."""

import importlib.util
import pathlib

import numpy as np

import sinew

PATH = pathlib.Path(__file__).parents[1] / "examples" / "throw.py"
spec = importlib.util.spec_from_file_location("throw", PATH)
throw = importlib.util.module_from_spec(spec)
spec.loader.exec_module(throw)


def test_the_ball_flies_through_the_target():
    m = sinew.MjModel.from_xml_string(throw.XML)
    target = np.array([2.5, 1.2])
    ctrl, states, apart = throw.optimise(m, target)
    assert all(after < before for before, after in zip(apart, apart[1:]))
    assert apart[0] > 0.1 and apart[-1] < 1e-3
    # steps of the engine with these torques, in which the ball leaves the tray
    d, touches, ball = sinew.MjData(m), [], m.ngeom - 1
    for u in ctrl:
        d.ctrl = u
        sinew.mj_step(m, d)
        touches.append(any(ball in contact.geom for contact in d.contact))
    assert np.abs(d.qpos[1:3] + throw.START - target).max() < 1e-3
    assert any(touches[:40]) and not any(touches[-20:])
