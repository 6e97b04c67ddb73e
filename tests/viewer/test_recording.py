"""Recordings in tools of others: MCAP's own reader, Foxglove's published schemas, Rerun."""

import json
import subprocess
import sys

import mcap.reader
import numpy as np
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from google.protobuf import json_format

import sinew
from conftest import ROOT, program

XML = """<mujoco>
  <asset>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 0 1 0 1 0"/>
    <mesh name="wedge" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="0 0 .1" rgba="0 0 1 1"/>
    <geom type="hfield" hfield="hills" pos="5 0 0"/>
    <body name="thing" pos="0 0 2" euler="30 40 50">
      <freejoint/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" rgba="1 0 0 .5"/>
      <geom type="box" size=".1 .2 .3" pos="0 1 0"/>
      <body pos="0 0 .5">
        <joint axis="0 1 0"/>
        <geom type="ellipsoid" size=".1 .2 .3"/>
        <geom type="cylinder" size=".1 .2" pos="0 .5 0"/>
        <geom type="mesh" mesh="wedge"/>
        <geom type="sphere" size="5" group="5"/>
      </body>
    </body>
    <body name="tool" mocap="true" pos="1 2 3"><geom size=".1" contype="0" conaffinity="0"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "shapes.xml").write_text(XML)
    command = [program(), "run", folder / "shapes.xml", "--time", "1", "--out", folder / "a.mcap"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "a.mcap"


def messages(path, topic):
    with open(path, "rb") as file:
        found = mcap.reader.make_reader(file).iter_messages(topics=[topic])
        return [(schema, message.log_time, json.loads(message.data)) for schema, _, message in found]


def plain(value):
    """JSON of Foxglove as JSON of protocol buffers: times are texts."""
    if isinstance(value, list):
        return [plain(x) for x in value]
    if isinstance(value, dict) and set(value) == {"sec", "nsec"}:
        return f"{value['sec'] + value['nsec'] * 1e-9:.9f}s"
    return {k: plain(x) for k, x in value.items()} if isinstance(value, dict) else value


def stamped(value):
    """The same, where a time is a date."""
    value = plain(value)
    for message in [*value.get("entities", []), *value.get("transforms", [])]:
        message["timestamp"] = f"1970-01-01T00:00:0{message['timestamp'].replace('s', 'Z')}"
    return value


def check(value, schema):
    """Every member of a message is in its schema, and has the type that it says."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
    assert isinstance(value, kinds.get(schema["type"], (int, float))), (value, schema)
    if schema["type"] == "object":
        assert set(value) == set(schema["properties"])
        for name, member in value.items():
            check(member, schema["properties"][name])
    elif schema["type"] == "array":
        for item in value:
            check(item, schema["items"])


def test_the_file_has_an_index_and_states_at_every_step(recorded):
    with open(recorded, "rb") as file:
        summary = mcap.reader.make_reader(file).get_summary()
    counts = {summary.channels[k].topic: n for k, n in summary.statistics.channel_message_counts.items()}
    assert counts == {"/state": 501, "/scene": 1, "/tf": 61}
    assert len(summary.chunk_indexes) == summary.statistics.chunk_count >= 1
    states = messages(recorded, "/state")
    for schema, _, value in states[:2]:
        assert schema.encoding == "jsonschema"
        check(value, json.loads(schema.data))
    assert [time for _, time, _ in states] == [2_000_000 * k for k in range(501)]


def test_the_scene_has_foxgloves_schema_and_all_visible_shapes(recorded):
    ((schema, _, value),) = messages(recorded, "/scene")
    assert schema.name == "foxglove.SceneUpdate"
    check(value, json.loads(schema.data))
    scene = json_format.ParseDict(stamped(value), SceneUpdate())
    world, thing, part, tool = scene.entities
    assert [e.frame_id for e in scene.entities] == ["world", "thing", "body 2", "tool"]
    assert all(e.frame_locked for e in scene.entities)
    assert (len(world.cubes), len(world.triangles)) == (1, 1) and world.cubes[0].color.b == 1
    assert (len(thing.cylinders), len(thing.spheres), len(thing.cubes)) == (1, 2, 1)
    assert (len(part.cylinders), len(part.spheres), len(part.triangles)) == (1, 1, 1)

    # a capsule from one end to the other
    (tube,), ends = thing.cylinders, thing.spheres
    assert (tube.size.x, tube.size.z, tube.bottom_scale) == pytest.approx((0.1, 0.3, 1))
    assert sorted(round(e.pose.position.x, 9) for e in ends) == [0, 0.3]
    assert tube.color.a == pytest.approx(0.5)
    size = thing.cubes[0].size
    assert (size.x, size.y, size.z) == (0.2, 0.4, 0.6)
    wedge = part.triangles[0]
    assert len(wedge.indices) == 12 and max(wedge.indices) < len(wedge.points)


def test_frames_are_those_of_the_bodies(recorded):
    model = sinew.MjModel.from_xml_string(XML)
    data = sinew.MjData(model)
    states = {time: value for _, time, value in messages(recorded, "/state")}
    for schema, time, value in messages(recorded, "/tf"):
        assert schema.name == "foxglove.FrameTransforms"
        check(value, json.loads(schema.data))
        frames = json_format.ParseDict(stamped(value), FrameTransforms()).transforms
        data.qpos[:] = states[time]["qpos"]
        sinew.mj_kinematics(model, data)
        assert [f.child_frame_id for f in frames] == ["thing", "body 2", "tool"]
        for body, frame in enumerate(frames, 1):
            p, q = frame.translation, frame.rotation
            assert frame.parent_frame_id == "world"
            assert np.allclose([p.x, p.y, p.z], data.xpos[body], atol=1e-12)
            assert np.allclose([q.w, q.x, q.y, q.z], data.xquat[body], atol=1e-12)


def test_the_recipe_for_rerun_writes_a_file_that_rerun_verifies(recorded, tmp_path):
    script = ROOT / "crates" / "sinew-py" / "examples" / "mcap_to_rerun.py"
    out = tmp_path / "a.rrd"
    subprocess.run([sys.executable, script, recorded, out], check=True, capture_output=True)
    rerun = [sys.executable, "-m", "rerun", "rrd"]
    subprocess.run([*rerun, "verify", out], check=True, capture_output=True)
    shown = subprocess.run([*rerun, "print", out], check=True, capture_output=True, text=True).stdout
    for part in ("/world/thing/cylinders", "/world/thing/cubes", "/world/tool/spheres", "Mesh3D", "/plots/qpos"):
        assert part in shown, part
