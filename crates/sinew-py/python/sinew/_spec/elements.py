"""The elements of an editable model, with MuJoCo's names and defaults."""

from sinew import _enums
from sinew._spec import values
from sinew._spec.actuator import MjsActuator, MjsSensor
from sinew._spec.base import InBody, MjsElement, class_property
from sinew._spec.fields import IN_CLASS
from sinew._spec.values import Record, add_fields, as_text


def _make(name, table, base=MjsElement, classes=True, doc=""):
    """The class of a kind of element."""
    cls = type(name, (base,), {"__slots__": (), "__doc__": doc, "__module__": "sinew"})
    add_fields(cls, table)
    if classes:
        class_property(cls)
    return cls


MjsGeom = _make("MjsGeom", "geom", InBody, doc="A geom.")
MjsJoint = _make("MjsJoint", "joint", InBody, doc="A joint.")
MjsSite = _make("MjsSite", "site", InBody, doc="A site.")
MjsCamera = _make("MjsCamera", "camera", InBody, doc="A camera.")
MjsLight = _make("MjsLight", "light", InBody, doc="A light.")
MjsFlex = _make("MjsFlex", "flex", classes=False, doc="A flexible object.")
MjsHField = _make("MjsHField", "hfield", classes=False, doc="A height field.")
MjsSkin = _make("MjsSkin", "skin", classes=False, doc="A skin.")
MjsTexture = _make("MjsTexture", "texture", classes=False, doc="A texture.")


class _Pixels(values.Bytes):
    """The pixels of a texture: those that were given, else those that it was compiled to."""

    def __get__(self, element, owner=None):
        if element is None:
            return self
        return element._get("data") or element._spec._pixels(element)


MjsTexture.data = _Pixels("data", "B")
MjsMaterial = _make("MjsMaterial", "material", doc="A material.")
MjsPair = _make("MjsPair", "pair", doc="A pair of geoms that collide.")
MjsExclude = _make("MjsExclude", "exclude", classes=False, doc="Two bodies that do not collide.")
MjsEquality = _make("MjsEquality", "equality", doc="An equality constraint.")
MjsNumeric = _make("MjsNumeric", "numeric", classes=False, doc="Numbers of the user.")
MjsText = _make("MjsText", "text", classes=False, doc="A text of the user.")
MjsTuple = _make("MjsTuple", "tuple", classes=False, doc="A list of objects.")
MjsKey = _make("MjsKey", "key", classes=False, doc="A keyframe.")


class MjsFrame(InBody):
    """A pose that applies to its contents."""

    __slots__ = ()
    __module__ = "sinew"


class MjsBody(InBody):
    """A body, and its contents."""

    __slots__ = ("bodies_", "frames_", "joints_", "geoms_", "sites_", "cameras_", "lights_")
    __module__ = "sinew"

    def __init__(self, spec=None):
        super().__init__(spec)
        for kind in TREE:
            setattr(self, LISTS[kind], [])

    def _list(self, kind):
        return getattr(self, LISTS[kind])

    def _below(self):
        """The bodies below, each before those in it."""
        waiting = self.bodies_[::-1]
        while waiting:
            body = waiting.pop()
            yield body
            waiting.extend(reversed(body.bodies_))

    def _walk(self, kind):
        """The elements of a kind: of this body, then of those below."""
        if kind == "body":
            yield from self._below()
            return
        yield from self._list(kind)
        for body in self._below():
            yield from body._list(kind)

    def find_all(self, kind):
        """find_all(type)

        All elements of a kind, given by its name or as an `mjtObj`, in this body and those below.
        """
        if isinstance(kind, str):
            word = kind
        else:
            word = _OBJECTS.get(int(kind), "")
        if word not in TREE:
            raise ValueError(
                "body.find_all supports the types: body, frame, geom, site, joint, light, camera."
            )
        return list(self._walk(word))

    def find_child(self, name):
        """find_child(name)

        The body of this name among those below.
        """
        name = as_text(name)
        if self._name == name:
            return self
        return next((b for b in self._below() if b._name == name), None)


TREE = ("body", "frame", "joint", "geom", "site", "camera", "light")
LISTS = {
    "body": "bodies_",
    "frame": "frames_",
    "joint": "joints_",
    "geom": "geoms_",
    "site": "sites_",
    "camera": "cameras_",
    "light": "lights_",
}
_OBJECTS = {int(getattr(_enums.mjtObj, "mjOBJ_" + kind.upper())): kind for kind in TREE} | {
    int(_enums.mjtObj.mjOBJ_XBODY): "body"
}

add_fields(MjsFrame, "frame")
add_fields(MjsBody, "body")
class_property(MjsBody)


class _ChildClass:
    """`childclass`: the name of the default class of its contents."""

    __doc__ = "Name of the default class of what is inside."

    def __get__(self, element, owner=None):
        return self if element is None else element._cls

    def __set__(self, element, value):
        element._cls = as_text(value, "childclass")


MjsFrame.childclass = MjsBody.childclass = _ChildClass()


def _tree_access():
    """Lists of a body's contents, with their first and next elements."""
    for kind in TREE:
        name = LISTS[kind].rstrip("_")
        listed = property(lambda self, kind=kind: list(self._list(kind)), doc=f"Its {name}.")
        setattr(MjsBody, name, listed)

        def first(self, kind=kind):
            return next(iter(self._list(kind)), None)

        def after(self, child, kind=kind):
            if not isinstance(child, MjsElement) or child._kind != kind:
                raise TypeError(f"next_{kind}: wanted a {kind}, not {child!r}")
            found = self._list(kind)
            at = next((i for i, e in enumerate(found) if e is child), len(found))
            return found[at + 1] if at + 1 < len(found) else None

        first.__name__, after.__name__ = f"first_{kind}", f"next_{kind}"
        first.__doc__ = f"first_{kind}()\n\nThe first {kind} of the body, or None."
        after.__doc__ = f"next_{kind}(child)\n\nThe {kind} after another, or None."
        setattr(MjsBody, f"first_{kind}", first)
        setattr(MjsBody, f"next_{kind}", after)


_tree_access()


class MjsPlugin(MjsElement):
    """An instance of a plugin, or the reference of an element to one."""

    __slots__ = ()
    __module__ = "sinew"

    @property
    def config(self):
        """Settings of the plugin, as a dictionary of texts."""
        texts = iter(self._config)
        return dict(zip(texts, texts))

    @config.setter
    def config(self, config):
        pairs = sorted((as_text(k), as_text(v)) for k, v in config.items())
        self._config = [text for pair in pairs for text in pair]


add_fields(MjsPlugin, "plugin")
MjsPlugin.name = property(
    lambda self: self._name,
    lambda self, name: setattr(self, "_name", as_text(name, "name")),
    doc="Name of the instance.",
)
values.Plugin.cls = MjsPlugin


class MjsMesh(MjsElement):
    """A mesh."""

    __slots__ = ()
    __module__ = "sinew"

    def make_sphere(self, subdivision):
        """make_sphere(subdivision)

        Makes the mesh a sphere.
        """
        self._make("sphere", [int(subdivision)])

    def make_hemisphere(self, resolution):
        """make_hemisphere(resolution)

        Makes the mesh half a sphere.
        """
        self._make("hemisphere", [int(resolution)])

    def make_cone(self, nedge, radius):
        """make_cone(nedge, radius)

        Makes the mesh a cone or, if the radius at the top is not zero, a prism.
        """
        self._make("cone", [int(nedge), radius])

    def make_supersphere(self, resolution, e, n):
        """make_supersphere(resolution, e, n)

        Makes the mesh an ellipsoid of other powers.
        """
        self._make("supersphere", [int(resolution), e, n])

    def make_supertorus(self, resolution, radius, s, t):
        """make_supertorus(resolution, radius, s, t)

        Makes the mesh a torus of other powers.
        """
        self._make("supertorus", [int(resolution), radius, s, t])

    def make_wedge(self, resolution=(0, 0), fov=(0.0, 0.0), gamma=0):
        """make_wedge(resolution=(0, 0), fov=(0, 0), gamma=0)

        Makes the mesh a part of a sphere.
        """
        self._make("wedge", [int(resolution[0]), int(resolution[1]), *fov, gamma])

    def make_plate(self, resolution=(0, 0)):
        """make_plate(resolution=(0, 0))

        Makes the mesh a rectangle.
        """
        self._make("plate", [int(resolution[0]), int(resolution[1])])


add_fields(MjsMesh, "mesh")
class_property(MjsMesh)


class MjsWrap(Record):
    """An element of a tendon's path."""

    __slots__ = ("_tendon", "_target", "_side", "_prm")
    __module__ = "sinew"

    def __init__(self, tendon, kind, target="", side="", prm=0.0):
        self._set("type", int(kind))
        self._tendon, self._target, self._side, self._prm = tendon, target, side, float(prm)

    @property
    def target(self):
        """The site, geom or joint it passes; None for a pulley."""
        kind = _WRAPPED.get(self._get("type"))
        return self._tendon._spec._find(kind, self._target) if kind else None

    @property
    def sidesite(self):
        """The site on whose side of a geom the tendon passes, or None."""
        if _WRAPPED.get(self._get("type")) != "geom" or not self._side:
            return None
        return self._tendon._spec._find("site", self._side)

    @property
    def divisor(self):
        """The divisor of a pulley; None for other elements."""
        return self._prm if self._get("type") == _enums.mjtWrap.mjWRAP_PULLEY else None

    @property
    def coef(self):
        """The coefficient of a joint; None if it is none."""
        return self._prm if self._get("type") == _enums.mjtWrap.mjWRAP_JOINT else None

    def _copy_to(self, tendon):
        new = MjsWrap(tendon, self._get("type"), self._target, self._side, self._prm)
        new._assign(self)
        return new


add_fields(MjsWrap, "wrap")
_WRAPPED = {
    int(_enums.mjtWrap.mjWRAP_JOINT): "joint",
    int(_enums.mjtWrap.mjWRAP_SITE): "site",
    int(_enums.mjtWrap.mjWRAP_SPHERE): "geom",
    int(_enums.mjtWrap.mjWRAP_CYLINDER): "geom",
}


class MjsTendonPath:
    """Elements of the path, in order."""

    __slots__ = ("_tendon",)

    def __init__(self, tendon):
        self._tendon = tendon

    def __len__(self):
        return len(self._tendon._path)

    def __getitem__(self, i):
        path = self._tendon._path
        if not 0 <= int(i) < len(path):
            raise IndexError("Index out of range.")
        return path[int(i)]


class MjsTendon(MjsElement):
    """A tendon."""

    __slots__ = ("_path",)
    __module__ = "sinew"

    def __init__(self, spec=None):
        super().__init__(spec)
        self._path = []

    path = property(MjsTendonPath, doc="What the tendon passes, in order.")

    def default(self):
        """default()

        The default class.
        """
        return self._spec._class_of(self._cls)

    def _wrap(self, kind, *args):
        wrap = MjsWrap(self, getattr(_enums.mjtWrap, kind), *args)
        self._path.append(wrap)
        return wrap

    def wrap_site(self, name):
        """wrap_site(name)

        Lets the tendon pass a site.
        """
        return self._wrap("mjWRAP_SITE", as_text(name))

    def wrap_geom(self, name, sidesite):
        """wrap_geom(name, sidesite)

        Lets the tendon wrap around a sphere or cylinder.
        """
        return self._wrap("mjWRAP_SPHERE", as_text(name), as_text(sidesite))

    def wrap_joint(self, name, coef):
        """wrap_joint(name, coef)

        Adds a joint to a fixed tendon.
        """
        return self._wrap("mjWRAP_JOINT", as_text(name), "", coef)

    def wrap_pulley(self, divisor):
        """wrap_pulley(divisor)

        Divides the tendon by a pulley.
        """
        return self._wrap("mjWRAP_PULLEY", "", "", divisor)

    def _assign(self, other):
        super()._assign(other)
        self._path = [w._copy_to(self) for w in other._path]


add_fields(MjsTendon, "tendon")

CLASSES = {
    cls._kind: cls
    for cls in (
        MjsBody, MjsFrame, MjsGeom, MjsJoint, MjsSite, MjsCamera, MjsLight, MjsFlex, MjsMesh,
        MjsHField, MjsSkin, MjsTexture, MjsMaterial, MjsPair, MjsExclude, MjsEquality, MjsTendon,
        MjsActuator, MjsSensor, MjsNumeric, MjsText, MjsTuple, MjsKey, MjsPlugin,
    )
}  # fmt: skip

class MjsDefault:
    """A default class: an element of every kind from which new elements take their attributes."""

    __slots__ = ("_spec", "_name", "_parent", "_children", *("_" + kind for kind in IN_CLASS))
    _kind = "default"
    __module__ = "sinew"

    def __init__(self, spec, name, parent=None):
        self._spec, self._name, self._parent, self._children = spec, name, parent, []
        for kind in IN_CLASS:
            element = CLASSES[kind](spec)
            if parent is not None:
                element._assign(getattr(parent, "_" + kind))
            element._name, element._cls = "", name
            setattr(self, "_" + kind, element)

    @property
    def name(self):
        """The name of the class."""
        return self._name

    @name.setter
    def name(self, name):
        self._name = as_text(name)


for _kind in IN_CLASS:
    setattr(
        MjsDefault,
        _kind,
        property(lambda self, k="_" + _kind: getattr(self, k), doc=f"Defaults of a {_kind}."),
    )
