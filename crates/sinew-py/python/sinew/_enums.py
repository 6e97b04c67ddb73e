"""MuJoCo's enumerations, built from the table in the extension module."""

import operator

from sinew import _sinew, _names


class MjEnum:
    """A named integer: equal to its value, usable as an index, and combined with others as
    integers."""

    __slots__ = ("name", "value")

    def __new__(cls, value):
        member = cls._by_value.get(operator.index(value))
        if member is None:
            raise ValueError(f"Invalid int value for {cls.__name__}: {operator.index(value)}")
        return member

    def __init_subclass__(cls, values=(), **kwargs):
        super().__init_subclass__(**kwargs)
        cls._by_value = {}
        cls.__members__ = {}
        for name, value in values:
            member = object.__new__(cls)
            object.__setattr__(member, "name", name)
            object.__setattr__(member, "value", value)
            cls.__members__[name] = member
            cls._by_value.setdefault(value, member)
            setattr(cls, name, member)

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} has no writable attribute '{name}'")

    def __index__(self):
        return self.value

    __int__ = __index__

    def __float__(self):
        return float(self.value)

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, MjEnum) else other)

    def __ne__(self, other):
        return not self == other

    def __neg__(self):
        return -self.value

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self):
        return f"<{self}: {self.value}>"

    def __reduce__(self):
        return type(self), (self.value,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _operators():
    """Defines arithmetic and bit operations, in both operand orders, on the values."""
    number = lambda x: x.value if isinstance(x, MjEnum) else x
    for name in "add sub mul truediv floordiv mod and or xor lshift rshift".split():
        op = getattr(operator, name + ("_" if name in ("and", "or") else ""))
        setattr(MjEnum, f"__{name}__", lambda a, b, op=op: op(a.value, number(b)))
        setattr(MjEnum, f"__r{name}__", lambda a, b, op=op: op(b, a.value))


_operators()

# members that other versions of MuJoCo have come after those of 3.5.0, before the number of members
_ALL = {name: list(values) for name, values in _sinew.ENUMS.items()}
for _line in _names.others():
    _name, _, _member = _line.name.rpartition(".")
    if _line.how.startswith("= ") and _name.startswith(("mjt", "mjr")) and "." not in _name:
        _values = _ALL.setdefault(_name, [])
        _count = bool(_values) and _values[-1][0].startswith("mjN")
        _values.insert(len(_values) - _count, (_member, int(_line.how[2:])))

for _name, _values in _ALL.items():
    _cls = type(MjEnum)(_name, (MjEnum,), {"__slots__": (), "__module__": "sinew"}, values=_values)
    # a number means the member of 3.5.0
    for _member, _value in reversed(_sinew.ENUMS.get(_name, ())):
        _cls._by_value[_value] = _cls.__members__[_member]
    globals()[_name] = _cls

__all__ = list(_ALL)
