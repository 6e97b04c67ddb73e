"""Editable models: `MjSpec` and the classes of its elements."""

from sinew._records import MjOption, MjStatistic, MjVisual, MjVisualHeadlight, MjVisualRgba
from sinew._spec import bind as _bind  # noqa: F401
from sinew._spec.actuator import MjsActuator, MjsSensor
from sinew._spec.base import MjsElement, MjsOrientation
from sinew._spec.elements import (
    MjsBody,
    MjsCamera,
    MjsDefault,
    MjsEquality,
    MjsExclude,
    MjsFlex,
    MjsFrame,
    MjsGeom,
    MjsHField,
    MjsJoint,
    MjsKey,
    MjsLight,
    MjsMaterial,
    MjsMesh,
    MjsNumeric,
    MjsPair,
    MjsPlugin,
    MjsSite,
    MjsSkin,
    MjsTendon,
    MjsTendonPath,
    MjsText,
    MjsTexture,
    MjsTuple,
    MjsWrap,
)
from sinew._spec.settings import MjsCompiler
from sinew._spec.spec import MjSpec
from sinew._spec.values import (
    MjByteVec,
    MjCharVec,
    MjDoubleVec,
    MjFloatVec,
    MjIntVec,
    MjStringVec,
)

from_zip, to_zip = MjSpec.from_zip, MjSpec.to_zip

__all__ = [name for name in dir() if name.startswith("Mj")]
