"""`DeviceBatch`: a `Batch` whose worlds are in the memory of a GPU and are stepped there."""

import copy

import numpy as np

from sinew import _sinew
from sinew._enums import mjtState
from sinew._structs import MjData, MjModel

_FULL = mjtState.mjSTATE_FULLPHYSICS.value


def _mask(mask):
    """A mask over worlds as the engine wants it."""
    return None if mask is None else np.ascontiguousarray(_host(mask), bool)


def _host(array):
    """An array in the memory of the processor."""
    if not hasattr(array, "__cuda_array_interface__"):
        return array
    array = array.cpu() if hasattr(array, "cpu") else array
    return array.numpy() if hasattr(array, "numpy") else array.get()


def _ordinal(device):
    """The number of the GPU that `device` names; None if the processor runs the kernel."""
    kind, _, number = str(device).partition(":")
    if kind == "kernel" and not number:
        return None
    if kind == "cuda" and (not number or number.isdecimal()):
        return int(number or 0)
    raise ValueError(f"there is no device {device!r}: 'cpu', 'cuda' or 'cuda:1' is wanted")


class DeviceBatch(_sinew.DeviceBatch):
    """`n` worlds of a model on a GPU: what `Batch(model, n, device="cuda")` makes.

        batch = sinew.Batch(model, 4096, device="cuda")
        ctrl, qpos = torch.from_dlpack(batch.ctrl), torch.from_dlpack(batch.qpos)
        ctrl[:] = policy(qpos)
        batch.step(5)

    Fields of the state are live arrays of shape (n, ...) in the memory of the GPU, which PyTorch and
    CuPy share without a copy. They never move, and stay valid when the batch is gone. `numpy()`
    copies one. A call gives its work to the stream `stream` and waits for it; the callers' own work
    on that stream comes first.

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
        return self

    def __init__(self, *args, **kwargs):
        pass

    n = property(lambda self: self._sizes()[0], doc="Number of worlds.")
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

    def __len__(self):
        return self.n

    def bind(self, name):
        """The field `name` of all worlds, a live device array of shape (n, ...)."""
        if name not in self._arrays:
            self._arrays[name] = self._bind(name)
        return self._arrays[name]

    def expand(self, name):
        """Parameters of single worlds are not there on a device yet: an error."""
        raise NotImplementedError(f"parameters of single worlds ('{name}') are not on a device yet")

    def step(self, nsteps=1, mask=None):
        """Steps all worlds, or those of a mask, `nsteps` times with the controls they have."""
        self._step(nsteps, _mask(mask))

    def reset(self, mask=None, keyframe=None):
        """Sets all worlds, or those of a mask, to the initial state or to a keyframe."""
        self._reset(_mask(mask), keyframe)

    def set_const(self):
        """Does nothing: there are no expanded parameters."""

    def set_model(self, model):
        """Takes over another version of the model, of the same sizes."""
        self._set_model(model)
        vars(self)["_model"] = model

    def state(self, spec=_FULL):
        """A copy of the state parts that `spec` (bits of `mjtState`) names: (n, size)."""
        return self._state(int(spec))

    def set_state(self, state, spec=_FULL, mask=None):
        """Sets the state parts that `spec` names, from an array that `state` gave or from one row."""
        size = self._state(int(spec)).shape
        state = np.broadcast_to(np.asarray(_host(state), np.float64), size)
        self._set_state(state, int(spec), _mask(mask))

    def data(self, world):
        """A copy of one world as an `MjData`, with its contacts and all else."""
        data = MjData(self.model)
        self._copy_data(range(self.n)[world], data)
        return data

    def world_model(self, world):
        """A copy of the model."""
        range(self.n)[world]
        return copy.copy(self.model)

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._fields():
            return self.bind(name)
        raise AttributeError(f"'DeviceBatch' object has no attribute '{name}'", name=name, obj=self)

    def __setattr__(self, name, value):
        if name == "stream":
            self._set_stream(int(value))
            return
        if name not in self._fields():
            raise AttributeError(f"attribute '{name}' of 'DeviceBatch' objects is not writable")
        array = self.bind(name)
        value = np.broadcast_to(np.asarray(_host(value), self.dtype), array.shape)
        array._write(value.tobytes())

    def __dir__(self):
        return [*super().__dir__(), *self._fields()]

    def __repr__(self):
        return f"<sinew.DeviceBatch: {self.n} worlds on {self.device}>"


DeviceBatch.__module__ = "sinew"
