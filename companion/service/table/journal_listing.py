"""The journal as a list for one viewer: every entry as it was given, and what has become of it since."""

from typing import Any

from companion.engine.journal import Entry
from companion.engine.json_values import Json
from companion.gamekit.edition import Edition
from companion.service.journal.held_back import secret_entries, shown_to
from companion.service.journal.history import AMENDED, REDONE, UNDONE, WALKING, History, Standing


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
        now = _now(one)
        return {"amended": {"by": one.amended, **(shown_to(edition, viewer, now) if one.amended in secret else now)}}

    return [described(entry) for entry in history.entries]


def as_it_stands(listed_entry: Json) -> dict[str, Any]:
    """Give command and events of a listed entry as an amend has left them; of one that was left out, as they were."""
    amended = listed_entry.get("amended") or {}
    found = amended if amended.get("events") is not None else listed_entry
    return {"command": found["command"], "events": found["events"]}


def amendable(listed_entry: Json) -> bool:
    """Whether a listed entry stands and is one of the game itself."""
    kinds = {event["event"] for event in listed_entry["events"]}
    return not listed_entry.get("undone") and not kinds & WALKING


def _walks(entry: Entry) -> bool:
    return bool(entry.events) and entry.events[0]["event"] in (UNDONE, REDONE)


def _now(one: Standing) -> dict[str, Any]:
    return {"command": dict(one.command), "events": [dict(event) for event in one.events]}


def _left_out_by(history: History) -> dict[int, int]:
    """Give, for each entry that an amend left out, which one did."""
    taken = history.taken()
    amends = [entry for entry in history.entries if entry.seq in taken and entry.events and _amends(entry)]
    return {seq: amend.seq for amend in amends for seq in amend.events[0]["left_out"]}


def _amends(entry: Entry) -> bool:
    return bool(entry.events[0]["event"] == AMENDED)
