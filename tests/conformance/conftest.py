"""Loads each model once in both engines; prints the table at the end."""
import os
import sys
from collections import Counter, defaultdict

import mujoco
import pytest

sys.path.insert(0, os.path.dirname(__file__))

import corpus  # noqa: E402

# columns of the table at the end
COLUMNS = ["models", "loaded", "fields agree", "stages agree", "solvers agree"]


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


@pytest.fixture
def tally(pair, record_property):
    """Counts the pair's model in a column of the table; reports carry it between processes."""
    return lambda column: record_property(column, pair.name.split("/")[0])


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
    results = defaultdict(Counter)
    for report in (r for reports in terminalreporter.stats.values() for r in reports):
        for column, corpus_name in getattr(report, "user_properties", ()):
            # setup and teardown are reports of their own
            if column in COLUMNS and report.when == "call":
                results[corpus_name][column] += 1
    if not results:
        return
    terminalreporter.section("conformance")
    terminalreporter.write_line("%-12s" % "corpus" + "".join("%18s" % c for c in COLUMNS))
    for name, counts in sorted(results.items()):
        terminalreporter.write_line("%-12s" % name + "".join("%18d" % counts[c] for c in COLUMNS))
