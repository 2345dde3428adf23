"""The notes on a table: folded from its journal, beside the books and without any effect on them."""

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.game_api.notes import Notes, Payment, Purse, Slip, Tills
from companion.service.runtime import BoundedCache
from companion.service.table.history import AMENDED, REDONE, UNDONE, EffectiveEntryView
from companion.service.table.table import Table

NoteBookEntry: TypeAlias = "tuple[tuple[int, int | None], Tills, Sequence[Payment]]"
"""A standing entry (its number, and that of the entry that amended it last), the notes after it, its payments."""

MOST_BYTES, BYTES_OF_AN_ENTRY = 4_000_000, 1_000
"""Of the notes that are remembered, of all tables, and of those after one entry."""


class NoteBooks:
    """Notes of every holder at every table; folded entries are cached for the next one."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._books = BoundedCache[list[NoteBookEntry]](MOST_BYTES, lambda entries: BYTES_OF_AN_ENTRY * len(entries))

    def as_json(self, table: Table, viewer: str) -> dict[str, Any]:
        """Return what to hand over for the latest entry, and who should hold which notes, as a viewer may see it.

        After an undo, a redo or an amend ``hands`` is the whole difference, and there are no single payments.
        ``Refused`` in a game whose money has no notes.
        """
        notes = table.game.can.notes
        if notes is None:
            raise Refused("not_in_this_game")
        history = table.history
        last, steps = history.entries[-1], history.steps
        with self._lock:
            earlier, _ = self._folded(notes, table, history.entries_after(steps[-2] if len(steps) > 1 else None))
            tills, payments = self._folded(notes, table, history.effective_entries())
        shown = [holder for holder, _ in tills.holders if not self._hidden(table, holder, viewer)]
        payments = payments if _of_the_game(last) else ()
        before, after = _purses(notes, earlier), _purses(notes, tills)
        hands = {holder: _hands(notes, before[holder], after[holder]) for holder in shown}
        return {
            "version": last.seq,
            "hands": {holder: change for holder, change in hands.items() if change},
            "payments": [_payment(notes, payment, shown) for payment in payments if _is_shown(payment, shown)],
            "holders": {
                holder: {"notes": _counts(notes, purse), "worth": _worth(notes, purse)}
                for holder, purse in tills.holders
                if holder in shown
            },
            "slips": [
                {"from": slip.payer, "to": slip.payee, "amount": slip.amount}
                for slip in tills.slips
                if _is_shown(slip, shown)
            ],
        }

    def _folded(
        self, notes: Notes, table: Table, entries: Sequence[EffectiveEntryView]
    ) -> tuple[Tills, Sequence[Payment]]:
        known_entries = self._books.get(table.id) or []
        same = 0
        for entry, (known_as, _, _) in zip(entries, known_entries, strict=False):
            if known_as != (entry.seq, entry.amended):
                break
            same += 1
        entries_now = known_entries[:same]
        tills, payments = (entries_now[-1][1], entries_now[-1][2]) if entries_now else (Tills(), ())
        for entry in entries[same:]:
            tills, payments = _after(notes, table, tills, entry)
            entries_now.append(((entry.seq, entry.amended), tills, payments))
        if len(entries) >= len(known_entries) or same < len(entries):
            self._books.put(table.id, entries_now)
        return tills, payments

    @staticmethod
    def _hidden(table: Table, holder: str, viewer: str) -> bool:
        """Return whether notes would tell a viewer money that is hidden from them; the bank's would, too."""
        hidden_from = frozenset[str]()
        if table.position is not None:
            hidden_from = table.game.money_hidden_from(table.position, viewer)
        return bool(hidden_from) and holder in {"bank", *(f"player:{player}" for player in hidden_from)}


def _after(notes: Notes, table: Table, tills: Tills, entry: EffectiveEntryView) -> tuple[Tills, Sequence[Payment]]:
    payments: tuple[Payment, ...] = ()
    for event in entry.game_events:
        transaction = table.game.rules.account_for(event)
        if transaction is not None:
            tills, more = notes.pay(tills, transaction)
            payments = (*payments, *more)
    return tills, payments


def _of_the_game(entry: Entry) -> bool:
    """Return whether an entry is one of the game, and not one that only changes what stands."""
    return not {event["event"] for event in entry.events} & {UNDONE, REDONE, AMENDED}


def _is_shown(owed: Payment | Slip, shown: Sequence[str]) -> bool:
    """Return whether notes of anybody shown are concerned: what two others hand over may tell what is hidden."""
    return owed.payer in shown or owed.payee in shown


def _hands(notes: Notes, before: Purse, after: Purse) -> dict[str, Any]:
    """Return what somebody gives and takes between two moments."""
    change = [now - then for now, then in zip(after, before, strict=True)]
    sides = {
        "gives": {str(note): -count for note, count in zip(notes.denominations, change, strict=True) if count < 0},
        "takes": {str(note): count for note, count in zip(notes.denominations, change, strict=True) if count > 0},
    }
    return {side: dict(reversed(counted.items())) for side, counted in sides.items() if counted}


def _payment(notes: Notes, payment: Payment, holders: Sequence[str]) -> dict[str, Any]:
    none = (0,) * len(notes.denominations)
    changes = {
        holder: hands
        for holder, change in payment.changes
        if holder in holders and (hands := _hands(notes, none, change))
    }
    return {
        "from": payment.payer,
        "to": payment.payee,
        "amount": payment.amount,
        "short": payment.short,
        "hands": changes,
    }


def _purses(notes: Notes, tills: Tills) -> Mapping[str, Purse]:
    """Return the purse of each account; one that holds nothing yet has no notes."""
    none = (0,) * len(notes.denominations)
    return defaultdict(lambda: none, tills.holders)


def _counts(notes: Notes, purse: Purse) -> dict[str, int]:
    return {str(note): count for note, count in reversed(tuple(zip(notes.denominations, purse, strict=True)))}


def _worth(notes: Notes, purse: Purse) -> int:
    return sum(note * count for note, count in zip(notes.denominations, purse, strict=True))
