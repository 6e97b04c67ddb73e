"""Shows a recording of `sinew run` in Rerun: the bodies with their shapes, and all numbers as plots.

    sinew run models/humanoid.xml --time 5 --out fall.mcap
    pip install rerun-sdk mcap
    python crates/sinew-py/examples/mcap_to_rerun.py fall.mcap            # opens the viewer
    python crates/sinew-py/examples/mcap_to_rerun.py fall.mcap fall.rrd   # writes a file for it
"""

import json
import sys

import rerun as rr
from mcap.reader import make_reader


def xyz(v):
    return [v["x"], v["y"], v["z"]]


def color(shape):
    return [shape["color"][k] for k in "rgba"]


def placed(shapes):
    """Centres and orientations of shapes in their body."""
    poses = [shape["pose"] for shape in shapes]
    orientations = [[*xyz(pose["orientation"]), pose["orientation"]["w"]] for pose in poses]
    return {
        "centers": [xyz(pose["position"]) for pose in poses],
        "quaternions": [rr.Quaternion(xyzw=q) for q in orientations],
        "colors": [color(shape) for shape in shapes],
    }


def log_scene(scene):
    """Logs the shapes of every body, which never change."""
    for entity in scene["entities"]:
        path = rr.new_entity_path(["world", entity["id"]])
        cubes, spheres, tubes = (entity[kind] for kind in ("cubes", "spheres", "cylinders"))
        halves = lambda shapes: [[x / 2 for x in xyz(shape["size"])] for shape in shapes]
        if cubes:
            shapes = rr.Boxes3D(half_sizes=halves(cubes), fill_mode="solid", **placed(cubes))
            rr.log(f"{path}/cubes", shapes, static=True)
        if spheres:
            shapes = rr.Ellipsoids3D(half_sizes=halves(spheres), fill_mode="solid", **placed(spheres))
            rr.log(f"{path}/spheres", shapes, static=True)
        if tubes:
            radii = [shape["size"]["x"] / 2 for shape in tubes]
            lengths = [shape["size"]["z"] for shape in tubes]
            shapes = rr.Cylinders3D(lengths=lengths, radii=radii, fill_mode="solid", **placed(tubes))
            rr.log(f"{path}/cylinders", shapes, static=True)
        for k, mesh in enumerate(entity["triangles"]):
            pose, indices = mesh["pose"], mesh["indices"]
            triangles = [indices[i : i + 3] for i in range(0, len(indices), 3)]
            points = [xyz(point) for point in mesh["points"]]
            shape = rr.Mesh3D(
                vertex_positions=points, triangle_indices=triangles, albedo_factor=color(mesh)
            )
            rr.log(f"{path}/mesh{k}", shape, transform(pose["position"], pose["orientation"]), static=True)


def transform(position, q):
    return rr.Transform3D(translation=xyz(position), quaternion=rr.Quaternion(xyzw=[*xyz(q), q["w"]]))


def main(source, target=None):
    rr.init("sinew", spawn=target is None)
    if target is not None:
        rr.save(target)
    rr.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
    with open(source, "rb") as file:
        for _, channel, message in make_reader(file).iter_messages():
            value = json.loads(message.data)
            rr.set_time("time", duration=message.log_time * 1e-9)
            if channel.topic == "/scene":
                log_scene(value)
            elif channel.topic == "/tf":
                for frame in value["transforms"]:
                    path = rr.new_entity_path(["world", frame["child_frame_id"]])
                    rr.log(path, transform(frame["translation"], frame["rotation"]))
            else:
                for name in ("qpos", "qvel", "ctrl", "sensordata"):
                    if value.get(name):
                        rr.log(f"plots/{name}", rr.Scalars(value[name]))


if __name__ == "__main__":
    main(*sys.argv[1:])
