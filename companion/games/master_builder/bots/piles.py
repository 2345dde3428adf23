"""The shuffled piles of a real box: which card lies on top is settled on the table, not by the rules."""

from dataclasses import dataclass

from companion.games.master_builder.rules.catalog import RANK, WorkerType
from companion.games.master_builder.rules.guards import worker_card
from companion.games.master_builder.rules.setup import EVENT_HAND
from companion.games.master_builder.rules.state import State


@dataclass(frozen=True, slots=True)
class Piles:
    """Every pile from the top down, as it was shuffled before the game.  Only the dealer may look into them."""

    contracts: tuple[str, ...]
    workers: tuple[str, ...]
    events: tuple[str, ...]
    economy: tuple[str, ...]

    def next_contracts(self, state: State, number: int) -> tuple[str, ...]:
        """Give the contracts that come up next."""
        return tuple(card for card in self.contracts if card not in state.seen)[:number]

    def next_event(self, state: State) -> str:
        """Give the event on top of what was not dealt; of the hands, should the deck be used up."""
        dealt = _dealt(state)
        undealt = self.events[dealt:] + self.events[:dealt]
        return next(card for card in undealt if card not in state.turned_events)

    def hand(self, state: State, player: str) -> tuple[str, ...]:
        """Give the events that a player was dealt and still holds (variant ``selective_events``)."""
        first = state.seats.index(player) * EVENT_HAND
        dealt = self.events[first : first + EVENT_HAND] if _dealt(state) else ()
        return tuple(card for card in dealt if card not in state.turned_events)

    def next_economy(self, state: State) -> str:
        """Give the economic situation on top."""
        return next(card for card in self.economy if card not in state.turned_economy)

    def on_top(self, state: State) -> dict[WorkerType, str]:
        """Give the one worker of each type who can be seen."""
        employed = {worker.id for player in state.players for worker in player.crew}
        seen: dict[WorkerType, str] = {}
        for worker in self.workers:
            if worker not in employed:
                seen.setdefault(worker_card(state, worker).type, worker)
            if len(seen) == len(RANK):
                break
        return seen


def _dealt(state: State) -> int:
    """Count the events dealt to hands before the game."""
    return EVENT_HAND * len(state.seats) if "selective_events" in state.variants else 0
