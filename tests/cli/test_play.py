"""``companion play`` as programs use it: mostly a real process, its exit code, stdout and stderr."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli.play import play as play_command
from tests.cli.conftest import Run
from tests.cli.running import only_line
from tests.opened import CARDS

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "companion", "play"]
START: dict[str, Any] = {
    "do": "start_game",
    "game": "master_builder",
    "first": "blue",
    "players": [{"id": "blue", "name": "Zoë"}, {"id": "yellow", "name": "Ben"}],
}
HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}
TOO_SOON = {"do": "bid", "player": "blue", "amount": 5_000}


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def play(file: Path | str, *options: str, given: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, str(file), *options],
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
        env=environment(**more),
        cwd=ROOT,
    )


def in_process(*options: str, given: bytes) -> tuple[int, list[dict[str, Any]]]:
    """The same without a process, where only the answers count."""
    done = CliRunner().invoke(play_command, ["-", *options], input=given, standalone_mode=False, catch_exceptions=False)
    return done.return_value, [json.loads(line) for line in done.stdout_bytes.decode("utf-8").splitlines()]


def lines(*commands: Any) -> bytes:
    return b"".join(stored if isinstance(stored, bytes) else json.dumps(stored).encode() + b"\n" for stored in commands)


def said(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    """Everything on stdout, which is JSON, one value a line, and nothing else."""
    assert b"Traceback" not in done.stderr
    assert done.stdout.endswith(b"\n")
    return [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]


def test_every_command_is_answered_and_the_position_comes_last(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(
        lines(b"# a comment\n", START, b"\n", b"  \t \n", HIRE, TOO_SOON, b"  # indented\n", {"do": "undo"})
    )
    done = play(file)
    answers = said(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [answer.get("line") for answer in answers] == [2, 5, 6, 8, None]
    assert [answer.get("seq") for answer in answers] == [1, 2, None, 3, None]
    assert answers[1]["events"][0] == {"event": "WorkerHired", "player": "blue", "worker": "W07", "wage": 5_000}
    assert set(answers[2]) == {"line", "refused", "rule"}
    assert answers[3]["events"] == [{"event": "EntryUndone", "entry": 2}]
    assert set(answers[4]) == {"position"}
    assert answers[4]["position"]["players"]["blue"] | {"cash": 0} == {
        "name": "Zoë",
        "cash": 0,
        "wages": 0,
        "workers": [],
        "unavailable": [],
        "contracts": {},
        "completed": [],
        "loans": {"small": 0, "large": 0},
        "event_hand": 0,
        "owes": 0,
    }


def test_positions_follow_each_result_and_are_null_before_the_start() -> None:
    _, answers = in_process("--positions", given=lines(HIRE, START, HIRE))
    assert [set(answer) for answer in answers] == [
        {"line", "refused", "rule", "position"},
        {"line", "seq", "events", "position"},
        {"line", "seq", "events", "position"},
        {"position"},
    ]
    assert answers[0]["position"] is None
    assert answers[1]["position"]["players"]["blue"]["workers"] == []
    assert answers[2]["position"] == answers[3]["position"]


@pytest.mark.parametrize("given", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf# nothing"])
def test_a_file_without_commands_is_played_to_no_position(given: bytes) -> None:
    assert in_process("--strict", given=given) == (0, [{"position": None}])


def test_under_strict_a_refusal_is_an_exit_code_and_the_rest_is_played() -> None:
    given = lines(START, TOO_SOON, HIRE)
    strict = play("-", "--strict", given=given)
    assert (strict.returncode, said(strict)[2]["seq"]) == (1, 2)
    assert in_process(given=given) == (0, said(strict))
    assert in_process("--strict", given=lines(START, HIRE))[0] == 0


ODD_LINES: list[tuple[bytes, str]] = [
    (b"{", "not_json"),
    (b"hello", "not_json"),
    (b'{"do": "undo"} {"do": "undo"}', "not_json"),
    (b"\xff\xfe{\x00}\x00", "utf16"),
    (b'{"do": "bid", "player": "\xff", "amount": 1}', "not_json"),
    (b'\xef\xbb\xbf{"do": "undo"}', "not_json"),
    (b"[" * 100_000, "not_json"),
    (b'{"do":"plan","player":"blue","work":' + b'{"a":' * 900 + b"1" + b"}" * 901, "not_json"),
    (b'{"do":"bid","player":"blue","amount":' + b"9" * 5_000 + b"}", "not_json"),
    (b'{"do":"bid","player":"blue","amount":' + b"9" * 4_000 + b"}", "wrong_type"),
    (b'{"do":"bid","player":"blue","amount":1e999}', "not_json"),
    (b'{"do":"bid","player":"blue","amount":NaN}', "not_json"),
    (b'{"do":"bid","player":"blue","amount":5000.0}', "wrong_type"),
    (b'{"do":"bid","player":"blue","amount":true}', "wrong_type"),
    (b'{"do":"bid","player":"blue","amount":"5000"}', "wrong_type"),
    (b'{"do":"bid","player":"blue"}', "missing_field"),
    (b'{"do":"bid","player":"blue","amount":5000,"why":1}', "unknown_field"),
    (b'{"do":"bid","player":"purple","amount":5000}', "unknown_player"),
    (b'{"do":"hire_worker","player":"blue","worker":"W99"}', "unknown_worker"),
    (b'{"do":"\\ud800"}', "not_json"),
    (b'{"do":"undo","\\ud800":1}', "unknown_field"),
    (b'{"do":"rename_player","player":"blue","name":"\\ud83d"}', "not_json"),
    (b"null", "no_command"),
    (b"[]", "no_command"),
    (b'"undo"', "no_command"),
    (b"{}", "no_command"),
    (b'{"do":"fly"}', "unknown_command"),
    (b'{"do":"undo","seq":1}', "unknown_field"),
    (b'{"do":"undo"}', "nothing_to_undo"),
    (json.dumps(START).encode(), "started_already"),
]


def test_whatever_stands_in_a_line_is_refused_and_never_a_crash() -> None:
    given = lines(START, *(odd + b"\n" for odd, _ in ODD_LINES), HIRE)
    done = play("-", given=given)
    answers = said(done)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [answer.get("rule") for answer in answers[1:-2]] == [rule for _, rule in ODD_LINES]
    assert all(answer["refused"] and "{" not in answer["refused"] for answer in answers[1:-2])
    assert (answers[-2]["line"], answers[-2]["seq"]) == (len(ODD_LINES) + 2, 2)


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_byte_order_mark_and_foreign_line_ends_do_no_harm(end: bytes) -> None:
    _, answers = in_process(given=b"\xef\xbb\xbf" + json.dumps(START).encode() + end)
    assert answers[0]["seq"] == 1


def test_output_is_utf_8_whatever_the_terminal_speaks() -> None:
    done = play("-", given=lines(START), PYTHONIOENCODING="ascii", LC_ALL="C")
    assert said(done)[-1]["position"]["players"]["blue"]["name"] == "Zoë"
    assert "Zoë".encode() in done.stdout


def test_on_a_pipe_each_line_is_answered_before_the_next_one_is_written() -> None:
    with subprocess.Popen(
        [*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), cwd=ROOT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, command in enumerate([START, HIRE, TOO_SOON, {"do": "undo"}, {"do": "redo"}], start=1):
            process.stdin.write(lines(command))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert set(json.loads(process.stdout.readline())) == {"position"}
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_a_reader_who_goes_away_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(lines(START) + lines(TOO_SOON) * 300)
    with subprocess.Popen(
        [*COMMAND, file, "--positions"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=ROOT
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, run: Run) -> None:
    assert "nowhere.jsonl: there is no such file" in only_line(run("play", tmp_path / "nowhere.jsonl"))
    assert f"{tmp_path}: is a folder, not a file" in only_line(run("play", tmp_path))


def test_a_catalog_file_is_used_whatever_the_start_names(tmp_path: Path) -> None:
    deck = tmp_path / "mine.toml"
    house = CARDS.bundled["house"].read_text(encoding="utf-8")
    deck.write_text(house.replace('"House deck"', '"My own deck"'), encoding="utf-8")
    _, answers = in_process("--catalog", str(deck), given=lines({**START, "catalog": "whatever"}))
    assert answers[0]["events"][0]["catalog"]["name"] == "My own deck"
    assert in_process("--catalog", "house", given=lines(START))[1][0]["seq"] == 1


def test_a_catalog_file_of_another_game_is_one_line(tmp_path: Path, run: Run) -> None:
    # given a catalog of Master Builder, and a play file of Men at Work, whose first line begins nothing
    deck, file = tmp_path / "mine.toml", tmp_path / "game.jsonl"
    deck.write_text(CARDS.bundled["house"].read_text(encoding="utf-8"), encoding="utf-8")
    file.write_bytes(lines(HIRE, {**START, "game": "men_at_work"}))

    # then what the file would be played with is not passed over in silence
    ended = run("play", file, "--catalog", deck)
    assert ended.code == 2
    assert ended.err[-1].endswith(f"{deck} is a catalog of Master Builder, and the play file of Men at Work")


def test_a_faulty_catalog_is_one_line_that_names_the_place(tmp_path: Path, run: Run) -> None:
    deck = tmp_path / "mine.toml"
    house = CARDS.bundled["house"].read_text(encoding="utf-8")
    deck.write_text(house.replace("number = 1\n", 'number = "one"\n', 1), encoding="utf-8")
    file = tmp_path / "game.jsonl"
    file.write_bytes(lines(START))
    assert "mine.toml:" in only_line(run("play", file, "--catalog", deck))
    assert "nowhere" in only_line(run("play", file, "--catalog", "nowhere"))


def test_a_catalog_of_the_data_folder_is_known_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "catalogs").mkdir()
    house = CARDS.bundled["house"].read_text(encoding="utf-8")
    (tmp_path / "catalogs" / "attic.toml").write_text(house, encoding="utf-8")
    start = {**START, "catalog": "attic"}
    assert in_process("--data", str(tmp_path), given=lines(start))[1][0]["seq"] == 1
    assert in_process("--data", str(tmp_path / "none"), given=lines(start))[1][0]["rule"] == "unknown_catalog"


def test_what_a_play_file_ends_with_is_taken_over_and_played_on() -> None:
    # given the position after some commands
    _, answers = in_process(given=lines(START, HIRE))
    ended = answers[-1]["position"]

    # when a game begins with it
    take_over = {"do": "take_over", "position": ended, "reason": "another evening"}
    code, answers = in_process("--strict", given=lines(take_over, {**HIRE, "player": "yellow", "worker": "W08"}))

    # then it goes on
    assert code == 0
    assert answers[0]["events"][0]["event"] == "GameTakenOver"
    assert answers[-1]["position"]["players"]["yellow"]["workers"] == ["W08"]


def test_a_position_with_faults_is_refused_in_words_with_all_of_them() -> None:
    players = {"blue": {"cash": 500, "workers": ["W01"]}, "yellow": {"cash": 0, "workers": ["W01"]}}
    position = {"game": "master_builder", "round": 2, "phase": "hire", "start_player": "blue", "players": players}
    _, answers = in_process(given=lines({"do": "take_over", "position": position}))
    assert answers[0]["refused"] == (
        "This position cannot be taken over. W01 is in two places: Blue and Yellow. "
        "Blue cannot hold 500: whole thousands, zero or more."
    )


def test_a_game_that_is_not_installed_is_refused_as_such() -> None:
    start = {"do": "start_game", "game": "acorns", "first": "red", "players": [{"id": "red", "name": "Ada"}]}

    _, answers = in_process(given=lines(start, {"do": "undo"}))

    assert [answer.get("rule") for answer in answers] == ["unknown_game", "not_started", None]
    assert answers[0]["refused"] == "That game is not installed here."
