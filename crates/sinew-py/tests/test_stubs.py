"""The type stubs are up to date with the tables, and contain every name of the package."""

import ast
import pathlib

import sinew
from sinew import _stubs

STUBS = pathlib.Path(sinew.__file__).with_suffix(".pyi")


def test_stubs_are_current():
    assert STUBS.read_text() == _stubs.stubs(), "run `python -m sinew._stubs`"


def test_stubs_name_everything():
    tree = ast.parse(STUBS.read_text())
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names.add(node.targets[0].id)
    assert set(sinew.__all__) <= names
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    for name in ("MjModel", "MjData"):
        body = ast.unparse(classes[name])
        public = [n for n in dir(getattr(sinew, name)) if not n.startswith("_")]
        own = "narena nbuffer nplugin pstack pbase parena maxuse_stack maxuse_arena threadpool"
        for attribute in set(public) - {*own.split(), "maxuse_threadstack"}:
            assert f" {attribute}" in body, attribute


def test_package_is_typed():
    assert STUBS.with_name("py.typed").exists()
