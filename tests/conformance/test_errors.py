"""Broken models: rejected, and the message names the culprit that MuJoCo's names.

The first line of each file is a comment with the words both messages must contain.
"""
import re
from pathlib import Path

import mujoco
import pytest

FILES = sorted((Path(__file__).parent / "errors").glob("*.xml"))


def message(engine, path, **options):
    with pytest.raises(ValueError) as caught:
        engine.MjModel.from_xml_path(str(path), **options)
    return str(caught.value)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_broken_models_are_rejected_with_their_culprit(path, engine):
    culprit = re.match(r"<!-- culprit: (.*) -->", path.read_text()).group(1)
    assert culprit in message(mujoco, path)
    # strict mode rejects Sinew's extensions
    options = {"strict": True} if engine.__name__ != "mujoco" else {}
    ours = message(engine, path, **options)
    assert culprit in ours
    assert re.search(r"\.xml:\d+:\d+", ours) or engine.__name__ == "mujoco", f"no place in:\n{ours}"
