from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.game import Refused
from companion.game_api.codec import LARGEST
from companion.game_api.messages import verb_of
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules.events import GameStarted, PlanLocked
from tests.service.house_tables import house_game, house_table

CODEC = house_game().codec
START = {
    "do": "start_game",
    "game": "master_builder",
    "first": "blue",
    "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow"}],
    "rules": {"hire_fire": "three", "premium_funds_bid": False},
}
PLAN = {"do": "plan", "player": "blue", "work": {"C03": {"wall-1": ["W07"]}}}
BID = {"do": "bid", "player": "blue", "amount": 5_000}
GIFT = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 5_000, "reason": "paid twice"}


def refusal(command: Any) -> tuple[str, Any]:
    with pytest.raises(Refused) as refused:
        CODEC.command(command)
    return refused.value.rule, refused.value.details.get("field")


def nested(levels: int) -> list[Any]:
    brackets: list[Any] = []
    for _ in range(levels):
        brackets = [brackets]
    return brackets


def test_commands_are_called_by_their_class_in_snake_case() -> None:
    assert verb_of(c.HireWorker) == "hire_worker"
    assert CODEC.command(BID) == c.Bid("blue", 5_000)
    assert CODEC.command({"do": "pass", "player": "blue"}) == c.Pass("blue", rest=False)


@pytest.mark.parametrize("command", [START, PLAN, BID, GIFT, {"do": "pass", "player": "blue", "rest": True}])
def test_a_command_written_again_is_the_command(command: dict[str, Any]) -> None:
    assert CODEC.command_json(CODEC.command(command)) == command


def test_fields_left_at_their_defaults_are_not_written() -> None:
    assert CODEC.command_json(c.Pass("blue")) == {"do": "pass", "player": "blue"}


def test_from_is_read_and_written_without_pythons_underscore() -> None:
    read = CODEC.command(GIFT)
    assert read == c.CorrectMoney("bank", "blue", 5_000, "paid twice")
    assert CODEC.command_json(read)["from"] == "bank"
    renamed = {**GIFT, "from_": "bank"}
    assert refusal(renamed) == ("unknown_field", "from_")
    del renamed["from"]
    assert refusal(renamed) == ("unknown_field", "from_")
    assert refusal({key: stored for key, stored in GIFT.items() if key != "from"}) == ("missing_field", "from")
    assert refusal({**GIFT, "from": 5}) == ("wrong_type", "from")


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({**BID, "seen": 3}, "seen"),
        ({**BID, "": 3}, "?"),
        ({**BID, "class": 3}, "class"),
        ({**BID, "amount_": 3}, "amount_"),
        ({**START, "players": [{"id": "blue", "colour": "x"}, {"id": "yellow"}]}, "players.0.colour"),
        ({**START, "players": [{"id": "blue"}, {"id": "yellow", "cash": 1}]}, "players.1.cash"),
        ({**GIFT, "events": []}, "events"),
    ],
)
def test_unknown_keys_are_refused_at_every_depth(command: dict[str, Any], field: str) -> None:
    assert refusal(command) == ("unknown_field", field)


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({"do": "bid", "player": "blue"}, "amount"),
        ({"do": "bid", "amount": 5_000}, "player"),
        ({**START, "players": [{"name": "Ada"}, {"id": "yellow"}]}, "players.0.id"),
        ({"do": "start_game", "game": "master_builder", "players": []}, "first"),
    ],
)
def test_what_is_missing_is_named(command: dict[str, Any], field: str) -> None:
    assert refusal(command) == ("missing_field", field)


@pytest.mark.parametrize("amount", [5_000.0, "5000", True, None, [], {}, LARGEST + 1, -LARGEST - 1, 10**99])
def test_an_amount_is_a_whole_number_and_nothing_that_looks_like_one(amount: Any) -> None:
    assert refusal({**BID, "amount": amount}) == ("wrong_type", "amount")


def test_the_largest_whole_number_of_json_is_for_the_rules_to_refuse() -> None:
    assert CODEC.command({**BID, "amount": LARGEST}).amount == LARGEST


@pytest.mark.parametrize(
    ("command", "field"),
    [
        ({**BID, "player": 5}, "player"),
        ({**BID, "player": None}, "player"),
        ({"do": "pass", "player": "blue", "rest": 1}, "rest"),
        ({"do": "pass", "player": "blue", "rest": "true"}, "rest"),
        ({**START, "players": {}}, "players"),
        ({**START, "players": "blue"}, "players"),
        ({**START, "players": ["blue", "yellow"]}, "players.0"),
        ({**START, "players": [{"id": "purple"}, {"id": "yellow"}]}, "players.0.id"),
        ({**START, "players": [{"id": "blue", "name": 5}, {"id": "yellow"}]}, "players.0.name"),
        ({**START, "rules": {"hire_fire": 3}}, "rules.hire_fire"),
        ({**START, "rules": {"hire_fire": None}}, "rules.hire_fire"),
        ({**START, "rules": []}, "rules"),
        ({**START, "variants": "loaning_workers"}, "variants"),
        ({**START, "variants": [1]}, "variants.0"),
        ({**PLAN, "work": []}, "work"),
        ({**PLAN, "work": {"C03": []}}, "work.C03"),
        ({**PLAN, "work": {"C03": {"wall-1": "W07"}}}, "work.C03.wall-1"),
        ({**PLAN, "work": {"C03": {"wall-1": [7]}}}, "work.C03.wall-1.0"),
        ({**PLAN, "work": {"C03": {"wall-1": {"W07": 1}}}}, "work.C03.wall-1"),
        ({**PLAN, "work": {"C03": {"wall-1": [10**20]}}}, "wall-1"),
        ({"do": "borrow", "player": "blue", "loan": "huge"}, "loan"),
    ],
)
def test_wrong_types_are_refused_at_every_depth(command: dict[str, Any], field: str) -> None:
    assert refusal(command) == ("wrong_type", field)


@pytest.mark.parametrize("command", [{}, {"player": "blue"}, {"do": None}, {"do": 5}, {"do": ["bid"]}, {"do": True}])
def test_what_names_no_command_is_none(command: dict[str, Any]) -> None:
    assert refusal(command) == ("no_command", None)


@pytest.mark.parametrize(
    "words", ["x" * 301, "two\nlines", "a bell \a", "\u202eturned round", "next\u2028line", "\x9b"]
)
def test_words_without_end_or_with_hidden_signs_are_refused(words: str) -> None:
    assert refusal({**GIFT, "reason": words}) == ("wrong_type", "reason")


@pytest.mark.parametrize("words", ["x" * 300, "versehentlich, für Zoë 👩‍👩‍👧", "العربية", ""])
def test_any_other_words_are_taken(words: str) -> None:
    assert CODEC.command({**GIFT, "reason": words}).reason == words


@pytest.mark.parametrize("verb", ["", "Bid", "HireWorker", "bid ", "amend", "x" * 9_999], ids=lambda verb: verb[:9])
def test_an_unknown_command_is_named_shortly(verb: str) -> None:
    with pytest.raises(Refused) as refused:
        CODEC.command({"do": verb})
    assert (refused.value.rule, refused.value.details) == ("unknown_command", {"do": verb[:40]})


@pytest.mark.parametrize(
    "command",
    [
        {"do": "\ud800"},
        {"do": "bid", "player": "\udfff", "amount": 5_000},
        {**BID, "\ud800": 1},
        {**START, "players": [{"id": "blue", "name": "Ad\ud83c"}, {"id": "yellow"}]},
        {**BID, "amount": float("nan")},
        {**BID, "amount": float("inf")},
        {**BID, "amount": {1, 2}},
        {**PLAN, "work": nested(100)},
        {**PLAN, "work": {"C03": {"wall-1": nested(980)}}},
        {**PLAN, "work": nested(100_000)},
    ],
)
def test_what_cannot_be_json_is_refused_before_it_is_read(command: dict[str, Any]) -> None:
    assert refusal(command) == ("not_json", None)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
verbs = st.sampled_from(["start_game", "plan", "bid", "pass", "correct_money", "choose_sections", "undo", "x"])
keys = st.sampled_from(["player", "work", "amount", "from", "to", "reason", "players", "rules", "sections"])


@given(verbs, st.dictionaries(keys, json_values, max_size=4))
def test_no_json_is_too_odd_to_be_refused_in_words(verb: str, fields: dict[str, Any]) -> None:
    with suppress(Refused):
        CODEC.command({"do": verb, **fields})


def test_an_event_is_written_with_every_field_and_read_back() -> None:
    table, _ = house_table()
    stored = table.entries[0].events[0]
    started = CODEC.event(stored)
    assert isinstance(started, GameStarted)
    assert CODEC.event_json(started) == stored
    assert len(stored["catalog"]["workers"]) == 40
    # a field added later is read as what its absence meant, and written out from then on
    before = {"event": "PlanLocked", "player": "blue", "work": []}
    assert CODEC.event_json(CODEC.event(before)) == {**before, "secret": True}
    assert CODEC.event_json(PlanLocked("blue", ())) == {**before, "secret": True}


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"event": None},
        {"event": "Bid"},
        {"event": "PlanLocked"},
        {"event": "PlanLocked", "player": "blue", "work": [], "colour": "red"},
        {"event": "PlanLocked", "player": 5, "work": []},
    ],
)
def test_a_stored_event_that_is_none_is_an_error(event: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"event|PlanLocked|tuple"):
        CODEC.event(event)
