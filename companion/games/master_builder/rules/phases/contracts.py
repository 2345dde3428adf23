"""Phase 2: acquire contracts.

Cards come up, then the chooser names a lot and bids (D08), others raise or leave (D10), the last one in
pays.  Round 1 sees to it that everybody ends with one or two contracts (D13 to D16).  What nobody wants
gets 5,000 laid on it, and is removed the next time (D18).
"""

from dataclasses import dataclass

from companion.engine.game import Amount, Auction, Offer, OneOf, Refused, SomeOf
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_turn
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.commands import Bid, Borrow, OpenAuction, Pass, RevealContracts, TurnEconomy
from companion.games.master_builder.rules.loans import lend, lends_itself, loan_offers
from companion.games.master_builder.rules.state import (
    LAST_ROUND,
    THOUSAND,
    Contracts,
    GamePosition,
    State,
    cash,
    contract_account,
    contract_card,
    economy_card,
    require_distinct_cards,
    validate_amount,
)

# The players who may choose a contract or bid, and who must take one in round 1 (rulings D08, D13 to D16).

ROUND_1_MOST = 2
END_PHASE = "end_phase"
"""The house rule under which the first who declines ends the phase (D08)."""


@dataclass(frozen=True, slots=True)
class LotChooser:
    """The player who names the next lot; ``must``: they may not decline (D16)."""

    player: str
    must: bool


def may_bid(state: State, player: str) -> bool:
    """Return whether a player may bid for contracts in this round."""
    return may_own_more(state.round, state.player(player).contracts, max(other.contracts for other in state.players))


def may_own_more(round_: int, owned: int, most_owned: int) -> bool:
    """Return whether the owner of ``owned`` contracts may get one more, where nobody has more than ``most_owned``.

    Round 1: nobody beyond two contracts, and once somebody has two only those without any (D13).
    """
    return round_ > 1 or (owned < ROUND_1_MOST and (most_owned < ROUND_1_MOST or owned == 0))


def affordable(position: GamePosition, player: str) -> bool:
    """Return whether a player can pay the lowest cost on display."""
    return any(
        purse(position, player, contract) >= contract_card(position.state, contract).cost
        for contract in position.state.display
    )


def purse(position: GamePosition, player: str, contract: str) -> int:
    """Return a player's highest possible bid for a contract: their cash, and by house rule what lies on it."""
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
    """Round 1, one contract left and one player without: they get it at printed cost, unasked (D15)."""
    state = position.state
    if state.round > 1 or phase.auction is not None or len(state.display) != 1:
        return None
    without = [player.id for player in state.players if player.contracts == 0]
    return without[0] if len(without) == 1 else None


# The end of phase 2: premiums, removals, and whether the next round is the last (rulings D18, D41).

PREMIUM = 5_000


def close(position: GamePosition) -> list[Event]:
    """Settle what stays on display and go on to phase 3; what got its premium in this very round stays."""
    state = position.state
    events: list[Event] = []
    left = 0
    removed = bool(state.removed)
    if state.round < state.last_round:
        for contract in state.display:
            lying = position.ledger.balance(contract_account(contract))
            if lying and contract not in state.laid and state.rules.unsold == "premium_then_remove":
                events.append(e.ContractRemoved(contract, lying))
                removed = True
                continue
            if not lying:
                events.append(e.PremiumLaid(contract, PREMIUM))
            left += 1
    else:
        left = len(state.display)
    acquired = state.rules.removed_counts_for_end or not removed
    if not state.end_found and state.deck == 0 and left == 0 and acquired:
        events.append(e.LastRoundFixed(min(LAST_ROUND, state.round + 1)))
    return [*events, e.EventsPhaseBegan()]


RETURN_TO_START = "return_to_start"
"""The house rule under which a sale lets everybody choose again, also who had declined (D08)."""


def waits(position: GamePosition, phase: Contracts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    if phase.economy_due:
        return (position.state.start,), ("turn_economy",)
    if phase.reveal_due:
        return (position.state.start,), ("reveal_contracts",)
    if phase.auction is not None:
        return ((phase.auction.to_bid or phase.auction.leader),), ("bid", "pass")
    debtor = _must_borrow(position, phase)
    if debtor is not None:
        return (debtor,), ("borrow",)
    choosing = chooser(position, phase) or LotChooser(position.state.start, must=False)
    return (choosing.player,), (("open_auction",) if choosing.must else ("open_auction", "pass"))


def _must_borrow(position: GamePosition, phase: Contracts) -> str | None:
    """Return who gets a contract that they cannot pay for (D15); ``None`` in every ordinary game."""
    player = last_without(position, phase)
    if player is None:
        choosing = chooser(position, phase)
        player = choosing.player if choosing and choosing.must else None
    return player if player is not None and not affordable(position, player) else None


def decide(position: GamePosition, phase: Contracts, command: Command) -> list[Event]:
    """Turn cards, choose and bid."""
    if isinstance(command, TurnEconomy):
        return [_economy(position, phase, command.card)]
    if isinstance(command, RevealContracts):
        return [_revealed(position, phase, command.contracts)]
    if phase.economy_due or phase.reveal_due:
        raise Refused("cards_first")
    match command:
        case OpenAuction(player, contract, bid):
            require_turn(player, waits(position, phase)[0])
            return [_opened(position, phase, player, contract, bid)]
        case Bid(player, amount):
            return [_raised(position, phase, player, amount)]
        case Pass(player, rest):
            require_turn(player, waits(position, phase)[0])
            if rest:
                raise Refused("rest_only_when_hiring")
            return [_passed(position, phase, player)]
        case Borrow(player, loan):
            require_turn(player, waits(position, phase)[0])
            if _must_borrow(position, phase) != player:
                raise Refused("no_loans_for_bids", player=player)
            return [lend(position.state, player, loan)]
        case _:
            raise Refused("not_in_this_phase", phase="contracts")


def _economy(position: GamePosition, phase: Contracts, card: str) -> e.EconomyTurned:
    economy = economy_card(position.state, card)
    if not phase.economy_due:
        raise Refused("economy_not_due")
    if card in position.state.turned_economy:
        raise Refused("turned_before", card=card)
    number = economy.reveal[len(position.state.players) - 2]
    return e.EconomyTurned(card, min(number, position.state.deck))


def _revealed(position: GamePosition, phase: Contracts, contracts: tuple[str, ...]) -> e.ContractsRevealed:
    for contract in contracts:
        contract_card(position.state, contract)
    if phase.economy_due:
        raise Refused("economy_first")
    require_distinct_cards(contracts)
    for contract in contracts:
        if contract in position.state.seen:
            raise Refused("contract_seen", card=contract)
    if not contracts or len(contracts) > phase.reveal_due:
        raise Refused("reveal_count", due=phase.reveal_due)
    return e.ContractsRevealed(tuple(sorted(contracts)))


def _opened(position: GamePosition, phase: Contracts, player: str, contract: str, bid: int) -> e.AuctionOpened:
    if phase.auction is not None:
        raise Refused("auction_running", card=phase.auction.lot)
    if _must_borrow(position, phase) is not None:
        raise Refused("must_borrow_first", player=player)
    card = contract_card(position.state, contract)
    if contract not in position.state.display:
        raise Refused("not_on_display", card=contract)
    validate_amount(bid)
    if bid < card.cost:
        raise Refused("bid_below_cost", least=card.cost, bid=bid)
    _require_money(position, player, contract, bid)
    bidders = tuple(bidder for bidder in position.state.turn_order if may_bid(position.state, bidder))
    return e.AuctionOpened(player, contract, bid, bidders)


def least_raise(bid: int) -> int:
    """Return the lowest bid that beats another."""
    return bid + THOUSAND


def _raised(position: GamePosition, phase: Contracts, player: str, amount: int) -> e.BidRaised:
    if phase.auction is None:
        raise Refused("no_auction")
    require_turn(player, waits(position, phase)[0])
    validate_amount(amount)
    if amount <= phase.auction.bid:
        raise Refused("bid_too_low", least=least_raise(phase.auction.bid), bid=amount)
    _require_money(position, player, phase.auction.lot, amount)
    return e.BidRaised(player, amount)


def _require_money(position: GamePosition, player: str, contract: str, amount: int) -> None:
    if amount > purse(position, player, contract):
        raise Refused("cannot_pay", player=player, amount=amount, cash=cash(position, player))


def _passed(position: GamePosition, phase: Contracts, player: str) -> Event:
    if phase.auction is not None:
        return e.BidderLeft(player, forced=False)
    if "pass" not in waits(position, phase)[1]:
        raise Refused("must_take_a_contract", player=player)
    return e.ChoiceDeclined(player)


def follow_up(position: GamePosition, phase: Contracts) -> list[Event]:
    """Knock lots down, hand over the last contract of round 1, or end the phase."""
    if phase.economy_due or phase.reveal_due:
        return []
    auction = phase.auction
    if auction is not None:
        if auction.to_bid is None:
            sold = _sold(position, auction.leader, auction.lot, _hammer_price(position, phase, auction))
            again = position.state.rules.after_pass == RETURN_TO_START and phase.declined
            return [sold, e.ChoiceReturned()] if again else [sold]
        cannot = purse(position, auction.to_bid, auction.lot) < least_raise(auction.bid)
        if cannot and position.state.rules.money == "open":
            return [e.BidderLeft(auction.to_bid, forced=True)]
        return []
    player = last_without(position, phase)
    if player is not None:
        lot = position.state.display[0]
        cost = contract_card(position.state, lot).cost
        return [_sold(position, player, lot, cost)] if purse(position, player, lot) >= cost else []
    return [] if chooser(position, phase) else close(position)


def _hammer_price(position: GamePosition, phase: Contracts, auction: Auction) -> int:
    """Return what the winner pays: the bid, or by house rule the printed cost where nobody raised (D12)."""
    if position.state.rules.uncontested_price == "printed" and not phase.raised:
        return contract_card(position.state, auction.lot).cost
    return auction.bid


def _sold(position: GamePosition, player: str, contract: str, paid: int) -> e.ContractSold:
    return e.ContractSold(player, contract, paid, position.ledger.balance(contract_account(contract)))


def offers(position: GamePosition, phase: Contracts, player: str) -> list[Offer]:
    """Offer what the table waits for to the one it waits for."""
    waiting, expects = waits(position, phase)
    if player not in waiting:
        return []
    state = position.state
    if "turn_economy" in expects:
        unturned = tuple(card.id for card in state.catalog.economy if card.id not in state.turned_economy)
        return [Offer("turn_economy", player, fields=(("card", OneOf(unturned)),), addressed=False)]
    if "reveal_contracts" in expects:
        unseen = tuple(card.id for card in state.catalog.contracts if card.id not in state.seen)
        some = SomeOf(unseen, 1, phase.reveal_due)
        return [Offer("reveal_contracts", player, fields=(("contracts", some),), addressed=False)]
    if "borrow" in expects:
        return loan_offers(state, player)
    if phase.auction is not None:
        most = purse(position, player, phase.auction.lot)
        raising = Amount(least_raise(phase.auction.bid), most)
        bid = [Offer("bid", player, fields=(("amount", raising),))] if most >= raising.least else []
        return [*bid, Offer("pass", player)]
    cards = (contract_card(state, contract) for contract in state.display)
    possible = [
        Offer(
            "open_auction",
            player,
            (("contract", card.id),),
            (("bid", Amount(card.cost, purse(position, player, card.id))),),
        )
        for card in cards
        if card.cost <= purse(position, player, card.id)
    ]
    return [*possible, Offer("pass", player)] if "pass" in expects else possible
