"""The town: every building that was finished, in the order in which they were, drawn from the position."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.games.master_builder.ui.scene import Scene
from companion.service.table.history import amendable, effective_json

FRONT = 6
"""Maximum number of buildings in the front row; older ones step back."""


@dataclass(frozen=True, slots=True)
class FinishedBuilding:
    """A finished building: the contract ``card``, whose it is, its ``title``, ``kind`` and ``number``."""

    card: str
    player: str
    title: str
    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Town:
    """The buildings of a town, oldest first: those that stepped ``back``, and those in ``front``."""

    back: tuple[FinishedBuilding, ...]
    front: tuple[FinishedBuilding, ...]

    @property
    def newest(self) -> FinishedBuilding | None:
        """The building that was finished last."""
        return self.front[-1] if self.front else None


def town(scene: Scene) -> Town:
    """Return every finished building; those of a game taken over, whose completion has no entry, come first."""
    owners = {card: player for player, seen in scene.players.items() for card in seen["completed"]}
    finished = [card for card in dict.fromkeys(_paid(scene)) if card in owners] if owners else []
    finished_cards = set(finished)
    cards = [*sorted(card for card in owners if card not in finished_cards), *finished]
    buildings = [_building(scene, card, owners[card]) for card in cards]
    behind = max(0, len(buildings) - FRONT)
    return Town(tuple(buildings[:behind]), tuple(buildings[behind:]))


def _building(scene: Scene, card: str, player: str) -> FinishedBuilding:
    lot = scene.contract(card)
    return FinishedBuilding(card, player, lot["title"], lot["kind"], lot["number"])


def _paid(scene: Scene) -> Iterator[str]:
    """Return the contracts in the order in which they were paid, as the journal stands now."""
    for entry in scene.entries:
        if amendable(entry):
            yield from (event["contract"] for event in effective_json(entry)["events"] if event["event"] == "PricePaid")


# The picture to send: where town, turning points and standing lie in its 1200 by 1200 units.

SIDE = 1200
EDGE = 56
GROUND = 650
HOUSE = 326, 198
"""A finished building's own drawing."""
WIDEST = 250
MOST_BEHIND = 7
STEP_BACK = 40


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a building stands: the upper left corner and size of its drawing, and its middle."""

    building: FinishedBuilding
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Return where its badge stands."""
        return self.x + self.width / 2


def front(town: Town) -> tuple[Plot, ...]:
    """Lay out the newest buildings on the ground."""
    return _row(town.front, 0.98, 0)


def behind(town: Town) -> tuple[Plot, ...]:
    """Lay out the older ones, smaller and higher."""
    return _row(town.back[-MOST_BEHIND:], 0.8, STEP_BACK)


def _row(buildings: tuple[FinishedBuilding, ...], scale: float, up: float) -> tuple[Plot, ...]:
    if not buildings:
        return ()
    room = min(WIDEST, (SIDE - EDGE) / len(buildings))
    wide = room * scale
    high = wide * HOUSE[1] / HOUSE[0]
    left = (SIDE - room * len(buildings)) / 2 + (room - wide) / 2
    # The last three of its units lie under the ground line.
    top = GROUND - up - high * (HOUSE[1] - 3) / HOUSE[1]
    return tuple(
        Plot(plot, round(left + place * room, 1), round(top, 1), round(wide, 1), round(high, 1))
        for place, plot in enumerate(buildings)
    )


# What lies ahead of a player's money, in a line of their panel and in the sentences of a bidding pad.


@dataclass(frozen=True, slots=True)
class PanelLine:
    """A sentence on a player's money to come; ``missing``: how much will be short, in figures."""

    said: str
    missing: str | None = None


def panel_line(scene: Scene, player: str) -> PanelLine | None:
    """Return the sentence for a player's panel; ``None``: nothing to say yet."""
    first_hires = scene.phase == "hire" and scene.position["round"] == 1
    forecast = None if first_hires or scene.phase == "finished" else scene.ahead(player, None)
    if forecast is None:
        return None
    words, short, coming = scene.words, forecast["short"], forecast["next"]
    if short is None:
        low = words.money(forecast["end"]["cash"])
        return PanelLine(words.say("Never below {amount} as things stand", amount=low))
    amount, missing = words.money(short["amount"]), words.money(-short["amount"])
    if coming["short"]:
        return PanelLine(words.say("{amount} short at the next wages", amount=amount), missing)
    return PanelLine(words.say("{amount} short in round {round}", amount=amount, round=short["round"]), missing)


@dataclass(frozen=True, slots=True)
class BiddingOutlook:
    """Sentences of the pad for every amount that a player may bid for a contract.

    ``rounds``: pairs of a round and the highest bid that its wages bear, as JSON; ``floor``: what would be left
    at the lowest after a bid of nothing; ``limit``: how high one can go, in words.
    """

    player: str
    contract: str
    rounds: str
    floor: int
    limit: str


def bidding(scene: Scene, player: str, contract: str) -> BiddingOutlook | None:
    """Return what the pad says at every amount: one look ahead answers for all of them; ``None``: it is hidden."""
    forecast = scene.ahead(player, contract)
    if forecast is None:
        return None
    bids = forecast["bid"]
    rounds = [[headroom["round"], headroom["most"]] for headroom in bids["rounds"]]
    at_once = forecast["cash"] + scene.position["display"].get(contract, 0)
    return BiddingOutlook(
        player=player,
        contract=contract,
        rounds=json.dumps(rounds),
        floor=min([at_once, *(most for _, most in rounds)]),
        limit=_limit(scene, bids["safe"]),
    )


def _limit(scene: Scene, safe: Mapping[str, int | None]) -> str:
    words = scene.words
    if safe["end"] is not None:
        return words.say("No loan up to {amount}.", amount=words.money(safe["end"]))
    if safe["next"] is not None:
        return words.say("No loan this round up to {amount}.", amount=words.money(safe["next"]))
    return words.say("Any bid leads to a loan.")
