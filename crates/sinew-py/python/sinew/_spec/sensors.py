"""How the sensors of MJCF name their objects.

A line is `tag type object reference`: the attributes that name them and, after a colon, the kind of
object; `*` stands for the attributes `objtype` and `objname`, or `reftype` and `refname`.
"""

from sinew import _enums

_TABLE = """
touch TOUCH site:site
accelerometer ACCELEROMETER site:site
velocimeter VELOCIMETER site:site
gyro GYRO site:site
force FORCE site:site
torque TORQUE site:site
magnetometer MAGNETOMETER site:site
rangefinder RANGEFINDER site:site,camera:camera
camprojection CAMPROJECTION site:site camera:camera
jointpos JOINTPOS joint:joint
jointvel JOINTVEL joint:joint
tendonpos TENDONPOS tendon:tendon
tendonvel TENDONVEL tendon:tendon
actuatorpos ACTUATORPOS actuator:actuator
actuatorvel ACTUATORVEL actuator:actuator
actuatorfrc ACTUATORFRC actuator:actuator
jointactuatorfrc JOINTACTFRC joint:joint
tendonactuatorfrc TENDONACTFRC tendon:tendon
ballquat BALLQUAT joint:joint
ballangvel BALLANGVEL joint:joint
jointlimitpos JOINTLIMITPOS joint:joint
jointlimitvel JOINTLIMITVEL joint:joint
jointlimitfrc JOINTLIMITFRC joint:joint
tendonlimitpos TENDONLIMITPOS tendon:tendon
tendonlimitvel TENDONLIMITVEL tendon:tendon
tendonlimitfrc TENDONLIMITFRC tendon:tendon
framepos FRAMEPOS * *
framequat FRAMEQUAT * *
framexaxis FRAMEXAXIS * *
frameyaxis FRAMEYAXIS * *
framezaxis FRAMEZAXIS * *
framelinvel FRAMELINVEL * *
frameangvel FRAMEANGVEL * *
framelinacc FRAMELINACC * *
frameangacc FRAMEANGACC * *
subtreecom SUBTREECOM body:body
subtreelinvel SUBTREELINVEL body:body
subtreeangmom SUBTREEANGMOM body:body
insidesite INSIDESITE * site:site
distance GEOMDIST body1:body,geom1:geom body2:body,geom2:geom
normal GEOMNORMAL body1:body,geom1:geom body2:body,geom2:geom
fromto GEOMFROMTO body1:body,geom1:geom body2:body,geom2:geom
contact CONTACT body1:body,subtree1:xbody,geom1:geom,site:site body2:body,subtree2:xbody,geom2:geom
tactile TACTILE mesh:mesh geom:geom
e_potential E_POTENTIAL
e_kinetic E_KINETIC
clock CLOCK
user USER *
plugin PLUGIN * *
"""

OBJECTS = {
    name[6:].lower(): int(value)
    for name, value in _enums.mjtObj.__members__.items()
    if name.startswith("mjOBJ_")
}
OBJECT_NAMES = {number: name for name, number in OBJECTS.items()}


def _ends(text):
    """Attributes and kinds of objects: pairs, or `*`."""
    if text in ("*", ""):
        return text
    return [(attr, OBJECTS[kind]) for attr, _, kind in (p.partition(":") for p in text.split(","))]


# tag to type, object, reference
SENSORS = {}
for _line in _TABLE.split("\n"):
    if _line:
        _tag, _type, *_rest = _line.split()
        _obj, _ref = (*_rest, "", "")[:2]
        _number = int(getattr(_enums.mjtSensor, "mjSENS_" + _type))
        SENSORS[_tag] = (_number, _ends(_obj), _ends(_ref))
BY_TYPE = {number: (tag, obj, ref) for tag, (number, obj, ref) in SENSORS.items()}
