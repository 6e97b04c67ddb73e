"""Images of a model: `Renderer`."""

from sinew._render import Renderer

__all__ = ["Renderer"]
