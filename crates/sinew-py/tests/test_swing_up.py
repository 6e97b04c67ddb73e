"""The example of trajectory optimisation: a cart swings its pole up."""

import importlib.util
import pathlib

import numpy as np

import sinew

PATH = pathlib.Path(__file__).parents[1] / "examples" / "swing_up.py"
spec = importlib.util.spec_from_file_location("swing_up", PATH)
swing_up = importlib.util.module_from_spec(spec)
spec.loader.exec_module(swing_up)


def test_the_pole_stands_at_the_end():
    m = sinew.MjModel.from_xml_string(swing_up.XML)
    states, ctrl, costs = swing_up.optimise(m, steps=150, iterations=60)
    assert all(after < before for before, after in zip(costs, costs[1:]))
    assert np.abs(states[-1] - swing_up.GOAL)[:2].max() < 0.05
    again, _ = swing_up.simulate(m, sinew.MjData(m), ctrl)
    assert np.array_equal(again, states)
