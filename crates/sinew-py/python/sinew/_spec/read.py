"""From the plain data of a file to elements."""

import numpy as np

from sinew import _enums
from sinew._spec.elements import CLASSES, IN_CLASS, MjsDefault
from sinew._spec.fields import NUMBERS, OBJECTS, SENSORS, SHORTCUTS
from sinew._spec.settings import MjsCompiler, read_option, read_statistic, read_visual
from sinew._spec.values import FIELDS, Array, Characters, List

_ALT = ("axisangle", "xyaxes", "zaxis", "euler")
_TRN = ("joint", "jointinparent", "cranksite", "tendon", "site", "body")
_ACTUATORS = frozenset(("general", "plugin", *SHORTCUTS))
# attributes that only shortcuts have
_OF_SHORTCUTS = {name for _, parameters in SHORTCUTS.values() for name, _ in parameters}

# the attribute that a name in MJCF stands for, by kind of element
_BY_XML = {
    kind: {f.xml: f for f in fields.values() if f.xml is not None} for kind, fields in FIELDS.items()
}


def put(element, field, value):
    """Sets an attribute."""
    if isinstance(field, Array):
        field.of(element)[: len(value)] = value
    elif isinstance(field, (Characters, List)):
        field.__set__(element, value)
    else:
        element._v[field.name] = field.take(value)


def put_all(element, kind, attrs, special=()):
    """Sets attributes; those in `special` are left to the caller."""
    known = _BY_XML[kind]
    for name, value in attrs.items():
        if name == "name":
            element._name = value
        elif name in special:
            continue
        elif name in known:
            put(element, known[name], value)
        elif name in _ALT:
            put_orientation(element.alt, name, value)
        else:
            element._extra[name] = value


def put_orientation(alt, name, value):
    """Sets an orientation."""
    alt.type = 1 + _ALT.index(name)
    getattr(alt, name)[:] = value


class Reader:
    """Fills a model that is empty."""

    def __init__(self, spec):
        self.spec = spec
        self.classes = []
        self.names = []
        self.scopes = []

    def read(self, plain):
        """Takes the plain data of a model."""
        name, comment, scopes, classes, parts = plain
        self.spec.modelname, self.spec.comment = name, comment
        for i, (compiler, folder) in enumerate(scopes):
            self.scope(i, compiler, folder)
        for i, (default, parent) in enumerate(classes):
            self.default(i, default, parent)
        for part in parts:
            self.part(part)
        self.order_plugins()

    def order_plugins(self):
        """Instances that attached models name come after those that elements make without a name."""
        plugins, own = self.spec._lists["plugin"], self.scopes[:1]
        plugins.sort(key=lambda p: bool(p._name) and p._compiler not in own)
        for i, plugin in enumerate(plugins):
            plugin._id = i

    def scope(self, i, plain, folder):
        spec = self.spec
        compiler = spec.compiler if i == 0 else MjsCompiler()
        attrs = dict(plain[1])
        compiler.degree = attrs.pop("angle", "degree") == "degree"
        strippath = attrs.pop("strippath", 0)
        for name in ("coordinate", "assetdir", "exactmeshinertia"):
            attrs.pop(name, None)
        for name, value in attrs.items():
            put(compiler, FIELDS["compiler"][name], value)
        for child in plain[6]:
            for name, value in child[1].items():
                setattr(compiler.LRopt, name, type(getattr(compiler.LRopt, name))(value))
        compiler._dir = folder
        if i == 0:
            spec.strippath, spec.modelfiledir = strippath, folder
        self.scopes.append(compiler)

    def default(self, i, plain, parent):
        spec = self.spec
        if i == 0:
            default = spec.default
            default._name = plain[1]["class"]
        else:
            base = self.classes[parent] if parent is not None else None
            default = MjsDefault(spec, plain[1]["class"], base)
            default._parent = base or spec.default
            default._parent._children.append(default)
            spec._defaults.append(default)
        self.classes.append(default)
        # elements of an attached model that were in its class `main` are in that of this one
        root = parent is None and (i == 0 or default._name.endswith("main"))
        self.names.append("main" if root else default._name)
        for tag, attrs, _, _, _, _, children in plain[6]:
            kind = "actuator" if tag in _ACTUATORS else tag
            self.fill(getattr(default, kind), kind, tag, attrs, children)

    def fill(self, element, kind, tag, attrs, children):
        """Sets what an element of a body, an asset, an object or a class says."""
        if kind == "actuator":
            fill_actuator(element, tag, attrs)
        elif kind == "sensor":
            fill_sensor(element, tag, attrs)
        elif kind == "equality":
            fill_equality(element, tag, attrs)
        elif kind == "geom":
            put_all(element, kind, attrs, ("fluidshape",))
            if "fluidshape" in attrs:
                element.fluid_ellipsoid = attrs["fluidshape"] == "ellipsoid"
        elif kind == "material":
            put_all(element, kind, attrs, ("texture",))
            if "texture" in attrs:
                element.textures[1] = attrs["texture"]
            for layer in children:
                role = layer[1].get("role", 1)
                element.textures[role] = layer[1].get("texture", "")
        else:
            put_all(element, kind, attrs)

    def new(self, kind, plain, defaults=True):
        """A new element with what its class says."""
        tag, attrs, cls, scope, line, _, children = plain
        element = CLASSES[kind](self.spec)
        element._compiler = self.scopes[scope]
        default = self.classes[cls] if cls is not None else None
        if defaults and default is not None and kind in IN_CLASS:
            self.spec._inherit(element, default)
        element._cls = self.names[cls] if cls is not None else "main"
        if line and tag not in ("key", "freejoint"):
            element._v["info"] = f"line = {line}" if tag == "frame" else f"line {line}"
        self.fill(element, kind, tag, attrs, children)
        self.plugged(element, children)
        return element

    def extension(self, plain):
        """A plugin that the model uses, with its instances."""
        name = plain[1]["plugin"]
        self.spec.activate_plugin(name)
        for _, attrs, _, scope, _, _, children in plain[6]:
            self.instance(name, attrs["name"], children)._compiler = self.scopes[scope]

    def instance(self, plugin, name, children):
        """A new instance of a plugin."""
        made = CLASSES["plugin"](self.spec)
        made._name, made.plugin_name = name, plugin
        made._config = dict(sorted((c[1]["key"], c[1]["value"]) for c in children))
        made._id = len(self.spec._lists["plugin"])
        self.spec._lists["plugin"].append(made)
        return made

    def plugged(self, element, children):
        """Sets the plugin of an element."""
        for tag, attrs, _, _, _, _, config in children:
            if tag != "plugin":
                continue
            plugin = element.plugin
            plugin.active, plugin._name = 1, attrs.get("instance", "")
            plugin.plugin_name = attrs.get("plugin", "")
            known = [p for p in self.spec._lists["plugin"] if p._name and p._name == plugin._name]
            if plugin._name:
                self.spec.hasImplicitPluginElem = 1
            if not known:
                known = [self.instance(plugin.plugin_name, plugin._name, config)]
            plugin._config = known[0]._config

    def part(self, plain):
        """A setting, an asset, the world, or what refers to it."""
        tag, attrs, children = plain[0], plain[1], plain[6]
        spec = self.spec
        if tag == "option":
            read_option(spec, attrs, children)
        elif tag == "extension":
            self.extension(plain)
        elif tag == "size":
            self.sizes(attrs)
        elif tag == "statistic":
            read_statistic(spec, attrs)
        elif tag == "visual":
            read_visual(spec, children)
        elif tag == "worldbody":
            self.inside(spec.worldbody, children)
        else:
            self.listed(plain)

    def sizes(self, attrs):
        for name, value in attrs.items():
            setattr(self.spec, name, _bytes(value) if name == "memory" else value)

    def listed(self, plain):
        """An element of a list of the model."""
        tag, attrs, children = plain[0], plain[1], plain[6]
        kind = tag
        for prefix in ("equality", "sensor"):
            if tag.startswith(prefix + "/"):
                kind = prefix
        if tag in ("fixed", "spatial"):
            kind = "tendon"
        elif tag in _ACTUATORS:
            kind = "actuator"
        element = self.new(kind, plain, kind not in ("flex",))
        getattr(self, f"{kind}_parts", lambda *_: None)(element, attrs, children)
        lists = self.spec._lists[kind]
        if "partial" in element._extra:
            lists = self.spec._late_keys
        element._id = len(lists)
        lists.append(element)

    def inside(self, world, children):
        """What is in the world, in its bodies and in their frames."""
        opened = [(world, None, iter(children))]
        while opened:
            body, frame, rest = opened[-1]
            plain = next(rest, None)
            if plain is None:
                opened.pop()
                continue
            tag = plain[0]
            if tag == "plugin":
                continue
            if tag == "inertial":
                fill_inertial(body, plain[1])
                continue
            kind = "joint" if tag == "freejoint" else tag
            element = self.new(kind, plain, tag not in ("freejoint", "body", "frame"))
            element._parent, element._frame = body, frame
            if tag == "freejoint":
                element._v["type"] = int(_enums.mjtJoint.mjJNT_FREE)
            body._list(kind).append(element)
            if tag == "body":
                opened.append((element, None, iter(plain[6])))
            elif tag == "frame":
                opened.append((body, element, iter(plain[6])))

    # what the lists of a model have besides attributes

    def tendon_parts(self, tendon, attrs, children):
        for tag, own, *_ in children:
            if tag == "site":
                tendon.wrap_site(own.get("site", ""))
            elif tag == "geom":
                tendon.wrap_geom(own.get("geom", ""), own.get("sidesite", ""))
            elif tag == "pulley":
                tendon.wrap_pulley(own.get("divisor", 1))
            else:
                tendon.wrap_joint(own.get("joint", ""), own.get("coef", 0))

    def tuple_parts(self, element, attrs, children):
        own = [child[1] for child in children]
        element.objtype = [OBJECTS[o["objtype"]] for o in own]
        element.objname = [o["objname"] for o in own]
        element.objprm = [o.get("prm", 0) for o in own]

    def numeric_parts(self, element, attrs, children):
        if "size" not in attrs:
            element.size = len(element.data)
        missing = element.size - len(element.data)
        element.data = [*element.data, *[0.0] * missing]

    def key_parts(self, key, attrs, children):
        key._extra.pop("partial", None)
        if "partial" in attrs:
            key._extra["partial"] = "true"

    def hfield_parts(self, field, attrs, children):
        rows = field._extra.pop("elevation", None)
        if rows is not None:
            if field.nrow * field.ncol == len(rows) > 0:
                rows = rows.reshape(field.nrow, field.ncol)[::-1].ravel()
            field.userdata = rows
        elif not field.file and field.nrow > 0 < field.ncol:
            field.userdata = np.zeros(field.nrow * field.ncol)

    def texture_parts(self, texture, attrs, children):
        for i, side in enumerate(("right", "left", "up", "down", "front", "back")):
            texture.cubefiles[i] = texture._extra.pop("file" + side, "")
        layout = attrs.get("gridlayout", "")
        texture.gridlayout = layout + "." * (12 - len(layout))

    def mesh_parts(self, mesh, attrs, children):
        shape = mesh._extra.pop("builtin", "none")
        params = mesh._extra.pop("params", ())
        if shape != "none":
            mesh._make(shape, params)

    def skin_parts(self, skin, attrs, children):
        bones = [child[1] for child in children]
        skin.bodyname = [b["body"] for b in bones]
        joined = lambda name: np.concatenate([np.zeros(0, np.float32), *(b[name] for b in bones)])
        skin.bindpos, skin.bindquat = joined("bindpos"), joined("bindquat")
        skin.vertid = [b["vertid"].tolist() for b in bones]
        skin.vertweight = [b["vertweight"].tolist() for b in bones]

    def flex_parts(self, flex, attrs, children):
        for tag, own, *_ in children:
            for name, value in own.items():
                if tag == "nodes":
                    if name == "pos":
                        flex.node = value
                    else:
                        flex._extra["order"] = value
                elif tag == "edge":
                    put(flex, FIELDS["flex"]["edge" + name], value)
                else:
                    put(flex, FIELDS["flex"][name], value)


def _bytes(text):
    """Bytes of memory."""
    text = text.strip()
    suffix = text[-1:].upper()
    shift = {"K": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}.get(suffix, 0)
    return int(text[:-1] if shift else text or "-1") << shift


def fill_inertial(body, attrs):
    """Sets the inertia of a body."""
    body.explicitinertial = 1
    body.ipos[:] = 0
    for name, value in attrs.items():
        if name in _ALT:
            put_orientation(body.ialt, name, value)
        else:
            field = {"pos": "ipos", "quat": "iquat", "diaginertia": "inertia"}.get(name, name)
            setattr(body, field, value)


def fill_equality(eq, tag, attrs):
    """Sets an equality from the attributes of its kind."""
    special = ("anchor", "relpose", "polycoef", "torquescale")
    ends = {}
    rest = {}
    for name, value in attrs.items():
        kind = name.rstrip("12")
        if kind in ("body", "site", "joint", "tendon", "flex") and name != "name":
            ends[name] = value
        elif name not in special:
            rest[name] = value
    put_all(eq, "equality", rest)
    word = tag.partition("/")[2]
    if not word:
        return
    eq.type = NUMBERS["mjtEq"][word]
    for name, text in ends.items():
        if name.endswith("2"):
            eq.name2 = text
        else:
            eq.name1 = text
        if word in ("connect", "weld"):
            eq.objtype = OBJECTS[name.rstrip("12")]
    if word == "weld" and "anchor" not in attrs and "body1" in ends:
        eq.data[:3] = 0
    for name, first, count in (("anchor", 0, 3), ("relpose", 3, 7), ("torquescale", 10, 1)):
        if name in attrs:
            eq.data[first : first + count] = attrs[name]
    if "polycoef" in attrs:
        values = attrs["polycoef"]
        eq.data[: len(values)] = values


def fill_sensor(sensor, tag, attrs):
    """Sets a sensor from the attributes of its kind."""
    word = tag.partition("/")[2]
    kind, obj, ref, _ = SENSORS[word]
    known = ("objtype", "objname", "reftype", "refname", "data", "num", "reduce", "datatype")
    special = {"needstage", "dim", *known}
    for ends in (obj, ref):
        if isinstance(ends, list):
            special.update(attr for attr, _ in ends)
    put_all(sensor, "sensor", attrs, special)
    sensor.type = kind
    for ends, prefix in ((obj, "obj"), (ref, "ref")):
        if isinstance(ends, list):
            for attr, objtype in ends:
                if attr in attrs:
                    setattr(sensor, prefix + "type", objtype)
                    setattr(sensor, prefix + "name", attrs[attr])
        elif prefix + "type" in attrs:
            setattr(sensor, prefix + "type", OBJECTS.get(attrs[prefix + "type"], 0))
            setattr(sensor, prefix + "name", attrs.get(prefix + "name", ""))
    bits = lambda table: sum(1 << NUMBERS[table][w] for w in attrs.get("data", "").split()) or 1
    if word == "rangefinder":
        sensor.intprm[0] = bits("raydata")
    elif word == "contact":
        sensor.intprm[:] = bits("condata"), attrs.get("reduce", 0), attrs.get("num", 1)
    elif word == "user":
        sensor.dim, sensor.datatype = attrs.get("dim", 0), attrs.get("datatype", 0)
        sensor.needstage = attrs.get("needstage", _enums.mjtStage.mjSTAGE_ACC)


def fill_actuator(actuator, tag, attrs):
    """Sets an actuator from the attributes of its kind."""
    put_all(actuator, "actuator", attrs, (*_TRN, *_OF_SHORTCUTS))
    for i, name in enumerate(_TRN):
        if name in attrs:
            actuator.target, actuator.trntype = attrs[name], i
    if tag in SHORTCUTS:
        given = [(n, np.ravel(attrs[n]).tolist()) for n in _OF_SHORTCUTS if n in attrs]
        actuator._shortcut(tag, given)
