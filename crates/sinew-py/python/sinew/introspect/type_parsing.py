"""Parses C types."""

import re

from .ast_nodes import _CALLBACK, ArrayType, PointerType, ValueType

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|\[\s*(\d+)\s*\]|([*()]))")
_POINTER_QUALIFIERS = ("const", "volatile", "restrict")


def _tokens(text):
    """Words, sizes of arrays (as integers) and punctuation."""
    out, at = [], 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"invalid type name {text!r}")
        word, size, mark = found.groups()
        out.append(word or mark or int(size))
        at = found.end()
    return out


def _flags(words, allowed):
    """Qualifiers as keyword arguments of a node."""
    for word in words:
        if words.count(word) > 1:
            raise ValueError(f"duplicate qualifier: {word!r}")
        if word not in allowed:
            raise ValueError(f"invalid qualifier for pointer: {word!r}")
    return {f"is_{word}": word in words for word in allowed}


def _declarator(tokens, inner, text):
    """The type that `tokens` derive from the type `inner`, outermost first."""
    tokens = list(tokens)

    # pointers, each with its qualifiers
    while tokens[:1] == ["*"]:
        end = 1
        while end < len(tokens) and isinstance(tokens[end], str) and tokens[end] not in "*()":
            end += 1
        inner = PointerType(inner, **_flags(tokens[1:end], _POINTER_QUALIFIERS))
        tokens = tokens[end:]

    # array suffixes bind more strongly than the parenthesised part
    extents = []
    while tokens and isinstance(tokens[-1], int):
        extents.insert(0, tokens.pop())
    if extents:
        inner = ArrayType(inner, extents)
    if not tokens:
        return inner
    if tokens[0] != "(" or tokens[-1] != ")":
        raise ValueError(f"invalid type name {text!r}")
    return _declarator(tokens[1:-1], inner, text)


def parse_type(type_name):
    """Parses a type."""
    text = type_name.strip()
    if text == _CALLBACK:
        return ValueType(text)
    if text.count("(") != text.count(")"):
        raise ValueError(f"{type_name!r} contains incorrectly nested parentheses")
    tokens = _tokens(text)
    end = next((i for i, t in enumerate(tokens) if not isinstance(t, str) or t in "*()"), len(tokens))
    words = tokens[:end]
    qualifiers = [w for w in words if w in ("const", "volatile")]
    name = " ".join(w for w in words if w not in qualifiers)
    value = ValueType(name, **_flags(qualifiers, ("const", "volatile")))
    return _declarator(tokens[end:], value, type_name)


def parse_function_return_type(type_name):
    """Parses the return type of a function type."""
    return parse_type(type_name[: type_name.find("(")])
