"""What a command card means where the offers stand as they do: PASS, UNDO, SUGGEST, and a game's own.

YES and NO answer the oldest open proposal, and mean what the game says where none waits; who knows the proposals sees
to those.
"""

from typing import Any

from companion.engine.game import Question
from companion.service.table.meant import meant_json
from companion.service.table.offers_json import open_to
from companion.service.table.table import Table


def offered(table: Table, word: str, viewer: str) -> dict[str, Any] | Question | None:
    """Give the command that the word stands for, if that is offered to this viewer now.

    ``suggest`` gives ``{"player"}`` of who might be helped; in games that advise nobody what is awaited is said again.
    Every word but that and ``undo`` means what the game says.
    """
    if word == "undo":
        undo = any(offer["do"] == "undo" for offer in table.offers(viewer))
        return {"do": "undo"} if undo else None
    return _helped(table, viewer) if word == "suggest" else _meant(table, word, viewer)


def _helped(table: Table, viewer: str) -> dict[str, Any] | None:
    advises, overview = table.edition.can.advises, table.overview
    if overview is None:
        return None
    if advises is None:
        return {"player": overview.waiting_for[0]} if overview.waiting_for else None
    verbs = {(offer["do"], offer.get("player")) for offer in table.offers(viewer)}
    helped = [player for player in overview.waiting_for if (advises.verb, player) in verbs]
    return {"player": helped[0]} if helped else None


def _meant(table: Table, word: str, viewer: str) -> dict[str, Any] | Question | None:
    hears, position, game = table.edition.can.hears_cards, table.position, table.edition.game
    if hears is None or position is None:
        return None
    return meant_json(table.edition.codec, hears.command(position, open_to(game, position, viewer), word))
