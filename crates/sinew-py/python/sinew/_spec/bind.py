"""`bind`: from the elements of an editable model to their fields in the compiled model."""

from collections.abc import Sequence

from sinew._structs import MjData, MjModel

_METHODS = {"key": "keyframe"}


class _Bound:
    """Fields of several elements, one after the other."""

    def __init__(self, views):
        object.__setattr__(self, "elements", views)

    def __getattr__(self, name):
        items = []
        for view in self.elements:
            items.extend(getattr(view, name))
        return items


class _MjBindModel(_Bound):
    def __setattr__(self, name, value):
        raise AttributeError(f"Cannot set {name} on MjModel.")


class _MjBindData(_Bound):
    def __setattr__(self, name, value):
        values = iter(value)
        for view in self.elements:
            setattr(view, name, next(values))


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
