"""Settings of an editable model: compiler, options, visualisation, statistics."""

import math

from sinew import _enums, _records, _sinew
from sinew._spec.fields import SETTINGS
from sinew._spec.values import Record, add_fields

_FLAGS = SETTINGS["flag"]
DISABLE = _FLAGS[: int(_enums.mjtDisableBit.mjNDISABLE)]
ENABLE = _FLAGS[len(DISABLE) :]
# the options of MuJoCo come before the groups of actuators, those it does not have after them
OPTIONS = SETTINGS["option"][: SETTINGS["option"].index("actuatorgroupdisable")]


class MjsCompiler(Record):
    """The settings of the compiler of a model."""

    __slots__ = ("_lropt", "_dir")
    __module__ = "sinew"

    def __init__(self):
        self._lropt, self._dir = _records.MjLROpt(), ""
        _sinew.mj_defaultLROpt(self._lropt)

    @property
    def LRopt(self):
        """The settings of the search for the ranges of lengths of actuators."""
        return self._lropt

    @LRopt.setter
    def LRopt(self, value):
        if type(value) is not _records.MjLROpt:
            raise TypeError(f"LRopt: wanted MjLROpt, not {value!r}")
        self._lropt = value.__copy__()

    def _assign(self, other):
        super()._assign(other)
        self._lropt, self._dir = other._lropt.__copy__(), other._dir


add_fields(MjsCompiler, "compiler")


def new_statistic():
    """Statistics of which none is given."""
    stat = _records.MjStatistic()
    for name in ("meaninertia", "meanmass", "meansize", "extent"):
        setattr(stat, name, math.nan)
    stat.center = [math.nan, 0, 0]
    return stat


def _set(record, name, value):
    """Sets a number or an array of a struct."""
    old = getattr(record, name)
    if isinstance(old, (int, float)):
        setattr(record, name, type(old)(value))
    else:
        old[: len(value)] = value


def read_option(spec, attrs, flags):
    """Sets options from the values of a file."""
    option = spec.option
    for name, value in attrs.items():
        if name == "actuatorgroupdisable":
            for group in value:
                option.disableactuator |= 1 << int(group)
        elif name in OPTIONS:
            _set(option, name, value)
        else:
            spec._option_extra[name] = value
    for name, word in flags.items():
        on = word == "enable"
        if name in DISABLE:
            bit = 1 << DISABLE.index(name)
            option.disableflags = option.disableflags & ~bit | (0 if on else bit)
        else:
            bit = 1 << ENABLE.index(name)
            option.enableflags = option.enableflags & ~bit | (bit if on else 0)


def read_statistic(spec, attrs):
    """Sets statistics from the values of a file."""
    for name, value in attrs.items():
        _set(spec.stat, name, value)


def read_visual(spec, part, attrs):
    """Sets a part of the visualisation from the values of a file."""
    for name, value in attrs.items():
        _set(spec.visual._parts[part], name, value)
