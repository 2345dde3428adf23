"""Forecasts and suggestions as the JSON that interfaces describe."""

from typing import Any

from companion.games.master_builder.advice.reasons import Reason, Suggestion
from companion.games.master_builder.forecast.money import Forecast, Low, Movement
from companion.games.master_builder.forecast.outlook import SafeBids, forecast, safe_bids, what_if_bid
from companion.games.master_builder.rules.commands import Plan
from companion.games.master_builder.rules.guards import seated
from companion.games.master_builder.rules.state import Here
from companion.games.master_builder.rules.view import money_hidden


def forecast_view(
    here: Here, viewer: str, player: str, contract: str | None = None, bid: int | None = None
) -> dict[str, Any] | None:
    """Show a player's forecast, and what a contract would change for a bid; ``None``: not for this viewer's eyes.

    ``Refused`` where there is no such player, or the bid could not be made.  A plan locked in secret counts
    for its own player only.
    """
    seated(here.state, player)
    if money_hidden(here.state, viewer, player):
        return None
    own = viewer == player
    if contract is None:
        return {**_described(forecast(here, player, in_confidence=own)), "bid": None}
    room = safe_bids(here, player, contract)
    found = forecast(here, player, in_confidence=own) if bid is None else what_if_bid(here, player, contract, bid)
    return {**_described(found), "bid": _bids(room, bid)}


def _described(found: Forecast) -> dict[str, Any]:
    return {
        "player": found.player,
        "cash": found.cash,
        "movements": [_movement(one) for one in found.movements],
        "short": None if found.short is None else {"round": found.short.round, "amount": found.short.amount},
        "next": None if found.next is None else _low(found.next),
        "end": _low(found.end),
        "unfinished": found.unfinished,
        "owes": {"early": found.owes_early, "late": found.owes_late, "late_is_certain": found.late},
        "worth": found.worth,
    }


def _movement(one: Movement) -> dict[str, Any]:
    named = {"card": one.card, "loan": one.loan}
    known = {key: value for key, value in named.items() if value is not None}
    return {"round": one.round, "phase": one.phase, "why": one.why, "amount": one.amount, "cash": one.cash, **known}


def _low(low: Low) -> dict[str, Any]:
    return {
        "cash": low.cash,
        "round": low.round,
        "short": low.short,
        "loans": {"small": low.small, "large": low.large},
    }


def _bids(room: SafeBids, bid: int | None) -> dict[str, Any]:
    return {
        "contract": room.contract,
        "amount": bid,
        "least": room.least,
        "most": room.most,
        "safe": {"next": room.next, "end": room.end},
        "rounds": [{"round": one.round, "most": one.most} for one in room.rounds],
    }


def planned(advice: Suggestion) -> Plan:
    """Give a suggestion as the command that would carry it out."""
    work: dict[str, dict[str, tuple[str, ...]]] = {}
    for job in advice.jobs:
        work.setdefault(job.contract, {})[job.section] = job.workers
    return Plan(advice.player, work)


def reasons_view(advice: Suggestion) -> dict[str, Any]:
    """Show what a suggestion earns and why it is what it is."""
    return {
        "earns": advice.earns,
        "reasons": [_reason(reason) for reason in advice.reasons],
        "idle": sorted(advice.idle),
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return {
        "why": reason.why,
        "contract": reason.contract,
        "sections": list(reason.sections),
        "left": reason.left,
        "price": reason.price,
    }
