"""Writes docs/python.md, the table of MuJoCo's names: `python crates/sinew-py/tests/surface.py`."""

import importlib
import inspect
import pathlib
import types

import mujoco

import sinew

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"

HEAD = """\
# The Python package beside MuJoCo's

Every public name of the package `mujoco` {version}, and whether `sinew` has it. Made by
`python crates/sinew-py/tests/surface.py`; a test holds it to what is there.

`import sinew as mujoco` runs scripts; `python -m sinew.as_mujoco script.py` (or `-m pytest ...`) and
`sinew.install_as_mujoco()` let every `import mujoco` of a process and of its children be Sinew, with
these modules: {modules}.

{there} of {all} names are there.

## What was run on it

With `python -m sinew.as_mujoco`, unchanged, each beside the package `mujoco` {version} itself:

| what | result |
|---|---|
| MuJoCo's own Python tests | `bindings` 118 of 119 (one compares a docstring word for word), `specs` 47 of 47, `rollout` 65 of 65, `minimize` 9, `renderer` 6, `render` 3, `msh2obj`, `memory_leak` and `viewer` 1 each: all |
| `mujoco.sysid`, MuJoCo's own, its tests | 64 of 64 |
| dm_control 1.0.37, its own tests, all 95 files, with software OpenGL | all 3,096 that pass with MuJoCo |
| dm_control's suite, all 51 tasks of 19 domains, 60 steps, each from MuJoCo's state | exact in 20 tasks, at most 3e-12 in the others; within the 3 or 10 steps of the engine that make a step of the task, a dog and a humanoid part by up to 2e-5 |
| MJX 3.5.0 on JAX | `put_model`, `put_data`, `make_data`, `step`, `get_data` run; what comes back agrees to single precision |
| gymnasium-robotics 1.4.2, 14 environments, 15 steps | 13 agree to 7e-12 or exactly, an egg that rolls in a hand to 3e-5 |
| obj2mjcf 0.0.25 | converts a mesh and compiles the model |
| robosuite 1.5.2, 7 tasks with their controllers, 10 steps | at most 3e-9 |
| metaworld 3.0.0, 50 tasks, 8 steps | at most 3e-10; where a cylinder rocks on a table the orientation of it to 3e-3, and 1e-13 in lockstep |
| myosuite 2.8.5, 4 tasks, 20 steps | exact, or to single precision, where the task does not draw its own random numbers |
| myosuite 3.0.0, which is for MuJoCo 4, 8 tasks | 6 run; two use fields that only MuJoCo 4 has |
| mink 0.0.5, inverse kinematics of an arm | equal |
"""

# why names are missing: by name, or by what they begin with
REASONS = {
    "mjr_": "draws with OpenGL, of which Sinew has no context",
    "HEADERS_DIR": "there are no C headers",
}
SUBMODULES = """_callbacks _constants _enums _errors _functions _render _rollout _simulate _specs _structs
egl gl_context glfw introspect introspect.ast_nodes introspect.enums introspect.functions introspect.mjxmacro
introspect.structs introspect.type_parsing minimize msh2obj osmesa renderer rollout sysid usd viewer""".split()
MODULES_MISSING = {
    "_simulate": "MuJoCo's own window, which needs OpenGL",
    "sysid": "MuJoCo's own, plain Python, is found where it is installed",
    "usd": "MuJoCo's own, plain Python, is found where it is installed",
}
# why submodules lack names
PARTS = {
    "_render": "draws with OpenGL",
    "_structs": "gives away addresses of MuJoCo's own memory",
    "gl_context": "chooses a library of OpenGL",
    "egl": "calls a library of OpenGL",
    "glfw": "calls a library of OpenGL",
    "osmesa": "calls a library of OpenGL",
    "viewer": "of MuJoCo's own window",
}
INTERNAL = "internal to MuJoCo's module"


def names():
    """MuJoCo's names: not what its module imports from elsewhere."""
    for name, value in sorted(vars(mujoco).items()):
        foreign = isinstance(value, types.ModuleType) and not value.__name__.startswith("mujoco")
        typing = getattr(value, "__module__", "") in ("typing", "typing_extensions")
        if not name.startswith("_") and not foreign and not typing:
            if not isinstance(value, types.ModuleType):
                yield name, value


def reason(name):
    """Why Sinew has no such name."""
    if name in REASONS:
        return REASONS[name]
    found = [why for start, why in REASONS.items() if name.startswith(start)]
    if not found:
        raise LookupError(f"{name} is missing, and no reason is given in surface.py")
    return found[0]


def kind(value):
    if inspect.isclass(value):
        return "enumeration" if hasattr(value, "__members__") else "class"
    return "function" if callable(value) else "constant"


def module_is_there(name):
    place = pathlib.Path(sinew.__file__).parent / name.replace(".", "/")
    return place.with_suffix(".py").exists() or place.is_dir()


def module_text(name):
    """Whether a submodule is there, and which of MuJoCo's names it lacks, with the reason."""
    if not module_is_there(name):
        return MODULES_MISSING[name]
    if name in ("egl", "glfw", "osmesa"):
        return f"yes: `GLContext`, without a context; what {PARTS[name]} is missing"
    theirs, ours = (importlib.import_module(f"{engine}.{name}") for engine in ("mujoco", "sinew"))
    missing = [n for n, value in vars(theirs).items() if is_own(n, value) and not hasattr(ours, n)]
    if not missing:
        return "yes"
    words = ", ".join(f"`{n}`" for n in sorted(missing))
    return f"yes, without {words}: {PARTS.get(name, INTERNAL)}"


def is_own(name, value):
    """Whether a name of a submodule is not one that it imports from elsewhere."""
    module = getattr(value, "__module__", None) or ""
    imported = isinstance(value, types.ModuleType) or module.startswith(("typing", "collections"))
    return not name.startswith("__") and not imported


def page():
    """The text of the page."""
    rows, there = [], 0
    groups = {}
    for name, value in names():
        has = hasattr(sinew, name)
        there += has
        groups.setdefault(kind(value), []).append((name, "yes" if has else reason(name)))
    for group in ("class", "enumeration", "function", "constant"):
        title = {"class": "Classes", "enumeration": "Enumerations"}.get(group, group.title() + "s")
        rows += ["", f"## {title}", "", "| name | there? |", "|---|---|"]
        rows += [f"| `{name}` | {answer} |" for name, answer in groups.get(group, ())]
    rows += ["", "## Submodules", "", "| name | there? |", "|---|---|"]
    present = [name for name in SUBMODULES if module_is_there(name)]
    rows += [f"| `{name}` | {module_text(name)} |" for name in SUBMODULES]
    count = sum(len(group) for group in groups.values())
    public = [name for name in present if not name.startswith("_") and "." not in name]
    modules = ", ".join(f"`{name}`" for name in public)
    head = HEAD.format(version=mujoco.__version__, there=there, all=count, modules=modules)
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
