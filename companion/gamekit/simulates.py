"""Bots of a game: a box shuffled by a seed, and what happens next at their table."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeAlias

from companion.engine.game import Position

Rulebook: TypeAlias = "Mapping[str, Any]"
"""Fields of ``start_game`` by which bots play, such as house rules and variants; empty: as printed."""


@dataclass(frozen=True, slots=True)
class Act:
    """A command as the game knows it, and the cards laid to give it (none: it is tapped).

    ``zone``: where on a mat people lay them; ``None``: on the scan tray.
    """

    command: Any
    cards: tuple[str, ...] = ()
    zone: str | None = None


class Simulates(Protocol):
    """Plays a game by its offers.  Chance comes from outside, as numbers."""

    @property
    def strengths(self) -> Sequence[str]:
        """The strengths of bots by name, the weakest first."""
        ...

    def shuffled(self, catalog: Any, seed: int) -> Any:
        """Shuffle the piles of a box; the same seed, the same piles."""
        ...

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Give the ``start_game`` command that seats so many bots; who begins is drawn, without a seed the first."""
        ...

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Read ``key=value`` and ``variant`` words; ``Refused`` for what no rules know."""
        ...

    def drawn_rulebook(self, lots: Random) -> Rulebook:
        """Draw a value for every switch, and every variant with an even chance."""
        ...

    def next_act(
        self, position: Position[Any], piles: Any, strengths: Mapping[str, str], below: Callable[[int], int]
    ) -> Act | None:
        """Say what happens next; ``None``: the game is over.

        ``strengths`` by player, the strongest where nobody is named; ``below`` draws a number from 0 up to another.
        """
        ...

    def figures(self, position: Position[Any], player: str) -> Mapping[str, int]:
        """Give what a tournament compares at the end, the deciding figure first."""
        ...
