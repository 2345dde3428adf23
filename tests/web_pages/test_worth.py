"""The end on screen and on paper: worth over the rounds, drawn and as a table."""

import re
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from companion.game_api.stage import RoundWorth
from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.pages.ending import BOTTOM, LABEL_APART, LEFT, RIGHT, worth_chart
from companion.web.server.server import Server
from companion.words import Words
from tests.pages import run_axe
from tests.web.conftest import PIN
from tests.web_pages.conftest import At

PAGES = ("/tables/{}", "/tables/{}/display", "/tables/{}/report")


def rounds(*worth: tuple[int, int]) -> list[RoundWorth]:
    return [RoundWorth(number, {"blue": blue, "red": red}) for number, (blue, red) in enumerate(worth)]


def test_one_moment_makes_no_line_and_hidden_money_neither() -> None:
    assert worth_chart(rounds((40_000, 40_000))) is None
    assert worth_chart([RoundWorth(0, {}), RoundWorth(1, {})]) is None


def test_lines_begin_left_end_right_and_end_with_their_figure() -> None:
    drawn = worth_chart(rounds((40_000, 40_000), (-20_000, 10_000), (171_000, 88_000)))

    assert drawn is not None
    blue, red = drawn.curves
    assert (blue.points[0][0], blue.points[-1][0]) == (LEFT, RIGHT)
    assert (blue.amount, red.amount) == (171, 88)
    assert blue.points[2][1] < blue.points[0][1] < blue.points[1][1]
    assert [level for _, level in drawn.levels] == [-50, 0, 50, 100, 150, 200]


def test_equal_players_have_labels_beside_each_other_inside_the_drawing() -> None:
    drawn = worth_chart(rounds((0, 0), (0, 0)))

    assert drawn is not None
    blue, red = (curve.label_y for curve in drawn.curves)
    assert abs(blue - red) == LABEL_APART
    assert max(blue, red) <= BOTTOM


def test_even_riches_find_a_scale() -> None:
    drawn = worth_chart(rounds((0, 0), (9_000_000, -4_000_000)))
    assert drawn is not None
    assert drawn.levels[-1][1] >= 9_000


@pytest.mark.parametrize("most", [4, 7, 2_499, 2_501, 24_000, 1_234_567])
def test_a_figure_of_any_size_has_at_most_six_levels(most: int) -> None:
    drawn = worth_chart(rounds((0, 0), (most, -most // 3)), "Cash", key="cash")

    assert drawn is not None
    assert 2 <= len(drawn.levels) <= 6
    assert drawn.levels[-1][1] >= most


@pytest.mark.parametrize(
    ("language", "cash", "cargo"),
    [
        ("en", "$24,000", "\N{MINUS SIGN}1,200"),
        ("de", "24.000\N{NO-BREAK SPACE}$", "\N{MINUS SIGN}1.200"),
        ("fr", "24\u202f000\N{NO-BREAK SPACE}$", "\N{MINUS SIGN}1\u202f200"),
    ],
)
def test_labels_of_the_chart_are_written_as_the_language_does(app: Flask, language: str, cash: str, cargo: str) -> None:
    macros = app.jinja_env.get_template("parts/worth.html").module
    scene = SimpleNamespace(words=Words(language), names={}, catalog={})

    def label(key: str, number: int) -> str:
        return str(macros.amount_drawn(scene, SimpleNamespace(key=key), number))  # type: ignore[attr-defined]

    assert label("cash", 24_000) == cash
    assert label("cargo", -1_200) == cargo


@pytest.mark.parametrize("path", PAGES)
def test_the_end_shows_every_round_to_eyes_and_ears(banker: FlaskClient, seen: At, path: str) -> None:
    table, shown = seen("end")
    page = banker.get(path.format(table)).text

    answer = banker.get(f"/api/v1/tables/{table}/worth").json or {}
    assert len(answer["rounds"]) == 1 + shown["position"]["round"]
    assert page.count("<polyline") == len(shown["position"]["players"])
    last = {line["player"]: line["worth"] for line in shown["position"]["standings"]}
    assert answer["rounds"][-1]["worth"] == last
    read = re.sub(r"<[^>]+>", " ", page)
    for worth in last.values():
        assert f"${abs(worth):,}" in read


def test_a_game_that_goes_on_has_nothing_to_print(banker: FlaskClient, seen: At) -> None:
    table, _ = seen("first_hire")
    assert banker.get(f"/tables/{table}/report").headers["Location"].endswith(f"/tables/{table}/display")


def test_onlookers_may_print_too(as_caller: Callable[[Caller], FlaskClient], seen: At) -> None:
    table, _ = seen("end")
    assert as_caller(Caller("spectator", None, table)).get(f"/tables/{table}/report").status_code == 200


@pytest.mark.browser
@pytest.mark.nightly
def test_the_page_to_print_fits_paper_and_phone_and_leaves_buttons_out(
    browser: Browser, server: Server, seen: At
) -> None:
    table, _ = seen("end")
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 390, "height": 844})
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    for lang in ("en", "fr", "de"):
        page.goto(f"/tables/{table}/report?lang={lang}")
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert run_axe(page).violations_count == 0
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("[data-print]").is_hidden()
    assert page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor") == "rgb(255, 255, 255)"
    context.close()


def test_the_standing_in_worth_stands_on_the_big_screen_for_who_wishes_it(
    banker: FlaskClient, tables: Tables, moment: At
) -> None:
    # given a table in its second round
    table, shown = moment("later_hire")
    explainer = tables.get(table).game.can.explainer
    assert explainer is not None
    position = tables.get(table).position
    assert position is not None

    # when somebody acts, so that hiring is shown, then everybody's worth is there, to be switched on
    (player,) = shown["position"]["waiting_for"]
    tables.get(table).submit(Request({"do": "pass", "player": player}, "banker", "t"))
    page = banker.get(f"/tables/{table}/live?part=display").text
    amounts = re.findall(r'<p class="worth-now">worth ([^<]+)</p>', page)
    assert sorted(amounts) == sorted(
        Words("en").money(explainer.figure(position, f"worth:{player}")) for player in shown["position"]["players"]
    )
    assert "Show standings" in page
