"""Drawings of paper on screens."""

from companion.game_api.drawing import Drawing, TextLine
from companion.web.default_ui.drawing_view import as_svg


def test_a_heading_has_the_typeface_of_headings_on_screens_too() -> None:
    drawn = as_svg(
        Drawing(60, 40, (TextLine(5, 10, 5, "Bathhouse", heading=True), TextLine(5, 20, 5, "$2", bold=True)))
    )

    heading, figure = drawn.split("<text")[1:]
    assert 'font-family="var(--voice)" font-weight="600"' in heading
    assert "font-family" not in figure
