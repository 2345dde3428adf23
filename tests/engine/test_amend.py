"""Amending on the tiny game: one entry is left out or replaced, the later ones are decided again."""

from collections.abc import Callable, Mapping

import pytest

from companion.engine.game import Game, Refused
from companion.engine.timeline import Amendment, EntryUndone, Timeline, amend, decide_and_settle, fold_amendment
from tests.engine import tiny_game as nuts
from tests.engine import tiny_messages as say

GAME: Game[nuts.State, say.Command, say.Event] = nuts.NutGame()
GIVEN: dict[int, say.Command] = {
    1: say.StartGame("nuts", ("ada", "ben")),
    2: say.Give("bank", "ada", 5),
    3: say.OpenAuction("ada", "hazel", 3),
    4: say.Bid("ben", 4),
    5: say.Bid("ada", 12),
}
"""Ada can bid 12 only for the 5 that she was given; with them she wins, for Ben has no more than 10."""


def played(commands: Mapping[int, say.Command] = GIVEN) -> Timeline[nuts.State]:
    timeline: Timeline[nuts.State] = Timeline()
    for command in commands.values():
        events, position = decide_and_settle(GAME, timeline.position, command)
        timeline = timeline.after(position, events)
    return timeline


def instead(seq: int, command: say.Command | None) -> Callable[[int], say.Command | None]:
    return lambda asked: command if asked == seq else GIVEN[asked]


def record(amendment: Amendment[nuts.State, say.Event]) -> dict[int, tuple[say.Event, ...] | None]:
    return {decision.seq: decision.after for decision in amendment.decisions if decision.after != decision.before}


def test_what_is_refused_without_the_entry_is_left_out_with_its_reason() -> None:
    amendment = amend(GAME, played(), 2, instead(2, None))
    given, opened, bid, higher = amendment.decisions
    assert (given.seq, given.after, given.refused) == (2, None, None)
    assert (opened.after, bid.after) == (opened.before, bid.before)
    assert (higher.seq, higher.after) == (5, None)
    assert higher.refused is not None
    assert higher.refused.rule == "bad_bid"
    assert amendment.line.seq == 4
    auction = amendment.line.position.state.auction
    assert auction is not None
    assert (auction.leader, auction.bid) == ("ben", 4)


def test_a_replaced_entry_may_change_what_later_ones_lead_to() -> None:
    amendment = amend(GAME, played(), 2, instead(2, say.Give("bank", "ben", 5)))
    assert [(decision.seq, decision.after is None) for decision in amendment.decisions] == [
        (2, False),
        (3, False),
        (4, False),
        (5, True),
    ]
    assert amendment.decisions[0].after == (say.Given("bank", "ben", 5),)


def test_entries_below_are_not_asked_for_again() -> None:
    asked: list[int] = []

    def given(seq: int) -> say.Command:
        asked.append(seq)
        return GIVEN[seq]

    amendment = amend(GAME, played(), 4, given)
    assert asked == [4, 5]
    assert record(amendment) == {}


def test_a_replacement_that_is_refused_refuses_the_amend() -> None:
    with pytest.raises(Refused, match="bad_bid"):
        amend(GAME, played(), 4, instead(4, say.Bid("ben", 1)))


def test_the_start_can_be_replaced_but_not_left_out() -> None:
    with pytest.raises(Refused, match="start_stays"):
        amend(GAME, played(), 1, instead(1, None))
    amendment = amend(GAME, played(), 1, instead(1, say.StartGame("nuts", ("ada", "ben", "cleo"))))
    assert amendment.line.position.state.seats == ("ada", "ben", "cleo")
    assert nuts.purse(amendment.line.position, "ada") == 15


@pytest.mark.parametrize("seq", [0, 6, -1, 99])
def test_only_what_stands_can_be_amended(seq: int) -> None:
    with pytest.raises(Refused, match="not_standing"):
        amend(GAME, played(), seq, instead(seq, None))


def test_before_the_start_nothing_stands() -> None:
    with pytest.raises(Refused, match="not_standing"):
        amend(GAME, Timeline(), 1, instead(1, None))


def test_the_record_folds_to_what_was_decided() -> None:
    timeline = played()
    for seq in range(2, 6):
        amendment = amend(GAME, timeline, seq, instead(seq, None))
        after = fold_amendment(GAME, timeline, seq, record(amendment))
        assert (after.position, after.version) == (amendment.line.position, 6)
        assert after.line == amendment.line


def test_undo_returns_to_the_line_that_was_there_and_redo_to_the_amended_one() -> None:
    timeline = played()
    after = fold_amendment(GAME, timeline, 2, record(amend(GAME, timeline, 2, instead(2, None))))
    assert after.undo() == EntryUndone(6)
    back = after.after_undo()
    assert (back.tip, back.line, back.version) == (timeline.tip, timeline.line, 7)
    assert back.after_redo().tip == after.tip


def test_an_amend_of_what_an_amend_changed_starts_from_how_it_stands() -> None:
    timeline = played()
    amended_timeline = fold_amendment(GAME, timeline, 2, record(amend(GAME, timeline, 2, instead(2, None))))
    with pytest.raises(Refused, match="not_standing"):
        amend(GAME, amended_timeline, 2, instead(2, None))
    again = amend(GAME, amended_timeline, 4, instead(4, say.Bid("ben", 6)))
    assert [decision.seq for decision in again.decisions] == [4]
    twice = fold_amendment(GAME, amended_timeline, 4, record(again))
    assert twice.position is not None
    assert twice.position.state.auction is not None
    assert twice.position.state.auction.bid == 6


def test_a_record_of_entries_that_do_not_stand_is_not_believed() -> None:
    with pytest.raises(ValueError, match="entry 1 cannot be amended: it does not stand after entry 2"):
        fold_amendment(GAME, played(), 2, {1: None})
    with pytest.raises(Refused, match="not_standing"):
        fold_amendment(GAME, played(), 9, {9: None})


def test_a_record_that_leads_to_no_position_is_not_believed() -> None:
    begun = played({1: GIVEN[1]})
    for events in (None, ()):
        with pytest.raises(ValueError, match="leads to no position"):
            fold_amendment(GAME, begun, 1, {1: events})
