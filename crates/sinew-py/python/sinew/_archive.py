"""Archives of a model with its files (`.mjz`), and saving by the name of a file."""

import io
import os
import tempfile
import zipfile

from sinew import _sinew
from sinew._print import mj_printModel
from sinew._sinew import FatalError

_ENDINGS = (".mjz", ".zip")
# the file of the model, and the folder of assets from outside of the model's folder
_ROOT, _OUTSIDE = "model.xml", "assets/"


def is_archive(path):
    """Whether a path has the ending of an archive."""
    return path.lower().endswith(_ENDINGS)


def unpack(path, assets):
    """The name of the model in an archive, and all files of the archive by name."""
    data = (assets or {}).get(path)
    if data is None:
        with open(path, "rb") as file:
            data = file.read()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {i.filename: archive.read(i) for i in archive.infolist() if not i.is_dir()}
    except zipfile.BadZipFile as error:
        raise ValueError(f"ParseXML: {path}: {error}") from None
    stem = os.path.splitext(os.path.basename(path))[0]
    for name in (_ROOT, f"{stem}.xml", f"{stem}/{stem}.xml", f"{stem}/{_ROOT}"):
        if name in files:
            return name, files
    raise ValueError(f"ParseXML: {path}: no file {_ROOT} or {stem}.xml in the archive")


def encode(spec, filename, model=None, content_type=None, vfs=None):
    """encode(filename, model=None, content_type=None, vfs=None)

    Saves the model to a file whose ending says how: `.xml`, `.mjb`, `.txt`, or `.mjz` for an
    archive with all files. Numbers that were changed in `model` are saved. Returns the number of
    bytes.
    """
    filename = os.fspath(filename)
    ending = _ending(filename, content_type)
    if ending in (".mjb", ".txt"):
        if model is None:
            raise FatalError(f"mj_encode: a model is required for '{ending}'")
        if ending == ".mjb":
            _sinew.mj_saveModel(model, filename)
        else:
            mj_printModel(model, filename)
    elif ending == ".xml":
        with open(filename, "w") as file:
            file.write(_text(spec, model))
    else:
        with zipfile.ZipFile(filename, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in _packed(spec, model, vfs).items():
                archive.writestr(zipfile.ZipInfo(name), data)
    return os.path.getsize(filename)


encode.__qualname__ = "MjSpec.encode"
encode.__module__ = "sinew"

_TYPES = {"text/xml": ".xml", "application/xml": ".xml", "application/zip": ".mjz"}


def _ending(filename, content_type):
    ending = os.path.splitext(filename)[1].lower()
    if content_type is not None:
        ending = _TYPES.get(content_type, content_type)
    if ending not in (".xml", ".mjb", ".txt", *_ENDINGS):
        raise FatalError(f"mj_encode: could not find encoder for '{filename}'")
    return ending


def _text(spec, model):
    """The XML of a model, with the numbers of a compiled one."""
    if model is None:
        return spec.to_xml()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.xml")
        _sinew.mj_saveLastXML(path, model)
        with open(path) as file:
            return file.read()


def _packed(spec, model, vfs):
    """The files of an archive by name. Files outside of the model's folder move into it."""
    files = {**(vfs._open() if vfs else {}), **spec.assets}
    own = type(spec).from_string(_text(spec, model), assets=files)
    packed, came_from = {}, {}
    for owner, key, folder in _references(own):
        name = owner[key] if isinstance(key, int) else getattr(owner, key)
        path = os.path.join(folder, name)
        inner = os.path.normpath(path).replace(os.sep, "/")
        if os.path.isabs(path) or inner.startswith("../"):
            inner = _OUTSIDE + os.path.basename(name)
        if came_from.setdefault(inner, path) != path:
            raise FatalError(f"mj_encode: two files are called '{os.path.basename(name)}'")
        data = next((files[n] for n in (path, name, os.path.basename(name)) if n in files), None)
        if data is None:
            with open(os.path.join(spec.modelfiledir, path), "rb") as file:
                data = file.read()
        packed[inner] = data
        if isinstance(key, int):
            owner[key] = inner
        else:
            setattr(owner, key, inner)
    own.compiler.meshdir = own.compiler.texturedir = ""
    own.assets = packed
    return {_ROOT: own.to_xml(), **packed}


def _references(spec):
    """The places of names of files: an object, an attribute or index, the folder of such files."""
    meshes, textures = spec.compiler.meshdir, spec.compiler.texturedir
    for element in (*spec.meshes, *spec.hfields, *spec.skins):
        if element.file:
            yield element, "file", meshes
    for texture in spec.textures:
        if texture.file:
            yield texture, "file", textures
        for i, file in enumerate(texture.cubefiles):
            if file:
                yield texture.cubefiles, i, textures
