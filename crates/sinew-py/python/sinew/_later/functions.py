"""Functions whose signature changed after 3.5.0, and functions that came later or went before."""

import functools
import inspect

import numpy as np

from sinew import _enums, _sinew, _structs, _visual, _names
from sinew._constants import mjMAXCONPAIR
from sinew._later import fields
from sinew._later.computed import controls_of

_DATA = _structs.MjData
_GEOM, _MOUSE = _enums.mjtGeom, _enums.mjtMouse
# the gain of servos of orientations, and names of controls
_SO3 = 4
_EXPMAP, _QUAT = ("rx", "ry", "rz"), ("qw", "qx", "qy", "qz")
_SERVO = ("pos", "vel", "ff", "voltage")


def _overload(function):
    """Gives a wrapper the name and the signature of the function of 3.5.0."""

    def keep(wrapper):
        wrapper = functools.wraps(function)(wrapper)
        wrapper.__signature__ = inspect.signature(function)
        return wrapper

    return keep


def _arguments(name, names, args, kwargs):
    """The arguments in the order of `names`."""
    given = dict(zip(names, args), **kwargs)
    if len(args) > len(names) or set(given) != set(names):
        raise TypeError(f"{name}(): incompatible function arguments: wanted {', '.join(names)}")
    return [given[n] for n in names]


@_overload(_sinew.mj_fullM)
def mj_fullM(*args, **kwargs):
    if "d" in kwargs or (len(args) > 1 and isinstance(args[1], _DATA)):
        m, d, dst = _arguments("mj_fullM", ("m", "d", "dst"), args, kwargs)
        return _sinew.mj_fullM(m, dst, d.qM)
    m, dst, M = args if len(args) == 3 else _arguments("mj_fullM", ("m", "dst", "M"), args, kwargs)
    return _sinew.mj_fullM(m, dst, M)


@_overload(_sinew.mj_readCtrl)
def mj_readCtrl(*args, **kwargs):
    if "result" not in kwargs and len(args) + len(kwargs) < 6:
        return _sinew.mj_readCtrl(*args, **kwargs)
    names = ("m", "d", "id", "time", "result", "interp")
    m, d, i, time, result, interp = _arguments("mj_readCtrl", names, args, kwargs)
    result[...] = _sinew.mj_readCtrl(m, d, i, time, interp)
    return result


@_overload(_visual.mjv_moveCamera)
def mjv_moveCamera(*args, **kwargs):
    short = len(args) + len(kwargs) < 6
    names = ("m", "action", "reldx", "reldy", "cam")
    if not short:
        names = (*names[:4], "scn", "cam")
    m, action, reldx, reldy, *scn, cam = _arguments("mjv_moveCamera", names, args, kwargs)
    if int(action) in (_MOUSE.mjMOUSE_TURN_V, _MOUSE.mjMOUSE_TURN_H):
        return _turn(int(action), reldx, reldy, cam)
    if int(action) == _MOUSE.mjMOUSE_SELECT:
        return None
    scn = scn[0] if scn else _scene_of(m, cam)
    return _move_camera(m, action, reldx, reldy, scn, cam)


_move_camera = _visual.mjv_moveCamera


def _scene_of(m, cam):
    """A scene that is seen through a camera."""
    scn = _visual.MjvScene(m, 0)
    upright, across, clip = (
        np.zeros(2, np.float32),
        np.zeros(2, np.float32),
        np.zeros(2, np.float32),
    )
    _visual.mjv_cameraFrustum(upright, across, clip, m, cam)
    place, forward, up = _frame(cam)
    for seen in scn.camera:
        seen.pos, seen.forward, seen.up = place, forward, up
        seen.frustum_top, seen.frustum_bottom, seen.frustum_near = upright[0], -upright[1], clip[0]
    return scn


def _frame(cam):
    """Position, viewing direction and upward direction of a free camera."""
    azimuth, elevation = np.deg2rad([cam.azimuth, cam.elevation])
    across = np.array([np.cos(azimuth), np.sin(azimuth), 0])
    upright = np.array([0, 0, 1])
    forward = np.cos(elevation) * across + np.sin(elevation) * upright
    up = np.cos(elevation) * upright - np.sin(elevation) * across
    return cam.lookat - cam.distance * forward, forward, up


def _turn(action, reldx, reldy, cam):
    """Turns a free camera where it stands."""
    if cam.type in (_enums.mjtCamera.mjCAMERA_FIXED, _enums.mjtCamera.mjCAMERA_TRACKING):
        return
    place = _frame(cam)[0]
    if action == _MOUSE.mjMOUSE_TURN_H:
        cam.azimuth -= reldx * 180
    else:
        cam.elevation -= reldy * 180
    cam.lookat[:] = place + cam.distance * _frame(cam)[1]


def mjv_camera2GLCamera(m: "MjModel", d: "MjData", cam: "MjvCamera") -> "MjvGLCamera":
    """The camera of a picture, with the pose and the frustum of a camera of the visualiser."""
    scn = _visual.MjvScene(m, 0)
    _visual.mjv_updateCamera(m, d, cam, scn)
    seen = _visual.MjvGLCamera()
    place, forward, up, right = (np.zeros(3) for _ in range(4))
    _visual.mjv_cameraFrame(place, forward, up, right, d, cam)
    seen.pos, seen.forward, seen.up = place, forward, up
    for name in "center width bottom top near far".split():
        setattr(seen, "frustum_" + name, getattr(scn.camera[0], "frustum_" + name))
    seen.orthographic = scn.camera[0].orthographic
    return seen


def mju_sym2dense(
    res: "NDArray[np.float64]",
    mat: "ArrayLike",
    rownnz: "ArrayLike",
    rowadr: "ArrayLike",
    colind: "ArrayLike",
) -> None:
    """Makes a symmetric matrix dense that is given by the sparse rows of its lower triangle."""
    n = len(rownnz)
    if res.shape != (n, n) or len(rowadr) != n:
        raise TypeError("res should be square, with a row for each entry of rownnz and rowadr")
    number, first, columns, values = (np.asarray(x) for x in (rownnz, rowadr, colind, mat))
    rows = np.repeat(np.arange(n), number)
    places = np.arange(len(rows)) + np.repeat(first - np.cumsum(number) + number, number)
    res[...] = 0
    res[rows, columns[places]] = values[places]
    res[columns[places], rows] = values[places]


def mju_threadpool(d: "MjData", nthread: "SupportsIndex") -> None:
    """Keeps the number: results do not depend on threads, and a step is made by the caller's."""
    if int(nthread) < 0:
        raise ValueError("mju_threadpool: nthread is negative")
    d._threads = int(nthread)


def mj_actuatorInputName(m: "MjModel", id: "SupportsIndex", input: "SupportsIndex") -> "str | None":
    """The name of an actuator's input; None of those of 3.5.0, which have one without a name."""
    id, input = int(id), int(input)
    count = controls_of(m)[id] if 0 <= id < m.nu else 0
    if not 0 <= input < count:
        raise ValueError(f"mj_actuatorInputName: no input {input} of actuator {id}")
    specs = _sinew.later_table(m, "actuator_ctrlspec")
    gain, spec = m.actuator_gaintype[id], 0 if specs is None else int(specs[id])
    if gain == _SO3:
        return (_QUAT if spec == 2 else _EXPMAP)[input]
    names = [name for bit, name in enumerate(_SERVO) if spec >> bit & 1]
    return names[input] if names else None


def mj_resetCtrl(m: "MjModel", d: "MjData") -> None:
    """Sets all controls to zero, and quaternions to no rotation."""
    d.ctrl[:] = 0
    specs = _sinew.later_table(m, "actuator_ctrlspec")
    if specs is not None:
        d.ctrl[(m.actuator_gaintype == _SO3) & (np.asarray(specs) == 2)] = 1


def mj_insideSite(m: "MjModel", d: "MjData", siteid: "SupportsIndex", point: "ArrayLike") -> "int":
    """Whether a point is inside a site, as 1 or 0. A mesh stands for its convex hull."""
    i = int(siteid)
    if not 0 <= i < m.nsite:
        raise ValueError(f"mj_insideSite: no site {i}")
    return int(_sinew.inside_site(m, d, i, point))


def _from_shapes(m, one, two):
    """The most contacts of two types of geoms, None if the general method decides."""
    kinds = {one, two}
    if _GEOM.mjGEOM_SDF in kinds:
        return m.opt.sdf_initpoints
    if _GEOM.mjGEOM_HFIELD in kinds:
        flat = kinds <= {_GEOM.mjGEOM_HFIELD, _GEOM.mjGEOM_PLANE}
        return 0 if flat else mjMAXCONPAIR
    if kinds & {_GEOM.mjGEOM_SPHERE, _GEOM.mjGEOM_ELLIPSOID}:
        return 1
    if _GEOM.mjGEOM_PLANE in kinds:
        other = max(one, two)
        counts = {_GEOM.mjGEOM_CAPSULE: 2, _GEOM.mjGEOM_MESH: 3}
        counts |= {_GEOM.mjGEOM_CYLINDER: 4, _GEOM.mjGEOM_BOX: 4}
        return counts.get(other, 0)
    if kinds == {_GEOM.mjGEOM_BOX}:
        return 8
    if kinds == {_GEOM.mjGEOM_CAPSULE}:
        return 2
    return 4 if kinds == {_GEOM.mjGEOM_CAPSULE, _GEOM.mjGEOM_BOX} else None


def mj_maxContact(
    m: "MjModel", g1: "SupportsIndex", g2: "SupportsIndex", has_margin: "SupportsIndex"
) -> "int":
    """The largest number of contacts that two geoms can have."""
    g1, g2 = int(g1), int(g2)
    if not (0 <= g1 < m.ngeom and 0 <= g2 < m.ngeom):
        raise ValueError(f"mj_maxContact: no geoms {g1} and {g2}")
    found = _from_shapes(m, int(m.geom_type[g1]), int(m.geom_type[g2]))
    if found is not None:
        return int(found)
    if not m.opt.enableflags & _enums.mjtEnableBit.mjENBL_MULTICCD:
        return 1
    if {int(m.geom_type[g1]), int(m.geom_type[g2])} & {_GEOM.mjGEOM_CAPSULE, _GEOM.mjGEOM_CYLINDER}:
        return 5
    margin = int(has_margin)
    if margin < 0:
        margin = int(max(m.geom_margin[g1], m.geom_margin[g2]) > 0)
    old = m.opt.disableflags & _enums.mjtDisableBit.mjDSBL_NATIVECCD
    return 5 if old or margin > 0 else mjMAXCONPAIR


def mj_embedAssets(m: "MjModel") -> "MjModel":
    """A copy of the model; assets are always part of a model."""
    return m.__copy__()


def mj_loadTexture(m: "MjModel", id: "SupportsIndex") -> "tuple[NDArray[np.uint8], int]":
    """The pixels of a texture as (height, width, channels), and its `mjtColorSpace`."""
    i = int(id)
    if not 0 <= i < m.ntex:
        raise ValueError(f"mj_loadTexture: no texture {i}")
    shape = (int(m.tex_height[i]), int(m.tex_width[i]), int(m.tex_nchannel[i]))
    first = int(m.tex_adr[i])
    return m.tex_data[first : first + int(np.prod(shape))].reshape(shape).copy(), int(
        m.tex_colorspace[i]
    )


def mjr_defaultRendererInfo(info: "MjrRendererInfo") -> None:
    """Sets the known settings of a renderer to the defaults."""
    info.renderer, info.backend = "classic", ""


def mjr_getRendererInfo(info: "MjrRendererInfo") -> None:
    """Writes the names of the renderer and of its drawing library."""
    info.renderer, info.backend = "sinew", "processor"


def mj_version() -> "int":
    """The version of MuJoCo that Sinew gives, as a number."""
    return _names.header(_names.given())


def mj_versionString() -> "str":
    """The version of MuJoCo that Sinew gives."""
    return _names.given()


def _refusing():
    """The functions that raise an error, and those that have another name."""
    made = {}
    for line in _names.others():
        if "." in line.name or line.name in globals():
            continue
        if line.how.startswith("needs "):
            made[line.name] = fields.refusing(line)
        elif line.how.startswith("as "):
            made[line.name] = getattr(_sinew, line.how.removeprefix("as "))
    return made


globals().update(_refusing())
__all__ = [n for n in dir() if n.startswith(("mj_", "mju_", "mjv_", "mjr_"))]
