"""Many simulations of one model under the names of MuJoCo 3.17's module `batch`.

    batch = sinew.batch.Batch(model, nsim=1024)
    batch.ctrl[:] = policy(batch.qpos)
    batch.step()

`sinew.Batch` makes the steps, and is faster to call: its arrays are the memory of the worlds. Here
the state of a simulation is a row of `Batch.state`, of which `bind("qpos")` is a view. Other fields
are copied after every call, and read-only. `Batch.warning` has numbers of warnings, but not their
details. A stage before the accelerations computes those too.
"""

import copy
import re

import numpy as np

from sinew import _batch, _callbacks, _enums, _functions, _records, _sinew
from sinew._errors import FatalError
from sinew._later import batch_views
from sinew._structs import MjData, MjModel

_STATE = _enums.mjtState
_INTEGRATION = int(_STATE.mjSTATE_INTEGRATION)
_ACC, _NONE = int(_enums.mjtStage.mjSTAGE_ACC), int(_enums.mjtStage.mjSTAGE_NONE)
# fields that are parts of a state, in the order of a state's parts
_PARTS = {
    "time": "TIME",
    "qpos": "QPOS",
    "qvel": "QVEL",
    "act": "ACT",
    "history": "HISTORY",
    "qacc_warmstart": "WARMSTART",
    "ctrl": "CTRL",
    "qfrc_applied": "QFRC_APPLIED",
    "xfrc_applied": "XFRC_APPLIED",
    "eq_active": "EQ_ACTIVE",
    "mocap_pos": "MOCAP_POS",
    "mocap_quat": "MOCAP_QUAT",
    "userdata": "USERDATA",
    "plugin_state": "PLUGIN",
}
# assets, which all simulations share
_ASSETS = (
    "mesh_",
    "skin_",
    "tex_",
    "hfield_",
    "flex_elem",
    "plugin_attr",
    "text_data",
    "names",
    "paths",
)

# the fields that `set_const` computes: constants of the model, and all statistics
_CONSTANTS = [f.name for f in _sinew.MODEL_FIELDS if f.derived]
_CONSTANTS += ["stat." + name for name in _records.MjStatistic._all_fields]

DATA_FIELDS = frozenset(_batch._FIELDS - {"warning"}) | frozenset(_PARTS)
MODEL_FIELDS = frozenset(
    [f.name for f in _sinew.MODEL_FIELDS if f.rows and not f.name.startswith(_ASSETS)]
    + ["opt." + name for name in _records.MjOption._all_fields]
)


class SimulationError(RuntimeError):
    """Simulations of a call failed; `ids` has their numbers."""

    def __init__(self, ids, message, ncall=None):
        self.ids = ids
        shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
        of = "" if ncall is None else f" of {ncall}"
        text = f"{len(ids)}{of} simulations failed ({shown}); simulation {ids[0]}: {message}"
        super().__init__(text)


class Batch:
    """Batch(model, nsim, nthread=0, persistent=False)

    `nsim` simulations of a copy of a model, on `nthread` threads, 0 for all. With `persistent` every
    simulation keeps an `MjData`, which models with sleep need.
    """

    def __init__(self, model, nsim, nthread=0, persistent=False):
        sleeps = model.opt.enableflags & int(_enums.mjtEnableBit.mjENBL_SLEEP)
        if sleeps and not persistent:
            raise ValueError("a model with sleep enabled needs persistent=True")
        _refuse_callbacks()
        put = lambda name, value: object.__setattr__(self, name, value)
        put("model", model)
        put("_options", {"nthread": nthread, "keep_data": bool(persistent)})
        put("_worlds", _batch.Batch(model, nsim, **self._options))
        put("_models", None)
        put("_bound", {})
        put("_expanded", {})
        put("_constants", False)
        put("_template", MjData(model))
        put("_errors", {})
        put("state", self._worlds.state(_INTEGRATION))
        put("_warnings", np.zeros((nsim, self._worlds.bind("warning").shape[1], 2), np.int32))
        put("_status", np.zeros(nsim, np.int32))

    nsim = property(lambda self: self._worlds.n, doc="Number of simulations.")
    nthread = property(lambda self: self._worlds.nthread, doc="Number of threads.")
    nstate = property(lambda self: self.state.shape[1], doc="Length of a simulation's state.")
    persistent = property(lambda self: self._options["keep_data"], doc="Whether it keeps all data.")
    warning = property(lambda self: _read_only(self._warnings), doc="Warnings: (nsim, kind, 2).")
    status = property(lambda self: _read_only(self._status), doc="Which simulations failed.")

    @property
    def models(self):
        """The models of `set_models`, or None."""
        given = self._models
        return given if given is None or isinstance(given, MjModel) else tuple(given)

    # arrays

    def bind(self, name):
        """bind(name)

        The field `name` of all simulations, a live array of shape (nsim, ...).
        """
        if name in _PARTS:
            first, size = self._part(name)
            view = self.state[:, first : first + size]
            if name == "time":
                return view[:, 0]
            return view.reshape(self.nsim, *getattr(self._template, name).shape)
        if name not in DATA_FIELDS:
            raise ValueError(batch_views.no_field(name, self._template, DATA_FIELDS, MODEL_FIELDS))
        if name not in self._bound:
            self._bound[name] = np.zeros_like(self._worlds.bind(name))
        return _read_only(self._bound[name])

    def _part(self, name):
        """The first place and the length of a part of the state."""
        sizes = [_functions.mj_stateSize(self.model, int(_component(n))) for n in _PARTS]
        at = list(_PARTS).index(name)
        return sum(sizes[:at]), sizes[at]

    def expand(self, name):
        """expand(name)

        A field of the model with a value for each simulation: a live array of shape (nsim, ...).
        """
        if name not in MODEL_FIELDS:
            raise ValueError(batch_views.no_parameter(name, self.model, DATA_FIELDS, MODEL_FIELDS))
        if self._models is not None:
            raise FatalError("expand: caller models are set (set_models)")
        if name not in self._expanded:
            values = self._worlds.expand(name)
            # bounding volumes of bodies come first, and those of meshes are shared
            if name == "bvh_aabb":
                ends = self.model.body_bvhadr + self.model.body_bvhnum
                values = values[:, : max(0, *ends[self.model.body_bvhadr >= 0].tolist(), 0)]
            self._expanded[name] = values
        return self._expanded[name]

    def expanded(self, name):
        """expanded(name)

        The values of an expanded field, read-only; None if all simulations share them.
        """
        if name not in MODEL_FIELDS:
            raise ValueError(batch_views.no_parameter(name, self.model, DATA_FIELDS, MODEL_FIELDS))
        derived = self._constants and name in _CONSTANTS
        if name in self._expanded:
            return _read_only(self._expanded[name])
        return _read_only(self._worlds.expand(name)) if derived else None

    def __getattr__(self, name):
        if name in DATA_FIELDS:
            return self.bind(name)
        hint = "" if name.startswith("__") else batch_views.hint(name, DATA_FIELDS, MODEL_FIELDS)
        raise AttributeError(f"'Batch' object has no attribute '{name}'{hint}")

    def __setattr__(self, name, value):
        if name in _PARTS:
            self.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise ValueError(f"{name} is computed by every call and cannot be written")
        else:
            raise AttributeError(f"attribute '{name}' of 'Batch' objects is not writable")

    # calls

    def _call(self, ids, act):
        """Gives the worlds their states, lets `act` change those of a mask, and reads all back."""
        mask = np.zeros(self.nsim, bool)
        mask[slice(None) if ids is None else ids] = True
        self._status[mask] = 0
        self._errors.clear()
        if not mask.any():
            return
        _refuse_callbacks()
        called = np.flatnonzero(mask)
        while mask.any() and not self._try(mask, act):
            mask[list(self._errors)] = False
        self.state[mask] = self._worlds.state(_INTEGRATION)[mask]
        for name, array in self._bound.items():
            array[mask] = self._worlds.bind(name)[mask]
        self._warnings[mask, :, 1] = self._worlds.bind("warning")[mask]
        if self._errors:
            self._report(len(called))

    def _try(self, mask, act):
        """Whether `act` succeeds; otherwise notes the simulations that fail, or all of the mask."""
        try:
            self._worlds.set_state(self.state, _INTEGRATION, mask)
            act(mask)
        except (RuntimeError, ValueError) as error:
            found = re.match(r"world (\d+)\b", str(error))
            world = int(found[1]) if found else -1
            if world in self._errors:  # no simulation runs while the parameters of one are invalid
                mask[:] = False
                return True
            failed = [world] if found else np.flatnonzero(mask).tolist()
            self._errors.update(dict.fromkeys(failed, str(error)))
            return False
        return True

    def _report(self, ncall):
        """Raises the error for the simulations that failed."""
        ids = np.array(sorted(self._errors))
        self._status[ids] = 1
        raise SimulationError(ids, self._errors[int(ids[0])], ncall) from None

    def error(self, sim):
        """error(sim)

        The message of the error of a simulation in its last call, or an empty text.
        """
        return self._errors.get(int(sim), "")

    def step(self, ids=None, nstep=1, stage=_NONE):
        """step(ids=None, nstep=1, stage=mjSTAGE_NONE)

        Steps all simulations, or those of `ids`; then computes the stages up to `stage`.
        """

        def act(mask):
            self._worlds.step(nstep, mask)
            if int(stage) != _NONE:
                self._worlds.forward(mask)

        self._call(_ids(ids, self.nsim), act)

    def forward(self, ids=None, stage=_ACC):
        """forward(ids=None, stage=mjSTAGE_ACC)

        Computes everything that follows from the states.
        """
        self._call(_ids(ids, self.nsim), lambda mask: self._worlds.forward(mask))

    def reset(self, ids=None, keyframe=-1, stage=_ACC):
        """reset(ids=None, keyframe=-1, stage=mjSTAGE_ACC)

        Resets all simulations, or those of `ids`, to the initial state or to keyframes.
        """
        ids = _ids(ids, self.nsim)
        count = self.nsim if ids is None else len(ids)
        nkey = min((m.nkey for m in self._all_models()), default=0)
        keys = _integers(keyframe, (count,), -1, nkey, "keyframe")
        places = np.arange(self.nsim) if ids is None else ids

        def act(mask):
            for key in np.unique(keys):
                chosen = np.zeros(self.nsim, bool)
                chosen[places[keys == key]] = True
                self._worlds.reset(chosen, None if key < 0 else int(key))
            if int(stage) != _NONE:
                self._worlds.forward(mask)

        self._call(ids, act)

    def set_const(self, ids=None):
        """set_const(ids=None)

        Computes the constants that follow from expanded fields, as `mj_setConst` does.
        """
        if self._models is not None:
            raise FatalError("set_const: caller models are set (set_models)")
        ids = _ids(ids, self.nsim)
        kept = {}
        if ids is not None:
            rest = np.delete(np.arange(self.nsim), ids)
            kept = {name: self._worlds.expand(name)[rest].copy() for name in _CONSTANTS}
        called = np.ones(self.nsim, bool)
        if ids is not None:
            called[rest] = False

        def act(mask):
            self._worlds.expand(_CONSTANTS[0])
            self._worlds.set_const()

        self._errors.clear()
        self._status[called] = 0
        if not self._try(called, act):
            self._report(int(called.sum()))
        for name, values in kept.items():
            self._worlds.expand(name)[rest] = values
        object.__setattr__(self, "_constants", True)

    def rollout(
        self,
        nstep,
        control=None,
        control_spec=int(_STATE.mjSTATE_CTRL),
        record=("qpos",),
        ids=None,
        out=None,
    ):
        """rollout(nstep, control=None, control_spec=mjSTATE_CTRL, record=("qpos",), ids=None, out=None)

        Steps `nstep` times, with controls of shape (n, nstep, size), and records fields and parts of
        the state after each step. A simulation with a new warning stops, and repeats its last record.
        """
        ids = _ids(ids, self.nsim)
        places = np.arange(self.nsim) if ids is None else ids
        if control is not None:
            size = _functions.mj_stateSize(self.model, int(control_spec))
            control = np.broadcast_to(np.asarray(control, np.float64), (len(places), nstep, size))
        arrays = {item: self._buffer(item, len(places), nstep, out or {}) for item in record}
        runs = np.ones(len(places), bool)
        before = self._warnings[places, :, 1].sum(1)
        for k in range(nstep):
            going = places[runs]
            if control is not None:
                rows = np.zeros((self.nsim, control.shape[2]))
                rows[places] = control[:, k]
                self._set_parts(rows, int(control_spec), going)
            self.step(going)
            for item, array in arrays.items():
                array[:, k] = array[:, k - 1] if k else 0
                array[runs, k] = self._record(item)[going]
            runs &= self._warnings[places, :, 1].sum(1) <= before
        return arrays

    def _set_parts(self, rows, spec, places):
        """Sets parts of the states, given by the bits of `mjtState`."""
        first = 0
        for name in _PARTS:
            if spec & int(_component(name)):
                at, size = self._part(name)
                self.state[places, at : at + size] = rows[places, first : first + size]
                first += size

    def _record(self, item):
        """The record of a rollout of all simulations."""
        if isinstance(item, str):
            return self.bind(item)
        parts = [n for n in _PARTS if int(item) & int(_component(n))]
        spans = [self._part(n) for n in parts]
        return np.concatenate(
            [self.state[:, a : a + n] for a, n in spans] or [self.state[:, :0]], 1
        )

    def _buffer(self, item, n, nstep, given):
        """The array that a rollout records an item in."""
        if isinstance(item, str):
            values = self.bind(item)
            dtype = getattr(getattr(self._template, item), "dtype", values.dtype)
            shape = (n, nstep, *values.shape[1:])
        else:
            dtype = np.dtype(np.float64)
            shape = (n, nstep, _functions.mj_stateSize(self.model, int(item)))
        array = given.get(item)
        if array is None:
            return np.zeros(shape, dtype)
        fits = isinstance(array, np.ndarray) and (array.shape, array.dtype) == (shape, dtype)
        if not (fits and array.flags.c_contiguous and array.flags.writeable):
            text = f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}"
            raise ValueError(text)
        return array

    # single simulations

    def _all_models(self):
        given = self._models
        if given is None:
            return [self.model]
        return [given] if isinstance(given, MjModel) else given

    def _place(self, sim):
        if not 0 <= int(sim) < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {sim}")
        return int(sim)

    def get_model(self, sim, model=None):
        """get_model(sim, model=None)

        The model of a simulation with its own parameters, written into `model` if given.
        """
        found = self._worlds.world_model(self._place(sim))
        if model is None:
            return found
        for field in _sinew.MODEL_FIELDS:
            if (
                field.rows
                and getattr(getattr(model, field.name), "size", 0)
                and field.dtype != "bytes"
            ):
                getattr(model, field.name)[...] = getattr(found, field.name)
        for part in ("opt", "stat"):
            getattr(model, part)._set_bytes(getattr(found, part)._bytes())
        return model

    def get_data(self, sim, data=None):
        """get_data(sim, data=None)

        The state of a simulation and the results of the last call, written into `data` if given.
        """
        sim = self._place(sim)
        found = self._worlds.data(sim)
        _functions.mj_setState(found.model, found, self.state[sim], _INTEGRATION)
        return found if data is None else _functions.mj_copyData(data, found.model, found) or data

    def set_models(self, models):
        """set_models(models)

        Runs each simulation on a model of its own, or all on one; None for the batch's model.
        """
        if self._expanded or self._constants:
            raise FatalError("set_models: per-simulation fields are expanded")
        if models is not None and not isinstance(models, MjModel):
            models = list(models)
            if len(models) != self.nsim:
                text = f"set_models: wanted a model per simulation, {self.nsim}, not {len(models)}"
                raise ValueError(text)
        listed = models if isinstance(models, list) else [models or self.model] * self.nsim
        listed = [copy.copy(m) for m in listed] if isinstance(models, list) else listed
        object.__setattr__(self, "_worlds", _batch.Batch(listed, **self._options))
        object.__setattr__(self, "_models", models)
        for name in ("warning", *self._bound):
            self._worlds.bind(name)

    def _each(self, ids):
        """Model and data with the positions of every simulation of a call."""
        places = np.arange(self.nsim) if ids is None else ids
        shared = not (self._expanded or self._constants or self._models is not None)
        d, m = self._template, self.model
        for at, sim in enumerate(places.tolist()):
            if not shared:
                m = self.get_model(sim)
                d = MjData(m)
            _functions.mj_setState(m, d, self.state[sim], _INTEGRATION)
            _functions.mj_kinematics(m, d)
            yield at, m, d

    def jac(self, body, point, ids=None):
        """jac(body, point, ids=None)

        Jacobians of points of bodies: positions and rotations, (n, 3, nv) each.
        """
        ids = _ids(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        body = _integers(body, (n,), 0, self.model.nbody, "body")
        point = np.broadcast_to(np.asarray(point, np.float64), (n, 3))
        jacp, jacr = np.zeros((n, 3, self.model.nv)), np.zeros((n, 3, self.model.nv))
        for at, m, d in self._each(ids):
            _functions.mj_comPos(m, d)
            _functions.mj_jac(m, d, jacp[at], jacr[at], point[at].copy(), int(body[at]))
        return jacp, jacr

    def ray(
        self, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False
    ):
        """ray(pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1, ids=None, normal=False)

        Distances and geoms that rays hit, (n, nray) each; with `normal` also the normals.
        """
        ids = _ids(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        pnt, vec = (np.atleast_2d(np.asarray(x, np.float64)) for x in (pnt, vec))
        nray = np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1])[-1]
        pnt, vec = (np.broadcast_to(x, (n, nray, 3)) for x in (pnt, vec))
        exclude = _integers(bodyexclude, (n, nray), -1, self.model.nbody, "bodyexclude")
        dist, geoms = np.zeros((n, nray)), np.zeros((n, nray), np.int32)
        normals, hit = np.zeros((n, nray, 3)), np.zeros(1, np.int32)
        for at, m, d in self._each(ids):
            _functions.mj_flex(m, d)
            for k in range(nray):
                where = (pnt[at, k].copy(), vec[at, k].copy(), geomgroup, flg_static)
                found = (int(exclude[at, k]), hit, normals[at, k])
                dist[at, k] = _functions.mj_ray(m, d, *where, *found)
                geoms[at, k] = hit[0]
        return (dist, geoms, normals) if normal else (dist, geoms)


def _component(name):
    """The bit of a part of the state."""
    return getattr(_STATE, "mjSTATE_" + _PARTS[name])


def _read_only(array):
    view = array.view()
    view.flags.writeable = False
    return view


def _refuse_callbacks():
    """Raises an error if a callback is installed: simulations run without the interpreter."""
    for name in _callbacks.__all__:
        if name.startswith("get_mjcb_") and name != "get_mjcb_time":
            if getattr(_callbacks, name)() is not None:
                raise ValueError(f"{name[4:]} is a function of Python, which a batch cannot call")


def _ids(ids, nsim):
    """Sorted numbers of simulations, from numbers or a mask; None for all."""
    if ids is None:
        return None
    ids = np.asarray(ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        return None if ids.all() else np.flatnonzero(ids).astype(np.int32)
    if ids.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if ids.size == 0:
        return np.zeros(0, np.int32)
    if not np.issubdtype(ids.dtype, np.integer):
        raise ValueError(f"ids must be integers, got {ids.dtype}")
    wrong = np.flatnonzero(ids[:-1] >= ids[1:])
    if wrong.size:
        pair = ids[wrong[0]], ids[wrong[0] + 1]
        raise ValueError(f"ids must be sorted and unique, got {pair[0]} before {pair[1]}")
    for end in (ids[0], ids[-1]):
        if not 0 <= end < nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {end}")
    return ids.astype(np.int32)


def _integers(values, shape, low, high, name):
    """Integers within bounds, in a shape."""
    values = np.asarray(values)
    if not np.issubdtype(values.dtype, np.integer):
        raise ValueError(f"{name} must be integers, got {values.dtype}")
    wrong = values[(values < low) | (values >= high)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{low}, {high}), got {wrong.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(values, shape), np.int32)


def _named_access():
    """Methods that give the slices of one object."""
    for kind in batch_views.KINDS:

        def find(self, key, kind=kind):
            return batch_views.Named(self, kind, key)

        find.__name__, find.__doc__ = (
            kind,
            f"{kind}(key)\n\nSlices of the {kind} of this name or number.",
        )
        setattr(Batch, kind, find)


_named_access()
