"""`Batch`: many worlds of one model, stepped together."""

import operator

import numpy as np

from sinew import _sinew
from sinew._device import DeviceBatch
from sinew._enums import mjtObj, mjtState
from sinew._functions import mj_name2id
from sinew._structs import MjData, MjModel

_FULL = mjtState.mjSTATE_FULLPHYSICS.value


def _mask(mask):
    """A mask over worlds as the engine wants it."""
    return None if mask is None else np.ascontiguousarray(mask, bool)


class Batch(_sinew.Batch):
    """Batch(model, n=None, *, nthread=0, chunk_size=0, keep_data=False, device="cpu", dtype=float)

    `n` worlds of a model, or a world for each entry of a list of models whose states have the same
    shapes. The batch has a copy of the model: `set_model` brings later changes.

        batch = sinew.Batch(model, 1024)
        batch.ctrl[:] = policy(batch.qpos, batch.qvel)
        batch.step(5)

    Fields of `MjData` are arrays of shape (n, ...) over the memory that steps read and write:
    `batch.qpos` or `batch.bind("qpos")`. The arrays never move, so one may keep them, or hand them
    to another library by DLPack. `expand` gives worlds parameters of their own.

    Every world has the bits of an `MjData` of its own. The number of threads (`nthread`, 0 for
    all), the worlds that a thread takes at a time (`chunk_size`) and the other worlds change no
    bit. Steps run without the interpreter; a forked process starts threads of its own.

    Worlds keep the state that a step carries over to the next, and the bound fields. With
    `keep_data` they keep everything, as they always do if the model sleeps, has plugins or exact
    friction.

    With `device="cuda"`, or `"cuda:1"`, worlds are in the memory of a GPU: a `DeviceBatch`.
    """

    def __new__(
        cls,
        model,
        n=None,
        *,
        nthread=0,
        chunk_size=0,
        keep_data=False,
        device="cpu",
        dtype=np.float64,
    ):
        if device != "cpu":
            if keep_data:
                raise ValueError("keep_data: worlds on a device keep what a step carries over")
            return DeviceBatch(model, n, nthread=nthread, device=device, dtype=dtype)
        if np.dtype(dtype) != np.float64:
            raise TypeError(f"dtype is {np.dtype(dtype)}: on the processor numbers are float64")
        if isinstance(model, MjModel):
            if n is None:
                raise TypeError("Batch(model, n): the number of worlds is missing")
            models, of = [model], None
            n = operator.index(n)
            if n < 0:
                raise ValueError(f"n = {n}: a batch has at least one world")
        else:
            # an object that is given more than once is one model
            models, of, numbers = [], [], {}
            for m in model:
                if id(m) not in numbers:
                    numbers[id(m)] = len(models)
                    models.append(m)
                of.append(numbers[id(m)])
            if n is not None and n != len(of):
                raise ValueError(f"n = {n}, but there are {len(of)} models")
        self = super().__new__(cls, models, of, n or 0, nthread, chunk_size or 0, keep_data)
        of = [0] * n if of is None else of
        vars(self).update(_arrays={}, _parameters={}, _derived=False, _models=[models[i] for i in of])
        return self

    def __init__(self, model, n=None, **options):
        pass

    n = property(lambda self: self._sizes()[0], doc="Number of worlds.")
    nthread = property(lambda self: self._sizes()[1], doc="Number of threads.")

    @property
    def nbytes_per_world(self):
        """Bytes of a world's rows; the model and the threads' memory are shared."""
        return self._sizes()[2]

    @property
    def model(self):
        """The model that the batch was made from; of world 0 if there are several."""
        return self._models[0]

    @property
    def diverged(self):
        """Which worlds met a bad state in the last call, as booleans: (n,). They were reset."""
        return self._diverged().view(bool)

    def __len__(self):
        return self.n

    def bind(self, name):
        """The field `name` of all worlds, a live array of shape (n, ...).

        A newly bound field has the values of `forward` in the present state. Lists whose lengths
        differ by world, such as `contact`, are in `data(world)`.
        """
        if name not in self._arrays:
            self._arrays[name] = self._bind(name)
            if name in _FIELDS:
                vars(self)[name] = self._arrays[name]  # found without `__getattr__` from now on
        return self._arrays[name]

    def expand(self, name):
        """Makes the field `name` of the model a parameter of every world: a live (n, ...) array.

        `opt.` and `stat.` lead to parts of these: `expand("opt.gravity")`. `set_const` updates the
        constants that the compiler computes from masses, inertias and lengths.
        """
        if name not in self._parameters:
            self._parameters[name] = self._expand(name)
        return self._parameters[name]

    @property
    def bound(self):
        """The fields that were bound so far, by name."""
        return dict(self._arrays)

    @property
    def parameters(self):
        """The fields that were expanded so far, by name."""
        return dict(self._parameters)

    @property
    def has_const(self):
        """Whether `set_const` was called."""
        return self._derived

    def sensor(self, name):
        """The readings of a sensor in all worlds, a live array of shape (n, dim)."""
        i = mj_name2id(self.model, mjtObj.mjOBJ_SENSOR, name)
        if i < 0:
            raise KeyError(f"the model has no sensor '{name}'")
        start = self.model.sensor_adr[i]
        return self.bind("sensordata")[:, start : start + self.model.sensor_dim[i]]

    def step(self, nsteps=1, mask=None, *, forces=False):
        """Steps all worlds, or those of a mask, `nsteps` times with the controls they have.

        `forces` also computes `cacc`, `cfrc_int` and `cfrc_ext` after the last step, as
        `mj_rnePostConstraint` does.
        """
        self._step(nsteps, _mask(mask), forces)

    def forward(self, mask=None, *, forces=False):
        """Computes everything that follows from the states, without a step."""
        self._forward(_mask(mask), forces)

    def reset(self, mask=None, keyframe=None):
        """Sets all worlds, or those of a mask, to the initial state or to a keyframe.

        Computed fields are zero until the next `step` or `forward`.
        """
        self._reset(_mask(mask), keyframe)

    def set_const(self):
        """Computes constants that follow from expanded parameters, as `mj_setConst` does.

        The settings become parameters of every world too.
        """
        self._set_const()
        vars(self)["_derived"] = True

    def set_model(self, model):
        """Takes over another version of the model, of the same sizes; parameters stay."""
        self._set_model(model)
        vars(self)["_models"] = [model] * self.n

    def state(self, spec=_FULL):
        """A copy of the state parts that `spec` (bits of `mjtState`) names: (n, size)."""
        return self._state(int(spec))

    def set_state(self, state, spec=_FULL, mask=None):
        """Sets the state parts that `spec` names, from an array that `state` gave or from one row."""
        size = self._state(int(spec)).shape
        state = np.broadcast_to(np.asarray(state, np.float64), size)
        self._set_state(state, int(spec), _mask(mask))

    def data(self, world):
        """A copy of one world as an `MjData`, with its contacts and all else."""
        world = range(self.n)[world]
        parameters = self._parameters
        model = self.world_model(world) if parameters else self._models[world]
        data = MjData(model)
        self._copy_data(world, data)
        return data

    def world_model(self, world):
        """A copy of the model of one world, with its own parameters."""
        return MjModel(self._world_model(range(self.n)[world]))

    def __getattr__(self, name):
        if name in _FIELDS:
            return self.bind(name)
        raise AttributeError(f"'Batch' object has no attribute '{name}'", name=name, obj=self)

    def __setattr__(self, name, value):
        if name not in _FIELDS:
            raise AttributeError(f"attribute '{name}' of 'Batch' objects is not writable")
        self.bind(name)[...] = value

    def __dir__(self):
        return [*super().__dir__(), *_FIELDS]

    def __repr__(self):
        return f"<sinew.Batch: {self.n} worlds, {self.nthread} threads>"


# fields of a state that have one shape in all worlds
_FIELDS = {f.name for f in _sinew.DATA_FIELDS if f.fixed and (f.rows or f.dtype != "int")}
_FIELDS |= {"warning", "ncon", "ne", "nf", "nl", "nefc", "nisland", "ntree_awake", "nv_awake"}
Batch.__module__ = "sinew"
