"""Writes the small binary and text assets of this folder. Standard library only; run it in this folder.

The shapes are written by hand so that every file has a known answer: the OBJ is a wedge, the STL a tetrahedron, the
MSH an octahedron, the hfields a ramp with a bump.
"""
import struct
import zlib


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


if __name__ == "__main__":
    wedge_obj("wedge.obj")
    tetrahedron_stl("tetrahedron.stl")
    octahedron_msh("octahedron.msh")
    hfields("hill.png", "hill.bin")
    textures()
