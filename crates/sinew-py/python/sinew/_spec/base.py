"""The common part of all elements of an editable model."""

import sys

from sinew._spec import values
from sinew._spec.values import Record, add_fields, as_text


class MjsOrientation(Record):
    """An orientation other than a quaternion."""

    __slots__ = ()


add_fields(MjsOrientation, "orientation")
values.Orientation.cls = MjsOrientation


class MjsElement(Record):
    """The common part of all elements: a name, a model, and a number once the model is compiled."""

    __slots__ = ("_spec", "_compiler", "_place", "_keys")

    def __init__(self, spec=None):
        self._spec = spec
        self._compiler = spec.compiler_ if spec is not None else None
        self._place, self._keys = None, {}

    @property
    def name(self):
        """The name, unique among elements of a kind."""
        return self._name

    @name.setter
    def name(self, name):
        name = as_text(name, "name")
        if self._spec is not None:
            self._spec._rename(self, name)
        self._name = name

    @property
    def id(self):
        """The number of the element; -1 if it has none yet."""
        return self._id

    @property
    def signature(self):
        """A number that differs between models that differ in structure."""
        return self._spec.signature if self._spec is not None else 0

    def __deepcopy__(self, memo):
        raise TypeError(f"cannot copy {type(self).__name__}: copy the MjSpec")

    def __reduce__(self):
        raise TypeError(f"cannot pickle {type(self).__name__}")


def class_property(cls):
    """Adds `classname`, the default class."""

    def get(self):
        return self._spec._class_of(self._cls)

    def put(self, default):
        if getattr(default, "_kind", "") != "default":
            raise TypeError(f"classname: wanted MjsDefault, not {default!r}")
        self._cls = default._name

    cls.classname = property(get, put, doc="The default class.")


class InBody(MjsElement):
    """An element that is in a body, and may be in a frame."""

    __slots__ = ("_parent", "_frame")

    def __init__(self, spec=None):
        super().__init__(spec)
        self._parent = self._frame = None

    parent = property(lambda self: self._parent, doc="The body it is in.")
    frame = property(lambda self: self._frame, doc="The frame it is in, or None.")

    def set_frame(self, frame):
        """set_frame(frame)

        Moves the element into a frame of the same body.
        """
        if getattr(frame, "_kind", "") != "frame":
            raise TypeError(f"set_frame: wanted MjsFrame, not {frame!r}")
        if frame._parent is not None and self._parent is not frame._parent:
            raise ValueError(
                f"Error: Frame and body '{self._name}' have mismatched parents\n"
                f"Element name '{self._name}', id {self._id}"
            )
        inside = frame
        while inside is not None:
            if inside is self:
                raise ValueError(f"Error: frame '{self._name}' cannot be in itself")
            inside = inside._frame
        self._frame = frame


def caller():
    """File and line of the first caller outside of this package."""
    frame = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("sinew."):
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else None
