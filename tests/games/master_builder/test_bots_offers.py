"""Answers that a bot may give, and facts that it may know."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import Amount, AnyOfThese, AnySet, Assignment, Game, Offer, OneOf, SomeOf
from companion.engine.ledger import player_account
from companion.engine.timeline import decide_and_settle
from companion.game_api.messages import Command, Event
from companion.game_api.steps import fault_of
from companion.games.master_builder.bots.dealer import NotOffered, Piles, next_act
from companion.games.master_builder.bots.turn import BotTurn, as_known_to, taking
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules.game import MasterBuilder
from companion.games.master_builder.rules.state import Build, GamePosition, Job, Planned, State
from companion.games.master_builder.simulation import STRENGTHS
from tests.opened import house_deck, shuffled

SITES = (("C03", (("wall-1", ("T",)), ("gable-1", ("A",)))),)
HIRE = Offer("hire_worker", "blue", fields=(("worker", OneOf(("W01", "W02"))),))
REST = Offer("pass", "blue", given=(("rest", True),))
BID = Offer("bid", "blue", fields=(("amount", Amount(5_000, 9_000)),))
TURN = Offer("turn_event", "blue", fields=(("card", OneOf(("E01",))),), addressed=False)
CHOOSE = Offer("choose_workers", "blue", fields=(("workers", SomeOf(("W01", "W02", "W03"), 2, 2)),))
DISMISS = Offer("choose_workers", "blue", fields=(("workers", AnySet((("W01",), ("W02", "W03")))),))
RAZE = Offer("choose_sections", "blue", fields=(("sections", AnyOfThese(((("C03", ("wall-1",)),), ()))),))
PLAN = Offer("plan", "blue", fields=(("work", Assignment(SITES, (("W01", "T"), ("W02", "A")))),))


@pytest.mark.parametrize(
    ("offer", "command"),
    [
        (HIRE, c.HireWorker("blue", "W02")),
        (REST, c.Pass("blue", rest=True)),
        (Offer("pass", "blue"), c.Pass("blue")),
        (BID, c.Bid("blue", 7_000)),
        (TURN, c.TurnEvent("E01")),
        (CHOOSE, c.ChooseWorkers("blue", ("W03", "W01"))),
        (DISMISS, c.ChooseWorkers("blue", ("W02", "W03"))),
        (RAZE, c.ChooseSections("blue", {"C03": ("wall-1",)})),
        (RAZE, c.ChooseSections("blue", {})),
        (PLAN, c.Plan("blue", {"C03": {"wall-1": ("W01",), "gable-1": ("W02",)}})),
        (PLAN, c.Plan("blue", {})),
    ],
)
def test_a_command_among_those_offered_is_allowed(offer: Offer, command: Command) -> None:
    assert fault_of(offer, command) is None


@pytest.mark.parametrize(
    ("offer", "command"),
    [
        (HIRE, c.FireWorker("blue", "W01")),
        (HIRE, c.HireWorker("red", "W01")),
        (HIRE, c.HireWorker("blue", "W03")),
        (REST, c.Pass("blue")),
        (Offer("pass", "blue"), c.Pass("blue", rest=True)),
        (BID, c.Bid("blue", 4_000)),
        (BID, c.Bid("blue", 5_500)),
        (TURN, c.TurnEvent("E01", from_hand=True)),
        (CHOOSE, c.ChooseWorkers("blue", ("W01",))),
        (CHOOSE, c.ChooseWorkers("blue", ("W01", "W01"))),
        (DISMISS, c.ChooseWorkers("blue", ("W02",))),
        (RAZE, c.ChooseSections("blue", {"C03": ("gable-1",)})),
        (PLAN, c.Plan("blue", {"C03": {"roof-1": ("W01",)}})),
        (PLAN, c.Plan("blue", {"C03": {"wall-1": ("W01",), "gable-1": ("W01",)}})),
        (PLAN, c.Plan("blue", {"C03": {"wall-1": ("W09",)}})),
    ],
)
def test_a_command_that_was_not_offered_is_not_allowed(offer: Offer, command: Command) -> None:
    assert fault_of(offer, command) is not None


def test_an_offer_is_taken_with_what_was_chosen() -> None:
    assert taking(HIRE, worker="W01") == c.HireWorker("blue", "W01")
    assert taking(REST) == c.Pass("blue", rest=True)
    assert taking(TURN, card="E01") == c.TurnEvent("E01")


# ---------------------------------------------------------------------------------------- at a table
def moments(**rules: Any) -> Iterator[tuple[GamePosition, Piles]]:
    """Every position of a game of three."""
    game: Game[State, Command, Event] = MasterBuilder({"house": house_deck()})
    seats = tuple(c.SeatChoice(player) for player in ("blue", "yellow", "red"))
    _, position = decide_and_settle(game, None, c.StartGame("master_builder", seats, "blue", rules=rules))
    piles = shuffled(house_deck(), 4)
    while (act := next_act(position, piles)) is not None:
        yield position, piles
        _, position = decide_and_settle(game, position, act.command)


def test_a_bot_that_wants_what_was_not_offered_is_stopped() -> None:
    position, piles = next(moments())

    def cheat(turn: BotTurn) -> Command:
        return c.Bid(turn.player, 1_000)

    with pytest.raises(NotOffered, match="Bid"):
        next_act(position, piles, {"blue": cheat})


@pytest.mark.parametrize("strength", ["random", "middle", "strong"])
def test_what_lies_deeper_in_the_piles_changes_no_decision(strength: str) -> None:
    for position, piles in list(moments())[::9]:
        tops = set(piles.on_top(position.state).values())
        deeper = [worker for worker in reversed(piles.workers) if worker not in tops]
        other = replace(piles, workers=(*piles.on_top(position.state).values(), *deeper), events=piles.events[::-1])
        bots = dict.fromkeys(("blue", "yellow", "red"), STRENGTHS[strength])
        first, second = (next_act(position, deck, bots, lambda n: n // 2) for deck in (piles, other))
        assert first is not None
        if not isinstance(first.command, c.TurnEvent):
            assert first == second


def test_secret_plans_of_others_and_hidden_money_are_not_shown_to_a_bot() -> None:
    position = next(position for position, _ in moments(money="hidden") if isinstance(position.state.phase, Build))
    plans = tuple(Planned(player, (Job("C01", "wall-1", ("W01",)),)) for player in ("blue", "red"))
    position = replace(position, state=position.state.with_phase(Build(plans)))

    redacted = as_known_to(position, "red")

    assert isinstance(redacted.state.phase, Build)
    assert [plan.player for plan in redacted.state.phase.plans] == ["red"]
    assert redacted.ledger.balance(player_account("red")) == position.ledger.balance(player_account("red")) > 0
    assert redacted.ledger.balance(player_account("blue")) == redacted.ledger.balance("bank") == 0


def test_open_plans_and_open_money_are_known_to_all() -> None:
    position = next(position for position, _ in moments(plans="open") if isinstance(position.state.phase, Build))

    assert as_known_to(position, "red") == position
