"""The modules of the package form layers: neither files nor folders import in a circle."""

import ast
import graphlib
import pathlib

import pytest

import sinew

ROOT = pathlib.Path(sinew.__file__).parent


def modules():
    """The files of the package by the names of their modules."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        if "_as_mujoco" not in parts:  # the package that stands for MuJoCo's
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def imports(path, known):
    """The modules that a file imports, inside of functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name in known)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                # a compiled module of the package has no file
                if inner in known or node.module in known and alias.name != "_sinew":
                    yield inner if inner in known else node.module


def place(name, folders):
    """A module, or the folder of the package that it is in."""
    parts = name.split(".")
    return ".".join(parts[: 2 if folders else None])


@pytest.mark.parametrize("folders", [False, True])
def test_no_module_needs_itself(folders):
    known, graph = modules(), {}
    assert {"sinew", "sinew._names", "sinew._later.fields"} <= set(known)
    for name, path in known.items():
        own = place(name, folders)
        needed = {place(other, folders) for other in imports(path, known)}
        graph.setdefault(own, set()).update(needed - {own})
    tuple(graphlib.TopologicalSorter(graph).static_order())
