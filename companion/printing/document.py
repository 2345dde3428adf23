"""PDF documents to print: at 100 %, with typefaces embedded, corrected for the printer; and drawings in them."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, TypeAlias
from unicodedata import bidirectional, category, name, normalize

import cv2
import numpy as np
import numpy.typing as npt
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont as FontFile
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from calibration.printer_sheet import PrinterOffset
from companion.game_api.drawing import Disc, Drawing, Polygon, Prose, Rectangle, TextLine

REGULAR, BOLD, HEADING = "SourceSansPro-Regular", "SourceSansPro-Bold", "SourceSerifPro-Semibold"
CAPITALS = 0.66
"""Height of the capitals, as a share of the font size."""
INKED_FROM_MM = 5.2
"""From an edge of the paper to what has to be seen: nearer to it many printers leave the paper white."""
Turn: TypeAlias = Literal["none", "long", "short"]
"""The edge over which the printer turns a sheet; ``none``: it prints fronts only."""

_PACKAGES = {REGULAR: "font_source_sans_pro", BOLD: "font_source_sans_pro", HEADING: "font_source_serif_pro"}
_DUPLEX: dict[Turn, str] = {"none": "Simplex", "long": "DuplexFlipLongEdge", "short": "DuplexFlipShortEdge"}
_BLANKS = str.maketrans({"\u202f": "\u00a0", "\u2009": "\u00a0", "\t": " ", "\n": " ", "\r": " "})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})
"""Directions of letters that need shaping and another order, which nothing here does."""
_SHOWN_LETTERS = 5


class MissingLettersError(ValueError):
    """A text has letters that cannot be printed; the message names them."""

    def __init__(self, words: str, letters: str) -> None:
        """Store the text and its letters that cannot be printed."""
        self.words = words
        self.letters = letters
        super().__init__(f"{words!r} cannot be printed, the typeface lacks {name_letters(letters)}: use other letters")


def name_letters(letters: str) -> str:
    """Return letters with their names, for people who may not be able to see them."""
    named = [f"{letter} ({name(letter, f'U+{ord(letter):04X}')})" for letter in letters[:_SHOWN_LETTERS]]
    return ", ".join([*named, *(["..."] if len(letters) > _SHOWN_LETTERS else [])])


def missing_letters(drawing: Drawing) -> str:
    """Return the letters of a drawing's texts that the typeface lacks."""
    missing = ""
    for shape in drawing.shapes:
        if isinstance(shape, TextLine | Prose):
            try:
                printable(shape.words)
            except MissingLettersError as fault:
                missing += fault.letters
    return "".join(dict.fromkeys(missing))


def new_canvas(path: Path, title: str, size: tuple[float, float] | None = None, turn: Turn = "none") -> Canvas:
    """Return a new PDF that asks to be printed at 100 % and on the sides it needs; equal contents give equal bytes.

    ``size``: of its pages in points, where they are all of one size.
    """
    _load_typefaces()
    canvas = Canvas(str(path), pagesize=size, invariant=True, pageCompression=1, initialFontName=REGULAR)
    canvas.setTitle(title)
    canvas.setCreator("Companion")
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("Duplex", _DUPLEX[turn])
    return canvas


def printable(words: str) -> str:
    """Return a text as it is printed: accents in one piece, without characters that show nothing.

    Raises:
        MissingLettersError: where it has letters that the typeface lacks.

    """
    glyphs = _load_typefaces()
    always = glyphs[REGULAR] & glyphs[BOLD]
    text = "".join(letter for letter in normalize("NFC", words.translate(_BLANKS)) if not _is_invisible(letter))
    missing = [letter for letter in text if ord(letter) not in always or bidirectional(letter) in _RIGHT_TO_LEFT]
    if missing:
        raise MissingLettersError(words, "".join(dict.fromkeys(missing)))
    return text


def heading_typeface(words: str) -> str:
    """Return the typeface of a printable heading: the bold one of the text where the headings' own lacks a letter.

    The text has some letters more, such as those of Sami; a name is set in one typeface as a whole.
    """
    return HEADING if _load_typefaces()[HEADING].issuperset(map(ord, words)) else BOLD


def _is_invisible(letter: str) -> bool:
    return category(letter) in {"Cc", "Cf"} or "\ufe00" <= letter <= "\ufe0f"


@cache
def _load_typefaces() -> dict[str, frozenset[int]]:
    """Register the typefaces and return the letters of each."""
    glyphs: dict[str, frozenset[int]] = {}
    for typeface, package in _PACKAGES.items():
        font = TTFont(typeface, BytesIO(_read_typeface(typeface, package)))
        registerFont(font)
        glyphs[typeface] = frozenset(font.face.charToGlyph)
    return glyphs


def _read_typeface(typeface: str, package: str) -> bytes:
    return (files(package) / "files" / f"{typeface}.ttf").read_bytes()


# Words in a picture, set in the typeface of the sheets: that of OpenCV has no letters but those of ASCII.

_FINER = 8
"""Words are painted so much larger, and reduced."""
_CURVE_STEPS = 6


class _OutlinePen(BasePen):  # type: ignore[misc]  # fontTools tells no types
    """Collects the outlines of glyphs as points."""

    def __init__(self, glyphs: Any) -> None:
        super().__init__(glyphs)
        self.outlines: list[list[tuple[float, float]]] = []

    def _moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802 - fontTools' own names
        self.outlines.append([point])

    def _lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self.outlines[-1].append(point)

    def _curveToOne(self, *points: tuple[float, float]) -> None:  # noqa: N802
        curve = np.array([self.outlines[-1][-1], *points])
        for share in np.linspace(0, 1, _CURVE_STEPS + 1)[1:]:
            rest = 1 - share
            weights = np.array([rest**3, 3 * rest**2 * share, 3 * rest * share**2, share**3])
            self.outlines[-1].append(tuple(weights @ curve))


def paint_words(words: str, capitals: float) -> tuple[npt.NDArray[np.float64], int]:
    """Return how much of each pixel printable words cover, 0 to 1, and the row below their line.

    ``capitals``: height of the capitals, in pixels.
    """
    font = FontFile(BytesIO(_read_typeface(BOLD, _PACKAGES[BOLD])))
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    em = capitals / CAPITALS
    scale = em / font["head"].unitsPerEm * _FINER
    width = sum(glyphs[names[ord(letter)]].width for letter in words)
    line = round(em)
    picture = np.zeros((round(em * 1.4) * _FINER, (int(width * scale / _FINER) + 2) * _FINER), np.uint8)
    left = float(_FINER)
    for letter in words:
        pen = _OutlinePen(glyphs)
        glyphs[names[ord(letter)]].draw(pen)
        shapes = [np.array(outline) * (scale, -scale) + (left, line * _FINER) for outline in pen.outlines]
        solid = [_area(shape) > 0 for shape in shapes]  # holes turn the other way
        for ink in (True, False):
            for shape, is_solid in zip(shapes, solid, strict=True):
                if is_solid is ink:
                    cv2.fillPoly(picture, [np.round(shape).astype(np.int32)], 255 if ink else 0)
        left += glyphs[names[ord(letter)]].width * scale
    size = (picture.shape[1] // _FINER, picture.shape[0] // _FINER)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float64) / 255, line


def _area(outline: npt.NDArray[np.float64]) -> float:
    x, y = outline.T
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


# Corrections of a printer's errors: it shifts and stretches each side of the paper.

MAX_SHIFT_MM = 15.0
MIN_SCALE, MAX_SCALE = 0.9, 1.1


@dataclass(frozen=True, slots=True)
class Correction:
    """Moves a side by ``right`` and ``down`` mm, and stretches it by ``across`` and ``along`` from its upper left.

    Raises:
        ValueError: for values that no printer needs.

    """

    right: float = 0.0
    down: float = 0.0
    across: float = 1.0
    along: float = 1.0

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for implausible values, which must be typing errors."""
        if not all(abs(shift) <= MAX_SHIFT_MM for shift in (self.right, self.down)):
            raise ValueError(f"a printer is corrected by at most {MAX_SHIFT_MM:g} mm")
        if not (MIN_SCALE <= self.across <= MAX_SCALE and MIN_SCALE <= self.along <= MAX_SCALE):
            raise ValueError(f"a printer is stretched by {MIN_SCALE:g} to {MAX_SCALE:g}")

    def apply(self, canvas: Canvas, height: float) -> None:
        """Transform a new page of ``height`` mm, before anything is drawn on it."""
        canvas.transform(self.across, 0, 0, self.along, self.right * mm, (height * (1 - self.along) - self.down) * mm)


def invert(printed: PrinterOffset) -> Correction:
    """Return the correction of a measured error; raise ``ValueError`` for an implausible one."""
    across, along = 1 / printed.across, 1 / printed.along
    return Correction(-printed.right * across, -printed.down * along, across, along)


NO_CORRECTION = Correction()


# Render drawings to PDF as vectors, with text fitted by its real width.

_LEADING = 1.22
_UNBROKEN, _SMALLEST = 0.5, 0.25
"""The smallest size of prose before its words are broken, and before it is cut, as shares of its own size."""
_ROUNDING = 1e-6
"""By how much a word that was made to fit may be wider than its line."""


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
    """Draw text as large as it fits; below half its size words are broken, below a quarter it ends with an ellipsis."""
    words = printable(prose.words)
    widest = max(stringWidth(word, REGULAR, prose.size) for word in words.split(" "))
    size = prose.size * max(_UNBROKEN, min(1.0, prose.width / (widest or 1.0)))
    lines = _lines(words, size, prose.width)
    while len(lines) * size * _LEADING > prose.height and size > prose.size * _SMALLEST:
        size *= 0.96
        lines = _lines(words, size, prose.width)
    room = max(1, int(prose.height / (size * _LEADING) + _ROUNDING))
    if len(lines) > room:
        cut = lines[room - 1]
        while cut and stringWidth(f"{cut}…", REGULAR, size) > prose.width:
            cut = cut[:-1]
        lines = [*lines[: room - 1], f"{cut}…"]
    canvas.setFillColor(HexColor(prose.colour))
    canvas.setFont(REGULAR, size * mm)
    for number, line in enumerate(lines):
        canvas.drawString(prose.x * mm, -(prose.y + size * (0.8 + number * _LEADING)) * mm, line)


def _lines(words: str, size: float, width: float) -> list[str]:
    lines: list[str] = [""]
    for piece in (piece for word in words.split(" ") for piece in _break_word(word, size, width)):
        longer = f"{lines[-1]} {piece}".strip()
        if lines[-1] and stringWidth(longer, REGULAR, size) > width:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


def _break_word(word: str, size: float, width: float) -> list[str]:
    """Return the pieces of a word, each as wide as a line where the word is wider."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and stringWidth(pieces[-1] + letter, REGULAR, size) > width + _ROUNDING:
            pieces.append(letter)
        else:
            pieces[-1] += letter
    return pieces
