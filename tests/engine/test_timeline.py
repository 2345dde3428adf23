from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.game import Game, Position, Refused
from companion.engine.journal import Entry
from companion.engine.ledger import Ledger
from companion.engine.timeline import (
    SETTLE_BOUND,
    EntryRedone,
    EntryUndone,
    Timeline,
    UnsettledError,
    decide_and_settle,
    fold,
)
from tests.engine import tiny_game as nuts
from tests.engine import tiny_messages as say

GAME: Game[nuts.State, say.Command, say.Event] = nuts.NutGame()
START = say.StartGame("nuts", ("ada", "ben"))
OPEN = say.OpenAuction("ada", "hazel", 3)


def begun() -> Position[nuts.State]:
    return decide_and_settle(GAME, None, START)[1]


def numbered(number: int) -> Position[int]:
    return Position(number, Ledger())


def line(length: int) -> Timeline[int]:
    timeline: Timeline[int] = Timeline()
    for number in range(1, length + 1):
        timeline = timeline.after(numbered(number))
    return timeline


def stands(timeline: Timeline[int]) -> int | None:
    return timeline.position.state if timeline.position else None


def test_a_command_and_all_that_follows_from_it_is_one_answer() -> None:
    events, position = decide_and_settle(GAME, decide_and_settle(GAME, begun(), OPEN)[1], say.Pass("ben"))
    assert events == (say.BidderLeft("ben"), say.NutSold("ada", "hazel", 3), say.RoundBegan("ben"))
    assert (position.state.hands, nuts.purse(position, "ada")) == ((("hazel", "ada"),), 7)


def test_the_answer_is_the_fold_of_its_events() -> None:
    events, position = decide_and_settle(GAME, begun(), OPEN)
    assert fold(GAME, begun(), events) == position


def test_a_command_may_lead_to_nothing() -> None:
    assert decide_and_settle(GAME, begun(), say.Ponder()) == ((), begun())


def test_follow_ups_that_never_settle_are_cut_off() -> None:
    with pytest.raises(UnsettledError, match="nuts does not come to rest after Spin"):
        decide_and_settle(GAME, begun(), say.Spin())
    assert SETTLE_BOUND >= 100


def test_a_start_without_events_is_a_mistake_of_the_game() -> None:
    class Mute(nuts.NutGame):
        def decide(self, position: Any, command: Any) -> list[Any]:
            del position, command
            return []

    mute: Game[nuts.State, say.Command, say.Event] = Mute()
    with pytest.raises(UnsettledError):
        decide_and_settle(mute, None, START)


def test_only_the_start_cannot_be_undone() -> None:
    for empty_or_begun in (line(0), line(1)):
        for act in (empty_or_begun.undo, empty_or_begun.after_undo):
            with pytest.raises(Refused, match="nothing_to_undo"):
                act()
    timeline = line(9)
    for entry in range(9, 1, -1):
        assert timeline.undo() == EntryUndone(entry)
        timeline = timeline.after_undo()
        assert stands(timeline) == entry - 1
    with pytest.raises(Refused, match="nothing_to_undo"):
        timeline.undo()


def test_without_an_undo_nothing_can_be_restored() -> None:
    for act in (line(3).redo, line(3).after_redo):
        with pytest.raises(Refused, match="nothing_to_redo"):
            act()


def test_a_new_entry_ends_what_could_be_restored() -> None:
    timeline = line(4).after_undo().after_undo()
    assert timeline.redo() == EntryRedone(3)
    with pytest.raises(Refused, match="nothing_to_redo"):
        timeline.after(numbered(99)).redo()


def test_an_entry_that_was_restored_can_be_undone_again_by_its_own_number() -> None:
    timeline = line(4).after_undo().after_redo()
    assert (timeline.version, timeline.undo()) == (6, EntryUndone(4))


@given(st.integers(1, 8), st.integers(1, 8))
def test_undo_then_redo_is_the_identity(length: int, steps: int) -> None:
    timeline = line(length)
    taken = min(steps, length - 1)
    back = timeline
    for _ in range(taken):
        back = back.after_undo()
    for _ in range(taken):
        back = back.after_redo()
    assert (back.tip, back.undone) == (timeline.tip, None)
    assert back.version == timeline.version + 2 * taken


@given(st.lists(st.sampled_from(["new", "undo", "redo"]), max_size=40))
def test_undo_and_redo_do_what_a_list_with_a_cursor_does(acts: list[str]) -> None:
    timeline, kept, cursor = line(1), [1], 1
    for act in acts:
        if act == "new":
            kept = [*kept[:cursor], timeline.version + 1]
            cursor += 1
            timeline = timeline.after(numbered(timeline.version + 1))
        elif act == "undo" and cursor > 1:
            cursor -= 1
            timeline = timeline.after_undo()
        elif act == "redo" and cursor < len(kept):
            cursor += 1
            timeline = timeline.after_redo()
        assert stands(timeline) == kept[cursor - 1]


def test_a_long_game_is_undone_to_its_start() -> None:
    timeline = line(5_000)
    for _ in range(4_999):
        timeline = timeline.after_undo()
    assert (stands(timeline), timeline.version) == (1, 9_999)


def test_a_refusal_carries_its_rule_and_what_its_sentence_needs() -> None:
    refused = Refused("cannot_pay", player="blue", amount=9_000)
    assert (refused.rule, dict(refused.details)) == ("cannot_pay", {"player": "blue", "amount": 9_000})
    assert str(refused) == "cannot_pay (player=blue, amount=9000)"
    assert str(Refused("game_over")) == "game_over"
    with pytest.raises(TypeError):
        refused.details["amount"] = 1  # type: ignore[index]


def test_an_entry_is_shown_without_its_key() -> None:
    entry = Entry(3, "2026-01-01T12:00:00+00:00", "banker", "tap", {"do": "undo"}, ({"event": "x"},), "secret key")
    assert entry.as_json() == {
        "seq": 3,
        "at": "2026-01-01T12:00:00+00:00",
        "actor": "banker",
        "source": "tap",
        "command": {"do": "undo"},
        "events": [{"event": "x"}],
    }
