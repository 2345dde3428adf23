"""What lies ahead of a player's money, in a line of his panel and in the sentences of a bidding pad."""

import json
from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.face.scene import Scene


def panel_line(scene: Scene, player: str) -> dict[str, Any] | None:
    """Give the sentence for a player's panel, and in figures what is ``missing``; ``None``: nothing to say yet."""
    first_hires = scene.phase == "hire" and scene.position["round"] == 1
    forecast = None if first_hires or scene.phase == "finished" else scene.ahead(player, None)
    if forecast is None:
        return None
    words, short, coming = scene.words, forecast["short"], forecast["next"]
    if short is None:
        low = words.money(forecast["end"]["cash"])
        return {"missing": None, "said": words.say("Never below {amount} as things stand", amount=low)}
    amount, missing = words.money(short["amount"]), words.money(-short["amount"])
    if coming["short"]:
        return {"missing": missing, "said": words.say("{amount} short at the next wages", amount=amount)}
    said = words.say("{amount} short in round {round}", amount=amount, round=short["round"])
    return {"missing": missing, "said": said}


def bidding(scene: Scene, player: str, contract: str) -> dict[str, Any] | None:
    """Give what the pad says at every amount: one look ahead answers for all of them.

    ``rounds``: pairs of a round and the highest bid that its wages bear, as JSON; ``floor``: what would be left
    at the lowest after a bid of nothing; ``limit``: how high one can go.
    ``player`` and ``contract`` are those asked about.
    """
    forecast = scene.ahead(player, contract)
    if forecast is None:
        return None
    bids = forecast["bid"]
    rounds = [[one["round"], one["most"]] for one in bids["rounds"]]
    at_once = forecast["cash"] + scene.position["display"].get(contract, 0)
    return {
        "player": player,
        "contract": contract,
        "rounds": json.dumps(rounds),
        "floor": min([at_once, *(most for _, most in rounds)]),
        "limit": _limit(scene, bids["safe"]),
    }


def _limit(scene: Scene, safe: Mapping[str, int | None]) -> str:
    words = scene.words
    if safe["end"] is not None:
        return words.say("No loan up to {amount}.", amount=words.money(safe["end"]))
    if safe["next"] is not None:
        return words.say("No loan this round up to {amount}.", amount=words.money(safe["next"]))
    return words.say("Any bid leads to a loan.")
