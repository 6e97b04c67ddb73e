"""`Batch`: many worlds of one model, stepped together."""

import operator

import numpy as np

from sinew import _sinew
from sinew._device import DeviceBatch
from sinew._structs import MjModel
from sinew._worlds import Worlds, mask_of

# fields of a state that have one shape in all worlds
_FIELDS = {f.name for f in _sinew.DATA_FIELDS if f.fixed and (f.rows or f.dtype != "int")}
_FIELDS |= {"warning", "ncon", "ne", "nf", "nl", "nefc", "nisland", "ntree_awake", "nv_awake"}


class Batch(Worlds, _sinew.Batch):
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
        vars(self).update(_arrays={}, _expanded={}, _derived=False, _models=[models[i] for i in of])
        return self

    _known = _FIELDS

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
        if name not in self._expanded:
            self._expanded[name] = self._expand(name)
        return self._expanded[name]

    def sensor(self, name):
        """The readings of a sensor in all worlds, a live array of shape (n, dim)."""
        first, count = self._find_sensor(name)
        return self.bind("sensordata")[:, first : first + count]

    def step(self, nsteps=1, mask=None, *, forces=False):
        """Steps all worlds, or those of a mask, `nsteps` times with the controls they have.

        `forces` also computes `cacc`, `cfrc_int` and `cfrc_ext` after the last step, as
        `mj_rnePostConstraint` does.
        """
        self._step(nsteps, mask_of(mask), forces)

    def forward(self, mask=None, *, forces=False):
        """Computes everything that follows from the states, without a step."""
        self._forward(mask_of(mask), forces)

    def reset(self, mask=None, keyframe=None):
        """Sets all worlds, or those of a mask, to the initial state or to a keyframe.

        Computed fields are zero until the next `step` or `forward`.
        """
        self._reset(mask_of(mask), keyframe)

    def set_model(self, model):
        """Takes over another version of the model, of the same sizes; parameters stay."""
        self._set_model(model)
        vars(self)["_models"] = [model] * self.n

    def _model_of(self, world):
        return self._models[world]

    @staticmethod
    def _assign(array, value):
        array[...] = value

    def __repr__(self):
        return f"<sinew.Batch: {self.n} worlds, {self.nthread} threads>"


Batch.__module__ = "sinew"
