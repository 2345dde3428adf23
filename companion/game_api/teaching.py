"""How an owner's box is taught card by card: what is printed on each kind of card, as fields with large buttons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from companion.engine.journal import Json
from companion.engine.readable import is_readable
from companion.game_api.drawing import Drawing

# What is laid out and stands on no one card: a ring of spaces, a plan of cells, pairs of cells.

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
    """Return whether a value is one that such a field may hold."""
    if not isinstance(value, list):
        return False
    match asked:
        case Series():
            return 0 < len(value) <= asked.most and all(part in asked.values for part in value)
        case Cells():
            return 0 < len(value) <= asked.rows and _is_plan(value, asked.columns)
        case Pairs():
            return len(value) <= asked.most and all(_is_pair(pair) for pair in value)


def _is_plan(value: Sequence[Any], columns: int) -> bool:
    rows = [row for row in value if isinstance(row, str) and 0 < len(row) <= columns and set(row) <= set("X.")]
    return len(rows) == len(value) and len({len(row) for row in rows}) == 1


def _is_pair(value: Any) -> bool:
    cells = isinstance(value, list) and len(value) == 2  # noqa: PLR2004 - a pair
    return cells and all(isinstance(cell, str) and _CELL.fullmatch(cell) is not None for cell in value)


@dataclass(frozen=True, slots=True)
class Pick:
    """One value of a few, or with ``most`` above 1 a list of different ones.

    They are said by words of ``context``, or by ``names``: of each value its name in each language.
    """

    name: str
    values: tuple[str, ...]
    context: str
    least: int = 1
    most: int = 1
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number that is typed on a pad, in units of ``unit``: 90 in thousands is 90,000."""

    name: str
    most: int
    unit: int = 1
    least: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Words, in one line."""

    name: str
    longest: int


@dataclass(frozen=True, slots=True)
class Row:
    """Several small numbers beside each other, each with what it is for: numbers of players, or words of a context."""

    name: str
    labels: tuple[str, ...]
    most: int
    context: str = ""


@dataclass(frozen=True, slots=True)
class Teams:
    """For each place of a building who works there: a mapping of places to lists of values.

    ``plan``: the building drawn with nobody in it; ``spots``: where each place is tapped on it (left, top, width and
    height, as shares of the drawing).
    """

    name: str
    places: tuple[str, ...]
    place_context: str
    values: tuple[str, ...]
    context: str
    most: int
    plan: Drawing | None = None
    spots: Mapping[str, tuple[float, float, float, float]] = field(
        default_factory=dict[str, tuple[float, float, float, float]]
    )


@dataclass(frozen=True, slots=True)
class Acts:
    """Acts of a card, one after the other: each a verb (``do``) with fields of its own."""

    name: str
    verbs: Mapping[str, tuple["Pick | Number", ...]]
    context: str
    most: int
    optional: frozenset[str] = field(default_factory=frozenset[str])
    """Fields that may be left out."""


Asked: TypeAlias = Pick | Number | Line | Row | Teams | Acts | Series | Cells | Pairs


class Teaching(Protocol):
    """Knows what is printed on the cards of a game."""

    @property
    def cards(self) -> Mapping[str, Sequence[str]]:
        """The ids of a whole box in the order of teaching, by the table of a catalog file that holds them.

        What is no card but asked for like one, as a board, has an id of its own; its table is called by a word of
        the context ``sheet``.
        """
        ...

    def fields(self, card: str) -> Sequence[Asked]:
        """Return what is asked of a card."""
        ...

    def usual(self, card: str, taught: Mapping[str, Json]) -> Json:
        """Propose values, by what was taught before; whoever teaches sees them and goes on, or changes them."""
        ...

    def follows(self, taught: Mapping[str, Json]) -> Mapping[str, Mapping[str, Json]]:
        """Return what a choice proposes for other fields: ``{"type": {"A": {"price": 1000}}}``."""
        ...

    def tables(self, name: str, taught: Mapping[str, Json]) -> dict[str, Any]:
        """Return the tables of a catalog file with the cards that are known."""
        ...

    def picture(self, name: str, value: str) -> Drawing | None:
        """Draw a value of a field, where a drawing says more than a word."""
        ...

    def describe_act(self, act: Json, words: Any) -> str:
        """Return an act back in a sentence."""
        ...


def wrong(asked: Sequence[Asked], values: Mapping[str, Any]) -> str | None:
    """Return the first field whose value is none that it may hold, or that nobody asks for; ``None``: all is well."""
    by_name = {field.name: field for field in asked}
    strange = next((name for name in values if name not in by_name), None)
    if strange is not None:
        return strange
    return next((name for name, field in by_name.items() if name not in values or not fits(field, values[name])), None)


def fits(asked: Asked, value: Any) -> bool:
    """Return whether a value is one that a field may hold."""
    match asked:
        case Pick(most=1):
            return isinstance(value, str) and value in asked.values
        case Pick():
            return _some_of(value, asked.values, asked.least, asked.most) and len(set(value)) == len(value)
        case Number():
            whole = type(value) is int and value % asked.unit == 0
            return whole and asked.least <= value // asked.unit <= asked.most
        case Line():
            return isinstance(value, str) and len(value) <= asked.longest and is_readable(value)
        case Row():
            small = isinstance(value, list) and all(
                type(number) is int and 0 <= number <= asked.most for number in value
            )
            return small and len(value) == len(asked.labels)
        case Teams():
            whole = isinstance(value, dict) and set(value) == set(asked.places)
            return whole and all(_some_of(team, asked.values, 1, asked.most) for team in value.values())
        case Series() | Cells() | Pairs():
            return fits_plan(asked, value)
        case Acts():
            return isinstance(value, list) and 0 < len(value) <= asked.most and all(_act(asked, act) for act in value)


def _some_of(value: Any, values: Sequence[str], least: int, most: int) -> bool:
    return isinstance(value, list) and least <= len(value) <= most and all(part in values for part in value)


def _act(asked: Acts, act: Any) -> bool:
    if not isinstance(act, dict) or not isinstance(act.get("do"), str) or act["do"] not in asked.verbs:
        return False
    fields = {field.name: field for field in asked.verbs[act["do"]]}
    given = {name: value for name, value in act.items() if name != "do"}
    needed = set(fields) - asked.optional
    return needed <= set(given) <= set(fields) and all(fits(fields[name], value) for name, value in given.items())
