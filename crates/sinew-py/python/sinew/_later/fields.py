"""Fields, members and methods that other versions of MuJoCo have, made from `names.tsv`."""

import numpy as np

from sinew import _sinew, _names
from sinew._later import computed
from sinew._later.rows import Rows

_MODEL = {f.name: f for f in _sinew.MODEL_FIELDS}
_DATA = {f.name: f for f in _sinew.DATA_FIELDS}


def refuse(name, since, what="physics"):
    """The error for an ability that only another version has."""
    if _names.is_later(since):
        text = f"{name} needs the {what} of MuJoCo {since}; Sinew has those of {_names.DEFAULT}"
    else:
        text = f"{name} needs {what}, which Sinew does not have"
    return NotImplementedError(text)


def size(owner, name):
    """A number, or the size of a model or state with this name."""
    if name.isdigit():
        return int(name)
    if name in computed.SIZES:
        return computed.SIZES[name](owner)
    model = owner if isinstance(owner, _sinew.Model) else owner._model
    if name in _MODEL:
        return _MODEL[name].__get__(model, None)
    return _DATA[name].__get__(owner, None) if name in _DATA else 0


class Neutral:
    """A field without meaning under the numbers of 3.5.0. It has one value."""

    def __init__(self, line):
        self.name, self.since = line.name, line.since
        value, kind, *self.sizes = line.how.split()
        texts = {"str": "", "floats": (), "ints": ()}
        self.kind = {"floats": "float64", "ints": "int32"}.get(kind, kind)
        self.value = texts[kind] if kind in texts else np.dtype(kind).type(float(value)).item()
        self.is_list = kind in ("floats", "ints")
        self.__doc__ = f"Field of MuJoCo {self.since}, always {value}."

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        if self.is_list:
            return np.zeros(0, self.kind)
        if not self.sizes:
            return self.value
        return self.rows(owner, self.value)

    def rows(self, owner, numbers):
        """The array of the field, with these numbers."""
        array = np.empty([size(owner, name) for name in self.sizes], self.kind)
        array[...] = np.reshape(numbers, array.shape if np.ndim(numbers) else ())
        return computed.kept(owner, self.name, Rows.of(array, self, owner))

    def __set__(self, owner, value):
        self.check(value)

    def give(self, element, value):
        """Effect of an argument of `add_*`."""
        self.check(value)

    def check(self, value):
        """Raises an error unless the value is the only one that the field has."""
        given, value = value, np.asarray(value)
        wanted, kinds = ("a string", "U") if self.kind == "str" else ("numbers", "biuf")
        if value.dtype.kind not in kinds:
            raise TypeError(f"{self.name}: wanted {wanted}, got {type(given).__name__}")
        if not np.all(value == np.asarray(self.value, value.dtype)):
            if not (self.is_list and value.size == 0):
                raise refuse(f"{self.name} = {value.tolist()}", self.since)


class Table(Neutral):
    """A field that models have in a table beside their arrays, and others as one value."""

    def __init__(self, line):
        super().__init__(line._replace(how=line.how.removeprefix("table ")))
        self.table = self.name.removeprefix("MjModel.")
        self.__doc__ = f"Field of MuJoCo {self.since}."

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        numbers = _sinew.later_table(_model_of(owner), self.table)
        if numbers is None:
            return super().__get__(owner, cls)
        return self.rows(owner, numbers)

    def __set__(self, owner, value):
        if self.kind != "float64":
            raise AttributeError(f"{self.name} follows from other fields and cannot be set")
        shape = [size(owner, name) for name in self.sizes]
        array = np.broadcast_to(np.asarray(value, np.float64), shape)
        _sinew.set_later_table(_model_of(owner), self.table, array.ravel().tolist())


def _model_of(owner):
    return owner if isinstance(owner, _sinew.Model) else owner._model


class Alias:
    """Another name for a field of the same object, or of its model."""

    def __init__(self, line, own):
        cls, _, self.target = line.how.removeprefix("as ").partition(".")
        self.own = cls == own
        self.__doc__ = f"Name of `{self.target}` in MuJoCo {line.since}."

    def _field(self, owner):
        """The object and the field that the name leads to."""
        if isinstance(owner, _sinew.Data) and not self.own:
            return owner._model, _MODEL[self.target]
        own = _DATA if isinstance(owner, _sinew.Data) else _MODEL
        return owner, own.get(self.target) or getattr(type(owner), self.target)

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        shown, field = self._field(owner)
        value = field.__get__(shown, None)
        if shown is not owner and isinstance(value, np.ndarray):
            # a state does not change its model
            value = value.view()
            value.flags.writeable = False
        return value

    def __set__(self, owner, value):
        owner, field = self._field(owner)
        field.__set__(owner, value)


def refusing(line):
    """A function or method that raises an error."""
    what = line.how.removeprefix("needs ")

    def function(*args, **kwargs):
        raise refuse(line.name, line.since, what)

    function.__name__ = line.name.rpartition(".")[2]
    function.__qualname__ = line.name
    function.__module__ = "sinew"
    function.__doc__ = f"{function.__name__}(...)\n\nRaises an error: needs MuJoCo {line.since}."
    return function


def members(cls):
    """Fields of a class that 3.5.0 lacks: names, and the types of their values as stubs name them."""
    for name, field in sorted(vars(cls).items()):
        if isinstance(field, Neutral):
            scalar = "bool" if field.kind == "bool" else "float" if "f" in field.kind else "int"
            is_array = field.sizes or field.is_list
            yield (
                name,
                f"NDArray[np.{field.kind}{'_' * (scalar == 'bool')}]" if is_array else scalar,
            )
        elif isinstance(field, (Alias, computed.Computed)):
            yield name, "Any"


def give(owners):
    """Gives classes the members that the table lists; `owners` has the classes by name."""
    for line in _names.others():
        cls, _, name = line.name.rpartition(".")
        owner = owners.get(cls)
        if owner is None or hasattr(owner, name):
            continue
        if line.how.startswith("as "):
            target = getattr(owner, line.how.rpartition(".")[2], None)
            member = target if callable(target) else Alias(line, cls)
        elif line.how.startswith("needs "):
            member = refusing(line)
        elif line.how == "written":
            member = computed.MEMBERS.get(line.name)
        else:
            member = Table(line) if line.how.startswith("table ") else Neutral(line)
        if member is not None:
            setattr(owner, name, member)


def give_views(model, data, groups_of_model, groups_of_data):
    """Gives named views the attributes of the other versions' fields."""
    for line in _names.others():
        if not line.name.startswith("_structs._Mj"):
            continue
        view, _, attribute = line.name.removeprefix("_structs.").rpartition(".")
        kind, owner, groups = ("Model", model, groups_of_model)
        if view.startswith("_MjData"):
            kind, owner, groups = ("Data", data, groups_of_data)
        group = view.removeprefix("_Mj" + kind).removesuffix("Views").lower()
        prefix = groups[group][3]
        views = getattr(owner, group).views
        names = (prefix + attribute, attribute, "ten_" + attribute, "dof_" + attribute)
        found = next((n for n in names if getattr(owner, n, None) is not None), None)
        if found is not None and attribute not in views._attributes:
            own = _plastic(group) if found == "plastic" else _row(getattr(owner, found), group)
            views._getters[attribute] = own
            views._attributes = (*views._attributes, attribute)
            views._sources[attribute] = found


def _plastic(group):
    """Getter of the part of the plastic state that an object has."""
    kind = {"joint": "jnt", "jnt": "jnt"}.get(group, group)

    def get(self):
        places = _sinew.later_table(self._model, f"{kind}_plasticadr")
        first = -1 if places is None else int(places[self._id])
        if kind == "tendon":
            width = 2
        else:
            width = 4 if int(_MODEL["jnt_type"].__get__(self._model, None)[self._id]) == 1 else 1
        plastic = _DATA["plastic"].__get__(self._owner, None)
        return plastic[first : first + width] if first >= 0 else plastic[:0]

    get.field = group
    return get


def _row(field, group):
    """Getter of the rows of one object; objects without such rows have none."""

    def get(self):
        rows = field.__get__(self._owner, type(self._owner))
        if isinstance(field, Neutral) and field.name.startswith("MjModel.dof_"):
            first = int(_MODEL["jnt_dofadr"].__get__(self._model, None)[self._id])
            width = (6, 3, 1, 1)[int(_MODEL["jnt_type"].__get__(self._model, None)[self._id])]
            return rows[first : first + width]
        if len(rows) <= self._id:
            return rows[:0]
        return rows[self._id] if rows.ndim > 1 else rows[self._id : self._id + 1]

    get.field = group
    return get
