"""Reads `interface.txt`: C declarations, one per line; fields are indented below their struct.

A question mark follows a parameter that may be null. The sizes of a pointer's target follow `#`.
"""

import importlib.resources
import re

from .ast_nodes import AnonymousStructDecl, AnonymousUnionDecl, FunctionParameterDecl, StructFieldDecl
from .type_parsing import parse_type

_INNER = re.compile(r"(struct|union) \{(.*)\} ?(\w*)")
_VARIABLE = re.compile(r"(.*?)(\w+)((?:\[\d+\])*)")


def variable(text):
    """Name and type of the variable declared by `text`."""
    before, name, extents = _VARIABLE.fullmatch(text.strip()).groups()
    return name, parse_type(before + extents)


def extent(text):
    """The sizes of an array: numbers, or the names of fields."""
    return tuple(int(n) if n.isdigit() else n for n in text.split(" x "))


def _field(line):
    inner = _INNER.fullmatch(line)
    if inner:
        kind, fields, name = inner.groups()
        node = AnonymousStructDecl if kind == "struct" else AnonymousUnionDecl
        node = node([_field(part.strip()) for part in fields.split(";") if part.strip()])
        return StructFieldDecl(name, node, "") if name else node
    text, _, sizes = line.partition(" # ")
    name, type_ = variable(text)
    return StructFieldDecl(name, type_, "", extent(sizes) if sizes else None)


def _function(line):
    """Name, return type and parameters of a function."""
    head, _, inner = line.removesuffix(")").partition("(")
    name, result = variable(head)
    parameters = []
    for part in inner.split(", ") if inner else ():
        parameter, type_ = variable(part.removesuffix("?"))
        parameters.append(FunctionParameterDecl(parameter, type_, part.endswith("?")))
    return name, result, parameters


def read():
    """Fields of structs by name, and functions as triples of name, return type and parameters."""
    text = importlib.resources.files(__package__).joinpath("interface.txt").read_text("utf-8")
    structs, functions = {}, []
    for line in text.splitlines():
        if line.startswith("struct "):
            fields = structs.setdefault(line.removeprefix("struct "), [])
        elif line.startswith("  "):
            fields.append(_field(line.strip()))
        elif line and not line.startswith("#"):
            functions.append(_function(line))
    return structs, functions


STRUCTS, FUNCTIONS = read()
