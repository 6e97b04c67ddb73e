"""`GLContext`, accepted where MuJoCo wants a context of OpenGL: pictures are made without one."""

from sinew._later.fields import refuse
from sinew._render import GLContext

__all__ = ["GLContext"]


def create_initialized_egl_device_display():
    """Raises an error: there is no display of OpenGL."""
    raise refuse("egl.create_initialized_egl_device_display", "3.3.0", "a library of OpenGL")
