"""Boxes taught card by card: kept at every card, finished as catalogs, never lost."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.boxes import BoxFolder
from companion.adapters.catalogs import load_catalog
from companion.adapters.unusable_files import find_unusable
from companion.config import DataFolder
from companion.engine import readable
from companion.engine.game import Refused
from companion.game_api.guard import MISTAKE
from companion.game_api.teaching import Teaching
from companion.service.teaching.boxes import Boxes, Unfinished, UnknownBox, Unteachable
from tests.own_log import own_lines
from tests.service.taught import GAMES, manifest, printed
from tests.service.taught_board import usual_colours

PERSIAN = "علی\u200cرضا"  # noqa: RUF001


def opened(folder: Path) -> Boxes:
    games = {game: manifest(game) for game in GAMES}
    return Boxes(BoxFolder(folder / "boxes", folder / "catalogs"), games)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_box_taught_becomes_a_catalog_with_the_same_cards(game: str, tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin(game, "Our box")

    for card, values in printed(game).items():
        boxes.teach(box.id, card, values)
    kept = boxes.finish(box.id)

    assert kept.catalog == "our-box"
    cards = manifest(game).cards()
    mine = cards.as_json(load_catalog(tmp_path / "catalogs" / "our-box.toml", cards))
    theirs = cards.as_json(load_catalog(next(iter(cards.bundled.values())), cards))
    if game == "monopoly_builder":
        theirs = usual_colours(theirs)
    assert mine["name"] == "Our box"
    assert not mine["invented"]
    assert spoken_of(mine) == spoken_of(theirs)


def spoken_of(catalog: dict[str, Any]) -> Any:
    """The cards alone; what nobody types is left out: translations, and effects as the reader fills them in."""
    text = json.dumps({key: value for key, value in catalog.items() if key not in ("name", "invented")}, sort_keys=True)
    return json.loads(
        text, object_hook=lambda members: {k: v for k, v in members.items() if k not in ("names", "texts")}
    )


@pytest.mark.parametrize("name", [PERSIAN, "👩\u200d💻", "🩷", "Z\u00a0oe", "❤️"])
@pytest.mark.parametrize("game", GAMES)
def test_a_box_is_found_again_under_every_name_that_is_taken(name: str, game: str, tmp_path: Path) -> None:
    # given a box of such a name, with a card
    begun = opened(tmp_path)
    box = begun.begin(game, name)
    card, values = next(iter(printed(game).items()))
    begun.teach(box.id, card, values)

    # then it is there after a restart, nothing sets it aside, and it becomes a catalog
    again = opened(tmp_path)
    assert again.get(box.id).cards == {card: values}
    assert not list(find_unusable(DataFolder(tmp_path)))
    for other, printed_there in printed(game).items():
        again.teach(box.id, other, printed_there)
    assert again.finish(box.id).catalog


def test_a_name_without_end_is_refused_before_it_is_normalised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def normalize(_form: str, _text: str) -> str:
        pytest.fail("it is normalised")

    monkeypatch.setattr(readable, "normalize", normalize)
    boxes = opened(tmp_path)
    with pytest.raises(Unteachable, match="name"):
        boxes.begin("master_builder", "A" + "\u0301\u0316" * 240_000)


def test_what_was_taught_is_there_after_a_restart_and_on_another_device(tmp_path: Path) -> None:
    first = opened(tmp_path)
    box = first.begin("master_builder", "Our box")
    first.teach(box.id, "W01", {"type": "MC", "wage": 5_000, "quirks": ["S"]})

    again = opened(tmp_path).get(box.id)

    assert again.cards == {"W01": {"type": "MC", "wage": 5_000, "quirks": ["S"]}}
    assert again.name == "Our box"


@pytest.mark.game_mistakes
def test_a_game_that_fails_to_say_how_it_is_taught_keeps_no_other_from_being_taught(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # given a game from elsewhere with a fault
    def fails() -> Teaching:
        raise ZeroDivisionError("no nuts")

    games = {"master_builder": manifest("master_builder"), "nuts": replace(manifest("men_at_work"), teaching=fails)}
    games["nuts"] = replace(games["nuts"], name="nuts")

    # when the house opens
    boxes = Boxes(BoxFolder(tmp_path / "boxes", tmp_path / "catalogs"), games)

    # then the others are taught, and the operator is told
    assert list(boxes.games) == ["master_builder"]
    assert own_lines(caplog) == ["nuts: a mistake of the game in teaching"]


@pytest.mark.game_mistakes
@pytest.mark.parametrize("function", ["fields", "usual", "follows", "tables", "picture", "describe_act"])
def test_a_game_that_makes_a_mistake_about_its_cards_loses_none_of_them(
    function: str, tmp_path: Path, game_mistakes: list[str]
) -> None:
    # given a box of which a card was taught, and then a game that makes a mistake where it is asked about its cards
    whole = opened(tmp_path)
    box = whole.begin("master_builder", "Our box")
    card, values = next(iter(printed("master_builder").items()))
    whole.teach(box.id, card, values)
    wrong: Any = type("Wrong", (Mistaken,), {function: mistake})
    games = {game: manifest(game) for game in GAMES}
    games["master_builder"] = replace(games["master_builder"], teaching=wrong)
    boxes = Boxes(BoxFolder(tmp_path / "boxes", tmp_path / "catalogs"), games)

    # when it is listed, renamed and asked about, then all that was taught is there, or the answer is a refusal
    assert [dict(listed.cards) for listed in boxes.all()] == [{card: values}]
    assert boxes.rename(box.id, "Grandma's").cards == {card: values}
    teaching = boxes.teaches(boxes.get(box.id))
    answers: dict[str, Callable[[], object]] = {
        "fields": lambda: boxes.teach(box.id, "W02", values),
        "usual": lambda: teaching.usual(card, {}),
        "follows": lambda: teaching.follows({}),
        "tables": lambda: boxes.finish(box.id),
        "picture": lambda: teaching.picture("type", "MC"),
        "describe_act": lambda: teaching.describe_act({}, None),
    }
    if function == "fields":
        with pytest.raises(Refused, match=MISTAKE):
            answers[function]()
    elif function == "tables":
        with pytest.raises(Unfinished) as said:
            answers[function]()
        assert [place for place, _ in said.value.faults] == ["Grandma's"]
    else:
        assert not answers[function]()
    assert game_mistakes == [f"master_builder: a mistake of the game in teaching.{function}: no nuts"]
    assert opened(tmp_path).get(box.id).cards == {card: values}


class Mistaken:
    """Asks about cards as Master Builder does."""

    def __getattr__(self, name: str) -> Any:
        made = manifest("master_builder").teaching
        assert made is not None
        return getattr(made(), name)


def mistake(*_: Any) -> Any:
    raise ZeroDivisionError("no nuts")


def test_a_wrong_entry_is_found_by_the_sums_and_mended(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("master_builder", "Our box")
    cards = printed("master_builder")
    for card, values in cards.items():
        boxes.teach(box.id, card, values if card != "W01" else {**values, "type": "F"})

    with pytest.raises(Unfinished) as said:
        boxes.finish(box.id)
    assert [place for place, _ in said.value.faults] == ["worker", "worker"]
    assert any("type MC belong in the box, here are 7" in words for _, words in said.value.faults)
    assert not (tmp_path / "catalogs").exists()

    boxes.teach(box.id, "W01", cards["W01"])
    assert boxes.finish(box.id).catalog == "our-box"


def test_cards_to_come_are_no_faults_but_what_is_wrong_is(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("master_builder", "Our box")
    assert boxes.so_far(box) == []

    box = boxes.teach(box.id, "C01", {**printed("master_builder")["C01"], "cost": 9_000})

    (fault,) = boxes.so_far(box)
    assert fault[0] == "contract 1, cost"


def test_a_catalog_that_games_began_with_is_never_changed(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("master_builder", "Our box")
    for card, values in printed("master_builder").items():
        boxes.teach(box.id, card, values)
    boxes.finish(box.id)
    before = (tmp_path / "catalogs" / "our-box.toml").read_bytes()
    assert boxes.finish(box.id).catalog == "our-box", "the same again is the same"

    boxes.teach(box.id, "W01", {"type": "MC", "wage": 6_000, "quirks": ["S"]})

    assert boxes.finish(box.id).catalog == "our-box-2"
    assert (tmp_path / "catalogs" / "our-box.toml").read_bytes() == before


def test_a_card_can_be_corrected_and_forgotten_and_a_box_too(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("men_at_work", "Site")
    values = printed("men_at_work")["I01"]
    boxes.teach(box.id, "I01", values)
    assert boxes.teach(box.id, "I01", {**values, "back": "GOP"}).cards["I01"]["back"] == "GOP"
    assert boxes.unteach(box.id, "I01").cards == {}
    boxes.remove(box.id)
    assert boxes.all() == []
    with pytest.raises(UnknownBox):
        boxes.get(box.id)


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\nb\x00"])
def test_a_box_wants_a_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unteachable, match="name"):
        opened(tmp_path).begin("master_builder", name)


@pytest.mark.parametrize("game", ["chess", "Monopoly Builder"])
def test_a_game_that_nobody_can_teach_is_refused(game: str, tmp_path: Path) -> None:
    with pytest.raises(Unteachable, match="game"):
        opened(tmp_path).begin(game, "My box")


def test_two_boxes_of_one_name_and_names_in_any_script_have_ids_of_their_own(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    ids = [boxes.begin("master_builder", name).id for name in ("My box", "My box", "Моя коробка", "../../etc")]
    assert ids == ["my-box", "my-box-2", "box", "etc"]


def test_there_is_an_end_to_boxes(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    for number in range(20):
        boxes.begin("master_builder", f"Box {number}")
    with pytest.raises(Unteachable, match="boxes"):
        boxes.begin("master_builder", "One more")


def test_boxes_of_a_game_that_was_removed_leave_room_for_others(tmp_path: Path) -> None:
    # given as many boxes as there may be, most of them of a game that is installed no more
    earlier = opened(tmp_path)
    for _ in range(19):
        earlier.begin("men_at_work", "Box")
    earlier.begin("master_builder", "Box")
    game = manifest("master_builder")
    boxes = Boxes(BoxFolder(tmp_path / "boxes", tmp_path / "catalogs"), {game.name: game})

    # when more are begun, then those that are shown count alone
    assert [boxes.begin(game.name, "Box").id for _ in range(19)][-1] == "box-39"
    with pytest.raises(Unteachable, match="boxes"):
        boxes.begin(game.name, "Box")


def test_a_catalog_that_was_edited_by_hand_in_other_letters_is_left_alone(tmp_path: Path) -> None:
    # given a finished box, and bytes in its catalog that are no UTF-8
    files, game = BoxFolder(tmp_path / "boxes", tmp_path / "catalogs"), manifest("master_builder")
    name = files.keep_catalog("ours", {"name": "Ours"}, game)
    (tmp_path / "catalogs" / f"{name}.toml").write_bytes("name = 'Zoë'".encode("latin-1"))

    # when it is kept again, then under the next name
    assert files.keep_catalog("ours", {"name": "Ours"}, game) == "ours-2"
    assert files.keep_catalog("ours", {"name": "Ours"}, game) == "ours-2"


def test_a_card_of_no_box_is_unknown_and_a_value_that_cannot_stand_there_is_named(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("master_builder", "Our box")
    with pytest.raises(UnknownBox):
        boxes.teach(box.id, "W99", {})
    with pytest.raises(Unteachable, match="wage"):
        boxes.teach(box.id, "W01", {"type": "A", "wage": 1, "quirks": ["S"]})
    assert boxes.get(box.id).cards == {}


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"game": "master_builder"}', '{"cards": 3, "game": 1, "name": 2}'])
def test_a_torn_file_is_passed_over_and_left(torn: str, tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    boxes.begin("master_builder", "Our box")
    (tmp_path / "boxes" / "torn.json").write_text(torn)

    assert [box.id for box in boxes.all()] == ["our-box"]
    assert boxes.begin("master_builder", "Torn").id == "torn-2"
    assert (tmp_path / "boxes" / "torn.json").read_text() == torn


def test_the_card_before_proposes_and_a_type_proposes_its_wage(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("master_builder", "Our box")
    boxes.teach(box.id, "W01", {"type": "MC", "wage": 5_000, "quirks": ["S"]})
    box = boxes.teach(box.id, "W02", {"type": "A", "wage": 1_000, "quirks": ["S"]})
    teaches = boxes.teaches(box)

    assert teaches.usual("W03", box.cards) == {"type": "A", "wage": 1_000}
    assert teaches.follows(box.cards) == {"type": {"MC": {"wage": 5_000}, "A": {"wage": 1_000}}}
    assert teaches.usual("C03", box.cards) == {"name": "Contract 3"}
    assert teaches.usual("Y01", box.cards)["reveal"] == [0, 0, 0]


@pytest.mark.parametrize("game", GAMES)
def test_a_box_with_the_longest_name_can_be_finished(game: str, tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    with pytest.raises(Unteachable, match="name"):
        boxes.begin(game, "B" * 41)
    box = boxes.begin(game, "Bartholomew & Anne-Sophies großes Brett!")
    for card, values in printed(game).items():
        boxes.teach(box.id, card, values)

    assert boxes.finish(box.id).catalog


def test_boxes_of_one_name_are_told_apart_by_a_number(tmp_path: Path) -> None:
    boxes = opened(tmp_path)

    names = [boxes.begin(game, "My  box").name for game in ("master_builder", "men_at_work", "master_builder")]

    assert names == ["My box", "My box 2", "My box 3"]
    assert boxes.begin("men_at_work", "MY BOX").name == "MY BOX 4"
    assert boxes.begin("men_at_work", "Му box").name == "Му box 5"  # noqa: RUF001
    longest = "x" * 40
    assert [boxes.begin("men_at_work", longest).name for _ in range(2)] == [longest, f"{'x' * 38} 2"]


def test_a_box_is_renamed_and_its_cards_and_catalogs_stay(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box = boxes.begin("master_builder", "Our box")
    for card, values in printed("master_builder").items():
        boxes.teach(box.id, card, values)
    finished = boxes.finish(box.id)

    renamed = boxes.rename(box.id, "  Grandma's   box ")

    assert opened(tmp_path).get(box.id) == renamed == replace(finished, name="Grandma's box")
    assert boxes.finish(box.id).catalog == "our-box-2", "games that were begun with the first keep it"
    cards = manifest("master_builder").cards()
    titles = [cards.title(load_catalog(path, cards)) for path in sorted((tmp_path / "catalogs").iterdir())]
    assert sorted(titles) == ["Grandma's box", "Our box"]


def test_a_new_name_that_cannot_be_changes_nothing(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    box, other = boxes.begin("master_builder", "Our box"), boxes.begin("master_builder", "Other box")

    for name in ("", "   ", "x" * 41, "a\x07b"):
        with pytest.raises(Unteachable, match="name"):
            boxes.rename(box.id, name)
    with pytest.raises(UnknownBox):
        boxes.rename("none", "Box")

    assert boxes.get(box.id) == box
    assert boxes.rename(box.id, "our BOX").name == "our BOX", "its own name, spelt otherwise, is free"
    assert boxes.rename(box.id, "other box").name == "other box 2"
    assert boxes.get(other.id) == other


def test_a_box_begun_after_one_of_its_name_was_deleted_is_empty_and_spares_its_catalog(tmp_path: Path) -> None:
    boxes = opened(tmp_path)
    deleted = boxes.begin("master_builder", "Our box")
    for card, values in printed("master_builder").items():
        boxes.teach(deleted.id, card, values)
    boxes.finish(deleted.id)
    catalog = (tmp_path / "catalogs" / "our-box.toml").read_bytes()

    boxes.remove(deleted.id)
    again = boxes.begin("master_builder", "Our box")

    assert (again.id, again.name, again.cards, again.catalog) == ("our-box", "Our box", {}, None)
    for card, values in printed("master_builder").items():
        boxes.teach(again.id, card, {**values, "wage": values["wage"] + 1_000} if card == "W01" else values)
    assert boxes.faults(boxes.get(again.id)) == []
    assert boxes.finish(again.id).catalog == "our-box-2"
    assert (tmp_path / "catalogs" / "our-box.toml").read_bytes() == catalog


def test_two_devices_that_teach_one_box_by_two_processes_lose_no_card(tmp_path: Path) -> None:
    # given a box, and two processes of a hall, each with what it knows of the folder
    workers = [opened(tmp_path) for _ in range(2)]
    box = workers[0].begin(GAMES[0], "Ours").id
    printed_cards = [*printed(GAMES[0]).items()][:60]

    def teach(number: int) -> None:
        for card, values in printed_cards[number::2]:
            workers[number].teach(box, card, values)

    # when both teach cards of it at once
    with ThreadPoolExecutor(2) as devices:
        [*devices.map(teach, range(2))]

    # then all are there
    assert workers[0].get(box).cards == dict(printed_cards)
