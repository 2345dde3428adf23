"""The one sentence on a player's own phone: what the table wants of him, or whom it waits for."""

from companion.games.master_builder.face import waiting
from companion.games.master_builder.face.scene import Scene

YOURS = (
    ("turn_economy", "Turn up the economic situation"),
    ("reveal_contracts", "Lay out the contracts that are due"),
    ("bid", "You are up: bid or pass"),
    ("choose_sections", "Choose what comes down"),
    ("plan", "Plan what you build"),
)
"""What is expected of a player, and the sentence for it, where that is all there is to know."""

YOURS_WITH_PASS = (
    ("open_auction", "Choose a contract, or pass", "You must choose a contract"),
    ("hire_worker", "You are up: hire, fire or pass", "You are up: hire a worker"),
    ("borrow", "Pay your wages, or borrow first", "Choose a loan"),
)
"""What is expected, with the sentences for who may pass and for who may not."""


def own_sentence(scene: Scene, player: str) -> str | None:
    """Say what a player is to do, as a sentence's id; ``None``: the table does not wait for him."""
    if player not in scene.waiting:
        return None
    expects = set(scene.position["expects"])
    special = _by_house_rule(scene, expects)
    if special is not None:
        return special
    for kind, said in YOURS:
        if kind in expects:
            return said
    for kind, free, bound in YOURS_WITH_PASS:
        if kind in expects:
            return free if "pass" in expects else bound
    return "You are up"


def _by_house_rule(scene: Scene, expects: set[str]) -> str | None:
    if "turn_event" in expects:
        return "Play an event from the hand" if waiting.plays_from_hand(scene) else "Turn up an event"
    if "choose_workers" in expects:
        return "Dismiss workers down to the limit" if waiting.dismisses(scene) else "Choose whom the event hits"
    if "hire_worker" in expects and scene.looked:
        return "Hire from the pile, or pass" if "pass" in expects else "Hire from the pile"
    return None
