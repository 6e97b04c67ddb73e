"""The visualiser's scene equals MuJoCo's, field by field, for many options and all models."""

import copy

import mujoco
import numpy as np
import pytest

import sinew

FLAGS = int(mujoco.mjtVisFlag.mjNVISFLAG)
LABELS = int(mujoco.mjtLabel.mjNLABEL)
FRAMES = int(mujoco.mjtFrame.mjNFRAME)
GROUPS = "geomgroup sitegroup jointgroup tendongroup actuatorgroup flexgroup skingroup".split()
INTS = "type dataid objtype objid category matid texcoord segid transparent label".split()
FLOATS = "size pos mat rgba emission specular shininess reflectance camdist modelrbound".split()
# MuJoCo's renderer sets it; plugins leave it uninitialised in the geoms that they add
UNINITIALISED = "camdist"
LIGHT_INTS = "id type texid headlight castshadow".split()
LIGHT_FLOATS = "pos dir attenuation cutoff exponent ambient diffuse specular bulbradius intensity range"
CAMERA = "pos forward up frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far"

# numbers are stored in single precision; forces of contacts are defined up to the solver's tolerance
CLOSE = dict(rtol=2e-5, atol=2e-6)


class Scenes:
    """The same view of the same state in both engines."""

    def __init__(self, pair, maxgeom=5000):
        self.pair = pair
        self.ours = sinew.MjvScene(pair.m, maxgeom)
        self.theirs = mujoco.MjvScene(pair.ref_m, maxgeom)
        self.opts = sinew.MjvOption(), mujoco.MjvOption()
        self.perts = sinew.MjvPerturb(), mujoco.MjvPerturb()
        self.cams = sinew.MjvCamera(), mujoco.MjvCamera()
        sinew.mjv_defaultFreeCamera(pair.m, self.cams[0])
        mujoco.mjv_defaultFreeCamera(pair.ref_m, self.cams[1])
        self.update()

    def set(self, which, name, value, index=None):
        for struct in getattr(self, which):
            if index is None:
                current = getattr(struct, name)
                if isinstance(current, np.ndarray):
                    current[:] = value
                else:
                    setattr(struct, name, value)
            else:
                getattr(struct, name)[index] = value

    def reset(self):
        self.opts = sinew.MjvOption(), mujoco.MjvOption()
        self.perts = sinew.MjvPerturb(), mujoco.MjvPerturb()

    def update(self, catmask=7):
        p = self.pair
        sinew.mjv_updateScene(
            p.m, p.d, self.opts[0], self.perts[0], self.cams[0], catmask, self.ours
        )
        mujoco.mjv_updateScene(
            p.ref_m, p.ref_d, self.opts[1], self.perts[1], self.cams[1], catmask, self.theirs
        )

    def check(self, what, catmask=7):
        self.update(catmask)
        ours, theirs = self.ours, self.theirs
        assert ours.ngeom == theirs.ngeom, what
        assert ours.status == theirs.status, what
        floats = [n for n in FLOATS if n != UNINITIALISED or not self.pair.ref_m.nplugin]
        for i, (g, w) in enumerate(zip(ours.geoms[: ours.ngeom], theirs.geoms[: ours.ngeom])):
            same(g, w, INTS, floats, f"{what}: geom {i} {w.type}")
        assert ours.nlight == theirs.nlight, what
        for i in range(ours.nlight):
            where = f"{what}: light {i}"
            same(ours.lights[i], theirs.lights[i], LIGHT_INTS, LIGHT_FLOATS.split(), where)
        for i in range(2):
            where = f"{what}: camera {i}"
            same(ours.camera[i], theirs.camera[i], ["orthographic"], CAMERA.split(), where)
        same(ours, theirs, ["enabletransform", "nflex", "nskin"], ["flags"], what)
        surfaces = "skinvert skinnormal flexvert flexfaceused"
        same(ours, theirs, [], surfaces.split(), what)
        faces = [ours.flexfaceadr, ours.flexfaceused]
        for adr, num in zip(*faces):
            for name, width in (("flexface", 9), ("flexnormal", 9)):
                part = slice(width * adr, width * (adr + num))
                got, want = getattr(ours, name)[part], getattr(theirs, name)[part]
                np.testing.assert_allclose(got, want, err_msg=f"{what}: {name}", **CLOSE)


def same(got, want, ints, floats, where):
    for name in ints:
        assert getattr(got, name) == getattr(want, name), f"{where}: {name}"
    for name in floats:
        a, b = np.ravel(getattr(got, name)), np.ravel(getattr(want, name))
        # numpy's own comparison takes a hundred times as long, and there are many geoms
        if not (a.tolist() == b.tolist()):
            np.testing.assert_allclose(a, b, err_msg=f"{where}: {name}", **CLOSE)


def settle(pair, steps=20, seed=0):
    """The same state in both engines, with contacts if possible."""
    rng = np.random.default_rng(seed)
    m, d = pair.ref_m, pair.ref_d
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    low, high = np.where(m.actuator_ctrllimited[:, None], m.actuator_ctrlrange, [-1, 1]).T
    for _ in range(steps):
        d.ctrl[:] = low + (high - low) * rng.random(m.nu)
        mujoco.mj_step(m, d)
    d.xfrc_applied[1:, :3] = rng.normal(size=(m.nbody - 1, 3))
    mujoco.mj_forward(m, d)
    signature = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    state = np.zeros(mujoco.mj_stateSize(m, signature))
    mujoco.mj_getState(m, d, state, signature)
    sinew.mj_setState(pair.m, pair.d, state, signature)
    sinew.mj_forward(pair.m, pair.d)
    # the visited nodes of bounding volumes depend on the engine
    pair.d.bvh_active[:] = d.bvh_active


def show_all_groups(scenes):
    for group in GROUPS:
        scenes.set("opts", group, 1)


def select(scenes, body):
    scenes.set("perts", "select", body)
    scenes.set("perts", "localpos", [0.1, 0.2, 0.3])
    scenes.set("perts", "refselpos", [0.5, 0.2, 0.7])
    scenes.set("perts", "active", 3)
    scenes.set("perts", "active2", 1)


def test_every_flag_label_and_frame(pair):
    settle(pair)
    scenes = Scenes(pair, 5000)
    scenes.check("default")
    show_all_groups(scenes)
    for flag in range(FLAGS):
        before = scenes.opts[1].flags[flag]
        scenes.set("opts", "flags", 1 - before, flag)
        scenes.check(f"flag {mujoco.mjtVisFlag(flag)}")
        scenes.set("opts", "flags", before, flag)
    scenes.set("opts", "flags", 1)
    for label in range(LABELS):
        scenes.set("opts", "label", label)
        scenes.check(f"label {label}")
    for frame in range(FRAMES):
        scenes.set("opts", "frame", frame)
        scenes.check(f"frame {frame}")
    for catmask in range(8):
        scenes.check(f"categories {catmask}", catmask)


def test_random_views(pair):
    settle(pair, steps=50, seed=1)
    scenes = Scenes(pair, 5000)
    rng = np.random.default_rng(2)
    for k in range(10):
        scenes.reset()
        for group in GROUPS:
            scenes.set("opts", group, rng.integers(0, 2, 6))
        flags = rng.integers(0, 2, FLAGS)
        scenes.set("opts", "flags", flags)
        scenes.set("opts", "label", int(rng.integers(LABELS)))
        scenes.set("opts", "frame", int(rng.integers(FRAMES)))
        scenes.set("opts", "bvh_depth", int(rng.integers(5)))
        if pair.m.nbody > 1:
            select(scenes, int(rng.integers(1, pair.m.nbody)))
        scenes.set("cams", "azimuth", float(rng.uniform(-180, 180)))
        scenes.set("cams", "elevation", float(rng.uniform(-90, 90)))
        scenes.check(f"view {k}", int(rng.integers(8)))


def test_every_camera(pair):
    settle(pair)
    scenes = Scenes(pair)
    for cam in range(pair.m.ncam):
        scenes.set("cams", "type", 2)
        scenes.set("cams", "fixedcamid", cam)
        scenes.check(f"camera {cam}")
    for body in range(pair.m.nbody):
        scenes.set("cams", "type", 1)
        scenes.set("cams", "trackbodyid", body)
        scenes.check(f"tracking {body}")
        np.testing.assert_allclose(scenes.cams[0].lookat, scenes.cams[1].lookat)


def test_a_full_scene_says_so(pair):
    settle(pair)
    scenes = Scenes(pair, 3)
    scenes.set("opts", "flags", 1)
    scenes.check("full")
    if scenes.ours.status:
        full = int(mujoco.mjtWarning.mjWARN_VGEOMFULL)
        assert pair.d.warning[full].lastinfo == pair.ref_d.warning[full].lastinfo == 3


def test_mouse_moves_camera_body_and_model(pair):
    settle(pair)
    scenes = Scenes(pair)
    rng = np.random.default_rng(3)
    m, d, ref_m, ref_d = pair.m, pair.d, pair.ref_m, pair.ref_d
    for action in range(1, 8):
        dx, dy = rng.uniform(-0.5, 0.5, 2)
        sinew.mjv_moveCamera(m, action, dx, dy, scenes.ours, scenes.cams[0])
        mujoco.mjv_moveCamera(ref_m, action, dx, dy, scenes.theirs, scenes.cams[1])
        same(*scenes.cams, ["type"], "lookat distance azimuth elevation".split(), f"move {action}")
        scenes.check(f"after move {action}")
    for body in range(m.nbody):
        select(scenes, body)
        sinew.mjv_initPerturb(m, d, scenes.ours, scenes.perts[0])
        mujoco.mjv_initPerturb(ref_m, ref_d, scenes.theirs, scenes.perts[1])
        fields = "refpos refquat refselpos localpos localmass scale".split()
        same(*scenes.perts, ["select"], fields, f"hold {body}")
        for action in range(1, 8):
            dx, dy = rng.uniform(-0.5, 0.5, 2)
            sinew.mjv_movePerturb(m, d, action, dx, dy, scenes.ours, scenes.perts[0])
            mujoco.mjv_movePerturb(ref_m, ref_d, action, dx, dy, scenes.theirs, scenes.perts[1])
            same(*scenes.perts, ["select"], fields, f"pull {body} {action}")
        copies = copy.copy(d), copy.copy(ref_d)
        for paused in (0, 1):
            sinew.mjv_applyPerturbForce(m, copies[0], scenes.perts[0])
            mujoco.mjv_applyPerturbForce(ref_m, copies[1], scenes.perts[1])
            sinew.mjv_applyPerturbPose(m, copies[0], scenes.perts[0], paused)
            mujoco.mjv_applyPerturbPose(ref_m, copies[1], scenes.perts[1], paused)
            same(*copies, [], ["xfrc_applied", "qpos", "mocap_pos", "mocap_quat"], f"body {body}")


def test_model_in_a_room(pair):
    scenes = Scenes(pair)
    rng = np.random.default_rng(4)
    for scn in (scenes.ours, scenes.theirs):
        scn.enabletransform, scn.scale = 1, 0.7
        scn.translate[:] = [0.1, 0.2, 0.3]
        scn.rotate[:] = [0.5, 0.5, -0.5, 0.5]
    for action in (1, 2, 3, 4, 5, 6, 7):
        dx, dy = rng.uniform(-0.5, 0.5, 2)
        sinew.mjv_moveModel(pair.m, action, dx, dy, [0, 0, 1], scenes.ours)
        mujoco.mjv_moveModel(pair.ref_m, action, dx, dy, np.array([0, 0, 1.0]), scenes.theirs)
        same(scenes.ours, scenes.theirs, [], ["translate", "rotate", "scale"], f"action {action}")
    for module, scn, out in ((sinew, scenes.ours, []), (mujoco, scenes.theirs, [])):
        pos, quat, fwd, up = np.zeros(3), np.zeros(4), np.zeros(3), np.zeros(3)
        given = np.array([1.0, 2, 3]), np.array([0.5, 0.5, 0.5, 0.5])
        module.mjv_room2model(pos, quat, *given, scn)
        out += [pos.copy(), quat.copy()]
        module.mjv_model2room(pos, quat, *given, scn)
        out += [pos.copy(), quat.copy()]
        module.mjv_cameraInModel(pos, fwd, up, scn)
        out += [pos.copy(), fwd.copy(), up.copy()]
        module.mjv_cameraInRoom(pos, fwd, up, scn)
        out += [pos.copy(), fwd.copy(), up.copy(), module.mjv_frustumHeight(scn)]
        module.mjv_alignToCamera(pos, given[0], fwd)
        mean = module.mjv_averageCamera(scn.camera[0], scn.camera[1])
        out += [pos.copy(), mean.pos, mean.forward, mean.up, mean.frustum_top]
        results = out if module is sinew else zip(results, out)
    for got, want in results:
        np.testing.assert_allclose(got, want, **CLOSE)


def reads_beyond(m, flex):
    """Whether MuJoCo reads the nodes of a flex out of range, because it adds the first node's index
    twice."""
    if flex < 0 or not m.flex_interp[flex]:
        return False
    return 2 * m.flex_nodeadr[flex] + m.flex_nodenum[flex] > m.nflexnode


def test_a_click_selects_what_it_selects_in_mujoco(pair):
    settle(pair)
    scenes = Scenes(pair)
    rng = np.random.default_rng(5)
    for _ in range(50):
        relx, rely = rng.random(2)
        answers = []
        for module, m, d, scn, opt in (
            (sinew, pair.m, pair.d, scenes.ours, scenes.opts[0]),
            (mujoco, pair.ref_m, pair.ref_d, scenes.theirs, scenes.opts[1]),
        ):
            point = np.zeros(3)
            ids = [np.zeros(1, np.int32) for _ in range(3)]
            body = module.mjv_select(m, d, opt, 4 / 3, relx, rely, scn, point, *ids)
            answers.append([body, point, *ids])
        if reads_beyond(pair.ref_m, answers[1][3][0]):
            continue
        for got, want in zip(*answers):
            np.testing.assert_allclose(got, want, **CLOSE)


def test_the_body_in_the_middle_is_selected(zoo):
    scenes = Scenes(zoo)
    sinew.mj_forward(zoo.m, zoo.d)
    cam = scenes.cams[0]
    cam.lookat[:], cam.distance = zoo.d.body("stone").xpos + [0.2, 0.2, 0.2], 3
    scenes.update()
    point, ids = np.zeros(3), [np.zeros(1, np.int32) for _ in range(3)]
    opt = scenes.opts[0]
    body = sinew.mjv_select(zoo.m, zoo.d, opt, 1, 0.5, 0.5, scenes.ours, point, *ids)
    assert body == zoo.m.body("stone").id
    assert ids[0][0] == zoo.m.ngeom - 1 and ids[1][0] == ids[2][0] == -1


def test_own_geoms_can_be_added(zoo):
    scenes = Scenes(zoo)
    for module, scn in ((sinew, scenes.ours), (mujoco, scenes.theirs)):
        geom = scn.geoms[scn.ngeom]
        mat = np.eye(3).ravel()
        size, pos = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2, 3])
        rgba = np.array([1, 0, 0, 1], np.float32)
        module.mjv_initGeom(geom, module.mjtGeom.mjGEOM_CAPSULE, size, pos, mat, rgba)
        geom.label = "mine"
        scn.ngeom += 1
        module.mjv_connector(scn.geoms[scn.ngeom], module.mjtGeom.mjGEOM_ARROW, 0.01, pos, size)
        scn.ngeom += 1
    for i in (1, 2):
        got = scenes.ours.geoms[scenes.ours.ngeom - i]
        want = scenes.theirs.geoms[scenes.theirs.ngeom - i]
        same(got, want, ["type", "label"], ["size", "pos", "mat", "rgba"][: 4 if i == 2 else 3], i)


def test_bad_views_are_refused(zoo):
    scenes = Scenes(zoo)
    for field, value in (("fixedcamid", 99), ("fixedcamid", -1)):
        scenes.set("cams", "type", 2)
        scenes.set("cams", field, value)
        with pytest.raises(sinew.FatalError, match="fixed camera id"):
            scenes.update()
    scenes.set("cams", "type", 1)
    scenes.set("cams", "trackbodyid", 99)
    with pytest.raises(sinew.FatalError, match="track body id"):
        scenes.update()
    with pytest.raises(sinew.FatalError, match="frustum_near"):
        sinew.mjv_frustumHeight(sinew.MjvScene(zoo.m, 1))
    geom = scenes.ours.geoms[0]
    with pytest.raises(sinew.FatalError, match="connector"):
        sinew.mjv_connector(geom, sinew.mjtGeom.mjGEOM_BOX, 1, [0, 0, 0], [0, 0, 1])


def test_a_copied_scene_is_its_own(zoo):
    scenes = Scenes(zoo)
    other = copy.copy(scenes.ours)
    other.geoms[0].pos[:] = 77
    assert scenes.ours.geoms[0].pos[0] != 77
    assert other.ngeom == scenes.ours.ngeom
