"""What may be done now: a command whose open fields say what they may hold."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Site: TypeAlias = "tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Exactly one of these ids."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SomeOf:
    """Between ``least`` and ``most`` different ids of these."""

    values: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Amount:
    """Whole dollars from ``least`` to ``most`` in steps."""

    least: int
    most: int
    step: int = 1_000


@dataclass(frozen=True, slots=True)
class Bag:
    """Some of each of several kinds: no more of a kind than is said with it, and ``least`` to ``most`` altogether.

    A mapping of kinds to numbers above nothing; ``most`` of 0: as many as there are.
    """

    kinds: tuple[tuple[str, int], ...]
    least: int
    most: int = 0


@dataclass(frozen=True, slots=True)
class Dice:
    """What so many dice show: a list of numbers from 1 to ``faces``."""

    count: int = 2
    faces: int = 6


@dataclass(frozen=True, slots=True)
class AnyOfThese:
    """One of these whole values, each a mapping of a card to ids on it."""

    values: tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]


@dataclass(frozen=True, slots=True)
class AnySet:
    """One of these whole sets of ids."""

    values: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """Workers to open places: any subset of ``sites`` that the rules find sound.

    ``sites``: per card its open places, each with the teams' codes; ``workers``: ids with their rank code.
    Leaving everything empty is always possible.
    """

    sites: tuple[Site, ...]
    workers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A mapping whose parts are fields of their own; each may be left out where it holds nothing."""

    parts: "tuple[tuple[str, Field], ...]"


Field: TypeAlias = "OneOf | SomeOf | Amount | Bag | Dice | AnyOfThese | AnySet | Assignment | Parts"
Urgency: TypeAlias = Literal["due", "possible"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that a player could give now.

    ``do`` and ``given`` are its settled fields, ``fields`` what is still to be chosen.  ``due`` offers move
    the game on; ``possible`` ones may be taken at any moment (repaying a loan).  ``addressed``: the command
    itself names the player; otherwise he is merely the one who may give it (turning a card), or the banker alone may
    where ``player`` is ``BANKER`` (letting the hammer fall).
    """

    do: str
    player: str
    given: tuple[tuple[str, str | bool], ...] = ()
    fields: tuple[tuple[str, Field], ...] = ()
    urgency: Urgency = "due"
    addressed: bool = True
