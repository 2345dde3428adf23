"""The journal as a list for one viewer: every entry as it was given, and what has become of it since."""

from typing import Any

from companion.engine.journal import Entry
from companion.gamekit.edition import Edition
from companion.service.held_back import secret_entries, shown_to
from companion.service.history import AMENDED, REDONE, UNDONE, History, Standing


def listed(edition: Edition, history: History, viewer: str) -> list[dict[str, Any]]:
    """Give all entries as a viewer may see them, oldest first.

    ``undone``: it does not stand now, taken back by an undo or left out by an amend.  ``amended``, where one has
    touched it: ``by`` which entry, and ``command`` and ``events`` as they stand now, ``None`` where it was left out.
    """
    secret, taken = secret_entries(edition, history), history.taken()
    stands = {one.seq: one for one in history.standing()}
    by = _left_out_by(history)

    def described(entry: Entry) -> dict[str, Any]:
        shown = entry.as_json()
        if entry.seq in secret:
            shown = shown_to(edition, viewer, shown)
        undone = not _walks(entry) and (entry.seq not in taken or entry.seq in by)
        return {**shown, "undone": undone, **became(entry.seq)}

    def became(seq: int) -> dict[str, Any]:
        if seq in by:
            return {"amended": {"by": by[seq], "command": None, "events": None}}
        one = stands.get(seq)
        if one is None or one.amended is None:
            return {}
        now = _as_it_stands(one)
        return {"amended": {"by": one.amended, **(shown_to(edition, viewer, now) if one.amended in secret else now)}}

    return [described(entry) for entry in history.entries]


def _walks(entry: Entry) -> bool:
    return bool(entry.events) and entry.events[0]["event"] in (UNDONE, REDONE)


def _as_it_stands(one: Standing) -> dict[str, Any]:
    return {"command": dict(one.command), "events": [dict(event) for event in one.events]}


def _left_out_by(history: History) -> dict[int, int]:
    """Give, for each entry that an amend left out, which one did."""
    taken = history.taken()
    amends = [entry for entry in history.entries if entry.seq in taken and entry.events and _amends(entry)]
    return {seq: amend.seq for amend in amends for seq in amend.events[0]["left_out"]}


def _amends(entry: Entry) -> bool:
    return bool(entry.events[0]["event"] == AMENDED)
