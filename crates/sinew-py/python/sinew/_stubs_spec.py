"""The part of the type stubs about editable models, from the tables of their attributes."""

import inspect

from sinew import _specs
from sinew._spec import values
from sinew._spec.elements import CLASSES, IN_CLASS, MjsDefault
from sinew._spec.spec import MjSpec

_VECS = {"D": "MjDoubleVec", "F": "MjFloatVec", "I": "MjIntVec", "S": "MjStringVec"}
_ITEMS = {"MjDoubleVec": "float", "MjFloatVec": "float", "MjIntVec": "int", "MjByteVec": "int"}
_PARTS = {"compiler": "MjsCompiler", "option": "MjOption", "visual": "MjVisual"}
_PARTS |= {"stat": "MjStatistic", "LRopt": "MjLROpt"}
_RETURNS = {
    "compile": "MjModel", "recompile": "tuple[MjModel, MjData]", "to_xml": "str", "copy": "MjSpec",
    "attach": "MjsFrame", "from_file": "MjSpec", "from_string": "MjSpec", "from_zip": "MjSpec",
    "find_default": "MjsDefault | None", "add_default": "MjsDefault | None",
    "resolve_orientation": "list[float]", "attach_body": "MjsBody", "attach_frame": "MjsFrame",
    "to_frame": "MjsFrame", "find_all": "list[Any]", "find_child": "MjsBody | None",
    "add_freejoint": "MjsJoint", "get_data_size": "int", "default": "MjsDefault",
}  # fmt: skip
_PROPERTIES = {
    "parent": "MjsBody | None", "frame": "MjsFrame | None", "worldbody": "MjsBody", "id": "int",
    "default": "MjsDefault", "assets": "dict[str, Any]", "meshdir": "str", "texturedir": "str",
    "signature": "int", "classname": "MjsDefault", "config": "dict[str, str]",
    "path": "MjsTendonPath", "target": "Any", "sidesite": "MjsSite | None",
    "divisor": "float | None", "coef": "float | None", "name": "str",
    "copy_during_attach": "bool", "childclass": "str", "override_assets": "bool",
}  # fmt: skip


def _field_types(field):
    """The types that an attribute returns and accepts."""
    if isinstance(field, values.Poly):
        return "float", "float | SupportsIndex"
    if isinstance(field, values.Array):
        return f"NDArray[np.{field.dtype.__name__}]", "ArrayLike"
    if isinstance(field, values.List):
        return _VECS[field.kind], "Sequence[str]" if field.kind == "S" else "Any"
    if isinstance(field, values.Lists):
        kind = "list[list[int]]" if field.kind == "II" else "list[list[float]]"
        return kind, "Sequence[Sequence[float]]"
    if isinstance(field, values.Characters):
        return "MjCharVec", "Sequence[str]"
    if isinstance(field, values.Bytes):
        return "bytes", "bytes"
    if isinstance(field, values.Part):
        return field.cls.__name__, field.cls.__name__
    if isinstance(field, values.Text):
        return "str", "str"
    if isinstance(field, values.Enum):
        return field.enum.__name__, "SupportsIndex"
    return ("float", "float | SupportsIndex") if field.kind in "df" else ("int", "SupportsIndex")


def _attribute(name, gives, takes):
    lines = ["    @property", f"    def {name}(self) -> {gives}: ..."]
    if takes:
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {takes}) -> None: ..."]
    return lines


def _returns(cls, name):
    """The type that a method returns."""
    verb, _, kind = name.partition("_")
    if verb == "add" and kind in CLASSES:
        return CLASSES[kind].__name__
    if verb in ("first", "next") and kind in CLASSES:
        return f"{CLASSES[kind].__name__} | None"
    if verb == "wrap":
        return "MjsWrap"
    if cls is MjSpec and name in CLASSES:
        return f"{CLASSES[name].__name__} | None"
    return _RETURNS.get(name, "None")


def _method(cls, name, function):
    static = isinstance(inspect.getattr_static(cls, name), staticmethod)
    parts = []
    for p in inspect.signature(function).parameters.values():
        if p.name.startswith("_"):
            continue
        if p.name == "self":
            parts.append("self")
        elif p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            parts.append(f"{'*' if p.kind is p.VAR_POSITIONAL else '**'}{p.name}: Any")
        elif p.name not in ("kind",) or p.default is p.empty:
            parts.append(f"{p.name}: Any" + ("" if p.default is p.empty else " = ..."))
    lines = ["    @staticmethod"] if static else []
    return [*lines, f"    def {name}({', '.join(parts)}) -> {_returns(cls, name)}: ..."]


def _plural(cls, name):
    """The type of a list of elements."""
    for kind, element in CLASSES.items():
        plural = {"flex": "flexes", "mesh": "meshes", "equality": "equalities", "body": "bodies"}
        if name == plural.get(kind, kind + "s"):
            return f"list[{element.__name__}]"
    return None


def _class(cls):
    base = "(MjsElement)" if cls in CLASSES.values() else ""
    lines = [f"class {cls.__name__}{base}:", f'    """{(cls.__doc__ or "").strip()}"""']
    if cls is MjSpec:
        lines.append("    def __init__(self) -> None: ...")
    own = getattr(cls, "_fields", {})
    for name in sorted(n for n in dir(cls) if not n.startswith("_") and not n.endswith("_")):
        value = inspect.getattr_static(cls, name)
        if name in own and isinstance(value, values.Field):
            lines += _attribute(name, *_field_types(own[name]))
        elif name in _PARTS and cls.__name__ in ("MjSpec", "MjsCompiler"):
            lines += _attribute(name, _PARTS[name], _PARTS[name])
        elif cls is MjsDefault and name in IN_CLASS:
            lines += _attribute(name, CLASSES[name].__name__, None)
        elif isinstance(value, property) or not callable(getattr(cls, name)):
            kind = _plural(cls, name) or _PROPERTIES.get(name, "Any")
            if cls is MjSpec and name == "parent":
                kind = "MjSpec | None"
            writable = not isinstance(value, property) or value.fset is not None
            lines += _attribute(name, kind, kind if writable else None)
        else:
            lines += _method(cls, name, getattr(cls, name))
    return lines if len(lines) > 2 else [*lines, "    ..."]


def _vec(cls):
    item = _ITEMS.get(cls.__name__, "str")
    return [
        f"class {cls.__name__}:",
        f'    """{cls.__doc__}"""',
        f"    def __getitem__(self, i: SupportsIndex) -> {item}: ...",
        f"    def __setitem__(self, i: SupportsIndex, value: {item}) -> None: ...",
        "    def __len__(self) -> int: ...",
        f"    def __iter__(self) -> Iterator[{item}]: ...",
    ]


def lines():
    """The stubs of all classes of editable models."""
    out = []
    for name in _specs.__all__:
        cls = getattr(_specs, name)
        if issubclass(cls, values._Vec):
            out += ["", *_vec(cls)]
        elif name == "MjsTendonPath":
            text = ["    def __len__(self) -> int: ..."]
            text += ["    def __getitem__(self, i: SupportsIndex) -> MjsWrap: ..."]
            out += ["", f"class {name}:", f'    """{cls.__doc__}"""', *text]
        elif name == "MjSpec" or name.startswith("Mjs"):
            out += ["", *_class(cls)]
    union = " | ".join(cls.__name__ for cls in CLASSES.values())
    out += ["", f"MjStruct = {union}", "", "def from_zip(file: Any) -> MjSpec: ..."]
    out += ["def to_zip(spec: MjSpec, file: Any) -> None: ..."]
    return out
