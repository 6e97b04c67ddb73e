"""Random models with the features that `random_model` leaves out: assets, looks, and any
attribute on any element.

`python random_extras.py SEED` prints one. The generator asks MuJoCo for the sizes of the states
that it writes as keyframes.
"""
import sys
import xml.etree.ElementTree as ET

import mujoco

import random_model

LIGHT_TYPES = ["spot", "directional", "point"]
MODES = ["fixed", "track", "trackcom", "targetbody", "targetbodycom"]
ROLES = "rgb occlusion roughness metallic normal opacity emissive rgba orm".split()
LENGTH_MODES = ["none", "muscle", "muscleuser", "all"]
ACTUATORS = random_model.ACTUATORS
CUBE_CORNERS = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
CUBE_FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
              (0, 6, 4), (1, 5, 7), (1, 7, 3)]
BUILTIN_MESHES = {
    "sphere": lambda r: str(r.randrange(0, 4)), "hemisphere": lambda r: str(r.randrange(1, 8)),
    "cone": lambda r: f"{r.randrange(3, 12)} {r.number(0, .9)}",
    "supersphere": lambda r: f"{r.randrange(3, 9)} {r.number(.3, 1.5)} {r.number(.3, 1.5)}",
    "supertorus": lambda r: f"{r.randrange(3, 9)} {r.number(.1, .5)} {r.number(.3, 1.5)} {r.number(.3, 1.5)}",
    "wedge": lambda r: (f"{r.randrange(1, 5)} {r.randrange(1, 5)} {r.number(20, 90)} {r.number(20, 80)} "
                        f"{r.number(0, .5)}"),
    "plate": lambda r: f"{r.randrange(1, 5)} {r.randrange(1, 5)}",
}


class Random(random_model.Random):
    """Random attributes of more types."""

    def auto(self):
        return self.choice(["true", "false", "auto"])

    def rgb(self):
        return self.numbers(3, 0, 1)

    def user(self):
        return self.numbers(self.randrange(1, 4), -1, 1)

    def one_of(self, *words):
        return lambda: self.choice(words)

    def whole(self, low, high):
        return lambda: str(self.randrange(low, high))

    def list(self, n, low, high):
        return lambda: self.numbers(n, low, high)

    def up_to(self, n, low, high):
        """A list that may be shorter than its maximum."""
        return lambda: self.numbers(self.randrange(1, n + 1), low, high)


class Decorator:
    """Adds to a model of `random_model`."""

    def __init__(self, seed):
        self.r = Random(f"extras {seed}")
        self.root = ET.fromstring(random_model.model(seed))
        self.defaults = {e for d in self.root.findall("default") for e in d.iter()}
        self.bodies = [e.get("name") for e in self.root.iter("body") if e.get("name") and e.get("name") != "copied"]

    def model(self):
        self.settings()
        self.looks()
        self.assets()
        self.onlookers()
        self.sensors()
        self.unname()
        for element in list(self.root.iter()):
            self.attributes(element)
        self.keyframes()
        ET.indent(self.root)
        return ET.tostring(self.root, encoding="unicode")

    def settings(self):
        r = self.r
        compiler = self.root.find("compiler")
        r.some(compiler, .1, angle=lambda: "radian", coordinate=lambda: "local", fitaabb=r.flag, saveinertial=r.flag,
               usethread=r.flag, strippath=r.flag, meshdir=lambda: "meshes", inertiagrouprange=lambda: "0 3",
               balanceinertia=r.flag)
        r.some(compiler, .02, autolimits=r.flag, inertiafromgeom=lambda: "false")
        if r.maybe(.15):
            r.some(ET.SubElement(compiler, "lengthrange"), .3, mode=r.one_of(*LENGTH_MODES), useexisting=r.flag,
                   uselimit=r.flag, accel=(10, 30), maxforce=(0, 100), timeconst=(.5, 1), timestep=(.005, .02),
                   inttotal=(2, 5), interval=(.5, 1), tolrange=(.01, .1))
        option = self.root.find("option")
        r.some(option, .1, tolerance=r.one_of("1e-6", "1e-10"), ls_tolerance=(.005, .05), noslip_tolerance=(0, .001),
               ccd_tolerance=r.one_of("1e-5", "1e-7"), iterations=r.whole(5, 150), ls_iterations=r.whole(10, 60),
               ccd_iterations=r.whole(20, 60), sdf_iterations=r.whole(5, 20), sdf_initpoints=r.whole(5, 50),
               actuatorgroupdisable=lambda: " ".join(r.sample("012345", r.randrange(1, 4))))
        size = self.root.find("size")
        names = "nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor".split()
        r.some(size, .08, nuserdata=r.whole(0, 5), nkey=r.whole(0, 5), memory=r.one_of("2M", "10M"),
               **{name: r.whole(3, 5) for name in names})

    def looks(self):
        r = self.r
        if r.maybe(.6):
            return
        visual = ET.SubElement(self.root, "visual")
        add = lambda tag, **attributes: r.some(ET.SubElement(visual, tag), .3, **attributes)
        add("global", cameraid=r.whole(-1, 1), orthographic=r.flag, fovy=(20, 90), ipd=(.01, .1), azimuth=(-180, 180),
            elevation=(-90, 90), linewidth=(.5, 3), glow=(0, 1), offwidth=r.whole(100, 900), realtime=(.1, 1),
            offheight=r.whole(100, 900), ellipsoidinertia=r.flag, bvactive=r.flag)
        add("quality", shadowsize=r.whole(0, 4096), offsamples=r.whole(0, 8), numslices=r.whole(4, 40),
            numstacks=r.whole(4, 40), numquads=r.whole(1, 8))
        add("headlight", ambient=r.rgb, diffuse=r.rgb, specular=r.rgb, active=r.whole(0, 2))
        add("map", **{name: (.01, 9) for name in "stiffness stiffnessrot force torque alpha fogstart fogend znear zfar "
            "haze shadowclip shadowscale actuatortendon".split()})
        add("scale", **{name: (.01, 2) for name in "forcewidth contactwidth contactheight connect com camera light "
            "selectpoint jointlength jointwidth actuatorlength actuatorwidth framelength framewidth constraint "
            "slidercrank frustum".split()})
        add("rgba", **{name: r.rgba for name in "fog haze force inertia joint actuator actuatornegative "
            "actuatorpositive com camera light selectpoint connect contactpoint contactforce contactfriction "
            "contacttorque contactgap rangefinder constraint slidercrank crankbroken frustum bv bvactive".split()})

    def assets(self):
        r = self.r
        asset = self.root.find("asset")
        textures = [self.texture(asset, i) for i in range(r.choice([0, 0, 1, 2]))]
        materials = [self.material(asset, i, textures) for i in range(r.choice([0, 1, 2]))]
        for element in self.root.iter():
            if element.tag in ("geom", "site", "spatial") and materials and element.tag not in element.attrib:
                r.some(element, .15, material=lambda: r.choice(materials))
        meshes = [self.mesh(asset, i, materials) for i in range(r.choice([0, 0, 1, 2]))]
        for geom in self.root.iter("geom"):
            if geom in self.defaults or not geom.get("type") or not meshes or not r.maybe(.2):
                continue
            if any(path.get("geom") == geom.get("name") for path in self.root.findall("tendon/spatial/geom")):
                continue
            # a primitive fitted to a mesh, or the mesh
            geom.set("mesh", r.choice(meshes))
            if geom.get("type") in ("plane", "hfield") or r.maybe():
                geom.attrib.pop("hfield", None)
                geom.set("type", "mesh")
            else:
                r.some(geom, .3, fitscale=(.5, 1.5))
            for key in ("fromto", "size", "shellinertia"):
                geom.attrib.pop(key, None)
        if r.maybe(.1):
            rows, cols = r.randrange(2, 6), r.randrange(2, 6)
            field = ET.SubElement(asset, "hfield", name="plain", nrow=str(rows), ncol=str(cols), size=".5 .6 .2 .05")
            r.some(field, .5, elevation=r.list(rows * cols, -3, 5))
            ET.SubElement(self.root.find("worldbody"), "geom", type="hfield", hfield="plain", pos=".2 .1 .05")

    def texture(self, asset, i):
        r = self.r
        name = f"texture{i}"
        texture = ET.SubElement(asset, "texture", name=name, builtin=r.choice(["gradient", "checker", "flat"]),
                                type=r.choice(["2d", "cube", "skybox"]), width=str(r.randrange(1, 12)))
        texture.set("height", str(r.randrange(1, 12) if texture.get("type") == "2d" else 6 * int(texture.get("width"))))
        r.some(texture, .3, rgb1=r.rgb, rgb2=r.rgb, mark=r.one_of("none", "edge", "cross", "random"), markrgb=r.rgb,
               random=(0, .5), colorspace=r.one_of("auto", "linear", "sRGB"), hflip=r.flag, vflip=r.flag)
        return name

    def material(self, asset, i, textures):
        r = self.r
        material = ET.SubElement(asset, "material", name=f"material{i}")
        r.some(material, .3, rgba=r.rgba, texrepeat=r.list(2, .5, 3), texuniform=r.flag,
               **{key: (0, 1) for key in "emission specular shininess reflectance metallic roughness".split()})
        if textures and r.maybe(.4):
            material.set("texture", r.choice(textures))
        elif textures and r.maybe(.4):
            for role in r.sample(ROLES, r.randrange(1, 4)):
                ET.SubElement(material, "layer", texture=r.choice(textures), role=role)
        return material.get("name")

    def mesh(self, asset, i, materials):
        r = self.r
        mesh = ET.SubElement(asset, "mesh", name=f"mesh{i}")
        if r.maybe(.4):
            kind = r.choice(list(BUILTIN_MESHES))
            mesh.set("builtin", kind)
            mesh.set("params", BUILTIN_MESHES[kind](r))
            mesh.set("scale", r.numbers(3, .05, .2))
        else:
            corners = [[c * r.uniform(.05, .15) for c in corner] for corner in CUBE_CORNERS]
            mesh.set("vertex", "  ".join(" ".join(f"{c:.4g}" for c in corner) for corner in corners))
            mesh.set("face", "  ".join(" ".join(map(str, face)) for face in CUBE_FACES))
            r.some(mesh, .2, normal=r.list(24, -1, 1), texcoord=r.list(16, 0, 1))
            r.some(mesh, .3, scale=r.list(3, .5, 1.5))
        r.some(mesh, .25, inertia=r.one_of("convex", "exact", "legacy", "shell"), smoothnormal=r.flag,
               refpos=r.list(3, -.05, .05), refquat=r.list(4, -1, 1), maxhullvert=r.one_of("-1", "5", "12"))
        if materials:
            r.some(mesh, .2, material=lambda: r.choice(materials))
        return mesh.get("name")

    def onlookers(self):
        r = self.r
        fused = self.root.find("compiler").get("fusestatic") == "true"
        places = [self.root.find("worldbody")] + [b for b in self.root.iter("body") if not fused]
        for i in range(r.choice([0, 1, 2])):
            light = ET.SubElement(r.choice(places), "light", name=f"light{i}", mode=r.choice(MODES))
            if "target" in light.get("mode"):
                light.set("target", r.choice(self.bodies))
        for i in range(r.choice([0, 1])):
            camera = ET.SubElement(r.choice(places), "camera", name=f"camera{i}")
            if r.maybe():
                camera.set("resolution", f"{r.randrange(1, 60)} {r.randrange(1, 60)}")
                camera.set("sensorsize", r.numbers(2, .01, .1))
                r.some(camera, .4, focal=r.list(2, .01, .1), principal=r.list(2, -.01, .01))
                r.some(camera, .2, focalpixel=r.list(2, 5, 50), principalpixel=r.list(2, -5, 5))

    def unname(self):
        """Removes some names that nothing refers to."""
        for element in self.root.iter():
            named = element.get("name")
            if element.tag in ("body", "geom", "site", "joint") and named and self.r.maybe(.1):
                if not self.mentioned(named):
                    del element.attrib["name"]

    def mentioned(self, name):
        return any(name == value and key != "name" for e in self.root.iter() for key, value in e.attrib.items())

    def sensors(self):
        r = self.r
        sensors = self.root.find("sensor")
        if r.maybe(.15):
            sensor = ET.SubElement(sensors, "user", name="user sensor", dim=str(r.randrange(1, 5)))
            if r.maybe():
                sensor.set("objtype", "body")
                sensor.set("objname", r.choice(self.bodies))
            r.some(sensor, .5, datatype=r.one_of("real", "positive"), needstage=r.one_of("pos", "vel", "acc"),
                   cutoff=(.1, 1), noise=(.1, 1))
        cameras = [c.get("name") for c in self.root.iter("camera") if c.get("name") and c.get("resolution")]
        if cameras and r.maybe(.3):
            data = [w for w in "dist dir origin point normal depth".split() if r.maybe()] or ["dist"]
            ET.SubElement(sensors, "rangefinder", camera=r.choice(cameras), data=" ".join(data))
        sites = [s.get("name") for s in self.root.iter("site") if s.get("name")]
        if sites and r.maybe(.15):
            data = [w for w in "dist dir origin point normal depth".split() if r.maybe()] or ["dist"]
            ET.SubElement(sensors, "rangefinder", site=r.choice(sites), data=" ".join(data))

    # any attribute

    def attributes(self, e):
        """Attributes that the element may have and does not have yet."""
        r = self.r
        if e.tag in e.attrib or e.get("geom") or (e.tag in ("geom", "site") and e.get("sidesite")):
            return
        for name, value in self.possible(e).items():
            # a limited element needs its range
            unlimited = name.endswith("limited") and name.replace("limited", "") + "range" not in ("range", *e.attrib)
            if name not in e.attrib and not unlimited and not (name == "limited" and "range" not in e.attrib):
                r.some(e, .04, **{name: value})

    def possible(self, e):
        r = self.r
        solver = dict(solref=r.solref, solimp=r.up_to(5, .1, .9))
        limits = dict(solreflimit=r.solref, solimplimit=r.up_to(5, .1, .9), solreffriction=r.solref,
                      solimpfriction=r.up_to(5, .1, .9))
        if e.tag in ACTUATORS:
            return self.of_actuator(e)
        if e.tag in ("fixed", "spatial"):
            looks = dict(width=(.001, .01), rgba=r.rgba) if e.tag == "spatial" else {}
            return dict(group=r.group, margin=(-.01, .1), user=r.user, limited=r.auto, actuatorfrclimited=r.auto,
                        springlength=r.up_to(2, .1, .1), stiffness=(0, 9), damping=(0, 1), **limits, **looks)
        if e.tag == "joint" and e not in self.defaults and e.get("joint1") is None:
            return dict(group=r.group, limited=r.auto, actuatorfrclimited=r.auto, user=r.user, margin=(-.1, .1),
                        pos=r.list(3, -.1, .1), springdamper=r.list(2, .1, 1), **limits)
        tables = {
            "geom": dict(contype=r.whole(0, 4), conaffinity=r.whole(0, 4), condim=r.condim, group=r.group, rgba=r.rgba,
                         priority=r.whole(-1, 3), friction=r.up_to(3, .01, 1), solmix=(0, 2), margin=(-.01, .05),
                         gap=(-.01, .05), fluidshape=r.one_of("none", "ellipsoid"), user=r.user,
                         fluidcoef=r.up_to(5, 0, 2), density=(0, 900), **solver),
            "site": dict(group=r.group, rgba=r.rgba, user=r.user, size=r.up_to(3, .01, .1)),
            "camera": dict(**({} if e.get("sensorsize") else dict(fovy=(10, 120))), ipd=(.01, .1), user=r.user,
                           projection=r.one_of("perspective", "orthographic"),
                           output=lambda: " ".join(r.sample("rgb depth distance normal segmentation".split(), 2))),
            "light": dict(type=r.one_of(*LIGHT_TYPES), castshadow=r.flag, active=r.flag, pos=r.list(3, -1, 1),
                          dir=r.list(3, -1, 1), bulbradius=(.01, .1), intensity=(0, 100), range=(1, 20),
                          attenuation=r.list(3, 0, 1), cutoff=(10, 90), exponent=(0, 20), ambient=r.rgb, diffuse=r.rgb,
                          specular=r.rgb),
            "body": dict(user=r.user, gravcomp=(-1, 2)),
            "freejoint": dict(group=r.group, align=r.auto),
            "connect": dict(active=r.flag, **solver), "weld": dict(active=r.flag, torquescale=(0, 3), **solver),
            "pair": dict(condim=r.condim, friction=r.up_to(5, .01, 1), solreffriction=r.solref, gap=(-.01, .05),
                         margin=(-.01, .05), name=lambda: f"pair{r.random():.6f}", **solver),
            "frame": dict(name=lambda: f"frame{r.random():.6f}"),
            "mesh": dict(inertia=r.one_of("convex", "legacy"), maxhullvert=r.one_of("-1", "6")),
        }
        table = tables.get(e.tag, {})
        if e in self.defaults:
            extra = {"camera": dict(resolution=lambda: "20 10"), "geom": dict(mass=(.1, 1), shellinertia=r.flag),
                     "joint": dict(armature=(0, .1), user=r.user, stiffness=(0, 2), **limits)}.get(e.tag, {})
            table = {k: v for k, v in {**table, **extra}.items() if k not in ("name", "align")}
        elif "noise" in e.attrib or e.get("cutoff"):
            table = dict(user=r.user, noise=(0, 1))
        return table

    def of_actuator(self, e):
        r = self.r
        if e in self.defaults:
            return dict(group=r.group, user=r.user)
        table = dict(group=r.group, user=r.user, forcelimited=r.auto, lengthrange=lambda: r.interval(.1, 1))
        if e.tag not in ("adhesion", "damper"):
            table.update(ctrllimited=r.auto)
        if e.tag in ("general", "intvelocity"):
            table.update(actrange=lambda: r.interval(-1, 1))
        if e.tag == "general":
            table.update(actlimited=r.auto, actearly=r.flag, actdim=r.whole(1, 3))
        if e.tag == "position" and "ctrlrange" not in e.attrib:
            table.update(inheritrange=(.5, 1.5))
        if e.tag == "muscle":
            table.update(lmin=(.3, .6), lmax=(1.4, 1.8), vmax=(1, 2), fvmax=(1, 1.5))
            table.pop("lengthrange")
        if e.tag == "adhesion":
            table.pop("lengthrange")
        return table

    def keyframes(self):
        """Partially written keyframes of the model's sizes."""
        r = self.r
        if not r.maybe(.4):
            return
        try:
            m = mujoco.MjModel.from_xml_string(ET.tostring(self.root, encoding="unicode"))
        except ValueError:
            return
        keyframe = ET.SubElement(self.root, "keyframe")
        for i in range(r.choice([1, 2])):
            key = ET.SubElement(keyframe, "key")
            sizes = dict(qpos=m.nq, qvel=m.nv, act=m.na, ctrl=m.nu, mpos=3 * m.nmocap, mquat=4 * m.nmocap)
            r.some(key, .5, time=(0, 2), name=lambda: f"key{i}",
                   **{name: r.list(n, -.3, .3) for name, n in sizes.items() if n})


def model(seed):
    """The text of a model."""
    return Decorator(seed).model()


if __name__ == "__main__":
    print(model(int(sys.argv[1])))
