"""Open-loop trajectories from many initial states, on many threads.

    state, sensordata = rollout(model, [MjData(model) for _ in range(8)], initial_state, control)
"""

import atexit
import os

import numpy as np

from sinew import _names, _rollout
from sinew._enums import mjtState
from sinew._functions import mj_stateSize
from sinew._structs import MjModel

_FULL = mjtState.mjSTATE_FULLPHYSICS.value


class Rollout:
    """Rollout(*, nthread=None)

    A thread pool for rollouts; without `nthread`, or with 0, rollouts run on the calling thread.
    """

    def __init__(self, *, nthread=None):
        self.nthread = nthread or 0
        self.rollout_ = _rollout.Rollout(nthread=self.nthread)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Releases the threads."""
        self.rollout_ = None

    def rollout(
        self,
        model,
        data,
        initial_state,
        control=None,
        *,
        control_spec=mjtState.mjSTATE_CTRL.value,
        skip_checks=False,
        nstep=None,
        initial_warmstart=None,
        state=None,
        sensordata=None,
        chunk_size=None,
    ):
        """Rolls out trajectories and returns their states and sensor readings.

        model: one model, or a model for each trajectory, all of the same sizes.
        data: one data, or a data for each thread.
        initial_state: (nbatch or 1) x nstate.
        control: (nbatch or 1) x (nstep or 1) x ncontrol; a single step is held over all steps.
        control_spec: components of `control`, bits of `mjtState`.
        skip_checks: use the arguments unchecked: lists, and arrays of the full shapes.
        nstep: number of steps, by default that of `control` or of a result.
        initial_warmstart: (nbatch or 1) x nv, start of the solver, by default 0.
        state, sensordata: arrays for the results, nbatch x nstep x nstate (nsensordata).
        chunk_size: trajectories per task of a thread.
        """
        if self.rollout_ is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        if _names.is_since("4.0.0"):
            _check_counts(nstep, chunk_size)
            _check_threads(data)
        if not skip_checks:
            arrays = {
                "initial_state": initial_state,
                "initial_warmstart": initial_warmstart,
                "control": control,
                "state": state,
                "sensordata": sensordata,
            }
            sizes = (nstep, chunk_size, control_spec)
            model, data, nstep, arrays = _complete(model, data, arrays, sizes)
            initial_state, initial_warmstart, control, state, sensordata = arrays.values()
        if nstep == 0:
            return state, sensordata
        self.rollout_.rollout(
            model,
            data,
            nstep,
            control_spec,
            initial_state,
            initial_warmstart,
            control,
            state,
            sensordata,
            chunk_size,
        )
        return state, sensordata


def _check_counts(nstep, chunk_size):
    """The checks of MuJoCo 4.0: 3.5 takes zero and `False` for numbers that are not given."""
    for name, value, least in (("nstep", nstep, 0), ("chunk_size", chunk_size, 1)):
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if value is not None and (not whole or value < least):
            wanted = "a positive integer" if least else "non-negative"
            raise ValueError(f"{name} must be {wanted}")


def _check_threads(data):
    """MuJoCo refuses states with threads of their own, on which Sinew's results do not depend."""
    for i, d in enumerate(data if isinstance(data, list) else [data]):
        if getattr(d, "_threads", 0) > 0:
            raise ValueError(f"data[{i}] has a thread pool, which rollout cannot use")


def _complete(model, data, arrays, sizes):
    """Checks the arguments, infers missing ones, and expands all to their full shapes."""
    nstep, chunk_size, control_spec = sizes
    models = [model] if isinstance(model, MjModel) else list(model)
    datas = data if isinstance(data, list) else [data]

    # types of arguments
    if control_spec & ~mjtState.mjSTATE_USER.value:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    for name, value in (("nstep", nstep), ("chunk_size", chunk_size)):
        if value and not isinstance(value, int):
            raise ValueError(f"{name} must be an integer")
    dims = {"initial_state": 2, "initial_warmstart": 2}
    full = {}
    for name, value in arrays.items():
        full[name] = _with_dimensions(name, value, dims.get(name, 3))

    # numbers of trajectories and steps
    nbatch = _common_size(0, 1, full)
    if not isinstance(model, MjModel):
        nbatch = len(models) if nbatch == 1 else nbatch
        if len(models) not in (1, nbatch):
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
    results = {n: full[n] for n in ("control", "state", "sensordata")}
    is_none = nstep is None or (nstep == 0 and not _names.is_since("4.0.0"))
    nstep = _common_size(1, 1 if is_none else nstep, results)

    # sizes of a state, equal in all models
    widths = [_widths(m, control_spec) for m in models]
    if any(w != widths[0] for w in widths):
        raise ValueError("models are not compatible")
    nstate, ncontrol, nv, nsensordata = widths[0]
    last = {"initial_state": nstate, "initial_warmstart": nv, "control": ncontrol}
    last |= {"state": nstate, "sensordata": nsensordata}
    for name, value in full.items():
        if value is not None and value.shape[-1] != last[name]:
            raise ValueError(
                f"trailing dimension of {name} must be {last[name]}, got {value.shape[-1]}"
            )

    # single inputs serve all trajectories; missing results are allocated
    shapes = {"initial_state": (nbatch, nstate), "initial_warmstart": (nbatch, nv)}
    shapes["control"] = (nbatch, nstep, ncontrol)
    for name, shape in shapes.items():
        if full[name] is not None:
            full[name] = np.ascontiguousarray(np.broadcast_to(full[name], shape))
    for name in ("state", "sensordata"):
        if full[name] is None:
            full[name] = np.empty((nbatch, nstep, last[name]))
    return models * nbatch if len(models) == 1 else models, datas, nstep, full


def _with_dimensions(name, value, ndim):
    """The argument as a contiguous array of `ndim` dimensions, with new dimensions in front."""
    if value is None:
        return None
    if not isinstance(value, (np.ndarray, float)):
        raise ValueError(f"{name} must be a numpy array or float")
    if np.ndim(value) > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    value = np.ascontiguousarray(value, dtype=np.float64)
    return value.reshape((1,) * (ndim - value.ndim) + value.shape)


def _common_size(axis, size, arrays):
    """The common size of all arrays along an axis; size 1 fits any."""
    for name, array in arrays.items():
        found = 1 if array is None else array.shape[axis]
        if found == 1 or found == size:
            continue
        if size != 1:
            raise ValueError(f"dimension {axis} inferred as {size} but {name} has {found}")
        size = found
    return size


def _widths(model, control_spec):
    """Sizes of a state, a control, a velocity and the sensor data."""
    state, control = mj_stateSize(model, _FULL), mj_stateSize(model, control_spec)
    return state, control, model.nv, model.nsensordata


persistent_rollout = None


def shutdown_persistent_pool():
    """Ends the threads that `rollout` keeps with `persistent_pool`."""
    global persistent_rollout
    if persistent_rollout is not None:
        persistent_rollout.close()
    persistent_rollout = None


def _forget_persistent_pool():
    """Drops the pool in a forked child, which has none of its threads."""
    global persistent_rollout
    persistent_rollout = None


atexit.register(shutdown_persistent_pool)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_persistent_pool)


def rollout(model, data, initial_state, control=None, *, persistent_pool=False, **options):
    """Rolls out trajectories and returns their states and sensor readings, see `Rollout.rollout`.

    The number of threads is the length of `data`; `persistent_pool` keeps them for the next call.
    """
    global persistent_rollout
    data = data if isinstance(data, list) else [data]
    nthread = len(data) if len(data) > 1 else 0
    if not persistent_pool:
        with Rollout(nthread=nthread) as threads:
            return threads.rollout(model, data, initial_state, control, **options)
    if persistent_rollout is None or persistent_rollout.nthread != nthread:
        shutdown_persistent_pool()
        persistent_rollout = Rollout(nthread=nthread)
    return persistent_rollout.rollout(model, data, initial_state, control, **options)
