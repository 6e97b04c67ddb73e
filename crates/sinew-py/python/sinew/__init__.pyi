# Made by `python -m sinew._stubs`; do not edit.
"""Sinew: a physics engine that reads MJCF and computes MuJoCo's numbers.

The names are those of MuJoCo's Python package, so that `import sinew as mujoco` runs its scripts.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
SINEW_VERSION: str

class FatalError(Exception):
    """The engine could not go on."""

class UnexpectedError(Exception):
    """The engine failed in an unexpected way."""

class LoadWarning(UserWarning):
    """A model was loaded, but something about it deserves attention."""

class MjEnum:
    """A named integer: equal to its number, usable as an index, combined as integers."""

    name: str
    value: int
    __members__: ClassVar[dict[str, Any]]
    def __init__(self, value: SupportsIndex) -> None: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __neg__(self) -> int: ...
    def __add__(self, other: Any) -> Any: ...
    def __radd__(self, other: Any) -> Any: ...
    def __sub__(self, other: Any) -> Any: ...
    def __rsub__(self, other: Any) -> Any: ...
    def __mul__(self, other: Any) -> Any: ...
    def __rmul__(self, other: Any) -> Any: ...
    def __truediv__(self, other: Any) -> Any: ...
    def __rtruediv__(self, other: Any) -> Any: ...
    def __floordiv__(self, other: Any) -> Any: ...
    def __rfloordiv__(self, other: Any) -> Any: ...
    def __mod__(self, other: Any) -> Any: ...
    def __rmod__(self, other: Any) -> Any: ...
    def __and__(self, other: Any) -> Any: ...
    def __rand__(self, other: Any) -> Any: ...
    def __or__(self, other: Any) -> Any: ...
    def __ror__(self, other: Any) -> Any: ...
    def __xor__(self, other: Any) -> Any: ...
    def __rxor__(self, other: Any) -> Any: ...
    def __lshift__(self, other: Any) -> Any: ...
    def __rlshift__(self, other: Any) -> Any: ...
    def __rshift__(self, other: Any) -> Any: ...
    def __rrshift__(self, other: Any) -> Any: ...

class MjStruct:
    """A struct of numbers: scalars are plain attributes, arrays are numpy views."""

    _all_fields: ClassVar[tuple[str, ...]]
    def __copy__(self) -> Any: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Any: ...

class mjtDisableBit(MjEnum):
    mjDSBL_CONSTRAINT: ClassVar[mjtDisableBit]
    mjDSBL_EQUALITY: ClassVar[mjtDisableBit]
    mjDSBL_FRICTIONLOSS: ClassVar[mjtDisableBit]
    mjDSBL_LIMIT: ClassVar[mjtDisableBit]
    mjDSBL_CONTACT: ClassVar[mjtDisableBit]
    mjDSBL_SPRING: ClassVar[mjtDisableBit]
    mjDSBL_DAMPER: ClassVar[mjtDisableBit]
    mjDSBL_GRAVITY: ClassVar[mjtDisableBit]
    mjDSBL_CLAMPCTRL: ClassVar[mjtDisableBit]
    mjDSBL_WARMSTART: ClassVar[mjtDisableBit]
    mjDSBL_FILTERPARENT: ClassVar[mjtDisableBit]
    mjDSBL_ACTUATION: ClassVar[mjtDisableBit]
    mjDSBL_REFSAFE: ClassVar[mjtDisableBit]
    mjDSBL_SENSOR: ClassVar[mjtDisableBit]
    mjDSBL_MIDPHASE: ClassVar[mjtDisableBit]
    mjDSBL_EULERDAMP: ClassVar[mjtDisableBit]
    mjDSBL_AUTORESET: ClassVar[mjtDisableBit]
    mjDSBL_NATIVECCD: ClassVar[mjtDisableBit]
    mjDSBL_ISLAND: ClassVar[mjtDisableBit]
    mjNDISABLE: ClassVar[mjtDisableBit]

class mjtEnableBit(MjEnum):
    mjENBL_OVERRIDE: ClassVar[mjtEnableBit]
    mjENBL_ENERGY: ClassVar[mjtEnableBit]
    mjENBL_FWDINV: ClassVar[mjtEnableBit]
    mjENBL_INVDISCRETE: ClassVar[mjtEnableBit]
    mjENBL_MULTICCD: ClassVar[mjtEnableBit]
    mjENBL_SLEEP: ClassVar[mjtEnableBit]
    mjNENABLE: ClassVar[mjtEnableBit]

class mjtJoint(MjEnum):
    mjJNT_FREE: ClassVar[mjtJoint]
    mjJNT_BALL: ClassVar[mjtJoint]
    mjJNT_SLIDE: ClassVar[mjtJoint]
    mjJNT_HINGE: ClassVar[mjtJoint]

class mjtGeom(MjEnum):
    mjGEOM_PLANE: ClassVar[mjtGeom]
    mjGEOM_HFIELD: ClassVar[mjtGeom]
    mjGEOM_SPHERE: ClassVar[mjtGeom]
    mjGEOM_CAPSULE: ClassVar[mjtGeom]
    mjGEOM_ELLIPSOID: ClassVar[mjtGeom]
    mjGEOM_CYLINDER: ClassVar[mjtGeom]
    mjGEOM_BOX: ClassVar[mjtGeom]
    mjGEOM_MESH: ClassVar[mjtGeom]
    mjGEOM_SDF: ClassVar[mjtGeom]
    mjNGEOMTYPES: ClassVar[mjtGeom]
    mjGEOM_ARROW: ClassVar[mjtGeom]
    mjGEOM_ARROW1: ClassVar[mjtGeom]
    mjGEOM_ARROW2: ClassVar[mjtGeom]
    mjGEOM_LINE: ClassVar[mjtGeom]
    mjGEOM_LINEBOX: ClassVar[mjtGeom]
    mjGEOM_FLEX: ClassVar[mjtGeom]
    mjGEOM_SKIN: ClassVar[mjtGeom]
    mjGEOM_LABEL: ClassVar[mjtGeom]
    mjGEOM_TRIANGLE: ClassVar[mjtGeom]
    mjGEOM_NONE: ClassVar[mjtGeom]

class mjtProjection(MjEnum):
    mjPROJ_PERSPECTIVE: ClassVar[mjtProjection]
    mjPROJ_ORTHOGRAPHIC: ClassVar[mjtProjection]

class mjtCamLight(MjEnum):
    mjCAMLIGHT_FIXED: ClassVar[mjtCamLight]
    mjCAMLIGHT_TRACK: ClassVar[mjtCamLight]
    mjCAMLIGHT_TRACKCOM: ClassVar[mjtCamLight]
    mjCAMLIGHT_TARGETBODY: ClassVar[mjtCamLight]
    mjCAMLIGHT_TARGETBODYCOM: ClassVar[mjtCamLight]

class mjtLightType(MjEnum):
    mjLIGHT_SPOT: ClassVar[mjtLightType]
    mjLIGHT_DIRECTIONAL: ClassVar[mjtLightType]
    mjLIGHT_POINT: ClassVar[mjtLightType]
    mjLIGHT_IMAGE: ClassVar[mjtLightType]

class mjtTexture(MjEnum):
    mjTEXTURE_2D: ClassVar[mjtTexture]
    mjTEXTURE_CUBE: ClassVar[mjtTexture]
    mjTEXTURE_SKYBOX: ClassVar[mjtTexture]

class mjtTextureRole(MjEnum):
    mjTEXROLE_USER: ClassVar[mjtTextureRole]
    mjTEXROLE_RGB: ClassVar[mjtTextureRole]
    mjTEXROLE_OCCLUSION: ClassVar[mjtTextureRole]
    mjTEXROLE_ROUGHNESS: ClassVar[mjtTextureRole]
    mjTEXROLE_METALLIC: ClassVar[mjtTextureRole]
    mjTEXROLE_NORMAL: ClassVar[mjtTextureRole]
    mjTEXROLE_OPACITY: ClassVar[mjtTextureRole]
    mjTEXROLE_EMISSIVE: ClassVar[mjtTextureRole]
    mjTEXROLE_RGBA: ClassVar[mjtTextureRole]
    mjTEXROLE_ORM: ClassVar[mjtTextureRole]
    mjNTEXROLE: ClassVar[mjtTextureRole]

class mjtColorSpace(MjEnum):
    mjCOLORSPACE_AUTO: ClassVar[mjtColorSpace]
    mjCOLORSPACE_LINEAR: ClassVar[mjtColorSpace]
    mjCOLORSPACE_SRGB: ClassVar[mjtColorSpace]

class mjtIntegrator(MjEnum):
    mjINT_EULER: ClassVar[mjtIntegrator]
    mjINT_RK4: ClassVar[mjtIntegrator]
    mjINT_IMPLICIT: ClassVar[mjtIntegrator]
    mjINT_IMPLICITFAST: ClassVar[mjtIntegrator]

class mjtCone(MjEnum):
    mjCONE_PYRAMIDAL: ClassVar[mjtCone]
    mjCONE_ELLIPTIC: ClassVar[mjtCone]

class mjtJacobian(MjEnum):
    mjJAC_DENSE: ClassVar[mjtJacobian]
    mjJAC_SPARSE: ClassVar[mjtJacobian]
    mjJAC_AUTO: ClassVar[mjtJacobian]

class mjtSolver(MjEnum):
    mjSOL_PGS: ClassVar[mjtSolver]
    mjSOL_CG: ClassVar[mjtSolver]
    mjSOL_NEWTON: ClassVar[mjtSolver]

class mjtEq(MjEnum):
    mjEQ_CONNECT: ClassVar[mjtEq]
    mjEQ_WELD: ClassVar[mjtEq]
    mjEQ_JOINT: ClassVar[mjtEq]
    mjEQ_TENDON: ClassVar[mjtEq]
    mjEQ_FLEX: ClassVar[mjtEq]
    mjEQ_FLEXVERT: ClassVar[mjtEq]
    mjEQ_DISTANCE: ClassVar[mjtEq]

class mjtWrap(MjEnum):
    mjWRAP_NONE: ClassVar[mjtWrap]
    mjWRAP_JOINT: ClassVar[mjtWrap]
    mjWRAP_PULLEY: ClassVar[mjtWrap]
    mjWRAP_SITE: ClassVar[mjtWrap]
    mjWRAP_SPHERE: ClassVar[mjtWrap]
    mjWRAP_CYLINDER: ClassVar[mjtWrap]

class mjtTrn(MjEnum):
    mjTRN_JOINT: ClassVar[mjtTrn]
    mjTRN_JOINTINPARENT: ClassVar[mjtTrn]
    mjTRN_SLIDERCRANK: ClassVar[mjtTrn]
    mjTRN_TENDON: ClassVar[mjtTrn]
    mjTRN_SITE: ClassVar[mjtTrn]
    mjTRN_BODY: ClassVar[mjtTrn]
    mjTRN_UNDEFINED: ClassVar[mjtTrn]

class mjtDyn(MjEnum):
    mjDYN_NONE: ClassVar[mjtDyn]
    mjDYN_INTEGRATOR: ClassVar[mjtDyn]
    mjDYN_FILTER: ClassVar[mjtDyn]
    mjDYN_FILTEREXACT: ClassVar[mjtDyn]
    mjDYN_MUSCLE: ClassVar[mjtDyn]
    mjDYN_USER: ClassVar[mjtDyn]

class mjtGain(MjEnum):
    mjGAIN_FIXED: ClassVar[mjtGain]
    mjGAIN_AFFINE: ClassVar[mjtGain]
    mjGAIN_MUSCLE: ClassVar[mjtGain]
    mjGAIN_USER: ClassVar[mjtGain]

class mjtBias(MjEnum):
    mjBIAS_NONE: ClassVar[mjtBias]
    mjBIAS_AFFINE: ClassVar[mjtBias]
    mjBIAS_MUSCLE: ClassVar[mjtBias]
    mjBIAS_USER: ClassVar[mjtBias]

class mjtObj(MjEnum):
    mjOBJ_UNKNOWN: ClassVar[mjtObj]
    mjOBJ_BODY: ClassVar[mjtObj]
    mjOBJ_XBODY: ClassVar[mjtObj]
    mjOBJ_JOINT: ClassVar[mjtObj]
    mjOBJ_DOF: ClassVar[mjtObj]
    mjOBJ_GEOM: ClassVar[mjtObj]
    mjOBJ_SITE: ClassVar[mjtObj]
    mjOBJ_CAMERA: ClassVar[mjtObj]
    mjOBJ_LIGHT: ClassVar[mjtObj]
    mjOBJ_FLEX: ClassVar[mjtObj]
    mjOBJ_MESH: ClassVar[mjtObj]
    mjOBJ_SKIN: ClassVar[mjtObj]
    mjOBJ_HFIELD: ClassVar[mjtObj]
    mjOBJ_TEXTURE: ClassVar[mjtObj]
    mjOBJ_MATERIAL: ClassVar[mjtObj]
    mjOBJ_PAIR: ClassVar[mjtObj]
    mjOBJ_EXCLUDE: ClassVar[mjtObj]
    mjOBJ_EQUALITY: ClassVar[mjtObj]
    mjOBJ_TENDON: ClassVar[mjtObj]
    mjOBJ_ACTUATOR: ClassVar[mjtObj]
    mjOBJ_SENSOR: ClassVar[mjtObj]
    mjOBJ_NUMERIC: ClassVar[mjtObj]
    mjOBJ_TEXT: ClassVar[mjtObj]
    mjOBJ_TUPLE: ClassVar[mjtObj]
    mjOBJ_KEY: ClassVar[mjtObj]
    mjOBJ_PLUGIN: ClassVar[mjtObj]
    mjNOBJECT: ClassVar[mjtObj]
    mjOBJ_FRAME: ClassVar[mjtObj]
    mjOBJ_DEFAULT: ClassVar[mjtObj]
    mjOBJ_MODEL: ClassVar[mjtObj]

class mjtSensor(MjEnum):
    mjSENS_TOUCH: ClassVar[mjtSensor]
    mjSENS_ACCELEROMETER: ClassVar[mjtSensor]
    mjSENS_VELOCIMETER: ClassVar[mjtSensor]
    mjSENS_GYRO: ClassVar[mjtSensor]
    mjSENS_FORCE: ClassVar[mjtSensor]
    mjSENS_TORQUE: ClassVar[mjtSensor]
    mjSENS_MAGNETOMETER: ClassVar[mjtSensor]
    mjSENS_RANGEFINDER: ClassVar[mjtSensor]
    mjSENS_CAMPROJECTION: ClassVar[mjtSensor]
    mjSENS_JOINTPOS: ClassVar[mjtSensor]
    mjSENS_JOINTVEL: ClassVar[mjtSensor]
    mjSENS_TENDONPOS: ClassVar[mjtSensor]
    mjSENS_TENDONVEL: ClassVar[mjtSensor]
    mjSENS_ACTUATORPOS: ClassVar[mjtSensor]
    mjSENS_ACTUATORVEL: ClassVar[mjtSensor]
    mjSENS_ACTUATORFRC: ClassVar[mjtSensor]
    mjSENS_JOINTACTFRC: ClassVar[mjtSensor]
    mjSENS_TENDONACTFRC: ClassVar[mjtSensor]
    mjSENS_BALLQUAT: ClassVar[mjtSensor]
    mjSENS_BALLANGVEL: ClassVar[mjtSensor]
    mjSENS_JOINTLIMITPOS: ClassVar[mjtSensor]
    mjSENS_JOINTLIMITVEL: ClassVar[mjtSensor]
    mjSENS_JOINTLIMITFRC: ClassVar[mjtSensor]
    mjSENS_TENDONLIMITPOS: ClassVar[mjtSensor]
    mjSENS_TENDONLIMITVEL: ClassVar[mjtSensor]
    mjSENS_TENDONLIMITFRC: ClassVar[mjtSensor]
    mjSENS_FRAMEPOS: ClassVar[mjtSensor]
    mjSENS_FRAMEQUAT: ClassVar[mjtSensor]
    mjSENS_FRAMEXAXIS: ClassVar[mjtSensor]
    mjSENS_FRAMEYAXIS: ClassVar[mjtSensor]
    mjSENS_FRAMEZAXIS: ClassVar[mjtSensor]
    mjSENS_FRAMELINVEL: ClassVar[mjtSensor]
    mjSENS_FRAMEANGVEL: ClassVar[mjtSensor]
    mjSENS_FRAMELINACC: ClassVar[mjtSensor]
    mjSENS_FRAMEANGACC: ClassVar[mjtSensor]
    mjSENS_SUBTREECOM: ClassVar[mjtSensor]
    mjSENS_SUBTREELINVEL: ClassVar[mjtSensor]
    mjSENS_SUBTREEANGMOM: ClassVar[mjtSensor]
    mjSENS_INSIDESITE: ClassVar[mjtSensor]
    mjSENS_GEOMDIST: ClassVar[mjtSensor]
    mjSENS_GEOMNORMAL: ClassVar[mjtSensor]
    mjSENS_GEOMFROMTO: ClassVar[mjtSensor]
    mjSENS_CONTACT: ClassVar[mjtSensor]
    mjSENS_E_POTENTIAL: ClassVar[mjtSensor]
    mjSENS_E_KINETIC: ClassVar[mjtSensor]
    mjSENS_CLOCK: ClassVar[mjtSensor]
    mjSENS_TACTILE: ClassVar[mjtSensor]
    mjSENS_PLUGIN: ClassVar[mjtSensor]
    mjSENS_USER: ClassVar[mjtSensor]

class mjtStage(MjEnum):
    mjSTAGE_NONE: ClassVar[mjtStage]
    mjSTAGE_POS: ClassVar[mjtStage]
    mjSTAGE_VEL: ClassVar[mjtStage]
    mjSTAGE_ACC: ClassVar[mjtStage]

class mjtDataType(MjEnum):
    mjDATATYPE_REAL: ClassVar[mjtDataType]
    mjDATATYPE_POSITIVE: ClassVar[mjtDataType]
    mjDATATYPE_AXIS: ClassVar[mjtDataType]
    mjDATATYPE_QUATERNION: ClassVar[mjtDataType]

class mjtConDataField(MjEnum):
    mjCONDATA_FOUND: ClassVar[mjtConDataField]
    mjCONDATA_FORCE: ClassVar[mjtConDataField]
    mjCONDATA_TORQUE: ClassVar[mjtConDataField]
    mjCONDATA_DIST: ClassVar[mjtConDataField]
    mjCONDATA_POS: ClassVar[mjtConDataField]
    mjCONDATA_NORMAL: ClassVar[mjtConDataField]
    mjCONDATA_TANGENT: ClassVar[mjtConDataField]
    mjNCONDATA: ClassVar[mjtConDataField]

class mjtRayDataField(MjEnum):
    mjRAYDATA_DIST: ClassVar[mjtRayDataField]
    mjRAYDATA_DIR: ClassVar[mjtRayDataField]
    mjRAYDATA_ORIGIN: ClassVar[mjtRayDataField]
    mjRAYDATA_POINT: ClassVar[mjtRayDataField]
    mjRAYDATA_NORMAL: ClassVar[mjtRayDataField]
    mjRAYDATA_DEPTH: ClassVar[mjtRayDataField]
    mjNRAYDATA: ClassVar[mjtRayDataField]

class mjtCamOutBit(MjEnum):
    mjCAMOUT_RGB: ClassVar[mjtCamOutBit]
    mjCAMOUT_DEPTH: ClassVar[mjtCamOutBit]
    mjCAMOUT_DIST: ClassVar[mjtCamOutBit]
    mjCAMOUT_NORMAL: ClassVar[mjtCamOutBit]
    mjCAMOUT_SEG: ClassVar[mjtCamOutBit]
    mjNCAMOUT: ClassVar[mjtCamOutBit]

class mjtSameFrame(MjEnum):
    mjSAMEFRAME_NONE: ClassVar[mjtSameFrame]
    mjSAMEFRAME_BODY: ClassVar[mjtSameFrame]
    mjSAMEFRAME_INERTIA: ClassVar[mjtSameFrame]
    mjSAMEFRAME_BODYROT: ClassVar[mjtSameFrame]
    mjSAMEFRAME_INERTIAROT: ClassVar[mjtSameFrame]

class mjtSleepPolicy(MjEnum):
    mjSLEEP_AUTO: ClassVar[mjtSleepPolicy]
    mjSLEEP_AUTO_NEVER: ClassVar[mjtSleepPolicy]
    mjSLEEP_AUTO_ALLOWED: ClassVar[mjtSleepPolicy]
    mjSLEEP_NEVER: ClassVar[mjtSleepPolicy]
    mjSLEEP_ALLOWED: ClassVar[mjtSleepPolicy]
    mjSLEEP_INIT: ClassVar[mjtSleepPolicy]

class mjtLRMode(MjEnum):
    mjLRMODE_NONE: ClassVar[mjtLRMode]
    mjLRMODE_MUSCLE: ClassVar[mjtLRMode]
    mjLRMODE_MUSCLEUSER: ClassVar[mjtLRMode]
    mjLRMODE_ALL: ClassVar[mjtLRMode]

class mjtFlexSelf(MjEnum):
    mjFLEXSELF_NONE: ClassVar[mjtFlexSelf]
    mjFLEXSELF_NARROW: ClassVar[mjtFlexSelf]
    mjFLEXSELF_BVH: ClassVar[mjtFlexSelf]
    mjFLEXSELF_SAP: ClassVar[mjtFlexSelf]
    mjFLEXSELF_AUTO: ClassVar[mjtFlexSelf]

class mjtSDFType(MjEnum):
    mjSDFTYPE_SINGLE: ClassVar[mjtSDFType]
    mjSDFTYPE_INTERSECTION: ClassVar[mjtSDFType]
    mjSDFTYPE_MIDSURFACE: ClassVar[mjtSDFType]
    mjSDFTYPE_COLLISION: ClassVar[mjtSDFType]

class mjtTaskStatus(MjEnum):
    mjTASK_NEW: ClassVar[mjtTaskStatus]
    mjTASK_QUEUED: ClassVar[mjtTaskStatus]
    mjTASK_COMPLETED: ClassVar[mjtTaskStatus]

class mjtState(MjEnum):
    mjSTATE_TIME: ClassVar[mjtState]
    mjSTATE_QPOS: ClassVar[mjtState]
    mjSTATE_QVEL: ClassVar[mjtState]
    mjSTATE_ACT: ClassVar[mjtState]
    mjSTATE_HISTORY: ClassVar[mjtState]
    mjSTATE_WARMSTART: ClassVar[mjtState]
    mjSTATE_CTRL: ClassVar[mjtState]
    mjSTATE_QFRC_APPLIED: ClassVar[mjtState]
    mjSTATE_XFRC_APPLIED: ClassVar[mjtState]
    mjSTATE_EQ_ACTIVE: ClassVar[mjtState]
    mjSTATE_MOCAP_POS: ClassVar[mjtState]
    mjSTATE_MOCAP_QUAT: ClassVar[mjtState]
    mjSTATE_USERDATA: ClassVar[mjtState]
    mjSTATE_PLUGIN: ClassVar[mjtState]
    mjNSTATE: ClassVar[mjtState]
    mjSTATE_PHYSICS: ClassVar[mjtState]
    mjSTATE_FULLPHYSICS: ClassVar[mjtState]
    mjSTATE_USER: ClassVar[mjtState]
    mjSTATE_INTEGRATION: ClassVar[mjtState]

class mjtConstraint(MjEnum):
    mjCNSTR_EQUALITY: ClassVar[mjtConstraint]
    mjCNSTR_FRICTION_DOF: ClassVar[mjtConstraint]
    mjCNSTR_FRICTION_TENDON: ClassVar[mjtConstraint]
    mjCNSTR_LIMIT_JOINT: ClassVar[mjtConstraint]
    mjCNSTR_LIMIT_TENDON: ClassVar[mjtConstraint]
    mjCNSTR_CONTACT_FRICTIONLESS: ClassVar[mjtConstraint]
    mjCNSTR_CONTACT_PYRAMIDAL: ClassVar[mjtConstraint]
    mjCNSTR_CONTACT_ELLIPTIC: ClassVar[mjtConstraint]

class mjtConstraintState(MjEnum):
    mjCNSTRSTATE_SATISFIED: ClassVar[mjtConstraintState]
    mjCNSTRSTATE_QUADRATIC: ClassVar[mjtConstraintState]
    mjCNSTRSTATE_LINEARNEG: ClassVar[mjtConstraintState]
    mjCNSTRSTATE_LINEARPOS: ClassVar[mjtConstraintState]
    mjCNSTRSTATE_CONE: ClassVar[mjtConstraintState]

class mjtWarning(MjEnum):
    mjWARN_INERTIA: ClassVar[mjtWarning]
    mjWARN_CONTACTFULL: ClassVar[mjtWarning]
    mjWARN_CNSTRFULL: ClassVar[mjtWarning]
    mjWARN_VGEOMFULL: ClassVar[mjtWarning]
    mjWARN_BADQPOS: ClassVar[mjtWarning]
    mjWARN_BADQVEL: ClassVar[mjtWarning]
    mjWARN_BADQACC: ClassVar[mjtWarning]
    mjWARN_BADCTRL: ClassVar[mjtWarning]
    mjNWARNING: ClassVar[mjtWarning]

class mjtTimer(MjEnum):
    mjTIMER_STEP: ClassVar[mjtTimer]
    mjTIMER_FORWARD: ClassVar[mjtTimer]
    mjTIMER_INVERSE: ClassVar[mjtTimer]
    mjTIMER_POSITION: ClassVar[mjtTimer]
    mjTIMER_VELOCITY: ClassVar[mjtTimer]
    mjTIMER_ACTUATION: ClassVar[mjtTimer]
    mjTIMER_CONSTRAINT: ClassVar[mjtTimer]
    mjTIMER_ADVANCE: ClassVar[mjtTimer]
    mjTIMER_POS_KINEMATICS: ClassVar[mjtTimer]
    mjTIMER_POS_INERTIA: ClassVar[mjtTimer]
    mjTIMER_POS_COLLISION: ClassVar[mjtTimer]
    mjTIMER_POS_MAKE: ClassVar[mjtTimer]
    mjTIMER_POS_PROJECT: ClassVar[mjtTimer]
    mjTIMER_COL_BROAD: ClassVar[mjtTimer]
    mjTIMER_COL_NARROW: ClassVar[mjtTimer]
    mjNTIMER: ClassVar[mjtTimer]

class mjtSleepState(MjEnum):
    mjS_STATIC: ClassVar[mjtSleepState]
    mjS_ASLEEP: ClassVar[mjtSleepState]
    mjS_AWAKE: ClassVar[mjtSleepState]

class mjtGeomInertia(MjEnum):
    mjINERTIA_VOLUME: ClassVar[mjtGeomInertia]
    mjINERTIA_SHELL: ClassVar[mjtGeomInertia]

class mjtMeshInertia(MjEnum):
    mjMESH_INERTIA_CONVEX: ClassVar[mjtMeshInertia]
    mjMESH_INERTIA_EXACT: ClassVar[mjtMeshInertia]
    mjMESH_INERTIA_LEGACY: ClassVar[mjtMeshInertia]
    mjMESH_INERTIA_SHELL: ClassVar[mjtMeshInertia]

class mjtMeshBuiltin(MjEnum):
    mjMESH_BUILTIN_NONE: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_SPHERE: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_HEMISPHERE: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_CONE: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_SUPERSPHERE: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_SUPERTORUS: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_WEDGE: ClassVar[mjtMeshBuiltin]
    mjMESH_BUILTIN_PLATE: ClassVar[mjtMeshBuiltin]

class mjtBuiltin(MjEnum):
    mjBUILTIN_NONE: ClassVar[mjtBuiltin]
    mjBUILTIN_GRADIENT: ClassVar[mjtBuiltin]
    mjBUILTIN_CHECKER: ClassVar[mjtBuiltin]
    mjBUILTIN_FLAT: ClassVar[mjtBuiltin]

class mjtMark(MjEnum):
    mjMARK_NONE: ClassVar[mjtMark]
    mjMARK_EDGE: ClassVar[mjtMark]
    mjMARK_CROSS: ClassVar[mjtMark]
    mjMARK_RANDOM: ClassVar[mjtMark]

class mjtLimited(MjEnum):
    mjLIMITED_FALSE: ClassVar[mjtLimited]
    mjLIMITED_TRUE: ClassVar[mjtLimited]
    mjLIMITED_AUTO: ClassVar[mjtLimited]

class mjtAlignFree(MjEnum):
    mjALIGNFREE_FALSE: ClassVar[mjtAlignFree]
    mjALIGNFREE_TRUE: ClassVar[mjtAlignFree]
    mjALIGNFREE_AUTO: ClassVar[mjtAlignFree]

class mjtInertiaFromGeom(MjEnum):
    mjINERTIAFROMGEOM_FALSE: ClassVar[mjtInertiaFromGeom]
    mjINERTIAFROMGEOM_TRUE: ClassVar[mjtInertiaFromGeom]
    mjINERTIAFROMGEOM_AUTO: ClassVar[mjtInertiaFromGeom]

class mjtOrientation(MjEnum):
    mjORIENTATION_QUAT: ClassVar[mjtOrientation]
    mjORIENTATION_AXISANGLE: ClassVar[mjtOrientation]
    mjORIENTATION_XYAXES: ClassVar[mjtOrientation]
    mjORIENTATION_ZAXIS: ClassVar[mjtOrientation]
    mjORIENTATION_EULER: ClassVar[mjtOrientation]

class mjtCatBit(MjEnum):
    mjCAT_STATIC: ClassVar[mjtCatBit]
    mjCAT_DYNAMIC: ClassVar[mjtCatBit]
    mjCAT_DECOR: ClassVar[mjtCatBit]
    mjCAT_ALL: ClassVar[mjtCatBit]

class mjtMouse(MjEnum):
    mjMOUSE_NONE: ClassVar[mjtMouse]
    mjMOUSE_ROTATE_V: ClassVar[mjtMouse]
    mjMOUSE_ROTATE_H: ClassVar[mjtMouse]
    mjMOUSE_MOVE_V: ClassVar[mjtMouse]
    mjMOUSE_MOVE_H: ClassVar[mjtMouse]
    mjMOUSE_ZOOM: ClassVar[mjtMouse]
    mjMOUSE_MOVE_V_REL: ClassVar[mjtMouse]
    mjMOUSE_MOVE_H_REL: ClassVar[mjtMouse]

class mjtPertBit(MjEnum):
    mjPERT_TRANSLATE: ClassVar[mjtPertBit]
    mjPERT_ROTATE: ClassVar[mjtPertBit]

class mjtCamera(MjEnum):
    mjCAMERA_FREE: ClassVar[mjtCamera]
    mjCAMERA_TRACKING: ClassVar[mjtCamera]
    mjCAMERA_FIXED: ClassVar[mjtCamera]
    mjCAMERA_USER: ClassVar[mjtCamera]

class mjtLabel(MjEnum):
    mjLABEL_NONE: ClassVar[mjtLabel]
    mjLABEL_BODY: ClassVar[mjtLabel]
    mjLABEL_JOINT: ClassVar[mjtLabel]
    mjLABEL_GEOM: ClassVar[mjtLabel]
    mjLABEL_SITE: ClassVar[mjtLabel]
    mjLABEL_CAMERA: ClassVar[mjtLabel]
    mjLABEL_LIGHT: ClassVar[mjtLabel]
    mjLABEL_TENDON: ClassVar[mjtLabel]
    mjLABEL_ACTUATOR: ClassVar[mjtLabel]
    mjLABEL_CONSTRAINT: ClassVar[mjtLabel]
    mjLABEL_FLEX: ClassVar[mjtLabel]
    mjLABEL_SKIN: ClassVar[mjtLabel]
    mjLABEL_SELECTION: ClassVar[mjtLabel]
    mjLABEL_SELPNT: ClassVar[mjtLabel]
    mjLABEL_CONTACTPOINT: ClassVar[mjtLabel]
    mjLABEL_CONTACTFORCE: ClassVar[mjtLabel]
    mjLABEL_ISLAND: ClassVar[mjtLabel]
    mjNLABEL: ClassVar[mjtLabel]

class mjtFrame(MjEnum):
    mjFRAME_NONE: ClassVar[mjtFrame]
    mjFRAME_BODY: ClassVar[mjtFrame]
    mjFRAME_GEOM: ClassVar[mjtFrame]
    mjFRAME_SITE: ClassVar[mjtFrame]
    mjFRAME_CAMERA: ClassVar[mjtFrame]
    mjFRAME_LIGHT: ClassVar[mjtFrame]
    mjFRAME_CONTACT: ClassVar[mjtFrame]
    mjFRAME_WORLD: ClassVar[mjtFrame]
    mjNFRAME: ClassVar[mjtFrame]

class mjtVisFlag(MjEnum):
    mjVIS_CONVEXHULL: ClassVar[mjtVisFlag]
    mjVIS_TEXTURE: ClassVar[mjtVisFlag]
    mjVIS_JOINT: ClassVar[mjtVisFlag]
    mjVIS_CAMERA: ClassVar[mjtVisFlag]
    mjVIS_ACTUATOR: ClassVar[mjtVisFlag]
    mjVIS_ACTIVATION: ClassVar[mjtVisFlag]
    mjVIS_LIGHT: ClassVar[mjtVisFlag]
    mjVIS_TENDON: ClassVar[mjtVisFlag]
    mjVIS_RANGEFINDER: ClassVar[mjtVisFlag]
    mjVIS_CONSTRAINT: ClassVar[mjtVisFlag]
    mjVIS_INERTIA: ClassVar[mjtVisFlag]
    mjVIS_SCLINERTIA: ClassVar[mjtVisFlag]
    mjVIS_PERTFORCE: ClassVar[mjtVisFlag]
    mjVIS_PERTOBJ: ClassVar[mjtVisFlag]
    mjVIS_CONTACTPOINT: ClassVar[mjtVisFlag]
    mjVIS_ISLAND: ClassVar[mjtVisFlag]
    mjVIS_CONTACTFORCE: ClassVar[mjtVisFlag]
    mjVIS_CONTACTSPLIT: ClassVar[mjtVisFlag]
    mjVIS_TRANSPARENT: ClassVar[mjtVisFlag]
    mjVIS_AUTOCONNECT: ClassVar[mjtVisFlag]
    mjVIS_COM: ClassVar[mjtVisFlag]
    mjVIS_SELECT: ClassVar[mjtVisFlag]
    mjVIS_STATIC: ClassVar[mjtVisFlag]
    mjVIS_SKIN: ClassVar[mjtVisFlag]
    mjVIS_FLEXVERT: ClassVar[mjtVisFlag]
    mjVIS_FLEXEDGE: ClassVar[mjtVisFlag]
    mjVIS_FLEXFACE: ClassVar[mjtVisFlag]
    mjVIS_FLEXSKIN: ClassVar[mjtVisFlag]
    mjVIS_BODYBVH: ClassVar[mjtVisFlag]
    mjVIS_MESHBVH: ClassVar[mjtVisFlag]
    mjVIS_SDFITER: ClassVar[mjtVisFlag]
    mjNVISFLAG: ClassVar[mjtVisFlag]

class mjtRndFlag(MjEnum):
    mjRND_SHADOW: ClassVar[mjtRndFlag]
    mjRND_WIREFRAME: ClassVar[mjtRndFlag]
    mjRND_REFLECTION: ClassVar[mjtRndFlag]
    mjRND_ADDITIVE: ClassVar[mjtRndFlag]
    mjRND_SKYBOX: ClassVar[mjtRndFlag]
    mjRND_FOG: ClassVar[mjtRndFlag]
    mjRND_HAZE: ClassVar[mjtRndFlag]
    mjRND_DEPTH: ClassVar[mjtRndFlag]
    mjRND_SEGMENT: ClassVar[mjtRndFlag]
    mjRND_IDCOLOR: ClassVar[mjtRndFlag]
    mjRND_CULL_FACE: ClassVar[mjtRndFlag]
    mjNRNDFLAG: ClassVar[mjtRndFlag]

class mjtStereo(MjEnum):
    mjSTEREO_NONE: ClassVar[mjtStereo]
    mjSTEREO_QUADBUFFERED: ClassVar[mjtStereo]
    mjSTEREO_SIDEBYSIDE: ClassVar[mjtStereo]

class mjtPluginCapabilityBit(MjEnum):
    mjPLUGIN_ACTUATOR: ClassVar[mjtPluginCapabilityBit]
    mjPLUGIN_SENSOR: ClassVar[mjtPluginCapabilityBit]
    mjPLUGIN_PASSIVE: ClassVar[mjtPluginCapabilityBit]
    mjPLUGIN_SDF: ClassVar[mjtPluginCapabilityBit]

class mjtGridPos(MjEnum):
    mjGRID_TOPLEFT: ClassVar[mjtGridPos]
    mjGRID_TOPRIGHT: ClassVar[mjtGridPos]
    mjGRID_BOTTOMLEFT: ClassVar[mjtGridPos]
    mjGRID_BOTTOMRIGHT: ClassVar[mjtGridPos]
    mjGRID_TOP: ClassVar[mjtGridPos]
    mjGRID_BOTTOM: ClassVar[mjtGridPos]
    mjGRID_LEFT: ClassVar[mjtGridPos]
    mjGRID_RIGHT: ClassVar[mjtGridPos]

class mjtFramebuffer(MjEnum):
    mjFB_WINDOW: ClassVar[mjtFramebuffer]
    mjFB_OFFSCREEN: ClassVar[mjtFramebuffer]

class mjtDepthMap(MjEnum):
    mjDEPTH_ZERONEAR: ClassVar[mjtDepthMap]
    mjDEPTH_ZEROFAR: ClassVar[mjtDepthMap]

class mjtFontScale(MjEnum):
    mjFONTSCALE_50: ClassVar[mjtFontScale]
    mjFONTSCALE_100: ClassVar[mjtFontScale]
    mjFONTSCALE_150: ClassVar[mjtFontScale]
    mjFONTSCALE_200: ClassVar[mjtFontScale]
    mjFONTSCALE_250: ClassVar[mjtFontScale]
    mjFONTSCALE_300: ClassVar[mjtFontScale]

class mjtFont(MjEnum):
    mjFONT_NORMAL: ClassVar[mjtFont]
    mjFONT_SHADOW: ClassVar[mjtFont]
    mjFONT_BIG: ClassVar[mjtFont]

class mjtButton(MjEnum):
    mjBUTTON_NONE: ClassVar[mjtButton]
    mjBUTTON_LEFT: ClassVar[mjtButton]
    mjBUTTON_RIGHT: ClassVar[mjtButton]
    mjBUTTON_MIDDLE: ClassVar[mjtButton]

class mjtEvent(MjEnum):
    mjEVENT_NONE: ClassVar[mjtEvent]
    mjEVENT_MOVE: ClassVar[mjtEvent]
    mjEVENT_PRESS: ClassVar[mjtEvent]
    mjEVENT_RELEASE: ClassVar[mjtEvent]
    mjEVENT_SCROLL: ClassVar[mjtEvent]
    mjEVENT_KEY: ClassVar[mjtEvent]
    mjEVENT_RESIZE: ClassVar[mjtEvent]
    mjEVENT_REDRAW: ClassVar[mjtEvent]
    mjEVENT_FILESDROP: ClassVar[mjtEvent]

class mjtItem(MjEnum):
    mjITEM_END: ClassVar[mjtItem]
    mjITEM_SECTION: ClassVar[mjtItem]
    mjITEM_SEPARATOR: ClassVar[mjtItem]
    mjITEM_STATIC: ClassVar[mjtItem]
    mjITEM_BUTTON: ClassVar[mjtItem]
    mjITEM_CHECKINT: ClassVar[mjtItem]
    mjITEM_CHECKBYTE: ClassVar[mjtItem]
    mjITEM_RADIO: ClassVar[mjtItem]
    mjITEM_RADIOLINE: ClassVar[mjtItem]
    mjITEM_SELECT: ClassVar[mjtItem]
    mjITEM_SLIDERINT: ClassVar[mjtItem]
    mjITEM_SLIDERNUM: ClassVar[mjtItem]
    mjITEM_EDITINT: ClassVar[mjtItem]
    mjITEM_EDITNUM: ClassVar[mjtItem]
    mjITEM_EDITFLOAT: ClassVar[mjtItem]
    mjITEM_EDITTXT: ClassVar[mjtItem]
    mjNITEM: ClassVar[mjtItem]

class mjtSection(MjEnum):
    mjSECT_CLOSED: ClassVar[mjtSection]
    mjSECT_OPEN: ClassVar[mjtSection]
    mjSECT_FIXED: ClassVar[mjtSection]

mjDISABLESTRING: tuple[str, ...]
mjENABLESTRING: tuple[str, ...]
mjFRAMESTRING: tuple[str, ...]
mjLABELSTRING: tuple[str, ...]
mjMAXCONPAIR: int
mjMAXFLEXNODES: int
mjMAXIMP: float
mjMAXLIGHT: int
mjMAXLINE: int
mjMAXLINEPNT: int
mjMAXOVERLAY: int
mjMAXPLANEGRID: int
mjMAXTREEDEPTH: int
mjMAXVAL: float
mjMINAWAKE: int
mjMINIMP: float
mjMINMU: float
mjMINVAL: float
mjNBIAS: int
mjNDYN: int
mjNEQDATA: int
mjNFLUID: int
mjNGAIN: int
mjNGROUP: int
mjNIMP: int
mjNISLAND: int
mjNREF: int
mjNSENS: int
mjNSOLVER: int
mjPI: float
mjRNDSTRING: tuple[tuple[str, str, str], ...]
mjTIMERSTRING: tuple[str, ...]
mjVERSION_HEADER: int
mjVISSTRING: tuple[tuple[str, str, str], ...]

class MjOption(MjStruct):
    def __init__(self) -> None: ...
    timestep: float
    impratio: float
    tolerance: float
    ls_tolerance: float
    noslip_tolerance: float
    ccd_tolerance: float
    sleep_tolerance: float
    gravity: NDArray[np.float64]
    wind: NDArray[np.float64]
    magnetic: NDArray[np.float64]
    density: float
    viscosity: float
    o_margin: float
    o_solref: NDArray[np.float64]
    o_solimp: NDArray[np.float64]
    o_friction: NDArray[np.float64]
    integrator: int
    cone: int
    jacobian: int
    solver: int
    iterations: int
    ls_iterations: int
    noslip_iterations: int
    ccd_iterations: int
    disableflags: int
    enableflags: int
    disableactuator: int
    sdf_initpoints: int
    sdf_iterations: int

class MjStatistic(MjStruct):
    def __init__(self) -> None: ...
    meaninertia: float
    meanmass: float
    meansize: float
    extent: float
    center: NDArray[np.float64]

class MjContact(MjStruct):
    def __init__(self) -> None: ...
    dist: float
    pos: NDArray[np.float64]
    frame: NDArray[np.float64]
    includemargin: float
    friction: NDArray[np.float64]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    solimp: NDArray[np.float64]
    mu: float
    H: NDArray[np.float64]
    dim: int
    geom1: int
    geom2: int
    geom: NDArray[np.int32]
    flex: NDArray[np.int32]
    elem: NDArray[np.int32]
    vert: NDArray[np.int32]
    exclude: int
    efc_address: int

class MjWarningStat(MjStruct):
    def __init__(self) -> None: ...
    lastinfo: int
    number: int

class MjTimerStat(MjStruct):
    def __init__(self) -> None: ...
    duration: float
    number: int

class MjSolverStat(MjStruct):
    def __init__(self) -> None: ...
    improvement: float
    gradient: float
    lineslope: float
    nactive: int
    nchange: int
    neval: int
    nupdate: int

class MjLROpt(MjStruct):
    def __init__(self) -> None: ...
    mode: int
    useexisting: int
    uselimit: int
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float

class MjVisual:
    class Global(MjStruct):
        cameraid: int
        orthographic: int
        fovy: float
        ipd: float
        azimuth: float
        elevation: float
        linewidth: float
        glow: float
        realtime: float
        offwidth: int
        offheight: int
        ellipsoidinertia: int
        bvactive: int
    @property
    def global_(self) -> MjVisual.Global: ...
    class Quality(MjStruct):
        shadowsize: int
        offsamples: int
        numslices: int
        numstacks: int
        numquads: int
    @property
    def quality(self) -> MjVisual.Quality: ...
    class Headlight(MjStruct):
        ambient: NDArray[np.float32]
        diffuse: NDArray[np.float32]
        specular: NDArray[np.float32]
        active: int
    @property
    def headlight(self) -> MjVisual.Headlight: ...
    class Map(MjStruct):
        stiffness: float
        stiffnessrot: float
        force: float
        torque: float
        alpha: float
        fogstart: float
        fogend: float
        znear: float
        zfar: float
        haze: float
        shadowclip: float
        shadowscale: float
        actuatortendon: float
    @property
    def map(self) -> MjVisual.Map: ...
    class Scale(MjStruct):
        forcewidth: float
        contactwidth: float
        contactheight: float
        connect: float
        com: float
        camera: float
        light: float
        selectpoint: float
        jointlength: float
        jointwidth: float
        actuatorlength: float
        actuatorwidth: float
        framelength: float
        framewidth: float
        constraint: float
        slidercrank: float
        frustum: float
    @property
    def scale(self) -> MjVisual.Scale: ...
    class Rgba(MjStruct):
        fog: NDArray[np.float32]
        haze: NDArray[np.float32]
        force: NDArray[np.float32]
        inertia: NDArray[np.float32]
        joint: NDArray[np.float32]
        actuator: NDArray[np.float32]
        actuatornegative: NDArray[np.float32]
        actuatorpositive: NDArray[np.float32]
        com: NDArray[np.float32]
        camera: NDArray[np.float32]
        light: NDArray[np.float32]
        selectpoint: NDArray[np.float32]
        connect: NDArray[np.float32]
        contactpoint: NDArray[np.float32]
        contactforce: NDArray[np.float32]
        contactfriction: NDArray[np.float32]
        contacttorque: NDArray[np.float32]
        contactgap: NDArray[np.float32]
        rangefinder: NDArray[np.float32]
        constraint: NDArray[np.float32]
        slidercrank: NDArray[np.float32]
        crankbroken: NDArray[np.float32]
        frustum: NDArray[np.float32]
        bv: NDArray[np.float32]
        bvactive: NDArray[np.float32]
    @property
    def rgba(self) -> MjVisual.Rgba: ...

MjVisualHeadlight = MjVisual.Headlight
MjVisualRgba = MjVisual.Rgba

class _MjContactList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjContact]: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> MjContact: ...
    @overload
    def __getitem__(self, key: slice) -> _MjContactList: ...
    @property
    def dist(self) -> NDArray[np.float64]: ...
    @property
    def pos(self) -> NDArray[np.float64]: ...
    @property
    def frame(self) -> NDArray[np.float64]: ...
    @property
    def includemargin(self) -> NDArray[np.float64]: ...
    @property
    def friction(self) -> NDArray[np.float64]: ...
    @property
    def solref(self) -> NDArray[np.float64]: ...
    @property
    def solreffriction(self) -> NDArray[np.float64]: ...
    @property
    def solimp(self) -> NDArray[np.float64]: ...
    @property
    def mu(self) -> NDArray[np.float64]: ...
    @property
    def H(self) -> NDArray[np.float64]: ...
    @property
    def dim(self) -> NDArray[np.int32]: ...
    @property
    def geom1(self) -> NDArray[np.int32]: ...
    @property
    def geom2(self) -> NDArray[np.int32]: ...
    @property
    def geom(self) -> NDArray[np.int32]: ...
    @property
    def flex(self) -> NDArray[np.int32]: ...
    @property
    def elem(self) -> NDArray[np.int32]: ...
    @property
    def vert(self) -> NDArray[np.int32]: ...
    @property
    def exclude(self) -> NDArray[np.int32]: ...
    @property
    def efc_address(self) -> NDArray[np.int32]: ...

class _MjWarningStatList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjWarningStat]: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> MjWarningStat: ...
    @overload
    def __getitem__(self, key: slice) -> _MjWarningStatList: ...
    @property
    def lastinfo(self) -> NDArray[np.int32]: ...
    @property
    def number(self) -> NDArray[np.int32]: ...

class _MjTimerStatList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjTimerStat]: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> MjTimerStat: ...
    @overload
    def __getitem__(self, key: slice) -> _MjTimerStatList: ...
    @property
    def duration(self) -> NDArray[np.float64]: ...
    @property
    def number(self) -> NDArray[np.int64]: ...

class _MjSolverStatList:
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[MjSolverStat]: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> MjSolverStat: ...
    @overload
    def __getitem__(self, key: slice) -> _MjSolverStatList: ...
    @property
    def improvement(self) -> NDArray[np.float64]: ...
    @property
    def gradient(self) -> NDArray[np.float64]: ...
    @property
    def lineslope(self) -> NDArray[np.float64]: ...
    @property
    def nactive(self) -> NDArray[np.int32]: ...
    @property
    def nchange(self) -> NDArray[np.int32]: ...
    @property
    def neval(self) -> NDArray[np.int32]: ...
    @property
    def nupdate(self) -> NDArray[np.int32]: ...

class MjvCamera(MjStruct):
    def __init__(self) -> None: ...
    type: int
    fixedcamid: int
    trackbodyid: int
    orthographic: int
    lookat: NDArray[np.float64]
    distance: float
    azimuth: float
    elevation: float

class MjvGLCamera(MjStruct):
    def __init__(self) -> None: ...
    pos: NDArray[np.float32]
    forward: NDArray[np.float32]
    up: NDArray[np.float32]
    frustum_center: float
    frustum_width: float
    frustum_bottom: float
    frustum_top: float
    frustum_near: float
    frustum_far: float
    orthographic: int

class MjvLight(MjStruct):
    def __init__(self) -> None: ...
    id: int
    pos: NDArray[np.float32]
    dir: NDArray[np.float32]
    type: int
    texid: int
    attenuation: NDArray[np.float32]
    cutoff: float
    exponent: float
    ambient: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    specular: NDArray[np.float32]
    headlight: int
    castshadow: int
    bulbradius: float
    intensity: float
    range: float

class MjvOption(MjStruct):
    def __init__(self) -> None: ...
    label: int
    frame: int
    bvh_depth: int
    flex_layer: int
    geomgroup: NDArray[np.uint8]
    sitegroup: NDArray[np.uint8]
    jointgroup: NDArray[np.uint8]
    tendongroup: NDArray[np.uint8]
    actuatorgroup: NDArray[np.uint8]
    flexgroup: NDArray[np.uint8]
    skingroup: NDArray[np.uint8]
    flags: NDArray[np.uint8]

class MjvPerturb(MjStruct):
    def __init__(self) -> None: ...
    select: int
    flexselect: int
    skinselect: int
    active: int
    active2: int
    refpos: NDArray[np.float64]
    refquat: NDArray[np.float64]
    refselpos: NDArray[np.float64]
    localpos: NDArray[np.float64]
    localmass: float
    scale: float

class MjvGeom(MjStruct):
    def __init__(self) -> None: ...
    type: int
    dataid: int
    objtype: int
    objid: int
    category: int
    matid: int
    texcoord: int
    segid: int
    size: NDArray[np.float32]
    pos: NDArray[np.float32]
    mat: NDArray[np.float32]
    rgba: NDArray[np.float32]
    emission: float
    specular: float
    shininess: float
    reflectance: float
    label: str
    camdist: float
    modelrbound: float
    transparent: int

class MjvScene(MjStruct):
    def __init__(self, model: MjModel | None = None, maxgeom: int = 0) -> None: ...
    maxgeom: int
    ngeom: int
    nflex: int
    nskin: int
    nlight: int
    stereo: int
    framewidth: int
    status: int
    translate: NDArray[np.float32]
    rotate: NDArray[np.float32]
    scale: float
    framergb: NDArray[np.float32]
    flags: NDArray[np.uint8]
    enabletransform: int
    flexvertopt: int
    flexedgeopt: int
    flexfaceopt: int
    flexskinopt: int
    @property
    def geoms(self) -> Sequence[MjvGeom]: ...
    @property
    def lights(self) -> Sequence[MjvLight]: ...
    @property
    def camera(self) -> Sequence[MjvGLCamera]: ...
    @property
    def geomorder(self) -> NDArray[np.int32]: ...
    @property
    def flexedgeadr(self) -> NDArray[np.int32]: ...
    @property
    def flexedgenum(self) -> NDArray[np.int32]: ...
    @property
    def flexvertadr(self) -> NDArray[np.int32]: ...
    @property
    def flexvertnum(self) -> NDArray[np.int32]: ...
    @property
    def flexfaceadr(self) -> NDArray[np.int32]: ...
    @property
    def flexfacenum(self) -> NDArray[np.int32]: ...
    @property
    def flexfaceused(self) -> NDArray[np.int32]: ...
    @property
    def flexedge(self) -> NDArray[np.int32]: ...
    @property
    def skinfacenum(self) -> NDArray[np.int32]: ...
    @property
    def skinvertadr(self) -> NDArray[np.int32]: ...
    @property
    def skinvertnum(self) -> NDArray[np.int32]: ...
    @property
    def flexvert(self) -> NDArray[np.float32]: ...
    @property
    def flexface(self) -> NDArray[np.float32]: ...
    @property
    def flexnormal(self) -> NDArray[np.float32]: ...
    @property
    def flextexcoord(self) -> NDArray[np.float32]: ...
    @property
    def skinvert(self) -> NDArray[np.float32]: ...
    @property
    def skinnormal(self) -> NDArray[np.float32]: ...

class GLContext:
    """Accepted where MuJoCo wants a context of OpenGL; there is none."""

    def __init__(self, max_width: int = 0, max_height: int = 0) -> None: ...
    def make_current(self) -> None: ...
    def free(self) -> None: ...

class MjrRect:
    """A rectangle of pixels; `bottom` is counted from below."""

    left: int
    bottom: int
    width: int
    height: int
    def __init__(self, left: int, bottom: int, width: int, height: int) -> None: ...

class MjrContext:
    """What is kept of a model to render its scenes, and the picture that was rendered last."""

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

class _MjModelActuatorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    trntype: NDArray[np.int32]
    dyntype: NDArray[np.int32]
    gaintype: NDArray[np.int32]
    biastype: NDArray[np.int32]
    trnid: NDArray[np.int32]
    actadr: NDArray[np.int32]
    actnum: NDArray[np.int32]
    group: NDArray[np.int32]
    history: NDArray[np.int32]
    historyadr: NDArray[np.int32]
    delay: NDArray[np.float64]
    ctrllimited: NDArray[np.uint8]
    forcelimited: NDArray[np.uint8]
    actlimited: NDArray[np.uint8]
    dynprm: NDArray[np.float64]
    gainprm: NDArray[np.float64]
    biasprm: NDArray[np.float64]
    actearly: NDArray[np.uint8]
    ctrlrange: NDArray[np.float64]
    forcerange: NDArray[np.float64]
    actrange: NDArray[np.float64]
    gear: NDArray[np.float64]
    cranklength: NDArray[np.float64]
    acc0: NDArray[np.float64]
    length0: NDArray[np.float64]
    lengthrange: NDArray[np.float64]
    user: NDArray[np.float64]
    plugin: NDArray[np.int32]

class _MjModelBodyViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    parentid: NDArray[np.int32]
    rootid: NDArray[np.int32]
    weldid: NDArray[np.int32]
    mocapid: NDArray[np.int32]
    jntnum: NDArray[np.int32]
    jntadr: NDArray[np.int32]
    dofnum: NDArray[np.int32]
    dofadr: NDArray[np.int32]
    treeid: NDArray[np.int32]
    geomnum: NDArray[np.int32]
    geomadr: NDArray[np.int32]
    simple: NDArray[np.uint8]
    sameframe: NDArray[np.uint8]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    ipos: NDArray[np.float64]
    iquat: NDArray[np.float64]
    mass: NDArray[np.float64]
    subtreemass: NDArray[np.float64]
    inertia: NDArray[np.float64]
    invweight0: NDArray[np.float64]
    gravcomp: NDArray[np.float64]
    margin: NDArray[np.float64]
    user: NDArray[np.float64]
    plugin: NDArray[np.int32]
    contype: NDArray[np.int32]
    conaffinity: NDArray[np.int32]
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]

class _MjModelCameraViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    mode: NDArray[np.int32]
    bodyid: NDArray[np.int32]
    targetbodyid: NDArray[np.int32]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    poscom0: NDArray[np.float64]
    pos0: NDArray[np.float64]
    mat0: NDArray[np.float64]
    projection: NDArray[np.int32]
    fovy: NDArray[np.float64]
    ipd: NDArray[np.float64]
    resolution: NDArray[np.int32]
    output: NDArray[np.int32]
    sensorsize: NDArray[np.float32]
    intrinsic: NDArray[np.float32]
    user: NDArray[np.float64]

class _MjModelEqualityViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: NDArray[np.int32]
    obj1id: NDArray[np.int32]
    obj2id: NDArray[np.int32]
    objtype: NDArray[np.int32]
    active0: NDArray[np.uint8]
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    data: NDArray[np.float64]

class _MjModelExcludeViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    signature: NDArray[np.int32]

class _MjModelGeomViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: NDArray[np.int32]
    contype: NDArray[np.int32]
    conaffinity: NDArray[np.int32]
    condim: NDArray[np.int32]
    bodyid: NDArray[np.int32]
    dataid: NDArray[np.int32]
    matid: NDArray[np.int32]
    group: NDArray[np.int32]
    priority: NDArray[np.int32]
    plugin: NDArray[np.int32]
    sameframe: NDArray[np.uint8]
    solmix: NDArray[np.float64]
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    size: NDArray[np.float64]
    aabb: NDArray[np.float64]
    rbound: NDArray[np.float64]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    friction: NDArray[np.float64]
    margin: NDArray[np.float64]
    gap: NDArray[np.float64]
    fluid: NDArray[np.float64]
    user: NDArray[np.float64]
    rgba: NDArray[np.float32]

class _MjModelHfieldViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    size: NDArray[np.float64]
    nrow: NDArray[np.int32]
    ncol: NDArray[np.int32]
    adr: NDArray[np.int32]
    data: NDArray[np.float32]
    pathadr: NDArray[np.int32]

class _MjModelJointViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    qpos0: NDArray[np.float64]
    qpos_spring: NDArray[np.float64]
    type: NDArray[np.int32]
    qposadr: NDArray[np.int32]
    dofadr: NDArray[np.int32]
    bodyid: NDArray[np.int32]
    group: NDArray[np.int32]
    limited: NDArray[np.uint8]
    actfrclimited: NDArray[np.uint8]
    actgravcomp: NDArray[np.uint8]
    solref: NDArray[np.float64]
    solimp: NDArray[np.float64]
    pos: NDArray[np.float64]
    axis: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    range: NDArray[np.float64]
    actfrcrange: NDArray[np.float64]
    margin: NDArray[np.float64]
    user: NDArray[np.float64]
    jntid: NDArray[np.int32]
    parentid: NDArray[np.int32]
    treeid: NDArray[np.int32]
    Madr: NDArray[np.int32]
    simplenum: NDArray[np.int32]
    frictionloss: NDArray[np.float64]
    armature: NDArray[np.float64]
    damping: NDArray[np.float64]
    invweight0: NDArray[np.float64]
    M0: NDArray[np.float64]
    length: NDArray[np.float64]
    M_rownnz: NDArray[np.int32]
    M_rowadr: NDArray[np.int32]
    D_rownnz: NDArray[np.int32]
    D_rowadr: NDArray[np.int32]
    D_diag: NDArray[np.int32]

class _MjModelKeyframeViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    time: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    act: NDArray[np.float64]
    mpos: NDArray[np.float64]
    mquat: NDArray[np.float64]
    ctrl: NDArray[np.float64]

class _MjModelLightViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    mode: NDArray[np.int32]
    bodyid: NDArray[np.int32]
    targetbodyid: NDArray[np.int32]
    type: NDArray[np.int32]
    texid: NDArray[np.int32]
    castshadow: NDArray[np.uint8]
    bulbradius: NDArray[np.float32]
    intensity: NDArray[np.float32]
    range: NDArray[np.float32]
    active: NDArray[np.uint8]
    pos: NDArray[np.float64]
    dir: NDArray[np.float64]
    poscom0: NDArray[np.float64]
    pos0: NDArray[np.float64]
    dir0: NDArray[np.float64]
    attenuation: NDArray[np.float32]
    cutoff: NDArray[np.float32]
    exponent: NDArray[np.float32]
    ambient: NDArray[np.float32]
    diffuse: NDArray[np.float32]
    specular: NDArray[np.float32]

class _MjModelMaterialViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    texid: NDArray[np.int32]
    texuniform: NDArray[np.uint8]
    texrepeat: NDArray[np.float32]
    emission: NDArray[np.float32]
    specular: NDArray[np.float32]
    shininess: NDArray[np.float32]
    reflectance: NDArray[np.float32]
    metallic: NDArray[np.float32]
    roughness: NDArray[np.float32]
    rgba: NDArray[np.float32]

class _MjModelMeshViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]
    faceadr: NDArray[np.int32]
    facenum: NDArray[np.int32]
    bvhadr: NDArray[np.int32]
    bvhnum: NDArray[np.int32]
    octadr: NDArray[np.int32]
    octnum: NDArray[np.int32]
    normaladr: NDArray[np.int32]
    normalnum: NDArray[np.int32]
    texcoordadr: NDArray[np.int32]
    texcoordnum: NDArray[np.int32]
    graphadr: NDArray[np.int32]
    scale: NDArray[np.float64]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    pathadr: NDArray[np.int32]
    polynum: NDArray[np.int32]
    polyadr: NDArray[np.int32]

class _MjModelNumericViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: NDArray[np.int32]
    size: NDArray[np.int32]
    data: NDArray[np.float64]

class _MjModelPairViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    dim: NDArray[np.int32]
    geom1: NDArray[np.int32]
    geom2: NDArray[np.int32]
    signature: NDArray[np.int32]
    solref: NDArray[np.float64]
    solreffriction: NDArray[np.float64]
    solimp: NDArray[np.float64]
    margin: NDArray[np.float64]
    gap: NDArray[np.float64]
    friction: NDArray[np.float64]

class _MjModelSensorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: NDArray[np.int32]
    datatype: NDArray[np.int32]
    needstage: NDArray[np.int32]
    objtype: NDArray[np.int32]
    objid: NDArray[np.int32]
    reftype: NDArray[np.int32]
    refid: NDArray[np.int32]
    intprm: NDArray[np.int32]
    dim: NDArray[np.int32]
    adr: NDArray[np.int32]
    cutoff: NDArray[np.float64]
    noise: NDArray[np.float64]
    history: NDArray[np.int32]
    historyadr: NDArray[np.int32]
    delay: NDArray[np.float64]
    interval: NDArray[np.float64]
    user: NDArray[np.float64]
    plugin: NDArray[np.int32]

class _MjModelSiteViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: NDArray[np.int32]
    bodyid: NDArray[np.int32]
    matid: NDArray[np.int32]
    group: NDArray[np.int32]
    sameframe: NDArray[np.uint8]
    size: NDArray[np.float64]
    pos: NDArray[np.float64]
    quat: NDArray[np.float64]
    user: NDArray[np.float64]
    rgba: NDArray[np.float32]

class _MjModelSkinViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    matid: NDArray[np.int32]
    group: NDArray[np.int32]
    rgba: NDArray[np.float32]
    inflate: NDArray[np.float32]
    vertadr: NDArray[np.int32]
    vertnum: NDArray[np.int32]
    texcoordadr: NDArray[np.int32]
    faceadr: NDArray[np.int32]
    facenum: NDArray[np.int32]
    boneadr: NDArray[np.int32]
    bonenum: NDArray[np.int32]
    pathadr: NDArray[np.int32]

class _MjModelTendonViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: NDArray[np.int32]
    num: NDArray[np.int32]
    matid: NDArray[np.int32]
    group: NDArray[np.int32]
    treenum: NDArray[np.int32]
    treeid: NDArray[np.int32]
    limited: NDArray[np.uint8]
    actfrclimited: NDArray[np.uint8]
    width: NDArray[np.float64]
    solref_lim: NDArray[np.float64]
    solimp_lim: NDArray[np.float64]
    solref_fri: NDArray[np.float64]
    solimp_fri: NDArray[np.float64]
    range: NDArray[np.float64]
    actfrcrange: NDArray[np.float64]
    margin: NDArray[np.float64]
    stiffness: NDArray[np.float64]
    damping: NDArray[np.float64]
    armature: NDArray[np.float64]
    frictionloss: NDArray[np.float64]
    lengthspring: NDArray[np.float64]
    length0: NDArray[np.float64]
    invweight0: NDArray[np.float64]
    user: NDArray[np.float64]
    rgba: NDArray[np.float32]

class _MjModelTextViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: NDArray[np.int32]
    size: NDArray[np.int32]
    data: bytes

class _MjModelTextureViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    type: NDArray[np.int32]
    colorspace: NDArray[np.int32]
    height: NDArray[np.int32]
    width: NDArray[np.int32]
    nchannel: NDArray[np.int32]
    adr: NDArray[np.int64]
    data: NDArray[np.uint8]
    pathadr: NDArray[np.int32]

class _MjModelTupleViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    adr: NDArray[np.int32]
    size: NDArray[np.int32]
    objtype: NDArray[np.int32]
    objid: NDArray[np.int32]
    objprm: NDArray[np.float64]

class MjModel:
    """A compiled model. Every array attribute is a writable view of the engine's memory."""

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
        filename: str | os.PathLike[str],
        assets: Mapping[str, bytes | str] | None = None,
        *,
        strict: bool = False,
        pair_from_geoms: bool = False,
        pair_dedup: bool = False,
        pair_skip_self: bool = False,
        free_joint_limits: bool = False,
    ) -> MjModel: ...
    @classmethod
    def from_xml_string(
        cls,
        xml: str,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        strict: bool = False,
        pair_from_geoms: bool = False,
        pair_dedup: bool = False,
        pair_skip_self: bool = False,
        free_joint_limits: bool = False,
    ) -> MjModel: ...
    @classmethod
    def from_binary_path(
        cls, filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None
    ) -> MjModel: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> MjModel: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def nu(self) -> int: ...
    @property
    def na(self) -> int: ...
    @property
    def nbody(self) -> int: ...
    @property
    def nbvh(self) -> int: ...
    @property
    def nbvhstatic(self) -> int: ...
    @property
    def nbvhdynamic(self) -> int: ...
    @property
    def noct(self) -> int: ...
    @property
    def njnt(self) -> int: ...
    @property
    def ntree(self) -> int: ...
    @property
    def nM(self) -> int: ...
    @property
    def nB(self) -> int: ...
    @property
    def nC(self) -> int: ...
    @property
    def nD(self) -> int: ...
    @property
    def ngeom(self) -> int: ...
    @property
    def nsite(self) -> int: ...
    @property
    def ncam(self) -> int: ...
    @property
    def nlight(self) -> int: ...
    @property
    def nflex(self) -> int: ...
    @property
    def nflexnode(self) -> int: ...
    @property
    def nflexvert(self) -> int: ...
    @property
    def nflexedge(self) -> int: ...
    @property
    def nflexelem(self) -> int: ...
    @property
    def nflexelemdata(self) -> int: ...
    @property
    def nflexelemedge(self) -> int: ...
    @property
    def nflexshelldata(self) -> int: ...
    @property
    def nflexevpair(self) -> int: ...
    @property
    def nflextexcoord(self) -> int: ...
    @property
    def nJfe(self) -> int: ...
    @property
    def nJfv(self) -> int: ...
    @property
    def nmesh(self) -> int: ...
    @property
    def nmeshvert(self) -> int: ...
    @property
    def nmeshnormal(self) -> int: ...
    @property
    def nmeshtexcoord(self) -> int: ...
    @property
    def nmeshface(self) -> int: ...
    @property
    def nmeshgraph(self) -> int: ...
    @property
    def nmeshpoly(self) -> int: ...
    @property
    def nmeshpolyvert(self) -> int: ...
    @property
    def nmeshpolymap(self) -> int: ...
    @property
    def nskin(self) -> int: ...
    @property
    def nskinvert(self) -> int: ...
    @property
    def nskintexvert(self) -> int: ...
    @property
    def nskinface(self) -> int: ...
    @property
    def nskinbone(self) -> int: ...
    @property
    def nskinbonevert(self) -> int: ...
    @property
    def nhfield(self) -> int: ...
    @property
    def nhfielddata(self) -> int: ...
    @property
    def ntex(self) -> int: ...
    @property
    def ntexdata(self) -> int: ...
    @property
    def nmat(self) -> int: ...
    @property
    def npair(self) -> int: ...
    @property
    def nexclude(self) -> int: ...
    @property
    def neq(self) -> int: ...
    @property
    def ntendon(self) -> int: ...
    @property
    def nwrap(self) -> int: ...
    @property
    def nsensor(self) -> int: ...
    @property
    def nnumeric(self) -> int: ...
    @property
    def nnumericdata(self) -> int: ...
    @property
    def ntext(self) -> int: ...
    @property
    def ntextdata(self) -> int: ...
    @property
    def ntuple(self) -> int: ...
    @property
    def ntupledata(self) -> int: ...
    @property
    def nkey(self) -> int: ...
    @property
    def nmocap(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    @property
    def npluginattr(self) -> int: ...
    @property
    def nuser_body(self) -> int: ...
    @property
    def nuser_jnt(self) -> int: ...
    @property
    def nuser_geom(self) -> int: ...
    @property
    def nuser_site(self) -> int: ...
    @property
    def nuser_cam(self) -> int: ...
    @property
    def nuser_tendon(self) -> int: ...
    @property
    def nuser_actuator(self) -> int: ...
    @property
    def nuser_sensor(self) -> int: ...
    @property
    def nnames(self) -> int: ...
    @property
    def npaths(self) -> int: ...
    @property
    def nnames_map(self) -> int: ...
    @property
    def nJmom(self) -> int: ...
    @property
    def ngravcomp(self) -> int: ...
    @property
    def nemax(self) -> int: ...
    @property
    def njmax(self) -> int: ...
    @property
    def nconmax(self) -> int: ...
    @property
    def nuserdata(self) -> int: ...
    @property
    def nsensordata(self) -> int: ...
    @property
    def npluginstate(self) -> int: ...
    @property
    def nhistory(self) -> int: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    qpos0: NDArray[np.float64]
    qpos_spring: NDArray[np.float64]
    body_parentid: NDArray[np.int32]
    body_rootid: NDArray[np.int32]
    body_weldid: NDArray[np.int32]
    body_mocapid: NDArray[np.int32]
    body_jntnum: NDArray[np.int32]
    body_jntadr: NDArray[np.int32]
    body_dofnum: NDArray[np.int32]
    body_dofadr: NDArray[np.int32]
    body_treeid: NDArray[np.int32]
    body_geomnum: NDArray[np.int32]
    body_geomadr: NDArray[np.int32]
    body_simple: NDArray[np.uint8]
    body_sameframe: NDArray[np.uint8]
    body_pos: NDArray[np.float64]
    body_quat: NDArray[np.float64]
    body_ipos: NDArray[np.float64]
    body_iquat: NDArray[np.float64]
    body_mass: NDArray[np.float64]
    body_subtreemass: NDArray[np.float64]
    body_inertia: NDArray[np.float64]
    body_invweight0: NDArray[np.float64]
    body_gravcomp: NDArray[np.float64]
    body_margin: NDArray[np.float64]
    body_user: NDArray[np.float64]
    body_plugin: NDArray[np.int32]
    body_contype: NDArray[np.int32]
    body_conaffinity: NDArray[np.int32]
    body_bvhadr: NDArray[np.int32]
    body_bvhnum: NDArray[np.int32]
    bvh_depth: NDArray[np.int32]
    bvh_child: NDArray[np.int32]
    bvh_nodeid: NDArray[np.int32]
    bvh_aabb: NDArray[np.float64]
    oct_depth: NDArray[np.int32]
    oct_child: NDArray[np.int32]
    oct_aabb: NDArray[np.float64]
    oct_coeff: NDArray[np.float64]
    jnt_type: NDArray[np.int32]
    jnt_qposadr: NDArray[np.int32]
    jnt_dofadr: NDArray[np.int32]
    jnt_bodyid: NDArray[np.int32]
    jnt_group: NDArray[np.int32]
    jnt_limited: NDArray[np.uint8]
    jnt_actfrclimited: NDArray[np.uint8]
    jnt_actgravcomp: NDArray[np.uint8]
    jnt_solref: NDArray[np.float64]
    jnt_solimp: NDArray[np.float64]
    jnt_pos: NDArray[np.float64]
    jnt_axis: NDArray[np.float64]
    jnt_stiffness: NDArray[np.float64]
    jnt_range: NDArray[np.float64]
    jnt_actfrcrange: NDArray[np.float64]
    jnt_margin: NDArray[np.float64]
    jnt_user: NDArray[np.float64]
    dof_bodyid: NDArray[np.int32]
    dof_jntid: NDArray[np.int32]
    dof_parentid: NDArray[np.int32]
    dof_treeid: NDArray[np.int32]
    dof_Madr: NDArray[np.int32]
    dof_simplenum: NDArray[np.int32]
    dof_solref: NDArray[np.float64]
    dof_solimp: NDArray[np.float64]
    dof_frictionloss: NDArray[np.float64]
    dof_armature: NDArray[np.float64]
    dof_damping: NDArray[np.float64]
    dof_invweight0: NDArray[np.float64]
    dof_M0: NDArray[np.float64]
    dof_length: NDArray[np.float64]
    tree_bodyadr: NDArray[np.int32]
    tree_bodynum: NDArray[np.int32]
    tree_dofadr: NDArray[np.int32]
    tree_dofnum: NDArray[np.int32]
    tree_sleep_policy: NDArray[np.int32]
    geom_type: NDArray[np.int32]
    geom_contype: NDArray[np.int32]
    geom_conaffinity: NDArray[np.int32]
    geom_condim: NDArray[np.int32]
    geom_bodyid: NDArray[np.int32]
    geom_dataid: NDArray[np.int32]
    geom_matid: NDArray[np.int32]
    geom_group: NDArray[np.int32]
    geom_priority: NDArray[np.int32]
    geom_plugin: NDArray[np.int32]
    geom_sameframe: NDArray[np.uint8]
    geom_solmix: NDArray[np.float64]
    geom_solref: NDArray[np.float64]
    geom_solimp: NDArray[np.float64]
    geom_size: NDArray[np.float64]
    geom_aabb: NDArray[np.float64]
    geom_rbound: NDArray[np.float64]
    geom_pos: NDArray[np.float64]
    geom_quat: NDArray[np.float64]
    geom_friction: NDArray[np.float64]
    geom_margin: NDArray[np.float64]
    geom_gap: NDArray[np.float64]
    geom_fluid: NDArray[np.float64]
    geom_user: NDArray[np.float64]
    geom_rgba: NDArray[np.float32]
    site_type: NDArray[np.int32]
    site_bodyid: NDArray[np.int32]
    site_matid: NDArray[np.int32]
    site_group: NDArray[np.int32]
    site_sameframe: NDArray[np.uint8]
    site_size: NDArray[np.float64]
    site_pos: NDArray[np.float64]
    site_quat: NDArray[np.float64]
    site_user: NDArray[np.float64]
    site_rgba: NDArray[np.float32]
    cam_mode: NDArray[np.int32]
    cam_bodyid: NDArray[np.int32]
    cam_targetbodyid: NDArray[np.int32]
    cam_pos: NDArray[np.float64]
    cam_quat: NDArray[np.float64]
    cam_poscom0: NDArray[np.float64]
    cam_pos0: NDArray[np.float64]
    cam_mat0: NDArray[np.float64]
    cam_projection: NDArray[np.int32]
    cam_fovy: NDArray[np.float64]
    cam_ipd: NDArray[np.float64]
    cam_resolution: NDArray[np.int32]
    cam_output: NDArray[np.int32]
    cam_sensorsize: NDArray[np.float32]
    cam_intrinsic: NDArray[np.float32]
    cam_user: NDArray[np.float64]
    light_mode: NDArray[np.int32]
    light_bodyid: NDArray[np.int32]
    light_targetbodyid: NDArray[np.int32]
    light_type: NDArray[np.int32]
    light_texid: NDArray[np.int32]
    light_castshadow: NDArray[np.uint8]
    light_bulbradius: NDArray[np.float32]
    light_intensity: NDArray[np.float32]
    light_range: NDArray[np.float32]
    light_active: NDArray[np.uint8]
    light_pos: NDArray[np.float64]
    light_dir: NDArray[np.float64]
    light_poscom0: NDArray[np.float64]
    light_pos0: NDArray[np.float64]
    light_dir0: NDArray[np.float64]
    light_attenuation: NDArray[np.float32]
    light_cutoff: NDArray[np.float32]
    light_exponent: NDArray[np.float32]
    light_ambient: NDArray[np.float32]
    light_diffuse: NDArray[np.float32]
    light_specular: NDArray[np.float32]
    flex_contype: NDArray[np.int32]
    flex_conaffinity: NDArray[np.int32]
    flex_condim: NDArray[np.int32]
    flex_priority: NDArray[np.int32]
    flex_solmix: NDArray[np.float64]
    flex_solref: NDArray[np.float64]
    flex_solimp: NDArray[np.float64]
    flex_friction: NDArray[np.float64]
    flex_margin: NDArray[np.float64]
    flex_gap: NDArray[np.float64]
    flex_internal: NDArray[np.uint8]
    flex_selfcollide: NDArray[np.int32]
    flex_activelayers: NDArray[np.int32]
    flex_passive: NDArray[np.int32]
    flex_dim: NDArray[np.int32]
    flex_matid: NDArray[np.int32]
    flex_group: NDArray[np.int32]
    flex_interp: NDArray[np.int32]
    flex_nodeadr: NDArray[np.int32]
    flex_nodenum: NDArray[np.int32]
    flex_vertadr: NDArray[np.int32]
    flex_vertnum: NDArray[np.int32]
    flex_edgeadr: NDArray[np.int32]
    flex_edgenum: NDArray[np.int32]
    flex_elemadr: NDArray[np.int32]
    flex_elemnum: NDArray[np.int32]
    flex_elemdataadr: NDArray[np.int32]
    flex_elemedgeadr: NDArray[np.int32]
    flex_shellnum: NDArray[np.int32]
    flex_shelldataadr: NDArray[np.int32]
    flex_evpairadr: NDArray[np.int32]
    flex_evpairnum: NDArray[np.int32]
    flex_texcoordadr: NDArray[np.int32]
    flex_nodebodyid: NDArray[np.int32]
    flex_vertbodyid: NDArray[np.int32]
    flex_vertedgeadr: NDArray[np.int32]
    flex_vertedgenum: NDArray[np.int32]
    flex_vertedge: NDArray[np.int32]
    flex_edge: NDArray[np.int32]
    flex_edgeflap: NDArray[np.int32]
    flex_elem: NDArray[np.int32]
    flex_elemtexcoord: NDArray[np.int32]
    flex_elemedge: NDArray[np.int32]
    flex_elemlayer: NDArray[np.int32]
    flex_shell: NDArray[np.int32]
    flex_evpair: NDArray[np.int32]
    flex_vert: NDArray[np.float64]
    flex_vert0: NDArray[np.float64]
    flex_vertmetric: NDArray[np.float64]
    flex_node: NDArray[np.float64]
    flex_node0: NDArray[np.float64]
    flexedge_length0: NDArray[np.float64]
    flexedge_invweight0: NDArray[np.float64]
    flex_radius: NDArray[np.float64]
    flex_size: NDArray[np.float64]
    flex_stiffness: NDArray[np.float64]
    flex_bending: NDArray[np.float64]
    flex_damping: NDArray[np.float64]
    flex_edgestiffness: NDArray[np.float64]
    flex_edgedamping: NDArray[np.float64]
    flex_edgeequality: NDArray[np.int32]
    flex_rigid: NDArray[np.uint8]
    flexedge_rigid: NDArray[np.uint8]
    flex_centered: NDArray[np.uint8]
    flex_flatskin: NDArray[np.uint8]
    flex_bvhadr: NDArray[np.int32]
    flex_bvhnum: NDArray[np.int32]
    flexedge_J_rownnz: NDArray[np.int32]
    flexedge_J_rowadr: NDArray[np.int32]
    flexedge_J_colind: NDArray[np.int32]
    flexvert_J_rownnz: NDArray[np.int32]
    flexvert_J_rowadr: NDArray[np.int32]
    flexvert_J_colind: NDArray[np.int32]
    flex_rgba: NDArray[np.float32]
    flex_texcoord: NDArray[np.float32]
    mesh_vertadr: NDArray[np.int32]
    mesh_vertnum: NDArray[np.int32]
    mesh_faceadr: NDArray[np.int32]
    mesh_facenum: NDArray[np.int32]
    mesh_bvhadr: NDArray[np.int32]
    mesh_bvhnum: NDArray[np.int32]
    mesh_octadr: NDArray[np.int32]
    mesh_octnum: NDArray[np.int32]
    mesh_normaladr: NDArray[np.int32]
    mesh_normalnum: NDArray[np.int32]
    mesh_texcoordadr: NDArray[np.int32]
    mesh_texcoordnum: NDArray[np.int32]
    mesh_graphadr: NDArray[np.int32]
    mesh_vert: NDArray[np.float32]
    mesh_normal: NDArray[np.float32]
    mesh_texcoord: NDArray[np.float32]
    mesh_face: NDArray[np.int32]
    mesh_facenormal: NDArray[np.int32]
    mesh_facetexcoord: NDArray[np.int32]
    mesh_graph: NDArray[np.int32]
    mesh_scale: NDArray[np.float64]
    mesh_pos: NDArray[np.float64]
    mesh_quat: NDArray[np.float64]
    mesh_pathadr: NDArray[np.int32]
    mesh_polynum: NDArray[np.int32]
    mesh_polyadr: NDArray[np.int32]
    mesh_polynormal: NDArray[np.float64]
    mesh_polyvertadr: NDArray[np.int32]
    mesh_polyvertnum: NDArray[np.int32]
    mesh_polyvert: NDArray[np.int32]
    mesh_polymapadr: NDArray[np.int32]
    mesh_polymapnum: NDArray[np.int32]
    mesh_polymap: NDArray[np.int32]
    skin_matid: NDArray[np.int32]
    skin_group: NDArray[np.int32]
    skin_rgba: NDArray[np.float32]
    skin_inflate: NDArray[np.float32]
    skin_vertadr: NDArray[np.int32]
    skin_vertnum: NDArray[np.int32]
    skin_texcoordadr: NDArray[np.int32]
    skin_faceadr: NDArray[np.int32]
    skin_facenum: NDArray[np.int32]
    skin_boneadr: NDArray[np.int32]
    skin_bonenum: NDArray[np.int32]
    skin_vert: NDArray[np.float32]
    skin_texcoord: NDArray[np.float32]
    skin_face: NDArray[np.int32]
    skin_bonevertadr: NDArray[np.int32]
    skin_bonevertnum: NDArray[np.int32]
    skin_bonebindpos: NDArray[np.float32]
    skin_bonebindquat: NDArray[np.float32]
    skin_bonebodyid: NDArray[np.int32]
    skin_bonevertid: NDArray[np.int32]
    skin_bonevertweight: NDArray[np.float32]
    skin_pathadr: NDArray[np.int32]
    hfield_size: NDArray[np.float64]
    hfield_nrow: NDArray[np.int32]
    hfield_ncol: NDArray[np.int32]
    hfield_adr: NDArray[np.int32]
    hfield_data: NDArray[np.float32]
    hfield_pathadr: NDArray[np.int32]
    tex_type: NDArray[np.int32]
    tex_colorspace: NDArray[np.int32]
    tex_height: NDArray[np.int32]
    tex_width: NDArray[np.int32]
    tex_nchannel: NDArray[np.int32]
    tex_adr: NDArray[np.int64]
    tex_data: NDArray[np.uint8]
    tex_pathadr: NDArray[np.int32]
    mat_texid: NDArray[np.int32]
    mat_texuniform: NDArray[np.uint8]
    mat_texrepeat: NDArray[np.float32]
    mat_emission: NDArray[np.float32]
    mat_specular: NDArray[np.float32]
    mat_shininess: NDArray[np.float32]
    mat_reflectance: NDArray[np.float32]
    mat_metallic: NDArray[np.float32]
    mat_roughness: NDArray[np.float32]
    mat_rgba: NDArray[np.float32]
    pair_dim: NDArray[np.int32]
    pair_geom1: NDArray[np.int32]
    pair_geom2: NDArray[np.int32]
    pair_signature: NDArray[np.int32]
    pair_solref: NDArray[np.float64]
    pair_solreffriction: NDArray[np.float64]
    pair_solimp: NDArray[np.float64]
    pair_margin: NDArray[np.float64]
    pair_gap: NDArray[np.float64]
    pair_friction: NDArray[np.float64]
    exclude_signature: NDArray[np.int32]
    eq_type: NDArray[np.int32]
    eq_obj1id: NDArray[np.int32]
    eq_obj2id: NDArray[np.int32]
    eq_objtype: NDArray[np.int32]
    eq_active0: NDArray[np.uint8]
    eq_solref: NDArray[np.float64]
    eq_solimp: NDArray[np.float64]
    eq_data: NDArray[np.float64]
    tendon_adr: NDArray[np.int32]
    tendon_num: NDArray[np.int32]
    tendon_matid: NDArray[np.int32]
    tendon_group: NDArray[np.int32]
    tendon_treenum: NDArray[np.int32]
    tendon_treeid: NDArray[np.int32]
    tendon_limited: NDArray[np.uint8]
    tendon_actfrclimited: NDArray[np.uint8]
    tendon_width: NDArray[np.float64]
    tendon_solref_lim: NDArray[np.float64]
    tendon_solimp_lim: NDArray[np.float64]
    tendon_solref_fri: NDArray[np.float64]
    tendon_solimp_fri: NDArray[np.float64]
    tendon_range: NDArray[np.float64]
    tendon_actfrcrange: NDArray[np.float64]
    tendon_margin: NDArray[np.float64]
    tendon_stiffness: NDArray[np.float64]
    tendon_damping: NDArray[np.float64]
    tendon_armature: NDArray[np.float64]
    tendon_frictionloss: NDArray[np.float64]
    tendon_lengthspring: NDArray[np.float64]
    tendon_length0: NDArray[np.float64]
    tendon_invweight0: NDArray[np.float64]
    tendon_user: NDArray[np.float64]
    tendon_rgba: NDArray[np.float32]
    wrap_type: NDArray[np.int32]
    wrap_objid: NDArray[np.int32]
    wrap_prm: NDArray[np.float64]
    actuator_trntype: NDArray[np.int32]
    actuator_dyntype: NDArray[np.int32]
    actuator_gaintype: NDArray[np.int32]
    actuator_biastype: NDArray[np.int32]
    actuator_trnid: NDArray[np.int32]
    actuator_actadr: NDArray[np.int32]
    actuator_actnum: NDArray[np.int32]
    actuator_group: NDArray[np.int32]
    actuator_history: NDArray[np.int32]
    actuator_historyadr: NDArray[np.int32]
    actuator_delay: NDArray[np.float64]
    actuator_ctrllimited: NDArray[np.uint8]
    actuator_forcelimited: NDArray[np.uint8]
    actuator_actlimited: NDArray[np.uint8]
    actuator_dynprm: NDArray[np.float64]
    actuator_gainprm: NDArray[np.float64]
    actuator_biasprm: NDArray[np.float64]
    actuator_actearly: NDArray[np.uint8]
    actuator_ctrlrange: NDArray[np.float64]
    actuator_forcerange: NDArray[np.float64]
    actuator_actrange: NDArray[np.float64]
    actuator_gear: NDArray[np.float64]
    actuator_cranklength: NDArray[np.float64]
    actuator_acc0: NDArray[np.float64]
    actuator_length0: NDArray[np.float64]
    actuator_lengthrange: NDArray[np.float64]
    actuator_user: NDArray[np.float64]
    actuator_plugin: NDArray[np.int32]
    sensor_type: NDArray[np.int32]
    sensor_datatype: NDArray[np.int32]
    sensor_needstage: NDArray[np.int32]
    sensor_objtype: NDArray[np.int32]
    sensor_objid: NDArray[np.int32]
    sensor_reftype: NDArray[np.int32]
    sensor_refid: NDArray[np.int32]
    sensor_intprm: NDArray[np.int32]
    sensor_dim: NDArray[np.int32]
    sensor_adr: NDArray[np.int32]
    sensor_cutoff: NDArray[np.float64]
    sensor_noise: NDArray[np.float64]
    sensor_history: NDArray[np.int32]
    sensor_historyadr: NDArray[np.int32]
    sensor_delay: NDArray[np.float64]
    sensor_interval: NDArray[np.float64]
    sensor_user: NDArray[np.float64]
    sensor_plugin: NDArray[np.int32]
    plugin: NDArray[np.int32]
    plugin_stateadr: NDArray[np.int32]
    plugin_statenum: NDArray[np.int32]
    plugin_attr: NDArray[np.int8]
    plugin_attradr: NDArray[np.int32]
    numeric_adr: NDArray[np.int32]
    numeric_size: NDArray[np.int32]
    numeric_data: NDArray[np.float64]
    text_adr: NDArray[np.int32]
    text_size: NDArray[np.int32]
    @property
    def text_data(self) -> bytes: ...
    tuple_adr: NDArray[np.int32]
    tuple_size: NDArray[np.int32]
    tuple_objtype: NDArray[np.int32]
    tuple_objid: NDArray[np.int32]
    tuple_objprm: NDArray[np.float64]
    key_time: NDArray[np.float64]
    key_qpos: NDArray[np.float64]
    key_qvel: NDArray[np.float64]
    key_act: NDArray[np.float64]
    key_mpos: NDArray[np.float64]
    key_mquat: NDArray[np.float64]
    key_ctrl: NDArray[np.float64]
    name_bodyadr: NDArray[np.int32]
    name_jntadr: NDArray[np.int32]
    name_geomadr: NDArray[np.int32]
    name_siteadr: NDArray[np.int32]
    name_camadr: NDArray[np.int32]
    name_lightadr: NDArray[np.int32]
    name_flexadr: NDArray[np.int32]
    name_meshadr: NDArray[np.int32]
    name_skinadr: NDArray[np.int32]
    name_hfieldadr: NDArray[np.int32]
    name_texadr: NDArray[np.int32]
    name_matadr: NDArray[np.int32]
    name_pairadr: NDArray[np.int32]
    name_excludeadr: NDArray[np.int32]
    name_eqadr: NDArray[np.int32]
    name_tendonadr: NDArray[np.int32]
    name_actuatoradr: NDArray[np.int32]
    name_sensoradr: NDArray[np.int32]
    name_numericadr: NDArray[np.int32]
    name_textadr: NDArray[np.int32]
    name_tupleadr: NDArray[np.int32]
    name_keyadr: NDArray[np.int32]
    name_pluginadr: NDArray[np.int32]
    @property
    def names(self) -> bytes: ...
    names_map: NDArray[np.int32]
    @property
    def paths(self) -> bytes: ...
    B_rownnz: NDArray[np.int32]
    B_rowadr: NDArray[np.int32]
    B_colind: NDArray[np.int32]
    M_rownnz: NDArray[np.int32]
    M_rowadr: NDArray[np.int32]
    M_colind: NDArray[np.int32]
    mapM2M: NDArray[np.int32]
    D_rownnz: NDArray[np.int32]
    D_rowadr: NDArray[np.int32]
    D_diag: NDArray[np.int32]
    D_colind: NDArray[np.int32]
    mapM2D: NDArray[np.int32]
    mapD2M: NDArray[np.int32]
    def actuator(self, name: SupportsIndex | str = "") -> _MjModelActuatorViews: ...
    def body(self, name: SupportsIndex | str = "") -> _MjModelBodyViews: ...
    def camera(self, name: SupportsIndex | str = "") -> _MjModelCameraViews: ...
    def cam(self, name: SupportsIndex | str = "") -> _MjModelCameraViews: ...
    def equality(self, name: SupportsIndex | str = "") -> _MjModelEqualityViews: ...
    def eq(self, name: SupportsIndex | str = "") -> _MjModelEqualityViews: ...
    def exclude(self, name: SupportsIndex | str = "") -> _MjModelExcludeViews: ...
    def geom(self, name: SupportsIndex | str = "") -> _MjModelGeomViews: ...
    def hfield(self, name: SupportsIndex | str = "") -> _MjModelHfieldViews: ...
    def joint(self, name: SupportsIndex | str = "") -> _MjModelJointViews: ...
    def jnt(self, name: SupportsIndex | str = "") -> _MjModelJointViews: ...
    def keyframe(self, name: SupportsIndex | str = "") -> _MjModelKeyframeViews: ...
    def key(self, name: SupportsIndex | str = "") -> _MjModelKeyframeViews: ...
    def light(self, name: SupportsIndex | str = "") -> _MjModelLightViews: ...
    def material(self, name: SupportsIndex | str = "") -> _MjModelMaterialViews: ...
    def mat(self, name: SupportsIndex | str = "") -> _MjModelMaterialViews: ...
    def mesh(self, name: SupportsIndex | str = "") -> _MjModelMeshViews: ...
    def numeric(self, name: SupportsIndex | str = "") -> _MjModelNumericViews: ...
    def pair(self, name: SupportsIndex | str = "") -> _MjModelPairViews: ...
    def sensor(self, name: SupportsIndex | str = "") -> _MjModelSensorViews: ...
    def site(self, name: SupportsIndex | str = "") -> _MjModelSiteViews: ...
    def skin(self, name: SupportsIndex | str = "") -> _MjModelSkinViews: ...
    def tendon(self, name: SupportsIndex | str = "") -> _MjModelTendonViews: ...
    def ten(self, name: SupportsIndex | str = "") -> _MjModelTendonViews: ...
    def text(self, name: SupportsIndex | str = "") -> _MjModelTextViews: ...
    def texture(self, name: SupportsIndex | str = "") -> _MjModelTextureViews: ...
    def tex(self, name: SupportsIndex | str = "") -> _MjModelTextureViews: ...
    def tuple(self, name: SupportsIndex | str = "") -> _MjModelTupleViews: ...

class _MjDataActuatorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    ctrl: NDArray[np.float64]
    length: NDArray[np.float64]
    moment_rownnz: NDArray[np.int32]
    moment_rowadr: NDArray[np.int32]
    velocity: NDArray[np.float64]
    force: NDArray[np.float64]
    moment: NDArray[np.float64]

class _MjDataBodyViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xfrc_applied: NDArray[np.float64]
    xpos: NDArray[np.float64]
    xquat: NDArray[np.float64]
    xmat: NDArray[np.float64]
    xipos: NDArray[np.float64]
    ximat: NDArray[np.float64]
    subtree_com: NDArray[np.float64]
    cinert: NDArray[np.float64]
    crb: NDArray[np.float64]
    awake: NDArray[np.int32]
    cvel: NDArray[np.float64]
    subtree_linvel: NDArray[np.float64]
    subtree_angmom: NDArray[np.float64]
    cacc: NDArray[np.float64]
    cfrc_int: NDArray[np.float64]
    cfrc_ext: NDArray[np.float64]

class _MjDataCameraViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: NDArray[np.float64]
    xmat: NDArray[np.float64]

class _MjDataEqualityViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    active: NDArray[np.uint8]

class _MjDataGeomViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: NDArray[np.float64]
    xmat: NDArray[np.float64]

class _MjDataJointViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    qacc_warmstart: NDArray[np.float64]
    qfrc_applied: NDArray[np.float64]
    qacc: NDArray[np.float64]
    xanchor: NDArray[np.float64]
    xaxis: NDArray[np.float64]
    cdof: NDArray[np.float64]
    qLDiagInv: NDArray[np.float64]
    cdof_dot: NDArray[np.float64]
    qfrc_bias: NDArray[np.float64]
    qfrc_spring: NDArray[np.float64]
    qfrc_damper: NDArray[np.float64]
    qfrc_gravcomp: NDArray[np.float64]
    qfrc_fluid: NDArray[np.float64]
    qfrc_passive: NDArray[np.float64]
    qHDiagInv: NDArray[np.float64]
    qfrc_actuator: NDArray[np.float64]
    qfrc_smooth: NDArray[np.float64]
    qacc_smooth: NDArray[np.float64]
    qfrc_constraint: NDArray[np.float64]
    qfrc_inverse: NDArray[np.float64]
    island: NDArray[np.int32]
    map_dof2idof: NDArray[np.int32]
    map_idof2dof: NDArray[np.int32]

class _MjDataLightViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: NDArray[np.float64]
    xdir: NDArray[np.float64]

class _MjDataSensorViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    data: NDArray[np.float64]

class _MjDataSiteViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    xpos: NDArray[np.float64]
    xmat: NDArray[np.float64]

class _MjDataTendonViews:
    @property
    def id(self) -> int: ...
    @property
    def name(self) -> str: ...
    wrapadr: NDArray[np.int32]
    wrapnum: NDArray[np.int32]
    J_rownnz: NDArray[np.int32]
    J_rowadr: NDArray[np.int32]
    J_colind: NDArray[np.int32]
    J: NDArray[np.float64]
    length: NDArray[np.float64]
    velocity: NDArray[np.float64]
    tendon_efcadr: NDArray[np.int32]

class MjData:
    """The state of a simulation. State arrays are writable views, per-step lists are copies."""

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
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> MjData: ...
    time: float
    maxuse_con: int
    maxuse_efc: int
    ncon: int
    ne: int
    nf: int
    nl: int
    nefc: int
    nJ: int
    nA: int
    nisland: int
    nidof: int
    ntree_awake: int
    nbody_awake: int
    nparent_awake: int
    nv_awake: int
    flg_energypos: int
    flg_energyvel: int
    flg_subtreevel: int
    flg_rnepost: int
    energy: NDArray[np.float64]
    solver_niter: NDArray[np.int32]
    solver_nnz: NDArray[np.int32]
    solver_fwdinv: NDArray[np.float64]
    qpos: NDArray[np.float64]
    qvel: NDArray[np.float64]
    act: NDArray[np.float64]
    history: NDArray[np.float64]
    qacc_warmstart: NDArray[np.float64]
    plugin_state: NDArray[np.float64]
    ctrl: NDArray[np.float64]
    qfrc_applied: NDArray[np.float64]
    xfrc_applied: NDArray[np.float64]
    eq_active: NDArray[np.uint8]
    mocap_pos: NDArray[np.float64]
    mocap_quat: NDArray[np.float64]
    qacc: NDArray[np.float64]
    act_dot: NDArray[np.float64]
    userdata: NDArray[np.float64]
    sensordata: NDArray[np.float64]
    tree_asleep: NDArray[np.int32]
    plugin: NDArray[np.int32]
    plugin_data: NDArray[np.uint64]
    xpos: NDArray[np.float64]
    xquat: NDArray[np.float64]
    xmat: NDArray[np.float64]
    xipos: NDArray[np.float64]
    ximat: NDArray[np.float64]
    xanchor: NDArray[np.float64]
    xaxis: NDArray[np.float64]
    geom_xpos: NDArray[np.float64]
    geom_xmat: NDArray[np.float64]
    site_xpos: NDArray[np.float64]
    site_xmat: NDArray[np.float64]
    cam_xpos: NDArray[np.float64]
    cam_xmat: NDArray[np.float64]
    light_xpos: NDArray[np.float64]
    light_xdir: NDArray[np.float64]
    subtree_com: NDArray[np.float64]
    cdof: NDArray[np.float64]
    cinert: NDArray[np.float64]
    flexvert_xpos: NDArray[np.float64]
    flexelem_aabb: NDArray[np.float64]
    flexedge_J: NDArray[np.float64]
    flexedge_length: NDArray[np.float64]
    flexvert_J: NDArray[np.float64]
    flexvert_length: NDArray[np.float64]
    bvh_aabb_dyn: NDArray[np.float64]
    ten_wrapadr: NDArray[np.int32]
    ten_wrapnum: NDArray[np.int32]
    ten_J_rownnz: NDArray[np.int32]
    ten_J_rowadr: NDArray[np.int32]
    ten_J_colind: NDArray[np.int32]
    ten_J: NDArray[np.float64]
    ten_length: NDArray[np.float64]
    wrap_obj: NDArray[np.int32]
    wrap_xpos: NDArray[np.float64]
    actuator_length: NDArray[np.float64]
    moment_rownnz: NDArray[np.int32]
    moment_rowadr: NDArray[np.int32]
    moment_colind: NDArray[np.int32]
    actuator_moment: NDArray[np.float64]
    crb: NDArray[np.float64]
    qM: NDArray[np.float64]
    M: NDArray[np.float64]
    qLD: NDArray[np.float64]
    qLDiagInv: NDArray[np.float64]
    bvh_active: NDArray[np.uint8]
    tree_awake: NDArray[np.int32]
    body_awake: NDArray[np.int32]
    body_awake_ind: NDArray[np.int32]
    parent_awake_ind: NDArray[np.int32]
    dof_awake_ind: NDArray[np.int32]
    flexedge_velocity: NDArray[np.float64]
    ten_velocity: NDArray[np.float64]
    actuator_velocity: NDArray[np.float64]
    cvel: NDArray[np.float64]
    cdof_dot: NDArray[np.float64]
    qfrc_bias: NDArray[np.float64]
    qfrc_spring: NDArray[np.float64]
    qfrc_damper: NDArray[np.float64]
    qfrc_gravcomp: NDArray[np.float64]
    qfrc_fluid: NDArray[np.float64]
    qfrc_passive: NDArray[np.float64]
    subtree_linvel: NDArray[np.float64]
    subtree_angmom: NDArray[np.float64]
    qH: NDArray[np.float64]
    qHDiagInv: NDArray[np.float64]
    qDeriv: NDArray[np.float64]
    qLU: NDArray[np.float64]
    actuator_force: NDArray[np.float64]
    qfrc_actuator: NDArray[np.float64]
    qfrc_smooth: NDArray[np.float64]
    qacc_smooth: NDArray[np.float64]
    qfrc_constraint: NDArray[np.float64]
    qfrc_inverse: NDArray[np.float64]
    cacc: NDArray[np.float64]
    cfrc_int: NDArray[np.float64]
    cfrc_ext: NDArray[np.float64]
    @property
    def efc_type(self) -> NDArray[np.int32]: ...
    @property
    def efc_id(self) -> NDArray[np.int32]: ...
    @property
    def efc_J_rownnz(self) -> NDArray[np.int32]: ...
    @property
    def efc_J_rowadr(self) -> NDArray[np.int32]: ...
    @property
    def efc_J_rowsuper(self) -> NDArray[np.int32]: ...
    @property
    def efc_J_colind(self) -> NDArray[np.int32]: ...
    @property
    def efc_J(self) -> NDArray[np.float64]: ...
    @property
    def efc_pos(self) -> NDArray[np.float64]: ...
    @property
    def efc_margin(self) -> NDArray[np.float64]: ...
    @property
    def efc_frictionloss(self) -> NDArray[np.float64]: ...
    @property
    def efc_diagApprox(self) -> NDArray[np.float64]: ...
    @property
    def efc_KBIP(self) -> NDArray[np.float64]: ...
    @property
    def efc_D(self) -> NDArray[np.float64]: ...
    @property
    def efc_R(self) -> NDArray[np.float64]: ...
    @property
    def tendon_efcadr(self) -> NDArray[np.int32]: ...
    @property
    def tree_island(self) -> NDArray[np.int32]: ...
    @property
    def island_ntree(self) -> NDArray[np.int32]: ...
    @property
    def island_itreeadr(self) -> NDArray[np.int32]: ...
    @property
    def map_itree2tree(self) -> NDArray[np.int32]: ...
    @property
    def dof_island(self) -> NDArray[np.int32]: ...
    @property
    def island_nv(self) -> NDArray[np.int32]: ...
    @property
    def island_idofadr(self) -> NDArray[np.int32]: ...
    @property
    def island_dofadr(self) -> NDArray[np.int32]: ...
    @property
    def map_dof2idof(self) -> NDArray[np.int32]: ...
    @property
    def map_idof2dof(self) -> NDArray[np.int32]: ...
    @property
    def ifrc_smooth(self) -> NDArray[np.float64]: ...
    @property
    def iacc_smooth(self) -> NDArray[np.float64]: ...
    @property
    def iM_rownnz(self) -> NDArray[np.int32]: ...
    @property
    def iM_rowadr(self) -> NDArray[np.int32]: ...
    @property
    def iM_colind(self) -> NDArray[np.int32]: ...
    @property
    def iM(self) -> NDArray[np.float64]: ...
    @property
    def iLD(self) -> NDArray[np.float64]: ...
    @property
    def iLDiagInv(self) -> NDArray[np.float64]: ...
    @property
    def iacc(self) -> NDArray[np.float64]: ...
    @property
    def efc_island(self) -> NDArray[np.int32]: ...
    @property
    def island_ne(self) -> NDArray[np.int32]: ...
    @property
    def island_nf(self) -> NDArray[np.int32]: ...
    @property
    def island_nefc(self) -> NDArray[np.int32]: ...
    @property
    def island_iefcadr(self) -> NDArray[np.int32]: ...
    @property
    def map_efc2iefc(self) -> NDArray[np.int32]: ...
    @property
    def map_iefc2efc(self) -> NDArray[np.int32]: ...
    @property
    def iefc_type(self) -> NDArray[np.int32]: ...
    @property
    def iefc_id(self) -> NDArray[np.int32]: ...
    @property
    def iefc_J_rownnz(self) -> NDArray[np.int32]: ...
    @property
    def iefc_J_rowadr(self) -> NDArray[np.int32]: ...
    @property
    def iefc_J_rowsuper(self) -> NDArray[np.int32]: ...
    @property
    def iefc_J_colind(self) -> NDArray[np.int32]: ...
    @property
    def iefc_J(self) -> NDArray[np.float64]: ...
    @property
    def iefc_frictionloss(self) -> NDArray[np.float64]: ...
    @property
    def iefc_D(self) -> NDArray[np.float64]: ...
    @property
    def iefc_R(self) -> NDArray[np.float64]: ...
    @property
    def efc_AR_rownnz(self) -> NDArray[np.int32]: ...
    @property
    def efc_AR_rowadr(self) -> NDArray[np.int32]: ...
    @property
    def efc_AR_colind(self) -> NDArray[np.int32]: ...
    @property
    def efc_AR(self) -> NDArray[np.float64]: ...
    @property
    def efc_vel(self) -> NDArray[np.float64]: ...
    @property
    def efc_aref(self) -> NDArray[np.float64]: ...
    @property
    def efc_b(self) -> NDArray[np.float64]: ...
    @property
    def iefc_aref(self) -> NDArray[np.float64]: ...
    @property
    def iefc_state(self) -> NDArray[np.int32]: ...
    @property
    def iefc_force(self) -> NDArray[np.float64]: ...
    @property
    def efc_state(self) -> NDArray[np.int32]: ...
    @property
    def efc_force(self) -> NDArray[np.float64]: ...
    @property
    def ifrc_constraint(self) -> NDArray[np.float64]: ...
    def actuator(self, name: SupportsIndex | str = "") -> _MjDataActuatorViews: ...
    def body(self, name: SupportsIndex | str = "") -> _MjDataBodyViews: ...
    def camera(self, name: SupportsIndex | str = "") -> _MjDataCameraViews: ...
    def cam(self, name: SupportsIndex | str = "") -> _MjDataCameraViews: ...
    def equality(self, name: SupportsIndex | str = "") -> _MjDataEqualityViews: ...
    def eq(self, name: SupportsIndex | str = "") -> _MjDataEqualityViews: ...
    def geom(self, name: SupportsIndex | str = "") -> _MjDataGeomViews: ...
    def joint(self, name: SupportsIndex | str = "") -> _MjDataJointViews: ...
    def jnt(self, name: SupportsIndex | str = "") -> _MjDataJointViews: ...
    def light(self, name: SupportsIndex | str = "") -> _MjDataLightViews: ...
    def sensor(self, name: SupportsIndex | str = "") -> _MjDataSensorViews: ...
    def site(self, name: SupportsIndex | str = "") -> _MjDataSiteViews: ...
    def tendon(self, name: SupportsIndex | str = "") -> _MjDataTendonViews: ...
    def ten(self, name: SupportsIndex | str = "") -> _MjDataTendonViews: ...

def get_mjcb_act_bias() -> None: ...
def get_mjcb_act_dyn() -> None: ...
def get_mjcb_act_gain() -> None: ...
def get_mjcb_contactfilter() -> None: ...
def get_mjcb_control() -> None: ...
def get_mjcb_passive() -> None: ...
def get_mjcb_sensor() -> None: ...
def get_mjcb_time() -> None: ...
def mj_Euler(m: MjModel, d: MjData) -> None: ...
def mj_RungeKutta(m: MjModel, d: MjData, N: SupportsIndex) -> None: ...
def mj_addM(m: MjModel, d: MjData, dst: NDArray[np.float64], rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> None: ...
def mj_angmomMat(m: MjModel, d: MjData, mat: NDArray[np.float64], body: SupportsIndex) -> None: ...
def mj_applyFT(m: MjModel, d: MjData, force: ArrayLike, torque: ArrayLike, point: ArrayLike, body: SupportsIndex, qfrc_target: NDArray[np.float64]) -> None: ...
def mj_camlight(m: MjModel, d: MjData) -> None: ...
def mj_checkAcc(m: MjModel, d: MjData) -> None: ...
def mj_checkPos(m: MjModel, d: MjData) -> None: ...
def mj_checkVel(m: MjModel, d: MjData) -> None: ...
def mj_collision(m: MjModel, d: MjData) -> None: ...
def mj_comPos(m: MjModel, d: MjData) -> None: ...
def mj_comVel(m: MjModel, d: MjData) -> None: ...
def mj_compareFwdInv(m: MjModel, d: MjData) -> None: ...
def mj_constraintUpdate(m: MjModel, d: MjData, jar: ArrayLike, cost: NDArray[np.float64] | None, flg_coneHessian: SupportsIndex) -> None: ...
def mj_contactForce(m: MjModel, d: MjData, id: SupportsIndex, result: NDArray[np.float64]) -> None: ...
def mj_copyData(dest: MjData, m: MjModel, src: MjData) -> None: ...
def mj_copyState(m: MjModel, src: MjData, dst: MjData, sig: SupportsIndex) -> None: ...
def mj_crb(m: MjModel, d: MjData) -> None: ...
def mj_defaultLROpt(opt: MjLROpt) -> None: ...
def mj_defaultOption(opt: MjOption) -> None: ...
def mj_defaultSolRefImp(solref: NDArray[np.float64], solimp: NDArray[np.float64]) -> None: ...
def mj_defaultVisual(vis: MjVisual) -> None: ...
def mj_differentiatePos(m: MjModel, qvel: NDArray[np.float64], dt: float, qpos1: ArrayLike, qpos2: ArrayLike) -> None: ...
def mj_energyPos(m: MjModel, d: MjData) -> None: ...
def mj_energyVel(m: MjModel, d: MjData) -> None: ...
def mj_extractState(m: MjModel, src: ArrayLike, srcsig: SupportsIndex, dst: NDArray[np.float64], dstsig: SupportsIndex) -> None: ...
def mj_factorM(m: MjModel, d: MjData) -> None: ...
def mj_forward(m: MjModel, d: MjData) -> None: ...
def mj_forwardSkip(m: MjModel, d: MjData, skipstage: SupportsIndex, skipsensor: SupportsIndex) -> None: ...
def mj_fullM(m: MjModel, dst: NDArray[np.float64], M: ArrayLike) -> None: ...
def mj_fwdAcceleration(m: MjModel, d: MjData) -> None: ...
def mj_fwdActuation(m: MjModel, d: MjData) -> None: ...
def mj_fwdConstraint(m: MjModel, d: MjData) -> None: ...
def mj_fwdKinematics(m: MjModel, d: MjData) -> None: ...
def mj_fwdPosition(m: MjModel, d: MjData) -> None: ...
def mj_fwdVelocity(m: MjModel, d: MjData) -> None: ...
def mj_geomDistance(m: MjModel, d: MjData, geom1: SupportsIndex, geom2: SupportsIndex, distmax: float, fromto: NDArray[np.float64] | None) -> float: ...
def mj_getState(m: MjModel, d: MjData, state: NDArray[np.float64], sig: SupportsIndex) -> None: ...
def mj_getTotalmass(m: MjModel) -> float: ...
def mj_id2name(m: MjModel, type: SupportsIndex, id: SupportsIndex) -> str | None: ...
def mj_implicit(m: MjModel, d: MjData) -> None: ...
def mj_initCtrlHistory(m: MjModel, d: MjData, id: SupportsIndex, times: ArrayLike | None, values: ArrayLike) -> None: ...
def mj_initSensorHistory(m: MjModel, d: MjData, id: SupportsIndex, times: ArrayLike | None, values: ArrayLike, phase: float) -> None: ...
def mj_integratePos(m: MjModel, qpos: NDArray[np.float64], qvel: ArrayLike, dt: float) -> None: ...
def mj_invConstraint(m: MjModel, d: MjData) -> None: ...
def mj_invPosition(m: MjModel, d: MjData) -> None: ...
def mj_invVelocity(m: MjModel, d: MjData) -> None: ...
def mj_inverse(m: MjModel, d: MjData) -> None: ...
def mj_inverseSkip(m: MjModel, d: MjData, skipstage: SupportsIndex, skipsensor: SupportsIndex) -> None: ...
def mj_isDual(m: MjModel) -> int: ...
def mj_isPyramidal(m: MjModel) -> int: ...
def mj_isSparse(m: MjModel) -> int: ...
def mj_island(m: MjModel, d: MjData) -> None: ...
def mj_jac(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: SupportsIndex) -> None: ...
def mj_jacBody(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: SupportsIndex) -> None: ...
def mj_jacBodyCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, body: SupportsIndex) -> None: ...
def mj_jacDot(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, point: ArrayLike, body: SupportsIndex) -> None: ...
def mj_jacGeom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, geom: SupportsIndex) -> None: ...
def mj_jacPointAxis(m: MjModel, d: MjData, jacPoint: NDArray[np.float64] | None, jacAxis: NDArray[np.float64] | None, point: ArrayLike, axis: ArrayLike, body: SupportsIndex) -> None: ...
def mj_jacSite(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, jacr: NDArray[np.float64] | None, site: SupportsIndex) -> None: ...
def mj_jacSubtreeCom(m: MjModel, d: MjData, jacp: NDArray[np.float64] | None, body: SupportsIndex) -> None: ...
def mj_kinematics(m: MjModel, d: MjData) -> None: ...
def mj_local2Global(d: MjData, xpos: NDArray[np.float64], xmat: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, body: SupportsIndex, sameframe: SupportsIndex) -> None: ...
def mj_makeConstraint(m: MjModel, d: MjData) -> None: ...
def mj_makeM(m: MjModel, d: MjData) -> None: ...
def mj_mulJacTVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mj_mulJacVec(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mj_mulM(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mj_mulM2(m: MjModel, d: MjData, res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mj_multiRay(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: SupportsIndex, bodyexclude: SupportsIndex, geomid: NDArray[np.int32], dist: NDArray[np.float64], normal: NDArray[np.float64] | None, nray: SupportsIndex, cutoff: float) -> None: ...
def mj_name2id(m: MjModel, type: SupportsIndex, name: str) -> int: ...
def mj_normalizeQuat(m: MjModel, qpos: NDArray[np.float64]) -> None: ...
def mj_objectAcceleration(m: MjModel, d: MjData, objtype: SupportsIndex, objid: SupportsIndex, res: NDArray[np.float64], flg_local: SupportsIndex) -> None: ...
def mj_objectVelocity(m: MjModel, d: MjData, objtype: SupportsIndex, objid: SupportsIndex, res: NDArray[np.float64], flg_local: SupportsIndex) -> None: ...
def mj_passive(m: MjModel, d: MjData) -> None: ...
def mj_printData(m: MjModel, d: MjData, filename: str | os.PathLike[str] | None) -> None: ...
def mj_printFormattedData(m: MjModel, d: MjData, filename: str | os.PathLike[str] | None, float_format: ArrayLike) -> None: ...
def mj_printFormattedModel(m: MjModel, filename: str | os.PathLike[str] | None, float_format: ArrayLike) -> None: ...
def mj_printModel(m: MjModel, filename: str | os.PathLike[str] | None) -> None: ...
def mj_projectConstraint(m: MjModel, d: MjData) -> None: ...
def mj_ray(m: MjModel, d: MjData, pnt: ArrayLike, vec: ArrayLike, geomgroup: ArrayLike | None, flg_static: SupportsIndex, bodyexclude: SupportsIndex, geomid: NDArray[np.int32] | None, normal: NDArray[np.float64] | None = None) -> float: ...
def mj_rayHfield(m: MjModel, d: MjData, geomid: SupportsIndex, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = None) -> float: ...
def mj_rayMesh(m: MjModel, d: MjData, geomid: SupportsIndex, pnt: ArrayLike, vec: ArrayLike, normal: NDArray[np.float64] | None = None) -> float: ...
def mj_readCtrl(m: MjModel, d: MjData, id: SupportsIndex, time: float, interp: SupportsIndex) -> float: ...
def mj_readSensor(m: MjModel, d: MjData, id: SupportsIndex, time: float, result: NDArray[np.float64], interp: SupportsIndex) -> NDArray[np.float64]: ...
def mj_referenceConstraint(m: MjModel, d: MjData) -> None: ...
def mj_resetCallbacks() -> None: ...
def mj_resetData(m: MjModel, d: MjData) -> None: ...
def mj_resetDataDebug(m: MjModel, d: MjData, debug_value: SupportsIndex) -> None: ...
def mj_resetDataKeyframe(m: MjModel, d: MjData, key: SupportsIndex) -> None: ...
def mj_rne(m: MjModel, d: MjData, flg_acc: SupportsIndex, result: NDArray[np.float64]) -> None: ...
def mj_rnePostConstraint(m: MjModel, d: MjData) -> None: ...
def mj_saveLastXML(filename: str | os.PathLike[str], m: MjModel) -> None: ...
def mj_saveModel(m: MjModel, filename: str | os.PathLike[str] | None = None, buffer: NDArray[np.uint8] | None = None) -> None: ...
def mj_sensorAcc(m: MjModel, d: MjData) -> None: ...
def mj_sensorPos(m: MjModel, d: MjData) -> None: ...
def mj_sensorVel(m: MjModel, d: MjData) -> None: ...
def mj_setConst(m: MjModel, d: MjData) -> None: ...
def mj_setKeyframe(m: MjModel, d: MjData, k: SupportsIndex) -> None: ...
def mj_setLengthRange(m: MjModel, d: MjData, index: SupportsIndex, opt: MjLROpt) -> None: ...
def mj_setState(m: MjModel, d: MjData, state: ArrayLike, sig: SupportsIndex) -> None: ...
def mj_setTotalmass(m: MjModel, newmass: float) -> None: ...
def mj_sizeModel(m: MjModel) -> int: ...
def mj_solveM(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike) -> None: ...
def mj_solveM2(m: MjModel, d: MjData, x: NDArray[np.float64], y: ArrayLike, sqrtInvD: ArrayLike) -> None: ...
def mj_stateSize(m: MjModel, sig: SupportsIndex) -> int: ...
def mj_step(m: MjModel, d: MjData, nstep: SupportsIndex = 1) -> None: ...
def mj_step1(m: MjModel, d: MjData) -> None: ...
def mj_step2(m: MjModel, d: MjData) -> None: ...
def mj_subtreeVel(m: MjModel, d: MjData) -> None: ...
def mj_tendon(m: MjModel, d: MjData) -> None: ...
def mj_transmission(m: MjModel, d: MjData) -> None: ...
def mj_version() -> int: ...
def mj_versionString() -> str: ...
def mjd_inverseFD(m: MjModel, d: MjData, eps: float, flg_actuation: SupportsIndex, DfDq: NDArray[np.float64] | None, DfDv: NDArray[np.float64] | None, DfDa: NDArray[np.float64] | None, DsDq: NDArray[np.float64] | None, DsDv: NDArray[np.float64] | None, DsDa: NDArray[np.float64] | None, DmDq: NDArray[np.float64] | None) -> None: ...
def mjd_quatIntegrate(vel: ArrayLike, scale: float, Dquat: NDArray[np.float64], Dvel: NDArray[np.float64], Dscale: NDArray[np.float64]) -> None: ...
def mjd_subQuat(qa: ArrayLike, qb: ArrayLike, Da: NDArray[np.float64] | None, Db: NDArray[np.float64] | None) -> None: ...
def mjd_transitionFD(m: MjModel, d: MjData, eps: float, flg_centered: SupportsIndex, A: NDArray[np.float64] | None, B: NDArray[np.float64] | None, C: NDArray[np.float64] | None, D: NDArray[np.float64] | None) -> None: ...
def mjr_finish() -> None: ...
def mjr_getError() -> int: ...
def mjr_maxViewport(con: MjrContext) -> MjrRect: ...
def mjr_overlay(font: SupportsIndex, gridpos: SupportsIndex, viewport: MjrRect, overlay: str, overlay2: str, con: MjrContext) -> None: ...
def mjr_readPixels(rgb: NDArray[np.uint8] | None, depth: NDArray[np.float32] | None, viewport: MjrRect, con: MjrContext) -> None: ...
def mjr_rectangle(viewport: MjrRect, r: float, g: float, b: float, a: float) -> None: ...
def mjr_render(viewport: MjrRect, scn: MjvScene, con: MjrContext) -> None: ...
def mjr_resizeOffscreen(width: SupportsIndex, height: SupportsIndex, con: MjrContext) -> None: ...
def mjr_restoreBuffer(con: MjrContext) -> None: ...
def mjr_setBuffer(framebuffer: SupportsIndex, con: MjrContext) -> None: ...
def mjr_uploadHField(m: MjModel, con: MjrContext, hfieldid: SupportsIndex) -> None: ...
def mjr_uploadMesh(m: MjModel, con: MjrContext, meshid: SupportsIndex) -> None: ...
def mjr_uploadTexture(m: MjModel, con: MjrContext, texid: SupportsIndex) -> None: ...
def mju_Halton(index: SupportsIndex, base: SupportsIndex) -> float: ...
def mju_L1(vec: ArrayLike) -> float: ...
def mju_add(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_add3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_addScl(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None: ...
def mju_addScl3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike, scl: float) -> None: ...
def mju_addTo(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_addTo3(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_addToScl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_addToScl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_axisAngle2Quat(res: NDArray[np.float64], axis: ArrayLike, angle: float) -> None: ...
def mju_band2Dense(res: NDArray[np.float64], mat: ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex, flg_sym: SupportsIndex) -> None: ...
def mju_bandDiag(i: SupportsIndex, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex) -> int: ...
def mju_bandMulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex, nvec: SupportsIndex, flg_sym: SupportsIndex) -> None: ...
def mju_boxQP(res: NDArray[np.float64], R: NDArray[np.float64], index: NDArray[np.int32] | None, H: ArrayLike, g: ArrayLike, lower: ArrayLike | None, upper: ArrayLike | None) -> int: ...
def mju_cholFactor(mat: NDArray[np.float64], mindiag: float) -> int: ...
def mju_cholFactorBand(mat: NDArray[np.float64], ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex, diagadd: float, diagmul: float) -> float: ...
def mju_cholSolve(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_cholSolveBand(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex) -> None: ...
def mju_cholUpdate(mat: NDArray[np.float64], x: NDArray[np.float64], flg_plus: SupportsIndex) -> int: ...
def mju_clip(x: float, min: float, max: float) -> float: ...
def mju_copy(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_copy3(res: NDArray[np.float64], data: ArrayLike) -> None: ...
def mju_copy4(res: NDArray[np.float64], data: ArrayLike) -> None: ...
def mju_cross(res: NDArray[np.float64], a: ArrayLike, b: ArrayLike) -> None: ...
def mju_d2n(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_decodePyramid(force: NDArray[np.float64], pyramid: ArrayLike, mu: ArrayLike) -> None: ...
def mju_dense2Band(res: NDArray[np.float64], mat: ArrayLike, ntotal: SupportsIndex, nband: SupportsIndex, ndense: SupportsIndex) -> None: ...
def mju_dense2sparse(res: NDArray[np.float64], mat: ArrayLike, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> int: ...
def mju_derivQuat(res: NDArray[np.float64], quat: ArrayLike, vel: ArrayLike) -> None: ...
def mju_dist3(pos1: ArrayLike, pos2: ArrayLike) -> float: ...
def mju_dot(vec1: ArrayLike, vec2: ArrayLike) -> float: ...
def mju_dot3(vec1: ArrayLike, vec2: ArrayLike) -> float: ...
def mju_eig3(eigval: NDArray[np.float64], eigvec: NDArray[np.float64], quat: NDArray[np.float64], mat: ArrayLike) -> int: ...
def mju_encodePyramid(pyramid: NDArray[np.float64], force: ArrayLike, mu: ArrayLike) -> None: ...
def mju_euler2Quat(quat: NDArray[np.float64], euler: ArrayLike, seq: str) -> None: ...
def mju_eye(mat: NDArray[np.float64]) -> None: ...
def mju_f2n(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_fill(res: NDArray[np.float64], val: float) -> None: ...
def mju_insertionSort(list: NDArray[np.float64]) -> None: ...
def mju_insertionSortInt(list: NDArray[np.int32]) -> None: ...
def mju_isBad(x: float) -> int: ...
def mju_isZero(vec: ArrayLike) -> int: ...
def mju_mat2Quat(quat: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_mat2Rot(quat: NDArray[np.float64], mat: ArrayLike) -> int: ...
def mju_max(a: float, b: float) -> float: ...
def mju_min(a: float, b: float) -> float: ...
def mju_mulMatMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None: ...
def mju_mulMatMatT(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None: ...
def mju_mulMatTMat(res: NDArray[np.float64], mat1: ArrayLike, mat2: ArrayLike) -> None: ...
def mju_mulMatTVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatTVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatVec(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulMatVec3(res: NDArray[np.float64], mat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_mulPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos1: ArrayLike, quat1: ArrayLike, pos2: ArrayLike, quat2: ArrayLike) -> None: ...
def mju_mulQuat(res: NDArray[np.float64], quat1: ArrayLike, quat2: ArrayLike) -> None: ...
def mju_mulQuatAxis(res: NDArray[np.float64], quat: ArrayLike, axis: ArrayLike) -> None: ...
def mju_mulVecMatVec(vec1: ArrayLike, mat: ArrayLike, vec2: ArrayLike) -> float: ...
def mju_muscleBias(len: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float: ...
def mju_muscleDynamics(ctrl: float, act: float, prm: ArrayLike) -> float: ...
def mju_muscleGain(len: float, vel: float, lengthrange: ArrayLike, acc0: float, prm: ArrayLike) -> float: ...
def mju_n2d(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_n2f(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_negPose(posres: NDArray[np.float64], quatres: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike) -> None: ...
def mju_negQuat(res: NDArray[np.float64], quat: ArrayLike) -> None: ...
def mju_norm(res: NDArray[np.float64]) -> float: ...
def mju_norm3(vec: ArrayLike) -> float: ...
def mju_normalize(res: NDArray[np.float64]) -> float: ...
def mju_normalize3(vec: NDArray[np.float64]) -> float: ...
def mju_normalize4(vec: NDArray[np.float64]) -> float: ...
def mju_printMat(mat: ArrayLike) -> None: ...
def mju_printMatSparse(mat: ArrayLike, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> None: ...
def mju_quat2Mat(res: NDArray[np.float64], quat: ArrayLike) -> None: ...
def mju_quat2Vel(res: NDArray[np.float64], quat: ArrayLike, dt: float) -> None: ...
def mju_quatIntegrate(quat: NDArray[np.float64], vel: ArrayLike, scale: float) -> None: ...
def mju_quatZ2Vec(quat: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_rayGeom(pos: ArrayLike, mat: ArrayLike, size: ArrayLike, pnt: ArrayLike, vec: ArrayLike, geomtype: SupportsIndex, normal: NDArray[np.float64] | None = None) -> float: ...
def mju_rotVecQuat(res: NDArray[np.float64], vec: ArrayLike, quat: ArrayLike) -> None: ...
def mju_round(x: float) -> int: ...
def mju_scl(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_scl3(res: NDArray[np.float64], vec: ArrayLike, scl: float) -> None: ...
def mju_sigmoid(x: float) -> float: ...
def mju_sign(x: float) -> float: ...
def mju_sparse2dense(res: NDArray[np.float64], mat: ArrayLike, rownnz: NDArray[np.int32], rowadr: NDArray[np.int32], colind: NDArray[np.int32]) -> None: ...
def mju_springDamper(pos0: float, vel0: float, Kp: float, Kv: float, dt: float) -> float: ...
def mju_sqrMatTD(res: NDArray[np.float64], mat: ArrayLike, diag: ArrayLike | None) -> None: ...
def mju_standardNormal(num2: float | None) -> float: ...
def mju_str2Type(str: str) -> int: ...
def mju_sub(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_sub3(res: NDArray[np.float64], vec1: ArrayLike, vec2: ArrayLike) -> None: ...
def mju_subFrom(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_subFrom3(res: NDArray[np.float64], vec: ArrayLike) -> None: ...
def mju_subQuat(res: NDArray[np.float64], qa: ArrayLike, qb: ArrayLike) -> None: ...
def mju_sum(vec: ArrayLike) -> float: ...
def mju_symmetrize(res: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_transformSpatial(res: NDArray[np.float64], vec: ArrayLike, flg_force: SupportsIndex, newpos: ArrayLike, oldpos: ArrayLike, rotnew2old: ArrayLike) -> None: ...
def mju_transpose(res: NDArray[np.float64], mat: ArrayLike) -> None: ...
def mju_trnVecPose(res: NDArray[np.float64], pos: ArrayLike, quat: ArrayLike, vec: ArrayLike) -> None: ...
def mju_type2Str(type: SupportsIndex) -> str | None: ...
def mju_unit4(res: NDArray[np.float64]) -> None: ...
def mju_warningText(warning: SupportsIndex, info: SupportsIndex) -> str: ...
def mju_writeLog(type: SupportsIndex, msg: ArrayLike) -> None: ...
def mju_writeNumBytes(nbytes: SupportsIndex) -> str: ...
def mju_zero(res: NDArray[np.float64]) -> None: ...
def mju_zero3(res: NDArray[np.float64]) -> None: ...
def mju_zero4(res: NDArray[np.float64]) -> None: ...
def mjv_addGeoms(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb, catmask: SupportsIndex, scn: MjvScene) -> None: ...
def mjv_alignToCamera(res: NDArray[np.float64], vec: ArrayLike, forward: ArrayLike) -> None: ...
def mjv_applyPerturbForce(m: MjModel, d: MjData, pert: MjvPerturb) -> None: ...
def mjv_applyPerturbPose(m: MjModel, d: MjData, pert: MjvPerturb, flg_paused: SupportsIndex) -> None: ...
def mjv_averageCamera(cam1: MjvGLCamera, cam2: MjvGLCamera) -> MjvGLCamera: ...
def mjv_cameraFrame(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], right: NDArray[np.float64], d: MjData, cam: MjvCamera) -> None: ...
def mjv_cameraFrustum(zver: NDArray[np.float32], zhor: NDArray[np.float32], zclip: NDArray[np.float32], m: MjModel, cam: MjvCamera) -> None: ...
def mjv_cameraInModel(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], scn: MjvScene) -> None: ...
def mjv_cameraInRoom(headpos: NDArray[np.float64], forward: NDArray[np.float64], up: NDArray[np.float64], scn: MjvScene) -> None: ...
def mjv_connector(geom: MjvGeom, type: SupportsIndex, width: float, from_: ArrayLike, to: ArrayLike) -> None: ...
def mjv_defaultCamera(cam: MjvCamera) -> None: ...
def mjv_defaultFreeCamera(m: MjModel, cam: MjvCamera) -> None: ...
def mjv_defaultOption(opt: MjvOption) -> None: ...
def mjv_defaultPerturb(pert: MjvPerturb) -> None: ...
def mjv_frustumHeight(scn: MjvScene) -> float: ...
def mjv_initGeom(geom: MjvGeom, type: SupportsIndex, size: ArrayLike | None, pos: ArrayLike | None, mat: ArrayLike | None, rgba: ArrayLike | None) -> None: ...
def mjv_initPerturb(m: MjModel, d: MjData, scn: MjvScene, pert: MjvPerturb) -> None: ...
def mjv_makeLights(m: MjModel, d: MjData, scn: MjvScene) -> None: ...
def mjv_model2room(roompos: NDArray[np.float64], roomquat: NDArray[np.float64], modelpos: ArrayLike, modelquat: ArrayLike, scn: MjvScene) -> None: ...
def mjv_moveCamera(m: MjModel, action: SupportsIndex, reldx: float, reldy: float, scn: MjvScene, cam: MjvCamera) -> None: ...
def mjv_moveModel(m: MjModel, action: SupportsIndex, reldx: float, reldy: float, roomup: ArrayLike, scn: MjvScene) -> None: ...
def mjv_movePerturb(m: MjModel, d: MjData, action: SupportsIndex, reldx: float, reldy: float, scn: MjvScene, pert: MjvPerturb) -> None: ...
def mjv_room2model(modelpos: NDArray[np.float64], modelquat: NDArray[np.float64], roompos: ArrayLike, roomquat: ArrayLike, scn: MjvScene) -> None: ...
def mjv_select(m: MjModel, d: MjData, vopt: MjvOption, aspectratio: float, relx: float, rely: float, scn: MjvScene, selpnt: NDArray[np.float64], geomid: NDArray[np.int32], flexid: NDArray[np.int32], skinid: NDArray[np.int32]) -> int: ...
def mjv_updateCamera(m: MjModel, d: MjData, cam: MjvCamera, scn: MjvScene) -> None: ...
def mjv_updateScene(m: MjModel, d: MjData, opt: MjvOption, pert: MjvPerturb | None, cam: MjvCamera, catmask: SupportsIndex, scn: MjvScene) -> None: ...
def mjv_updateSkin(m: MjModel, d: MjData, scn: MjvScene) -> None: ...
def set_mjcb_act_bias(callback: ArrayLike) -> None: ...
def set_mjcb_act_dyn(callback: ArrayLike) -> None: ...
def set_mjcb_act_gain(callback: ArrayLike) -> None: ...
def set_mjcb_contactfilter(callback: ArrayLike) -> None: ...
def set_mjcb_control(callback: ArrayLike) -> None: ...
def set_mjcb_passive(callback: ArrayLike) -> None: ...
def set_mjcb_sensor(callback: ArrayLike) -> None: ...
def set_mjcb_time(callback: ArrayLike) -> None: ...
