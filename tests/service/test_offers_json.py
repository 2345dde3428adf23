from typing import Any

import pytest

from companion.engine.game import Amount, AnyOfThese, AnySet, Assignment, Field, Offer, OneOf, SomeOf
from companion.service.table.history import field_json, offer_json
from tests.service.house_tables import house_table, play_until


def test_an_offer_is_its_command_with_what_is_still_open() -> None:
    offer = Offer("open_auction", "blue", given=(("contract", "C03"),), fields=(("bid", Amount(2_000, 40_000)),))
    assert offer_json(offer) == {
        "do": "open_auction",
        "player": "blue",
        "contract": "C03",
        "urgency": "due",
        "fields": {"bid": {"kind": "amount", "least": 2_000, "most": 40_000, "step": 1_000}},
    }


def test_where_the_command_names_nobody_the_offer_says_who_may_give_it() -> None:
    offer = offer_json(Offer("turn_event", "blue", addressed=False, urgency="possible"))
    assert offer == {"do": "turn_event", "by": "blue", "urgency": "possible", "fields": {}}


@pytest.mark.parametrize(
    ("field", "written"),
    [
        (OneOf(("W01", "W02")), {"kind": "one_of", "values": ["W01", "W02"]}),
        (SomeOf(("C01", "C02"), 1, 2), {"kind": "some_of", "values": ["C01", "C02"], "least": 1, "most": 2}),
        (
            AnyOfThese(((("C03", ("roof-1",)),), (("C03", ()), ("C04", ("wall-1", "wall-2"))))),
            {"kind": "any_of_these", "values": [{"C03": ["roof-1"]}, {"C03": [], "C04": ["wall-1", "wall-2"]}]},
        ),
        (AnySet((("W01",), ("W02", "W03"))), {"kind": "any_set", "values": [["W01"], ["W02", "W03"]]}),
        (
            Assignment((("C03", (("wall-1", ("T",)), ("gable-1", ("F", "A")))),), (("W07", "F"),)),
            {
                "kind": "assignment",
                "sites": {"C03": {"wall-1": ["T"], "gable-1": ["F", "A"]}},
                "workers": {"W07": "F"},
            },
        ),
    ],
)
def test_every_kind_of_field_says_what_it_may_hold(field: Field, written: dict[str, Any]) -> None:
    assert field_json(field) == written


def test_cards_are_turned_by_the_start_player_in_a_command_that_names_nobody() -> None:
    table, piles = house_table(3, seed=3)
    for phase, verb in (("contracts", "reveal_contracts"), ("events", "turn_event")):
        play_until(table, piles, phase)
        shown = table.show("banker")
        turning = [offer for offer in shown["offers"] if offer["do"] == verb]
        assert [offer["by"] for offer in turning] == [shown["position"]["start_player"]]
        assert "player" not in turning[0]
    play_until(table, piles, "contracts", round_=2)
    assert [offer["by"] for offer in table.show("banker")["offers"] if offer["do"] == "turn_economy"]
