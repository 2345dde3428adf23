"""The players who may choose a contract or bid, and who must take one in round 1 (rulings D08, D13 to D16)."""

from dataclasses import dataclass

from companion.games.master_builder.rules.loans import lends_itself
from companion.games.master_builder.rules.state import Contracts, GamePosition, State, cash, contract_card

ROUND_1_MOST = 2
END_PHASE = "end_phase"
"""The house rule under which the first who declines ends the phase (D08)."""


@dataclass(frozen=True, slots=True)
class LotChooser:
    """The player who names the next lot; ``must``: they may not decline (D16)."""

    player: str
    must: bool


def may_bid(state: State, player: str) -> bool:
    """Round 1: nobody beyond two contracts, and once somebody has two only those without any (D13)."""
    if state.round > 1:
        return True
    owned = state.player(player).contracts
    somebody_has_two = any(player.contracts >= ROUND_1_MOST for player in state.players)
    return owned < ROUND_1_MOST and (not somebody_has_two or owned == 0)


def affordable(position: GamePosition, player: str) -> bool:
    """Return whether a player can pay the lowest cost on display."""
    return any(
        purse(position, player, contract) >= contract_card(position.state, contract).cost
        for contract in position.state.display
    )


def purse(position: GamePosition, player: str, contract: str) -> int:
    """Return up to how much a player may bid for a contract: his cash, and by house rule what lies on it."""
    return cash(position, player) + lends_itself(position, contract)


def chooser(position: GamePosition, phase: Contracts) -> LotChooser | None:
    """Find who chooses now; ``None`` when nobody is left to choose and the phase is over."""
    state = position.state
    if not state.display:
        return None
    over = state.rules.after_pass == END_PHASE and bool(phase.declined)
    for player in () if over else state.turn_order:
        if player not in phase.declined and may_bid(state, player) and affordable(position, player):
            return LotChooser(player, must=False)
    if state.round == 1:
        for player in state.turn_order:
            if state.player(player).contracts == 0:
                return LotChooser(player, must=True)
    return None


def last_without(position: GamePosition, phase: Contracts) -> str | None:
    """Round 1, one contract left and one player without: he gets it at printed cost, unasked (D15)."""
    state = position.state
    if state.round > 1 or phase.auction is not None or len(state.display) != 1:
        return None
    without = [player.id for player in state.players if player.contracts == 0]
    return without[0] if len(without) == 1 else None
