"""Structs of the interface; `doc` is the documentation of a field, if the Python package has the
field."""

import dataclasses
from typing import Mapping

from .. import _sinew
from ._declarations import STRUCTS as _STRUCTS
from .ast_nodes import AnonymousStructDecl, StructDecl, StructFieldDecl


def _docs():
    """Documentation of fields, by the names of struct and field."""
    out = {}
    for name, (_, fields) in _sinew.RECORDS.items():
        name, _, part = name.partition(".")
        out |= {("m" + name[1:] + part, field[0]): field[4] for field in fields}
    for name, fields in (("mjModel", _sinew.MODEL_FIELDS), ("mjData", _sinew.DATA_FIELDS)):
        out |= {(name, field.name): field.doc for field in fields}
    return out


_DOCS = _docs()


def _documented(struct, field):
    """The field with its documentation; nested structs are documented recursively."""
    if not isinstance(field, StructFieldDecl):
        return field
    if isinstance(field.type, AnonymousStructDecl):
        part = struct + field.name.title()
        inner = type(field.type)([_documented(part, f) for f in field.type.fields])
        return dataclasses.replace(field, type=inner)
    return dataclasses.replace(field, doc=_DOCS.get((struct, field.name), ""))


STRUCTS: Mapping[str, StructDecl] = {
    name: StructDecl(name, f"struct {name}_", [_documented(name, field) for field in fields])
    for name, fields in _STRUCTS.items()
}
