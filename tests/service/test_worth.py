"""Worth of every player after each round."""

from companion.service.table.past import BEGINNING, worth_json, worth_over_rounds
from companion.service.table.table import Request
from tests.fakes import FakeJournal
from tests.scenario import Scenario, empty_table
from tests.service.house_tables import NUTS, all_tables


def test_a_game_that_has_not_begun_has_none() -> None:
    assert worth_over_rounds(empty_table(), "banker") == ()


def test_a_game_that_does_not_say_what_players_are_worth_has_none() -> None:
    assert worth_over_rounds(all_tables(FakeJournal()).start(Request(NUTS, "banker", "test")), "banker") == ()


def test_the_start_and_every_round_are_told_as_they_ended() -> None:
    # given two rounds
    given = Scenario("blue", "yellow")
    given.to("hire", 2)
    cash = {player: given.cash(player) for player in ("blue", "yellow")}

    # when money comes in after them
    given.do("correct_money", from_="bank", to="blue", amount=5_000, reason="found")
    rounds = worth_over_rounds(given.table, "banker")

    # then each round keeps what it ended with
    assert [entry.round for entry in rounds] == [BEGINNING, 1, 2]
    assert dict(rounds[0].worth) == {"blue": 40_000, "yellow": 40_000}
    assert dict(rounds[1].worth) == cash
    assert rounds[2].worth["blue"] == cash["blue"] + 5_000


def test_what_was_undone_does_not_count() -> None:
    given = Scenario("blue", "yellow")
    before = worth_over_rounds(given.table, "banker")
    given.do("correct_money", from_="bank", to="blue", amount=5_000, reason="found")
    assert worth_over_rounds(given.table, "banker") != before

    given.do("undo")

    assert worth_over_rounds(given.table, "banker") == before


def test_hidden_money_is_told_to_its_owner_and_the_banker() -> None:
    table = Scenario("blue", "yellow", rules={"money": "hidden"}).table

    assert [dict(entry.worth) for entry in worth_over_rounds(table, "yellow")] == [{"yellow": 40_000}] * 2
    assert [dict(entry.worth) for entry in worth_over_rounds(table, "spectator")] == [{}, {}]
    assert worth_json(worth_over_rounds(table, "banker"))["rounds"][0] == {
        "round": BEGINNING,
        "worth": {"blue": 40_000, "yellow": 40_000},
    }
