"""A game played on by the rules themselves while one player does only what they can, to hold forecasts against."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from companion.engine.game import Game, Position
from companion.engine.timeline import decide_and_settle, fold
from companion.game_api.messages import Command, Event
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules import phases
from companion.games.master_builder.rules.game import MasterBuilder
from companion.games.master_builder.rules.phases.contracts import may_bid
from companion.games.master_builder.rules.phases.income import wages_due
from companion.games.master_builder.rules.scoring import standings
from companion.games.master_builder.rules.state import Contracts, GamePosition, Hire, Income, Job, State, cash
from tests.games.master_builder.decks import deck

GAME: Game[State, Command, Event] = MasterBuilder({"house": deck()})


@dataclass
class Story:
    """A player's money over the rounds: cash after each wages before any loan, loans, worth at the end."""

    least: dict[int, int] = field(default_factory=dict[int, int])
    loans: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    cash: dict[int, int] = field(default_factory=dict[int, int])
    worth: int = 0
    late: bool = False


def played_on(
    position: GamePosition,
    player: str,
    plan: Callable[[GamePosition], Sequence[Job]],
    buying: tuple[str, int] | None = None,
) -> Story:
    """Play until the end: nobody hires, nobody buys but what is named, nobody else builds."""
    story = Story()
    while more := tuple(GAME.follow_up(position)):  # the position was made up, and may not have come to rest
        number, settled = position.state.round, fold(GAME, position, more)
        assert settled is not None
        position = settled
        _note(story, number, more, position, player)
    while waiting := phases.waits(position)[0]:
        asked = player if player in waiting else waiting[0]
        command = _command(position, asked, player, plan, buying)
        if isinstance(command, c.Borrow) and command.player == player:
            due = wages_due(position.state.rules, position.state.player(player))
            story.least.setdefault(position.state.round, cash(position, player) - due)
            story.loans.setdefault(position.state.round, []).append(command.loan)
        number = position.state.round
        events, position = decide_and_settle(GAME, position, command)
        if isinstance(command, c.OpenAuction) and asked == player:
            buying = None
        _note(story, number, events, position, player)
    line = next(standing for standing in standings(position) if standing.player == player)
    story.worth = line.worth
    story.late = position.state.rules.final_rate == "always_late" or position.state.deck == 0
    return story


def _note(story: Story, number: int, events: Sequence[Event], position: Position[State], player: str) -> None:
    """Keep what was left when this player had paid their wages: nothing later in an entry moves their cash."""
    if any(isinstance(event, e.WagesPaid) and event.player == player for event in events):
        story.cash[number] = cash(position, player)
        story.least.setdefault(number, cash(position, player))


def _command(
    position: GamePosition,
    asked: str,
    player: str,
    plan: Callable[[GamePosition], Sequence[Job]],
    buying: tuple[str, int] | None,
) -> Command:
    expects = phases.waits(position)[1]
    state = position.state
    if "turn_economy" in expects:
        return c.TurnEconomy(next(card.id for card in state.catalog.economy if card.id not in state.turned_economy))
    if "turn_event" in expects:
        return c.TurnEvent(next(card.id for card in state.catalog.events if card.id not in state.turned_events))
    if isinstance(state.phase, Contracts) and asked == player and buying and state.phase.auction is None:
        assert may_bid(state, player)
        return c.OpenAuction(player, *buying)
    if isinstance(state.phase, Income):
        missing = wages_due(state.rules, state.player(asked)) - cash(position, asked)
        return c.Borrow(asked, "small" if missing <= 20_000 else "large")
    if "plan" in expects:
        work: dict[str, dict[str, tuple[str, ...]]] = {}
        for job in plan(position) if asked == player else ():
            work.setdefault(job.contract, {})[job.section] = job.workers
        return c.Plan(asked, work)
    return c.Pass(asked, rest=isinstance(state.phase, Hire))
