"""The position as its viewers may see it: the JSON that interfaces describe.

Plans stay with their player until all are revealed, and money is open, unless a house rule says otherwise.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import Any

from companion.engine.game import Overview, Seat, StandingsRow
from companion.engine.ledger import BANK, BOX
from companion.game_api.house_rules import changed_rules
from companion.game_api.messages import show_fields
from companion.games.master_builder.rules.loans import is_late, owes
from companion.games.master_builder.rules.phases import waits
from companion.games.master_builder.rules.scoring import standings
from companion.games.master_builder.rules.state import (
    WAGE_LIMIT,
    Build,
    Contracts,
    Events,
    Finished,
    GamePosition,
    Hire,
    Income,
    Planned,
    Player,
    State,
    cash,
    contract_account,
    phase_name,
    worker_card,
)


def view(position: GamePosition, viewer: str) -> dict[str, Any]:
    """Show the position; lists of cards sorted, players in turn order from the start player."""
    return {**_open_to_all(SamePosition(position)), **_of_phase(position.state, viewer)}


class SamePosition:
    """A position as a key: by identity, since to compare all of it would take longer than to show it."""

    __slots__ = ("position",)

    def __init__(self, position: GamePosition) -> None:
        """Store the position, so that its identity stays its own."""
        self.position = position

    def __hash__(self) -> int:
        return id(self.position)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SamePosition) and self.position is other.position


@lru_cache(16)
def _open_to_all(key: SamePosition) -> dict[str, Any]:
    """Return what everybody may see; kept for the next viewers, who change nothing of it."""
    position = key.position
    state = position.state
    waiting, expects = waits(position)
    phase = state.phase
    reveal_due = phase.reveal_due if isinstance(phase, Contracts) and not phase.economy_due else 0
    finished = isinstance(phase, Finished)
    return {
        "game": "master_builder",
        "catalog": state.catalog_name,
        "round": state.round,
        "last_round": state.last_round,
        "phase": phase_name(phase),
        "start_player": state.start,
        "waiting_for": list(waiting),
        "expects": list(expects),
        "reveal_due": reveal_due,
        "players": {player: _player(position, state.player(player)) for player in state.turn_order},
        "seats": list(state.seats),
        "display": {card: position.ledger.balance(contract_account(card)) for card in state.display},
        "deck": {"contracts": state.deck, "economy": state.economy},
        "removed": list(state.removed),
        "turned": {"economy": sorted(state.turned_economy), "events": sorted(state.turned_events)},
        "loans_late": is_late(state),
        "wage_limit": WAGE_LIMIT,
        "bank": position.ledger.balance(BANK),
        "rules": changed_rules(state.rules),
        "variants": list(state.variants),
        "on_contracts": position.ledger.starting_with(contract_account("")),
        "money_in_play": -position.ledger.balance(BOX),
        "auction": _auction(phase),
        "finished": finished,
        "standings": [show_fields(line) for line in standings(position)] if finished else None,
        "workers": _changed_wages(state),
        "round_wages": {worker.id: worker.extra for player in state.players for worker in player.crew if worker.extra},
    }


def _player(position: GamePosition, player_state: Player) -> dict[str, Any]:
    return {
        "name": player_state.name,
        "cash": cash(position, player_state.id),
        "wages": player_state.wages,
        "workers": sorted(worker.id for worker in player_state.crew),
        "unavailable": sorted(worker.id for worker in player_state.crew if not worker.face_up),
        "contracts": {
            site.contract: list(site.built) for site in sorted(player_state.sites, key=lambda site: site.contract)
        },
        "completed": sorted(player_state.completed),
        "loans": {"small": player_state.small, "large": player_state.large},
        "event_hand": player_state.event_hand,
        "owes": owes(position.state, player_state),
    }


def _auction(phase: object) -> dict[str, Any] | None:
    if not isinstance(phase, Contracts) or phase.auction is None:
        return None
    auction = phase.auction
    return {"contract": auction.lot, **show_fields(auction, "bid", "leader", "still_in")}


def _changed_wages(state: State) -> dict[str, int]:
    """Return which workers cost otherwise than printed, or have something for this round only, and how much."""
    return {
        worker.id: worker.due
        for player in state.players
        for worker in player.crew
        if worker.extra or worker.due != worker_card(state, worker.id).wage
    }


def _of_phase(state: State, viewer: str) -> dict[str, Any]:
    """Add what only this phase has."""
    match state.phase:
        case Hire() as phase:
            lap = {"lap": phase.lap, "laps": phase.laps, "looked": phase.looked, "passes": phase.passes}
            return {"hire": {**lap, "rested": _in_turn(state, phase.rested)}}
        case Contracts() as phase:
            begun = {"economy_due": phase.economy_due, "raised": phase.raised}
            return {"declined": _in_turn(state, phase.declined), **begun}
        case Events() as phase:
            return {"drawn": phase.drawn} if phase.card is None else {"drawn": phase.drawn, "event": _event(phase)}
        case Build() as phase:
            plans = {plan.player: _work(plan) for plan in phase.plans}
            shown = {"plans": plans} if state.rules.plans == "open" else {}
            planned = _in_turn(state, [plan.player for plan in phase.plans])
            lent = [show_fields(loaned) for loaned in phase.lent]
            return {"planned": planned, "plan": plans.get(viewer), "lent": lent, **shown}
        case Income() as phase:
            paid = {payment.player: payment.amount for payment in phase.paid}
            return {"settlement": {"earned": [show_fields(payment) for payment in phase.earned], "paid": paid}}
        case _:
            return {}


def _event(phase: Events) -> dict[str, Any]:
    met = {"player": phase.player, "effect": phase.step, "hit": list(phase.hit)}
    return {"card": phase.card, **met, "rest": list(phase.rest)}


def _work(plan: Planned) -> dict[str, dict[str, list[str]]]:
    work: dict[str, dict[str, list[str]]] = {}
    for job in plan.work:
        work.setdefault(job.contract, {})[job.section] = list(job.workers)
    return work


def _in_turn(state: State, players: Collection[str]) -> list[str]:
    """Put players into turn order."""
    return [player for player in state.turn_order if player in players]


# The overview of a position for screens and services that do not know the game.


def overview(position: GamePosition) -> Overview:
    """Return which phase it is, whom the table waits for, and how the game ended."""
    state = position.state
    waiting, expects = waits(position)
    finished = isinstance(state.phase, Finished)
    ended = standings(position) if finished else ()
    return Overview(
        phase=phase_name(state.phase),
        players=tuple(
            Seat(seated_player.id, seated_player.name, seated_player.sitter)
            for seated_player in map(state.player, state.turn_order)
        ),
        seats=state.seats,
        waiting_for=tuple(waiting),
        expects=tuple(expects),
        round=state.round,
        finished=finished,
        standings=tuple(StandingsRow(line.player, line.rank, (("worth", line.worth),)) for line in ended),
    )
