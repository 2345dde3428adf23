"""What a camera sees, as interfaces show it."""

from typing import Any

from companion.service.sight.beside import Beside

NO_CAMERA: dict[str, Any] = {
    "camera": "none",
    "state": "none",
    "problem": None,
    "cards": [],
    "strangers": [],
    "faces": [],
    "mat": None,
    "differences": [],
    "resumed": False,
}


def told_beside(beside: Beside) -> dict[str, Any]:
    """Tell the cards of other games, and those without a label: which card each is, or what it looks like."""
    strangers = () if beside.strangers is None else beside.strangers.told
    faces = () if beside.faces is None else beside.faces.lying
    return {
        "strangers": [{"text": one.text, "card": one.card, "game": one.game} for one in strangers],
        "faces": [{"card": one.card, "like": list(one.like)} for one in faces],
    }
