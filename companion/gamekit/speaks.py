"""What a page needs of a language: sentences, money, names of cards, the journal in words."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Protocol


class Speaks(Protocol):
    """One language's words, those of a game among them."""

    @property
    def language(self) -> str:
        """Two letters."""
        ...

    def template(self, msgid: str, context: str = "") -> str:
        """Give a sentence with its places still open."""
        ...

    def say(self, msgid: str, /, **values: object) -> str:
        """Say a sentence; the English one is its own id."""
        ...

    def say_in(self, context: str, msgid: str, /, **values: object) -> str:
        """Say a sentence that is known by an id within a context."""
        ...

    def several(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Say a sentence that depends on a number."""
        ...

    def named(self, context: str, msgid: str) -> str:
        """Say what an id is called; one that nobody has named is written readably."""
        ...

    def verb(self, do: str) -> str:
        """Say what a command does, in a word or two."""
        ...

    def money(self, amount: int, *, plus: bool = False) -> str:
        """Write whole dollars."""
        ...

    def listed(self, parts: Iterable[str], *, how: Literal["and", "or"] = "and") -> str:
        """Join parts as a sentence does."""
        ...

    def moment(self, at: str, how: Literal["time", "day", "day and time"] = "time") -> str:
        """Write an ISO moment in local time."""
        ...

    def duration(self, minutes: int) -> str:
        """Write how long something took, in hours and minutes."""
        ...

    def card(self, card: str, catalog: Mapping[str, Any] | None = None) -> str:
        """Name a card."""
        ...

    def described_figure(self, key: str, held: Any, names: Mapping[str, str], catalog: Mapping[str, Any]) -> str | None:
        """Put a figure of a position into words as its game does; ``None`` where it says nothing of its own."""
        ...

    def described_moment(
        self, position: Mapping[str, Any], names: Mapping[str, str], catalog: Mapping[str, Any]
    ) -> str:
        """Say what is to be done now, as its game does; ``""`` where it says nothing of its own."""
        ...

    def refusal(
        self, rule: str, details: Mapping[str, Any], names: Mapping[str, str], catalog: Mapping[str, Any] | None = None
    ) -> str:
        """Say why something is not possible now."""
        ...

    def event(
        self, event: Mapping[str, Any], names: Mapping[str, str], catalog: Mapping[str, Any] | None = None
    ) -> str:
        """Say what happened."""
        ...
