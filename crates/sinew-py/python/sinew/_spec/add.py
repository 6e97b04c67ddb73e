"""`add_*` of bodies and frames, and other changes of the tree from inside of it."""

from sinew._spec import tree
from sinew._spec.base import caller
from sinew._spec.elements import CLASSES, LISTS, TREE, MjsBody, MjsDefault, MjsFrame

_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")


def fill(element, arguments):
    """Sets the attributes that `add_*` was given."""
    fields = element._fields
    for names, alt in ((_ORIENTATIONS, "alt"), (tuple("i" + n for n in _ORIENTATIONS), "ialt")):
        if alt not in fields:
            continue
        given = [n for n in names if arguments.get(n) is not None]
        if len(given) > 1:
            most = ", ".join(names[:-1])
            raise ValueError(f"Only one of: {most}, or {names[-1]} can be set.")
        for name in names:
            value = arguments.pop(name, None)
            if value is not None:
                orientation = getattr(element, alt)
                plain = name[1:] if alt == "ialt" else name
                field = type(orientation)._fields[plain]
                if len(value) != field.count:
                    text = f"{name} should be a list/array of size {field.count}."
                    raise ValueError(text)
                field.give(orientation, value)
                orientation.type = 1 + _ORIENTATIONS.index(plain)
    for name, value in arguments.items():
        field = fields.get(name) or getattr(type(element), name, None)
        if name != "name" and not hasattr(field, "give"):
            text = f"add_{element._kind}(): incompatible function arguments: no attribute '{name}'"
            raise TypeError(text)
        if value is None:
            continue
        if name == "name":
            element.name = value
        elif name == "childclass":
            element.childclass = value
        else:
            field.give(element, value)


def _body_methods():
    """`add_*` of bodies and frames, and attaching."""

    def add(kind):
        def add_to(self, default=None, **arguments):
            return _add_in_body(self, kind, default, arguments)

        add_to.__name__ = f"add_{kind}"
        words = "default=None, **attributes"
        add_to.__doc__ = f"add_{kind}({words})\n\nA new {kind}, with the attributes that are given."
        return add_to

    for kind in TREE:
        method = add(kind)
        setattr(MjsBody, method.__name__, method)
        setattr(MjsFrame, method.__name__, method)

    def add_freejoint(self, **arguments):
        """add_freejoint(name=None, group=None, align=None)

        A new free joint, which takes nothing from default classes.
        """
        for name in arguments:
            if name not in ("align", "group", "name"):
                raise TypeError(
                    f"Invalid {name} keyword argument. Valid options are: align, group, name."
                )
        joint = CLASSES["joint"](self._spec)
        joint._cls, joint._place = "main", caller()
        joint.type = 0
        joint._parent = self
        for name, value in arguments.items():
            try:
                setattr(joint, name, value)
            except TypeError:
                raise ValueError(f"{name} is the wrong type.") from None
        self.joints_.append(joint)
        self._spec._signature = None
        return joint

    def attach_body(self, body, prefix=None, suffix=None):
        """attach_body(body, prefix=None, suffix=None)

        Attaches a body of another model here.
        """
        if getattr(body, "_kind", "") != "body":
            raise TypeError(f"attach_body: wanted MjsBody, not {body!r}")
        frame = tree.site_frame(self) if self._kind == "site" else self
        return tree.attach_body(frame, body, prefix or "", suffix or "")

    def attach_frame(self, frame, prefix=None, suffix=None):
        """attach_frame(frame, prefix=None, suffix=None)

        Attaches a frame of another model, with all that is in it.
        """
        if getattr(frame, "_kind", "") != "frame":
            raise TypeError(f"attach_frame: wanted MjsFrame, not {frame!r}")
        return tree.attach_frame(self, frame, prefix or "", suffix or "")

    def to_frame(self):
        """to_frame()

        Makes the body a frame of its parent, with the body's contents.
        """
        return _to_frame(self)

    MjsBody.add_freejoint = add_freejoint
    MjsBody.attach_frame = attach_frame
    MjsBody.to_frame = to_frame
    MjsFrame.attach_body = CLASSES["site"].attach_body = attach_body


def _add_in_body(place, kind, default, arguments):
    """A new element in a body, or in a frame of one."""
    in_frame = place._kind == "frame"
    body = place._parent if in_frame else place
    spec = body._spec
    frame = place if in_frame else None
    if kind == "frame":
        if default is not None and getattr(default, "_kind", "") != "frame":
            raise TypeError(f"add_frame: wanted MjsFrame, not {default!r}")
        frame = frame or default
        default = None
    elif default is not None and not isinstance(default, MjsDefault):
        raise TypeError(f"add_{kind}: wanted MjsDefault, not {default!r}")
    element = spec._new(kind, default or spec._class_of(body._cls), arguments)
    if kind == "body" and arguments.get("childclass") is None:
        element._cls = default._name if default is not None else body._cls
    element._parent, element._frame = body, frame
    body._list(kind).append(element)
    spec._signature = None
    return element


def _to_frame(body):
    """Moves the contents of a body into a frame of its parent, and takes the body out."""
    parent, spec = body._parent, body._spec
    if parent is None:
        raise ValueError("Error: the world cannot become a frame")
    frame = MjsFrame(spec)
    frame._parent, frame._frame, frame._compiler = parent, body._frame, body._compiler
    frame.pos, frame.quat = body.pos, body.quat
    parent.frames_.append(frame)
    for kind in TREE:
        for e in body._list(kind):
            e._parent = parent
            if e._frame is None:
                e._frame = frame
            parent._list(kind).append(e)
        setattr(body, LISTS[kind], [])
    parent.bodies_[:] = [b for b in parent.bodies_ if b is not body]
    spec._forget_names()
    tree.delete_body(spec, body)
    return frame


_body_methods()
