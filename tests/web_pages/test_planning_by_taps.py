"""A plan by taps: worker or section first, only what fits is lit, and what is wrong says why and how to mend it."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from tests.extent import by_night
from tests.guide.stage import Game, game_of_bots
from tests.pages import at_rest
from tests.web_pages.conftest import At
from tests.web_pages.parts import part

Json = dict[str, Any]
RANK = {"A": 1, "T": 2, "F": 3, "MC": 4}


@pytest.fixture(scope="module")
def building(tables: Tables) -> Game:
    """A game in which plans are made, somebody with buildings begun."""
    game = game_of_bots(tables, 3, 4)
    game.until(lambda at: at["phase"] == "build" and at["round"] == 2)
    return game


def planner(game: Game) -> tuple[str, Json]:
    """Somebody who plans now, and what they may put where."""
    offer = next(offer for offer in game.table.show("banker")["offers"] if offer["do"] == "plan")
    return offer["player"], offer["fields"]["work"]


def kind(game: Game, worker: str) -> str:
    return str(game.table.catalog_json()["workers"][worker]["type"])


def asked(banker: FlaskClient, game: Game, work: Json, **more: str) -> str:
    player, _ = planner(game)
    given = {"work": str(work).replace("'", '"'), **more}
    return part(banker, game.table.id, "plan", player=player, **given)


def test_somebody_who_is_not_trained_for_a_section_is_told_as_such_with_who_is(
    banker: FlaskClient, building: Game
) -> None:
    # given a section that asks for one worker above the lowest type, and an apprentice on it
    _, field = planner(building)
    contract, section, (wanted,) = next(
        (card, name, code)
        for card, places in field["sites"].items()
        for name, code in places.items()
        if len(code) == 1 and code[0] != "A"
    )
    apprentice = next(worker for worker in field["workers"] if kind(building, worker) == "A")
    page = asked(banker, building, {contract: {section: [apprentice]}})

    # then the true reason stands there, and a button with somebody who can, if anybody is free
    assert f"{apprentice} can\N{RIGHT SINGLE QUOTATION MARK}t do that." in page
    better = [worker for worker in field["workers"] if RANK[kind(building, worker)] >= RANK[wanted]]
    assert ("Put " in page) == bool(better)
    assert "Why?" in page


def test_only_the_section_that_is_wrong_is_red(banker: FlaskClient, building: Game) -> None:
    # given the best plan, and beside it a second stretch that may not begin yet
    player, field = planner(building)
    best = building.table.advice.suggestion("banker", player)["command"]["work"]
    page = asked(banker, building, best)
    assert 'class="section bad' not in page
    assert 'role="alert"' not in page

    # when one section more is planned with nobody it asks for, then that one alone is red
    contract, section = next(
        (card, name)
        for card, places in field["sites"].items()
        for name in places
        if name not in best.get(card, {}) and "MC" not in places[name] and len(places[name]) == 1
    )
    busy = {worker for sections in best.values() for team in sections.values() for worker in team}
    free = [worker for worker in field["workers"] if worker not in busy]
    if free:
        worse = {card: dict(sections) for card, sections in best.items()}
        worse.setdefault(contract, {})[section] = free
        assert asked(banker, building, worse).count('class="section bad') <= 1


def test_only_sections_that_fit_are_lit_for_a_worker(banker: FlaskClient, building: Game) -> None:
    _, field = planner(building)
    for worker in field["workers"]:
        page = asked(banker, building, {}, chosen=worker)
        lit = page.count(' can"')
        fitting = [
            code
            for places in field["sites"].values()
            for code in places.values()
            if any(RANK[kind(building, worker)] >= RANK[wanted] for wanted in code)
        ]
        assert lit == len(fitting), worker


@pytest.mark.browser
@pytest.mark.nightly
def test_a_section_may_be_tapped_first_and_the_plan_outlives_a_reload(page: Page, building: Game) -> None:
    player, _ = planner(building)
    page.goto(f"/tables/{building.table.id}")
    opens = page.locator(f"[data-sheet=plan][data-player={player}]")
    opens.click()

    # when a section is tapped first, then those are lit who could work there
    page.locator("[data-place]:not([disabled])").first.click()
    lit = page.locator("#sheet .card.can")
    expect(lit.first).to_be_visible()
    worker = lit.first.get_attribute("data-worker")
    lit.first.click()
    team = page.locator(".section small").filter(has_text=str(worker))
    expect(team).to_have_count(1)

    # when the page is opened anew, then the plan is still there
    page.reload()
    opens.click()
    expect(team).to_have_count(1)

    # and when it is cleared, it stays so
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(team).to_have_count(0)
    page.reload()
    opens.click()
    expect(page.locator("#plan")).to_be_visible()
    expect(team).to_have_count(0)


@pytest.mark.browser
def test_a_fault_is_mended_by_its_button(page: Page, building: Game) -> None:
    player, field = planner(building)
    apprentice = next(worker for worker in field["workers"] if kind(building, worker) == "A")
    contract, section = next(
        (card, name)
        for card, places in field["sites"].items()
        for name, code in places.items()
        if len(code) == 1 and code[0] != "A"
    )
    page.goto(f"/tables/{building.table.id}")
    page.locator(f"[data-sheet=plan][data-player={player}]").click()
    clear = page.get_by_role("button", name="Clear", exact=True)
    expect(page.locator("#plan")).to_be_visible()
    if clear.count():
        clear.click()
        expect(clear).to_have_count(0)
    page.locator(f"[data-worker={apprentice}]").click()
    expect(page.locator(f"[data-worker={apprentice}]")).to_have_attribute("aria-pressed", "true")
    page.locator(f"[data-place='{contract}|{section}']").click()
    fault = page.locator(".plan-why .refusal").filter(has_text="t do that")
    expect(fault).to_be_visible()

    fault.locator("[data-mend]").click()

    expect(fault).to_have_count(0)
    page.get_by_role("button", name="Clear", exact=True).click()


def test_a_team_that_is_too_small_is_completed_by_a_button(banker: FlaskClient, building: Game) -> None:
    # given a wall that asks for an apprentice and a tradesman, with the tradesman there; both apprentices are busy
    _, field = planner(building)
    assert field["sites"]["C02"]["wall-2"] == ["A", "T"]
    crew = {worker: kind(building, worker) for worker in field["workers"]}
    assert crew == {"W12": "F", "W18": "T", "W26": "T", "W35": "A", "W30": "A"}
    page = asked(banker, building, {"C02": {"side-1b": ["W35"], "side-2a": ["W30"], "wall-2": ["W18"]}})

    # then a button puts the other tradesman beside them: the foreman could do that, but more elsewhere
    assert "Wall 2: 1 worker missing." in page
    mend = '{"contract":"C02","section":"wall-2","out":null,"instead":"W26"}'
    assert mend in page.replace("&#34;", '"')
    assert "Put Tradesman W26 here" in page


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1280, 800), *by_night((1180, 820))])
def test_a_warning_has_a_row_of_its_own_in_which_nothing_moves(
    page: Page, building: Game, size: tuple[int, int]
) -> None:
    # given a plan on a tablet, with nothing to say
    player, field = planner(building)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"/tables/{building.table.id}")
    page.locator(f"[data-sheet=plan][data-player={player}]").click()
    parts = [page.locator(f"#sheet {name}") for name in (".plan-sites", ".plan-crew", ".plan .over-foot")]
    expect(parts[-1]).to_be_visible()
    at_rest(page)
    before = [part.bounding_box() for part in parts]

    # when an apprentice is put where they are not trained for
    apprentice = next(worker for worker in field["workers"] if kind(building, worker) == "A")
    place = next(
        f"{card}|{name}"
        for card, places in field["sites"].items()
        for name, code in places.items()
        if len(code) == 1 and code[0] != "A"
    )
    page.locator(f"[data-worker={apprentice}]").click()
    expect(page.locator(f"[data-worker={apprentice}]")).to_have_attribute("aria-pressed", "true")
    page.locator(f"[data-place='{place}']").click()

    # then the warning is seen whole with its button, and all else stands where it stood
    warning = page.locator(".plan-why .refusal")
    expect(warning).to_have_count(1)
    expect(warning).to_be_in_viewport(ratio=0.99)
    assert [part.bounding_box() for part in parts] == before
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(warning).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.browser
def test_on_a_phone_building_sections_and_workers_are_in_sight_together(page: Page, building: Game) -> None:
    player, _ = planner(building)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/tables/{building.table.id}")
    page.locator(f"[data-sheet=plan][data-player={player}]").click()
    for place in (".site .building", "[data-place]:not([disabled])", "[data-worker]"):
        expect(page.locator(f"#sheet {place}").first).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_moment_without_plans_has_nothing_to_plan(banker: FlaskClient, seen: At) -> None:
    table, _ = seen("first_hire")
    assert "There is nothing to plan now." in part(banker, table, "plan", player="blue", work="no json")
