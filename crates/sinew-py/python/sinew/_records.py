"""Small structs (options, statistics, contacts, ...) as objects over their memory."""

import numpy as np

from sinew import _names, _sinew


class MjStruct(_sinew.Struct):
    """A struct of numbers: scalars are plain attributes, arrays are numpy views."""

    __slots__ = ()
    __hash__ = None
    _fields = ()
    _default = b""

    def __copy__(self):
        return type(self)._over(self._bytes())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _restore, (type(self), self._bytes())

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        same = lambda n: np.array_equal(getattr(self, n), getattr(other, n))
        return all(same(f[0]) for f in self._fields)

    def __repr__(self):
        return _describe(self, (f[0] for f in self._fields))

    @classmethod
    def _over(cls, memory):
        """The struct at `memory`, or a struct with these bytes and its own memory."""
        return _sinew.Struct.__new__(cls, memory)


def _describe(obj, names, indent=""):
    lines = [f"<{type(obj).__name__}"]
    lines += [f"{indent}  {name}: {getattr(obj, name)!r}" for name in sorted(names)]
    return "\n".join([*lines, indent + ">"])


def _restore(cls, data):
    return cls._over(data)


def as_float(value):
    """A number for a float field; text is rejected, as in MuJoCo."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"incompatible function arguments: wanted a number, not {value!r}")
    return float(value)


def _struct(name):
    """The class of the record called `name` in the extension module's table."""
    default, fields = _sinew.RECORDS[name]
    body = {"__slots__": (), "_fields": tuple(fields), "_default": default, "__module__": "sinew"}
    body["_all_fields"] = tuple(f[0] for f in fields)
    body["__doc__"] = f"{name}()\n\nFields: {', '.join(body['_all_fields'])}."
    for index, (field, dtype, width, offset, doc) in enumerate(fields):
        body[field] = _sinew.StructField(field, dtype, width, offset, doc, index)
    for kind, chosen in (
        ("_float_fields", lambda dtype, width: dtype == "float64" and width == 1),
        ("_floatarray_fields", lambda dtype, width: dtype == "float64" and width > 1),
        ("_int_fields", lambda dtype, width: dtype == "int32"),
    ):
        body[kind] = tuple(f[0] for f in fields if chosen(f[1], f[2]))
    return type(name.rpartition(".")[2], (MjStruct,), body)


MjOption = _struct("MjOption")
MjStatistic = _struct("MjStatistic")
MjContact = _struct("MjContact")
MjWarningStat = _struct("MjWarningStat")
MjTimerStat = _struct("MjTimerStat")
MjSolverStat = _struct("MjSolverStat")
MjLROpt = _struct("MjLROpt")


def _copy_into(own, other):
    """Gives settings the values of others."""
    if type(own) is not type(other):
        raise TypeError(f"wanted {type(own).__name__}, got {type(other).__name__}")
    for name in own._names if isinstance(own, MjVisual) else own._all_fields:
        value = getattr(other, name)
        if isinstance(own, MjVisual):
            _copy_into(getattr(own, name), value)
        else:
            setattr(own, name, value)


def assigning(name):
    """The setter of settings as a whole, which copies their values (since MuJoCo 4.0).

    Programs that see an earlier version get the error of that version.
    """

    def assign(self, value):
        if not _names.is_since("4.0.0"):
            raise AttributeError(f"property of '{type(self).__name__}' object has no setter")
        _copy_into(getattr(self, name), value)

    return assign


def _assign_part(name):
    def assign(self, value):
        _copy_into(self._parts[name], value)

    return assign


class MjVisual:
    """Visual settings of a model."""

    __slots__ = ("_parts",)
    __hash__ = None

    Global = _struct("MjVisual.Global")
    Quality = _struct("MjVisual.Quality")
    Headlight = _struct("MjVisual.Headlight")
    Map = _struct("MjVisual.Map")
    Scale = _struct("MjVisual.Scale")
    Rgba = _struct("MjVisual.Rgba")
    _names = ("global_", "quality", "headlight", "map", "scale", "rgba")

    def __new__(cls):
        parts = (cls.Global, cls.Quality, cls.Headlight, cls.Map, cls.Scale, cls.Rgba)
        self = object.__new__(cls)
        self._parts = {n: part() for n, part in zip(cls._names, parts)}
        return self

    @classmethod
    def _over(cls, part_memory):
        """The settings with their parts in the memory returned by `part_memory(name)`."""
        self = object.__new__(cls)
        classes = (cls.Global, cls.Quality, cls.Headlight, cls.Map, cls.Scale, cls.Rgba)
        parts = zip(cls._names, classes)
        self._parts = {n: c._over(part_memory("vis." + n.rstrip("_"))) for n, c in parts}
        return self

    def __copy__(self):
        return self._over(lambda name: self._find(name)._bytes())

    def __deepcopy__(self, memo):
        return self.__copy__()

    def _find(self, name):
        return next(p for n, p in self._parts.items() if n.rstrip("_") == name.partition(".")[2])

    def __eq__(self, other):
        return self._parts == other._parts if isinstance(other, MjVisual) else NotImplemented

    def __repr__(self):
        parts = (f"  {n}: {_describe(p, p._all_fields, '  ')}" for n, p in self._parts.items())
        return "\n".join(["<MjVisual", *parts, ">"])


for _name in MjVisual._names:
    _part = property(lambda self, n=_name: self._parts[n], _assign_part(_name))
    setattr(MjVisual, _name, _part)

# MuJoCo's name of this part is a Python keyword, accessible by `getattr`
setattr(MjVisual, "global", property(lambda self: self._parts["global_"]))
MjVisualHeadlight = MjVisual.Headlight
MjVisualRgba = MjVisual.Rgba


class _StructList(_sinew.StructList):
    """A list of structs: an index selects one, an attribute all of them."""

    __slots__ = ()
    __hash__ = None
    _item = MjStruct

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        names = self._item._all_fields
        return all(np.array_equal(getattr(self, n), getattr(other, n)) for n in names)

    def __repr__(self):
        return _describe(self, self._item._all_fields)


def _list_of(item):
    """The class of lists of `item`."""
    body = {"__slots__": (), "_item": item, "__module__": "sinew"}
    body["__doc__"] = f"{item.__name__} in a row: one by index, one attribute of all by name."
    for field, dtype, width, offset, doc in item._fields:
        body[field] = _sinew.StructColumn(dtype, width, offset, doc)
    return type(f"_{item.__name__}List", (_StructList,), body)


_MjContactList = _list_of(MjContact)
_MjWarningStatList = _list_of(MjWarningStat)
_MjTimerStatList = _list_of(MjTimerStat)
_MjSolverStatList = _list_of(MjSolverStat)
