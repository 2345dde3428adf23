"""What a bot of middle strength bids."""

from companion.engine.game import Amount, Offer
from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.turn import Turn, field_of
from companion.games.master_builder.rules.catalog import ContractCard
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.effects import ALL_SECTIONS, unfinished
from companion.games.master_builder.rules.guards import THOUSAND, contract_card

ROUNDS_A_BUILDING = 2
CHEAP = 20
"""A building is worth a twentieth of its price for each round there is to build it in, at most five."""


def worth_bidding(turn: Turn, card: ContractCard) -> int:
    """Say up to what he bids: nothing where it could not be finished in time."""
    open_sections = sum(ALL_SECTIONS - len(site.built) for site in unfinished(turn.me))
    rounds = turn.rounds - open_sections / (ALL_SECTIONS / ROUNDS_A_BUILDING)
    if rounds < 1 or len(unfinished(turn.me)) >= ROUNDS_A_BUILDING:
        return 0
    limit = card.price // CHEAP * min(5, int(rounds) + 1) // 2
    return min(limit, turn.cash - turn.me.wages // 2) // THOUSAND * THOUSAND


def opening(turn: Turn) -> Command | None:
    """Open with the contract that pays most for its cost; where he must take one, any; ``None``: he need not."""
    must = turn.offer("pass") is None
    wanted = [(card, offer) for card, offer in lots(turn) if must or worth_bidding(turn, card) >= card.cost]
    if not wanted:
        return None
    card, offer = max(wanted, key=lambda lot: (lot[0].price - 5 * lot[0].cost, lot[0].id))
    return taking(offer, bid=card.cost)


def lots(turn: Turn) -> list[tuple[ContractCard, Offer]]:
    """List the contracts that he may choose, each with its offer."""
    return [
        (contract_card(turn.state, str(dict(offer.given)["contract"])), offer)
        for offer in turn.offers
        if offer.do == "open_auction"
    ]


def raised(offer: Offer, limit: int) -> Command | None:
    """Raise by as little as can be, up to a limit; ``None``: the lot is too dear."""
    least = field_of(offer, "amount", Amount).least
    return taking(offer, amount=least) if least <= limit else None
