"""Random models with a little of everything in them; the same seed always gives the same text.

`python random_model.py SEED` prints one.
"""
import random
import sys
import xml.etree.ElementTree as ET

SHAPES = ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
JOINTS = [["hinge"], ["slide"], ["ball"], ["hinge", "hinge"], ["slide", "hinge"], ["slide", "slide"], ["slide", "ball"]]
ACTUATORS = "motor position velocity intvelocity damper cylinder muscle adhesion general".split()
MUSCLE = ".75 1.05 10 200 .5 1.6 1.5 1.3 1.2"
SITE_SENSORS = "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split()
FRAME_SENSORS = ("framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc "
                 "frameangacc").split()
CONTACT_DATA = ["found", "found force", "found force torque dist pos normal tangent", "dist pos"]
DISABLED = ("constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent "
            "actuation refsafe sensor midphase eulerdamp nativeccd island").split()
ENABLED = "override energy fwdinv invdiscrete multiccd".split()
CLASSED = "geom joint site fixed spatial connect weld motor position velocity general camera pair".split()


class Random(random.Random):
    """Random attributes."""

    def number(self, low, high):
        return f"{self.uniform(low, high):.4g}"

    def numbers(self, n, low, high):
        return " ".join(self.number(low, high) for _ in range(n))

    def interval(self, low, high):
        a, b = sorted((self.uniform(low, high), self.uniform(low, high)))
        return f"{a:.4g} {b + .01:.4g}"

    def maybe(self, chance=.5):
        return self.random() < chance

    def flag(self):
        return self.choice(["true", "false"])

    def group(self):
        return str(self.randrange(6))

    def condim(self):
        return str(self.choice([1, 3, 4, 6]))

    def rgba(self):
        return self.numbers(4, 0, 1)

    def solref(self):
        return self.choice([f"{self.number(.005, .05)} {self.number(.5, 1.5)}",
                            f"{self.number(-2000, -100)} {self.number(-50, -1)}"])

    def solimp(self):
        return (f"{self.number(.5, .9)} {self.number(.9, .99)} {self.number(.0005, .01)} {self.number(.2, .8)} "
                f"{self.choice([1, 1.5, 2, 3])}")

    def friction(self):
        return f"{self.number(.1, 1.5)} {self.number(.001, .05)} {self.number(.0001, .01)}"

    def some(self, element, chance, **attributes):
        """Sets each attribute with a probability: to a range of numbers, or to the result of a
        function."""
        for name, value in attributes.items():
            if self.maybe(chance):
                element.set(name, self.number(*value) if isinstance(value, tuple) else value())

    def turn(self, element, chance=.5):
        """An orientation of any type."""
        if self.maybe(chance):
            kind = self.choice(["quat", "euler", "axisangle", "xyaxes", "zaxis"])
            element.set(kind, {"quat": self.numbers(4, -1, 1), "euler": self.numbers(3, -90, 90),
                               "axisangle": self.numbers(3, -1, 1) + " " + self.number(-120, 120),
                               "xyaxes": self.numbers(6, -1, 1), "zaxis": self.numbers(3, -1, 1)}[kind])

    def delay(self, element):
        element.set("nsample", str(self.randrange(2, 6)))
        element.set("delay", self.number(.002, .01))
        element.set("interp", self.choice(["zoh", "linear", "cubic"]))


class Maker:
    """Builds a model, and records its names."""

    def __init__(self, seed):
        self.r = Random(seed)
        self.named = {}
        self.count = 0
        self.root = ET.Element("mujoco", model=f"random {seed}")

    def name(self, *kinds):
        self.count += 1
        for kind in kinds:
            self.named.setdefault(kind, []).append(f"n{self.count}")
        return f"n{self.count}"

    def all(self, kind):
        return self.named.get(kind, [])

    def one(self, kind):
        return self.r.choice(self.named[kind])

    def two(self, kind):
        return self.r.sample(self.named[kind], 2)

    def model(self):
        self.settings()
        self.defaults()
        self.assets()
        self.world()
        self.contact()
        self.tendons()
        self.equality()
        self.actuators()
        self.sensors()
        self.custom()
        self.classify()
        self.replicate()
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode")

    # settings

    def settings(self):
        r = self.r
        compiler = ET.SubElement(self.root, "compiler", balanceinertia="true")
        r.some(compiler, .15, inertiafromgeom=lambda: r.choice(["true", "auto"]), boundmass=(.01, .5),
               boundinertia=(.001, .01), settotalmass=(1, 20), alignfree=r.flag, fusestatic=r.flag,
               discardvisual=r.flag, inertiagrouprange=lambda: "0 4",
               eulerseq=lambda: r.choice(["xyz", "XYZ", "zyx", "xyx"]))
        # MuJoCo crashes when it merges a body with a camera or a light, and mistakes geoms for others while it merges
        self.fused = compiler.get("fusestatic") == "true"

        option = ET.SubElement(self.root, "option")
        r.some(option, .3, timestep=(.0005, .005), density=(0, 50), viscosity=(0, 1), impratio=(.3, 10),
               gravity=lambda: r.numbers(3, -5, 5), wind=lambda: r.numbers(3, -2, 2),
               magnetic=lambda: r.numbers(3, -1, 1), cone=lambda: r.choice(["pyramidal", "elliptic"]),
               integrator=lambda: r.choice(["Euler", "RK4", "implicit", "implicitfast"]),
               jacobian=lambda: r.choice(["dense", "sparse"]), solver=lambda: r.choice(["Newton", "CG", "PGS"]),
               noslip_iterations=lambda: r.choice(["0", "3"]))
        if r.maybe(.1):
            r.some(option, .7, o_margin=(0, .05), o_solref=r.solref, o_solimp=r.solimp,
                   o_friction=lambda: r.numbers(5, .01, 1))
        flags = ET.SubElement(option, "flag")
        r.some(flags, .03, **{flag: lambda: "disable" for flag in DISABLED})
        r.some(flags, .12, **{flag: lambda: "enable" for flag in ENABLED})
        # inverse dynamics rejects these
        if option.get("integrator") == "RK4" and flags.get("invdiscrete"):
            flags.attrib.pop("fwdinv", None)

    def defaults(self):
        top = ET.SubElement(self.root, "default")
        self.fill_default(top)
        for _ in range(self.r.choice([0, 1, 2])):
            outer = ET.SubElement(top, "default", {"class": self.name("class")})
            self.fill_default(outer)
            if self.r.maybe():
                self.fill_default(ET.SubElement(outer, "default", {"class": self.name("class")}))

    def fill_default(self, default):
        r = self.r

        def fill(tag, chance, **attributes):
            if r.maybe(.3):
                r.some(ET.SubElement(default, tag), chance, **attributes)

        fill("geom", .25, friction=(.3, 1.2), margin=(0, .02), density=(300, 1500), solmix=(.5, 2), condim=r.condim,
             solref=r.solref, rgba=r.rgba, group=r.group)
        fill("joint", .25, damping=(0, 2), armature=(0, .1), frictionloss=(0, .2), stiffness=(0, 5), margin=(0, .02),
             solreflimit=r.solref)
        fill("site", .4, size=(.01, .05), rgba=r.rgba, group=r.group)
        fill("tendon", .3, stiffness=(0, 5), damping=(0, 1), width=(.001, .01))
        fill("equality", .4, solref=r.solref, solimp=r.solimp)
        fill(r.choice(["motor", "general"]), .4, gear=(.5, 2), ctrlrange=lambda: r.interval(-1, 1),
             forcerange=lambda: r.interval(-9, 9))
        fill("pair", .4, condim=r.condim, margin=(0, .02))
        fill("camera", .5, fovy=(30, 90), ipd=(.05, .1))

    def assets(self):
        r = self.r
        asset = ET.SubElement(self.root, "asset")
        for _ in range(r.choice([0, 1, 2])):
            points = r.choice([4, 6, 8, 20, 60])
            mesh = ET.SubElement(asset, "mesh", name=self.name("mesh"))
            mesh.set("vertex", "  ".join(r.numbers(3, -.15, .15) for _ in range(points)))
            r.some(mesh, .3, scale=lambda: r.numbers(3, .5, 1.5), refpos=lambda: r.numbers(3, -.05, .05),
                   refquat=lambda: r.numbers(4, -1, 1), inertia=lambda: r.choice(["convex", "exact", "shell"]),
                   maxhullvert=lambda: r.choice(["4", "10", "-1"]))
        if r.maybe(.25):
            rows, cols = r.randrange(3, 7), r.randrange(3, 7)
            ET.SubElement(asset, "hfield", name=self.name("hfield"), nrow=str(rows), ncol=str(cols),
                          size=f"{r.number(.8, 2)} {r.number(.8, 2)} {r.number(.1, .4)} .1",
                          elevation=r.numbers(rows * cols, 0, 1))

    # the kinematic tree

    def world(self):
        r = self.r
        world = ET.SubElement(self.root, "worldbody")
        if self.all("hfield"):
            ET.SubElement(world, "geom", name=self.name("geom"), type="hfield", hfield=self.one("hfield"),
                          pos=r.numbers(2, -.3, .3) + " 0")
        for _ in range(r.choice([1, 1, 2, 3])):
            self.geom(world, "plane" if r.maybe(.4) else r.choice(SHAPES))
        self.site(world)
        for _ in range(r.choice([1, 2, 3, 4])):
            self.body(world, 0)
        if r.maybe(.2):
            mocap = ET.SubElement(world, "body", name=self.name("body"), mocap="true", pos=r.numbers(3, -1, 1))
            self.geom(mocap, r.choice(SHAPES))
            self.site(mocap)

    def body(self, parent, depth):
        r = self.r
        pos = r.numbers(3, -.3, .3) if depth else f"{r.numbers(2, -.8, .8)} {r.number(.1, 1)}"
        body = ET.SubElement(parent, "body", name=self.name("body"), pos=pos)
        r.turn(body, .3)
        r.some(body, .15, gravcomp=(0, 1.2))
        if depth == 0 and r.maybe(.35):
            joint = ET.SubElement(body, r.choice(["joint", "freejoint"]), name=self.name("joint"))
            if joint.tag == "joint":
                joint.set("type", "free")
                r.some(joint, .5, damping=(0, 1), armature=(0, .1))
        elif depth == 0 or r.maybe(.88):
            for kind in r.choice(JOINTS):
                self.joint(body, kind)
        for _ in range(r.choice([1, 1, 2])):
            self.geom(body, r.choice(SHAPES))
        if r.maybe(.15):
            inertial = ET.SubElement(body, "inertial", pos=r.numbers(3, -.1, .1), mass=r.number(.2, 2),
                                     diaginertia=r.numbers(3, .01, .02))
            r.turn(inertial)
        for _ in range(r.choice([0, 1, 2])):
            self.site(body)
        if not self.fused:
            self.onlookers(body)
        for _ in range(r.choice([0, 0, 1, 1, 2]) if depth < 4 else 0):
            self.body(body, depth + 1)

    def onlookers(self, body):
        r = self.r
        if r.maybe(.2):
            camera = ET.SubElement(body, "camera", name=self.name("camera"), pos=r.numbers(3, -.2, .2))
            r.turn(camera)
            r.some(camera, .4, fovy=(30, 80),
                   mode=lambda: r.choice(["fixed", "track", "trackcom", "targetbody", "targetbodycom"]))
            if "target" in camera.get("mode", ""):
                camera.set("target", self.one("body"))
        if r.maybe(.1):
            ET.SubElement(body, "light", pos=r.numbers(3, -.2, .2), mode=r.choice(["fixed", "track", "trackcom"]))

    def joint(self, body, kind):
        r = self.r
        joint = ET.SubElement(body, "joint", name=self.name("joint", "ball" if kind == "ball" else "scalar"), type=kind)
        r.some(joint, .25, stiffness=(0, 30), damping=(0, 2), frictionloss=(0, .5), armature=(0, .2), margin=(0, .1),
               pos=lambda: r.numbers(3, -.1, .1), solreflimit=r.solref, solimplimit=r.solimp, solreffriction=r.solref,
               solimpfriction=r.solimp, group=r.group, actuatorgravcomp=r.flag)
        if kind == "ball":
            r.some(joint, .4, range=lambda: f"0 {r.number(10, 80)}")
            return
        joint.set("axis", r.numbers(3, -1, 1))
        scale = 20 if kind == "hinge" else .2
        r.some(joint, .2, springref=(-scale, scale), ref=(-scale, scale), actuatorfrcrange=lambda: r.interval(-5, 5),
               springdamper=lambda: f"{r.number(.1, 1)} {r.number(.3, 2)}")
        if r.maybe(.4):
            joint.set("range", r.interval(-3 * scale, 3 * scale))
            self.named.setdefault("limited joint", []).append(joint.get("name"))

    def geom(self, body, kind):
        r = self.r
        if kind == "mesh" and not self.all("mesh"):
            kind = "box"
        wraps = ["wrapped"] if kind in ("sphere", "cylinder") else []
        geom = ET.SubElement(body, "geom", name=self.name("geom", *wraps), type=kind)
        if kind in ("capsule", "cylinder", "box", "ellipsoid") and r.maybe(.3):
            geom.set("fromto", r.numbers(6, -.25, .25))
            geom.set("size", r.numbers(1 if kind in ("capsule", "cylinder") else 2, .03, .1))
        else:
            if kind == "mesh":
                geom.set("mesh", self.one("mesh"))
            elif kind == "plane":
                geom.set("size", r.choice(["0 0 .1", "3 3 .1"]))
            else:
                geom.set("size", r.numbers(1 if kind == "sphere" else 3, .03, .2))
            geom.set("pos", r.numbers(3, -.15, .15))
            r.turn(geom, .1 if kind == "plane" else .5)
        r.some(geom, .2, solmix=(.1, 3), margin=(0, .05), gap=(0, .03), condim=r.condim, friction=r.friction,
               solref=r.solref, solimp=r.solimp, group=r.group, rgba=r.rgba, contype=lambda: str(r.randrange(4)),
               conaffinity=lambda: str(r.randrange(4)), priority=lambda: str(r.randrange(3)),
               fluidshape=lambda: r.choice(["none", "ellipsoid"]))
        if kind != "plane":
            r.some(geom, .2, density=(200, 2000), mass=(.1, 2))
        if kind not in ("plane", "mesh"):
            r.some(geom, .2, shellinertia=r.flag)
        r.some(geom, .1, fluidcoef=lambda: r.numbers(5, 0, 2))

    def site(self, body):
        r = self.r
        kind = r.choice(["sphere", "capsule", "ellipsoid", "cylinder", "box"])
        site = ET.SubElement(body, "site", name=self.name("site"), type=kind, pos=r.numbers(3, -.2, .2),
                             size=r.numbers(3, .02, .2))
        r.turn(site)

    # elements that act on the tree

    def contact(self):
        r = self.r
        contact = ET.SubElement(self.root, "contact")
        if r.maybe(.3):
            first, second = self.two("geom")
            pair = ET.SubElement(contact, "pair", geom1=first, geom2=second)
            r.some(pair, .4, margin=(0, .05), gap=(0, .02), condim=r.condim, friction=lambda: r.numbers(5, .01, 1),
                   solref=r.solref, solimp=r.solimp, solreffriction=r.solref)
        if r.maybe(.2) and len(self.all("body")) > 1:
            first, second = self.two("body")
            ET.SubElement(contact, "exclude", body1=first, body2=second)

    def tendons(self):
        r = self.r
        tendons = ET.SubElement(self.root, "tendon")
        for _ in range(r.choice([0, 1, 2]) if self.all("scalar") else 0):
            tendon = ET.SubElement(tendons, "fixed", name=self.name("tendon"))
            joints = self.all("scalar")
            for joint in r.sample(joints, min(len(joints), r.choice([1, 2, 3]))):
                ET.SubElement(tendon, "joint", joint=joint, coef=r.number(-2, 2))
            self.tendon(tendon, wrapped=False)
        for _ in range(r.choice([0, 0, 1, 2]) if len(self.all("site")) > 1 else 0):
            tendon = ET.SubElement(tendons, "spatial", name=self.name("tendon"))
            last = self.one("site")
            ET.SubElement(tendon, "site", site=last)
            for _ in range(r.choice([1, 2, 3])):
                last = self.segment(tendon, last)
            self.tendon(tendon, wrapped=tendon.find("geom") is not None)

    def segment(self, tendon, last):
        """The next segment of a tendon, to a site that is not the last."""
        r = self.r
        others = [site for site in self.all("site") if site != last]
        if self.all("wrapped") and not self.fused and r.maybe(.4):
            geom = ET.SubElement(tendon, "geom", geom=self.one("wrapped"))
            if r.maybe():
                geom.set("sidesite", self.one("site"))
        elif r.maybe(.2):
            ET.SubElement(tendon, "site", site=r.choice(others))
            ET.SubElement(tendon, "pulley", divisor=r.number(1, 3))
            ET.SubElement(tendon, "site", site=last)
        ET.SubElement(tendon, "site", site=(last := r.choice(others)))
        return last

    def tendon(self, tendon, wrapped):
        r = self.r
        r.some(tendon, .3, stiffness=(0, 50), damping=(0, 2), frictionloss=(0, .5), margin=(0, .1),
               springlength=lambda: r.interval(0, .5), solreflimit=r.solref, solimplimit=r.solimp,
               solreffriction=r.solref, solimpfriction=r.solimp, actuatorfrcrange=lambda: r.interval(-5, 5),
               range=lambda: r.interval(-.5, 1))
        if not wrapped:
            r.some(tendon, .3, armature=(0, .1))
        if tendon.get("range"):
            self.named.setdefault("limited tendon", []).append(tendon.get("name"))

    def equality(self):
        r = self.r
        equality = ET.SubElement(self.root, "equality")
        for _ in range(r.choice([0, 0, 1, 2, 3])):
            kind = r.choice(["connect", "weld", "joint", "tendon"])
            objects = {"joint": "scalar", "tendon": "tendon"}.get(kind) or r.choice(["body", "body", "site"])
            if len(self.all(objects)) < 2:
                continue
            first, second = self.two(objects)
            word = kind if objects in ("scalar", "tendon") else objects
            made = ET.SubElement(equality, kind, {word + "1": first})
            if objects == "site" or r.maybe(.7):
                made.set(word + "2", second)
            if objects in ("scalar", "tendon"):
                made.set("polycoef", r.numbers(5, -.3, .3))
            if objects == "body" and (kind == "connect" or r.maybe(.3)):
                made.set("anchor", r.numbers(3, -.2, .2))
            if kind == "weld":
                r.some(made, .3, torquescale=(.1, 2))
            r.some(made, .3, solref=r.solref, solimp=r.solimp, active=r.flag)

    def actuators(self):
        actuators = ET.SubElement(self.root, "actuator")
        for _ in range(self.r.choice([0, 1, 2, 4])):
            actuator = ET.Element(self.r.choice(ACTUATORS))
            if self.transmission(actuator):
                actuator.set("name", self.name("actuator"))
                self.actuation(actuator)
                actuators.append(actuator)

    def transmission(self, actuator):
        r = self.r
        ways = ["joint", "joint", "tendon"] + ["site", "slidercrank"] * (actuator.tag != "muscle")
        way = "body" if actuator.tag == "adhesion" else r.choice(ways)
        if way == "body":
            actuator.set("body", self.one("body"))
        elif way in ("joint", "tendon") and self.all(way):
            actuator.set("jointinparent" if way == "joint" and r.maybe(.3) else way, self.one(way))
        elif way in ("site", "slidercrank") and len(self.all("site")) > 1:
            first, second = self.two("site")
            if way == "site":
                actuator.set("site", first)
                r.some(actuator, .5, refsite=lambda: second)
            else:
                actuator.set("cranksite", first)
                actuator.set("slidersite", second)
                actuator.set("cranklength", r.number(.1, .6))
        else:
            return False
        if way != "body":
            r.some(actuator, .4, gear=lambda: r.numbers(6 if way in ("joint", "site") else 1, -2, 2))
        return True

    def actuation(self, actuator):
        r = self.r
        kind = actuator.tag
        {"muscle": self.muscle, "general": self.general, "position": self.servo}.get(kind, lambda a: None)(actuator)
        if kind == "velocity":
            r.some(actuator, .5, kv=(.1, 5))
        elif kind == "intvelocity":
            r.some(actuator, .5, kp=(1, 50))
            actuator.set("actrange", r.interval(-1, 1))
        elif kind == "damper":
            actuator.set("kv", r.number(.1, 3))
        elif kind == "cylinder":
            r.some(actuator, .4, timeconst=(.01, .5), bias=lambda: r.numbers(3, -1, 1))
            actuator.set(r.choice(["area", "diameter"]), r.number(.1, 2))
        elif kind == "adhesion":
            actuator.set("gain", r.number(1, 10))
        if kind in ("adhesion", "damper"):
            actuator.set("ctrlrange", f"0 {r.number(.5, 2)}")
        else:
            r.some(actuator, .3, ctrlrange=lambda: r.interval(-1, 1), forcerange=lambda: r.interval(-20, 20))
        r.some(actuator, .15, group=r.group)
        if kind in ("motor", "position", "velocity") and r.maybe(.1):
            r.delay(actuator)

    def servo(self, actuator):
        self.r.some(actuator, .4, kp=(1, 50), timeconst=(.01, .1))
        actuator.set(*self.r.choice([("kv", self.r.number(0, 5)), ("dampratio", self.r.number(.2, 2))]))

    def muscle(self, actuator):
        r = self.r
        actuator.set("lengthrange", r.interval(.1, 1.5))
        r.some(actuator, .3, force=(1, 50), scale=(10, 300), tausmooth=(0, .5), fpmax=(1, 2),
               range=lambda: f"{r.number(.5, .8)} {r.number(.9, 1.2)}",
               timeconst=lambda: f"{r.number(.005, .02)} {r.number(.02, .06)}")

    def general(self, actuator):
        r = self.r
        dynamics = r.choice(["none", "integrator", "filter", "filterexact", "muscle"])
        gain, bias = r.choice(["fixed", "affine", "muscle"]), r.choice(["none", "affine", "muscle"])
        muscle = "muscle" in (gain, bias)
        for key, value in dict(dyntype=dynamics, gaintype=gain, biastype=bias, lengthrange=r.interval(.1, 1.5),
                               gainprm=MUSCLE if muscle else r.numbers(3, -5, 5),
                               biasprm=MUSCLE if muscle else r.numbers(3, -5, 5),
                               dynprm=r.numbers(3 if dynamics == "muscle" else 1, .01, .2)).items():
            actuator.set(key, value)
        if dynamics != "none":
            r.some(actuator, .4, actrange=lambda: r.interval(-1, 1), actearly=r.flag)

    # sensors and the rest

    def sensors(self):
        r = self.r
        sensors = ET.SubElement(self.root, "sensor")
        makers = [self.site_sensor, self.frame_sensor, self.object_sensor, self.limit_sensor, self.distance_sensor,
                  self.contact_sensor, self.seeing_sensor]
        for _ in range(r.choice([0, 3, 8, 16])):
            sensor = r.choice(makers)()
            if sensor is None:
                continue
            sensors.append(sensor)
            sensor.set("name", self.name("sensor"))
            r.some(sensor, .1, noise=(.01, .1), interval=lambda: f"{r.number(.003, .01)} {r.number(-.002, 0)}")
            if r.maybe(.1):
                r.delay(sensor)

    def site_sensor(self):
        sensor = ET.Element(self.r.choice(SITE_SENSORS), site=self.one("site"))
        self.r.some(sensor, .2, cutoff=(.1, 5))
        return sensor

    def frame_sensor(self):
        r = self.r

        def frame():
            kind = r.choice(["body", "xbody", "geom", "site"])
            return kind, self.one("body" if kind == "xbody" else kind)

        kind, name = frame()
        sensor = ET.Element(r.choice(FRAME_SENSORS), objtype=kind, objname=name)
        if r.maybe(.4) and "acc" not in sensor.tag:
            kind, name = frame()
            sensor.set("reftype", kind)
            sensor.set("refname", name)
        return sensor

    def object_sensor(self):
        r = self.r
        tags = {"scalar": "jointpos jointvel jointactuatorfrc", "ball": "ballquat ballangvel",
                "tendon": "tendonpos tendonvel tendonactuatorfrc", "actuator": "actuatorpos actuatorvel actuatorfrc",
                "body": "subtreecom subtreelinvel subtreeangmom", None: "clock e_potential e_kinetic"}
        kind = r.choice(list(tags))
        if kind and not self.all(kind):
            return None
        sensor = ET.Element(r.choice(tags[kind].split()))
        if kind:
            sensor.set("joint" if kind in ("scalar", "ball") else kind, self.one(kind))
        if sensor.tag != "ballquat":
            r.some(sensor, .2, cutoff=(.1, 5))
        return sensor

    def limit_sensor(self):
        kind = self.r.choice(["joint", "tendon"])
        if not self.all("limited " + kind):
            return None
        tag = kind + self.r.choice(["limitpos", "limitvel", "limitfrc"])
        return ET.Element(tag, {kind: self.one("limited " + kind)})

    def distance_sensor(self):
        if len(self.all("body")) < 2:
            return None
        first, second = self.two("body")
        tag = self.r.choice(["distance", "normal", "fromto"])
        return ET.Element(tag, body1=first, body2=second, cutoff=self.r.number(.5, 3))

    def contact_sensor(self):
        r = self.r
        key, kind = r.choice([("geom1", "geom"), ("body1", "body"), ("subtree1", "body"), ("site", "site")])
        sensor = ET.Element("contact", {key: self.one(kind)}, num=r.choice("124"), data=r.choice(CONTACT_DATA),
                            reduce=r.choice(["none", "mindist", "maxforce", "netforce"]))
        r.some(sensor, .3, geom2=lambda: self.one("geom"))
        return sensor

    def seeing_sensor(self):
        r = self.r
        if self.all("camera") and r.maybe():
            return ET.Element("camprojection", site=self.one("site"), camera=self.one("camera"))
        return ET.Element("insidesite", objtype=r.choice(["xbody", "body"]), objname=self.one("body"),
                          site=self.one("site"))

    def custom(self):
        r = self.r
        custom = ET.SubElement(self.root, "custom")
        if r.maybe():
            ET.SubElement(custom, "numeric", name="numbers", size="4", data=r.numbers(3, -1, 1))
        if r.maybe():
            ET.SubElement(custom, "text", name="words", data="some words")
        if r.maybe():
            made = ET.SubElement(custom, "tuple", name="tuple")
            for kind in ("geom", "site", "body"):
                ET.SubElement(made, "element", objtype=kind, objname=self.one(kind), prm=r.number(0, 1))
        r.some(ET.SubElement(self.root, "statistic"), .1, meaninertia=(.1, 2), meanmass=(.1, 2), meansize=(.1, 1),
               extent=(1, 3), center=lambda: r.numbers(3, -1, 1))
        r.some(ET.SubElement(self.root, "size"), .1, nuserdata=lambda: "3", nuser_geom=lambda: "2",
               nuser_body=lambda: "1", nuser_sensor=lambda: "2")

    def classify(self):
        """Assigns classes to elements and bodies, and puts frames around some."""
        r = self.r
        defaults = {e for d in self.root.findall("default") for e in d.iter()}
        for element in [e for e in self.root.iter() if e not in defaults]:
            refers = element.tag in element.attrib
            if self.all("class") and element.tag in CLASSED and not refers:
                r.some(element, .2, **{"class": lambda: self.one("class")})
            if element.tag == "body" and self.all("class"):
                r.some(element, .15, childclass=lambda: self.one("class"))
            if element.tag in ("body", "worldbody") and r.maybe(.25):
                self.frame(element)

    def frame(self, body):
        r = self.r
        movable = [e for e in body if e.tag in ("geom", "site", "camera", "body")]
        if not movable:
            return
        chosen = r.sample(movable, r.randrange(1, len(movable) + 1))
        frame = ET.Element("frame", pos=r.numbers(3, -.1, .1))
        r.turn(frame)
        if self.all("class"):
            r.some(frame, .3, childclass=lambda: self.one("class"))
        body.insert(list(body).index(chosen[0]), frame)
        for element in [e for e in body if e in chosen]:
            body.remove(element)
            frame.append(element)

    def replicate(self):
        r = self.r
        if not r.maybe(.2):
            return
        replicate = ET.SubElement(self.root.find("worldbody"), "replicate", count=r.choice("123"),
                                  offset=r.numbers(3, -.5, .5), sep=r.choice(["", "-"]))
        r.some(replicate, .5, euler=lambda: r.numbers(3, -40, 40))
        body = ET.SubElement(replicate, "body", pos=r.numbers(3, -1, 1), name="copied")
        if r.maybe(.7):
            ET.SubElement(body, "joint", type=r.choice(["hinge", "slide", "ball", "free"]), name="copied_joint")
        ET.SubElement(body, "geom", type=r.choice(["sphere", "box", "capsule"]), size=".1 .07 .05", name="copied_geom")
        ET.SubElement(body, "site", name="copied_site", pos=r.numbers(3, -.1, .1))


def model(seed):
    """The text of a model."""
    return Maker(seed).model()


if __name__ == "__main__":
    print(model(int(sys.argv[1])))
