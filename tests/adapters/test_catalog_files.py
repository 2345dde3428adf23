"""Catalog files: each fault with its line, all of them at once, and never a crash."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters import catalogs as catalog_files
from companion.adapters.catalogs import MAX_FILE_BYTES
from companion.game_api.catalog_parsing import CatalogError
from companion.games.master_builder.rules.catalog import Catalog
from tests.opened import CARDS

HOUSE = CARDS.bundled["house"].read_text("utf-8")


def load_catalog(path: Path) -> Catalog:
    result: Catalog = catalog_files.load_catalog(path, CARDS)
    return result


def named_catalog(name: str, folder: Path | None = None) -> Catalog:
    result: Catalog = catalog_files.load_named_catalog(name, CARDS, folder)
    return result


def chosen_catalog(name: str, folder: Path | None = None) -> Catalog:
    result: Catalog = catalog_files.load_chosen_catalog(name, CARDS, folder)
    return result


Changed = Callable[..., list[str]]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


def faults_of(path: Path) -> list[str]:
    """The faults, each without the folder before the file's name."""
    with pytest.raises(CatalogError) as caught:
        load_catalog(path)
    assert str(caught.value) == "\n".join(caught.value.faults)
    assert all("\n" not in fault for fault in caught.value.faults)
    return [fault.removeprefix(f"{path.parent}/") for fault in caught.value.faults]


@pytest.fixture
def changed(tmp_path: Path) -> Changed:
    """The faults of the House deck with some of its text replaced (once each)."""

    def change(*replacements: tuple[str, str]) -> list[str]:
        text = HOUSE
        for old, new in replacements:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "box.toml"
        path.write_text(text, "utf-8")
        return faults_of(path)

    return change


def test_the_house_deck_is_valid_MB_09_MB_10() -> None:  # noqa: N802 - the examples' numbers
    house = load_catalog(CARDS.bundled["house"])
    assert house == named_catalog("house") == chosen_catalog("house") == chosen_catalog(str(CARDS.bundled["house"]))
    assert house.contracts[7].name == "Counting House"
    assert dict(house.contracts[7].names) == {"fr": "Maison des comptes", "de": "Kontorhaus"}
    assert house.events[1].effects[0].quirk == ("W",)


ROOF = line_of(HOUSE, 'roof-1 = ["A", "F"]')
FIRST_WORKER = line_of(HOUSE, "[[worker]]")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('roof-1 = ["A", "F"]', "roof-1 = []", f"box.toml:{ROOF}: contract 8, sections.roof-1: 0 workers cannot"),
        ('roof-1 = ["A", "F"]', 'roof-1 = "A"', f"box.toml:{ROOF}: contract 8, sections.roof-1: 'A' is no list: "),
        (
            'roof-1 = ["A", "F"]',
            'roof-1 = ["A", "X"]',
            f"box.toml:{ROOF}: contract 8, sections.roof-1.2: 'X' is none of A T F MC: write one of them in quotes",
        ),
        ("price = 80_000", "price = 80_500", "contract 8, price: 80500 is no amount: write whole thousands"),
        ("price = 80_000", "price = 80_000.0", "contract 8, price: 80000.0 is no whole number"),
        ("price = 80_000", "price = true", "contract 8, price: true is no whole number"),
        ("price = 80_000", "price = " + "9" * 200, "contract 8, price: larger than 1000000"),
        ("price = 80_000", "price = [1]", "contract 8, price: a list of 1 is no whole number"),
        ("price = 80_000", "price = {a = 1}", "contract 8, price: a table is no whole number"),
        ("price = 80_000\n", "", "contract 8, price: missing: write price = 90_000"),
        ("price = 80_000", "prize = 80_000\nprice = 80_000", "contract 8, prize: unknown key: did you mean price?"),
        ("number = 8", "number = 0x" + "f" * 200, "contract no. 8, number: larger than 1000000"),
        ('id = "W01"', 'id = "\\n"', "worker no. 1, id: there is no"),
        ("number = 8\n", "", "contract no. 8, number: missing: write number = 8"),
        ("number = 8", 'number = "8"', "contract 8, number: '8' is no whole number"),
        ('name = "Counting House"', "name = 3", "contract 8, name: 3 is no text: put it into quotes"),
        ('name = "Counting House"', f'name = "{"x" * 61}"', "contract 8, name: 61 characters: keep it to 60"),
        ('kind = "city_wall"', 'kind = "castle"', "contract 1, kind: 'castle' is none of house city_wall"),
        ('kind = "city_wall"\n', "", 'contract 1, kind: missing: write kind = "house"'),
        ('kind = "city_wall"', 'kind = "house"', "contract 1, kind: 1, 2, 7 and 12 are city walls"),
        ('id = "W01"', 'id = "W99"', "worker W99, id: there is no W99: the ids go from W01 to W40"),
        ('id = "W01"', 'id = "W02"', "worker W02, id: W02 is here a second time"),
        ('id = "W01"', "id = 1", "worker 1, id: 1 is no text"),
        ('type = "MC"\n', 'type = "Mc"\n', f"box.toml:{FIRST_WORKER + 2}: worker W01, type: 'Mc' is none of"),
        ('quirks = ["S"]', 'quirks = ["Z"]', "worker W01, quirks.1: 'Z' is none of S D W N H"),
        ('quirks = ["S"]', "quirks = []", "worker W01, quirks: a worker has 1 to 3 quirks, here are 0"),
        ("effects = [{do = ", "effect = [{do = ", "event E02, effects: missing: write effects = "),
        ('do = "raze", count = 1', 'do = "raze"', "event E15, effects.1: raze needs count"),
        ('do = "raze", count = 1', 'do = "rase", count = 1', "event E15, effects.1.do: 'rase' is none of"),
        ('quirk = ["W"]', "quirk = []", "event E02, effects.1.quirk: an empty list chooses nobody"),
        ('effects = [{do = "unavailable", quirk = ["W"]}]', "effects = 3", "event E02, effects: 3 is no list"),
        ('effects = [{do = "unavailable", quirk = ["W"]}]', "effects = [3]", "event E02, effects.1: 3 is no table"),
        ("reveal = [0, 1, 1]", "reveal = [0, 1]", "economy Y01, reveal: a list of 2 is not a list of 3 whole"),
        ("reveal = [0, 1, 1]", "reveal = [0, -1, 1]", "economy Y01, reveal.2: -1 contracts cannot be turned up"),
        ("reveal = [0, 1, 1]\n", "", "economy Y01, reveal: missing: write reveal = [0, 1, 1]"),
        ("{fr = ", "{French = ", "contract 1, names.French: no language: write its two small letters"),
        ("names = {", "names = 3 #", "contract 1, names: 3 is no table"),
        (
            "[contract.sections]",
            "sections = 3\n[contract.parts]",
            "contract 1, sections: 3 is no table: write a section",
        ),
        ("[contract.sections]", "[contract.parts]", "contract 1, sections: missing: write sections = "),
        ('game = "master_builder"', "game = 2020-01-01", "game: 2020-01-01 is no text"),
        ('name = "House deck"', 'name = ["' + "x" * 99 + '"]', "name: a list of 1 is no text"),
        ('type = "MC"\n', f'type = "{"x" * 99}"\n', f"worker W01, type: '{'x' * 36}... is none of"),
        ("price = 80_000", "price = [" + "9" * 200 + "]", "contract 8, price: a list of 1 is no whole"),
        ('name = "Counting House"', "name = " + "9" * 200, "contract 8, name: a very large number is no text"),
        ("invented = true", 'invented = "yes"', "invented: 'yes' is neither true nor false"),
        ('game = "master_builder"', 'game = "chess"', "game: 'chess' is another game"),
        ('name = "House deck"\n', "", 'box.toml:1: name: missing: write name = "..."'),
        ('name = "House deck"', 'title = "House deck"', "title: unknown key: take it out; known here are game"),
    ],
)
def test_each_kind_of_fault_is_told_with_its_place(changed: Changed, old: str, new: str, fault: str) -> None:
    assert any(fault in result for result in changed((old, new)))


def test_one_slip_gives_one_fault(changed: Changed) -> None:
    for old, new in [
        ('type = "MC"\n', 'type = "Mc"\n'),
        ("number = 8", "number = 8.0"),
        ('kind = "city_wall"', 'kind = "house"'),
        ('kind = "city_wall"', "kind = 1"),
        ('roof-1 = ["A", "F"]', "roof-1 = 1"),
        ('id = "E05"', "id = 5"),
        ('do = "raze", count = 1', 'do = "rase", count = 1'),
        ("reveal = [0, 1, 1]", "reveal = 3"),
        ("amount = 3_000", 'amount = "3_000"'),
    ]:
        assert len(changed((old, new))) == 1, (old, new)


def test_all_faults_come_at_once_in_the_order_of_the_file(changed: Changed) -> None:
    faults = changed(
        ('game = "master_builder"', 'game = "master_builder"\ncolour = 3'),
        ("price = 46_000", "price = 46_001"),
        ('roof-1 = ["A", "F"]', "roof-1 = []"),
        ('type = "MC"\n', 'type = "Mc"\n'),
        ('quirks = ["D"]', "quirks = []"),
        ("reveal = [2, 3, 3]", "reveal = [2, 3, -3]"),
    )
    assert [fault.split(": ")[1] for fault in faults] == [
        "colour",
        "contract 1, price",
        "contract 8, sections.roof-1",
        "worker W01, type",
        "worker W02, quirks",
        "economy Y11, reveal.3",
    ]
    lines = [int(fault.split(":")[1]) for fault in faults]
    assert lines == sorted(lines)


def test_counts_are_told_at_the_first_table_of_their_kind_MB_01_MB_02_MB_03(changed: Changed) -> None:  # noqa: N802
    faults = changed(('[[worker]]\nid = "W01"\ntype = "MC"\nwage = 5_000\nquirks = ["S"]\n', ""))
    assert faults == [
        f"box.toml:{FIRST_WORKER + 1}: worker: 40 [[worker]] tables belong in the box, here are 39: add 1",
        f"box.toml:{FIRST_WORKER + 1}: worker: W01 missing: give each id to one card",
        f"box.toml:{FIRST_WORKER + 1}: worker: 8 workers of type MC belong in the box, here are 7: add 1",
    ]


def test_an_empty_file_lacks_everything(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_text("")
    assert len(faults_of(path)) == 6


def test_a_kind_of_card_that_is_no_list_is_one_fault(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('game = "master_builder"\nname = "x"\ncontract = 1\nworker = [1, 2]\n')
    faults = faults_of(path)
    assert "box.toml:3: contract: 1 is no list of tables" in faults
    assert "box.toml:4: worker no. 2: 2 is no table: write keys and values here" in faults
    assert "box.toml:4: worker: 40 [[worker]] tables belong in the box, here are 2: add 38" in faults
    assert len(faults) == 6


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"a = 1\nb = = 2\n", "box.toml:2: no TOML: Invalid value (column 5): mend this first"),
        (b"a = 1\na = 2\n", "box.toml:2: no TOML: Cannot overwrite a value (column 6): mend this first"),
        (b"a = 1\nb = [\n", "box.toml:2: no TOML: Invalid value (at the end): mend this first"),
        (b"a = 1\nb = '\xff'\n", "box.toml:2: not UTF-8: save the file as UTF-8"),
        (b"a = " + b"[" * 50_000, "box.toml:1: no TOML: brackets within brackets, more than 20 deep (column 25)"),
        (b"a = " + b"1" * 5_000, "box.toml:1: no TOML: more than 250 letters without a blank (column 5)"),
        (b"a = 1\nb" + b'."c"' * 11 + b" = 1", "box.toml:2: no TOML: more than 10 dots in a key (column 42)"),
        (b"#" * (MAX_FILE_BYTES + 1), f"box.toml: larger than {MAX_FILE_BYTES} bytes: this is no catalog"),
    ],
)
def test_what_is_no_toml_is_one_clear_line(tmp_path: Path, content: bytes, fault: str) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(content)
    (result,) = faults_of(path)
    assert result.startswith(fault)


def test_what_is_no_file_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert faults_of(tmp_path / "none.toml") == ["none.toml: no such file"]
    assert faults_of(tmp_path / "folder") == ["folder: is a folder, not a file"]
    assert faults_of(tmp_path / "pipe") == ["pipe: not an ordinary file: name a TOML file"]
    assert "cannot be read" in faults_of(tmp_path / ("x" * 300))[0]
    assert "cannot be read" in faults_of(tmp_path / "nul\0")[0]


def test_marks_and_line_ends_of_other_systems_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(b"\xef\xbb\xbf" + HOUSE.replace("\n", "\r\n").encode())
    assert load_catalog(path) == named_catalog("house")


def test_the_catalogs_of_an_installation_have_names(tmp_path: Path) -> None:
    (tmp_path / "my-box.toml").write_text(HOUSE.replace("House deck", "My box"), "utf-8")
    (tmp_path / "Not A Name.toml").write_text("")
    (tmp_path / "house.toml").write_text("")
    assert catalog_files.list_catalog_names(CARDS, tmp_path) == ("house", "my-box")
    assert named_catalog("my-box", tmp_path).name == chosen_catalog("my-box", tmp_path).name == "My box"
    assert named_catalog("house", tmp_path).name == "House deck"


@pytest.mark.parametrize("name", ["nobody", "../house", "", "my box", "nul\0", "x" * 500])
def test_an_unknown_name_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    with pytest.raises(CatalogError, match="known are house"):
        named_catalog(name, tmp_path)


def test_what_is_no_known_name_may_be_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("box").write_text(HOUSE, "utf-8")
    assert chosen_catalog("box").name == "House deck"
    with pytest.raises(CatalogError, match=r"box\.toml: no such file"):
        chosen_catalog("box.toml")
    with pytest.raises(CatalogError, match="no catalog is called 'nobody'"):
        chosen_catalog("nobody")


SCRAPS = st.sampled_from(
    ["[", "]", "{", "}", '"', "'", "=", ",", "#", "\n", "\\", "0", "true", "[[worker]]\n", '"""', "é", "\0"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(HOUSE)), st.integers(0, 60), SCRAPS), min_size=1, max_size=3))
def test_a_damaged_file_is_a_catalog_or_a_list_of_faults(
    tmp_path_factory: pytest.TempPathFactory, damage: list[tuple[int, int, str]]
) -> None:
    text = HOUSE
    for start, length, scrap in damage:
        text = text[:start] + scrap + text[start + length :]
    path = tmp_path_factory.mktemp("damaged") / "box.toml"
    path.write_text(text, "utf-8")
    workers = 0
    faults: tuple[str, ...] = ()
    try:
        workers = len(load_catalog(path).workers)
    except CatalogError as error:
        faults = error.faults
    assert workers == 40 or faults
    assert all(fault.startswith(str(path)) and "\n" not in fault for fault in faults)
