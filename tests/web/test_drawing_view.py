"""Drawings of paper on screens."""

import re

from companion.game_api.drawing import OUTLINE, SECOND, Disc, Drawing, Prose, Rectangle, TextLine
from companion.game_api.stage import Token
from companion.web.default_ui.drawing_view import StageSprite, as_stage_svg, as_svg, token_row


def test_a_heading_has_the_typeface_of_headings_on_screens_too() -> None:
    drawn = as_svg(
        Drawing(60, 40, (TextLine(5, 10, 5, "Bathhouse", heading=True), TextLine(5, 20, 5, "$2", bold=True)))
    )

    heading, figure = drawn.split("<text")[1:]
    assert 'font-family="var(--voice)" font-weight="600"' in heading
    assert "font-family" not in figure


def test_on_a_stage_lines_and_words_have_the_page_s_own_colours() -> None:
    girder = Rectangle(0, 0, 10, 4, fill="#e07b1f", line=OUTLINE)
    drawing = Drawing(20, 20, (girder, TextLine(1, 1, 3, "or", colour=SECOND)))

    assert f'stroke="{OUTLINE}"' in as_svg(drawing), "on paper they stay as they are"
    on_stage = as_stage_svg(drawing)
    assert 'class="o"' in on_stage
    assert OUTLINE not in on_stage
    assert 'fill="var(--ink-2)"' in on_stage
    assert 'fill="#e07b1f"' in on_stage


def test_a_row_of_tokens_shows_each_one_and_each_missing_one() -> None:
    seal, lost = Drawing(10, 10, (Disc(5, 5, 4),)), Drawing(10, 10, (Rectangle(1, 1, 8, 8),))

    assert token_row(Token("Certificates", seal, 2, 3, lost)) == (seal, seal, lost)


def test_tokens_without_a_limit_are_one_drawing_beside_the_number() -> None:
    chip = Drawing(10, 10, (Disc(5, 5, 4),))

    assert token_row(Token("Chips", chip, 17)) == (chip,)


def test_a_drawing_that_stands_on_a_page_many_times_is_written_once() -> None:
    sprite, seal = StageSprite(), Drawing(10, 10, (Disc(5, 5, 4),), "certificates")

    row, alone = sprite.row(Token("Certificates", seal, 3, 3)), sprite.use(seal)

    assert [row.count('<use href="#drawn-0"'), alone.count('<use href="#drawn-0"')] == [3, 1]
    assert sprite.symbols.count("<circle") == 1


def test_a_dashed_line_is_dashed() -> None:
    assert 'stroke-dasharray="2 1.4"' in as_svg(Drawing(9, 9, (Rectangle(1, 1, 7, 7, line=OUTLINE, dash=2),)))


def lines_of(words: str, width: float, height: float = 60) -> tuple[float, list[str]]:
    """Return the size of the type and the lines of prose."""
    drawn = str(as_svg(Drawing(100, 100, (Prose(0, 0, width, height, 8, words),))))
    written = re.findall(r'font-size="([\d.]+)"[^>]*>([^<]+)<', drawn)
    return float(written[0][0]), [line for _, line in written]


def test_a_long_word_is_set_so_small_that_it_has_room() -> None:
    size, lines = lines_of("Donaudampfschifffahrtsgesellschaftskapitän", 90)

    assert lines == ["Donaudampfschifffahrtsgesellschaftskapitän"]
    assert size * 0.55 * len(lines[0]) <= 91


def test_words_without_blanks_are_broken_between_their_letters() -> None:
    size, lines = lines_of("天地玄黄宇宙洪荒日月盈昃辰宿列张" * 2, 90)

    assert size == 8
    assert [len(line) for line in lines] == [11, 11, 10]


def test_short_words_are_broken_at_blanks_alone() -> None:
    assert lines_of("Whoever has it  takes another", 70) == (8, ["Whoever has it", "takes another"])


def test_a_line_of_wide_letters_is_as_wide_as_it_says() -> None:
    drawn = str(as_svg(Drawing(100, 100, (TextLine(0, 10, 8, "天地玄黄宇宙洪荒日月盈昃辰宿列张", room=90),))))

    (size,) = re.findall(r'font-size="([\d.]+)"', drawn)
    assert float(size) * 16 <= 90.5
