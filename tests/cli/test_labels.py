"""``companion labels``: what is printed can be read."""

import json
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from companion.adapters.label_readers import read_sightings
from companion.printing.sheets import PIXELS_A_MM
from companion.vision.label.label import draw_label
from companion.vision.label.tag import parse_tag
from tests.cli.conftest import Run
from tests.cli.running import companion, only_line

CARDS = 12 + 40 + 16 + 11


def test_one_picture_a_label_and_an_index_that_says_where_the_codes_lie(tmp_path: Path, run: Run) -> None:
    ended = run("labels", "--game", "master_builder", "--format", "png", tmp_path / "png")

    assert (ended.code, ended.out) == (0, [])
    assert ended.err == [f"{CARDS} labels in {tmp_path / 'png'}"]
    index = json.loads((tmp_path / "png" / "index.json").read_text())
    assert len(index) == CARDS == len(list((tmp_path / "png").glob("*.png")))
    by_card = {label["card"]: label for label in index}
    label = by_card["W07"]
    assert (label["text"], label["file"], label["width_mm"], label["height_mm"]) == ("MB1W07", "W07.png", 25.0, 25.0)

    some = [tmp_path / "png" / by_card[card]["file"] for card in ("W07", "C03", "E16", "Y11")]
    read = run("read", "--deck", "master_builder", *some)
    assert [report["tags"][0]["card"] for report in read.json] == ["W07", "C03", "E16", "Y11"]
    (x, y), *_ = read.json[0]["tags"][0]["corners"]
    pixels_a_mm = read.json[0]["width"] / label["width_mm"]
    assert (x / pixels_a_mm, y / pixels_a_mm) == pytest.approx(label["symbol_mm"][:2], abs=0.3)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_sheets_bear_every_label_once(tmp_path: Path, run: Run, paper: str) -> None:
    ended = run("labels", "--game", "master_builder", "--paper", paper, tmp_path / "sheets.pdf")

    assert (ended.code, ended.out) == (0, [])
    document = pypdfium2.PdfDocument(tmp_path / "sheets.pdf")
    seen: list[str] = []
    for page in document:
        picture = np.asarray(page.render(scale=3.0).to_numpy(), np.uint8)
        seen += [sighting.text for sighting in read_sightings(picture, None, "frame")]
    document.close()
    assert len(seen) == CARDS == len(set(seen))
    assert all(parse_tag(text) for text in seen)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x.pdf", "--game", "chess"), "chess"),
        (("x.pdf", "--game", "master_builder", "--stock", "nonsense"), "nonsense"),
        (("x.pdf", "--game", "master_builder", "--paper", "a5"), "a5"),
        (("nowhere/x.pdf", "--game", "master_builder"), "nowhere"),
        (("taken", "--game", "master_builder", "--format", "png"), "taken"),
        (("x.pdf", "--command-cards", "--only", "W07"), "--only chooses among the cards of a deck"),
        (("x.pdf", "--command-cards", "--catalog", "nonsense"), "--catalog chooses among the cards of a deck"),
        (("x", "--format", "png", "--stock", "nonsense"), "--stock is for a sheet"),
        (("x", "--format", "png", "--start", "999"), "--start is for a sheet"),
        (("x", "--format", "png", "--shift", "1,1"), "--shift is for a sheet"),
        (("x.pdf", "--only", ""), "names no card; without it all are meant"),
        (("x.pdf", "--only", " , "), "names no card; without it all are meant"),
    ],
)
def test_what_cannot_be_printed_is_one_line(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").write_text("a file")

    assert message in only_line(run("labels", *arguments))
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_pictures_are_all_there_or_none_and_the_next_try_needs_no_force(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a disk that takes all pictures but the largest ones, and no report of the lines that were reached
    monkeypatch.delenv("COVERAGE_PROCESS_CONFIG", raising=False)
    out = tmp_path / "png"
    limited = companion("labels", out, "--format", "png", wrapped=("prlimit", "--fsize=16000"))

    # when it runs full, then it says so and leaves nothing, and the next try succeeds
    assert str(out) in only_line(limited)
    assert not list(out.iterdir())
    assert run("labels", out, "--format", "png", "--only", "W01").code == 0
    assert sorted(path.name for path in out.iterdir()) == ["W01.png", "index.json"]


@pytest.mark.parametrize(("language", "second"), [("en", "NO"), ("fr", "NON"), ("de", "NEIN")])
def test_command_cards_have_labels_that_say_their_word_in_each_language(
    tmp_path: Path, run: Run, language: str, second: str
) -> None:
    out = tmp_path / "png"
    ended = run("labels", "--game", "master_builder", "--command-cards", "--lang", language, "--format", "png", out)

    assert ended.code == 0
    assert [entry["text"] for entry in json.loads((out / "index.json").read_text())] == [
        f"MB1X0{n}" for n in range(1, 6)
    ]
    read = run("read", "--deck", "master_builder", *sorted(out.glob("*.png")))
    assert [report["tags"][0]["card"] for report in read.json] == ["X01", "X02", "X03", "X04", "X05"]
    same = tmp_path / "same.png"
    cv2.imwrite(str(same), draw_label("MB1X02", second, PIXELS_A_MM))
    assert same.read_bytes() == (out / "X02.png").read_bytes()


def test_command_cards_fit_a_sheet(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "commands.pdf"
    assert run("labels", "--game", "master_builder", "--command-cards", out).code == 0

    document = pypdfium2.PdfDocument(out)
    picture = np.asarray(document[0].render(scale=3.0).to_numpy(), np.uint8)
    assert len(document) == 1
    document.close()
    assert {sighting.text for sighting in read_sightings(picture, None, "frame")} == {f"MB1X0{n}" for n in range(1, 6)}


def test_a_card_with_two_sides_has_a_label_for_each_one_beside_the_other(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "labels"
    assert run("labels", out, "--game", "men_at_work", "--format", "png").code == 0
    index = json.loads((out / "index.json").read_text())
    first, second = index[:2]
    assert (first["card"], first["side"], first["text"], first["file"]) == ("I01", "front", "MW1I01", "I01.png")
    assert (second["card"], second["side"], second["file"]) == ("I01", "back", "I01-back.png")
    assert len({label["file"] for label in index}) == len(index) == 74
    assert len({label["text"] for label in index}) == 37 + 12


def test_a_back_is_read_as_its_kind(run: Run, tmp_path: Path) -> None:
    run("labels", tmp_path, "--game", "men_at_work", "--format", "png", "--only", "BOSS")
    read = run("read", tmp_path / "BOSS-back.png", "--deck", "men_at_work")
    assert [tag["card"] for tag in json.loads(read.out[0])["tags"]] == ["HBW"]
