"""Cards that were just turned up, for a large screen: the economic situation, and the event with who is hit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.journal import Json
from companion.games.master_builder.drawings.pictures import Part, economy_picture, event_picture, picture_parts
from companion.games.master_builder.ui.headlines import DEEDS, OVER, PAYMENTS, since
from companion.games.master_builder.ui.scene import Scene

CHOICES = frozenset({"AuctionOpened", "ChoiceDeclined", "ContractRemoved", "EventsPhaseBegan"})
"""Events after which an economic situation is no news any more."""


@dataclass(frozen=True, slots=True)
class EconomicSituation:
    """The economic situation of a round, until somebody chooses.

    ``fresh`` are the contracts that were laid out for it, ``staying`` those of the round before with their premium in
    dollars; ``due`` so many are still to be laid out.  ``reveals`` is what the card says for 2, 3 and 4 players.
    """

    card: str
    picture: tuple[Part, ...]
    reveals: Mapping[int, int]
    count: int
    due: int
    fresh: tuple[str, ...]
    staying: Mapping[str, int]


def economic_situation(scene: Scene) -> EconomicSituation | None:
    """Return the economic situation turned up in this phase; ``None``: there is none, or somebody chose since."""
    if scene.phase != "contracts" or scene.position.get("auction"):
        return None
    events = list(since(scene, "EconomyTurned"))
    if not events or any(event["event"] in CHOICES for event in events):
        return None
    card, display = events[0]["card"], scene.position["display"]
    laid = [contract for event in events if event["event"] == "ContractsRevealed" for contract in event["contracts"]]
    fresh = tuple(contract for contract in laid if contract in display)
    reveals = dict(enumerate(scene.catalog["economy"][card]["reveal"], 2))
    count = int(events[0]["reveal_due"])
    return EconomicSituation(
        card,
        picture_parts(economy_picture(scene.catalog["economy"][card]["reveal"])),
        reveals,
        count,
        int(scene.position.get("reveal_due") or 0),
        fresh,
        {contract: premium for contract, premium in display.items() if contract not in fresh},
    )


@dataclass(frozen=True, slots=True)
class Strike:
    """The blow or gain of a player by an event.

    ``workers`` are the cards that it takes away, ``loud`` and ``plain`` say what it does, ``money`` what it brings or
    costs besides.  ``state``: ``hit``, ``spared``, ``gains``, or ``open`` while nobody knows yet.
    """

    player: str
    state: str
    workers: tuple[Json, ...]
    loud: str
    plain: str
    money: str


@dataclass(frozen=True, slots=True)
class TurnedEvent:
    """The event of a round until the first plan is locked; ``over``: it has done what it does."""

    card: str
    picture: tuple[Part, ...]
    over: bool
    strikes: tuple[Strike, ...]


def turned_event(scene: Scene) -> TurnedEvent | None:
    """Return the event that was turned up last in this round; ``None``: there is none to tell."""
    now = scene.position.get("event")
    if not now and (scene.phase != "build" or scene.position.get("planned")):
        return None
    events = list(since(scene, "EventTurned"))
    if not now and (not events or any(event["event"] in OVER for event in events)):
        return None
    card = str(now["card"] if now else events[0]["card"])
    deeds = [event for event in events[1:] if event["event"] in DEEDS]
    strikes = tuple(_strike(scene, player, deeds, over=not now) for player in scene.players_by_seat)
    return TurnedEvent(card, picture_parts(event_picture(scene.catalog["events"][card]["effects"])), not now, strikes)


def _strike(scene: Scene, player: str, deeds: Sequence[Json], *, over: bool) -> Strike:
    own = [event for event in deeds if event["player"] == player]
    words = scene.words
    money = sum(event["amount"] * (1 if event["event"] == "EventReceived" else -1) for event in own if _pays(event))
    paid = words.money(money, plus=money > 0) if money else ""
    away = [card for event in own if event["event"] == "WorkersMadeUnavailable" for card in event["workers"]]
    left = [card for event in own if event["event"] == "WorkersDismissed" for card in event["workers"]]
    razed = sum(len(site["sections"]) for event in own if event["event"] == "SectionsRazed" for site in event["sites"])
    changes = [change for event in own if event["event"] == "WagesChanged" for change in event["changes"]]
    crew = tuple(scene.sorted_workers([*away, *left]))
    if crew:
        loud = words.several("{count} worker", "{count} workers", len(crew))
        stays = words.several("cannot work", "cannot work", len(away))
        return Strike(player, "hit", crew, loud, stays if away else words.several("leaves", "leave", len(left)), paid)
    if razed:
        loud = words.several("{count} section", "{count} sections", razed)
        return Strike(player, "hit", (), loud, words.several("comes down", "come down", razed), paid)
    if changes:
        amount = sum(int(change["amount"]) for change in changes)
        return Strike(
            player, "hit" if amount > 0 else "gains", (), words.money(amount, plus=True), words.say("in wages"), paid
        )
    if money:
        return Strike(player, "hit" if money < 0 else "gains", (), paid, words.say("by the event"), "")
    if any(event["event"] == "EffectLeftToBanker" for event in own):
        return Strike(player, "open", (), words.say("at the table"), words.say("is settled there"), "")
    if over:
        return Strike(player, "spared", (), words.say("nothing"), words.say("happens here"), "")
    waits = words.say("chooses now") if player in scene.waiting else words.say("not yet")
    return Strike(player, "open", (), waits, "", "")


def _pays(event: Json) -> bool:
    return event["event"] in PAYMENTS
