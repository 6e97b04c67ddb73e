"""The visualiser: scenes of a model, and mouse interaction."""

import numpy as np

from sinew import _records, _sinew

MjvCamera = _records._struct("MjvCamera")
MjvGLCamera = _records._struct("MjvGLCamera")
MjvLight = _records._struct("MjvLight")
MjvOption = _records._struct("MjvOption")
MjvPerturb = _records._struct("MjvPerturb")
MjvGeom = _records._struct("MjvGeom")

_MAXLIGHT = 100


def _label(geom):
    return bytes(_label_bytes(geom)).partition(b"\0")[0].decode(errors="replace")


def _set_label(geom, text):
    data = text.encode()[:99]
    _label_bytes(geom)[:] = np.frombuffer(data.ljust(100, b"\0"), np.uint8)


def _label_bytes(geom):
    first = next(f[3] for f in MjvGeom._fields if f[0] == "label")
    return geom._mem[first : first + 100]


MjvGeom.label = property(_label, _set_label, doc="text label")
_flat_mat = MjvGeom.mat
MjvGeom.mat = property(
    lambda geom: _flat_mat.__get__(geom, None).reshape(3, 3),
    lambda geom, value: _flat_mat.__set__(geom, np.ravel(value)),
    doc="Cartesian orientation",
)


class _Structs:
    """A list of structs, created on access."""

    __slots__ = ("_item", "_mem", "_made")

    def __init__(self, item, mem):
        self._item, self._mem, self._made = item, mem, {}

    def __len__(self):
        return len(self._mem)

    def __getitem__(self, key):
        if isinstance(key, slice):
            return tuple(self[i] for i in range(*key.indices(len(self))))
        index = range(len(self))[key]
        if index not in self._made:
            self._made[index] = self._item._over(self._mem[index])
        return self._made[index]

    def __repr__(self):
        return f"<{len(self)} {self._item.__name__}>"


class MjvScene(_records._struct("MjvScene")):
    """A list of geoms with lights, cameras and rendering flags."""

    __slots__ = ("_geoms", "_lights", "_cameras", "_arrays", "_views")

    def __init__(self, model=None, maxgeom=0):
        super().__init__()
        size = lambda item: len(item._default)
        self._geoms = np.zeros((max(0, maxgeom), size(MjvGeom)), np.uint8)
        self._lights = np.zeros((_MAXLIGHT, size(MjvLight)), np.uint8)
        self._cameras = np.zeros((2, size(MjvGLCamera)), np.uint8)
        self._arrays = _sinew.scene_arrays(model) if model is not None else {}
        self._arrays["geomorder"] = np.zeros(max(0, maxgeom), np.int32)
        self._look()
        self.maxgeom = maxgeom
        self.flags[:] = _RENDERED
        if model is not None:
            self.nflex, self.nskin = model.nflex, model.nskin

    def _look(self):
        self._views = (
            _Structs(MjvGeom, self._geoms),
            _Structs(MjvLight, self._lights),
            _Structs(MjvGLCamera, self._cameras),
        )

    geoms = property(lambda self: self._views[0], doc="The geoms; the first `ngeom` are in use.")
    lights = property(lambda self: self._views[1], doc="The lights; `nlight` are in use.")
    camera = property(lambda self: self._views[2], doc="Left and right camera.")

    def __copy__(self):
        new = self._over(np.array(self._mem))
        new._geoms, new._lights = self._geoms.copy(), self._lights.copy()
        new._cameras = self._cameras.copy()
        new._arrays = {name: array.copy() for name, array in self._arrays.items()}
        new._look()
        return new

    __reduce__ = None


# shadow, reflection, skybox, haze and culling (mjRNDSTRING)
_RENDERED = (1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1)

_INTS = """geomorder flexedgeadr flexedgenum flexvertadr flexvertnum flexfaceadr flexfacenum
flexfaceused flexedge skinfacenum skinvertadr skinvertnum""".split()
_FLOATS = "flexvert flexface flexnormal flextexcoord skinvert skinnormal".split()
for _names, _dtype in ((_INTS, np.int32), (_FLOATS, np.float32)):
    for _name in _names:
        _get = lambda self, n=_name, t=_dtype: self._arrays.get(n, np.zeros(0, t))
        setattr(MjvScene, _name, property(_get))
MjvScene.__module__ = "sinew"


def mjv_defaultCamera(cam: "MjvCamera") -> None:
    """Sets the default camera."""
    cam._mem[:] = MjvCamera()._mem


def mjv_defaultFreeCamera(m: "MjModel", cam: "MjvCamera") -> None:
    """Sets the default free camera, which shows the whole model."""
    _sinew.scene_free_camera(m, cam._mem)


def mjv_defaultPerturb(pert: "MjvPerturb") -> None:
    """Sets the default perturbation, which is inactive."""
    pert._mem[:] = MjvPerturb()._mem


def mjv_defaultOption(opt: "MjvOption") -> None:
    """Sets the default visual options."""
    opt._mem[:] = MjvOption()._mem


def mjv_room2model(
    modelpos: "NDArray[np.float64]",
    modelquat: "NDArray[np.float64]",
    roompos: "ArrayLike",
    roomquat: "ArrayLike",
    scn: "MjvScene",
) -> None:
    """Transforms a pose from room to model space."""
    modelpos[:], modelquat[:] = _sinew.scene_room2model(roompos, roomquat, scn)


def mjv_model2room(
    roompos: "NDArray[np.float64]",
    roomquat: "NDArray[np.float64]",
    modelpos: "ArrayLike",
    modelquat: "ArrayLike",
    scn: "MjvScene",
) -> None:
    """Transforms a pose from model to room space."""
    roompos[:], roomquat[:] = _sinew.scene_model2room(modelpos, modelquat, scn)


def mjv_cameraInModel(
    headpos: "NDArray[np.float64]",
    forward: "NDArray[np.float64]",
    up: "NDArray[np.float64]",
    scn: "MjvScene",
) -> None:
    """The mean of both cameras, in model space."""
    headpos[:], forward[:], up[:] = _sinew.scene_camera_in_model(scn)


def mjv_cameraInRoom(
    headpos: "NDArray[np.float64]",
    forward: "NDArray[np.float64]",
    up: "NDArray[np.float64]",
    scn: "MjvScene",
) -> None:
    """The mean of both cameras, in room space."""
    headpos[:], forward[:], up[:] = _sinew.scene_camera_in_room(scn)


def mjv_frustumHeight(scn: "MjvScene") -> "float":
    """Height of the frustum at unit distance; mean of both cameras."""
    return _sinew.scene_frustum_height(scn)


def mjv_alignToCamera(res: "NDArray[np.float64]", vec: "ArrayLike", forward: "ArrayLike") -> None:
    """Rotates a vector in the horizontal plane by the angle from (0, 1) to `forward`."""
    res[:] = _sinew.scene_align(vec, forward)


def mjv_averageCamera(cam1: "MjvGLCamera", cam2: "MjvGLCamera") -> "MjvGLCamera":
    """The mean of two cameras."""
    mean = _sinew.scene_average_camera(cam1._mem, cam2._mem)
    return MjvGLCamera._over(np.frombuffer(bytearray(mean), np.uint8))


def mjv_moveCamera(
    m: "MjModel",
    action: "SupportsIndex",
    reldx: "float",
    reldy: "float",
    scn: "MjvScene",
    cam: "MjvCamera",
) -> None:
    """Moves the camera with the mouse; `action` is an `mjtMouse`."""
    _sinew.scene_move_camera(m, int(action), [reldx, reldy], scn, cam._mem)


def mjv_movePerturb(
    m: "MjModel",
    d: "MjData",
    action: "SupportsIndex",
    reldx: "float",
    reldy: "float",
    scn: "MjvScene",
    pert: "MjvPerturb",
) -> None:
    """Moves the reference pose of the selected body with the mouse; `action` is an `mjtMouse`."""
    _sinew.scene_move_perturb(m, d, int(action), [reldx, reldy], scn, pert._mem)


def mjv_moveModel(
    m: "MjModel",
    action: "SupportsIndex",
    reldx: "float",
    reldy: "float",
    roomup: "ArrayLike",
    scn: "MjvScene",
) -> None:
    """Moves the model in the room with the mouse; `action` is an `mjtMouse`."""
    _sinew.scene_move_model(m, int(action), [reldx, reldy], roomup, scn)


def mjv_initPerturb(m: "MjModel", d: "MjData", scn: "MjvScene", pert: "MjvPerturb") -> None:
    """Sets the reference pose of a perturbation from the selected body's pose."""
    _sinew.scene_init_perturb(m, d, scn, pert._mem)


def mjv_applyPerturbPose(
    m: "MjModel", d: "MjData", pert: "MjvPerturb", flg_paused: "SupportsIndex"
) -> None:
    """Moves a mocap body, or while paused a body with a free joint, to the reference pose."""
    _sinew.scene_perturb_pose(m, d, pert._mem, bool(flg_paused))


def mjv_applyPerturbForce(m: "MjModel", d: "MjData", pert: "MjvPerturb") -> None:
    """Pulls the selected body to the reference pose with a spring force in `d.xfrc_applied`."""
    _sinew.scene_perturb_force(m, d, pert._mem)


def mjv_select(
    m: "MjModel",
    d: "MjData",
    vopt: "MjvOption",
    aspectratio: "float",
    relx: "float",
    rely: "float",
    scn: "MjvScene",
    selpnt: "NDArray[np.float64]",
    geomid: "NDArray[np.int32]",
    flexid: "NDArray[np.int32]",
    skinid: "NDArray[np.int32]",
) -> "int":
    """Finds the body and the point under the mouse; returns -1 if there is none."""
    found = _sinew.scene_select(m, d, vopt._mem, [aspectratio, relx, rely], scn)
    if found is None:
        geomid[:] = flexid[:] = skinid[:] = -1
        return -1
    body, selpnt[:], geomid[:], flexid[:], skinid[:] = found
    return body


def mjv_initGeom(
    geom: "MjvGeom",
    type: "SupportsIndex",
    size: "ArrayLike | None",
    pos: "ArrayLike | None",
    mat: "ArrayLike | None",
    rgba: "ArrayLike | None",
) -> None:
    """Sets shape and pose of a geom, with a default surface."""
    _sinew.scene_init_geom(geom._mem, int(type), size, pos, mat, rgba)


def mjv_connector(
    geom: "MjvGeom", type: "SupportsIndex", width: "float", from_: "ArrayLike", to: "ArrayLike"
) -> None:
    """Makes a geom connect two points."""
    _sinew.scene_connector(geom._mem, int(type), width, from_, to)


def mjv_updateScene(
    m: "MjModel",
    d: "MjData",
    opt: "MjvOption",
    pert: "MjvPerturb | None",
    cam: "MjvCamera",
    catmask: "SupportsIndex",
    scn: "MjvScene",
) -> None:
    """Updates a scene."""
    pert = pert._mem if pert is not None else None
    _sinew.scene_update(m, d, opt._mem, pert, cam._mem, int(catmask), scn)


def mjv_addGeoms(
    m: "MjModel",
    d: "MjData",
    opt: "MjvOption",
    pert: "MjvPerturb",
    catmask: "SupportsIndex",
    scn: "MjvScene",
) -> None:
    """Adds the geoms of some categories to a scene."""
    _sinew.scene_add_geoms(m, d, opt._mem, pert._mem, int(catmask), scn)


def mjv_makeLights(m: "MjModel", d: "MjData", scn: "MjvScene") -> None:
    """Makes the list of lights."""
    _sinew.scene_lights(m, d, scn)


def mjv_updateCamera(m: "MjModel", d: "MjData", cam: "MjvCamera", scn: "MjvScene") -> None:
    """Sets both cameras of a scene."""
    _sinew.scene_camera(m, d, cam._mem, scn)


def mjv_updateSkin(m: "MjModel", d: "MjData", scn: "MjvScene") -> None:
    """Moves the skins of a scene."""
    _sinew.scene_skin(m, d, scn)


def mjv_cameraFrame(
    headpos: "NDArray[np.float64]",
    forward: "NDArray[np.float64]",
    up: "NDArray[np.float64]",
    right: "NDArray[np.float64]",
    d: "MjData",
    cam: "MjvCamera",
) -> None:
    """Position and axes of a camera."""
    headpos[:], forward[:], up[:], right[:] = _sinew.scene_camera_frame(d, cam._mem)


def mjv_cameraFrustum(
    zver: "NDArray[np.float32]",
    zhor: "NDArray[np.float32]",
    zclip: "NDArray[np.float32]",
    m: "MjModel",
    cam: "MjvCamera",
) -> None:
    """The frustum of a camera at its near plane, and the clipping planes."""
    zver[:], zhor[:], zclip[:] = _sinew.scene_camera_frustum(m, cam._mem)


__all__ = [n for n in dir() if n.startswith("mjv_")]
