"""Names, sizes and docstrings follow the rules; what does not yet is counted, and a count may only fall."""

import ast
from collections.abc import Iterator

import pytest

from tests.house.names import (
    NOT_FIRST,
    ROOT,
    RULES,
    allowed_counts,
    false_returns,
    first_words,
    identifiers,
    kept_docstrings,
    kept_names,
    persons_in,
    public_types,
    script_identifiers,
    second_texts,
    statements,
    style_classes,
    top_counts,
)


@pytest.mark.parametrize("rule", RULES)
def test_no_folder_breaks_a_rule_more_often_than_it_is_still_allowed(rule: str) -> None:
    # given what is still to be cleaned up in each folder
    allowed = allowed_counts()[rule]

    # when the tree is searched
    left = top_counts([rule])[rule]

    # then no folder has more; `python -m tests.house.names FOLDER` lists them
    assert [f"{name}: {count}" for name, count in left.items() if count > allowed.get(name, 0)] == []


def test_types_are_classes_and_aliases_with_a_public_name() -> None:
    module = ast.parse(
        "class Card: ...\nclass _Card: ...\nJson = dict[str, int]\nMOST = 3\nname = 'x'\nF: type = int\n"
    )
    assert list(public_types(module)) == [("Card", 1), ("Json", 3)]


def test_the_first_word_of_a_docstring_is_read_without_its_comma() -> None:
    module = ast.parse('"""Cards."""\ndef card():\n    """Return, if any, the card."""\n')
    assert list(first_words(ast.walk(module))) == [(1, "", "Cards"), (2, "card", "Return")]


def test_a_function_that_returns_nothing_does_not_say_that_it_does() -> None:
    code = """
class Counter:
    def __init__(self, count):
        "Return the count."
    def reset(self) -> None:
        "Return to zero."
    def count(self) -> int:
        "Return the count."
    def first(self) -> int | None:
        "Return the first count, if any."
    def close(self) -> None:
        "Release the counter."
"""
    assert list(false_returns(ast.walk(ast.parse(code)))) == [(3, "__init__"), (5, "reset")]


def test_a_text_that_follows_a_text_describes_nothing() -> None:
    code = """
LENGTH = 3
WIDTH = 4
"Of a card."
"Of its label."
class Card:
    "A card."
    side = 1
    "In millimetres."
"""
    assert list(second_texts(ast.walk(ast.parse(code)))) == [5]


def test_persons_are_found_in_docstrings_and_comments_of_tests_and_in_values_of_the_program_too() -> None:
    code = '''"""The player and
what he holds."""
text = "he said"  @ as HIS phone shows it
def bid(him):
    "What they bid."
    return "#he"
'''
    code = code.replace("@", "#")
    module = ast.parse(code)
    assert list(persons_in(code, statements(module))) == [(2, "he"), (3, "HIS")]
    assert list(persons_in(code, ast.walk(module))) == [(2, "he"), (3, "he"), (6, "he")]


def test_identifiers_are_found_wherever_code_may_name_them() -> None:
    code = "import one.two as three\nfrom four import five\ndef six(seven): return f'{eight.nine(ten=11)} said'\n"
    assert sorted(name for _, name in identifiers(ast.walk(ast.parse(code)))) == sorted(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )


def python_identifiers(text: str) -> Iterator[tuple[int, str]]:
    return identifiers(ast.walk(ast.parse(text)))


def test_identifiers_of_scripts_are_found_and_words_are_not() -> None:
    script = """// one comment
import { two } from "./three.js"; /* four
five */ const six = `seven ${eight["nine"] ? "ten" : eleven} 'twelve`;
thirteen.fourteen('fif"teen');
"""
    words = {"import", "from", "const"}
    assert [each for each in script_identifiers(script) if each[1] not in words] == [
        (2, "two"),
        (3, "six"),
        (3, "eight"),
        (3, "eleven"),
        (4, "thirteen"),
        (4, "fourteen"),
    ]


def test_classes_of_style_sheets_are_found_in_selectors_alone() -> None:
    sheet = """/* .one */
.two > li.three-four:not(.five) {
  margin: 0.5em; background: url("six.svg");
}
@media (width < 40em) {
  .seven {
    top: 1.5rem;
  }
}
"""
    assert list(style_classes(sheet)) == [(2, "two"), (2, "three-four"), (2, "five"), (6, "seven")]


def test_a_kept_name_is_still_written_in_its_file() -> None:
    # given the stored and public names that files keep
    kept = kept_names()

    # when each file is read
    reads = {".js": script_identifiers, ".css": style_classes}
    written = {
        path: {name for _, name in reads.get(path.suffix, python_identifiers)((ROOT / path).read_text("utf-8"))}
        for path in kept
    }

    # then none is listed that is gone
    assert {str(path): kept[path] - written[path] for path in kept if kept[path] - written[path]} == {}


def test_a_kept_docstring_still_begins_as_no_other_may() -> None:
    # given the docstrings that stay because they are published
    kept = kept_docstrings()

    # when each file is read
    forbidden = {
        path: {
            name
            for _, name, first in first_words(ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))))
            if first in NOT_FIRST
        }
        for path in kept
    }

    # then none is listed that is gone or that begins as any other
    assert {str(path): kept[path] - forbidden[path] for path in kept if kept[path] - forbidden[path]} == {}
