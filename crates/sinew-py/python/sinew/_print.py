"""Models and states as text files in MuJoCo's layout: `mj_printModel` and related functions."""

import re
import time

import numpy as np

from sinew import _constants, _enums

# sizes that count `rows` of a field, by the object type with one block each
_BLOCKS = {
    "nbody": "body",
    "njnt": "joint",
    "nv": "dof",
    "ngeom": "geom",
    "nsite": "site",
    "ncam": "camera",
    "nlight": "light",
    "nmesh": "mesh",
    "ntex": "texture",
    "nmat": "material",
    "npair": "pair",
    "nexclude": "exclude",
    "neq": "equality",
    "ntendon": "tendon",
    "nu": "actuator",
    "nsensor": "sensor",
    "nnumeric": "numeric",
    "ntext": "text",
    "ntuple": "tuple",
    "nkey": "key",
}
_FLOAT = "% -9.2g"
# bound of the width and the precision of a format; digits of a double end at 767
_WIDEST = 1000


def _format(float_format):
    """A function that formats a number; an invalid float format is replaced by the default."""
    if any(int(digits) > _WIDEST for digits in re.findall(r"\d{1,20}", float_format)):
        raise ValueError(
            f"float format {float_format!r}: width and precision must be at most {_WIDEST}")
    if not re.fullmatch(r"%[-+ #0]*\d*(\.\d+)?[fgGeE]", float_format):
        float_format = _FLOAT

    def text(x):
        return (float_format if isinstance(x, float) else "%d") % x

    return text


def _row(values, text):
    return " ".join(text(x) for x in np.ravel(values).tolist())


def _names(m, kind):
    member = getattr(_enums.mjtObj, "mjOBJ_" + kind.upper(), None)
    return [] if member is None else m._names(int(member))


def _struct(title, struct, text):
    yield title
    for name in struct._all_fields:
        yield f"  {name:<20}{_row(getattr(struct, name), text)}"
    yield ""


def _model_lines(m, text):
    cls = type(m)
    yield "MuJoCo version 3.5.0"
    yield f"model name     {m.names.split(bytes(1))[0].decode()}"
    yield ""
    yield "SIZES"
    yield from (f"  {n:<20}{getattr(m, n)}" for n in cls._size_fields if getattr(m, n))
    yield ""
    yield from _struct("OPTION", m.opt, text)
    yield from _struct("STATISTIC", m.stat, text)
    fields = [getattr(cls, n) for n in cls._all_fields if n not in cls._size_fields]
    fields = [f for f in fields if getattr(f, "rows", "") and f.dtype != "bytes"]
    for rows, kind in _BLOCKS.items():
        own = [f.name for f in fields if f.rows == rows]
        names = _names(m, kind)
        for i in range(getattr(m, rows)):
            yield f"{kind.upper()} {i}:"
            if i < len(names):
                yield f"  {'name':<22}{names[i]}"
            yield from (f"  {n:<22}{_row(getattr(m, n)[i], text)}" for n in own)
            yield ""
    for f in fields:
        if f.rows not in _BLOCKS and getattr(m, f.name).size:
            yield f.name.upper()
            yield from (f"  {_row(row, text)}" for row in getattr(m, f.name))
            yield ""


def _data_lines(m, d, text):
    cls = type(d)
    fields = [getattr(cls, n, None) for n in cls._all_fields]
    fields = [f for f in fields if hasattr(f, "dtype")]
    yield "SIZES"
    yield from (f"  {f.name:<22}{getattr(d, f.name)}" for f in fields if f.dtype == "int")
    yield ""
    for title, records in (("TIMER", d.timer), ("WARNING", d.warning)):
        yield title
        for i, record in enumerate(records):
            parts = (f"{n} = {text(getattr(record, n))}" for n in record._all_fields)
            yield f"    {i}:  {'   '.join(parts)}"
        yield ""
    yield f"TIME = {text(d.time)}"
    yield ""
    for f in fields:
        values = np.asarray(getattr(d, f.name))
        if f.dtype not in ("int", "float") and values.size:
            yield f.name.upper()
            yield from (f"  {_row(row, text)}" for row in values)
            yield ""


# printed fields of a scene's structs, in this order
_GEOM = """type category label objtype objid pos mat size segid dataid matid texcoord rgba emission
specular shininess reflectance""".split()
_LIGHT = """id pos dir type castshadow headlight intensity range ambient diffuse specular texid
exponent attenuation cutoff bulbradius""".split()
_CAMERA = """pos forward up orthographic frustum_center frustum_width frustum_bottom frustum_top
frustum_near frustum_far""".split()
_FLEX = {
    "face_used": "flexfaceused", "edge_adr": "flexedgeadr", "edge_num": "flexedgenum",
    "vert_adr": "flexvertadr", "vert_num": "flexvertnum", "face_adr": "flexfaceadr",
    "face_num": "flexfacenum",
}  # fmt: skip
_SKIN = {"face_num": "skinfacenum", "vert_adr": "skinvertadr", "vert_num": "skinvertnum"}


def _line(name, value, text):
    """A name and a value, in MuJoCo's alignment."""
    values = np.ravel(value).tolist() if not isinstance(value, str) else [value]
    words = [text(x) if isinstance(x, float) else x if isinstance(x, str) else f" {x}" for x in values]
    end = " " if np.ndim(value) else ""
    return f"{name:<21}{' '.join(words)}{end}"


def _part_lines(title, parts, names, text):
    """Structs of a scene."""
    yield f"{title}S {len(parts)}"
    for i, part in enumerate(parts):
        yield f"  {title} {i}"
        yield from (_line("    " + name, getattr(part, name), text) for name in names)
        yield ""
    yield ""


def _mesh_lines(title, s, count, arrays, hidden):
    """Flexes or skins of a scene; long arrays are elided."""
    yield f"{title} {count}"
    for i in range(count):
        yield f"  {title} {i}"
        yield from (_line("    " + n, int(getattr(s, a)[i]), str) for n, a in arrays.items())
        yield from (_line("    " + name, "...", str) for name in hidden)
        yield ""
    yield ""


def _scene_lines(s, text):
    yield from _part_lines("GEOM", [s.geoms[i] for i in range(s.ngeom)], _GEOM, text)
    yield from _part_lines("LIGHT", [s.lights[i] for i in range(s.nlight)], _LIGHT, text)
    yield from _part_lines("CAMERA", [s.camera[i] for i in range(2)], _CAMERA, text)
    long = ["edges", "verts", "faces", "normals", "texcoords"]
    yield from _mesh_lines("FLEX DATA", s, s.nflex, _FLEX, long)
    yield from _mesh_lines("SKIN DATA", s, s.nskin, _SKIN, ["verts", "normals"])
    yield "FLAGS"
    for names, flag in zip(_constants.mjRNDSTRING, s.flags):
        yield f"  {names[0]:<21} {int(flag)}"
    for name in ("flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt", "stereo"):
        yield _line("  " + name, int(getattr(s, name)), text)
    yield from ("", "", f"TRANSFORM {int(s.enabletransform)}")
    if s.enabletransform:
        yield from (_line("  " + n, getattr(s, n), text) for n in ("translate", "rotate", "scale"))
        yield ""
    yield ""


def _write(filename, lines):
    with open(filename, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


def mj_printFormattedModel(m, filename, float_format):
    """Writes the model as text, with a printf format of numbers."""
    _write(filename, _model_lines(m, _format(float_format)))


def mj_printModel(m, filename):
    """Writes the model as text."""
    mj_printFormattedModel(m, filename, _FLOAT)


def mj_printFormattedData(m, d, filename, float_format):
    """Writes the state as text, with a printf format of numbers."""
    _write(filename, _data_lines(m, d, _format(float_format)))


def mj_printData(m, d, filename):
    """Writes the state as text."""
    mj_printFormattedData(m, d, filename, _FLOAT)


def mj_printFormattedScene(s, filename, float_format):
    """Writes the scene as text, with a printf format of numbers."""
    _write(filename, _scene_lines(s, _format(float_format)))


def mj_printScene(s, filename):
    """Writes the scene as text."""
    mj_printFormattedScene(s, filename, _FLOAT)


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Prints a sparse matrix."""
    for r, (start, count) in enumerate(zip(rowadr, rownnz, strict=True)):
        cells = (f"({r} {colind[k]}): {mat[k]:9.6f}  " for k in range(start, start + count))
        print("".join(cells))
    print()


def mju_writeLog(type, msg):
    """Appends the time and a message to `MUJOCO_LOG.TXT`."""
    with open("MUJOCO_LOG.TXT", "a", encoding="utf-8") as file:
        file.write(f"{time.asctime()}\n{type}: {msg}\n\n")


__all__ = [n for n in dir() if n.startswith("mj")]
