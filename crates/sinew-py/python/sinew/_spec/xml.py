"""XML text, laid out as MuJoCo lays it out."""

import math

import numpy as np

# sections with an empty line before them
_SECTIONS = (
    "<actuator", "<asset", "<compiler", "<contact>", "<custom", "<default>", "<deformable",
    "<equality", "<extension", "<keyframe", "<option", "<sensor", "<size", "<statistic", "<tendon",
    "<visual", "<worldbody",
)  # fmt: skip
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_INT_MAX = (1 << 31) - 1
_EPS = {True: float(np.finfo(np.float32).eps), False: float(np.finfo(np.float64).eps)}


def number(x, digits=6):
    """A number with a few digits, or as an integer if it is one."""
    if abs(x) < _INT_MAX and (abs(x - math.floor(x)) < 1e-12 or abs(x - math.ceil(x)) < 1e-12):
        low, high = math.floor(x), math.ceil(x)
        return str(low if abs(x - low) < abs(x - high) else high)
    return short(x, digits)


def short(x, digits=6):
    """A number with a few digits."""
    return f"{x:.{digits}g}"


def same(a, b, single=False):
    """Whether numbers are equal but for rounding."""
    eps = _EPS[single]
    return all(abs(x - y) <= eps for x, y in zip(a, b))


class Node:
    """An element of XML."""

    __slots__ = ("tag", "attrs", "children")

    def __init__(self, tag):
        self.tag, self.attrs, self.children = tag, {}, []

    def add(self, tag):
        """A new element inside of this one."""
        node = Node(tag)
        self.children.append(node)
        return node

    def drop_empty(self, node, with_children=False):
        """Removes an element that says nothing."""
        if not node.attrs and not (with_children and node.children):
            self.children.remove(node)

    def text(self, name, value):
        """An attribute that is a text, left out if it is empty."""
        if value:
            self.attrs[name] = value

    def integer(self, name, value, default=None):
        """An attribute that is an integer, left out if it is the default."""
        if value != default:
            self.attrs[name] = str(int(value))

    def key(self, name, words, value, default=None):
        """An attribute that is a keyword, left out if it is the default."""
        if value != default:
            self.text(name, words.get(int(value), ""))

    def numbers(self, name, values, default=None, trim=False, single=False):
        """Numbers, left out if they are the default; `trim` leaves out the end if it is."""
        values = list(values)
        if any(math.isnan(v) for v in values):
            return
        if default is not None:
            default = list(default)[: len(values)]
            if same(values, default, single):
                return
            while trim and values and values[-1] == default[len(values) - 1]:
                values.pop()
        self.text(name, " ".join(map(number, values)))

    def real(self, name, value, default=None, single=False):
        """A number, left out if it is the default."""
        self.numbers(name, [value], None if default is None else [default], single=single)

    def vector(self, name, values, default=()):
        """Numbers, left out if they are the default, of which there may be fewer."""
        values = list(values)
        default = [*default, *[0.0] * len(values)][: len(values)]
        if values != default:
            self.numbers(name, values)


def _lines(root):
    """The lines of a document."""
    waiting, out = [(root, 0)], []
    while waiting:
        node, depth = waiting.pop()
        indent = "  " * depth
        if isinstance(node, str):
            out.append(indent + node)
            continue
        attrs = "".join(f' {k}="{v.translate(_ESCAPES)}"' for k, v in node.attrs.items())
        if not node.children:
            out.append(f"{indent}<{node.tag}{attrs}/>")
            continue
        out.append(f"{indent}<{node.tag}{attrs}>")
        waiting.append((f"</{node.tag}>", depth))
        for child in reversed(node.children):
            comment = f"<!--{child}-->" if isinstance(child, str) else child
            waiting.append((comment, depth + 1))
    return out


def render(root):
    """The text of a document."""
    out, first = [], True
    for line in _lines(root):
        if line.lstrip().startswith(_SECTIONS):
            if not first:
                out.append("")
            first = False
        out.append(line)
    return "\n".join(out) + "\n"
