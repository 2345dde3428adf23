"""What a command card means where the offers stand as they do: PASS, UNDO and SUGGEST.

YES and NO answer the oldest open proposal; who knows the proposals sees to those.
"""

from typing import Any

from companion.service.table import Table
from companion.vision.tag import Word


def offered(table: Table, word: Word, viewer: str) -> dict[str, Any] | None:
    """Give the command that the word stands for, if that is offered to this viewer now.

    ``pass`` is the one player's whose turn it is; ``suggest`` gives ``{"player"}`` of who might be helped to plan.
    """
    shown = table.show(viewer)
    verbs = {(offer["do"], offer.get("player")) for offer in shown["offers"]}
    if word == "undo":
        return {"do": "undo"} if ("undo", None) in verbs else None
    waiting = [] if shown["position"] is None else shown["position"]["waiting_for"]
    if word == "pass":
        return {"do": "pass", "player": waiting[0]} if len(waiting) == 1 and ("pass", waiting[0]) in verbs else None
    helped = [player for player in waiting if ("plan", player) in verbs]
    return {"player": helped[0]} if word == "suggest" and helped else None
