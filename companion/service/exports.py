"""A table's journal for people to take away: a play file, and the ledger as rows."""

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from companion.engine.journal import Json
from companion.service.standing import REDONE, UNDONE
from companion.service.table import Table

Line: TypeAlias = "tuple[str, str, int]"
"""Event, account, dollars."""


def play_file(table: Table) -> Iterator[str]:
    """Give the commands as JSON Lines, which ``companion play`` decides again."""
    for entry in table.entries:
        yield json.dumps(dict(entry.command), ensure_ascii=False)


def ledger_rows(table: Table) -> Iterator[dict[str, Any]]:
    """Give every posting that ever stood: entry, time, event, account, dollars in or out, balance after.

    An undo takes its entry's postings back, newest first; a redo makes them again.
    """
    balances: dict[str, int] = {}
    posted: dict[int, list[Line]] = {}
    for entry in table.entries:
        posted[entry.seq] = []
        for event in entry.events:
            lines = _lines(table, event, posted)
            posted[entry.seq].extend(lines)
            for name, account, amount in lines:
                balances[account] = balances.get(account, 0) + amount
                row = {"seq": entry.seq, "at": entry.at, "event": name, "account": account}
                yield {**row, "amount": amount, "balance": balances[account]}


def _lines(table: Table, event: Json, posted: dict[int, list[Line]]) -> list[Line]:
    kind = event["event"]
    if kind == UNDONE:
        return [(f"{UNDONE} {name}", account, -amount) for name, account, amount in reversed(posted[event["entry"]])]
    if kind == REDONE:
        return [(f"{REDONE} {name}", account, amount) for name, account, amount in posted[event["entry"]]]
    transaction = table.edition.game.account_for(table.edition.codec.event(event))
    return [(kind, posting.account, posting.amount) for posting in transaction.postings] if transaction else []
