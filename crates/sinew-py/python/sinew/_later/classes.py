"""Classes that came after 3.5.0."""

import copy

import numpy as np


class _Record:
    """A struct of a few attributes, each with a default."""

    _defaults = {}

    def __init__(self, **values):
        for name, value in {**self._defaults, **values}.items():
            if name not in self._defaults:
                raise TypeError(f"{type(self).__name__}(): no attribute '{name}'")
            setattr(self, name, copy.copy(value))

    __hash__ = None

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(getattr(self, n), getattr(other, n)) for n in self._defaults)

    def __repr__(self):
        listed = (f"  {name}: {getattr(self, name)!r}" for name in sorted(self._defaults))
        return "\n".join([f"<{type(self).__name__}", *listed, ">"])


def _record(name, doc, **defaults):
    body = {"__doc__": f"{name}()\n\n{doc}", "_defaults": defaults, "__module__": "sinew"}
    return type(name, (_Record,), body | defaults)


MjLogMessage = _record(
    "MjLogMessage",
    "A message of the engine. Sinew writes no log: messages are warnings of Python.",
    **{"body": None, "file": None, "func": None, "level": 0, "line": 0},
    **{"subject": "", "timestamp": False, "topic": 0},
)
MjPreContact = _record(
    "MjPreContact",
    "A contact before its frame is made.",
    dist=0.0,
    **{name: np.zeros(3) for name in ("normal", "pos", "tangent")},
)
MjrRendererInfo = _record("MjrRendererInfo", "Names of a renderer.", backend="", renderer="classic")
MjrVertexAttribute = _record("MjrVertexAttribute", "A part of a vertex.", usage=0, type=0)
_SETTINGS = {"logfile": "", "logto_console": False, "logto_file": False, "topics": 0}


class MjLogConfig(_record("MjLogConfig", "", **_SETTINGS)):
    """MjLogConfig()

    Settings of the log. Sinew writes no log: settings are kept, and have no effect.
    """

    _current = dict(_SETTINGS)

    @staticmethod
    def get():
        """get()

        The present settings.
        """
        return MjLogConfig(**MjLogConfig._current)

    def set(self):
        """set()

        Makes these the present settings.
        """
        MjLogConfig._current.update({name: getattr(self, name) for name in _SETTINGS})


MjLogConfig.__module__ = "sinew"

_PARTS = "option disableflags enableflags disableactuator".split()
_PARTS += [f"visual_{name}" for name in "global headlight map quality rgba scale".split()]
MjsAuthored = _record(
    "MjsAuthored",
    "Bits of the settings that a file gives. Sinew keeps no such bits: all are zero.",
    **dict.fromkeys(_PARTS, 0),
)

__all__ = """MjLogConfig MjLogMessage MjPreContact MjrRendererInfo MjrVertexAttribute
MjsAuthored""".split()
