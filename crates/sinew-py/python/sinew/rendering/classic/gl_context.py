"""`GLContext`, a stand-in for MuJoCo's OpenGL context: images are drawn without OpenGL."""

from sinew._render import GLContext

__all__ = ["GLContext"]
