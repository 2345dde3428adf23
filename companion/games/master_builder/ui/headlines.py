"""One dry headline for a round that was settled, out of what everybody saw: roofs, sections, loans."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.journal import Json
from companion.games.master_builder.rules.phases.contracts import least_raise
from companion.games.master_builder.rules.phases.event_cards import is_from_hand
from companion.games.master_builder.ui.scene import Scene
from companion.games.master_builder.ui.settlement import wages_due
from companion.service.table.listing import amendable, as_it_stands

# --- events_shown
# Which events of Master Builder are news of their own.

QUIET = frozenset(
    {"OpportunityCame", "ContractsPhaseBegan", "EventsPhaseBegan", "BuildPhaseBegan", "IncomePhaseBegan"}
    | {"WorkersReturned", "EventReached"}
)
"""Events that the page shows anyway; as consequences they would only make rows long."""

CORRECTED = frozenset(
    {"MoneyCorrected", "WorkerCorrected", "ContractCorrected", "TurnCorrected", "CashCounted"}
    | {"PlayerRenamed", "PlayerReplaced"}
)
"""Events by which the banker puts something right."""


# --- lately
# What has just happened by itself and would pass by unseen: an event without a choice, a round that was
# settled.

PAYMENTS = frozenset({"EventPaid", "EventReceived"})
DEEDS = PAYMENTS | {"WorkersMadeUnavailable", "WorkersDismissed", "WagesChanged", "SectionsRazed", "EffectLeftToBanker"}
"""What an event does to people; what the banker corrects meanwhile is none of it."""


@dataclass(frozen=True, slots=True)
class EventNews:
    """An event that is over: its ``card``, and what it did to whom, in sentences."""

    card: str
    did: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a round brought a player: dollars of ``income``, ``wages``, ``lent`` and ``repaid``.

    ``titles`` are those of what was paid, ``paid`` their cards; ``now`` is his cash, ``None`` where it is hidden.
    Where the round is not ``settled`` yet for him, ``wages`` are those that he owes.
    """

    player: str
    income: int
    wages: int
    lent: int
    repaid: int
    titles: tuple[str, ...]
    paid: tuple[str, ...]
    now: int | None
    settled: bool = True

    @property
    def before(self) -> int | None:
        """Cash before the round was settled."""
        if self.now is None:
            return None
        return self.now - self.income - self.lent + self.repaid + (self.wages if self.settled else 0)


def event_news(scene: Scene) -> EventNews | None:
    """Return the event of this round until the first plan is locked; ``None``: there is none to tell."""
    if scene.phase != "build" or scene.position.get("planned"):
        return None
    events = list(since(scene, "EventTurned"))
    if not events or any(one["event"] == "PlanLocked" for one in events):
        return None
    did = _summed(one for one in events[1:] if one["event"] in DEEDS - QUIET)
    return EventNews(events[0]["card"], tuple(scene.words.event(one, scene.names, scene.catalog) for one in did))


def _summed(events: Iterable[Json]) -> list[Json]:
    """Put several payments of a player for one card together, and leave out those of nothing."""
    found: list[dict[str, Any]] = []
    for one in events:
        same = ("event", "player")
        before = next((other for other in found if all(other.get(key) == one.get(key) for key in same)), None)
        if one["event"] not in PAYMENTS or before is None:
            found.append(dict(one))
        else:
            before["amount"] += one["amount"]
    return [one for one in found if one["event"] not in PAYMENTS or one["amount"]]


def settled_round(scene: Scene) -> tuple[Settled, ...]:
    """Return how the round before was settled, in turn order, during the first lap of hiring; else nothing."""
    hire = scene.position.get("hire") or {}
    if scene.phase != "hire" or hire.get("lap") != 1:
        return ()
    events = list(since(scene, "IncomePhaseBegan"))
    if not any(one["event"] == "WagesPaid" for one in events):
        return ()
    return tuple(_settled(scene, player, events) for player in scene.seated)


def just_settled(scene: Scene) -> tuple[Settled, ...]:
    """Return how the round before was settled, until somebody acts in the next one."""
    acts = {"WorkerHired", "WorkerFired", "OpportunityPassed", "PileLookedThrough", "MoneyCorrected"}
    moved = any(one["event"] in acts for one in since(scene, "RoundBegan"))
    return () if moved else settled_round(scene)


def settling(scene: Scene) -> tuple[Settled, ...]:
    """Return how far this round is settled while somebody still has to find his wages; else nothing."""
    if scene.phase != "income":
        return ()
    events = list(since(scene, "IncomePhaseBegan"))
    return tuple(_due(scene, _settled(scene, player, events)) for player in scene.seated)


def _due(scene: Scene, one: Settled) -> Settled:
    paid = (scene.position.get("settlement") or {}).get("paid", {})
    return one if one.player in paid else replace(one, wages=wages_due(scene, one.player), settled=False)


def _settled(scene: Scene, player: str, events: list[Json]) -> Settled:
    own = [one for one in events if one.get("player") == player]
    prices = [one for one in own if one["event"] == "PricePaid"]
    return Settled(
        player,
        sum(one["price"] for one in prices),
        sum(one["amount"] for one in own if one["event"] == "WagesPaid"),
        sum(one["amount"] for one in own if one["event"] == "LoanTaken"),
        sum(one["amount"] for one in own if one["event"] == "LoanRepaid"),
        tuple(scene.words.card(one["contract"], scene.catalog) for one in prices),
        tuple(one["contract"] for one in prices),
        scene.players[player]["cash"],
    )


def since(scene: Scene, *kinds: str) -> Iterator[Json]:
    """Return the latest standing event of one of these kinds and those that followed it."""
    found: list[Json] = []
    for entry in reversed(scene.entries):
        if not amendable(entry):
            continue  # undone, or no entry of the game itself
        events = as_it_stands(entry)["events"]
        begins = [place for place, one in enumerate(events) if one["event"] in kinds]
        found[:0] = events[begins[-1] :] if begins else events
        if begins:
            return iter(found)
    return iter(())


def headline(scene: Scene) -> str:
    """Return a round that is settled in one dry sentence; nothing where nobody knows what happened in it."""
    events = list(since(scene, "BuildPhaseBegan"))
    if not any(one["event"] == "WagesPaid" for one in events):
        return ""
    laid = sum(len(one["work"]) for one in events if one["event"] == "SectionsBuilt")
    finished = sum(one["event"] == "PricePaid" for one in events)
    borrowers = list(dict.fromkeys(one["player"] for one in events if one["event"] == "LoanTaken"))
    return _of_work(scene, laid, finished, borrowers) if laid else _idle(scene, borrowers, events)


def _of_work(scene: Scene, laid: int, finished: int, borrowers: list[str]) -> str:
    words = scene.words
    if not finished and borrowers:
        return words.several(
            "{count} section and a loan to go with it.", "{count} sections and a loan to go with them.", laid
        )
    if not finished:
        return words.several(
            "{count} section laid, no door to lock yet.", "{count} sections laid, no door to lock yet.", laid
        )
    if len(borrowers) > 1:
        return words.several(
            "{count} building paid for; the lender had the better day.",
            "{count} buildings paid for; the lender had the better day.",
            finished,
        )
    if borrowers:
        return words.several(
            "{count} building paid for. {player} counts twice.",
            "{count} buildings paid for. {player} counts twice.",
            finished,
            player=scene.names[borrowers[0]],
        )
    return words.several(
        "{count} building paid for, and nobody in need of a loan.",
        "{count} buildings paid for, and nobody in need of a loan.",
        finished,
    )


def _idle(scene: Scene, borrowers: list[str], events: list[Json]) -> str:
    words, paid = scene.words, sum(one["amount"] for one in events if one["event"] == "WagesPaid")
    if borrowers:
        return words.say("Nothing was built, and {player} borrowed for it.", player=scene.names[borrowers[0]])
    if paid:
        return words.say("Nobody laid a stone. The wages were the same.")
    return words.say("Nothing built, nobody paid: a quiet round.")


# --- waiting
# The one sentence that says what the table waits for, and each player's standing in a word or two.

ASKED = (
    ("turn_economy", "{player} turns up an economic situation"),
    ("reveal_contracts", "{player} lays out contracts: {count} to go"),
    ("turn_event", "{player} turns up an event"),
    ("bid", "Waiting for {player}: bid at least {least}, or pass"),
    ("choose_workers", "Waiting for {player}: choose whom the event hits"),
    ("choose_sections", "Waiting for {player}: choose what comes down"),
)
"""What is expected, and the sentence for it, where that is all there is to know."""

TWO_WAYS = (
    ("open_auction", "Waiting for {player}: choose a contract, or pass", "{player} must choose a contract"),
    ("hire_worker", "Waiting for {player}: hire, fire or pass", "Waiting for {player}: hire a worker"),
)
"""What is expected, with the sentences for those who may pass and for those who may not."""


def expectation(scene: Scene) -> tuple[str, dict[str, Any]]:
    """Return the sentence's id and its values apart from ``player``, who is drawn with a badge."""
    money, at = scene.words.money, scene.position
    if scene.phase == "finished":
        return "{player} wins with {worth}", {"worth": money(winner(scene)["worth"])}
    return _sentence(scene), {"count": at.get("reveal_due", 1), "least": money(least_bid(scene))}


def _sentence(scene: Scene) -> str:
    expects = set(scene.position["expects"])
    special = _by_house_rule(scene, expects)
    if special is not None:
        return special
    for kind, said in ASKED:
        if kind in expects:
            return said
    for kind, free, bound in TWO_WAYS:
        if kind in expects:
            return free if "pass" in expects else bound
    if "plan" in expects:
        return "{player} plans in secret" if scene.turn else "Waiting for the plans of {player}"
    if "borrow" in expects:
        wages, contract = "Waiting for {player}: choose a loan to pay the wages", "{player} takes a loan for a contract"
        return wages if scene.phase == "income" else contract
    return "Waiting for {player}"


def _by_house_rule(scene: Scene, expects: set[str]) -> str | None:
    """Return the sentences that only house rules and variants need."""
    if "hire_worker" in expects and scene.looked:
        free, bound = "Waiting for {player}: hire from the pile, or pass", "Waiting for {player}: hire from the pile"
        return free if "pass" in expects else bound
    if "turn_event" in expects and plays_from_hand(scene):
        return "{player} plays an event from the hand"
    if "choose_workers" in expects and dismisses(scene):
        return "Waiting for {player}: dismiss workers down to the limit"
    if "borrow" in expects and scene.phase == "events":
        return "{player} takes a loan to pay the event"
    if "plan" in expects and scene.rules.plans == "open":
        return "Waiting for {player}: plan for all to see"
    if {"borrow", "pass"} <= expects:
        return "Waiting for {player}: pay the wages, or borrow first"
    return None


def plays_from_hand(scene: Scene) -> bool:
    """Return whether the event due comes from the start player's hand: the first of a round, while they have one."""
    at = scene.position
    return is_from_hand(at["drawn"], at["players"][at["start_player"]]["event_hand"])


def dismisses(scene: Scene) -> bool:
    """Return whether workers are to go only because the wages passed the limit: all effects of the card are over."""
    event = scene.position.get("event")
    return event is not None and event["effect"] >= len(scene.catalog["events"][event["card"]]["effects"])


def least_bid(scene: Scene) -> int:
    """Return the lowest bid that beats the leader's."""
    auction = scene.position.get("auction") or {}
    return least_raise(int(auction.get("bid", 0)))


def winner(scene: Scene) -> Mapping[str, Any]:
    """Return the first line of the final standings."""
    first: Mapping[str, Any] = scene.position["standings"][0]
    return first


def winners(scene: Scene) -> list[str]:
    """Return everybody who shares the first rank."""
    return [line["player"] for line in scene.position["standings"] or () if line["rank"] == 1]


def standing(scene: Scene, player: str) -> tuple[str, str]:
    """Return a player's state (``now``, ``passed``, ``locked``, ``leads`` or nothing) and the words for it."""
    of_phase = {"hire": _hiring, "contracts": _bidding, "build": _planning}.get(scene.phase)
    found = of_phase(scene, player) if of_phase else None
    if found is not None:
        return found
    now = "now" if player in scene.waiting else ""
    if scene.phase == "finished":
        return ("now", scene.words.say("wins")) if player in winners(scene) else ("", "")
    if now:
        return now, scene.words.say("to act now")
    if player == scene.position["start_player"]:
        return "", scene.words.say("starts this round")
    return "", ""


def _hiring(scene: Scene, player: str) -> tuple[str, str] | None:
    hire = scene.position.get("hire") or {}
    if player in scene.waiting:
        return "now", scene.words.say("to act now")
    if player in (hire.get("rested") or hire.get("passed") or ()):
        return "passed", scene.words.say("passed")
    return None


def _bidding(scene: Scene, player: str) -> tuple[str, str] | None:
    auction, words = scene.position.get("auction"), scene.words
    if not auction:
        return ("passed", words.say("chooses no more")) if player in scene.position.get("declined", ()) else None
    if player in scene.waiting:
        return "now", words.say("to bid now")
    if player == auction["leader"]:
        return "leads", words.say("leads")
    return (
        ("", words.say("still in")) if player in auction["still_in"] else ("passed", words.say("out of this auction"))
    )


def _planning(scene: Scene, player: str) -> tuple[str, str]:
    if player in scene.position.get("planned", ()):
        return "locked", scene.words.say("plan locked")
    if player in scene.waiting:
        return "now", scene.words.say("planning")
    in_turn = scene.rules.plans == "open"  # then who comes later is not waited for yet
    return ("", "") if in_turn else ("", scene.words.say("nothing to build"))


# --- seat_sentence
# The one sentence on a player's own phone: what the table wants of him, or whom it waits for.

YOURS = (
    ("turn_economy", "Turn up the economic situation"),
    ("reveal_contracts", "Lay out the contracts that are due"),
    ("bid", "You are up: bid or pass"),
    ("choose_sections", "Choose what comes down"),
    ("plan", "Plan what you build"),
)
"""What is expected of a player, and the sentence for it, where that is all there is to know."""

YOURS_WITH_PASS = (
    ("open_auction", "Choose a contract, or pass", "You must choose a contract"),
    ("hire_worker", "You are up: hire, fire or pass", "You are up: hire a worker"),
    ("borrow", "Pay your wages, or borrow first", "Choose a loan"),
)
"""What is expected, with the sentences for who may pass and for who may not."""


def own_sentence(scene: Scene, player: str) -> str | None:
    """Return what a player is to do, as a sentence's id; ``None``: the table does not wait for him."""
    if player not in scene.waiting:
        return None
    expects = set(scene.position["expects"])
    special = _seat_by_house_rule(scene, expects)
    if special is not None:
        return special
    for kind, said in YOURS:
        if kind in expects:
            return said
    for kind, free, bound in YOURS_WITH_PASS:
        if kind in expects:
            return free if "pass" in expects else bound
    return "You are up"


def _seat_by_house_rule(scene: Scene, expects: set[str]) -> str | None:
    if "turn_event" in expects:
        return "Play an event from the hand" if plays_from_hand(scene) else "Turn up an event"
    if "choose_workers" in expects:
        return "Dismiss workers down to the limit" if dismisses(scene) else "Choose whom the event hits"
    if "hire_worker" in expects and scene.looked:
        return "Hire from the pile, or pass" if "pass" in expects else "Hire from the pile"
    return None
