"""Each fault of a catalog to the letter: its place, its mend, and the part of the file that it rests on."""

from dataclasses import replace
from typing import Any

import pytest

from companion.game_api.catalog_parsing import Fault
from companion.games.master_builder.cards.checks import catalog_faults, effect_faults
from companion.games.master_builder.rules.catalog import Catalog, Effect, Section
from tests.opened import house_deck

HOUSE = house_deck()
AMOUNT = "write whole thousands from 0, such as 5_000"


def with_card(table: str, index: int, **fields: Any) -> Catalog:
    cards: tuple[Any, ...] = getattr(HOUSE, table)
    changed = (*cards[:index], replace(cards[index], **fields), *cards[index + 1 :])
    return replace(HOUSE, **{table: changed})  # type: ignore[arg-type]


def with_section(name: str, team: tuple[str, ...]) -> Catalog:
    card = HOUSE.contracts[7]
    return with_card("contracts", 7, sections=(Section(name, team), *card.sections[1:]))  # type: ignore[arg-type]


CASES: list[tuple[Catalog, list[Fault]]] = [
    (
        with_card("workers", 0, type="F" if HOUSE.workers[0].type == "MC" else "MC"),
        [
            Fault(("worker",), words, (("worker",), "type"))
            for words in (
                "8 workers of type MC belong in the box, here are 7: add 1",
                "9 workers of type F belong in the box, here are 10: take out 1",
            )
        ],
    ),
    (
        replace(HOUSE, economy=HOUSE.economy[2:]),
        [
            Fault(("economy",), "11 [[economy]] tables belong in the box, here are 9: add 2"),
            Fault(("economy",), "Y01, Y02 missing: give each id to one card", (("economy",), "id")),
        ],
    ),
    (
        with_card("events", 3, id="E99"),
        [
            Fault(("event", 3, "id"), "there is no E99: the ids go from E01 to E16"),
            Fault(("event",), "E04 missing: give each id to one card", (("event",), "id")),
        ],
    ),
    (
        with_card("events", 3, id="E 04, the fourth"),
        [
            Fault(("event", 3, "id"), "there is no 'E 04, the fo': the ids go from E01 to E16"),
            Fault(("event",), "E04 missing: give each id to one card", (("event",), "id")),
        ],
    ),
    (
        with_card("workers", 1, id="W01"),
        [
            Fault(("worker", 1, "id"), "W01 is here a second time: each id belongs to one card"),
            Fault(("worker",), "W02 missing: give each id to one card", (("worker",), "id")),
        ],
    ),
    (
        with_card("contracts", 2, kind="city_wall"),
        [Fault(("contract", 2, "kind"), '1, 2, 7 and 12 are city walls, and they alone: write kind = "house"')],
    ),
    (
        with_card("contracts", 6, kind="house"),
        [Fault(("contract", 6, "kind"), '1, 2, 7 and 12 are city walls, and they alone: write kind = "city_wall"')],
    ),
    (with_card("contracts", 4, price=-1_000), [Fault(("contract", 4, "price"), f"-1000 is no amount: {AMOUNT}")]),
    (with_card("contracts", 4, cost=500), [Fault(("contract", 4, "cost"), f"500 is no amount: {AMOUNT}")]),
    (with_card("workers", 5, wage=1), [Fault(("worker", 5, "wage"), f"1 is no amount: {AMOUNT}")]),
    (
        replace(with_card("contracts", 0, cost=3_000), invented=False),
        [
            Fault(
                ("contract", 0, "cost"),
                "contract 1 can be opened at 2000 in the published box: "
                "lower the cost, or say invented = true at the top",
            )
        ],
    ),
    (
        with_section("tower", ("A",)),
        [
            Fault(
                ("contract", 7, "sections", "tower"),
                "no section has this name: here belong wall-1 wall-2 gable-1 gable-2 roof-1 roof-2",
            ),
            Fault(("contract", 7, "sections"), "wall-1 missing: say for each who must at least work there"),
        ],
    ),
    (
        with_section("wall-1", ()),
        [
            Fault(
                ("contract", 7, "sections", "wall-1"),
                "0 workers cannot build a section: name 1 to 3 of A T F MC",
            )
        ],
    ),
    (
        with_card("contracts", 7, sections=()),
        [
            Fault(
                ("contract", 7, "sections"),
                "wall-1, wall-2, gable-1, gable-2, roof-1, roof-2 missing: say for each who must at least work there",
            )
        ],
    ),
    (
        with_card("workers", 0, quirks=("N", "S", "N", "S")),
        [
            Fault(("worker", 0, "quirks"), "a worker has 1 to 3 quirks, here are 4: choose from S D W N H"),
            Fault(("worker", 0, "quirks"), "N, S more than once: the quirks of a worker differ"),
        ],
    ),
    (
        with_card("events", 2, effects=(Effect("pay", amount=1_000), Effect("raze"))),
        [
            Fault(
                ("event", 2, "effects", 1),
                "raze needs count: say how many sections",
                (("event", 2, "effects", 1), "do"),
            )
        ],
    ),
    (
        with_card("events", 2, effects=(Effect("receive"),)),
        [
            Fault(
                ("event", 2, "effects", 0, "amount"),
                "receive needs an amount: write whole thousands, such as amount = 1_000",
                (("event", 2, "effects", 0), "do"),
            )
        ],
    ),
    (
        with_card("economy", 3, reveal=(0, 1, -2)),
        [Fault(("economy", 3, "reveal", 2), "-2 contracts cannot be turned up: write 0 or more for 4 players")],
    ),
    (
        with_card("contracts", 8, name="x" * 61, names=(("de", "y" * 61),), texts=(("fr", "a\x07"),)),
        [
            Fault(("contract", 8, "name"), "61 characters: keep it to 60"),
            Fault(("contract", 8, "names", "de"), "61 characters: keep it to 60"),
            Fault(
                ("contract", 8, "texts", "fr"),
                "a line break or another control character: write it in one line",
            ),
        ],
    ),
]


@pytest.mark.parametrize(("catalog", "faults"), CASES)
def test_a_fault_is_told_with_its_place_and_its_mend(catalog: Catalog, faults: list[Fault]) -> None:
    assert list(catalog_faults(catalog)) == faults


@pytest.mark.parametrize("length", [60, 600])
def test_words_may_be_as_long_as_the_limit(length: int) -> None:
    name = "x" * min(length, 60)

    assert catalog_faults(with_card("events", 0, name=name, text="x" * length)) == ()


@pytest.mark.parametrize(
    ("effect", "faults"),
    [
        (Effect("raze", count=0), [("count", "0 is nobody: write 1 or more, or leave count out for all")]),
        (Effect("unavailable", count=1), []),
        (Effect("pay", amount=500), [("amount", "500 is no amount: write whole thousands, such as 1_000")]),
        (Effect("receive", amount=-1_000), [("amount", '-1000 is below 0: write 1000 with do = "pay"')]),
        (
            Effect("wage_change", amount=-1_000, per="worker"),
            [("per", "per means nothing for wage_change: take it out")],
        ),
        (Effect("manual", lasting="game"), [("lasting", "lasting means nothing for manual: take it out")]),
    ],
)
def test_an_effect_says_what_is_wrong_and_how_to_mend_it(effect: Effect, faults: list[tuple[str, str]]) -> None:
    assert list(effect_faults(effect)) == faults
