"""What is laid out and stands on no one card: a ring of spaces, a plan of cells, pairs of cells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_CELL = re.compile("[A-Z][1-9][0-9]?")


@dataclass(frozen=True, slots=True)
class Series:
    """Things one after the other, each one of a few, as the spaces of a board; counted from ``first``."""

    name: str
    values: tuple[str, ...]
    context: str
    most: int
    first: int = 1


@dataclass(frozen=True, slots=True)
class Cells:
    """A plan of cells, tapped on a grid: texts of one length, a row each from the top, ``X`` where one is, else ``.``.

    Rows are called A, B, ... and columns 1, 2, ...
    """

    name: str
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of cells of the plan in the field ``of``; there may be none."""

    name: str
    of: str
    most: int


def fits_plan(asked: Series | Cells | Pairs, value: Any) -> bool:
    """Say whether a value is one that such a field may hold."""
    if not isinstance(value, list):
        return False
    match asked:
        case Series():
            return 0 < len(value) <= asked.most and all(one in asked.values for one in value)
        case Cells():
            return 0 < len(value) <= asked.rows and _is_plan(value, asked.columns)
        case Pairs():
            return len(value) <= asked.most and all(_is_pair(one) for one in value)


def _is_plan(value: Sequence[Any], columns: int) -> bool:
    rows = [one for one in value if isinstance(one, str) and 0 < len(one) <= columns and set(one) <= set("X.")]
    return len(rows) == len(value) and len({len(one) for one in rows}) == 1


def _is_pair(value: Any) -> bool:
    cells = isinstance(value, list) and len(value) == 2  # noqa: PLR2004 - a pair
    return cells and all(isinstance(one, str) and _CELL.fullmatch(one) is not None for one in value)
