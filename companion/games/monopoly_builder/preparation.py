"""What is laid ready before the first throw (set-up, rulings MO-D01 to D04)."""

from companion.game_api.capabilities import PreparationStep
from companion.games.monopoly_builder.rules.catalog import BLOCKS, START_CASH, START_CHIPS
from companion.games.monopoly_builder.rules.state import GamePosition


def is_due(position: GamePosition) -> bool:
    """Return whether everybody stands on GO and nothing was bought or built yet."""
    state = position.state
    begun = any(
        player.space or player.deeds or player.cards or player.in_jail or player.bankrupt for player in state.players
    )
    return not (begun or state.board or state.dice)


def steps(position: GamePosition, seen: frozenset[str]) -> list[PreparationStep]:
    """Return what is laid ready, in an order in which several people can help; cards in view prove nothing."""
    del seen
    deeds = "deeds_shuffled" if position.state.rules.deeds == "shuffled" else "deeds_beside"
    return [
        PreparationStep("board"),
        PreparationStep(deeds),
        PreparationStep("chance"),
        PreparationStep("bank"),
        PreparationStep("money", START_CASH),
        PreparationStep("chips", START_CHIPS),
        PreparationStep("blocks", BLOCKS),
        PreparationStep("token"),
        PreparationStep("dice"),
    ]
