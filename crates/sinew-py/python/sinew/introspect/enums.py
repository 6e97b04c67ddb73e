"""Enumerations of the interface."""

from typing import Mapping

from .. import _sinew
from .ast_nodes import EnumDecl

ENUMS: Mapping[str, EnumDecl] = {
    name: EnumDecl(name, f"enum {name}_", dict(values)) for name, values in _sinew.ENUMS.items()
}
