"""Comparing editable models of MuJoCo and Sinew: elements, compiled models, XML."""

import re

import numpy as np

import sinew
from sinew import _names
from sinew._spec.values import FIELDS

LISTS = {
    "bodies": "body", "frames": "frame", "geoms": "geom", "joints": "joint", "sites": "site",
    "cameras": "camera", "lights": "light", "flexes": "flex", "meshes": "mesh", "skins": "skin",
    "hfields": "hfield", "textures": "texture", "materials": "material", "pairs": "pair",
    "equalities": "equality", "tendons": "tendon", "actuators": "actuator", "sensors": "sensor",
    "numerics": "numeric", "texts": "text", "tuples": "tuple", "keys": "key",
    "excludes": "exclude",
}  # fmt: skip
# MuJoCo says how much memory it needs; a signature is a hash of its own
OWN = {"signature", "nbuffer", "narena"}


# fields of versions of MuJoCo after the compared one
LATER = {line.name for line in _names.table() if _names.is_later(line.since)}


def fields_of(kind):
    """The attributes of a kind of element that this version of MuJoCo has, too."""
    return [name for name in FIELDS[kind] if f"Mjs{kind.capitalize()}.{name}" not in LATER]


def plain(value):
    """A value as numbers, texts and lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if type(value).__name__.startswith("mjt"):
        return int(value)
    if type(value).__name__.endswith("Vec"):
        return list(value)
    return value


def same(a, b):
    a, b = plain(a), plain(b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (a != a and b != b)


def element_differences(kind, a, b):
    """Attributes in which two elements differ."""
    out = []
    for name in fields_of(kind):
        # where it was written: Sinew has it also for elements of composites and flexcomps
        if name in ("plugin", "info"):
            continue
        x, y = getattr(a, name), getattr(b, name)
        if name in ("alt", "ialt"):
            parts = ("type", "axisangle", "xyaxes", "zaxis", "euler")
            out += [f"{kind}.{name}.{p}" for p in parts if not same(getattr(x, p), getattr(y, p))]
        elif (kind, name) == ("texture", "data"):
            continue  # MuJoCo also shows pixels of a compilation that failed later
        elif (kind, name) == ("sensor", "refname") and not int(b.reftype):
            continue  # MuJoCo adds prefixes to the name of nothing
        elif not same(x, y):
            out.append(f"{kind}.{name}: {plain(x)} {plain(y)}")
    if a.name != b.name:
        out.append(f"{kind}.name: {a.name} {b.name}")
    if kind != "body" and hasattr(a, "classname") and a.classname.name != b.classname.name:
        out.append(f"{kind}.classname: {a.classname.name} {b.classname.name}")
    return out


def spec_differences(a, b):
    """The differences of the elements and settings of two models."""
    out = []
    for plural, kind in LISTS.items():
        x, y = getattr(a, plural), getattr(b, plural)
        if len(x) != len(y):
            out.append(f"{plural}: {len(x)} {len(y)}")
            continue
        for p, q in zip(x, y):
            out += element_differences(kind, p, q)
    for name in fields_of("compiler"):
        if not same(getattr(a.compiler, name), getattr(b.compiler, name)):
            out.append(f"compiler.{name}")
    for name in FIELDS["spec"]:
        if not same(getattr(a, name), getattr(b, name)):
            out.append(f"spec.{name}: {getattr(a, name)!r} {getattr(b, name)!r}")
    for part, record in (("option", sinew.MjOption), ("stat", sinew.MjStatistic)):
        for name in record._all_fields:
            if not same(getattr(getattr(a, part), name), getattr(getattr(b, part), name)):
                out.append(f"{part}.{name}")
    return out


def model_differences(a, b):
    """Fields in which two compiled models differ by more than rounding."""
    out = []
    for name in sinew.MjModel._all_fields:
        if name in OWN or not hasattr(a, name):
            continue
        x, y = getattr(a, name), getattr(b, name)
        if name == "bvh_nodeid":
            # of inner nodes MuJoCo keeps the values of the last compilation
            leaves = a.bvh_child[:, 0] < 0
            x, y = x[leaves[: len(x)]], y[leaves[: len(y)]]
        if not isinstance(x, np.ndarray):
            if x != y:
                out.append(f"{name}: {x} {y}")
        elif x.shape != y.shape:
            out.append(f"{name}: {x.shape} {y.shape}")
        elif x.dtype.kind == "f":
            if not np.allclose(x, y, rtol=1e-12, atol=1e-12, equal_nan=True):
                out.append(f"{name}: {x} {y}")
        elif not np.array_equal(x, y):
            out.append(f"{name}: {x} {y}")
    for name in sinew.MjOption._all_fields:
        if not same(getattr(a.opt, name), getattr(b.opt, name)):
            out.append(f"opt.{name}")
    return out


def text(xml):
    """XML without the types of files, which MuJoCo writes unless it has them in its cache."""
    return re.sub(r' content_type="model/[^"]*"', "", xml)


def check(a, b):
    """Two models have the same elements, compile to the same, and are written alike."""
    assert spec_differences(a, b) == []
    assert model_differences(a.compile(), b.compile()) == []
    assert text(b.to_xml()) == text(a.to_xml())
