"""Runs a library's own tests on Sinew and on MuJoCo, and prints the differences.

python tests/later/package_tests.py FOLDER WHEEL NAME [PART...]

FOLDER, WHEEL and NAME have the meaning of `libraries.py`; NAME is dm_control-1.0.37 or
dm_control-1.0.50. PART is a folder or file of the package. A line for each test that passes on
MuJoCo alone follows the counts.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

import libraries

PACKAGES = {"dm_control-1.0.37": "dm_control", "dm_control-1.0.50": "dm_control"}
# flags that absl's test programs read from the command line
CONFTEST = "from absl import flags\nflags.FLAGS(['pytest'])\n"
LIMIT = 3600


def results(command, folder, parts, before=()):
    """The outcomes of tests: whether each that was not skipped has passed."""
    found = {}
    environ = {**os.environ, "MUJOCO_GL": "disable", "PYTHONPATH": os.pathsep.join(map(str, before))}
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        (place / "conftest.py").write_text(CONFTEST)
        report = place / "report.xml"
        options = ["-q", "-p", "no:cacheprovider", f"--rootdir={place}", f"--junitxml={report}"]
        options += ["-c", os.devnull, "-p", "conftest"]
        environ["PYTHONPATH"] = os.pathsep.join([str(place), environ["PYTHONPATH"]])
        files = [str(folder / part) for part in parts]
        command = [str(c) for c in command] + ["-m", "pytest", *options, *files]
        done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=LIMIT)
        if not report.exists():
            raise RuntimeError((done.stdout + done.stderr)[-1500:])
        for case in ET.parse(report).iter("testcase"):
            if case.find("skipped") is None:
                bad = case.find("failure") is not None or case.find("error") is not None
                found[f"{case.get('classname')}.{case.get('name')}"] = not bad
    return found


def main():
    """Compares; the exit status is 1 if a test passes on MuJoCo alone."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("name", choices=PACKAGES)
    parser.add_argument("parts", nargs="*", default=["mjcf", "mujoco", "composer", "suite"])
    given = parser.parse_args()
    library, root = libraries.LIBRARIES[given.name], given.folder.resolve()
    python = libraries.environment(root, library.environment, given.wheel.resolve())
    libraries.run([python, "-m", "pip", "install", "-q", "pytest", "mock"])
    code = f"import importlib.util as u; print(u.find_spec('{PACKAGES[given.name]}').origin)"
    folder = pathlib.Path(libraries.run([python, "-c", code]).strip()).parent

    own = [python, "-m", "sinew.as_mujoco", "--as", library.version]
    ours = results(own, folder, given.parts)
    release = libraries.release(root, python, library.version)
    theirs = results([python], folder, given.parts, [release])
    alone = [test for test, passed in theirs.items() if passed and not ours.get(test)]
    passed = f"{sum(ours.values())} of {len(ours)} on Sinew"
    print(f"{passed}, {sum(theirs.values())} of {len(theirs)} on MuJoCo {library.version}")
    print(*(f"passes on MuJoCo alone: {test}" for test in sorted(alone)), sep="\n")
    return bool(alone)


if __name__ == "__main__":
    sys.exit(main())
