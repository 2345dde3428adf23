"""Recording what happens to deeds, rents, debts, auctions, trades, and to who is bankrupt."""

from typing import TypeAlias, cast

from companion.engine.copying import copy_with
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.state import Auction, Claim, Debt, Player, Site, State

DeedEvent: TypeAlias = (
    e.DeedTurnedUp
    | e.DeedOffered
    | e.DeedBought
    | e.AuctionOpened
    | e.BidMade
    | e.BidderPassed
    | e.DeedSold
    | e.DeedUnsold
    | e.RentFell
    | e.RentClaimed
    | e.DebtIncurred
    | e.DebtPaid
    | e.DeedMortgaged
    | e.DeedRedeemed
    | e.Traded
    | e.WentBankrupt
)


def deeds_changed(state: State, event: DeedEvent) -> State:
    """Give the state after an event about deeds and debts."""
    match event:
        case e.DeedBought(player, deed) | e.DeedSold(player, deed):
            idle = copy_with(state, stage="act", offered=None, auction=None)
            return with_deed(idle, deed, player, mortgaged=False)
        case e.DeedMortgaged(player, deed):
            return with_deed(state, deed, player, mortgaged=True)
        case e.DeedRedeemed(player, deed):
            return with_deed(state, deed, player, mortgaged=False)
        case e.DeedTurnedUp() | e.DeedOffered() | e.AuctionOpened() | e.DeedUnsold():
            return _offered(state, event)
        case e.BidMade() | e.BidderPassed():
            return _auction(state, event)
        case e.RentFell() | e.RentClaimed() | e.DebtIncurred() | e.DebtPaid():
            return _owed(state, event)
        case e.Traded():
            return _traded(state, event)
        case _:
            return _bankrupt(state, event)


def _offered(state: State, event: e.DeedTurnedUp | e.DeedOffered | e.AuctionOpened | e.DeedUnsold) -> State:
    match event:
        case e.DeedTurnedUp(space, deed):
            sites = tuple(Site(space, deed) if one.space == space else one for one in state.sites)
            return copy_with(state, sites=sites)
        case e.DeedOffered(deed=deed):
            return copy_with(state, stage="buy", offered=deed)
        case e.AuctionOpened(deed=deed, may_bid=may_bid):
            return copy_with(state, stage="auction", auction=Auction(deed, may_bid))
        case _:
            return copy_with(state, stage="act", offered=None, auction=None)


def _traded(state: State, event: e.Traded) -> State:
    for bundle, taker in ((event.give, event.with_), (event.get, event.player)):
        for deed in bundle.deeds:
            state = with_deed(state, deed, taker, mortgaged=is_mortgaged(state, deed))
        for card in bundle.cards:
            state = with_card(state, card, taker)
    return state


def is_mortgaged(state: State, deed: str) -> bool:
    """Say whether a deed is mortgaged."""
    return any(deed in player.mortgaged for player in state.players)


def with_deed(state: State, deed: str, owner: str | None, *, mortgaged: bool) -> State:
    """Put a deed to its owner; ``None``: the bank."""
    players: list[Player] = []
    for player in state.players:
        if player.id != owner and deed not in player.deeds:
            players.append(player)
            continue
        deeds = _with(player.deeds, deed, there=player.id == owner)
        lent = _with(player.mortgaged, deed, there=player.id == owner and mortgaged)
        players.append(copy_with(player, deeds=deeds, mortgaged=lent))
    return copy_with(state, players=tuple(players))


def with_card(state: State, card: str, keeper: str | None) -> State:
    """Put a Chance card to who keeps it; ``None``: into the pile."""
    players: list[Player] = []
    for player in state.players:
        cards = _with(player.cards, card, there=player.id == keeper)
        players.append(copy_with(player, cards=cards))
    return copy_with(state, players=tuple(players))


def _with(cards: tuple[str, ...], card: str, *, there: bool) -> tuple[str, ...]:
    """Give cards in their order, with one of them or without it."""
    others = [one for one in cards if one != card]
    return tuple(sorted([*others, card] if there else others))


def _auction(state: State, event: e.BidMade | e.BidderPassed) -> State:
    auction = cast("Auction", state.auction)
    if isinstance(event, e.BidMade):
        bid = copy_with(auction, bid=event.amount, leader=event.player, passed=event.passed)
        return copy_with(state, auction=bid)
    return copy_with(state, auction=copy_with(auction, passed=(*auction.passed, event.player)))


def _owed(state: State, event: e.RentFell | e.RentClaimed | e.DebtIncurred | e.DebtPaid) -> State:
    match event:
        case e.RentFell(owner, payer, deed, amount):
            return copy_with(state, claims=(*state.claims, Claim(owner, payer, deed, amount)))
        case e.RentClaimed(owner, payer, deed, amount):
            claims = list(state.claims)
            claims.remove(Claim(owner, payer, deed, amount))
            return copy_with(state, claims=tuple(claims))
        case e.DebtIncurred(debtor, creditor, amount):
            return copy_with(state, debts=(*state.debts, Debt(debtor, creditor, amount)))
        case _:
            debts = list(state.debts)
            debts.remove(Debt(event.debtor, event.creditor, event.amount))
            return copy_with(state, debts=tuple(debts))


def _bankrupt(state: State, event: e.WentBankrupt) -> State:
    gone = event.player
    heir = None if event.creditor == "bank" else event.creditor
    for deed in event.deeds:
        state = with_deed(state, deed, heir, mortgaged=heir is not None and is_mortgaged(state, deed))
    for card in event.cards:
        state = with_card(state, card, heir)
    state = state.with_player(copy_with(state.player(gone), bankrupt=True, in_jail=False, tries=0))
    return copy_with(
        state,
        claims=tuple(one for one in state.claims if gone not in (one.owner, one.payer)),
        debts=tuple(one for one in state.debts if gone not in (one.debtor, one.creditor)),
        choosers=tuple(one for one in state.choosers if one.player != gone),
    )
