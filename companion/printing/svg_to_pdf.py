"""Render drawings to PDF as vectors, with text fitted by its real width."""

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from companion.game_api.drawing import Disc, Drawing, Polygon, Prose, Rectangle, TextLine
from companion.printing.document import BOLD, REGULAR, heading_typeface, printable

_LEADING = 1.22
_SMALLEST = 0.5
"""The smallest size of prose before it is cut, as a share of its own size."""


def draw_drawing(canvas: Canvas, drawing: Drawing, left: float, foot: float) -> None:
    """Draw a drawing with its lower left corner ``left`` and ``foot`` mm from the sheet's lower left."""
    canvas.saveState()
    # From here on y counts downwards from the drawing's top.
    canvas.translate(left * mm, (foot + drawing.height) * mm)
    for shape in drawing.shapes:
        match shape:
            case TextLine():
                _draw_text(canvas, shape)
            case Prose():
                _draw_prose(canvas, shape)
            case _:
                _draw_outline(canvas, shape)
    canvas.restoreState()


def _draw_outline(canvas: Canvas, shape: Rectangle | Disc | Polygon) -> None:
    if shape.fill:
        canvas.setFillColor(HexColor(shape.fill))
    if shape.line:
        canvas.setStrokeColor(HexColor(shape.line))
        canvas.setLineWidth(shape.thick * mm)
        canvas.setDash([shape.dash * mm, shape.dash * 0.7 * mm] if shape.dash else [])
    paint = {"fill": int(bool(shape.fill)), "stroke": int(bool(shape.line))}
    match shape:
        case Rectangle() if shape.round:
            box = (shape.x * mm, -(shape.y + shape.height) * mm, shape.width * mm, shape.height * mm)
            canvas.roundRect(*box, shape.round * mm, **paint)
        case Rectangle():
            canvas.rect(shape.x * mm, -(shape.y + shape.height) * mm, shape.width * mm, shape.height * mm, **paint)
        case Disc():
            canvas.circle(shape.x * mm, -shape.y * mm, shape.radius * mm, **paint)
        case Polygon():
            outline = canvas.beginPath()
            (x, y), *others = shape.points
            outline.moveTo(x * mm, -y * mm)
            for x, y in others:
                outline.lineTo(x * mm, -y * mm)
            if shape.closed:
                outline.close()
            canvas.drawPath(outline, **paint)


def _draw_text(canvas: Canvas, text: TextLine) -> None:
    words = printable(text.words)
    font = heading_typeface(words) if text.heading else BOLD if text.bold else REGULAR
    size = text.size * mm
    wide = stringWidth(words, font, size)
    if text.room and wide > text.room * mm:
        size *= text.room * mm / wide
    canvas.setFillColor(HexColor(text.colour))
    canvas.setFont(font, size)
    draw_string = {"left": canvas.drawString, "middle": canvas.drawCentredString, "right": canvas.drawRightString}[
        text.align
    ]
    if not text.turned:
        draw_string(text.x * mm, -text.y * mm, words)
        return
    canvas.saveState()
    canvas.translate(text.x * mm, -text.y * mm)
    canvas.rotate(-text.turned)
    draw_string(0, 0, words)
    canvas.restoreState()


def _draw_prose(canvas: Canvas, prose: Prose) -> None:
    """Draw text as large as it fits; below half its size the last lines are left out."""
    size, words = prose.size, printable(prose.words)
    lines = _lines(words, size, prose.width)
    while len(lines) * size * _LEADING > prose.height and size > prose.size * _SMALLEST:
        size *= 0.96
        lines = _lines(words, size, prose.width)
    canvas.setFillColor(HexColor(prose.colour))
    canvas.setFont(REGULAR, size * mm)
    for number, line in enumerate(lines[: max(1, int(prose.height / (size * _LEADING)))]):
        canvas.drawString(prose.x * mm, -(prose.y + size * (0.8 + number * _LEADING)) * mm, line)


def _lines(words: str, size: float, width: float) -> list[str]:
    lines: list[str] = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and stringWidth(longer, REGULAR, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
