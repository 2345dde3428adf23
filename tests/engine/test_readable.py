# ruff: noqa: RUF001
"""Names of people: letters of every script, what hides in a name, and names that look the same."""

import unicodedata

import pytest

from companion.engine import readable
from companion.engine.readable import LONGEST_NORMALIZED, appearance, is_readable, join_words, shapes

PERSIAN, MALAYALAM = "علی\u200cرضا", "ന്\u200d"
CODER, ENGLAND, FAMILY = (
    "👩\u200d💻",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "👨\u200d👩\u200d👧\u200d👦",
)


@pytest.mark.parametrize(
    "name",
    ["Ada", "Łucja", "Zoë", PERSIAN, MALAYALAM, CODER, FAMILY, ENGLAND, "❤️", "🩷", "김민", "李", "O'Neil 2", "!"],
)
def test_letters_of_every_script_are_readable(name: str) -> None:
    assert is_readable(name)
    assert join_words(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "\u200d",
        "\u200c\u200d",
        "\u3164",
        "\u2800",
        "\u115f",
        "\uffa0",
        "\ufe0f",
        "\u034f",
        "\u0301",
        "\u00ad",
        "A\u202eda",
        "A\u200bda",
        "A\nda",
        "A\x00da",
        "\ufeffAda",
        "A\ud800",
        "\ue000",
        "A\U000e0067",
        "\U000e0067A",
    ],
)
def test_what_cannot_be_seen_is_not(name: str) -> None:
    assert not is_readable(name)


def test_a_joiner_that_joins_nothing_is_left_out() -> None:
    assert join_words(" \u200dAn\u200dna\u200c  Lena \u200d ") == "Anna Lena"
    assert join_words("Zoe\u0308") == "Zoë"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "Аdа"),  # Cyrillic
        ("KATE", "ΚΑΤΕ"),  # Greek
        ("Zoë", "Zoe\u0308"),
        ("Ada", "Ada\u3164"),
        ("Ada", "Ada\u2800"),
        ("Ada", "Ａｄａ"),
        ("Ann Lee", "Ann\u00a0Lee"),
        (PERSIAN, PERSIAN.replace("\u200c", "")),
        ("❤", "❤️"),
        ("Bill", "BiII"),
        ("Player 1", "Player l"),
        ("Bоb", "B0b".replace("0", "о")),
        ("dad", "ԁaԁ"),
        ("Gina", "Ԍina"),
        ("AB", "ᎪᏴ"),  # Cherokee
        ("PETER", "ᏢᎬᎢᎬᎡ"),
        ("vic", "ꮩꭵꮯ"),
        ("ANNA", "ꓮꓠꓠꓮ"),  # Lisu
        ("VICTOR", "ꓦꓲꓚꓔꓳꓣ"),
        ("KAY", "ꓗꓮꓬ"),
    ],
)
def test_names_that_look_the_same_are_found(name: str, other: str) -> None:
    assert appearance(name) == appearance(other)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Ada", "Adam"), ("Zoe", "Zoë"), ("Ann Lee", "Annlee"), ("👩", "👨"), ("Ada", "ada"), (CODER, "👩")],
)
def test_names_that_can_be_told_apart_are(name: str, other: str) -> None:
    assert appearance(name) != appearance(other)


def test_without_regard_to_case_names_share_a_shape() -> None:
    for name, other in (("Ada", "ada"), ("BILL", "bill"), ("Table I", "table l"), ("ANNA", "ꓮꓠꓠꓮ"), ("Аnna", "anna")):
        assert shapes(name) & shapes(other)
    for name, other in (("Ada", "Adam"), ("Table 2", "Table 3"), ("Zoe", "Zoë")):
        assert not shapes(name) & shapes(other)


def test_flags_that_begin_alike_are_told_apart() -> None:
    assert appearance(ENGLAND) != appearance("🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f")


@pytest.mark.parametrize(
    "endless", ["\u0301\u0316" * 500_000, "A" + "\u0316\u0301" * 500_000, "\u0301 \u0316" * 300_000]
)
def test_a_text_without_end_is_not_normalised(endless: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # given what counts the characters that are normalised, in a time that grows with their square
    normalized: list[int] = []

    def counting(form: str, text: str) -> str:
        normalized.append(len(text))
        return unicodedata.normalize(form, text)  # type: ignore[arg-type]

    monkeypatch.setattr(readable, "normalize", counting)

    # then those of an endless text are none, and it stays too long for a name
    assert len(join_words(endless)) > LONGEST_NORMALIZED
    assert appearance(endless)
    assert not normalized
    assert join_words(" " * 1_000_000 + "Ada  Lena") == "Ada Lena"
