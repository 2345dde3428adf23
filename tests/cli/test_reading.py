"""``companion read``: what pictures say, one line each."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.label.label import draw_label
from tests.cli.conftest import Run
from tests.cli.running import companion, only_line


def picture(path: Path, *texts: str, shift: int = 0) -> Path:
    """Write a picture with labels side by side on grey."""
    table = np.full((300, 60 + 260 * max(1, len(texts))), 170, np.uint8)
    for number, text in enumerate(texts):
        label = draw_label(text, text[3:], 8.0)
        left = 30 + shift + 260 * number
        table[40 : 40 + label.shape[0], left : left + label.shape[1]] = label
    assert cv2.imwrite(str(path), table)
    return path


def test_every_picture_has_its_line_and_what_is_no_picture_too(tmp_path: Path) -> None:
    good, empty = picture(tmp_path / "good.png", "MB1W07", "XY1W07"), picture(tmp_path / "empty.png")
    (tmp_path / "text.jpg").write_text("no picture")
    missing = tmp_path / "missing.png"

    ended = companion("read", good, missing, tmp_path / "text.jpg", empty, tmp_path)

    assert ended.code == 2
    first, second, third, fourth, fifth = ended.json
    assert [(tag["text"], tag["card"]) for tag in first["tags"]] == [("MB1W07", None), ("XY1W07", None)]
    assert (first["image"], first["width"], first["height"]) == (str(good), 580, 300)
    assert first["ms"] > 0
    assert second == {"image": str(missing), "error": "cannot be opened: there is no such file or folder"}
    assert "not a picture" in third["error"]
    assert fourth["tags"] == []
    assert "cannot be opened" in fifth["error"]
    assert ended.err == [f"companion: {missing}: cannot be opened: there is no such file or folder (and 2 more)"]


def test_with_a_deck_only_its_labels_count_those_of_another_print_run_too(tmp_path: Path, run: Run) -> None:
    table = picture(tmp_path / "table.png", "MB1C03", "MB2W07", "XY1W07", "MB1W99", "HELLO")

    ended = run("read", "--deck", "master_builder", table)

    assert (ended.code, ended.err) == (0, [])
    assert [(tag["text"], tag["card"]) for tag in ended.json[0]["tags"]] == [("MB1C03", "C03"), ("MB2W07", "W07")]
    assert {tag["how"] for tag in ended.json[0]["tags"]} <= {"decoded", "matched"}
    assert len(run("read", table).json[0]["tags"]) == 5


def test_a_burst_has_one_answer_with_the_corners_of_the_last_picture(tmp_path: Path, run: Run) -> None:
    first, second = picture(tmp_path / "1.png", "MB1W07"), picture(tmp_path / "2.png", "MB1W07", "MB1W08", shift=9)
    alone = run("read", second).json[0]

    ended = run("read", "--burst", first, second)

    (report,) = ended.json
    assert (ended.code, report["image"], report["width"]) == (0, str(second), alone["width"])
    assert [(tag["text"], tag["corners"]) for tag in report["tags"]] == [
        (tag["text"], tag["corners"]) for tag in alone["tags"]
    ]


def test_a_burst_goes_on_without_what_is_no_picture(tmp_path: Path, run: Run) -> None:
    good = picture(tmp_path / "1.png", "MB1W07")
    (tmp_path / "2.png").write_text("no picture")

    ended = run("read", "--burst", good, tmp_path / "2.png", tmp_path / "3.png")

    assert ended.code == 2
    assert sorted("error" in report for report in ended.json) == [False, True, True]
    assert len(ended.err) == 1


def test_a_burst_of_nothing_is_only_its_faults(tmp_path: Path, run: Run) -> None:
    ended = run("read", "--burst", tmp_path / "3.png")

    assert ended.code == 2
    assert [set(report) for report in ended.json] == [{"image", "error"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "IMAGE"),
        (("--deck", "chess", "x.png"), "chess"),
        (("--only", "W07", "x.png"), "--only says how a sheet was printed, and needs --sheet"),
        (("--paper", "letter", "x.png"), "--paper says how a sheet was printed, and needs --sheet"),
        (("--catalog", "nonsense", "x.png"), "--catalog chooses the cards of a game, and needs --deck"),
        (("--deck", "master_builder", "--sheet", "cards", "--burst", "x.png"), "--burst is for frames of one scene"),
    ],
)
def test_wrong_arguments_are_one_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    assert message in only_line(run("read", *arguments))
