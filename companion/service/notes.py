"""The notes on a table: folded from its journal, beside the books and without any effect on them."""

import threading
from collections.abc import Sequence
from typing import Any, TypeAlias

from companion.engine.journal import Entry
from companion.games.master_builder.notes.exchange import NONE, NOTES, Purse, worth
from companion.games.master_builder.notes.tills import HandOver, Tills, paid
from companion.service.standing import AMENDED, REDONE, UNDONE, Moment, Standing, moments
from companion.service.table import Table

Known: TypeAlias = "tuple[tuple[int, int | None], Tills, tuple[HandOver, ...]]"
"""A standing entry (its number, and that of the entry that amended it last), the notes after it, its payments."""


class NoteBooks:
    """Who should hold which notes at every table; what was folded once is kept for the next entry."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._known: dict[str, list[Known]] = {}

    def told(self, table: Table, viewer: str) -> dict[str, Any]:
        """Say what to hand over for the latest entry, and who should hold which notes, as a viewer may see it.

        After an undo, a redo or an amend ``hands`` is the whole difference, and there are no single payments.
        """
        entries = table.entries
        before, now = Moment(), Moment()
        for _, moment in moments(entries):
            before, now = now, moment
        with self._lock:
            earlier, _ = self._folded(table, before.standing())
            tills, payments = self._folded(table, now.standing())
        shown = [holder for holder, _ in tills.holders if not self._hidden(table, holder, viewer)]
        payments = payments if _of_the_game(entries[-1]) else ()
        return {
            "version": entries[-1].seq,
            "hands": {holder: hands for holder in shown if (hands := _hands(earlier, tills, holder))},
            "payments": [_payment(one, shown) for one in payments],
            "holders": {
                holder: {"notes": _counts(purse), "worth": worth(purse)}
                for holder, purse in tills.holders
                if holder in shown
            },
            "slips": [{"from": one.payer, "to": one.payee, "amount": one.amount} for one in tills.slips],
        }

    def _folded(self, table: Table, entries: Sequence[Standing]) -> tuple[Tills, tuple[HandOver, ...]]:
        known = self._known.setdefault(table.id, [])
        same = 0
        for entry, (known_as, _, _) in zip(entries, known, strict=False):
            if known_as != (entry.seq, entry.amended):
                break
            same += 1
        found = known[:same]
        tills, payments = (found[-1][1], found[-1][2]) if found else (Tills(), ())
        for entry in entries[same:]:
            tills, payments = _after(table, tills, entry)
            found.append(((entry.seq, entry.amended), tills, payments))
        if len(entries) >= len(known) or same < len(entries):
            self._known[table.id] = found
        return tills, payments

    @staticmethod
    def _hidden(table: Table, holder: str, viewer: str) -> bool:
        explainer, position = table.edition.explainer, table.position
        return explainer is not None and position is not None and explainer.hides(position, holder, viewer)


def _after(table: Table, tills: Tills, entry: Standing) -> tuple[Tills, tuple[HandOver, ...]]:
    payments: tuple[HandOver, ...] = ()
    for stored in entry.events:
        transaction = table.edition.game.account_for(table.edition.codec.event(stored))
        if transaction is not None:
            tills, more = paid(tills, transaction)
            payments += more
    return tills, payments


def _of_the_game(entry: Entry) -> bool:
    """Say whether an entry is one of the game, and not one that only changes what stands."""
    return not {event["event"] for event in entry.events} & {UNDONE, REDONE, AMENDED}


def _hands(before: Tills, after: Tills, holder: str) -> dict[str, Any]:
    """Say what somebody gives and takes between two moments."""
    change = [now - then for now, then in zip(after.purse(holder), before.purse(holder), strict=True)]
    sides = {
        "gives": {str(note): -count for note, count in zip(NOTES, change, strict=True) if count < 0},
        "takes": {str(note): count for note, count in zip(NOTES, change, strict=True) if count > 0},
    }
    return {side: dict(reversed(notes.items())) for side, notes in sides.items() if notes}


def _payment(one: HandOver, holders: Sequence[str]) -> dict[str, Any]:
    changes = {
        holder: hands
        for holder, change in one.changes
        if holder in holders and (hands := _hands(Tills(((holder, NONE),)), Tills(((holder, change),)), holder))
    }
    return {"from": one.payer, "to": one.payee, "amount": one.amount, "short": one.short, "hands": changes}


def _counts(purse: Purse) -> dict[str, int]:
    return {str(note): count for note, count in reversed(tuple(zip(NOTES, purse, strict=True)))}
