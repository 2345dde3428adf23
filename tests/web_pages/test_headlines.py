"""Between rounds one dry headline, out of what everybody saw."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import Overview
from companion.games.master_builder import GAME as MASTER_BUILDER
from companion.games.master_builder.ui.auction import last_move
from companion.games.master_builder.ui.headlines import Settled, headline, settled_round, settling
from companion.games.master_builder.ui.scene import Scene
from companion.games.master_builder.ui.story import MasterBuilderStory
from companion.web.pages.ending import minutes_played
from companion.words import Words

PLAYERS = {"blue": {"name": "Ada"}, "red": {"name": "Ben"}}
BEGUN = {"event": "BuildPhaseBegan"}
LAID = {"event": "SectionsBuilt", "player": "blue", "work": [{}, {}]}
PAID = {"event": "PricePaid", "player": "blue", "contract": "C01", "price": 50_000}
WAGES = {"event": "WagesPaid", "player": "blue", "amount": 9_000}
BORROWS = {"event": "LoanTaken", "player": "red", "amount": 10_000}
BORROWS_TOO = {**BORROWS, "player": "blue"}


ROUND_2 = {"event": "RoundBegan", "round": 2, "start": "blue", "laps": 3}


def scene(
    *events: dict[str, Any], at: tuple[str, ...] = ("2026-01-01T20:00:00+00:00",), phase: str = "hire", round_: int = 2
) -> Scene:
    """Return the scene of a table after these events; one entry for each moment."""
    manifest = MASTER_BUILDER
    entries = tuple({"at": instant, "events": list(events), "command": {}} for instant in at)
    nothing = Overview(phase, (), ())
    position = {"players": PLAYERS, "phase": phase, "round": round_}
    return Scene("t1", 1, position, nothing, (), {}, Words("en", manifest), entries)


@pytest.mark.parametrize(
    ("happened", "expected"),
    [
        ([LAID, WAGES], "2 sections laid, no door to lock yet."),
        ([LAID, BORROWS, WAGES], "2 sections and a loan to go with them."),
        ([LAID, PAID, WAGES], "1 building paid for, and nobody in need of a loan."),
        ([LAID, PAID, BORROWS, WAGES], "1 building paid for. Ben counts twice."),
        ([LAID, PAID, BORROWS, BORROWS_TOO, WAGES], "1 building paid for; the lender had the better day."),
        ([WAGES], "Nobody laid a stone. The wages were the same."),
        ([BORROWS, WAGES], "Nothing was built, and Ben borrowed for it."),
        ([{**WAGES, "amount": 0}], "Nothing built, nobody paid: a quiet round."),
        ([LAID], ""),
    ],
)
def test_a_settled_round_has_one_dry_headline(happened: list[dict[str, Any]], expected: str) -> None:
    assert headline(scene(BEGUN, *happened)) == expected


def test_a_round_that_is_still_being_settled_has_no_headline() -> None:
    # given wages that Ada has paid already, and Ben who must borrow first
    happened = (BEGUN, LAID, PAID, WAGES)

    # when income is still on, then nobody knows yet who needs a loan
    assert headline(scene(*happened, phase="income")) == ""


def named(phase: str, **changes: Any) -> dict[str, Any]:
    """Return the banker's correction to a phase that begins anew."""
    phases = dict.fromkeys(("hire", "contracts", "events", "build", "income"))
    return {"event": "TurnCorrected", "round": 2, "moment": {**phases, phase: {}}, "wages_lapse": False, **changes}


@pytest.mark.parametrize(
    ("corrected", "expected"),
    [
        (named("build"), "Nobody laid a stone. The wages were the same."),
        (named("income"), "Nobody laid a stone. The wages were the same."),
        (named("income", round=4, wages_lapse=True), "Nobody laid a stone. The wages were the same."),
    ],
)
def test_a_round_that_the_banker_led_to_its_end_is_told_without_the_one_before(
    corrected: dict[str, Any], expected: str
) -> None:
    # given a building in round 1, and round 2 in which the banker named a phase
    number = corrected["round"] + 1
    begun = {**ROUND_2, "round": number}

    # when that round is settled, then nothing of the first is counted
    assert headline(scene(BEGUN, LAID, PAID, WAGES, ROUND_2, corrected, WAGES, begun, round_=number)) == expected


def test_who_builds_twice_because_the_banker_went_back_is_told_with_both() -> None:
    happened = (ROUND_2, BEGUN, LAID, named("build"), LAID, WAGES, {**ROUND_2, "round": 3})
    assert headline(scene(*happened, round_=3)) == "4 sections laid, no door to lock yet."


def income_of(*events: dict[str, Any], paid: dict[str, int], phase: str = "income") -> dict[str, Settled]:
    """Return the rows of income after these events; Ada holds 50,000 and Ben nothing, both owe 9,000."""
    players = {"blue": {"name": "Ada", "cash": 50_000}, "red": {"name": "Ben", "cash": 0}}
    position = {
        "players": {player: {**seen, "wages": 9_000} for player, seen in players.items()},
        "seats": ["blue", "red"],
        "phase": phase,
        "round": 2,
        "settlement": {"earned": [], "paid": paid},
        "hire": {"lap": 1, "laps": 3},
    }
    entries = ({"at": "2026-01-01T20:00:00+00:00", "events": list(events), "command": {}},)
    shown = Scene("t1", 1, position, Overview(phase, (), ()), (), {}, Words("en", MASTER_BUILDER), entries)
    return {row.player: row for row in (settling if phase == "income" else settled_round)(shown)}


def test_income_that_a_game_was_taken_over_in_tells_what_was_paid_there() -> None:
    # given a game taken over after Ada's building and wages
    earned = [{"player": "blue", "contract": "C01", "price": 50_000}]
    income = {"earned": earned, "paid": [{"player": "blue", "amount": 9_000}]}
    begun = {"event": "GameTakenOver", "round": 1, "moment": {"hire": None, "income": income}}

    # then hers are there and Ben's are owed
    rows = income_of(begun, paid={"blue": 9_000})
    assert (rows["blue"].income, rows["blue"].wages, rows["blue"].before) == (50_000, 9_000, 9_000)
    assert (rows["red"].wages, rows["red"].settled, rows["red"].after) == (9_000, False, -9_000)

    # and once Ben has paid too, the settled round tells both
    rows = income_of(begun, BORROWS, {**WAGES, "player": "red"}, ROUND_2, paid={}, phase="hire")
    assert (rows["blue"].wages, rows["red"].wages, rows["red"].lent) == (9_000, 9_000, 10_000)


@pytest.mark.parametrize("then", [named("hire", round=5), named("contracts"), {"event": "ContractsPhaseBegan"}])
def test_a_settled_round_is_no_news_once_the_table_has_gone_elsewhere(then: dict[str, Any]) -> None:
    income = {"event": "IncomePhaseBegan"}
    assert income_of(income, WAGES, ROUND_2, paid={}, phase="hire")
    begun = {**ROUND_2, "round": then["round"]} if then.get("round") == 5 else ROUND_2
    assert not income_of(income, WAGES, begun, then, named("hire"), paid={}, phase="hire")


def test_turning_points_are_told_in_the_round_that_the_banker_named() -> None:
    # given a loan after the banker has put the round right
    corrected = named("income", round=4, wages_lapse=True)
    shown = scene(BEGUN, phase="finished")
    players = {player: {**seen, "completed": []} for player, seen in PLAYERS.items()}
    standings = [{"player": "blue", "worth": 1, "rank": 1}]
    ended = replace(shown, position={**shown.position, "players": players, "standings": standings, "loans_late": False})

    # when the evening is told
    turns = MasterBuilderStory().ending(ended, [ROUND_2, corrected, BORROWS], ()).turns

    # then the loan is in that round
    assert [turn.when for turn in turns] == ["Round 4"]


def test_breaks_and_clocks_that_were_set_back_are_no_time_of_play() -> None:
    # given acts a minute apart, a night between two of them, and a clock that was then set back
    minutes = ("20:00:00", "20:10:00", "20:30:00")
    first = [f"2026-01-01T{minute}+00:00" for minute in minutes]
    then = ["2026-01-02T19:00:00+00:00", "2026-01-02T19:12:00+00:00", "2026-01-02T18:00:00+00:00"]
    assert minutes_played(scene(at=(*first, *then)).entries) == 42


@pytest.mark.parametrize(("field", "before"), [({"wage": 5_000}, 20_000), ({}, 19_000)])
def test_whoever_fires_a_worker_saves_what_that_worker_earned(field: dict[str, int], before: int) -> None:
    # given a worker of printed wage 4,000, and journals with their wage and from before it was kept
    fired = {"event": "WorkerFired", "player": "blue", "worker": "W07", **field}
    shown = scene(ROUND_2, fired)
    players = {"blue": {"name": "Ada", "wages": 15_000}, "red": {"name": "Ben", "wages": 9_000}}
    catalog = {"workers": {"W07": {"type": "F", "wage": 4_000, "quirks": ["S"]}}}

    # when the move is told
    move = last_move(replace(shown, position={**shown.position, "players": players}, catalog=catalog))

    # then the marker comes from where it stood
    assert move is not None
    assert (move.before, move.after) == (before, 15_000)
