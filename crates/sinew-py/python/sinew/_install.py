"""`import mujoco` that means Sinew: a finder of modules, and the environment of child processes."""

import importlib
import importlib.machinery
import importlib.util
import os
import sys

from sinew import _constants, _names
from sinew._later import layout

# subpackages of MuJoCo's that other packages provide as plain Python
_FOREIGN = ("experimental", "mjx", "sysid", "usd")
_SHIM = os.path.join(os.path.dirname(__file__), "_as_mujoco")


class _Loader:
    """Loads a module of Sinew that is already imported."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        module.__spec__ = self.spec


class _ForeignLoader:
    """Loads a subpackage of another package that is also accessible as a submodule of Sinew. While
    it is loaded, its own modules may import it by the name of Sinew's submodule."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        part = module.__name__.partition(".")[2]
        sys.modules["sinew." + part] = module
        try:
            self.loader.exec_module(module)
        except BaseException:
            del sys.modules["sinew." + part]
            raise


class _Finder:
    """Finds `mujoco.x` as `sinew.x`, and subpackages of other packages where they are installed."""

    def __init__(self, sinew):
        self.sinew = sinew

    def find_spec(self, name, path=None, target=None):
        package, _, part = name.partition(".")
        if package == "sinew" and part in _FOREIGN:
            # `from mujoco import x` looks up `sinew.x`, the module's name; importlib would load a
            # known module a second time
            module = importlib.import_module("mujoco." + part)
            sys.modules.pop(name, None)
            return importlib.util.spec_from_loader(name, _Loader(module))
        if package != "mujoco":
            return None
        if not part:
            return importlib.util.spec_from_loader(name, _Loader(self.sinew))
        if part.split(".")[0] in _FOREIGN:
            if "." in part:
                return None  # their own packages find them
            places = [os.path.join(p or ".", "mujoco") for p in sys.path]
            places = [p for p in places if os.path.isdir(os.path.join(p, part))]
            spec = importlib.machinery.PathFinder.find_spec(name, places)
            if spec is not None and spec.loader is not None:
                spec.loader = _ForeignLoader(spec.loader)
            return spec
        ours = "sinew." + part
        if importlib.util.find_spec(ours) is None:
            raise ModuleNotFoundError(
                f"No module named '{name}' (Sinew has no '{ours}')", name=name
            )
        return importlib.util.spec_from_loader(name, _Loader(importlib.import_module(ours)))


def install(sinew, version=None):
    """Makes `import mujoco` mean the package `sinew`, in this process and its children, with a
    version of MuJoCo if given.

    Raises an ImportError if MuJoCo is already loaded, because a mixture of both does not work.
    """
    loaded = sys.modules.get("mujoco")
    is_shim = getattr(loaded, "__file__", None) == os.path.join(_SHIM, "mujoco", "__init__.py")
    if loaded is not None and loaded is not sinew and not is_shim:
        where = getattr(loaded, "__file__", None) or "unknown"
        raise ImportError(
            f"MuJoCo is loaded already, from {where}: call sinew.install_as_mujoco() before anything "
            "imports mujoco, or start the program with `python -m sinew.as_mujoco`"
        )
    parts = [n for n in sys.modules if n.startswith("mujoco.") and n.split(".")[1] not in _FOREIGN]
    strangers = [
        n for n in parts if not getattr(sys.modules[n], "__name__", "").startswith("sinew")
    ]
    if strangers:
        raise ImportError(f"parts of MuJoCo are loaded already: {', '.join(sorted(strangers))}")

    # this process
    if version is not None:
        _give(sinew, version)
    sys.modules["mujoco"] = sinew
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(sinew))

    # child processes: the stand-in package comes first in their path, and finds Sinew
    here = os.path.dirname(os.path.dirname(os.path.abspath(sinew.__file__)))
    old = os.environ.get("PYTHONPATH", "")
    paths = [p for p in old.split(os.pathsep) if p]
    if _SHIM not in paths:
        os.environ["PYTHONPATH"] = os.pathsep.join([_SHIM, *paths, here])


def _give(sinew, version):
    """Gives programs the number and the layouts of a version."""
    sinew.__version__ = version = _names.give(version)
    sinew.mjVERSION_HEADER = _constants.mjVERSION_HEADER = _names.header(version)
    layout.lay_out()
