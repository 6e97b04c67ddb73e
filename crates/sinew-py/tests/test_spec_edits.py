"""Random edits give the same model in MuJoCo and in Sinew: elements, compiled fields, XML."""

import mujoco
import pytest
import spec_compare
from spec_edits import Editor

import sinew


def same_errors(theirs, ours):
    """Both refuse the model; of several errors they may report another first."""
    assert bool(ours.errors) == bool(theirs.errors), (theirs.errors, ours.errors)


@pytest.mark.parametrize("seed", range(60))
def test_random_edits_give_the_same_model(seed):
    theirs, ours = Editor(mujoco, seed).run(25), Editor(sinew, seed).run(25)
    same_errors(theirs, ours)
    if theirs.errors:
        return
    assert spec_compare.spec_differences(theirs.spec, ours.spec) == []
    a, b = theirs.try_compile(theirs.spec), ours.try_compile(ours.spec)
    same_errors(theirs, ours)
    if a is None:
        return
    assert spec_compare.model_differences(a, b) == []
    assert spec_compare.text(ours.spec.to_xml()) == spec_compare.text(theirs.spec.to_xml())
