"""The documents say what is true."""

import re
from pathlib import Path

import pytest

from benchmarks.structure.sources import Sources
from companion.game_api.manifest import Manifest
from tests.house import api_document, names, rules_document

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
LONGEST_README = 120
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(document: Path) -> None:
    for target in LINK.findall(document.read_text(encoding="utf-8")):
        if re.match(r"https?:|mailto:", target):
            continue
        name, _, section = target.partition("#")
        page = (document.parent / name).resolve() if name else document
        assert page.exists(), target
        if section:
            assert section in map(anchor, HEADING.findall(page.read_text(encoding="utf-8"))), target


@pytest.mark.parametrize("game", rules_document.GAMES, ids=lambda game: game.name)
def test_a_first_program_learns_which_seats_each_game_has(game: Manifest) -> None:
    text = " ".join((ROOT / "docs" / "interfaces.md").read_text(encoding="utf-8").split())

    assert f"`{game.name}` {', '.join(f'`{colour}`' for colour in game.seats.colours)}" in text


def test_every_command_in_the_documents_exists() -> None:
    from companion.cli import MODULES

    texts = (document.read_text(encoding="utf-8") for document in DOCUMENTS)
    named = {name for text in texts for name in re.findall(r"(?:\./run|`companion) ([a-z]+)", text)}
    assert named <= set(MODULES)


def test_the_page_of_commands_has_a_row_for_every_command() -> None:
    from companion.cli import MODULES

    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert not [name for name in MODULES if not re.search(rf"^\| `\./run {name}\b", text, re.MULTILINE)]


def test_the_readme_shows_the_product_first_and_is_short() -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first = [next(number for number, line in enumerate(lines) if line.startswith(begin)) for begin in ("![", "./run")]
    assert first == sorted(first)
    assert len(lines) <= LONGEST_README


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_files_that_documents_name_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = re.findall(r"`((?:companion|calibration|templates|tests|deploy|docs|benchmarks)/[\w./-]*)`", text)
    assert not [name for name in named if not (ROOT / name).exists()]


def test_every_decision_is_in_the_index_in_order() -> None:
    folder = ROOT / "docs" / "adr"
    files = sorted(path.name for path in folder.glob("[0-9]*.md"))
    index = LINK.findall((folder / "README.md").read_text(encoding="utf-8"))
    assert [target for target in index if re.match(r"\d", target)] == files
    assert [int(name[:4]) for name in files] == list(range(1, len(files) + 1))


def test_every_decision_has_status_context_decision_and_consequences() -> None:
    for path in (ROOT / "docs" / "adr").glob("[0-9]*.md"):
        headings = HEADING.findall(path.read_text(encoding="utf-8"))
        assert headings[1:] == ["Status", "Context", "Decision", "Consequences"], path.name


def test_the_code_map_names_every_package() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    packages = [path.parent.name for path in ROOT.glob("companion/*/__init__.py")]
    assert not [name for name in packages if f"`companion/{name}/`" not in text]


def test_the_counts_of_the_architecture_are_those_of_the_tree_and_meet_their_targets() -> None:
    # given what is counted without running anything
    sources = Sources()
    openings = sources.docstring_openings()
    counted = {
        "code files": len(sources.paths),
        "import edges": len(sources.imports()),
        "docstrings of functions": sum(openings[verb] for verb in ("Give", "Say", "Tell", "Take")),
    }

    # then the page has these figures in the column *now*
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for name, count in counted.items():
        row = re.search(rf"^\| {name}[^|]*\|[^|]*\|[^|]*\| ([\d,]+) \| (?:at most )?([\w,]+) \|$", text, re.MULTILINE)
        assert row, name
        assert row[1] == f"{count:,}", f"{name}: python -m benchmarks.structure counts"
        assert count <= int(row[2].replace(",", "").replace("none", "0")), name


def words_of_code(place: str) -> str:
    """Return the words of a file, a folder or, named without the path of a game, of those of all games."""
    paths = [ROOT / place] if (ROOT / place).exists() else sorted(ROOT.glob(f"companion/games/*/{place.rstrip('/')}"))
    files = (file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path]))
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", text).lower()


def test_the_words_of_the_glossary_are_the_words_of_the_code_that_it_names() -> None:
    # given the terms in bold type, each with where it lives
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\*\*[^|]+) \|[^|]*\|([^|]*)\|", text, re.MULTILINE)
    terms = {
        (term.strip().lower().replace("-", " "), place)
        for row, places in rows
        for term in re.sub(r" \(.*\)", "", row).replace("*", "").split(",")
        for place in re.findall(r"`([\w.]+/[\w./]*)`", places)[:1] or [""]
    }

    # then each is a whole word of that code, or of its identifiers
    assert terms
    assert not {term for term, place in terms if not re.search(rf"\b{term}(?:e?s)?\b", words_of_code(place or "-"))}


def test_the_places_that_the_glossary_names_exist() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    places = re.findall(r"`((?:companion|calibration|tests)/[\w./-]*)`", text)
    assert places
    assert not [place for place in places if not (ROOT / place).exists()]


def test_the_names_that_the_glossary_replaces_are_forbidden_in_code() -> None:
    rows = re.findall(
        r"^\| .*\| ([^|]*) \|$", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    replaced = {name for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert replaced
    assert not replaced - set(names.forbidden_names())


def test_the_types_that_the_glossary_names_are_where_it_says() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for name, place in re.findall(r"`(\w+)` in `([\w./]+\.py)`", text):
        assert re.search(rf"^(?:class |def )?{name}\b", (ROOT / place).read_text(encoding="utf-8"), re.MULTILINE), name


@pytest.mark.parametrize("game", rules_document.GAMES, ids=lambda game: game.name)
def test_the_page_of_rules_and_refusals_is_what_the_code_says(game: Manifest) -> None:
    said = rules_document.document(game).read_text(encoding="utf-8")
    assert said == rules_document.written(game), "write it anew: python -m tests.house.rules_document"


def test_the_reference_of_the_plug_in_api_is_what_its_docstrings_say() -> None:
    said = api_document.PAGE.read_text(encoding="utf-8")
    assert said == api_document.document(), "write it anew: python -m tests.house.api_document"


def test_the_reference_of_the_plug_in_api_has_every_module() -> None:
    modules = {path.stem for path in (ROOT / "companion" / "game_api").glob("[a-z]*.py")}
    described = {name.partition("/")[2] for part in api_document.PARTS.values() for name in part}
    assert modules <= {*described, *api_document.HOUSE}


def test_every_promise_of_security_names_a_test() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    promises = re.findall(r"^\| (?!promise|---)(.+) \|$", text, re.MULTILINE)
    assert promises
    assert not [promise for promise in promises if not re.search(r"\| `tests/", promise)]


def rows_with_tests(text: str) -> list[str]:
    """Return the rows of all tables whose last column is for tests."""
    tables = re.findall(r"^\|.* \| test \|\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [row for table in tables for row in table.splitlines()]


@pytest.mark.parametrize("name", ["security.md", "reliability.md"])
def test_every_row_of_what_is_promised_names_tests_that_exist(name: str) -> None:
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    rows = rows_with_tests(text)
    assert len(rows) == sum(line.startswith("| ") and not line.endswith("| test |") for line in text.splitlines()) > 0
    assert [row for row in rows if not NAMED_TEST.search(row.rsplit(" | ", 1)[1])] == []
    assert [row for row in rows if "tests/" in NAMED_TEST.sub("", row.rsplit(" | ", 1)[1])] == [], "a file, and no test"
    assert [
        f"{path}::{test}"
        for path, test in NAMED_TEST.findall(text)
        if not re.search(rf"^def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)
    ] == []


def test_the_changelog_keeps_a_place_for_what_comes() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
