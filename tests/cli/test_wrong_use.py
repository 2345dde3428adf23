"""Every command with arguments, files and folders that cannot be: one line in words, and the same exit codes."""

import errno
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest

from companion.cli import MODULES
from tests.cli.conftest import Run
from tests.cli.running import ROOT, START, Ended, companion, load_commands

SYSTEM_WORDS = re.compile(
    r"\[Errno|Traceback|Error:|" + "|".join(re.escape(os.strerror(number)) for number in sorted(errno.errorcode))
)
"""Words of the operating system and of Python, which no message to people may contain."""

PHOTO = Path(__file__).parents[2].joinpath("docs", "reading-unread.jpg").read_bytes()

WRITING = {
    "labels": ("labels", "OUT"),
    "cards": ("cards", "--only", "W01", "OUT"),
    "mat": ("mat", "OUT"),
    "printer": ("printer", "OUT"),
    "calibrate board": ("calibrate", "board", "OUT"),
    "backup": ("backup", "OUT", "--data", "DATA"),
    "catalog export": ("catalog", "export", "house", "OUT"),
    "demo": ("demo", "--headless", "--journal", "OUT"),
}
"""Commands that write a file, with OUT for its name."""

READING = {
    "play": ("play", "FILE"),
    "play --catalog": ("play", "-", "--catalog", "FILE"),
    "restore": ("restore", "FILE", "--data", "NEW"),
    "read": ("read", "FILE"),
    "read --burst": ("read", "--burst", "FILE"),
    "read --sheet": ("read", "FILE", "--sheet", "cards", "--deck", "master_builder"),
    "printer --photo": ("printer", "--photo", "FILE", "--data", "NEW"),
    "catalog check": ("catalog", "check", "FILE"),
    "catalog import": ("catalog", "import", "FILE", "--data", "NEW"),
    "game install": ("game", "install", "FILE", "--data", "NEW"),
    "catalog compare": ("catalog", "compare", "FILE", "house"),
    "cards --catalog": ("cards", "new.pdf", "--catalog", "FILE"),
    "labels --catalog": ("labels", "new.pdf", "--catalog", "FILE"),
    "demo --catalog": ("demo", "--headless", "--catalog", "FILE"),
    "tournament --catalog": ("tournament", "--games", "1", "--catalog", "FILE"),
    "serve --certificate": ("serve", "--certificate", "FILE", "--key", "FILE", "--data", "NEW"),
    "serve --catalog": ("serve", "--camera", "none", "--port", "0", "--catalog", "FILE", "--data", "NEW"),
    "calibrate lens": ("calibrate", "lens", "--camera", "FILE"),
}
"""Commands that read a file, with FILE for its name."""

IN_DATA = {
    "serve": ("serve", "--camera", "none", "--port", "0"),
    "backup": ("backup", "new.zip"),
    "pin": ("pin",),
    "pin DIGITS": ("pin", "4711"),
    "catalog import": ("catalog", "import", "house.toml", "--name", "mine"),
    "replay": ("replay",),
}
"""Commands that need a data folder which can be used."""


def in_words(ended: Ended, code: int = 2) -> str:
    """Check that a command was refused in one line of words; return the line."""
    assert ended.code == code, ended
    assert len(ended.err) == 1, ended
    assert ended.err[0].startswith("companion: "), ended
    assert not SYSTEM_WORDS.search(ended.err[0]), ended.err[0]
    return ended.err[0]


def filled_in(arguments: Sequence[str], **names: str | Path) -> list[str]:
    """Return arguments with files for the words that stand for them."""
    return [str(names.get(word, word)) for word in arguments]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, with a data folder, in which every command is run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    (tmp_path / "data").mkdir()
    return tmp_path


@pytest.mark.parametrize("arguments", WRITING.values(), ids=list(WRITING))
def test_what_cannot_be_written_is_said_before_anything_is_done(arguments: tuple[str, ...], run: Run) -> None:
    Path("a-folder").mkdir()
    Path("a-file").write_text("mine")

    def refusal(out: str) -> str:
        return in_words(run(*filled_in(arguments, OUT=out, DATA="data")))

    assert "a-folder: is a folder, not a file" in refusal("a-folder")
    assert "nowhere: there is no such folder" in refusal("nowhere/out")
    assert "a-file: is a file, not a folder" in refusal("a-file/out")
    assert "a-file: is there already; name another file, or replace it with --force" in refusal("a-file")
    assert Path("a-file").read_text() == "mine"
    assert not Path("nowhere").exists()


@pytest.mark.parametrize("arguments", [WRITING[name] for name in WRITING if name != "demo"], ids=str)
def test_a_file_is_replaced_whole_where_that_is_wished(arguments: tuple[str, ...], run: Run) -> None:
    out = Path("out")
    out.write_text("mine")

    assert run(*filled_in(arguments, OUT=out, DATA="data"), "--force").code == 0

    assert out.read_bytes()[:4] != b"mine"
    assert sorted(path.name for path in Path().iterdir()) == ["data", "out"], "nothing unfinished is left"


def test_a_link_stays_and_what_it_leads_to_is_replaced(run: Run) -> None:
    # given a link to a file in another folder
    Path("there").mkdir()
    Path("there/board.pdf").write_text("mine")
    Path("link.pdf").symlink_to("there/board.pdf")

    # when it is named, then it is refused as the file would be, and with --force the file is replaced
    assert "link.pdf: is there already" in in_words(run("calibrate", "board", "link.pdf"))
    assert run("calibrate", "board", "link.pdf", "--force").code == 0
    assert Path("link.pdf").readlink() == Path("there/board.pdf")
    assert Path("there/board.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in Path("there").iterdir()] == ["board.pdf"]


@pytest.mark.parametrize("name", ["calibrate board", "backup"])
def test_standard_output_is_a_file_that_can_be_named_whatever_it_is(name: str, run: Run) -> None:
    assert run("pin", "4711", "--data", "data").code == 0
    words = filled_in(WRITING[name], OUT="/dev/fd/1", DATA="data")
    command, environment = [sys.executable, "-m", "companion", *words], {**os.environ, "PYTHONPATH": str(ROOT)}

    piped = subprocess.run(command, env=environment, capture_output=True, check=False)
    with Path("out").open("wb") as file:
        redirected = subprocess.run(command, env=environment, stdout=file, stderr=subprocess.PIPE, check=False)

    assert (piped.returncode, redirected.returncode) == (0, 0), (piped.stderr, redirected.stderr)
    assert piped.stdout[:4] == Path("out").read_bytes()[:4]
    assert piped.stdout[:4] in {b"%PDF", b"PK\3\4"}


@pytest.mark.parametrize("arguments", WRITING.values(), ids=list(WRITING))
def test_a_place_that_takes_no_files_is_said_in_words(arguments: tuple[str, ...], run: Run) -> None:
    in_words(run(*filled_in(arguments, OUT="/proc/out", DATA="data")))


def test_labels_as_pictures_leave_the_files_of_a_folder_alone(run: Run) -> None:
    pictures = Path("pictures")
    pictures.mkdir()
    (pictures / "index.json").write_text("mine")
    wish = ("labels", "pictures", "--format", "png", "--only", "W01")

    assert "is not empty" in in_words(run(*wish))
    assert (pictures / "index.json").read_text() == "mine"
    assert run(*wish, "--force").code == 0
    assert (pictures / "W01.png").exists()
    Path("a-file").write_text("")
    assert "is a file, not a folder" in in_words(run("labels", "a-file", "--format", "png"))


@pytest.mark.parametrize("arguments", READING.values(), ids=list(READING))
def test_what_cannot_be_read_is_named(arguments: tuple[str, ...], run: Run) -> None:
    Path("a-folder").mkdir()
    if arguments[0] == "calibrate":  # a folder is a camera there
        (Path("a-folder") / "x.txt").write_text("")

    assert "a-folder" in in_words(run(*filled_in(arguments, FILE="a-folder", NEW="new")))
    assert "nowhere.x" in in_words(run(*filled_in(arguments, FILE="nowhere.x", NEW="new")))
    too_long = f"{'n' * 300}.x"
    in_words(run(*filled_in(arguments, FILE=too_long, NEW="new")))


@pytest.mark.parametrize("name", sorted(READING.keys() - {"play", "calibrate lens"}))
def test_what_is_something_else_is_named(name: str, run: Run) -> None:
    for file, content in (("empty.x", b""), ("picture.x", b"\x89PNG\r\n\x1a\n"), ("wide.x", "game".encode("utf-16"))):
        Path(file).write_bytes(content)

        assert file in in_words(run(*filled_in(READING[name], FILE=file, NEW="new")))


@pytest.mark.parametrize("arguments", IN_DATA.values(), ids=list(IN_DATA))
def test_a_file_where_the_data_folder_should_be_is_said_in_words(arguments: tuple[str, ...], run: Run) -> None:
    assert run("catalog", "export", "house", "house.toml", "--game", "master_builder").code == 0
    Path("a-file").write_text("mine")

    line = in_words(run(*arguments, "--data", "a-file"))

    assert "a-file" in line
    assert "is there already" not in line, "as if it had to go away"
    assert Path("a-file").read_text() == "mine"


@pytest.mark.parametrize(
    "arguments",
    [
        ("pin",),
        ("backup", "new.zip"),
        ("replay",),
        ("doctor",),
        ("play", "empty"),
        ("printer", "--forget"),
        ("catalog", "compare", "house", "house"),
        ("mat", "mat.pdf"),
    ],
    ids=" ".join,
)
def test_a_data_folder_that_was_mistyped_is_not_made(arguments: tuple[str, ...], run: Run) -> None:
    Path("empty").write_text("")

    run(*arguments, "--data", "typo")

    assert not Path("typo").exists()


def test_options_before_a_step_of_a_group_hold_for_the_step(tmp_path: Path) -> None:
    groups = [command for command in load_commands().values() if isinstance(command, click.Group)]
    assert len(groups) == 3
    for command in groups:
        for name, step in command.commands.items():
            # given a group of commands with a data folder and a language before the step
            given = ["--data", str(tmp_path), "--lang", "de", name]
            with command.make_context(command.name, given) as context:
                context.invoked_subcommand = name
                # when the step reads its own arguments
                click.Command.invoke(command, context)
                with step.make_context(name, [], parent=context, resilient_parsing=True) as step_context:
                    read = step_context.params
            # then it has both, wherever it uses them
            wanted = {"data": str(tmp_path), "lang": "de"}
            assert {**wanted, **read} | wanted == {**wanted, **read}, (command.name, name)


def test_a_game_is_looked_for_where_the_group_was_told(run: Run, tmp_path: Path) -> None:
    # given a data folder that is named before the step
    group = ("game", "--data", tmp_path / "data")
    # when something is removed there
    line = in_words(run(*group, "remove", "acorns"))
    # then it is looked for there
    assert str(tmp_path / "data") in line


def test_the_pin_of_a_folder_that_was_mistyped_is_no_pin(run: Run) -> None:
    line = in_words(run("pin", "--data", "typo"))

    assert "typo: no companion was started there yet" in line
    in_words(run("pin", "12", "--data", "typo"))
    assert not Path("typo").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        *((name, "--nonsense") for name in MODULES),
        ("labels",),
        ("labels", "new.pdf", "--game", "chess"),
        ("labels", "new.pdf", "--stock", "nonsense"),
        ("labels", "new.pdf", "--start", "0"),
        ("cards", "new.pdf", "--only", "Z99"),
        ("cards", "new.pdf", "--also", "nonsense"),
        ("cards", "new.pdf", "--bleed", "99"),
        ("cards", "new.pdf", "--shift", "1"),
        ("cards", "new.pdf", "--lang", "la"),
        ("mat", "new.pdf", "--mat", "nonsense"),
        ("printer",),
        ("read",),
        ("read", "x.png", "--sheet", "cards"),
        ("catalog", "nonsense"),
        ("catalog", "export", "nonsense", "new.toml"),
        ("calibrate", "nonsense"),
        ("calibrate", "table", "--camera", "nonsense"),
        ("demo", "--headless", "--mat", "nonsense"),
        ("tournament", "--bots", "nonsense"),
        ("tournament", "--rules", "nonsense", "--games", "1"),
        ("serve", "--camera", "nonsense", "--data", "data"),
        ("serve", "--certificate", "x", "--data", "data"),
        ("serve", "--pin", "12", "--camera", "none", "--data", "data"),
        ("serve", "--host", "nonsense.invalid", "--port", "0", "--camera", "none", "--data", "data"),
        ("completion", "nonsense"),
        ("pin", "abcd", "--data", "data"),
    ],
    ids=" ".join,
)
def test_arguments_that_cannot_be_are_one_line_and_make_no_file(arguments: tuple[str, ...], run: Run) -> None:
    ended = run(*arguments)

    in_words(ended)
    assert ended.out == []
    assert not [path for path in Path().iterdir() if path.name.startswith("new")]


NO_COMMAND = b"\xff\xfe{\0\n\0\n{\n"


def test_answers_of_no_are_exit_code_1(run: Run) -> None:
    Path("lines").write_bytes(NO_COMMAND)
    Path("faulty.toml").write_text('game = "master_builder"\n')

    assert run("play", "lines", "--strict").code == 1
    assert run("catalog", "check", "faulty.toml").code == 1
    assert run("catalog", "export", "house", "mine.toml", "--game", "master_builder").code == 0
    assert run("doctor", "--data", "lines").code == 1


@pytest.mark.parametrize(
    ("content", "strict"),
    [
        pytest.param(b"", False, id="empty", marks=pytest.mark.nightly),
        pytest.param(NO_COMMAND, False, id="unreadable", marks=pytest.mark.nightly),
        pytest.param(NO_COMMAND, True, id="unreadable, strict"),
        pytest.param(b'{"do": "undo"}\n', True, id="refused, strict", marks=pytest.mark.nightly),
    ],
)
def test_play_ends_alike_for_a_file_and_for_standard_input(content: bytes, *, strict: bool) -> None:
    Path("lines").write_bytes(content)
    options = ("--strict",) if strict else ()

    of_file = companion("play", "lines", *options)
    with Path("lines").open("rb") as lines:
        of_input = companion("play", "-", *options, stdin=lines.fileno())

    assert of_input == of_file
    assert of_file.code == (1 if strict else 0)
    assert of_file.json[-1] == {"position": None}


def test_play_says_that_standard_input_is_closed() -> None:
    assert "standard input is closed" in in_words(companion("play", "-", wrapped=("sh", "-c", 'exec "$@" <&-', "sh")))


def test_play_refuses_in_the_chosen_language(run: Run) -> None:
    Path("lines").write_text('{"do": "undo"}\n')

    english, german = (run("play", "lines", "--lang", language).json[0] for language in ("en", "de"))

    assert english["rule"] == german["rule"]
    assert english["refused"] != german["refused"]


def test_text_from_windows_is_told_as_such(run: Run) -> None:
    assert run("catalog", "export", "house", "house.toml", "--game", "master_builder").code == 0
    Path("wide.toml").write_text(Path("house.toml").read_text("utf-8"), "utf-16")
    Path("lines").write_text(f"{START}\n", "utf-16")

    assert "wide.toml:1: UTF-16, not UTF-8: save the file as UTF-8" in in_words(run("catalog", "check", "wide.toml"))
    first, *_ = run("play", "lines").json
    assert (first["rule"], first["refused"]) == ("utf16", "This file is UTF-16. Save it as UTF-8 and try again.")


def test_a_picture_instead_of_a_catalog_is_not_taken_for_text_from_windows(run: Run) -> None:
    Path("photo.toml").write_bytes(PHOTO)
    Path("game.jsonl").write_bytes(PHOTO)

    assert "photo.toml: no text, but a picture" in in_words(run("catalog", "check", "photo.toml"))
    assert {line.get("rule") for line in run("play", "game.jsonl").json[:-1]} == {"not_json"}
