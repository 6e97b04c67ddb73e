"""`bind`: from the elements of an editable model to their fields in the compiled model."""

from collections.abc import Sequence

import numpy as np

from sinew import _names
from sinew._structs import MjData, MjModel

_METHODS = {"key": "keyframe"}


class _Bound:
    """Fields of several elements, one after the other."""

    def __init__(self, views):
        object.__setattr__(self, "elements", views)

    def __getattr__(self, name):
        items = []
        for view in self.elements:
            value = getattr(view, name)
            items.extend([value] if np.ndim(value) == 0 else value)
        return items

    def _assign(self, name, value):
        """Gives each element its value, or its part of as many numbers as all have."""
        if np.ndim(value) == 0:
            raise ValueError(f"{name}: wanted a value for each of {len(self.elements)} elements")
        values, sizes = list(value), [len(getattr(view, name)) for view in self.elements]
        if len(values) == sum(sizes) != len(sizes):
            ends = np.cumsum(sizes)
            values = [values[end - size : end] for end, size in zip(ends, sizes)]
        if len(values) != len(sizes):
            raise ValueError(f"{name}: {len(values)} values for {len(sizes)} elements")
        for view, own in zip(self.elements, values):
            setattr(view, name, own)


class _MjBindModel(_Bound):
    def __setattr__(self, name, value):
        if not _names.is_since("4.0.0"):
            raise AttributeError(f"Cannot set {name} on MjModel.")
        self._assign(name, value)


class _MjBindData(_Bound):
    def __setattr__(self, name, value):
        self._assign(name, value)


def _bind(owner, model, element, word):
    """The named view of one element."""
    kind = getattr(element, "_kind", "")
    find = getattr(owner, _METHODS.get(kind, kind), None)
    if find is None or not hasattr(find, "views"):
        raise TypeError(f"bind: {word} has nothing of {type(element).__name__}")
    if element.signature != model.signature:
        text = f"The mjSpec does not match mj{word}. Please recompile the mjSpec."
        raise ValueError(text)
    return find(element._id)


def bind_model(self, specs):
    """bind(specs)

    The model's fields of an element of an `MjSpec`, or of several.
    """
    if isinstance(specs, Sequence):
        return _MjBindModel([_bind(self, self, e, "Model") for e in specs])
    return _bind(self, self, specs, "Model")


def bind_data(self, specs):
    """bind(specs)

    The state's fields of an element of an `MjSpec`, or of several; assigning gives each its value.
    """
    if isinstance(specs, Sequence):
        return _MjBindData([_bind(self, self._model, e, "Data") for e in specs])
    return _bind(self, self._model, specs, "Data")


MjModel.bind, MjData.bind = bind_model, bind_data
MjModel.bind_scalar = lambda self, spec: _bind(self, self, spec, "Model")
MjData.bind_scalar = lambda self, spec: _bind(self, self._model, spec, "Data")
