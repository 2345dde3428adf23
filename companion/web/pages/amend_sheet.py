"""Putting an entry of the journal right: what may stand in its place, and calmly what that would lead to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.errors import Refused
from companion.engine.game import BANKER
from companion.engine.journal import Json
from companion.game_api.ui import Ask, Face, Seen
from companion.service.table.amend import in_words
from companion.service.table.listing import amendable, as_it_stands
from companion.service.table.request import Request
from companion.service.table.table import Table
from companion.web.pages import journal_rows


@dataclass(frozen=True)
class Changed:
    """One entry of a preview in words: ``act`` it was, what no longer holds, what holds instead, why it is refused."""

    seq: int
    player: str | None
    act: str
    was: list[str]
    now: list[str]
    why: str | None = None


@dataclass(frozen=True)
class Preview:
    """What an amend would lead to, in words.

    ``money``: player, cash before and after.  ``then``: the scene that would be, with its sentence.
    """

    entry: Changed
    changes: list[Changed]
    refused: list[Changed]
    money: list[tuple[str, int | None, int | None]]
    then: Seen
    sentence: str
    places: Json
    command: Json


def asked(scene: Seen, face: Face, ask: Ask) -> dict[str, Any]:
    """Give what the sheet shows: the entry ``seq``, the form for another in its place, and with ``instead`` a preview.

    ``instead`` is the command to be put in its place as JSON, ``null`` to leave it out; ``draft`` one that was
    looked at before and may be changed further.
    """
    args, table = ask.args, ask.table
    entry = _standing(scene, args.get("seq", ""))
    if entry is None:
        return {"entry": None}
    command: Json = entry["command"]
    chosen, instead = _chosen(args.get("instead", ""))
    draft = instead or _chosen(args.get("draft", ""))[1] or command
    draft = draft if draft.get("do") == command["do"] else command
    shown = {
        "entry": entry,
        "do": command["do"],
        "row": journal_rows.row(scene, entry, scene.entries),
        "may_leave": entry["seq"] != 1,
        **face.amending.asked(scene, table, entry, draft, ask),
        "chosen": chosen,
        "preview": None,
        "no": None,
    }
    if chosen:
        try:
            shown["preview"] = _preview(scene, face, table, {"do": "amend", "seq": entry["seq"], "with": instead})
            if instead is not None:
                shown |= face.amending.lines(scene, command, instead)
        except Refused as refused:
            shown["no"] = _say(scene, refused.rule, refused.details)
    return shown


def _standing(scene: Seen, seq: str) -> Json | None:
    """Find a standing entry of the game itself, with the command and events that it stands with."""
    entry = next((one for one in scene.entries if str(one["seq"]) == seq), None)
    if entry is None or not amendable(entry):
        return None
    return {**entry, **as_it_stands(entry)}


def _chosen(instead: str) -> tuple[bool, Json | None]:
    try:
        command = json.loads(instead)
    except ValueError:
        return False, None
    return (True, command) if command is None or isinstance(command, dict) else (False, None)


def _preview(scene: Seen, face: Face, table: Table, command: dict[str, Any]) -> Preview:
    preview = table.preview(Request(command, BANKER, "tap"))
    after = replace(scene, position=preview["position"], offers=())
    preview = in_words(preview, lambda rule, details: _say(after, rule, details))
    sentence, places = face.sentence(after)
    entry, *later = [_changed(scene, one) for one in preview["changes"]]
    return Preview(
        entry=entry,
        changes=[one for one in later if one.was or one.now],
        refused=[_changed(scene, one) for one in preview["refused"]],
        money=[(player, one["before"], one["after"]) for player, one in preview["money"].items()],
        then=after,
        sentence=sentence,
        places=places,
        command={**command, "confirm": True},
    )


def _changed(scene: Seen, one: Json) -> Changed:
    before, after = _described(scene, one["before"]), _described(scene, one.get("after", ()))
    was, now = [line for line in before if line not in after], [line for line in after if line not in before]
    player = one["before"][0].get("player") if one["before"] else None
    return Changed(
        seq=one["seq"],
        player=player if player in scene.names else None,
        act=before[0] if before else "",
        was=was,
        now=now,
        why=one.get("refused"),
    )


def _described(scene: Seen, events: Sequence[Json]) -> list[str]:
    """Tell what happened, and what followed as far as it is worth telling."""
    worth_saying = [one for place, one in enumerate(events) if place == 0 or one["event"] not in scene.quiet]
    return [scene.words.event(one, scene.names, scene.catalog) for one in worth_saying]


def _say(scene: Seen, rule: str, details: Json) -> str:
    return scene.words.refusal(rule, details, scene.names, scene.catalog)
