"""The slices of one object in the fields of a `sinew.batch.Batch`, and hints for wrong names."""

import difflib

import numpy as np

KINDS = """actuator body camera equality geom joint keyframe light material numeric pair sensor site
tendon""".split()
_MODEL_ONLY = ("equality", "keyframe", "material", "numeric", "pair")
# fields that are equal in all simulations
_STRUCTURE = ("adr", "num", "id", "type")


def _close(name, names):
    close = difflib.get_close_matches(name, list(names), n=3)
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def hint(name, data_fields, model_fields):
    """The suggestion for a name that is no field of a state."""
    if name in model_fields:
        return f"; {name} is an MjModel field: use expand('{name}')"
    if "opt." + name in model_fields:
        return f"; {name} is an MjOption field: use expand('opt.{name}')"
    return _close(name, data_fields)


def no_field(name, data, data_fields, model_fields):
    """The text for a name that cannot be bound."""
    value = getattr(data, name, None)
    if isinstance(value, np.ndarray) and name not in model_fields:
        return f"{name} is in the arena, whose size changes from step to step, and cannot be bound"
    if isinstance(value, int):
        counts = sorted(n for n in data_fields if isinstance(getattr(data, n, None), int))
        return f"{name} is not one of the MjData scalars bind() accepts: {', '.join(counts)}"
    return f"{name} is not an MjData array field" + hint(name, data_fields, model_fields)


def no_parameter(name, model, data_fields, model_fields):
    """The text for a name that cannot be expanded."""
    if name in data_fields:
        return f"{name} is an MjData field: use bind('{name}')"
    if isinstance(getattr(model, name, None), np.ndarray):
        return f"{name} is asset data, shared by all simulations, and cannot be expanded"
    if "opt." + name in model_fields:
        return f"{name} is an MjOption field: use expand('opt.{name}')"
    return f"{name} is not an expandable MjModel field" + _close(name, model_fields)


def _is_structure(field, part):
    whole = part.dtype.kind in "iu" and field.endswith(_STRUCTURE)
    return whole and not field.endswith("contype")


class Named:
    """Slices of one object, with the attributes of the named views of `MjData` and `MjModel`."""

    __slots__ = ("_batch", "_kind", "_views", "id", "name")

    def __init__(self, batch, kind, key):
        of_model = getattr(batch.model, kind)(key)
        of_data = None if kind in _MODEL_ONLY else getattr(batch._template, kind)(key)
        for slot, value in (
            ("_batch", batch),
            ("_kind", kind),
            ("_views", (of_data, of_model)),
            ("id", of_model.id),
            ("name", of_model.name),
        ):
            object.__setattr__(self, slot, value)

    def __getattr__(self, name):
        return self._slice(name, False)

    def __setattr__(self, name, value):
        if name in Named.__slots__:
            raise AttributeError(f"{name} is read-only")
        self._slice(name, True)[...] = value

    def _slice(self, name, write):
        """The part of a field that the object has, in all simulations."""
        of_data, of_model = self._views
        if (self._kind, name) == ("actuator", "moment"):
            text = "actuator moment is not a slice of a field that the batch binds or expands"
            raise AttributeError(text)
        batch = self._batch
        for view, owner in ((of_data, batch._template), (of_model, batch.model)):
            if view is None or name not in view._attributes:
                continue
            part, field = getattr(view, name), type(view)._sources[name]
            if not part.size:
                return np.zeros((batch.nsim, *part.shape), part.dtype)
            if view is of_data:
                if write and not batch.bind(field).flags.writeable:
                    raise ValueError(f"{self._kind} {name} is computed by every call")
                return _cut(batch.bind(field), getattr(owner, field), part)
            return self._parameter(field, name, part, write)
        names = [n for v in self._views if v is not None for n in v._attributes]
        raise AttributeError(f"{name} is not a field of a {self._kind}" + _close(name, names))

    def _parameter(self, field, name, part, write):
        """The part of a field of the model."""
        batch = self._batch
        if batch._models is not None:
            if write:
                text = f"{field} comes from the caller models: edit them and call set_models again"
                raise ValueError(text)
            models = batch._models
            models = models if isinstance(models, list) else [models] * batch.nsim
            return _fixed(
                np.stack([getattr(getattr(m, self._kind)(self.id), name) for m in models])
            )
        if field not in batch._expanded and _is_structure(field, part):
            if write:
                raise ValueError(f"{field} is structural: it cannot differ between simulations")
            return np.broadcast_to(part, (batch.nsim, *part.shape))
        if write or field in batch._expanded:
            values = batch.expand(field)
        else:
            values = batch.expanded(field)
            if values is None:
                return np.broadcast_to(part, (batch.nsim, *part.shape))
        return _cut(values, getattr(batch.model, field), part)


def _fixed(array):
    array.flags.writeable = False
    return array


def _cut(rows, full, part):
    """The rows of `part` in `full`, of all rows."""
    first = (part.ctypes.data - full.ctypes.data) // full.itemsize
    flat = rows.reshape(len(rows), -1)
    return flat[:, first : first + part.size].reshape(len(rows), *part.shape)
