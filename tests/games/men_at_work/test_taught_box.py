"""A box of Men at Work as an owner teaches it: what is asked of a card, and what file comes of it."""

from companion.games.men_at_work.cards.tables import catalog_from
from companion.games.men_at_work.rules.catalog import BACKS
from companion.games.men_at_work.teaching import MenAtWorkTeaching
from tests.games.men_at_work.building_site import house_deck

TEACHING = MenAtWorkTeaching()


def test_a_card_has_a_back_and_two_panels_and_the_boss_a_back_that_may_be_plain() -> None:
    back, girder, worker = TEACHING.fields("I01")
    (boss,) = TEACHING.fields("BOSS")

    assert (back.name, girder.name, worker.name) == ("back", "girder", "worker")
    assert (boss.name, boss.context, boss.values) == ("back", "back", (*BACKS, "none"))  # type: ignore[union-attr]


def test_what_is_known_becomes_a_box_with_the_rest_as_printed() -> None:
    taught_cards = {"I02": {"back": "GPB", "girder": "balance", "worker": "one_brick"}, "BOSS": {"back": "GOW"}}

    tables = TEACHING.tables("Our box", taught_cards)

    assert (tables["name"], tables["invented"]) == ("Our box", False)
    assert tables["card"] == [{"id": "I02", **taught_cards["I02"]}]
    assert tables["boss"]["back"] == "GOW"
    assert tables["boss"]["name"] == house_deck().boss.name


def test_a_boss_that_nobody_has_shown_yet_is_missing_and_not_as_in_the_invented_deck() -> None:
    tables = TEACHING.tables("Our box", {})

    _, faults = catalog_from(tables)

    assert "back" not in tables["boss"]
    assert ("boss", "back") in [fault.place for fault in faults]


def test_the_back_of_the_card_before_is_proposed_for_the_next() -> None:
    taught_cards = {"I01": {"back": "GOP"}, "I02": {"back": "HBW"}}

    assert TEACHING.usual("I03", taught_cards) == {"back": "HBW"}
    assert TEACHING.usual("BOSS", taught_cards) == TEACHING.usual("I03", {}) == {}
