"""Inputs that `MjSpec` refuses, and depths that would exhaust a recursion."""

import pytest
import sinew as mujoco
from sinew._spec.elements import CLASSES
from sinew._spec.values import FIELDS, Part

_DEPTH = 10_000
_SPHERE = {"type": mujoco.mjtGeom.mjGEOM_SPHERE, "size": [0.1, 0, 0]}


def chain(depth):
    """A model whose bodies are in each other."""
    spec = mujoco.MjSpec()
    body = spec.worldbody
    for i in range(depth):
        body = body.add_body(name=f"b{i}")
    body.add_geom(name="last", **_SPHERE)
    return spec


def body_with_geom():
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    body.add_geom(**_SPHERE)
    return spec, body


def test_deep_bodies_are_edited_like_others():
    spec = chain(_DEPTH)
    assert len(spec.bodies) == _DEPTH + 1
    assert spec.geom("last").parent.name == f"b{_DEPTH - 1}"
    assert len(spec.copy().bodies) == _DEPTH + 1
    assert spec.signature == spec.copy().signature

    # attached, and taken out again
    other = mujoco.MjSpec()
    frame = other.worldbody.add_frame()
    attached = frame.attach_body(spec.body("b0"), "a_", "")
    assert other.geom("a_last").parent.name == f"a_b{_DEPTH - 1}"
    other.delete(attached)
    assert len(other.bodies) == 1


def test_bodies_too_deep_for_the_compiler_are_an_error():
    with pytest.raises(ValueError, match="too deep"):
        chain(_DEPTH).compile()


def test_deep_bodies_compile_and_are_written():
    spec = chain(800)
    assert spec.compile().nbody == 801
    text = spec.to_xml()
    assert text.count("<body") == 800


def test_a_spec_is_not_attached_to_itself():
    spec, _ = body_with_geom()
    frame = spec.worldbody.add_frame()
    with pytest.raises(ValueError, match="attached to itself"):
        spec.attach(spec, frame=frame, prefix="x_")


def test_a_body_is_not_attached_to_what_is_in_it():
    spec, body = body_with_geom()
    inner = body.add_body().add_frame()
    with pytest.raises(ValueError, match="cannot be attached to what is in it"):
        inner.attach_body(body, "x_", "")
    site = body.add_site()
    with pytest.raises(ValueError, match="cannot be attached to what is in it"):
        site.attach_body(body, "x_", "")
    assert spec.compile().nbody == 3


def test_a_frame_is_not_attached_to_what_is_in_it():
    spec, body = body_with_geom()
    frame = body.add_frame(name="f")
    inner = frame.add_body()
    inner.add_geom(**_SPHERE)
    with pytest.raises(ValueError, match="cannot be attached to what is in it"):
        inner.attach_frame(frame, "x_", "")


def test_frames_are_not_in_themselves():
    spec, body = body_with_geom()
    outer, inner = body.add_frame(name="outer"), body.add_frame(name="inner")
    inner.set_frame(outer)
    for frame in (outer, inner):
        with pytest.raises(ValueError, match="cannot be in itself"):
            outer.set_frame(frame)
    assert spec.compile().nbody == 2


@pytest.mark.parametrize("kind", CLASSES)
def test_a_wrong_type_is_an_error_that_names_the_attribute(kind):
    element = CLASSES[kind]()
    for name, field in FIELDS[kind].items():
        if name in ("name", "info", "childclass") or isinstance(field, Part):
            continue
        for wrong in (object(), "text" if field.kind != "s" else 1):
            if field.kind in "cS" and isinstance(wrong, str):
                continue
            with pytest.raises((TypeError, ValueError), match=rf"\b{name}\b"):
                setattr(element, name, wrong)


def test_shortcuts_say_which_parameter_is_missing_or_wrong():
    actuator = mujoco.MjSpec().add_actuator()
    with pytest.raises(TypeError, match="kp"):
        actuator.set_to_position()
    with pytest.raises(TypeError, match="kv"):
        actuator.set_to_velocity(kv="fast")
    with pytest.raises(ValueError, match="timeconst"):
        actuator.set_to_muscle(timeconst=[1, 2, 3])
    with pytest.raises(ValueError, match="kv and dampratio cannot both be defined"):
        actuator.set_to_position(1, kv=1, dampratio=1)


def test_names_with_spaces_are_kept_in_lists():
    spec = mujoco.MjSpec()
    for i, name in enumerate(("a b", "c d")):
        body = spec.worldbody.add_body(name=name, pos=[i, 0, 0])
        body.add_freejoint()
        body.add_geom(**_SPHERE)
    spec.add_flex(name="f", dim=1, vertbody=["a b", "c d"], elem=[0, 1], radius=0.01)
    assert spec.compile().flex_vertbodyid.tolist() == [1, 2]


@pytest.mark.parametrize("attached", [False, True])
def test_numbers_that_are_no_keywords_are_errors_that_name_the_element(attached):
    spec, body = body_with_geom()
    joint = body.add_joint(name="j")
    joint.type = 77
    if attached:
        whole = mujoco.MjSpec()
        whole.attach(spec, frame=whole.worldbody.add_frame(), prefix="p_")
        spec = whole
    with pytest.raises(ValueError, match=r"Error: invalid type in joint\nElement name '(p_)?j'"):
        spec.compile()
