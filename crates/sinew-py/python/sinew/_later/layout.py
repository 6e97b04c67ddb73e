"""Brings the names and the layouts of other versions to the classes of the package."""

from sinew import _names, _records, _render, _sinew, _specs, _structs, _views
from sinew._later import computed, elements, fields


def start():
    """Gives all classes the names of all versions, and the layouts of the version that is given."""
    owners = elements.OWNERS | {
        "MjModel": _structs.MjModel,
        "MjData": _structs.MjData,
        "MjContact": _records.MjContact,
        "MjOption": _records.MjOption,
        "MjrContext": _render.MjrContext,
        "MjSpec": _specs.MjSpec,
        "MjsCompiler": _specs.MjsCompiler,
    }
    fields.give(owners)
    groups = (_views.MODEL_GROUPS, _views.DATA_GROUPS)
    fields.give_views(_structs.MjModel, _structs.MjData, *groups)
    lay_out()


def lay_out():
    """Lays out fields whose shape has changed as the version does that is given."""
    changed = (
        ("3.6.0", _structs.MjData, "ten_J", computed.TendonEntries()),
        ("3.8.0", _structs.MjModel, "flex_stiffness", computed.Flat("flex_stiffness")),
        ("3.8.1", _structs.MjModel, "flex_bending", computed.Flat("flex_bending")),
    )
    own = {f.name: f for f in (*_sinew.MODEL_FIELDS, *_sinew.DATA_FIELDS)}
    for since, cls, name, field in changed:
        setattr(cls, name, field if _names.is_since(since) else own[name])
