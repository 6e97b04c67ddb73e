"""Functions of MuJoCo's that are about text, defaults and conversions: no need for speed."""

import numpy as np

from sinew import _enums, _records

_KINDS = (
    "body xbody joint dof geom site camera light flex mesh skin hfield texture material pair exclude "
    "equality tendon actuator sensor numeric text tuple key plugin"
).split()

_WARNINGS = {
    "INERTIA": "Inertia matrix is too close to singular at DOF {}. Check model.",
    "CONTACTFULL": "Too many contacts. The arena memory is full, increase arena memory allocation."
    "(ncon = {})",
    "CNSTRFULL": "Insufficient arena memory for the number of constraints generated. "
    "Increase arena memory allocation above {} bytes.",
    "VGEOMFULL": "Pre-allocated visual geom buffer is full. Increase maxgeom above {}.",
    "BADQPOS": "Nan, Inf or huge value in QPOS at DOF {}. The simulation is unstable.",
    "BADQVEL": "Nan, Inf or huge value in QVEL at DOF {}. The simulation is unstable.",
    "BADQACC": "Nan, Inf or huge value in QACC at DOF {}. The simulation is unstable.",
    "BADCTRL": "Nan, Inf or huge value in CTRL at ACTUATOR {}. The simulation is unstable.",
}


def mju_type2Str(type):
    """The name of a kind of object; None if there is no such kind."""
    names = {getattr(_enums.mjtObj, "mjOBJ_" + k.upper()).value: k for k in (*_KINDS, "frame")}
    return names.get(int(type))


def mju_str2Type(str):
    """The kind of object of this name; 0 if there is none."""
    str = str.decode() if isinstance(str, bytes) else str
    return getattr(_enums.mjtObj, "mjOBJ_" + str.upper()).value if str in _KINDS else 0


def mju_writeNumBytes(nbytes):
    """A number of bytes, with a unit where it is a whole number of them."""
    for power, unit in zip(range(60, 0, -10), "EPTGMK"):
        if nbytes >= 1 << power and nbytes % (1 << power) == 0:
            return f"{nbytes >> power}{unit}"
    return f"{nbytes}"


def mju_warningText(warning, info):
    """What a warning says."""
    for kind, text in _WARNINGS.items():
        if int(warning) == getattr(_enums.mjtWarning, "mjWARN_" + kind):
            return text.format(mju_writeNumBytes(info) if kind == "CNSTRFULL" else info)
    return f"Unknown warning type {int(warning)}."


def mj_defaultOption(opt):
    """Sets the options to their defaults."""
    opt._set_bytes(_records.MjOption._default)


def mj_defaultVisual(vis):
    """Sets the settings of the visualiser to their defaults."""
    for part in vis._parts.values():
        part._set_bytes(part._default)


def _convert(res, vec, source, target):
    for array, dtype in ((res, target), (vec, source)):
        if not isinstance(array, np.ndarray) or array.dtype != dtype:
            raise TypeError(f"incompatible function arguments: wanted an array of {dtype}")
    if res.shape != vec.shape:
        raise TypeError("res and vec should have the same size")
    res[...] = vec


def mju_f2n(res, vec):
    """Converts float32 to float64."""
    _convert(res, vec, "float32", "float64")


def mju_n2f(res, vec):
    """Converts float64 to float32."""
    _convert(res, vec, "float64", "float32")


def mju_insertionSortInt(list):
    """Sorts integers in ascending order, in place."""
    if not isinstance(list, np.ndarray) or list.dtype != np.int32:
        raise TypeError("incompatible function arguments: wanted an array of int32")
    list.sort()


def mju_printMat(mat):
    """Prints a matrix."""
    for row in np.asarray(mat, float):
        print("".join(f"{x:.8f} " for x in row))
    print()


__all__ = [n for n in dir() if n.startswith("mj")]
