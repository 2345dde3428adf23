"""Offers on pages: amounts on buttons, claims first, rare things folded away, building on the plan."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from companion.game_api.ui import TableView
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.ui.corrections import MonopolyBuilderCorrections
from companion.games.monopoly_builder.ui.offers import suggested_payment
from companion.games.monopoly_builder.ui.stage import MonopolyBuilderStage
from companion.web.default_ui.forms import Fold, Form
from companion.web.default_ui.ui import DefaultUI
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import PARKING, O, P, Town, built

THUMB = 48
CHIPS = {"red": 3, "purple": 0, "green": 2, "yellow": 1}


def page(town: Town, language: str = "en", me: str | None = None) -> dict[str, Any]:
    """Return what a page of a town is drawn with, at the tablet or on a player's phone."""
    viewer = me or "banker"
    overview = town.table.overview
    assert overview is not None
    shown = town.table.show(viewer)
    offers = tuple(town.table.offers(me) if me else town.table.offers("banker"))
    words = Words(language, GAME)
    view = TableView("t", shown["version"], shown["position"], overview, offers, town.table.catalog_json(), words)
    return DefaultUI(GAME).values(view, me)


def folds(town: Town, language: str = "en", me: str | None = None) -> list[Fold]:
    laid: list[Fold] = page(town, language, me)["folds"]
    return laid


def offered(town: Town, language: str = "en", me: str | None = None) -> list[str]:
    """Return what the buttons say, those that are folded away in brackets."""
    return [f"[{fold.title}]" if fold.title else fold.forms[0].title for fold in folds(town, language, me)]


def form(town: Town, do: str) -> Form:
    return next(form for fold in folds(town) for form in fold.forms if form.command["do"] == do)


def test_a_deed_is_bought_for_its_price() -> None:
    town = Town("red", "green")
    town.roll("red", 1, 3)

    assert offered(town)[:2] == ["Buy for 100\u00a0M", "Decline: it goes to auction"]


@pytest.mark.parametrize("space", [6, 7])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deed_on_offer_is_told_wherever_the_token_is_put_meanwhile(space: int, language: str) -> None:
    # given red, to whom Canal Row is offered for 100
    town = Town("red", "green")
    town.roll("red", 1, 3)
    before, drawn = page(town, language), MonopolyBuilderStage().stage(scene(town, language)).legend

    # when the token is put elsewhere: beside another deed, or where there is none
    town.do("correct_position", "red", space=space, reason="miscounted")

    # then pages, the big screen and the sheet of corrections still tell that one
    after = page(town, language)
    assert after["moment"] == before["moment"]
    assert after["folds"][0].forms[0].title == before["folds"][0].forms[0].title
    seen = scene(town, language)
    shown = MonopolyBuilderStage().stage(seen)
    assert "100" in shown.now
    assert (shown.legend, shown.upright) == (drawn, drawn)
    keys = {figure.key for figure in MonopolyBuilderCorrections().figures(seen)}
    assert ("deed:D03" in keys, "deed:D04" in keys) == (False, True)
    town.do("buy", "red")
    assert (town.player("red")["deeds"], town.cash("red")) == (["D03"], 800)


def test_a_bid_says_its_amount_on_its_button() -> None:
    town = Town("red", "green")
    town.roll("red", 1, 3)
    town.do("decline", player="red")

    assert form(town, "bid").title_with_amount == "Bid {amount}"


def test_a_rent_to_be_claimed_comes_before_whatever_the_turn_has_and_says_from_whom() -> None:
    # given green's deed, on which red lands
    town = Town("red", "green", green={"deeds": ["D03"]})
    town.roll("red", 1, 3)

    # then the claim is the first button, and whoever ends the turn is told what lapses
    claim = folds(town)[0].forms[0]
    assert (claim.title, claim.wording.note) == ("Claim 50\u00a0M", "Canal Row, from red")
    assert (
        form(town, "end_turn").wording.note == "Rents still unclaimed lapse with the next roll: green\u2019s 50\u00a0M."
    )


def test_a_claim_of_two_landings_says_what_the_tap_brings() -> None:
    # given green's deed, on which red lands twice, by a double
    town = Town("red", "green", taken={}, green={"deeds": ["D03"]})
    town.roll("red", 2, 2)
    town.do("end_turn", "red")
    town.do("correct_position", player="red", space=1, in_jail=False, reason="one space back")
    town.roll("red", 1, 2)
    before = town.cash("green")

    # then the button says what is booked once it is tapped
    assert [fold.forms[0].title for fold in folds(town) if fold.forms[0].command["do"] == "claim_rent"] == [
        "Claim 50\u00a0M"
    ]
    town.do("claim_rent", player="green", deed="D03")
    assert town.cash("green") == before + 50


def test_bids_are_due_as_long_as_the_table_waits_for_one_whoever_has_passed_before() -> None:
    # given green, who has passed and may come back, and yellow, whom the table waits for
    town = Town("red", "green", "yellow", taken={})
    town.roll("red", 1, 3)
    town.do("decline", player="red")
    town.do("bid", player="red", amount=60)
    town.do("pass", player="green")

    # then one form that is due asks for the bids of both
    bids = form(town, "bid")
    assert town.waits == ["yellow"]
    assert (set(bids.by), bids.urgency) == ({"green", "yellow"}, "due")


@pytest.mark.parametrize(
    ("cash", "rents", "note"),
    [
        (210, ["D06"], "Leaves 90 M: too little for Dye House, 70 M, with 50 M still to pay"),
        (240, ["D06"], "Leaves 120 M"),
        (150, [], "Leaves 30 M: too little for the 50 M still to pay"),
        (170, [], "Leaves 50 M"),
    ],
)
def test_a_price_that_leaves_too_little_says_so_with_all_that_is_to_be_paid(
    cash: int, rents: list[str], note: str
) -> None:
    # given red before Ferry Steps, who owes green the rent of a landing before, 50 M
    town = Town("red", "green", taken={}, red={"cash": cash}, green={"deeds": ["D03", *rents]})
    town.roll("red", 2, 2)
    town.do("end_turn", "red")
    town.do("correct_position", "red", space=0, reason="miscounted")
    town.roll("red", 4, 2)

    # when the deed is offered, 120 M
    shown, overview = town.table.show("red"), town.table.overview
    assert overview is not None
    offers, words = tuple(town.table.offers("red")), Words("en", GAME)
    ahead = partial(town.table.advice.forecast, "red")
    view = TableView("t", shown["version"], shown["position"], overview, offers, town.table.catalog_json(), words)
    laid = DefaultUI(GAME).values(replace(view, ahead=ahead), "red")["forms"]

    # then its button says what the price leaves
    assert next(form for form in laid if form.command["do"] == "buy").wording.note.replace("\u00a0", " ") == note


@pytest.mark.parametrize(
    ("language", "title", "kinds"),
    [
        ("en", "Two chips for one", ["Red", "Purple"]),
        ("de", "Zwei Chips für einen", ["rot", "lila"]),
        ("fr", "Deux jetons contre un", ["rouge", "violet"]),
    ],
)
def test_at_free_parking_each_form_says_what_one_gets_for_what(language: str, title: str, kinds: list[str]) -> None:
    # given red at Free Parking, with chips of two kinds
    town = Town("red", "green", taken={}, red={"space": PARKING - 3, "chips": {"green": 2, "yellow": 2}})
    town.roll("red", 1, 2)

    laid = [form for fold in folds(town, language) for form in fold.forms if form.command["do"] == "free_parking"]
    assert {form.title for form in laid} == {title}
    assert [form.settled for form in laid][:2] == kinds


def test_the_hammer_says_to_whom_it_sells_and_for_how_much() -> None:
    town = Town("red", "green")
    town.roll("red", 1, 3)
    town.do("decline", player="red")
    assert form(town, "hammer").below == "Nobody has bid: it stays with the bank"

    town.do("bid", player="green", amount=60)
    assert form(town, "hammer").below == "Sold to green for 60\u00a0M"


def test_nothing_lapses_where_nothing_was_earned() -> None:
    town = Town("red", "green", red={"deeds": ["D03"]})
    town.roll("red", 1, 3)

    assert form(town, "end_turn").wording.note == ""


def test_mortgages_and_trades_are_one_button_each() -> None:
    own: dict[str, Any] = {"red": {"deeds": ["D01", "D03"]}, "green": {"deeds": ["D05"]}}
    town = Town("red", "green", "yellow", taken={}, **own)

    assert offered(town) == ["Roll", "[Mortgages]", "[Trade with a player]"]
    choices = form(town, "mortgage").fields[0].choices
    assert [choice.says for choice in choices][1] == "Canal Row: 100\u00a0M"


def test_a_trade_lays_what_both_have_side_by_side_with_rents_and_drawings() -> None:
    own: dict[str, Any] = {"red": {"deeds": ["D01", "D03"], "mortgaged": ["D01"]}, "green": {"deeds": ["D05"]}}
    trade = form(Town("red", "green", taken={}, **own), "trade")

    assert trade.sides == ("red", "green")
    deeds = {choice.value: choice for side in trade.fields for part in side.parts for choice in part.choices}
    assert {deed: choice.on_page.note for deed, choice in deeds.items() if choice.on_page} == {
        "D01": "mortgaged",
        "D03": "rent 50\u00a0M",
        "D05": "rent 70\u00a0M",
    }
    assert all(choice.drawn for choice in deeds.values())


def test_a_trade_says_of_a_set_what_landing_there_costs() -> None:
    # given green, who has both light blue deeds, one of them mortgaged, and red with one of another colour
    own: dict[str, Any] = {"red": {"deeds": ["D05"]}, "green": {"deeds": [O, P], "mortgaged": [P]}}
    town = Town("red", "green", taken={}, **own)

    notes = {
        choice.value: choice.on_page.note
        for side in form(town, "trade").fields
        for part in side.parts
        for choice in part.choices
        if choice.on_page
    }
    assert notes == {"D05": "rent 70\u00a0M", O: "rent 100\u00a0M", P: "mortgaged"}

    # and that is what red owes who lands there
    town.roll("red", 1, 3)
    assert town.position["claims"][0]["amount"] == 100


def test_a_trade_on_a_covered_tablet_tells_nobody_how_much_anybody_could_give() -> None:
    # given tables with hidden money that differ in what red holds, on a tablet in the middle
    most: list[int] = []
    for purse in (300, 600):
        town = Town("red", "green", taken={"rules": {"money": "hidden"}}, red={"cash": purse})
        overview = town.table.overview
        assert overview is not None
        offers, words = tuple(town.table.offers("banker")), Words("en", GAME)
        shown = town.table.show("spectator")
        view = TableView("t", shown["version"], shown["position"], overview, offers, town.table.catalog_json(), words)
        laid = DefaultUI(GAME).values(replace(view, covered=True), None)["forms"]
        trade = next(form for form in laid if form.command["do"] == "trade" and form.command["player"] == "red")

        # then money goes as far at both
        most += [part.most for side in trade.fields for part in side.parts if part.kind == "amount"]
    assert len(most) == 4
    assert len(set(most)) == 1


def test_a_mortgage_is_no_rare_thing_for_who_is_in_debt() -> None:
    town = Town("red", "green", taken={}, red={"cash": 10, "deeds": ["D01"]}, green={"deeds": ["D03"]})
    town.roll("red", 1, 3)
    town.do("claim_rent", player="green", deed="D03")

    first = folds(town)[0]
    assert (first.title, first.forms[0].command["do"]) == ("", "mortgage")


def builder(**more: Any) -> Town:
    """Red may build: a one-storey house stands on A1, and a green one on C3."""
    town = Town("red", "green", taken=built(A1=("red", 1), C3=("green", 1)), red={"chips": CHIPS, "space": 0} | more)
    town.roll("red", 3, 4)
    return town


def test_floors_of_all_heights_are_built_from_one_form_on_the_plan() -> None:
    town = builder()

    building = [fold for fold in folds(town) if fold.forms[0].command["do"] == "build"]
    assert [(fold.title, len(fold.forms)) for fold in building] == [("Build a floor", 1)]
    cell = building[0].forms[0].fields[0]
    assert cell.arrangement == "plan"
    by_cell = {choice.value: choice.on_page for choice in cell.choices}
    assert "C3" not in by_cell, "it is green's"
    upper, first = by_cell["A1"], by_cell["A2"]
    assert upper is not None
    assert first is not None
    assert (upper.says, upper.note) == ("A1 · 2", "Floor 2 on A1: 3 of any kind")
    assert (first.says, first.note) == ("A2 · 1", "Floor 1 on A2: 2 of any kind")


def test_cells_are_tapped_on_the_drawn_town_each_in_a_place_of_its_own() -> None:
    town = builder()
    shown = page(town)
    plan, cells = shown["stage"]["plan"], form(town, "build").fields[0].choices
    areas = {choice.value: choice.on_page.area for choice in cells if choice.on_page and choice.on_page.area}

    # each lies within the drawing, is wide and high enough for a thumb on a phone, and no other's middle is its own
    assert set(areas) == {choice.value for choice in cells}
    for left, top, width, height in areas.values():
        assert left >= 0
        assert top >= 0
        assert left + width <= plan["width"]
        assert top + height <= plan["height"]
        scale = 358 / plan["width"]
        assert min(width * scale, height * scale) >= THUMB
    assert len({(left + width / 2, top + height / 2) for left, top, width, height in areas.values()}) == len(areas)
    assert "A2" in plan["svg"], "free cells are named"


def test_building_is_opened_from_the_action_bar_and_stands_in_no_fold_of_the_stage() -> None:
    shown = page(builder())

    assert [form.title for form in shown["forms"] if form.wording.is_in_bar] == ["Build"]
    rest = [form.command["do"] for fold in (*shown["sooner"], *shown["later"]) for form in fold.forms]
    assert rest
    assert "build" not in rest


@pytest.mark.parametrize(
    ("cost", "paid"),
    [
        ({"any": 2}, {"red": 2}),
        ({"any": 3}, {"red": 2, "green": 1}),
        ({"red": 1, "green": 1, "any": 1}, {"red": 2, "green": 1}),
        ({"red": 1, "yellow": 1}, {"red": 1, "yellow": 1}),
    ],
)
def test_what_there_is_most_of_is_suggested_as_payment(cost: dict[str, int], paid: dict[str, int]) -> None:
    assert suggested_payment(cost, CHIPS) == paid


def test_every_payment_that_is_suggested_is_taken() -> None:
    town = builder()
    for choice in form(town, "build").fields[0].choices:
        assert choice.on_page is not None
        town.do("build", player="red", cell=choice.value, chips=dict(choice.on_page.fills))
        town.do("undo")


def test_who_lacks_chips_for_every_floor_is_told_which() -> None:
    town = Town("red", "green", taken={}, red={"chips": {"red": 1}, "deeds": ["D05"]})
    town.roll("red", 3, 4)

    assert page(town)["not_yet"] == [("Build", "Floor 1: 1 of any kind missing")]
    assert page(town, me="green")["not_yet"] == [], "whoever is not on turn builds nothing"
    assert page(builder())["not_yet"] == []


def test_who_has_used_all_blocks_is_told_so_and_of_the_penthouse_what_is_missing() -> None:
    cells = {"A1": 4, "A2": 4, "B1": 4}
    taken = built(**{cell: ("red", height) for cell, height in cells.items()})
    town = Town("red", "green", taken=taken, red={"chips": CHIPS, "space": 0})
    town.roll("red", 3, 4)

    assert page(town)["not_yet"] == [("Build", "All 12 blocks are in use · Penthouse: 1 purple missing")]


def test_the_cell_of_the_penthouse_says_what_it_is_and_that_it_ends_the_game() -> None:
    chips = {**CHIPS, "purple": 1}
    town = Town("red", "green", taken=built(A1=("red", 4)), red={"chips": chips, "space": 0})
    town.roll("red", 3, 4)

    cells = {choice.value: choice for choice in form(town, "build").fields[0].choices}
    assert cells["A1"].says == "A1 · Penthouse"
    assert cells["A1"].on_page is not None
    assert cells["A1"].on_page.note.startswith("Penthouse on A1: ")
    assert cells["A1"].on_page.note.endswith("It ends the game.")
    assert cells["A2"].says == "A2 · 1"


def test_what_is_missing_for_the_next_floors_stands_in_the_form_of_those_that_can_be_built() -> None:
    # given a building of two floors, and chips for a first floor
    town = Town("red", "green", taken=built(A1=("red", 2)), red={"chips": {"red": 2, "yellow": 1}, "space": 0})
    town.roll("red", 3, 4)

    assert form(town, "build").wording.note == "Floor 3: 1 green missing"
    assert page(town)["not_yet"] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_button_is_told_in_every_language(language: str) -> None:
    words = Words(language, GAME)

    for fold in ("build", "bank", "trades", "mortgages", "cards"):
        assert words.named("fold", fold) not in (fold, "")
    assert "{amount}" in words.template("bid", "offer")
    assert "\u202f:" in Words("fr", GAME).template("lapsing", "offer")


def test_after_a_double_the_end_of_the_turn_lets_no_rent_of_that_player_lapse() -> None:
    # given red, who lands on green's deed by a double and rolls again
    town = Town("red", "green", green={"deeds": ["D03"]})
    town.roll("red", 2, 2)
    assert town.position["claims"]
    assert form(town, "end_turn").wording.note == ""

    # then the claim stands in the extra turn
    town.do("end_turn", "red")
    town.do("claim_rent", player="green", deed="D03")
