"""Actuators, with the shortcuts that set several of their attributes, and sensors."""

import math

from sinew import _enums
from sinew._spec.base import MjsElement, class_property
from sinew._spec.values import add_fields

_DYN, _GAIN, _BIAS = _enums.mjtDyn, _enums.mjtGain, _enums.mjtBias


def _fail(text):
    raise ValueError(text)


class MjsActuator(MjsElement):
    """An actuator."""

    __slots__ = ()
    _kind = "actuator"
    __module__ = "sinew"

    def _laws(self, dyn, gain, bias):
        self.dyntype, self.gaintype, self.biastype = dyn, gain, bias

    def set_to_motor(self):
        """set_to_motor()

        Makes the actuator apply what it is told.
        """
        self.gainprm[0] = 1
        self._laws(_DYN.mjDYN_NONE, _GAIN.mjGAIN_FIXED, _BIAS.mjBIAS_NONE)

    def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
        """set_to_position(kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False)

        Makes the actuator a position servo.
        """
        error = self._position(kp, kv, dampratio, timeconst, float(inheritrange))
        if error:
            _fail(error)

    def _position(self, kp, kv, dampratio, timeconst, inheritrange):
        """Sets a position servo; what is wrong with it, if anything."""
        self.gainprm[0], self.biasprm[1] = kp, -kp
        if kv != -1 and dampratio != -1:
            return "kv and dampratio cannot both be defined"
        if kv != -1:
            if kv < 0:
                return "kv cannot be negative"
            self.biasprm[2] = -kv
        if dampratio != -1:
            if dampratio < 0:
                return "dampratio cannot be negative"
            self.biasprm[2] = dampratio
        if timeconst != -1:
            if timeconst < 0:
                return "timeconst cannot be negative"
            self.dynprm[0] = timeconst
            self.dyntype = _DYN.mjDYN_NONE if timeconst == 0 else _DYN.mjDYN_FILTEREXACT
        self.inheritrange = inheritrange
        if inheritrange > 0 and self.ctrlrange.any():
            return "ctrlrange and inheritrange cannot both be defined"
        self.gaintype, self.biastype = _GAIN.mjGAIN_FIXED, _BIAS.mjBIAS_AFFINE
        return None

    def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
        """set_to_intvelocity(kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False)

        Makes the actuator a position servo whose target is moved by its control.
        """
        inheritrange = float(inheritrange)
        self._position(kp, kv, dampratio, timeconst, inheritrange)
        self.dyntype, self.actlimited = _DYN.mjDYN_INTEGRATOR, 1
        if inheritrange > 0 and self.actrange.any():
            _fail("actrange and inheritrange cannot both be defined")

    def set_to_velocity(self, kv):
        """set_to_velocity(kv)

        Makes the actuator a velocity servo.
        """
        self.biasprm[:] = 0
        self.gainprm[0], self.biasprm[2] = kv, -kv
        self._laws(_DYN.mjDYN_NONE, _GAIN.mjGAIN_FIXED, _BIAS.mjBIAS_AFFINE)

    def set_to_damper(self, kv):
        """set_to_damper(kv)

        Makes the actuator a damper whose strength is its control.
        """
        self.gainprm[:] = 0
        self.gainprm[2], self.ctrllimited = -kv, 1
        self._laws(_DYN.mjDYN_NONE, _GAIN.mjGAIN_AFFINE, _BIAS.mjBIAS_NONE)
        if kv < 0:
            _fail("damping coefficient cannot be negative")
        if (self.ctrlrange < 0).any():
            _fail("damper control range cannot be negative")

    def set_to_cylinder(self, timeconst, bias, area, diameter=-1):
        """set_to_cylinder(timeconst, bias, area, diameter=-1)

        Makes the actuator a pneumatic or hydraulic cylinder.
        """
        self.dynprm[0], self.biasprm[0], self.gainprm[0] = timeconst, bias, area
        if diameter >= 0:
            self.gainprm[0] = math.pi / 4 * diameter * diameter
        self._laws(_DYN.mjDYN_FILTER, _GAIN.mjGAIN_FIXED, _BIAS.mjBIAS_AFFINE)

    def set_to_muscle(
        self,
        timeconst=(-1, -1),
        tausmooth=0.0,
        range=(-1.0, -1.0),
        force=-1,
        scale=-1,
        lmin=-1,
        lmax=-1,
        vmax=-1,
        fpmax=-1,
        fvmax=-1,
    ):
        """set_to_muscle(timeconst=(-1, -1), tausmooth=0, range=(-1, -1), force=-1, scale=-1, ...)

        Makes the actuator a muscle; numbers below zero leave what there is.
        """
        # what is as in any actuator becomes as in a muscle
        if self.dynprm[0] == 1:
            self.dynprm[0] = 0.01
        if self.dynprm[1] == 0:
            self.dynprm[1] = 0.04
        if self.gainprm[0] == 1:
            self.gainprm[0] = 0.75
        for i, default in enumerate((1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2), 1):
            if self.gainprm[i] == 0:
                self.gainprm[i] = default

        # what is given
        if tausmooth < 0:
            _fail("muscle tausmooth cannot be negative")
        self.dynprm[2] = tausmooth
        for i, value in enumerate(timeconst):
            if value >= 0:
                self.dynprm[i] = value
        given = (range[0], range[1], force, scale, lmin, lmax, vmax, fpmax, fvmax)
        for i, value in enumerate(given):
            if value >= 0:
                self.gainprm[i] = value
        self.biasprm[:9] = self.gainprm[:9]
        self._laws(_DYN.mjDYN_MUSCLE, _GAIN.mjGAIN_MUSCLE, _BIAS.mjBIAS_MUSCLE)

    def set_to_adhesion(self, gain):
        """set_to_adhesion(gain)

        Makes the actuator pull a body onto what it touches.
        """
        self.gainprm[0], self.ctrllimited = gain, 1
        self.gaintype, self.biastype = _GAIN.mjGAIN_FIXED, _BIAS.mjBIAS_NONE
        if gain < 0:
            _fail("adhesion gain cannot be negative")
        if (self.ctrlrange < 0).any():
            _fail("adhesion control range cannot be negative")


add_fields(MjsActuator, "actuator")
class_property(MjsActuator)

CONTACT_SIZES = (1, 3, 3, 1, 3, 3, 3)
RAY_SIZES = (1, 3, 3, 3, 3, 1)

# how many numbers a sensor gives, where that does not depend on its attributes
_SIZES = {2: "CAMPROJECTION", 4: "BALLQUAT FRAMEQUAT", 6: "GEOMFROMTO"} | {
    3: "ACCELEROMETER VELOCIMETER GYRO FORCE TORQUE MAGNETOMETER BALLANGVEL FRAMEPOS FRAMEXAXIS "
    "FRAMEYAXIS FRAMEZAXIS FRAMELINVEL FRAMEANGVEL FRAMELINACC FRAMEANGACC SUBTREECOM "
    "SUBTREELINVEL SUBTREEANGMOM GEOMNORMAL"
}
_SENSOR = _enums.mjtSensor
_DIM = {
    int(getattr(_SENSOR, "mjSENS_" + word)): n
    for n, words in _SIZES.items()
    for word in words.split()
}


def bits_size(bits, sizes):
    """How many numbers the fields of a set of bits have."""
    return sum(size for i, size in enumerate(sizes) if bits >> i & 1)


class MjsSensor(MjsElement):
    """A sensor."""

    __slots__ = ()
    _kind = "sensor"
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
        if kind == _SENSOR.mjSENS_PLUGIN:
            return 0
        return _DIM.get(kind, 1)


add_fields(MjsSensor, "sensor")
