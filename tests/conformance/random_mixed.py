"""Random models in which soft bodies, plugins and sleep meet other features. Models of
`random_model` get flexes, cables, skins, plugins, distance fields and policies of sleep.

`python random_mixed.py SEED` prints one. MuJoCo takes most of them and keeps them finite. Models
that it refuses or that crash it are left out, and soft bodies are no stiffer than their time step
allows.
"""
import sys
import xml.etree.ElementTree as ET

import random_flex
import random_model
import random_sleep

# stable with the stiffest of the flexes below
TIME_STEP = ".0005"
POLICIES = ["auto", "never", "allowed", "allowed"]
# MuJoCo does not let trees sleep that share a tendon
TIED = ["auto", "never"]

CABLE = "mujoco.elasticity.cable"
PID = "mujoco.pid"
TOUCH_GRID = "mujoco.sensor.touch_grid"
FIELDS = {
    "torus": lambda r: {"radius1": r.number(.1, .2), "radius2": r.number(.03, .08)},
    "bowl": lambda r: {"height": r.number(.05, .1), "radius": r.number(.2, .4), "thickness": r.number(.02, .04)},
    "gear": lambda r: {"diameter": r.number(.3, .6), "teeth": str(r.randrange(6, 14)), "thickness": r.number(.1, .2),
                       "innerdiameter": r.number(.05, .15), "alpha": r.number(0, .3)},
    "bolt": lambda r: {"radius": r.number(.2, .3)},
    "nut": lambda r: {"radius": r.number(.2, .3)},
}


# types with points in a plane
FLAT = ["grid", "square", "disc"]


class Mixer:
    """Adds to a model of `random_model`."""

    def __init__(self, seed):
        self.seed = seed
        self.r = random_model.Random(f"mixed {seed}")
        self.root = ET.fromstring(random_model.model(seed))
        self.world = self.root.find("worldbody")
        self.named = {}
        for element in self.root.iter():
            if element.get("name"):
                self.named.setdefault(element.tag, []).append(element.get("name"))
        self.bodies = [b for b in self.root.iter("body") if b.get("name") != "copied" and b.get("mocap") != "true"]
        self.plugins = {}
        self.flexes = []
        # else the material of the flexes is lost
        self.root.find("compiler").attrib.pop("discardvisual", None)

    def model(self):
        r = self.r
        ET.SubElement(self.section("asset"), "material", {"name": "plain"})
        parts = [self.flexcomps, self.flex, self.cable, self.skin, self.pid, self.touch_grid, self.field, self.mesh_field]
        for part, chance in zip(parts, (.6, .25, .35, .3, .35, .25, .25, .2)):
            if r.maybe(chance):
                part()
        if self.root.find(".//flexcomp") is not None or self.flexes:
            self.spare_mujoco()
        if self.flexes or self.root.find(".//composite") is not None:
            ET.SubElement(self.root, "option", timestep=TIME_STEP)
        if r.maybe(.3):
            self.sleep()
        elif r.maybe(.4):
            self.equalities()
        self.extension()
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode")

    def section(self, tag):
        found = self.root.find(tag)
        return ET.SubElement(self.root, tag) if found is None else found

    def place(self):
        """Parent of a new element: the world, or a body."""
        return self.world if not self.bodies or self.r.maybe() else self.r.choice(self.bodies)

    # deformable objects

    def flexcomps(self):
        r = self.r
        for k in range(r.choice([1, 1, 2])):
            random_flex.flexcomp(r, self.place(), f"flexcomp{k}")
            made = next(e for e in self.root.iter("flexcomp") if e.get("name") == f"flexcomp{k}")
            made.set("pos", f"{r.numbers(2, -.5, .5)} {r.number(0, .6)}")
            self.tame(made)
            self.touch(made)
            edge, dim = made.find("edge"), made.get("dim")
            held = edge is not None and edge.get("equality", "false") != "false"
            if made.get("rigid") != "true":
                flat = made.get("type") in FLAT and dim == "2"
                self.flexes.append((made.get("name"), flat, made.get("dof", "full"), held))

    def tame(self, flex):
        """Removes attributes that MuJoCo rejects or that the time step cannot follow."""
        r = self.r
        edge, elasticity = flex.find("edge"), flex.find("elasticity")
        if elasticity is not None:
            elasticity.set("young", r.number(1e2, 1e4))
            elasticity.set("damping", r.choice(["0", r.number(0, .002)]))
            # the centre of a radial flex is a pin
            if flex.get("dof") == "radial" and elasticity.get("elastic2d") in ("bend", "both"):
                elasticity.set("elastic2d", "stretch")
        if edge is not None and edge.get("damping"):
            edge.set("damping", r.number(.001, .2))
        if edge is not None and edge.get("equality") == "vert" and flex.get("type") not in FLAT:
            edge.set("equality", "true")
        if flex.get("type") == "circle":
            flex.set("count", f"{r.randrange(3, 9)} 1 1")

    def spare_mujoco(self):
        """Removes features that MuJoCo computes from uninitialised memory: contacts of flexes with
        height fields, and their rotational rows with a sparse Jacobian."""
        for place in self.root.iter():
            for geom in [e for e in place if e.tag == "geom" and e.get("hfield")]:
                if not any(name == geom.get("name") for name in self.mentioned()):
                    place.remove(geom)
                else:
                    geom.set("contype", "0")
                    geom.set("conaffinity", "0")
        if self.r.maybe():
            ET.SubElement(self.root, "option", jacobian="dense")
            return
        for element in self.root.iter():
            if element.get("condim") in ("4", "6"):
                element.set("condim", "3")

    def mentioned(self):
        """The names that other elements refer to."""
        return {value for e in self.root.iter() for key, value in e.attrib.items() if key != "name"}

    def touch(self, flex):
        """Contacts of every dimension, more often than in `random_flex`."""
        r = self.r
        if flex.get("rigid") == "true" or r.maybe():
            return
        contact = flex.find("contact")
        contact = ET.SubElement(flex, "contact") if contact is None else contact
        contact.set("condim", r.condim())
        r.some(contact, .5, friction=r.friction, solref=r.solref, solimp=r.solimp, vertcollide=r.flag, margin=(0, .01),
               gap=(0, .005))

    def flex(self):
        """A flex over existing bodies."""
        r = self.r
        names = [b.get("name") for b in self.bodies if b.get("name")]
        dim = r.choice([1, 2, 3])
        # flexes cannot refer to merged bodies
        if len(names) <= dim or self.root.find("compiler").get("fusestatic") == "true":
            return
        corners = r.sample(names, dim + 1)
        attrs = {"name": "flex", "dim": str(dim), "body": " ".join(corners), "radius": r.number(.005, .02),
                 "element": " ".join(map(str, range(dim + 1)))}
        if r.maybe():
            attrs["vertex"] = r.numbers(3 * (dim + 1), -.1, .1)
        made = ET.SubElement(self.section("deformable"), "flex", attrs)
        ET.SubElement(made, "contact", {"selfcollide": "none", "internal": "false", "condim": r.condim()})
        if dim == 1:
            ET.SubElement(made, "edge", {"stiffness": r.number(1, 50), "damping": r.number(0, 1)})
        elif r.maybe(.7):
            elasticity = {"young": r.number(10, 1e3), "poisson": r.number(0, .4), "damping": r.number(0, .1)}
            if dim == 2:
                elasticity |= {"elastic2d": r.choice(["none", "stretch"]), "thickness": ".01"}
            ET.SubElement(made, "elasticity", elasticity)
        self.flexes.append(("flex", False, "full", False))

    def cable(self):
        r, place = self.r, self.place()
        random_flex.cable(r, place, "cable")
        made = place.find("composite")
        made.set("offset", r.numbers(3, -.5, .5))
        if r.maybe(.8):
            config = {"twist": r.number(1e4, 1e6), "bend": r.number(1e4, 1e6), "flat": r.flag()}
            if r.maybe(.3):
                config["vmax"] = r.number(.01, 1)
            self.plug(made, CABLE, config, instance=r.maybe(.3))
            made.insert(0, made[-1])
            del made[-1]

    def skin(self):
        names = [b.get("name") for b in self.bodies]
        if names:
            random_flex.skin(self.r, self.section("deformable"), self.r.sample(names, min(2, len(names))))

    def equalities(self):
        r = self.r
        for name, flat, dof, held in self.flexes:
            if dof != "full" or held or r.maybe(.3):
                continue
            tag = "flexvert" if flat and r.maybe(.3) else "flex"
            made = ET.SubElement(self.section("equality"), tag, {"flex": name})
            r.some(made, .3, solref=r.solref, solimp=r.solimp, active=r.flag)

    def sleep(self):
        """Trees that may sleep; MuJoCo rejects sleep with equalities of tendons and flexes."""
        r = self.r
        option = ET.SubElement(self.root, "option", sleep_tolerance=r.choice(["0.05", "1", "20"]))
        ET.SubElement(option, "flag", sleep="enable")
        random_sleep.drop_refused(self.root)
        for edge in self.root.iter("edge"):
            edge.attrib.pop("equality", None)
        policies = TIED if len(self.root.find("tendon")) else POLICIES
        for body in random_sleep.movable_roots(self.world):
            r.some(body, .7, sleep=lambda: r.choice(policies))

    # plugins

    def plug(self, element, plugin, config, instance=False):
        """A plugin with its configuration in the element, or in a named instance."""
        if instance:
            name = f"instance{len(self.plugins.get(plugin, []))}"
            name = plugin.split(".")[-1] + name
            self.plugins.setdefault(plugin, []).append((name, config))
            return ET.SubElement(element, "plugin", {"plugin": plugin, "instance": name})
        self.plugins.setdefault(plugin, [])
        made = element if element.tag == "plugin" else ET.SubElement(element, "plugin", {"plugin": plugin})
        for key, value in config.items():
            ET.SubElement(made, "config", {"key": key, "value": value})
        return made

    def extension(self):
        if not self.plugins:
            return
        extension = ET.Element("extension")
        for plugin, instances in self.plugins.items():
            element = ET.SubElement(extension, "plugin", {"plugin": plugin})
            for name, config in instances:
                made = ET.SubElement(element, "instance", {"name": name})
                for key, value in config.items():
                    ET.SubElement(made, "config", {"key": key, "value": value})
        self.root.insert(0, extension)

    def pid(self):
        r = self.r
        joints = [j.get("name") for j in self.root.iter("joint")
                  if j.get("name") and j.get("type") in ("hinge", "slide")]
        for joint in r.sample(joints, min(len(joints), 2)):
            config = {"kp": r.number(1, 30)}
            r_config = {"ki": (1, 20), "kd": (.1, 2), "imax": (.5, 3), "slewmax": (.5, 3)}
            config |= {key: r.number(*span) for key, span in r_config.items() if r.maybe()}
            # the integral and the last control are activations
            states = ("ki" in config and float(config["ki"]) > 0) + ("slewmax" in config)
            attrs = {"joint": joint, "plugin": PID, "actdim": str(states)}
            if r.maybe(.3):
                attrs |= {"dyntype": r.choice(["filter", "filterexact", "integrator"]), "dynprm": r.number(.05, .2),
                          "actdim": str(states + 1)}
            r.some(made := ET.SubElement(self.section("actuator"), "plugin", attrs), .3,
                   ctrlrange=lambda: r.interval(-1, 1), forcerange=lambda: r.interval(-5, 5), gear=(.5, 2),
                   actearly=r.flag, group=r.group)
            if states == 0 and "dyntype" not in attrs:
                del made.attrib["actdim"]
            self.plug(made, PID, config)

    def touch_grid(self):
        r = self.r
        sites = self.named.get("site", [])
        if not sites:
            return
        made = ET.SubElement(self.section("sensor"), "plugin", {
            "plugin": TOUCH_GRID, "objtype": "site", "objname": r.choice(sites)})
        r.some(made, .2, cutoff=(1, 10))
        self.plug(made, TOUCH_GRID, {"size": f"{r.randrange(1, 6)} {r.randrange(1, 6)}",
                                     "fov": f"{r.number(20, 90)} {r.number(20, 80)}", "gamma": r.number(0, 1),
                                     "nchannel": str(r.randrange(1, 7))})

    # distance fields

    def field(self):
        """A body with a plugin's distance field."""
        r = self.r
        kind = r.choice(list(FIELDS))
        plugin, name = f"mujoco.sdf.{kind}", f"{kind}instance0"
        self.plugins[plugin] = [(name, FIELDS[kind](r))]
        mesh = ET.SubElement(self.section("asset"), "mesh", {"name": f"{kind} mesh"})
        ET.SubElement(mesh, "plugin", {"instance": name})
        geom = self.loose_geom(f"{kind} mesh")
        ET.SubElement(geom, "plugin", {"instance": name})

    def mesh_field(self):
        meshes = [m.get("name") for m in self.root.iter("mesh") if m.get("name") and m.find("plugin") is None]
        if meshes:
            self.loose_geom(self.r.choice(meshes))

    def loose_geom(self, mesh):
        r = self.r
        body = ET.SubElement(self.world, "body", {"pos": f"{r.numbers(2, -.4, .4)} {r.number(.1, .6)}"})
        r.turn(body)
        ET.SubElement(body, "freejoint")
        return ET.SubElement(body, "geom", {"type": "sdf", "mesh": mesh, "condim": r.condim()})


def model(seed):
    return Mixer(seed).model()


if __name__ == "__main__":
    print(model(int(sys.argv[1])))
