"""Forecasts in the panels, on the bidding pad and in the planning sheet."""

import re
from collections.abc import Callable

from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.web_pages.conftest import At
from tests.web_pages.parts import give, part
from tests.web_pages.whole_games import NAMES

MINUS = "\u2212\u2060"
START = {"do": "start_game", "game": "master_builder", "first": "blue"}


def money(amount: int, *, plus: bool = False) -> str:
    return f"{MINUS if amount < 0 else '+' if plus and amount else ''}${abs(amount):,}"


def lines(page: str) -> dict[str, str]:
    """The line about what lies ahead, by player."""
    line_by_player: dict[str, str] = {}
    for panel in page.split('id="panel-')[1:]:
        said = re.search(
            r'<button type="button" class="ahead figure-button[^>]*>.*?<span>(.*?)</span></button>', panel, re.DOTALL
        )
        if said:
            line_by_player[panel.split('"')[0]] = said[1]
    return line_by_player


def test_the_panels_say_whom_the_next_wages_or_later_ones_will_be_short(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given four crews that build nothing, each with other money
    table, shown = moment("later_hire")
    for player, seen in shown["position"]["players"].items():
        for contract in seen["contracts"]:
            give(tables, table, do="correct_card", card=contract, to="deck", reason="nothing to build")
        assert seen["wages"]
        rounds = {"red": 0, "blue": 1, "yellow": 9, "green": 1}[player]
        more = rounds * seen["wages"] - seen["cash"]
        source, to = ("bank", player) if more > 0 else (player, "bank")
        if more:
            give(tables, table, do="correct_money", from_=source, to=to, amount=abs(more), reason="as the story needs")

    line_by_player = lines(part(banker, table, "tablet"))

    wages = {player: seen["wages"] for player, seen in shown["position"]["players"].items()}
    assert line_by_player["red"] == f"${wages['red']:,} short at the next wages"
    assert line_by_player["blue"] == f"${wages['blue']:,} short in round 3"
    assert line_by_player["yellow"] == f"Lowest ahead: ${4 * wages['yellow']:,}"
    assert set(line_by_player) == set(NAMES)


def test_nothing_is_said_while_the_first_crews_are_hired_and_after_the_end(banker: FlaskClient, seen: At) -> None:
    assert lines(part(banker, seen("first_hire")[0], "tablet")) == {}
    assert lines(part(banker, seen("end")[0], "tablet")) == {}


def test_the_display_says_nothing_of_what_lies_ahead(banker: FlaskClient, seen: At) -> None:
    assert "ahead" not in part(banker, seen("later_hire")[0], "display")


def test_the_pad_says_how_high_one_can_go(banker: FlaskClient, tables: Tables, moment: At) -> None:
    table, shown = moment("auction")
    player = shown["position"]["waiting_for"][0]
    contract = shown["position"]["auction"]["contract"]
    bid = tables.get(table).advice.forecast("banker", player, contract)["bid"]

    page = part(banker, table, "tablet")

    limit = bid["safe"]["end"] or bid["safe"]["next"]
    assert (f"${limit:,}." in page) if limit else ("Any bid means a loan." in page)
    assert f"[[1, {bid['rounds'][0]['most']}]" in page

    # when the wages are beyond anybody's cash
    cash = shown["position"]["players"][player]["cash"]
    give(tables, table, do="correct_money", from_=player, to="bank", amount=cash - 5_000, reason="as the story needs")
    assert "Any bid means a loan." in part(banker, table, "tablet")


def test_a_suggestion_is_shown_with_its_reasons(banker: FlaskClient, tables: Tables, moment: At) -> None:
    table, shown = moment("build")
    player = next(offer["player"] for offer in shown["offers"] if offer["do"] == "plan")
    suggestion = tables.get(table).advice.suggestion("banker", player)

    page = part(banker, table, "plan", player=player, suggest="1")

    assert "The best plan: most income now, then most progress." in page
    for sections in suggestion["command"]["work"].values():
        for team in sections.values():
            assert team[0] in page
    assert "good-note reasons" not in part(banker, table, "plan", player=player)


def test_a_suggestion_of_the_last_round_says_that_the_end_counts(banker: FlaskClient, tables: Tables) -> None:
    # given the last round of a game
    crew = {"name": "Ada", "cash": 40_000, "workers": ["W01"], "contracts": {"C03": ["wall-1", "gable-1"]}}
    position = {"game": "master_builder", "round": 6, "phase": "build", "start_player": "blue"}
    players = {"blue": crew, "yellow": {"name": "Ben", "cash": 40_000}}
    table = tables.start(Request({"do": "take_over", "position": {**position, "players": players}}, "banker", "tap"))

    # when a plan is suggested
    page = part(banker, table.id, "plan", player="blue", suggest="1")

    # then it says what makes it the best one there
    assert "The best plan of the last round: most money by the end." in page
    assert "most progress" not in page


def test_who_may_not_plan_is_suggested_nothing(banker: FlaskClient, seen: At) -> None:
    page = part(banker, seen("later_hire")[0], "plan", player="blue", suggest="1")

    assert "There is nothing to plan now." in page


def test_the_lines_behind_a_forecast_are_those_that_programs_get(banker: FlaskClient, tables: Tables, seen: At) -> None:
    table, _ = seen("auction")
    for player in NAMES:
        forecast = tables.get(table).advice.forecast("banker", player)
        page = part(banker, table, "forecast", player=player)

        amounts = [money(movement["amount"], plus=True) for movement in forecast["movements"]]
        assert re.findall(r'<p class="moved [a-z]+">(.*?)</p>', page) == amounts
        assert ("short at the wages of round" in page) == (forecast["short"] is not None)
        assert money(forecast["worth"]) in page


def test_a_bid_changes_the_lines_and_a_loan_that_it_forces_is_among_them(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given a bidder whose wages are all that they have
    table, shown = moment("auction")
    player, contract = shown["position"]["waiting_for"][0], shown["position"]["auction"]["contract"]
    most = tables.get(table).advice.forecast("banker", player, contract)["bid"]["most"]

    page = part(banker, table, "forecast", player=player, contract=contract, bid=str(most))

    assert f"is bought for ${most:,}." in page
    assert "Pays for" in page
    assert "Must borrow: " in page
    assert "Loans until the end: " in page

    # and what they could not bid is passed over
    for bid in (str(most + 1_000), "-5", "²", "9" * 30, ""):
        assert "is bought for" not in part(banker, table, "forecast", player=player, contract=contract, bid=bid)
    assert "is bought for" not in part(banker, table, "forecast", player=player, contract="C99", bid="5000")


def test_before_an_auction_the_lines_lead_back_to_the_bid(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("choice")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "open_auction")
    asked = {"player": offer["player"], "contract": offer["contract"], "bid": str(offer["fields"]["bid"]["least"])}

    assert f'data-sheet="open" data-contract="{offer["contract"]}"' in part(banker, table, "forecast", **asked)


def test_nobody_reads_what_lies_ahead_of_money_that_is_covered(
    as_caller: Callable[[Caller], FlaskClient], tables: Tables
) -> None:
    players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}]
    start = {**START, "players": players, "rules": {"money": "hidden"}}
    table = tables.start(Request(start, "banker", "test")).id
    banker, blue = as_caller(Caller("banker")), as_caller(Caller("player", "blue", table))

    assert "Cash now" in part(blue, table, "forecast")
    assert "Ahead for Ada" in part(blue, table, "forecast", player="yellow")
    assert "Ahead for Ben" not in part(banker, table, "forecast", player="yellow")
    banker.set_cookie("banker", "1")
    assert "Ahead for Ben" in part(banker, table, "forecast", player="yellow")
