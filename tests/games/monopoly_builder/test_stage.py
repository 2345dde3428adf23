"""Monopoly Builder on the stage: where somebody landed, what was paid, built and bid, jail, Chance, and the end."""

from typing import Any

import pytest

from companion.game_api.drawing import Drawing, Polygon, TextLine
from companion.game_api.stage import Stage
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.drawings.chips import chip_token
from companion.games.monopoly_builder.drawings.game import town_picture
from companion.games.monopoly_builder.rules.catalog import KINDS, Effect
from companion.games.monopoly_builder.ui.corrections import MonopolyBuilderCorrections
from companion.games.monopoly_builder.ui.stage import MonopolyBuilderStage
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.test_shown import ended
from tests.games.monopoly_builder.town import CHANCE, JAIL, PARDON, Town, board, built, with_card

NARROW = "\u00a0"


def stage(town: Town, language: str = "en") -> Stage:
    return MonopolyBuilderStage().stage(scene(town, language))


def words_in(drawing: Drawing | None) -> list[str]:
    assert drawing is not None
    return [shape.words for shape in drawing.shapes if isinstance(shape, TextLine)]


def test_who_rolls_and_where_they_land_is_the_headline_and_what_may_be_paid_for_it_the_line() -> None:
    town = Town("red", "green")
    town.roll("red", 1, 3)
    shown = stage(town)

    assert (shown.kicker, shown.title, shown.text[0]) == ("red rolls 4", "Canal Row", "Nobody owns it yet.")
    assert shown.now == f"buy for 100{NARROW}M, or auction it"
    assert [(step.label, step.state) for step in shown.steps] == [
        ("Roll", "done"),
        ("Space", "now"),
        ("Build & trade", "later"),
    ]
    assert (shown.facts[0].label, shown.facts[0].figure) == ("Turn", "1")
    assert shown.then == "green"


def test_a_rent_that_may_be_claimed_is_told_and_once_it_is_paid_its_amount_is_the_headline() -> None:
    town = Town("red", "green", green={"deeds": ["D03"]})
    town.roll("red", 1, 3)
    assert f"green may claim 50{NARROW}M from red." in stage(town).text

    town.do("claim_rent", player="green", deed="D03")
    shown = stage(town)

    assert (shown.kicker, shown.title) == ("Rent for Canal Row", f"50{NARROW}M")
    assert shown.text == (f"Red pays green 50{NARROW}M.",)
    assert shown.seats["red"].state == "hit"
    assert f"Red pays green 50{NARROW}M." in shown.news


def test_a_floor_shows_where_it_stands_and_which_chips_paid_for_it() -> None:
    town = Town("red", "green", taken={}, red={"chips": {"red": 2, "green": 1}})
    town.roll("red", 3, 4)
    town.do("build", player="red", cell="C3", chips={"red": 1, "green": 1})
    shown = stage(town)

    assert (shown.kicker, shown.title) == ("red", "Floor 1 on C3")
    assert [(count.drawn.says, count.count) for count in shown.counts[0].counts] == [("red", 1), ("green", 1)]
    assert shown.now == "build, trade or end the turn"


def test_an_auction_shows_the_deed_the_highest_bid_and_the_earlier_ones_by_name() -> None:
    town = Town("red", "green", "yellow")
    town.roll("red", 1, 3)
    town.do("decline", player="red")
    assert stage(town).now == f"10{NARROW}M or more, or pass"
    town.do("bid", player="green", amount=20)
    town.do("bid", player="yellow", amount=60)
    shown = stage(town)

    assert (shown.kicker, shown.title) == ("Auction", "Canal Row")
    assert shown.text == ("yellow leads.",)
    for picture in (shown.picture, shown.upright):
        assert picture is not None
        assert picture.says == f"Before: green 20{NARROW}M."
        sizes = {shape.words: shape.size for shape in picture.shapes if isinstance(shape, TextLine)}
        assert sizes[f"60{NARROW}M"] == max(sizes.values()), "the highest bid is the largest"
        assert sizes[f"20{NARROW}M"] >= 8
    assert shown.now == f"65{NARROW}M or more, or pass"


def test_the_deed_that_is_offered_is_drawn_beside_the_town_and_in_its_place_on_phones() -> None:
    town = Town("red", "green")
    town.roll("red", 1, 3)

    shown = stage(town)
    for drawing in (shown.legend, shown.upright):
        assert {"Canal Row", f"100{NARROW}M"} <= set(words_in(drawing))


@pytest.mark.parametrize("bids", [(), (("green", 20),), (("green", 20), ("yellow", 60))])
def test_the_deed_under_the_hammer_is_drawn_on_every_screen(bids: tuple[tuple[str, int], ...]) -> None:
    town = Town("red", "green", "yellow")
    town.roll("red", 1, 3)
    town.do("decline", player="red")
    for player, amount in bids:
        town.do("bid", player=player, amount=amount)

    shown = stage(town)
    assert "Canal Row" in words_in(shown.picture)
    assert "Canal Row" in words_in(shown.upright)


def test_a_deed_that_was_sold_shows_the_ladder_of_bids_the_winner_and_the_price() -> None:
    town = Town("red", "green", "yellow")
    town.roll("red", 1, 3)
    town.do("decline", player="red")
    town.do("bid", player="green", amount=20)
    town.do("bid", player="yellow", amount=60)
    town.do("hammer")
    shown = stage(town)

    assert (shown.kicker, shown.title) == ("Sold", "Canal Row")
    assert f"60{NARROW}M" in shown.text[0]
    assert "ellow" in shown.text[0]
    for picture in (shown.picture, shown.upright):
        assert {"Canal Row", f"60{NARROW}M", f"20{NARROW}M"} <= set(words_in(picture))


def test_jail_and_just_visiting_are_told_apart() -> None:
    visiting = Town("red", "green")
    visiting.roll("red", 3, 4)
    assert stage(visiting).title == "Jail: just visiting"

    jailed = Town("red", "green", taken={}, red={"space": JAIL, "in_jail": True})
    shown = stage(jailed)
    assert (shown.kicker, shown.seats["red"].status) == ("Jail", "in jail")
    assert shown.now == f"double or 50{NARROW}M; try 1 of 3"


def test_a_chance_card_is_turned_large() -> None:
    town = Town("red", "green", taken={}, red={"space": CHANCE - 3})
    town.roll("red", 1, 2)
    town.do("draw_chance", player="red", card="C03")
    shown = stage(town)

    assert shown.kicker == "red turns a Chance card"
    assert shown.title in words_in(shown.picture)


def test_a_seat_counts_chips_by_letter_in_their_order_and_deeds_on_a_strip() -> None:
    town = Town("red", "green", taken={}, red={"chips": {"green": 2}, "deeds": ["D01", "D02"]})
    seat = stage(town).seats["red"]

    assert [(token.title, token.count, token.most) for token in seat.tokens] == [
        ("red", 0, 0),
        ("purple", 0, 0),
        ("green", 2, 0),
        ("yellow", 0, 0),
        ("Deeds", 2, 1),
    ]


def test_a_kind_that_is_chosen_is_shown_as_its_chip() -> None:
    seen = scene(Town("red", "green"))

    drawn = MonopolyBuilderStage().choices(seen, "kind", ["purple", "red"])
    assert [drawing.says for drawing in drawn.values()] == ["purple", "red"]
    assert MonopolyBuilderStage().choices(seen, "deed", ["D01"]) == {}


def test_a_trade_is_drawn_in_both_directions_with_chips_and_deeds() -> None:
    town = Town("red", "green", taken={}, red={"chips": {"yellow": 3}, "deeds": ["D03"], "mortgaged": ["D03"]})
    trade = {"do": "trade", "player": "red", "with": "green", "get": {"money": 50}}
    bundle = {"chips": {"yellow": 2}, "deeds": ["D03"]}

    first, second = MonopolyBuilderStage().deal(scene(town), {**trade, "give": bundle})

    assert (first.giver, first.taker, first.amount) == ("red", "green", "")
    assert [(piece.drawn.says, piece.count) for piece in first.pieces] == [("yellow", 2)]
    assert [drawing.says for drawing in first.named] == ["Canal Row"]
    assert (second.giver, second.taker, second.amount, second.pieces) == ("green", "red", f"50{NARROW}M", ())
    assert MonopolyBuilderStage().deal(scene(town), {"do": "end_turn", "player": "red"}) == ()


def test_what_was_paid_or_traded_goes_from_seat_to_seat() -> None:
    town = Town("red", "green", taken={}, red={"deeds": ["D05"]}, green={"deeds": ["D03"]})
    town.roll("red", 1, 3)
    assert stage(town).transfers == ()

    town.do("claim_rent", player="green", deed="D03")
    (rent,) = stage(town).transfers
    assert (rent.giver, rent.taker, rent.amount) == ("red", "green", f"50{NARROW}M")

    town.do("trade", player="green", with_="red", give={"money": 60}, get={"deeds": ["D05"]})
    there, back = stage(town).transfers
    assert (there.giver, there.taker, there.amount) == ("green", "red", f"60{NARROW}M")
    assert [drawing.says for drawing in back.named] == ["Loom Street"]

    town.do("trade", player="green", with_="red", give={"money": 5}, get={})
    assert len(stage(town).transfers) == 1, "nothing is given for a gift"


def test_floor_costs_stand_beside_the_town_while_somebody_may_build_the_next_ones_in_ink() -> None:
    town = Town("red", "green", taken=built(A1=("red", 2)), red={"chips": {"red": 1}})
    assert stage(town).legend is None
    town.roll("red", 3, 4)
    legend = stage(town).legend

    assert legend is not None
    names = {shape.words: shape.bold for shape in legend.shapes if isinstance(shape, TextLine) and len(shape.words) > 2}
    assert names == {"Floor 1": True, "Floor 2": False, "Floor 3": True, "Floor 4": False, "Penthouse": False}
    jailed = Town("red", "green", taken={}, red={"space": JAIL, "in_jail": True})
    jailed.roll("red", 1, 2)
    assert stage(jailed).legend is None, "nobody builds in jail"


def test_chips_are_told_apart_without_colour_and_without_letters() -> None:
    words = Words("en", GAME)
    outlines = {
        tuple(shape.points for shape in chip_token(kind, words).shapes if isinstance(shape, Polygon)) for kind in KINDS
    }

    assert len(outlines) == len(KINDS)
    assert () not in outlines


def test_hidden_money_is_covered_on_every_seat_and_in_the_head() -> None:
    town = Town("red", "green", taken={"rules": {"money": "hidden"}}, red={})
    shown = stage(town)

    assert {seat.amount for seat in shown.seats.values()} == {"covered"}
    assert [fact.label for fact in shown.facts] == ["Turn"]


def test_what_was_taken_back_is_not_told() -> None:
    town = Town("red", "green")
    town.roll("red", 1, 3)
    town.do("undo")
    shown = stage(town)

    assert (shown.title, shown.text, shown.news) == ("red\u2019s turn", ("Roll both dice.",), "")


def test_after_a_bid_was_put_right_the_bids_that_stand_are_shown() -> None:
    # given a bid that was misheard
    town = Town("red", "green", "yellow", taken={})
    town.roll("red", 1, 3)
    town.do("decline", player="red")
    town.do("bid", player="green", amount=60)
    town.do("bid", player="yellow", amount=80)
    misheard = town.table.version

    # when it is put right
    right = {"do": "bid", "player": "yellow", "amount": 70}
    town.give({"do": "amend", "seq": misheard, "with": right, "confirm": True, "reason": "misheard"})

    # then the new amount is the highest bid
    shown = words_in(stage(town).picture)
    assert f"70{NARROW}M" in shown
    assert f"80{NARROW}M" not in shown


def test_after_a_throw_was_put_right_the_space_of_who_moved_then_is_lit() -> None:
    # given red's throw, put right so that they stay in jail; green moved before
    towns = [Town("red", "green", taken={"turn": "green"}, red={"space": JAIL, "in_jail": True}) for _ in range(2)]
    for town, dice in zip(towns, ((2, 2), (1, 2)), strict=True):
        town.quiet("green")
        town.roll("red", *dice)
    amended, plain = towns
    right = {"do": "roll", "player": "red", "dice": [1, 2]}
    amended.give({"do": "amend", "seq": amended.table.version, "with": right, "confirm": True, "reason": "misread"})

    # then the town looks as if it had been thrown so
    assert town_picture(scene(amended)) == town_picture(scene(plain))


def test_at_the_end_an_account_stands_on_every_seat_source_by_source() -> None:
    shown = stage(ended())

    assert shown.title == "red wins"
    assert set(shown.columns) == {"red", "green"}
    account = words_in(shown.columns["red"])
    assert account[0] == "19"
    assert [account[at + 1] for at, source in enumerate(account) if source == "Buildings"] == ["14"]
    assert len({column.height for column in shown.columns.values()}) == 1, "rows stand on one level"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_its_line_in_every_language(language: str) -> None:
    words = Words(language, GAME)

    for phase in (*("discard", "roll", "turn_deed", "chance", "resources", "take", "return_chips"), "steal", "act"):
        assert words.template(f"now {phase}", "stage") != f"now {phase}"
    assert stage(Town("red", "green", taken=built(A1=("red", 1))), language).title


def test_turns_are_counted_from_the_first_one_which_no_event_begins() -> None:
    # given three players, who have a turn each
    town = Town("red", "green", "yellow")
    figures = [stage(town).facts[0].figure]
    for player in ("red", "green", "yellow"):
        town.quiet(player)
        figures.append(stage(town).facts[0].figure)

    assert figures == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("rules", "now", "moment"),
    [
        ({}, "trade or end the turn; no building in jail", "In jail you build nothing: trade, or end your turn."),
        (
            {"jail_bank_trade": False},
            "trade with players or end the turn",
            "In jail you neither build nor trade with the bank: trade with players, or end your turn.",
        ),
    ],
)
def test_after_a_failed_roll_in_jail_nobody_is_told_to_build(rules: dict[str, bool], now: str, moment: str) -> None:
    town = Town("red", "green", rules=rules, red={"space": JAIL, "in_jail": True})
    town.roll("red", 1, 2)

    assert stage(town).now == now
    seen = scene(town)
    assert seen.words.described_moment(seen.position, seen.names, seen.catalog) == moment


@pytest.mark.parametrize("owned", [True, False])
def test_whoever_leaves_jail_by_a_double_is_told_where_they_come_and_what_that_costs(owned: bool) -> None:
    # given red in jail, and the deed four spaces on with green or with nobody
    sites = {site["deed"]: at for at, site in enumerate(Town().table.catalog_json()["spaces"]) if site["deed"]}
    deed = next(deed for deed, at in sites.items() if at == JAIL + 4)
    town = Town("red", "green", red={"space": JAIL, "in_jail": True}, green={"deeds": [deed] if owned else []})
    name = town.table.catalog_json()["deeds"][deed]["name"]
    town.roll("red", 2, 2)

    text = stage(town).text
    assert text[:2] == ("Red leaves jail with a double.", f"red comes to {name}.")
    if owned:
        amount = town.position["claims"][0]["amount"]
        assert text[2] == f"green may claim {amount}{NARROW}M from red."
    else:
        assert text[2] == "Nobody owns it yet."


def test_a_chance_card_that_moves_says_where_to_and_what_may_be_claimed() -> None:
    # given a card that moves red one space back, onto green's deed
    town = Town(
        "red",
        "green",
        catalog=with_card("C05", Effect("move", by=-1), catalog=board()),
        red={"space": CHANCE - 3},
        green={"deeds": ["D03"]},
    )
    town.roll("red", 1, 2)
    town.do("draw_chance", player="red", card="C05")

    assert stage(town).text[:2] == ("red comes to Canal Row.", f"green may claim 50{NARROW}M from red.")


def test_several_debts_are_no_one_amount() -> None:
    # given a card by which both others pay red 60, and cannot
    town = Town(
        "red",
        "green",
        "yellow",
        catalog=with_card("C05", Effect("receive", amount=60, players=True)),
        red={"space": CHANCE - 3},
        green={"cash": 30},
        yellow={"cash": 10},
    )
    town.roll("red", 1, 2)
    town.do("draw_chance", player="red", card="C05")
    assert (len(town.position["debts"]), stage(town).now) == (2, "find what is owed")

    # when one of them can pay, the other's amount is said
    town.do("correct_money", from_="bank", to="green", amount=60, reason="found it")
    assert (len(town.position["debts"]), stage(town).now) == (1, f"find 60{NARROW}M")


@pytest.mark.parametrize(
    ("own", "rules", "now", "moment"),
    [
        ({}, {}, "double or 50 M", "roll a double or pay 50 M"),
        ({"cards": [PARDON]}, {}, "double, 50 M, or a card", "roll a double, pay 50 M, or play a card"),
        ({"cash": 45}, {}, "double", "roll a double"),
        ({"cash": 45, "cards": [PARDON]}, {}, "double or a card", "roll a double or play a card"),
        ({"cash": 45}, {"money": "hidden"}, "double or 50 M", "roll a double or pay 50 M"),
    ],
)
def test_in_jail_only_what_can_be_done_is_told_and_nothing_of_hidden_money(
    own: dict[str, Any], rules: dict[str, str], now: str, moment: str
) -> None:
    seen = scene(Town("red", "green", rules=rules, red={"space": JAIL, "in_jail": True, "tries": 1, **own}))

    assert MonopolyBuilderStage().stage(seen).now.replace(NARROW, " ") == f"{now}; try 2 of 3"
    said = seen.words.described_moment(seen.position, seen.names, seen.catalog)
    assert said.replace(NARROW, " ") == f"Jail, try 2: {moment}."


def test_after_a_fee_was_cut_short_the_third_try_is_told_and_the_present_tries_are_marked() -> None:
    # given red, who owes the fee of a third failure, when a correction cuts that short
    town = Town("red", "green", taken={}, red={"cash": 30, "space": JAIL, "in_jail": True, "tries": 2})
    town.roll("red", 1, 2)
    town.do("correct_turn", player="red", phase="roll", reason="looked again")

    # then it is the third try that is told, and the sheet of the token knows where it is
    seen = scene(town)
    assert MonopolyBuilderStage().stage(seen).now == "double; try 3 of 3"
    assert seen.words.described_moment(seen.position, seen.names, seen.catalog).startswith("Jail, try 3:")
    token = next(figure for figure in MonopolyBuilderCorrections().figures(seen) if figure.key == "space:red")
    assert [choice.says for choice in token.choices if choice.command is None] == [f"{JAIL} Jail, 3 tries"]


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        (Effect("receive", amount=20, players=True), "green, yellow, and purple each pay red 20 M."),
        (Effect("pay", amount=20, players=True), "red pays green, yellow, and purple 20 M each."),
    ],
)
def test_a_card_by_which_several_pay_ends_with_what_was_paid(effect: Effect, text: str) -> None:
    town = Town("red", "green", "yellow", "purple", catalog=with_card("C05", effect), red={"space": 2})
    town.roll("red", 1, 2)
    town.do("draw_chance", player="red", card="C05")
    shown = stage(town)

    assert [said.replace(NARROW, " ") for said in shown.text] == [text]
    assert "owe" not in shown.news


def test_of_what_a_card_has_players_pay_only_what_is_still_owed_is_told_as_owed() -> None:
    # given green, who cannot pay
    card = with_card("C05", Effect("receive", amount=20, players=True))
    town = Town("red", "green", "yellow", "purple", catalog=card, red={"space": 2}, green={"cash": 10})
    town.roll("red", 1, 2)
    town.do("draw_chance", player="red", card="C05")

    assert [said.replace(NARROW, " ") for said in stage(town).text] == [
        "Green owes red 20 M.",
        "Yellow pays red 20 M.",
        "Purple pays red 20 M.",
    ]


@pytest.mark.parametrize(
    ("language", "owed", "paid", "moment"),
    [
        ("en", "Red owes the bank 50 M", "Red pays the bank 50 M", "red owes the bank 50 M."),
        ("de", "Red schuldet der Bank 50 M", "Red zahlt der Bank 50 M", "red schuldet der Bank 50 M."),
        ("fr", "Red doit 50 M à la banque", "Red paie 50 M à la banque", "red doit 50 M à la banque."),
    ],
)
def test_the_bank_is_paid_in_good_grammar(language: str, owed: str, paid: str, moment: str) -> None:
    # given red, who owes the fee of a third failure, and then can pay it
    town = Town("red", "green", taken={}, red={"cash": 45, "space": JAIL, "in_jail": True, "tries": 2})
    town.roll("red", 1, 2)
    seen = scene(town, language)
    said = seen.words.described_moment(seen.position, seen.names, seen.catalog)
    town.do("correct_money", amount=50, reason="a gift", **{"from": "bank", "to": "red"})

    sentences = [
        seen.words.event(event, seen.names, seen.catalog).replace(NARROW, " ")
        for entry in town.table.journal("spectator")
        for event in entry["events"]
    ]
    assert said.replace(NARROW, " ") == moment
    assert {owed, paid} <= {*sentences}


@pytest.mark.parametrize(
    ("language", "fee", "debt"),
    [
        ("en", "Red pays 50 M and leaves jail.", "Red is out of jail."),
        ("de", "Red zahlt 50 M und ist frei.", "Red ist aus dem Gefängnis frei."),
        ("fr", "Red paie 50 M et sort de prison.", "Red sort de prison."),
    ],
)
def test_the_fee_of_the_jail_is_told_as_one_payment(language: str, fee: str, debt: str) -> None:
    # given red, who pays before a roll, or after a third failure
    early, late = (
        Town("red", "green", taken={}, red={"space": JAIL, "in_jail": True, "tries": tries}) for tries in (0, 2)
    )
    early.do("leave_jail", player="red")
    late.roll("red", 1, 2)

    assert [said.replace(NARROW, " ") for said in stage(early, language).text] == [fee]
    text = stage(late, language).text
    assert (len(text), text[0]) == (2, debt)
    assert "50" in text[1]
