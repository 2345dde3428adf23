"""Files of the tree: good file names, no trace of anybody's machine."""

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = {"__pycache__", "build", "dist", "test-artifacts", "node_modules"}
BINARY = {
    ".onnx",
    ".png",
    ".jpg",
    ".jpeg",
    ".jpegs",
    ".pdf",
    ".mp4",
    ".ico",
    ".whl",
    ".gif",
    ".avi",
    ".mjpeg",
    ".db",
    ".pyc",
}
MACHINE_PATH = re.compile(r"(?<![\w.~}\])>-])/(?:home|root|work|Users|opt(?!/companion))/\w")


def is_ours(name: str) -> bool:
    """Return whether a file or folder of this name is neither generated nor hidden."""
    return name not in GENERATED and (not name.startswith(".") or name in {".ci", ".gitignore"})


@cache
def files() -> list[Path]:
    """Return every file of the project that is not generated; folders of others are not entered."""
    result: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = filter(is_ours, folders)
        result += [path for name in names if is_ours(name) and (path := Path(folder, name)).is_file()]
    return sorted(result)


def texts() -> Iterator[tuple[Path, str]]:
    for path in files():
        if path.suffix not in BINARY:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")


def test_no_file_is_named_for_everything() -> None:
    vague = re.compile(r"(?:^|_)(?:utils?|helpers?|common|managers?|misc)$")
    assert not [path for path in files() if vague.search(path.stem)]


def test_nothing_names_a_path_of_somebodys_machine() -> None:
    offending = [(path, hit[0]) for path, text in texts() if (hit := MACHINE_PATH.search(text))]
    assert not offending


def test_no_typeface_of_others_lies_in_the_tree() -> None:
    typefaces = {".ttf", ".otf", ".ttc", ".woff", ".woff2", ".pfb"}
    assert not [path for path in files() if path.suffix.lower() in typefaces], "they come from libraries, ADR 30"


def test_only_tests_and_benchmarks_look_beside_the_checkout() -> None:
    sibling = "../" + "shared"
    offending = [path for path, text in texts() if sibling in text and path.parts[0] not in {"tests", "benchmarks"}]
    assert not offending


def test_every_package_says_what_it_is() -> None:
    for package in ("companion", "calibration"):
        for folder in {path.parent for path in (ROOT / package).rglob("*.py")}:
            start = folder / "__init__.py"
            assert start.is_file(), folder
            assert start.read_text(encoding="utf-8").lstrip().startswith('"""'), start


def test_every_package_has_its_folder_of_tests() -> None:
    # given the packages of the program and the folders of their tests
    packages = {path.parent.name for path in (ROOT / "companion").glob("*/__init__.py")}
    folders = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}

    # then each has its namesake, but for the simulator, which is a camera to the tests
    assert packages - folders == {"simulator"}


SMALL = 60
"""Lines."""
ON_THEIR_OWN = {"companion/game_api/letters.py"}
"""Small files that their only importer has no room for."""


def importers() -> dict[str, set[str]]:
    """Return, for each module of the program by its path, the paths of the modules that import it."""
    paths = {path.relative_to(ROOT) for path in (ROOT / "companion").rglob("*.py")}
    modules = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): str(path) for path in paths}
    by_path: dict[str, set[str]] = {str(path): set() for path in paths}
    for path in paths:
        for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
            names = [name.name for name in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names = [
                    f"{node.module}.{name}" if f"{node.module}.{name}" in modules else f"{node.module}"
                    for name in names
                ]
            for name in names:
                if name in modules:
                    by_path[modules[name]].add(str(path))
    return by_path


def test_a_small_file_that_only_its_neighbour_imports_belongs_into_that() -> None:
    alone = {
        path
        for path, users in importers().items()
        if len(users) == 1
        and Path(path).name not in {"__init__.py", "__main__.py"}
        and {Path(user).parent for user in users} == {Path(path).parent}
        and len((ROOT / path).read_text(encoding="utf-8").splitlines()) < SMALL
    }
    assert alone == ON_THEIR_OWN


def test_pages_fetch_nothing_from_strangers() -> None:
    foreign = re.compile(r"""(?:src|href|@import|url\(|from)\s*=?\s*["'(]?\s*(?:https?:)?//""")
    pages = [(path, text) for path, text in texts() if path.suffix in {".html", ".css", ".js", ".svg", ".j2"}]
    assert not [path for path, text in pages if foreign.search(text)]


def test_what_tests_share_is_in_no_test_file() -> None:
    # given the helpers of tests, and the benchmarks
    helpers = [
        path
        for top in ("tests", "benchmarks")
        for path in sorted((ROOT / top).rglob("*.py"))
        if not path.name.startswith("test_")
    ]

    # then none imports from a test file, which may be renamed as its subject is
    taken = re.compile(r"^\s*from (tests\.(?:\w+\.)*test_\w+) import", re.MULTILINE)
    assert [
        f"{path.relative_to(ROOT)}: {name}" for path in helpers for name in taken.findall(path.read_text("utf-8"))
    ] == []


def test_pages_are_waited_for_with_functions() -> None:
    # given all that tests wait for on pages
    awaited = re.compile(r"""wait_for_function\(\s*f?["'](?!\(|async|[a-z]+ *=>)""")
    expressions = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        for match in awaited.finditer(path.read_text(encoding="utf-8"))
    ]

    # then none is an expression: where it is not true at once, the pages' security policy forbids to evaluate it again
    assert expressions == []
