"""The journal in words: what was done, what followed, when."""

from collections.abc import Sequence
from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import Seen
from companion.service.table.history import AMENDED, REDONE, UNDONE
from companion.service.table.listing import amendable, as_it_stands

WALKED = frozenset({UNDONE, REDONE})


def rows(scene: Seen, most: int = 24) -> list[dict[str, Any]]:
    """Give the latest entries, newest first, told for the page."""
    rows_shown = [row(scene, entry, scene.entries) for entry in reversed(scene.entries[-most:])]
    return [one for one in rows_shown if one["act"]]


def row(scene: Seen, entry: Json, entries: Sequence[Json]) -> dict[str, Any]:
    """Tell one entry as it stands: the act, what followed from it, whose it was."""
    events = list(as_it_stands(entry)["events"])
    first, rest = (events[0], events[1:]) if events else ({}, [])
    words = scene.words
    after = [words.event(one, scene.names, scene.catalog) for one in rest if one["event"] not in scene.quiet]
    amended = entry.get("amended")
    return {
        "seq": entry["seq"],
        "act": _act(scene, entry, entries),
        "after": _outcome(scene, first) if first.get("event") == AMENDED else after,
        "player": first.get("player") if first.get("player") in scene.names else None,
        "time": words.moment(str(entry.get("at", ""))),
        "undone": bool(entry.get("undone")),
        "amended": bool(amended),
        "walked": first.get("event") in WALKED,
        "corrected": first.get("event") in scene.corrected | {AMENDED},
        "source": entry.get("source", ""),
        "amendable": amendable(entry),
    }


def _act(scene: Seen, entry: Json, entries: Sequence[Json]) -> str:
    events = as_it_stands(entry)["events"]
    if not events:
        return ""
    first = events[0]
    if first["event"] in WALKED:
        target = next((one for one in entries if one["seq"] == first.get("entry")), None)
        what = _act(scene, target, entries) if target else ""
        sentence = "Undone: {act}" if first["event"] == "EntryUndone" else "Done again: {act}"
        return scene.words.say(sentence, act=what)
    if first["event"] == AMENDED:
        return scene.words.say("Put right: {act}", act=_amended_act(scene, first, entries))
    return scene.words.event(first, scene.names, scene.catalog)


def _amended_act(scene: Seen, outcome: Json, entries: Sequence[Json]) -> str:
    """Tell what stood before: as the entry was given."""
    target = next((one for one in entries if one["seq"] == outcome["entry"]), None)
    events = target["events"] if target else ()
    return scene.words.event(events[0], scene.names, scene.catalog) if events else ""


def _outcome(scene: Seen, outcome: Json) -> list[str]:
    """Tell what an amend has led to: what stands instead, and how many later entries it touched."""
    words, entry = scene.words, outcome["entry"]
    instead = next((one["events"] for one in outcome["decided"] if one["entry"] == entry), ())
    rows_shown = [words.event(one, scene.names, scene.catalog) for one in instead[:1]] or [words.say("Left out")]
    changed = sum(one["entry"] != entry for one in outcome["decided"])
    refused = sum(seq != entry for seq in outcome["left_out"])
    if changed:
        rows_shown.append(words.several("{count} later entry changed", "{count} later entries changed", changed))
    if refused:
        rows_shown.append(words.several("{count} later entry left out", "{count} later entries left out", refused))
    return rows_shown
