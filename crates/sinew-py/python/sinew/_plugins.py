"""Plugins: user classes that `<plugin>` elements refer to, and MuJoCo's functions for plugin
libraries."""

import os

from sinew import _errors, _sinew

__all__ = ["PLUGINS_DIR", "PLUGIN_HANDLES", "mj_loadAllPluginLibraries", "mj_loadPluginLibrary", "plugin_names",
           "register_plugin"]

# folder and names of loaded plugin libraries, as in MuJoCo's package; here there are none
PLUGINS_DIR = os.path.join(os.path.dirname(__file__), "plugin")
PLUGIN_HANDLES = []

# MuJoCo's libraries, whose plugins are built in
_BUILT_IN = ("libactuator", "libelasticity", "libsdf_plugin", "libsensor",
             "actuator", "elasticity", "sdf_plugin", "sensor")
_SUFFIXES = (".so", ".dylib", ".dll")


def register_plugin(cls: "type") -> "type":
    """register_plugin(cls)

    Registers a class as a plugin for models loaded afterwards; usable as a decorator. A registered
    class of the same name is replaced.

    The class has these attributes:

    - `name`: the name in `<plugin plugin="...">`;
    - `attributes`: the permitted keys of `<config>`, default none;
    - `capabilities`: bits of `mjtPluginCapabilityBit`;
    - `needstage`: for sensors, the `mjtStage` that precedes their computation, default the position
      stage;
    - `nstate` and, for sensors, `nsensordata`: the number of values of an instance in
      `plugin_state`, and of a sensor in `sensordata`. Both are integers or static methods of the
      configuration;
    - `__init__(self, config, instance)`: called for each `MjData`, with the configuration as a
      dictionary of strings and the index of the instance. Exceptions of the function become errors
      of loading the model.

    The class may have these methods:

    - `reset(self, state)`: initialises its values of `plugin_state`, given as an array;
    - `act_dot(self, model, data)`: writes derivatives of its actuators' activations to
      `data.act_dot`;
    - `compute(self, model, data, capability)`: writes `data.actuator_force` of its actuators or
      `data.sensordata` of its sensors, or adds to `data.qfrc_passive`;
    - `advance(self, model, data)`: updates its values of `plugin_state` at the end of a step;
    - `distance(self, points)` and `aabb(self)`: for signed distance fields, the distances at an
      `(n, 3)` array of points, and a bounding box of the surface as centre and half sizes.

    Values that change during a simulation belong in `plugin_state`, which is copied, saved and
    restored with the state. Copying an `MjData` makes deep copies of its instances.
    """
    name = getattr(cls, "name", None)
    if not isinstance(name, str):
        raise TypeError(f"a plugin must have a name, a str: {cls!r} has {name!r}")
    attributes = getattr(cls, "attributes", ())
    if isinstance(attributes, str):
        raise TypeError("attributes must be a sequence of names, not one str")
    needstage = int(getattr(cls, "needstage", 0))
    _sinew.register_plugin(cls, name, list(attributes), int(cls.capabilities), needstage)
    return cls


def plugin_names() -> "list[str]":
    """plugin_names()

    The names of all registered plugins, MuJoCo's first.
    """
    return _sinew.plugin_names()


def mj_loadPluginLibrary(path: "str | os.PathLike[str]"):
    """mj_loadPluginLibrary(path)

    Does nothing for MuJoCo's own libraries, whose plugins are built in. Other libraries are an
    error, because they expect MuJoCo's own structs: see `register_plugin`.
    """
    stem, suffix = os.path.splitext(os.path.basename(os.fspath(path)))
    if suffix not in _SUFFIXES or stem not in _BUILT_IN:
        raise _errors.FatalError(
            f"Error loading plugin library '{path}': a C library expects MuJoCo's own structs, which "
            "there are none of here; MuJoCo's plugins are built in, and sinew.register_plugin takes "
            "your own as Python classes")


def mj_loadAllPluginLibraries(directory: "str | os.PathLike[str]"):
    """mj_loadAllPluginLibraries(directory)

    Calls `mj_loadPluginLibrary` for all libraries in a folder; does nothing if the folder does not
    exist.
    """
    if not os.path.isdir(directory):
        return
    for name in sorted(os.listdir(directory)):
        if name.endswith(_SUFFIXES) and os.path.isfile(os.path.join(directory, name)):
            mj_loadPluginLibrary(os.path.join(directory, name))
