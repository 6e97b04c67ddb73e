"""`MjVfs`: files in memory, which came after 3.5.0."""


class MjVfs:
    """MjVfs()

    Files in memory, by name: `vfs["model.xml"] = data`, then `MjModel.from_xml_path("model.xml",
    vfs=vfs)`.
    """

    def __init__(self):
        self._files = {}

    def _open(self):
        if self._files is None:
            raise RuntimeError("MjVfs: the files are closed")
        return self._files

    def __setitem__(self, name, data):
        if name in self._open():
            raise ValueError(f"MjVfs: there is a file '{name}' already")
        self._files[name] = bytes(data)

    def __delitem__(self, name):
        if name not in self._open():
            raise KeyError(f"MjVfs: there is no file '{name}'")
        del self._files[name]

    def __contains__(self, name):
        return name in self._open()

    def close(self):
        """Forgets the files."""
        self._files = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


def with_vfs(assets, vfs):
    """The files of `assets` or of `vfs`, either of which may be None."""
    if vfs is None:
        return assets
    if assets:
        raise ValueError("files are either in `vfs` or in a dictionary, not in both")
    return dict(vfs._open())


MjVfs.__module__ = "sinew"
