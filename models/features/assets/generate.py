"""Writes the small binary and text assets of this folder. Standard library only; run it in this folder.

The shapes are written by hand so that every file has a known answer. The OBJ is a wedge, the STL a
tetrahedron, the MSH an octahedron, the hfields a ramp with a bump.
"""
import math
import struct
import zlib
from pathlib import Path


def png(path, width, height, rows, colour_type):
    """An 8-bit PNG without filtering; `colour_type` is 0 for grey, 2 for RGB, 6 for RGBA."""
    def chunk(tag, data):
        body = tag + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    raw = b"".join(b"\0" + bytes(row) for row in rows)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0)))
        out.write(chunk(b"IDAT", zlib.compress(raw, 9)))
        out.write(chunk(b"IEND", b""))


def wedge_obj(path):
    """A wedge with texture coordinates, normals, a quad, negative indices and comments."""
    text = """# wedge: a triangular prism
o wedge
v -0.10 -0.05 0.00
v 0.10 -0.05 0.00
v 0.10 0.05 0.00
v -0.10 0.05 0.00
v 0.10 -0.05 0.08
v 0.10 0.05 0.08
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 -1
vn 1 0 0
vn 0 -1 0
vn 0 1 0
vn -0.371390676 0 0.928476691
f 1/1/1 4/4/1 3/3/1 2/2/1
f 2/1/2 3/2/2 6/3/2 5/4/2
f 1/1/3 2/2/3 5/3/3
f 4/1/4 6/2/4 3/3/4
f -6/1/5 -2/2/5 -1/3/5 -3/4/5
"""
    with open(path, "w") as out:
        out.write(text)


def tetrahedron_stl(path):
    vert = [(0, 0, 0), (0.12, 0, 0), (0.03, 0.1, 0), (0.04, 0.03, 0.11)]
    face = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
    with open(path, "wb") as out:
        out.write(b"tetrahedron".ljust(80, b"\0") + struct.pack("<I", len(face)))
        for tri in face:
            # normals are recomputed by readers; zeros say so
            out.write(struct.pack("<3f", 0, 0, 0))
            for corner in tri:
                out.write(struct.pack("<3f", *vert[corner]))
            out.write(b"\0\0")


def octahedron_msh(path):
    vert = [(0.06, 0, 0), (-0.06, 0, 0), (0, 0.05, 0), (0, -0.05, 0), (0, 0, 0.04), (0, 0, -0.04)]
    face = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    with open(path, "wb") as out:
        out.write(struct.pack("<4i", len(vert), 0, 0, len(face)))
        for v in vert:
            out.write(struct.pack("<3f", *v))
        for f in face:
            out.write(struct.pack("<3i", *f))


def height(r, c, nrow, ncol):
    """A ramp along the columns with one bump."""
    x, y = c / (ncol - 1), r / (nrow - 1)
    bump = max(0.0, 1 - 8 * ((x - 0.6) ** 2 + (y - 0.4) ** 2))
    return 0.3 * x + 0.6 * bump


def hfields(png_path, bin_path):
    nrow, ncol = 6, 8
    grid = [[height(r, c, nrow, ncol) for c in range(ncol)] for r in range(nrow)]
    png(png_path, ncol, nrow, [[int(255 * h) for h in row] for row in grid], 0)
    with open(bin_path, "wb") as out:
        out.write(struct.pack("<2i", nrow, ncol))
        for row in grid:
            out.write(struct.pack("<%df" % ncol, *row))


def textures():
    rgb = [[v for c in range(8) for v in (32 * c, 255 - 32 * r, 16 * (r ^ c))] for r in range(8)]
    png("tile.png", 8, 8, rgb, 2)
    rgba = [[v for c in range(4) for v in (64 * c, 64 * r, 128, 255 - 40 * ((r + c) % 4))] for r in range(4)]
    png("decal.png", 4, 4, rgba, 6)
    # a cube as a 3 x 4 grid of 4 x 4 faces, each of one colour
    cells = [[(20 * (4 * i + j), 255 - 20 * (4 * i + j), 90) for j in range(4)] for i in range(3)]
    rows = [[v for c in range(16) for v in cells[r // 4][c // 4]] for r in range(12)]
    png("cube.png", 16, 12, rows, 2)

def skn(path):
    """A skin over the two bodies of skin.xml."""
    vert = [0, 0, 0, .5, 0, 0, .5, .5, 0, 0, .5, 0, .2, .2, .3]
    texcoord = [0, 0, 1, 0, 1, 1, 0, 1, .5, .5]
    face = [0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]
    data = struct.pack("<4i", 5, 5, 4, 2) + struct.pack("<15f10f12i", *vert, *texcoord, *face)
    bones = [("upper", (0, 0, 0, 1, 0, 0, 0), [0, 1, 4], [1, .5, .3]),
             ("lower", (.5, 0, 0, .7, .7, 0, 0), [1, 2, 3, 4], [.5, 2, 1, .7])]
    for name, pose, ids, weights in bones:
        data += name.encode().ljust(40, b"\0") + struct.pack("<7fi", *pose, len(ids))
        data += struct.pack(f"<{len(ids)}i{len(ids)}f", *ids, *weights)
    path.write_bytes(data)


def gmsh(folder):
    """A closed surface of 12 points, and a cube of tetrahedra, in all formats that are read."""
    rings = [(.1, .05), (.08, -.05)]
    nodes = [(r * math.cos(math.tau * k / 5), r * math.sin(math.tau * k / 5), z) for r, z in rings for k in range(5)]
    nodes += [(0, 0, .1), (0, 0, -.1)]
    faces = []
    for k in range(5):
        a, b, c, d = k + 1, (k + 1) % 5 + 1, k + 6, (k + 1) % 5 + 6
        faces += [(a, b, 11), (c, b, a), (c, d, b), (d, c, 12)]
    cube = [(x / 10, y / 10, z / 10) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    tets = [(1, 2, 4, 8), (1, 4, 3, 8), (1, 3, 7, 8), (1, 7, 5, 8), (1, 5, 6, 8), (1, 6, 2, 8)]
    (folder / "can_22.gmsh").write_bytes(gmsh22(nodes, faces, 2))
    (folder / "can_22_binary.gmsh").write_bytes(gmsh22_binary(nodes, faces, 2))
    (folder / "cube_41.gmsh").write_bytes(gmsh41(cube, tets, 3, 4))
    (folder / "cube_41_binary.gmsh").write_bytes(gmsh41_binary(cube, tets, 3, 4))


def gmsh22(nodes, elements, kind):
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes))]
    lines += [f"{i + 1} {x} {y} {z}" for i, (x, y, z) in enumerate(nodes)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{i + 1} {kind} 2 0 1 " + " ".join(map(str, e)) for i, e in enumerate(elements)]
    return ("\n".join(lines + ["$EndElements"]) + "\n").encode()


def gmsh22_binary(nodes, elements, kind):
    data = b"$MeshFormat\n2.2 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n"
    data += f"$Nodes\n{len(nodes)}\n".encode()
    data += b"".join(struct.pack("<i3d", i + 1, *p) for i, p in enumerate(nodes))
    data += f"\n$EndNodes\n$Elements\n{len(elements)}\n".encode()
    for i, e in enumerate(elements):
        data += struct.pack(f"<6i{len(e)}i", kind, 1, 2, i + 1, 0, 1, *e)
    return data + b"\n$EndElements\n"


def gmsh41(nodes, elements, dim, kind):
    n, e = len(nodes), len(elements)
    lines = ["$MeshFormat", "4.1 0 8", "$EndMeshFormat", "$Nodes", f"1 {n} 1 {n}", f"{dim} 1 0 {n}"]
    lines += [str(i + 1) for i in range(n)] + [f"{x} {y} {z}" for x, y, z in nodes]
    lines += ["$EndNodes", "$Elements", f"1 {e} 1 {e}", f"{dim} 1 {kind} {e}"]
    lines += [f"{i + 1} " + " ".join(map(str, tet)) for i, tet in enumerate(elements)]
    return ("\n".join(lines + ["$EndElements"]) + "\n").encode()


def gmsh41_binary(nodes, elements, dim, kind):
    n, e = len(nodes), len(elements)
    data = b"$MeshFormat\n4.1 1 8\n" + struct.pack("<i", 1) + b"\n$EndMeshFormat\n$Nodes\n"
    data += struct.pack("<4Q3iQ", 1, n, 1, n, dim, 1, 0, n) + struct.pack(f"<{n}Q", *range(1, n + 1))
    data += b"".join(struct.pack("<3d", *p) for p in nodes) + b"\n$EndNodes\n$Elements\n"
    data += struct.pack("<4Q3iQ", 1, e, 1, e, dim, 1, kind, e)
    data += b"".join(struct.pack(f"<{1 + len(tet)}Q", i + 1, *tet) for i, tet in enumerate(elements))
    return data + b"\n$EndElements\n"


if __name__ == "__main__":
    wedge_obj("wedge.obj")
    tetrahedron_stl("tetrahedron.stl")
    octahedron_msh("octahedron.msh")
    hfields("hill.png", "hill.bin")
    textures()
    skn(Path("two_bones.skn"))
    gmsh(Path("."))
