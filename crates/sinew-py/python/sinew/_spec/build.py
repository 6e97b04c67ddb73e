"""From elements to the plain data that the compiler takes."""

from sinew import _enums
from sinew._spec.fields import BY_TYPE, KEYWORDS, OBJECT_NAMES, OBJECTS
from sinew._spec.settings import element, plain_settings
from sinew._spec.values import FIELDS, Array, Characters, List, Poly, defined

_ALT = ("", "axisangle", "xyaxes", "zaxis", "euler")
_TRN = ("joint", "jointinparent", "cranksite", "tendon", "site", "body")
_SIDES = ("right", "left", "up", "down", "front", "back")
_INDIRECT = {"alt", "ialt", "plugin", "info"}


class CompileError(Exception):
    """What is wrong with an element, before the compiler sees it."""

    def __init__(self, element, text):
        super().__init__(text)
        self.element = element


def join(values):
    """Numbers as text."""
    return " ".join(map(repr, values))


def text_of(field, value, owner):
    """The text of an attribute; None if it is as when nothing is said."""
    words = getattr(field, "words", None)
    if words:
        if value == field.default:
            return None
        word = KEYWORDS[words].get(value)
        if word is None:
            raise CompileError(owner, f"invalid {field.name} in {owner._kind}")
        return word
    if isinstance(field, Array):
        values = value.tolist()
        if values == field.default_plain or values[0] != values[0]:
            return None
        return join(field.shortest(values) if isinstance(field, Poly) else values)
    if isinstance(field, Characters):
        return None if value == field.default else "".join(value)
    if isinstance(field, List):
        if not len(value):
            return None
        return " ".join(value) if field.kind == "S" else join(value.tolist())
    if value == field.default or value != value:
        return None
    if field.kind == "s":
        return value
    if field.kind == "u":
        return "true" if value else "false"
    return repr(value)


def attributes(owner, kind=None, skip=()):
    """The attributes of an element that differ from those of a new one."""
    fields = FIELDS[kind or owner._kind]
    attrs = dict(owner._extra)
    if owner._name:
        attrs["name"] = owner._name
    for name, value in owner._v.items():
        field = fields[name]
        if field.xml is None or name in _INDIRECT or name in skip:
            continue
        text = text_of(field, value, owner)
        if text is not None:
            attrs[field.xml] = text
    alt = owner._v.get("alt")
    if alt is not None:
        put_alt(attrs, alt)
    return attrs


def put_alt(attrs, alt):
    """Adds an orientation other than a quaternion."""
    kind = int(alt.type)
    if 0 < kind < len(_ALT):
        attrs[_ALT[kind]] = join(getattr(alt, _ALT[kind]).tolist())


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
        parts = [self.geom(default.geom), self.camera(default.camera), self.material(default.material)]
        for kind in ("mesh", "joint", "site", "light", "pair", "equality", "tendon"):
            owner = getattr(default, kind)
            parts.append(self.make(kind, owner, attributes(owner)))
        parts.append(self.make("general", default.actuator, attributes(default.actuator)))
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
        scope, cls = self.scope_of(owner._compiler), self.classes.get(owner._cls)
        return element(tag, attrs, children, scope, self.mark(owner), data, cls)

    def compiler(self, compiler):
        attrs = {"angle": "degree" if compiler.degree else "radian"}
        for name, value in compiler._v.items():
            field = FIELDS["compiler"][name]
            if field.xml is not None:
                text = text_of(field, value, compiler)
                if text is not None:
                    attrs[field.xml] = text
        spec = self.spec
        if spec.strippath:
            attrs["strippath"] = "true"
        opt = compiler.LRopt
        ranges = {"mode": KEYWORDS["mjtLRMode"].get(opt.mode, "muscle")}
        for name in ("useexisting", "uselimit"):
            ranges[name] = "true" if getattr(opt, name) else "false"
        for name in "accel maxforce timeconst timestep inttotal interval tolrange".split():
            ranges[name] = repr(float(getattr(opt, name)))
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
            attrs = attributes(frame)
            attrs.pop("childclass", None)
            self.frames[id(frame)] = self.make("frame", frame, attrs)
        tag, attrs, *rest, _ = self.frames[id(frame)]
        if not named:
            attrs = {name: text for name, text in attrs.items() if name != "name"}
        return (tag, attrs, *rest, children)

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
                waiting.append((child, inner[-1]))
        return out

    def body(self, body):
        """A body without what is in it."""
        attrs = attributes(body)
        attrs.pop("childclass", None)
        inertial = self.inertial(body)
        said = [] if inertial is None else [inertial]
        return self.make("body", body, attrs, self.plugin(body) + said)

    def inertial(self, body):
        """The inertia of a body, if anything about it is said."""
        said = body.explicitinertial or defined(body.ipos[0]) or defined(body.fullinertia[0])
        if not (said or body.mass or body.inertia.any() or int(body.ialt.type)):
            return None
        attrs = {"pos": join(body.ipos.tolist()), "mass": repr(body.mass)}
        if defined(body.fullinertia[0]):
            attrs["fullinertia"] = join(body.fullinertia.tolist())
        if body.inertia.any():
            attrs["diaginertia"] = join(body.inertia.tolist())
        attrs["quat"] = join(body.iquat.tolist())
        put_alt(attrs, body.ialt)
        if not body.explicitinertial:
            attrs["implied"] = "true"
        return self.make("inertial", body, attrs)

    def joint(self, joint):
        return self.make("joint", joint, attributes(joint))

    def geom(self, geom):
        if not 0 <= geom._v.get("type", 2) <= 8:
            raise CompileError(geom, "invalid type in geom")
        attrs = attributes(geom, skip=("fluid_ellipsoid",))
        if geom.fluid_ellipsoid:
            attrs["fluidshape"] = "ellipsoid"
        return self.make("geom", geom, attrs, self.plugin(geom))

    def site(self, site):
        return self.make("site", site, attributes(site))

    def camera(self, camera):
        attrs = attributes(camera, skip=("output",))
        if "sensorsize" in attrs:
            attrs.pop("fovy", None)
        bits = camera.output
        if bits != 1:
            attrs["output"] = " ".join(w for b, w in KEYWORDS["camout"].items() if bits & b)
        return self.make("camera", camera, attrs)

    def light(self, light):
        return self.make("light", light, attributes(light))

    # assets

    def mesh(self, mesh):
        return self.make("mesh", mesh, attributes(mesh), self.plugin(mesh))

    def hfield(self, field):
        attrs = attributes(field)
        data = field.userdata._values
        if len(data):
            if field.nrow * field.ncol == len(data):
                data = data.reshape(field.nrow, field.ncol)[::-1].ravel()
            attrs["elevation"] = join(data.tolist())
        return self.make("hfield", field, attrs)

    def texture(self, texture):
        attrs = attributes(texture)
        rows, columns = texture.gridsize.tolist()
        if "gridlayout" in attrs and 0 < rows * columns <= 12:
            attrs["gridlayout"] = attrs["gridlayout"][: rows * columns]
        for side, file in zip(_SIDES, texture.cubefiles):
            if file:
                attrs["file" + side] = file
        return self.make("texture", texture, attrs, data=texture._v.get("data", b""))

    def material(self, material):
        layers = []
        for role, name in enumerate(material.textures):
            if name:
                layers.append(element("layer", {"texture": name, "role": str(role)}))
        return self.make("material", material, attributes(material), layers)

    def flex(self, flex):
        contact = (
            "contype conaffinity condim priority friction solmix solref solimp margin gap internal "
            "selfcollide activelayers vertcollide passive"
        ).split()
        elastic = "young poisson damping thickness elastic2d".split()
        edge = ("edgestiffness", "edgedamping")
        order = flex._extra.get("order")
        own = attributes(flex, skip=(*contact, *elastic, *edge))
        own.pop("order", None)
        children = []
        for tag, names in (("contact", contact), ("elasticity", elastic), ("edge", edge)):
            attrs = {}
            for name in names:
                field = FIELDS["flex"][name]
                text = text_of(field, field.of(flex), flex)
                if text is not None:
                    attrs[field.xml] = text
            if attrs:
                children.append(element(tag, attrs))
        nodes = {"order": order} if order is not None else {}
        if len(flex.node):
            nodes["pos"] = join(flex.node._values.tolist())
        if nodes:
            children.append(element("nodes", nodes))
        return self.make("flex", flex, own, children)

    def skin(self, skin):
        bones = []
        pos, quat = skin.bindpos._values.tolist(), skin.bindquat._values.tolist()
        ids, weights = skin.vertid, skin.vertweight
        for i, body in enumerate(skin.bodyname):
            attrs = {"body": body, "bindpos": join(pos[3 * i : 3 * i + 3])}
            attrs["bindquat"] = join(quat[4 * i : 4 * i + 4])
            attrs["vertid"] = join(ids[i] if i < len(ids) else [])
            attrs["vertweight"] = join(weights[i] if i < len(weights) else [])
            bones.append(element("bone", attrs))
        return self.make("skin", skin, attributes(skin), bones)

    # what refers to the tree

    def pair(self, pair):
        return self.make("pair", pair, attributes(pair))

    def exclude(self, exclude):
        return self.make("exclude", exclude, attributes(exclude))

    def equality(self, eq):
        attrs = attributes(eq)
        kind, objtype, data = int(eq.type), int(eq.objtype), eq.data.tolist()
        word = KEYWORDS["mjtEq"].get(kind)
        if word is None:
            raise CompileError(eq, "invalid type in equality constraint")
        end = word
        if word in ("connect", "weld"):
            if objtype not in (OBJECTS["body"], OBJECTS["site"]):
                raise CompileError(eq, f"{word} constraint supports only sites and bodies")
            end = OBJECT_NAMES[objtype]
            if end == "body":
                attrs["anchor"] = join(data[:3])
        if word == "weld":
            if end == "body":
                attrs["relpose"] = join(data[3:10])
            attrs["torquescale"] = repr(data[10])
        elif word in ("joint", "tendon"):
            attrs["polycoef"] = join(data[:5])
        if word.startswith("flex"):
            attrs["flex"] = eq.name1
        else:
            attrs[end + "1"] = eq.name1
            if eq.name2:
                attrs[end + "2"] = eq.name2
        return self.make("equality/" + word, eq, attrs)

    def tendon(self, tendon):
        wraps = []
        for wrap in tendon._path:
            kind = wrap._v["type"]
            if kind == _enums.mjtWrap.mjWRAP_JOINT:
                tag, attrs = "joint", {"joint": wrap._target, "coef": repr(wrap._prm)}
            elif kind == _enums.mjtWrap.mjWRAP_PULLEY:
                tag, attrs = "pulley", {"divisor": repr(wrap._prm)}
            elif kind == _enums.mjtWrap.mjWRAP_SITE:
                tag, attrs = "site", {"site": wrap._target}
            else:
                tag, attrs = "geom", {"geom": wrap._target}
                if wrap._side:
                    attrs["sidesite"] = wrap._side
            wraps.append(element(tag, attrs, mark=self.mark(tendon)))
        fixed = bool(wraps) and wraps[0][0] == "joint"
        attrs = attributes(tendon)
        return self.make("fixed" if fixed else "spatial", tendon, attrs, wraps)

    def actuator(self, actuator):
        attrs = attributes(actuator)
        trn = int(actuator.trntype)
        if trn == _enums.mjtTrn.mjTRN_UNDEFINED:
            raise CompileError(actuator, "missing transmission target for actuator")
        if not 0 <= trn < len(_TRN):
            raise CompileError(actuator, "invalid transmission type in actuator")
        attrs[_TRN[trn]] = actuator.target
        plugin = self.plugin(actuator)
        return self.make("plugin" if plugin else "general", actuator, attrs, plugin)

    def sensor(self, sensor):
        kind = int(sensor.type)
        if kind not in BY_TYPE:
            raise CompileError(sensor, "invalid type in sensor")
        tag, obj, ref = BY_TYPE[kind]
        attrs = attributes(sensor)
        self.sensor_end(sensor, attrs, tag, obj, "obj")
        self.sensor_end(sensor, attrs, tag, ref, "ref")
        bits = int(sensor.intprm[0])
        if tag in ("rangefinder", "contact"):
            table = KEYWORDS["raydata" if tag == "rangefinder" else "condata"]
            check_data(sensor, tag, bits, len(table))
            attrs["data"] = " ".join(w for i, w in table.items() if bits >> i & 1)
        if tag == "contact":
            attrs["num"] = str(int(sensor.intprm[2]))
            attrs["reduce"] = KEYWORDS["reduce"][int(sensor.intprm[1])]
        elif tag == "user":
            attrs["dim"] = str(sensor.dim)
            attrs["needstage"] = KEYWORDS["mjtStage"][int(sensor.needstage)]
            attrs["datatype"] = KEYWORDS["mjtDataType"][int(sensor.datatype)]
        return self.make("sensor/" + tag, sensor, attrs, self.plugin(sensor))

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
        return self.make("numeric", numeric, attributes(numeric))

    def text(self, text):
        return self.make("text", text, attributes(text))

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
            element("element", {"objtype": OBJECT_NAMES.get(k, "?"), "objname": n, "prm": repr(p)})
            for k, n, p in zip(kinds, names, prm)
        ]
        return self.make("tuple", owner, attributes(owner), children)

    def key(self, key):
        return self.make("key", key, attributes(key))


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
