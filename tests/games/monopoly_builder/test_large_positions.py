"""Positions with faults without end: refused at once, with some of them and the number of the others."""

from typing import Any

import pytest

from companion.engine.game import Refused
from companion.game_api.corrections import MOST_FAULTS
from companion.service.table.table import Request
from tests.games.monopoly_builder.town import empty_table

MANY = [f"X{number}" for number in range(70_000)]


@pytest.mark.parametrize(
    "given",
    [
        {"mortgaged": MANY},
        {"mortgaged": ["X1"] * 120_000},
        {"deeds": MANY[:40_000], "mortgaged": MANY[40_000:]},
        {"chips": dict.fromkeys(MANY, -1)},
    ],
)
def test_of_faults_without_end_two_hundred_are_told_and_how_many_more(given: dict[str, Any]) -> None:
    # given a position as large as a body may be, with a fault in each of its cards
    players = {"red": {"cash": 10_000, **given}, "yellow": {"cash": 10_000}}
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "players": players}
    command = {"do": "take_over", "position": position, "reason": "begun without"}

    # then it is refused, with the first of them and the number of the others
    with pytest.raises(Refused, match="position_faulty") as refused:
        empty_table().submit(Request(command, "banker", "tap"))
    listed: Any = refused.value.details["faults"]
    assert len(listed) == MOST_FAULTS + 1
    assert listed[-1]["rule"] == "more_faults"
    assert listed[-1]["details"]["count"] > 30_000
