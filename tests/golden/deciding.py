"""Deciding golden games again: from nothing, and line by line against what is stored."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from companion.adapters.journal.memory import InMemoryJournal
from companion.engine.game import Detail, Refused
from companion.engine.journal import Entry
from companion.games.master_builder import GAME
from companion.service.table.amend import in_words, is_confirmed
from companion.service.table.history import HISTORY_EVENTS, is_amend
from companion.service.table.table import Request, Table
from companion.words import Words
from tests.golden.offered import offered
from tests.golden.report import final_position
from tests.golden.stored import GoldenGame, Json, entries, load_golden_game
from tests.scenario import StoppedClock


def new_table(stood: Sequence[Entry] = ()) -> Table:
    """A table at which nothing has begun, or one with these entries."""
    journal = InMemoryJournal()
    for entry in stood[:1]:
        journal.open_table("golden", "master_builder", entry)
    for entry in stood[1:]:
        journal.append("golden", entry)
    table = Table("golden", load_golden_game(), journal, StoppedClock())
    table.load(stood)
    return table


def answer(table: Table, command: Json) -> Json:
    """Submit a command and return what ``companion play`` would say; of a preview, all but the position."""
    try:
        if is_amend(command) and not is_confirmed(command):
            return {"preview": _preview(table, command)}
        entry = table.submit(Request(command, "banker", "play"))
    except Refused as refused:
        return _refusal(table, refused)
    return {"seq": entry["seq"], "events": entry["events"]}


def _refusal(table: Table, refused: Refused) -> Json:
    """Return a refusal as JSON, with the ids of the faults of which it is made."""
    refusal = {"refused": sentence(table, refused.rule, refused.details), "rule": refused.rule}
    faults: Any = refused.details.get("faults", ())
    return {**refusal, "faults": [fault["rule"] for fault in faults]} if faults else refusal


def _preview(table: Table, command: Json) -> Json:
    shown = in_words(table.preview(Request(command, "banker", "tap")), partial(sentence, table))
    preview: Json = json.loads(json.dumps(shown))
    return {key: value for key, value in preview.items() if key != "position"}


def sentence(table: Table, rule: str, details: Mapping[str, Detail]) -> str:
    """Return a refusal in English."""
    shown = table.position_json("banker") or {}
    names = {player: state["name"] for player, state in shown.get("players", {}).items()}
    return Words("en", GAME).refusal(rule, details, names, table.catalog_json())


def decided(game: GoldenGame) -> tuple[Table, dict[int, Json]]:
    """Decide a whole play file by today's rules."""
    table = new_table()
    return table, {line: {"line": line, **answer(table, command)} for line, command in game.commands.items()}


@dataclass(frozen=True)
class Checked:
    """Result of today's rules for a stored game: differences, commands that were not offered, the table at its end."""

    drift: tuple[str, ...]
    not_offered: tuple[str, ...]
    table: Table


@cache
def checked(game: GoldenGame) -> Checked:
    """Compare a game with what is stored of it."""
    if set(game.answers) != set(game.commands):
        return Checked((f"{game.name}.jsonl was changed and not accepted since",), (), new_table())
    return differing(game, game.answers)


def differing(game: GoldenGame, answers: Mapping[int, Json]) -> Checked:
    """Decide every line again at the moment that these answers led to, so that one difference leads to no others."""
    table = new_table()
    drift: list[str] = []
    not_offered: list[str] = []
    for line, stored in answers.items():
        command = game.commands[line]
        place = f"{game.name}.jsonl:{line}: {command.get('do')}"
        position, offers = table.position, table.show("banker")["offers"]
        today = answer(table, command)
        if "events" in today and not offered(table.game, position, offers, command):
            not_offered.append(place)
        difference = _difference(table, stored, today)
        if difference:
            drift.append(f"{place} {difference}")
            table = new_table(
                tuple(entries(game.commands, {at: earlier for at, earlier in answers.items() if at <= line})),
            )
    return Checked(tuple(drift), tuple(not_offered), table)


def marks(game: GoldenGame, key: str, value: str | bool) -> bool:
    """Return whether a game would have gone otherwise with one house rule at another value."""
    table = new_table()
    for line, stored in game.answers.items():
        if table.position is not None:
            if _difference(table, stored, answer(table, game.commands[line])):
                return True
        elif "events" in stored:
            started, *others = stored["events"]
            otherwise = {**started, "rules": {**started["rules"], key: value}}
            table = new_table(tuple(entries(game.commands, {line: {**stored, "events": [otherwise, *others]}})))
    ended: Json = game.report["position"]
    return final_position(table) != ended


def _difference(table: Table, stored: Json, today: Json) -> str | None:
    """Return how two answers differ; a field that has come since, at its default, is no difference."""
    if "events" not in stored or "events" not in today:
        return (
            None if stored == {"line": stored["line"], **today} else f"was {_short(stored)}, would be {_short(today)}"
        )
    then, now = list(_read(table, stored)), list(_read(table, today))
    for number, (before, other) in enumerate(zip(then, now, strict=False), start=1):
        if before != other:
            return f"event {number} was {before}, would be {other}"
    return None if len(then) == len(now) else f"led to {_short(stored)}, would lead to {_short(today)}"


def _read(table: Table, answer: Json) -> Iterator[object]:
    for event in answer["events"]:
        yield event if event["event"] in HISTORY_EVENTS else table.game.codec.event(event)


def _short(answer: Json) -> str:
    if "rule" in answer:
        return f"refused by {answer['rule']} ({answer['refused']})"
    return ", ".join(event["event"] for event in answer.get("events", ())) or "a preview"
