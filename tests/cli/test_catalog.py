"""Catalogs that people pass on: checked, taken in, given away, compared."""

import json
from pathlib import Path

import pytest

from companion.games.monopoly_builder.cards.reading import DECKS
from tests.cli.conftest import Run

HOUSE = DECKS / "house.toml"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    file = tmp_path / "faulty.toml"
    file.write_text(HOUSE.read_text("utf-8").replace("price = 100", "price = 101"), encoding="utf-8")
    return file


def test_every_fault_is_a_line_with_its_place(run: Run, faulty: Path) -> None:
    checked = run("catalog", "check", faulty)
    assert checked.code == 1
    (fault,) = map(json.loads, checked.out)
    assert (fault["place"], fault["file"]) == ("D03", str(faulty))
    assert fault["line"] > 1


def test_a_sound_file_has_none(run: Run) -> None:
    assert run("catalog", "check", HOUSE).code == 0


def test_what_was_taken_in_can_be_played_with_and_given_away(run: Run, tmp_path: Path) -> None:
    # given a file that was taken in under a name
    data = ("--data", tmp_path / "data")
    taken = run("catalog", "import", HOUSE, "--name", "mine", *data)
    assert json.loads(taken.out[0]) == {"catalog": "mine", "game": "monopoly_builder"}
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700, "a data folder is for its owner alone"

    # when a game is begun with it
    game = tmp_path / "game.jsonl"
    players = [{"id": "red"}, {"id": "green"}]
    start = {"do": "start_game", "game": "monopoly_builder", "catalog": "mine", "first": "red", "players": players}
    game.write_text(json.dumps(start) + "\n", encoding="utf-8")
    assert "events" in json.loads(run("play", game, *data).out[0])

    # then it is given away byte by byte, and never over another file
    out = tmp_path / "out.toml"
    assert run("catalog", "export", "mine", out, *data).code == 0
    assert out.read_bytes() == HOUSE.read_bytes()
    again = run("catalog", "export", "mine", out, *data)
    assert (again.code, len(again.err)) == (2, 1)


def test_a_faulty_file_is_not_taken_in(run: Run, faulty: Path, tmp_path: Path) -> None:
    refused = run("catalog", "import", faulty, "--name", "mine", "--data", tmp_path / "data")
    assert (refused.code, json.loads(refused.out[0])["place"]) == (1, "D03")
    assert not list((tmp_path / "data").rglob("*.toml*"))


def test_two_catalogs_are_compared_place_by_place(run: Run, faulty: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(faulty.read_text("utf-8").replace("price = 101", "price = 105"), encoding="utf-8")
    compared = run("catalog", "compare", HOUSE, other)
    assert compared.code == 1
    assert [json.loads(line) for line in compared.out] == [{"place": "deed D03, price", "a": 100, "b": 105}]
    assert run("catalog", "compare", "house", HOUSE).code == 0


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("game = ", id="no TOML"),
        pytest.param('name = "nobody\'s"', id="no game"),
        pytest.param('game = "chess"', id="no game of ours"),
        pytest.param('game = "monopoly_builder"\n' + "# padding\n" * 30_000, id="too large"),
        pytest.param('game = "monopoly_builder"\na' + ".a" * 50 + " = 1", id="dots without end"),
    ],
)
def test_what_is_no_catalog_is_one_line(run: Run, tmp_path: Path, content: str) -> None:
    file = tmp_path / "box.toml"
    file.write_text(content, encoding="utf-8")
    checked = run("catalog", "check", file)
    assert (checked.code, checked.out, len(checked.err)) == (2, [], 1)
    assert str(file) in checked.err[0]


def test_of_different_games_nothing_is_compared(run: Run) -> None:
    other = HOUSE.parents[3] / "men_at_work" / "cards" / "decks" / "house.toml"
    compared = run("catalog", "compare", HOUSE, other)
    assert (compared.code, len(compared.err)) == (2, 1)


def test_names_that_are_taken_or_none_are_refused(run: Run, tmp_path: Path) -> None:
    for name in ("house", "My Box!", "../box"):
        refused = run("catalog", "import", HOUSE, "--name", name, "--data", tmp_path / "data")
        assert (refused.code, len(refused.err)) == (2, 1), name
    assert run("catalog", "export", "nothing", tmp_path / "out.toml").code == 2
