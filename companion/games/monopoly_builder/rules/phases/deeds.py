"""Deeds: auctions, rents, debts, mortgages, bankruptcy and trades (rulings MO-D21 to D24, D35 to D43)."""

from typing import cast

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import cash, chips, free_cash
from companion.games.monopoly_builder.rules.catalog import LEAST_BID, UNIT, some
from companion.games.monopoly_builder.rules.phases import (
    Recorder,
    kept_verb,
    phase_of,
    require_chance,
    require_chips,
    require_deed,
    require_money,
    require_no_debt,
    require_playing,
    require_running,
    require_solvent,
    validate_amount,
    validate_chips,
    waiting_for,
)
from companion.games.monopoly_builder.rules.state import Auction, Debt, GamePosition, Player, State

# Auctions in any order: who has passed may come back once somebody bids (rulings MO-D21 to D23).


def bid(recorder: Recorder, command: c.Bid) -> None:
    """Bid more than the leader."""
    auction = _require_auction(recorder.state, command.player)
    if command.player in auction.passed and recorder.rules.passes_are_final:
        raise Refused("passed_already", player=command.player)
    validate_amount(command.amount)
    if command.amount < least_bid(auction):
        raise Refused("bid_too_low", least=least_bid(auction), bid=command.amount)
    require_money(recorder.position, command.player, command.amount)
    passed = auction.passed if recorder.rules.passes_are_final else ()
    recorder.record(e.BidMade(command.player, command.amount, passed))


def least_bid(auction: Auction) -> int:
    """Return what the next bid must be at least."""
    return LEAST_BID if auction.bid is None else auction.bid + UNIT


def may_raise(position: GamePosition, player: str) -> bool:
    """Return whether a player could bid now."""
    auction = position.state.auction
    if auction is None or player == auction.leader or player not in auction.may_bid:
        return False
    if player in auction.passed and position.state.rules.passes_are_final:
        return False
    return free_cash(position, player) >= least_bid(auction)


def pass_bid(recorder: Recorder, command: c.Pass) -> None:
    """Bid no more, as long as nobody else does."""
    auction = _require_auction(recorder.state, command.player)
    if command.player in auction.passed:
        raise Refused("passed_already", player=command.player)
    recorder.record(e.BidderPassed(command.player))


def hammer(recorder: Recorder, command: c.Hammer) -> None:
    """Close the auction: all others have passed."""
    del command
    require_running(recorder.state)
    require_no_debt(recorder.state)
    if recorder.state.auction is None:
        raise Refused("no_auction")
    close(recorder)


def close(recorder: Recorder) -> None:
    """Sell the deed to the leader, or leave it with the bank."""
    auction = under_the_hammer(recorder.state)
    if auction.leader is not None and auction.bid is not None:
        recorder.record(e.DeedSold(auction.leader, auction.deed, auction.bid))
    else:
        recorder.record(e.DeedUnsold(auction.deed))


def under_the_hammer(state: State) -> Auction:
    """Return the auction that is open."""
    return cast("Auction", state.auction)


def is_over(state: State) -> bool:
    """Return whether all who may bid but the leader have passed since the last bid."""
    return state.auction is not None and not waiting_for(state)


def _require_auction(state: State, player: str) -> Auction:
    require_playing(state, player)
    require_no_debt(state)
    auction = state.auction
    if auction is None:
        raise Refused("not_now", phase=phase_of(state), waiting=waiting_for(state))
    if player not in auction.may_bid:
        raise Refused("declined_already", player=player)
    if player == auction.leader:
        raise Refused("leads_already", player=player)
    return auction


# Rents that are claimed, debts, mortgages, bankruptcy (rulings MO-D24, D35 to D43).


def claim_rent(recorder: Recorder, command: c.ClaimRent) -> None:
    """Demand the rent of a landing: the oldest one on that deed."""
    state = recorder.state
    require_playing(state, command.player)
    require_deed(state, command.deed)
    require_no_debt(state)
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
    player = _require_owner(recorder.state, command.player, command.deed)
    if command.deed in player.mortgaged:
        raise Refused("mortgaged_already", card=command.deed)
    if recorder.rules.mortgage == "in_debt" and player.id not in recorder.state.debtors:
        raise Refused("owes_nothing", player=player.id)
    deed = require_deed(recorder.state, command.deed)
    recorder.record(e.DeedMortgaged(player.id, deed.id, deed.mortgage))


def unmortgage(recorder: Recorder, command: c.Unmortgage) -> None:
    """Lift a mortgage."""
    player = _require_owner(recorder.state, command.player, command.deed)
    if command.deed not in player.mortgaged:
        raise Refused("not_mortgaged", card=command.deed)
    if player.id in recorder.state.debtors:
        raise Refused("debts_first", player=player.id)
    deed = require_deed(recorder.state, command.deed)
    require_money(recorder.position, player.id, deed.unmortgage)
    recorder.record(e.DeedRedeemed(player.id, deed.id, deed.unmortgage))


def _require_owner(state: State, player: str, deed: str) -> Player:
    debtor = require_playing(state, player)
    require_deed(state, deed)
    if deed not in debtor.deeds:
        raise Refused("not_your_deed", card=deed, player=player)
    return debtor


def declare_bankrupt(recorder: Recorder, command: c.DeclareBankrupt) -> None:
    """Hand all over to the creditor of the oldest debt; without a turn any more, buildings stay."""
    state = recorder.state
    player = require_playing(state, command.player)
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


# Trades that two players have agreed on (ruling MO-D28).


def trade(recorder: Recorder, command: c.Trade) -> None:
    """Exchange what both have agreed on."""
    require_playing(recorder.state, command.player)
    require_solvent(recorder.state, command.with_)
    if command.player == command.with_:
        raise Refused("not_with_oneself", player=command.player)
    give, get = (
        _validate_bundle(recorder, command.player, command.give),
        _validate_bundle(recorder, command.with_, command.get),
    )
    if give == c.Bundle() == get:
        raise Refused("nothing_to_trade")
    recorder.record(e.Traded(command.player, command.with_, give, get))


def _validate_bundle(recorder: Recorder, giver: str, bundle: c.Bundle) -> c.Bundle:
    """Return what a side gives, without kinds of chips of which it gives none; ``Refused`` where it has less."""
    validate_amount(bundle.money, 0)
    require_money(recorder.position, giver, bundle.money)
    chips = validate_chips(recorder.position, giver, bundle.chips)
    require_chips(recorder.position, giver, chips)
    holder = recorder.state.player(giver)
    for deed in bundle.deeds:
        require_deed(recorder.state, deed)
        _require_holding(giver, deed, holder.deeds, bundle.deeds)
    for card in bundle.cards:
        require_chance(recorder.state, card)
        _require_holding(giver, card, holder.cards, bundle.cards)
        if recorder.rules.trade_cards == "jail_only" and kept_verb(recorder.state, card) != "out_of_jail":
            raise Refused("only_jail_cards", card=card)
    return c.Bundle(bundle.money, some(chips), bundle.deeds, bundle.cards)


def _require_holding(giver: str, card: str, cards_of_giver: tuple[str, ...], named: tuple[str, ...]) -> None:
    if card not in cards_of_giver or named.count(card) > 1:
        raise Refused("not_held", card=card, player=giver)
