"""Methods of editable models that came after 3.5.0."""

from sinew import _enums, _structs
from sinew._spec import spec as _spec

# attributes of the element `dcmotor`
_MOTOR = """dyntype gaintype biastype dynprm gainprm biasprm forcelimited forcerange actlimited actdim
actearly ctrlspec""".split()
_INPUTS = ("pos", "vel", "ff", "voltage")
_ZEROS = [(0.0,) * n for n in range(7)]


def set_to_dcmotor(
    self,
    motorconst,
    resistance,
    nominal=_ZEROS[3],
    saturation=_ZEROS[3],
    inductance=_ZEROS[2],
    cogging=_ZEROS[3],
    controller=_ZEROS[6],
    thermal=_ZEROS[6],
    lugre=_ZEROS[5],
    ctrlspec=0,
):
    """set_to_dcmotor(motorconst, resistance, nominal, saturation, inductance, cogging, controller,
    thermal, lugre, ctrlspec=0)

    Makes the actuator a motor with a commutator, by its electrical and mechanical constants.
    """
    numbers = {
        "motorconst": (motorconst, 2),
        "resistance": ((resistance,), 1),
        "nominal": (nominal, 3),
        "saturation": (saturation, 3),
        "inductance": (inductance, 2),
        "cogging": (cogging, 3),
        "controller": (controller, 6),
        "thermal": (thermal, 6),
        "lugre": (lugre, 5),
        "damping": (self.damping, 3),
    }
    attributes = []
    for name, (values, count) in numbers.items():
        if isinstance(values, (str, bytes)) or len(values) != count:
            raise ValueError(f"{name} should be a list/array of size {count}.")
        attributes.append(f"{name}='{' '.join(repr(float(x)) for x in values)}'")
    words = [word for i, word in enumerate(_INPUTS) if int(ctrlspec) >> i & 1]
    if words:
        attributes.append(f"input='{' '.join(words)}'")
    text = (
        "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>"
        f"<actuator><dcmotor joint='j' {' '.join(attributes)}/></actuator></mujoco>"
    )
    # constants that make no motor are an error here
    _structs.MjModel.from_xml_string(text)
    motor = _spec.MjSpec.from_string(text).actuators[0]
    for name in _MOTOR:
        setattr(self, name, getattr(motor, name))


def set_to_pid(
    self, kp, kv=-1, dampratio=-1, ki=-1, imax=-1, slewmax=-1, inheritrange=0, ctrlspec=0
):
    """set_to_pid(kp, kv=-1, dampratio=-1, ki=-1, imax=-1, slewmax=-1, inheritrange=0, ctrlspec=0)

    Makes the actuator a controller of position and velocity. The bits of `ctrlspec` are its
    controls: position and velocity if there are none.
    """
    given = dict(kv=kv, dampratio=dampratio, ki=ki, imax=imax, slewmax=slewmax)
    if float(kv) >= 0 and float(dampratio) >= 0:
        raise ValueError("kv and dampratio cannot both be defined")
    gains = {name: float(value) for name, value in given.items()}
    stateful = gains["ki"] > 0 or gains["slewmax"] > 0
    self.gaintype, self.biastype = _enums.mjtGain.mjGAIN_PID, _enums.mjtBias.mjBIAS_AFFINE
    self.dyntype = _enums.mjtDyn.mjDYN_PID if stateful else _enums.mjtDyn.mjDYN_NONE
    damping = -gains["kv"] if gains["kv"] >= 0 else max(gains["dampratio"], 0.0)
    self.biasprm = [0, -float(kp), damping] + [0] * 7
    self.gainprm = [max(gains["ki"], 0.0)] + [0] * 9
    self.dynprm = [max(gains["imax"], 0.0), max(gains["slewmax"], 0.0)] + [0] * 8
    self.actdim = (gains["slewmax"] > 0) + (gains["ki"] > 0)
    self.inheritrange = float(inheritrange)
    self.ctrlspec = int(ctrlspec)


def set_to_orientation(self, kp, kv=-1, dampratio=-1, ctrlspec=0):
    """set_to_orientation(kp, kv=-1, dampratio=-1, ctrlspec=0)

    Makes the actuator a servo of orientations. The controls are a vector of rotation or, with 2 as
    `ctrlspec`, a quaternion.
    """
    if float(kv) >= 0 and float(dampratio) >= 0:
        raise ValueError("kv and dampratio cannot both be defined")
    self.gaintype, self.biastype = _enums.mjtGain.mjGAIN_SO3, _enums.mjtBias.mjBIAS_SO3
    self.dyntype = _enums.mjtDyn.mjDYN_NONE
    damping = -float(kv) if kv >= 0 else max(float(dampratio), 0.0)
    self.biasprm = [0, -float(kp), damping] + [0] * 7
    self.gainprm = [float(kp)] + [0] * 9
    self.ctrlspec = int(ctrlspec)


def adopt_inertial(self, body):
    """adopt_inertial(body)

    Makes the inertia that compiling gives a body its own, which no longer follows its geoms.
    """
    always = _enums.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    if body.compiler.inertiafromgeom == always:
        raise ValueError("adopt_inertial: the compiler takes all inertias from geoms: inertiafromgeom")
    m = self.compile()
    i = body.id
    body.mass, body.ipos, body.iquat = m.body_mass[i], m.body_ipos[i], m.body_iquat[i]
    body.inertia, body.fullinertia = m.body_inertia[i], [float("nan")] * 6
    body.explicitinertial = True


def dedup_assets(self):
    """dedup_assets()

    Unites equal meshes, textures and height fields; returns how many went.
    """
    if self.parent is not None:
        raise ValueError("Cannot merge the assets of an attached mjSpec.")
    count = 0
    for kind in ("mesh", "texture", "hfield"):
        found, renamed = {}, {}
        for asset in list(self._lists[kind]):
            first = found.setdefault(_contents(asset), asset)
            if first is not asset:
                renamed[asset.name] = first.name
                self.delete(asset)
        count += len(renamed)
        if renamed:
            _rename(self, kind, renamed)
    return count


def _contents(asset):
    """The attributes of an asset, except its name."""
    fields = {n: asset._plain(n) for n in asset._fields if n not in ("name", "info")}
    plugin = fields.pop("plugin", None)
    if plugin is not None and plugin.active:
        fields["plugin"] = (plugin.name, plugin.plugin_name, id(plugin))
    return repr(fields)


def _rename(spec, kind, renamed):
    """Replaces names of assets where elements refer to them."""
    new = lambda name: renamed.get(name, name)
    if kind == "texture":
        for material in spec.materials:
            for i, name in enumerate(material.textures):
                material.textures[i] = new(name)
        for light in spec.lights:
            light.texture = new(light.texture)
        return
    attribute = {"mesh": "meshname", "hfield": "hfieldname"}[kind]
    for geom in spec.geoms:
        setattr(geom, attribute, new(getattr(geom, attribute)))
    if kind == "mesh":
        for sensor in spec.sensors:
            if sensor.objtype == _enums.mjtObj.mjOBJ_MESH:
                sensor.objname = new(sensor.objname)


for _function in (adopt_inertial, dedup_assets):
    _function.__qualname__, _function.__module__ = f"MjSpec.{_function.__name__}", "sinew"
set_to_orientation.__qualname__ = "MjsActuator.set_to_orientation"
set_to_orientation.__module__ = "sinew"
set_to_pid.__qualname__, set_to_pid.__module__ = "MjsActuator.set_to_pid", "sinew"
set_to_dcmotor.__qualname__, set_to_dcmotor.__module__ = "MjsActuator.set_to_dcmotor", "sinew"
