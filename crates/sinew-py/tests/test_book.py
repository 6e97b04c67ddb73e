"""Runs every block of Python in README.md and the book, page by page."""

import importlib.util
import os
import pathlib
import re
import shutil
import warnings

import pytest

import sinew
import sinew.viewer

ROOT = pathlib.Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def blocks(page):
    """The blocks of a page, each padded with empty lines so that errors show the page's line
    numbers."""
    text = page.read_text()
    for found in BLOCK.finditer(text):
        yield "\n" * text.count("\n", 0, found.start(1)) + found[1]


def can_run(block):
    """Whether the libraries of a block with gradients are installed."""
    used = [name for name in ("torch", "jax") if f"sinew.{name}" in block]
    return all(importlib.util.find_spec(name) for name in used)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A writable folder like the repository's root."""
    shutil.copytree(ROOT / "models", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SINEW_VIEWER_OPEN", "0")
    # without a browser a viewer closes itself after some frames
    launch = sinew.viewer.launch_passive

    def short(*args, **kwargs):
        handle = launch(*args, **kwargs)
        sync, frames = handle.sync, []

        def counted(*args, **kwargs):
            frames.append(sync(*args, **kwargs))
            if len(frames) > 3:
                handle.close()

        handle.sync = counted
        return handle

    monkeypatch.setattr(sinew.viewer, "launch_passive", short)
    return tmp_path


@pytest.mark.parametrize("page", [p for p in PAGES if BLOCK.search(p.read_text())], ids=lambda p: p.name)
def test_blocks_run(page, folder):
    if "gymnasium" in "".join(blocks(page)):
        pytest.importorskip("gymnasium")
    names = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for block in filter(can_run, blocks(page)):
            exec(compile(block, os.fspath(page), "exec"), names)


def test_the_book_has_the_stages_of_the_suite():
    import sys

    sys.path.insert(0, os.fspath(ROOT / "tests" / "conformance"))
    import stages

    page = (ROOT / "docs" / "conformance.md").read_text()
    missing = [s.name for s in stages.STAGES if f"\n| {s.name} |" not in page]
    assert not missing, "run tests/conformance/table.py"
