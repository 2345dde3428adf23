"""``companion cards``: every game's deck on paper, read back completely."""

from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp
from click.testing import CliRunner

from companion import bootstrap
from companion.adapters.label_readers import read_picture
from companion.cli import group
from companion.cli.output import DebugFlag, run_command_line
from tests.extent import by_night
from tests.opened import installed_games
from tests.printing.sheets_seen import scanned

GAMES = ("master_builder", "men_at_work", "monopoly_builder")
MOST_BYTES = 2_000_000


def run(*arguments: str) -> str:
    """Run the command and give what it says to people."""
    result = CliRunner().invoke(group, ["cards", *arguments])
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stderr


@pytest.mark.parametrize("dots", [150, *by_night(300)])
@pytest.mark.parametrize("game", ["men_at_work", *by_night("master_builder", "monopoly_builder")])
def test_every_label_of_a_deck_is_read_back_by_both_readers(tmp_path: Path, game: str, dots: int) -> None:
    pdf = tmp_path / "cards.pdf"
    run(str(pdf), "--game", game)

    manifest = installed_games().manifest(game)
    catalog = bootstrap.load_bundled_catalog(manifest)
    wanted = sorted(text for _, text in bootstrap.list_labels(manifest, catalog))
    deck = bootstrap.create_deck(manifest, catalog)
    ours: list[str] = []
    theirs: list[str] = []
    for sheet in scanned(pdf, dots):
        report = read_picture("sheet", cv2.imencode(".png", sheet)[1].tobytes(), deck)
        ours += [tag["text"] for tag in report["tags"]]  # type: ignore[typeddict-item]  # a picture it is
        theirs += [code.text for code in zxingcpp.read_barcodes(sheet)]
    assert sorted(ours) == wanted
    assert sorted(theirs) == wanted
    assert pdf.stat().st_size < MOST_BYTES


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=() if game_number == number else pytest.mark.nightly)
        for game_number, game in enumerate(GAMES)
        for number, language in enumerate(("en", "fr", "de"))
    ],
)
def test_a_deck_is_written_in_every_language_with_all_that_goes_with_it(
    tmp_path: Path, game: str, language: str
) -> None:
    from companion.bootstrap.printing import draw_extras

    manifest = installed_games().manifest(game)
    extras = draw_extras(manifest, bootstrap.load_bundled_catalog(manifest), language)
    also = [part for name in (*extras, "commands") for part in ("--also", name)]
    pdf = tmp_path / "all.pdf"

    run(str(pdf), "--game", game, "--lang", language, "--paper", "letter", *also)

    assert len(scanned(pdf, 20)) > len(extras)
    assert pdf.stat().st_size < MOST_BYTES


def test_without_a_game_it_is_master_builder(tmp_path: Path) -> None:
    assert "79 cards on 18 pages" in run(str(tmp_path / "a.pdf"))


def test_only_the_cards_that_are_named_are_printed_and_backs_may_be_left_out(tmp_path: Path) -> None:
    said = run(str(tmp_path / "a.pdf"), "--only", "w01,C03", "--backs", "none")

    assert "2 cards on 1 page in" in said
    (sheet,) = scanned(tmp_path / "a.pdf")
    assert sorted(code.text for code in zxingcpp.read_barcodes(sheet)) == ["MB1C03", "MB1W01"]


def test_backs_that_may_be_told_apart_by_nobody_are_alike(tmp_path: Path) -> None:
    """Given two cards of Men at Work with the same back; then their backs are the same dot for dot."""
    manifest = installed_games().manifest("men_at_work")
    labels = [label for label, _ in bootstrap.list_labels(manifest, bootstrap.load_bundled_catalog(manifest))]
    backs: dict[str, list[str]] = {}
    for label in labels:
        if label.side == "back" and label.card != "BOSS":
            backs.setdefault(label.code, []).append(label.card)
    pictures = []
    for card in next(iter(backs.values()))[:2]:
        run(str(tmp_path / f"{card}.pdf"), "--game", "men_at_work", "--only", card)
        pictures.append(scanned(tmp_path / f"{card}.pdf")[1])
    assert np.array_equal(pictures[0], pictures[1])


def test_an_owners_deck_is_printed_with_its_own_names(tmp_path: Path) -> None:
    house = installed_games().manifest("master_builder").cards().bundled["house"].read_text("utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(house.replace('"Bathhouse"', '"Łaźnia Świętego Wojciecha nad rzeką"'), "utf-8")

    assert "1 card on 2 pages in" in run(str(tmp_path / "a.pdf"), "--catalog", str(mine), "--only", "C03")


def test_all_cards_with_letters_that_no_typeface_has_are_named_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a deck with two such names
    house = installed_games().manifest("master_builder").cards().bundled["house"].read_text("utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text(house.replace('"Bathhouse"', '"東京"').replace('"Mill Lane Wall"', '"Wall \U0001f956"'), "utf-8")
    asked = ["companion", "cards", str(tmp_path / "a.pdf"), "--catalog", str(mine), "--only"]

    # when it is printed, then one line names both cards and the letters, and nothing is written
    monkeypatch.setattr("sys.argv", [*asked, "C01,C03,C04,W01"])
    assert run_command_line(group, DebugFlag()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "C01, C03 cannot be printed, the typeface lacks" in line
    assert "CJK UNIFIED IDEOGRAPH-6771" in line
    assert "BAGUETTE BREAD" in line
    assert not (tmp_path / "a.pdf").exists()

    # and the others can be printed alone
    assert "2 cards on 2 pages in" in run(*asked[2:], "C04,W01")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "W99"], "'W99' is not in this deck"),
        (["--also", "dice"], "'dice' is nothing to print here: money, ious, track, commands"),
        (["--bleed", "12"], "bleed"),
        (["--shift", "one,two"], "not two numbers"),
        (["--shift", "90,0"], "printer"),
        (["--game", "chess"], "none of the games here"),
        (["--backs", "none", "--back-shift", "1,1"], "--back-shift is for backs, and --backs none prints none"),
    ],
)
def test_what_cannot_be_printed_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["companion", "cards", str(tmp_path / "a.pdf"), *arguments])

    assert run_command_line(group, DebugFlag()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (tmp_path / "a.pdf").exists()
