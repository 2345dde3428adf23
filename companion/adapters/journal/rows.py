"""Entries and refusals as rows of a database: their JSON, the chain of checksums, and rows that are damaged."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import KeptClubEvent, KeptRefusal, Unstorable

MAX_REFUSALS = 1_000
"""Refusals that are stored for each table."""

_WRITER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def write_json(value: Any) -> str:
    """Return the compact JSON of a value; its text is part of the checksum."""
    return _WRITER.encode(value)


def require_storable(table_id: str, entry: Entry) -> None:
    """Raise ``Unstorable`` where a text beside the JSON of an entry has a NUL character, which JSON alone can write."""
    if any("\0" in text for text in (table_id, entry.at, entry.actor, entry.source, entry.key or "")):
        message = f"entry {entry.seq} of table {table_id!r} has a NUL character in an id, a key or a name"
        raise Unstorable(message)


def compute_checksum(before: str, row: Sequence[Any]) -> str:
    """Return the checksum of an entry after one whose checksum is ``before``: the first half of SHA-256, hexadecimal.

    ``row``: seq, at, actor, source, command, events, key.
    """
    return _digest(_join(before, row).encode("utf-8", "surrogateescape"))


def _join(before: str, row: Sequence[Any]) -> str:
    """Return the text over which the checksum is computed."""
    seq, at, actor, source, command, events, key = row
    last = "" if key is None else key
    return f"{before}\x1f{seq}\x1f{at}\x1f{actor}\x1f{source}\x1f{command}\x1f{events}\x1f{last}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def read_entries(after: int, rows: Sequence[Sequence[Any]], sums: Mapping[int, str]) -> list[Entry]:
    """Return the entries in consecutive rows; one that was changed or cannot be read is a stand-in of no event.

    Args:
        after: the number of the entry before the first row.
        rows: seq, at, actor, source, command, events and key of each.
        sums: stored checksums by number, that of ``after`` among them.

    """
    changed, sound = find_first_changed(after, rows, sums)
    return [_torn_entry(row[0]) if row[0] == changed else _read_entry(row, is_text=row[0] <= sound) for row in rows]


def find_first_changed(after: int, rows: Iterable[Sequence[Any]], sums: Mapping[int, str]) -> tuple[int | None, int]:
    """Compare entries with their checksums.

    Entries without a checksum, of an early version, are accepted.

    Args:
        after: the number of the entry before the first of ``rows``.
        rows: consecutive entries in order.
        sums: stored checksums by number.

    Returns:
        The number of the first changed entry (``None``: all are unchanged), and the number up to which all entries
        are unchanged and valid UTF-8.

    """
    sound = after
    for row in rows:
        number, stored = row[0], sums.get(row[0])
        if stored is not None:
            text = _join(sums.get(number - 1, ""), row)
            try:
                computed = _digest(text.encode())
                sound = number if sound == number - 1 else sound
            except UnicodeEncodeError:  # bytes that are no UTF-8, from before there were checksums
                computed = _digest(text.encode("utf-8", "surrogateescape"))
            if computed != stored:
                return int(number), min(sound, number - 1)
    return None, sound


def _read_entry(row: Sequence[Any], *, is_text: bool) -> Entry:
    """Return the entry in a row; ``is_text``: its checksum has shown that all columns are valid UTF-8."""
    seq, at, actor, source, command, events, key = row
    try:
        for text in () if is_text else (at, actor, source, command, events, key or ""):
            text.encode()
        command_json, events_json = json.loads(command), json.loads(events)
        if "\\u" in command or "\\u" in events:  # escapes may stand for half characters, which fit on no page
            json.dumps((command_json, events_json), ensure_ascii=False).encode()
    except (AttributeError, TypeError, ValueError, RecursionError):
        return _torn_entry(seq)
    if not (
        isinstance(command_json, dict)
        and isinstance(events_json, list)
        and all(isinstance(event, dict) for event in events_json)
    ):
        return _torn_entry(seq)
    return Entry(seq, at, actor, source, command_json, tuple(events_json), key)


def _torn_entry(seq: int) -> Entry:
    """Return a stand-in for an unreadable row: folding reports its number, and other tables are not affected."""
    return Entry(seq, "", "", "", {}, ({"event": "torn"},))


def write_details(kept: KeptRefusal) -> str:
    """Return the details of a refusal as JSON."""
    return write_json(dict(kept.refused.details))


def read_refusal(request: str, rule: str, details: str) -> KeptRefusal:
    """Return the refusal in a row; ``details``: as ``write_details`` wrote them."""
    figures = {name: tuple(value) if isinstance(value, list) else value for name, value in json.loads(details).items()}
    return KeptRefusal(request, Refused(rule, **figures))


def read_club_event(event_id: str, key: str, at: str, plan: str) -> KeptClubEvent:
    """Return the club event in a row; ``plan``: as ``write_json`` wrote it."""
    return KeptClubEvent(event_id, key, at, json.loads(plan))
