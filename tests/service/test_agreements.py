"""Commands that need another player's agreement."""

import pytest

from companion.engine.game import Refused
from companion.games.master_builder.advice import best_plan
from companion.service.access.consents import ConsentRequests
from companion.service.ports import Forbidden, Stale, UnknownProposal
from companion.service.runtime import first_number
from companion.service.table.table import Request, Table
from tests.fakes import FakeClock, FakeJournal
from tests.opened import house_deck, shuffled, start_command
from tests.service.house_tables import Json, bot_command, give, house_game, nut_table, position

UNDO = {"do": "undo"}


@pytest.fixture
def agreements() -> ConsentRequests:
    return ConsentRequests()


@pytest.fixture
def lending() -> tuple[Table, Json]:
    """A table at which workers may be lent, and a loan of one that the rules allow."""
    table = Table("t", house_game(), FakeJournal(), FakeClock())
    give(table, start_command(3, 5) | {"variants": ["loaning_workers"]})
    piles = shuffled(house_deck(), 5)
    while not (offers := [offer for offer in table.show("banker")["offers"] if offer["do"] == "hire_out"]):
        command = bot_command(table, piles)
        assert command is not None
        give(table, command)
    offer = offers[0]
    worker = offer["fields"]["worker"]["values"][0]
    return table, {
        "do": "hire_out", "owner": offer["owner"], "worker": worker, "borrower": offer["borrower"], "price": 1000
    }  # fmt: skip


def test_a_worker_is_lent_once_the_borrower_agrees(agreements: ConsentRequests, lending: tuple[Table, Json]) -> None:
    # given a player who asks from their own phone
    table, lend = lending
    before = table.version
    asked = agreements.ask(table, Request(lend, lend["owner"], "tap", before))
    assert asked is not None
    assert (asked.asked, table.version) == (lend["borrower"], before)

    # when the borrower says yes
    entry = agreements.answer(table, asked.number, actor=lend["borrower"], yes=True)

    # then it is booked in the name of the owner
    assert entry is not None
    assert (entry["actor"], entry["source"]) == (lend["owner"], "agreement")
    assert position(table)["lent"][0]["worker"] == lend["worker"]
    assert agreements.open_for(table, lend["owner"]) == ()


def test_a_yes_to_a_question_of_before_a_restart_answers_none_of_after_it(lending: tuple[Table, Json]) -> None:
    # given a question that ended with its process, and another one that is asked of the same player since
    table, lend = lending
    asked, since = (
        ConsentRequests(first_number()).ask(
            table, Request(lend | {"price": price}, lend["owner"], "tap", table.version)
        )
        for price in (1000, 5000)
    )
    assert asked is not None
    assert since is not None

    # then they have other numbers
    assert asked.number != since.number


def test_nothing_happens_where_the_borrower_says_no(agreements: ConsentRequests, lending: tuple[Table, Json]) -> None:
    table, lend = lending
    before = table.version
    asked = agreements.ask(table, Request(lend, lend["owner"], "tap", before))
    assert asked is not None

    assert agreements.answer(table, asked.number, actor=lend["borrower"], yes=False) is None

    assert table.version == before
    with pytest.raises(UnknownProposal):
        agreements.answer(table, asked.number, actor=lend["borrower"], yes=True)


def test_who_asks_may_take_it_back_and_not_agree_for_the_other(
    agreements: ConsentRequests, lending: tuple[Table, Json]
) -> None:
    table, lend = lending
    asked = agreements.ask(table, Request(lend, lend["owner"], "tap", table.version))
    assert asked is not None

    with pytest.raises(Forbidden):
        agreements.answer(table, asked.number, actor=lend["owner"], yes=True)
    assert agreements.answer(table, asked.number, actor=lend["owner"], yes=False) is None


def test_a_third_player_knows_nothing_of_it(agreements: ConsentRequests, lending: tuple[Table, Json]) -> None:
    table, lend = lending
    asked = agreements.ask(table, Request(lend, lend["owner"], "tap", table.version))
    assert asked is not None
    (third,) = set(position(table)["players"]) - {lend["owner"], lend["borrower"]}

    assert agreements.open_for(table, third) == ()
    assert agreements.open_for(table, "spectator") == ()
    assert agreements.open_for(table, "banker") == (asked,)
    with pytest.raises(UnknownProposal):
        agreements.answer(table, asked.number, actor=third, yes=True)


def test_what_the_rules_refuse_is_never_asked(agreements: ConsentRequests, lending: tuple[Table, Json]) -> None:
    table, lend = lending

    with pytest.raises(Refused):
        agreements.ask(table, Request(lend | {"price": 900_000}, lend["owner"], "tap", table.version))

    assert agreements.open_for(table, "banker") == ()


def test_only_ones_own_workers_can_be_offered_and_only_lending_and_undo_be_asked(
    agreements: ConsentRequests, lending: tuple[Table, Json]
) -> None:
    table, lend = lending
    for command, asker in ((lend, lend["borrower"]), ({"do": "redo"}, lend["owner"])):
        with pytest.raises((Forbidden, Refused)):
            agreements.ask(table, Request(command, asker, "tap", table.version))


def test_a_question_is_over_when_something_else_happens(
    agreements: ConsentRequests, lending: tuple[Table, Json]
) -> None:
    table, lend = lending
    asked = agreements.ask(table, Request(lend, lend["owner"], "tap", table.version))
    assert asked is not None
    assert table.position is not None
    planner = position(table)["waiting_for"][0]
    work: Json = {}
    for job in best_plan(table.position, planner):
        work.setdefault(job.contract, {})[job.section] = list(job.workers)
    give(table, {"do": "plan", "player": planner, "work": work})

    assert agreements.open_for(table, "banker") == ()
    with pytest.raises(UnknownProposal):
        agreements.answer(table, asked.number, actor=lend["borrower"], yes=True)


def test_a_second_question_of_the_same_asker_takes_the_place_of_the_first(
    agreements: ConsentRequests, lending: tuple[Table, Json]
) -> None:
    table, lend = lending
    agreements.ask(table, Request(lend, lend["owner"], "tap", table.version))
    second = agreements.ask(table, Request(lend | {"price": 2000}, lend["owner"], "tap", table.version))

    assert agreements.open_for(table, "banker") == (second,)


OPEN: Json = {"do": "open_auction", "player": "ada", "nut": "hazel", "bid": 3}


def test_ones_own_last_act_is_taken_back_freely(agreements: ConsentRequests) -> None:
    table = nut_table()
    table.submit(Request(OPEN, "ada", "tap"))

    assert agreements.ask(table, Request(UNDO, "ada", "tap", 2)) is None
    assert [offer["do"] for offer in table.show("ada")["offers"]][-1] == "undo"
    table.submit(Request(UNDO, "ada", "tap", 2))

    assert table.undoes is None


def test_what_somebody_else_did_is_taken_back_once_he_agrees(agreements: ConsentRequests) -> None:
    table = nut_table()
    table.submit(Request(OPEN, "ada", "tap"))
    with pytest.raises(Forbidden):
        table.submit(Request(UNDO, "ben", "tap", 2))

    asked = agreements.ask(table, Request(UNDO, "ben", "tap", 2))
    assert asked is not None
    assert asked.asked == "ada"
    entry = agreements.answer(table, asked.number, actor="ada", yes=True)

    assert entry is not None
    assert entry["actor"] == "ada"
    assert table.undoes is None


def test_the_start_is_not_to_be_taken_back_and_an_old_screen_asks_nothing(agreements: ConsentRequests) -> None:
    table = nut_table()
    with pytest.raises(Refused):
        agreements.ask(table, Request(UNDO, "ben", "tap", 1))
    with pytest.raises(Stale):
        agreements.ask(table, Request(UNDO, "ben", "tap", 7))


def test_a_question_that_is_sent_again_with_its_key_is_not_asked_again(
    agreements: ConsentRequests, lending: tuple[Table, Json]
) -> None:
    # given a question whose answer to the asker was lost, and which the other one has refused
    table, lend = lending
    request = Request(lend, lend["owner"], "tap", table.version, "k")
    asked = agreements.ask(table, request)
    assert asked is not None
    agreements.answer(table, asked.number, actor=lend["borrower"], yes=False)

    # when the page sends it once more, then it is the same question, and the other one is not asked anew
    again = agreements.ask(table, request)
    assert again is not None
    assert (again.number, again.refused) == (asked.number, True)
    assert agreements.open_for(table, lend["borrower"]) == ()
