"""Functions of the interface; `doc` is the documentation of the Python function, if there is
one."""

import inspect
from typing import Mapping

from .. import _functions
from ._declarations import FUNCTIONS as _FUNCTIONS
from .ast_nodes import FunctionDecl


def _doc(name):
    """The documentation of the Python function, without its signature."""
    text = inspect.getdoc(getattr(_functions, name, None)) or ""
    if text.startswith(name + "("):
        text = text.partition("\n\n")[2]
    return " ".join(text.partition("\n\n")[0].split())


FUNCTIONS: Mapping[str, FunctionDecl] = {
    name: FunctionDecl(name, result, parameters, _doc(name)) for name, result, parameters in _FUNCTIONS
}
