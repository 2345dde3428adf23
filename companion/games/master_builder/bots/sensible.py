"""A bot that plays sensibly: a mixed crew, one or two buildings at a time, loans only where it must."""

from dataclasses import dataclass

from companion.games.master_builder.bots.crew import first_hire, later_hire
from companion.games.master_builder.bots.piles import Piles
from companion.games.master_builder.bots.trade import borrow, in_contracts, repayment
from companion.games.master_builder.commands import (
    ChooseSections,
    ChooseWorkers,
    Command,
    FireWorker,
    HireWorker,
    OpenAuction,
    Plan,
    RevealContracts,
    TurnEconomy,
    TurnEvent,
)
from companion.games.master_builder.phases import current
from companion.games.master_builder.phases.events import choices
from companion.games.master_builder.phases.income import wages_due
from companion.games.master_builder.planning import best_plan
from companion.games.master_builder.state import Build, Contracts, Events, Here, Hire, Income


@dataclass(frozen=True, slots=True)
class Act:
    """A command, and the cards that are laid on the table to give it (none: it is tapped)."""

    command: Command
    cards: tuple[str, ...] = ()


def next_act(here: Here, piles: Piles) -> Act | None:
    """Say what happens next at a table of bots; ``None`` when the game is over."""
    waiting, expects = current.waits(here)
    if not waiting:
        return None
    for player in here.state.turn_order:
        paying_back = repayment(here, player) if isinstance(here.state.phase, Hire) else None
        if paying_back is not None:
            return Act(paying_back)
    turned = _turned(here, expects, piles)
    return turned or _act(decide(here, waiting[0], piles))


def _turned(here: Here, expects: tuple[str, ...], piles: Piles) -> Act | None:
    """Turn the card that is due, from the top of its pile."""
    if "turn_economy" in expects:
        return _act(TurnEconomy(piles.next_economy(here.state)))
    if "turn_event" in expects:
        return _act(TurnEvent(piles.next_event(here.state)))
    if "reveal_contracts" in expects:
        return _act(RevealContracts(piles.next_contracts(here.state, 1)))
    return None


def _act(command: Command) -> Act:
    match command:
        case HireWorker(_, card) | FireWorker(_, card) | OpenAuction(_, card) | TurnEconomy(card) | TurnEvent(card):
            return Act(command, (card,))
        case RevealContracts(cards):
            return Act(command, cards)
        case ChooseWorkers(_, (card,)):
            return Act(command, (card,))
        case _:
            return Act(command)


def decide(here: Here, player: str, piles: Piles) -> Command:
    """Name the command of a player for whom the table waits."""
    match here.state.phase:
        case Hire() if here.state.round == 1:
            return first_hire(here, player, piles)
        case Hire():
            return later_hire(here, player, piles)
        case Contracts() as phase:
            return in_contracts(here, phase, player)
        case Events() as phase:
            return _choice(here, phase, player)
        case Build():
            work: dict[str, dict[str, tuple[str, ...]]] = {}
            for job in best_plan(here, player):
                work.setdefault(job.contract, {})[job.section] = job.workers
            return Plan(player, work)
        case Income():
            return borrow(here, player, wages_due(here.state.rules, here.state.player(player)))
        case _:
            message = f"nothing to decide for {player}"
            raise ValueError(message)


def _choice(here: Here, phase: Events, player: str) -> Command:
    """Give up the last of the workers who may be chosen, or take the first way to lose sections."""
    workers, sections = choices(here, phase, player)
    if workers is not None:
        return ChooseWorkers(player, tuple(sorted(workers.workers)[-workers.count :]))
    lost = () if sections is None else sections.ways[0]
    return ChooseSections(player, {razed.contract: razed.sections for razed in lost})
