"""MuJoCo's functions."""

from sinew import _figure, _plugins, _print, _render, _sinew, _texts, _visual
from sinew._later import functions as _later

_PREFIXES = ("mj_", "mju_", "mjd_", "mjv_", "mjr_")

globals().update({n: f for n, f in vars(_sinew).items() if n.startswith(_PREFIXES)})
for _part in (_texts, _print, _visual, _render, _figure, _plugins):
    _names = [n for n in _part.__all__ if n.startswith(_PREFIXES)]
    globals().update({n: getattr(_part, n) for n in _names})

# both signatures where another version has another one, and the functions that 3.5.0 lacks
globals().update({n: getattr(_later, n) for n in _later.__all__})

__all__ = [n for n in dir() if n.startswith(_PREFIXES)]


def _realloc_con_efc(d, ncon, nefc, nJ=-1):
    """_realloc_con_efc(d, ncon, nefc, nJ=-1)

    Allocates zeroed contacts, constraint rows and entries of their Jacobian in `d`. Without `nJ`
    the Jacobian is dense.
    """
    d._resize(ncon, nefc, nJ)
