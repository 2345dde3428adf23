"""Cards that merely lie there, under the simulated camera: what was never laid anew does nothing."""

import pytest

from tests.service.eyes import Eyes


@pytest.fixture
def eyes() -> Eyes:
    """A table at which the camera does what is plain, also what command cards say, and has seen it bare."""
    eyes = Eyes()
    eyes.scanner.proposals.set_level(eyes.table, "automatic")
    eyes.process_frames(6)
    return eyes


def cover(eyes: Eyes, card: str) -> None:
    """Let something rest on a card for longer than a card takes to be gone."""
    (lying,) = (placed for placed in eyes.simulated_table.cards if placed.card == card)
    eyes.simulated_table.lay("guest", lying.x_mm, lying.y_mm, lying.angle)
    eyes.process_frames(10)
    assert card not in {seen["card"] for seen in eyes.scanner.state_json(eyes.table.id)["cards"]}
    eyes.take_away("guest")


def verbs(eyes: Eyes) -> list[str]:
    return [entry.command["do"] for entry in eyes.table.entries]


def test_a_card_that_something_has_rested_on_is_not_laid_anew(eyes: Eyes) -> None:
    # given a worker who was hired by the camera, which was undone
    eyes.lay("W07")
    eyes.tap("undo")
    assert verbs(eyes) == ["start_game", "hire_worker", "undo"]

    # when something lies on the card for a while, and is taken away
    cover(eyes, "W07")

    # then nothing more happens
    assert verbs(eyes) == ["start_game", "hire_worker", "undo"]
    assert eyes.asked() == []

    # but it does once the card is taken away and laid down again
    eyes.take_away("W07")
    eyes.lay("W07")
    assert verbs(eyes)[3:] == ["hire_worker"]


def test_a_card_that_was_answered_no_is_not_asked_again_when_an_arm_leaves_it() -> None:
    eyes = Eyes()
    eyes.lay("W07")
    eyes.answer(1, "no")

    cover(eyes, "W07")
    assert eyes.asked() == []

    eyes.take_away("W07")
    eyes.lay("W07")
    assert [asked["card"] for asked in eyes.asked()] == ["W07"]


def test_a_card_laid_again_in_its_outline_counts(eyes: Eyes) -> None:
    eyes.simulated_table.lay("W07", 300.0, 300.0)
    eyes.process_frames()
    eyes.tap("undo")

    eyes.take_away("W07")
    eyes.simulated_table.lay("W07", 300.0, 300.0)
    eyes.process_frames()

    assert verbs(eyes) == ["start_game", "hire_worker", "undo", "hire_worker"]


def test_what_lay_there_when_the_camera_came_to_a_table_is_asked_at_any_level(eyes: Eyes) -> None:
    # given a card that lies there when another game begins, at which the camera may do what is plain
    eyes.lay("W07")
    other = eyes.begin()
    eyes.scanner.proposals.set_level(other, "automatic")

    # when the camera looks there
    eyes.scanner.attach(other)
    eyes.process_frames(8)

    # then the card is asked about, and one that is laid now is hired
    assert [asked["card"] for asked in eyes.scanner.proposals.pending(other.id)] == ["W07"]
    assert len(other.entries) == 1
    eyes.lay("W08")
    assert other.entries[-1].command["worker"] == "W08"


def test_a_card_laid_in_the_first_moment_of_a_new_game_is_not_asked_about(eyes: Eyes) -> None:
    other = eyes.begin()
    eyes.scanner.proposals.set_level(other, "automatic")
    eyes.scanner.attach(other)

    eyes.lay("W07")

    assert [entry.command["do"] for entry in other.entries] == ["start_game", "hire_worker"]


@pytest.mark.parametrize("resumed", [False, True])
def test_a_command_card_that_lay_there_has_been_obeyed_until_it_was_taken_away(eyes: Eyes, resumed: bool) -> None:
    # given a card that was asked about, and the card YES beside it
    eyes.scanner.proposals.set_level(eyes.table, "suggest")
    eyes.lay("W07")
    eyes.lay("X01")
    assert verbs(eyes) == ["start_game", "hire_worker"]
    other = eyes.begin()

    # when the next game begins, whatever lies there
    eyes.scanner.attach(other, resumed=resumed)
    eyes.process_frames(8)

    # then the worker is asked about, and nobody has said yes
    assert len(other.entries) == 1
    assert [asked["card"] for asked in eyes.scanner.proposals.pending(other.id)] == ["W07"]

    # but a YES that is laid anew counts
    eyes.take_away("X01")
    eyes.lay("X01")
    assert other.entries[-1].command["worker"] == "W07"


def test_a_word_on_which_an_arm_has_rested_is_not_said_again(eyes: Eyes) -> None:
    eyes.scanner.proposals.set_level(eyes.table, "suggest")
    for card in ("W07", "X01"):
        eyes.lay(card)
    eyes.lay("W08")

    cover(eyes, "X01")

    assert verbs(eyes) == ["start_game", "hire_worker"]
    assert [asked["card"] for asked in eyes.asked()] == ["W08"]
