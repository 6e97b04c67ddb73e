"""Names of all versions of MuJoCo's package exist, mean the same, and refuse unsupported uses."""

import copy
import pathlib
import pickle
import subprocess
import sys
import weakref

import mujoco
import numpy as np
import pytest

import sinew
from sinew import _names, versions

XML = """
<mujoco>
  <asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <light name="sun"/>
    <body pos="0 0 1" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" euler="0 0 40"/>
      <body pos=".3 0 0"><joint name="a" axis="0 1 0" frictionloss="1"/><geom name="g" size=".1" pos=".1 0 0"/>
        <geom name="m" type="mesh" mesh="tet"/>
        <site name="s" pos=".2 0 0" euler="50 0 0" type="box" size=".1 .1 .2"/></body></body>
    <site name="t" size=".1"/>
  </worldbody>
  <tendon>
    <spatial name="long"><site site="s"/><site site="t"/></spatial>
    <fixed name="fixed"><joint joint="a" coef="2"/></fixed>
  </tendon>
  <actuator><motor joint="a"/></actuator>
</mujoco>
"""


SERVOS = """
<mujoco>
  <worldbody>
    <body>
      <joint name="hinge"/><geom size=".1"/>
      <body pos="0 0 1"><joint name="ball" type="ball"/><geom size=".1" pos=".1 0 0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="hinge"/><pid joint="hinge" kp="2"/></actuator>
</mujoco>
"""


@pytest.fixture
def both():
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return m, d


def run(*arguments):
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=100)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("version", versions.KNOWN)
def test_all_names_of_a_version_exist(version):
    assert versions.missing(version) == []


def test_the_table_has_the_names_of_this_mujoco():
    names = {n.name: n for n in versions.names_of(mujoco.__version__)}
    for name in dir(mujoco):
        value = getattr(mujoco, name)
        if name.startswith("mj") and not name.startswith("_"):
            assert name in names, name
        for member in getattr(value, "__members__", ()):
            assert names[f"{name}.{member}"].how == "", (name, member)


def test_every_line_of_the_table_is_needed():
    lines = _names.table()
    assert [n.name for n in lines] == sorted({n.name for n in lines})
    for line in lines:
        assert line.since in versions.KNOWN and line.until in versions.KNOWN, line


def test_the_share_is_printed():
    code, text = run("-W", "error", "-m", "sinew.versions")
    assert code == 0 and "3.5.0" in text and "100.0 %" in text


def test_a_version_may_be_short_and_must_be_known():
    assert versions.resolve("4.0") == "4.0.0" and versions.resolve("3.3") == "3.3.7"
    for wrong in ("5.0", "", "3.5.1", "3.", None):
        with pytest.raises(ValueError, match="known are 3.3.0, "):
            versions.resolve(wrong)
    assert [_names.header(v) for v in ("3.3.7", "3.5.0", "3.17.0")] == [337, 3005000, 3017000]


def test_programs_see_the_version_that_is_asked_for():
    code = (
        "import mujoco as m, subprocess, sys; print(m.__version__, m.mj_version(), m.mj_versionString(), "
        "m.mjVERSION_HEADER, flush=True); a = sys.argv[1:];"
        "a and subprocess.run([sys.executable, '-c', a[0]])"
    )
    wanted = {"4.0": "4.0.0 4000000 4.0.0 4000000", "3.3": "3.3.7 337 3.3.7 337"}
    for version, text in wanted.items():
        assert (
            run("-m", "sinew.as_mujoco", "--as", version, "-c", code, code)[1].split("\n")[:2]
            == [text] * 2
        )
    assert run("-m", "sinew.as_mujoco", "-c", code)[1].startswith("3.5.0 3005000 3.5.0 3005000")
    code, text = run("-m", "sinew.as_mujoco", "--as", "5", "-c", "")
    assert code and "unknown version '5'" in text and "4.0.0" in text
    assert run("-m", "sinew.as_mujoco", "--as")[0]


def test_functions_take_both_signatures(both):
    m, d = both
    old, new, dense = (np.zeros((m.nv, m.nv)) for _ in range(3))
    sinew.mj_fullM(m, old, d.qM)
    sinew.mj_fullM(m, d, new)
    sinew.mju_sym2dense(dense, d.M, m.M_rownnz, m.M_rowadr, m.M_colind)
    assert np.array_equal(old, new) and np.array_equal(old, dense) and old.any()
    sinew.mj_fullM(m=m, d=d, dst=new)
    with pytest.raises(TypeError):
        sinew.mj_fullM(m, d)
    d.ctrl[0] = 2
    result = np.zeros(1)
    assert sinew.mj_readCtrl(m, d, 0, 0, 0) == 2
    assert sinew.mj_readCtrl(m, d, 0, 0, result, 0) == [2] and result == [2]


@pytest.mark.parametrize("action", [1, 2, 3, 4, 5, 8, 9])
def test_a_camera_moves_without_a_scene(both, action):
    m, d = both
    cams = []
    for short in (False, True):
        scn, cam = sinew.MjvScene(m, 10), sinew.MjvCamera()
        sinew.mjv_defaultFreeCamera(m, cam)
        sinew.mjv_updateCamera(m, d, cam, scn)
        sinew.mjv_moveCamera(m, action, 0.1, 0.2, *(() if short else (scn,)), cam)
        cams.append([*cam.lookat, cam.distance, cam.azimuth, cam.elevation])
    assert np.allclose(*cams, rtol=1e-6, atol=0)


def test_fields_have_the_same_truth_under_both_names(both):
    m, d = both
    assert np.shares_memory(d.efc_diagA, d.efc_diagApprox) and d.efc_diagA.shape == (d.nefc,)
    assert m.nactuator == m.nout == m.nu and np.array_equal(d.D_rownnz, m.D_rownnz)
    for quat, mat in (
        ("geom_xquat", "geom_xmat"),
        ("site_xquat", "site_xmat"),
        ("xiquat", "ximat"),
    ):
        for q, wanted in zip(getattr(d, quat), getattr(d, mat)):
            rotation = np.zeros(9)
            sinew.mju_quat2Mat(rotation, q)
            assert np.allclose(rotation, wanted, atol=1e-14)
    assert d.geom("g").xquat.shape == (4,) and d.body(1).xiquat.shape == (4,)
    assert m.tendon_type.tolist() == [1, 0] and m.nJten == 8
    assert m.ten_J_rownnz.tolist() == [7, 1] and m.ten_J_rowadr.tolist() == [0, 7]
    assert m.ten_J_colind.tolist() == [0, 1, 2, 3, 4, 5, 6, 6]
    assert m.light_directional.tolist() == [
        int(m.light_type[0] == sinew.mjtLightType.mjLIGHT_DIRECTIONAL)
    ]
    assert m.npolygonmax == 3 and m.nmeshdegmax == 3 and m.mesh_extrema.shape == (1, 27)


def test_arrays_live_as_long_as_their_owner(both):
    m, d = both
    for owner, name in ((d, "geom_xquat"), (m, "jnt_springyield"), (m, "ten_J_colind")):
        kept = weakref.ref(getattr(owner, name))
        assert kept() is getattr(owner, name)
    before = d.geom_xquat.copy()
    d.qpos[3:7] = [0, 1, 0, 0]
    sinew.mj_forward(m, d)
    assert not np.allclose(d.geom_xquat, before)


def test_layouts_follow_the_version():
    code = f"""
import mujoco, numpy as np
m = mujoco.MjModel.from_xml_string({XML!r}); d = mujoco.MjData(m); mujoco.mj_forward(m, d)
print(d.ten_J.shape, np.round(np.ravel(d.ten_J)[-1], 3))
before = d.ten_J.copy(); d.ten_J[:] = before + 1
assert np.array_equal(d.ten_J, before + 1) or d.ten_J.ndim > 1
"""
    assert run("-m", "sinew.as_mujoco", "--as", "3.6", "-c", code)[1] == "(8,) 2.0\n"
    assert run("-m", "sinew.as_mujoco", "-c", code)[1] == "(2, 7) 2.0\n"


def test_neutral_fields_have_one_value(both):
    m, d = both
    assert not m.flex_yield.any() and m.flex_yield.shape == (m.nflex, 2)
    assert not m.jnt_springyield.any() and m.jnt_springyield.shape == (m.njnt,)
    assert m.geom("g").castshadow.tolist() == [True] and m.nplastic == 0 and d.plastic.shape == (0,)
    assert m.joint("a").dampingpoly.shape == (1, 2)
    m.flex_plasticmode = 0
    m.geom_castshadow[0] = True
    with pytest.raises(NotImplementedError, match="needs the physics of MuJoCo 4.0.0"):
        m.geom_castshadow = False
    with pytest.raises(NotImplementedError, match="needs the physics of MuJoCo 4.0.0"):
        m.geom_castshadow[0] = False
    assert m.geom_castshadow.all()
    m.geom_adhesion[0] = 2
    assert m.geom_adhesion[0] == 2 and m.flg_adhesion
    m.geom_adhesion = 0
    assert not m.geom_adhesion.any() and not m.flg_adhesion
    with pytest.raises(AttributeError, match="computed"):
        d.geom_xquat = 0


def test_elements_have_the_attributes_of_all_versions():
    spec = sinew.MjSpec()
    body = spec.worldbody.add_body()
    geom = body.add_geom(size=[0.1, 0, 0], castshadow=True, adhesion=2)
    assert geom.compiler is spec.compiler and geom.castshadow == 1
    assert geom.surfacevel.tolist() == [0] * 6
    assert geom.adhesion == 2 and spec.compile().geom_adhesion.tolist() == [2]
    with pytest.raises(NotImplementedError, match="MjsGeom.castshadow = .* needs .* MuJoCo 4.0.0"):
        body.add_geom(size=[0.1, 0, 0], castshadow=False)
    light = body.add_light()
    light.directional = 1
    assert light.type == sinew.mjtLightType.mjLIGHT_DIRECTIONAL
    geom.delete()
    assert body.geoms == []
    # textures have no class
    text = "<mujoco><asset><texture name='t' type='2d' builtin='flat' width='2' height='2'/></asset></mujoco>"
    assert sinew.MjSpec.from_string(text).compile().ntex == 1
    assert not hasattr(spec.default, "texture")
    with pytest.raises(TypeError):
        body.add_geom(nonsense=1)


def test_sites_with_a_mesh_and_contacts_that_pull():
    spec = sinew.MjSpec()
    spec.add_mesh(name="tet", uservert=[0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3])
    spec.worldbody.add_geom(name="floor", type=sinew.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1])
    mesh = sinew.mjtGeom.mjGEOM_MESH
    spec.worldbody.add_site(name="zone", type=mesh, meshname="tet")
    spec.worldbody.add_site(name="plain")
    body = spec.worldbody.add_body(name="ball", pos=[0.2, 0.2, 0.099])
    body.add_freejoint()
    body.add_geom(name="ball", size=[0.1, 0, 0], adhesion=2)
    spec.add_sensor(
        type=sinew.mjtSensor.mjSENS_INSIDESITE, objtype=sinew.mjtObj.mjOBJ_BODY, objname="ball",
        reftype=sinew.mjtObj.mjOBJ_SITE, refname="zone", intprm=[1, 0, 0],
    )  # fmt: skip
    m = spec.compile()
    assert m.site_dataid.tolist() == [0, -1]
    assert 'enclosed="true"' in spec.to_xml() and 'mesh="tet"' in spec.to_xml()
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    assert sinew.mj_insideSite(m, d, 0, [0.1, 0.1, 0.1]) == 1
    assert sinew.mj_insideSite(m, d, 0, [-0.1, 0.1, 0.1]) == 0
    np.testing.assert_allclose(d.sensordata, 0.001, atol=1e-6)
    assert m.flg_adhesion
    np.testing.assert_allclose(d.qfrc_adhesion, [0, 0, -2, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(d.qfrc_passive, d.qfrc_adhesion)


def test_a_site_with_a_mesh_is_drawn_as_a_geom_with_it():
    place = 'type="mesh" mesh="tet" euler="0 10 0" pos=".1 .2 .3"'
    m = sinew.MjModel.from_xml_string(
        '<mujoco><asset><mesh name="tet" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset><worldbody>'
        f'<body pos="0 0 1"><site {place}/><geom {place}/></body></worldbody></mujoco>'
    )
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    option, scene = sinew.MjvOption(), sinew.MjvScene(m, 10)
    for hull in (0, 1):
        option.flags[sinew.mjtVisFlag.mjVIS_CONVEXHULL] = hull
        sinew.mjv_updateScene(m, d, option, None, sinew.MjvCamera(), 7, scene)
        geom, site = scene.geoms[:2]
        assert (geom.objtype, site.objtype) == (sinew.mjtObj.mjOBJ_GEOM, sinew.mjtObj.mjOBJ_SITE)
        assert geom.dataid == site.dataid == hull and geom.type == site.type
        np.testing.assert_allclose(geom.pos, site.pos, atol=1e-6)
        np.testing.assert_allclose(geom.mat, site.mat, atol=1e-6)


def test_settings_are_assigned_as_a_whole_since_4(both, monkeypatch):
    m, _ = both
    for name in ("opt", "vis", "stat"):
        with pytest.raises(AttributeError, match="no setter"):
            setattr(m, name, getattr(m, name))
    monkeypatch.setenv(_names._VARIABLE, "4.0.0")
    option = sinew.MjOption()
    option.timestep, option.gravity = 0.25, (0, 0, -1)
    gravity = m.opt.gravity
    m.opt = option
    assert m.opt == option and gravity.tolist() == [0, 0, -1]
    m.vis.global_.fovy = 50
    other = copy.copy(m.vis)
    other.global_.fovy = 60
    m.vis = other
    assert m.vis == other
    m.vis.global_ = sinew.MjVisual.Global()
    assert m.vis.global_.fovy == 45
    with pytest.raises(TypeError):
        m.stat = option


def test_bindings_of_several_elements_are_assigned_since_4():
    code = f"""
import mujoco, numpy as np
spec = mujoco.MjSpec.from_string({XML!r}); m = spec.compile()
joints = [j for j in spec.joints if j.type == mujoco.mjtJoint.mjJNT_HINGE]
bound = m.bind(joints)
assert bound.id == [j.id for j in joints] and bound.name == [j.name for j in joints]
for wrong in (0.5, [0.5] * (len(joints) + 1)):
    try:
        bound.damping = wrong
        raise SystemExit("no error")
    except ValueError:
        pass
bound.damping = [0.5 + i for i in range(len(joints))]
assert list(bound.damping) == [0.5 + i for i in range(len(joints))]
bound.axis = bound.axis
print(len(joints) > 0)
"""
    assert run("-m", "sinew.as_mujoco", "--as", "4.0", "-c", code)[1] == "True\n"
    assert "Cannot set" in run("-m", "sinew.as_mujoco", "-c", code)[1]


def test_short_texts_end_with_zeros_since_4():
    code = """
import mujoco
spec = mujoco.MjSpec(); spec.compiler.eulerseq = "zyx"
try:
    spec.compiler.eulerseq = "xyzw"
except ValueError as error:
    print(error)
texture = spec.add_texture(name="t"); texture.gridlayout = "." * 12; texture.gridlayout = "LF"
print(list(texture.gridlayout) == ["L", "F", *["\\0"] * 10])
"""
    out = run("-m", "sinew.as_mujoco", "--as", "4.0", "-c", code)[1]
    assert out == "eulerseq may have at most 3 characters\nTrue\n"


def test_an_empty_prefix_is_a_warning_since_4():
    code = """
import mujoco
parent, child = mujoco.MjSpec(), mujoco.MjSpec()
child.worldbody.add_body(name="b").add_geom(size=[1, 0, 0])
parent.attach(child, frame=parent.worldbody.add_frame(), prefix="")
parent.compile()
"""
    words = "may prevent the model from being saved correctly"
    assert words in run("-m", "sinew.as_mujoco", "--as", "4.0", "-c", code)[1]
    assert words not in run("-m", "sinew.as_mujoco", "-c", code)[1]


def test_least_squares_ends_as_in_4():
    code = """
import io
import numpy as np
from mujoco import minimize
out = io.StringIO()
x, _ = minimize.least_squares(np.array([0.0]), lambda x: x - 1.0, xtol=2.0, gtol=0.0, output=out)
quiet = io.StringIO()
silent = minimize.Verbosity.SILENT
minimize.least_squares(np.array([1.0]), lambda x: x - 1.0, output=quiet, verbose=silent)
print(x, repr(quiet.getvalue()))
"""
    assert run("-m", "sinew.as_mujoco", "--as", "4.0", "-c", code)[1] == "[1.] ''\n"
    assert run("-m", "sinew.as_mujoco", "-c", code)[1] != "[1.] ''\n"


def test_rollout_refuses_states_with_threads_since_4():
    code = f"""
import mujoco
from mujoco import rollout
m = mujoco.MjModel.from_xml_string({XML!r})
data = [mujoco.MjData(m) for _ in range(2)]
mujoco.mju_threadpool(data[1], 2)
state = [[0.0] * mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)]
try:
    rollout.rollout(m, data, __import__("numpy").array(state), nstep=1)
except ValueError as error:
    print(error)
"""
    assert "data[1] has a thread pool" in run("-m", "sinew.as_mujoco", "--as", "4.0", "-c", code)[1]


def test_files_in_memory_are_found():
    with sinew.MjVfs() as files:
        files["model.xml"] = b"<mujoco><include file='part.xml'/></mujoco>"
        files["part.xml"] = b"<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
        assert "part.xml" in files
        assert sinew.MjModel.from_xml_path("model.xml", vfs=files).ngeom == 1
        assert sinew.MjSpec.from_file("model.xml", vfs=files).compile().ngeom == 1
        with pytest.raises(ValueError):
            files["model.xml"] = b""
        with pytest.raises(KeyError):
            del files["other.xml"]
    with pytest.raises(RuntimeError):
        files["x"] = b""


def test_functions_of_later_versions(both):
    m, d = both
    site = d.site("s")
    inside = site.xpos + site.xmat.reshape(3, 3) @ [0.05, 0.05, 0.19]
    assert sinew.mj_insideSite(m, d, site.id, inside) == 1
    assert sinew.mj_insideSite(m, d, site.id, inside + 1) == 0
    d.ctrl[:] = 1
    sinew.mj_resetCtrl(m, d)
    assert not d.ctrl.any() and sinew.mj_actuatorInputName(m, 0, 0) is None
    assert sinew.mj_maxContact(m, 0, 0, 0) == 8 and sinew.mj_maxContact(m, 0, 1, -1) == 1
    assert sinew.mj_embedAssets(m).nmesh == 1
    sinew.mju_threadpool(d, 2)
    camera = sinew.MjvCamera()
    sinew.mjv_defaultFreeCamera(m, camera)
    scn = sinew.MjvScene(m, 10)
    sinew.mjv_updateCamera(m, d, camera, scn)
    seen = sinew.mjv_camera2GLCamera(m, d, camera)
    assert np.allclose(seen.forward, scn.camera[0].forward, atol=1e-6)
    for wrong in (lambda: sinew.mj_insideSite(m, d, 9, inside), lambda: sinew.mj_loadTexture(m, 0)):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(NotImplementedError, match="needs OpenGL"):
        sinew.mjr_addAux(0, 1, 1, 1, None)


def test_logs_are_settings_without_effect():
    config = sinew.MjLogConfig.get()
    config.topics = 3
    config.set()
    assert sinew.MjLogConfig.get() == config and "topics: 3" in repr(config)
    sinew.MjLogConfig().set()


def test_the_renderer_on_filament_is_an_error():
    from sinew import mjrf

    with pytest.raises(NotImplementedError, match="MuJoCo 3.16.0"):
        mjrf.Camera()


def test_numbers_of_enumerations_are_those_of_this_version():
    # a flag that 3.5.0 does not have is never set, and has the bit of no other
    taken = [int(x) for x in mujoco.mjtEnableBit.__members__.values()]
    for name in ("mjENBL_DIAGEXACT", "mjENBL_IPC", "mjENBL_SPECULATIVE"):
        assert int(getattr(sinew.mjtEnableBit, name)) not in taken
    assert sinew.mjtGain(3) is sinew.mjtGain.mjGAIN_USER != sinew.mjtGain.mjGAIN_DCMOTOR


LATER = pathlib.Path(__file__).parents[3] / "tests" / "later"


def test_springs_and_actuators_have_the_fields_of_later_versions():
    m = sinew.MjModel.from_xml_path(str(LATER / "springs.xml"))
    assert m.jnt_stiffnesspoly[m.joint("shoulder").id].tolist() == [0.5, 2]
    assert m.joint("slider").dampingpoly.tolist() == [[0, 5]]
    assert m.tendon_stiffnesspoly[0].tolist() == [0, 5]
    assert not m.actuator_armature.any() and m.jnt_actuatorid.tolist() == [-1] * m.njnt

    m = sinew.MjModel.from_xml_path(str(LATER / "actuators.xml"))
    assert m.actuator_damping.tolist() == [0.2, 0.02, 0.1, 0.05, 0.3, 0.02, 0.1]
    assert m.jnt_actuatorid.tolist() == [6, -2, 2, 5]
    assert m.tendon_actuatorid.tolist() == [3, 4]

    m = sinew.MjModel.from_xml_path(str(LATER / "motors.xml"))
    assert m.actuator_ctrlspec.tolist() == [8, 8, 8, 8, 1, 2]
    m = sinew.MjModel.from_xml_path(str(LATER / "conveyors.xml"))
    assert m.flg_surfacevel and m.geom_surfacevel[0].tolist() == [0.5, 0.2, 0, 0, 0, 0.3]

    m = sinew.MjModel.from_xml_path(str(LATER / "actuators.xml"))
    m.actuator_damping = 2 * m.actuator_damping
    assert m.actuator_damping[0] == 0.4
    with pytest.raises(ValueError):
        m.actuator_damping = [1, 2]
    with pytest.raises(AttributeError):
        m.jnt_actuatorid = 0


def test_tables_of_later_versions_are_written_in_place(both):
    m, d = both
    sinew.mj_forward(m, d)
    before, damping = d.qfrc_passive.copy(), m.dof_dampingpoly
    d.qvel[:] = 1
    damping[6] = [2, 0]
    damping[6][1] += 3
    damping[6, :1] *= 2
    m.joint(m.dof_jntid[6]).dampingpoly[0, 0] += 1
    assert m.dof_dampingpoly is damping and damping[6].tolist() == [5, 3]
    sinew.mj_forward(m, d)
    assert np.isclose(d.qfrc_passive[6] - before[6], -(5 + 3) - m.dof_damping[6])

    # copies are arrays of their own
    for copy in (damping.copy(), damping * 1, np.array(damping)):
        copy[:] = 9
    # ways to write that are not seen are errors
    for write in (lambda: np.copyto(damping, 9), lambda: np.add.at(damping, 0, 9)):
        with pytest.raises(ValueError):
            write()
    with pytest.raises(AttributeError):
        m.jnt_actuatorid[0] = 0
    assert m.dof_dampingpoly.max() == 5 and repr(damping[6]) == "array([5., 3.])"


def test_elements_have_polynomials():
    spec = sinew.MjSpec.from_file(str(LATER / "springs.xml"))
    assert spec.joint("shoulder").stiffness == 3
    again = sinew.MjModel.from_xml_string(spec.to_xml())
    assert np.array_equal(again.jnt_stiffnesspoly, spec.compile().jnt_stiffnesspoly)
    code = f"""
import sinew
sinew.install_as_mujoco(version="4.0")
spec = sinew.MjSpec.from_file({str(LATER / "springs.xml")!r})
assert spec.joint("shoulder").stiffness.tolist() == [3, 0.5, 2]
spec.joint("shoulder").stiffness[2] = 7
spec.joint("elbow").damping = [1, 2, 3]
m = spec.compile()
assert m.jnt_stiffnesspoly[0].tolist() == [0.5, 7]
assert m.dof_dampingpoly[1].tolist() == [2, 3]
"""
    status, text = run("-c", code)
    assert status == 0, text


YIELDING = """
<mujoco>
  <worldbody>
    <body><joint name="beam" stiffness="10" springref="20" springyield="10"/><geom size=".1" pos=".3 0 0"/></body>
    <body pos="1 0 0"><joint name="pin" type="ball" springyield="5"/><geom size=".1"/></body>
    <body pos="2 0 0"><joint name="free"/><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed name="rope" springlength="0.1 0.3" springyield="0.05"><joint joint="beam" coef="1"/></fixed></tendon>
  <keyframe><key name="bent" plastic="0.5"/></keyframe>
</mujoco>
"""


def test_springs_that_yield_have_a_state():
    m = sinew.MjModel.from_xml_string(YIELDING)
    d = sinew.MjData(m)
    assert m.nplastic == 7 and m.jnt_plasticadr.tolist() == [0, 1, -1]
    assert m.tendon_plasticadr.tolist() == [5] and m.key_plastic.shape == (1, 7)
    assert np.allclose(m.jnt_springyield, np.deg2rad([10, 5, 0]))
    assert np.allclose(d.joint("beam").plastic, np.deg2rad(20))
    assert d.joint("pin").plastic.tolist() == [1, 0, 0, 0] and d.joint("free").plastic.shape == (0,)
    assert d.tendon("rope").plastic.tolist() == [0.1, 0.3]
    assert m.key("bent").plastic[0] == 0.5

    # a part of the state, with all of the physics or alone
    d.qpos[0] = 2
    sinew.mj_step(m, d)
    assert abs(d.qpos[0] - d.plastic[0] - np.deg2rad(10)) < 1e-12
    assert sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_PLASTIC) == 7
    size = sinew.mj_stateSize(m, sinew.mjtState.mjSTATE_FULLPHYSICS)
    state, other = np.zeros(size), sinew.MjData(m)
    sinew.mj_getState(m, d, state, sinew.mjtState.mjSTATE_FULLPHYSICS)
    sinew.mj_setState(m, other, state, sinew.mjtState.mjSTATE_FULLPHYSICS)
    assert other.plastic.tolist() == d.plastic.tolist()
    other.plastic[0] = 3
    assert other.plastic[0] == 3 and pickle.loads(pickle.dumps(other)).plastic[0] == 3
    assert copy.copy(other).plastic[0] == 3
    sinew.mj_resetDataKeyframe(m, other, 0)
    assert other.plastic[0] == 0.5

    # worlds of a batch yield as single ones do
    batch = sinew.Batch(m, 2)
    alone = sinew.MjData(m)
    alone.qvel[:] = 20
    batch.qvel[:] = 20
    batch.step(20)
    sinew.mj_step(m, alone, 20)
    assert np.array_equal(batch.qpos, np.stack([alone.qpos] * 2))

    # a spec says it again
    spec = sinew.MjSpec.from_string(YIELDING)
    assert spec.joint("beam").springyield == 10 and list(spec.key("bent").plastic) == [0.5]
    assert np.allclose(sinew.MjModel.from_xml_string(spec.to_xml()).jnt_springyield, m.jnt_springyield)


def test_an_actuator_becomes_a_motor_with_a_commutator():
    text = """<mujoco><worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>
    <dcmotor joint="j" motorconst="0.05 0.06" resistance="2" inductance="0.1 0" cogging="0.1 3 0.2"/>
    </actuator></mujoco>"""
    wanted = sinew.MjModel.from_xml_string(text)
    spec = sinew.MjSpec.from_string("<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody></mujoco>")
    actuator = spec.add_actuator(target="j", trntype=sinew.mjtTrn.mjTRN_JOINT)
    actuator.set_to_dcmotor([0.05, 0.06], 2, inductance=[0.1, 0], cogging=[0.1, 3, 0.2])
    found = spec.compile()
    for name in ("dyntype", "gaintype", "biastype", "dynprm", "gainprm", "biasprm", "actnum"):
        assert np.array_equal(getattr(found, f"actuator_{name}"), getattr(wanted, f"actuator_{name}"))
    with pytest.raises(ValueError, match="motorconst should be"):
        actuator.set_to_dcmotor([0.05], 2)
    with pytest.raises(ValueError, match="resistance R must be positive"):
        actuator.set_to_dcmotor([0.05, 0.05], 0)


def test_actuators_of_several_controls_have_a_row_for_each():
    spec = sinew.MjSpec.from_string(SERVOS)
    controller = spec.add_actuator(name="new", trntype=sinew.mjtTrn.mjTRN_JOINT, target="hinge")
    controller.set_to_pid(kp=3, kv=0.5, ki=1, imax=0.1, ctrlspec=7)
    controller.velrange = [-2, 2]
    servo = spec.add_actuator(name="turn", trntype=sinew.mjtTrn.mjTRN_JOINT, target="ball")
    servo.set_to_orientation(kp=2, kv=0.1, ctrlspec=2)
    m = spec.compile()
    assert (m.nu, m.na) == (1 + 2 + 3 + 4, 1)
    assert m.actuator_ctrladr[servo.id] == servo.id == 6 and controller.id == 3
    assert m.actuator_ctrlnum.tolist() == [1, 2, 0, 3, 0, 0, 4, 0, 0, 0]
    assert m.actuator_outnum[servo.id] == 3 and m.actuator("turn").id == servo.id
    assert m.actuator_ctrlrange[4].tolist() == [-2, 2]
    assert [sinew.mj_actuatorInputName(m, 3, i) for i in range(3)] == ["pos", "vel", "ff"]
    assert sinew.mj_actuatorInputName(m, 6, 3) == "qz" and sinew.mj_actuatorInputName(m, 0, 0) is None
    with pytest.raises(ValueError):
        sinew.mj_actuatorInputName(m, 4, 0)

    # controls at the start, and the same model from its saved file
    d = sinew.MjData(m)
    assert d.ctrl.tolist() == [0] * 6 + [1, 0, 0, 0]
    d.ctrl[:] = 5
    sinew.mj_resetCtrl(m, d)
    assert d.ctrl[6] == 1 and not d.ctrl[:6].any()
    again = sinew.MjModel.from_xml_string(spec.to_xml())
    np.testing.assert_array_equal(again.actuator_gaintype, m.actuator_gaintype)
    np.testing.assert_array_equal(again.actuator_biasprm, m.actuator_biasprm)
    np.testing.assert_array_equal(again.actuator_ctrlrange, m.actuator_ctrlrange)


TETRA = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_an_archive_has_a_model_with_its_files(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/tet.obj").write_bytes(TETRA)
    (tmp_path / "robot.xml").write_text(
        "<mujoco model='r'><compiler meshdir='meshes'/><asset><mesh file='tet.obj'/></asset>"
        "<worldbody><geom type='mesh' mesh='tet'/></worldbody></mujoco>"
    )
    spec = sinew.MjSpec.from_file(str(tmp_path / "robot.xml"))
    m = spec.compile()
    place = tmp_path / "robot.mjz"
    assert spec.encode(str(place), m) == place.stat().st_size
    for read in (sinew.MjModel.from_xml_path, lambda p: sinew.MjSpec.from_file(p).compile()):
        again = read(str(place))
        assert np.array_equal(again.mesh_vert, m.mesh_vert) and again.ngeom == 1

    # by ending
    assert spec.encode(str(tmp_path / "a.xml")) > 0 and spec.encode(str(tmp_path / "a.mjb"), m) > 0
    assert sinew.MjModel.from_binary_path(str(tmp_path / "a.mjb")).ngeom == 1
    assert spec.encode(str(tmp_path / "a.txt"), m) > 0
    for wrong in ("a.unknown", "b.mjb"):
        with pytest.raises(sinew.FatalError):
            spec.encode(str(tmp_path / wrong))
    (tmp_path / "empty.mjz").write_bytes(b"")
    with pytest.raises(ValueError, match="zip"):
        sinew.MjModel.from_xml_path(str(tmp_path / "empty.mjz"))


def test_an_archive_has_files_from_elsewhere(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "tet.obj").write_bytes(TETRA)
    (tmp_path / "model/m.xml").write_text(
        "<mujoco><asset><mesh file='../tet.obj'/></asset>"
        "<worldbody><geom type='mesh' mesh='tet'/></worldbody></mujoco>"
    )
    spec = sinew.MjSpec.from_file(str(tmp_path / "model/m.xml"))
    spec.encode(str(tmp_path / "m.mjz"))
    assert sinew.MjModel.from_xml_path(str(tmp_path / "m.mjz")).nmesh == 1


def test_settings_of_attached_models_are_merged():
    parent, child = sinew.MjSpec(), sinew.MjSpec()
    parent.compiler.conflict = sinew.mjtConflict.mjCONFLICT_MERGE
    parent.option.timestep, child.option.timestep, child.nuserdata = 0.005, 0.001, 3
    child.worldbody.add_body(name="b").add_geom(size=[1, 0, 0])
    parent.worldbody.add_frame().attach_body(child.body("b"), "c")
    assert (parent.option.timestep, parent.nuserdata) == (0.001, 3)
    other = sinew.MjSpec()
    other.option.integrator, parent.option.integrator = 1, 2
    other.option.timestep = 0.0005
    body = other.worldbody.add_body(name="b")
    body.add_geom(size=[1, 0, 0])
    with pytest.raises(ValueError, match="integrator: parent has 2, child has 1"):
        parent.worldbody.add_frame().attach_body(body, "d")
    assert parent.option.timestep == 0.001


def test_equal_assets_are_united():
    spec = sinew.MjSpec.from_string("""<mujoco><asset>
      <texture name="a" type="2d" builtin="checker" width="8" height="8"/>
      <texture name="b" type="2d" builtin="checker" width="8" height="8"/>
      <material name="m" texture="b"/>
      <mesh name="p" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="q" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
      <mesh name="r" vertex="0 0 0 1 0 0 0 1 0 0 0 2"/></asset>
      <worldbody><geom type="mesh" mesh="q" material="m"/></worldbody></mujoco>""")
    assert spec.dedup_assets() == 2 and spec.dedup_assets() == 0
    assert spec.geoms[0].meshname == "p" and spec.mesh("q") is None and spec.mesh("r") is not None
    m = spec.compile()
    assert (m.ntex, m.nmesh) == (1, 2)


def test_a_body_adopts_its_inertia():
    spec = sinew.MjSpec()
    body = spec.worldbody.add_body()
    geom = body.add_geom(size=[0.1, 0, 0], pos=[0, 0, 0.2])
    mass = spec.compile().body_mass[1]
    spec.adopt_inertial(body)
    geom.size[0] = 0.2
    m = spec.compile()
    assert m.body_mass[1] == mass and m.body_ipos[1].tolist() == [0, 0, 0.2]
    spec.compiler.inertiafromgeom = sinew.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
    with pytest.raises(ValueError, match="inertiafromgeom"):
        spec.adopt_inertial(body)
