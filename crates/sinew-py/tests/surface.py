"""Writes docs/python.md, the table of MuJoCo's names: `python crates/sinew-py/tests/surface.py`."""

import importlib
import inspect
import pathlib
import textwrap
import types

import mujoco

import sinew

COLUMNS = 100
PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"

HEAD = """\
# The Python package beside MuJoCo's

`import sinew as mujoco` runs scripts of MuJoCo. `python -m sinew.as_mujoco script.py` (or
`-m pytest ...`) and `sinew.install_as_mujoco()` turn every `import mujoco` of a process and its
children into Sinew. All {there} public names of `mujoco` {version} exist, and these modules:
{modules}.

Names of [other versions](versions.md) exist too. Sinew draws without OpenGL. So `mjr_addAux`,
`mjr_blitAux`, `mjr_blitBuffer`, `mjr_findRect` and `mjr_setAux` raise an error, and the folder
`HEADERS_DIR` does not exist.

`python crates/sinew-py/tests/surface.py` writes this page, and a test compares it with the package.

## Programs that run on Sinew

The programs run unchanged with `python -m sinew.as_mujoco`. Each is compared with the package
`mujoco` {version} itself.

| program | result |
|---|---|
| MuJoCo's Python tests, `bindings` | 118 of 119; one compares a docstring word for word |
| MuJoCo's Python tests, `specs` | 47 of 47 |
| MuJoCo's Python tests, `rollout` | 65 of 65 |
| MuJoCo's Python tests, `minimize`, `renderer`, `render` | 9 of 9, 6 of 6, 3 of 3 |
| MuJoCo's Python tests, `msh2obj`, `memory_leak`, `viewer` | 1 of 1 each |
| MuJoCo's tests of `mujoco.sysid` | 64 of 64 |
| dm_control 1.0.37, the tests of all 95 files, with software OpenGL | all 3,096 that pass with MuJoCo |
| dm_control's suite, 51 tasks, 60 steps, each from MuJoCo's state | exact in 20 tasks, at most 3e-12 in the others; 2e-5 for a dog and a humanoid, within the several steps of the engine in a step of the task |
| MJX 3.5.0 on JAX | `put_model`, `put_data`, `make_data`, `step`, `get_data` run, with equal results in single precision |
| gymnasium-robotics 1.4.2, 14 environments, 15 steps | at most 7e-12 in 13; 3e-5 for an egg that rolls in a hand |
| obj2mjcf 0.0.25 | converts a mesh and compiles the model |
| robosuite 1.5.2, 7 tasks with their controllers, 10 steps | at most 3e-9 |
| metaworld 3.0.0, 50 tasks, 8 steps | at most 3e-10; 3e-3 for the orientation of a cylinder that rocks on a table, 1e-13 in lockstep |
| myosuite 2.8.5, 4 tasks, 20 steps | exact, or to single precision, where the task draws no random numbers |
| myosuite 3.0.0, which needs MuJoCo 4, 8 tasks | 6 run; two use fields that only MuJoCo 4 has |
| mink 0.0.5, 1.1.0 and 1.3.0, inverse kinematics of an arm | equal |
"""

SUBMODULES = """_callbacks _constants _enums _errors _functions _render _rollout _simulate _specs _structs
egl gl_context glfw introspect introspect.ast_nodes introspect.enums introspect.functions introspect.mjxmacro
introspect.structs introspect.type_parsing minimize msh2obj osmesa renderer rollout sysid usd viewer""".split()
MODULES_MISSING = {
    "_simulate": "absent: MuJoCo's own window, which needs OpenGL",
    "sysid": "MuJoCo's own plain Python, found where MuJoCo is installed",
    "usd": "MuJoCo's own plain Python, found where MuJoCo is installed",
}
# reasons why submodules lack names
PARTS = {
    "_render": "draws with OpenGL",
    "_structs": "gives away addresses of MuJoCo's own memory",
    "gl_context": "chooses a library of OpenGL",
    "egl": "calls a library of OpenGL",
    "glfw": "calls a library of OpenGL",
    "osmesa": "calls a library of OpenGL",
    "viewer": "parts of MuJoCo's own window",
}
INTERNAL = "internal to MuJoCo's module"


def names():
    """MuJoCo's names, without names that its module imports."""
    for name, value in sorted(vars(mujoco).items()):
        foreign = isinstance(value, types.ModuleType) and not value.__name__.startswith("mujoco")
        typing = getattr(value, "__module__", "") in ("typing", "typing_extensions")
        if not name.startswith("_") and not foreign and not typing:
            if not isinstance(value, types.ModuleType):
                yield name, value


def kind(value):
    if inspect.isclass(value):
        return "enumeration" if hasattr(value, "__members__") else "class"
    return "function" if callable(value) else "constant"


def module_is_there(name):
    place = pathlib.Path(sinew.__file__).parent / name.replace(".", "/")
    return place.with_suffix(".py").exists() or place.is_dir()


def module_text(name):
    """Whether a submodule exists, and the names that it lacks, with the reason."""
    if not module_is_there(name):
        return MODULES_MISSING[name]
    if name in ("egl", "glfw", "osmesa"):
        return f"`GLContext` without a context; no function that {PARTS[name]}"
    theirs, ours = (importlib.import_module(f"{engine}.{name}") for engine in ("mujoco", "sinew"))
    missing = [n for n, value in vars(theirs).items() if is_own(n, value) and not hasattr(ours, n)]
    if not missing:
        return "complete"
    words = ", ".join(f"`{n}`" for n in sorted(missing))
    return f"without {words}: {PARTS.get(name, INTERNAL)}"


def is_own(name, value):
    """Whether a name of a submodule is defined there instead of imported."""
    module = getattr(value, "__module__", None) or ""
    imported = isinstance(value, types.ModuleType) or module.startswith(("typing", "collections"))
    return not name.startswith("__") and not imported


def page():
    """The text of the page."""
    present, rows = {}, []
    for name, value in names():
        assert hasattr(sinew, name), name
        present.setdefault(kind(value), []).append(f"`{name}`")
    for group in ("class", "enumeration", "function", "constant"):
        title = {"class": "Classes", "enumeration": "Enumerations"}.get(group, group.title() + "s")
        rows += ["", f"## {title}", "", textwrap.fill(", ".join(present[group]) + ".", COLUMNS)]
    there = sum(len(group) for group in present.values())
    rows += ["", "## Submodules", "", "| name | state |", "|---|---|"]
    found = [name for name in SUBMODULES if module_is_there(name)]
    rows += [f"| `{name}` | {module_text(name)} |" for name in SUBMODULES]
    public = [name for name in found if not name.startswith("_") and "." not in name]
    modules = ",\n".join(", ".join(f"`{name}`" for name in public[k : k + 8]) for k in range(0, len(public), 8))
    head = HEAD.format(version=mujoco.__version__, there=there, modules=modules)
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
