"""Attributes and methods that the elements of editable models have in other versions."""

import operator

from sinew import _archive, _enums, _visual
from sinew._later import classes, editing
from sinew._later.computed import MEMBERS
from sinew._later.fields import refuse
from sinew._spec import elements
from sinew._spec.base import MjsElement

_DIRECTIONAL = int(_enums.mjtLightType.mjLIGHT_DIRECTIONAL)
_SPOT = int(_enums.mjtLightType.mjLIGHT_SPOT)


def _delete(self):
    """delete()

    Takes the element out of its model.
    """
    self._spec.delete(self)


_delete.__name__ = "delete"
_compiler = property(lambda self: self._compiler, doc="How the element is to be compiled.")


def _set_directional(light, value):
    light.type = _DIRECTIONAL if value else _SPOT


_directional = property(
    lambda light: int(int(light.type) == _DIRECTIONAL),
    _set_directional,
    doc="Whether the light is directional, as 0 or 1.",
)


def _set_projection(camera, value):
    try:
        camera.proj = operator.index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"MjsCamera.orthographic: wanted a whole number, got {kind}") from None


def _class_of_texture(default):
    # an attribute that no object has, so that textures take nothing from their class
    raise AttributeError(str(refuse("MjsDefault.texture", "3.17.0", "compiler")))


for _cls in elements.CLASSES.values():
    MEMBERS[f"{_cls.__name__}.delete"] = _delete
    MEMBERS[f"{_cls.__name__}.compiler"] = _compiler
MEMBERS |= {
    "MjsLight.directional": _directional,
    "MjvLight.directional": _directional,
    "MjsCamera.orthographic": property(
        lambda camera: int(camera.proj), _set_projection, doc="Whether it is orthographic."
    ),
    "MjsDefault.texture": property(_class_of_texture, doc="Raises an error."),
    "MjsTexture.classname": property(
        lambda texture: texture._spec._class_of("main"), doc="The default class `main`."
    ),
    "MjSpec.authored": property(lambda spec: classes.MjsAuthored(), doc="Bits that are zero."),
    "MjSpec.dedup_assets": editing.dedup_assets,
    "MjSpec.adopt_inertial": editing.adopt_inertial,
    "MjSpec.encode": _archive.encode,
    "MjsActuator.set_to_dcmotor": editing.set_to_dcmotor,
    "MjsActuator.set_to_pid": editing.set_to_pid,
    "MjsActuator.set_to_orientation": editing.set_to_orientation,
}
OWNERS = {cls.__name__: cls for cls in elements.CLASSES.values()}
OWNERS |= {"MjsDefault": elements.MjsDefault, "MjsElement": MjsElement}
OWNERS |= {name: getattr(_visual, name) for name in ("MjvGeom", "MjvLight", "MjvOption")}
