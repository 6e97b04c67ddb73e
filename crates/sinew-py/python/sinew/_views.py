"""Named access: `model.body("hand").mass`, `data.joint("knee").qpos`."""

import operator

import numpy as np

from sinew import _enums, _sinew
from sinew._records import _describe

# method: (other method of the same meaning, object type, size that counts them, prefix of fields)
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

# rows that belong to one object, by the size that counts them: of which group, first row, shape
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
    """The fields of one object, each as a view of its rows."""

    __slots__ = ("_owner", "_model", "_id", "_name")
    _attributes = ()

    def __init__(self, owner, model, index, name):
        self._owner, self._model, self._id, self._name = owner, model, index, name

    @property
    def id(self):
        """The object's number."""
        return self._id

    @property
    def name(self):
        """The object's name; empty if it has none."""
        return self._name

    def __repr__(self):
        return _describe(self, ("id", "name", *self._attributes))


def _row(field):
    """Getter of a field with one row per object; a single number is an array of one."""

    def get(self):
        rows, i = getattr(self._owner, field), self._id
        return rows[i] if rows.ndim > 1 else rows[i : i + 1]

    get.field = field
    return get


def _rows(field, size, start, shape):
    """Getter of a field with several rows per object."""

    def get(self):
        m, i = self._model, self._id
        starts = getattr(m, start)
        first = int(starts[i])
        if shape is None:
            end = int(starts[i + 1]) if i + 1 < len(starts) else getattr(m, size)
            return getattr(self._owner, field)[first:end]
        dims = [int(getattr(m, s)[i]) for s in shape]
        rows = getattr(self._owner, field)[first : first + int(np.prod(dims))]
        return rows.reshape(dims) if len(dims) > 1 else rows

    get.field = field
    return get


def _moment(self):
    """The actuator's row of moments, dense; a copy."""
    m, d, i = self._model, self._owner, self._id
    first, num = int(d.moment_rowadr[i]), int(d.moment_rownnz[i])
    dense = np.zeros(m.nv)
    dense[d.moment_colind[first : first + num]] = d.actuator_moment[first : first + num]
    return dense


_moment.field = "actuator_moment"


def _getters(kind, group, size, prefix, fields):
    """Name and getter of every attribute that an object of the group has."""
    out = {}
    own = prefix if kind == "Model" else ""  # fields of a state have prefixes only against clashes
    for f in fields:
        ragged = RAGGED.get(f.rows)
        if f.name.endswith("_awake_ind"):  # a list of ids, not a property of one object
            continue
        if f.rows == size and f.name.startswith(own):
            out[f.name.removeprefix(prefix)] = _row(f.name)
        elif ragged and ragged[0] == group:
            name = f.name.removeprefix(prefix).removeprefix("dof_")
            # a joint's own entry wins over that of its dofs, except for the body
            if name not in out or name == "bodyid":
                out[name] = _rows(f.name, f.rows, *ragged[1:])
    return out


def _view_class(kind, group, size, prefix, fields):
    getters = _getters(kind, group, size, prefix, fields)
    if (kind, group) == ("Data", "actuator"):
        getters["moment"] = _moment
    body = {"__slots__": (), "_attributes": tuple(getters), "__module__": "sinew"}
    for name, get in getters.items():
        body[name] = property(
            get, lambda self, value, get=get: operator.setitem(get(self), ..., value)
        )
    return type(f"_Mj{kind}{group.capitalize()}Views", (_Views,), body)


def _lookup(views, group, obj):
    """The method that finds an object by number or name."""
    kind = getattr(_enums.mjtObj, "mjOBJ_" + obj).value

    def find(self, name=""):
        model = self if isinstance(self, _sinew.Model) else self._model
        names, ids = model._named(kind)
        if isinstance(name, str):
            index = ids.get(name)
            if index is None:
                valid = ", ".join(f"'{n}'" for n in sorted(ids))
                raise KeyError(f"Invalid name '{name}'. Valid names: [{valid}]")
        else:
            index = operator.index(name)
            if not 0 <= index < len(names):
                text = f"Invalid index {index}. Valid indices from 0 to {len(names) - 1}"
                raise IndexError(text)
        return views(self, model, index, names[index])

    find.__name__ = group
    find.__doc__ = f"The {group} of this number or name."
    return find


def add_named_access(cls, kind, groups, fields):
    """Gives the class one method per kind of object, under both of its names."""
    for group, (other, obj, size, prefix) in groups.items():
        views = _view_class(kind, group, size, prefix, fields)
        find = _lookup(views, group, obj)
        find.views = views
        for name in filter(None, (group, other)):
            setattr(cls, name, find)
