"""Attaching, deleting and copying parts of models, with the elements that refer to them.

As in MuJoCo, an attached model is not copied but shared, unless the model was told to copy. The
elements keep their identity, and belong to the model they were attached to.
"""

import numpy as np

from sinew import _enums, _sinew
from sinew._spec.elements import CLASSES, IN_CLASS, TREE, MjsDefault, MjsFrame
from sinew._spec.fields import OBJECT_NAMES

_FREE, _BALL = int(_enums.mjtJoint.mjJNT_FREE), int(_enums.mjtJoint.mjJNT_BALL)
# gains of actuators with several controls, and the controls of a quaternion
_DCMOTOR, _PID, _SO3, _QUAT = 1003, 5, 4, 2
_WIDTHS = {_FREE: (7, 6), _BALL: (4, 3)}
_PULLEY = int(_enums.mjtWrap.mjWRAP_PULLEY)
_ASSETS = ("mesh", "skin", "hfield", "texture", "material", "numeric", "text")
_REFERRING = ("flex", "pair", "exclude", "tendon", "equality", "actuator", "sensor", "tuple")
_TRN = {0: "joint", 1: "joint", 2: "site", 3: "tendon", 4: "site", 5: "body"}
_EQUALITIES = {2: "joint", 3: "tendon", 4: "flex", 5: "flex"}


class Space:
    """Prefix and suffix of the names of an attached model."""

    def __init__(self, prefix, suffix, foreign):
        self.prefix, self.suffix, self.foreign = prefix, suffix, foreign

    def name(self, text):
        return f"{self.prefix}{text}{self.suffix}" if text else text

    def element(self, e):
        """Renames an element and its references to the same kind of thing."""
        e._name = self.name(e._name)
        if e._cls and e._cls != "main" and self.foreign:
            e._cls = self.name(e._cls)
        rename = _NAMED.get(e._kind, ())
        for field, always in rename:
            if always or self.foreign:
                e._set(field, self.name(e._get(field)))
        if "plugin" in e._fields and e._has("plugin"):
            e.plugin._name = self.name(e.plugin._name)

    def body(self, body, own=True):
        """Renames a body and all below it."""
        if own:
            self.element(body)
        for kind in TREE:
            for e in body._walk(kind):
                self.element(e)

    def listed(self, e):
        """Renames an element of a list of the model, with all it names but references that are
        looked for under both names."""
        if e._kind in ("mesh", "texture", "hfield", "skin") and not e._name:
            e._name = file_stem(e.file)
        if e._kind not in ("skin", "flex"):
            self.element(e)
        if e._kind == "flex":
            e.vertbody = [self.name(n) for n in e.vertbody]
            e.nodebody = [self.name(n) for n in e.nodebody]
            if self.foreign:
                e.material = self.name(e.material)
        elif e._kind == "skin":
            e.bodyname = [self.name(n) for n in e.bodyname]
        elif e._kind == "material":
            e.textures = [self.name(n) for n in e.textures]
        elif e._kind == "tuple":
            e.objname = [self.name(n) for n in e.objname]


# names in elements that are renamed with them: always, or only if they come from another model
_NAMED = {
    "geom": (("material", False), ("hfieldname", False), ("meshname", False)),
    "site": (("material", False),),
    "camera": (("targetbody", True),),
    "light": (("targetbody", True), ("texture", True)),
    "equality": (("name1", True), ("name2", True)),
    "actuator": (("target", True), ("refsite", True), ("slidersite", True)),
}


def file_stem(path):
    """The name of a file without its folder and extension."""
    base = path.replace("\\", "/").rpartition("/")[2]
    stem, dot, _ = base.rpartition(".")
    return stem if dot else base


# references


def resolve(e, find, space):
    """Whether the targets of an element exist; names that need it get their namespace."""
    return _RESOLVE.get(e._kind, lambda *_: True)(e, find, space)


def _pairwise(kind, first, second):
    """Two names, of which at least one must be found in the namespace."""

    def resolve(e, find, space):
        own = [getattr(e, first), getattr(e, second)]
        names = [space.prefix + n + space.suffix for n in own]
        found = [find(kind, n) is not None for n in names]
        for i in (0, 1):
            if not found[i] and found[1 - i]:
                names[i] = own[i]
                found[i] = find(kind, own[i]) is not None
        if not all(found):
            return False
        setattr(e, first, names[0])
        setattr(e, second, names[1])
        return True

    return resolve


def _tendon(e, find, space):
    outside = 0
    pulleys = 0
    kinds = {1: "joint", 3: "site", 4: "geom", 5: "geom"}
    for wrap in e._path:
        kind = wrap._get("type")
        if kind == _PULLEY:
            pulleys += 1
            continue
        name, side = wrap._target, wrap._side
        for prefix, suffix in ((space.prefix, space.suffix), ("", "")):
            target = prefix + name + suffix
            other = prefix + side + suffix if side else ""
            found = find(kinds[kind], target) is not None
            if found and other and find("site", other) is None:
                found = False
            if found:
                wrap._target, wrap._side = target, other
                outside += (prefix, suffix) == ("", "") and bool(space.prefix or space.suffix)
                break
        else:
            return False
    return outside != len(e._path) - pulleys


def _equality(e, find, space):
    kind = _EQUALITIES.get(int(e.type)) or OBJECT_NAMES.get(int(e.objtype), "")
    if find(kind, e.name1) is None:
        return False
    return not e.name2 or find(kind, e.name2) is not None


def _actuator(e, find, space):
    kind = _TRN.get(int(e.trntype))
    if kind is None or find(kind, e.target) is None:
        return False
    if int(e.trntype) == 2:
        return find("site", e.slidersite) is not None and e.cranklength > 0
    return not e.refsite or int(e.trntype) != 4 or find("site", e.refsite) is not None


def _sensor(e, find, space):
    kinds = [OBJECT_NAMES.get(int(k), "unknown") for k in (e.objtype, e.reftype)]
    kinds = ["body" if k == "xbody" else k for k in kinds]
    own = [e.objname, e.refname]
    names = [space.prefix + n + space.suffix for n in own]
    wanted = [k != "unknown" for k in kinds]
    found = [w and find(k, n) is not None for w, k, n in zip(wanted, kinds, names)]
    for i in (0, 1):
        if all(wanted) and not found[i] and found[1 - i]:
            names[i] = own[i]
            found[i] = find(kinds[i], own[i]) is not None
    if any(w and not f for w, f in zip(wanted, found)):
        return False
    e.objname, e.refname = names
    return True


def _tuple(e, find, space):
    kinds = [OBJECT_NAMES.get(k, "") for k in e.objtype]
    return bool(kinds) and all(
        find("body" if k == "xbody" else k, n) is not None for k, n in zip(kinds, e.objname)
    )


_RESOLVE = {
    "pair": _pairwise("geom", "geomname1", "geomname2"),
    "exclude": _pairwise("body", "bodyname1", "bodyname2"),
    "tendon": _tendon,
    "equality": _equality,
    "actuator": _actuator,
    "sensor": _sensor,
    "tuple": _tuple,
    "flex": lambda e, find, _: all(find("body", n) is not None for n in (*e.vertbody, *e.nodebody)),
    "skin": lambda e, find, _: all(find("body", n) is not None for n in e.bodyname),
}


# keyframes


def width(joint):
    """Numbers that a joint has in `qpos` and in `qvel`."""
    return _WIDTHS.get(joint._get("type"), (1, 1))


def act_width(actuator):
    """Activations of an actuator."""
    count = actuator._get("actdim")
    if count > 0 or actuator._get("dyntype") == 0:
        return max(count, 0)
    return 3 if actuator._get("gaintype") == _SO3 else 1


def ctrl_width(actuator):
    """Controls of an actuator."""
    gain = actuator._get("gaintype")
    if gain not in (_SO3, _PID, _DCMOTOR):
        return 1
    spec = actuator._get("ctrlspec")
    if gain == _SO3:
        return 4 if spec == _QUAT else 3
    return (spec & 15).bit_count() or (2 if gain == _PID else 1)


def layout(spec):
    """The places of joints, actuators and mocap bodies in a state, and the sizes of its parts."""
    adr = {}
    sizes = dict.fromkeys(("qpos", "qvel", "act", "ctrl", "mpos", "mquat"), 0)

    def take(e, **counts):
        places = adr.setdefault(id(e), {})
        for name, n in counts.items():
            places[name] = slice(sizes[name], sizes[name] + n)
            sizes[name] += n

    for body in spec.bodies:
        for joint in body.joints_:
            nq, nv = width(joint)
            take(joint, qpos=nq, qvel=nv)
        if body._get("mocap"):
            take(body, mpos=3, mquat=4)
    for actuator in spec._lists["actuator"]:
        take(actuator, act=act_width(actuator), ctrl=ctrl_width(actuator))
    return adr, sizes


def holders(spec):
    """All elements that have a part of a keyframe."""
    for body in spec.bodies:
        yield from body.joints_
        yield body
    yield from spec._lists["actuator"]


def store_keys(source, target, space):
    """Puts the keyframes of a model into its elements, to be made again when `target` compiles."""
    if not source._lists["key"]:
        return
    adr, sizes = layout(source)
    for key in source._lists["key"]:
        name = space.prefix + key._name + space.suffix
        given = {}
        for field in sizes:
            data = getattr(key, field)._values
            if len(data) and len(data) != sizes[field]:
                raise ValueError(
                    f"Error: Keyframe '{key._name}' has invalid {field} size, got {len(data)}, "
                    f"should be {sizes[field]}"
                )
            if len(data):
                given[field] = data
        target._pending.append((name, key.time, tuple(given)))
        for e in holders(source):
            places = adr.get(id(e), {})
            parts = {f: given[f][s].copy() for f, s in places.items() if f in given}
            if parts:
                e._keys[name] = parts


def resolve_keys(spec):
    """Makes the keyframes that are pending; missing values are NaN, for the reference."""
    pending, spec._pending = spec._pending, []
    spec._lists["key"] += spec._late_keys
    spec._late_keys = []
    if not pending:
        return []
    adr, sizes = layout(spec)
    made = []
    for name, time, fields in pending:
        key = spec.key(name) if name else None
        if key is None:
            key = CLASSES["key"](spec)
            key._name, key._id = name, len(spec._lists["key"])
            spec._lists["key"].append(key)
        key.time = time
        for field in fields:
            missing = np.nan if field in ("qpos", "mpos", "mquat") else 0.0
            data = np.full(sizes[field], missing)
            for e in holders(spec):
                place = adr.get(id(e), {}).get(field)
                part = e._keys.get(name, {}).get(field)
                if place is not None and part is not None and len(part) == len(data[place]):
                    data[place] = part
            setattr(key, field, data)
        key._partial = True
        made.append(key)
    return made


# attaching


def quat_of(alt, degree, sequence):
    """The quaternion of an orientation that is given otherwise."""
    kind = int(alt.type)
    if kind == 0:
        return [0.0, 0.0, 0.0, 0.0]
    values = getattr(alt, ("", "axisangle", "xyaxes", "zaxis", "euler")[kind]).tolist()
    return list(_sinew.resolve_orientation(bool(degree), sequence, kind, values))


def site_frame(site):
    """A new frame where a site is."""
    frame = MjsFrame(site._spec)
    frame._parent, frame._frame = site._parent, site._frame
    frame.pos, frame.quat = site.pos, site.quat
    if int(site.alt.type):
        compiler = site._spec.compiler
        frame.quat = quat_of(site.alt, compiler.degree, "".join(compiler.eulerseq))
    site._parent.frames_.append(frame)
    return frame


def _copy_class(source, spec, space, parent):
    """A copy of a tree of default classes."""
    waiting = [(source, parent)]
    while waiting:
        old, above = waiting.pop()
        new = MjsDefault(spec, space.name(old._name), None)
        for kind in IN_CLASS:
            mine, other = getattr(new, "_" + kind), getattr(old, "_" + kind)
            mine._assign(other)
            mine._spec, mine._compiler, mine._cls = spec, spec.compiler, new._name
        new._parent = above
        above._children.append(new)
        spec._defaults.append(new)
        waiting.extend((child, new) for child in reversed(old._children))


def _move(body, spec):
    """Makes a body and all below it belong to a model."""
    body._spec, body._id = spec, -1
    for kind in TREE:
        for e in body._walk(kind):
            e._spec, e._id = spec, -1


def copy_element(e, spec, compilers=None):
    """A copy of an element for a model; the caller sets its parent."""
    new = type(e)(spec)
    new._assign(e)
    new._compiler = (compilers or {}).get(id(e._compiler), e._compiler)
    new._place = e._place
    new._keys = dict(e._keys)
    return new


def copy_body(body, spec, compilers=None):
    """A copy of a body with all below it."""
    new = copy_element(body, spec, compilers)
    copy_contents(body, new, spec, compilers)
    return new


def copy_contents(body, new, spec, compilers=None):
    """Copies the contents of a body into another."""
    pairs = [(body, new)]
    for source, target in pairs:
        frames = {}
        for kind in TREE:
            for e in source._list(kind):
                made = copy_element(e, spec, compilers)
                made._parent = target
                target._list(kind).append(made)
                if kind == "frame":
                    frames[id(e)] = made
                elif kind == "body":
                    pairs.append((e, made))
        for kind in TREE:
            for e, made in zip(source._list(kind), target._list(kind)):
                made._frame = frames.get(id(e._frame)) if e._frame is not None else None


def _join(spec, other, space):
    """Brings the lists of another model, as far as they refer to present elements."""
    spec._forget_names()
    kinds = (*_ASSETS, *_REFERRING) if other is not spec else _REFERRING
    for kind in kinds:
        for e in list(other._lists[kind]):
            candidate = copy_element(e, spec) if spec._deepcopy else e
            candidate._spec = spec
            space.listed(candidate)
            if not resolve(candidate, spec._find, space):
                if not spec._deepcopy:
                    candidate._spec = other
                continue
            if spec._deepcopy:
                e._keys = {}
            candidate._id = -1
            spec._lists[kind].append(candidate)
            spec._forget_names()
    if other is not spec:
        spec._plugins_of(other, space)
        other._pending = []
    spec._expand_keys()
    spec._number_lists()


def attach_body(frame, body, prefix, suffix):
    """Attaches a body to a frame."""
    spec, other = frame._spec, body._spec
    if not spec._deepcopy and body in _ancestors(frame._parent):
        raise ValueError(f"Error: body '{body._name}' cannot be attached to what is in it")
    space = Space(prefix, suffix, spec is not other)
    spec._adopt(other)
    store_keys(other, spec, space)
    subtree = copy_body(body, spec) if spec._deepcopy else body
    if spec._deepcopy:
        _forget_keys(body)
    else:
        _move(subtree, spec)
    subtree._parent, subtree._frame = frame._parent, frame
    space.body(subtree)
    if spec is not other:
        _copy_class(other.default, spec, space, spec.default)
    frame._parent.bodies_.append(subtree)
    _join(spec, other, space)
    return subtree


def _forget_keys(body):
    for e in (body, *body._below(), *body._walk("joint")):
        e._keys = {}


def within(frame, other):
    """Whether a frame is another or in it."""
    while frame is not None:
        if frame is other:
            return True
        frame = frame._frame
    return False


def _ancestors(body):
    """A body and those it is in."""
    while body is not None:
        yield body
        body = body._parent


def attach_frame(body, frame, prefix, suffix):
    """Attaches a frame, with all that is in it, to a body."""
    spec, other = body._spec, frame._spec
    source = frame._parent
    inside = any(within(b._frame, frame) for b in _ancestors(body))
    if inside and not spec._deepcopy:
        raise ValueError(f"Error: frame '{frame._name}' cannot be attached to what is in it")
    space = Space(prefix, suffix, spec is not other)
    spec._adopt(other)
    store_keys(other, spec, space)
    if spec is not other:
        _copy_class(other.default, spec, space, spec.default)

    # the frame, its contents, then the bodies in it
    copies = {}
    chosen = [(kind, e) for kind in TREE for e in source._list(kind)]
    chosen = [(k, e) for k, e in chosen if e is frame or within(e._frame, frame)]
    chosen.sort(key=lambda pair: (pair[1] is not frame, pair[0] == "body"))
    for kind, e in chosen:
        if spec._deepcopy:
            new = copy_body(e, spec) if kind == "body" else copy_element(e, spec)
            space.body(new) if kind == "body" else space.element(new)
            copies[id(e)] = new
            if kind == "body":
                _forget_keys(e)
    if not spec._deepcopy:
        _move(source, spec)
        space.body(source, own=False)
    for kind, e in chosen:
        new = copies.get(id(e), e)
        new._parent, new._id = body, -1
        if e is not frame:
            new._frame = copies.get(id(e._frame), e._frame)
        body._list(kind).append(new)
    attached = copies.get(id(frame), frame)
    if spec._deepcopy:
        attached._frame = None
    _join(spec, other, space)
    return attached


# deleting


def delete_body(spec, body):
    """Takes a body out of the tree, with the elements that refer to it."""
    before = {kind: dict(spec._names_of(kind)) for kind in spec._kinds}
    store_keys(spec, spec, Space("", "", False))
    spec._lists["key"].clear()
    parent = body._parent
    if parent is not None:
        parent.bodies_[:] = [b for b in parent.bodies_ if b is not body]
    spec._forget_names()
    old = lambda kind, name: before.get(kind, {}).get(name)
    plain = Space("", "", False)
    for kind in ("pair", "exclude", "tendon", "equality", "actuator", "sensor"):
        kept = []
        for e in spec._lists[kind]:
            if not resolve(e, old, plain) or resolve(e, spec._find, plain):
                kept.append(e)
        spec._lists[kind][:] = kept
        spec._forget_names()
    spec._number_lists()
