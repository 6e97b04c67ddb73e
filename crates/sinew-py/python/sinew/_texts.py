"""MuJoCo's functions of text, defaults and conversions, which need no speed."""

import numpy as np

from sinew import _enums, _records, _sinew
from sinew._constants import mjMINVAL

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
    """The name of an object type, or None."""
    names = {getattr(_enums.mjtObj, "mjOBJ_" + k.upper()).value: k for k in (*_KINDS, "frame")}
    return names.get(int(type))


def mju_str2Type(str):
    """The object type with this name, or 0."""
    str = str.decode() if isinstance(str, bytes) else str
    return getattr(_enums.mjtObj, "mjOBJ_" + str.upper()).value if str in _KINDS else 0


def mju_writeNumBytes(nbytes):
    """A number of bytes, with the largest unit that divides it."""
    for power, unit in zip(range(60, 0, -10), "EPTGMK"):
        if nbytes >= 1 << power and nbytes % (1 << power) == 0:
            return f"{nbytes >> power}{unit}"
    return f"{nbytes}"


def mju_warningText(warning, info):
    """The text of a warning."""
    for kind, text in _WARNINGS.items():
        if int(warning) == getattr(_enums.mjtWarning, "mjWARN_" + kind):
            return text.format(mju_writeNumBytes(info) if kind == "CNSTRFULL" else info)
    return f"Unknown warning type {int(warning)}."


def mj_defaultOption(opt):
    """Sets the options to their defaults."""
    opt._set_bytes(_records.MjOption._default)


def mj_defaultVisual(vis):
    """Sets the visual settings to their defaults."""
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


def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid):
    """The distance along a ray to a mesh of `nface` triangles and `nvert` vertices, -1 if it
    misses. `vertid` receives the vertex nearest to the hit point."""
    if nface < 0 or nvert < 0:
        raise ValueError("nface and nvert cannot be negative")
    if np.size(face) % 3 or np.size(vert) % 3:
        raise TypeError("face and vert should have rows of 3")
    face = np.asarray(face, np.int64).reshape(-1, 3)[: int(nface)]
    vert = np.asarray(vert, np.float32).reshape(-1, 3)[: int(nvert)].astype(np.float64)
    pnt, vec = (np.asarray(x, np.float64).reshape(3) for x in (pnt, vec))
    if len(face) != nface or len(vert) != nvert:
        raise TypeError("face and vert should have nface and nvert rows of 3")
    if nface and not 0 <= face.min() <= face.max() < nvert:
        raise ValueError("face should have vertices below nvert")
    if vertid is None:
        vertid = np.zeros(1, np.int32)
    if not isinstance(vertid, np.ndarray) or vertid.dtype != np.int32 or vertid.size != 1:
        raise TypeError("incompatible function arguments: wanted an array of one int32")
    if not nface:
        return -1.0

    # corners projected along the ray, with the ray at the origin
    corners = vert[face]
    first = np.ones(3)
    first[np.argmax(np.abs(vec))] = 0
    second = first - vec * (vec @ first) / (vec @ vec)
    second /= np.linalg.norm(second)
    first = np.cross(second, vec)
    first /= np.linalg.norm(first)
    flat = (corners - pnt) @ np.stack([first, second], 1)

    # barycentric coordinates of the origin
    a, b, c = (flat[:, i] for i in range(3))
    p, q = a - c, b - c
    det = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    normal = np.cross(corners[:, 0] - corners[:, 2], corners[:, 1] - corners[:, 2])
    slope = normal @ vec
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (q[:, 0] * c[:, 1] - q[:, 1] * c[:, 0]) / det
        t = (p[:, 1] * c[:, 0] - p[:, 0] * c[:, 1]) / det
        x = np.einsum("ij,ij->i", corners[:, 2] - pnt, normal) / slope
        hit = (s >= 0) & (t >= 0) & (s + t <= 1) & (x >= 0)
    hit &= (np.abs(det) >= mjMINVAL) & (np.abs(slope) >= mjMINVAL)
    if not hit.any():
        return -1.0

    # the nearest hit, and the nearest vertex of its triangle
    best = int(np.argmin(np.where(hit, x, np.inf)))
    away = np.linalg.norm(corners[best] - (pnt + x[best] * vec), axis=1)
    vertid[...] = face[best, int(np.argmin(away))]
    return float(x[best])


class _Cache:
    """The cache of processed assets, which all loads of the process share."""


_CACHE = _Cache()


def _require_cache(cache):
    if cache is not _CACHE:
        raise TypeError("expected the asset cache, as mj_getCache returns it")


def mj_getCache():
    """The asset cache: meshes, textures and height fields by their content and settings."""
    return _CACHE


def mj_getCacheSize(cache):
    """Size of the asset cache in bytes."""
    _require_cache(cache)
    return _sinew.cache_size()


def mj_getCacheCapacity(cache):
    """Capacity of the asset cache in bytes."""
    _require_cache(cache)
    return _sinew.cache_capacity()


def mj_setCacheCapacity(cache, size):
    """Sets and returns the capacity of the asset cache in bytes; 0 turns it off."""
    _require_cache(cache)
    _sinew.set_cache_capacity(size)
    return _sinew.cache_capacity()


def mj_clearCache(cache):
    """Empties the asset cache."""
    _require_cache(cache)
    _sinew.clear_cache()


def mju_printMat(mat):
    """Prints a matrix."""
    for row in np.asarray(mat, float):
        print("".join(f"{x:.8f} " for x in row))
    print()


__all__ = [n for n in dir() if n.startswith(("mj_", "mju_"))]
