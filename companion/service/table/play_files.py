"""Play files: games as JSON Lines, read line by line, and taken in as tables of one's own."""

import codecs
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from companion.engine.game import Refused
from companion.engine.journal import Entry, Json
from companion.engine.timeline import Step
from companion.game_api.codec import is_utf16, json_line
from companion.service.ports import PLAY_FILE, Describe, KeptRefusal
from companion.service.table.amend import is_confirmed
from companion.service.table.history import AMENDED, REDONE, UNDONE, History, is_amend, names_of, secret_entries
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table

SOURCE = PLAY_FILE
"""Where the commands of a play file come from, in the journal."""

MAX_REDECIDED = 40_000
"""Entries that the amends of a play file may decide again in all, which takes seconds: one hundred amends of an evening
of 300 entries decide 35,000.  A saved game has none: it is what stands after them."""


class LineRefused(Exception):  # noqa: N818 - an answer, not an error of the program
    """A line of a play file cannot be; nothing was taken in.

    ``line`` counts from 1; ``table`` is the game up to there, for the names in the refusal (``None``: none yet).
    """

    def __init__(self, line: int, refused: Refused, table: Table | None) -> None:
        """Store the line and why it cannot be."""
        super().__init__(f"line {line}: {refused.rule}")
        self.line = line
        self.refused = refused
        self.table = table


class _NullJournal:
    """A journal that keeps nothing: a game is tried before it is taken in."""

    def open_table(self, table_id: str, game: str, first: Entry, describe: Describe | None = None) -> None:
        """Keep nothing."""

    def append(self, table_id: str, entry: Entry, describe: Describe | None = None) -> None:
        """Keep nothing."""

    def entries(self, table_id: str, after: int = 0) -> Sequence[Entry]:  # noqa: ARG002 - the port's
        """Return nothing."""
        return ()

    def keep_refusal(self, table_id: str, key: str, kept: KeptRefusal, at: str) -> None:
        """Keep nothing."""

    def refusal(self, table_id: str, key: str) -> KeptRefusal | None:  # noqa: ARG002 - the port's
        """Return nothing."""
        return None


def counted_lines(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Return the number of lines from 1; blank ones and comments are counted, but left out."""
    for number, line in enumerate(lines, start=1):
        text = (line.removeprefix(codecs.BOM_UTF8) if number == 1 else line).strip()
        if text and not text.startswith(b"#"):
            yield number, text


def command_in(line: bytes) -> dict[str, Any]:
    """Read one line; what is no JSON object is refused like any other impossible thing."""
    if is_utf16(line):
        raise Refused("utf16")
    try:
        command = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise Refused("not_json") from error
    if not isinstance(command, dict):
        raise Refused("no_command")
    return command


def _add_redecided(count: int, table: Table) -> int:
    """Return how many entries were decided again once the table is amended; ``Refused`` if that is too many."""
    if count + table.version > MAX_REDECIDED:
        raise Refused("too_many_amends")
    return count + table.version


def take_in(tables: Tables, data: bytes, *, actor: str, key: str | None = None) -> Table:
    """Make a table of a play file: the whole game or nothing.  ``LineRefused``, ``KeyReused``.

    Amends that were only looked at are passed over, as ``companion play`` answers them and goes on.  The same ``key``
    again gives the same table.
    """
    tried: Table | None = None
    redecided = 0
    for number, line in counted_lines(data.split(b"\n")):
        try:
            command = command_in(line)
            if tried is None or not tried.version:
                tried = Table("tried", tables.game_for(command), _NullJournal(), tables.clock)
            if is_amend(command) and is_confirmed(command):
                redecided = _add_redecided(redecided, tried)
            if not is_amend(command) or is_confirmed(command):
                tried.submit(Request(command, actor, SOURCE))
        except Refused as refused:
            begun = tried if tried is not None and tried.version else None
            raise LineRefused(number, refused, begun) from refused
    if tried is None or not tried.version:
        raise LineRefused(1, Refused("not_started"), None)
    first, *others = tried.entries
    return tables.take_in(tried.game, [replace(first, key=key), *others])


# A table's journal for people to take away: a play file, and the ledger as rows.

LedgerRow: TypeAlias = "tuple[str, str, int]"
"""Event, account, dollars."""


def play_file(table: Table) -> Iterator[str]:
    """Return the commands as JSON Lines, which ``companion play`` decides again.

    Undo and redo are commands like any other.  Of a game that was amended only what stands is given: what people
    agreed to is not to be decided anew.  What is still secret from the banker is in nobody's file: whoever plays the
    file on is asked for it again.
    """
    history, banker_sees = table.history, table.game.messages.banker_sees
    secret = {seq: kept for seq, names in secret_entries(table.game, history).items() if (kept := names - banker_sees)}
    was_amended = any(entry.events and entry.events[0]["event"] == AMENDED for entry in history.entries)
    if not secret and not was_amended:
        yield from (_line(entry.command) for entry in history.entries)
        return
    for entry in history.effective_entries():
        hidden = secret.get(entry.seq, frozenset()) | secret.get(entry.amended or 0, frozenset())
        if not hidden & names_of(entry.events):
            yield _line(entry.command)


def _line(command: Json) -> str:
    return json_line(dict(command))


def ledger_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Return every posting that ever stood: entry, time, event, account, dollars in or out, balance after.

    An undo takes its entry's postings back, newest first; a redo makes them again.  An amend takes back those of
    the entries that no longer stand as they did, then makes those that stand instead.
    """
    balances: dict[str, int] = {}
    posted: dict[int, list[LedgerRow]] = {}
    before: Step[Any] | None = None
    history = table.history
    for entry, step in history.moments():
        posted[entry.seq] = _posted(table, history, entry, before, posted)
        before = step
        for name, account, amount in posted[entry.seq]:
            balances[account] = balances.get(account, 0) + amount
            row = {"seq": entry.seq, "at": entry.at, "event": name, "account": account}
            yield {**row, "amount": amount, "balance": balances[account]}


def _posted(
    table: Table, history: History, entry: Entry, before: Step[Any] | None, posted: dict[int, list[LedgerRow]]
) -> list[LedgerRow]:
    for outcome in entry.events[:1]:
        if outcome["event"] == UNDONE:
            return _back(UNDONE, posted[outcome["entry"]])
        if outcome["event"] == REDONE:
            return [(f"{REDONE} {name}", account, amount) for name, account, amount in posted[outcome["entry"]]]
        if outcome["event"] == AMENDED:
            return _amended(table, history, outcome, before)
    return _lines(table, entry.events)


def _amended(table: Table, history: History, outcome: Json, before: Step[Any] | None) -> list[LedgerRow]:
    gone = {*outcome["left_out"], *(decision["entry"] for decision in outcome["decided"])}
    effective = [
        line for entry in history.entries_after(before) if entry.seq in gone for line in _lines(table, entry.events)
    ]
    instead = [line for decision in outcome["decided"] for line in _lines(table, decision["events"])]
    return _back(AMENDED, effective) + instead


def _back(how: str, lines: Sequence[LedgerRow]) -> list[LedgerRow]:
    return [(f"{how} {name}", account, -amount) for name, account, amount in reversed(lines)]


def _lines(table: Table, events: Sequence[Json]) -> list[LedgerRow]:
    codec, game = table.game.codec, table.game.rules
    postings = [(event["event"], game.account_for(codec.event(event))) for event in events]
    return [
        (name, posting.account, posting.amount)
        for name, moved in postings
        if moved is not None
        for posting in moved.postings
    ]
