"""What is laid ready before the first throw (set-up, rulings MO-D01 to D04)."""

from collections.abc import Iterator

from companion.games.monopoly_builder.rules.kinds import BLOCKS, START_CASH, START_CHIPS
from companion.games.monopoly_builder.rules.state import State

Prepared = tuple[str, int]
"""A step by its name, and its figure: 0 where it has none."""


def is_due(state: State) -> bool:
    """Say whether everybody stands on GO and nothing was bought or built yet."""
    begun = any(one.space or one.deeds or one.cards or one.in_jail or one.bankrupt for one in state.players)
    return not (begun or state.board or state.dice)


def steps(state: State) -> Iterator[Prepared]:
    """List what is laid ready, in an order in which several can help."""
    yield "board", 0
    yield "deeds_shuffled" if state.rules.deeds == "shuffled" else "deeds_beside", 0
    yield "chance", 0
    yield "bank", 0
    yield "money", START_CASH
    yield "chips", START_CHIPS
    yield "blocks", BLOCKS
    yield "token", 0
    yield "dice", 0
