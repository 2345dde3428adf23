"""`companion game`: a new game is written, installed, played and removed; what is no game is refused in words."""

import ast
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

import pytest

from companion.cli.game import LONGEST_NAME, sample_files
from tests.cli.conftest import Run
from tests.cli.running import Ended, companion, only_line
from tests.extent import of_all

START = {"do": "start_game", "game": "acorns", "first": "red", "players": [{"id": "red"}, {"id": "blue"}]}


@pytest.fixture(autouse=True)
def own_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let each test install games into this process without leaving any to the next."""
    modules = set(sys.modules)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    yield
    for name in set(sys.modules) - modules:
        if name.partition(".")[0] in {"acorns", "nuts", "zebras"}:
            del sys.modules[name]


@pytest.fixture
def acorns(run: Run) -> Path:
    """The folder that `companion game new acorns` writes."""
    assert run("game", "new", "acorns").code == 0
    return Path("acorns")


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    written = file.stat().st_mtime + 10  # compiled code is told from newer text by whole seconds and size
    os.utime(file, (written, written))


def wheel_of(folder: Path, name: str = "acorns-1.0-py3-none-any.whl", needs: str = "companion-table") -> Path:
    """Return a wheel of the game in a folder."""
    wheel, info = Path(name), "acorns-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in sorted((folder / "acorns").rglob("*")):
            archive.write(file, file.relative_to(folder))
        metadata = f"Metadata-Version: 2.1\nName: acorns\nVersion: 1.0\nRequires-Dist: {needs}\n"
        archive.writestr(f"{info}/METADATA", metadata)
        archive.writestr(f"{info}/entry_points.txt", "[companion.games]\nacorns = acorns:GAME\n")
    return wheel


def test_an_entry_point_of_another_name_than_the_manifests_is_refused(run: Run, acorns: Path) -> None:
    changed(acorns / "pyproject.toml", 'acorns = "acorns:GAME"', 'oaks = "acorns:GAME"')
    why = "oaks: its entry point is called so, and its manifest otherwise: give both one name"

    assert only_line(run("game", "install", acorns)) == f"companion: {acorns}: cannot be played here: {why}"
    checked = run("game", "check", "./acorns", "--games", "0")
    assert (checked.code, checked.out) == (1, [why])


def listed(run: Run) -> list[str]:
    return [line for line in run("game", "list").out if line.startswith("acorns")]


@pytest.mark.slow
def test_a_new_game_is_installed_played_checked_and_removed(tmp_path: Path) -> None:
    def ended(*arguments: str | Path) -> Ended:
        return companion(*arguments, "--data", tmp_path / "data")

    # given a new game that was installed from its folder
    folder = tmp_path / "acorns"
    assert ended("game", "new", "acorns", folder).code == 0
    installed = ended("game", "install", folder)
    assert (installed.code, installed.err) == (0, ["acorns 0.1: acorns"])

    # when it is played in another process, then its rules answer
    take = {"do": "take", "player": "red", "card": "A03"}
    (tmp_path / "game.jsonl").write_text("\n".join(map(json.dumps, (START, take))))
    played = ended("play", tmp_path / "game.jsonl")
    assert played.json[-1]["position"]["players"]["red"]["points"] == 3
    checked = ended("game", "check", "acorns", "--games", "5")
    assert (checked.code, checked.out) == (0, [])

    # when it is removed, then nothing of it is left, and the program says so
    assert ended("game", "remove", "acorns").code == 0
    assert list((tmp_path / "data" / "games").iterdir()) == []
    assert ended("labels", tmp_path / "x.pdf", "--game", "acorns").code == 2


def test_a_game_is_installed_from_a_wheel_and_a_later_version_replaces_it(acorns: Path, run: Run) -> None:
    assert run("game", "install", acorns).err == ["acorns 0.1: acorns"]
    assert listed(run) == ["acorns: Acorns, acorns 0.1"]

    changed(acorns / "acorns" / "__init__.py", 'title="Acorns"', 'title="More Acorns"')
    assert run("game", "install", wheel_of(acorns)).err == ["acorns 1.0: acorns"]

    assert listed(run) == ["acorns: More Acorns, acorns 1.0"]
    assert [path.name for path in Path("home/companion/games").iterdir()] == ["acorns"]


def test_what_cannot_be_played_is_refused_in_words_and_the_earlier_version_stays(acorns: Path, run: Run) -> None:
    run("game", "install", acorns)
    for file, old, new, why in (
        ("acorns/__init__.py", "api_version=2", "api_version=99", "it was written for version 99 of the plug-in API"),
        ("acorns/__init__.py", "api_version=99", "api_version=2 + nothing", "NameError: name 'nothing' is not defined"),
        ("pyproject.toml", "companion.games", "other.games", "is no game: its pyproject.toml has no [project.entry"),
        ("pyproject.toml", 'version = "0.1"', "", "does not say name and version"),
    ):
        changed(acorns / file, old, new)
        line = only_line(run("game", "install", acorns))
        assert why in line

    assert [path.name for path in Path("home/companion/games").iterdir()] == ["acorns"]
    assert companion("game", "list", "--data", "home/companion").out[-1] == "acorns: Acorns, acorns 0.1"


def test_a_game_that_would_take_anothers_label_code_is_refused(acorns: Path, run: Run) -> None:
    for file in ("__init__.py", "rules.py"):
        changed(acorns / "acorns" / file, '"AC"', '"MB"')

    assert "its label code MB is that of master_builder" in only_line(run("game", "install", acorns))


def test_a_game_or_module_of_another_package_is_refused_until_that_is_removed(acorns: Path, run: Run) -> None:
    # given a game that is installed, and another package of it, and one whose module is called so
    run("game", "install", acorns)
    changed(acorns / "pyproject.toml", 'name = "acorns"', 'name = "zz-acorns"')
    run("game", "new", "zebras")
    changed(Path("zebras/pyproject.toml"), 'zebras = "zebras:GAME"', 'zebras = "acorns:GAME"')
    Path("zebras/zebras").rename("zebras/acorns")

    # when they are installed, then both are refused, and the first one stays
    taken = "acorns is a game of the package acorns: companion game remove acorns first"
    assert only_line(run("game", "install", acorns)) == f"companion: acorns: {taken}"
    named = "the package acorns has a module acorns too: give it another name, or companion game remove acorns first"
    assert only_line(run("game", "install", "zebras")) == f"companion: zebras: {named}"
    assert listed(run) == ["acorns: Acorns, acorns 0.1"]

    # when the first one is removed, then the other package is installed
    run("game", "remove", "acorns")
    assert run("game", "install", acorns).err == ["zz-acorns 0.1: acorns"]


def test_a_package_does_not_bring_the_modules_of_the_program(acorns: Path, run: Run) -> None:
    changed(acorns / "pyproject.toml", '"acorns:GAME"', '"companion:GAME"')
    (acorns / "acorns").rename(acorns / "companion")

    assert "brings a module companion, as the program itself is called" in only_line(run("game", "install", acorns))


def test_a_folder_is_checked_and_not_what_can_be_imported_by_its_name(
    acorns: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a module of the game's name in the Python environment, which cannot be read
    Path("environment").mkdir()
    Path("environment/acorns.py").write_text('raise RuntimeError("the one of the environment")')
    monkeypatch.syspath_prepend(str(Path("environment").resolve()))

    # when the folder is checked, then it is the folder's game, which has no fault
    checked = run("game", "check", "./acorns", "--games", "1")
    assert (checked.code, checked.out) == (0, [])

    # but it is not installed, since a table would be played by the other one
    line = only_line(run("game", "install", acorns))
    assert "its module acorns is in this Python environment already" in line


def test_bots_that_find_nothing_to_do_are_told_of_in_words(acorns: Path, run: Run) -> None:
    # given a game that offers nothing once a card was taken
    rules = acorns / "acorns" / "rules.py"
    changed(rules, "        return (Offer(", "        return () if position.state.hands.pairs else (Offer(")
    run("game", "install", acorns)

    tournament = run("tournament", "--game", "acorns", "--games", "1", "--players", "2")
    assert "the game of seed 1 has no end after 1 commands, in phase taking" in only_line(tournament)
    demo = run("demo", "--game", "acorns", "--headless", "--players", "2")
    assert demo.code == 1
    assert demo.err[-1] == "companion: the bots find nothing more to do in phase taking, and the game is not over"


def test_what_is_no_game_is_refused(acorns: Path, run: Run) -> None:
    Path("empty").mkdir()
    Path("torn-1.0-py3-none-any.whl").write_bytes(b"PK")
    with zipfile.ZipFile("library-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("library-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: library\nVersion: 1.0\n")

    for source, why in (
        ("empty", "empty: is no game: it has no pyproject.toml"),
        ("acorns/acorns", "it has no pyproject.toml; the folder above it has: name that"),
        ("nowhere.whl", "nowhere.whl: "),
        ("acorns/README.md", "is no wheel; name a .whl file"),
        ("torn-1.0-py3-none-any.whl", "is no whole wheel"),
        ("library-1.0-py3-none-any.whl", "is no game: it names none under the entry point companion.games"),
        (wheel_of(acorns, "acorns-1.0-cp311-cp311-linux_x86_64.whl"), "is built for one kind of machine only"),
        (wheel_of(acorns, needs="library>=1"), "needs the library library>=1, which is not here"),
    ):
        assert why in only_line(run("game", "install", source))
    assert list(Path("home/companion/games").iterdir()) == []

    # when the library's wheel is named too, then the game has it
    installed = run("game", "install", "acorns-1.0-py3-none-any.whl", "--with", "library-1.0-py3-none-any.whl")
    assert installed.err == ["acorns 1.0: acorns"]


def test_a_library_is_needed_in_its_version_and_where_its_marker_holds(acorns: Path, run: Run) -> None:
    for needs, why in (
        ("pydantic>=99", "needs the library pydantic>=99, and its version here is 2."),
        ("pydantic~=1.10", "needs the library pydantic~=1.10, and its version here is 2."),
        ("library; python_version >= '3.9'", "which is not here"),
    ):
        assert why in only_line(run("game", "install", wheel_of(acorns, needs=needs)))
    fitting = "pydantic (>=2, <99.1); python_version >= '3.9' and sys_platform != 'none'"
    for needs in (
        fitting,
        "tomli; python_version < '3.9'",
        "library; sys_platform == 'none'",
        "library; extra == 'more'",
    ):
        assert run("game", "install", wheel_of(acorns, needs=needs)).code == 0
        run("game", "remove", "acorns")


def test_only_what_was_installed_can_be_removed(run: Run) -> None:
    assert "master_builder was not installed by companion game install" in only_line(
        run("game", "remove", "master_builder")
    )
    assert "no game 'nuts' is installed" in only_line(run("game", "remove", "nuts"))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Acorns", "is no name for a game"),
        ("class", "is no name for a game"),
        ("men_at_work", "a game is called men_at_work already"),
        ("json", "a Python package is called json already"),
    ],
)
def test_a_name_that_is_taken_is_refused(name: str, why: str, run: Run) -> None:
    assert why in only_line(run("game", "new", name))
    assert not Path(name).exists()


def names_in_the_files() -> set[str]:
    """Return the names that a new game's own files define, import or use, written as names of games."""
    texts = [text for file, text in sample_files("my_game", "ZZ").items() if file.endswith(".py")]
    values = (value for text in texts for node in ast.walk(ast.parse(text)) for value in vars(node).values())
    identifiers = (value for value in values if isinstance(value, str) and value.isidentifier())
    return {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower().strip("_") for identifier in identifiers}


@pytest.mark.slow
def test_a_game_may_have_any_name_that_its_own_files_use(tmp_path: Path) -> None:
    # given a new game of each such name, but for those that are refused
    names = [name for name in names_in_the_files() if name and len(name) <= LONGEST_NAME and not iskeyword(name)]
    free = [name for name in names if find_spec(name) is None]
    usual = ("card", "state", "taking", "offer", "finished", "game_ended", "take", "player", "position")
    assert {*usual} <= {*free}
    free = of_all([*usual], free)
    for name in free:
        for file, text in sample_files(name, "ZZ").items():
            written = tmp_path / name / file
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(text.replace("games=20", "games=2"), encoding="utf-8")

    # when the tests are run that are written with them, then all of them pass
    folders = os.pathsep.join([str(Path(__file__).parents[2]), *(str(tmp_path / name) for name in free)])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"{name}/tests" for name in free)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": folders, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_a_folder_that_is_not_empty_is_left_alone_without_force(acorns: Path, run: Run) -> None:
    changed(acorns / "acorns" / "rules.py", "clockwise_order", "clockwise_order")
    (acorns / "acorns" / "rules.py").write_text("mine")

    assert "is not empty" in only_line(run("game", "new", "acorns"))
    assert (acorns / "acorns" / "rules.py").read_text() == "mine"
    assert run("game", "new", "acorns", "--force").code == 0
    assert (acorns / "acorns" / "rules.py").read_text() != "mine"


def test_a_game_that_cannot_be_loaded_is_checked_in_a_line(run: Run, acorns: Path) -> None:
    run("game", "install", acorns)
    changed(Path("home/companion/games/acorns/acorns/__init__.py"), "api_version=2", "api_version=1")
    for module in [module for module in sys.modules if module.partition(".")[0] == "acorns"]:
        del sys.modules[module]

    checked = run("game", "check", "acorns")

    assert checked.code == 1
    assert checked.out == [
        "acorns: it was written for version 1 of the plug-in API; this companion has version 2",
    ]


def test_a_game_that_is_not_installed_is_checked_in_its_folder_or_wheel(run: Run, acorns: Path) -> None:
    # given an earlier version that is installed, and a folder in which two names are misspelt since
    run("game", "install", acorns)
    words = acorns / "acorns" / "words" / "en.po"
    changed(words, 'msgid "CardTaken"', 'msgid "CardTakn"')
    changed(words, 'msgctxt "command"\nmsgid "take"', 'msgctxt "command"\nmsgid "tak"')

    # when the folder and a wheel of it are checked
    for source in (f"./{acorns}", wheel_of(acorns)):
        checked = run("game", "check", source, "--games", "1")

        # then both faults are named, and the installed version stays and has none
        assert checked.code == 1
        assert "CardTakn" in checked.out[0]
        assert "'tak'" in checked.out[0]
    assert run("game", "check", "acorns", "--games", "1").code == 0

    # and an install that is refused names both as well
    line = only_line(run("game", "install", acorns))
    assert "CardTakn" in line
    assert "'tak'" in line


def test_faults_of_cards_are_a_line_each_and_name_the_file_that_its_author_has(run: Run, acorns: Path) -> None:
    cards = acorns / "acorns" / "house.toml"
    changed(cards, "points = 1", 'points = "one"')
    changed(cards, "points = 3", 'points = "three"')

    checked = run("game", "check", f"./{acorns}", "--games", "1")

    assert checked.code == 1
    assert [line.partition(".toml:")[0] for line in checked.out] == ["acorns: acorns/acorns/house"] * 2


def test_a_game_beside_which_another_could_not_be_played_is_told_so_by_check_too(run: Run, acorns: Path) -> None:
    # given a game that is installed, and one whose name comes first and which has the same label code
    assert run("game", "new", "zebras").code == 0
    for file in ("__init__.py", "rules.py"):
        changed(acorns / "acorns" / file, '"AC"', '"ZE"')
    run("game", "install", "zebras")

    # when it is checked before it is installed, then the clash is named
    checked = run("game", "check", f"./{acorns}", "--games", "1")
    assert (checked.code, checked.out) == (1, ["zebras: its label code ZE is that of acorns"])


def test_no_backup_brings_a_game(run: Run, acorns: Path) -> None:
    # given a backup of a folder in which a game is installed
    run("pin", "4711")
    run("game", "install", acorns)
    assert run("backup", "all.backup").code == 0

    # when it is restored elsewhere, then the game is not there, and where it was it stays
    assert run("restore", "all.backup", "--data", "other").code == 0
    assert not Path("other/games").exists()
    assert run("restore", "all.backup").code == 0
    assert listed(run) == ["acorns: Acorns, acorns 0.1"]
