"""Offers as JSON: a command whose settled fields stand in place, and ``fields`` for what is open."""

from typing import Any

from companion.engine.game import BANKER, Game, Position
from companion.engine.offers import (
    Amount,
    AnyOfThese,
    AnySet,
    Assignment,
    Bag,
    Dice,
    Field,
    Offer,
    OneOf,
    Parts,
    SomeOf,
)
from companion.engine.timeline import Timeline


def offered(game: Game[Any, Any, Any], timeline: Timeline[Any], viewer: str, *, undo: bool) -> list[dict[str, Any]]:
    """Write all that a viewer may do now; ``undo``: he may take the latest act back, and there is one."""
    position = timeline.position
    if position is None:
        return []
    offers = [offer_json(offer) for offer in open_to(game, position, viewer)]
    if undo:
        offers.append({"do": "undo", "urgency": "possible", "fields": {}})
    if viewer == BANKER and timeline.undone is not None:
        offers.append({"do": "redo", "urgency": "possible", "fields": {}})
    return offers


def open_to(game: Game[Any, Any, Any], position: Position[Any], viewer: str) -> list[Offer]:
    """List what a viewer may do: a player his own, the banker everybody's and what is his alone."""
    players = [player for player in game.players(position) if viewer in (BANKER, player)]
    found = (offer for player in players for offer in game.offers(position, player))
    return [offer for offer in found if offer.player != BANKER or viewer == BANKER]


def offer_json(offer: Offer) -> dict[str, Any]:
    """Write an offer; where the command names no player, ``by`` says who may give it."""
    whose = "player" if offer.addressed else "by"
    return {
        "do": offer.do,
        whose: offer.player,
        **dict(offer.given),
        "urgency": offer.urgency,
        "fields": {name: field_json(field) for name, field in offer.fields},
    }


def field_json(field: Field) -> dict[str, Any]:
    """Write what an open field may hold."""
    match field:
        case OneOf(values):
            return {"kind": "one_of", "values": list(values)}
        case SomeOf(values, least, most):
            return {"kind": "some_of", "values": list(values), "least": least, "most": most}
        case Amount(least, most, step):
            return {"kind": "amount", "least": least, "most": most, "step": step}
        case Bag(kinds, least, most):
            return {"kind": "bag", "kinds": dict(kinds), "least": least, "most": most or sum(dict(kinds).values())}
        case Dice(count, faces):
            return {"kind": "dice", "count": count, "faces": faces}
        case Parts(parts):
            return {"kind": "parts", "parts": {name: field_json(part) for name, part in parts}}
        case AnyOfThese(values):
            return {"kind": "any_of_these", "values": [{card: list(ids) for card, ids in way} for way in values]}
        case AnySet(values):
            return {"kind": "any_set", "values": [list(ids) for ids in values]}
        case Assignment(sites, workers):
            return {
                "kind": "assignment",
                "sites": {site: {place: list(code) for place, code in places} for site, places in sites},
                "workers": dict(workers),
            }
