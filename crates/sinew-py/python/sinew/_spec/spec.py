"""`MjSpec`: a model that can be edited."""

import os
import warnings
import zipfile

import numpy as np

from sinew import _archive, _names, _records, _sinew, _structs
from sinew._errors import FatalError
from sinew._spec import conflict, settings, tree
from sinew._spec.add import fill
from sinew._spec.base import MjsElement, caller
from sinew._spec.elements import CLASSES, IN_CLASS, TREE, MjsBody, MjsDefault, MjsFrame
from sinew._spec.settings import MjsCompiler, new_statistic
from sinew._spec.values import Record, add_fields, as_text
from sinew._vfs import with_vfs

_LISTED = (
    "flex", "mesh", "skin", "hfield", "texture", "material", "pair", "equality", "tendon",
    "actuator", "sensor", "numeric", "text", "tuple", "key", "exclude", "plugin",
)  # fmt: skip
_PLURALS = {"flex": "flexes", "mesh": "meshes", "equality": "equalities", "body": "bodies"}
_STATE = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")


class MjSpec(Record):
    """MjSpec()

    A model that can be edited: built from nothing, read from a file, attached to others, compiled.
    """

    __slots__ = (
        "_lists", "_defaults", "_names", "_pending", "_deepcopy", "_assets", "_option_extra",
        "_active_plugins", "_attached", "worldbody_", "compiler_", "option_", "visual_", "stat_",
        "override_assets", "parent_", "_layout", "_model", "_signature",
        "_late_keys", "_unprefixed",
    )  # fmt: skip
    _kinds = (*TREE, *_LISTED)
    __module__ = "sinew"

    def __init__(self):
        self._lists = {kind: [] for kind in _LISTED}
        self._names, self._pending, self._deepcopy = {}, [], False
        self._assets, self._option_extra, self._active_plugins = {}, {}, []
        self._attached, self._layout, self._model, self._signature = [], None, None, None
        self.override_assets, self.parent_ = True, None
        self.compiler_ = MjsCompiler()
        self.option_, self.visual_ = _records.MjOption(), _records.MjVisual()
        self.stat_ = new_statistic()
        # keyframes of models that a file attaches, made when the model is compiled
        self._late_keys, self._unprefixed = [], False
        self._defaults = []
        self._defaults.append(MjsDefault(self, "main"))
        self.worldbody_ = MjsBody(self)
        self.worldbody_._name, self.worldbody_._cls, self.worldbody_._id = "world", "main", 0

    # sources of a model

    @staticmethod
    def from_file(filename, include=None, assets=None, vfs=None):
        """from_file(filename, include=None, assets=None, vfs=None)

        Reads an XML file or an archive (`.mjz`). `include` has the bytes of files that it includes, by name; `assets`
        those of meshes, textures and height fields; `vfs`, a `MjVfs`, has both.
        """
        filename, assets = as_text(os.fspath(filename)), with_vfs(assets, vfs)
        if _archive.is_archive(filename):
            filename, files = _archive.unpack(filename, assets)
            return _read(None, filename, with_vfs(include, vfs), {**files, **(assets or {})})
        return _read(None, filename, with_vfs(include, vfs), assets)

    @staticmethod
    def from_string(xml, include=None, assets=None, vfs=None):
        """from_string(xml, include=None, assets=None, vfs=None)

        Reads XML text. `include` has the bytes of files that it includes, by name; `assets` those
        of meshes, textures and height fields.
        """
        return _read(as_text(xml), "", with_vfs(include, vfs), with_vfs(assets, vfs))

    @staticmethod
    def from_zip(file):
        """from_zip(file)

        Reads a zip file, given by its path or open, with one XML file and its assets.
        """
        if isinstance(file, str):
            with open(file, "rb") as opened:
                return MjSpec.from_zip(opened)
        if not zipfile.is_zipfile(file):
            raise ValueError(f"File {file} is not a zip file.")
        xml, folder, assets = None, "", {}
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                if info.is_dir():
                    continue
                data = archive.read(info)
                if info.filename.endswith(".xml"):
                    xml, folder = data, os.path.dirname(info.filename)
                else:
                    assets[info.filename] = data
        if not xml:
            raise ValueError("No XML file found in zip file.")
        relative = {os.path.relpath(name, folder or "."): data for name, data in assets.items()}
        return MjSpec.from_string(xml, assets=relative)

    def to_zip(self, file):
        """to_zip(file)

        Writes the XML and the assets to a zip file, given by its path or open.
        """
        files = {**self._assets, self.modelname + ".xml": self.to_xml()}
        if isinstance(file, str):
            folder = os.path.dirname(file)
            if folder:
                os.makedirs(folder, exist_ok=True)
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in files.items():
                archive.writestr(zipfile.ZipInfo(name), data)

    _read_option, _read_statistic = settings.read_option, settings.read_statistic
    _read_visual = settings.read_visual

    def _read_class(self, i, name, parent):
        """A default class that a file has, the first of which is that of the model."""
        if i == 0:
            self._defaults[0]._name = name
            return self._defaults[0]
        default = MjsDefault(self, name)
        default._parent = parent or self._defaults[0]
        default._parent._children.append(default)
        self._defaults.append(default)
        return default

    # its parts

    worldbody = property(lambda self: self.worldbody_, doc="The body that all others are in.")
    parent = property(lambda self: self.parent_, doc="The model this one was attached to, or None.")
    default = property(lambda self: self._defaults[0], doc="The default class `main`.")

    @property
    def assets(self):
        """Files in memory, by name; assigning a dictionary adds to them."""
        return self._assets

    @assets.setter
    def assets(self, assets):
        if not isinstance(assets, dict):
            raise TypeError(f"assets: wanted a dict of names and bytes, not {assets!r}")
        self._assets.update(assets)

    @property
    def meshdir(self):
        """The folder of meshes and height fields."""
        return self.compiler_.meshdir

    @meshdir.setter
    def meshdir(self, value):
        self.compiler_.meshdir = value

    @property
    def texturedir(self):
        """The folder of textures."""
        return self.compiler_.texturedir

    @texturedir.setter
    def texturedir(self, value):
        self.compiler_.texturedir = value

    @property
    def copy_during_attach(self):
        """Whether attached models are copied; it can only be set."""
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value):
        self._deepcopy = bool(value)

    @property
    def _address(self):
        return id(self)

    @property
    def signature(self):
        """A number that differs between models that differ in structure."""
        if self._signature is None:
            self._signature = _sinew.hash_text(self._structure())
        return self._signature

    def _structure(self):
        """The structure of the model in words, as the compiled model would say it."""
        words = []
        waiting = [self.worldbody_]
        while waiting:
            body = waiting.pop()
            if body is None:
                words.append(")")
                continue
            words.append("(")
            words.extend(f"j{tree.width(j)[0]}" for j in body.joints_)
            words.extend("g" * len(body.geoms_) + "s" * len(body.sites_))
            words.extend("c" * len(body.cameras_) + "l" * len(body.lights_))
            waiting += [None, *reversed(body.bodies_)]
        for kind in "flex mesh skin hfield texture material pair exclude equality tendon".split():
            words.append(f"{kind}{len(self._lists[kind])}")
        words.append(f"actuator{len(self._lists['actuator'])}")
        words.extend(f"sensor{int(s.type)}" for s in self._lists["sensor"])
        words.append(f"key{len(self._lists['key'])}")
        return " ".join(words)

    # names

    def _names_of(self, kind):
        """Elements of a kind by name; the first of each name."""
        found = self._names.get(kind)
        if found is None:
            found = self._names[kind] = {}
            for e in self._all(kind):
                if e._name:
                    found.setdefault(e._name, e)
        return found

    def _forget_names(self):
        """Notes that elements have come or gone otherwise than by `add_*`."""
        self._names, self._signature = {}, None

    def _all(self, kind):
        """All elements of a kind, in order."""
        if kind == "body":
            return [self.worldbody_, *self.worldbody_._below()]
        if kind in TREE:
            return list(self.worldbody_._walk(kind))
        return self._lists[kind]

    def _find(self, kind, name):
        """The element of a name, or None; assets without a name have that of their file."""
        if kind == "xbody":
            kind = "body"
        if kind not in self._kinds:
            return None
        found = self._names_of(kind).get(name)
        if found is None and kind in ("mesh", "texture", "hfield", "skin") and name:
            unnamed = (e for e in self._lists[kind] if not e._name)
            found = next((e for e in unnamed if tree.file_stem(e.file) == name), None)
        return found

    def _rename(self, e, name):
        """Notes a new name; a repeated one is an error."""
        if e._name == name:
            return
        names = self._names_of(e._kind)
        if name and names.get(name, e) is not e:
            raise ValueError(f"Error: repeated name '{name}' in {e._kind}")
        if names.get(e._name) is e:
            del names[e._name]
        if name:
            names[name] = e

    # default classes

    def find_default(self, name):
        """find_default(name)

        The default class of this name, or None.
        """
        return next((d for d in self._defaults if d._name == name), None)

    def _class_of(self, name):
        return self.find_default(name) or self._defaults[0]

    def add_default(self, name, parent=None):
        """add_default(name, parent)

        A new default class with the values of its parent; None if there is one of this name.
        """
        name = as_text(name)
        if self.find_default(name) is not None:
            return None
        parent = parent or self._defaults[0]
        default = MjsDefault(self, name, parent)
        parent._children.append(default)
        self._defaults.append(default)
        return default

    # adding

    def _new(self, kind, default, arguments):
        """A new element that is nowhere yet."""
        element = CLASSES[kind](self)
        if kind in IN_CLASS and kind != "flex":
            element._inherit(getattr(default, kind))
            element._cls = default._name
        element._place = caller()
        fill(element, arguments)
        return element

    def _add(self, kind, default, arguments):
        """A new element of a list of the model."""
        if default is not None and not isinstance(default, MjsDefault):
            raise TypeError(f"add_{kind}: wanted MjsDefault, not {default!r}")
        default = default or self._defaults[0]
        element = self._new(kind, default, arguments)
        if kind in IN_CLASS and kind != "flex":
            element._cls = default._name
        element._id = len(self._lists[kind])
        self._lists[kind].append(element)
        self._signature = None
        return element

    def activate_plugin(self, name):
        """activate_plugin(name)

        Makes the plugin of this name a part of the model.
        """
        if name not in self._active_plugins:
            self._active_plugins.append(as_text(name))

    # editing

    def _number_lists(self):
        """Numbers the elements of lists."""
        for elements in self._lists.values():
            for i, e in enumerate(elements):
                e._id = i

    def delete(self, element):
        """delete(element)

        Takes an element out of the model; a body goes with its contents and all elements that refer
        to them.
        """
        if isinstance(element, MjsDefault):
            return self._delete_default(element)
        if not isinstance(element, MjsElement):
            raise TypeError(f"delete: wanted an element, not {element!r}")
        if element._spec is not self:
            return None
        kind = element._kind
        if kind == "body":
            if element is not self.worldbody_:
                tree.delete_body(self, element)
        elif kind in TREE:
            if kind != "frame":
                found = element._parent._list(kind)
                found[:] = [e for e in found if e is not element]
        else:
            found = self._lists[kind]
            found[:] = [e for e in found if e is not element]
            if kind == "plugin":
                used = {p.plugin_name for p in found}
                unused = element.plugin_name not in used
                if unused and element.plugin_name in self._active_plugins:
                    self._active_plugins.remove(element.plugin_name)
        self._forget_names()
        self._number_lists()
        return None

    def _delete_default(self, default):
        if default._parent is None:
            raise ValueError("Error: cannot remove the global default ('main')")
        if default._parent is not None:
            kept = default._parent._children
            kept[:] = [d for d in kept if d is not default]
        gone = [default]
        for d in gone:
            gone.extend(d._children)
        self._defaults[:] = [d for d in self._defaults if not any(d is g for g in gone)]

    def copy(self):
        """copy()

        A model of its own with the same contents.
        """
        new = MjSpec()
        new._assign(self)
        compilers = {id(self.compiler_): new.compiler_}
        new.compiler_._assign(self.compiler_)
        for other in self._attached:
            compilers[id(other)] = other
        new._attached = list(self._attached)
        new.option_, new.visual_ = self.option_.__copy__(), self.visual_.__copy__()
        new.stat_ = self.stat_.__copy__()
        new._option_extra = dict(self._option_extra)
        new._active_plugins = list(self._active_plugins)
        new._assets, new.override_assets = dict(self._assets), self.override_assets
        new._deepcopy, new.parent_ = self._deepcopy, self.parent_
        new._pending = list(self._pending)
        new._late_keys = [tree.copy_element(key, new) for key in self._late_keys]

        # classes, the tree, the lists
        new._defaults = [MjsDefault(new, "main")]
        self._copy_classes(self._defaults[0], new._defaults[0], new)
        world = new.worldbody_
        world._assign(self.worldbody_)
        tree.copy_contents(self.worldbody_, world, new, compilers)
        for kind, elements in self._lists.items():
            for e in elements:
                made = tree.copy_element(e, new, compilers)
                made._id = e._id
                new._lists[kind].append(made)
        for kind in TREE:
            for e, made in zip(self._all(kind), new._all(kind)):
                made._id = e._id
        return new

    def _copy_classes(self, source, target, new):
        pairs = [(source, target)]
        for old, made in pairs:
            for kind in IN_CLASS:
                getattr(made, "_" + kind)._assign(getattr(old, "_" + kind))
            for child in old._children:
                copy = MjsDefault(new, child._name, None)
                copy._parent = made
                made._children.append(copy)
                new._defaults.append(copy)
                pairs.append((child, copy))

    __copy__ = copy

    def __deepcopy__(self, memo):
        memo[id(self)] = new = self.copy()
        return new

    # attaching

    def _adopt(self, other):
        """Remembers the settings under which the elements of another model are understood."""
        if other is self:
            return
        conflict.merge_settings(self, other)
        other.compiler_._dir = other.modelfiledir
        for compiler in (other.compiler_, *other._attached):
            if not any(compiler is c for c in self._attached):
                self._attached.append(compiler)

    def _plugins_of(self, other, space):
        """Brings the plugins that elements of another model use."""
        used = set()
        for kind in ("body", "geom", "mesh", "actuator", "sensor"):
            for e in self._all(kind):
                if e._has("plugin") and e.plugin._name:
                    used.add(e.plugin._name)
        have = {p._name for p in self._lists["plugin"]}
        for plugin in other._lists["plugin"]:
            name = space.name(plugin._name)
            if name and name in used and name not in have:
                made = tree.copy_element(plugin, self)
                made._name = name
                self._lists["plugin"].append(made)
        for name in other._active_plugins:
            self.activate_plugin(name)

    def _expand_keys(self):
        """Lengthens keyframes by the new objects of the model, at its reference."""
        if not self._lists["key"]:
            return
        adr, sizes = tree.layout(self)
        reference = {field: np.zeros(n) for field, n in sizes.items()}
        for body in self.bodies:
            for joint in body.joints_:
                at = adr[id(joint)]["qpos"]
                kind = tree.width(joint)[0]
                reference["qpos"][at] = {
                    7: [*body.pos, *body.quat],
                    4: [1, 0, 0, 0],
                    1: [joint.ref],
                }[kind]
            if body.mocap:
                reference["mpos"][adr[id(body)]["mpos"]] = body.pos
                reference["mquat"][adr[id(body)]["mquat"]] = body.quat
        for key in self._lists["key"]:
            for field, full in reference.items():
                data = getattr(key, field)._values
                if 0 < len(data) < len(full):
                    setattr(key, field, np.concatenate([data, full[len(data) :]]))

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """attach(child, prefix=None, suffix=None, site=None, frame=None)

        Attaches all of another model to a site or a frame; returns the frame that it is in.
        """
        if not isinstance(child, MjSpec):
            raise TypeError(f"attach: wanted MjSpec, not {child!r}")
        if site is None and frame is None:
            raise ValueError("One of frame or site must be specified.")
        if site is not None and frame is not None:
            raise ValueError("Only one of frame or site can be specified.")
        self._note_prefix(prefix)
        prefix = "/" if prefix is None else as_text(prefix)
        suffix = "" if suffix is None else as_text(suffix)
        kind, place = ("frame", frame) if frame is not None else ("site", site)
        if isinstance(place, (str, bytes)):
            place = self._find(kind, as_text(place))
        if place is None:
            raise ValueError(f"{kind.capitalize()} not found.")
        if getattr(place, "_kind", "") != kind:
            raise TypeError(f"attach: wanted a {kind} or its name, not {place!r}")
        if place._spec is not self:
            raise ValueError(f"{kind.capitalize()} spec does not match parent spec.")
        if child is self and not self._deepcopy:
            raise ValueError("Error: a spec cannot be attached to itself")

        # the contents of the other model's world are put into a frame
        world = child.worldbody_
        whole = MjsFrame(child)
        whole._parent = world
        for inner in TREE:
            for e in world._list(inner):
                if e._frame is None:
                    e._frame = whole
        world.frames_.append(whole)
        if kind == "site":
            place = tree.site_frame(place)
        attached = tree.attach_frame(place._parent, whole, prefix, suffix)
        attached._frame = place
        self._attach_assets(child, prefix, suffix)
        child.parent_ = self
        return attached

    def _attach_assets(self, child, prefix, suffix):
        """Brings the files of an attached model, under their new names."""
        for name, data in list(child._assets.items()):
            renamed = _file_name(name, prefix, suffix)
            if renamed in self._assets and not self.override_assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")
            self._assets[renamed] = data
        theirs = [*child._lists["mesh"], *child._lists["texture"]]
        ours = [*self._lists["mesh"], *self._lists["texture"]]
        text = (
            "Attaching a child {} asset dict to a parent {} an asset dict might result in missing "
        )
        text += "assets when attaching again."
        if not child._assets and theirs and self._assets:
            warnings.warn(text.format("without", "with"), Warning, stacklevel=3)
        if not self._assets and ours and child._assets:
            warnings.warn(text.format("with", "without"), Warning, stacklevel=3)
        if child._assets:
            for e in theirs:
                if e.file:
                    e.file = _file_name(e.file, prefix, suffix)

    # compiling

    def compile(self, vfs=None):
        """compile(vfs=None)

        The model, compiled; a ValueError that names the element if something is wrong with it.
        Files may be in `vfs`, a `MjVfs`.
        """
        self._assets.update(with_vfs({}, vfs))
        return self._compile()

    def _note_prefix(self, prefix):
        """Remembers that something was attached with an empty prefix."""
        self._unprefixed = self._unprefixed or (prefix is not None and not as_text(prefix))

    def _compile(self, quiet=False):
        if self._unprefixed and not quiet and _names.is_since("4.0.0"):
            text = "Attaching with an empty prefix may prevent the model from being saved correctly."
            warnings.warn(text, stacklevel=3)
        tree.resolve_keys(self)
        result = _sinew.spec_compile(self, _structs._bytes_of(self._assets))
        if isinstance(result[0], str):
            raise ValueError(_message(*result))
        model = (_structs.MjModel if quiet else _structs.MjModel._loaded)(result[0])
        self._compiled(model, result[1])
        return model

    def _compiled(self, model, compilers):
        """Takes the values that the compiler has computed."""
        model.opt._set_bytes(self.option_._bytes())
        owners = _sinew.later_table(model, "actuator_owner")
        if owners is not None:
            # an actuator of several controls has a row for each
            first = [i for i, owner in enumerate(owners) if owner == i]
            for i, e in zip(first, self._lists["actuator"]):
                e._id = i
        self._sort_contacts()
        for compiler in compilers:
            for name in ("meshdir", "texturedir"):
                folder = getattr(compiler, name)
                if folder and not folder.endswith(("/", "\\")):
                    setattr(compiler, name, folder + "/")
        for tendon in self._lists["tendon"]:
            for wrap in tendon._path:
                target = wrap.target
                if wrap._get("type") == 4 and target is not None and int(target.type) == 5:
                    wrap._set("type", 5)
        for i, key in enumerate(self._lists["key"]):
            if key._partial and i < model.nkey:
                for field in _STATE:
                    if len(getattr(key, field)):
                        setattr(key, field, getattr(model, "key_" + field)[i].ravel())
        self._layout = tree.layout(self)
        self._model, self._signature = model, None

    def _sort_contacts(self):
        """Pairs and exclusions are in the order of the bodies they are of."""

        def bodies(kind, names):
            found = [self._find(kind, name) for name in names]
            found = [e._parent if kind == "geom" else e for e in found if e is not None]
            return sorted(body._id for body in found)

        self._lists["pair"].sort(key=lambda e: bodies("geom", (e.geomname1, e.geomname2)))
        self._lists["exclude"].sort(key=lambda e: bodies("body", (e.bodyname1, e.bodyname2)))
        for i, e in [*enumerate(self._lists["pair"]), *enumerate(self._lists["exclude"])]:
            e._id = i

    def _pixels(self, texture):
        """The pixels that a texture was compiled to last."""
        model, i = self._model, texture._id
        if model is None or not 0 <= i < model.ntex or texture._spec is not self:
            return b""
        size = int(model.tex_height[i]) * int(model.tex_width[i]) * int(model.tex_nchannel[i])
        first = int(model.tex_adr[i])
        return model.tex_data[first : first + size].tobytes()

    def recompile(self, m, d, vfs=None):
        """recompile(m, d, vfs=None)

        Compiles again; a model and a state in which joints, actuators and mocap bodies that were
        there before are as they are in `d`. Files may be in `vfs`, a `MjVfs`.
        """
        self._assets.update(with_vfs({}, vfs))
        before = self._layout or ({}, {})
        new_model = self.compile()
        new_data = _structs.MjData(new_model)
        self._carry(before[0], _state(d), _state(new_data))
        new_data.time = d.time
        return new_model, new_data

    def _carry(self, held, old, new):
        """Copies the numbers of elements from a state in which they had the places `held`."""
        places, sizes = self._layout
        if held == places and all(len(old[f]) == n for f, n in sizes.items()):
            for field, numbers in old.items():
                new[field][:] = numbers
            return
        for e in tree.holders(self):
            to = places.get(id(e), {})
            for field, at in held.get(id(e), {}).items():
                part = to.get(field, slice(0, -1))
                if part.stop - part.start == at.stop - at.start and at.stop <= len(old[field]):
                    new[field][part] = old[field][at]

    def to_xml(self):
        """to_xml()

        The model as XML, compiled first.
        """
        compiler = self.compiler_
        if not compiler.fusestatic and not compiler.discardvisual:
            return self._text(self.compile())

        # the text has all elements: elements before any are fused or discarded
        flags = compiler.fusestatic, compiler.discardvisual
        try:
            compiler.fusestatic = compiler.discardvisual = 0
            return self._text(self.compile())
        finally:
            compiler.fusestatic, compiler.discardvisual = flags

    def _text(self, model):
        """The source of a compiled model, as XML."""
        text = _sinew.spec_xml(model)
        if text is None:
            raise FatalError("XML Write error: the model lacks elements that were compiled")
        return text

    def to_file(self, filename):
        """to_file(filename)

        Writes the model as XML, as it was compiled last.
        """
        if self._model is None:
            raise FatalError("XML Write error: Only compiled model can be written")
        text = _sinew.spec_xml(self._model)
        if text is None:
            text = self.to_xml()
        with open(filename, "w") as file:
            file.write(text)

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """resolve_orientation(degree, sequence=None, orientation=None)

        The quaternion of an orientation that is given otherwise.
        """
        return tree.quat_of(orientation, degree, "xyz" if sequence is None else "".join(sequence))


add_fields(MjSpec, "spec")


def _state(d):
    """The numbers of a state that belong to elements."""
    names = dict(zip(_STATE, ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")))
    return {field: getattr(d, name).reshape(-1) for field, name in names.items()}


def _read(xml, path, include, assets):
    """A model from a file or a text."""
    files = {as_text(os.fspath(k)): bytes(v) for k, v in (include or {}).items()}
    spec = MjSpec()
    _sinew.spec_read(spec, CLASSES, xml, path, {**_structs._bytes_of(assets), **files})
    spec._assets.update(assets or {})
    return spec


def _file_name(path, prefix, suffix):
    """The path of a file whose name has got a prefix and a suffix."""
    cut = max(path.rfind("/"), path.rfind("\\")) + 1
    path = path[:cut] + prefix + path[cut:]
    dot = path.rfind(".")
    return path + suffix if dot < 0 else path[:dot] + suffix + path[dot:]


def _message(text, element, own):
    """The error of an element, in MuJoCo's words, and the line that made the element."""
    text = f"Error: {text}"
    if element is None:
        return text
    if own:
        text += f"\nElement name '{element._name}', id {element._id}"
    info = element._get("info")
    if info and "\nElement name" in text:
        text += f", {info}"
    elif element._place is not None:
        text += "\nmade at {}:{}".format(*element._place)
    return text


def _spec_methods():
    """`add_*`, lists and finding of a model."""
    for kind in MjSpec._kinds:
        plural = _PLURALS.get(kind, kind + "s")
        listed = property(lambda self, kind=kind: list(self._all(kind)), doc=f"All {plural}.")
        setattr(MjSpec, plural, listed)

        def find(self, name, kind=kind):
            return self._find(kind, as_text(name))

        find.__name__ = kind
        find.__doc__ = f"{kind}(name)\n\nThe {kind} of this name, or None."
        setattr(MjSpec, kind, find)
    for kind in _LISTED:
        inherits = kind in IN_CLASS and kind != "flex"

        def add(self, default=None, *, _kind=kind, **arguments):
            return self._add(_kind, default, arguments)

        def add_plain(self, *, _kind=kind, **arguments):
            return self._add(_kind, None, arguments)

        method = add if inherits else add_plain
        method.__name__ = f"add_{kind}"
        words = "default=None, **attributes" if inherits else "**attributes"
        method.__doc__ = f"add_{kind}({words})\n\nA new {kind}, with the attributes that are given."
        setattr(MjSpec, method.__name__, method)
    for name in ("compiler", "option", "visual", "stat"):

        def put(self, value, name=name):
            part = getattr(self, name + "_")
            if type(value) is not type(part):
                raise TypeError(f"{name}: wanted {type(part).__name__}, not {value!r}")
            if isinstance(part, Record):
                part._assign(value)
            else:
                setattr(self, name + "_", value.__copy__())

        get = property(lambda self, name=name + "_": getattr(self, name), put)
        setattr(MjSpec, name, get)


_spec_methods()
