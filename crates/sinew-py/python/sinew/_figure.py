"""The struct of a figure."""

import numpy as np

from sinew._sinew import mju_Halton
from sinew._records import _describe

# name: type, shape, default
_FIELDS = {
    "flg_legend": ("int32", (), 1),
    "flg_ticklabel": ("int32", (2,), 1),
    "flg_extend": ("int32", (), 1),
    "flg_barplot": ("int32", (), 0),
    "flg_selection": ("int32", (), 0),
    "flg_symmetric": ("int32", (), 0),
    "linewidth": ("float32", (), 3),
    "gridwidth": ("float32", (), 1),
    "gridsize": ("int32", (2,), 2),
    "gridrgb": ("float32", (3,), 0.4),
    "figurergba": ("float32", (4,), (0, 0, 0, 1)),
    "panergba": ("float32", (4,), (0, 0, 0, 1)),
    "legendrgba": ("float32", (4,), (0, 0, 0, 0.3)),
    "textrgb": ("float32", (3,), 1),
    "linergb": ("float32", (100, 3), 0),
    "range": ("float32", (2, 2), (0, 1)),
    "xformat": ("text", 20, "%.0f"),
    "yformat": ("text", 20, "%.2g"),
    "minwidth": ("text", 20, "X" * 3),
    "title": ("text", 1000, ""),
    "xlabel": ("text", 100, ""),
    "linename": ("S100", (100,), b""),
    "legendoffset": ("int32", (), 0),
    "subplot": ("int32", (), 0),
    "highlight": ("int32", (2,), 0),
    "highlightid": ("int32", (), -1),
    "selection": ("float32", (), 0),
    "linepnt": ("int32", (100,), 0),
    "linedata": ("float32", (100, 2002), 0),
    "xaxispixel": ("int32", (2,), 0),
    "yaxispixel": ("int32", (2,), 0),
    "xaxisdata": ("float32", (2,), 0),
    "yaxisdata": ("float32", (2,), 0),
}
# colours of the first lines; further colours follow the Halton sequence
_LINES = (
    (1, 0.3, 0.3),
    (0.1, 1, 0.1),
    (0.3, 0.3, 1),
    (0.1, 1, 1),
    (1, 0.2, 1),
    (1, 1, 0.1),
    (1, 0.6, 0.2),
    (0.6, 0.7, 0.4),
)


def _line_colours():
    least, span = float(np.float32(0.1)), float(np.float32(0.8))
    others = (
        [least + span * mju_Halton(n, base) for base in (2, 3, 5)] for n in range(len(_LINES), 100)
    )
    return [*_LINES, *others]


def _attribute(name, kind, shape):
    """A property that converts assigned values."""

    def get(self):
        return self._values[name]

    def put(self, value):
        if kind == "text":
            value = value.decode() if isinstance(value, bytes) else str(value)
            if len(value) >= shape:
                raise ValueError(f"{name} has at most {shape - 1} characters")
            self._values[name] = value
        elif shape:
            self._values[name][...] = value
        else:
            self._values[name] = np.dtype(kind).type(value).item()

    return property(get, put)


class MjvFigure:
    """MjvFigure()

    A figure: lines, axes, labels and colours.
    """

    __slots__ = ("_values",)
    __hash__ = None
    _all_fields = tuple(_FIELDS)

    def __init__(self):
        self._values = {}
        for name, (kind, shape, default) in _FIELDS.items():
            if kind == "text" or not shape:
                self._values[name] = default if kind == "text" else np.dtype(kind).type(default).item()
            else:
                self._values[name] = np.full(shape, default, kind)
        self.linergb[:] = _line_colours()

    def __copy__(self):
        new = type(self)()
        for name, value in self._values.items():
            setattr(new, name, value)
        return new

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __eq__(self, other):
        if not isinstance(other, MjvFigure):
            return NotImplemented
        return all(np.array_equal(v, other._values[n]) for n, v in self._values.items())

    def __repr__(self):
        return _describe(self, _FIELDS)


def mjv_defaultFigure(fig):
    """mjv_defaultFigure(fig)

    Sets a figure to its defaults.
    """
    for name, value in MjvFigure()._values.items():
        setattr(fig, name, value)


for _name, (_kind, _shape, _) in _FIELDS.items():
    setattr(MjvFigure, _name, _attribute(_name, _kind, _shape))

__all__ = ["MjvFigure", "mjv_defaultFigure"]
