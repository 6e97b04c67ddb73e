"""From elements to the plain data that the compiler takes."""

import numpy as np

from sinew import _enums
from sinew._spec.fields import BY_TYPE, KEYWORDS, OBJECT_NAMES, OBJECTS
from sinew._spec.settings import element, plain_settings
from sinew._spec.values import FIELDS, Array, Characters, List, defined

_ALT = ("", "axisangle", "xyaxes", "zaxis", "euler")
_TRN = ("joint", "jointinparent", "cranksite", "tendon", "site", "body")
_SIDES = ("right", "left", "up", "down", "front", "back")
# classes are written apart from what is in them
_NO_CLASS = {"childclass": None}
# what default classes have, and of it what says more than its attributes
_IN_CLASS = (
    "geom", "camera", "material", "mesh", "joint", "site", "light", "pair", "equality", "tendon",
    "actuator",
)  # fmt: skip
_PARTS = ("geom", "camera", "material")


class CompileError(Exception):
    """What is wrong with an element, before the compiler sees it."""

    def __init__(self, element, text):
        super().__init__(text)
        self.element = element


def value_of(field, value, owner):
    """The value of an attribute for the compiler; None if it is as when nothing is said."""
    if isinstance(field, Array):
        values = value.tolist()
        return None if values == field.default_plain or values[0] != values[0] else value
    if isinstance(field, Characters):
        return None if value == field.default else "".join(value)
    if isinstance(field, List):
        return value if len(value) else None
    if value == field.default or value != value:
        return None
    words = getattr(field, "words", None)
    if words and value not in KEYWORDS[words]:
        raise CompileError(owner, f"invalid {field.name} in {owner._kind}")
    return int(value != 0) if field.kind == "u" else value


def put_alt(attrs, alt):
    """Adds an orientation other than a quaternion."""
    kind = int(alt.type)
    if 0 < kind < len(_ALT):
        attrs[_ALT[kind]] = getattr(alt, _ALT[kind])


class Builder:
    """A model as plain data."""

    def __init__(self, spec):
        self.spec = spec
        # errors name elements by their place in this list, from 1 on
        self.marked = [None]
        self.scopes = []
        self.frames = {}
        self.classes = {d._name: i for i, d in reversed([*enumerate(spec._defaults)])}
        self.classes["main"] = 0

    def build(self):
        """The plain data of the model."""
        spec = self.spec
        self.scope_of(spec.compiler)
        parts = [*plain_settings(spec), *self.extensions()]
        for kind in ("mesh", "hfield", "texture", "material", "flex", "skin"):
            parts += [getattr(self, kind)(e) for e in spec._lists[kind]]
        children = self.inside(spec.worldbody)
        parts.append(self.make("worldbody", spec.worldbody, {}, children))
        kinds = "pair exclude equality tendon actuator sensor numeric text tuple key"
        for kind in kinds.split():
            parts += [getattr(self, kind)(e) for e in spec._lists[kind]]
        classes = [self.default(d) for d in spec._defaults]
        scopes = [self.compiler(c) for c in self.scopes]
        return (spec.modelname, spec.comment, scopes, classes, parts)

    def default(self, default):
        """A default class, and the number of its parent."""
        parts = []
        for kind in _IN_CLASS:
            owner = getattr(default, kind)
            if owner._v or owner._extra:
                make = getattr(self, kind, None) if kind in _PARTS else None
                tag = "general" if kind == "actuator" else kind
                parts.append(make(owner) if make else self.own(tag, owner))
        plain = element("default", {"class": default._name}, parts)
        above = [i for i, d in enumerate(self.spec._defaults) if d is default._parent]
        return (plain, above[0] if above else None)

    def mark(self, owner):
        self.marked.append(owner)
        return len(self.marked) - 1

    def scope_of(self, compiler):
        for i, known in enumerate(self.scopes):
            if known is compiler:
                return i
        self.scopes.append(compiler)
        return len(self.scopes) - 1

    def make(self, tag, owner, attrs, children=(), data=b""):
        """An element that says only what is given."""
        scope, cls = self.scope_of(owner._compiler), self.classes.get(owner._cls)
        return element(tag, attrs, children, scope, self.mark(owner), data, cls)

    def own(self, tag, owner, attrs=None, children=(), data=b"", values=None):
        """An element with its attributes, and with what is given instead of them."""
        said = dict(owner._extra) if owner._extra else {}
        if owner._name:
            said["name"] = owner._name
        alt = owner._v.get("alt")
        if alt is not None:
            put_alt(said, alt)
        if attrs:
            said.update(attrs)
        values = owner._v if values is None else values
        return (*self.make(tag, owner, said, children, data), owner._kind, values)

    def compiler(self, compiler):
        attrs = {"angle": "degree" if compiler.degree else "radian"}
        for name, value in compiler._v.items():
            field = FIELDS["compiler"][name]
            if field.xml is not None:
                value = value_of(field, value, compiler)
                if value is not None:
                    attrs[field.xml] = value
        spec = self.spec
        if spec.strippath:
            attrs["strippath"] = 1
        opt = compiler.LRopt
        ranges = {"mode": KEYWORDS["mjtLRMode"].get(opt.mode, "muscle")}
        for name in ("useexisting", "uselimit"):
            ranges[name] = int(bool(getattr(opt, name)))
        for name in "accel maxforce timeconst timestep inttotal interval tolrange".split():
            ranges[name] = float(getattr(opt, name))
        folder = spec.modelfiledir if compiler is spec.compiler else compiler._dir
        return (element("compiler", attrs, [element("lengthrange", ranges)]), folder)

    # plugins

    def extensions(self):
        """The plugins that the model uses, with their instances."""
        named = [p for p in self.spec._lists["plugin"] if p._name]
        for name in dict.fromkeys([*self.spec._active_plugins, *(p.plugin_name for p in named)]):
            children = [
                self.make("instance", p, {"name": p._name}, config(p))
                for p in named
                if p.plugin_name == name
            ]
            yield element("extension", {"plugin": name}, children)

    def plugin(self, owner):
        """The plugin of an element, in a list, or none."""
        plugin = owner._v.get("plugin")
        if plugin is None or not plugin.active:
            return []
        attrs = {"plugin": plugin.plugin_name} if plugin.plugin_name else {}
        known = [p for p in self.spec._lists["plugin"] if p._name == plugin._name]
        if plugin._name:
            attrs["instance"] = plugin._name
            if known:
                attrs["plugin"] = known[0].plugin_name
            return [element("plugin", attrs, mark=self.mark(owner))]
        return [element("plugin", attrs, config(plugin), 0, self.mark(owner))]

    # the tree

    def frame(self, frame, children, named=False):
        """A frame around elements; it has the same mark around each, and a name around one."""
        if id(frame) not in self.frames:
            self.frames[id(frame)] = self.own("frame", frame, _NO_CLASS)
        plain = self.frames[id(frame)]
        attrs = plain[1] if named else {**plain[1], "name": None}
        return (plain[0], attrs, *plain[2:6], children, *plain[7:])

    def framed(self, plain, frame):
        """An element inside of the frames it is in."""
        while frame is not None:
            plain = self.frame(frame, [plain])
            frame = frame._frame
        return plain

    def inside(self, world):
        """What is in the world, of each body in order of kinds."""
        out = []
        waiting = [(world, out)]
        while waiting:
            body, children = waiting.pop()
            for frame in body.frames_:
                children.append(self.framed(self.frame(frame, [], True), frame._frame))
            for kind in ("joint", "geom", "site", "camera", "light"):
                for e in body._list(kind):
                    children.append(self.framed(getattr(self, kind)(e), e._frame))
            for child in body.bodies_:
                inner = self.body(child)
                children.append(self.framed(inner, child._frame))
                waiting.append((child, inner[6]))
        return out

    def body(self, body):
        """A body without what is in it."""
        inertial = self.inertial(body)
        said = [] if inertial is None else [inertial]
        return self.own("body", body, _NO_CLASS, self.plugin(body) + said)

    def inertial(self, body):
        """The inertia of a body, if anything about it is said."""
        said = body.explicitinertial or defined(body.ipos[0]) or defined(body.fullinertia[0])
        if not (said or body.mass or body.inertia.any() or int(body.ialt.type)):
            return None
        attrs = {"pos": body.ipos, "mass": body.mass}
        if defined(body.fullinertia[0]):
            attrs["fullinertia"] = body.fullinertia
        if body.inertia.any():
            attrs["diaginertia"] = body.inertia
        attrs["quat"] = body.iquat
        put_alt(attrs, body.ialt)
        if not body.explicitinertial:
            attrs["implied"] = "true"
        return self.make("inertial", body, attrs)

    def joint(self, joint):
        return self.own("joint", joint)

    def geom(self, geom):
        if not 0 <= geom._v.get("type", 2) <= 8:
            raise CompileError(geom, "invalid type in geom")
        attrs = {"fluidshape": "ellipsoid"} if geom._v.get("fluid_ellipsoid") else None
        return self.own("geom", geom, attrs, self.plugin(geom))

    def site(self, site):
        return self.own("site", site)

    def camera(self, camera):
        by_sensor = value_of(FIELDS["camera"]["sensor_size"], camera.sensor_size, camera) is not None
        return self.own("camera", camera, {"fovy": None} if by_sensor else None)

    def light(self, light):
        return self.own("light", light)

    # assets

    def mesh(self, mesh):
        return self.own("mesh", mesh, None, self.plugin(mesh))

    def hfield(self, field):
        attrs = {}
        data = field.userdata._values
        if len(data):
            if field.nrow * field.ncol == len(data):
                data = data.reshape(field.nrow, field.ncol)[::-1].ravel()
            attrs["elevation"] = data
        return self.own("hfield", field, attrs)

    def texture(self, texture):
        attrs = {}
        rows, columns = texture.gridsize.tolist()
        layout = FIELDS["texture"]["gridlayout"]
        layout = value_of(layout, layout.of(texture), texture)
        if layout is not None and 0 < rows * columns <= 12:
            attrs["gridlayout"] = layout[: rows * columns]
        for side, file in zip(_SIDES, texture.cubefiles):
            if file:
                attrs["file" + side] = file
        return self.own("texture", texture, attrs, data=texture._v.get("data", b""))

    def material(self, material):
        layers = []
        for role, name in enumerate(material.textures):
            if name:
                layers.append(element("layer", {"texture": name, "role": role}))
        return self.own("material", material, None, layers)

    def flex(self, flex):
        contact = (
            "contype conaffinity condim priority friction solmix solref solimp margin gap internal "
            "selfcollide activelayers vertcollide passive"
        ).split()
        elastic = "young poisson damping thickness elastic2d".split()
        edge = ("edgestiffness", "edgedamping")
        order = flex._extra.get("order")
        inner = {*contact, *elastic, *edge}
        own = {name: value for name, value in flex._v.items() if name not in inner}
        children = []
        for tag, names in (("contact", contact), ("elasticity", elastic), ("edge", edge)):
            attrs = {}
            for name in names:
                field = FIELDS["flex"][name]
                value = value_of(field, field.of(flex), flex)
                if value is not None:
                    attrs[field.xml] = value
            if attrs:
                children.append(element(tag, attrs))
        nodes = {"order": order} if order is not None else {}
        if len(flex.node):
            nodes["pos"] = flex.node._values
        if nodes:
            children.append(element("nodes", nodes))
        return self.own("flex", flex, {"order": None}, children, values=own)

    def skin(self, skin):
        bones = []
        pos, quat = skin.bindpos._values, skin.bindquat._values
        ids, weights = skin.vertid, skin.vertweight
        for i, body in enumerate(skin.bodyname):
            attrs = {"body": body, "bindpos": pos[3 * i : 3 * i + 3]}
            attrs["bindquat"] = quat[4 * i : 4 * i + 4]
            attrs["vertid"] = np.array(ids[i] if i < len(ids) else [], np.int32)
            attrs["vertweight"] = np.array(weights[i] if i < len(weights) else [], np.float32)
            bones.append(element("bone", attrs))
        return self.own("skin", skin, None, bones)

    # what refers to the tree

    def pair(self, pair):
        return self.own("pair", pair)

    def exclude(self, exclude):
        return self.own("exclude", exclude)

    def equality(self, eq):
        attrs = {}
        kind, objtype, data = int(eq.type), int(eq.objtype), eq.data
        word = KEYWORDS["mjtEq"].get(kind)
        if word is None:
            raise CompileError(eq, "invalid type in equality constraint")
        end = word
        if word in ("connect", "weld"):
            if objtype not in (OBJECTS["body"], OBJECTS["site"]):
                raise CompileError(eq, f"{word} constraint supports only sites and bodies")
            end = OBJECT_NAMES[objtype]
            if end == "body":
                attrs["anchor"] = data[:3]
        if word == "weld":
            if end == "body":
                attrs["relpose"] = data[3:10]
            attrs["torquescale"] = float(data[10])
        elif word in ("joint", "tendon"):
            attrs["polycoef"] = data[:5]
        if word.startswith("flex"):
            attrs["flex"] = eq.name1
        else:
            attrs[end + "1"] = eq.name1
            if eq.name2:
                attrs[end + "2"] = eq.name2
        return self.own("equality/" + word, eq, attrs)

    def tendon(self, tendon):
        wraps = []
        for wrap in tendon._path:
            kind = wrap._v["type"]
            if kind == _enums.mjtWrap.mjWRAP_JOINT:
                tag, attrs = "joint", {"joint": wrap._target, "coef": wrap._prm}
            elif kind == _enums.mjtWrap.mjWRAP_PULLEY:
                tag, attrs = "pulley", {"divisor": wrap._prm}
            elif kind == _enums.mjtWrap.mjWRAP_SITE:
                tag, attrs = "site", {"site": wrap._target}
            else:
                tag, attrs = "geom", {"geom": wrap._target}
                if wrap._side:
                    attrs["sidesite"] = wrap._side
            wraps.append(element(tag, attrs, mark=self.mark(tendon)))
        fixed = bool(wraps) and wraps[0][0] == "joint"
        return self.own("fixed" if fixed else "spatial", tendon, None, wraps)

    def actuator(self, actuator):
        trn = int(actuator.trntype)
        if trn == _enums.mjtTrn.mjTRN_UNDEFINED:
            raise CompileError(actuator, "missing transmission target for actuator")
        if not 0 <= trn < len(_TRN):
            raise CompileError(actuator, "invalid transmission type in actuator")
        plugin = self.plugin(actuator)
        attrs = {_TRN[trn]: actuator.target}
        return self.own("plugin" if plugin else "general", actuator, attrs, plugin)

    def sensor(self, sensor):
        kind = int(sensor.type)
        if kind not in BY_TYPE:
            raise CompileError(sensor, "invalid type in sensor")
        tag, obj, ref = BY_TYPE[kind]
        attrs = {}
        self.sensor_end(sensor, attrs, tag, obj, "obj")
        self.sensor_end(sensor, attrs, tag, ref, "ref")
        bits = int(sensor.intprm[0])
        if tag in ("rangefinder", "contact"):
            table = KEYWORDS["raydata" if tag == "rangefinder" else "condata"]
            check_data(sensor, tag, bits, len(table))
            attrs["data"] = " ".join(w for i, w in table.items() if bits >> i & 1)
        if tag == "contact":
            attrs["num"] = int(sensor.intprm[2])
            attrs["reduce"] = int(sensor.intprm[1])
        elif tag == "user":
            attrs["dim"] = sensor.dim
            attrs["needstage"], attrs["datatype"] = int(sensor.needstage), int(sensor.datatype)
        return self.own("sensor/" + tag, sensor, attrs, self.plugin(sensor))

    def sensor_end(self, sensor, attrs, tag, ends, prefix):
        """Names what a sensor is attached to, or refers to."""
        objtype = int(getattr(sensor, prefix + "type"))
        name = getattr(sensor, prefix + "name")
        if objtype == OBJECTS["unknown"]:
            if prefix == "obj" and isinstance(ends, list) and tag != "contact":
                raise CompileError(sensor, "invalid type in sensor")
            return
        if ends == "*":
            attrs[prefix + "type"] = OBJECT_NAMES.get(objtype, "unknown")
            attrs[prefix + "name"] = name
            return
        found = [attr for attr, kind in ends or () if kind == objtype]
        if found:
            attrs[found[0]] = name
        elif prefix == "obj":
            if not name:
                raise CompileError(sensor, "missing name of sensorized object in sensor")
            if self.spec._find(OBJECT_NAMES.get(objtype, ""), name) is None:
                raise CompileError(sensor, f"unrecognized name '{name}' of sensorized object")
            raise CompileError(sensor, wrong_object(tag, ends))
        elif tag == "contact":
            text = "second matching criterion: if set, must be (x)body or geom"
            raise CompileError(sensor, text)

    def numeric(self, numeric):
        return self.own("numeric", numeric)

    def text(self, text):
        return self.own("text", text)

    def tuple(self, owner):
        kinds, names, prm = owner.objtype, owner.objname, owner.objprm
        if not len(kinds):
            raise CompileError(owner, f"tuple '{owner._name}' (id = {owner._id}) is empty")
        if not len(kinds) == len(names) == len(prm):
            text = (
                f"tuple '{owner._name}' (id = {owner._id}) has object arrays with different sizes"
            )
            raise CompileError(owner, text)
        children = [
            element("element", {"objtype": OBJECT_NAMES.get(k, "?"), "objname": n, "prm": float(p)})
            for k, n, p in zip(kinds, names, prm)
        ]
        return self.own("tuple", owner, None, children)

    def key(self, key):
        return self.own("key", key)


def config(plugin):
    """The settings of a plugin."""
    return [element("config", {"key": k, "value": v}) for k, v in plugin._config.items()]


def wrong_object(tag, ends):
    """What MuJoCo says of a sensor on an object of the wrong kind."""
    if tag == "contact":
        return "first matching criterion: if set, must be (x)body, geom or site"
    if tag == "rangefinder":
        return "sensor must be attached to site or camera"
    kinds = {attr for attr, _ in ends or ()}
    if kinds == {"body1", "geom1"}:
        return "sensor must be attached to body or geom"
    return f"sensor must be attached to {next(iter(kinds), 'nothing')}"


def check_data(sensor, tag, bits, count):
    """Checks the fields of a sensor, and of a contact sensor what else is an integer."""
    name = "mjNCONDATA" if tag == "contact" else "mjNRAYDATA"
    if bits <= 0:
        raise CompileError(sensor, f"data spec (intprm[0]) must be positive, got {bits}")
    if not bits & ((1 << count) - 1):
        text = f"data spec intprm[0]={bits} must have at least one bit set of the first {name} bits"
        raise CompileError(sensor, text)
    if bits >= 1 << count:
        text = f"data spec intprm[0]={bits} has bits set beyond the first {name} bits"
        raise CompileError(sensor, text)
    if tag == "contact":
        if not 0 <= sensor.intprm[1] <= 3:
            text = f"unknown reduction criterion. got {sensor.intprm[1]}, "
            text += "expected one of {0, 1, 2, 3}"
            raise CompileError(sensor, text)
        if sensor.intprm[2] <= 0:
            raise CompileError(sensor, "num (intprm[2]) must be positive in sensor")
