"""The end of phase 2: premiums, removals, and whether the next round is the last (rulings D18, D41)."""

from companion.engine.ledger import contract_account
from companion.games.master_builder.rules.events import (
    ContractRemoved,
    Event,
    EventsPhaseBegan,
    LastRoundFixed,
    PremiumLaid,
)
from companion.games.master_builder.rules.state import LAST_ROUND, Here

PREMIUM = 5_000


def close(here: Here) -> list[Event]:
    """Settle what stays on display and go on to phase 3."""
    state = here.state
    events: list[Event] = []
    left = 0
    removed = bool(state.removed)
    if state.round < state.last_round:
        for contract in state.display:
            lying = here.ledger.balance(contract_account(contract))
            if lying and state.rules.unsold == "premium_then_remove":
                events.append(ContractRemoved(contract, lying))
                removed = True
                continue
            if not lying:
                events.append(PremiumLaid(contract, PREMIUM))
            left += 1
    else:
        left = len(state.display)
    acquired = state.rules.removed_counts_for_end or not removed
    if not state.end_found and state.deck == 0 and left == 0 and acquired:
        events.append(LastRoundFixed(min(LAST_ROUND, state.round + 1)))
    return [*events, EventsPhaseBegan()]
