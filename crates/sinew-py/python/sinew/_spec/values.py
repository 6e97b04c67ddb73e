"""How an element keeps its attributes: numbers, texts, arrays that can be written in place."""

import math

import numpy as np

from sinew import _enums, _names
from sinew._spec.fields import TABLES

_DTYPES = {"d": np.float64, "f": np.float32, "i": np.int32}
_LISTS = {"D": np.float64, "F": np.float32, "I": np.int32}


class _Vec:
    """Values in a row, of a number that only assigning the whole attribute changes."""

    __slots__ = ("_values",)

    def __init__(self, values):
        self._values = values

    def __getitem__(self, i):
        return self._out(self._values[self._index(i)])

    def __setitem__(self, i, value):
        self._values[self._index(i)] = self._in(value)

    def _index(self, i):
        if not isinstance(i, (int, np.integer, _enums.MjEnum)):
            raise TypeError(f"an index must be an integer, not {type(i).__name__}")
        i = int(i)
        if not 0 <= i < len(self._values):
            raise IndexError("Index out of range.")
        return i

    def __len__(self):
        return len(self._values)

    def __iter__(self):
        return (self._out(v) for v in self._values)


class _RealVec(_Vec):
    __slots__ = ()
    _out = staticmethod(float)
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
    _out = staticmethod(int)
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
    _out = staticmethod(lambda x: x)
    _in = staticmethod(as_text)


def _character(value, name="incompatible function arguments"):
    value = as_text(value, name)
    if len(value) != 1:
        raise ValueError("Expected a character, but multi-character string found")
    return value


class MjCharVec(_Vec):
    """Characters in a row."""

    __slots__ = ()
    _out = staticmethod(lambda x: x)
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
    """An attribute of an element: how it is kept, read, written and copied."""

    def __init__(self, name, kind, preset, xml):
        self.name, self.kind, self.xml = name, kind, xml
        self.__doc__ = f"Attribute `{name}`."
        self.default = self._default(preset)

    def _default(self, preset):
        """The default, from the numbers or the text of the table."""
        raise NotImplementedError

    def fresh(self):
        """A value of its own with the default."""
        return self.default

    def copy(self, value):
        """A value of its own that is equal."""
        return value

    def plain(self, value):
        """The value as numbers and texts that can be compared."""
        return value

    def __get__(self, element, owner=None):
        if element is None:
            return self
        return self.show(self.of(element))

    def of(self, element):
        """The value that is kept."""
        values = element._v
        value = values.get(self.name)
        if value is None:
            value = values[self.name] = self.fresh()
        return value

    def show(self, value):
        return value

    def __set__(self, element, value):
        element._v[self.name] = self.take(value)

    def take(self, value):
        return value

    # as an argument of `add_*` it may be given otherwise
    def give(self, element, value):
        self.__set__(element, value)


class Scalar(Field):
    """A number."""

    def _default(self, preset):
        number = preset[0] if preset else 0.0
        return number if self.kind in "df" else int(number)

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
    """One of an enumeration."""

    def __init__(self, name, kind, preset, xml):
        self.enum = getattr(_enums, kind[2:])
        super().__init__(name, "e", preset, xml)
        self.words = kind[2:]

    def show(self, value):
        return self.enum._by_value.get(value, value)

    def take(self, value):
        return _integer(value, self.name)


class Text(Field):
    """A text."""

    def _default(self, preset):
        return preset or ""

    def take(self, value):
        return as_text(value, self.name)


class Array(Field):
    """A fixed number of numbers: a numpy array that stays the same object."""

    def __init__(self, name, kind, preset, xml):
        self.dtype, self.count = _DTYPES[kind[0]], int(kind[1:])
        super().__init__(name, kind[0], preset, xml)

    def _default(self, preset):
        value = np.array([*preset, *[0.0] * (self.count - len(preset))], self.dtype)
        self.default_plain = value.tolist()
        return value

    def fresh(self):
        return self.default.copy()

    def copy(self, value):
        return value.copy()

    def plain(self, value):
        return value.tolist()

    def __set__(self, element, value):
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{self.name}: wanted {self.count} numbers, not {value!r}")
        value = np.asarray(value)
        if value.dtype.kind not in "fiub" or value.size != self.count:
            raise TypeError(f"{self.name}: wanted {self.count} numbers, not {value!r}")
        self.of(element)[:] = value.reshape(self.count)

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
        self.of(element)[:] = [real(x, self.name) for x in value]


class Poly(Array):
    """Coefficients of a polynomial: one number for programs of versions before 3.7, else three."""

    def __init__(self, name, kind, preset, xml):
        super().__init__(name, "d" + kind[1:], preset, xml)

    def show(self, value):
        return value if _names.is_since("3.7.0") else float(value[0])

    def __set__(self, element, value):
        if np.ndim(value) == 0 and not isinstance(value, (str, bytes)):
            value = [real(value, self.name), *[0.0] * (self.count - 1)]
        super().__set__(element, value)

    def give(self, element, value):
        self.__set__(element, value)


class List(Field):
    """Any number of numbers or texts."""

    def _default(self, preset):
        if self.kind == "S":
            return preset.split(",") if preset else []
        return np.zeros(0, _LISTS[self.kind])

    def fresh(self):
        return self.default.copy()

    def copy(self, value):
        return value.copy()

    def plain(self, value):
        return list(value) if self.kind == "S" else value.tolist()

    def show(self, value):
        return _VECS[self.kind](value)

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

    def _default(self, preset):
        return []

    def fresh(self):
        return []

    def copy(self, value):
        return [list(v) for v in value]

    def show(self, value):
        return self.copy(value)

    def take(self, value):
        if self.kind == "FF":
            number = lambda x: float(np.float32(real(x, self.name)))
        else:
            number = lambda x: _integer(x, self.name)
        lists = [_members(inner, self.name) for inner in _members(value, self.name)]
        return [[number(x) for x in inner] for inner in lists]


class Characters(Field):
    """A fixed number of characters."""

    def __init__(self, name, kind, preset, xml):
        self.count = int(kind[1:])
        super().__init__(name, "c", preset, xml)

    def _default(self, preset):
        return list(preset)

    def fresh(self):
        return list(self.default)

    def copy(self, value):
        return list(value)

    def show(self, value):
        return MjCharVec(value)

    def __set__(self, element, value):
        new = [_character(c, self.name) for c in _members(value, self.name)]
        if len(new) > self.count:
            raise ValueError(f"{self.name} should have length {self.count}")
        self.of(element)[: len(new)] = new

    def give(self, element, value):
        value = _members(value, self.name)
        if any(len(as_text(c, self.name)) != 1 for c in value):
            raise ValueError(f"{self.name} list elements must be single characters")
        if len(value) != self.count:
            raise ValueError(f"{self.name} should have length {self.count}, got {len(value)}.")
        self.of(element)[:] = value


class Bytes(Field):
    """Bytes."""

    def _default(self, preset):
        return b""

    def take(self, value):
        if not isinstance(value, bytes):
            raise TypeError(f"{self.name}: wanted bytes, not {type(value).__name__}")
        return value

    def give(self, element, value):
        self.__set__(element, bytes(value))


class Part(Field):
    """A struct inside of an element: an orientation or the reference to a plugin."""

    cls = None

    def _default(self, preset):
        return None

    def of(self, element):
        value = element._v.get(self.name)
        if value is None:
            value = element._v[self.name] = self.cls()
        return value

    def fresh(self):
        return self.cls()

    def copy(self, value):
        return value._copy()

    def __set__(self, element, value):
        if not isinstance(value, self.cls):
            raise TypeError(f"{self.name}: wanted {self.cls.__name__}, not {value!r}")
        self.of(element)._assign(value)


class Orientation(Part):
    """`alt` and `ialt`."""


class Plugin(Part):
    """`plugin`."""


def field_of(name, kind, preset, xml):
    """The attribute that a row of a table describes."""
    if kind in ("alt", "plugin"):
        return (Orientation if kind == "alt" else Plugin)(name, kind, preset, None)
    if kind.startswith("e:"):
        return Enum(name, kind, preset, xml)
    if kind.startswith("k:"):
        field = Scalar(name, "i", preset, xml)
        field.words = kind[2:]
        return field
    if kind[0] == "c":
        return Characters(name, kind, preset, xml)
    if kind[0] == "p" and kind != "plugin":
        return Poly(name, kind, preset, xml)
    known = {"f": Float, "d": Scalar, "i": Scalar, "u": Scalar, "s": Text, "B": Bytes}
    known |= dict.fromkeys("DFIS", List) | {"FF": Lists, "II": Lists}
    return known.get(kind, Array)(name, kind, preset, xml)


FIELDS = {name: {row[0]: field_of(*row) for row in rows} for name, rows in TABLES.items()}


class Record:
    """A thing with attributes from a table."""

    __slots__ = ("_v",)
    _fields = {}

    def __init__(self):
        self._v = {}

    def _copy(self):
        new = type(self)()
        new._assign(self)
        return new

    def _assign(self, other):
        """Takes the values of another."""
        for name, value in other._v.items():
            self._v[name] = self._fields[name].copy(value)

    def _plain(self, name):
        """The value of an attribute, for comparing."""
        field = self._fields[name]
        return field.plain(field.of(self))


def add_fields(cls, table):
    """Gives a class the attributes of a table."""
    cls._fields = FIELDS[table]
    for name, field in cls._fields.items():
        setattr(cls, name, field)
    return cls


def defined(x):
    """Whether a number was given: NaN stands for none."""
    return not math.isnan(x)
