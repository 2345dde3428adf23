"""Where the table contradicts the books, in words."""

from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.face.scene import Scene

_PLACES = {"market": "supply", "contracts": "display"}
"""Zones of the mat that the books call otherwise."""


def describe(scene: Scene) -> list[dict[str, str]]:
    """Say each difference in a sentence, with what is to be looked for."""
    return [_elsewhere(scene, one) if one["difference"] == "elsewhere" else _fewer(scene, one) for one in _found(scene)]


def _found(scene: Scene) -> list[Mapping[str, Any]]:
    return list(scene.camera.get("differences", ()))


def _elsewhere(scene: Scene, one: Mapping[str, Any]) -> dict[str, str]:
    card = scene.words.card(one["card"], scene.catalog)
    zone, books = _place(scene, one["zone"]), _place(scene, one["books"])
    says = scene.words.say("{card}: on the table {zone}, in the books {books}", card=card, zone=zone, books=books)
    return {"says": says, "cards": ""}


def _fewer(scene: Scene, one: Mapping[str, Any]) -> dict[str, str]:
    words = scene.words
    says = words.say(
        "{player}, {workers}: the books say {books}, the table shows {table}",
        player=scene.names[one["player"]],
        workers=words.say_in("workers", one["type"]),
        books=one["books"],
        table=one["table"],
    )
    unseen = words.listed(words.card(card, scene.catalog) for card in one["cards"])
    return {"says": says, "cards": words.say("Not seen: {cards}", cards=unseen)}


def _place(scene: Scene, place: str) -> str:
    known = scene.names.get(place)
    return known if known is not None else scene.words.say_in("place", _PLACES.get(place, place))
