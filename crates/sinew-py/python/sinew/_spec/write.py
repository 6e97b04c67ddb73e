"""The model as MJCF, in the words MuJoCo would use: what classes say is left out."""

import math

import numpy as np

from sinew import _records
from sinew._spec.elements import MjsDefault
from sinew._spec.fields import BY_TYPE, KEYWORDS, OBJECT_NAMES
from sinew._spec.settings import DISABLE, ENABLE, OPTION_WORDS, OPTIONS, SIZES, VISUAL_FLAGS
from sinew._spec.write_parts import Parts, run
from sinew._spec.xml import Node, render, short

_BOOL = KEYWORDS["bool"]
_TRI = KEYWORDS["tri"]
_TRN = ("joint", "jointinparent", "cranksite", "tendon", "site", "body")
_SIDES = ("right", "left", "up", "down", "front", "back")


def write(spec, model):
    """The text of a model that was compiled to `model`."""
    return render(Writer(spec, model).document())


def bytes_text(n):
    """A number of bytes with a suffix."""
    for i, suffix in enumerate("EPTGMK"):
        bits = 10 * (6 - i)
        if n >= 1 << bits and not n & ((1 << bits) - 1):
            return f"{n >> bits}{suffix}"
    return str(n)


class Writer(Parts):
    """Writes one model."""

    def document(self):
        spec = self.spec
        root = Node("mujoco")
        root.attrs["model"] = spec.modelname
        if spec.comment:
            root.children.append(spec.comment)
        self.compiler(root)
        self.option(root)
        self.size(root)
        self.visual(root)
        self.statistic(root)
        run(self.default(root, spec.default))
        self.extension(root)
        self.custom(root)
        self.asset(root)
        run(self.body(root.add("worldbody"), spec.worldbody, None, ""))
        self.contact(root)
        self.deformable(root)
        self.equalities(root)
        self.tendons(root)
        self.actuators(root)
        self.sensors(root)
        self.keyframe(root)
        return root

    # settings

    def compiler(self, root):
        node, compiler = root.add("compiler"), self.spec.compiler
        node.attrs["angle"] = "radian"
        node.text("meshdir", compiler.meshdir)
        node.text("texturedir", compiler.texturedir)
        if not compiler.usethread:
            node.attrs["usethread"] = "false"
        if compiler.boundmass:
            node.real("boundmass", compiler.boundmass)
        if compiler.boundinertia:
            node.real("boundinertia", compiler.boundinertia)
        if compiler.alignfree:
            node.attrs["alignfree"] = "true"
        if not compiler.autolimits:
            node.attrs["autolimits"] = "false"

    def option(self, root):
        node, option, default = root.add("option"), self.spec.option, _records.MjOption()
        for name in OPTIONS:
            value, base = getattr(option, name), getattr(default, name)
            if name in OPTION_WORDS:
                node.key(name, KEYWORDS[OPTION_WORDS[name]], value, base)
            elif isinstance(value, int):
                node.integer(name, value, base)
            elif isinstance(value, float):
                node.real(name, value, base)
            else:
                node.numbers(name, value.tolist(), base.tolist())
        groups = [i for i in range(31) if option.disableactuator >> i & 1]
        node.numbers("actuatorgroupdisable", groups)
        for name, text in self.spec._option_extra.items():
            node.text(name, text)
        if option.disableflags or option.enableflags:
            flag = node.add("flag")
            for i, name in enumerate(DISABLE):
                if option.disableflags >> i & 1:
                    flag.attrs[name] = "disable"
            for i, name in enumerate(ENABLE):
                if option.enableflags >> i & 1:
                    flag.attrs[name] = "enable"
        root.drop_empty(node, with_children=True)

    def size(self, root):
        spec, model = self.spec, self.model
        # counts of an earlier element merge with `memory`, which excludes them in its own
        counts = root.add("size")
        node = root.add("size") if spec.memory != -1 else counts
        if spec.memory != -1:
            node.attrs["memory"] = bytes_text(spec.memory)
        for name in SIZES:
            default = -1 if name in ("njmax", "nconmax", "nstack") else 0
            of_model = name == "nkey" or name.startswith("nuser_")
            place = counts if name in ("njmax", "nstack") else node
            place.integer(name, getattr(model if of_model else spec, name), default)
        for part in {id(part): part for part in (counts, node)}.values():
            root.drop_empty(part)

    def statistic(self, root):
        node, stat = root.add("statistic"), self.spec.stat
        for name in ("meaninertia", "meanmass", "meansize", "extent"):
            node.real(name, getattr(stat, name))
        if not math.isnan(stat.center[0]):
            node.numbers("center", stat.center.tolist())
        root.drop_empty(node)

    def visual(self, root):
        section, default = root.add("visual"), _records.MjVisual()
        order = {
            "global_": "cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime "
            "offwidth offheight ellipsoidinertia bvactive"
        }
        for name, part in self.spec.visual._parts.items():
            node, base = section.add(name.rstrip("_")), default._parts[name]
            names = order[name].split() if name in order else part._all_fields
            for field in names:
                value, usual = getattr(part, field), getattr(base, field)
                if name == "global_" and field in VISUAL_FLAGS:
                    node.key(field, _BOOL, value, usual)
                elif isinstance(value, int):
                    node.integer(field, value, usual)
                elif isinstance(value, float):
                    node.real(field, value, usual, single=True)
                else:
                    node.numbers(field, value.tolist(), usual.tolist(), single=True)
            section.drop_empty(node)
        root.drop_empty(section, with_children=True)

    def default(self, root, default):
        """A default class with those in it; in steps, for `run`."""
        spec = self.spec
        parent = default._parent
        if parent is None:
            parent = MjsDefault(spec, "main")
        section = root.add("default")
        if default._name != "main":
            section.text("class", default._name)
        self.defaults = True
        for kind in "mesh material joint geom site camera light pair equality tendon".split():
            node = section.add(kind)
            getattr(self, kind)(node, getattr(default, kind), parent)
            section.drop_empty(node)
        node = section.add("general")
        self.actuator(node, default.actuator, parent)
        section.drop_empty(node)
        self.defaults = False
        if default._parent is None and not section.children and not default._children:
            root.children.remove(section)
            return
        for child in default._children:
            yield self.default(section, child)

    def extension(self, root):
        active = self.spec._active_plugins
        if not active:
            return
        section, seen, last, node = root.add("extension"), set(), None, None
        for plugin in self.spec._lists["plugin"]:
            if not plugin._name:
                continue
            if plugin.plugin_name != last:
                node = section.add("plugin")
                node.text("plugin", plugin.plugin_name)
                last = plugin.plugin_name
                seen.add(last)
            instance = node.add("instance")
            instance.text("name", plugin._name)
            self.config(instance, plugin)
        for name in active:
            if name not in seen:
                section.add("plugin").text("plugin", name)

    # lists of the model

    def custom(self, root):
        lists = self.spec._lists
        if not (lists["numeric"] or lists["text"] or lists["tuple"]):
            return
        section = root.add("custom")
        for e in lists["numeric"]:
            node = section.add("numeric")
            node.text("name", e._name)
            values = [*e.data, *[0.0] * max(e.size - len(e.data), 0)]
            node.integer("size", len(values))
            node.numbers("data", values)
        for e in lists["text"]:
            node = section.add("text")
            node.text("name", e._name)
            node.text("data", e.data)
        for e in lists["tuple"]:
            node = section.add("tuple")
            node.text("name", e._name)
            for kind, name, prm in zip(e.objtype, e.objname, e.objprm):
                child = node.add("element")
                child.text("objtype", OBJECT_NAMES.get(kind, ""))
                child.text("objname", name)
                if prm:
                    child.real("prm", prm)

    def asset(self, root):
        spec = self.spec
        lists = spec._lists
        if not any(lists[k] for k in ("texture", "material", "mesh", "hfield")):
            return
        section = root.add("asset")
        for e in lists["texture"]:
            self.texture(section.add("texture"), e)
        for e in lists["material"]:
            self.material(section.add("material"), e, spec._class_of(e._cls))
        for e in lists["mesh"]:
            node = section.add("mesh")
            if e.plugin.active:
                node.text("name", self.asset_name(e))
                node.text("file", e.file)
                self.plugin(node.add("plugin"), e.plugin)
            else:
                self.mesh(node, e, spec._class_of(e._cls))
        for e in lists["hfield"]:
            self.hfield(section.add("hfield"), e)

    def texture(self, node, e):
        node.key("type", KEYWORDS["mjtTexture"], int(e.type))
        space = int(e.colorspace)
        if not e.builtin and not e._v.get("data"):
            space = int(self.model.tex_colorspace[e._id])
        node.key("colorspace", KEYWORDS["mjtColorSpace"], space)
        node.text("name", self.asset_name(e))
        files = list(e.cubefiles)
        if e.builtin:
            node.key("builtin", KEYWORDS["builtin"], e.builtin)
            node.key("mark", KEYWORDS["mark"], e.mark, 0)
            node.numbers("rgb1", e.rgb1.tolist(), [0.8] * 3)
            node.numbers("rgb2", e.rgb2.tolist(), [0.5] * 3)
            node.numbers("markrgb", e.markrgb.tolist(), [0.0] * 3)
            node.real("random", e.random, 0.01)
            node.integer("width", e.width)
            node.integer("height", int(self.model.tex_height[e._id]))
        elif not e.file and not any(files) and e.gridsize.tolist() == [1, 1]:
            raise self.error("no support for buffer textures.")
        else:
            node.text("content_type", e.content_type)
            node.text("file", e.file)
            for side, file in zip(_SIDES, files):
                node.text("file" + side, file)
            for flag in ("hflip", "vflip"):
                if getattr(e, flag):
                    node.attrs[flag] = "true"
            if e.gridsize.tolist() != [1, 1]:
                node.numbers("gridsize", e.gridsize.tolist())
                node.text("gridlayout", "".join(e.gridlayout))

    def hfield(self, node, e):
        node.text("name", self.asset_name(e))
        node.numbers("size", e.size.tolist())
        if e.file:
            node.text("content_type", e.content_type)
            node.text("file", e.file)
            return
        node.integer("nrow", e.nrow)
        node.integer("ncol", e.ncol)
        data = e.userdata._values
        if len(data):
            rows = data.reshape(e.nrow, e.ncol)[::-1].tolist()
            text = "".join("\n            " + " ".join(map(short, row)) for row in rows)
            node.text("elevation", text)

    def contact(self, root):
        lists = self.spec._lists
        if not (lists["pair"] or lists["exclude"]):
            return
        section = root.add("contact")
        for e in lists["pair"]:
            self.pair(section.add("pair"), e, self.spec._class_of(e._cls))
        for e in lists["exclude"]:
            node = section.add("exclude")
            node.text("name", e._name)
            first, second = self.ordered("body", e.bodyname1, e.bodyname2)
            node.text("body1", first)
            node.text("body2", second)

    def deformable(self, root):
        lists = self.spec._lists
        if not (lists["flex"] or lists["skin"]):
            return
        section = root.add("deformable")
        for e in lists["flex"]:
            self.flex(section.add("flex"), e)
        for e in lists["skin"]:
            self.skin(section.add("skin"), e)

    def equalities(self, root):
        if not self.spec._lists["equality"]:
            return
        section = root.add("equality")
        for e in self.spec._lists["equality"]:
            node = section.add(KEYWORDS["mjtEq"][int(e.type)])
            self.equality(node, e, self.spec._class_of(e._cls))

    def tendons(self, root):
        if not self.spec._lists["tendon"]:
            return
        section = root.add("tendon")
        for e in self.spec._lists["tendon"]:
            if not e._path:
                continue
            fixed = e._path[0]._v["type"] == 1
            node = section.add("fixed" if fixed else "spatial")
            self.tendon(node, e, self.spec._class_of(e._cls))
            for wrap in e._path:
                self.wrap(node, wrap)

    def wrap(self, node, wrap):
        kind = wrap._v["type"]
        if kind == 1:
            child = node.add("joint")
            child.text("joint", wrap._target)
            child.real("coef", wrap._prm)
        elif kind == 3:
            node.add("site").text("site", wrap._target)
        elif kind == 2:
            node.add("pulley").real("divisor", wrap._prm)
        else:
            child = node.add("geom")
            child.text("geom", wrap._target)
            child.text("sidesite", wrap._side)

    def actuators(self, root):
        if not self.spec._lists["actuator"]:
            return
        section = root.add("actuator")
        for e in self.spec._lists["actuator"]:
            node = section.add("plugin" if e.plugin.active else "general")
            self.actuator(node, e, self.spec._class_of(e._cls))

    def sensors(self, root):
        if not self.spec._lists["sensor"]:
            return
        section = root.add("sensor")
        for e in self.spec._lists["sensor"]:
            self.sensor(section, e)

    def sensor(self, section, e):
        tag, obj, ref = BY_TYPE[int(e.type)]
        # the name that MuJoCo writes is not the one it reads
        node = section.add(tag.removeprefix("e_"))

        # its objects; some sensors name the reference first
        ends = [(obj, int(e.objtype), e.objname, "obj"), (ref, int(e.reftype), e.refname, "ref")]
        for names, kind, name, prefix in reversed(ends) if tag == "tactile" else ends:
            if isinstance(names, list):
                chosen = [attr for attr, k in names if k == kind]
                node.text(chosen[0] if chosen else "", name if chosen else "")
            elif names == "*" and (kind or tag not in ("user", "plugin") and prefix == "obj"):
                if (tag, prefix) == ("plugin", "ref"):
                    continue
                node.text(prefix + "type", OBJECT_NAMES.get(kind, ""))
                node.text(prefix + "name", name)
        self.sensor_data(node, e, tag)

        # what all sensors have
        node.text("name", e._name)
        node.real("cutoff", e.cutoff, 0.0)
        if tag != "plugin":
            node.real("noise", e.noise, 0.0)
        node.integer("nsample", e.nsample, 0)
        node.key("interp", KEYWORDS["interp"], e.interp, 0)
        node.real("delay", e.delay, 0.0)
        node.numbers("interval", e.interval.tolist(), [0.0, 0.0])
        node.vector("user", self.padded(e, "nuser_sensor"))

    def sensor_data(self, node, e, tag):
        """What a sensor measures, where that is to be chosen."""
        words = lambda table: " ".join(
            w for i, w in KEYWORDS[table].items() if int(e.intprm[0]) >> i & 1
        )
        if tag == "rangefinder" and int(e.intprm[0]) != 1:
            node.text("data", words("raydata"))
        elif tag == "contact":
            node.integer("num", int(e.intprm[2]), 1)
            if int(e.intprm[0]) != 1:
                node.text("data", words("condata"))
            node.key("reduce", KEYWORDS["reduce"], int(e.intprm[1]), 0)
        elif tag == "user":
            node.integer("dim", e.dim)
            node.key("needstage", KEYWORDS["mjtStage"], int(e.needstage))
            node.key("datatype", KEYWORDS["mjtDataType"], int(e.datatype))
        elif tag == "plugin":
            self.plugin(node, e.plugin)

    def key_values(self, i, field):
        """Numbers of a keyframe as they were given; quaternions need not be unit."""
        keys = self.spec._lists["key"]
        compiled = getattr(self.model, "key_" + field)[i].ravel()
        given = getattr(keys[i], field)._values if i < len(keys) else ()
        return given if len(given) == len(compiled) else compiled

    def keyframe(self, root):
        m = self.model
        section = root.add("keyframe")
        mocap = [(m.body_mocapid[b], b) for b in range(m.nbody) if m.body_mocapid[b] >= 0]
        order = [b for _, b in sorted(mocap)]
        rest = {
            "qpos": m.qpos0,
            "qvel": np.zeros(m.nv),
            "act": np.zeros(m.na),
            "mpos": m.body_pos[order].ravel(),
            "mquat": m.body_quat[order].ravel(),
            "ctrl": np.zeros(m.nu),
        }
        for i in range(m.nkey):
            node = section.add("key")
            name = self.spec._lists["key"][i]._name if i < len(self.spec._lists["key"]) else ""
            node.text("name", name)
            if m.key_time[i]:
                node.real("time", float(m.key_time[i]))
            for field, usual in rest.items():
                values = self.key_values(i, field)
                if (values != usual).any():
                    node.numbers(field, values.tolist())
            section.drop_empty(node)
        root.drop_empty(section, with_children=True)
