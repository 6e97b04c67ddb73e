"""The attributes of every kind of element, keywords, sensors and actuators, from the tables of MJCF.

A row of `TABLES` is `(name, type)`. Types are `i` (integer), `u` (flag), `f` and `d` (real, of 4
and 8 bytes) and `s` (text). `e:X` is the enumeration X, `k:X` an integer with the keywords X in
MJCF. These have a count (`d3`) for arrays; `D F I S` are lists of any length, `FF II` lists of
lists. `B` is for bytes, `c3` for characters, `alt` and `plugin` for structs.
"""

from sinew import _enums, _sinew

_ALL = _sinew.spec_tables()

TABLES = _ALL["records"]

# kinds of elements that default classes have
IN_CLASS = tuple(_ALL["in_class"])

# attributes of the settings of a model, in order
SETTINGS = _ALL["settings"]

OBJECTS = {
    name[6:].lower(): int(value)
    for name, value in _enums.mjtObj.__members__.items()
    if name.startswith("mjOBJ_")
}
OBJECT_NAMES = {number: name for name, number in OBJECTS.items()}

# lengths of readings of sensors, by type
SENSOR_SIZES = _ALL["sensors"]

# lengths of the fields of rangefinders and contact sensors, in order of their bits
RAY_SIZES, CONTACT_SIZES = _ALL["ray_sizes"], _ALL["contact_sizes"]

# kinds of actuators as methods: the actuator, and the parameters with their defaults
SHORTCUTS = _ALL["shortcuts"]
