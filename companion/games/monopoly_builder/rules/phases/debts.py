"""Rents that are claimed, debts, mortgages, bankruptcy (rulings MO-D24, D35 to D43)."""

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import cash, chips
from companion.games.monopoly_builder.rules.catalog import some
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.guards import (
    can_spend,
    deed_named,
    out_of_debt,
    running,
    solvent,
)
from companion.games.monopoly_builder.rules.state import Debt, GamePosition, Player, State


def claim_rent(recorder: Recorder, command: c.ClaimRent) -> None:
    """Demand the rent of a landing: the oldest one on that deed."""
    state = recorder.state
    running(state)
    solvent(state, command.player)
    deed_named(state, command.deed)
    out_of_debt(state)
    mine = [claim for claim in state.claims if (claim.owner, claim.deed) == (command.player, command.deed)]
    if not mine:
        raise Refused("no_such_claim", player=command.player, card=command.deed)
    if state.auction is not None:
        raise Refused("not_in_an_auction")
    claim = mine[0]
    recorder.record(e.RentClaimed(claim.owner, claim.payer, claim.deed, claim.amount))
    recorder.incur_debt(claim.payer, claim.owner, claim.amount)


def payable(position: GamePosition) -> Debt | None:
    """Return the oldest debt that its debtor can pay."""
    return next((debt for debt in position.state.debts if cash(position, debt.debtor) >= debt.amount), None)


def mortgage(recorder: Recorder, command: c.Mortgage) -> None:
    """Mortgage a deed to the bank."""
    player = _owner(recorder.state, command.player, command.deed)
    if command.deed in player.mortgaged:
        raise Refused("mortgaged_already", card=command.deed)
    if recorder.rules.mortgage == "in_debt" and player.id not in recorder.state.debtors:
        raise Refused("owes_nothing", player=player.id)
    deed = deed_named(recorder.state, command.deed)
    recorder.record(e.DeedMortgaged(player.id, deed.id, deed.mortgage))


def unmortgage(recorder: Recorder, command: c.Unmortgage) -> None:
    """Lift a mortgage."""
    player = _owner(recorder.state, command.player, command.deed)
    if command.deed not in player.mortgaged:
        raise Refused("not_mortgaged", card=command.deed)
    if player.id in recorder.state.debtors:
        raise Refused("debts_first", player=player.id)
    deed = deed_named(recorder.state, command.deed)
    can_spend(recorder.position, player.id, deed.unmortgage)
    recorder.record(e.DeedRedeemed(player.id, deed.id, deed.unmortgage))


def _owner(state: State, player: str, deed: str) -> Player:
    running(state)
    debtor = solvent(state, player)
    deed_named(state, deed)
    if deed not in debtor.deeds:
        raise Refused("not_your_deed", card=deed, player=player)
    return debtor


def declare_bankrupt(recorder: Recorder, command: c.DeclareBankrupt) -> None:
    """Hand all over to the creditor of the oldest debt; without a turn any more, buildings stay."""
    state = recorder.state
    running(state)
    player = solvent(state, command.player)
    debt = next((debt for debt in state.debts if debt.debtor == player.id), None)
    if debt is None:
        raise Refused("owes_nothing", player=player.id)
    if set(player.deeds) - set(player.mortgaged):
        raise Refused("can_still_mortgage", player=player.id)
    left, chips_left = cash(recorder.position, player.id), some(chips(recorder.position, player.id))
    recorder.record(e.WentBankrupt(player.id, debt.creditor, left, chips_left, player.deeds, player.cards))
    _without(recorder, player.id)


def _without(recorder: Recorder, gone: str) -> None:
    """End the game where too few are left, or the turn of who is gone."""
    left = recorder.state.turn_order
    if not left or (len(left) == 1 and recorder.rules.last_solvent == "ends"):
        recorder.record(e.GameEnded("last_solvent"))
    elif gone == recorder.state.turn:
        recorder.pass_turn()
