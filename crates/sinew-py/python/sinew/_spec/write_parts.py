"""The elements of a model as MJCF; those that are also in default classes are written alike."""

import math

from sinew import _sinew
from sinew._errors import FatalError
from sinew._spec.elements import MjsFlex
from sinew._spec.fields import KEYWORDS, OBJECT_NAMES
from sinew._spec.tree import file_stem
from sinew._spec.xml import same, short

_BOOL = KEYWORDS["bool"]
_TRI = KEYWORDS["tri"]
_TRN = ("joint", "jointinparent", "cranksite", "tendon", "site", "body")
_UNIT = [1.0, 0.0, 0.0, 0.0]
_ZERO = [0.0, 0.0, 0.0]

# how many sizes a kind of geom has
_SIZES = {0: 3, 1: 0, 2: 1, 3: 2, 4: 3, 5: 2, 6: 3, 7: 0, 8: 0}
_MESH, _SDF, _HFIELD = 7, 8, 1
_FREE, _BALL, _SLIDE, _HINGE = range(4)


def run(steps):
    """Runs a generator that yields others to be run before it goes on, however deep they are."""
    running = [steps]
    while running:
        inner = next(running[-1], None)
        if inner is None:
            running.pop()
        else:
            running.append(inner)


def f32(values):
    """Numbers with 6 digits, as a list of them is written."""
    return " ".join(map(short, values))


class Parts:
    """Writes elements."""

    def __init__(self, spec, model):
        self.spec, self.model = spec, model
        # whether a default class is written, not an element
        self.defaults = False

    def error(self, text):
        return FatalError(f"XML Error: {text}")

    def asset_name(self, e):
        return e._name or file_stem(e.file)

    def padded(self, e, size):
        """User data as long as that of every element of its kind."""
        values = list(e.userdata)
        return values + [0.0] * (getattr(self.model, size) - len(values))

    def user(self, node, e, base, size):
        default = () if self.defaults else self.padded(base, size)
        node.vector("user", self.padded(e, size), default)

    def named(self, node, e, classname):
        """Name and class of an element in a body."""
        node.text("name", e._name)
        if e._cls not in (classname, "main"):
            node.text("class", e._cls)

    def plugin(self, node, plugin):
        if plugin._name:
            node.text("instance", plugin._name)
        else:
            node.text("plugin", plugin.plugin_name)
            self.config(node, plugin)

    def config(self, node, plugin):
        """Settings in the order in which the plugin lists them."""
        order = {key: i for i, key in enumerate(_sinew.plugin_attributes(plugin.plugin_name))}
        for key, value in sorted(plugin._config.items(), key=lambda kv: order.get(kv[0], len(order))):
            if value:
                child = node.add("config")
                child.text("key", key)
                child.text("value", value)

    # in bodies

    def body(self, node, body, frame, childclass):
        """A body, or what of it is in a frame; in steps, for `run`."""
        spec = self.spec
        if frame is None and body is not spec.worldbody:
            self.body_attributes(node, body, childclass)
        for kind in ("joint", "geom", "site", "camera", "light"):
            for e in body._list(kind):
                if e._frame is frame:
                    own = self.class_in(body, e._frame, childclass)
                    getattr(self, kind)(node.add(kind), e, spec._class_of(e._cls), own)
        if body.plugin.active:
            self.plugin(node.add("plugin"), body.plugin)
        yield self.inner_bodies(node, body, frame, childclass)

    def inner_bodies(self, node, body, frame, childclass):
        """Bodies and frames in turn: frames once a body is in one, or at the end; in steps."""
        frames = iter(body.frames_)
        for i, child in enumerate(body.bodies_ or [None]):
            inside = child._frame if child is not None else None
            if child is not None and inside is frame:
                own = self.class_in(body, inside, childclass)
                yield self.body(node.add("body"), child, None, own)
            if inside is None and i + 1 < len(body.bodies_):
                continue
            for other in frames:
                if other._frame is frame:
                    yield self.body(self.frame(node, other), body, other, childclass)

    def class_in(self, body, frame, childclass):
        """The class that elements of a body have if they say nothing."""
        own = frame._cls if frame is not None and frame._cls else body._cls
        return own or childclass

    def frame(self, node, frame):
        """A frame that says something, or what it is in."""
        if not frame._name and frame._cls in ("", "main"):
            return node
        inner = node.add("frame")
        inner.text("name", frame._name)
        if frame._cls != "main":
            inner.text("childclass", frame._cls)
        return inner

    def body_attributes(self, node, body, childclass):
        m, i, compiler = self.model, body._id, self.spec.compiler
        node.text("name", body._name)
        if body._cls not in (childclass, "main"):
            node.text("childclass", body._cls)
        if m.body_pos[i].any():
            node.numbers("pos", m.body_pos[i].tolist())
        node.numbers("quat", m.body_quat[i].tolist(), _UNIT)
        if body.mocap:
            node.attrs["mocap"] = "true"
        if body.gravcomp:
            node.real("gravcomp", body.gravcomp)
        if int(body.sleep) > 2:
            node.key("sleep", KEYWORDS["mjtSleepPolicy"], int(body.sleep))
        node.vector("user", self.padded(body, "nuser_body"))
        if compiler.saveinertial or body.explicitinertial and compiler.inertiafromgeom != 1:
            inertial = node.add("inertial")
            inertial.numbers("pos", m.body_ipos[i].tolist())
            inertial.numbers("quat", m.body_iquat[i].tolist(), _UNIT)
            inertial.real("mass", float(m.body_mass[i]))
            inertial.numbers("diaginertia", m.body_inertia[i].tolist())

    def joint(self, node, e, default, classname=None):
        base, kind = default.joint, int(e.type)
        values = {n: e._plain(n) for n in ("ref", "springref", "range", "stiffness", "damping")}
        if not self.defaults:
            m, i = self.model, e._id
            self.named(node, e, classname)
            if kind != _FREE:
                node.numbers("pos", m.jnt_pos[i].tolist())
            if kind not in (_FREE, _BALL):
                node.numbers("axis", m.jnt_axis[i].tolist())
            values["range"] = m.jnt_range[i].tolist()
            if kind == _HINGE and e._compiler.degree:
                for name in ("ref", "springref"):
                    values[name] *= math.pi / 180
            if e.springdamper.any():
                values["stiffness"] = float(m.jnt_stiffness[i])
                values["damping"] = float(m.dof_damping[m.jnt_dofadr[i]])
        node.key("type", KEYWORDS["mjtJoint"], kind, int(base.type))
        node.integer("group", e.group, base.group)
        node.real("ref", values["ref"], 0.0)
        node.real("springref", values["springref"], 0.0)
        for xml, name in (
            ("solreflimit", "solref_limit"),
            ("solimplimit", "solimp_limit"),
            ("solreffriction", "solref_friction"),
            ("solimpfriction", "solimp_friction"),
        ):
            node.numbers(xml, e._plain(name), base._plain(name), trim=True)
        node.real("stiffness", values["stiffness"], base.stiffness)
        if kind != _FREE:
            node.key("limited", _TRI, e.limited, base.limited)
        node.numbers("range", values["range"], base._plain("range"))
        if kind not in (_FREE, _BALL):
            node.key("actuatorfrclimited", _TRI, e.actfrclimited, base.actfrclimited)
        node.key("actuatorgravcomp", _BOOL, e.actgravcomp, base.actgravcomp)
        node.numbers("actuatorfrcrange", e._plain("actfrcrange"), base._plain("actfrcrange"))
        for name in ("margin", "armature", "damping", "frictionloss"):
            node.real(name, values.get(name, getattr(e, name)), getattr(base, name))
        self.user(node, e, base, "nuser_jnt")

    def geom(self, node, e, default, classname=None):
        base, kind = default.geom, int(e.type)
        mass = own = 0.0
        if self.defaults:
            node.numbers("size", e._plain("size"), base._plain("size"))
        else:
            m, i = self.model, e._id
            kind = int(m.geom_type[i])
            self.named(node, e, classname)
            if _SIZES.get(kind):
                size = m.geom_size[i].tolist()[: _SIZES[kind]]
                node.numbers("size", size, base._plain("size"))
            if not math.isnan(e.mass):
                mass = volume(kind, m.geom_size[i].tolist()) * base.density
                own = e.mass if self.has_mass(e) and kind not in (0, _HFIELD) else 0.0
            self.geom_pose(node, e, kind)
        node.key("type", KEYWORDS["mjtGeom"], kind, int(base.type))
        for name in ("contype", "conaffinity", "condim", "group", "priority"):
            node.integer(name, getattr(e, name), getattr(base, name))
        node.numbers("friction", e._plain("friction"), base._plain("friction"), trim=True)
        node.real("solmix", e.solmix, base.solmix)
        node.numbers("solref", e._plain("solref"), base._plain("solref"), trim=True)
        node.numbers("solimp", e._plain("solimp"), base._plain("solimp"), trim=True)
        node.real("margin", e.margin, base.margin)
        node.real("gap", e.gap, base.gap)
        shapes = {0: "none", 1: "ellipsoid"}
        node.key("fluidshape", shapes, int(e.fluid_ellipsoid), int(base.fluid_ellipsoid))
        node.numbers("fluidcoef", e._plain("fluid_coefs"), base._plain("fluid_coefs"))
        if kind != _MESH:
            node.key("shellinertia", _BOOL, int(e.typeinertia), int(base.typeinertia))
        if math.isnan(e.mass):
            node.real("density", e.density, base.density)
        else:
            node.real("mass", own, mass)
        if e.material != base.material:
            node.text("material", e.material)
        node.numbers("rgba", e._plain("rgba"), base._plain("rgba"), single=True)
        if kind == _HFIELD:
            node.text("hfield", e.hfieldname)
        if kind in (_MESH, _SDF):
            node.text("mesh", e.meshname)
        self.user(node, e, base, "nuser_geom")
        for name, text in e._extra.items():
            node.text(name, text)
        if e.plugin.active:
            self.plugin(node.add("plugin"), e.plugin)

    def has_mass(self, e):
        """Whether a geom gives mass to its body."""
        body, compiler = e._parent, e._compiler
        if body is self.spec.worldbody:
            return False
        low, high = compiler.inertiagrouprange
        explicit = body.explicitinertial and compiler.inertiafromgeom != 1
        return not explicit and low <= e.group <= high

    def geom_pose(self, node, e, kind):
        """The pose of a geom; that of a mesh is before the mesh was put into its own frame."""
        m, i = self.model, e._id
        pos, quat = m.geom_pos[i].tolist(), m.geom_quat[i].tolist()
        if kind in (_MESH, _SDF):
            mesh = int(m.geom_dataid[i])
            at, turn = m.mesh_pos[mesh].tolist(), m.mesh_quat[mesh].tolist()
            if same(pos, at) and same(quat, turn):
                return
            pos, quat = without(pos, quat, at, turn)
        node.numbers("pos", pos, _ZERO)
        node.numbers("quat", quat, _UNIT)

    def site(self, node, e, default, classname=None):
        base = default.site
        if self.defaults:
            node.numbers("size", e._plain("size"), base._plain("size"))
        else:
            m, i = self.model, e._id
            self.named(node, e, classname)
            node.numbers("pos", m.site_pos[i].tolist())
            node.numbers("quat", m.site_quat[i].tolist(), _UNIT)
            count = _SIZES.get(int(e.type), 0)
            if count:
                node.numbers("size", m.site_size[i].tolist()[:count], base._plain("size"))
        node.integer("group", e.group, base.group)
        node.key("type", KEYWORDS["mjtGeom"], int(e.type), int(base.type))
        if e.material != base.material:
            node.text("material", e.material)
        node.numbers("rgba", e._plain("rgba"), base._plain("rgba"), single=True)
        self.user(node, e, base, "nuser_site")

    def camera(self, node, e, default, classname=None):
        base = default.camera
        if not self.defaults:
            m, i = self.model, e._id
            self.named(node, e, classname)
            node.text("target", e.targetbody)
            node.numbers("pos", m.cam_pos[i].tolist())
            node.numbers("quat", m.cam_quat[i].tolist(), _UNIT)
        node.real("ipd", e.ipd, base.ipd)
        node.key("mode", KEYWORDS["mjtCamLight"], int(e.mode), int(base.mode))
        node.numbers("resolution", e._plain("resolution"), base._plain("resolution"))
        if e.output != base.output:
            bits = [w for b, w in KEYWORDS["camout"].items() if e.output & b]
            node.text("output", " ".join(bits) if e.output else "")
        node.key("projection", KEYWORDS["mjtProjection"], int(e.proj), int(base.proj))
        if (e.sensor_size > 0).all():
            node.numbers("sensorsize", e._plain("sensor_size"))
            for xml, name in (
                ("focal", "focal_length"),
                ("focalpixel", "focal_pixel"),
                ("principal", "principal_length"),
                ("principalpixel", "principal_pixel"),
            ):
                node.numbers(xml, e._plain(name), base._plain(name), single=True)
        else:
            node.real("fovy", e.fovy, base.fovy)
        self.user(node, e, base, "nuser_cam")

    def light(self, node, e, default, classname=None):
        base = default.light
        if not self.defaults:
            m, i = self.model, e._id
            self.named(node, e, classname)
            node.text("target", e.targetbody)
            node.numbers("pos", m.light_pos[i].tolist())
            node.numbers("dir", m.light_dir[i].tolist())
        real = lambda name: node.real(name, getattr(e, name), getattr(base, name), single=True)
        many = lambda name: node.numbers(name, e._plain(name), base._plain(name), single=True)
        for name in ("bulbradius", "intensity", "range"):
            real(name)
        node.key("type", KEYWORDS["mjtLightType"], int(e.type), int(base.type))
        node.text("texture", e.texture)
        node.key("castshadow", _BOOL, e.castshadow, base.castshadow)
        node.key("active", _BOOL, e.active, base.active)
        many("attenuation")
        real("cutoff")
        real("exponent")
        for name in ("ambient", "diffuse", "specular"):
            many(name)
        node.key("mode", KEYWORDS["mjtCamLight"], int(e.mode), int(base.mode))

    # assets and deformable objects

    def mesh(self, node, e, default):
        base = default.mesh
        if not self.defaults:
            node.text("name", self.asset_name(e))
            if e._cls != "main":
                node.text("class", e._cls)
            node.text("content_type", e.content_type)
            node.text("file", e.file)
            node.text("vertex", f32(e.uservert))
            node.text("normal", f32(e.usernormal))
            node.text("texcoord", f32(e.usertexcoord))
            node.text("face", " ".join(map(str, e.userface)))
        node.key("inertia", KEYWORDS["mjtMeshInertia"], int(e.inertia), int(base.inertia))
        node.numbers("refpos", e._plain("refpos"), base._plain("refpos"))
        node.numbers("refquat", e._plain("refquat"), base._plain("refquat"))
        node.numbers("scale", e._plain("scale"), base._plain("scale"))
        node.key("smoothnormal", _BOOL, e.smoothnormal, base.smoothnormal)

    def material(self, node, e, default):
        base = default.material
        if not self.defaults:
            node.text("name", e._name)
            if e._cls != "main":
                node.text("class", e._cls)
        textures = list(e.textures)
        if any(name for i, name in enumerate(textures) if i > 1):
            for role, name in enumerate(textures):
                if name and role:
                    layer = node.add("layer")
                    layer.text("texture", name)
                    layer.text("role", KEYWORDS["texrole"][role])
        elif textures[1] != base.textures[1]:
            node.text("texture", textures[1])
        node.key("texuniform", _BOOL, e.texuniform, base.texuniform)
        node.numbers("texrepeat", e._plain("texrepeat"), base._plain("texrepeat"), single=True)
        for name in "emission specular shininess reflectance metallic roughness".split():
            node.real(name, getattr(e, name), getattr(base, name), single=True)
        node.numbers("rgba", e._plain("rgba"), base._plain("rgba"), single=True)

    def flex(self, node, e):
        base = MjsFlex()
        node.text("name", e._name)
        node.real("radius", e.radius, base.radius)
        node.text("material", e.material)
        node.numbers("rgba", e._plain("rgba"), base._plain("rgba"), single=True)
        node.key("flatskin", _BOOL, e.flatskin, base.flatskin)
        node.integer("dim", e.dim, base.dim)
        node.integer("group", e.group, base.group)
        node.text("body", " ".join(e.vertbody))
        node.text("vertex", f32(e.vert))
        m, i = self.model, e._id
        elements = of_flex(m.flex_elem, m.flex_elemdataadr, i, len(e.elem))
        node.text("element", " ".join(map(str, elements)))
        node.text("texcoord", f32(e.texcoord))
        if len(e.texcoord):
            # if none are given, MuJoCo takes as many as triangles would have
            count = 3 * (len(e.elem) // (e.dim + 1))
            corners = list(e.elemtexcoord) or list(e.elem)[:count]
            node.text("elemtexcoord", " ".join(map(str, corners)))
        node.text("node", " ".join(e.nodebody))

        # contact, elasticity, edge
        contact = node.add("contact")
        for name in ("contype", "conaffinity", "condim", "priority"):
            contact.integer(name, getattr(e, name), getattr(base, name))
        contact.numbers("friction", e._plain("friction"), base._plain("friction"))
        contact.real("solmix", e.solmix, base.solmix)
        contact.numbers("solref", e._plain("solref"), base._plain("solref"))
        contact.numbers("solimp", e._plain("solimp"), base._plain("solimp"))
        contact.real("margin", e.margin, base.margin)
        contact.real("gap", e.gap, base.gap)
        contact.key("internal", _BOOL, e.internal, base.internal)
        contact.key("selfcollide", KEYWORDS["flexself"], e.selfcollide, base.selfcollide)
        contact.integer("activelayers", e.activelayers, base.activelayers)
        node.drop_empty(contact)
        elastic = node.add("elasticity")
        for name in ("young", "poisson", "thickness", "damping"):
            elastic.real(name, getattr(e, name), getattr(base, name))
        # MuJoCo has no more keywords here
        elastic.key("elastic2d", {0: "none", 1: "bend"}, e.elastic2d, base.elastic2d)
        edge = node.add("edge")
        edge.real("stiffness", e.edgestiffness, base.edgestiffness)
        edge.real("damping", e.edgedamping, base.edgedamping)
        node.drop_empty(edge)

    def skin(self, node, e):
        node.text("name", self.asset_name(e))
        node.text("file", e.file)
        node.text("material", e.material)
        node.integer("group", e.group, 0)
        node.numbers("rgba", e._plain("rgba"), [0.5, 0.5, 0.5, 1.0], single=True)
        node.real("inflate", e.inflate, 0.0, single=True)
        if e.file:
            return
        node.text("vertex", f32(e.vert))
        node.text("texcoord", f32(e.texcoord))
        node.text("face", " ".join(map(str, e.face)))
        m, first = self.model, int(self.model.skin_boneadr[e._id])
        for i, name in enumerate(e.bodyname, first):
            bone = node.add("bone")
            bone.text("body", name)
            bone.numbers("bindpos", m.skin_bonebindpos[i].tolist())
            bone.numbers("bindquat", m.skin_bonebindquat[i].tolist())
            at = int(m.skin_bonevertadr[i])
            of_bone = slice(at, at + int(m.skin_bonevertnum[i]))
            bone.text("vertid", " ".join(map(str, m.skin_bonevertid[of_bone].tolist())))
            bone.text("vertweight", f32(m.skin_bonevertweight[of_bone].tolist()))

    # what refers to the tree

    def pair(self, node, e, default):
        base = default.pair
        if not self.defaults:
            if e._cls != "main":
                node.text("class", e._cls)
            first, second = self.ordered("geom", e.geomname1, e.geomname2)
            node.text("geom1", first)
            node.text("geom2", second)
        node.text("name", e._name)
        node.integer("condim", e.condim, base.condim)
        node.real("margin", e.margin, base.margin)
        node.real("gap", e.gap, base.gap)
        for name in ("solref", "solreffriction", "solimp"):
            node.numbers(name, e._plain(name), base._plain(name), trim=True)
        node.numbers("friction", e._plain("friction"), base._plain("friction"))

    def ordered(self, kind, first, second):
        """Two names, that of the body with the smaller number first."""
        find = self.spec._find
        a, b = find(kind, first), find(kind, second)
        if kind == "geom" and a is not None and b is not None:
            a, b = a._parent, b._parent
        if a is not None and b is not None and a._id > b._id:
            return second, first
        return first, second

    def equality(self, node, e, default):
        base, data = default.equality, e._plain("data")
        if not self.defaults:
            node.text("name", e._name)
            if e._cls != "main":
                node.text("class", e._cls)
            word = KEYWORDS["mjtEq"][int(e.type)]
            kind = OBJECT_NAMES.get(int(e.objtype)) if word in ("connect", "weld") else word
            if word.startswith("flex"):
                node.text("flex", e.name1)
            else:
                node.text(kind + "1", e.name1)
                node.text(kind + "2", e.name2)
            if kind == "body":
                node.numbers("anchor", data[:3])
                if word == "weld":
                    node.numbers("relpose", data[3:10])
            if word == "weld":
                node.real("torquescale", data[10])
            elif word in ("joint", "tendon"):
                node.numbers("polycoef", data[:5])
        node.key("active", _BOOL, e.active, base.active)
        node.numbers("solref", e._plain("solref"), base._plain("solref"), trim=True)
        node.numbers("solimp", e._plain("solimp"), base._plain("solimp"), trim=True)

    def tendon(self, node, e, default):
        base = default.tendon
        fixed = bool(e._path) and e._path[0]._v["type"] == 1
        if not self.defaults:
            node.text("name", e._name)
            if e._cls != "main":
                node.text("class", e._cls)
        node.integer("group", e.group, base.group)
        for xml, name in (
            ("solreflimit", "solref_limit"),
            ("solimplimit", "solimp_limit"),
            ("solreffriction", "solref_friction"),
            ("solimpfriction", "solimp_friction"),
        ):
            node.numbers(xml, e._plain(name), base._plain(name), trim=True)
        node.key("limited", _TRI, e.limited, base.limited)
        node.key("actuatorfrclimited", _TRI, e.actfrclimited, base.actfrclimited)
        node.numbers("range", e._plain("range"), base._plain("range"))
        node.numbers("actuatorfrcrange", e._plain("actfrcrange"), base._plain("actfrcrange"))
        for name in ("margin", "stiffness", "damping", "armature", "frictionloss"):
            node.real(name, getattr(e, name), getattr(base, name))
        length, usual = e._plain("springlength"), base._plain("springlength")
        count = 2 if length[0] != length[1] or usual[0] != usual[1] else 1
        node.numbers("springlength", length[:count], usual[:count])
        if not fixed:
            if e.material != base.material:
                node.text("material", e.material)
            node.real("width", e.width, base.width)
            node.numbers("rgba", e._plain("rgba"), base._plain("rgba"), single=True)
        self.user(node, e, base, "nuser_tendon")

    def actuator(self, node, e, default):
        base = default.actuator
        values = {n: e._plain(n) for n in ("ctrlrange", "actrange", "lengthrange")}
        if not self.defaults:
            i, m = e._id, self.model
            for name in ("ctrlrange", "actrange"):
                if e.inheritrange > 0:
                    values[name] = getattr(m, "actuator_" + name)[i].tolist()
            self.target(node, e)
        node.integer("group", e.group, base.group)
        node.integer("nsample", e.nsample, base.nsample)
        node.key("interp", KEYWORDS["interp"], e.interp, base.interp)
        node.real("delay", e.delay, base.delay)
        for kind in ("ctrl", "force", "act"):
            limited, span = kind + "limited", kind + "range"
            node.key(limited, _TRI, getattr(e, limited), getattr(base, limited))
            node.numbers(span, values.get(span) or e._plain(span), base._plain(span))
        node.numbers("lengthrange", values["lengthrange"], base._plain("lengthrange"))
        node.numbers("gear", e._plain("gear"), base._plain("gear"))
        node.real("cranklength", e.cranklength, base.cranklength)
        node.key("actearly", _BOOL, e.actearly, base.actearly)
        if self.defaults:
            node.integer("actdim", e.actdim, base.actdim)
        else:
            usual = int(e.dyntype != 0)
            node.integer("actdim", e.actdim if e.actdim >= 0 else usual, usual)
        node.key("dyntype", KEYWORDS["mjtDyn"], int(e.dyntype), int(base.dyntype))
        node.numbers("dynprm", e._plain("dynprm"), base._plain("dynprm"))
        if e.plugin.active:
            self.plugin(node, e.plugin)
        else:
            node.key("gaintype", KEYWORDS["mjtGain"], int(e.gaintype), int(base.gaintype))
            node.key("biastype", KEYWORDS["mjtBias"], int(e.biastype), int(base.biastype))
            node.numbers("gainprm", e._plain("gainprm"), base._plain("gainprm"), trim=True)
            node.numbers("biasprm", e._plain("biasprm"), base._plain("biasprm"), trim=True)
        self.user(node, e, base, "nuser_actuator")

    def target(self, node, e):
        """Name, class and transmission of an actuator."""
        node.text("name", e._name)
        if e._cls != "main":
            node.text("class", e._cls)
        kind = _TRN[int(e.trntype)]
        node.text(kind, e.target)
        if kind == "cranksite":
            node.text("slidersite", e.slidersite)
        elif kind == "site":
            node.text("refsite", e.refsite)


def of_flex(table, starts, i, count):
    """The part of a table of flexes that is of one of them."""
    first = int(starts[i])
    return table.ravel()[first : first + count].tolist()


def volume(kind, size):
    """The volume of a geom; that of a mesh is not known here, and unlike any other."""
    x, y, z = size
    return {
        2: 4 * math.pi * x**3 / 3,
        3: math.pi * (x * x * 2 * y + 4 * x**3 / 3),
        4: 4 * math.pi * x * y * z / 3,
        5: math.pi * x * x * 2 * y,
        6: 8 * x * y * z,
        7: math.inf,
        8: math.inf,
    }.get(kind, 0.0)


def _multiply(a, b):
    """The product of two quaternions."""
    w, x, y, z = a
    p, q, r, s = b
    return [
        w * p - x * q - y * r - z * s,
        w * q + x * p + y * s - z * r,
        w * r - x * s + y * p + z * q,
        w * s + x * r - y * q + z * p,
    ]


def without(pos, quat, at, turn):
    """A pose before another was applied inside of it."""
    inverse = [turn[0], -turn[1], -turn[2], -turn[3]]
    quat = _multiply(quat, inverse)
    conjugate = [quat[0], -quat[1], -quat[2], -quat[3]]
    shift = _multiply(_multiply(quat, [0.0, *at]), conjugate)[1:]
    return [p - s for p, s in zip(pos, shift)], quat
