"""Functions that set and get the user's callbacks."""

import ctypes
import warnings as _warnings

from sinew import _sinew

globals().update({n: f for n, f in vars(_sinew).items() if n.startswith(("get_mj", "set_mj"))})

_user = {"warning": None, "malloc": None, "free": None}


def set_mju_user_warning(user_warning):
    """set_mju_user_warning(user_warning)

    Sets the function that is called with the text of a warning. None restores the default, which
    counts warnings in `MjData.warning` and prints nothing.
    """
    if user_warning is not None and not callable(user_warning):
        raise TypeError("callback is not an Optional[Callable]")
    _user["warning"] = user_warning


def get_mju_user_warning():
    """get_mju_user_warning()

    The function that is called with the text of a warning.
    """
    return _user["warning"]


def _warn(text, category):
    """Issues a warning, through the user's function if there is one."""
    function = _user["warning"]
    if function is not None:
        # a C function takes the text as bytes
        text = text.encode() if isinstance(function, ctypes._CFuncPtr) else text
        _sinew.call_user("mju_user_warning", function, text)
        return
    try:
        _sinew.call_user("the handler of warnings", _warnings.warn, text, category, 4)
    except category:
        # MuJoCo loads the model silently, so loading must not fail where warnings are errors
        pass


def _memory(name):
    def put(function):
        if function is not None:
            raise TypeError(f"set_mju_user_{name}: memory is managed by Rust's allocator")

    def get():
        return None

    put.__doc__ = f"set_mju_user_{name}(function)\n\nOnly None is accepted: memory is Rust's."
    get.__doc__ = f"get_mju_user_{name}()\n\nNone: memory is Rust's."
    put.__name__ = put.__qualname__ = f"set_mju_user_{name}"
    get.__name__ = get.__qualname__ = f"get_mju_user_{name}"
    return put, get


set_mju_user_malloc, get_mju_user_malloc = _memory("malloc")
set_mju_user_free, get_mju_user_free = _memory("free")

__all__ = [n for n in dir() if n.startswith(("get_mj", "set_mj"))]
