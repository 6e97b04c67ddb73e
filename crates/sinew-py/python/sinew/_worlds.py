"""The common part of batches on the processor and on devices: fields, parameters and states."""

import numpy as np

from sinew._enums import mjtObj, mjtState
from sinew._functions import mj_name2id
from sinew._structs import MjData, MjModel

FULL = mjtState.mjSTATE_FULLPHYSICS.value


class Worlds:
    """Worlds over a class of the engine, whose calls begin with an underscore.

    A subclass sets `_arrays`, `_expanded` and `_derived`: bound fields, parameters, and whether
    `set_const` was called. `_known` has the names of the fields.
    """

    __slots__ = ()

    def __init__(self, *args, **options):
        pass

    n = property(lambda self: self._sizes()[0], doc="Number of worlds.")

    def __len__(self):
        return self.n

    @property
    def bound(self):
        """The fields that were bound so far, by name."""
        return dict(self._arrays)

    @property
    def parameters(self):
        """The fields that were expanded so far, by name."""
        return dict(self._expanded)

    @property
    def has_const(self):
        """Whether `set_const` was called."""
        return self._derived

    def _find_sensor(self, name):
        """The first reading of a sensor, and the number of its readings."""
        i = mj_name2id(self.model, mjtObj.mjOBJ_SENSOR, name)
        if i < 0:
            raise KeyError(f"the model has no sensor '{name}'")
        return int(self.model.sensor_adr[i]), int(self.model.sensor_dim[i])

    def set_const(self):
        """Computes constants that follow from expanded parameters, as `mj_setConst` does.

        The settings become parameters of every world too.
        """
        self._set_const()
        vars(self)["_derived"] = True

    def state(self, spec=FULL):
        """A copy of the state parts that `spec` (bits of `mjtState`) names: (n, size)."""
        return self._state(int(spec))

    def set_state(self, state, spec=FULL, mask=None):
        """Sets the state parts that `spec` names, from an array that `state` gave or from one row."""
        size = self._state(int(spec)).shape
        state = np.broadcast_to(np.asarray(on_host(state), np.float64), size)
        self._set_state(state, int(spec), mask_of(mask))

    def data(self, world):
        """A copy of one world as an `MjData`, with its contacts and all else."""
        world = range(self.n)[world]
        data = MjData(self.world_model(world) if self._expanded else self._model_of(world))
        self._copy_data(world, data)
        return data

    def world_model(self, world):
        """A copy of the model of one world, with its own parameters."""
        return MjModel(self._world_model(range(self.n)[world]))

    def __getattr__(self, name):
        if not name.startswith("_") and name in self._known:
            return self.bind(name)
        text = f"'{type(self).__name__}' object has no attribute '{name}'"
        raise AttributeError(text, name=name, obj=self)

    def __setattr__(self, name, value):
        if name not in self._known:
            kind = type(self).__name__
            raise AttributeError(f"attribute '{name}' of '{kind}' objects is not writable")
        self._assign(self.bind(name), value)

    def __dir__(self):
        return [*super().__dir__(), *sorted(self._known)]


def mask_of(mask):
    """A mask over worlds as the engine wants it."""
    return None if mask is None else np.ascontiguousarray(on_host(mask), bool)


def on_host(array):
    """An array in the memory of the processor."""
    if not hasattr(array, "__cuda_array_interface__"):
        return array
    array = array.cpu() if hasattr(array, "cpu") else array
    return array.numpy() if hasattr(array, "numpy") else array.get()
