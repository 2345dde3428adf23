"""How much the camera does at a table by itself: one dial, and where wished another one for a kind of card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

Dial: TypeAlias = Literal["ledger", "suggest", "automatic"]
"""``ledger``: cards that are seen lead to nothing; ``suggest``: they ask; ``automatic``: what is plain is done."""
Kind: TypeAlias = Literal["worker", "contract", "event", "economy", "command"]
"""The kinds of cards, command cards (YES, NO, PASS, UNDO, SUGGEST) among them."""

DIALS: tuple[Dial, ...] = get_args(Dial)
KINDS: tuple[Kind, ...] = get_args(Kind)
DEFAULT: Dial = "suggest"

_LETTERS: Mapping[str, Kind] = MappingProxyType(
    {"W": "worker", "C": "contract", "E": "event", "Y": "economy", "X": "command"}
)


def kind_of(card: str) -> Kind | None:
    """Say of which kind a card is, by its kind letter; ``None``: of none that has a dial of its own."""
    return _LETTERS.get(card[:1])


@dataclass(frozen=True, slots=True)
class Setting:
    """How the dial of one table stands.

    ``dial`` holds for every kind but those in ``apart``.
    """

    dial: Dial = DEFAULT
    apart: Mapping[Kind, Dial] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, kind: Kind | None) -> Dial:
        """Say what holds for a kind of card."""
        return self.dial if kind is None else self.apart.get(kind, self._followed(kind))

    def _followed(self, kind: Kind) -> Dial:
        """Give what a kind follows: command cards act by themselves only where they were turned so themselves."""
        return "suggest" if kind == "command" and self.dial == "automatic" else self.dial

    def turned(self, dial: Dial, kind: Kind | None = None) -> "Setting":
        """Turn one kind, or with ``None`` the whole dial: then every kind follows it again."""
        if kind is None:
            return Setting(dial)
        rest = {one: held for one, held in self.apart.items() if one != kind}
        return Setting(self.dial, rest if dial == self._followed(kind) else {**rest, kind: dial})
