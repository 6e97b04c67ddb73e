"""The attributes of elements: numbers, texts, arrays that can be written in place."""

import numpy as np

from sinew import _enums, _names, _sinew
from sinew._spec.fields import TABLES

_DTYPES = {"d": np.float64, "f": np.float32, "i": np.int32}
_LISTS = {"D": np.float64, "F": np.float32, "I": np.int32}


class _Vec:
    """The members of a list that an element has, of a number that only assigning it changes."""

    __slots__ = ("_owner", "_name")

    def __init__(self, owner, name):
        self._owner, self._name = owner, name

    @property
    def _values(self):
        """A copy of the members."""
        return self._owner._get(self._name)

    def __getitem__(self, i):
        return self._owner._item(self._name, self._index(i))

    def __setitem__(self, i, value):
        self._owner._put(self._name, self._index(i), self._in(value))

    def _index(self, i):
        if not isinstance(i, (int, np.integer, _enums.MjEnum)):
            raise TypeError(f"an index must be an integer, not {type(i).__name__}")
        i = int(i)
        if not 0 <= i < len(self):
            raise IndexError("Index out of range.")
        return i

    def __len__(self):
        return self._owner._length(self._name)

    def __iter__(self):
        values = self._values
        return iter(values if isinstance(values, list) else values.tolist())


class _RealVec(_Vec):
    __slots__ = ()
    _in = staticmethod(float)

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype)


class MjDoubleVec(_RealVec):
    """Real numbers in a row."""

    __slots__ = ()


class MjFloatVec(_RealVec):
    """Real numbers of 4 bytes in a row."""

    __slots__ = ()


class MjIntVec(_Vec):
    """Integers in a row."""

    __slots__ = ()
    _in = staticmethod(lambda x: x.__index__())

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype)


class MjByteVec(MjIntVec):
    """Bytes in a row."""

    __slots__ = ()


def as_text(value, name="incompatible function arguments"):
    """Text, which may be given as bytes; anything else is an error that names the attribute."""
    if isinstance(value, bytes):
        return value.decode()
    if not isinstance(value, str):
        raise TypeError(f"{name}: wanted text, not {value!r}")
    return value


class MjStringVec(_Vec):
    """Texts in a row."""

    __slots__ = ()
    _in = staticmethod(as_text)


def _character(value, name="incompatible function arguments"):
    value = as_text(value, name)
    if len(value) != 1:
        raise ValueError("Expected a character, but multi-character string found")
    return value


class MjCharVec(_Vec):
    """Characters in a row."""

    __slots__ = ()
    _in = staticmethod(_character)


_VECS = {"D": MjDoubleVec, "F": MjFloatVec, "I": MjIntVec, "S": MjStringVec}


def real(value, name):
    """A number; anything else is an error that names the attribute."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    raise TypeError(f"{name}: wanted a number, not {value!r}")


def _integer(value, name):
    if isinstance(value, (str, bytes, float, np.floating)):
        raise TypeError(f"{name}: wanted an integer, not {value!r}")
    try:
        value = int(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: wanted an integer, not {value!r}") from None
    if not -(1 << 31) <= value < 1 << 31:
        raise TypeError(f"{name}: {value} does not fit an integer of 4 bytes")
    return value


def _members(value, name):
    """The members of a list."""
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{name}: wanted a list, not {value!r}") from None


class Field:
    """An attribute of an element: how it is read and written."""

    def __init__(self, name, kind):
        self.name, self.kind = name, kind
        self.__doc__ = f"Attribute `{name}`."

    def plain(self, element):
        """The value as numbers and texts that can be compared."""
        return element._get(self.name)

    def __get__(self, element, owner=None):
        return self if element is None else element._get(self.name)

    def __set__(self, element, value):
        element._set(self.name, self.take(value))

    def take(self, value):
        return value

    # as an argument of `add_*` it may be given otherwise
    def give(self, element, value):
        self.__set__(element, value)


class Scalar(Field):
    """A number."""

    def take(self, value):
        if self.kind == "d":
            return real(value, self.name)
        if self.kind == "f":
            return float(np.float32(real(value, self.name)))
        value = _integer(value, self.name)
        return value & 0xFF if self.kind == "u" else value


class Float(Scalar):
    """A number of 4 bytes."""


class Enum(Scalar):
    """A value of an enumeration."""

    def __init__(self, name, kind):
        self.enum = getattr(_enums, kind[2:])
        super().__init__(name, "e")

    def __get__(self, element, owner=None):
        if element is None:
            return self
        value = element._get(self.name)
        return self.enum._by_value.get(value, value)


class Text(Field):
    """A text."""

    def take(self, value):
        return as_text(value, self.name)


class Array(Field):
    """A fixed number of numbers: a numpy array that stays the same object."""

    def __init__(self, name, kind):
        self.dtype, self.count = _DTYPES[kind[0]], int(kind[1:])
        super().__init__(name, kind[0])

    def plain(self, element):
        return element._get(self.name).tolist()

    def __set__(self, element, value):
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{self.name}: wanted {self.count} numbers, not {value!r}")
        value = np.asarray(value)
        if value.dtype.kind not in "fiub" or value.size != self.count:
            raise TypeError(f"{self.name}: wanted {self.count} numbers, not {value!r}")
        element._get(self.name)[:] = value.reshape(self.count)

    def give(self, element, value):
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{self.name}: wanted a list of numbers, not {value!r}")
        value = _members(value, self.name)
        if self.name == "size" and self.count == 3:
            if not 1 <= len(value) <= 3:
                counts = "1 to 3" if _names.is_since("4.0.0") else "1, 2, or 3"
                raise ValueError(f"size should be a list/array of size {counts}.")
            value = [*value, 0, 0][:3]
        elif len(value) != self.count:
            raise ValueError(f"{self.name} should be a list/array of size {self.count}.")
        element._get(self.name)[:] = [real(x, self.name) for x in value]


class Poly(Array):
    """Coefficients of a polynomial: one number for programs of versions before 3.7, else three."""

    def __init__(self, name, kind):
        super().__init__(name, "d" + kind[1:])

    def __get__(self, element, owner=None):
        if element is None:
            return self
        value = element._get(self.name)
        return value if _names.is_since("3.7.0") else float(value[0])

    def __set__(self, element, value):
        if np.ndim(value) == 0 and not isinstance(value, (str, bytes)):
            value = [real(value, self.name), *[0.0] * (self.count - 1)]
        super().__set__(element, value)

    def give(self, element, value):
        self.__set__(element, value)


class List(Field):
    """Any number of numbers or texts."""

    def plain(self, element):
        return list(self.__get__(element))

    def __get__(self, element, owner=None):
        return self if element is None else _VECS[self.kind](element, self.name)

    def take(self, value):
        if self.kind == "S":
            value = [as_text(x, self.name) for x in _members(value, self.name)]
            if self.name == "textures" and len(value) != 10:
                raise ValueError(
                    f"material.textures must have exactly 10 elements, got {len(value)}. Assign a "
                    "list of 10 texture names (use empty strings '' for unused slots)."
                )
            return value
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{self.name}: wanted numbers, not {value!r}")
        if isinstance(value, _Vec):
            value = value._values
        try:
            value = np.array(value, _LISTS[self.kind])
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"{self.name}: wanted numbers, not {value!r}") from None
        if value.ndim != 1:
            raise TypeError(f"{self.name}: wanted numbers in a row, not of shape {value.shape}")
        return value


class Lists(Field):
    """Any number of lists of numbers."""

    def take(self, value):
        if self.kind == "FF":
            number = lambda x: float(np.float32(real(x, self.name)))
        else:
            number = lambda x: _integer(x, self.name)
        lists = [_members(inner, self.name) for inner in _members(value, self.name)]
        return [[number(x) for x in inner] for inner in lists]


class Characters(Field):
    """A fixed number of characters."""

    def __init__(self, name, kind):
        self.count = int(kind[1:])
        super().__init__(name, "c")

    def __get__(self, element, owner=None):
        return self if element is None else MjCharVec(element, self.name)

    def __set__(self, element, value):
        new = [_character(c, self.name) for c in _members(value, self.name)]
        if len(new) > self.count:
            if _names.is_since("4.0.0"):
                raise ValueError(f"{self.name} may have at most {self.count} characters")
            raise ValueError(f"{self.name} should have length {self.count}")
        rest = element._get(self.name)[len(new) :]
        if _names.is_since("4.0.0"):
            rest = ["\0"] * len(rest)
        element._set(self.name, [*new, *rest])

    def give(self, element, value):
        value = _members(value, self.name)
        if any(len(as_text(c, self.name)) != 1 for c in value):
            raise ValueError(f"{self.name} list elements must be single characters")
        if len(value) != self.count:
            raise ValueError(f"{self.name} should have length {self.count}, got {len(value)}.")
        self.__set__(element, value)


class Bytes(Field):
    """Bytes."""

    def take(self, value):
        if not isinstance(value, bytes):
            raise TypeError(f"{self.name}: wanted bytes, not {type(value).__name__}")
        return value

    def give(self, element, value):
        self.__set__(element, bytes(value))


class Part(Field):
    """A struct inside of an element: an orientation or the reference to a plugin."""

    cls = None

    def plain(self, element):
        return self.__get__(element)

    def __get__(self, element, owner=None):
        return self if element is None else element._part(self.name, self.cls)

    def __set__(self, element, value):
        if not isinstance(value, self.cls):
            raise TypeError(f"{self.name}: wanted {self.cls.__name__}, not {value!r}")
        self.__get__(element)._assign(value)


class Orientation(Part):
    """`alt` and `ialt`."""


class Plugin(Part):
    """`plugin`."""


def field_of(name, kind):
    """The attribute that a row of a table describes."""
    if kind in ("alt", "plugin"):
        return (Orientation if kind == "alt" else Plugin)(name, kind)
    if kind.startswith("e:"):
        return Enum(name, kind)
    if kind.startswith("k:"):
        return Scalar(name, "i")
    if kind[0] == "c":
        return Characters(name, kind)
    if kind[0] == "p":
        return Poly(name, kind)
    known = {"f": Float, "d": Scalar, "i": Scalar, "u": Scalar, "s": Text, "B": Bytes}
    known |= dict.fromkeys("DFIS", List) | {"FF": Lists, "II": Lists}
    return known.get(kind, Array)(name, kind)


FIELDS = {
    name: {field: field_of(field, kind) for field, kind in rows} for name, rows in TABLES.items()
}


class Record(_sinew.Record):
    """A thing with attributes from a table."""

    __slots__ = ()
    _fields = {}

    def _plain(self, name):
        """The value of an attribute, for comparing."""
        return self._fields[name].plain(self)


def add_fields(cls, table):
    """Gives a class the attributes of a table."""
    cls._kind, cls._fields = table, FIELDS[table]
    for name, field in cls._fields.items():
        setattr(cls, name, field)
    return cls
