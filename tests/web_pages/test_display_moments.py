"""Moments that the big screen shows: the move, the sale, the round that was settled, the town."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.games.master_builder.rules.building import section_names
from companion.games.master_builder.rules.catalog import Catalog, ContractKind
from companion.games.master_builder.ui.auction import CrewChange, Marker
from companion.service.table.registry import Tables
from tests.guide.stage import game_of_bots
from tests.opened import CARDS
from tests.web_pages.conftest import At
from tests.web_pages.parts import give, part

Json = dict[str, Any]


def at(tables: Tables, table: str) -> Json:
    position: Json = tables.get(table).show("banker")["position"]
    return position


def markers(page: str) -> dict[str, float]:
    """Where each player's marker stands on the wage track, in its drawing."""
    pairs = re.findall(r'id="mark-(\w+)"[^>]*? x="([\d.]+)"', page)
    return {player: float(x) for player, x in pairs}


def test_a_hire_moves_the_marker_and_stays_until_the_next(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given a round in which nobody has hired yet
    table, _ = moment("first_hire")
    before = part(banker, table, "display")
    assert "hires" not in before

    # when somebody hires
    (player,) = at(tables, table)["waiting_for"]
    offer = next(offer for offer in tables.get(table).show("banker")["offers"] if offer["do"] == "hire_worker")
    worker = offer["fields"]["worker"]["values"][0]
    give(tables, table, do="hire_worker", player=player, worker=worker)

    # then their card is large, their marker has gone by its wage, and the others stand where they stood
    after = part(banker, table, "display")
    wage = at(tables, table)["players"][player]["wages"] // 1000
    assert re.search(rf"hires [A-Z][\w ]+ {worker}", after)
    assert f'<p class="huge">{wage}</p>' in after
    assert "was 0, limit 30" in after
    assert 'class="by"' in after
    assert markers(after)[player] == markers(before)[player] + 60 * wage
    assert {seat: x for seat, x in markers(after).items() if seat != player} == {
        seat: x for seat, x in markers(before).items() if seat != player
    }

    # when it is taken back, then nothing of it is left
    give(tables, table, do="undo")
    assert "hires" not in part(banker, table, "display")
    assert markers(part(banker, table, "display")) == markers(before)


def test_the_way_of_a_marker_ends_with_the_track(app: Flask) -> None:
    # given a wage track to 30, and somebody who is fired from wages above it, which an event brought about
    track = app.jinja_env.get_template("games/master_builder/display/hire.html").module.wage_track  # type: ignore[attr-defined]
    scene = SimpleNamespace(limit=30_000, step=1_000, names={"red": "Cleo"}, initials={"red": "C"})
    scene.words = SimpleNamespace(say=str)
    fired = CrewChange("red", {}, hired=False, before=36_000, after=26_000)

    # when the track is drawn
    drawn = str(track(scene, [Marker("red", 26_000, 0)], fired))

    # then the way begins at its last stone
    assert 'class="way" d="M1830.0 ' in drawn


def test_markers_on_one_stone_stand_on_each_other(banker: FlaskClient, moment: At) -> None:
    table, _ = moment("first_hire")
    page = part(banker, table, "display")
    heights = re.findall(r'id="mark-\w+"[^>]*? x="[\d.]+" y="([\d.]+)"', page)
    assert len(heights) == len(set(heights)) == len(markers(page))
    assert len(set(markers(page).values())) == 1


def test_a_sale_stands_on_every_screen_until_somebody_acts(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given an auction with two bids
    table, _ = moment("auction")
    leader = at(tables, table)["auction"]["leader"]
    first = at(tables, table)["auction"]["bid"]
    (second,) = at(tables, table)["waiting_for"]
    give(tables, table, do="bid", player=second, amount=first + 1000)
    page = part(banker, table, "display")

    # then both stand on the ladder, the highest at its top
    ladder = re.search(r'<ol class="ladder".*?</ol>', page, re.DOTALL)
    assert ladder is not None
    assert re.findall(r"\$[\d,]+", ladder[0])[:2] == [f"${first + 1000:,}", f"${first:,}"]
    assert ">Sold<" not in page

    # when all others leave it
    while at(tables, table)["auction"] is not None:
        give(tables, table, do="pass", player=at(tables, table)["waiting_for"][0])

    # then tablet and display say to whom it went and for how much
    name = at(tables, table)["players"][second]["name"]
    for screen in ("display", "tablet"):
        page = part(banker, table, screen)
        assert ">Sold<" in page, screen
        assert re.search(rf"{name}</b>.*?\${first + 1000:,}", page, re.DOTALL), screen
    assert leader != second

    # when somebody goes on, then it is over; when that is taken back, it is there again
    give(tables, table, do="pass", player=at(tables, table)["waiting_for"][0])
    assert ">Sold<" not in part(banker, table, "display")
    give(tables, table, do="undo")
    assert ">Sold<" in part(banker, table, "display")


def buy_all_contracts(tables: Tables, table: str, *, to_last: bool) -> None:
    """Sell every contract of round 1 to whoever opens; ``to_last``: those who have one decline a second."""
    while at(tables, table)["phase"] == "contracts":
        shown = tables.get(table).show("banker")
        (player,) = shown["position"]["waiting_for"]
        lots = [offer for offer in shown["offers"] if offer["do"] == "open_auction"]
        served = bool(shown["position"]["players"][player]["contracts"]) and to_last
        may_pass = any(offer["do"] == "pass" for offer in shown["offers"])
        if lots and not (served and may_pass and len(shown["position"]["display"]) > 1):
            lot = min(lots, key=lambda offer: offer["fields"]["bid"]["least"])
            bid = lot["fields"]["bid"]["least"]
            give(tables, table, do="open_auction", player=player, contract=lot["contract"], bid=bid)
        else:
            give(tables, table, do="pass", player=player)


@pytest.mark.parametrize("to_last", [True, False])
def test_the_last_sale_of_a_round_stands_on_every_screen_until_the_event_is_turned_up(
    banker: FlaskClient, tables: Tables, moment: At, to_last: bool
) -> None:
    # given a first round in which every contract is sold, the last by an auction or handed over unasked
    table, _ = moment("choice")
    buy_all_contracts(tables, table, to_last=to_last)
    last = tables.get(table).journal("banker")[-1]["events"]
    sold = [event for event in last if event["event"] == "ContractSold"]
    assert last[-1]["event"] == "EventsPhaseBegan"
    assert len(sold) == (1 if to_last else 2)

    # then display and tablet say to whom each of them went, the one of the auction large, with its bids
    shown = at(tables, table)
    assert shown["phase"] == "events"
    for screen in ("display", "tablet"):
        page = part(banker, table, screen)
        assert ">Sold<" in page, screen
        for event in sold:
            name = shown["players"][event["player"]]["name"]
            assert re.search(rf"{name}\b(?:(?!</section>).)*?\${event['paid']:,}", page, re.DOTALL), (screen, event)
    ladder = re.search(r'<ol class="ladder".*?</ol>', part(banker, table, "display"), re.DOTALL)
    assert ladder is not None
    assert f"${sold[0]['paid']:,}" in ladder[0]

    # when the event is turned up, then it is over
    offer = next(offer for offer in tables.get(table).show("banker")["offers"] if offer["do"] == "turn_event")
    give(tables, table, do="turn_event", card=offer["fields"]["card"]["values"][0])
    assert all(">Sold<" not in part(banker, table, screen) for screen in ("display", "tablet"))


def test_the_street_says_who_can_bid_as_the_rules_do(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given a first round in which one player has two contracts, and another declined to choose
    table, _ = moment("choice")
    first = at(tables, table)["waiting_for"][0]
    while len(at(tables, table)["players"][first]["contracts"]) < 2:
        shown = tables.get(table).show("banker")
        lots = [offer for offer in shown["offers"] if offer["do"] == "open_auction" and offer["player"] == first]
        lot = min(lots, key=lambda offer: offer["fields"]["bid"]["least"], default=None)
        if lot is None:
            give(tables, table, do="pass", player=shown["position"]["waiting_for"][0])
        else:
            bid = lot["fields"]["bid"]["least"]
            give(tables, table, do="open_auction", player=first, contract=lot["contract"], bid=bid)
    decliner = at(tables, table)["waiting_for"][0]
    give(tables, table, do="pass", player=decliner)
    shown = at(tables, table)
    assert shown["declined"] == [decliner]

    # then the street names the second, who may still bid, and not the first
    rows = re.findall(r'<p class="can-bid">(.*?)</p>', part(banker, table, "display"), re.DOTALL)
    assert len(rows) == len(shown["display"])
    assert any(shown["players"][decliner]["name"] in row for row in rows)
    assert all(shown["players"][first]["name"] not in row for row in rows)


def test_the_town_holds_every_finished_building_with_its_owner_and_survives_a_restart(
    banker: FlaskClient, tables: Tables
) -> None:
    # given a game at whose end buildings are finished
    game = game_of_bots(tables, 4, 9, {})
    end = game.until(lambda position: bool(position["finished"]))
    owners = {card: player for player, state in end["players"].items() for card in state["completed"]}
    assert owners

    # then each stands in the town once, under the badge of its owner, in the report
    page = banker.get(f"/tables/{game.table.id}/report").text
    houses = re.findall(r'id="[\w-]*-(?:front|back)-(C\d+)".*?badge (\w+)', page, re.DOTALL)
    assert dict(houses) == owners
    assert len(houses) == len(owners)

    # and on the big screen each player's money is a house on their seat, with a roof for the winner alone
    screen = part(banker, game.table.id, "display").split('id="unfolding"')[0]
    worths = [int(worth.replace(",", "")) for worth in re.findall(r'class="cash">\$([\d,]+)<', screen)]
    assert sorted(worths) == sorted(line["worth"] for line in end["standings"])
    assert screen.count('class="money-roof"') == 1


class ClockAhead:
    """Return a time that lies ahead: a game that ends by it has just ended, however long a test takes."""

    def now(self) -> str:
        return "2999-01-01T12:00:00+00:00"


def test_the_other_screens_wait_for_as_long_as_the_big_screen_tells_the_end(
    banker: FlaskClient, tables: Tables
) -> None:
    # given a game that ends with plans that open, and with more turning points than the big screen tells
    game = game_of_bots(tables, 4, 9, {})
    game.table._clock = ClockAhead()
    game.until(lambda position: bool(position["finished"]))

    # when the big screen and then the tablet are drawn
    story = part(banker, game.table.id, "display").split('id="unfolding"')[1]
    tablet = part(banker, game.table.id, "tablet")

    # then the tablet waits until all that the big screen tells has been shown
    assert tablet.split('class="turning-points"')[1].split("</ol>")[0].count("<li") > story.count("unfolds dry")
    plans, steps = story.count("plan-step"), story.count("data-long")
    assert min(plans, steps) > 0
    plan_ms, step_ms = (int(re.findall(rf'data-{name}-ms="(\d+)"', story)[0]) for name in ("plan", "step"))
    (seconds,) = re.findall(r'data-seconds="(\d+)"', tablet)
    assert 1000 * int(seconds) == plans * plan_ms + steps * step_ms


def test_an_opened_plan_has_a_title_builders_and_a_foot_of_its_own(banker: FlaskClient, tables: Tables) -> None:
    # given plans that have just opened, one of which finished a building, and a next round that has begun
    game = game_of_bots(tables, 4, 5)
    events: list[Json] = []
    while not {"SectionsBuilt", "PricePaid"} <= {event["event"] for event in events}:
        assert game.play_on()
        events = tables.get(game.table.id).journal("banker")[-1]["events"]
    work = {event["player"]: event["work"] for event in events if event["event"] == "SectionsBuilt"}
    (paid, *_) = [event["player"] for event in events if event["event"] == "PricePaid"]
    names = {player: state["name"] for player, state in game.position["players"].items()}

    # when the big screen shows them
    page = part(banker, game.table.id, "display").split('id="unfolding"')[1]
    shown = {step.group(1): step.group(0) for step in re.finditer(PLAN_STEP, page, re.DOTALL)}

    # then each says in its own line whose plan it is, frames that seat alone, and its phase is that of building
    assert set(shown) == {player for player, jobs in work.items() if jobs}
    for player, step in shown.items():
        sentence = re.search(r'<h1 class="sentence"[^>]*>(.*?)</h1>', step, re.DOTALL)
        assert sentence is not None
        said = re.sub(r"<svg.*?</svg>|<[^>]+>|\s", "", sentence[1], flags=re.DOTALL)
        assert said == f"{names[player]}opensthe plan".replace(" ", "")
        assert re.findall(r'<section class="seat sheet (\w+) now', step) == [player]
        assert re.search(r'<li class="now"[^>]*>(?:(?!</li>).)*Build<', step, re.DOTALL)
        # and as many builders as worked stand on what is new
        assert step.count('class="walker') == sum(len(job["workers"]) for job in work[player])
        assert 'class="mark' not in step

    # and the title of whoever finished a building says so
    title = re.search(r"<h2[^>]*>(.*?)</h2>", shown[paid], re.DOTALL)
    assert title is not None
    assert "is finished" in title[1]


PLAN_STEP = r'<section class="display plan-step".*?<section class="unfolds plan (\w+)">.*?<div class="now-line.*?</div>'


def test_where_all_plan_no_screen_lists_them_all(banker: FlaskClient, tables: Tables, moment: At) -> None:
    # given four players of whom all plan
    table, shown = moment("build")
    assert len(shown["position"]["waiting_for"]) == len(shown["position"]["players"])

    # then the line says so, on the big screen beside everybody's badge
    assert sentence_of(part(banker, table, "tablet")) == "Everybody plans"
    assert sentence_of(part(banker, table, "display")).endswith("Everybody plans")

    # when one has planned, then that player is named; when two are left, then they are
    give(tables, table, do="plan", player=(first := shown["position"]["waiting_for"][0]), work={})
    assert sentence_of(part(banker, table, "tablet")) == f"All but {shown['position']['players'][first]['name']} plan"
    give(tables, table, do="plan", player=shown["position"]["waiting_for"][1], work={})
    left = [shown["position"]["players"][player]["name"] for player in at(tables, table)["waiting_for"]]
    assert all(name in sentence_of(part(banker, table, "tablet")) for name in left)


def sentence_of(page: str) -> str:
    """The line that says what is expected, without its badges."""
    line = re.search(r'<h1 (?:class="sentence"|id="sentence")[^>]*>(.*?)</h1>', page, re.DOTALL)
    assert line is not None
    return re.sub(r"<svg.*?</svg>|<[^>]+>", "", line[1], flags=re.DOTALL).strip()


def test_before_anything_is_finished_there_is_no_town(banker: FlaskClient, moment: At) -> None:
    table, _ = moment("economy")
    assert 'class="town' not in part(banker, table, "display")


@pytest.mark.parametrize("screen", ["rising", "town"])
def test_every_contract_of_the_house_deck_has_a_silhouette_of_its_own(app: Flask, house: Catalog, screen: str) -> None:
    # given each contract of the deck, finished
    template: Any = app.jinja_env.get_template(f"games/master_builder/display/{screen}.html").module

    def drawn(lot: Json) -> str:
        states = dict.fromkeys(section_names(lot["kind"]), "built")
        picture = template.rising(lot, states, "large") if screen == "rising" else template.whole(lot)
        return re.sub(r'class="building[^"]*"', "", str(picture))

    # when they are drawn, then no two are alike
    lots = CARDS.as_json(house)["contracts"].values()
    assert len({drawn(lot) for lot in lots}) == len(lots) == OUTLINES


OUTLINES = 12
GABLES_OR_TOWERS = 3


@pytest.mark.parametrize("kind", ["house", "city_wall"])
def test_a_building_rises_in_its_own_outline_section_by_section(app: Flask, kind: ContractKind) -> None:
    # given the drawing of the big screen, and the sections of a building in an order in which they may stand
    rising = app.jinja_env.get_template("games/master_builder/display/rising.html").module.rising  # type: ignore[attr-defined]
    sections = section_names(kind)

    def drawn(number: int, count: int) -> str:
        states = {section: "built" if place < count else "open" for place, section in enumerate(sections)}
        picture = str(rising({"kind": kind, "number": number}, states, "large"))
        return re.sub(r'class="building[^"]*"', "", picture)

    # when it is built by each number that a card may have
    whole = {drawn(number, len(sections)) for number in range(1, OUTLINES + 1)}
    begun = {drawn(number, 2) for number in range(1, OUTLINES + 1)}

    # then they have twelve outlines, and the first sections show which of three kinds it will be
    assert len(whole) == OUTLINES
    assert 1 < len(begun) <= GABLES_OR_TOWERS
    for count in range(len(sections) + 1):
        picture = drawn(1, count)
        assert picture.count('"part built"') == count
        assert picture.count('"part open"') == len(sections) - count
