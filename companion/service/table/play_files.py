"""Play files: games as JSON Lines, read line by line, and taken in as tables of one's own."""

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.service.ports import KeptRefusal
from companion.service.table.amend import is_amend, is_confirmed
from companion.service.table.table import Table
from companion.service.table.tables import Tables

SOURCE = "play"
"""Where the commands of a play file come from, in the journal."""


class LineRefused(Exception):  # noqa: N818 - an answer, not an error of the program
    """A line of a play file cannot be; nothing was taken in.

    ``line`` counts from 1; ``table`` is the game up to there, for the names in the refusal (``None``: none yet).
    """

    def __init__(self, line: int, refused: Refused, table: Table | None) -> None:
        """Take the line and why it cannot be."""
        super().__init__(f"line {line}: {refused.rule}")
        self.line = line
        self.refused = refused
        self.table = table


class _Nowhere:
    """A journal that keeps nothing: a game is tried before it is taken in."""

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Keep nothing."""

    def import_table(self, table_id: str, game: str, entries: Sequence[Entry]) -> None:
        """Keep nothing."""

    def append(self, table_id: str, entry: Entry) -> None:
        """Keep nothing."""

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:  # noqa: ARG002 - the port's
        """Give nothing."""
        return ()

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give nothing."""
        return ()

    def begun_with(self, key: str) -> str | None:  # noqa: ARG002 - the port's
        """Give nothing."""
        return None

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Keep nothing."""

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:  # noqa: ARG002 - the port's
        """Give nothing."""
        return None

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Keep nothing."""

    def binned(self) -> frozenset[str]:
        """Give nothing."""
        return frozenset()


def counted_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Count the lines from 1; blank ones and comments are counted, but left out."""
    for number, line in enumerate(lines, start=1):
        text = (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).strip()
        if text and not text.startswith(b"#"):
            yield number, text


def command_in(line: bytes) -> dict[str, Any]:
    """Read one line; what is no JSON object is refused like any other impossible thing."""
    try:
        command = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Refused("not_json") from error
    if not isinstance(command, dict):
        raise Refused("no_command")
    return command


def take_in(tables: Tables, data: bytes, *, actor: str, key: str | None = None) -> Table:
    """Make a table of a play file: the whole game or nothing.  ``LineRefused``, ``KeyReused``.

    Amends that were only looked at are passed over, as ``companion play`` answers them and goes on.  The same ``key``
    again gives the same table.
    """
    tried: Table | None = None
    for number, line in counted_lines(data.split(b"\n")):
        try:
            command = command_in(line)
            if tried is None:
                tried = Table("tried", tables.edition_for(command), _Nowhere(), tables.clock)
            if not is_amend(command) or is_confirmed(command):
                tried.submit(command, actor=actor, source=SOURCE, seen=None)
        except Refused as refused:
            begun = tried if tried is not None and tried.version else None
            raise LineRefused(number, refused, begun) from refused
    if tried is None:
        raise LineRefused(1, Refused("not_started"), None)
    first, *others = tried.entries
    return tables.take_in(tried.edition, [replace(first, key=key), *others])
