"""Colours of drawings that stand on a stage: each has its own by day and by night, and groups stay apart."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from companion.game_api.drawing import HUES, LAWN, PAD, TILE, Drawing, Rectangle
from companion.web.default_ui.drawing_view import as_stage_svg

STYLES = Path(__file__).resolve().parents[2] / "companion" / "web" / "static" / "core"
READABLE = 3.0
"""Contrast of a strip on its ground, as WCAG asks of what is no text."""
APART = 60.0
"""Distance of two colours in RGB that nobody mistakes for each other, one beside the other."""


def tokens(name: str) -> dict[str, str]:
    text = (STYLES / name).read_text(encoding="utf-8")
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", text))


def rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    parts = [part / 255 for part in rgb(colour)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def hue_tokens(name: str) -> list[str]:
    return [tokens(name)[f"hue-{hue.replace('_', '-')}"] for hue in HUES]


def test_drawings_on_a_stage_name_the_pages_colours() -> None:
    grounds = (TILE, LAWN, PAD, *HUES.values())
    drawing = Drawing(10, 10, tuple(Rectangle(0, 0, 1, 1, fill=colour) for colour in grounds))

    written = str(as_stage_svg(drawing))

    assert "#" not in written
    assert written.count("var(--hue-") == len(HUES)


def test_by_day_they_are_those_that_paper_has() -> None:
    light = tokens("tokens.css")

    assert hue_tokens("tokens.css") == list(HUES.values())
    assert (light["tile"], light["lawn"], light["pad"]) == (TILE, LAWN, PAD)


def test_by_night_every_group_is_seen_on_the_dark_board() -> None:
    tile = tokens("dark.css")["tile"]

    assert luminance(tile) < 0.05, "the board is dark where the room is"
    assert [colour for colour in hue_tokens("dark.css") if contrast(colour, tile) < READABLE] == []


@pytest.mark.parametrize("name", ["tokens.css", "dark.css"])
def test_groups_side_by_side_are_told_apart(name: str) -> None:
    hues = hue_tokens(name)

    for hue, other in pairwise([*hues, hues[0]]):
        distance = sum((a - b) ** 2 for a, b in zip(rgb(hue), rgb(other), strict=True)) ** 0.5
        assert distance >= APART, (hue, other)
