"""Choices made once for an installation: whether they were welcomed, which deck, how cards are laid."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, get_args

from companion.service.ports import Store
from companion.service.runtime import StoredValue

CardLayout: TypeAlias = Literal["mat", "tray", "tap"]
"""``mat``: where a card lies says whose it is; ``tray``: cards are laid in one place; ``tap``: no card is laid."""

CARD_LAYOUTS: tuple[CardLayout, ...] = get_args(CardLayout)


@dataclass(frozen=True, slots=True)
class PreferenceValues:
    """``welcomed``: the first-run wizard was seen to its end, or left; ``deck``: the name of a catalog.

    ``notes``: ids of the tables at which the notes of the box change hands.  ``hammers``: by table, after how many
    seconds of thought a screen says *going once*; a table that is not among them is never hurried.
    """

    welcomed: bool = False
    deck: str = "house"
    layout: CardLayout = "tray"
    notes: frozenset[str] = frozenset()
    hammers: Mapping[str, int] = field(default_factory=dict[str, int])


class Preferences:
    """The choices now.  Every call may come from any thread."""

    def __init__(self, store: Store[PreferenceValues]) -> None:
        """Read the stored choices."""
        self._stored = StoredValue(store)

    @property
    def chosen(self) -> PreferenceValues:
        """Return what is chosen now."""
        return self._stored.now

    def choose(self, **chosen: Any) -> None:
        """Change fields of ``PreferenceValues``, and keep them.  ``OSError``; then nothing has changed."""
        self._stored.change(lambda now: replace(now, **chosen))

    def hand_notes(self, table_id: str, *, wanted: bool) -> None:
        """Choose whether notes change hands at a table.  ``OSError``; then nothing has changed."""
        table = {table_id}
        self._stored.change(lambda now: replace(now, notes=now.notes | table if wanted else now.notes - table))

    def set_hammer(self, table_id: str, seconds: int) -> None:
        """Choose after how many seconds of thought a table is reminded, 0: never.  ``OSError``; nothing has changed."""

        def with_hammer(now: PreferenceValues) -> PreferenceValues:
            others = {table: after for table, after in now.hammers.items() if table != table_id}
            return replace(now, hammers={**others, table_id: seconds} if seconds else others)

        self._stored.change(with_hammer)
