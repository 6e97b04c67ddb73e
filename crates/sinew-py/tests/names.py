"""Brings `names.tsv` up to date from MuJoCo's wheels: `python crates/sinew-py/tests/names.py FOLDER`.

FOLDER gets an environment for each version; environments that exist are used. The last column, the
meaning in Sinew, is kept. Names that 3.5.0 lacks need one.
"""

import json
import pathlib
import subprocess
import sys
import venv

from sinew import _names

TABLE = pathlib.Path(__file__).parents[1] / "python" / "sinew" / "names.tsv"
HEAD = "# name\tsince\tuntil\twhat Sinew does (see _names.py); made by tests/names.py\n"


def names_of(version, folder):
    """The names of a version, with their kinds."""
    place = folder / version
    if not (place / "bin" / "python").exists():
        venv.create(place, with_pip=True)
        install = [place / "bin" / "python", "-m", "pip", "install", "-q", f"mujoco=={version}"]
        subprocess.run(install, check=True)
    script = pathlib.Path(__file__).with_name("names_of.py")
    out = subprocess.run(
        [place / "bin" / "python", script], check=True, capture_output=True, text=True
    )
    found = json.loads(out.stdout)
    assert found["version"] == version
    return found["names"]


def text(found, old):
    """The table, from the names by version and the old table."""
    order = [v for v in _names.KNOWN if v in found]
    lines = []
    for name in sorted(set().union(*found.values())):
        having = [v for v in order if name in found[v]]
        lines.append("\t".join((name, having[0], having[-1], old.get(name, ""))))
    return HEAD + "\n".join(lines) + "\n"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    old = {n.name: n.how for n in _names.read(TABLE.read_text())} if TABLE.exists() else {}
    TABLE.write_text(text({v: names_of(v, folder) for v in _names.KNOWN}, old))


if __name__ == "__main__":
    main()
