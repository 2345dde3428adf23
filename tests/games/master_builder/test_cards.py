from companion.engine.game import Placement
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.table.table import Table
from tests.fakes import FakeClock, FakeJournal
from tests.opened import CARDS, house_deck
from tests.service.house_tables import house_game, house_table, play_until


def house() -> Catalog:
    return house_deck()


def test_every_card_of_the_box_is_named_once() -> None:
    cards = CARDS.ids(house())
    assert len(cards) == len(set(cards)) == 12 + 40 + 16 + 11
    assert {"C01", "W40", "E16", "Y11"} <= set(cards)


def test_a_catalog_is_written_for_screens_by_card() -> None:
    written = CARDS.as_json(house())
    assert set(written) == {"name", "invented", "contracts", "workers", "events", "economy"}
    assert written["contracts"]["C03"]["sections"]["gable-1"] == list(
        next(section.team for section in house().contracts[2].sections if section.name == "gable-1")
    )
    assert set(written["workers"]["W07"]) >= {"type", "wage", "quirks"}
    assert isinstance(written["events"]["E05"]["texts"], dict)


def test_a_table_knows_the_cards_of_the_deck_that_it_was_started_with() -> None:
    table, _ = house_table()
    assert table.cards() == frozenset(CARDS.ids(house()))
    assert table.catalog_json() == CARDS.as_json(house())


def test_a_card_means_nothing_before_the_start() -> None:
    table = Table("t", house_game(), FakeJournal(), FakeClock())
    assert table.read(Placement("place", "MB1W07", "W07", "tray", 1.0)) is None


def test_a_card_laid_there_is_read_as_a_command_in_json() -> None:
    table, piles = house_table()
    play_until(table, piles, "hire")
    read = table.read(Placement("place", "MB1W07", "W07", "tray", 1.0))
    assert isinstance(read, dict)
    assert (read["do"], read["worker"]) == ("hire_worker", "W07")
