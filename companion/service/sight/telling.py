"""What a camera sees, as interfaces show it."""

from collections.abc import Sequence
from typing import Any

from companion.service.sight.beside import Beside
from companion.vision.label.sighting import Sighting
from companion.vision.label.tag import Deck

NO_CAMERA: dict[str, Any] = {
    "camera": "none",
    "state": "none",
    "problem": None,
    "cards": [],
    "strangers": [],
    "faces": [],
    "twins": [],
    "mat": None,
    "differences": [],
    "resumed": False,
}


def texts_of(sightings: Sequence[Sighting]) -> set[str]:
    """Give what labels say."""
    return {one.text for one in sightings}


def told_label(seen: Sighting, deck: Deck) -> dict[str, Any]:
    """Tell a label of a deck: its card, and the corners of its symbol in pixels."""
    return {"card": deck.card_of(seen.text), "corners": [[round(x, 1), round(y, 1)] for x, y in seen.corners]}


def told_beside(beside: Beside) -> dict[str, Any]:
    """Tell the cards of other games, and those without a label: which card each is, or what it looks like."""
    strangers = () if beside.strangers is None else beside.strangers.told
    faces = () if beside.faces is None else beside.faces.lying
    return {
        "strangers": [{"text": one.text, "card": one.card, "game": one.game} for one in strangers],
        "faces": [{"card": one.card, "like": list(one.like)} for one in faces],
    }
