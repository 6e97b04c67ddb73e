"""XML with all digits, as `sinew convert` writes it, loads back to the same model, in both engines.

`mj_saveLastXML` has MuJoCo's six digits; its text is compared in the tests of the Python package.
"""
import re

import mujoco

import compare


# instances of attached models are numbered in the order of attachment, which a saved file cannot
# express. MuJoCo cannot read its own file of that model.
NUMBERS_OF_PLUGINS = """actuator_plugin body_plugin sensor_plugin plugin plugin_attr plugin_attradr name_pluginadr
names names_map""".split()


def test_saved_model_is_the_same(pair, engine, tmp_path):
    got = pair.load(engine)
    assert got is not None, f"does not load:\n{pair.error}"
    saved = beside_links(pair.path, tmp_path) / "saved-by-us.xml"
    engine._sinew.save_as_written(str(saved), got)
    for loader in (engine, mujoco):
        again = loader.MjModel.from_xml_path(str(saved))
        found = compare.model_differences(pair.want, again)
        if pair.path.name == "plugin_attach.xml":
            found = {name: how for name, how in found.items() if name not in NUMBERS_OF_PLUGINS}
        assert not found, f"in {loader.__name__}:\n" + "\n".join(f"{name} {how}" for name, how in sorted(found.items()))


def beside_links(model, folder):
    """A folder with links to the files that the model refers to."""
    climbs = re.findall(r"(?:\.\./)+", model.read_text(errors="replace"))
    levels = max((len(climb) // 3 for climb in climbs), default=0)
    chain = [model.parents[k] for k in range(levels, -1, -1)]
    for parent, child in zip(chain, chain[1:] + [None]):
        for entry in parent.iterdir():
            if entry != child:
                (folder / entry.name).symlink_to(entry)
        if child is not None:
            folder = folder / child.name
            folder.mkdir()
    return folder
