"""The Python part of rollouts."""

from sinew import _sinew


class Rollout:
    """Rollout(*, nthread)

    Rolls out trajectories on `nthread` threads; 0 means the calling thread.
    """

    def __init__(self, *, nthread):
        self.nthread = nthread
        self._pool = _sinew.Pool(max(nthread, 1))

    def rollout(
        self,
        model,
        data,
        nstep,
        control_spec,
        state0,
        warmstart0=None,
        control=None,
        state=None,
        sensordata=None,
        chunk_size=None,
    ):
        """rollout(model, data, nstep, control_spec, state0, warmstart0=None, control=None, \
state=None, sensordata=None, chunk_size=None)

        Rolls out one trajectory per row of `state0` and writes results to `state` and `sensordata`.
        """
        if not isinstance(model, list) or not isinstance(data, list):
            raise TypeError("rollout(): incompatible function arguments: model and data are lists")
        if not data:
            raise ValueError("The list of data instances is empty")
        if self.nthread == 0 and len(data) > 1:
            raise ValueError(
                "More than one data instance passed but rollout is configured to run on main thread"
            )
        if self.nthread not in (0, len(data)):
            raise ValueError(f"Length of data: {len(data)} not equal to nthread: {self.nthread}")
        nbatch = len(state0)
        if len(model) < nbatch:
            raise IndexError(f"{nbatch} states and {len(model)} models")
        flat = lambda x: None if x is None else x.reshape(-1)
        _sinew.rollout(
            model[:nbatch], data if self.nthread else data[:1], nstep, control_spec, flat(state0),
            flat(warmstart0), flat(control), flat(state), flat(sensordata), chunk_size,
            self._pool,
        )  # fmt: skip
