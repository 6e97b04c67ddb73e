"""C declarations: types, and functions, enumerations and structs made of them.

`str` converts every node to C; `decl(name)` of a type declares a variable.
"""

import dataclasses
import re
from typing import Dict, Optional, Sequence, Tuple, Union

_WORD = re.compile(r"[A-Za-z_]\w*")
_INTEGER_WORDS = {"signed", "unsigned", "short", "long", "int", "char"}
_KEYWORDS = frozenset(
    """auto break case const continue default do else enum extern for goto if inline register
    restrict return sizeof static struct switch typedef union volatile while _Alignas _Atomic
    _Generic _Imaginary _Noreturn _Static_assert _Thread_local __attribute__ _Pragma""".split()
)
# the only function type in the interface
_CALLBACK = "void *(*)(void *)"


def _is_integer(words):
    """Whether the words form an integer type, each as often as C permits."""
    count = {w: words.count(w) for w in _INTEGER_WORDS}
    others = [w for w in words if w not in _INTEGER_WORDS]
    return (
        all(_WORD.fullmatch(w) for w in others)
        and count["signed"] + count["unsigned"] <= 1
        and count["short"] <= 1
        and count["long"] <= 2
        and not (count["short"] and count["long"])
        and not ((count["short"] or count["long"]) and count["char"])
        and count["char"] + count["int"] + len(others) <= 1
    )


def _is_type_name(name):
    if name == _CALLBACK:
        return True
    words = name.split()
    if words[:1] == ["struct"]:
        words = words[1:]
        return len(words) == 1 and bool(_WORD.fullmatch(words[0]))
    return bool(words) and name not in _KEYWORDS and _is_integer(words)


def _join(*parts):
    return " ".join(p for p in parts if p)


@dataclasses.dataclass
class ValueType:
    """A type that is neither a pointer nor an array."""

    name: str
    is_const: bool = False
    is_volatile: bool = False
    nullable: bool = False

    def __post_init__(self):
        if not _is_type_name(self.name):
            raise ValueError(f"{self.name!r} is not a valid value type name")

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of a variable of this type."""
        qualifiers = ("const" if self.is_const else "", "volatile" if self.is_volatile else "")
        return _join(*qualifiers, self.name, name_or_decl)

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class ArrayType:
    """An array of fixed size."""

    inner_type: Union[ValueType, "PointerType"]
    extents: Tuple[int, ...]
    nullable: bool = dataclasses.field(default=False, init=False)

    def __post_init__(self):
        self.extents = tuple(self.extents)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of a variable of this type."""
        return self.inner_type.decl((name_or_decl or "") + "".join(f"[{n}]" for n in self.extents))

    def __str__(self):
        return self.decl()


@dataclasses.dataclass
class PointerType:
    """A pointer."""

    inner_type: Union[ValueType, ArrayType, "PointerType"]
    nullable: bool = False
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of a variable of this type."""
        qualifiers = {"nullable": self.nullable, "const": self.is_const}
        qualifiers |= {"volatile": self.is_volatile, "restrict": self.is_restrict}
        text = _join("*", *(word for word, is_set in qualifiers.items() if is_set), name_or_decl)
        return self.inner_type.decl(f"({text})" if isinstance(self.inner_type, ArrayType) else text)

    def __str__(self):
        return self.decl()


Type = Union[ValueType, ArrayType, PointerType]


@dataclasses.dataclass
class FunctionParameterDecl:
    """A parameter of a function; arrays keep their size instead of decaying to pointers."""

    name: str
    type: Type
    nullable: bool = False

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        """The type as text."""
        return self.type.decl()


@dataclasses.dataclass
class FunctionDecl:
    """A function."""

    name: str
    return_type: Type
    parameters: Tuple[FunctionParameterDecl, ...]
    doc: str

    def __post_init__(self):
        self.parameters = tuple(self.parameters)

    def __str__(self):
        return f"{self.return_type} {self.name}({', '.join(map(str, self.parameters))})"

    @property
    def decltype(self) -> str:
        """The type as text."""
        return f"{self.return_type} ({', '.join(p.decltype for p in self.parameters)})"


@dataclasses.dataclass
class EnumDecl:
    """An enumeration."""

    name: str
    declname: str
    values: Dict[str, int]


@dataclasses.dataclass
class StructFieldDecl:
    """A field of a struct or union; `array_extent` has the sizes of a pointer's target."""

    name: str
    type: Union[Type, "AnonymousStructDecl", "AnonymousUnionDecl"]
    doc: str
    array_extent: Optional[Tuple[Union[str, int], ...]] = None

    def __str__(self):
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        """The type as text."""
        return self.type.decl()


@dataclasses.dataclass
class AnonymousStructDecl:
    """A struct without a name."""

    fields: Tuple[Union[StructFieldDecl, "AnonymousUnionDecl"], ...]
    _keyword = "struct"

    def __post_init__(self):
        self.fields = tuple(self.fields)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of a variable of this type."""
        inner = "; ".join(map(str, self.fields))
        return _join(self._keyword, f"{{{inner};}}", name_or_decl)

    def __str__(self):
        return self.decl()


class AnonymousUnionDecl(AnonymousStructDecl):
    """A union without a name."""

    _keyword = "union"


@dataclasses.dataclass
class StructDecl:
    """A struct."""

    name: str
    declname: str
    fields: Sequence[Union[StructFieldDecl, AnonymousUnionDecl]]

    def __post_init__(self):
        self.fields = tuple(self.fields)

    def decl(self, name_or_decl: Optional[str] = None) -> str:
        """The declaration of a variable of this type."""
        return _join(self.name, name_or_decl)
