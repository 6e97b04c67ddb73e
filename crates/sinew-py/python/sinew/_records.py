"""Small structs (options, statistics, contacts, ...) as objects over the memory they lie in."""

import operator

import numpy as np

from sinew import _sinew


class MjStruct:
    """A struct of numbers: scalars are plain attributes, arrays are numpy views."""

    __slots__ = ("_mem", "_float64", "_float32", "_int32", "_int64", "_uint8", "_int8")
    __hash__ = None
    _fields = ()
    _default = b""

    def __init__(self):
        self._place(np.frombuffer(bytearray(self._default), np.uint8))

    @classmethod
    def _over(cls, mem):
        """The struct whose bytes are the array `mem`."""
        self = cls.__new__(cls)
        self._place(mem)
        return self

    def _place(self, mem):
        self._mem = mem
        for dtype in {f[1] for f in self._fields}:
            whole = len(mem) // np.dtype(dtype).itemsize * np.dtype(dtype).itemsize
            setattr(self, "_" + dtype, mem[:whole].view(dtype))

    def __copy__(self):
        return self._over(np.array(self._mem))

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _restore, (type(self), bytes(self._mem))

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        same = lambda n: np.array_equal(getattr(self, n), getattr(other, n))
        return all(same(f[0]) for f in self._fields)

    def __repr__(self):
        return _describe(self, (f[0] for f in self._fields))


def _describe(obj, names, indent=""):
    lines = [f"<{type(obj).__name__}"]
    lines += [f"{indent}  {name}: {getattr(obj, name)!r}" for name in sorted(names)]
    return "\n".join([*lines, indent + ">"])


def _restore(cls, data):
    return cls._over(np.frombuffer(bytearray(data), np.uint8))


def as_float(value):
    """A number for a real field; text is refused as MuJoCo refuses it."""
    if isinstance(value, (str, bytes)):
        raise TypeError(f"incompatible function arguments: wanted a number, not {value!r}")
    return float(value)


def _attribute(dtype, width, offset, doc):
    """A property over one field of a struct."""
    slot, first = "_" + dtype, offset // np.dtype(dtype).itemsize
    numbers = operator.attrgetter(slot)
    if width > 1:

        def get(self):
            return numbers(self)[first : first + width]

        def put(self, value):
            numbers(self)[first : first + width] = value
    else:
        convert = as_float if dtype.startswith("float") else operator.index

        def get(self):
            return numbers(self).item(first)

        def put(self, value):
            numbers(self)[first] = convert(value)

    return property(get, put, doc=doc)


def _struct(name):
    """The class of the record called `name` in the extension module's table."""
    default, fields = _sinew.RECORDS[name]
    body = {"__slots__": (), "_fields": tuple(fields), "_default": default, "__module__": "sinew"}
    body["_all_fields"] = tuple(f[0] for f in fields)
    for field, dtype, width, offset, doc in fields:
        body[field] = _attribute(dtype, width, offset, doc)
    return type(name.rpartition(".")[2], (MjStruct,), body)


MjOption = _struct("MjOption")
MjStatistic = _struct("MjStatistic")
MjContact = _struct("MjContact")
MjWarningStat = _struct("MjWarningStat")
MjTimerStat = _struct("MjTimerStat")
MjSolverStat = _struct("MjSolverStat")
MjLROpt = _struct("MjLROpt")


class MjVisual:
    """The settings of the visualiser."""

    __slots__ = ("_parts",)
    __hash__ = None

    Global = _struct("MjVisual.Global")
    Quality = _struct("MjVisual.Quality")
    Headlight = _struct("MjVisual.Headlight")
    Map = _struct("MjVisual.Map")
    Scale = _struct("MjVisual.Scale")
    Rgba = _struct("MjVisual.Rgba")
    _names = ("global_", "quality", "headlight", "map", "scale", "rgba")

    def __init__(self):
        raise TypeError("sinew.MjVisual: No constructor defined!")

    @classmethod
    def _over(cls, part_memory):
        """The settings whose parts lie in the arrays that `part_memory(name)` gives."""
        self = cls.__new__(cls)
        classes = (cls.Global, cls.Quality, cls.Headlight, cls.Map, cls.Scale, cls.Rgba)
        parts = zip(cls._names, classes)
        self._parts = {n: c._over(part_memory("vis." + n.rstrip("_"))) for n, c in parts}
        return self

    def __copy__(self):
        return self._over(lambda name: np.array(self._find(name)._mem))

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
    setattr(MjVisual, _name, property(lambda self, n=_name: self._parts[n]))

MjVisualHeadlight = MjVisual.Headlight
MjVisualRgba = MjVisual.Rgba


class _StructList:
    """Structs in a row: indexed to one of them, or by attribute to all of them at once."""

    __slots__ = ("_mem",)
    __hash__ = None
    _item = MjStruct

    def __init__(self, mem):
        self._mem = mem.reshape(-1, len(self._item._default))

    def __len__(self):
        return len(self._mem)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return type(self)(self._mem[key])
        index = operator.index(key)
        if not 0 <= index < len(self._mem):
            raise IndexError(f"index {index} of {len(self._mem)}")
        return self._item._over(self._mem[index])

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        names = self._item._all_fields
        return all(np.array_equal(getattr(self, n), getattr(other, n)) for n in names)

    def __repr__(self):
        return _describe(self, self._item._all_fields)


def _column(dtype, width, offset, doc):
    first = offset // np.dtype(dtype).itemsize
    key = (slice(None), slice(first, first + width) if width > 1 else first)
    return property(lambda self: self._mem.view(dtype)[key], doc=doc)


def _list_of(item):
    """The class of lists of `item`."""
    body = {"__slots__": (), "_item": item, "__module__": "sinew"}
    for field, dtype, width, offset, doc in item._fields:
        body[field] = _column(dtype, width, offset, doc)
    return type(f"_{item.__name__}List", (_StructList,), body)


_MjContactList = _list_of(MjContact)
_MjWarningStatList = _list_of(MjWarningStat)
_MjTimerStatList = _list_of(MjTimerStat)
_MjSolverStatList = _list_of(MjSolverStat)
