"""The share of the names of every version of MuJoCo's package that exist in Sinew.

python -m sinew.versions
"""

import importlib

import sinew
from sinew._names import DEFAULT, KNOWN, given, names_of, resolve

__all__ = ["DEFAULT", "KNOWN", "given", "missing", "names_of", "resolve"]


def exists(name):
    """Whether a dotted name exists in Sinew."""
    here, parts = sinew, name.split(".")
    while parts:
        part = parts.pop(0)
        if part in getattr(here, "_attributes", ()):  # of a named view
            return not parts
        if not hasattr(here, part):
            try:
                importlib.import_module(f"{here.__name__}.{part}")
            except (AttributeError, ImportError):
                return False
        here = getattr(here, part)
    return True


def missing(version):
    """The names of a version that Sinew lacks."""
    return [n.name for n in names_of(version) if not exists(n.name)]


def main():
    """Prints the share of names that exist, by version."""
    print("version   names   exist   share")
    for version in KNOWN:
        count, absent = len(names_of(version)), missing(version)
        share = 100 * (count - len(absent)) / count
        print(f"{version:8} {count:6} {count - len(absent):7} {share:6.1f} %")
        for name in absent:
            print(f"    {name}")


if __name__ == "__main__":
    main()
