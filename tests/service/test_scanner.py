"""Cards laid under the simulated camera, in real pictures, and what is asked about them."""

import threading
from typing import Any

import cv2
import numpy as np
import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.label_readers import read_picture
from companion.service.camera.scanner import catalog_name
from companion.service.ports import Forbidden, NotStored, UnknownProposal
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.fakes import FakeClock
from tests.opened import house_deck, master_builder, start_command
from tests.service.eyes import Eyes
from tests.waiting import PATIENCE_S

HIRE_W07 = {"do": "hire_worker", "player": "blue", "worker": "W07"}


@pytest.fixture
def eyes() -> Eyes:
    return Eyes()


def test_a_worker_laid_down_is_proposed_with_a_picture_in_which_he_can_be_read(eyes: Eyes) -> None:
    eyes.lay("W07")

    (asked,) = eyes.asked()
    assert asked["command"] == HIRE_W07
    assert (asked["card"], asked["tag"], asked["zone"], asked["question"]) == ("W07", "MB1W07", "tray", None)
    picture = eyes.scanner.proposals.picture(eyes.table.id, asked["id"])
    assert picture.startswith(b"\xff\xd8\xff")
    assert [tag["text"] for tag in tags_in(picture)] == ["MB1W07"]
    assert eyes.table.version == 1, "nothing is carried out before the tap"


def test_a_card_must_rest_before_it_is_asked_about(eyes: Eyes) -> None:
    eyes.simulated_table.lay_on_tray("W07")
    eyes.process_frames(1)

    assert eyes.asked() == []
    assert eyes.scanner.is_in_view("W07")


def test_yes_makes_an_entry_that_came_from_the_camera(eyes: Eyes) -> None:
    eyes.lay("W07")

    entry = eyes.answer(1, "yes")

    assert entry is not None
    assert (entry["source"], entry["actor"], entry["command"]) == ("camera", "banker", HIRE_W07)
    assert eyes.shown["players"]["blue"]["workers"] == ["W07"]
    assert eyes.asked() == []


def test_a_second_yes_finds_nothing_to_answer(eyes: Eyes) -> None:
    eyes.lay("W07")
    eyes.answer(1, "yes")

    with pytest.raises(UnknownProposal):
        eyes.answer(1, "yes")
    assert eyes.table.version == 2


def test_no_is_not_asked_again_while_the_card_lies_there(eyes: Eyes) -> None:
    eyes.lay("W07")

    assert eyes.answer(1, "no") is None
    eyes.process_frames(10)

    assert eyes.asked() == []
    assert eyes.table.version == 1
    eyes.take_away("W07")
    eyes.lay("W07")
    assert [asked["id"] for asked in eyes.asked()] == [2]


def test_again_asks_anew_with_a_new_picture(eyes: Eyes) -> None:
    eyes.lay("W07")
    before = eyes.scanner.proposals.picture(eyes.table.id, 1)

    eyes.answer(1, "again")
    assert eyes.asked() == []
    eyes.process_frames()

    (asked,) = eyes.asked()
    assert (asked["id"], asked["command"]) == (2, HIRE_W07)
    assert eyes.scanner.proposals.picture(eyes.table.id, 2) != before
    with pytest.raises(UnknownProposal):
        eyes.scanner.proposals.picture(eyes.table.id, 1)


def test_after_an_undo_the_card_must_leave_before_it_is_read_again(eyes: Eyes) -> None:
    eyes.lay("W07")
    eyes.answer(1, "yes")
    eyes.tap("undo")
    eyes.process_frames(10)
    assert eyes.asked() == []

    eyes.take_away("W07")
    eyes.lay("W07")

    assert [asked["command"] for asked in eyes.asked()] == [HIRE_W07]


def test_codes_that_are_no_labels_of_this_deck_are_ignored(eyes: Eyes) -> None:
    for card in ("shop", "guest", "stranger"):
        eyes.simulated_table.lay_on_tray(card)
    eyes.process_frames()

    live = eyes.scanner.live_picture()
    assert live is not None
    assert {tag["text"] for tag in tags_in(live)} == {"HTTPS://EX", "XY1W07", "MB1W99"}, "they are there to be read"
    assert eyes.asked() == []
    assert eyes.scanner.state_json(eyes.table.id)["cards"] == []


def test_a_label_of_another_print_run_is_the_same_card(eyes: Eyes) -> None:
    eyes.lay("second print")

    assert [(asked["tag"], asked["card"]) for asked in eyes.asked()] == [("MB2W09", "W09")]


def test_what_was_tapped_meanwhile_is_not_asked_any_more(eyes: Eyes) -> None:
    eyes.lay("W07")
    eyes.tap(**HIRE_W07)

    assert eyes.asked() == []
    with pytest.raises(UnknownProposal):
        eyes.answer(1, "yes")


def test_what_means_another_player_now_is_asked_under_a_new_number(eyes: Eyes) -> None:
    eyes.lay("W07")
    eyes.tap("hire_worker", player="blue", worker="W01")

    (asked,) = eyes.asked()

    assert (asked["id"], asked["command"]) == (2, {**HIRE_W07, "player": "yellow"})
    with pytest.raises(UnknownProposal):
        eyes.answer(1, "yes")


def test_what_still_means_the_same_keeps_its_number(eyes: Eyes) -> None:
    eyes.lay("W07")
    eyes.tap("rename_player", player="blue", name="Eve")

    assert [asked["id"] for asked in eyes.asked()] == [1]


def test_a_worker_hired_by_tap_is_not_proposed_to_be_fired(eyes: Eyes) -> None:
    eyes.hire_all()
    play_to_hiring_in_round_2(eyes)
    second = eyes.shown["waiting_for"][0]
    first = next(player for player in ("blue", "yellow") if player != second)
    eyes.tap("pass", player=second, rest=True)
    eyes.lay("W07")
    assert eyes.asked()[0]["command"] == {**HIRE_W07, "player": first}

    eyes.tap("hire_worker", player=first, worker="W07")

    assert eyes.shown["waiting_for"] == [first], "he could fire W07 now"
    assert eyes.asked() == []


def test_a_card_that_only_lies_there_is_not_asked_about(eyes: Eyes) -> None:
    eyes.hire_all()
    assert eyes.shown["reveal_due"] > 1
    eyes.tap("reveal_contracts", contracts=["C03"])

    eyes.lay("C03")

    assert eyes.scanner.is_in_view("C03")
    assert eyes.asked() == []


def test_a_card_that_leads_to_nothing_says_why_and_can_be_dismissed(eyes: Eyes) -> None:
    eyes.tap(**HIRE_W07)
    eyes.lay("W07")

    (asked,) = eyes.asked()
    assert asked["command"] is None
    assert asked["question"]["card"] == "W07"
    assert asked["question"]["rule"]
    with pytest.raises(UnknownProposal):
        eyes.answer(asked["id"], "yes")
    assert eyes.asked() == [asked], "yes is no answer to it"
    eyes.answer(asked["id"], "no")
    assert eyes.asked() == []


def test_a_yes_that_is_refused_leaves_the_card_waiting_while_it_means_something(eyes: Eyes) -> None:
    eyes.lay("W07")

    with pytest.raises(Forbidden):
        eyes.scanner.proposals.answer(eyes.table.id, 1, "yes", actor="yellow")

    assert [asked["id"] for asked in eyes.asked()] == [1]
    assert eyes.answer(1, "yes") is not None


def test_another_table_has_no_proposals_of_this_one(eyes: Eyes) -> None:
    eyes.lay("W07")
    other = eyes.begin()

    assert eyes.scanner.proposals.pending(other.id) == []
    assert eyes.scanner.state_json(other.id)["cards"] == []
    with pytest.raises(UnknownProposal):
        eyes.scanner.proposals.answer(other.id, 1, "yes", actor="banker")
    with pytest.raises(UnknownProposal):
        eyes.scanner.proposals.picture(other.id, 1)


def test_turned_to_another_table_it_reads_what_lies_there_anew_and_numbers_go_on(eyes: Eyes) -> None:
    eyes.lay("W07")
    other, before = eyes.begin(), eyes.table.signal.count

    eyes.scanner.attach(other)

    assert eyes.table.signal.count > before, "the screens of the first table learn that nothing is asked there"
    assert eyes.asked() == []
    eyes.process_frames()
    assert [asked["id"] for asked in eyes.scanner.proposals.pending(other.id)] == [2]
    assert eyes.scanner.attached_to == other.id


def test_the_sight_names_the_cards_in_view_and_where(eyes: Eyes) -> None:
    eyes.lay("W07")

    view = eyes.scanner.state_json(eyes.table.id)

    assert (view["camera"], view["state"], view["problem"]) == ("sim:1", "seeing", None)
    (card,) = view["cards"]
    assert (card["card"], card["zone"]) == ("W07", "tray")
    assert len(card["corners"]) == 4


def test_the_live_picture_is_the_latest_frame(eyes: Eyes) -> None:
    assert eyes.scanner.live_picture() is None
    eyes.lay("W07")

    live = eyes.scanner.live_picture()

    assert live is not None
    decoded = cv2.imdecode(np.frombuffer(live, np.uint8), cv2.IMREAD_COLOR)
    assert decoded is not None
    assert decoded.shape == (1080, 1920, 3)


def test_many_people_may_answer_while_it_looks(eyes: Eyes) -> None:
    """Ten tablets say yes to the same card at once, and ask for everything meanwhile: one entry."""
    eyes.lay("W07")
    done: list[Any] = []
    trouble: list[BaseException] = []

    def process_frames() -> None:
        for _ in range(10):
            eyes.scanner.process_next_frame()

    def tap() -> None:
        try:
            eyes.scanner.state_json(eyes.table.id)
            eyes.asked()
            done.append(eyes.answer(1, "yes"))
        except UnknownProposal:
            done.append(None)
        except BaseException as error:  # noqa: BLE001 - told below
            trouble.append(error)

    threads = [threading.Thread(target=process_frames), *(threading.Thread(target=tap) for _ in range(10))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    assert trouble == []
    assert len(done) == 10
    assert len([entry for entry in done if entry is not None]) == 1
    assert eyes.table.version == 2


def tags_in(picture: bytes) -> list[Any]:
    report = read_picture("crop.jpg", picture)
    assert "tags" in report
    return list(report["tags"])


def play_to_hiring_in_round_2(eyes: Eyes) -> None:
    """Let nobody do more than they must until round 2 begins."""
    from companion.games.master_builder.bots.dealer import next_act
    from tests.opened import shuffled

    table = eyes.table
    assert table.position is not None
    piles = shuffled(table.position.state.catalog, 1)
    while eyes.shown["round"] == 1:
        act = next_act(table.position, piles)
        assert act is not None
        table.submit(Request(table.game.codec.command_json(act.command), "banker", "tap"))


def test_of_two_workers_laid_together_the_second_is_asked_however_plain_it_is(eyes: Eyes) -> None:
    # given a table at which the camera may do what is plain
    eyes.scanner.proposals.set_level(eyes.table, "automatic")

    # when somebody lays two workers, of which one ends their turn
    eyes.simulated_table.lay_on_tray("W07")
    eyes.simulated_table.lay_on_tray("W08")
    eyes.process_frames(8)

    # then one is hired, and the other waits for a tap
    assert eyes.table.version == 2
    assert len(eyes.asked()) == 1


def test_a_card_that_cannot_be_stored_takes_no_other_card_of_the_frame_along(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a journal that is busy for a moment, at a table where the camera may do what is plain
    eyes.scanner.proposals.set_level(eyes.table, "automatic")

    def busy(*_: object, **__: object) -> None:
        raise NotStored("locked")

    monkeypatch.setattr(eyes.table._journal, "append", busy)

    # when two cards come to rest in one frame
    eyes.simulated_table.lay_on_tray("W07")
    eyes.simulated_table.lay_on_tray("W08")
    eyes.process_frames(8)

    # then both wait for a tap, and the camera is as well as before
    assert {asked["card"] for asked in eyes.asked()} == {"W07", "W08"}
    assert eyes.scanner.problem is None


def test_cards_are_looked_for_by_the_catalog_with_which_the_beginning_stands_now() -> None:
    # given a game that was begun with one catalog, which was corrected to another
    game = master_builder({"house": house_deck(), "box": house_deck()})
    tables = Tables({"master_builder": game}, InMemoryJournal(), FakeClock(), lambda: "t", list)
    table = tables.start(Request({**start_command(2, 3), "catalog": "house"}, "banker", "tap"))
    assert catalog_name(table) == "house"
    corrected = {**table.entries[0].command, "catalog": "box"}
    table.submit(Request({"do": "amend", "seq": 1, "with": corrected, "confirm": True}, "banker", "tap"))
    assert catalog_name(table) == "box"
