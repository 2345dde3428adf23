"""The sentence that says what the table waits for, on shared screens and on a player's own device."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.game_api.ui import ScreenSeat, SeatFact
from companion.games.master_builder.rules.phases.contracts import least_raise, may_own_more
from companion.games.master_builder.rules.phases.event_cards import is_from_hand
from companion.games.master_builder.ui.scene import RANKING, Scene

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
    sentence = _sentence(scene)
    places = {"count": at.get("reveal_due", 1), "least": money(least_bid(scene))}
    if "{others}" in sentence:
        waiting = scene.waiting
        places["others"] = scene.words.listed(name for player, name in scene.names.items() if player not in waiting)
    return sentence, places


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
        return "{player} plans in secret" if scene.turn else _planners(scene)
    if "borrow" in expects:
        wages, contract = "Waiting for {player}: choose a loan to pay the wages", "{player} takes a loan for a contract"
        return wages if scene.phase == "income" else contract
    return "Waiting for {player}"


MOST_NAMES = 2
"""So many names a sentence has at most where several players are waited for."""


def _planners(scene: Scene) -> str:
    """Return the sentence that asks for plans: two names at most, else who is missing, or nobody."""
    if len(scene.waiting) <= MOST_NAMES:
        return "Waiting for the plans of {player}"
    return "Everybody plans" if len(scene.waiting) == len(scene.players) else "All but {others} plan"


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


def can_pay_for(scene: Scene, contract: str) -> list[str] | None:
    """Return who has the least bid for a contract, as they sit; ``None``: somebody's cash is hidden."""
    purses = {player: seen["cash"] for player, seen in scene.players_by_seat.items()}
    if None in purses.values():
        return None
    premium = scene.position["display"].get(contract, 0) if scene.rules.premium_funds_bid else 0
    cost = scene.catalog["contracts"][contract]["cost"]
    return [player for player, cash in purses.items() if cash + premium >= cost]


def can_bid(scene: Scene, contract: str) -> list[str]:
    """Return who may bid for a contract and can, as they sit: also who declined to choose."""
    owned = {player: len(seen["contracts"]) + len(seen["completed"]) for player, seen in scene.players.items()}
    most, number = max(owned.values()), int(scene.position["round"])
    return [player for player in can_pay_for(scene, contract) or () if may_own_more(number, owned[player], most)]


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
    sentence = of_phase(scene, player) if of_phase else None
    if sentence is not None:
        return sentence
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


MOST_STONES = 5
"""Maximum number of turns of hiring that are shown singly."""


def seats(scene: Scene) -> list[ScreenSeat]:
    """Return the players as the big screen shows them, as they sit."""
    return [_seat(scene, player) for player in scene.players_by_seat]


def _seat(scene: Scene, player: str) -> ScreenSeat:
    state, status = standing(scene, player)
    seen, words = scene.players[player], scene.words
    types = [scene.catalog["workers"][card]["type"] for card in seen["workers"]]
    facts = tuple(SeatFact(kind, types.count(kind), words.say_in("workers", kind), kind) for kind in reversed(RANKING))
    tool = "first" if player == scene.position["start_player"] else ""
    return ScreenSeat(player, scene.purse(player), state, status, facts, _turns(scene, player), tool)


def opening_seats(scene: Scene, opens: str) -> list[ScreenSeat]:
    """Return the players as they sit while one of them opens their plan."""
    return [replace(seat, state="now" if seat.player == opens else "", status="", turns=None) for seat in seats(scene)]


def _turns(scene: Scene, player: str) -> tuple[int, int] | None:
    """Return how many opportunities to hire a player has used, and how many there are; ``None``: none are counted."""
    hire = scene.position.get("hire")
    if not hire or not scene.turn or hire["laps"] > MOST_STONES:
        return None
    order = _lap_order(scene, hire["lap"])
    used = hire["lap"] - (order.index(player) >= order.index(scene.turn))
    return (hire["laps"] if player in hire["rested"] else used), hire["laps"]


def _lap_order(scene: Scene, lap: int) -> list[str]:
    back = scene.rules.round1_draft == "snake" and scene.position["round"] == 1 and lap % 2 == 0
    order = list(scene.players)
    return order[::-1] if back else order


def next_player(scene: Scene) -> str | None:
    """Return who comes after the one player whom the table waits for; ``None`` where that depends on what they do."""
    if scene.turn is None:
        return None
    hire, auction = scene.position.get("hire"), scene.position.get("auction")
    if hire and "hire_worker" in scene.position["expects"]:
        order = _lap_order(scene, hire["lap"])
        later = order[order.index(scene.turn) + 1 :]
        later += _lap_order(scene, hire["lap"] + 1) if hire["lap"] < hire["laps"] else []
        return next((player for player in later if player not in hire["rested"] and player != scene.turn), None)
    if auction:
        order = list(scene.players)
        place = order.index(scene.turn)
        around = order[place + 1 :] + order[:place]
        return next((player for player in around if player in auction["still_in"]), None)
    return None


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
    """Return what a player is to do, as a sentence's id; ``None``: the table does not wait for that player."""
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
