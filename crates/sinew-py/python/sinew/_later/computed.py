"""Fields of other versions that have a value under the numbers of 3.5.0: they are computed."""

import numpy as np

from sinew import _sinew

_MODEL = {f.name: f for f in _sinew.MODEL_FIELDS}
_DATA = {f.name: f for f in _sinew.DATA_FIELDS}
# the gain of servos of orientations
_SO3 = 4
_WRAP_JOINT, _WRAP_SITE, _WRAP_GEOMS = 1, 3, (4, 5)

# fields by name, and sizes that are computed
MEMBERS, SIZES = {}, {}


def of_model(owner, name):
    """A field of a model, or of a state's model."""
    model = owner if isinstance(owner, _sinew.Model) else owner._model
    return _MODEL[name].__get__(model, None)


def of_data(owner, name):
    """A field of a state."""
    return _DATA[name].__get__(owner, None)


def kept(owner, name, array):
    """The array of a field that stays the same object while its shape does, with these values.

    Programs may keep weak references to arrays, which MuJoCo's structs own.
    """
    arrays = getattr(owner, "_views", None)
    if arrays is None:
        return array
    old = arrays.get(("", name))
    if old is None or old.shape != array.shape:
        arrays["", name] = array
        return array
    writable = old.flags.writeable
    old.flags.writeable = True
    old.view(np.ndarray)[...] = array
    old.flags.writeable = writable
    return old


class Computed:
    """A field whose value is computed when it is read."""

    def __init__(self, name, compute):
        self.name, self.compute, self.__doc__ = name, compute, compute.__doc__

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        value = self.compute(owner)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
            return kept(owner, self.name, value)
        return value

    def __set__(self, owner, value):
        raise AttributeError(f"{self.name} is computed and cannot be set")


def _computed(name):
    """Registers a function as the field `name`."""

    def register(compute):
        MEMBERS[name] = Computed(name, compute)
        if name.startswith("MjModel.n"):
            SIZES[name.removeprefix("MjModel.")] = compute
        return compute

    return register


# orientations


def _product(a, b):
    """Products of quaternions, row by row."""
    (w, x, y, z), (i, j, k, m) = a.T, b.T
    rows = (
        w * i - x * j - y * k - z * m,
        w * j + x * i + y * m - z * k,
        w * k - x * m + y * i + z * j,
        w * m + x * k - y * j + z * i,
    )
    return np.stack(rows, 1)


@_computed("MjData.xiquat")
def _xiquat(d):
    """Orientations of the bodies' inertias."""
    return _product(of_data(d, "xquat"), of_model(d, "body_iquat"))


def _orientations(kind):
    def compute(d):
        bodies = of_model(d, f"{kind}_bodyid")
        return _product(of_data(d, "xquat")[bodies], of_model(d, f"{kind}_quat"))

    compute.__doc__ = f"Orientations of the {kind}s."
    return compute


for _kind in ("geom", "site"):
    _computed(f"MjData.{_kind}_xquat")(_orientations(_kind))

# tendons


def _dofs_of_tendon(m, tendon):
    """The dofs that may move a tendon, in order."""
    first = int(of_model(m, "tendon_adr")[tendon])
    wraps = slice(first, first + int(of_model(m, "tendon_num")[tendon]))
    types, ids = of_model(m, "wrap_type")[wraps], of_model(m, "wrap_objid")[wraps]
    if len(types) and types[0] == _WRAP_JOINT:
        return sorted(of_model(m, "jnt_dofadr")[ids].tolist())
    bodies = [int(of_model(m, "site_bodyid")[i]) for t, i in zip(types, ids) if t == _WRAP_SITE]
    geoms = [int(of_model(m, "geom_bodyid")[i]) for t, i in zip(types, ids) if t in _WRAP_GEOMS]
    parents, found = of_model(m, "body_parentid"), set()
    for body in bodies + geoms:
        while body > 0:
            dofs = int(of_model(m, "body_dofadr")[body])
            found.update(range(dofs, dofs + int(of_model(m, "body_dofnum")[body])))
            body = int(parents[body])
    return sorted(found)


def _tendon_columns(m):
    return [_dofs_of_tendon(m, i) for i in range(of_model(m, "ntendon"))]


@_computed("MjModel.ten_J_rownnz")
def _ten_rownnz(m):
    """Numbers of dofs that may move the tendons."""
    return np.array([len(c) for c in _tendon_columns(m)], np.int32)


@_computed("MjModel.ten_J_rowadr")
def _ten_rowadr(m):
    """First entries of the tendons in `ten_J_colind`."""
    ends = np.cumsum(_ten_rownnz(m), dtype=np.int32)
    return (ends - _ten_rownnz(m)).astype(np.int32)


@_computed("MjModel.ten_J_colind")
def _ten_colind(m):
    """Dofs that may move the tendons."""
    return np.array([dof for c in _tendon_columns(m) for dof in c], np.int32)


@_computed("MjModel.nJten")
def _nten(m):
    """Number of entries of the tendons' Jacobian."""
    return sum(len(c) for c in _tendon_columns(m))


@_computed("MjModel.tendon_type")
def _tendon_type(m):
    """Kinds of the tendons, of `mjtTendon`."""
    first = of_model(m, "wrap_type")[of_model(m, "tendon_adr")]
    return (first != _WRAP_JOINT).astype(np.int32)


def _dense_tendons(d):
    """The Jacobian of the tendons as a matrix."""
    count, nv = of_model(d, "ntendon"), of_model(d, "nv")
    values = of_data(d, "ten_J")
    if not _sinew.mj_isSparse(d._model):
        return np.array(values).reshape(count, nv)
    dense, flat = np.zeros((count, nv)), np.ravel(values)
    names = ("ten_J_rownnz", "ten_J_rowadr", "ten_J_colind")
    number, first, columns = (np.ravel(of_data(d, n)) for n in names)
    for i in range(count):
        part = slice(first[i], first[i] + number[i])
        dense[i, columns[part]] = flat[part]
    return dense


class _Entries(np.ndarray):
    """Entries of the tendons' Jacobian; assigned values are also in the state's matrix."""

    state = None

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if self.state is not None:
            _put_tendons(self.state, np.asarray(self))


def _places(d):
    """Rows and columns of the entries in the layout of `MjModel.ten_J_colind`."""
    rows = np.repeat(np.arange(of_model(d, "ntendon")), _ten_rownnz(d._model))
    return rows, _ten_colind(d._model)


def _put_tendons(d, entries):
    """Sets the Jacobian of the tendons from its entries."""
    dense = np.zeros((of_model(d, "ntendon"), of_model(d, "nv")))
    dense[_places(d)] = entries
    if not _sinew.mj_isSparse(d._model):
        of_data(d, "ten_J")[...] = dense.reshape(of_data(d, "ten_J").shape)
        return
    names = ("ten_J_rownnz", "ten_J_rowadr", "ten_J_colind")
    number, first, columns = (of_data(d, n).reshape(-1) for n in names)
    flat = of_data(d, "ten_J").reshape(-1)
    for i, row in enumerate(dense):
        count = np.count_nonzero(row)
        place = slice(first[i], first[i] + count)
        number[i], columns[place] = count, np.flatnonzero(row)
        flat[place] = row[columns[place]]


class TendonEntries:
    """Jacobian of the tendons since 3.6: the entries that `ten_J_colind` of the model lists."""

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        entries = _dense_tendons(owner)[_places(owner)].view(_Entries)
        # the arrays of a state instead of the state, which avoids a reference cycle
        entries.state = owner._handles[0] if hasattr(owner, "_handles") else owner
        return kept(owner, "MjData.ten_J", entries)

    def __set__(self, owner, value):
        self.__get__(owner)[...] = value


class Flat:
    """A field of a model in one row, as later versions have it."""

    def __init__(self, name):
        self.name = name

    def __get__(self, owner, cls=None):
        if owner is None:
            return self
        flat = of_model(owner, self.name).reshape(-1)
        return owner._views.setdefault(("", self.name), flat)

    def __set__(self, owner, value):
        self.__get__(owner)[...] = value


# constraints, in the layout of 3.3


def _transposed(part):
    """The transposed Jacobian of `part`: its entries, and their rows."""

    def compute(d):
        number, first, columns, values = (
            np.ravel(of_data(d, f"{part}_{n}" if n else part))
            for n in ("rownnz", "rowadr", "colind", "")
        )
        nv = of_model(d, "nv")
        if not _sinew.mj_isSparse(d._model):
            dense = np.ravel(values).reshape(-1, nv) if nv else np.zeros((0, 0))
            zeros = np.zeros(nv, np.int32)
            return np.ravel(dense.T), np.zeros(0, np.int32), zeros, zeros
        rows = np.repeat(np.arange(len(number)), number)
        places = np.concatenate(
            [np.arange(a, a + n) for a, n in zip(first, number)] or [[]]
        ).astype(int)
        order = np.argsort(columns[places], kind="stable")
        count = np.bincount(columns[places], minlength=nv).astype(np.int32)
        adr = (np.cumsum(count) - count).astype(np.int32)
        return values[places][order], rows[order].astype(np.int32), count, adr

    return compute


for _part in ("efc_J", "iefc_J"):
    _all = _transposed(_part)
    for _place, _name in enumerate(("", "_colind", "_rownnz", "_rowadr")):
        _get = lambda d, all=_all, place=_place: all(d)[place]
        _get.__doc__ = f"Part of the transposed `{_part}`."
        _computed(f"MjData.{_part}T{_name}")(_get)
    _none = lambda d: np.zeros(of_model(d, "nv"), np.int32)
    _none.__doc__ = f"Equal rows that follow a row of the transposed `{_part}`; none are sought."
    _computed(f"MjData.{_part}T_rowsuper")(_none)


@_computed("MjData.solver_nisland")
def _islands(d):
    """Number of parts that the solver solves, at least one."""
    return max(1, of_data(d, "nisland"))


# models


@_computed("MjModel.actuator_ctrladr")
def _actuators(m):
    """First rows of the controls and forces of the actuators: their own."""
    return np.arange(of_model(m, "nu"), dtype=np.int32)


_computed("MjModel.actuator_outadr")(_actuators)


@_computed("MjModel.actuator_ctrlnum")
def controls_of(m):
    """Numbers of controls: an actuator of several has a row for each, of which the first counts."""
    nu = of_model(m, "nu")
    owners = _sinew.later_table(m, "actuator_owner")
    return np.bincount(np.arange(nu) if owners is None else np.int64(owners), minlength=nu).astype(
        np.int32
    )


@_computed("MjModel.actuator_outnum")
def _outputs(m):
    """Numbers of forces: three of a servo of orientations."""
    is_servo = of_model(m, "actuator_gaintype") == _SO3
    return np.where(controls_of(m) > 0, np.where(is_servo, 3, 1), 0).astype(np.int32)


@_computed("MjModel.flg_gravcomp")
def _gravcomp(m):
    """Whether gravity is compensated for any body."""
    return bool(np.any(of_model(m, "body_gravcomp")))


@_computed("MjModel.flg_surfacevel")
def _surfacevel(m):
    """Whether the surface of any geom moves."""
    return _sinew.later_table(m, "geom_surfacevel") is not None


@_computed("MjModel.flg_adhesion")
def _adhesion(m):
    """Whether the contacts of any geom or pair may pull."""
    tables = ("geom_adhesion", "pair_adhesion")
    return any(_sinew.later_table(m, name) is not None for name in tables)


@_computed("MjData.qfrc_adhesion")
def _qfrc_adhesion(d):
    """Forces of contacts that pull, among the passive forces."""
    return np.array(_sinew.adhesion_forces(d._model, d))


@_computed("MjModel.light_directional")
def _directional(m):
    """Which lights are directional."""
    return (of_model(m, "light_type") == 1).astype(np.uint8)


@_computed("MjModel.nplastic")
def _nplastic(m):
    """Length of the plastic state."""
    return _sinew.plastic_size(m)


def _scaled(name, width):
    def compute(m):
        return (of_model(m, name) * width).astype(np.int32)

    compute.__doc__ = f"{width} times `{name}`: addresses in the flat array."
    return compute


_computed("MjModel.flex_stiffnessadr")(_scaled("flex_elemadr", 21))
_computed("MjModel.flex_bendingadr")(_scaled("flex_edgeadr", 17))


@_computed("MjModel.nflexstiffness")
def _nstiffness(m):
    """Number of stiffness parameters of all flexes."""
    return of_model(m, "flex_stiffness").size


@_computed("MjModel.nflexbending")
def _nbending(m):
    """Number of bending parameters of all flexes."""
    return of_model(m, "flex_bending").size


@_computed("MjModel.npolygonmax")
def _npolygon(m):
    """Largest number of vertices of a mesh's polygon."""
    return int(max(of_model(m, "mesh_polyvertnum"), default=0))


@_computed("MjModel.nmeshdegmax")
def _ndegree(m):
    """Largest number of polygons that meet at a vertex of a mesh."""
    return int(max(of_model(m, "mesh_polymapnum"), default=0))


@_computed("MjModel.mesh_extrema")
def _extrema(m):
    """Vertices of the meshes' hulls that are farthest in the 27 directions of a grid."""
    grid = np.array([-1, 0, 1], np.float32)
    directions = np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), -1).reshape(-1, 3)
    out = np.zeros((of_model(m, "nmesh"), 27), np.int32)
    graph, vertices = of_model(m, "mesh_graph"), of_model(m, "mesh_vert")
    starts = zip(of_model(m, "mesh_graphadr"), of_model(m, "mesh_vertadr"))
    for i, (start, first) in enumerate(starts):
        if start >= 0:
            count = int(graph[start])
            ids = graph[start + 2 + count : start + 2 + 2 * count]
            x, y, z = (vertices[first + ids, k][:, None] for k in range(3))
            dots = x * directions[:, 0] + y * directions[:, 1] + z * directions[:, 2]
            out[i] = np.argmax(dots, 0)
    return out
