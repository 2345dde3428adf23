"""The largest text that each parser of files takes is read, or refused, within seconds and megabytes."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.bounded_toml import MAX_DOTS, MAX_NESTING, MAX_WORD, parse_toml
from companion.adapters.catalogs import MAX_FILE_BYTES, MAX_SHARED_BYTES
from tests.resource_use import measure, needs_peak_memory

TEXTS = {
    "blank lines": "\n",
    "lines of blanks": " \n",
    "one line of blanks": " ",
    "dots": "a.",
    "quoted dots": "'a'.",
    "dots in a table": "x={a" + ".a" * 100_000,
    "dots in a header": '["a"' + '."a"' * 100_000,
    "keys below a long header": "[a.a.a.a.a.a.a.a.a.a]\n" + "".join(f"b{number}=1\n" for number in range(100_000)),
    "tables": "".join(f"[a{number}]\n" for number in range(100_000)),
    "cards": "[[worker]]\n",
    "contracts": "[[contract]]\n",
    "unknown keys": "".join(f"wqrker{number}=1\n" for number in range(100_000)),
    "brackets": "x=" + "[" * 1_000_000,
    "long paths": "x=" + "{a.a.a.a.a.a.a.a.a.a=" * 19 + "{" + "".join(f"b{n}.a.a.a.a.a.a=1," for n in range(50_000)),
    "items deep in lists": "x=" + "[" * 19 + "1," * 500_000,
    "signs of comments": "#",
    "comments": "#\n",
    "figures": "number=0x" + "F" * 1_000_000,
    "escapes": 'x="' + "\\n" * 500_000,
    "quotes": 'x="""' + '"\n' * 500_000,
    "escaped quotes": 'x="' + '\\"' * 500_000,
    "items": "x=[" + "1," * 500_000,
}
"""Repeated, or cut, to the size that is wanted; each begins like a catalog."""


def filled(name: str, size: int) -> bytes:
    """Return the text of that name at exactly that size."""
    begun = 'game = "master_builder"\n'
    return (begun + TEXTS[name] * (size // len(TEXTS[name]) + 1)).encode()[:size]


READ = """
for path in sorted(Path(sys.argv[1]).iterdir()):
    started = time.process_time()
    assert path.name.startswith("blank") or read_declared_game(path) == "master_builder"
    for box in cards:
        try:
            load(path, box)
        except CatalogError as error:
            assert len(error.faults) <= 201, path
            assert sum(map(len, error.faults)) < 100_000, path
        else:
            raise AssertionError(path)
    print(f"{time.process_time() - started:06.2f} {path.name}")
"""


@needs_peak_memory
@pytest.mark.parametrize(
    ("size", "load", "games", "seconds", "megabytes"),
    [
        pytest.param(MAX_SHARED_BYTES, "load_shared_catalog", 1, 5, 100, marks=pytest.mark.slow),
        pytest.param(MAX_FILE_BYTES, "load_catalog", 3, 30, 300, marks=pytest.mark.nightly),
    ],
    ids=["somebody else's", "one's own"],
)
def test_a_catalog_of_the_largest_size_is_checked_within_seconds_whatever_stands_in_it(
    tmp_path: Path, size: int, load: str, games: int, seconds: float, megabytes: float
) -> None:
    # given files as large as may be
    for name in TEXTS:
        (tmp_path / f"{name}.toml").write_bytes(filled(name, size))

    # when each is read for one game, or for each
    preparation = f"""
from companion.adapters.catalogs import CatalogError, {load} as load, read_declared_game
from companion.bootstrap.games import find_games

cards = [game.cards() for game in find_games().manifests.values()][:{games}]
"""
    use = measure(preparation, READ, tmp_path)

    # then none takes long, and all are refused in few words
    assert len(use.printed) == len(TEXTS)
    slowest = max(use.printed)
    assert float(slowest.split()[0]) < seconds, slowest
    assert use.megabytes < megabytes


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"\na{'.a' * (MAX_DOTS + 1)} = 1", f"more than {MAX_DOTS} dots in a key (at line 2, column 22)"),
        (f"x = {{'a'{'.a' * (MAX_DOTS + 1)} = 1}}", f"more than {MAX_DOTS} dots"),
        (f"x = {'[' * (MAX_NESTING + 1)}", f"more than {MAX_NESTING} deep"),
        (f"x = {'9' * (MAX_WORD + 1)}", f"more than {MAX_WORD} letters"),
    ],
)
def test_what_is_beyond_the_bounds_is_refused_with_its_place(text: str, reason: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as refused:
        parse_toml(text)

    assert reason in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        f"a{'.a' * MAX_DOTS} = 1",
        f"x = {'[' * MAX_NESTING}{']' * MAX_NESTING}",
        f"x = {'9' * MAX_WORD}",
        "x = '" + "." * 999 + "[" * 999 + "9" * 999 + "'\n",
        'x = """\n' + "a.a" * 999 + '\\"""" # ' + "." * 99 + "[" * 99 + "\n",
        "x = '''" + "[" * 99 + "''''\ny = [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5]",
    ],
)
def test_what_is_within_the_bounds_is_read_as_before(text: str) -> None:
    assert parse_toml(text) == tomllib.loads(text)


@given(st.text(st.sampled_from("ab=.[]{}\"'\\\n#, 1"), max_size=60))
def test_texts_of_all_kinds_are_read_or_refused_as_before(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(tomllib.TOMLDecodeError):
            parse_toml(text)
    else:
        assert parse_toml(text) == expected
