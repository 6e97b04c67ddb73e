"""`MjSpec` beside MuJoCo's: the same script gives the same answers and the same errors."""

import copy
import gc
import io

import mujoco
import numpy as np
import pytest
import spec_compare
from spec_compare import plain

import sinew
from sinew._spec.elements import CLASSES

XML = """
<mujoco>
  <default>
    <geom rgba="1 0 0 1"/>
    <default class="small"><geom size=".05"/><joint damping="2"/></default>
  </default>
  <worldbody>
    <frame name="mount" pos="1 0 0"/>
    <body name="arm" childclass="small" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" range="-90 90"/>
      <geom name="upper"/>
      <site name="tip" pos="0 0 -.2"/>
      <body name="hand" pos="0 0 -.3"><joint name="wrist"/><geom name="palm"/></body>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="shoulder"/><position name="p" joint="wrist" kp="3"/></actuator>
  <sensor><jointpos joint="wrist"/><accelerometer name="a" site="tip"/></sensor>
  <keyframe><key name="home" qpos="0.1 0.2" ctrl="1 2"/></keyframe>
</mujoco>
"""


def both(script):
    """Runs a script with both modules; its answers, or the kind and first line of its error."""

    def answer(mj):
        try:
            return script(mj)
        except Exception as error:  # noqa: BLE001
            return type(error).__name__, str(error).splitlines()[0]

    theirs, ours = answer(mujoco), answer(sinew)
    if isinstance(theirs, tuple) and str(theirs[0]).endswith("Error"):
        # an error may say more than MuJoCo's
        ours = (ours[0], ours[1][: len(theirs[1])])
    assert spec_compare.same(ours, theirs), f"MuJoCo {theirs!r}, Sinew {ours!r}"
    return ours


# classes


def test_every_class_and_attribute_of_mujoco_is_there():
    missing = []
    for name in dir(mujoco):
        if name.startswith(("Mjs", "MjSpec")):
            for attribute in dir(getattr(mujoco, name)):
                if not attribute.startswith("_") and not hasattr(getattr(sinew, name), attribute):
                    missing.append(f"{name}.{attribute}")
    assert missing == []


def _fresh(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body()
    made = {kind: getattr(body, f"add_{kind}")() for kind in
            ("frame", "geom", "joint", "site", "camera", "light")}  # fmt: skip
    made["body"] = body
    for kind in CLASSES:
        if kind not in made:
            made[kind] = getattr(spec, f"add_{kind}")()
    return spec, made


@pytest.mark.parametrize("kind", sorted(CLASSES))
def test_a_new_element_has_mujocos_attributes(kind):
    (_, theirs), (_, ours) = _fresh(mujoco), _fresh(sinew)
    a, b = theirs[kind], ours[kind]
    for name in spec_compare.fields_of(kind):
        x, y = getattr(a, name), getattr(b, name)
        if isinstance(x, np.ndarray):
            assert (x.dtype, x.shape) == (y.dtype, y.shape), name
        elif name not in ("alt", "ialt", "plugin"):
            assert type(x).__name__ == type(y).__name__, name
        if name not in ("alt", "ialt", "plugin"):
            assert spec_compare.same(x, y), f"{name}: {plain(x)} {plain(y)}"
    assert (a.id, a.name) == (b.id, b.name)


def test_arrays_are_written_in_place_and_stay_the_same_object():
    spec = sinew.MjSpec()
    geom = spec.worldbody.add_geom(size=[0.1])
    pos = geom.pos
    pos[1] = 3
    assert geom.pos is pos and geom.pos.tolist() == [0, 3, 0]
    geom.pos = (1, 2, 3)
    assert pos.tolist() == [1, 2, 3]
    assert spec.compile().geom_pos[0].tolist() == [1, 2, 3]


NO_ZIP = io.BytesIO(b"no")  # one object, whose address is in the message


@pytest.mark.parametrize(
    "script",
    [
        lambda mj: mj.MjSpec().worldbody.add_geom(pos=[1, 2]),
        lambda mj: mj.MjSpec().worldbody.add_geom(size=[]),
        lambda mj: mj.MjSpec().worldbody.add_geom(euler=[1, 2, 3], zaxis=[1, 2, 3]),
        lambda mj: mj.MjSpec().worldbody.add_body().add_freejoint(axis=[1, 0, 0]),
        lambda mj: mj.MjSpec().worldbody.find_all("actuator"),
        lambda mj: mj.MjSpec().add_texture(gridlayout="ab"),
        lambda mj: mj.MjSpec().copy_during_attach,
        lambda mj: mj.MjSpec().attach(mj.MjSpec()),
        lambda mj: mj.MjSpec().attach(mj.MjSpec(), frame="x"),
        lambda mj: mj.MjSpec().attach(mj.MjSpec(), site="x"),
        lambda mj: mj.MjSpec().attach(mj.MjSpec(), site="x", frame="x"),
        lambda mj: mj.MjSpec().attach(mj.MjSpec(), frame=mj.MjSpec().worldbody.add_frame()),
        lambda mj: mj.MjSpec().delete(mj.MjSpec().default),
        lambda mj: mj.MjSpec().compiler.eulerseq[3],
        lambda mj: mj.MjSpec().add_material().textures[10],
        lambda mj: mj.MjSpec().add_actuator().set_to_position(kp=1, kv=1, dampratio=1),
        lambda mj: mj.MjSpec().add_actuator().set_to_damper(kv=-1),
        lambda mj: mj.MjSpec().add_actuator().set_to_adhesion(gain=-1),
        lambda mj: mj.MjSpec().add_mesh().make_sphere(9),
        lambda mj: mj.MjSpec().add_mesh().make_supertorus(5, 2, 1, 1),
        lambda mj: mj.MjSpec.from_zip(NO_ZIP),
    ],
)
def test_misuse_raises_what_mujoco_raises(script):
    kind, text = both(lambda mj: (lambda r: (type(r).__name__, ""))(script(mj)))
    assert kind.endswith("Error")


def test_a_wrong_type_is_a_type_error():
    for script in (
        lambda b: b.add_geom(pos="pos"),
        lambda b: b.add_geom(type="box"),
        lambda b: b.add_geom(vel=3),
        lambda b: b.add_geom(userdata=""),
        lambda b: b.add_body("default"),
        lambda b: setattr(b, "pos", [1, 2]),
        lambda b: setattr(b, "mocap", "yes"),
        lambda b: setattr(b, "name", 3),
    ):
        for mj in (mujoco, sinew):
            with pytest.raises(TypeError):
                script(mj.MjSpec().worldbody.add_body())


def test_a_failed_add_leaves_nothing_behind():
    spec = sinew.MjSpec()
    with pytest.raises(ValueError):
        spec.worldbody.add_geom(pos=[1])
    assert spec.geoms == []


# names, lists, parents


def test_names_are_unique_and_find_their_elements():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        out = [spec.body("hand").name, spec.geom("palm").name, spec.geom("none") is None]
        out += [spec.body("arm").find_child("hand").name, spec.joint("wrist").parent.name]
        spec.geom("palm").name = "other"
        out += [spec.geom("palm") is None, spec.geom("other").name]
        spec.geom("other").name = "upper"
        return out

    assert both(script) == ("ValueError", "Error: repeated name 'upper' in geom")


def test_lists_and_iteration_are_in_mujocos_order():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        spec.worldbody.add_geom(name="late")
        spec.body("arm").add_body(name="second").add_geom(name="inner")
        names = [[e.name for e in getattr(spec, k)] for k in spec_compare.LISTS]
        for kind in ("body", "geom", "site", "joint", "frame"):
            names.append([e.name for e in spec.worldbody.find_all(kind)])
            names.append([e.name for e in spec.body("arm").find_all(kind)])
        arm = spec.body("arm")
        child, walked = arm.first_body(), []
        while child is not None:
            walked.append(child.name)
            child = arm.next_body(child)
        return names, walked, [b.parent.name for b in spec.bodies[1:]]

    both(script)


def test_elements_have_one_identity():
    spec = sinew.MjSpec.from_string(XML)
    assert spec.geom("palm") is spec.body("hand").geoms[0] is spec.geoms[-1]
    assert spec.geom("palm").parent is spec.body("hand")
    with pytest.raises(TypeError):
        copy.deepcopy(spec.geom("palm"))


def test_an_element_keeps_its_model_alive():
    geom = sinew.MjSpec.from_string(XML).geom("palm")
    gc.collect()
    assert geom.parent.parent.name == "arm"


# default classes


def test_classes_are_taken_over_once():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        small = spec.find_default("small")
        a = spec.worldbody.add_geom(small)
        small.geom.rgba[0] = 0.25
        b = spec.worldbody.add_geom(small)
        child = spec.add_default("smaller", small)
        child.geom.size[0] = 0.01
        c = spec.worldbody.add_geom(child)
        d = spec.body("arm").add_geom()
        out = [plain(x.rgba) + plain(x.size) + [x.classname.name] for x in (a, b, c, d)]
        out.append([spec.add_default("small", small) is None, spec.find_default("no") is None])
        spec.compile()
        return out, spec.to_xml()

    both(script)


# compiling


def test_errors_name_the_element_and_where_it_was_made():
    spec = sinew.MjSpec()
    spec.worldbody.add_body(name="b").add_geom(name="g")
    with pytest.raises(ValueError) as error:
        spec.compile()
    lines = str(error.value).splitlines()
    assert lines[:2] == ["Error: size 0 must be positive in geom", "Element name 'g', id 0"]
    assert lines[2].startswith("made at ") and "test_spec.py:" in lines[2]
    spec.geom("g").info = "from the table"
    with pytest.raises(ValueError, match="Element name 'g', id 0, from the table$"):
        spec.compile()


@pytest.mark.parametrize(
    "edit",
    [
        lambda mj, s: s.add_sensor(),
        lambda mj, s: s.add_sensor(type=mj.mjtSensor.mjSENS_GYRO, objtype=mj.mjtObj.mjOBJ_BODY),
        lambda mj, s: s.add_sensor(type=mj.mjtSensor.mjSENS_GYRO, objtype=mj.mjtObj.mjOBJ_SITE,
                                   objname="none"),
        lambda mj, s: s.add_actuator(),
        lambda mj, s: s.add_actuator(trntype=mj.mjtTrn.mjTRN_JOINT, target="none"),
        lambda mj, s: s.add_equality(type=mj.mjtEq.mjEQ_WELD),
        lambda mj, s: s.add_equality(type=mj.mjtEq.mjEQ_JOINT, name1="none"),
        lambda mj, s: s.add_exclude(bodyname1="arm", bodyname2="none"),
        lambda mj, s: s.add_pair(geomname1="palm", geomname2="none"),
        lambda mj, s: s.add_tuple(name="t"),
        lambda mj, s: s.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="none"),
        lambda mj, s: s.worldbody.add_geom(type=42, size=[1, 1, 1]),
        lambda mj, s: s.add_texture(name="t", height=2, width=2, data=[1]),
        lambda mj, s: s.add_key(qpos=[1, 2, 3]),
        lambda mj, s: setattr(s.body("arm"), "mocap", 1),
        lambda mj, s: s.worldbody.add_body(fullinertia=[1, 2, 3, 0, 0, 0], inertia=[1, 1, 1]),
    ],
)  # fmt: skip
def test_what_mujoco_refuses_is_refused_in_its_words(edit):
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        edit(mj, spec)
        spec.compile()

    kind, _ = both(script)
    assert kind == "ValueError"


def test_a_state_outlives_recompiling():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        model = spec.compile()
        data = mj.MjData(model)
        data.qpos, data.qvel, data.ctrl, data.time = [0.3, 0.4], [1, 2], [5, 6], 2.5
        spec.delete(spec.actuator("m"))
        first = spec.worldbody.add_body(name="new")
        first.add_freejoint()
        first.add_geom(size=[0.1])
        model, data = spec.recompile(model, data)
        return plain(data.qpos), plain(data.qvel), plain(data.ctrl), data.time, model.nkey

    both(script)


def test_deleting_a_body_takes_what_refers_to_it():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        spec.delete(spec.body("hand"))
        counts = [len(getattr(spec, k)) for k in spec_compare.LISTS]
        model = spec.compile()
        return counts, plain(model.key_qpos), plain(model.key_ctrl), spec.to_xml()

    both(script)


def test_ids_are_those_of_the_compiled_model():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        spec.compile()
        return [[e.id for e in getattr(spec, k)] for k in spec_compare.LISTS if k != "frames"]

    both(script)


# attaching


@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("way", ["spec to frame", "spec to site", "body", "frame"])
def test_attaching_gives_mujocos_model(deep, way):
    def script(mj):
        parent, child = mj.MjSpec.from_string(XML), mj.MjSpec.from_string(XML)
        child.compiler.degree = False
        parent.copy_during_attach = deep
        frame = parent.frame("mount")
        if way == "spec to frame":
            parent.attach(child, prefix="c_", suffix="-s", frame=frame)
        elif way == "spec to site":
            parent.attach(child, prefix="c_", site="tip")
        elif way == "body":
            frame.attach_body(child.body("arm"), "c_", "")
        else:
            inner = child.body("arm").add_frame(name="inner", euler=[0, 0, 1])
            child.geom("upper").set_frame(inner)
            child.body("hand").set_frame(inner)
            parent.body("hand").attach_frame(inner, "c_", "")
        return parent, child

    (parent, child), (ours, our_child) = script(mujoco), script(sinew)
    spec_compare.check(parent, ours)
    names = [[e.name for e in getattr(child, k)] for k in ("bodies", "geoms", "joints")]
    assert [[e.name for e in getattr(our_child, k)] for k in ("bodies", "geoms", "joints")] == names


def test_what_is_attached_is_shared_unless_told_to_copy():
    for deep in (False, True):

        def script(mj, deep=deep):
            parent, child = mj.MjSpec.from_string(XML), mj.MjSpec.from_string(XML)
            parent.copy_during_attach = deep
            body = child.body("arm")
            attached = parent.frame("mount").attach_body(body, "c_", "")
            body.pos = [7, 8, 9]
            return attached is body, plain(attached.pos), body.name, attached.name

        both(script)


def test_assets_follow_what_is_attached():
    def script(mj):
        parent, child = mj.MjSpec(), mj.MjSpec()
        child.assets = {"a/cube.obj": "x", "plain": "y"}
        parent.attach(child, prefix="p_", suffix="-s", frame=parent.worldbody.add_frame())
        return dict(parent.assets), child.parent is parent

    both(script)


def test_a_body_becomes_a_frame():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        spec.delete(spec.actuator("p"))
        spec.delete(spec.sensors[0])
        spec.delete(spec.keys[0])
        spec.delete(spec.joint("wrist"))
        frame = spec.body("hand").to_frame()
        return plain(frame.pos), [g.name for g in spec.body("arm").geoms], spec.compile().nbody

    both(script)


# saving


def test_zip_files_have_the_xml_and_the_assets():
    cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    spec = sinew.MjSpec()
    spec.assets = {"cube.obj": cube}
    spec.add_mesh(name="cube", file="cube.obj")
    spec.worldbody.add_geom(type=sinew.mjtGeom.mjGEOM_MESH, meshname="cube")
    file = io.BytesIO()
    spec.to_zip(file)
    file.seek(0)
    again = sinew.MjSpec.from_zip(file)
    assert again.assets["cube.obj"] == cube.encode()
    assert again.to_xml() == spec.to_xml()


def test_only_a_compiled_model_is_written_to_a_file(tmp_path):
    spec = sinew.MjSpec.from_string(XML)
    with pytest.raises(sinew.FatalError, match="Only compiled model can be written"):
        spec.to_file(str(tmp_path / "x.xml"))
    spec.compile()
    spec.to_file(str(tmp_path / "x.xml"))
    assert (tmp_path / "x.xml").read_text() == spec.to_xml()


def test_orientations_are_resolved_as_mujoco_does():
    def script(mj):
        out = []
        for degree in (False, True):
            for name, n in (("axisangle", 4), ("euler", 3), ("zaxis", 3), ("xyaxes", 6)):
                spec = mj.MjSpec()
                spec.compiler.eulerseq = "zyx"
                body = spec.worldbody.add_body(**{name: [0.1 * i + 0.2 for i in range(n)]})
                quat = mj.MjSpec.resolve_orientation(
                    degree=degree, sequence=spec.compiler.eulerseq, orientation=body.alt
                )
                out.append(list(quat))
        return out

    both(script)


# binding


def test_bind_finds_the_rows_of_elements():
    def script(mj):
        spec = mj.MjSpec.from_string(XML)
        model = spec.compile()
        data = mj.MjData(model)
        joints = [spec.joint("wrist"), spec.joint("shoulder")]
        data.bind(joints).qpos = [0.5, 0.25]
        out = [plain(model.bind(spec.body("hand")).pos), plain(data.qpos)]
        out += [list(model.bind(joints).qposadr), list(data.bind(joints).qpos)]
        out += [plain(model.bind(spec.sensor("a")).dim), model.bind(spec.key("home")).id]
        spec.worldbody.add_body()
        model.bind(spec.body("hand"))
        return out

    text = "The mjSpec does not match mjModel. Please recompile the mjSpec."
    assert both(script) == ("ValueError", text)


def test_bind_accepts_a_model_of_the_same_structure():
    spec, model = sinew.MjSpec.from_string(XML), sinew.MjModel.from_xml_string(XML)
    spec.compile()
    assert model.signature == spec.body("arm").signature
    assert model.bind(spec.geom("palm")).id == 1
