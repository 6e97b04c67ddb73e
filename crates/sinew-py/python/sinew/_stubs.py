"""Writes the type stubs from the tables of the extension module: `python -m sinew._stubs`."""

import inspect
import pathlib
import sys

import sinew
from sinew import (
    _batch,
    _constants,
    _enums,
    _records,
    _sinew,
    _structs,
    _stubs_spec,
    _views,
    _visual,
)
from sinew._later import classes, fields as later_fields

HEAD = '''\
# Made by `python -m sinew._stubs`; do not edit.
"""{doc}"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, NamedTuple, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__version__: str
SINEW_VERSION: str
PLUGINS_DIR: str
HEADERS_DIR: str
MJTNUM_DTYPE: type[np.float64]
PLUGIN_HANDLES: list[Any]

class DivergenceWarning(RuntimeWarning):
    """A state went bad; the text has the place, the cause and a remedy."""

class FatalError(Exception):
    """The engine cannot continue."""

class UnexpectedError(Exception):
    """The engine failed unexpectedly."""

class LoadWarning(UserWarning):
    """A warning of the loader about a model that was loaded."""

def install_as_mujoco(version: str | None = None) -> None: ...
def check(model: MjModel) -> list[dict[str, Any]]: ...
def mjv_defaultFigure(fig: MjvFigure) -> None: ...

class MjvFigure:
    """A figure: lines, axes, labels and colours."""

    def __init__(self) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __setattr__(self, name: str, value: Any) -> None: ...

class MjEnum:
    """A named integer: equal to its value, usable as an index, combined as integers."""

    name: str
    value: int
    __members__: ClassVar[dict[str, Any]]
    def __init__(self, value: SupportsIndex) -> None: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __neg__(self) -> int: ...
{operators}

class MjVfs:
    """Files in memory, by name."""

    def __init__(self) -> None: ...
    def __setitem__(self, name: str, data: bytes) -> None: ...
    def __delitem__(self, name: str) -> None: ...
    def __contains__(self, name: str) -> bool: ...
    def close(self) -> None: ...
    def __enter__(self) -> MjVfs: ...
    def __exit__(self, *exception: object) -> None: ...

{records}
class _MjStruct:
    """A struct of numbers: scalars are plain attributes, arrays are numpy views."""

    _all_fields: ClassVar[tuple[str, ...]]
    def __copy__(self) -> Any: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Any: ...
'''

OPERATORS = "add sub mul truediv floordiv mod and or xor lshift rshift".split()

MODEL = """
    load_warnings: list[str]
    _all_fields: ClassVar[tuple[str, ...]]
    _size_fields: ClassVar[tuple[str, ...]]
    @property
    def opt(self) -> MjOption: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def coulomb(self) -> dict[str, object]: ...
    @coulomb.setter
    def coulomb(self, settings: dict[str, object]) -> None: ...
    @property
    def geom_solreffriction(self) -> NDArray[np.float64]: ...
    @geom_solreffriction.setter
    def geom_solreffriction(self, values: ArrayLike) -> None: ...
    @property
    def signature(self) -> int: ...
    @classmethod
    def from_xml_path(
        cls,
        filename: str | bytes | os.PathLike[str],
        assets: Mapping[str | bytes, bytes | str] | None = None,
        *,
        strict: bool = False,
        pair_from_geoms: bool = False,
        pair_dedup: bool = False,
        pair_skip_self: bool = False,
        free_joint_limits: bool = False,
        confine: bool = False,
        cache: bool = True,
        vfs: MjVfs | None = None,
    ) -> MjModel: ...
    @classmethod
    def from_xml_string(
        cls,
        xml: str | bytes,
        assets: Mapping[str | bytes, bytes | str] | None = None,
        *,
        strict: bool = False,
        pair_from_geoms: bool = False,
        pair_dedup: bool = False,
        pair_skip_self: bool = False,
        free_joint_limits: bool = False,
        confine: bool = False,
        cache: bool = True,
        vfs: MjVfs | None = None,
    ) -> MjModel: ...
    @classmethod
    def from_binary_path(
        cls,
        filename: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        vfs: MjVfs | None = None,
    ) -> MjModel: ...
    def bind(self, specs: Any) -> Any: ...
    def bind_scalar(self, spec: Any) -> Any: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> MjModel: ...
"""

DATA = """
    _all_fields: ClassVar[tuple[str, ...]]
    def __init__(self, model: MjModel, source: MjData | None = None) -> None: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _MjWarningStatList: ...
    @property
    def timer(self) -> _MjTimerStatList: ...
    @property
    def solver(self) -> _MjSolverStatList: ...
    @property
    def coulomb(self) -> dict[str, object]: ...
    @property
    def signature(self) -> int: ...
    def bind(self, specs: Any) -> Any: ...
    def bind_scalar(self, spec: Any) -> Any: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> MjData: ...
"""

RENDER = '''
class GLContext:
    """Stand-in for MuJoCo's OpenGL context, which Sinew does not need."""

    def __init__(self, max_width: int = 0, max_height: int = 0) -> None: ...
    def make_current(self) -> None: ...
    def free(self) -> None: ...
    def as_current(self) -> AbstractContextManager[GLContext]: ...

class MjrRect:
    """A rectangle of pixels; `bottom` is measured upwards from the lower edge."""

    left: int
    bottom: int
    width: int
    height: int
    def __init__(self, left: int, bottom: int, width: int, height: int) -> None: ...

class MjrContext:
    """A renderer of a model, and the image that was rendered last."""

    offWidth: int
    offHeight: int
    offSamples: int
    shadowSize: int
    lineWidth: float
    fontScale: int
    currentBuffer: int
    readDepthMap: int
    windowAvailable: int
    def __init__(self, model: MjModel | None = None, fontscale: int = 150) -> None: ...
    def free(self) -> None: ...

class Recording:
    """A trajectory as one HTML file."""

    def __init__(
        self,
        model: MjModel,
        fps: float | None = 60,
        camera: MjvCamera | str | int | None = None,
        opt: MjvOption | None = None,
        name: str = "",
    ) -> None: ...
    def __len__(self) -> int: ...
    def append(self, data: MjData) -> bool: ...
    def html(self) -> str: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    def __enter__(self) -> Recording: ...
    def __exit__(self, *exception: object) -> None: ...

class Renderer:
    """Renders scenes of a model, without OpenGL."""

    def __init__(
        self,
        model: MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: Any = None,
    ) -> None: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def scene(self) -> MjvScene: ...
    @property
    def height(self) -> int: ...
    @property
    def width(self) -> int: ...
    def enable_depth_rendering(self) -> None: ...
    def disable_depth_rendering(self) -> None: ...
    def enable_segmentation_rendering(self) -> None: ...
    def disable_segmentation_rendering(self) -> None: ...
    def render(self, *, out: NDArray[Any] | None = None) -> NDArray[Any]: ...
    def update_scene(
        self,
        data: MjData,
        camera: int | str | MjvCamera = -1,
        scene_option: MjvOption | None = None,
    ) -> None: ...
    def render_batch(
        self,
        datas: Sequence[MjData],
        camera: int | str | MjvCamera = -1,
        scene_option: MjvOption | None = None,
    ) -> NDArray[np.uint8]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Renderer: ...
    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None: ...
'''

# types of parameters by name; other parameters are input arrays
RESULTS = """res quat:mju_quatIntegrate quat:mju_mat2Quat quat:mju_mat2Rot quat:mju_quatZ2Vec quat:mju_eig3
quat:mju_euler2Quat posres quatres eigval eigvec result dst state:mj_getState qvel:mj_differentiatePos
qpos:mj_integratePos qpos:mj_normalizeQuat qfrc_target Dquat Dvel Dscale x:mj_solveM x:mj_solveM2 xpos xmat
vec:mju_normalize3 vec:mju_normalize4 list mat:mju_eye mat:mju_cholFactor mat:mju_cholUpdate
x:mju_cholUpdate pyramid:mju_encodePyramid force:mju_decodePyramid mat:mj_angmomMat buffer dist
R mat:mju_cholFactorBand solref solimp""".split()
OPTIONAL = """jacp jacr jacPoint jacAxis Da Db normal A B C D DfDq DfDv DfDa DsDq DsDv DsDa
DmDq fromto cost""".split()
INDICES = "rownnz rowadr colind list:mju_insertionSortInt geomid:mj_multiRay".split()
FLOATS = """angle dt scale scl val x min max mindiag newmass time len vel:mju_muscleGain acc0 ctrl act a:mju_min
b:mju_min a:mju_max b:mju_max pos0 vel0 Kp Kv cutoff eps phase
diagadd diagmul distmax""".split()
INTS = """body geom site nstep key k sig srcsig dstsig type id objtype objid flg_local flg_acc flg_force
skipstage skipsensor N interp sameframe index base flg_plus nbytes warning info
flg_static bodyexclude nray geomtype geomid:mj_rayMesh geomid:mj_rayHfield
geom1 geom2 flg_centered flg_actuation debug_value i ntotal nband ndense nvec flg_sym
flg_coneHessian flex_layer flg_vert flg_edge flg_face flg_skin flexid""".split()
NAMED = {
    "m": "MjModel",
    "d": "MjData",
    "dest": "MjData",
    "opt": "MjOption",
    "vis": "MjVisual",
    "str": "str",
    "diag": "ArrayLike | None",
    "times": "ArrayLike | None",
    "lower": "ArrayLike | None",
    "upper": "ArrayLike | None",
    "num2": "float | None",
    "geomgroup": "ArrayLike | None",
    "geomid": "NDArray[np.int32] | None",
    "vertid": "NDArray[np.int32] | None",
    "con": "MjContact",
    "filename": "str | os.PathLike[str] | None",
}
RETURNS = {
    "float": """mju_dot3 mju_norm3 mju_dist3 mju_normalize3 mju_normalize4 mju_sum mju_L1 mju_norm mju_dot
    mju_normalize mju_mulVecMatVec mju_clip mju_min mju_max mju_sign mju_sigmoid mju_Halton mj_getTotalmass
    mj_readCtrl mju_springDamper mju_muscleGain mju_muscleBias mju_muscleDynamics
    mj_ray mj_rayMesh mj_rayHfield mj_rayFlex mju_rayGeom mju_cholFactorBand mju_standardNormal
    mj_geomDistance""".split(),
    "int": """mju_eig3 mju_mat2Rot mju_isZero mju_cholFactor mju_round mju_isBad mj_stateSize mj_name2id
    mj_isPyramidal mj_isSparse mj_isDual mj_version mj_sizeModel mju_cholUpdate mju_dense2sparse
    mju_str2Type mju_boxQP mju_bandDiag mj_addContact""".split(),
    "str": ["mj_versionString", "mju_warningText", "mju_writeNumBytes"],
    "str | None": ["mj_id2name", "mju_type2Str"],
    "list[str]": ["mju_getXMLDependencies"],
    "NDArray[np.float64]": ["mj_readSensor"],
}


def parameter_type(function, name):
    """The type of a parameter."""
    has = lambda names: name in names or f"{name}:{function}" in names
    if function in ("mj_copyData", "mj_copyState") and name in ("src", "dst"):
        return "MjData"
    if function in ("mj_saveLastXML", "mju_getXMLDependencies") and name == "filename":
        return "str | os.PathLike[str]"
    if name == "opt" and function in ("mj_setLengthRange", "mj_defaultLROpt"):
        return "MjLROpt"
    if (function, name) == ("mju_boxQP", "index"):
        return "NDArray[np.int32] | None"
    if name in ("seq", "name"):
        return "str"
    if function.startswith("set_mj"):
        return "Callable[..., Any] | None"
    if has(INDICES):
        return "NDArray[np.int32]"
    if has(RESULTS):
        kind = "np.uint8" if name == "buffer" else "np.float64"
        return f"NDArray[{kind}]" + (" | None" if name == "buffer" else "")
    if has(OPTIONAL):
        return "NDArray[np.float64] | None"
    if has(FLOATS):
        return "float"
    if has(INTS):
        return "SupportsIndex"
    return NAMED.get(name, "ArrayLike")


def attribute(name, kind, indent="    "):
    """An attribute with the type of assigned values."""
    taken = {"int": "SupportsIndex", "float": "float | SupportsIndex"}.get(kind, "ArrayLike")
    lines = ["@property", f"def {name}(self) -> {kind}: ..."]
    lines += [f"@{name}.setter", f"def {name}(self, value: {taken}) -> None: ..."]
    return [indent + line for line in lines]


_PLUGINS = [name for name in sinew._plugins.__all__ if not name.isupper()]
FUNCTIONS = [*sinew._functions.__all__, *sinew._callbacks.__all__, *_PLUGINS]


def function_stub(name):
    """One line for a function of the extension module."""
    parts = []
    signature = inspect.signature(getattr(sinew, name))
    for p in signature.parameters.values():
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            parts.append(f"{'*' if p.kind is p.VAR_POSITIONAL else '**'}{p.name}: Any")
            continue
        kind = parameter_type(name, p.name) if p.annotation is p.empty else p.annotation
        text = f"{p.name}: {kind}"
        parts.append(text if p.default is p.empty else f"{text} = {p.default!r}")
    returns = next((kind for kind, names in RETURNS.items() if name in names), "None")
    if name.startswith("get_mj"):
        returns = "Callable[..., Any] | None"
    if signature.return_annotation not in (signature.empty, None):
        returns = signature.return_annotation
    return f"def {name}({', '.join(parts)}) -> {returns}: ..."


def array(dtype):
    """The type of a field."""
    return dtype if dtype in ("int", "float", "bytes") else f"NDArray[np.{dtype}]"


def record_stub(cls, indent=""):
    lines = [f"{indent}class {cls.__name__}(_MjStruct):"]
    if not indent:
        lines.append(f"{indent}    def __init__(self) -> None: ...")
    for name, dtype, width, _, _ in cls._fields:
        if (cls.__name__, name) == ("MjvGeom", "label"):
            lines.append(f"{indent}    label: str")
            continue
        scalar = "float" if dtype.startswith("float") else "int"
        lines += attribute(name, array(dtype) if width > 1 else scalar, indent + "    ")
    return lines


def scene_stub():
    head, *fields = record_stub(_visual.MjvScene)
    fields[0] = "    def __init__(self, model: MjModel | None = None, maxgeom: int = 0) -> None: ..."
    for name, kind in (("geoms", "MjvGeom"), ("lights", "MjvLight"), ("camera", "MjvGLCamera")):
        fields += ["    @property", f"    def {name}(self) -> Sequence[{kind}]: ..."]
    for names, kind in ((_visual._INTS, "int32"), (_visual._FLOATS, "float32")):
        for name in names:
            fields += ["    @property", f"    def {name}(self) -> NDArray[np.{kind}]: ..."]
    return [head, *fields]


def list_stub(cls):
    item = cls._item.__name__
    lines = [f"class {cls.__name__}:", "    def __len__(self) -> int: ..."]
    lines += [f"    def __iter__(self) -> Iterator[{item}]: ..."]
    lines += ["    @overload", f"    def __getitem__(self, key: SupportsIndex) -> {item}: ..."]
    lines += ["    @overload", f"    def __getitem__(self, key: slice) -> {cls.__name__}: ..."]
    for name, dtype, _, _, _ in cls._item._fields:
        lines += attribute(name, array(dtype))
    return lines


def view_stub(cls, fields):
    """The class of one object's fields."""
    types = {f.name: array(f.dtype) for f in fields}
    lines = [f"class {cls.__name__}:"]
    lines += ["    @property", "    def id(self) -> int: ..."]
    lines += ["    @property", "    def name(self) -> str: ..."]
    for name in cls._attributes:
        lines += attribute(name, types.get(cls._sources[name], "NDArray[Any]"))
    return lines


def object_stub(cls, groups, fields, body):
    lines = [f"class {cls.__name__}:", f'    """{cls.__doc__}"""', *body.rstrip().splitlines()]
    for f in fields:
        readonly = f.dtype == "bytes" or (cls is _structs.MjModel and not f.rows)
        if readonly:
            lines += ["    @property", f"    def {f.name}(self) -> {array(f.dtype)}: ..."]
        else:
            lines += attribute(f.name, array(f.dtype))
    known = {f.name for f in fields}
    for name, kind in later_fields.members(cls):
        if name not in known:
            lines += ["    @property", f"    def {name}(self) -> {kind}: ..."]
    for group, (other, *_) in groups.items():
        views = getattr(cls, group).views.__name__
        for name in filter(None, (group, other)):
            lines.append(f'    def {name}(self, name: SupportsIndex | str | bytes = "") -> {views}: ...')
    return lines


BATCH = """
    def __init__(
        self,
        model: MjModel | Sequence[MjModel],
        n: int | None = None,
        *,
        nthread: int = 0,
        chunk_size: int | None = 0,
        keep_data: bool = False,
        device: str = "cpu",
        dtype: DTypeLike = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def nthread(self) -> int: ...
    @property
    def nbytes_per_world(self) -> int: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def diverged(self) -> NDArray[np.bool_]: ...
    @property
    def bound(self) -> dict[str, NDArray[Any]]: ...
    @property
    def parameters(self) -> dict[str, NDArray[Any]]: ...
    @property
    def has_const(self) -> bool: ...
    def bind(self, name: str) -> NDArray[Any]: ...
    def expand(self, name: str) -> NDArray[Any]: ...
    def sensor(self, name: str) -> NDArray[np.float64]: ...
    def step(
        self, nsteps: int = 1, mask: ArrayLike | None = None, *, forces: bool = False
    ) -> None: ...
    def forward(self, mask: ArrayLike | None = None, *, forces: bool = False) -> None: ...
    def reset(self, mask: ArrayLike | None = None, keyframe: int | None = None) -> None: ...
    def set_const(self) -> None: ...
    def set_model(self, model: MjModel) -> None: ...
    def state(self, spec: SupportsIndex = ...) -> NDArray[np.float64]: ...
    def set_state(
        self, state: ArrayLike, spec: SupportsIndex = ..., mask: ArrayLike | None = None
    ) -> None: ...
    def data(self, world: int) -> MjData: ...
    def world_model(self, world: int) -> MjModel: ..."""


DERIVATIVES = """
class Transition(NamedTuple):
    \"\"\"The matrices of a step, and how far the nearest other branch is.\"\"\"
    A: NDArray[np.float64]
    B: NDArray[np.float64]
    C: NDArray[np.float64] | None
    D: NDArray[np.float64] | None
    gap: float
    acceleration: float

class RolloutGradient(NamedTuple):
    \"\"\"Gradients in the shapes of the arguments.\"\"\"
    state: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    params: dict[str, NDArray[np.float64]]

class Rollouts:
    \"\"\"Rollouts of many worlds, and products with their derivatives.\"\"\"
    PARAMETERS: ClassVar[tuple[str, ...]]
    def __init__(self, model: MjModel, *, nthread: int = 0) -> None: ...
    @classmethod
    def of(cls, model: MjModel | Rollouts) -> Rollouts: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def nthread(self) -> int: ...
    @property
    def nstate(self) -> int: ...
    def run(
        self, state: ArrayLike, ctrl: ArrayLike, params: Mapping[str, ArrayLike] | None = None
    ) -> NDArray[np.float64]: ...
    def vjp(
        self,
        state: ArrayLike,
        ctrl: ArrayLike,
        by_states: ArrayLike,
        params: Mapping[str, ArrayLike] | None = None,
    ) -> RolloutGradient: ...
    def jvp(
        self,
        state: ArrayLike,
        ctrl: ArrayLike,
        change_of_state: ArrayLike,
        change_of_ctrl: ArrayLike,
        params: Mapping[str, ArrayLike] | None = None,
    ) -> NDArray[np.float64]: ...

def transition(m: MjModel, d: MjData, *, sensors: bool = True) -> Transition: ...
"""

DEVICE = """
class DeviceArray:
    \"\"\"An array over the worlds of a batch in the memory of a GPU.\"\"\"
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def typestr(self) -> str: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def numpy(self) -> NDArray[Any]: ...

class DeviceBatch:
    \"\"\"Worlds on a GPU.\"\"\"
    stream: int
    def __init__(
        self,
        model: MjModel,
        n: int,
        *,
        nthread: int = 0,
        device: str = "cuda",
        dtype: DTypeLike = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def device(self) -> str: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def nbytes_per_world(self) -> int: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def diverged(self) -> DeviceArray: ...
    def bind(self, name: str) -> DeviceArray: ...
    def expand(self, name: str) -> Any: ...
    @property
    def bound(self) -> dict[str, DeviceArray]: ...
    @property
    def parameters(self) -> dict[str, Any]: ...
    @property
    def has_const(self) -> bool: ...
    def sensor(self, name: str) -> DeviceArray: ...
    def step(
        self, nsteps: int = 1, mask: ArrayLike | None = None, *, wait: bool = True
    ) -> None: ...
    def wait(self) -> None: ...
    def forward(self, mask: ArrayLike | None = None) -> None: ...
    def reset(self, mask: ArrayLike | None = None, keyframe: int | None = None) -> None: ...
    def set_const(self) -> None: ...
    def set_model(self, model: MjModel) -> None: ...
    def state(self, spec: SupportsIndex = ...) -> NDArray[np.float64]: ...
    def set_state(
        self, state: ArrayLike, spec: SupportsIndex = ..., mask: ArrayLike | None = None
    ) -> None: ...
    def data(self, world: int) -> MjData: ...
    def world_model(self, world: int) -> MjModel: ...
    def __getattr__(self, name: str) -> DeviceArray: ...
    def __setattr__(self, name: str, value: Any) -> None: ..."""


def batch_stub():
    """The class of batches: its methods, and every field that has an array over worlds."""
    types = {f.name: array(f.dtype) for f in _sinew.DATA_FIELDS if f.dtype not in ("int", "float")}
    lines = ["class Batch:", '    """Many worlds of one model, stepped together."""']
    lines += BATCH.strip("\n").splitlines()
    for name in sorted(_batch._FIELDS):
        other = array("float64") if name == "time" else array("int32")
        lines += attribute(name, types.get(name, other))
    return lines


def later_records():
    """The classes of a few attributes that came after 3.5.0."""
    lines = []
    for name in sorted(classes.__all__):
        cls = getattr(classes, name)
        lines += [f"class {name}:", f'    """{cls.__doc__}"""', ""]
        for attribute_name, value in cls._defaults.items():
            kind = {"ndarray": "NDArray[np.float64]", "NoneType": "str | None"}
            kind = kind.get(type(value).__name__, type(value).__name__)
            lines.append(f"    {attribute_name}: {kind}")
        lines.append("    def __init__(self, **values: Any) -> None: ...")
        if name == "MjLogConfig":
            lines += ["    @staticmethod", "    def get() -> MjLogConfig: ...", "    def set(self) -> None: ..."]
        lines.append("")
    return "\n".join(lines)


def stubs():
    """The text of `__init__.pyi`."""
    operator = "    def __{0}__(self, other: Any) -> Any: ...\n    def __r{0}__(self, other: Any) -> Any: ..."
    operators = "\n".join(operator.format(name) for name in OPERATORS)
    heads = HEAD.format(doc=sinew.__doc__, operators=operators, records=later_records())
    lines = heads.splitlines()
    for name in _enums.__all__:
        lines += ["", f"class {name}(MjEnum):"]
        lines += [f"    {member}: ClassVar[{name}]" for member in getattr(_enums, name).__members__]
    lines.append("")
    for name, value in vars(_constants).items():
        if name.startswith(("mj", "MJ")):
            nested = isinstance(value, tuple) and isinstance(value[0], tuple)
            kind = "tuple[tuple[str, str, str], ...]" if nested else "tuple[str, ...]"
            lines.append(f"{name}: {kind if isinstance(value, tuple) else type(value).__name__}")
    records = "MjOption MjStatistic MjContact MjWarningStat MjTimerStat MjSolverStat".split()
    for name in [*records, "MjLROpt"]:
        lines += ["", *record_stub(getattr(_records, name))]
    lines += ["", "class MjVisual:"]
    for part, name in zip(
        _records.MjVisual._names, "Global Quality Headlight Map Scale Rgba".split()
    ):
        lines += record_stub(getattr(_records.MjVisual, name), "    ")
        lines += ["    @property", f"    def {part}(self) -> MjVisual.{name}: ..."]
    lines += ["", "MjVisualHeadlight = MjVisual.Headlight", "MjVisualRgba = MjVisual.Rgba"]
    for name in records[2:]:
        lines += ["", *list_stub(getattr(_records, f"_{name}List"))]
    for name in "MjvCamera MjvGLCamera MjvLight MjvOption MjvPerturb MjvGeom".split():
        lines += ["", *record_stub(getattr(_visual, name))]
    lines += ["", *scene_stub(), *RENDER.rstrip().splitlines()]
    for cls, groups, fields, body in (
        (_structs.MjModel, _views.MODEL_GROUPS, _sinew.MODEL_FIELDS, MODEL),
        (_structs.MjData, _views.DATA_GROUPS, _sinew.DATA_FIELDS, DATA),
    ):
        for group in groups:
            lines += ["", *view_stub(getattr(cls, group).views, fields)]
        lines += ["", *object_stub(cls, groups, fields, body)]
    lines += [*_stubs_spec.lines(), "", *batch_stub(), *DERIVATIVES.splitlines(), *DEVICE.splitlines(), ""]
    lines += [function_stub(name) for name in sorted(FUNCTIONS)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(sinew.__file__).with_suffix(".pyi")
    pathlib.Path(target).write_text(stubs())
