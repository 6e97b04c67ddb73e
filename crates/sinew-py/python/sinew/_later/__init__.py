"""Names of MuJoCo's packages other than 3.5.0: names from `names.tsv`, and names written here.

`fields` gives classes their other fields, and `computed` has the fields with a value of their own.
`functions`, `classes` and `elements` have the other names. `sinew._names` reads the table.
"""


def members(cls):
    """Fields of a class that 3.5.0 lacks: names, and the types of their values as stubs name them."""
    from sinew._later import computed, fields

    for name, field in sorted(vars(cls).items()):
        if isinstance(field, fields.Neutral):
            scalar = "bool" if field.kind == "bool" else "float" if "f" in field.kind else "int"
            is_array = field.sizes or field.is_list
            yield (
                name,
                f"NDArray[np.{field.kind}{'_' * (scalar == 'bool')}]" if is_array else scalar,
            )
        elif isinstance(field, (fields.Alias, computed.Computed)):
            yield name, "Any"


def start():
    """Gives all classes the names of all versions, and the layouts of the version that is given."""
    from sinew import _records, _render, _specs, _structs, _views
    from sinew._later import elements, fields

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
    from sinew import _records, _sinew, _structs, _names
    from sinew._later import computed

    changed = (
        ("3.6.0", _structs.MjData, "ten_J", computed.TendonEntries()),
        ("3.8.0", _structs.MjModel, "flex_stiffness", computed.Flat("flex_stiffness")),
        ("3.8.1", _structs.MjModel, "flex_bending", computed.Flat("flex_bending")),
    )
    fields = {f.name: f for f in (*_sinew.MODEL_FIELDS, *_sinew.DATA_FIELDS)}
    for since, cls, name, field in changed:
        setattr(cls, name, field if _names.is_since(since) else fields[name])
