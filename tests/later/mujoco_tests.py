"""Runs the Python tests of a wheel of MuJoCo on Sinew, and compares with the list of reasons.

PYTHON tests/later/mujoco_tests.py FOLDER [--as 4.0]

PYTHON has Sinew, pytest, absl-py and etils. FOLDER is the folder `mujoco` of the wheel. A test that
fails must be in `mujoco_tests.tsv` with its reason, and a test of the list must fail.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

HERE = pathlib.Path(__file__).parent
FILES = "bindings minimize rollout specs vfs".split()
# flags of absl, which its own test runner would read, and the folder of MuJoCo's test files
CONFTEST = """import pathlib
from absl import flags
from etils import epath
flags.FLAGS(['pytest'])
_path = epath.resource_path
_here = epath.Path(pathlib.Path(__file__).parent)
epath.resource_path = lambda name: _here if name == 'mujoco' else _path(name)
"""


def reasons():
    """The reasons by the name of a test."""
    lines = (HERE / "mujoco_tests.tsv").read_text().splitlines()
    return dict(line.split("\t", 1) for line in lines if line and not line.startswith("#"))


def run(folder, version, files):
    """The results of all tests: whether each has passed."""
    results = {}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "conftest.py").write_text(CONFTEST)
        shutil.copytree(folder / "testdata", place / "testdata")
        for file in files:
            shutil.copy(folder / f"{file}_test.py", place)
            report = place / f"{file}.xml"
            command = [sys.executable, "-m", "sinew.as_mujoco", "--as", version, "-m", "pytest", "-q"]
            command += ["-p", "no:cacheprovider", f"--junitxml={report}", f"{file}_test.py"]
            done = subprocess.run(command, cwd=place)
            if not report.exists():
                results[f"{file}: the whole file"] = False
                print(f"{file}: exit status {done.returncode}")
                continue
            for case in ET.parse(report).iter("testcase"):
                if case.find("skipped") is not None:
                    continue
                passed = case.find("failure") is None and case.find("error") is None
                name = f"{file}: {case.get('classname').rpartition('.')[2]}.{case.get('name')}"
                results[name] = passed
    return results


def main():
    """Runs the tests; the exit status is 1 if the list is not true."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--as", dest="version", default="4.0")
    parser.add_argument("--files", nargs="*", default=FILES)
    given = parser.parse_args()
    results, known = run(given.folder, given.version, given.files), reasons()

    wrong = [f"fails: {test}" for test, passed in results.items() if not passed and test not in known]
    wrong += [f"passes, and is in the list: {test}" for test in known if results.get(test)]
    passed = sum(results.values())
    print(f"{passed} of {len(results)} tests pass, {len(wrong)} are not as the list says")
    print(*wrong, sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
