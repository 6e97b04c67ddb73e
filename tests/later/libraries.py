"""Runs libraries on Sinew in an environment without MuJoCo, and compares with MuJoCo.

python tests/later/libraries.py FOLDER WHEEL [NAME...] [--menagerie MODELS]

FOLDER gets two environments with WHEEL, a wheel of Sinew, and without MuJoCo. `new` has the newest
versions of all libraries, `old` has versions for MuJoCo 3.5. Releases of MuJoCo are in folders
beside them. The program of a library in `libraries` runs in its environment on Sinew, and again on
the release. The output is lines of numbers. A line of the table that is printed has the library,
the largest difference of the numbers, and how many there are. MODELS is a copy of MuJoCo Menagerie,
which Playground would fetch.
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
# distributions that Sinew stands for
REPLACED = {"mujoco", "mujoco-core", "mujoco-studio"}


class Library(typing.NamedTuple):
    """Installed packages, the program that runs, and the MuJoCo that it sees and is compared with."""

    packages: str
    program: str
    version: str = "3.5.0"
    environment: str = "new"


LIBRARIES = {
    "gymnasium": Library("gymnasium[mujoco]==1.4.0", "gymnasium_episode"),
    "gymnasium-robotics": Library("gymnasium-robotics", "gymnasium_robotics_episode"),
    "dm_control-1.0.37": Library("dm_control==1.0.37", "dm_control_episode", environment="old"),
    "dm_control-1.0.50": Library("dm_control==1.0.50", "dm_control_episode", "3.17.0"),
    "mink-1.1": Library("mink==1.1.0 daqp", "mink_reach", environment="old"),
    "mink-1.3": Library("mink==1.3.0 daqp", "mink_reach", "3.10.0"),
    "mjx-3.5": Library("mujoco-mjx==3.5.0", "mjx_step", environment="old"),
    "mjx-3.17": Library("mujoco-mjx==3.17.0", "mjx_step", "3.17.0"),
    "robosuite": Library("robosuite", "robosuite_episode"),
    "metaworld": Library("metaworld", "metaworld_episode"),
    "myosuite": Library("myosuite", "myosuite_episode"),
    "brax": Library("brax", "brax_step", "3.17.0"),
    "playground": Library("playground==0.2.0", "playground_step", "3.17.0"),
    "robot_descriptions": Library("robot_descriptions", "robot_descriptions_load"),
}


def run(command, **options):
    """The output of a command; an error shows its end."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr)[-1500:])
    return done.stdout


def needed(python, packages):
    """The distributions that packages need, as a resolver finds them: their versions by name."""
    command = [python, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
    report = json.loads(run([*command, "--report", "-", *packages.split()]))
    found = (entry["metadata"] for entry in report["install"])
    return {m["name"].lower().replace("_", "-"): m["version"] for m in found}


def newest(versions):
    """The highest of some versions."""
    number = lambda part: (int(part), "") if part.isdigit() else (-1, part)
    return max(versions, key=lambda version: [number(part) for part in version.split(".")])


def environment(folder, name, wheel):
    """The Python of an environment with all its libraries at once, made if it is new.

    Where libraries ask for several versions of a distribution, it has the newest.
    """
    target = folder / name
    python = target / "bin/python"
    if (target / "complete").exists():
        run([python, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", wheel])
        return python
    run([sys.executable, "-m", "venv", target])
    run([python, "-m", "pip", "install", "-q", "--upgrade", "pip"])
    found = {}
    for library in LIBRARIES.values():
        if library.environment == name:
            for package, version in needed(python, library.packages).items():
                found.setdefault(package, set()).add(version)
    chosen = [f"{p}=={newest(v)}" for p, v in found.items() if p not in REPLACED]
    run([python, "-m", "pip", "install", "-q", "--no-deps", wheel, *chosen])
    (target / "complete").touch()
    return python


def release(folder, python, version):
    """The folder with a release of MuJoCo, for an environment that has all that it needs."""
    target = folder / f"mujoco-{version}"
    if not target.exists():
        command = [python, "-m", "pip", "install", "-q", "--no-deps", "--target", target]
        run([*command, f"mujoco=={version}"])
    return target


def give_models(python, models):
    """Gives Playground, if it is there, a copy of the models that it would fetch."""
    code = "import importlib.util as u; print(u.find_spec('mujoco_playground').origin)"
    place = pathlib.Path(run([python, "-c", code]).strip()).parent / "external_deps"
    place.mkdir(exist_ok=True)
    if not (place / "mujoco_menagerie").exists():
        (place / "mujoco_menagerie").symlink_to(models.resolve())


def numbers(command, before=()):
    """The numbers that a program prints, by the words before them."""
    lines = {}
    environ = {**os.environ, "MUJOCO_GL": "disable", "PYTHONPATH": os.pathsep.join(map(str, before))}
    output = run(command, env=environ, timeout=1800)
    for line in output.splitlines():
        word, *values = line.split() or [""]
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


def check(name, folder, python):
    """The line of the table of a library."""
    library = LIBRARIES[name]
    program = PROGRAMS / f"{library.program}.py"
    found = numbers([python, "-m", "sinew.as_mujoco", "--as", library.version, program])
    count = sum(len(v) for v in found.values())
    try:
        wanted = numbers([python, program], [release(folder, python, library.version)])
    except RuntimeError as error:
        return f"{count} numbers; fails with MuJoCo {library.version}: {error}"
    most = difference(found, wanted)
    return f"differs by {most:.1e} in {count} numbers from MuJoCo {library.version}"


def main():
    """Checks the libraries that are named, or all; the exit status is 1 if any fails."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("wheel", type=pathlib.Path)
    parser.add_argument("names", nargs="*", default=list(LIBRARIES))
    parser.add_argument("--menagerie", type=pathlib.Path)
    given = parser.parse_args()
    folder, pythons, failed = given.folder.resolve(), {}, False
    for name in given.names:
        place = LIBRARIES[name].environment
        if place not in pythons:
            pythons[place] = environment(folder, place, given.wheel.resolve())
        if name == "playground" and given.menagerie:
            give_models(pythons[place], given.menagerie)
        try:
            text = check(name, folder, pythons[place])
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            text, failed = f"fails: {error}", True
        print(f"{name}: {text}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
