"""What events took from whom, for the story: the one that hit somebody hardest."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.journal import Json
from companion.games.master_builder.face.scene import Scene

A_WORKER_LOST = 5_000
A_WORKER_AWAY = 3_000
"""Dollars at which a lost or an absent worker is weighed against money and sections; for choosing alone."""


@dataclass(slots=True)
class Blow:
    """What one event took from one player: ``paid`` dollars, sections, workers lost, workers away for the round."""

    round: int
    card: str
    player: str
    paid: int = 0
    sections: int = 0
    lost: int = 0
    away: int = 0

    def weight(self, a_section: int) -> int:
        """Give how hard it was, in dollars; ``a_section``: what a missing section costs."""
        return self.paid + self.sections * a_section + self.lost * A_WORKER_LOST + self.away * A_WORKER_AWAY


def worst_event(scene: Scene, events: Sequence[tuple[int, Json]]) -> tuple[int, str, str] | None:
    """Tell of the event that hit somebody hardest: its round, whom, and what it took."""
    blows: dict[tuple[int, str, str], Blow] = {}
    card: str | None = None
    for number, one in events:
        card = _card_of(one, card)
        player = one.get("player")
        if card is not None and player is not None:
            _struck(blows.setdefault((number, card, player), Blow(number, card, player)), one)
    worst = max(blows.values(), key=lambda one: one.weight(scene.off_for_missing), default=None)
    if worst is None or not worst.weight(scene.off_for_missing):
        return None
    return worst.round, worst.player, _said(scene, worst)


def _card_of(one: Json, card: str | None) -> str | None:
    """Follow which event's effects are told: from its card until plans are laid."""
    if one["event"] == "EventTurned":
        return str(one["card"])
    return None if one["event"] in ("BuildPhaseBegan", "RoundBegan") else card


def _struck(blow: Blow, one: Json) -> None:
    match one["event"]:
        case "EventPaid":
            blow.paid += one["amount"]
        case "SectionsRazed":
            blow.sections += sum(len(site["sections"]) for site in one["sites"])
        case "WorkersDismissed":
            blow.lost += len(one["workers"])
        case "WorkersMadeUnavailable":
            blow.away += len(one["workers"])
        case _:
            pass


def _said(scene: Scene, blow: Blow) -> str:
    words = scene.words
    values = {"title": words.card(blow.card, scene.catalog), "player": scene.names[blow.player]}
    if blow.sections:
        return words.several(
            "{title}: {player} loses {count} section.",
            "{title}: {player} loses {count} sections.",
            blow.sections,
            **values,
        )
    if blow.paid:
        return words.say("{title}: {player} pays {amount}.", amount=words.money(blow.paid), **values)
    if blow.lost:
        return words.several(
            "{title}: {player} loses {count} worker.", "{title}: {player} loses {count} workers.", blow.lost, **values
        )
    return words.several(
        "{title}: {player} works without {count} worker.",
        "{title}: {player} works without {count} workers.",
        blow.away,
        **values,
    )
