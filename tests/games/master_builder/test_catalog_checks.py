"""Faults that keep a catalog from being one box: the bundled deck with one thing changed."""

from collections import Counter
from dataclasses import replace

import pytest

from companion.game_api.catalog_parsing import Place
from companion.games.master_builder.cards.checks import catalog_faults
from companion.games.master_builder.rules.catalog import (
    HOUSE_SECTIONS,
    WALL_NUMBERS,
    WALL_SECTIONS,
    Catalog,
    ContractCard,
    EconomyCard,
    Section,
    WorkerCard,
)
from tests.opened import house_deck


@pytest.fixture(scope="module")
def house() -> Catalog:
    return house_deck()


def fault_words(catalog: Catalog) -> dict[Place, str]:
    return {fault.place: fault.words for fault in catalog_faults(catalog)}


def with_contract(house: Catalog, card: ContractCard) -> Catalog:
    return replace(house, contracts=tuple(card if contract.id == card.id else contract for contract in house.contracts))


def with_first_worker(house: Catalog, card: WorkerCard) -> Catalog:
    return replace(house, workers=(card, *house.workers[1:]))


def with_first_economy(house: Catalog, card: EconomyCard) -> Catalog:
    return replace(house, economy=(card, *house.economy[1:]))


def test_the_house_deck_has_no_fault(house: Catalog) -> None:
    assert catalog_faults(house) == ()


def test_twelve_contracts_of_six_sections_make_72_MB_01(house: Catalog) -> None:  # noqa: N802 - the example's number
    sections = [section.name for card in house.contracts for section in card.sections]
    walls = [card for card in house.contracts if card.kind == "city_wall"]
    assert (len(house.contracts), len(sections), len(walls)) == (12, 72, 4)
    assert all({section.name for section in card.sections} == set(WALL_SECTIONS) for card in walls)
    houses = [card for card in house.contracts if card.kind == "house"]
    assert all({section.name for section in card.sections} == set(HOUSE_SECTIONS) for card in houses)


def test_a_missing_contract_is_a_fault_MB_01(house: Catalog) -> None:  # noqa: N802
    faults = [fault.words for fault in catalog_faults(replace(house, contracts=house.contracts[:-1]))]
    assert faults == [
        "12 [[contract]] tables belong in the box, here are 11: add 1",
        "C12 missing: give each number to one card",
    ]


def test_forty_workers_of_four_types_MB_02(house: Catalog) -> None:  # noqa: N802
    assert Counter(card.type for card in house.workers) == {"MC": 8, "F": 9, "T": 10, "A": 13}
    assert {(card.type, card.wage) for card in house.workers} == {
        ("MC", 5_000),
        ("F", 4_000),
        ("T", 3_000),
        ("A", 1_000),
    }


def test_a_master_too_many_is_a_foreman_too_few_MB_02(house: Catalog) -> None:  # noqa: N802
    foreman = next(index for index, card in enumerate(house.workers) if card.type == "F")
    workers = list(house.workers)
    workers[foreman] = replace(workers[foreman], type="MC")
    faults = [fault.words for fault in catalog_faults(replace(house, workers=tuple(workers)))]
    assert faults == [
        "8 workers of type MC belong in the box, here are 9: take out 1",
        "9 workers of type F belong in the box, here are 8: add 1",
    ]


def test_sixteen_events_and_eleven_economic_situations_MB_03(house: Catalog) -> None:  # noqa: N802
    assert (len(house.events), len(house.economy)) == (16, 11)


def test_a_missing_event_and_a_second_economic_situation_are_faults_MB_03(house: Catalog) -> None:  # noqa: N802
    changed = replace(house, events=house.events[1:], economy=(*house.economy, house.economy[0]))
    faults = [fault.words for fault in catalog_faults(changed)]
    assert faults == [
        "16 [[event]] tables belong in the box, here are 15: add 1",
        "E01 missing: give each id to one card",
        "11 [[economy]] tables belong in the box, here are 12: take out 1",
        "Y01 is here a second time: each id belongs to one card",
    ]


def test_no_cards_at_all_is_one_fault_a_kind(house: Catalog) -> None:
    empty = replace(house, contracts=(), workers=(), events=(), economy=())
    assert set(fault_words(empty)) == {("contract",), ("worker",), ("event",), ("economy",)}
    assert len(catalog_faults(empty)) == 4


@pytest.mark.parametrize("number", [1, 2, 7, 12, 3, 8])
def test_the_city_walls_are_1_2_7_and_12_MB_09(house: Catalog, number: int) -> None:  # noqa: N802
    card = house.contracts[number - 1]
    assert (card.kind == "city_wall") == (number in WALL_NUMBERS)
    other = replace(card, kind="house" if card.kind == "city_wall" else "city_wall")
    faults = fault_words(with_contract(house, other))
    assert list(faults) == [("contract", number - 1, "kind")]
    assert f'write kind = "{card.kind}"' in faults["contract", number - 1, "kind"]


def test_each_number_is_there_once_MB_09(house: Catalog) -> None:  # noqa: N802
    twin = replace(house.contracts[3], id="C05", number=5)
    faults = fault_words(replace(house, contracts=(*house.contracts[:3], twin, *house.contracts[4:])))
    assert set(faults) == {("contract",), ("contract", 4, "number")}
    stranger = replace(house.contracts[3], id="C13", number=13)
    faults = fault_words(replace(house, contracts=(*house.contracts[:3], stranger, *house.contracts[4:])))
    assert faults["contract", 3, "number"] == "there is no C13: the ids go from C01 to C12"


def test_every_section_has_its_team_MB_09(house: Catalog) -> None:  # noqa: N802
    card = house.contracts[7]
    empty_team = replace(card, sections=(Section("wall-1", ()), *card.sections[1:]))
    assert set(fault_words(with_contract(house, empty_team))) == {("contract", 7, "sections", "wall-1")}
    team_of_four = replace(card, sections=(Section("wall-1", ("A", "A", "A", "A")), *card.sections[1:]))
    assert "1 to 3" in fault_words(with_contract(house, team_of_four))["contract", 7, "sections", "wall-1"]
    three = replace(card, sections=(Section("wall-1", ("A", "T", "F")), *card.sections[1:]))
    assert fault_words(with_contract(house, three)) == {}


def test_the_sections_are_those_of_the_kind_MB_09(house: Catalog) -> None:  # noqa: N802
    card = house.contracts[7]
    wrong = replace(card, sections=(Section("tower", ("A",)), *card.sections[1:]))
    faults = fault_words(with_contract(house, wrong))
    assert set(faults) == {("contract", 7, "sections", "tower"), ("contract", 7, "sections")}
    assert faults["contract", 7, "sections"].startswith("wall-1 missing")
    double = replace(card, sections=(*card.sections, card.sections[0]))
    assert "more than once" in fault_words(with_contract(house, double))["contract", 7, "sections", "wall-1"]


def test_a_deck_that_claims_to_be_published_opens_contract_1_at_2000_MB_09(house: Catalog) -> None:  # noqa: N802
    dear = with_contract(house, replace(house.contracts[0], cost=3_000))
    assert fault_words(dear) == {}
    assert set(fault_words(replace(dear, invented=False))) == {("contract", 0, "cost")}
    assert fault_words(replace(house, invented=False)) == {}


@pytest.mark.parametrize(
    ("quirks", "words"),
    [
        ((), "here are 0"),
        (("S", "D", "W", "N"), "here are 4"),
        (("S", "S"), "S more than once"),
    ],
)
def test_a_worker_has_one_to_three_different_quirks_MB_10(  # noqa: N802
    house: Catalog, quirks: tuple[str, ...], words: str
) -> None:
    worker: WorkerCard = replace(house.workers[0], quirks=quirks)  # type: ignore[arg-type]
    faults = fault_words(with_first_worker(house, worker))
    assert words in faults["worker", 0, "quirks"]


def test_an_economic_situation_never_takes_contracts_back_MB_10(house: Catalog) -> None:  # noqa: N802
    faults = fault_words(with_first_economy(house, replace(house.economy[0], reveal=(0, -1, 1))))
    assert faults == {("economy", 0, "reveal", 1): "-1 contracts cannot be turned up: write 0 or more for 3 players"}


@pytest.mark.parametrize("amount", [-1_000, 1_500, 1])
def test_amounts_are_whole_thousands_from_0(house: Catalog, amount: int) -> None:
    card = replace(house.contracts[4], price=amount, cost=amount)
    changed = with_first_worker(with_contract(house, card), replace(house.workers[0], wage=amount))
    assert set(fault_words(changed)) == {("contract", 4, "price"), ("contract", 4, "cost"), ("worker", 0, "wage")}


def test_names_and_texts_can_be_read(house: Catalog) -> None:
    event = replace(house.events[0], name=" ", text="x" * 601, names=(("fr", "deux\nlignes"),), texts=(("de", ""),))
    faults = fault_words(replace(house, name="", events=(event, *house.events[1:])))
    assert faults == {
        ("name",): "nothing to read: write at least one word",
        ("event", 0, "name"): "nothing to read: write at least one word",
        ("event", 0, "text"): "601 characters: keep it to 600",
        ("event", 0, "names", "fr"): "a line break or another control character: write it in one line",
        ("event", 0, "texts", "de"): "nothing to read: write at least one word",
    }
