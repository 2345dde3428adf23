"""What a bot bids, borrows and pays back."""

from companion.games.master_builder.catalog import ContractCard
from companion.games.master_builder.commands import Bid, Borrow, Command, OpenAuction, Pass, Repay
from companion.games.master_builder.effects import ALL_SECTIONS, unfinished
from companion.games.master_builder.guards import THOUSAND, cash, contract_card
from companion.games.master_builder.loans import price_of
from companion.games.master_builder.phases.contracts import waits
from companion.games.master_builder.state import Contracts, Here

ROUNDS_A_BUILDING = 2
CHEAP = 20
"""A building is worth a twentieth of its price for each round there is to build it in, at most five."""
SMALL, TWO_SMALL = 10_000, 20_000


def worth_bidding(here: Here, player: str, card: ContractCard) -> int:
    """Say up to what a bot bids: nothing where it could not be finished in time."""
    one = here.state.player(player)
    left = here.state.last_round - here.state.round + 1
    open_sections = sum(ALL_SECTIONS - len(site.built) for site in unfinished(one))
    rounds = left - open_sections / (ALL_SECTIONS / ROUNDS_A_BUILDING)
    if rounds < 1 or len(unfinished(one)) >= ROUNDS_A_BUILDING:
        return 0
    limit = card.price // CHEAP * min(5, int(rounds) + 1) // 2
    return min(limit, cash(here, player) - one.wages // 2) // THOUSAND * THOUSAND


def in_contracts(here: Here, phase: Contracts, player: str) -> Command:
    """Open, raise or pass."""
    expects = waits(here, phase)[1]
    if phase.auction is not None:
        card = contract_card(here.state, phase.auction.lot)
        raised = phase.auction.bid + THOUSAND
        fits = raised <= min(worth_bidding(here, player, card), cash(here, player))
        return Bid(player, raised) if fits else Pass(player)
    if "borrow" in expects:
        return borrow(here, player, min(contract_card(here.state, card).cost for card in here.state.display))
    cards = [contract_card(here.state, card) for card in here.state.display]
    payable = [card for card in cards if card.cost <= cash(here, player)]
    must = "pass" not in expects
    wanted = [card for card in payable if must or worth_bidding(here, player, card) >= card.cost]
    if not wanted:
        return Pass(player)
    best = max(wanted, key=lambda card: (card.price - 5 * card.cost, card.id))
    return OpenAuction(player, best.id, best.cost)


def borrow(here: Here, player: str, due: int) -> Command:
    """Take the loan that costs least for what is missing."""
    missing = due - cash(here, player)
    return Borrow(player, "small" if missing <= TWO_SMALL else "large")


def repayment(here: Here, player: str) -> Command | None:
    """Pay a loan back as soon as there is plenty."""
    one = here.state.player(player)
    reserve = one.wages + SMALL
    if one.large and cash(here, player) >= price_of(here.state, "large") + reserve:
        return Repay(player, "large")
    if one.small and cash(here, player) >= price_of(here.state, "small") + reserve:
        return Repay(player, "small")
    return None
