"""Random flexes, skins and cables; the same seed always gives the same text.

`python random_flex.py SEED` prints one.
"""
import sys
import xml.etree.ElementTree as ET

import random_model

TYPES = ["grid", "grid", "grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "direct"]
DOFS = ["full"] * 5 + ["radial", "trilinear", "quadratic"]
ELASTIC = ["none", "bend", "stretch", "both"]


def flexcomp(rng, parent, name):
    """A flexcomp of any type; combinations that MuJoCo rejects are rare."""
    kind, dim = rng.choice(TYPES), rng.choice([1, 2, 2, 3])
    dof = rng.choice(DOFS)
    if kind == "circle":
        dim = 1
    elif kind in ("box", "cylinder", "ellipsoid"):
        dim = rng.choice([2, 3])
    elif kind in ("square", "disc", "direct"):
        dim = 2
    if dim == 1 or (dof == "radial" and kind not in ("box", "cylinder", "ellipsoid")):
        dof = "full"
    low = 2 if dim == 3 or kind in ("box", "cylinder", "ellipsoid") else 1
    count = [rng.randint(2, 5), rng.randint(2, 5), rng.randint(low, 4)]
    if dim == 2 and kind in ("grid", "square", "disc"):
        count[2] = 1
    if dof == "quadratic" and dim == 3:
        count = [5, 5, 5]
    elif dof == "trilinear" and dim == 3:
        count = [4, 4, 4]
    attrs = {"name": name, "type": kind, "dim": str(dim), "count": " ".join(map(str, count)), "dof": dof,
             "spacing": rng.numbers(3, .05, .2), "radius": rng.number(.001, .02), "mass": rng.number(.1, 2),
             "pos": rng.numbers(3, -1, 1)}
    if rng.maybe():
        attrs[rng.choice(["euler", "zaxis"])] = rng.numbers(3, .1, 1)
    if rng.maybe(.3):
        attrs["inertiabox"] = rng.number(.001, .1)
    if rng.maybe(.3) and not (dim == 2 and kind in ("box", "cylinder", "ellipsoid")) and kind not in ("circle", "direct"):
        attrs["material"] = "plain"
    if rng.maybe(.2):
        attrs.update(flatskin=rng.flag(), group=str(rng.randint(0, 5)), rgba=rng.numbers(4, 0, 1))
    if rng.maybe(.1):
        attrs["rigid"] = rng.flag()
    if kind == "direct":
        del attrs["count"], attrs["dof"]
        dof = "full"
        attrs["point"] = "0 0 0  .1 0 0  0 .1 .02  9 9 9  .1 .1 0  .2 .05 .1"
        attrs["element"] = rng.choice(["0 1 2 1 4 2", "0 1 2 2 1 4 1 5 4", "0 1 2"])
        attrs["scale"] = rng.numbers(3, .5, 2)
    element = ET.SubElement(parent, "flexcomp", attrs)
    interpolated = dof in ("trilinear", "quadratic")
    points = count[0] * (count[1] if dim > 1 else 1) * (count[2] if dim > 2 else 1)
    pinned = False
    # XML cannot express the positions of a saved flex's pinned nodes
    if kind == "grid" and not interpolated and rng.maybe(.4):
        pinned = True
        pins = {"id": str(rng.randrange(points))}
        if dim > 1 and rng.maybe():
            pins["grid"] = " ".join(str(rng.randrange(n)) for n in count[:dim])
        if rng.maybe(.3):
            pins["range"] = f"0 {rng.randrange(points)}"
        ET.SubElement(element, "pin", pins)
    # MuJoCo writes out of bounds for a rigid flex with damped edges
    if attrs.get("rigid") != "true":
        children(rng, element, dim, interpolated, pinned)


def children(rng, element, dim, interpolated, pinned):
    """Edge, elasticity and contact."""
    elastic = rng.choice(ELASTIC) if dim == 2 else "none"
    if (pinned or interpolated) and elastic in ("bend", "both"):
        elastic = "stretch"
    edge = {}
    if rng.maybe(.6):
        edge["damping"] = rng.number(.01, 1)
    if dim == 1 and rng.maybe():
        edge["stiffness"] = rng.number(1, 10)
    if not interpolated and elastic in ("none", "bend") and rng.maybe():
        edge["equality"] = rng.choice(["true", "true", "false", "vert"] if dim == 2 else ["true", "false"])
        edge["solref"] = f"{rng.number(.01, .1)} 1"
    if edge:
        ET.SubElement(element, "edge", edge)
    if rng.maybe(.7) and not (interpolated and dim < 3):
        attrs = {"young": rng.number(1e3, 1e5), "poisson": rng.number(0, .45), "damping": rng.number(0, .1),
                 "thickness": rng.number(.001, .02)}
        if dim == 2:
            attrs["elastic2d"] = elastic
        ET.SubElement(element, "elasticity", attrs)
    contact = {}
    if interpolated:
        contact["selfcollide"] = "none"
    elif rng.maybe():
        contact["selfcollide"] = rng.choice("none narrow bvh sap auto".split())
        contact["internal"] = rng.flag()
        contact["activelayers"] = str(rng.randint(1, 3))
    if rng.maybe(.4):
        contact.update(contype=str(rng.randint(0, 3)), conaffinity=str(rng.randint(0, 3)), condim=rng.choice("1346"),
                       friction=rng.numbers(rng.randint(1, 3), .01, 1), solmix=rng.number(.1, 2), margin="0.001",
                       priority=str(rng.randint(-1, 1)), vertcollide=rng.flag())
    # XML cannot express a saved flex that is passive and internal
    if "internal" in contact and rng.maybe():
        contact["passive"] = contact["internal"]
    if contact:
        ET.SubElement(element, "contact", contact)


def cable(rng, parent, prefix):
    attrs = {"type": "cable", "prefix": prefix, "initial": rng.choice(["ball", "free", "none"]),
             "offset": rng.numbers(3, -1, 1)}
    if parent.tag == "body" and attrs["initial"] == "free":
        attrs["initial"] = "ball"
    if rng.maybe(.3):
        attrs["vertex"] = "  ".join(f"{.1 * k} {rng.numbers(2, -.05, .05)}" for k in range(rng.randint(4, 6)))
    else:
        attrs["count"] = f"{rng.randint(4, 12)} 1 1"
        attrs["curve"] = rng.choice(["s 0 0", "cos(s) sin(s) s", "s sin(s) 0", "0 s cos(s)"])
        attrs["size"] = rng.choice(["1", "1 .1 2", ".5 .2 1"])
        if rng.maybe():
            attrs["quat"] = "1 " + rng.numbers(3, -.3, .3)
    element = ET.SubElement(parent, "composite", attrs)
    if rng.maybe(.8):
        joint = {"kind": "main", "damping": rng.number(0, .1), "armature": rng.number(0, .01)}
        if rng.maybe(.3):
            joint.update(stiffness=rng.number(0, 1), frictionloss=rng.number(0, .1), range="0 50")
        ET.SubElement(element, "joint", joint)
    shape = rng.choice(["capsule", "cylinder", "box"])
    size = f"{rng.number(.001, .02)}" if shape != "box" else rng.numbers(3, .001, .02)
    ET.SubElement(element, "geom", {"type": shape, "size": size, "rgba": rng.numbers(4, 0, 1)})
    if rng.maybe(.4):
        skin = {"texcoord": rng.flag(), "rgba": rng.numbers(4, 0, 1)}
        if rng.maybe():
            skin["subgrid"] = str(rng.randint(1, 3))
        ET.SubElement(element, "skin", skin)


def skin(rng, parent, bodies):
    element = ET.SubElement(parent, "skin", {"vertex": rng.numbers(12, -1, 1), "face": "0 1 2 0 2 3",
                                             "inflate": rng.number(0, .1)})
    for body in bodies:
        ET.SubElement(element, "bone", {"body": body, "bindpos": rng.numbers(3, -1, 1), "bindquat": rng.numbers(4, .1, 1),
                                        "vertid": "0 1 2 3", "vertweight": rng.numbers(4, .1, 1)})


def model(seed):
    """A model with deformable objects on static and moving bodies."""
    rng = random_model.Random(seed)
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", {"angle": rng.choice(["radian", "degree"])})
    ET.SubElement(ET.SubElement(root, "asset"), "material", {"name": "plain"})
    if rng.maybe(.3):
        default = ET.SubElement(root, "default")
        ET.SubElement(default, "joint", {"damping": rng.number(0, 1), "armature": rng.number(0, .1)})
        ET.SubElement(default, "geom", {"margin": rng.number(0, .01)})
    world = ET.SubElement(root, "worldbody")
    ET.SubElement(world, "geom", {"type": "plane", "size": "5 5 1", "pos": "0 0 -1"})
    bodies = []
    for k in range(rng.randint(1, 3)):
        parent = world
        if rng.maybe():
            parent = ET.SubElement(world, "body", {"name": f"base{k}", "pos": rng.numbers(3, -1, 1)})
            bodies.append(f"base{k}")
            if rng.maybe():
                ET.SubElement(parent, "joint", {"type": rng.choice(["free", "ball", "slide"])})
                ET.SubElement(parent, "geom", {"size": ".05", "pos": rng.numbers(3, -.1, .1)})
        place = ET.SubElement(parent, "frame", {"pos": rng.numbers(3, -1, 1)}) if rng.maybe(.2) else parent
        if rng.maybe(.75):
            flexcomp(rng, place, f"flex{k}")
        else:
            cable(rng, place, f"cable{k}")
    if bodies and rng.maybe(.3):
        skin(rng, ET.SubElement(root, "deformable"), bodies)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


if __name__ == "__main__":
    print(model(int(sys.argv[1])))
