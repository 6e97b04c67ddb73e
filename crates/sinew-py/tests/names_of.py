"""Prints the public names of an installed package `mujoco` as JSON: `VERSION/bin/python names_of.py`.

Names are dotted: functions, constants, enumerations with their values, classes with their members,
the attributes of named views, and the same of submodules. `names.py` runs this with several wheels.
"""

import importlib
import importlib.util
import inspect
import json
import re
import types

import mujoco

MODULES = """batch minimize mjrf msh2obj renderer rollout viewer gl_context egl glfw introspect.ast_nodes
introspect.enums introspect.functions introspect.mjxmacro introspect.structs introspect.type_parsing
rendering.classic.renderer rendering.classic.gl_context rendering.filament""".split()
# modules that load a library of OpenGL, so only their names are listed
UNLOADED = ["osmesa"]
FOREIGN = ("typing", "collections", "numpy", "abc", "contextlib", "dataclasses", "concurrent")


def is_own(value):
    module = getattr(value, "__module__", None) or ""
    return not isinstance(value, types.ModuleType) and not module.startswith(FOREIGN)


def of_class(name, cls, out):
    """The members of a class."""
    out[name] = "exception" if issubclass(cls, BaseException) else "class"
    if hasattr(cls, "__members__"):
        out[name] = "enumeration"
        members = cls.__members__.items()
        out.update({f"{name}.{key}": int(getattr(x, "value", x)) for key, x in members})
        return
    if issubclass(cls, BaseException):
        return
    for key in dir(cls):
        if key.startswith("_") or key in dir(object):
            continue
        value = getattr(cls, key)
        if inspect.isclass(value):
            of_class(f"{name}.{key}", value, out)
        elif isinstance(inspect.getattr_static(cls, key), property) or not callable(value):
            out[f"{name}.{key}"] = "field"
        else:
            out[f"{name}.{key}"] = "method"


def of_module(module, prefix, out):
    """The names of a module; constants of submodules belong to their implementation."""
    for key, value in sorted(vars(module).items()):
        if key.startswith("_") or not is_own(value):
            continue
        if prefix.startswith("introspect") and getattr(value, "__module__", "") != module.__name__:
            continue
        if inspect.isclass(value):
            of_class(prefix + key, value, out)
        elif callable(value):
            out[prefix + key] = "function"
        elif not prefix:
            out[key] = "constant"


def main():
    names = {}
    of_module(mujoco, "", names)
    for part in MODULES + UNLOADED:
        try:
            if importlib.util.find_spec("mujoco." + part) is None:
                continue
        except ModuleNotFoundError:
            continue
        names[part] = "module"
        if part not in UNLOADED:
            of_module(importlib.import_module("mujoco." + part), part + ".", names)
    for key, value in vars(mujoco._structs).items():
        if re.fullmatch(r"_Mj(Model|Data)\w+Views", key):
            of_class("_structs." + key, value, names)
    print(json.dumps({"version": mujoco.__version__, "names": names}))


if __name__ == "__main__":
    main()
