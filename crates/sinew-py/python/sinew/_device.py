"""`DeviceBatch`: a `Batch` whose worlds are in the memory of a GPU and are stepped there."""

import numpy as np

from sinew import _sinew
from sinew._structs import MjModel
from sinew._worlds import Worlds, mask_of, on_host


def _ordinal(device):
    """The number of the GPU that `device` names; None if the processor runs the kernel."""
    kind, _, number = str(device).partition(":")
    if kind == "kernel" and not number:
        return None
    if kind == "cuda" and (not number or number.isdecimal()):
        return int(number or 0)
    raise ValueError(f"there is no device {device!r}: 'cpu', 'cuda' or 'cuda:1' is wanted")


class _Read(np.ndarray):
    """Values that were read from a parameter: to write into them would change nothing."""

    def __setitem__(self, index, value):
        raise ValueError("these are copies: assign to the parameter itself, p[i, j] = x")

    def __array_wrap__(self, array, context=None, return_scalar=False):
        if array is self:
            return array
        array = np.asarray(array)
        return array[()] if return_scalar else array


class Parameter:
    """A field of the model with values for every world: the result of `expand` on a device.

    An index reads a copy. An assignment, `p[:, 2] = x` or `p[:] *= 2`, acts from the next call of the
    batch on.
    """

    def __init__(self, batch, name, values):
        self._batch, self._name = batch, name
        self._take(values)

    def _take(self, values):
        self._values = values

    shape = property(lambda self: self._values.shape, doc="(n, ...).")
    dtype = property(lambda self: self._values.dtype, doc="The kind of number.")

    def __len__(self):
        return len(self._values)

    def __array__(self, dtype=None, copy=None):
        return np.array(self._values, dtype)

    def __getitem__(self, index):
        return np.array(self._values[index]).view(_Read)

    def __setitem__(self, index, value):
        self._values[index] = on_host(value)
        self._batch._set_parameter(self._name, self._values.tobytes())

    def copy(self):
        """A copy of the values."""
        return self._values.copy()

    def __repr__(self):
        return f"<sinew parameter '{self._name}' of {len(self)} worlds>"


class DeviceBatch(Worlds, _sinew.DeviceBatch):
    """`n` worlds of a model on a GPU: the result of `Batch(model, n, device="cuda")`.

        batch = sinew.Batch(model, 4096, device="cuda")
        ctrl, qpos = torch.from_dlpack(batch.ctrl), torch.from_dlpack(batch.qpos)
        ctrl[:] = policy(qpos)
        batch.step(5)

    Fields of the state, and results of steps such as `xpos` and `sensordata`, are live arrays of
    shape (n, ...) in the memory of the GPU. PyTorch and CuPy share them without a copy. The arrays
    never move, and stay valid when the batch is gone. `numpy()` copies one. A call gives its work
    to the stream `stream` and waits for it, but for `step(wait=False)`; the callers' own work on
    that stream comes first.

    A world with a bad state is reset, and one that needs more than the kernel's memory is stepped, by
    the engine of the processor. A model with features that the kernel has not is refused with the
    list of them.
    """

    def __new__(cls, model, n, *, nthread=0, device="cuda", dtype=np.float64, _launch=(0, 0, 0)):
        if not isinstance(model, MjModel):
            raise TypeError("a batch on a device has one model for all worlds")
        dtype = np.dtype(dtype)
        if dtype not in (np.float64, np.float32):
            raise TypeError(f"dtype is {dtype}, wanted float64 or float32")
        if n is None:
            raise TypeError("Batch(model, n): the number of worlds is missing")
        single = dtype == np.float32
        self = super().__new__(cls, model, n, _ordinal(device), single, nthread, _launch)
        vars(self).update(_model=model, _arrays={}, _device=str(device), _dtype=dtype)
        vars(self).update(_expanded={}, _derived=False, _known=frozenset(self._fields()))
        return self

    device = property(lambda self: vars(self)["_device"], doc="The device, as it was asked for.")
    dtype = property(lambda self: vars(self)["_dtype"], doc="The kind of number.")
    model = property(lambda self: vars(self)["_model"], doc="The model.")

    @property
    def nbytes_per_world(self):
        """Bytes of a world; the model and the kernel's workspaces are shared."""
        return self._sizes()[1]

    @property
    def stream(self):
        """The handle of the CUDA stream that work is given to; 0 is the stream that PyTorch and CuPy
        use by default."""
        return self._stream()

    @property
    def diverged(self):
        """Which worlds met a bad state in the last call, as a device array of booleans: (n,)."""
        return self._diverged()

    def bind(self, name):
        """The field `name` of all worlds, a live device array of shape (n, ...).

        Results of steps are those of the last step, which are not written. A newly bound field has
        the values of `forward` in the present state.
        """
        if name not in self._arrays:
            self._arrays[name] = self._bind(name)
        return self._arrays[name]

    def expand(self, name):
        """Makes the field `name` of the model a parameter of every world: a `Parameter` (n, ...).

        `set_const` updates the constants that the compiler computes from masses, inertias and
        lengths. A value that switches a part of the model on or off in some worlds alone is an
        error.
        """
        if name not in self._expanded:
            self._expanded[name] = Parameter(self, name, self._expand(name))
        return self._expanded[name]

    def sensor(self, name):
        """The readings of a sensor in all worlds, a live device array of shape (n, dim)."""
        return self._sensor(*self._find_sensor(name))

    def step(self, nsteps=1, mask=None, *, wait=True):
        """Steps all worlds, or those of a mask, `nsteps` times with the controls they have.

        With `wait=False` it returns at once. Work that the stream is given later comes after the
        steps. A world that the kernel leaves to the processor is behind until the next call of the
        batch, which waits.
        """
        self._step(nsteps, mask_of(mask), wait)

    def wait(self):
        """Waits for steps that were started by `step(wait=False)`."""
        self._wait()

    def forward(self, mask=None):
        """Computes the bound results of the present states, of all worlds or of those of a mask,
        without a step."""
        self._forward(mask_of(mask))

    def reset(self, mask=None, keyframe=None):
        """Sets all worlds, or those of a mask, to the initial state or to a keyframe."""
        self._reset(mask_of(mask), keyframe)

    def set_const(self):
        super().set_const()
        for name in self._parameters():
            self.expand(name)._take(self._parameter(name))

    set_const.__doc__ = Worlds.set_const.__doc__

    def set_model(self, model):
        """Takes over another version of the model, of the same sizes."""
        self._set_model(model)
        vars(self)["_model"] = model

    def _model_of(self, world):
        return self.model

    def __setattr__(self, name, value):
        if name == "stream":
            self._set_stream(int(value))
        else:
            super().__setattr__(name, value)

    def _assign(self, array, value):
        value = np.broadcast_to(np.asarray(on_host(value), self.dtype), array.shape)
        array._write(value.tobytes())

    def __repr__(self):
        return f"<sinew.DeviceBatch: {self.n} worlds on {self.device}>"


DeviceBatch.__module__ = "sinew"
