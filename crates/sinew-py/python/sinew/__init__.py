"""Sinew: a physics engine that reads MJCF and computes MuJoCo's numbers.

The names are those of MuJoCo's Python package, so that `import sinew as mujoco` runs its scripts.
After `sinew.install_as_mujoco()`, or under `python -m sinew.as_mujoco`, `import mujoco` means
Sinew.
"""

import os
import sys
from typing import Union

import numpy as np

from sinew import (
    _callbacks,
    _constants,
    _enums,
    _functions,
    _names,
    _plugins,
    _sinew,
    _specs,
)
from sinew._batch import Batch
from sinew._callbacks import *  # noqa: F403
from sinew._constants import *  # noqa: F403
from sinew._derivatives import RolloutGradient, Rollouts, Transition, transition
from sinew._device import DeviceBatch
from sinew._enums import *  # noqa: F403
from sinew._errors import DivergenceWarning, FatalError, UnexpectedError
from sinew._figure import MjvFigure, mjv_defaultFigure
from sinew._functions import *  # noqa: F403
from sinew._later import classes as _classes
from sinew._later import layout as _layout
from sinew._later.classes import *  # noqa: F403
from sinew._records import (
    MjContact,
    MjLROpt,
    MjOption,
    MjSolverStat,
    MjStatistic,
    MjTimerStat,
    MjVisual,
    MjVisualHeadlight,
    MjVisualRgba,
    MjWarningStat,
)
from sinew._plugins import *  # noqa: F403
from sinew._recording import Recording
from sinew._render import GLContext, MjrContext, MjrRect, Renderer
from sinew._spec import elements as _elements
from sinew._specs import *  # noqa: F403
from sinew._specs import from_zip, to_zip
from sinew._sinew import check
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
from sinew._vfs import MjVfs

# any element of an editable model
MjStruct = Union[tuple(_elements.CLASSES.values())]

# the type of real numbers, and the folder of MuJoCo's C headers, which Sinew does not have
MJTNUM_DTYPE = np.float64
HEADERS_DIR = os.path.join(os.path.dirname(__file__), "include", "mujoco")
# the version of Sinew
SINEW_VERSION = _sinew.VERSION
# the MuJoCo version of the interface, which scripts compare, and its names
__version__ = _names.given()
_layout.start()


def install_as_mujoco(version=None):
    """install_as_mujoco(version=None)

    Makes `import mujoco` mean Sinew, in this process and in its children. Raises an ImportError if
    MuJoCo is already loaded. `version` is the version of MuJoCo that programs see, 3.5.0 by default:
    `"4.0"` gives `__version__` and layouts of 4.0.0. The numbers are those of 3.5.0.
    """
    from sinew import _install

    _install.install(sys.modules[__name__], version)


__all__ = [
    "Batch",
    "DeviceBatch",
    "DivergenceWarning",
    "FatalError",
    "GLContext",
    "HEADERS_DIR",
    "LoadWarning",
    "MJTNUM_DTYPE",
    "MjContact",
    "MjData",
    "MjLROpt",
    "MjModel",
    "MjOption",
    "MjSolverStat",
    "MjStatistic",
    "MjStruct",
    "MjTimerStat",
    "MjVfs",
    "MjVisual",
    "MjVisualHeadlight",
    "MjVisualRgba",
    "MjWarningStat",
    "MjrContext",
    "MjrRect",
    "MjvCamera",
    "MjvFigure",
    "MjvGLCamera",
    "MjvGeom",
    "MjvLight",
    "MjvOption",
    "MjvPerturb",
    "MjvScene",
    "Recording",
    "Renderer",
    "RolloutGradient",
    "Rollouts",
    "SINEW_VERSION",
    "Transition",
    "UnexpectedError",
    "check",
    "from_zip",
    "install_as_mujoco",
    "mjv_defaultFigure",
    "to_zip",
    "transition",
    *_specs.__all__,
    *(n for n in vars(_constants) if n.startswith(("mj", "MJ"))),
    *_classes.__all__,
    *_enums.__all__,
    *_functions.__all__,
    *_callbacks.__all__,
    *_plugins.__all__,
]
