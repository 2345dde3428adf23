"""The phase that an event belongs to; an event recorded in another phase is a torn journal."""

from typing import TypeVar

from companion.engine.auction import Auction
from companion.games.master_builder.rules.state import Contracts, Phase, State

P = TypeVar("P", bound=Phase)


class MisplacedEventError(ValueError):
    """An event in a phase in which it cannot have happened."""


def phase_of(state: State, kind: type[P]) -> P:
    """Give the phase as the kind that it must be."""
    if not isinstance(state.phase, kind):
        message = f"an event of {kind.__name__} in {type(state.phase).__name__}"
        raise MisplacedEventError(message)
    return state.phase


def auction_of(state: State) -> Auction:
    """Give the auction that must be running."""
    auction = phase_of(state, Contracts).auction
    if auction is None:
        message = "an event of an auction where none is running"
        raise MisplacedEventError(message)
    return auction
