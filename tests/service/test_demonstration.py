"""Bots who lay cards, with people who play along or cards that cannot be read."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.demonstration import Demonstration, DemonstrationMove, NothingSeen
from tests.service.eyes import Eyes

HIRE_W07 = {"do": "hire_worker", "player": "blue", "worker": "W07"}


def demonstration(
    eyes: Eyes, moves: list[DemonstrationMove], pause: Callable[[], None] = lambda: None
) -> Demonstration:
    coming = iter(moves)
    return Demonstration(
        eyes.table,
        eyes.scanner,
        eyes.simulated_table,
        lambda: next(coming, None),
        lambda: eyes.process_frames(1),
        pause,
    )


def test_a_card_counts_only_once_it_was_seen_and_is_taken_away_afterwards() -> None:
    eyes = Eyes()
    playing = demonstration(eyes, [DemonstrationMove(HIRE_W07, ("W07",))])

    playing.play()

    assert playing.seen == 1
    assert [entry.source for entry in eyes.table.entries] == ["tap", "camera"]
    assert eyes.simulated_table.cards == ()


def test_what_no_card_can_say_is_tapped() -> None:
    eyes = Eyes()
    playing = demonstration(eyes, [DemonstrationMove({"do": "rename_player", "player": "blue", "name": "Eve"})])

    playing.play()

    assert (playing.seen, eyes.table.entries[-1].source) == (0, "tap")


def test_a_card_that_is_not_read_is_told_and_nothing_comes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.service.demonstration.FRAMES_A_TRY", 6)
    monkeypatch.setattr("companion.service.demonstration.TRIES", 2)
    eyes = Eyes()

    with pytest.raises(NothingSeen, match="card stranger lay under the camera and was not read"):
        demonstration(eyes, [DemonstrationMove(HIRE_W07, ("stranger",))]).play()

    assert eyes.table.version == 1


def test_where_somebody_else_says_yes_first_the_bots_think_again() -> None:
    eyes = Eyes()
    pauses: list[int] = []

    def tapped_by_somebody() -> None:
        pauses.append(1)
        if len(pauses) == 1:
            eyes.answer(eyes.asked()[0]["id"], "yes")

    playing = demonstration(eyes, [DemonstrationMove(HIRE_W07, ("W07",))], tapped_by_somebody)
    playing.play()

    assert playing.seen == 0
    assert eyes.shown["players"]["blue"]["workers"] == ["W07"]
    assert eyes.simulated_table.cards == ()


def test_where_somebody_else_plays_while_the_card_is_laid_the_bots_think_again() -> None:
    eyes = Eyes()
    calls: list[int] = []

    def process_frame() -> None:
        calls.append(1)
        if len(calls) == 2:
            eyes.tap("hire_worker", player="blue", worker="W01")
        eyes.process_frames(1)

    coming = iter([DemonstrationMove(HIRE_W07, ("W07",))])
    Demonstration(
        eyes.table, eyes.scanner, eyes.simulated_table, lambda: next(coming, None), process_frame, lambda: None
    ).play()

    assert eyes.table.version == 2
    assert eyes.simulated_table.cards == ()


def test_a_tap_that_came_too_late_is_thought_over() -> None:
    eyes = Eyes()
    wanted = {"do": "hire_worker", "player": "blue", "worker": "W01"}

    def next_move() -> DemonstrationMove | None:
        if eyes.table.version > 1:
            return None
        return DemonstrationMove(wanted)

    submit = eyes.table.submit

    def overtaken(*command: Any, **how: Any) -> Any:
        eyes.table.submit = submit  # type: ignore[method-assign]
        eyes.tap("hire_worker", player="blue", worker="W02")
        return submit(*command, **how)

    eyes.table.submit = overtaken  # type: ignore[method-assign]
    Demonstration(
        eyes.table, eyes.scanner, eyes.simulated_table, next_move, lambda: eyes.process_frames(1), lambda: None
    ).play()

    assert eyes.shown["players"]["blue"]["workers"] == ["W02"]


def test_a_bot_that_breaks_the_rules_is_a_fault_of_the_program() -> None:
    with pytest.raises(Refused):
        demonstration(Eyes(), [DemonstrationMove({"do": "undo_everything"})]).play()


def test_a_card_that_somebody_waved_away_is_laid_again() -> None:
    eyes = Eyes()
    pauses: list[int] = []

    def waved_away_once() -> None:
        pauses.append(1)
        if len(pauses) == 1:
            eyes.answer(eyes.asked()[0]["id"], "no")

    playing = demonstration(eyes, [DemonstrationMove(HIRE_W07, ("W07",))], waved_away_once)
    playing.play()

    assert playing.seen == 1
    assert eyes.table.entries[-1].source == "camera"
