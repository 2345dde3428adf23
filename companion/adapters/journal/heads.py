"""Heads of tables: which of them a query asks for, in SQL that SQLite and PostgreSQL share, and in Python.

Parameters are written ``:name``.  Names of players are searched without regard to case and accents.
"""

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from companion.service.ports import HeadQuery, LatestEntry, SearchWord, TableHead

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


@lru_cache(maxsize=1_024)
def fold_case(text: str) -> str:
    """Return text as it is searched: without case, accents, and what cannot be printed."""
    letters = (letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
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
        described = json.loads(stored) if isinstance(stored, str) else stored
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
