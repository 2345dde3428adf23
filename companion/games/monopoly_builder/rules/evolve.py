"""Recording of events in the state; no rule is asked."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast, get_args

from companion.engine.game import copy_with
from companion.game_api.corrections import PlayerRenamed
from companion.game_api.messages import Event, common_fields
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.state import Auction, Building, Claim, Debt, Player, Site, State

# Recording what happens to deeds, rents, debts, auctions, trades, and to who is bankrupt.

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
    """Return the state after an event about deeds and debts."""
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
            sites = tuple(Site(space, deed) if site.space == space else site for site in state.sites)
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
    """Return whether a deed is mortgaged."""
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
    """Return cards in their order, with one of them or without it."""
    others = [other for other in cards if other != card]
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
        claims=tuple(claim for claim in state.claims if gone not in (claim.owner, claim.payer)),
        debts=tuple(debt for debt in state.debts if gone not in (debt.debtor, debt.creditor)),
        choosers=tuple(chooser for chooser in state.choosers if chooser.player != gone),
    )


# Recording what the banker put right.

CorrectionEvent: TypeAlias = (
    e.MoneyCorrected
    | e.DeedCorrected
    | e.ChanceCorrected
    | e.ChipsCorrected
    | e.BlockCorrected
    | e.PositionCorrected
    | e.TurnCorrected
    | PlayerRenamed
)


def apply_correction(state: State, event: CorrectionEvent) -> State:
    """Return the state after a correction."""
    match event:
        case e.MoneyCorrected() | e.ChipsCorrected():
            return state
        case e.DeedCorrected(card, to, mortgaged):
            return with_deed(state, card, None if to == "bank" else to, mortgaged=mortgaged)
        case e.ChanceCorrected(card, to):
            return with_card(state, card, None if to == "deck" else to)
        case e.BlockCorrected(cell, owner, height):
            others = tuple(building for building in state.board if building.cell != cell)
            stands = (Building(cell, owner, height),) if owner is not None and height else ()
            return copy_with(state, board=(*others, *stands))
        case e.PositionCorrected(player, space, in_jail, tries):
            return state.with_player(copy_with(state.player(player), space=space, in_jail=in_jail, tries=tries))
        case e.TurnCorrected(player, phase):
            idle = copy_with(state, claims=(), debts=(), auction=None, offered=None, effects=(), choosers=())
            return copy_with(idle, turn=player, stage=phase, doubles=0)
        case _:
            return state.with_player(copy_with(state.player(event.player), name=event.name))


# Recording events. No rule stands here: what an event does not say stays as it is.

TurnFlowEvent: TypeAlias = (
    e.TurnBegan | e.StageCame | e.DiceRolled | e.ClaimsLapsed | e.TokenMoved | e.Jailed | e.Freed | e.GameEnded
)

Dealing: TypeAlias = (
    e.ChoicesCame
    | e.ChipsChosen
    | e.ChipStolen
    | e.ParkingTraded
    | e.ParkingLeft
    | e.ChanceDrawn
    | e.EffectCame
    | e.ChancePlayed
    | e.FloorBuilt
)


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event."""
    if isinstance(event, e.GameStarted | e.GameTakenOver):
        return _begun(event)
    if state is None:
        message = f"{event} before the start"
        raise ValueError(message)
    changed = _CHANGED.get(type(event))
    return state if changed is None else changed(state, event)


def _begun(event: e.GameStarted | e.GameTakenOver) -> State:
    begun = common_fields(event, State)
    return State(**begun, turn=event.first) if isinstance(event, e.GameStarted) else State(**begun)


def _turn(state: State, event: TurnFlowEvent) -> State:
    match event:
        case e.TurnBegan(player, doubles):
            idle = copy_with(state, offered=None, effects=(), choosers=(), auction=None)
            return copy_with(idle, turn=player, doubles=doubles, stage="discard")
        case e.StageCame(stage):
            return copy_with(state, stage=stage)
        case e.DiceRolled(player, dice, doubles, tries):
            rolled = copy_with(state, dice=dice, doubles=doubles)
            return rolled.with_player(copy_with(state.player(player), tries=tries))
        case e.ClaimsLapsed(payers):
            return copy_with(state, claims=tuple(claim for claim in state.claims if claim.payer not in payers))
        case e.TokenMoved(player, to):
            return copy_with(state, stage="landed", landed=to).with_player(copy_with(state.player(player), space=to))
        case e.Jailed(player, space):
            jailed = copy_with(state.player(player), space=space, in_jail=True, tries=0)
            return copy_with(state, doubles=0).with_player(jailed)
        case e.Freed(player, by):
            doubles = state.doubles if by == "double" else 0
            freed = copy_with(state.player(player), in_jail=False, tries=0)
            return copy_with(state, doubles=doubles).with_player(freed)
        case _:
            idle = copy_with(state, stage="finished", claims=(), debts=(), auction=None)
            return copy_with(idle, offered=None, effects=(), choosers=())


def after_business(state: State) -> State:
    """Go on with the card under way, or with the rest of the turn."""
    return copy_with(state, stage="card" if state.effects or state.choosers else "act")


def _dealing(state: State, event: Dealing) -> State:
    match event:
        case e.ChoicesCame(choosers):
            return copy_with(state, choosers=choosers, stage="card")
        case e.ChipsChosen():
            return copy_with(state, choosers=state.choosers[1:])
        case e.ChipStolen() | e.ParkingTraded() | e.ParkingLeft():
            return after_business(state)
        case e.ChanceDrawn(player, card, kept, effects):
            if not kept:
                return copy_with(state, effects=effects, stage="card")
            keeper = state.player(player)
            cards = tuple(sorted((*keeper.cards, card)))
            return copy_with(state, stage="act").with_player(copy_with(keeper, cards=cards))
        case e.EffectCame():
            return copy_with(state, effects=state.effects[1:])
        case e.ChancePlayed(player, card):
            keeper = state.player(player)
            return state.with_player(copy_with(keeper, cards=tuple(other for other in keeper.cards if other != card)))
        case _:
            others = tuple(building for building in state.board if building.cell != event.cell)
            return copy_with(state, board=(*others, Building(event.cell, event.player, event.height)))


_CHANGED: Mapping[type, Callable[[State, Any], State]] = {
    **dict.fromkeys(get_args(TurnFlowEvent), _turn),
    **dict.fromkeys(get_args(DeedEvent), deeds_changed),
    **dict.fromkeys(get_args(CorrectionEvent), apply_correction),
    **dict.fromkeys(get_args(Dealing), _dealing),
}
"""What an event changes, by its type: a replay has thousands.  Others move money or chips alone."""
