"""How bots draw: numbers from outside, and choices made with them."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

Lots: TypeAlias = Callable[[int], int]
"""Draws a number from 0 up to another."""
T = TypeVar("T")


def one(lots: Lots, values: Sequence[T]) -> T:
    """Draw one of several."""
    return values[lots(len(values))]


def dice(lots: Lots) -> tuple[int, int]:
    """Roll two dice."""
    return 1 + lots(6), 1 + lots(6)
