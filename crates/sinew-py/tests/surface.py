"""Writes docs/python.md, the table of MuJoCo's names: `python crates/sinew-py/tests/surface.py`."""

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
"""

# why names are missing: by name, or by what they begin with
REASONS = {
    "mjr_": "draws with OpenGL, of which Sinew has no context",
    "GLContext": "a context of OpenGL",
    "gl_context": "a context of OpenGL",
    "glfw": "a context of OpenGL",
    "Renderer": "draws with OpenGL",
    "renderer": "draws with OpenGL",
    "mj_getCache": "there is no cache of assets",
    "mj_setCache": "there is no cache of assets",
    "mj_clearCache": "there is no cache of assets",
    "HEADERS_DIR": "there are no C headers",
    "mj_printScene": "not written yet",
    "mj_printFormattedScene": "not written yet",
    "mju_raySkin": "not written yet",
}
SUBMODULES = """_callbacks _constants _enums _errors _functions _render _rollout _simulate _specs _structs
gl_context introspect minimize msh2obj renderer rollout sysid usd viewer""".split()
MODULES_MISSING = {
    "_simulate": "MuJoCo's own window",
    "gl_context": "a context of OpenGL",
    "introspect": "describes MuJoCo's C headers",
    "renderer": "draws with OpenGL",
    "sysid": "MuJoCo's own, plain Python, is found where it is installed",
    "usd": "MuJoCo's own, plain Python, is found where it is installed",
}


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
    return (pathlib.Path(sinew.__file__).parent / f"{name}.py").exists()


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
    for name in SUBMODULES:
        rows.append(f"| `{name}` | {'yes' if name in present else MODULES_MISSING[name]} |")
    count = sum(len(group) for group in groups.values())
    modules = ", ".join(f"`{name}`" for name in present if not name.startswith("_"))
    head = HEAD.format(version=mujoco.__version__, there=there, all=count, modules=modules)
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page())
