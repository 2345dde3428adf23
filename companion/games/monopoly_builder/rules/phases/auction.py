"""Auctions in any order: who has passed may come back once somebody bids (rulings MO-D21 to D23)."""

from typing import cast

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import free_cash
from companion.games.monopoly_builder.rules.catalog import LEAST_BID, UNIT
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.guards import (
    can_spend,
    out_of_debt,
    phase_of,
    running,
    solvent,
    waiting_for,
    whole_amount,
)
from companion.games.monopoly_builder.rules.state import Auction, GamePosition, State


def bid(recorder: Recorder, command: c.Bid) -> None:
    """Bid more than the leader."""
    auction = _bidding(recorder.state, command.player)
    if command.player in auction.passed and recorder.rules.passes_are_final:
        raise Refused("passed_already", player=command.player)
    whole_amount(command.amount)
    if command.amount < least_bid(auction):
        raise Refused("bid_too_low", least=least_bid(auction), bid=command.amount)
    can_spend(recorder.position, command.player, command.amount)
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
    auction = _bidding(recorder.state, command.player)
    if command.player in auction.passed:
        raise Refused("passed_already", player=command.player)
    recorder.record(e.BidderPassed(command.player))


def hammer(recorder: Recorder, command: c.Hammer) -> None:
    """Close the auction: all others have passed."""
    del command
    running(recorder.state)
    out_of_debt(recorder.state)
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


def _bidding(state: State, player: str) -> Auction:
    running(state)
    solvent(state, player)
    out_of_debt(state)
    auction = state.auction
    if auction is None:
        raise Refused("not_now", phase=phase_of(state), waiting=waiting_for(state))
    if player not in auction.may_bid:
        raise Refused("declined_already", player=player)
    if player == auction.leader:
        raise Refused("leads_already", player=player)
    return auction
