"""`GLContext`, accepted where MuJoCo wants a context of OpenGL: pictures are made without one."""

from sinew._render import GLContext

__all__ = ["GLContext"]
