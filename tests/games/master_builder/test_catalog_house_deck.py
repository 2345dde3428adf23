"""The bundled deck as a deck: every kind of effect, three languages, a price worth building for."""

from itertools import chain

import pytest

from companion.games.master_builder.rules.catalog import (
    Catalog,
    ContractCard,
    EconomyCard,
    Effect,
    EventCard,
    WorkerType,
)
from tests.opened import house_deck

WAGES: dict[WorkerType, int] = {"MC": 5_000, "F": 4_000, "T": 3_000, "A": 1_000}


@pytest.fixture(scope="module")
def house() -> Catalog:
    return house_deck()


@pytest.fixture(scope="module")
def effects(house: Catalog) -> list[Effect]:
    return list(chain.from_iterable(event.effects for event in house.events))


def named(house: Catalog) -> list[ContractCard | EventCard | EconomyCard]:
    return [*house.contracts, *house.events, *house.economy]


def test_it_says_that_it_is_invented(house: Catalog) -> None:
    assert house.invented


def test_the_events_do_everything_that_events_can_do(effects: list[Effect]) -> None:
    assert {effect.do for effect in effects} == {
        "unavailable",
        "dismiss",
        "wage_change",
        "pay",
        "receive",
        "raze",
        "manual",
    }
    chosen = {
        (bool(effect.type), bool(effect.quirk), effect.count is None)
        for effect in effects
        if effect.do == "unavailable"
    }
    assert {(by_type, by_quirk) for by_type, by_quirk, _ in chosen} == {(True, False), (False, True), (True, True)}
    assert {everybody for _, _, everybody in chosen} == {True, False}
    for do in ("pay", "receive"):
        assert {effect.per for effect in effects if effect.do == do} == {"player", "worker", "affected", "contract"}
    changes = {(effect.lasting, effect.amount > 0) for effect in effects if effect.do == "wage_change"}
    assert changes == {("round", True), ("round", False), ("game", True), ("game", False)}


def test_no_event_is_a_catastrophe(effects: list[Effect]) -> None:
    assert all(effect.count == 1 for effect in effects if effect.do in {"dismiss", "raze"})
    assert all(effect.amount <= 2_000 for effect in effects if effect.do == "pay")


def test_every_card_with_words_has_them_in_three_languages(house: Catalog) -> None:
    for card in named(house):
        assert [language for language, _ in card.names] == ["de", "fr"], card.id
    for event in house.events:
        assert [language for language, _ in event.texts] == ["de", "fr"], event.id
    for economy in house.economy:
        assert [language for language, _ in economy.texts] == ["de", "en", "fr"], economy.id


def test_no_two_cards_share_a_name(house: Catalog) -> None:
    names = [card.name for card in named(house)]
    assert len(set(names)) == len(names)


def test_the_better_the_worker_the_fewer_his_quirks(house: Catalog) -> None:
    kinds: tuple[WorkerType, ...] = ("MC", "F", "T", "A")
    quirks = {kind: [len(card.quirks) for card in house.workers if card.type == kind] for kind in kinds}
    means = [sum(each) / len(each) for each in quirks.values()]
    assert means == sorted(set(means))


def test_five_average_situations_turn_up_about_what_is_left_in_the_deck(house: Catalog) -> None:
    means = [sum(card.reveal[players] for card in house.economy) * 5 / 11 for players in range(3)]
    assert means == pytest.approx([5, 8, 7], abs=0.5)


def test_a_contract_pays_its_work_twice_over_and_more(house: Catalog) -> None:
    for card in house.contracts:
        team = [kind for section in card.sections for kind in section.team]
        work = sum(WAGES[kind] for kind in team)
        assert 6 <= len(team) <= 10, card.id
        assert 2 * work + 10_000 < card.price - card.cost < 4 * work + 15_000, card.id
    assert house.contracts[0].cost == 2_000
