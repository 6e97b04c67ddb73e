"""Details that no model of the other tests has."""
import mujoco
import numpy as np
import pytest

import compare

BALL_ON_PLANE = """<mujoco><option {}</option><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


def both(engine, text):
    """A model in both engines, with a state of each."""
    models = [e.MjModel.from_xml_string(text) for e in (mujoco, engine)]
    return models, [e.MjData(m) for e, m in zip((mujoco, engine), models)]


def test_a_singular_inertia_has_mujocos_constants(engine):
    (want, got), _ = both(engine, """<mujoco><worldbody><body><joint/><joint/><geom size=".1"/></body>
        </worldbody></mujoco>""")
    assert np.isnan(want.dof_invweight0).all()
    assert not compare.model_differences(want, got)


@pytest.mark.parametrize("step", ["mj_step", "mj_step2"])
def test_the_discrete_inverse_of_runge_kutta_is_refused(engine, step):
    text = BALL_ON_PLANE.format('integrator="RK4"><flag invdiscrete="enable" fwdinv="enable"/>')
    for e, m, d in zip((mujoco, engine), *both(engine, text)):
        e.mj_step1(m, d)
        with pytest.raises(e.FatalError, match="discrete inverse dynamics is not supported by RK4 integrator"):
            getattr(e, step)(m, d)
        assert d.time == 0 and d.ncon == 1
        # no comparison, no error
        d.qpos[2] = 1
        e.mj_step(m, d)
        assert d.time == m.opt.timestep


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("noslip", [0, 2])
def test_sizes_of_row_inertia_are_mujocos(engine, jacobian, solver, noslip):
    text = BALL_ON_PLANE.format(f'jacobian="{jacobian}" solver="{solver}" noslip_iterations="{noslip}">')
    models, (d, mine) = both(engine, text.replace("<freejoint/>", '<joint/><joint type="slide"/>'))
    for e, m, x in zip((mujoco, engine), models, (d, mine)):
        e.mj_forward(m, x)
    assert d.nefc and d.nA == mine.nA
    for name in "efc_AR_rownnz efc_AR_rowadr efc_AR_colind efc_AR".split():
        assert getattr(d, name).shape == getattr(mine, name).shape, name


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_zeros_of_tendons_have_mujocos_sign(engine, jacobian):
    models, (d, mine) = both(engine, f"""<mujoco><option jacobian="{jacobian}"/><worldbody>
        <body><joint name="a"/><joint name="b" axis="1 0 0"/><geom size=".1"/></body></worldbody>
        <tendon><fixed><joint joint="a" coef="-0"/><joint joint="b" coef="2"/></fixed></tendon></mujoco>""")
    for e, m, x in zip((mujoco, engine), models, (d, mine)):
        e.mj_tendon(m, e.mj_kinematics(m, x) or x)
    assert d.ten_J.tobytes() == mine.ten_J.tobytes()


# parts that models are assembled from, and a keyframe of a part
KEYFRAMES = {
    "no name": ('<replicate count="2"/>', '<key time="1"/>'),
    "room for more": ('<replicate count="2"/>', '<key name="k" time="1"/>'),
    "own actuator": ('<replicate count="2"><body><joint/><geom size=".1"/></body></replicate>',
                     '<key name="k" qpos=".3 .4" qvel=".5 .6" act=".2" ctrl=".1"/>'),
    "copied twice": ('<replicate count="2"/><replicate count="1" sep="-"/>', '<key name="k" act=".2" ctrl=".1"/>'),
    "copied before there is an actuator": (None, '<key name="k" act=".2" ctrl=".1"/>'),
    "attached": ('<body><attach model="part" body="b" prefix="x"/></body>', ""),
    "attached, then copied": ('<body><attach model="part" body="b" prefix="x"/></body><replicate count="2"/>', ""),
    "longer than its keyframe": ('<attach model="free" body="b" prefix="x"/>', '<key qpos=".5"/>'),
    "attached twice with copies in it": ('<attach model="copies" body="b" prefix="x"/>'
                                         '<attach model="copies" body="b" prefix="y"/>', ""),
    "attached in copies": ('<replicate count="2"><body><attach model="part" body="b" prefix="x"/></body></replicate>',
                           '<key name="k" act=".2" ctrl=".1"/>'),
}
PART = """<mujoco model="part"><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><intvelocity name="a" joint="j" actrange="-1 1"/></actuator>
    <keyframe><key name="p" qpos=".7" qvel=".8" act=".9" ctrl="1.1"/></keyframe></mujoco>"""


COPIES = """<mujoco model="copies"><worldbody><body name="b"><joint name="j"/><geom size=".1"/></body>
    <replicate count="2"/></worldbody><keyframe><key name="p" qpos=".7"/></keyframe></mujoco>"""
FREE = """<mujoco model="free"><worldbody><body name="b" pos="1 2 3"><freejoint/><geom size=".1"/></body></worldbody>
    </mujoco>"""
LOOKS = """<mujoco model="looks"><asset><material name="m"/></asset><default><site material="m"/></default>
    <worldbody><site/></worldbody></mujoco>"""
PARTS = {"part": PART, "copies": COPIES, "free": FREE, "looks": LOOKS}


def assembled(world, rest=""):
    models = "".join(f'<model name="{name}" file="{name}.xml"/>' for name in PARTS if f'"{name}"' in world)
    return f"""<mujoco><asset>{models}</asset><worldbody>{world}</worldbody>{rest}</mujoco>"""


def files(tmp_path, text):
    for name, part in PARTS.items():
        (tmp_path / f"{name}.xml").write_text(part)
    (tmp_path / "model.xml").write_text(text)
    return str(tmp_path / "model.xml")


@pytest.mark.parametrize("name", KEYFRAMES)
def test_keyframes_of_parts_are_mujocos(engine, tmp_path, name):
    world, key = KEYFRAMES[name]
    own = '<body><joint name="own"/><geom size=".1"/></body>'
    world = '<replicate count="2"/>' + own if world is None else own + world
    path = files(tmp_path, assembled(world, f"""<size nkey="{3 if name == 'room for more' else 0}"/>
        <actuator><intvelocity joint="own" actrange="-1 1"/></actuator><keyframe>{key}</keyframe>"""))
    want, got = (e.MjModel.from_xml_path(path) for e in (mujoco, engine))
    assert want.nkey
    assert not compare.model_differences(want, got)


@pytest.mark.parametrize("world, culprit", [
    ('<attach model="part" body="b" prefix="x"/><body><attach model="part" body="b" prefix="x"/></body>',
     "Frame and body 'xb' have mismatched parents"),
    ('<replicate count="1"/>', "repeated name '0' in key"),
    ('<frame><body class="none"/></frame>', "unknown default class name 'none'"),
    ('<attach model="looks" prefix="x"/>', "material 'm' not found in site"),
])
def test_parts_that_mujoco_rejects_are_rejected(engine, tmp_path, world, culprit):
    path = files(tmp_path, assembled(world, "<keyframe><key/><key/></keyframe>" if "replicate" in world else ""))
    for e, options in (mujoco, {}), (engine, {} if engine is mujoco else {"strict": True}):
        with pytest.raises(ValueError, match=culprit):
            e.MjModel.from_xml_path(path, **options)


@pytest.mark.parametrize("user", ['<site material="m"/>', '<geom type="mesh" mesh="cube"/>'])
def test_a_discarded_material_is_left_out(engine, user):
    text = f"""<mujoco><compiler discardvisual="true"/><asset><material name="m"/>
        <mesh name="cube" vertex="0 0 0 1 0 0 0 1 0 0 0 1" material="m"/></asset><worldbody>{user}</worldbody></mujoco>"""
    with pytest.raises(ValueError, match="object not found"):
        mujoco.MjModel.from_xml_string(text)
    if engine is mujoco:
        return
    with pytest.warns(UserWarning, match="object not found.*accepted"):
        assert engine.MjModel.from_xml_string(text).nmat == 0
    with pytest.raises(ValueError, match="object not found"):
        engine.MjModel.from_xml_string(text, strict=True)


def test_an_ellipsoid_fitted_to_a_mesh_is_mujocos(engine):
    """On a plane MuJoCo uses vertices of the mesh instead of the ellipsoid."""
    text = """<mujoco><asset><mesh name="m" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .1"
        face="0 2 1 0 1 3 1 2 3 0 3 2"/></asset><worldbody><geom type="plane" size="1 1 1"/>
        <body><freejoint/><geom type="ellipsoid" mesh="m"/></body></worldbody></mujoco>"""
    (want, got), (d, mine) = both(engine, text)
    assert not compare.model_differences(want, got)
    most = 0
    for turn in np.random.default_rng(2).normal(size=(20, 4)):
        for e, m, x in (mujoco, want, d), (engine, got, mine):
            x.qpos[:] = [0, 0, .02, *turn]
            e.mj_fwdPosition(m, x)
        assert d.ncon == mine.ncon
        assert not compare.difference("dist", d.contact.dist, mine.contact.dist)
        assert not compare.difference("pos", d.contact.pos, mine.contact.pos)
        most = max(most, d.ncon)
    assert most == 3


@pytest.mark.parametrize("rest", [
    '<contact><exclude body1="a" body2=""/></contact>', '<contact><pair geom1="" geom2="g"/></contact>',
    '<equality><weld body1="" body2="a"/></equality>', '<equality><joint joint1=""/></equality>',
    '<tendon><fixed><joint joint="" coef="1"/></fixed></tendon>',
    '<tendon><spatial><site site="s"/><site site=""/></spatial></tendon>',
])
def test_empty_names_are_no_names(engine, rest):
    """An empty name refers to the last object without a name."""
    (want, got), _ = both(engine, f"""<mujoco><worldbody>
        <body name="a"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body>
        <body pos="1 0 0"><joint/><joint axis="1 0 0"/><geom size=".1"/><geom size=".2"/><site/><site pos="0 0 1"/></body>
        <body pos="2 0 0"><joint/><geom size=".1"/></body></worldbody>{rest}</mujoco>""")
    assert not compare.model_differences(want, got)


@pytest.mark.parametrize("default", ["", '<geom type="capsule"/>', '<geom type="cylinder"/>'])
@pytest.mark.parametrize("side", ["", 'sidesite="s"'])
@pytest.mark.parametrize("inside", [True, False])
def test_copies_of_wrapping_tendons_are_mujocos(engine, default, side, inside):
    """MuJoCo copies or removes only those around geoms that are spheres or cylinders by their
    class."""
    body = """<body><joint/><site name="s"/><site name="t" pos="1 0 0"/><geom name="g" type="sphere" size=".1"/></body>"""
    copies = f'<replicate count="2" offset="1 0 0">{body * inside}</replicate>'
    text = f"""<mujoco><default>{default}</default><worldbody>{copies}{body * (not inside)}</worldbody>
        <tendon><spatial><site site="s"/><geom geom="g" {side}/><site site="t"/></spatial></tendon></mujoco>"""
    try:
        want = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error).splitlines()[0].removeprefix("Error: ")):
            engine.MjModel.from_xml_string(text)
        return
    assert not compare.model_differences(want, engine.MjModel.from_xml_string(text))


@pytest.mark.parametrize("order", ["ABR", "BAR", "BABR", "RAB", "RB", "BRBR", "ABRB"])
@pytest.mark.parametrize("length", range(1, 6))
def test_lengths_of_keyframes_are_mujocos(engine, tmp_path, order, length):
    """Sizes grow whenever an element is attached or copied, and must be valid when copying."""
    body = '<body><joint/><geom size=".1"/></body>'
    pieces = {"A": '<attach model="part" body="b" prefix="x"/>', "B": body, "R": f'<replicate count="2">{body}</replicate>'}
    key = " ".join(map(str, range(1, length + 1)))
    path = files(tmp_path, assembled("".join(pieces[c] for c in order), f'<keyframe><key qpos="{key}"/></keyframe>'))
    try:
        want = mujoco.MjModel.from_xml_path(path)
    except ValueError as error:
        with pytest.raises(ValueError, match="size"):
            engine.MjModel.from_xml_path(path)
        assert "size" in str(error)
        return
    assert not compare.model_differences(want, engine.MjModel.from_xml_path(path))
