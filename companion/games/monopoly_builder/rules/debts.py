"""Rents that are claimed, debts, mortgages, bankruptcy (rulings MO-D24, D35 to D43)."""

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.guards import (
    can_spend,
    deed_named,
    out_of_debt,
    running,
    solvent,
)
from companion.games.monopoly_builder.rules.holdings import cash, chips
from companion.games.monopoly_builder.rules.kinds import some
from companion.games.monopoly_builder.rules.state import Debt, Here, Player, State


def claim_rent(course: Course, command: c.ClaimRent) -> None:
    """Demand the rent of a landing: the oldest one on that deed."""
    state = course.state
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
    course.happens(e.RentClaimed(claim.owner, claim.payer, claim.deed, claim.amount))
    course.owe(claim.payer, claim.owner, claim.amount)


def payable(here: Here) -> Debt | None:
    """Give the oldest debt that its debtor can pay."""
    return next((debt for debt in here.state.debts if cash(here, debt.debtor) >= debt.amount), None)


def mortgage(course: Course, command: c.Mortgage) -> None:
    """Take the bank's money for a deed."""
    player = _owner(course.state, command.player, command.deed)
    if command.deed in player.mortgaged:
        raise Refused("mortgaged_already", card=command.deed)
    if course.rules.mortgage == "in_debt" and player.id not in course.state.debtors:
        raise Refused("owes_nothing", player=player.id)
    deed = deed_named(course.state, command.deed)
    course.happens(e.DeedMortgaged(player.id, deed.id, deed.mortgage))


def unmortgage(course: Course, command: c.Unmortgage) -> None:
    """Lift a mortgage."""
    player = _owner(course.state, command.player, command.deed)
    if command.deed not in player.mortgaged:
        raise Refused("not_mortgaged", card=command.deed)
    if player.id in course.state.debtors:
        raise Refused("debts_first", player=player.id)
    deed = deed_named(course.state, command.deed)
    can_spend(course.here, player.id, deed.unmortgage)
    course.happens(e.DeedRedeemed(player.id, deed.id, deed.unmortgage))


def _owner(state: State, player: str, deed: str) -> Player:
    running(state)
    found = solvent(state, player)
    deed_named(state, deed)
    if deed not in found.deeds:
        raise Refused("not_your_deed", card=deed, player=player)
    return found


def declare_bankrupt(course: Course, command: c.DeclareBankrupt) -> None:
    """Give all to the creditor of the oldest debt; without a turn any more, buildings stay."""
    state = course.state
    running(state)
    player = solvent(state, command.player)
    debt = next((one for one in state.debts if one.debtor == player.id), None)
    if debt is None:
        raise Refused("owes_nothing", player=player.id)
    if set(player.deeds) - set(player.mortgaged):
        raise Refused("can_still_mortgage", player=player.id)
    left, held = cash(course.here, player.id), some(chips(course.here, player.id))
    course.happens(e.WentBankrupt(player.id, debt.creditor, left, held, player.deeds, player.cards))
    _without(course, player.id)


def _without(course: Course, gone: str) -> None:
    """End the game where too few are left, or the turn of who is gone."""
    left = course.state.turn_order
    if not left or (len(left) == 1 and course.rules.last_solvent == "ends"):
        course.happens(e.GameEnded("last_solvent"))
    elif gone == course.state.turn:
        course.pass_turn()
