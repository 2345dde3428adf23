"""Faults of effects carry the place of the card that they stand on."""

from dataclasses import replace

from companion.game_api.catalog_parsing import CatalogError
from companion.games.master_builder.cards.checks import catalog_faults
from companion.games.master_builder.rules.catalog import Effect
from tests.opened import house_deck


def test_a_faulty_effect_is_found_on_its_card() -> None:
    house = house_deck()
    wrong = (Effect("manual"), Effect("pay"), Effect("raze"))
    events = (*house.events[:4], replace(house.events[4], effects=wrong), *house.events[5:])
    faults = catalog_faults(replace(house, events=events))
    assert [fault.place for fault in faults] == [("event", 4, "effects", 1, "amount"), ("event", 4, "effects", 2)]


def test_an_error_keeps_every_line() -> None:
    error = CatalogError(["deck.toml:1: one", "deck.toml:2: two"])
    assert error.faults == ("deck.toml:1: one", "deck.toml:2: two")
    assert str(error) == "deck.toml:1: one\ndeck.toml:2: two"
