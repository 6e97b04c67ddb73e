"""Actuators, with the shortcuts that set several of their attributes, and sensors."""

import inspect

from sinew import _enums
from sinew._spec.base import MjsElement, class_property
from sinew._spec.fields import CONTACT_SIZES, RAY_SIZES, SENSOR_SIZES, SHORTCUTS
from sinew._spec.values import add_fields, real


class MjsActuator(MjsElement):
    """An actuator."""

    __slots__ = ()
    __module__ = "sinew"


add_fields(MjsActuator, "actuator")
class_property(MjsActuator)


def _numbers(value, default, name):
    """A parameter as a list of numbers."""
    if len(default) < 2:
        return [real(value, name)]
    if isinstance(value, (str, bytes)) or len(value) != len(default):
        raise ValueError(f"{name} should be a list/array of size {len(default)}.")
    return [real(x, name) for x in value]


def _method(kind, does, parameters):
    """The method that applies a shortcut."""
    takes = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    for name, default in parameters:
        usual = inspect.Parameter.empty
        if default:
            usual = default[0] if len(default) == 1 else tuple(default)
        takes.append(
            inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=usual)
        )
    signature = inspect.Signature(takes)

    def method(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        given = []
        for name, default in parameters:
            values = bound.arguments.get(name, default)
            values = values if values is default else _numbers(values, default, name)
            if not default or values != [-1.0]:
                given.append((name, values))
        bound.arguments["self"]._apply(kind, given)

    method.__name__ = f"set_to_{kind}"
    method.__qualname__ = f"MjsActuator.set_to_{kind}"
    method.__signature__ = signature
    listed = ", ".join(str(p) for p in takes[1:])
    method.__doc__ = f"set_to_{kind}({listed})\n\nMakes the actuator {does}."
    return method


for _kind, (_does, _parameters) in SHORTCUTS.items():
    setattr(MjsActuator, f"set_to_{_kind}", _method(_kind, _does, _parameters))

_SENSOR = _enums.mjtSensor


def bits_size(bits, sizes):
    """The length of the fields of a set of bits."""
    return sum(size for i, size in enumerate(sizes) if bits >> i & 1)


class MjsSensor(MjsElement):
    """A sensor."""

    __slots__ = ()
    __module__ = "sinew"

    def get_data_size(self):
        """get_data_size()

        How many numbers the sensor gives.
        """
        kind = int(self.type)
        if kind == _SENSOR.mjSENS_CONTACT:
            return int(self.intprm[2]) * bits_size(int(self.intprm[0]), CONTACT_SIZES)
        if kind == _SENSOR.mjSENS_RANGEFINDER:
            rays = 1
            if self.objtype == _enums.mjtObj.mjOBJ_CAMERA:
                camera = self._spec._find("camera", self.objname)
                rays = int(camera.resolution[0] * camera.resolution[1]) if camera else 0
            return rays * bits_size(int(self.intprm[0]), RAY_SIZES)
        if kind == _SENSOR.mjSENS_TACTILE:
            mesh = self._spec._find("mesh", self.objname)
            return 3 * (len(mesh.uservert) // 3) if mesh else 0
        if kind == _SENSOR.mjSENS_USER:
            return int(self.dim)
        return SENSOR_SIZES.get(kind, 1)


add_fields(MjsSensor, "sensor")
