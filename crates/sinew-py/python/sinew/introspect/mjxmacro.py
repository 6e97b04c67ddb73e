"""Sizes of the arrays of `mjModel` and `mjData`: rows and columns by name, columns as text."""

from .structs import STRUCTS


def _sizes(struct):
    """Rows and columns of the arrays of a struct; arrays of one column have '1'."""
    extents = {f.name: f.array_extent for f in STRUCTS[struct].fields if f.array_extent}
    return {name: (size[0], str(size[1]) if len(size) > 1 else "1") for name, size in extents.items()}


MJMODEL, MJDATA = _sizes("mjModel"), _sizes("mjData")
