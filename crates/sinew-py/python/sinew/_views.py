"""Named access: `model.body("hand").mass`, `data.joint("knee").qpos`."""

import difflib
import operator

import numpy as np

from sinew import _enums, _sinew
from sinew._records import _describe

# valid names that the error for an unknown name lists
_LISTED = 20

# method: (synonym, object type, size, prefix of fields)
MODEL_GROUPS = {
    "actuator": (None, "ACTUATOR", "nu", "actuator_"),
    "body": (None, "BODY", "nbody", "body_"),
    "camera": ("cam", "CAMERA", "ncam", "cam_"),
    "equality": ("eq", "EQUALITY", "neq", "eq_"),
    "exclude": (None, "EXCLUDE", "nexclude", "exclude_"),
    "geom": (None, "GEOM", "ngeom", "geom_"),
    "hfield": (None, "HFIELD", "nhfield", "hfield_"),
    "joint": ("jnt", "JOINT", "njnt", "jnt_"),
    "keyframe": ("key", "KEY", "nkey", "key_"),
    "light": (None, "LIGHT", "nlight", "light_"),
    "material": ("mat", "MATERIAL", "nmat", "mat_"),
    "mesh": (None, "MESH", "nmesh", "mesh_"),
    "numeric": (None, "NUMERIC", "nnumeric", "numeric_"),
    "pair": (None, "PAIR", "npair", "pair_"),
    "sensor": (None, "SENSOR", "nsensor", "sensor_"),
    "site": (None, "SITE", "nsite", "site_"),
    "skin": (None, "SKIN", "nskin", "skin_"),
    "tendon": ("ten", "TENDON", "ntendon", "tendon_"),
    "text": (None, "TEXT", "ntext", "text_"),
    "texture": ("tex", "TEXTURE", "ntex", "tex_"),
    "tuple": (None, "TUPLE", "ntuple", "tuple_"),
}
DATA_GROUPS = {
    "actuator": (None, "ACTUATOR", "nu", "actuator_"),
    "body": (None, "BODY", "nbody", "body_"),
    "camera": ("cam", "CAMERA", "ncam", "cam_"),
    "equality": ("eq", "EQUALITY", "neq", "eq_"),
    "geom": (None, "GEOM", "ngeom", "geom_"),
    "joint": ("jnt", "JOINT", "njnt", "jnt_"),
    "light": (None, "LIGHT", "nlight", "light_"),
    "sensor": (None, "SENSOR", "nsensor", "sensor"),
    "site": (None, "SITE", "nsite", "site_"),
    "tendon": ("ten", "TENDON", "ntendon", "ten_"),
}

# ragged rows, by the size that counts them: group, first row, shape
RAGGED = {
    "nq": ("joint", "jnt_qposadr", None),
    "nv": ("joint", "jnt_dofadr", None),
    "nhfielddata": ("hfield", "hfield_adr", ("hfield_nrow", "hfield_ncol")),
    "ntexdata": ("texture", "tex_adr", ("tex_height", "tex_width", "tex_nchannel")),
    "nsensordata": ("sensor", "sensor_adr", ("sensor_dim",)),
    "nnumericdata": ("numeric", "numeric_adr", ("numeric_size",)),
    "ntextdata": ("text", "text_adr", ("text_size",)),
    "ntupledata": ("tuple", "tuple_adr", ("tuple_size",)),
}


class _Views:
    """The fields of one object, each as a view of its rows.

    A view is made at its first access and then stored as an attribute. A view refers to the arrays
    instead of the model or state, which store their named views.
    """

    __slots__ = ("__dict__", "_owner", "_model", "_id", "_name")
    _getters = {}

    def __init__(self, owner, model, index, name):
        put = object.__setattr__
        put(self, "_owner", owner)
        put(self, "_model", model)
        put(self, "_id", index)
        put(self, "_name", name)

    @property
    def id(self):
        """The object's id."""
        return self._id

    @property
    def name(self):
        """The object's name, or an empty string."""
        return self._name

    def __getattr__(self, name):
        get = self._getters.get(name)
        if get is None:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        self.__dict__[name] = value = get(self)
        return value

    def __setattr__(self, name, value):
        if name in ("id", "name") or name not in self._attributes:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        getattr(self, name)[...] = value

    def __dir__(self):
        return ["id", "name", *self._attributes]

    def __repr__(self):
        return _describe(self, ("id", "name", *self._attributes))


_MODEL_FIELDS = {f.name: f for f in _sinew.MODEL_FIELDS}


def _row(field):
    """Getter of a field with one row per object; a scalar is an array of length 1."""

    def get(self):
        rows, i = field.__get__(self._owner, None), self._id
        return rows[i] if rows.ndim > 1 else rows[i : i + 1]

    get.field = field.name
    return get


def _rows(field, size, start, shape):
    """Getter of a field with several rows per object."""

    def get(self):
        m, i = self._model, self._id
        of_model = lambda name: _MODEL_FIELDS[name].__get__(m, None)
        starts = of_model(start)
        first = int(starts[i])
        rows = field.__get__(self._owner, None)
        if shape is None:
            end = int(starts[i + 1]) if i + 1 < len(starts) else of_model(size)
            return rows[first:end]
        dims = [int(of_model(s)[i]) for s in shape]
        rows = rows[first : first + int(np.prod(dims))]
        return rows.reshape(dims) if len(dims) > 1 else rows

    get.field = field.name
    return get


_DATA_FIELDS = {f.name: f for f in _sinew.DATA_FIELDS}


def _moment(self):
    """A dense copy of the actuator's row of moments."""
    of_model = lambda name: _MODEL_FIELDS[name].__get__(self._model, None)
    of_data = lambda name: _DATA_FIELDS[name].__get__(self._owner, None)
    first, num = (int(of_data(n)[self._id]) for n in ("moment_rowadr", "moment_rownnz"))
    dense = np.zeros(of_model("nv"))
    dense[of_data("moment_colind")[first : first + num]] = of_data("actuator_moment")[
        first : first + num
    ]
    return dense


_moment.field = "actuator_moment"


def _getters(kind, group, size, prefix, fields):
    """Names and getters of the attributes of a group's objects."""
    out = {}
    own = prefix if kind == "Model" else ""  # fields of a state have prefixes only to avoid clashes
    for f in fields:
        ragged = RAGGED.get(f.rows)
        if f.name.endswith("_awake_ind"):  # a list of ids, not an attribute of one object
            continue
        if f.rows == size and f.name.startswith(own):
            out[f.name.removeprefix(prefix)] = _row(f)
        elif ragged and ragged[0] == group:
            name = f.name.removeprefix(prefix).removeprefix("dof_")
            # a joint's own field takes precedence over the field of its dofs, except for the body
            if name not in out or name == "bodyid":
                out[name] = _rows(f, f.rows, *ragged[1:])
    return out


def _view_class(kind, group, size, prefix, fields):
    getters = _getters(kind, group, size, prefix, fields)
    if (kind, group) == ("Data", "actuator"):
        getters["moment"] = _moment
    body = {"__slots__": (), "_attributes": tuple(getters), "__module__": "sinew"}
    sources = {name: get.field for name, get in getters.items()}
    body["__doc__"] = f"{', '.join(getters)} of one {group}."
    if "moment" in getters:  # computed, so never stored
        body["moment"] = property(getters.pop("moment"))
    body["_getters"] = getters
    body["_sources"] = sources
    return type(f"_Mj{kind}{group.capitalize()}Views", (_Views,), body)


def _unknown(name, names):
    """The words for an unknown name: similar names, or the valid names if they are few."""
    text = name.decode(errors="replace") if isinstance(name, bytes) else name
    near = difflib.get_close_matches(text, names, 3)
    if near:
        return f"Invalid name '{text}'. Did you mean " + " or ".join(f"'{n}'" for n in near) + "?"
    valid = ", ".join(f"'{n}'" for n in sorted(names)[:_LISTED])
    more = f", and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"Invalid name '{text}'. Valid names: [{valid}]{more}"


def _lookup(views, group, obj):
    """The method that finds an object by id or name."""
    kind = getattr(_enums.mjtObj, "mjOBJ_" + obj).value

    def find(self, name=""):
        try:
            return self._views[group, name]
        except (KeyError, TypeError):
            pass
        model = self if isinstance(self, _sinew.Model) else self._model
        names, ids = model._named(kind)
        if isinstance(name, (str, bytes)):
            index = ids.get(name.decode() if isinstance(name, bytes) else name)
            if index is None:
                raise KeyError(_unknown(name, ids))
        else:
            index = operator.index(name)
            if not 0 <= index < len(names):
                text = f"Invalid index {index}. Valid indices from 0 to {len(names) - 1}"
                raise IndexError(text)
        found = self._views.get((group, index))
        if found is None:
            arrays, of_model = self._handles
            found = views(arrays, of_model, index, names[index])
            self._views[group, index] = found
            if names[index] and ids.get(names[index]) == index:
                self._views[group, names[index]] = found
        return found

    find.__name__ = group
    find.__doc__ = f"{group}(name)\n\nThe {group} of this number or name."
    return find


def add_named_access(cls, kind, groups, fields):
    """Adds a method per object type, under both of its names; returns the classes of views."""
    out = []
    for group, (other, obj, size, prefix) in groups.items():
        views = _view_class(kind, group, size, prefix, fields)
        find = _lookup(views, group, obj)
        find.views = views
        out.append(views)
        for name in filter(None, (group, other)):
            setattr(cls, name, find)
    return out
