"""Recording how a game begins: set up, or taken over."""

from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.moments import read
from companion.games.master_builder.rules.state import Hire, Player, State


def started(event: e.GameStarted) -> State:
    """Set the table."""
    return State(
        catalog=event.catalog,
        catalog_name=event.catalog_name,
        rules=event.rules,
        variants=event.variants,
        players=tuple(Player(seat.id, seat.name, event_hand=event.event_hand) for seat in event.players),
        start=event.first,
        phase=Hire(event.first, 1, event.laps),
        deck=event.contracts,
        economy=event.economy,
    )


def taken_over(event: e.GameTakenOver) -> State:
    """Lay out what was entered."""
    return State(
        catalog=event.catalog,
        catalog_name=event.catalog_name,
        rules=event.rules,
        variants=event.variants,
        players=event.players,
        start=event.start,
        phase=read(event.moment),
        deck=event.deck,
        economy=event.economy,
        round=event.round,
        last_round=event.last_round,
        end_found=event.end_found,
        display=event.display,
        removed=event.removed,
        seen=event.seen,
        turned_economy=event.turned_economy,
        turned_events=event.turned_events,
    )
