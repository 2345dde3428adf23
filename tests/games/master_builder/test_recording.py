"""Events that cannot have happened: a torn journal, told as such."""

import pytest

from companion.game_api.messages import Event
from companion.games.master_builder.messages import MESSAGES
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.evolve import RECORD, evolve
from companion.games.master_builder.rules.state import MisplacedEventError
from tests.scenario import Scenario


def test_nothing_happens_before_the_start() -> None:
    with pytest.raises(ValueError, match="WorkersReturned before GameStarted"):
        evolve(None, e.WorkersReturned())


@pytest.mark.parametrize(
    ("event", "phase"), [(e.OpportunityCame("blue", 2), "Hire"), (e.BidRaised("blue", 5_000), "Contracts")]
)
def test_an_event_of_another_phase_is_misplaced(event: Event, phase: str) -> None:
    given = Scenario("blue", "yellow")
    given.to("events")
    position = given.table.position
    assert position is not None
    with pytest.raises(MisplacedEventError, match=rf"^an event of {phase} in Events$"):
        evolve(position.state, event)


def test_an_event_of_an_auction_needs_an_auction() -> None:
    given = Scenario("blue", "yellow")
    given.to("contracts")
    position = given.table.position
    assert position is not None
    with pytest.raises(MisplacedEventError, match=r"^an event of an auction where none is running$"):
        evolve(position.state, e.BidRaised("blue", 5_000))


def test_every_event_but_the_start_has_its_record() -> None:
    assert {*RECORD, e.GameStarted, e.GameTakenOver} == set(MESSAGES.events)
