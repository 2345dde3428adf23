"""What one player asks of another, in words for whoever looks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.service.agreements import UNDO, Agreement
from companion.web.pages.scene import Scene


@dataclass(frozen=True, slots=True)
class Asked:
    """``asked``: who is to say yes; ``may_agree``: whether this viewer can; ``says``: the question."""

    number: int
    asked: str
    may_agree: bool
    says: str


def asked_of(scene: Scene, agreement: Agreement, viewer: str) -> Asked:
    """Tell an open question."""
    asker = scene.names.get(agreement.asker, scene.words.say("The banker"))
    says = _undoing(scene, asker) if agreement.command["do"] == UNDO else _lending(scene, agreement.command, asker)
    return Asked(agreement.number, agreement.asked, viewer != agreement.asker, says)


def _lending(scene: Scene, command: Mapping[str, Any], asker: str) -> str:
    words = scene.words
    return words.say(
        "{player} lends {card} to {borrower} for {price}, for this building phase.",
        player=asker,
        card=words.card(command["worker"], scene.catalog),
        borrower=scene.names[command["borrower"]],
        price=words.money(command["price"]),
    )


def _undoing(scene: Scene, asker: str) -> str:
    return scene.words.say("{player} would like to take back: {act}", player=asker, act=last_act(scene) or "?")


def last_act(scene: Scene) -> str | None:
    """Say what an undo would take back, for a viewer who may know it."""
    standing = [one for one in scene.entries if not one.get("undone") and one["events"]]
    acts = [one for one in standing if one["events"][0]["event"] not in {"EntryUndone", "EntryRedone"}]
    return scene.words.event(acts[-1]["events"][0], scene.names, scene.catalog) if len(acts) > 1 else None
