"""The best plan as advice: who may ask, what it earns, and the reasons."""

from typing import Any

import pytest

from companion.engine.game import Refused
from companion.games.master_builder.advice import Reason, suggestion
from companion.games.master_builder.forecast.view import plan_of, reasons_view
from companion.games.master_builder.rules.state import GamePosition
from companion.service.table.table import Request
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of


def building(*contracts: str, teams: dict[str, str], crew: list[str], **more: Any) -> Scenario:
    """Round 2, blue holds these contracts, whose every section takes one worker of a type, and this crew."""
    figures = {card: {"sections": {"*": (team,)}, "price": 50_000} for card, team in teams.items()}
    given = Scenario("blue", "yellow", catalog=deck(contracts=figures, reveal={"*": (0, 0, 0)}), **more)
    given.to("hire", 2)
    for card in [*given.player("blue")["workers"], *given.player("blue")["contracts"]]:
        given.do("correct_card", card=card, to="supply" if card[0] == "W" else "deck", reason="a clean table")
    given.give_cards("blue", *crew, *contracts)
    return given


def position_of(given: Scenario) -> GamePosition:
    position = given.table.position
    assert position is not None
    return position


def test_a_building_is_begun_then_finished_and_what_it_earns_is_told() -> None:
    given = building("C03", teams={"C03": "A"}, crew=workers_of("A")[:4])
    given.to("build", 2)

    first = suggestion(position_of(given), "blue")
    assert (first.earns, first.idle) == (0, ())
    (reason,) = first.reasons
    assert (reason.why, reason.left, len(reason.sections)) == ("begins", 2, 4)
    given.table.submit(Request(given.table.game.codec.command_json(plan_of(first)), "banker", "test"))
    given.to("build", 3)

    then = suggestion(position_of(given), "blue")
    assert (then.earns, len(then.idle)) == (50_000, 2)
    assert [reason.why for reason in then.reasons] == ["finishes"]
    assert reasons_view(then)["reasons"][0]["price"] == 50_000


def test_what_goes_on_and_what_waits_is_told_with_its_reason() -> None:
    # given a house to the walls for apprentices, one nobody is skilled for, and one more for apprentices
    given = building("C03", "C08", "C09", teams={"C03": "A", "C08": "MC", "C09": "A"}, crew=workers_of("A")[:3])
    given.to("build", 2)
    given.raise_("blue", C03="wall-1 gable-1")
    given.to("hire", 3)
    given.do("correct_card", card=workers_of("A")[2], to="supply", reason="two have to do")
    given.to("build", 3)

    reasons = {reason.contract: reason for reason in suggestion(position_of(given), "blue").reasons}

    assert (reasons["C03"].why, reasons["C03"].left) == ("continues", 2)
    assert reasons["C08"] == Reason("no_team", "C08", left=6)
    assert reasons["C09"] == Reason("others_first", "C09", left=6)


def test_advice_is_given_only_while_plans_are_made() -> None:
    given = building("C03", teams={"C03": "A"}, crew=workers_of("A")[:4])

    with pytest.raises(Refused) as refused:
        suggestion(position_of(given), "blue")
    assert (refused.value.rule, refused.value.details["phase"]) == ("not_in_this_phase", "hire")
    given.to("finished", 6)
    with pytest.raises(Refused, match="game_over"):
        suggestion(position_of(given), "blue")
    with pytest.raises(Refused, match="unknown_player"):
        suggestion(position_of(given), "red")


def test_in_open_planning_advice_waits_for_ones_turn() -> None:
    given = building("C03", teams={"C03": "A"}, crew=workers_of("A")[:4], rules={"plans": "open"})
    given.to("build", 2)
    later = next(player for player in ("blue", "yellow") if player not in given.asks()[0])

    with pytest.raises(Refused, match="not_your_turn"):
        suggestion(position_of(given), later)
    assert suggestion(position_of(given), given.asks()[0][0]).player == given.asks()[0][0]
