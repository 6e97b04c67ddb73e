"""Settings of an editable model: compiler, options, visualisation, statistics."""

import math

import numpy as np

from sinew import _enums, _records, _sinew
from sinew._spec.fields import KEYWORDS, SETTINGS
from sinew._spec.values import Record, add_fields

_FLAGS = SETTINGS["flag"]
DISABLE = _FLAGS[: int(_enums.mjtDisableBit.mjNDISABLE)]
ENABLE = _FLAGS[len(DISABLE) :]
OPTION_WORDS = {
    "integrator": "mjtIntegrator",
    "cone": "mjtCone",
    "jacobian": "mjtJacobian",
    "solver": "mjtSolver",
}
# the options of MuJoCo come before the groups of actuators, those it does not have after them
OPTIONS = SETTINGS["option"][: SETTINGS["option"].index("actuatorgroupdisable")]
VISUAL_FLAGS = ("orthographic", "ellipsoidinertia", "bvactive")
SIZES = [name for name in SETTINGS["size"] if name != "memory"]


class MjsCompiler(Record):
    """How a model is to be compiled."""

    __slots__ = ("_lropt", "_dir")
    __module__ = "sinew"

    def __init__(self):
        super().__init__()
        self._lropt, self._dir = _records.MjLROpt(), ""
        _sinew.mj_defaultLROpt(self._lropt)

    @property
    def LRopt(self):
        """How the ranges of the lengths of actuators are found."""
        return self._lropt

    @LRopt.setter
    def LRopt(self, value):
        if type(value) is not _records.MjLROpt:
            raise TypeError(f"LRopt: wanted MjLROpt, not {value!r}")
        self._lropt = value.__copy__()

    def _copy(self):
        new = MjsCompiler()
        new._assign(self)
        return new

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


def read_option(spec, attrs, children):
    """Sets options from what a file says."""
    option = spec.option
    for name, value in attrs.items():
        if name == "actuatorgroupdisable":
            for group in value:
                option.disableactuator |= 1 << int(group)
        elif name in OPTIONS:
            _set(option, name, value)
        else:
            spec._option_extra[name] = value
    for child in children:
        for name, word in child[1].items():
            on = word == "enable"
            if name in DISABLE:
                bit = 1 << DISABLE.index(name)
                option.disableflags = option.disableflags & ~bit | (0 if on else bit)
            else:
                bit = 1 << ENABLE.index(name)
                option.enableflags = option.enableflags & ~bit | (bit if on else 0)


def read_statistic(spec, attrs):
    """Sets statistics from what a file says."""
    for name, value in attrs.items():
        _set(spec.stat, name, value)


def read_visual(spec, children):
    """Sets the visualisation from what a file says."""
    for tag, attrs, *_ in children:
        part = spec.visual._parts["global_" if tag == "global" else tag]
        for name, value in attrs.items():
            _set(part, name, value)


def same(value, other):
    """Whether two numbers or arrays are equal."""
    if isinstance(value, (int, float)):
        return value == other
    return value.tolist() == other.tolist()


def plain_settings(spec):
    """Options, sizes, statistics and visualisation as plain data."""
    # options that differ from their defaults
    option, attrs, flags = spec.option, dict(spec._option_extra), {}
    default = _records.MjOption()
    for name in OPTIONS:
        value = getattr(option, name)
        words = KEYWORDS.get(OPTION_WORDS.get(name, ""))
        if not same(value, getattr(default, name)) and (words is None or value in words):
            attrs[name] = value
    groups = [i for i in range(31) if option.disableactuator >> i & 1]
    if groups:
        attrs["actuatorgroupdisable"] = np.array(groups, np.int32)
    flags |= {n: "disable" for i, n in enumerate(DISABLE) if option.disableflags >> i & 1}
    flags |= {n: "enable" for i, n in enumerate(ENABLE) if option.enableflags >> i & 1}
    yield element("option", attrs, [element("flag", flags)] if flags else [])

    # sizes
    sizes = {name: getattr(spec, name) for name in SIZES if getattr(spec, name) != -1}
    if spec.memory != -1:
        sizes["memory"] = str(spec.memory)
    yield element("size", sizes)

    # statistics that are given
    stat = spec.stat
    names = ("meaninertia", "meanmass", "meansize", "extent")
    given = {n: float(getattr(stat, n)) for n in names if not math.isnan(getattr(stat, n))}
    if not math.isnan(stat.center[0]):
        given["center"] = stat.center
    yield element("statistic", given)

    # visualisation that differs from its defaults
    parts, defaults = [], _records.MjVisual()
    for name, part in spec.visual._parts.items():
        attrs = {}
        for field in part._all_fields:
            value = getattr(part, field)
            if not same(value, getattr(defaults._parts[name], field)):
                flag = name == "global_" and field in VISUAL_FLAGS
                attrs[field] = int(value != 0) if flag else value
        if attrs:
            parts.append(element(name.rstrip("_"), attrs))
    yield element("visual", {}, parts)


def element(tag, attrs, children=(), scope=0, mark=0, data=b"", cls=None):
    """An element as plain data; `cls` is the number of its default class."""
    return (tag, attrs, cls, scope, mark, data, list(children))
