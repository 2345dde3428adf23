"""Fields that an effect must have, by what it does."""

import pytest

from companion.games.master_builder.cards.checks import effect_faults
from companion.games.master_builder.rules.catalog import Effect

SOUND = [
    Effect("unavailable"),
    Effect("unavailable", type=("A",), quirk=("S",), count=2),
    Effect("dismiss", quirk=("D",)),
    Effect("wage_change", amount=-1_000, lasting="game"),
    Effect("wage_change", type=("F",), count=1, amount=2_000),
    Effect("pay", amount=1_000, per="worker"),
    Effect("receive", amount=1_000, per="affected"),
    Effect("raze", count=1),
    Effect("manual"),
]

UNSOUND = [
    (Effect("unavailable", count=0), "count"),
    (Effect("dismiss", count=-1), "count"),
    (Effect("raze"), ""),
    (Effect("raze", count=1, type=("A",)), "type"),
    (Effect("wage_change", type=("A",)), "amount"),
    (Effect("wage_change", amount=500), "amount"),
    (Effect("pay"), "amount"),
    (Effect("pay", amount=-1_000), "amount"),
    (Effect("receive", amount=-1_000), "amount"),
    (Effect("receive", amount=1_000, quirk=("S",)), "quirk"),
    (Effect("unavailable", amount=1_000), "amount"),
    (Effect("unavailable", lasting="game"), "lasting"),
    (Effect("dismiss", per="worker"), "per"),
    (Effect("manual", count=1), "count"),
]


@pytest.mark.parametrize("effect", SOUND)
def test_a_sound_effect_has_no_fault(effect: Effect) -> None:
    assert list(effect_faults(effect)) == []


@pytest.mark.parametrize(("effect", "field"), UNSOUND)
def test_an_unsound_effect_names_its_field(effect: Effect, field: str) -> None:
    assert [faulty_field for faulty_field, _ in effect_faults(effect)] == [field]


def test_a_negative_payment_is_told_the_other_way_round() -> None:
    assert [words for _, words in effect_faults(Effect("pay", amount=-2_000))] == [
        '-2000 is below 0: write 2000 with do = "receive"'
    ]
