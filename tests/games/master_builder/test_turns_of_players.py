"""The banker says which round it is, who starts, and whose turn it is; the phase goes on."""

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.games.master_builder.turns import auction, refused, turn
from tests.scenario import Scenario, waiting_in

ONE_LEAVES = deck(events={"E01": (Effect("dismiss", count=1),)})


# ---------------------------------------------------------------------------------------- round and start player
def test_the_round_can_be_put_right_alone() -> None:
    given = waiting_in("build")
    phase = given.table.position.state.phase  # type: ignore[union-attr]

    turn(given, round=4)

    assert given.position["round"] == 4
    assert given.table.position.state.phase == phase  # type: ignore[union-attr]


def test_contracts_have_other_laws_in_round_1_and_begin_anew_there() -> None:
    given = waiting_in("contracts")
    given.idle()

    turn(given, round=1)

    assert (given.position["economy_due"], given.position["reveal_due"]) == (False, 0)


def test_the_mallet_goes_to_another_player() -> None:
    given = waiting_in("hire")
    start = given.position["start_player"]
    other = next(seat for seat in given.seats if seat != start)

    turn(given, start_player=other)

    assert given.position["start_player"] == other
    assert given.asks()[0] == [other]


def test_the_mallet_may_move_in_the_middle_of_a_phase_without_taking_anybodys_turn() -> None:
    given = auction()
    turn(given, start_player="green")
    assert (given.position["start_player"], given.asks()[0]) == ("green", ["green"])
    assert given.position["auction"]["leader"] == "yellow"


# ---------------------------------------------------------------------------------------- whose turn it is
def test_an_opportunity_goes_to_the_player_who_was_passed_over() -> None:
    given = Scenario("blue", "yellow", "green")
    given.to("hire", 2)
    start = given.position["waiting_for"][0]
    given.do("pass", player=start, rest=True)

    turn(given, waiting_for=start)

    assert given.asks()[0] == [start]
    assert given.position["hire"]["rested"] == []
    assert refused(given, waiting_for=[start]) == "nothing_would_change"


def test_who_left_an_auction_by_mistake_is_back_in_it() -> None:
    given = auction()
    given.do("pass", player="green")
    assert given.asks()[0] == ["blue"]

    turn(given, waiting_for="green")

    assert given.asks() == (["green"], ["bid", "pass"])
    assert given.position["auction"]["still_in"] == ["blue", "yellow", "green"]
    given.do("bid", player="green", amount=9_000)
    given.pass_all_in_auction()
    assert "C01" in given.player("green")["contracts"]


def test_an_auction_does_not_wait_for_its_leader_nor_for_who_may_not_bid() -> None:
    given = auction()
    assert refused(given, waiting_for="yellow") == "leads_the_auction"
    given.pass_all_in_auction()
    given.sell("C02", "yellow")
    given.do("open_auction", player="blue", contract="C03", bid=5_000)
    assert refused(given, waiting_for="yellow") == "cannot_wait_for"


def test_the_choice_of_a_contract_goes_to_a_player_and_those_before_him_have_declined() -> None:
    given = Scenario("blue", "yellow", "green")
    given.hire()
    given.reveal("C01", "C02", "C03", "C04")

    turn(given, waiting_for="green")
    assert given.asks() == (["green"], ["open_auction", "pass"])
    assert given.position["declined"] == ["blue", "yellow"]

    turn(given, waiting_for="blue")
    assert given.position["declined"] == ["yellow"]
    assert refused(given, waiting_for="blue") == "nothing_would_change"


def test_an_event_comes_to_a_player_whom_it_passed_by() -> None:
    given = Scenario("blue", "yellow", "green", catalog=ONE_LEAVES)
    given.to("events")
    given.do("turn_event", card="E01")

    turn(given, waiting_for="green")

    assert given.asks() == (["green"], ["choose_workers"])
    given.do("choose_workers", player="green", workers=given.player("green")["workers"][:1])
    assert given.asks()[0] == ["yellow"]


def test_a_plan_is_to_be_made_again() -> None:
    given = Scenario("blue", "yellow")
    given.to("build", 2)
    first, *_ = given.asks()[0]
    given.do("plan", player=first, work={})
    assert first not in given.asks()[0]

    events = turn(given, waiting_for=first)

    assert [event["event"] for event in events] == ["TurnCorrected", "PlanVoided"]
    assert first in given.asks()[0]
    assert events[0]["waiting"] == given.asks()[0], "he is named among those who are waited for"
    assert refused(given, waiting_for=list(given.seats)) == "nothing_would_change"


def test_the_table_cannot_wait_for_whom_it_would_not_ask() -> None:
    given = waiting_in("contracts")
    start = given.position["start_player"]
    other = next(seat for seat in given.seats if seat != start)
    assert refused(given, waiting_for=other) == "cannot_wait_for"
    assert refused(given, waiting_for=start) == "nothing_would_change"
    assert refused(given, waiting_for=["blue", "yellow"]) == "one_at_a_time"
    assert refused(given, waiting_for=[]) == "nothing_would_change"
    assert refused(given, phase="income", waiting_for=other) == "cannot_wait_for"
    assert refused(given, phase="finished", waiting_for=other) == "cannot_wait_for"
    assert refused(given, phase="events", waiting_for=other) == "cannot_wait_for"


def test_who_has_nothing_to_build_with_is_not_waited_for() -> None:
    given = waiting_in("build")
    for worker in given.player("blue")["workers"]:
        given.do("correct_card", card=worker, to="supply", reason="he has none")
    assert refused(given, waiting_for="blue") == "cannot_wait_for"
