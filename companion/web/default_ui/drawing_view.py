"""Drawings on screens: SVG in the page, words fitted by how wide they usually are."""

from typing import Literal

from markupsafe import Markup, escape

from companion.game_api.drawing import (
    GROUND,
    INK,
    OUTLINE,
    PAPER,
    PLACE,
    PLACE_LINE,
    SECOND,
    Disc,
    Drawing,
    DrawnShape,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
    moved,
)
from companion.game_api.stage import Token

_WIDE = 0.55
"""An average letter's width, in sizes of the type: what a server knows of a page's typeface."""
_LEADING = 1.2
_GAP = 0.7
"""Between dashes, in dashes."""
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}
_ON_STAGE = {
    OUTLINE: "var(--outline)",
    GROUND: "var(--edge)",
    SECOND: "var(--ink-2)",
    INK: "var(--ink)",
    PLACE: "var(--accent-soft)",
    PLACE_LINE: "var(--accent)",
    PAPER: "var(--sheet)",
}
"""Colours that a page has in light and in the dark, for drawings that stand on it without paper of their own."""
_APART = 0.16
"""Between tokens of a row, in widths of one."""


def as_stage_svg(drawing: Drawing, at: Literal["xMidYMid", "xMinYMid", "xMidYMax"] = "xMidYMid") -> Markup:
    """Write a drawing that stands on the page itself: lines, ground and free places in the page's own colours.

    ``at``: where it stands in a place of another shape: in the middle, at the left, or at the foot.
    """
    svg = str(as_svg(drawing)).replace("<svg ", f'<svg preserveAspectRatio="{at}" ', 1)
    for colour, variable in _ON_STAGE.items():
        svg = svg.replace(f'"{colour}"', f'"{variable}"')
    return Markup(svg)  # noqa: S704 - the same markup with other colours


def token_row(token: Token) -> Drawing:
    """Draw what a player has of something side by side, and what is missing behind it."""
    drawn = token.drawn
    step = drawn.width * (1 + _APART)
    if not token.most:
        return drawn
    missing = () if token.missing is None else (token.missing,) * (token.most - token.count)
    row = (*(drawn,) * min(token.count, token.most), *missing)
    shapes = tuple(shape for place, part in enumerate(row) for shape in moved(part.shapes, place * step, 0))
    return Drawing(step * max(1, token.most) - drawn.width * _APART, drawn.height, shapes)


def as_svg(drawing: Drawing) -> Markup:
    """Write a drawing as an SVG element that is as large as its place."""
    label = Markup('role="img" aria-label="{}"').format(drawing.says) if drawing.says else Markup('aria-hidden="true"')
    # Figures and colours are a game's own, and words are escaped one by one.
    parts = Markup("".join(_part(shape) for shape in drawing.shapes))  # noqa: S704
    size = f"0 0 {_n(drawing.width)} {_n(drawing.height)}"
    named = "drawn free" if drawing.stands_free else "drawn"
    return Markup('<svg class="{}" viewBox="{}" {} focusable="false">{}</svg>').format(named, size, label, parts)


def _n(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")


def _painted(shape: Rectangle | Disc | Polygon) -> str:
    line = ""
    if shape.line:
        line = f' stroke="{shape.line}" stroke-width="{shape.thick:.2f}"'
    if shape.line and shape.dash:
        line += f' stroke-dasharray="{_n(shape.dash)} {_n(shape.dash * _GAP)}"'
    return f' fill="{shape.fill or "none"}"{line}'


def _part(shape: DrawnShape) -> str:
    """Write a shape: figures and colours are the game's own, words are escaped."""
    match shape:
        case Rectangle():
            corner = f' rx="{_n(shape.round)}"' if shape.round else ""
            size = f'width="{_n(shape.width)}" height="{_n(shape.height)}"'
            return f'<rect x="{_n(shape.x)}" y="{_n(shape.y)}" {size}{corner}{_painted(shape)}/>'
        case Disc():
            return f'<circle cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}"{_painted(shape)}/>'
        case Polygon():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
            return f'<{"polygon" if shape.closed else "polyline"} points="{points}"{_painted(shape)}/>'
        case TextLine():
            wide = shape.size * _WIDE * len(shape.words)
            size_of_type = shape.size * min(1.0, shape.room / wide) if shape.room and wide else shape.size
            return _line(shape, shape.words, shape.x, shape.y, size_of_type)
        case Prose():
            return _prose(shape)


def _prose(prose: Prose) -> str:
    size = prose.size
    lines = _lines(prose.words, prose.width / (size * _WIDE))
    while len(lines) * size * _LEADING > prose.height and size > prose.size / 2:
        size *= 0.94
        lines = _lines(prose.words, prose.width / (size * _WIDE))
    text = TextLine(prose.x, prose.y, size, "", colour=prose.colour)
    return "".join(
        _line(text, line, prose.x, prose.y + size * (0.8 + number * _LEADING), size)
        for number, line in enumerate(lines)
    )


def _line(text: TextLine, words: str, x: float, y: float, size: float) -> str:
    turned = f' transform="rotate({_n(text.turned)} {_n(x)} {_n(y)})"' if text.turned else ""
    bold = ' font-weight="700"' if text.bold else ""
    bold = ' font-family="var(--voice)" font-weight="600"' if text.heading else bold
    anchor = f' text-anchor="{_ANCHORS[text.align]}"' if text.align != "left" else ""
    place = f'x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"'
    return f'<text {place} fill="{text.colour}"{anchor}{bold}{turned}>{escape(words)}</text>'


def _lines(words: str, letters: float) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(longer) > letters:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
