"""A figure explained on the tablet: what it is the sum of, and what changed it, newest first."""

from typing import Any

from companion.engine.explanation import Part
from companion.games.master_builder.face.scene import Scene
from companion.service.ports import UnknownAccount
from companion.service.table.explain import Line, explain
from companion.service.table.table import Table
from companion.words import Words


def explained(table: Table, scene: Scene, account: str, viewer: str) -> dict[str, Any]:
    """Tell a viewer how a figure came about; one that there is not is told as the bank's.  Raises ``Forbidden``."""
    try:
        found = explain(table, account, viewer)
    except UnknownAccount:
        found = explain(table, "bank", viewer)
    kind, _, name = found.account.partition(":")
    return {
        "kind": kind,
        "player": name if name in scene.players else None,
        "name": scene.names.get(name) or scene.words.card(name, scene.catalog),
        "balance": found.balance,
        "parts": [{"says": _part(scene, one.part), "amount": one.part.amount} for one in found.parts],
        "lines": [_line(scene, line) for line in reversed(found.lines)],
        "track": kind == "wages",
        "late": any(one.part.kind in {"small", "large"} for one in found.parts) and scene.position.get("loans_late"),
    }


def _line(scene: Scene, line: Line) -> dict[str, Any]:
    event = line.event
    return {
        "seq": line.seq,
        "says": scene.words.event(event, scene.names, scene.catalog),
        "time": scene.words.moment(line.at),
        "amount": line.amount,
        "balance": line.balance,
        "rule": line.rule,
        "title": scene.words.say_in("rulebook", line.rule),
        "player": event.get("player") if event.get("player") in scene.names else None,
    }


def _part(scene: Scene, part: Part) -> str:
    words = scene.words
    match part.kind:
        case "worker":
            return words.card(part.card, scene.catalog)
        case "contract":
            return _site(words, words.card(part.card, scene.catalog), part.count)
        case "small":
            return words.several("{count} Small", "{count} Small", part.count)
        case "large":
            return words.several("{count} Large", "{count} Large", part.count)
        case _:
            return words.say("Cash")


def _site(words: Words, title: str, missing: int) -> str:
    return words.several("{title}, {count} missing", "{title}, {count} missing", missing, title=title)
