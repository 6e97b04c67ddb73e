"""Exceptions of the engine."""

from sinew._sinew import FatalError, UnexpectedError

__all__ = ["FatalError", "UnexpectedError"]
