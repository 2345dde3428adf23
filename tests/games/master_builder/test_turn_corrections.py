"""The banker puts round, start player, phase and turn to where the table is."""

from typing import Any

import pytest

from companion.games.master_builder import GAME
from companion.games.master_builder.rules.catalog import Effect
from companion.words import LANGUAGES, Words
from tests.games.master_builder.decks import deck
from tests.games.master_builder.turns import auction, refused, turn
from tests.scenario import PHASES, Scenario, empty_table, waiting_in

ONE_LEAVES = deck(events={"E01": (Effect("dismiss", count=1),)})


def money(given: Scenario) -> Any:
    shown = given.position
    return {seat: player["cash"] for seat, player in shown["players"].items()}, shown["bank"], shown["display"]


# ---------------------------------------------------------------------------------------- a phase begins anew
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("aim", ["hire", "contracts", "events", "build"])
def test_from_every_phase_every_phase_can_be_begun_and_undone_and_money_stays(phase: str, aim: str) -> None:
    given = waiting_in(phase)
    before = given.position
    if phase == aim:
        return
    cash = {seat: given.cash(seat) for seat in given.seats}

    turn(given, phase=aim)

    gone = phase == "finished" and aim == "contracts"  # no contract is left: that phase is passed over
    assert given.position["phase"] == ("events" if gone else aim)
    assert {seat: given.cash(seat) for seat in given.seats} == cash
    given.do("undo")
    assert given.position == before


def test_income_that_is_forced_pays_prices_and_wages() -> None:
    given = waiting_in("hire")
    given.give_money("yellow", 100_000)
    wages = {seat: given.player(seat)["wages"] for seat in given.seats}
    cash = {seat: given.cash(seat) for seat in given.seats}

    turn(given, phase="income")

    assert given.position["phase"] == "hire"
    assert given.position["round"] == 4
    assert {seat: given.cash(seat) for seat in given.seats} == {seat: cash[seat] - wages[seat] for seat in given.seats}


def test_a_phase_that_is_named_begins_anew_also_if_it_is_on() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    given.reveal_some(3)
    given.do("pass", player="blue")

    turn(given, phase="contracts")

    assert given.asks() == (["blue"], ["open_auction", "pass"])
    assert (given.position["declined"], given.position["reveal_due"]) == ([], 0)


def test_contracts_that_are_still_to_be_turned_up_stay_due() -> None:
    given = Scenario("blue", "yellow", "green")
    given.hire()
    given.reveal("C01")

    assert refused(given, phase="contracts") == "nothing_would_change"
    fewer_workers(given, "green")
    turn(given, phase="hire")
    turn(given, phase="contracts")

    assert given.position["reveal_due"] == 3


def fewer_workers(given: Scenario, player: str, count: int = 1) -> None:
    """Put a player's last workers back into the supply."""
    for worker in given.player(player)["workers"][-count:]:
        given.do("correct_card", card=worker, to="supply", reason="as the story needs it")


def test_an_economic_situation_turned_in_this_round_is_not_asked_for_again() -> None:
    given = waiting_in("events")

    turn(given, phase="contracts")
    assert "turn_economy" not in given.asks()[1]

    given.to("contracts", 4)
    turn(given, phase="hire")
    turn(given, phase="contracts")
    assert given.asks()[1] == ["turn_economy"]


def test_hiring_begun_anew_has_five_laps_in_round_1_and_three_later() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    fewer_workers(given, "blue")
    turn(given, phase="hire")
    assert (given.position["hire"]["lap"], given.position["hire"]["laps"]) == (5, 5)
    turn(given, round=2, phase="hire")
    assert (given.position["hire"]["lap"], given.position["hire"]["laps"]) == (1, 3)


@pytest.mark.parametrize("taken", [{"blue": 1}, {"yellow": 2}, {"blue": 1, "yellow": 3}, {"blue": 5, "yellow": 2}])
@pytest.mark.parametrize("draft", ["lap", "snake"])
def test_hiring_begun_anew_in_round_1_ends_with_five_workers_each(taken: dict[str, int], draft: str) -> None:
    # given three players who have hired five workers each, of whom some were put back
    given = Scenario("blue", "yellow", "green", rules={"round1_draft": draft})
    given.hire()
    for player, count in taken.items():
        fewer_workers(given, player, count)

    # when phase 1 begins anew
    turn(given, phase="hire")

    # then it goes on with the first who has the fewest, and passes over whoever has five
    fewest = max(taken.values())
    order = given.seats if draft == "lap" or (6 - fewest) % 2 else given.seats[::-1]
    assert given.position["hire"]["lap"] == 6 - fewest
    assert given.asks()[0] == [next(player for player in order if taken.get(player) == fewest)]
    given.to("contracts")
    assert {len(given.player(player)["workers"]) for player in given.seats} == {5}


def test_hiring_cannot_begin_anew_in_round_1_once_everybody_has_five_workers() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    given.reveal_some(3)

    assert refused(given, phase="hire") == "nothing_would_change"
    fewer_workers(given, "blue")
    assert refused(given, phase="hire", waiting_for="yellow") == "cannot_wait_for"
    turn(given, phase="hire", waiting_for="blue")
    given.to("contracts")
    assert len(given.player("yellow")["workers"]) == 5


def test_going_on_to_another_round_lets_the_wages_of_the_round_lapse_and_turns_workers_up() -> None:
    given = Scenario("blue", "yellow", catalog=deck(events={"E01": (Effect("wage_change", amount=2_000),)}))
    given.to("events")
    given.do("turn_event", card="E01")
    worker = given.player("blue")["workers"][0]
    assert worker in given.position["workers"]

    turn(given, round=2)
    assert worker in given.position["workers"]
    turn(given, round=3, phase="hire")

    assert given.position["workers"] == {}


def test_workers_turned_down_lie_face_up_again_once_the_building_phase_is_left() -> None:
    given = Scenario("blue", "yellow", catalog=deck(events={"E01": (Effect("unavailable", count=1),)}))
    given.to("events")
    given.do("turn_event", card="E01")
    given.do("choose_workers", player="blue", workers=given.player("blue")["workers"][:1])
    assert given.player("blue")["unavailable"]

    turn(given, phase="hire")

    assert given.player("blue")["unavailable"] == []


def test_the_game_can_be_ended_where_the_evening_ends_and_gone_on_with() -> None:
    given = auction()
    before = money(given)

    events = turn(given, phase="finished")

    assert [event["event"] for event in events] == ["TurnCorrected", "GameEnded"]
    assert given.position["finished"]
    assert given.position["standings"]
    assert money(given) == before
    assert refused(given, start_player="green") == "name_the_phase"
    assert refused(given, phase="finished") == "nothing_would_change"
    turn(given, phase="contracts")
    assert given.asks() == (["blue"], ["open_auction", "pass"])


# ---------------------------------------------------------------------------------------- what lies half-done
def test_an_auction_that_is_called_off_costs_nobody_anything() -> None:
    given = auction()
    before = money(given)

    [event, *_] = turn(given, phase="contracts")

    assert event["called_off"] == "auction"
    assert given.position["auction"] is None
    assert money(given) == before
    assert given.asks() == (["blue"], ["open_auction", "pass"])


def test_what_lies_on_a_contract_stays_there_when_its_auction_is_called_off() -> None:
    given = waiting_in("contracts")
    given.pass_all()
    given.to("contracts", 4)
    while "turn_economy" in given.asks()[1] or "reveal_contracts" in given.asks()[1]:
        given.idle()
    lot = next(card for card, lying in given.position["display"].items() if lying)
    offer = next(offer for offer in given.offers(given.asks()[0][0]) if offer.get("contract") == lot)
    given.do("open_auction", player=given.asks()[0][0], contract=lot, bid=offer["fields"]["bid"]["least"])
    before = money(given)

    turn(given, phase="events")

    assert money(given) == before
    assert given.position["display"][lot] == 5_000


def test_an_event_in_hand_is_turned_again_when_its_phase_begins_anew() -> None:
    given = Scenario("blue", "yellow", catalog=ONE_LEAVES)
    given.to("events")
    given.do("turn_event", card="E01")

    [event, *_] = turn(given, phase="events")

    assert (event["called_off"], event["returned"]) == ("event", "E01")
    assert given.asks() == (["blue"], ["turn_event"])
    given.do("turn_event", card="E01")
    assert given.position["event"]["card"] == "E01"


def test_the_second_event_of_a_round_is_turned_again_without_the_first() -> None:
    given = Scenario(
        "blue", "yellow", catalog=deck(events={"E02": (Effect("dismiss", count=1),)}), variants=["additional_events"]
    )
    given.to("events")
    given.do("turn_event", card="E01")
    given.do("turn_event", card="E02")

    turn(given, phase="events")
    given.do("turn_event", card="E03")

    assert given.position["phase"] == "build"


def test_an_event_left_for_another_phase_counts_as_turned() -> None:
    given = Scenario("blue", "yellow", catalog=ONE_LEAVES)
    given.to("events")
    given.do("turn_event", card="E01")

    [event, *_] = turn(given, phase="build")

    assert (event["called_off"], event["returned"]) == ("event", None)
    assert given.position["turned"]["events"] == ["E01"]


def test_plans_made_so_far_are_void_when_building_begins_anew() -> None:
    given = waiting_in("build")
    given.do("plan", player="blue", work={})

    [event, *_] = turn(given, phase="build")

    assert event["called_off"] == "plans"
    assert given.position["planned"] == []


# ---------------------------------------------------------------------------------------- what makes no sense
@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({}, "nothing_would_change"),
        ({"reason": "  "}, "reason_missing"),
        ({"round": 7}, "no_such_round"),
        ({"round": 0}, "no_such_round"),
        ({"round": "2"}, "wrong_type"),
        ({"round": True}, "wrong_type"),
        ({"phase": "lunch"}, "wrong_type"),
        ({"phase": "hire"}, "nothing_would_change"),
        ({"start_player": "red"}, "unknown_player"),
        ({"start_player": "blue"}, "nothing_would_change"),
        ({"waiting_for": "red"}, "unknown_player"),
        ({"waiting_for": 3}, "wrong_type"),
        ({"turn": "blue"}, "unknown_field"),
    ],
)
def test_what_makes_no_sense_is_refused(fields: dict[str, Any], rule: str) -> None:
    assert refused(Scenario("blue", "yellow"), **fields) == rule


def test_the_field_that_has_the_wrong_type_is_named() -> None:
    given = Scenario("blue", "yellow")
    for wrong in (3, {"blue": 1}, ["blue", 4]):
        refusal = given.refusal("correct_turn", reason="why", waiting_for=wrong)
        assert str(refusal.details["field"]).split(".")[0] == "waiting_for"


def test_a_round_beyond_the_last_is_refused_with_the_last() -> None:
    given = waiting_in("hire")
    refusal = given.refusal("correct_turn", reason="why", round=9)
    assert (refusal.rule, dict(refusal.details)) == ("no_such_round", {"round": 9, "last": 6})


# ---------------------------------------------------------------------------------------- a phase twice in a round
def test_a_premium_laid_in_this_round_lets_nothing_be_removed_in_it_d18() -> None:
    # given contracts that nobody wanted, each with its premium
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 0}))
    given.to("events")
    laden = given.position["display"]
    assert set(laden.values()) == {5_000}

    # when the banker lets that phase begin anew, and again nobody wants them
    turn(given, phase="contracts")
    given.pass_all()

    # then they stay as they are
    assert given.position["phase"] == "events"
    assert (given.position["display"], given.position["removed"]) == (laden, [])

    # and only in the next round they go
    given.to("contracts", 2)
    given.to("events", 2)
    assert set(laden) <= set(given.position["removed"])


@pytest.mark.parametrize("fields", [{"round": 3, "phase": "contracts"}, {"round": 3, "phase": "hire"}])
def test_what_got_its_premium_in_an_earlier_round_is_removed_where_the_banker_names_a_later_one(
    fields: dict[str, Any],
) -> None:
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 0}, reveal={"*": (0, 0, 0)}))
    given.to("events")
    laden = set(given.position["display"])

    turn(given, **fields)
    given.to("events", 3)

    assert set(given.position["removed"]) == laden


def test_premiums_of_a_game_taken_over_after_phase_2_are_of_this_round() -> None:
    begun = Scenario("blue", "yellow", catalog=deck(wages={"*": 0}))
    begun.to("build")
    given = Scenario.__new__(Scenario)
    given.seats, given.table = begun.seats, empty_table(deck(wages={"*": 0}))
    given.do("take_over", position=begun.position, reason="begun elsewhere")

    turn(given, phase="contracts")
    given.pass_all()

    assert given.position["display"] == begun.position["display"]


# ---------------------------------------------------------------------------------------- an event from the hand
def hands(given: Scenario) -> list[int]:
    return [given.player(seat)["event_hand"] for seat in given.seats]


@pytest.mark.parametrize("more", [{}, {"start_player": "yellow"}])
def test_an_event_of_the_hand_that_counts_as_not_turned_goes_back_to_the_hand_mb_73(more: dict[str, str]) -> None:
    # given an event played from the hand of the start player
    given = Scenario("blue", "yellow", catalog=ONE_LEAVES, variants=["selective_events"])
    given.to("events")
    given.do("turn_event", card="E01", from_hand=True)
    assert hands(given) == [1, 2]

    # when the banker lets that phase begin anew, as often as they like
    for _ in range(3):
        [event, *_] = turn(given, phase="events", **more)
        assert (event["returned"], event["hand"]) == ("E01", "blue")
        assert hands(given) == [2, 2]
        if more:
            return
        given.do("turn_event", card="E01", from_hand=True)

    # then it is out of the hand once
    assert hands(given) == [1, 2]
    given.do("undo")
    assert hands(given) == [2, 2]


def test_an_event_of_the_deck_goes_back_to_nobodys_hand() -> None:
    given = Scenario("blue", "yellow", catalog=ONE_LEAVES, variants=["selective_events"])
    given.to("events", 5)
    hand = hands(given)
    given.do("turn_event", card="E01")

    [event, *_] = turn(given, phase="events")

    assert "hand" not in event
    assert hands(given) == hand


@pytest.mark.parametrize(("round_", "back"), [(1, "blue"), (5, None)])
def test_an_event_in_hand_of_a_game_taken_over_goes_back_to_where_it_came_from(round_: int, back: str | None) -> None:
    # given a game that was taken over while an event waits for somebody's choice
    begun = Scenario("blue", "yellow", catalog=ONE_LEAVES, variants=["selective_events"])
    begun.to("events", round_)
    begun.do("turn_event", card="E01", **({"from_hand": True} if back else {}))
    given = Scenario.__new__(Scenario)
    given.seats, given.table = begun.seats, empty_table(ONE_LEAVES)
    given.do("take_over", position=begun.position, reason="begun elsewhere")

    # when it counts as not turned, then it is in that hand again
    [event, *_] = turn(given, phase="events")
    assert event.get("hand") == back


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Corrected: round 3, Income, Blue starts (the table says so)"),
        ("de", "Korrigiert: Runde 3, Einnahmen, Blue beginnt (the table says so)"),
        ("fr", "Corrig\u00e9\u202f: tour 3, Revenus, Blue commence (the table says so)"),
    ],
)
def test_nobody_is_waited_for_where_the_table_goes_on_by_itself(language: str, said: str) -> None:
    # given a round in which everybody can pay
    given = waiting_in("hire")
    given.give_money("yellow", 100_000)

    # when the banker begins income
    [event, *more] = turn(given, phase="income")

    # then wages follow, and nobody is named
    assert more
    assert event["waiting"] == []
    names = {seat: seat.capitalize() for seat in given.seats}
    assert Words(language, GAME).event(event, names, given.table.catalog_json()) == said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("half_done", ["", "auction", "event", "plans"])
def test_a_correction_after_which_the_table_goes_on_is_told_without_nothing(language: str, half_done: str) -> None:
    words = Words(language, GAME)
    event = {"event": "TurnCorrected", "round": 3, "phase": "income", "start": "blue", "called_off": half_done}
    says = words.event({**event, "waiting": [], "reason": "why"}, {"blue": "Ada"})
    waits = words.event({**event, "waiting": ["blue"], "reason": "why"}, {"blue": "Ada"})
    assert says != waits
    assert words.say("nothing") not in says


def test_a_player_whom_the_banker_names_is_waited_for() -> None:
    given = Scenario("blue", "yellow")
    [event, *_] = turn(given, waiting_for="yellow")
    assert event["waiting"] == ["yellow"]
