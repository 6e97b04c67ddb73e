"""Files written by the command line, read by other programs."""
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


@pytest.fixture(scope="module")
def sinew():
    program = TARGET / "debug" / ("sinew.exe" if os.name == "nt" else "sinew")
    if not program.exists():
        subprocess.run(["cargo", "build", "-q", "-p", "sinew-cli"], cwd=ROOT, check=True)
    return lambda *args: subprocess.run([str(program), *map(str, args)], capture_output=True, text=True)


def test_npz_is_read_by_numpy(sinew, tmp_path):
    out = tmp_path / "swing.npz"
    done = sinew("run", ROOT / "models/pendulum.xml", "--steps", 20, "--key", "spinning", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["steps"] == 20
    with np.load(out) as saved:
        assert saved["time"].shape == (21,)
        assert saved["qpos"].shape == saved["qvel"].shape == (21, 1)
        assert saved["qpos"][0, 0] == 0.3 and saved["qvel"][0, 0] == 4
        assert np.allclose(np.diff(saved["time"]), 0.002)


def test_csv_has_one_row_per_state(sinew, tmp_path):
    out = tmp_path / "swing.csv"
    assert sinew("run", ROOT / "models/pendulum.xml", "--time", 0.1, "--out", out).returncode == 0
    table = np.genfromtxt(out, delimiter=",", names=True)
    assert len(table) == 51
    assert table.dtype.names == ("time", "qposswing", "qvelswing")


@pytest.mark.parametrize("model", ["models/quadruped.xml", "models/arm.xml"])
def test_a_written_task_runs(sinew, model, tmp_path):
    pytest.importorskip("gymnasium")
    done = sinew("new-task", "my_robot", ROOT / model, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    command = [sys.executable, "-m", "pytest", "-q", "test_my_robot.py"]
    tested = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout
