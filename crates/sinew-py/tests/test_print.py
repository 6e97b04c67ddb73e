"""Models and states as text."""

import pathlib

import mujoco
import numpy as np

import sinew

MODELS = pathlib.Path(__file__).parents[3] / "models"


def numbers(path, head):
    """The rows of numbers below a heading."""
    lines = path.read_text().splitlines()
    rows = lines[lines.index(head) + 1 :]
    return [[float(x) for x in row.split()] for row in rows[: rows.index("")]]


def test_data_is_printed_as_in_mujoco(zoo, tmp_path):
    sinew.mj_forward(zoo.m, zoo.d)
    mujoco.mj_forward(zoo.ref_m, zoo.ref_d)
    sinew.mj_printFormattedData(zoo.m, zoo.d, str(tmp_path / "ours"), "%.9e")
    mujoco.mj_printFormattedData(zoo.ref_m, zoo.ref_d, str(tmp_path / "theirs"), "%.9e")
    for head in ("QPOS", "QVEL", "XPOS", "QFRC_BIAS"):
        ours, theirs = (np.ravel(numbers(tmp_path / n, head)) for n in ("ours", "theirs"))
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-12)


def test_models_are_printed_as_in_mujoco(zoo, tmp_path):
    sinew.mj_printModel(zoo.m, str(tmp_path / "ours"))
    mujoco.mj_printModel(zoo.ref_m, str(tmp_path / "theirs"))
    ours, theirs = ((tmp_path / n).read_text().splitlines() for n in ("ours", "theirs"))
    assert ours[:2] == theirs[:2]
    blocks = [line for line in theirs if line.endswith(":") and line.startswith(("BODY", "GEOM"))]
    assert blocks and set(blocks) <= set(ours)


def test_an_invalid_format_gives_the_default(zoo, tmp_path):
    for name, text in (("a", "%d"), ("b", "% -9.2g")):
        sinew.mj_printFormattedModel(zoo.m, str(tmp_path / name), text)
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


def test_sparse_matrices_are_printed_as_in_mujoco(capfd):
    args = np.array([1.5, 2, -3]), np.array([2, 1]), np.array([0, 2]), np.array([0, 3, 1])
    sinew.mju_printMatSparse(*args)
    assert capfd.readouterr().out == "(0 0):  1.500000  (0 3):  2.000000  \n(1 1): -3.000000  \n\n"


def test_the_log_is_written_as_in_mujoco(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        sinew.mju_writeLog("WARNING", "look")
    lines = (tmp_path / "MUJOCO_LOG.TXT").read_text().splitlines()
    assert lines[1::3] == ["WARNING: look", "WARNING: look"]


def test_scenes_are_printed_as_by_mujoco(tmp_path):
    texts = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_path(str(MODELS / "humanoid.xml"))
        d = engine.MjData(m)
        engine.mj_forward(m, d)
        scene = engine.MjvScene(m, 100)
        camera = engine.MjvCamera()
        engine.mjv_updateScene(m, d, engine.MjvOption(), None, camera, engine.mjtCatBit.mjCAT_ALL, scene)
        scene.enabletransform = 1
        engine.mj_printScene(scene, str(tmp_path / "a.txt"))
        engine.mj_printFormattedScene(scene, str(tmp_path / "b.txt"), "%-6.1f")
        texts.append([(tmp_path / name).read_text() for name in ("a.txt", "b.txt")])
    assert texts[0] == texts[1]
