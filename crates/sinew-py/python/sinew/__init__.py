"""Sinew: a physics engine that reads MJCF and computes MuJoCo's numbers.

The names are those of MuJoCo's Python package, so that `import sinew as mujoco` runs its scripts.
"""

from sinew import _constants, _enums, _print, _render, _sinew, _texts, _visual
from sinew._constants import *  # noqa: F403
from sinew._enums import *  # noqa: F403
from sinew._records import (
    MjContact,
    MjLROpt,
    MjOption,
    MjSolverStat,
    MjStatistic,
    MjStruct,
    MjTimerStat,
    MjVisual,
    MjVisualHeadlight,
    MjVisualRgba,
    MjWarningStat,
)
from sinew._render import GLContext, MjrContext, MjrRect, Renderer
from sinew._sinew import FatalError, UnexpectedError
from sinew._structs import LoadWarning, MjData, MjModel
from sinew._visual import (
    MjvCamera,
    MjvGeom,
    MjvGLCamera,
    MjvLight,
    MjvOption,
    MjvPerturb,
    MjvScene,
)

_functions = {n: f for n, f in vars(_sinew).items() if n.startswith(("mj_", "mju_", "mjd_"))}
_parts = (_texts, _print, _visual, _render)
_functions |= {n: getattr(part, n) for part in _parts for n in part.__all__}
_functions |= {n: f for n, f in vars(_sinew).items() if n.startswith(("get_mj", "set_mj"))}
globals().update(_functions)

# the MuJoCo version whose interface this is: scripts compare it
__version__ = "3.5.0"
# the version of Sinew itself
SINEW_VERSION = _sinew.VERSION

__all__ = [
    "FatalError",
    "GLContext",
    "LoadWarning",
    "MjContact",
    "MjData",
    "MjLROpt",
    "MjModel",
    "MjOption",
    "MjSolverStat",
    "MjStatistic",
    "MjStruct",
    "MjTimerStat",
    "MjVisual",
    "MjVisualHeadlight",
    "MjVisualRgba",
    "MjWarningStat",
    "MjrContext",
    "MjrRect",
    "MjvCamera",
    "MjvGLCamera",
    "MjvGeom",
    "MjvLight",
    "MjvOption",
    "MjvPerturb",
    "MjvScene",
    "Renderer",
    "SINEW_VERSION",
    "UnexpectedError",
    *(n for n in vars(_constants) if n.startswith("mj")),
    *_enums.__all__,
    *_functions,
]
