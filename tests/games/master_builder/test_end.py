"""When the game ends, and who has won."""

from dataclasses import replace
from typing import Any

import pytest

from companion.games.master_builder.rules.scoring import unfinished_pay
from companion.games.master_builder.rules.state import BuildingSite
from tests.games.master_builder.decks import deck
from tests.scenario import ALL_SEATS, Scenario, workers_of

EASY = {"sections": {"*": ["A"]}, "cost": 2_000}
FIVE = "wall-1 wall-2 gable-1 gable-2 roof-1"


def only(left: int, *seats: str, **figures: Any) -> Scenario:
    """Round 1 is over; nothing is on display and ``left`` contracts are in the deck."""
    given = Scenario(*seats, catalog=deck(**figures))
    given.to("hire", 2)
    for card in list(given.position["display"]):
        given.do("correct_card", card=card, to="removed", reason="aside")
    thin_out(given, left)
    return given


def thin_out(given: Scenario, left: int) -> None:
    assert given.table.position is not None
    seen = given.table.position.state.seen
    unseen = [f"C{number:02}" for number in range(1, 13) if f"C{number:02}" not in seen]
    for card in unseen[: given.position["deck"]["contracts"] - left]:
        given.do("correct_card", card=card, to="removed", reason="aside")


def buy_all(given: Scenario) -> None:
    """Let the start player buy all that comes up."""
    while given.position["phase"] == "contracts":
        start = given.position["start_player"]
        if given.asks()[1][0] == "open_auction":
            given.give_money(start, 100_000)
            given.sell(next(iter(given.position["display"])), given.asks()[0][0])
        else:
            given.idle()


@pytest.mark.parametrize(
    ("emptied", "last"),
    [
        pytest.param(2, 3, id="MB-61 two"),
        pytest.param(3, 4, id="MB-61 three"),
        pytest.param(4, 5, id="MB-60 MB-61 four"),
        pytest.param(5, 6, id="MB-61 five"),
        pytest.param(6, 6, id="MB-61 six"),
    ],
)
def test_after_the_last_contract_there_is_one_further_round(emptied: int, last: int) -> None:
    given = only(1, "blue", "yellow", "green", reveal={"*": (0, 0, 0), "Y01": (1, 1, 1)})
    given.to("contracts", emptied)
    assert given.position["last_round"] == 6
    given.do("turn_economy", card="Y01")
    buy_all(given)
    assert given.position["deck"]["contracts"] == 0
    assert given.position["last_round"] == last
    owned = sum(len(player["contracts"]) + len(player["completed"]) for player in given.position["players"].values())
    while not given.position["finished"]:
        given.idle()
        if given.position["round"] > emptied:
            assert given.position["phase"] != "contracts"  # no contract is awarded any more
    assert given.position["round"] == last
    assert owned == sum(
        len(player["contracts"]) + len(player["completed"]) for player in given.position["players"].values()
    )


def test_a_removed_contract_counts_as_gone_d41() -> None:
    given = only(1, "blue", "yellow", reveal={"*": (1, 1, 1)})
    given.to("contracts", 2)
    given.idle()
    given.idle()
    given.pass_all()
    assert list(given.position["display"].values()) == [5_000]
    assert given.position["last_round"] == 6
    given.to("contracts", 3)
    given.idle()
    events = given.idle() + given.idle()
    assert [event["event"] for event in events if event["event"] in {"ContractRemoved", "LastRoundFixed"}] == [
        "ContractRemoved",
        "LastRoundFixed",
    ]
    assert given.position["last_round"] == 4


def test_a_contract_on_display_keeps_the_game_going() -> None:
    given = only(1, "blue", "yellow", reveal={"*": (1, 1, 1)})
    given.to("events", 2)
    assert given.position["deck"]["contracts"] == 0
    assert given.position["last_round"] == 6


def test_once_found_the_end_stands() -> None:
    given = only(1, "blue", "yellow", reveal={"*": (1, 1, 1)})
    given.to("contracts", 2)
    given.do("turn_economy", card="Y11")
    buy_all(given)
    assert given.position["last_round"] == 3
    card = next(iter(given.position["removed"]))
    given.do("correct_card", card=card, to="display", reason="back")
    given.to("contracts", 3)
    given.do("turn_economy", card="Y01")
    given.pass_all()
    assert given.position["display"] == {card: 0}  # the last round: no money is laid
    given.to("finished", 3)


def reckoned(
    price: int, sections: str, cash: int = 0, small: int = 0, large: int = 0, *, late: bool = False
) -> dict[str, Any]:
    """Blue's line at the end: one unfinished contract with these sections, this cash, these loans."""
    figures = {**EASY, "price": price}
    given = Scenario("blue", "yellow", catalog=deck(contracts={"*": figures}, wages={"T": 0}, reveal={"*": (0, 0, 0)}))
    given.hire(blue=workers_of("A")[:5], yellow=workers_of("T")[:5])
    given.reveal("C03", "C04", "C05")
    given.sell("C03", "blue")
    given.to("build")
    if sections:
        given.raise_("blue", C03=sections)
    for number in range(small + large):
        given.to("build", 2 + number)
        given.give_money("blue", 0)
        given.to("income")
        given.do("borrow", player="blue", loan="small" if number < small else "large")
    given.to("build", 6)
    thin_out(given, 0 if late else 1)
    given.give_money("blue", cash + 5_000)  # wages of the last round
    given.to("finished", 6)
    standings = given.position["standings"]
    assert standings is not None
    line: dict[str, Any] = next(line for line in standings if line["player"] == "blue")
    return line


@pytest.mark.parametrize(
    ("price", "sections", "pays"),
    [
        pytest.param(100_000, FIVE, 80_000, id="MB-62 one missing of 100"),
        pytest.param(100_000, "wall-1 wall-2 gable-1", 40_000, id="MB-62 three of 100"),
        pytest.param(60_000, "wall-1 wall-2 gable-1", 0, id="MB-62 three of 60"),
        pytest.param(60_000, "wall-1 gable-1", 0, id="MB-62 four of 60"),
        pytest.param(119_000, "", 0, id="MB-63 unstarted 119"),
        pytest.param(120_000, "", 0, id="MB-63 unstarted 120"),
        pytest.param(121_000, "", 1_000, id="MB-63 unstarted 121"),
    ],
)
def test_an_unfinished_building_pays_20_less_for_each_section_missing(price: int, sections: str, pays: int) -> None:
    line = reckoned(price, sections, cash=5_000)
    assert (line["cash"], line["unfinished"], line["worth"]) == (5_000, pays, 5_000 + pays)


@pytest.mark.parametrize(
    ("price", "missing", "pays"),
    [(100_000, 1, 80_000), (100_000, 3, 40_000), (100_000, 5, 0), (60_000, 3, 0), (60_000, 4, 0)],
)
def test_the_printed_figures_for_missing_sections_mb_62(price: int, missing: int, pays: int) -> None:
    """Five missing cannot be played to, no building stands with one section; it is reckoned all the same."""
    given = Scenario("blue", "yellow", catalog=deck(contracts={"C03": {"price": price}}))
    given.give_cards("blue", "C03")
    position = given.table.position
    assert position is not None
    [blue] = [player for player in position.state.players if player.id == "blue"]
    names = ("wall-1", "gable-1", "wall-2", "gable-2", "roof-1", "roof-2")
    standing = replace(blue, sites=(BuildingSite("C03", names[: 6 - missing]),))
    assert unfinished_pay(position.state, standing) == pays


def test_worth_is_cash_and_unfinished_less_loans_mb_64() -> None:
    line = reckoned(100_000, "wall-1 wall-2 gable-1 gable-2", cash=50_000, small=1, large=1, late=True)
    expected = {"player": "blue", "cash": 50_000, "unfinished": 60_000, "loans": 55_000, "worth": 55_000, "rank": 1}
    assert line == {**expected, "rank": line["rank"]}


def test_worth_may_be_negative_mb_64() -> None:
    line = reckoned(60_000, "", cash=5_000, large=1, late=True)
    assert line["worth"] == -35_000
    assert line["rank"] == 2


def test_loans_count_early_while_contracts_are_in_the_deck_d45() -> None:
    assert reckoned(60_000, "", cash=5_000, large=1)["loans"] == 38_000


@pytest.mark.parametrize(
    ("loans", "late", "worth"),
    [
        pytest.param(["small", "small"], True, 18_000, id="MB-66 two small, late"),
        pytest.param(["large"], True, 18_000, id="MB-66 large, late"),
        pytest.param(["small", "small"], False, 22_000, id="MB-66 two small, early"),
        pytest.param(["large"], False, 20_000, id="MB-66 large, early"),
    ],
)
def test_the_last_wages_are_borrowed_before_the_reckoning(loans: list[str], late: bool, worth: int) -> None:
    figures = {**EASY, "price": 120_000}
    given = Scenario("blue", "yellow", catalog=deck(contracts={"*": figures}, wages={"T": 0}, reveal={"*": (0, 0, 0)}))
    given.hire(blue=workers_of("A")[:5], yellow=workers_of("T")[:5])
    given.reveal("C03", "C04", "C05")
    given.sell("C03", "blue")
    given.to("build")
    given.raise_("blue", C03="wall-1 gable-1")
    given.to("build", 6)
    given.give_cards("blue", "W33", "W34", "W35", "W01")  # 8 + 5 less one: wages of 12 come below
    given.do("correct_card", card="W28", to="supply", reason="aside")
    assert given.player("blue")["wages"] == 12_000
    thin_out(given, 0 if late else 1)
    given.give_money("blue", 0)
    given.to("income")
    for loan in loans:
        assert given.asks() == (["blue"], ["borrow"])
        given.do("borrow", player="blue", loan=loan)
    assert given.position["finished"]
    line = next(line for line in given.position["standings"] if line["player"] == "blue")
    assert line["unfinished"] == 40_000
    assert line["worth"] == worth


def test_equal_worth_shares_a_rank_and_the_next_one_is_skipped_mb_65() -> None:
    given = Scenario(*ALL_SEATS)
    given.to("finished", 6)
    for player, cash in (("blue", 10_000), ("yellow", 80_000), ("green", 80_000), ("red", 90_000)):
        given.give_money(player, cash + given.player(player)["owes"])
    ranks = [(line["player"], line["worth"], line["rank"]) for line in given.position["standings"]]
    unfinished = {line["player"]: line["unfinished"] for line in given.position["standings"]}
    assert set(unfinished.values()) == {0}
    assert ranks == [("red", 90_000, 1), ("yellow", 80_000, 2), ("green", 80_000, 2), ("blue", 10_000, 4)]
    given.give_money("red", 80_000 + given.player("red")["owes"])
    assert [line["rank"] for line in given.position["standings"]] == [1, 1, 1, 4]
    assert [line["player"] for line in given.position["standings"]] == ["yellow", "green", "red", "blue"]


def test_the_reckoning_moves_no_money_and_standings_are_null_before() -> None:
    given = Scenario("blue", "yellow")
    assert given.position.get("standings", ...) is None
    given.to("finished", 6)
    cash = sum(player["cash"] for player in given.position["players"].values())
    assert cash + given.position["bank"] + given.position["on_contracts"] == 695_000
    assert {line["cash"] for line in given.position["standings"]} == {
        player["cash"] for player in given.position["players"].values()
    }
