"""Loads each model once in both engines; prints the table at the end."""
import os
import sys
from collections import Counter, defaultdict

import mujoco
import pytest

sys.path.insert(0, os.path.dirname(__file__))

import corpus  # noqa: E402

RESULTS = defaultdict(Counter)


class Pair:
    """A model in both engines; Sinew's may be an error."""

    def __init__(self, name, path):
        self.name, self.path = name, path
        try:
            self.want = mujoco.MjModel.from_xml_path(str(path))
        except ValueError:
            self.want = None

    def load(self, engine):
        if not hasattr(self, "got"):
            self.got, self.error = None, ""
            try:
                self.got = engine.MjModel.from_xml_path(str(self.path))
            except ValueError as error:
                self.error = str(error)
        return self.got


def pytest_configure(config):
    # MuJoCo's asset cache gives an unused mesh the polygons of an equal mesh loaded before, so its
    # result would depend on the order of loading
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)

    # MuJoCo writes its log to the working folder
    os.environ.setdefault("MUJOCO_GL", "disable")


@pytest.fixture(scope="session")
def engine():
    module = os.environ.get("SINEW_MODULE", "sinew")
    return __import__(module)


@pytest.fixture(scope="session")
def tally():
    return RESULTS


PAIRS = None


def pairs():
    """The models MuJoCo loads, by name."""
    global PAIRS
    if PAIRS is None:
        found = [Pair(corpus.label(c, folder, p), p) for c, folder, p in corpus.collect()]
        PAIRS = {pair.name: pair for pair in found if pair.want is not None}
    return PAIRS


def pytest_generate_tests(metafunc):
    if "pair" in metafunc.fixturenames:
        metafunc.parametrize("pair", list(pairs().values()), ids=list(pairs()))


def pytest_terminal_summary(terminalreporter):
    if not RESULTS:
        return
    columns = ["models", "loaded", "fields agree", "stages agree"]
    terminalreporter.section("conformance")
    terminalreporter.write_line("%-12s" % "corpus" + "".join("%18s" % c for c in columns))
    for name, counts in sorted(RESULTS.items()):
        terminalreporter.write_line("%-12s" % name + "".join("%18d" % counts[c] for c in columns))
