"""How much the camera does at a table by itself: one dial, and where wished another one for a kind of card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from companion.gamekit.edition import Edition

Dial: TypeAlias = Literal["ledger", "suggest", "automatic"]
"""``ledger``: cards that are seen lead to nothing; ``suggest``: they ask; ``automatic``: what is plain is done."""

DIALS: tuple[Dial, ...] = get_args(Dial)
DEFAULT: Dial = "suggest"
COMMAND = "command"
"""The kind of the command cards: YES, NO, PASS, UNDO, SUGGEST, which belong to every game, and a game's own."""


def kinds(edition: Edition) -> tuple[str, ...]:
    """Name the kinds of cards that have a dial of their own: the game's, and command cards."""
    return (*(kind.name for kind in edition.manifest.kinds), COMMAND)


def kind_of(edition: Edition, card: str) -> str | None:
    """Say of which kind a card is; ``None``: of none that has a dial of its own."""
    return COMMAND if card in edition.command_words else edition.kind_of(card)


@dataclass(frozen=True, slots=True)
class Setting:
    """How the dial of one table stands.

    ``dial`` holds for every kind but those in ``apart``.
    """

    dial: Dial = DEFAULT
    apart: Mapping[str, Dial] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, kind: str | None) -> Dial:
        """Say what holds for a kind of card."""
        return self.dial if kind is None else self.apart.get(kind, self._followed(kind))

    def _followed(self, kind: str) -> Dial:
        """Give what a kind follows: command cards act by themselves only where they were turned so themselves."""
        return "suggest" if kind == COMMAND and self.dial == "automatic" else self.dial

    def turned(self, dial: Dial, kind: str | None = None) -> "Setting":
        """Turn one kind, or with ``None`` the whole dial: then every kind follows it again."""
        if kind is None:
            return Setting(dial)
        rest = {one: held for one, held in self.apart.items() if one != kind}
        return Setting(self.dial, rest if dial == self._followed(kind) else {**rest, kind: dial})
