"""Exceptions of the engine."""

from sinew._sinew import DivergenceWarning, FatalError, UnexpectedError

__all__ = ["DivergenceWarning", "FatalError", "UnexpectedError"]
