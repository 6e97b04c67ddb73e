"""`introspect`: the C interface as data equals MuJoCo's."""

import dataclasses

import pytest
from mujoco.introspect import enums, functions, mjxmacro, structs, type_parsing

import sinew.introspect.ast_nodes
import sinew.introspect.enums
import sinew.introspect.functions
import sinew.introspect.mjxmacro
import sinew.introspect.structs
import sinew.introspect.type_parsing

TABLES = {
    "enums": (enums.ENUMS, sinew.introspect.enums.ENUMS),
    "functions": (functions.FUNCTIONS, sinew.introspect.functions.FUNCTIONS),
    "structs": (structs.STRUCTS, sinew.introspect.structs.STRUCTS),
}


def plain(node):
    """A node as names and values, without its documentation."""
    if dataclasses.is_dataclass(node):
        fields = [f.name for f in dataclasses.fields(node) if f.name != "doc"]
        return type(node).__name__, {name: plain(getattr(node, name)) for name in fields}
    return [plain(x) for x in node] if isinstance(node, (list, tuple)) else node


@pytest.mark.parametrize("table", TABLES)
def test_every_declaration_is_that_of_mujoco(table):
    theirs, ours = TABLES[table]
    assert list(ours) == list(theirs)
    for name, node in theirs.items():
        assert plain(ours[name]) == plain(node), name
        if table == "functions":
            assert (str(ours[name]), ours[name].decltype) == (str(node), node.decltype)
        elif table == "structs":
            assert [str(f) for f in ours[name].fields] == [str(f) for f in node.fields]


def test_sizes_of_arrays_are_those_of_mujoco():
    assert sinew.introspect.mjxmacro.MJMODEL == mjxmacro.MJMODEL
    assert sinew.introspect.mjxmacro.MJDATA == mjxmacro.MJDATA


def test_names_of_the_package_are_documented():
    model = {f.name: f for f in sinew.introspect.structs.STRUCTS["mjModel"].fields}
    assert all(model[field.name].doc == field.doc for field in sinew._sinew.MODEL_FIELDS)
    doc = sinew.introspect.functions.FUNCTIONS["mj_kinematics"].doc
    assert "positions and orientations of bodies" in doc


@pytest.mark.parametrize(
    "text",
    [
        "int", "unsigned long long", "const char *", "mjtNum[3]", "const mjtNum [2][3]", "float * const [7]",
        "const unsigned int (* * const (* const * [9])[7])[3][4]", "void *(*)(void *)", "volatile int",
    ],
)  # fmt: skip
def test_types_are_read_as_mujoco_reads_them(text):
    theirs, ours = type_parsing.parse_type(text), sinew.introspect.type_parsing.parse_type(text)
    assert plain(ours) == plain(theirs) and str(ours) == str(theirs)
    assert ours.decl("x") == theirs.decl("x")


@pytest.mark.parametrize("text", ["", "int(", "* int", "long short", "const const int", "int * x y"])
def test_invalid_types_are_refused(text):
    with pytest.raises(ValueError):
        sinew.introspect.type_parsing.parse_type(text)
