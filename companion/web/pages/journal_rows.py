"""The journal in words: what was done, what followed, when."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.web.pages.scene import Scene

QUIET = frozenset(
    {"OpportunityCame", "ContractsPhaseBegan", "EventsPhaseBegan", "BuildPhaseBegan", "IncomePhaseBegan"}
    | {"WorkersReturned", "EventReached"}
)
"""Events that the page shows anyway; as consequences they would only make rows long."""

WALKED = frozenset({"EntryUndone", "EntryRedone"})
CORRECTED = frozenset(
    {"MoneyCorrected", "WorkerCorrected", "ContractCorrected", "TurnCorrected", "CashCounted"}
    | {"PlayerRenamed", "PlayerReplaced"}
)


def rows(scene: Scene, most: int = 40) -> list[dict[str, Any]]:
    """Give the latest entries, newest first, told for the page."""
    told = [row(scene, entry, scene.entries) for entry in reversed(scene.entries[-most:])]
    return [one for one in told if one["act"]]


def row(scene: Scene, entry: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Tell one entry: the act, what followed from it, whose it was."""
    events = list(entry["events"])
    first, rest = (events[0], events[1:]) if events else ({}, [])
    words = scene.words
    if first.get("event") in WALKED:
        act = _walked(scene, first, entries)
    else:
        act = words.event(first, scene.names, scene.catalog) if first else ""
    after = [words.event(one, scene.names, scene.catalog) for one in rest if one["event"] not in QUIET]
    return {
        "seq": entry["seq"],
        "act": act,
        "after": after,
        "player": first.get("player") if first.get("player") in scene.names else None,
        "time": words.moment(str(entry.get("at", ""))),
        "undone": bool(entry.get("undone")),
        "walked": first.get("event") in WALKED,
        "corrected": first.get("event") in CORRECTED,
        "source": entry.get("source", ""),
    }


def _walked(scene: Scene, event: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]) -> str:
    target = next((one for one in entries if one["seq"] == event.get("entry")), None)
    what = scene.words.event(target["events"][0], scene.names, scene.catalog) if target and target["events"] else ""
    sentence = "Undone: {act}" if event["event"] == "EntryUndone" else "Done again: {act}"
    return scene.words.say(sentence, act=what)
