"""House rules and variants on the pages: chosen in the lobby, told and tapped at the table."""

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.engine.game import Overview, Seat
from companion.game_api.house_rules import form_value, house_rules, values_by_key
from companion.games.master_builder import GAME
from companion.games.master_builder.rules.house_rules import GROUPS, VARIANTS, Rules
from companion.games.master_builder.ui.scene import Scene
from companion.games.master_builder.ui.settlement import wages_due
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.words import LANGUAGES, Words
from tests.web_pages.conftest import At
from tests.web_pages.markup import flat
from tests.web_pages.whole_games import Moment, table_at

SEATS = [{"id": "blue"}, {"id": "red"}]
START = {"do": "start_game", "game": "master_builder", "first": "blue", "players": SEATS}


def page(client: FlaskClient, path: str, **query: str) -> str:
    answer = client.get(path, query_string=query)
    assert answer.status_code == 200, answer.status
    return flat(answer)


def test_every_switch_stands_in_one_group() -> None:
    for rule in house_rules(Rules).values():
        assert rule.group in GROUPS
        assert set(rule.sources) <= {form_value(value) for value in rule.values}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_says_every_value_of_every_switch(banker: FlaskClient, language: str) -> None:
    html, words = page(banker, "/", lang=language), Words(language, GAME)

    for key, values in values_by_key(Rules).items():
        assert words.say_in("rule", key) != key
        for place, value in enumerate(values):
            label = words.say_in("rule value", f"{key}.{form_value(value)}")
            mark = " checked data-printed" if place == 0 else ""
            assert label != f"{key}.{form_value(value)}"
            assert f'name="rule-{key}" data-rule="{key}" value="{form_value(value)}"{mark}><span>{label}' in html
    for key in VARIANTS:
        assert f'data-variant="{key}"><span><b>{words.say_in("variant", key)}</b>' in html


def test_a_game_started_with_rules_tells_them_in_its_menu(banker: FlaskClient, tables: Tables) -> None:
    wanted = {"rules": {"hire_fire": "until_all_pass", "unstarted_pays": False}, "variants": ["additional_events"]}

    table = banker.post("/api/v1/tables", json=START | wanted).get_json()["id"]

    command = tables.get(table).journal("banker")[0]["command"]
    assert {key: command[key] for key in wanted} == wanted
    html = page(banker, f"/tables/{table}/live", part="menu", lang="de")
    assert len(re.findall(r"<dt>", html)) == 3
    assert "bringen am" in html
    assert "Zusätzliche Ereignisse" in html


def test_a_game_as_printed_says_so_in_its_menu(banker: FlaskClient, seen: At) -> None:
    html = page(banker, f"/tables/{seen('first_hire')[0]}/live", part="menu")

    assert "As printed and no variants" in html


def test_a_look_names_its_fee_and_then_only_that_pile_is_shown(banker: FlaskClient, seen: At) -> None:
    look_page = page(banker, f"/tables/{seen('look')[0]}/live", part="look")
    table, shown = seen("looked")
    hire = page(banker, f"/tables/{table}/live", part="hire")

    assert "A look costs $1,000" in look_page
    assert '"type":"MC"' in look_page
    pile = Words("en", GAME).say_in("workers", shown["position"]["hire"]["looked"])
    assert re.findall(r'id="group-(\w+)"', hire) == [shown["position"]["hire"]["looked"]]
    assert f"hire from {pile} only" in hire


def test_an_event_from_the_hand_is_said_and_sent_as_such(banker: FlaskClient, seen: At) -> None:
    table, _ = seen("from_hand")

    assert "plays an event from the hand" in page(banker, f"/tables/{table}")
    assert "plays an event from the hand" in page(banker, f"/tables/{table}/display")
    assert '"from_hand":true' in page(banker, f"/tables/{table}/live", part="event")


def test_of_two_events_only_the_first_comes_from_the_hand(banker: FlaskClient, tables: Tables) -> None:
    second = Moment(
        "second",
        3,
        lambda at: "turn_event" in at["expects"] and len(at["turned"]["events"]) == 1,
        variants=("additional_events", "selective_events"),
    )
    table, shown = table_at(tables, second)

    assert shown["position"]["players"][shown["position"]["start_player"]]["event_hand"] == 1
    assert "from the hand" not in page(banker, f"/tables/{table}").split("<main")[0]
    assert '"from_hand"' not in page(banker, f"/tables/{table}/live", part="event")


def test_a_worker_who_is_lent_is_shown_on_both_sides(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("lent")
    lent, names = (
        shown["position"]["lent"][0],
        {id_: player["name"] for id_, player in shown["position"]["players"].items()},
    )

    owner = page(banker, f"/tables/{table}/live", part="plan", player=lent["owner"])
    borrower = page(banker, f"/tables/{table}/live", part="plan", player=lent["borrower"])

    assert f"lent to {names[lent['borrower']]}" in page(banker, f"/tables/{table}")
    assert f"lent to {names[lent['borrower']]}" in owner or "nothing to plan" in owner
    assert f"hired from {names[lent['owner']]}" in borrower


def test_lending_names_owner_and_what_the_borrower_can_pay(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("lending")

    html = page(banker, f"/tables/{table}/live", part="lend")

    for offer in (offer for offer in shown["offers"] if offer["do"] == "hire_out"):
        assert f'data-also=\'{{"owner":"{offer["owner"]}"}}\'' in html
        assert f'value="{offer["borrower"]}" data-cash="{offer["fields"]["price"]["most"]}"' in html
    # and a price that was set is possible, whoever borrows, when the sheet is drawn anew
    most = max(offer["fields"]["price"]["most"] for offer in shown["offers"] if offer["do"] == "hire_out")
    assert f'data-least="0" data-most="{most}"' in html


def test_wages_may_be_paid_or_a_loan_taken_before(banker: FlaskClient, seen: At) -> None:
    html = page(banker, f"/tables/{seen('may_borrow')[0]}")

    assert "pay the wages, or borrow first" in html
    assert "Pay the wages" in html
    assert "may borrow" in html
    assert "must borrow" not in html


def test_a_loan_at_any_moment_is_a_quiet_button_for_everybody(banker: FlaskClient, seen: At) -> None:
    table, _ = seen("anytime")

    html = page(banker, f"/tables/{table}")

    assert '<button class="button quiet" data-sheet="borrow">' in html
    assert "until all pass" in html
    assert page(banker, f"/tables/{table}/live", part="borrow").count('"loan":"small"') == 4


def test_a_dismissal_holds_the_sets_that_will_do(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("dismissal")

    html = page(banker, f"/tables/{table}/live", part="workers")

    offer = next(offer for offer in shown["offers"] if offer["do"] == "choose_workers")
    assert offer["fields"]["workers"]["kind"] == "any_set"
    assert "dismiss workers to reach the limit" in page(banker, f"/tables/{table}")
    assert "data-sets='[[" in html
    assert set(re.findall(r'name="workers" value="(\w+)"', html)) == set().union(*offer["fields"]["workers"]["values"])


def test_hidden_money_is_covered_on_the_display_and_shown_to_whoever_is_the_banker(
    banker: FlaskClient, seen: At
) -> None:
    table, shown = seen("covered")
    banker.set_cookie("banker", "1")
    display = page(banker, f"/tables/{table}/display")

    assert len(re.findall(r'<p class="cash covered">\s*covered', display)) == 3
    assert f"{shown['position']['players']['blue']['cash']:,}" in page(banker, f"/tables/{table}")
    assert "plan in the open" in display
    assert "nothing to build" not in display


def test_plans_made_in_the_open_are_no_secret_on_the_tablet(banker: FlaskClient, seen: At) -> None:
    open_plans, secret = (page(banker, f"/tables/{seen(moment)[0]}") for moment in ("covered", "build"))

    assert "in the open, and final" in open_plans
    assert "in any order, in secret" not in open_plans
    assert "in any order, in secret" in secret


def test_what_keeps_loans_early_is_told_as_the_rule_says(banker: FlaskClient, tables: Tables) -> None:
    # given a loan while loans are early as long as there are contracts in the deck or on display
    rule = {"late_when": "deck_and_display_empty"}
    table, shown = table_at(tables, Moment("late", 3, lambda at: at["phase"] == "income", rules=rule))

    def tablet() -> str:
        return " ".join(page(banker, f"/tables/{table}").split())

    left = shown["position"]["deck"]["contracts"] + len(shown["position"]["display"])
    assert f"Early as long as contracts remain in the deck or on display. Now: {left}." in tablet()

    # when the deck is empty, then it is still early for those on display
    unseen = [
        card
        for card in tables.get(table).catalog_json()["contracts"]
        if card not in tables.get(table).position.state.seen  # type: ignore[union-attr]
    ]
    for card in unseen[: shown["position"]["deck"]["contracts"]]:
        put_away(tables, table, card, "display")
    assert f"Early as long as contracts remain in the deck or on display. Now: {left}." in tablet()

    # and late once none is left there
    for card in tables.get(table).position_json("banker")["display"]:  # type: ignore[index]
        put_away(tables, table, card, "removed")
    assert "No contract is left in the deck or on display: loans are paid back late." in tablet()


def put_away(tables: Tables, table: str, card: str, to: str) -> None:
    command = {"do": "correct_card", "card": card, "to": to, "reason": "as the story needs it"}
    tables.get(table).submit(Request(command, "banker", "test"))


def test_a_borrower_of_workers_is_shown_with_their_cash_where_money_is_hidden(
    banker: FlaskClient, tables: Tables
) -> None:
    # given money that players do not see of each other
    lending = Moment(
        "lending", 3, lambda at: "hire_out" in at["expects"], rules={"money": "hidden"}, variants=("loaning_workers",)
    )
    table, shown = table_at(tables, lending)

    # when somebody looks at who borrows, then nobody's cash stands there, nor all the money of the box
    html = page(banker, f"/tables/{table}/live", part="lend")
    assert len(re.findall(r'data-cash="695000">(?:(?!</label>).)*>covered<', html)) == 3
    assert "$695,000" not in html

    # and whoever is the banker sees what each of them has
    banker.set_cookie("banker", "1")
    html = page(banker, f"/tables/{table}/live", part="lend")
    for player, state in shown["position"]["players"].items():
        assert re.search(rf'value="{player}" data-cash="695000">(?:(?!</label>).)*>\${state["cash"]:,}<', html)


WALLS = ("wall-1", "gable-1", "wall-2", "gable-2")


@pytest.mark.parametrize(
    ("rules", "kind", "sections", "refused"),
    [
        ({}, "house", (*WALLS, "roof-1"), None),
        ({"roof_timing": "next_phase"}, "house", (*WALLS, "roof-1"), "roof_waits_a_phase"),
        ({"roof_timing": "next_phase"}, "house", WALLS, None),
        ({"roof_pair": "together"}, "house", (*WALLS, "roof-1"), "roofs_together"),
        ({}, "city_wall", ("wall-2", "side-2a"), "first_wall_first"),
        ({"city_wall_order": "free"}, "city_wall", ("wall-2", "side-2a"), None),
    ],
)
def test_the_planning_sheet_knows_the_building_rules(
    banker: FlaskClient, tables: Tables, rules: dict[str, Any], kind: str, sections: tuple[str, ...], refused: str
) -> None:
    # given a player with such a contract and a worker for each section
    table, offer, card = _planner(tables, rules, kind, len(sections))

    # when they are planned
    work = {card: {at: [worker] for at, worker in zip(sections, offer["fields"]["work"]["workers"], strict=False)}}
    html = page(banker, f"/tables/{table}/live", part="plan", player=offer["player"], work=json.dumps(work))

    # then only the building rules in force speak against it
    name = tables.get(table).catalog_json()["contracts"][card]["name"]
    broken = ("roof_waits_a_phase", "roofs_together", "first_wall_first")
    said = [rule for rule in broken if Words("en", GAME).say_in("refused", rule, card=name) in html]
    assert said == ([refused] if refused else [])


def _planner(tables: Tables, rules: dict[str, Any], kind: str, hands: int) -> tuple[str, dict[str, Any], str]:
    for seed in range(1, 20):
        table, shown = table_at(tables, Moment("build", 4, lambda at: at["phase"] == "build", seed, rules))
        cards = tables.get(table).catalog_json()["contracts"]
        for offer in (offer for offer in shown["offers"] if offer["do"] == "plan"):
            work = offer["fields"]["work"]
            fit = [card for card in work["sites"] if cards[card]["kind"] == kind]
            if fit and len(work["workers"]) >= hands:
                return table, offer, fit[0]
    raise AssertionError(f"nobody got a {kind}")


def test_wages_past_the_track_are_shown_in_full_where_they_are_paid_in_full() -> None:
    at = {"wages": 33_000, "cash": 40_000}
    for rules, due in (({}, 30_000), ({"wage_overflow": "full"}, 33_000)):
        position = {"players": {"red": at}, "rules": rules, "wage_limit": 30_000}

        overview = Overview("income", (Seat("red", "Ada"),), ("red",))
        scene = Scene("t", 1, position, overview, (), {}, Words("en", GAME))

        assert wages_due(scene, "red") == due
