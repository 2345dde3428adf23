"""Requests of one player to another, in words for each viewer."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.game_api.ui import GameUI, TableView, Values
from companion.service.access.consents import UNDO, ConsentRequest


@dataclass(frozen=True, slots=True)
class ConsentPrompt:
    """A question in words, a deal also drawn: who is to say yes, whether this viewer can, whether it was a no.

    ``counter``: the sheet on which whoever is asked changes the deal and sends it back.
    """

    number: int
    asked: str
    may_agree: bool
    says: str
    refused: bool = False
    deal: Sequence[Values] = ()
    counter: Values = field(default_factory=dict[str, Any])


def consent_prompt(scene: TableView, ui: GameUI, agreement: ConsentRequest, viewer: str) -> ConsentPrompt:
    """Return an open consent request in words."""
    asker = scene.names.get(agreement.asker, scene.words.say("The banker"))
    may_agree, command = viewer != agreement.asker, agreement.command
    if command["do"] == UNDO:
        return ConsentPrompt(agreement.number, agreement.asked, may_agree, _undoing(scene, asker), agreement.refused)
    says, deal = ui.question(scene, command, asker), ui.deal(scene, command)
    counter = ui.counter(scene, command, viewer) if viewer == agreement.asked else {}
    return ConsentPrompt(agreement.number, agreement.asked, may_agree, says, agreement.refused, deal, counter)


def _undoing(scene: TableView, asker: str) -> str:
    return scene.words.say("{player} would like to undo: {act}", player=asker, act=last_act(scene) or "?")


def last_act(scene: TableView) -> str | None:
    """Return what an undo would take back, for a viewer who may know it."""
    effective = [entry for entry in scene.entries if not entry.get("undone") and entry["events"]]
    acts = [entry for entry in effective if entry["events"][0]["event"] not in {"EntryUndone", "EntryRedone"}]
    return scene.words.event(acts[-1]["events"][0], scene.names, scene.catalog) if len(acts) > 1 else None
