"""The example of model-predictive control: a humanoid balances."""

import importlib.util
import pathlib

PATH = pathlib.Path(__file__).parents[1] / "examples" / "balance.py"
spec = importlib.util.spec_from_file_location("balance", PATH)
balance = importlib.util.module_from_spec(spec)
spec.loader.exec_module(balance)


def test_a_push_does_not_make_the_humanoid_fall():
    heights, times = balance.balance(1.2, 200.0)
    assert heights.min() > 0.94 and heights.max() < 0.98
    assert len(times) == 40
