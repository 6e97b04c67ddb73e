"""The names of MuJoCo's Python packages from 3.3.0 to 4.0.0, and the version that Sinew gives.

`names.tsv` has a line for each name: the name, the first and the last of the versions with it, and
its meaning in Sinew. The last column is empty for names with the meaning of MuJoCo 3.5.0. Otherwise
it is one of:

    as NAME             another name for the same thing
    = NUMBER            the number of a member or constant that 3.5.0 does not have
    VALUE TYPE SIZE...  a field without meaning under 3.5.0's numbers, with its only value
    table VALUE TYPE SIZE...  such a field that some models have: a table beside the model
    written             code of Sinew
    needs WHAT          an error that names what is needed, and the version that has it
"""

import functools
import importlib.resources
import os
import typing

# released versions, in order
KNOWN = (
    *(f"3.3.{i}" for i in range(8)),
    *("3.4.0", "3.5.0", "3.6.0", "3.7.0", "3.8.0", "3.8.1", "3.9.0"),
    *(f"3.{i}.0" for i in range(10, 18)),
    "4.0.0",
)
DEFAULT = "3.5.0"
# the variable that tells child processes the version
_VARIABLE = "SINEW_AS_MUJOCO"


class Name(typing.NamedTuple):
    """A line of the table."""

    name: str
    since: str
    until: str
    how: str


def _number(version):
    return tuple(int(part) for part in version.split("."))


def read(text):
    """The lines of a table."""
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [Name(*line) for line in lines]


@functools.cache
def table():
    """All names."""
    return read(importlib.resources.files("sinew").joinpath("names.tsv").read_text("utf-8"))


@functools.cache
def others():
    """The names that 3.5.0 lacks or that Sinew does not take from its tables."""
    return [name for name in table() if name.how]


def resolve(version):
    """The full number of a version; `4.0` and `3.8` mean the newest release of that name."""
    version = str(version)
    found = [v for v in KNOWN if v == version or v.startswith(version + ".")]
    if not found or not version:
        raise ValueError(f"unknown version '{version}' of MuJoCo; known are {', '.join(KNOWN)}")
    return found[-1]


def names_of(version):
    """The names of a version."""
    at = _number(resolve(version))
    return [n for n in table() if _number(n.since) <= at <= _number(n.until)]


def is_since(version):
    """Whether the version that Sinew gives is this one or newer."""
    return _number(given()) >= _number(version)


def is_later(version):
    """Whether a version is newer than the one whose numbers Sinew has."""
    return _number(version) > _number(DEFAULT)


def given():
    """The version of MuJoCo that Sinew gives to programs."""
    return os.environ.get(_VARIABLE) or DEFAULT


def give(version):
    """Sets the version that Sinew gives to programs, here and in child processes; its full number."""
    os.environ[_VARIABLE] = version = resolve(version)
    return version


def header(version):
    """The number of a version, as `mj_version` returns it; the scheme changed with 3.5.0."""
    major, minor, patch = _number(version)
    if (major, minor) < (3, 5):
        return 100 * major + 10 * minor + patch
    return 1000000 * major + 1000 * minor + patch
