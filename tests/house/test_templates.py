"""How templates, style sheets and scripts are laid out: no line and no file that nobody can read."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST, MOST_LINES = 120, 500
LAID_OUT = ("templates/**/*.html", "companion/**/static/**/*.css", "companion/**/static/**/*.js")


@pytest.mark.parametrize("which", LAID_OUT)
def test_no_line_is_longer_than_a_screen_is_wide(which: str) -> None:
    templates = list(ROOT.glob(which))

    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in templates
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST
    ]

    assert templates
    assert long == []


@pytest.mark.parametrize("which", LAID_OUT)
def test_no_file_is_longer_than_five_hundred_lines(which: str) -> None:
    long = [path.name for path in ROOT.glob(which) if len(path.read_text("utf-8").splitlines()) > MOST_LINES]

    assert long == []


def test_no_template_sets_a_colon_in_its_own_letters() -> None:
    # a colon between what is shown stands after a space in French, so that each language's words have it
    between = re.compile(r"\}\}: |>[^<>{}:;]*: \{\{")
    colons = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in ROOT.glob("templates/**/*.html")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if between.search(re.sub(r'style="[^"]*"', "", line))
    ]

    assert colons == []
