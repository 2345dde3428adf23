"""Rows of a database as journals keep them: entries with their chain of checksums, refusals, heads of tables.

Which heads a query asks for is said in SQL that SQLite and PostgreSQL share, with parameters ``:name``, and in Python.
"""

import hashlib
import json
import logging
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import (
    HeadQuery,
    KeptClubEvent,
    KeptRefusal,
    LatestEntry,
    SearchWord,
    TableHead,
    Unstorable,
)

log = logging.getLogger(__name__)

MAX_REFUSALS = 1_000
"""Refusals that are stored for each sender at a table: nobody's many push out those of others."""

MAX_DETAILS = 20_000
"""Letters of the details of a refusal that is stored; one with more is decided again where it is sent again."""

_WRITER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def sender_of(key: str) -> str:
    """Return the beginning of a request's key that says who sent it; empty where it says so of nobody."""
    sender, colon, _ = key.partition(":")
    return sender + colon if colon else ""


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
    """Return the details of a refusal as JSON; raise ``ValueError`` where they are too long to be kept."""
    details = write_json(dict(kept.refused.details))
    if len(details) > MAX_DETAILS:
        raise ValueError(f"its details have more than {MAX_DETAILS} letters")
    return details


def read_refusal(request: str, rule: str, details: str) -> KeptRefusal | None:
    """Return the refusal in a row; ``None`` where its bytes are damaged.

    Args:
        request: what was refused.
        rule: as which it was refused.
        details: as ``write_details`` wrote them.

    """
    try:
        members = _parse_members(details)
    except ValueError as error:
        log.warning("a refusal by %s cannot be read (%s); its key counts as used for something else", rule, error)
        return None
    figures = {name: tuple(value) if isinstance(value, list) else value for name, value in members.items()}
    return KeptRefusal(request, Refused(rule, **figures))


def _parse_members(text: str) -> dict[str, Any]:
    """Return the object that a JSON text writes; raise ``ValueError`` for any other text, and for damaged bytes."""
    try:
        text.encode()
        value = json.loads(text)
        if "\\u" in text:  # escapes may stand for half characters, which fit on no page
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("brackets within brackets without end") from None
    except (AttributeError, TypeError) as error:
        raise ValueError(f"no text ({error})") from error
    if type(value) is not dict:
        raise ValueError("no object")
    members: dict[str, Any] = value
    return members


def select_club_events(plan: str, collation: str) -> str:
    """Return the statement that reads club events, each with its latest plan and how many it has.

    A later plan of an event is a row whose id is that of the event, a dot and its version.

    Args:
        plan: the column with the plan, as text.
        collation: that compares ids byte by byte, so that an index leads to the plans of an event.

    """
    later_id, first_id = f"later.id COLLATE {collation}", f"first.id COLLATE {collation}"
    latest = (
        f"FROM club_events AS later WHERE {later_id} >= {first_id} AND {later_id} < {first_id} || '/'"
        " AND substr(later.id || '.', 1, length(first.id) + 1) = first.id || '.'"
    )
    in_order = "ORDER BY length(later.id) DESC, later.id DESC"  # by n, PostgreSQL would walk over all events
    return (
        f"SELECT first.id, first.key, first.at, (SELECT later.{plan} {latest} {in_order} LIMIT 1),"  # noqa: S608 - constants
        f" (SELECT COUNT(*) {latest}), first.n FROM club_events AS first WHERE replace(first.id, '.', '') = first.id"
    )


def read_club_event(event_id: str, key: str, at: str, plan: str, version: int = 1, number: int = 0) -> KeptClubEvent:
    """Return the club event in a row; its plan is empty where its bytes are damaged.

    Args:
        event_id: of the event, or of a later plan of it.
        key: under which it was stored.
        at: when.
        plan: as ``write_json`` wrote it.
        version: of the plan.
        number: of the event.

    """
    try:
        written = _parse_members(plan)
    except ValueError:
        written = {}
    return KeptClubEvent(event_id, key, at, written, version, number)


# Heads of tables, which lists read and search; names of players are searched without regard to case and accents.

LISTED = frozenset(
    {"id", "game", "version", "started_at", "changed_at", "round", "phase", "finished", "players", "standings"}
)
"""Members of the description of a table; without all of them it is made anew."""
HeadValues: TypeAlias = dict[str, Any]
"""Values of the parameters of a statement, by name."""

_COLUMNS = (
    "table_id, game, number, change, seq, at, sum, finished, binned, CASE WHEN program = :program THEN described END"
)
_COUNTS = "COUNT(*), COUNT(CASE WHEN finished IS TRUE THEN 1 END), COALESCE(SUM(seq), 0)"


MAX_SEARCHED = 4_000
"""Characters of a table in which words are looked for; names of players have 40 each."""


@lru_cache(maxsize=1_024)
def fold_case(text: str) -> str:
    """Return text as it is searched: without case, accents, and what cannot be printed."""
    normalized = unicodedata.normalize("NFKD", text[:MAX_SEARCHED])
    letters = (letter for letter in normalized if not unicodedata.combining(letter))
    return "".join(letter for letter in letters if letter.isprintable() or letter == "\n").casefold()


def searched_text(table_id: str, described: Mapping[str, Any]) -> str:
    """Return the lines in which words are looked for: the id of a table, and the names of its players."""
    return fold_case("\n".join([table_id, *(str(player["name"]) for player in described.get("players", ()))]))


def select_heads(query: HeadQuery, program: str | None) -> tuple[str, HeadValues]:
    """Return the statement that reads the heads of a query, and its values."""
    where, values = _where(query, program)
    order = "number" if query.in_order_of_opening else "at DESC, change DESC"
    return f"SELECT {_COLUMNS} FROM heads{where} ORDER BY {order} LIMIT :limit", {**values, "limit": query.limit}  # noqa: S608 - no value is in it


def select_counts(query: HeadQuery, program: str | None) -> tuple[str, HeadValues]:
    """Return the statement that counts tables, finished ones and entries, and its values."""
    where, values = _where(query, program)
    return f"SELECT {_COUNTS} FROM heads{where}", values  # noqa: S608 - no value is in it


def read_head(row: Sequence[Any]) -> TableHead:
    """Return the head in a row of ``select_heads``."""
    table_id, game, number, change, seq, at, checksum, finished, binned, described = row
    return TableHead(
        table_id,
        game,
        number,
        change,
        LatestEntry(seq, at, checksum),
        None if finished is None else bool(finished),
        bool(binned),
        _read_described(described),
    )


def _read_described(stored: Any) -> dict[str, Any] | None:
    """Return what lists show of a table; ``None``, so that it is described anew, where its bytes are damaged."""
    try:
        described = _parse_members(stored) if isinstance(stored, str) else stored
    except ValueError:
        return None
    return described if isinstance(described, dict) and described.keys() >= LISTED else None


def _where(query: HeadQuery, program: str | None) -> tuple[str, HeadValues]:
    values: HeadValues = {"program": program}
    conditions = [
        *_compared(query, values),
        *_listed("table_id", query.ids, values),
        *_listed("number", query.numbers, values),
        *_listed("game", query.games, values),
        *(f"NOT {condition}" for condition in _listed("game", query.other_games, values, "other")),
        *(_has_word(number, word, values) for number, word in enumerate(query.words)),
    ]
    return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values


def _compared(query: HeadQuery, values: HeadValues) -> Iterable[str]:
    if isinstance(query.after, int):
        values["after"] = query.after
        yield "number > :after"
    elif query.after is not None:
        values["after_at"], values["after_change"] = query.after
        yield "(at, change) < (:after_at, :after_change)"
    if query.finished is not None:
        yield f"finished IS NOT {'FALSE' if query.finished else 'TRUE'}"
    if query.binned is not None:
        values["binned"] = query.binned
        yield "binned = :binned"
    if query.described is not None:
        is_described = "(described IS NOT NULL AND COALESCE(program = :program, FALSE))"
        yield is_described if query.described else f"NOT {is_described}"
    if query.changed_after is not None:
        values["changed_after"] = query.changed_after
        yield "change > :changed_after"


def _listed(column: str, allowed: Collection[Any] | None, values: HeadValues, prefix: str = "") -> list[str]:
    """Return the condition that a column has one of some values; none where they do not matter."""
    if allowed is None:
        return []
    if not allowed:
        return ["FALSE"]
    named = {f"{prefix or column}_{number}": value for number, value in enumerate(allowed)}
    values.update(named)
    return [f"{column} IN ({', '.join(f':{name}' for name in named)})"]


def _has_word(number: int, word: SearchWord, values: HeadValues) -> str:
    escaped = fold_case(word.text).replace("!", "!!").replace("%", "!%").replace("_", "!_")
    values[f"word_{number}"] = f"%{escaped}%"
    ways = [
        f"searched LIKE :word_{number} ESCAPE '!'",
        *_listed("game", word.games or None, values, f"word_{number}_game"),
        *_listed("number", word.numbers or None, values, f"word_{number}_number"),
    ]
    return f"({' OR '.join(ways)})"


def is_asked_for(query: HeadQuery, head: TableHead, searched: str) -> bool:
    """Return whether a query asks for a head, as the statement of ``select_heads`` would."""
    return (
        (query.ids is None or head.table_id in query.ids)
        and (query.numbers is None or head.number in query.numbers)
        and (query.games is None or head.game in query.games)
        and (query.other_games is None or head.game not in query.other_games)
        and (query.finished is None or head.finished in (query.finished, None))
        and (query.binned is None or query.binned == head.binned)
        and (query.described is None or query.described == (head.described is not None))
        and (query.changed_after is None or head.change > query.changed_after)
        and _comes_after(query, head)
        and all(
            fold_case(word.text) in searched or head.game in word.games or head.number in word.numbers
            for word in query.words
        )
    )


def _comes_after(query: HeadQuery, head: TableHead) -> bool:
    if isinstance(query.after, int):
        return head.number > query.after
    return query.after is None or (head.latest.at, head.change) < query.after
