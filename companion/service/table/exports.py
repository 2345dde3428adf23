"""A table's journal for people to take away: a play file, and the ledger as rows."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from companion.engine.journal import Entry
from companion.engine.json_values import Json
from companion.engine.timeline import Step
from companion.service.journal.held_back import names_of, secret_entries
from companion.service.journal.history import AMENDED, REDONE, UNDONE, History
from companion.service.table.table import Table

Line: TypeAlias = "tuple[str, str, int]"
"""Event, account, dollars."""


def play_file(table: Table) -> Iterator[str]:
    """Give the commands as JSON Lines, which ``companion play`` decides again.

    Undo and redo are commands like any other.  Of a game that was amended only what stands is given: what people
    agreed to is not to be decided anew.  What is still secret is in nobody's file: whoever plays the file on is
    asked for it again.
    """
    history = table.history
    secret = secret_entries(table.edition, history)
    was_amended = any(entry.events and entry.events[0]["event"] == AMENDED for entry in history.entries)
    if not secret and not was_amended:
        yield from (_line(entry.command) for entry in history.entries)
        return
    for one in history.standing():
        hidden = one.seq in secret or one.amended in secret
        if not (hidden and names_of(one.events) & table.edition.messages.secret):
            yield _line(one.command)


def _line(command: Json) -> str:
    return json.dumps(dict(command), ensure_ascii=False)


def ledger_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Give every posting that ever stood: entry, time, event, account, dollars in or out, balance after.

    An undo takes its entry's postings back, newest first; a redo makes them again.  An amend takes back those of
    the entries that no longer stand as they did, then makes those that stand instead.
    """
    balances: dict[str, int] = {}
    posted: dict[int, list[Line]] = {}
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
    table: Table, history: History, entry: Entry, before: Step[Any] | None, posted: dict[int, list[Line]]
) -> list[Line]:
    for outcome in entry.events[:1]:
        if outcome["event"] == UNDONE:
            return _back(UNDONE, posted[outcome["entry"]])
        if outcome["event"] == REDONE:
            return [(f"{REDONE} {name}", account, amount) for name, account, amount in posted[outcome["entry"]]]
        if outcome["event"] == AMENDED:
            return _amended(table, history, outcome, before)
    return _lines(table, entry.events)


def _amended(table: Table, history: History, outcome: Json, before: Step[Any] | None) -> list[Line]:
    gone = {*outcome["left_out"], *(one["entry"] for one in outcome["decided"])}
    stood = [line for one in history.stood(before) if one.seq in gone for line in _lines(table, one.events)]
    instead = [line for one in outcome["decided"] for line in _lines(table, one["events"])]
    return _back(AMENDED, stood) + instead


def _back(how: str, lines: Sequence[Line]) -> list[Line]:
    return [(f"{how} {name}", account, -amount) for name, account, amount in reversed(lines)]


def _lines(table: Table, events: Sequence[Json]) -> list[Line]:
    codec, game = table.edition.codec, table.edition.game
    found = [(event["event"], game.account_for(codec.event(event))) for event in events]
    return [
        (name, posting.account, posting.amount)
        for name, moved in found
        if moved is not None
        for posting in moved.postings
    ]
