"""Runs libraries on Sinew in an environment without MuJoCo, and compares with MuJoCo.

python tests/later/libraries.py FOLDER WHEEL [NAME...]

FOLDER gets two environments: `sinew` with WHEEL, a wheel of Sinew, and `mujoco` with MuJoCo 3.5.0.
A library is installed into both, without MuJoCo into the first, and its program in `libraries`
runs in both. The program prints lines of numbers. A line of the table that is printed has the
library, its version, the largest difference of the numbers, and how many there are.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import typing

PROGRAMS = pathlib.Path(__file__).parent / "libraries"
MUJOCO = "mujoco==3.5.0"
# distributions that Sinew stands for
REPLACED = {"mujoco", "mujoco-core", "mujoco-studio"}


class Library(typing.NamedTuple):
    """What is installed, which program runs, and as which version of MuJoCo Sinew stands."""

    packages: str
    program: str
    version: str = "3.5"
    # whether MuJoCo 3.5.0 can run it
    compared: bool = True
    # packages to install without what they need
    alone: str = ""


LIBRARIES = {
    "gymnasium": Library("gymnasium[mujoco]==1.4.0", "gymnasium_episode"),
    "gymnasium-robotics": Library("gymnasium-robotics gymnasium[mujoco]", "gymnasium_robotics_episode"),
    "dm_control-1.0.37": Library("dm_control==1.0.37", "dm_control_episode"),
    "dm_control-1.0.50": Library("dm_control==1.0.50", "dm_control_episode", "3.17", False),
    "mink-1.1": Library("mink==1.1.0 daqp", "mink_reach"),
    "mink-1.3": Library("mink==1.3.0 daqp", "mink_reach", "3.10", False),
    "mjx-3.5": Library("jax etils[epath] trimesh scipy", "mjx_step", alone="mujoco-mjx==3.5.0"),
    "mjx-3.17": Library(
        "jax etils[epath] trimesh scipy", "mjx_step", "3.17", False, "mujoco-mjx==3.17.0"
    ),
    "robosuite": Library("robosuite", "robosuite_episode"),
    "metaworld": Library("metaworld", "metaworld_episode"),
    "myosuite": Library("myosuite", "myosuite_episode"),
    "brax": Library("brax", "brax_step", alone="mujoco-mjx==3.5.0"),
    "playground": Library("playground", "playground_step", "3.17", False),
    "robot_descriptions": Library("robot_descriptions", "robot_descriptions_load"),
}


def run(command, **options):
    """The output of a command; an error shows its end."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-1500:])
    return done.stdout


def environment(folder, packages):
    """The Python of an environment, made with packages if it is new."""
    python = folder / "bin/python"
    if not python.exists():
        run([sys.executable, "-m", "venv", folder])
        run([python, "-m", "pip", "install", "-q", "pip", *packages])
    return python


def needed(python, packages):
    """The distributions that packages need, as a resolver finds them, with their versions."""
    command = [python, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
    report = json.loads(run([*command, "--report", "-", *packages]))
    found = (entry["metadata"] for entry in report["install"])
    return [f"{m['name']}=={m['version']}" for m in found if m["name"].lower() not in REPLACED]


def install(python, library, target, has_mujoco):
    """Installs a library into a folder of its own: two versions of one may be compared."""
    if (target / "complete").exists():
        return
    packages = library.packages.split()
    found = needed(python, [*packages, MUJOCO] if has_mujoco and library.compared else packages)
    command = [python, "-m", "pip", "install", "-q", "--no-deps", "--target", target]
    run([*command, *found, *library.alone.split()])
    (target / "complete").touch()


def numbers(command, target):
    """The numbers that a program prints, by the words before them."""
    lines = {}
    environ = {**os.environ, "PYTHONPATH": str(target), "MUJOCO_GL": "disable"}
    output = run(command, env=environ, timeout=1800)
    for line in output.splitlines():
        word, *values = line.split()
        if word.startswith("="):
            lines[word] = [float(x) for x in values]
    if not lines:
        raise RuntimeError("the program printed no numbers")
    return lines


def difference(found, wanted):
    """The largest difference of two outputs."""
    if found.keys() != wanted.keys():
        raise RuntimeError(f"lines differ: {sorted(found.keys() ^ wanted.keys())}")
    most = 0.0
    for word, values in found.items():
        if len(values) != len(wanted[word]):
            raise RuntimeError(f"{word}: {len(values)} numbers, wanted {len(wanted[word])}")
        for a, b in zip(values, wanted[word]):
            if not (math.isnan(a) and math.isnan(b)):
                most = max(most, abs(a - b))
    return most


def check(name, folder, wheel):
    """The line of the table of a library."""
    library = LIBRARIES[name]
    program = PROGRAMS / f"{library.program}.py"
    own = environment(folder / "sinew", [wheel])
    targets = folder / "packages"
    install(own, library, targets / f"{name}-sinew", False)
    command = [own, "-m", "sinew.as_mujoco", "--as", library.version, program]
    found = numbers(command, targets / f"{name}-sinew")
    count = sum(len(v) for v in found.values())
    if not library.compared:
        return f"runs as {library.version}, {count} numbers"
    reference = environment(folder / "mujoco", [MUJOCO])
    install(reference, library, targets / f"{name}-mujoco", True)
    wanted = numbers([reference, program], targets / f"{name}-mujoco")
    return f"differs by {difference(found, wanted):.1e} in {count} numbers"


def main():
    """Checks the libraries that are named, or all; the exit status is 1 if any fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=list(LIBRARIES))
    given = parser.parse_args()
    failed = False
    for name in given.names:
        try:
            text = check(name, given.folder.resolve(), given.wheel.resolve())
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            text, failed = f"fails: {error}", True
        print(f"{name}: {text}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
