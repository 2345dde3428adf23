"""What lies ahead of a player's money, line by line: the prices, wages and loans behind the sentence in his panel."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Json
from companion.games.master_builder.face.scene import Scene
from companion.service.ports import Forbidden
from companion.service.table.table import Table

_DRAWN = {"price": "yes", "loan": "warning", "wages": "income"}
LONGEST_BID = 9
"""Digits of a bid that is asked about; what is longer is none."""


@dataclass(frozen=True, slots=True)
class Line:
    """Money that will move, in words: ``kind`` draws it, ``cash`` is what is left then."""

    kind: str
    says: str
    amount: int
    cash: int


def describe(scene: Scene, table: Table, viewer: str, player: str, args: Mapping[str, str]) -> dict[str, Any] | None:
    """Give what the sheet shows of a player's money to come; ``None`` where it is hidden from this viewer.

    With ``contract`` and ``bid`` it is as if he had got that contract for it; one that he could not bid is passed over.
    """
    contract, bid = args.get("contract"), args.get("bid", "")
    amount = int(bid) if bid.isascii() and bid.isdigit() and len(bid) <= LONGEST_BID else None
    try:
        found = _forecast(table, viewer, player, contract, amount)
    except Forbidden:
        return None
    offers = scene.offers_of("open_auction", contract=contract) if contract else []
    return {
        **found,
        "rounds": [
            (number, [_line(scene, one) for one in lines])
            for number, lines in groupby(found["movements"], key=lambda one: one["round"])
        ],
        "loans": _loans(scene, found["end"]["loans"]),
        "lot": scene.contract(found["bid"]["contract"])["title"] if found["bid"] else None,
        "back": contract if offers else None,
    }


def _forecast(table: Table, viewer: str, player: str, contract: str | None, bid: int | None) -> dict[str, Any]:
    if contract is not None and bid is not None:
        try:
            return table.advice.forecast(viewer, player, contract, bid)
        except Refused:
            return table.advice.forecast(viewer, player)
    return table.advice.forecast(viewer, player)


def _line(scene: Scene, one: Json) -> Line:
    words = scene.words
    title = words.card(one["card"], scene.catalog) if "card" in one else ""
    match one["why"]:
        case "contract":
            says = words.say("Pays for {title}", title=title)
        case "premium":
            says = words.say("Money on {title}", title=title)
        case "price":
            says = words.say("{title} is finished and pays", title=title)
        case "loan":
            says = words.say("Must borrow: {loan}", loan=words.say_in("loan", one["loan"]))
        case _:
            says = words.say("Wages")
    return Line(_DRAWN.get(one["why"], "contract"), says, one["amount"], one["cash"])


def _loans(scene: Scene, forced: Json) -> str | None:
    """Name the loans that would be forced until the end; ``None``: none."""
    words = scene.words
    named = [words.several("{count} Small", "{count} Small", forced["small"])] if forced["small"] else []
    named += [words.several("{count} Large", "{count} Large", forced["large"])] if forced["large"] else []
    return words.listed(named) if named else None
