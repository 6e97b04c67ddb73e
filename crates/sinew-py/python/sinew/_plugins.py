"""Plugins: classes of the user that `<plugin>` elements find, and MuJoCo's functions for libraries."""

import os

from sinew import _errors, _sinew

__all__ = ["PLUGINS_DIR", "PLUGIN_HANDLES", "mj_loadAllPluginLibraries", "mj_loadPluginLibrary", "plugin_names",
           "register_plugin"]

# where MuJoCo's package has its libraries, and those it has loaded; here there are none
PLUGINS_DIR = os.path.join(os.path.dirname(__file__), "plugin")
PLUGIN_HANDLES = []

# MuJoCo's libraries, all of whose plugins are built in
_BUILT_IN = ("libactuator", "libelasticity", "libsdf_plugin", "libsensor",
             "actuator", "elasticity", "sdf_plugin", "sensor")
_SUFFIXES = (".so", ".dylib", ".dll")


def register_plugin(cls: "type") -> "type":
    """register_plugin(cls)

    Lets `<plugin>` elements of models that are loaded from now on find a class by its name; usable
    as a decorator. A class of the same name that was registered before is replaced.

    The class has

    - `name`: what `<plugin plugin="...">` says;
    - `attributes`: the keys that `<config>` may have, default none;
    - `capabilities`: bits of `mjtPluginCapabilityBit`;
    - `needstage`: for sensors, the `mjtStage` after which they are computed, default the position's;
    - `nstate` and, for sensors, `nsensordata`: how many numbers of `plugin_state` an instance has and
      how many one of its sensors gives: numbers, or static methods of the settings;
    - `__init__(self, config, instance)`: called for each `MjData`, with the settings as a dictionary
      of texts and the number of the instance; what it raises is the error of loading the model.

    and those of these methods that it needs:

    - `reset(self, state)`: sets its numbers of `plugin_state`, given as an array;
    - `act_dot(self, model, data)`: writes rates of activation of its actuators to `data.act_dot`;
    - `compute(self, model, data, capability)`: writes `data.actuator_force` of its actuators or
      `data.sensordata` of its sensors, or adds to `data.qfrc_passive`;
    - `advance(self, model, data)`: advances its numbers of `plugin_state` at the end of a step;
    - `distance(self, points)` and `aabb(self)`: for signed distance fields, the distances of an
      `(n, 3)` array of points, and a box around the surface: centre and half sizes.

    What changes while a simulation runs belongs into `plugin_state`, which is copied, saved and
    restored with the rest of the state. When a `MjData` is copied, so are its instances, deeply.
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

    The names of all plugins that models find, MuJoCo's first.
    """
    return _sinew.plugin_names()


def mj_loadPluginLibrary(path: "str | os.PathLike[str]"):
    """mj_loadPluginLibrary(path)

    Does nothing for MuJoCo's own libraries, whose plugins are built in; an error for others, which
    expect MuJoCo's own structs: see `register_plugin`.
    """
    stem, suffix = os.path.splitext(os.path.basename(os.fspath(path)))
    if suffix not in _SUFFIXES or stem not in _BUILT_IN:
        raise _errors.FatalError(
            f"Error loading plugin library '{path}': a C library expects MuJoCo's own structs, which "
            "there are none of here; MuJoCo's plugins are built in, and sinew.register_plugin takes "
            "your own as Python classes")


def mj_loadAllPluginLibraries(directory: "str | os.PathLike[str]"):
    """mj_loadAllPluginLibraries(directory)

    `mj_loadPluginLibrary` of all libraries in a folder; nothing if there is no such folder.
    """
    if not os.path.isdir(directory):
        return
    for name in sorted(os.listdir(directory)):
        if name.endswith(_SUFFIXES) and os.path.isfile(os.path.join(directory, name)):
            mj_loadPluginLibrary(os.path.join(directory, name))
