"""Lists of tables: what somebody looks for, a page of what was found, and where the next page begins."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from companion.game_api.manifest import LoadedGame
from companion.service.ports import HeadQuery, Journal, SearchWord, TableHead

TableState: TypeAlias = Literal["running", "finished", "bin"]
MOST_WORDS, LONGEST_TEXT = 8, 100
"""Of a search: what comes behind them does not count."""
MOST_CHANGES = 2**63
"""One more than the largest integer of a database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSearch:
    """Search of tables; an empty one finds all that are not in the bin.

    Attributes:
        text: Words that the table has, each in its id, a player's name or the title of its game.
        game: The name of the game.
        state: Whether the game goes on or is over, or the table lies in the bin.
        numbers: The numbers of tables to which words of the text lead as letters of a short address, by the word.

    """

    text: str = ""
    game: str | None = None
    state: TableState | None = None
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict[str, Sequence[int]])

    @property
    def words(self) -> list[str]:
        """The words of the text that count."""
        return self.text[:LONGEST_TEXT].split()[:MOST_WORDS]

    def finds(self, about: Mapping[str, Any]) -> bool:
        """Return whether a table that lists describe so is looked for, wherever it lies."""
        state = "finished" if about["finished"] else "running"
        names = " ".join([about["id"], *(player["name"] for player in about["players"])]).casefold()
        return (
            self.state in (None, "bin", state)
            and self.game in (None, about["game"])
            and all(word.casefold() in names for word in self.words)
        )

    def query(self, games: Mapping[str, LoadedGame], most: int, after: tuple[str, int] | None) -> HeadQuery:
        """Return what to ask the journal for; ``games``: those that are installed, by name."""
        words = [
            SearchWord(
                word,
                frozenset(name for name, game in games.items() if word.casefold() in game.manifest.title.casefold()),
                tuple(self.numbers.get(word, ())),
            )
            for word in self.words
        ]
        return HeadQuery(
            limit=most,
            after=after,
            games=games.keys() if self.game is None else games.keys() & {self.game},
            words=words,
            binned=self.state == "bin",
            finished={"running": False, "finished": True}.get(self.state or ""),
        )


@dataclass(frozen=True, slots=True)
class ListPage:
    """Tables as lists show them, the one played on last first, and the place ``after`` which the next page begins.

    ``after`` is ``None`` where nothing follows.
    """

    tables: Sequence[Mapping[str, Any]]
    after: tuple[str, int] | None

    @property
    def next(self) -> str | None:
        """The place as text for an address; ``None`` where nothing follows."""
        if self.after is None:
            return None
        at, change = self.after
        return base64.urlsafe_b64encode(f"{change} {at}".encode()).decode().rstrip("=")


def walk_heads(journal: Journal, query: HeadQuery) -> Iterator[TableHead]:
    """Yield all heads of a query; its limit is how many are read at once."""
    while True:
        heads = journal.heads(query)
        yield from heads
        if len(heads) < query.limit:
            return
        last = heads[-1]
        after = last.number if query.in_order_of_opening else (last.latest.at, last.change)
        query = replace(query, after=after)


def read_place(text: str) -> tuple[str, int]:
    """Return the place in ``ListPage.next``; raise ``ValueError`` for any other text."""
    change, at = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().split(" ", 1)
    if not (change.isascii() and change.isdigit() and int(change) < MOST_CHANGES and at.isprintable()):
        raise ValueError("that is no place in a list")
    return at, int(change)


def sound_part_key(table_id: str, entries: int) -> str:
    """Return the key under which so many sound entries of a damaged table begin one of their own."""
    return f"sound part of {table_id}, {entries} entries"
