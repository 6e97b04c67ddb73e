"""`MjModel`, `MjData` and all other structs, as in MuJoCo's module of this name."""

import copy
import os

import numpy as np

from sinew import _archive, _callbacks, _records, _sinew, _views
from sinew._figure import MjvFigure
from sinew._records import (
    MjContact,
    MjLROpt,
    MjOption,
    MjSolverStat,
    MjStatistic,
    MjTimerStat,
    MjVisual,
    MjWarningStat,
    _MjContactList,
    _MjSolverStatList,
    _MjTimerStatList,
    _MjWarningStatList,
)
from sinew._visual import (
    MjvCamera,
    MjvGeom,
    MjvGLCamera,
    MjvLight,
    MjvOption,
    MjvPerturb,
    MjvScene,
    mjv_averageCamera,
)
from sinew._vfs import with_vfs

# names that MuJoCo's module has
_STRUCTS = (
    MjContact, MjLROpt, MjOption, MjSolverStat, MjStatistic, MjTimerStat, MjVisual, MjWarningStat,
    _MjContactList, _MjSolverStatList, _MjTimerStatList, _MjWarningStatList, MjvCamera, MjvFigure,
    MjvGeom, MjvGLCamera, MjvLight, MjvOption, MjvPerturb, MjvScene, mjv_averageCamera,
)  # fmt: skip


class LoadWarning(UserWarning):
    """A warning of the loader about a model that was loaded."""


def _text(text):
    """Decodes text given as bytes."""
    return text.decode() if isinstance(text, bytes) else text


def _file(filename, assets):
    """The bytes of a file, from the assets if present."""
    filename = _text(os.fspath(filename))
    if filename in assets:
        return assets[filename]
    try:
        with open(filename, "rb") as file:
            return file.read()
    except OSError as error:
        raise ValueError(f"Error opening file '{filename}': {error.strerror}") from error


def _bytes_of(assets):
    """Assets as bytes by name."""
    data = lambda x: x.encode() if isinstance(x, str) else bytes(x)
    return {_text(os.fspath(k)): data(v) for k, v in (assets or {}).items()}


def _assets(assets):
    """Assets as bytes by name; names that differ only in the folder are an error."""
    out = _bytes_of(assets)
    seen = {}
    for name in out:
        base = os.path.basename(name)
        if base in seen:
            raise ValueError(f"Repeated file name in assets dict: {base} ('{seen[base]}', '{name}')")
        seen[base] = name
    return out


class MjModel(_sinew.Model):
    """A compiled model. Every array attribute is a writable view of the engine's memory.

    Made by `MjModel.from_xml_path`, `from_xml_string` and `from_binary_path`.
    """

    __slots__ = ("_opt", "_vis", "_stat", "_name_cache", "_views", "_handles")

    def __init__(self, handle):
        self._opt = _records.MjOption._over(self._record("opt"))
        self._vis = _records.MjVisual._over(self._record)
        self._stat = _records.MjStatistic._over(self._record("stat"))
        self._name_cache = {}
        # named views refer to the arrays of another object, which avoids a reference cycle
        arrays = _sinew.Model(self)
        self._views, self._handles = {}, (arrays, arrays)

    @classmethod
    def _loaded(cls, handle):
        texts = handle.load_warnings
        if texts:
            more = f" (and {len(texts) - 1} more in `load_warnings`)" if len(texts) > 1 else ""
            _callbacks._warn(texts[0].splitlines()[0] + more, LoadWarning)
        return cls(handle)

    @classmethod
    def from_xml_path(cls, filename, assets=None, *, vfs=None, **options):
        """from_xml_path(filename, assets=None, *, vfs=None, **options)

        Loads an XML file or an archive (`.mjz`), or the one called `filename` in `assets` or `vfs`,
        a `MjVfs`.

        `options` are `strict`, `pair_from_geoms`, `pair_dedup`, `pair_skip_self`,
        `free_joint_limits` and `confine`, all off by default, and `cache`, on by default: whether
        processed assets come from the cache (see `mj_getCache`).
        """
        filename, assets = _text(os.fspath(filename)), with_vfs(assets, vfs)
        if _archive.is_archive(filename):
            filename, assets = _archive.unpack(filename, assets)
        return cls._loaded(_sinew.load_path(filename, _assets(assets), **options))

    @classmethod
    def from_xml_string(cls, xml, assets=None, *, vfs=None, **options):
        """from_xml_string(xml, assets=None, *, vfs=None, **options)

        Loads XML text; files are searched in `assets` and `vfs` first.
        """
        assets = with_vfs(assets, vfs)
        return cls._loaded(_sinew.load_string(_text(xml), _assets(assets), **options))

    @classmethod
    def from_binary_path(cls, filename, assets=None, vfs=None):
        """from_binary_path(filename, assets=None, vfs=None)

        Loads an MJB file, or the one called `filename` in `assets` or `vfs`.
        """
        assets = _assets(with_vfs(assets, vfs))
        return cls._loaded(_sinew.load_binary(_file(filename, assets)))

    opt = property(
        lambda self: self._opt, _records.assigning("_opt"), doc="Simulation options."
    )
    vis = property(
        lambda self: self._vis, _records.assigning("_vis"), doc="Settings of the visualiser."
    )
    stat = property(
        lambda self: self._stat, _records.assigning("_stat"), doc="Statistics of the model."
    )

    @property
    def coulomb(self):
        """Settings of the exact friction mode, as a dictionary; assign a dictionary to change some
        of them."""
        return _sinew.coulomb_settings(self)

    @coulomb.setter
    def coulomb(self, settings):
        _sinew.set_coulomb_settings(self, dict(settings))

    @property
    def geom_solreffriction(self):
        """A copy of the friction reference parameters of every geom; assign an array to change
        them."""
        return np.array(_sinew.geom_solreffriction(self), np.float64).reshape(-1, 2)

    @geom_solreffriction.setter
    def geom_solreffriction(self, values):
        _sinew.set_geom_solreffriction(self, np.asarray(values, np.float64).reshape(-1, 2).tolist())

    @property
    def signature(self):
        """A hash of the model's structure."""
        if "signature" not in self._name_cache:
            self._name_cache["signature"] = _sinew.signature(self)
        return self._name_cache["signature"]

    @property
    def _sizes(self):
        sizes = np.array([getattr(self, n) for n in self._size_fields], np.int64)
        sizes.flags.writeable = False
        return sizes

    def _named(self, kind):
        """Names of all objects of a type, and the id of each name."""
        if kind not in self._name_cache:
            names = self._names(kind)
            ids = {}
            for i, name in enumerate(names):
                if name:
                    ids.setdefault(name, i)
            self._name_cache[kind] = (names, ids)
        return self._name_cache[kind]

    def __copy__(self):
        return type(self)(self._copy())

    def __deepcopy__(self, memo):
        memo[id(self)] = new = self.__copy__()
        return new

    def __reduce__(self):
        return _restore_model, (type(self), bytes(self._binary()))


def _restore_model(cls, binary):
    return cls(_sinew.load_binary(binary))


class MjData(_sinew.Data):
    """MjData(model, source=None)

    The state of a simulation: a new state, or a copy of `source`. Arrays are writable views.
    """

    __slots__ = ("_contact", "_solver", "_warning", "_timer", "_views", "_handles", "_pstack", "_threads")

    def __init__(self, model, source=None):
        self._contact = self._solver = None
        of_model = model._handles[0]
        self._views, self._handles = {}, (self._arrays(of_model), of_model)
        self._pstack = 0
        self._warning = _records._MjWarningStatList(self._record("warning"))
        self._timer = _records._MjTimerStatList(self._record("timer"))

    model = property(lambda self: self._model, doc="The model this state was made for.")
    warning = property(lambda self: self._warning, doc="Warnings, by kind.")
    timer = property(lambda self: self._timer, doc="Timers, by stage.")
    signature = property(lambda self: self._model.signature, doc="The model's signature.")

    @property
    def coulomb(self):
        """Certificate of the last step of the exact friction mode, as a dictionary."""
        return _sinew.coulomb_certificate(self)

    @property
    def contact(self):
        """Contacts of the last collision detection; the list is live."""
        if self._contact is None:
            self._contact = _records._MjContactList(self._list(True))
        return self._contact

    @property
    def solver(self):
        """Statistics of the solver, per island and iteration."""
        if self._solver is None:
            self._solver = _records._MjSolverStatList(self._list(False))
        return self._solver

    # sizes of MuJoCo's memory management, which Sinew does not have
    narena = property(lambda self: self._model.narena)
    nbuffer = property(lambda self: 0)
    nplugin = property(lambda self: self._model.nplugin)
    pbase = parena = property(lambda self: 0)

    @property
    def pstack(self):
        """First free byte of MuJoCo's stack, which Sinew does not have."""
        return self._pstack

    @pstack.setter
    def pstack(self, value):
        self._pstack = value.__index__()
        self._fill_stack(0 < self.narena <= self._pstack)

    maxuse_stack = maxuse_arena = threadpool = property(lambda self: 0)
    maxuse_threadstack = property(lambda self: np.zeros(128, np.uint64))

    def __copy__(self):
        return type(self)(self._model, self)

    def __deepcopy__(self, memo):
        memo[id(self)] = new = type(self)(copy.deepcopy(self._model, memo), self)
        return new

    def __reduce__(self):
        return _restore_data, (type(self), self._model, bytes(self._state()))


def _restore_data(cls, model, state):
    data = cls(model)
    data._set_state(state)
    return data


for _cls, _fields in ((MjModel, _sinew.MODEL_FIELDS), (MjData, _sinew.DATA_FIELDS)):
    for _field in _fields:
        setattr(_cls, _field.name, _field)
    _cls._all_fields = tuple(f.name for f in _fields)
MjModel._size_fields = tuple(f.name for f in _sinew.MODEL_FIELDS if not f.rows)

for _cls, _kind, _groups, _fields in (
    (MjModel, "Model", _views.MODEL_GROUPS, _sinew.MODEL_FIELDS),
    (MjData, "Data", _views.DATA_GROUPS, _sinew.DATA_FIELDS),
):
    for _view in _views.add_named_access(_cls, _kind, _groups, _fields):
        globals()[_view.__name__] = _view
for _cls in (MjModel, MjData):
    _cls.__module__ = "sinew"
