"""Converts MuJoCo's old binary meshes (.msh) to Wavefront's text format (.obj).

    python -m sinew.msh2obj -i mesh.msh -o mesh.obj
"""

import argparse
import dataclasses
import pathlib

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
    """The contents of a .msh file."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file):
        """Reads a .msh file: four counts, then positions, normals, texture coordinates, faces."""
        file = pathlib.Path(file)
        if not file.exists():
            raise FileNotFoundError(f"{file} does not exist.")
        data = file.read_bytes()
        if len(data) < 16:
            raise ValueError(f"{file}: a mesh begins with four counts")
        counts = np.frombuffer(data, np.int32, 4)
        if (counts < 0).any():
            raise ValueError(f"{file}: counts cannot be negative, they are {counts.tolist()}")
        parts, start = [], 16
        layout = zip(("vertices", "normals", "texcoords", "faces"), counts.tolist(), (3, 3, 2, 3))
        for name, count, width in layout:
            numbers = data[start : start + 4 * count * width]
            start += 4 * count * width
            if len(numbers) != 4 * count * width:
                found = len(numbers) // 4
                raise ValueError(f"Invalid number of {name}: {found} != {width}*{count}.")
            dtype = np.int32 if name == "faces" else np.float32
            parts.append(np.frombuffer(numbers, dtype).reshape(-1, width).copy())
        # the origin of texture coordinates is at the top in MuJoCo and at the bottom in Wavefront
        # files
        parts[2][:, 1] = 1 - parts[2][:, 1]
        return Msh(*parts)


def msh_to_obj(msh_file):
    """The text of an .obj file with the mesh of a .msh file."""
    msh = Msh.create(msh_file)
    lines = []
    rows = (("v", msh.vertex_positions), ("vn", msh.vertex_normals), ("vt", msh.vertex_texcoords))
    for key, numbers in rows:
        lines += (f"{key} {' '.join(str(x) for x in row)}" for row in numbers)
    corners = (" ".join(f"{i}/{i}/{i}" for i in face) for face in msh.face_vertex_indices + 1)
    lines += (f"f {face}" for face in corners)
    return "".join(line + "\n" for line in lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", required=True, help="the .msh file")
    parser.add_argument("-o", "--output", required=True, help="the .obj file")
    args = parser.parse_args()
    pathlib.Path(args.output).write_text(msh_to_obj(args.input))
