"""The whole module: every name of MuJoCo's exists or has a reason, and has documentation."""

import inspect

import mujoco
import surface

import sinew


def test_the_table_of_names_is_current():
    assert surface.PAGE.read_text() == surface.page(), "run tests/surface.py"


def test_every_function_says_its_signature():
    for name in sinew._functions.__all__:
        function = getattr(sinew, name)
        assert inspect.signature(function) is not None
        assert function.__doc__, name


def test_every_class_says_what_it_is():
    for name in dir(sinew):
        value = getattr(sinew, name)
        if inspect.isclass(value) and name.startswith("Mj"):
            assert value.__doc__, name


def test_parameters_have_mujocos_names():
    for name in sinew._functions.__all__:
        theirs = getattr(mujoco, name, None)
        if theirs is None or not theirs.__doc__:
            continue
        head = theirs.__doc__.splitlines()[0]
        if "*args" in head or "mjtNum" in head:
            continue
        wanted = [p.split(":")[0].strip() for p in _split(head[head.index("(") + 1 : head.rindex(")")])]
        found = [p.rstrip("_") for p in inspect.signature(getattr(sinew, name)).parameters]
        if found == ["args", "kwargs"]:  # only raises an error
            continue
        assert found == [w.rstrip("_") for w in wanted if w], name


def _split(text):
    """The parameters of a signature; brackets keep their commas."""
    depth, parts = 0, [""]
    for c in text:
        depth += (c in "[(") - (c in "])")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts
