"""The middle strength plays sensibly: a mixed crew, one or two buildings at a time, loans only where it must."""

from companion.engine.game import Amount, AnyOfThese, AnySet, Offer, SomeOf
from companion.game_api.messages import Command
from companion.games.master_builder.advice import best_plan
from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.turn import (
    BotTurn,
    field_of,
    forced_loan,
    pass_command,
    repayment,
    taking,
    work_of,
)
from companion.games.master_builder.rules.catalog import RANK, ContractCard, WorkerType
from companion.games.master_builder.rules.effects import ALL_SECTIONS, unfinished_sites
from companion.games.master_builder.rules.loans import LENT
from companion.games.master_builder.rules.state import THOUSAND, WAGE_LIMIT, Contracts, Hire, contract_card, worker_card

# Whom a bot of middle strength hires and fires: a balanced first crew, then whoever raises more sections.

FIRST_CREW: tuple[WorkerType, ...] = ("F", "MC", "T", "A", "T")
DEAREST_CREW = 22_000
"""Highest total of wages, in dollars, up to which the bot hires: two rounds of it are about what a building brings."""
POOREST = 10_000
"""Money, in dollars, that the bot expects to find for wages in any case."""


def first_hire(turn: BotTurn, offer: Offer, wishes: tuple[WorkerType, ...] = FIRST_CREW) -> Command:
    """Hire for a crew that can do a little of everything; whoever comes, where the wished for are gone."""
    visible = turn.to_hire(offer)
    employed = [worker_card(turn.state, worker.id).type for worker in turn.me.crew]
    for wanted in wishes:
        if wanted in employed:
            employed.remove(wanted)
        elif turn.tops.get(wanted) in visible:
            return taking(offer, worker=turn.tops[wanted])
    return taking(offer, worker=visible[0])


def later_hire(turn: BotTurn) -> Command | None:
    """Hire who adds most to the best plan, or fire who adds nothing; ``None``: neither."""
    hiring, firing = turn.offer("hire_worker"), turn.offer("fire_worker")
    best = _most_useful(turn, turn.to_hire(hiring) if hiring else ())
    if hiring is not None and best is not None:
        return taking(hiring, worker=best)
    idle = _idle(turn)
    return taking(firing, worker=idle) if firing is not None and idle is not None else None


def _most_useful(turn: BotTurn, visible: tuple[str, ...]) -> str | None:
    now = len(best_plan(turn.position, turn.player))
    best: tuple[int, int, str] | None = None
    for worker in visible:
        card = worker_card(turn.state, worker)
        gain = len(best_plan(turn.position, turn.player, ((RANK[card.type], worker),))) - now
        affordable = turn.me.wages + card.wage <= min(WAGE_LIMIT, DEAREST_CREW, max(turn.cash, POOREST))
        if gain > 0 and affordable and (best is None or (gain, -card.wage) > best[:2]):
            best = (gain, -card.wage, worker)
    return best[2] if best else None


def _idle(turn: BotTurn) -> str | None:
    """Return the dearest worker who has nothing to do this round, where there is no contract left to win."""
    nothing_to_win = turn.state.deck == 0 and not turn.state.display
    if turn.rounds > 1 and not (nothing_to_win and not unfinished_sites(turn.me)):
        return None
    busy = {worker for job in best_plan(turn.position, turn.player) for worker in job.workers}
    idle = [worker for worker in turn.me.crew if worker.id not in busy and worker.due]
    return max(idle, key=lambda worker: (worker.due, worker.id)).id if idle else None


# What a bot of middle strength bids.

ROUNDS_A_BUILDING = 2
CHEAP = 20
"""A building is worth a twentieth of its price for each round there is to build it in, at most five."""


def worth_bidding(turn: BotTurn, card: ContractCard) -> int:
    """Return the bot's highest bid; 0 where the contract could not be finished in time."""
    open_sections = sum(ALL_SECTIONS - len(site.built) for site in unfinished_sites(turn.me))
    rounds = turn.rounds - open_sections / (ALL_SECTIONS / ROUNDS_A_BUILDING)
    if rounds < 1 or len(unfinished_sites(turn.me)) >= ROUNDS_A_BUILDING:
        return 0
    limit = card.price // CHEAP * min(5, int(rounds) + 1) // 2
    return min(limit, turn.cash - turn.me.wages // 2) // THOUSAND * THOUSAND


def opening(turn: BotTurn) -> Command | None:
    """Open with the contract that pays most for its cost, with any where the bot must; ``None``: it need not."""
    must = turn.offer("pass") is None
    wanted = [(card, offer) for card, offer in lots(turn) if must or worth_bidding(turn, card) >= card.cost]
    if not wanted:
        return None
    card, offer = max(wanted, key=lambda lot: (lot[0].price - 5 * lot[0].cost, lot[0].id))
    return taking(offer, bid=card.cost)


def lots(turn: BotTurn) -> list[tuple[ContractCard, Offer]]:
    """Return the contracts that the bot may choose, each with its offer."""
    return [
        (contract_card(turn.state, str(dict(offer.given)["contract"])), offer)
        for offer in turn.offers
        if offer.do == "open_auction"
    ]


def raise_bid(offer: Offer, limit: int) -> Command | None:
    """Raise by as little as can be, up to a limit; ``None``: the lot is too dear."""
    least = field_of(offer, "amount", Amount).least
    return taking(offer, amount=least) if least <= limit else None


def middle(turn: BotTurn) -> Command:
    """Return one of the commands that were offered."""
    return forced_loan(turn) or _by_phase(turn) or pass_command(turn) or chancy(turn)


def _by_phase(turn: BotTurn) -> Command | None:
    match turn.state.phase:
        case Hire():
            return _hiring(turn)
        case Contracts() as phase:
            offer = turn.offer("bid")
            if phase.auction is None or offer is None:
                return opening(turn) if phase.auction is None else None
            return raise_bid(offer, worth_bidding(turn, contract_card(turn.state, phase.auction.lot)))
        case _:
            return _answer(turn)


def _hiring(turn: BotTurn) -> Command | None:
    offer = turn.offer("hire_worker")
    if turn.state.round == 1 and offer is not None:
        return first_hire(turn, offer)
    return repayment(turn, turn.me.wages + LENT["small"]) or later_hire(turn)


def _answer(turn: BotTurn) -> Command | None:
    """Plan the most valuable work; in an event give up the last permitted worker, and play the hand's first card."""
    for offer in turn.offers:
        match offer.do:
            case "plan":
                return taking(offer, work=work_of(best_plan(turn.position, turn.player)))
            case "choose_workers":
                return taking(offer, workers=given_up(offer))
            case "choose_sections":
                return taking(offer, sections=dict(field_of(offer, "sections", AnyOfThese).values[0]))
            case "turn_event":
                return taking(offer, card=turn.hand[0])
            case _:
                continue
    return None


def given_up(offer: Offer) -> tuple[str, ...]:
    """Return the last workers of those among whom an owner may choose."""
    field = next(field for _, field in offer.fields)
    if isinstance(field, AnySet):
        return field.values[0]
    some = field_of(offer, "workers", SomeOf)
    return some.values[-some.least :]
