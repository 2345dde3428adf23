"""Cards of the plug-in API: hands that are drawn and played from, lots of players, catalogs of several kinds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from companion.engine.game import OneOf, Refused, SomeOf
from companion.engine.ledger import BANK, player_account, transfer
from companion.game_api.auctions import AuctionOpened, auction_of
from companion.game_api.cards import LABEL_FORM, Label, ListedCards, ListedCatalog, worded_card
from companion.game_api.catalog_parsing import Translations
from companion.game_api.choices import CardDrawn, CardPlayed, DrawCards, DrawingEnded, FillHands, Holdings
from companion.game_api.steps import PlayStep
from companion.words import Words
from tests.game_api.step_table import CATALOG, SEATS, Playing, begun, due, first_hands, give, sold, stones


def filling(seats: Sequence[str]) -> FillHands:
    """Return the step in which hands are filled to three stones."""
    return FillHands(players=tuple(seats), hands=first_hands(seats), pile=CATALOG.ids, size=3)


def test_a_card_drawn_in_secret_is_taken_from_nobody_and_leaves_one_hand_alone() -> None:
    hands = Holdings().drawn("red", "S01").drawn("blue", "S01").drawn("blue", "S02")

    assert (hands.of("red"), hands.of("blue")) == (("S01",), ("S01", "S02"))
    assert hands.moved("trick", "S01", source="blue").pairs == (("S01", "red"), ("S02", "blue"), ("S01", "trick"))
    assert hands.moved("trick", "S01").pairs == (("S02", "blue"), ("S01", "trick"))


def test_hands_are_filled_as_far_as_the_pile_lasts_and_nobody_draws_what_they_have() -> None:
    # given two stones in the pile, of which red wants one, and blue two
    table = begun(stones(filling))

    offered = {offer.player: dict(offer.fields)["cards"] for offer in due(table)}

    # then red is served first, blue gets what is left, and yellow nothing
    assert offered == {
        "red": SomeOf(("S02", "S03", "S05", "S06"), 1, 1),
        "blue": SomeOf(("S01", "S03", "S04", "S05", "S06"), 1, 1),
    }
    for player, card in (("blue", "S06"), ("red", "S05")):
        give(table, {"do": "draw_hand", "player": player, "cards": [card]}, player)
    assert table.position is not None
    assert table.position.state.hands.of("red") == ("S01", "S04", "S05")
    assert "cards" not in table.journal("blue")[-1]["events"][0]
    assert table.journal("red")[-1]["events"][0]["cards"] == ["S05"]


def test_some_players_fill_their_hands_of_what_is_in_nobodys() -> None:
    # given two stones in the pile, and red alone who is to have five
    hands = FillHands(players=("red",), hands=first_hands(SEATS), pile=CATALOG.ids, size=5)

    # then red draws these two, and not what the others hold
    assert hands.due() == {"red": 2}


def test_who_has_drawn_has_nothing_to_draw_any_more() -> None:
    table = begun(stones(filling))
    assert table.position_json("red")["to_draw"] == 1  # type: ignore[index]

    give(table, {"do": "draw_hand", "player": "red", "cards": ["S05"]}, "red")

    assert "to_draw" not in table.position_json("red")  # type: ignore[operator]
    assert table.position_json("blue")["to_draw"] == 1  # type: ignore[index]


def test_less_than_no_card_is_none() -> None:
    assert DrawCards(player="red", count=-1, pile=CATALOG.ids).waiting_for() == ()


def test_a_player_draws_no_card_of_their_hand_and_the_pile_has_none_of_anybodys() -> None:
    # given six stones, four of them in hands, and red who is to draw three
    step: PlayStep = DrawCards(player="red", count=3, pile=CATALOG.ids, hands=first_hands(SEATS))
    position: Any = None

    # when red draws, then what others hold is in the list and not in the pile, and red draws as far as that lasts
    for card, left in (("S05", 2), ("S02", 1)):
        assert step.view("blue")["pile"] == left
        (offer,) = step.offers(position, "red")
        (_, choice), *_ = offer.fields
        assert isinstance(choice, OneOf)
        assert {"S02", "S03"} & {*choice.values} == {"S02", "S03"} - {*drawn_by(step)}
        assert not {"S01", "S04", *drawn_by(step)} & {*choice.values}
        step = step.after(CardDrawn("red", card))
    assert (step.waiting_for(), step.view("blue")["pile"]) == ((), 0)
    assert step.follow_up(position) == (DrawingEnded("red"),)


def drawn_by(step: Any) -> tuple[str, ...]:
    """Return what red has drawn since the deal."""
    return tuple(card for card in step.hands.of("red") if card not in ("S01", "S04"))


def test_what_lies_open_nowhere_are_the_cards_of_the_pile_and_of_hands() -> None:
    hands = Holdings().drawn("red", "S01", "S02").moved("table", "S02", source="red")

    assert hands.unseen(("S01", "S02", "S03"), SEATS) == ("S01", "S03")
    assert hands.rest(("S01", "S02", "S03")) == ("S03",)


def test_a_card_is_played_from_a_hand_in_turn() -> None:
    turn = Playing(SEATS, "red")

    assert turn.after(CardPlayed("red", "S01")).waiting_for() == ("blue",)
    table = begun(stones(lambda seats: Playing(tuple(seats), seats[0])))
    with pytest.raises(Refused, match="card_not_offered"):
        give(table, {"do": "play_card", "player": "red", "card": "S02"})
    assert [dict(offer.fields) for offer in due(table)] == [{"card": OneOf(("S01", "S04"))}]


@pytest.mark.parametrize(("seller", "paid_to"), [("red", "player:red"), ("blue", BANK), (None, BANK)])
def test_a_lot_is_paid_to_whoever_sold_it_but_not_to_oneself(seller: str | None, paid_to: str) -> None:
    opened = AuctionOpened("S05", ("blue", "yellow"), kind="once_round", seller=seller)
    table = begun(stones(lambda _seats: auction_of(opened)))
    give(table, {"do": "bid", "player": "blue", "amount": 4})
    assert table.position is not None
    before = table.position.ledger
    give(table, {"do": "pass", "player": "yellow"})

    assert table.position.ledger == before.post(transfer(player_account("blue"), paid_to, 4))
    assert sold(table) == ("blue", 4)


def test_a_catalog_has_a_table_for_each_kind_of_card() -> None:
    @dataclass(frozen=True, slots=True)
    class Boat:
        id: str
        name: str
        hold: int

    @dataclass(frozen=True, slots=True)
    class Crew:
        id: str
        name: str
        skill: int

    cards = ListedCards("stones", Boat, "boats", also={"crews": Crew})
    file: dict[str, object] = {
        "game": "stones",
        "name": "Boats",
        "boats": [{"id": "B01", "name": "Ark", "hold": 3}],
        "crews": [{"id": "C01", "name": "Jo", "skill": 1}, {"id": "C02", "name": "Al", "skill": 2}],
    }
    catalog, faults = cards.parse(file)

    # then each stands in its own, and the ids of all are the labels
    assert list(faults) == []
    assert (catalog.of(Boat), catalog.of(Crew), cards.ids(catalog)) == (("B01",), ("C01", "C02"), ("B01", "C01", "C02"))
    assert {table: list(cards.as_json(catalog)[table]) for table in ("boats", "crews")} == {
        "boats": ["B01"],
        "crews": ["C01", "C02"],
    }
    # and an id that is in both is a fault, and so is a table without cards
    _, faults = cards.parse({**file, "crews": [{"id": "B01", "name": "Jo", "skill": 1}]})
    assert [fault.place for fault in faults] == [("crews", 0, "id")]
    _, faults = cards.parse({**file, "crews": []})
    assert [fault.place for fault in faults] == [("crews",)]
    # and two dataclasses that a saved game could not tell apart are refused
    with pytest.raises(TypeError, match="have the same fields"):
        ListedCards("stones", Boat, "boats", also={"ships": Boat})


@pytest.mark.parametrize(
    ("card", "why"),
    [
        ("b2", "'b2' cannot stand on a label: " + LABEL_FORM),
        ("Large card number three", "'Large card number th' cannot stand on a label: " + LABEL_FORM),
        ("", "'' cannot stand on a label: " + LABEL_FORM),
        ("X01", "X01 is kept for a command card: give this card another id"),
        (7, "7 is no text: put it into quotes"),
    ],
)
def test_an_id_that_no_label_can_say_is_a_fault_of_the_catalog(card: object, why: str) -> None:
    """A command card's label would say that word; an id that is no text is told as that alone."""

    @dataclass(frozen=True, slots=True)
    class Nut:
        id: str
        name: str

    cards = ListedCards("stones", Nut, "nuts")
    nuts = [{"id": "N01", "name": "Walnut"}, {"id": card, "name": "Hazelnut"}]

    _, faults = cards.parse({"game": "stones", "name": "Nuts", "nuts": nuts})

    assert [(fault.place, fault.words) for fault in faults] == [(("nuts", 1, "id"), why)]


def test_a_game_that_prints_other_labels_may_have_other_ids() -> None:
    @dataclass(frozen=True, slots=True)
    class Nut:
        id: str
        name: str

    class Numbered(ListedCards):
        def labels(self, catalog: ListedCatalog[Any]) -> Iterator[Label]:
            return (Label(card, f"N{number:02}") for number, card in enumerate(catalog.ids, start=1))

    nuts = [{"id": "walnut", "name": "Walnut"}, {"id": "hazelnut", "name": "Hazelnut"}]

    _, faults = Numbered("stones", Nut, "nuts").parse({"game": "stones", "name": "Nuts", "nuts": nuts})

    assert list(faults) == []


def test_a_card_of_a_list_has_names_in_other_languages() -> None:
    @dataclass(frozen=True, slots=True)
    class Nut:
        id: str
        name: str
        names: Translations = ()

    cards = ListedCards("stones", Nut, "nuts")
    nuts = [{"id": "N01", "name": "Walnut", "names": {"de": "Walnuss"}}, {"id": "N02", "name": "Hazelnut"}]
    catalog, faults = cards.parse({"game": "stones", "name": "Nuts", "nuts": nuts})
    table = cards.as_json(catalog)["nuts"]

    assert list(faults) == []
    assert [worded_card(nut, table[nut], Words("de")).name for nut in ("N01", "N02")] == ["Walnuss", "Hazelnut"]


def test_what_only_some_cards_of_a_list_have_is_shown_on_those_alone() -> None:
    # given nuts that are sold, and tools that are not
    @dataclass(frozen=True, slots=True)
    class Thing:
        id: str
        name: str
        price: int | None = None
        kind: Literal["nut", "tool"] | None = None

    cards = ListedCards("stones", Thing, "things")
    nut: dict[str, object] = {"id": "N01", "name": "Walnut", "price": 3, "kind": "nut"}
    things = [nut, {"id": "T01", "name": "Hammer"}]

    # when they are read, then a tool has no price
    catalog, faults = cards.parse({"game": "stones", "name": "Things", "things": things})
    table = cards.as_json(catalog)["things"]
    assert list(faults) == []
    assert worded_card("N01", table["N01"], Words("en")).facts == (("Price", "3"), ("Kind", "Nut"))
    assert worded_card("T01", table["T01"], Words("en")).facts == ()

    # and a price that is no number is a fault
    _, faults = cards.parse({"game": "stones", "name": "Things", "things": [{**nut, "price": "three"}]})
    assert len(faults) == 1
