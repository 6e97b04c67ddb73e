"""Loading models from XML, with assets, options, errors and warnings."""

import copy
import pathlib
import pickle
import warnings

import mujoco
import numpy as np
import pytest

import sinew
from conftest import ZOO, corpus

PART = "<mujoco><worldbody><body name='part'><joint/><geom size='.1'/></body></worldbody></mujoco>"
INCLUDING = "<mujoco><include file='part.xml'/></mujoco>"
MESHED = """
<mujoco>
  <asset><mesh name="tet" file="tet.obj"/></asset>
  <worldbody><geom type="mesh" mesh="tet"/></worldbody>
</mujoco>
"""
TET = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def test_texts_are_loaded():
    m = sinew.MjModel.from_xml_string(ZOO)
    ref = mujoco.MjModel.from_xml_string(ZOO)
    assert m.names == ref.names and m.nq == ref.nq
    np.testing.assert_allclose(m.body_mass, ref.body_mass, rtol=1e-12)
    d = sinew.MjData(m)
    sinew.mj_step(m, d)
    assert np.isfinite(d.qpos).all()


@pytest.mark.parametrize("file", corpus(), ids=lambda f: f.stem)
def test_files_are_loaded(file):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        m = sinew.MjModel.from_xml_path(file)
    ref = mujoco.MjModel.from_xml_path(str(file))
    # the conformance suite compares the contents
    assert (m.nq, m.nv, m.nu) == (ref.nq, ref.nv, ref.nu)


def test_assets_come_before_files():
    for module in (mujoco, sinew):
        load = module.MjModel
        assert load.from_xml_string(INCLUDING, {"part.xml": PART.encode()}).nbody == 2
        assert load.from_xml_string(MESHED, {"tet.obj": TET.encode()}).nmeshvert == 4
        assert load.from_xml_path("whole.xml", {"whole.xml": PART.encode()}).nbody == 2
        assert load.from_xml_string(xml=PART, assets=None).nbody == 2


def test_paths_are_relative_to_the_file(tmp_path):
    (tmp_path / "part.xml").write_text(PART)
    (tmp_path / "whole.xml").write_text(INCLUDING)
    for path in (tmp_path / "whole.xml", str(tmp_path / "whole.xml")):
        assert sinew.MjModel.from_xml_path(filename=path).body("part").id == 1


@pytest.mark.parametrize("xml, culprit", [
    ("", ""),
    ("<mujoco", ""),
    ("<robots/>", "robots"),
    ("<mujoco><worldbody><geom size='.1' colour='1'/></worldbody></mujoco>", "colour"),
    ("<mujoco><worldbody><geom size='.1' material='gold'/></worldbody></mujoco>", "gold"),
    ("<mujoco><worldbody><body><joint/></body></worldbody></mujoco>", "mass"),
    ("<mujoco><include file='nowhere.xml'/></mujoco>", "nowhere.xml"),
])  # fmt: skip
def test_errors_have_mujocos_text(xml, culprit):
    for module in (mujoco, sinew):
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(xml)
        assert culprit in str(error.value)


def test_missing_files_are_named():
    for load in (sinew.MjModel.from_xml_path, sinew.MjModel.from_binary_path):
        with pytest.raises(ValueError, match="nowhere"):
            load("/nowhere/to/be/found")
    with pytest.raises(TypeError):
        sinew.MjModel.from_xml_string(PART, nonsense=True)
    with pytest.raises(TypeError):
        sinew.MjModel.from_xml_string(3)
    with pytest.raises(TypeError):
        sinew.MjModel()
    with pytest.raises(TypeError):
        sinew.MjData()
    with pytest.raises(TypeError):
        sinew.MjData(None)


def test_broken_binaries_are_refused(tmp_path, zoo):
    good = zoo.m._binary()
    for i, bad in enumerate((b"", good[:100], good[:-1], good + b"x", b"\xff" * len(good))):
        path = tmp_path / f"{i}.mjb"
        path.write_bytes(bad)
        with pytest.raises(ValueError):
            sinew.MjModel.from_binary_path(path)
    assert sinew.MjModel.from_binary_path("a", {"a": good}).nq == zoo.m.nq


EXTENSION = """
<mujoco>
  <worldbody><body><joint class="nope"/><geom size=".1"/></body></worldbody>
</mujoco>
"""


def test_extensions_warn_or_fail():
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(EXTENSION)
    with pytest.warns(sinew.LoadWarning, match="nope") as record:
        m = sinew.MjModel.from_xml_string(EXTENSION)
    assert len(m.load_warnings) == 1 and "nope" in m.load_warnings[0]
    assert pathlib.Path(record[0].filename) == pathlib.Path(__file__)
    with pytest.raises(ValueError, match="nope"):
        sinew.MjModel.from_xml_string(EXTENSION, strict=True)


def test_saved_xml_loads_again(tmp_path):
    m = sinew.MjModel.from_xml_string(ZOO)
    path = tmp_path / "saved.xml"
    for model in (m, copy.deepcopy(m)):
        sinew.mj_saveLastXML(path, model)
        again = sinew.MjModel.from_xml_path(path)
        assert again.names == m.names
        np.testing.assert_allclose(again.body_mass, m.body_mass, rtol=1e-12)
        np.testing.assert_allclose(again.geom_pos, m.geom_pos, atol=1e-12)
    with pytest.raises(sinew.FatalError):
        sinew.mj_saveLastXML(path, pickle.loads(pickle.dumps(m)))
    with pytest.raises(OSError):
        sinew.mj_saveLastXML("/nowhere/to/be/found.xml", m)


def test_errors_have_places(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text(
        "<mujoco>\n  <worldbody>\n    <geom size='.1' colour='1'/>\n  </worldbody>\n</mujoco>"
    )
    with pytest.raises(ValueError, match=r"bad\.xml:3:"):
        sinew.MjModel.from_xml_path(path)


def test_errors_say_the_line_in_words():
    xml = "<mujoco>\n<worldbody/>\n<actuator>\n<motor joint='none'/>\n</actuator>\n</mujoco>"
    for read in (sinew.MjModel.from_xml_string, lambda x: sinew.MjSpec.from_string(x.replace("joint=", "j="))):
        with pytest.raises(ValueError, match=r"\bline 4\b"):
            read(xml)
