"""Settings of models that are attached, where `compiler.conflict` says that they count."""

from sinew import _enums, _records

_WORDS = ("warning", "merge", "error")
_SMALLER = "timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance".split()
_LARGER = """iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations
sdf_initpoints""".split()
_BOTH = ("disableflags", "enableflags", "disableactuator")
_ALONE = """gravity wind magnetic density viscosity integrator cone jacobian solver impratio o_margin
o_solref o_solimp o_friction""".split()
_SIZES = """nkey nuserdata nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon
nuser_actuator nuser_sensor""".split()
_NONE = lambda a, b: None
_RULES = [(name, min) for name in _SMALLER] + [(name, max) for name in _LARGER]
_RULES += [(name, lambda a, b: a | b) for name in _BOTH] + [(name, _NONE) for name in _ALONE]


def _value(owner, name):
    value = getattr(owner, name)
    return value if isinstance(value, (int, float)) else value.tolist()


def merge_settings(own, other):
    """Brings the settings of an attached model into another; an error changes nothing."""
    policy = int(own.compiler.conflict)
    if policy == _enums.mjtConflict.mjCONFLICT_WARNING:
        return
    merges = policy == _enums.mjtConflict.mjCONFLICT_MERGE
    new, errors = [], []
    usual, fresh = _records.MjOption(), type(own)()
    parts = [(own.option, other.option, usual, name, rule) for name, rule in _RULES]
    parts += [(own, other, fresh, name, max) for name in _SIZES]
    for owner, from_, default, name, rule in parts:
        here, there, unset = (_value(x, name) for x in (owner, from_, default))
        if there in (unset, here):
            continue
        united = there if here == unset else rule(here, there)
        if here == unset and not merges:
            continue
        if united is None or not merges:
            errors.append(f"{name}: parent has {here}, child has {there}")
        new.append((owner, name, united))
    if errors:
        text = f"Attach conflict when attaching '{other.modelname}', policy is '{_WORDS[policy]}'"
        raise ValueError("\n".join([text, *errors]))
    for owner, name, value in new:
        setattr(owner, name, value)
