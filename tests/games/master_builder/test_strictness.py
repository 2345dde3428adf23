"""Whatever is no command of this game is refused, changes nothing and never crashes."""

from typing import Any

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from companion.engine.game import Refused
from companion.service.table.table import Request
from tests.scenario import Scenario

GOOD: dict[str, dict[str, Any]] = {
    "hire_worker": {"player": "blue", "worker": "W07"},
    "fire_worker": {"player": "blue", "worker": "W07"},
    "pass": {"player": "blue"},
    "look_through": {"player": "blue", "type": "F"},
    "hire_out": {"owner": "blue", "worker": "W07", "borrower": "yellow", "price": 2_000},
    "turn_economy": {"card": "Y03"},
    "reveal_contracts": {"contracts": ["C03"]},
    "open_auction": {"player": "blue", "contract": "C03", "bid": 2_000},
    "bid": {"player": "blue", "amount": 5_000},
    "turn_event": {"card": "E05"},
    "choose_workers": {"player": "blue", "workers": ["W07"]},
    "choose_sections": {"player": "blue", "sections": {"C03": ["roof-1"]}},
    "plan": {"player": "blue", "work": {"C03": {"wall-1": ["W07"]}}},
    "borrow": {"player": "blue", "loan": "small"},
    "repay": {"player": "blue", "loan": "small"},
    "correct_money": {"from": "bank", "to": "blue", "amount": 5_000, "reason": "why"},
    "correct_card": {"card": "W07", "to": "blue", "reason": "why"},
    "count_cash": {"player": "blue", "amount": 31_000},
    "rename_player": {"player": "blue", "name": "Eve"},
}
WRONG = [None, True, 5, 5.0, -1, "", "x", [], [None], [5], {}, {"x": 1}, {"x": [5]}, [["x"]]]
MOMENTS = ["hire", "contracts", "events", "build", "finished"]

TABLES: dict[str, Scenario] = {}


def table_at(phase: str) -> Scenario:
    """One table a moment; refusals leave it as it is, so that tests share it."""
    if phase not in TABLES:
        given = Scenario("blue", "yellow")
        given.to(phase, 6 if phase == "finished" else 2)
        TABLES[phase] = given
    return TABLES[phase]


def answer(given: Scenario, command: dict[str, Any]) -> str | None:
    """Return the rule of a refusal; what was accepted is taken back."""
    before = given.position
    version = given.table.version
    try:
        given.table.submit(Request(command, "banker", "test"))
    except Refused as refused:
        assert given.table.version == version
        assert given.position == before
        return refused.rule
    given.do("redo" if command["do"] == "undo" else "undo")
    assert given.position == before
    return None


@pytest.mark.parametrize("verb", GOOD)
def test_a_field_too_many_or_too_few_is_refused(verb: str) -> None:
    given = table_at("hire")
    assert answer(given, {"do": verb, **GOOD[verb], "colour": "pink"}) == "unknown_field"
    for field in GOOD[verb]:
        less = {key: value for key, value in GOOD[verb].items() if key != field}
        assert answer(given, {"do": verb, **less}) == "missing_field"


@pytest.mark.parametrize("verb", GOOD)
def test_a_value_of_a_wrong_type_is_refused(verb: str) -> None:
    given = table_at("hire")
    for field, good in GOOD[verb].items():
        for wrong in WRONG:
            if type(wrong) is type(good):
                continue
            assert answer(given, {"do": verb, **GOOD[verb], field: wrong}) == "wrong_type", (field, wrong)


@pytest.mark.parametrize("phase", MOMENTS)
@pytest.mark.parametrize("verb", GOOD)
def test_a_player_or_card_that_nobody_knows_is_refused(verb: str, phase: str) -> None:
    given = table_at(phase)
    for field in ("player", "to", "card", "worker", "contract"):
        if field in GOOD[verb]:
            assert answer(given, {"do": verb, **GOOD[verb], field: "nobody"}) is not None


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ({}, "no_command"),
        ({"do": None}, "no_command"),
        ({"do": 5}, "no_command"),
        ({"do": ["pass"]}, "no_command"),
        ({"do": ""}, "unknown_command"),
        ({"do": "dance", "player": "blue"}, "unknown_command"),
        ({"do": "HireWorker", "player": "blue", "worker": "W07"}, "unknown_command"),
        ({"do": "look_through", "player": "blue"}, "missing_field"),
        ({"do": "look_through", "player": "blue", "type": "B"}, "wrong_type"),
        ({"do": "hire_out", "owner": "blue"}, "missing_field"),
    ],
)
def test_what_is_no_command_is_refused(command: dict[str, Any], rule: str) -> None:
    assert answer(table_at("hire"), command) == rule


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False)
    | st.text(max_size=6)
    | st.sampled_from(["blue", "yellow", "bank", "W07", "C03", "E05", "Y03", "wall-1", "small", "supply", "deck"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = sorted({field for fields in GOOD.values() for field in fields} | {"rest", "do", "from_"})


@drawn(
    verb=st.sampled_from([*GOOD, "undo", "redo", "start_game"]),
    changes=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3),
    phase=st.sampled_from(MOMENTS),
)
@settings(max_examples=300, deadline=None)
def test_nothing_that_is_sent_crashes(verb: str, changes: dict[str, Any], phase: str) -> None:
    answer(table_at(phase), {"do": verb, **GOOD.get(verb, {}), **changes})
