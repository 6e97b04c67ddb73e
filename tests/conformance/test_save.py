"""Saved XML loads back to the same model, in both engines."""
import mujoco
import pytest

import compare


def test_saved_model_is_the_same(pair, engine, tmp_path):
    if pair.later:
        pytest.skip(f"uses {', '.join(pair.later)}")
    got = pair.load(engine)
    assert got is not None, f"does not load:\n{pair.error}"
    # beside links to the files the model names
    for entry in pair.path.parent.iterdir():
        (tmp_path / entry.name).symlink_to(entry)
    saved = tmp_path / "saved-by-us.xml"
    engine.mj_saveLastXML(str(saved), got)
    for loader in (engine, mujoco):
        again = loader.MjModel.from_xml_path(str(saved))
        found = compare.model_differences(pair.want, again)
        assert not found, f"in {loader.__name__}:\n" + "\n".join(f"{name} {how}" for name, how in sorted(found.items()))
