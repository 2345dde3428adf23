"""What is laid ready before the first hire (rules, preparation), and which cards show that it is."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.games.master_builder.rules.catalog import RANK
from companion.games.master_builder.rules.seats import FEWEST
from companion.games.master_builder.rules.setup import BOXED_WITH_TWO, ECONOMY_DECK, EVENT_HAND, START_CASH
from companion.games.master_builder.rules.state import Hire, State

StepName: TypeAlias = Literal[
    "sections", "workers", "contracts", "events", "economy", "money", "ious", "markers", "mallet"
]

PILES: Mapping[StepName, str] = {"workers": "W", "contracts": "C", "events": "E", "economy": "Y"}
"""Steps that cards can show to be done, by the letter of their ids."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to lay ready.

    ``count`` is its figure: contracts that stay in the box, events in each hand, economic situations in the deck,
    dollars for each player, markers; 0 where it has none.
    """

    name: StepName
    count: int = 0


def is_due(state: State) -> bool:
    """Say whether the table still waits for its first hire."""
    bare = not any(player.crew or player.contracts for player in state.players)
    return state.round == 1 and isinstance(state.phase, Hire) and bare


def steps(players: int, variants: Collection[str]) -> tuple[Step, ...]:
    """List what is laid ready for so many players, in an order in which several can help."""
    return (
        Step("sections"),
        Step("workers"),
        Step("contracts", BOXED_WITH_TWO if players == FEWEST else 0),
        Step("events", EVENT_HAND if "selective_events" in variants else 0),
        Step("economy", ECONOMY_DECK),
        Step("money", START_CASH),
        Step("ious"),
        Step("markers", players),
        Step("mallet"),
    )


def shown(step: Step, cards: Collection[str], types: Mapping[str, str]) -> tuple[int, int]:
    """Say how many piles of a step the cards seen show, and how many it has; ``(0, 0)``: cards say nothing of it.

    The workers lie in four piles by type (``types``: worker to type); the other piles show by any of their cards.
    """
    letter = PILES.get(step.name)
    if letter is None:
        return 0, 0
    lying = [card for card in cards if card.startswith(letter)]
    if step.name != "workers":
        return min(len(lying), 1), 1
    return len({types[card] for card in lying if card in types}), len(RANK)
