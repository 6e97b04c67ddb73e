"""Random edits of a model, the same in MuJoCo and in Sinew for the same seed."""

import random

GEOMS = ("SPHERE", "CAPSULE", "ELLIPSOID", "CYLINDER", "BOX")
ALTS = {"axisangle": 4, "euler": 3, "zaxis": 3, "xyaxes": 6}
TREE = ("body", "geom", "site", "joint", "camera", "light")


class Editor:
    """Edits one model of the module `mj`; the choices depend on the seed alone."""

    def __init__(self, mj, seed, depth=0):
        self.mj, self.random, self.depth = mj, random.Random(seed), depth
        self.spec = mj.MjSpec()
        self.count = 0
        self.errors = []
        self.compiled = False
        self.children = []
        self.spec.compiler.degree = self.random.random() < 0.5
        self.spec.copy_during_attach = self.random.random() < 0.5

    # choosing

    def number(self, low=-1.0, high=1.0):
        return round(self.random.uniform(low, high), 3)

    def numbers(self, n, low=-1.0, high=1.0):
        return [self.number(low, high) for _ in range(n)]

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def pick(self, kind):
        """A random element of a kind, or None; elements made by attaching are last in both."""
        plural = {"body": "bodies", "equality": "equalities"}.get(kind, kind + "s")
        found = getattr(self.spec, plural)
        return self.random.choice(found) if found else None

    def named(self, kind):
        element = self.pick(kind)
        return element.name or "missing" if element is not None else "missing"

    def pose(self):
        """Attributes of a pose."""
        out = {"pos": self.numbers(3)}
        way = self.random.randrange(4)
        if way == 1:
            out["quat"] = self.numbers(4)
        elif way == 2:
            alt = self.random.choice(sorted(ALTS))
            out[alt] = self.numbers(ALTS[alt], 0.1, 1)
        return out

    def default(self):
        """A default class, or None for that of the body."""
        if self.random.random() < 0.7:
            return None
        return self.spec.find_default(self.random.choice(["main", "c0", "c1", "c2"]))

    # adding

    def add_default(self):
        name = f"c{self.random.randrange(3)}"
        parent = self.spec.find_default(self.random.choice(["main", "c0", "c1"])) or None
        default = self.spec.add_default(name, parent or self.spec.default)
        if default is None:
            return
        default.geom.rgba = self.numbers(4, 0, 1)
        default.geom.size[0] = self.number(0.1, 0.3)
        default.geom.friction[1] = self.number(0, 0.1)
        default.joint.damping = self.number(0, 1)
        default.site.size = self.numbers(3, 0.01, 0.1)
        default.actuator.gear[0] = self.number(1, 3)
        default.light.cutoff = self.number(10, 60)

    def add_body(self):
        place = self.place()
        body = place.add_body(self.default(), name=self.name("body"), **self.pose())
        if self.random.random() < 0.3:
            body.gravcomp = self.number()
            body.userdata = self.numbers(2)
        self.fill_body(body)

    def place(self):
        """A body, or a frame of it."""
        body = self.pick("body")
        if body.frames and self.random.random() < 0.4:
            return self.random.choice(body.frames)
        return body

    def fill_body(self, body):
        self.add_geom(body)
        if self.random.random() < 0.7:
            self.add_joint(body)
        if self.random.random() < 0.2:
            body.ipos, body.mass = self.numbers(3), self.number(1, 2)
            body.inertia, body.explicitinertial = [0.1, 0.2, 0.25], 1

    def add_geom(self, place=None):
        kind = getattr(self.mj.mjtGeom, "mjGEOM_" + self.random.choice(GEOMS))
        geom = (place or self.place()).add_geom(
            self.default(),
            type=kind,
            size=self.numbers(3, 0.05, 0.3),
            name=self.name("geom"),
            **self.pose(),
        )
        choice = self.random.randrange(6)
        if choice == 0:
            geom.fromto, geom.type = self.numbers(6), self.mj.mjtGeom.mjGEOM_CAPSULE
            if self.random.random() < 0.9:
                geom.pos, geom.quat = [0, 0, 0], [1, 0, 0, 0]
                geom.alt.type = self.mj.mjtOrientation.mjORIENTATION_QUAT
        elif choice == 1:
            geom.mass = self.number(0.1, 2)
        elif choice == 2:
            geom.rgba[self.random.randrange(4)] = self.number(0, 1)
        elif choice == 3:
            geom.friction = self.numbers(3, 0, 1)
            geom.group = self.random.randrange(6)

    def add_joint(self, body=None):
        body = body or self.pick("body")
        if body.parent is None or body.name == "world":
            return
        if not body.joints and body.parent.name == "world" and self.random.random() < 0.3:
            body.add_freejoint(name=self.name("joint"))
            return
        if any(int(j.type) == 0 for j in body.joints):
            return
        kind = self.random.choice(["HINGE", "SLIDE", "BALL"])
        joint = body.add_joint(
            self.default(),
            type=getattr(self.mj.mjtJoint, "mjJNT_" + kind),
            axis=self.numbers(3, 0.1, 1),
            pos=self.numbers(3),
            name=self.name("joint"),
        )
        if self.random.random() < 0.5:
            joint.range = [0 if kind == "BALL" else -self.number(0.1, 1), self.number(0.2, 1)]
            joint.armature, joint.stiffness = self.number(0, 1), self.number(0, 1)

    def add_site(self):
        self.place().add_site(self.default(), name=self.name("site"), **self.pose())

    def add_camera(self):
        camera = self.place().add_camera(self.default(), name=self.name("camera"), **self.pose())
        camera.fovy = self.number(20, 80)
        if self.random.random() < 0.5:
            camera.targetbody = self.named("body")
            camera.mode = self.mj.mjtCamLight.mjCAMLIGHT_TARGETBODY

    def add_light(self):
        light = self.place().add_light(self.default(), name=self.name("light"), pos=self.numbers(3))
        light.dir, light.castshadow = self.numbers(3, 0.1, 1), self.random.randrange(2)

    def add_frame(self):
        place = self.place()
        frame = place.add_frame(name=self.name("frame"), **self.pose())
        body = frame.parent
        for e in [*body.geoms, *body.sites, *body.bodies]:
            if self.random.random() < 0.2:
                e.set_frame(frame)

    def add_mesh(self):
        mesh = self.spec.add_mesh(name=self.name("mesh"))
        shape = self.random.randrange(3)
        if shape == 0:
            mesh.make_sphere(subdivision=1)
        elif shape == 1:
            mesh.make_cone(nedge=5, radius=self.number(0, 1))
        else:
            mesh.uservert = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
        mesh.scale = self.numbers(3, 0.1, 0.3)
        geom = self.pick("body").add_geom(type=self.mj.mjtGeom.mjGEOM_MESH, meshname=mesh.name)
        geom.pos = self.numbers(3)

    def add_material(self):
        texture = self.spec.add_texture(
            name=self.name("texture"),
            builtin=self.mj.mjtBuiltin.mjBUILTIN_CHECKER,
            width=4,
            height=4,
            type=self.mj.mjtTexture.mjTEXTURE_2D,
        )
        material = self.spec.add_material(name=self.name("material"), rgba=self.numbers(4, 0, 1))
        material.textures[1] = texture.name
        geom = self.pick("geom")
        if geom is not None:
            geom.material = material.name

    def add_hinged(self, kind):
        """The name of a joint that has one degree of freedom."""
        joints = [j for j in self.spec.joints if int(j.type) > 1]
        return self.random.choice(joints).name if joints else None

    def add_actuator(self):
        target = self.add_hinged("joint")
        if target is None:
            return
        actuator = self.spec.add_actuator(self.default(), name=self.name("actuator"), target=target)
        actuator.trntype = self.mj.mjtTrn.mjTRN_JOINT
        way = self.random.randrange(4)
        if way == 0:
            actuator.set_to_position(kp=self.number(1, 5), kv=self.number(0, 1))
        elif way == 1:
            actuator.set_to_velocity(kv=self.number(0, 2))
        elif way == 2:
            actuator.set_to_motor()
            actuator.ctrlrange = [-1, self.number(0, 2)]

    def add_sensor(self):
        kinds = {"FRAMEPOS": "body", "ACCELEROMETER": "site", "FRAMEQUAT": "geom", "CLOCK": None}
        word = self.random.choice(sorted(kinds))
        sensor = self.spec.add_sensor(name=self.name("sensor"))
        sensor.type = getattr(self.mj.mjtSensor, "mjSENS_" + word)
        if kinds[word]:
            sensor.objtype = getattr(self.mj.mjtObj, "mjOBJ_" + kinds[word].upper())
            sensor.objname = self.named(kinds[word])
            if sensor.objname == "missing":
                self.spec.delete(sensor)

    def add_tendon(self):
        sites = self.spec.sites
        if len(sites) > 1:
            tendon = self.spec.add_tendon(self.default(), name=self.name("tendon"))
            for site in self.random.sample(sites, 2):
                tendon.wrap_site(site.name)
            tendon.width = self.number(0.001, 0.01)

    def add_equality(self):
        bodies = self.spec.bodies
        if len(bodies) > 2:
            first, second = self.random.sample(bodies[1:], 2)
            kind = self.random.choice(["CONNECT", "WELD"])
            self.spec.add_equality(
                name=self.name("equality"),
                type=getattr(self.mj.mjtEq, "mjEQ_" + kind),
                objtype=self.mj.mjtObj.mjOBJ_BODY,
                name1=first.name,
                name2=second.name,
            )

    def add_contact(self):
        bodies, geoms = self.spec.bodies, self.spec.geoms
        if len(bodies) > 2:
            first, second = self.random.sample(bodies, 2)
            self.spec.add_exclude(bodyname1=first.name, bodyname2=second.name)
        named = [g for g in geoms if g.name]
        if len(named) > 1:
            first, second = self.random.sample(named, 2)
            self.spec.add_pair(geomname1=first.name, geomname2=second.name, condim=1)

    def add_custom(self):
        self.spec.add_numeric(name=self.name("numeric"), data=self.numbers(4), size=4)
        self.spec.add_text(name=self.name("text"), data="some 'text' & <more>")
        self.spec.add_tuple(
            name=self.name("tuple"),
            objtype=[int(self.mj.mjtObj.mjOBJ_BODY)],
            objprm=[0.5],
            objname=["world"],
        )

    # editing

    def change(self):
        """Changes present elements."""
        body = self.pick("body")
        if body.name != "world":
            body.pos[self.random.randrange(3)] = self.number()
        self.spec.option.timestep = self.number(0.001, 0.01)
        self.spec.stat.extent = self.number(1, 2)
        self.spec.visual.map.znear = self.number(0.01, 0.1)
        default = self.spec.find_default("c0")
        if default is not None:
            default.geom.margin = self.number(0, 0.1)

    # After a compilation, MuJoCo looks for deleted elements among the old names, and meshes keep
    # their hulls. So models are compiled only after the last deletion.

    def delete(self):
        if self.compiled:
            return
        kind = self.random.choice(["geom", "site", "sensor", "actuator", "light", "camera"])
        element = self.pick(kind)
        if element is not None:
            self.spec.delete(element)

    def delete_body(self):
        if self.compiled:
            return
        body = self.pick("body")
        if body.name != "world":
            self.spec.delete(body)

    def attach(self):
        if self.depth:
            return
        child = Editor(self.mj, self.random.random(), depth=1)
        child.run(8)
        self.children.append(child.spec)
        self.errors += child.errors
        if self.errors:
            return
        prefix, suffix = self.name("p") + "_", self.random.choice(["", "-s"])
        way = self.random.randrange(4)
        frames, sites = self.spec.frames, self.spec.sites
        if way == 0 and sites:
            place = self.random.choice(sites)
            self.spec.attach(child.spec, prefix=prefix, suffix=suffix, site=place)
        elif way == 1 and frames:
            place = self.random.choice(frames)
            self.spec.attach(child.spec, prefix=prefix, suffix=suffix, frame=place)
        elif way == 2 and frames and len(child.spec.bodies) > 1:
            self.random.choice(frames).attach_body(child.spec.bodies[1], prefix, suffix)
        elif child.spec.frames:
            self.pick("body").attach_frame(child.spec.frames[0], prefix, suffix)

    def compile(self):
        # frames that were compiled before they are attached keep their pose in MuJoCo
        if self.depth == 0:
            self.compiled = True
            self.try_compile(self.spec)

    def try_compile(self, spec):
        try:
            return spec.compile()
        except ValueError as error:
            self.errors.append(str(error).splitlines()[0])
            return None

    def copy(self):
        self.spec = self.spec.copy()

    OPERATIONS = (
        "add_default add_body add_body add_body add_geom add_joint add_site add_site add_camera "
        "add_light add_frame add_frame add_mesh add_material add_actuator add_sensor add_sensor "
        "add_tendon add_equality add_contact add_custom change delete delete_body attach attach "
        "compile"
    ).split()

    def run(self, count):
        """Applies `count` operations."""
        for _ in range(count):
            # after an error MuJoCo reports it again from any list that is empty
            if self.errors:
                break
            getattr(self, self.random.choice(self.OPERATIONS))()
        return self
