"""Sheets of labels and of join cards as vector PDF, the grid of cards on a sheet, and single labels as pictures.

All measures in millimetres.  A ruler on each sheet shows whether the printer kept to scale.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import zxingcpp
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.papers import PAPERS
from companion.game_api.drawing import Drawing, DrawnShape, Prose, Rectangle, TextLine
from companion.printing.document import (
    BOLD,
    CAPITALS,
    NO_CORRECTION,
    REGULAR,
    Correction,
    MissingLettersError,
    Turn,
    draw_drawing,
    new_canvas,
    paint_words,
    printable,
)
from companion.printing.stocks import PLAIN, find_stock, fit_label_side
from companion.service.printer import SheetSettingError, TableCodes
from companion.vision.label.label import STANDARD_LABEL, LabelLayout, draw_label, symbol_of

_MARGIN_MM = 5.0
"""Left white by printers, for the trim marks."""
PIXELS_A_MM = 24.0
"""Of label pictures; about 600 dots an inch."""
INDEX = "index.json"
"""Beside pictures of labels: which is whose, and where its symbol is."""
JOIN_CARD_SIZE_MM = (105.0, 148.5)
"""A quarter of an A4 sheet (A6, ISO 216)."""
JOIN_CODE_MM = 66.0
QUIET_MODULES = 4
"""Light modules round a code (ISO/IEC 18004)."""
_JOIN_MARGIN_MM = 8.0
RULER_MM = 100
_TICK_MM = 1.5
_RULER_LEFT_MM = 5.0
_MARK_MM = 1.5
_HAIRLINE_MM = 0.1


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal cards on a sheet: columns and rows, the steps between them, the first card's corner from the upper left.

    The grid is centred on the paper, so that the backs of a turned sheet lie behind the fronts.
    """

    sheet_width: float
    sheet_height: float
    columns: int
    rows: int
    left: float
    top: float
    across: float
    down: float
    width: float
    height: float
    bleed: float

    @property
    def places(self) -> int:
        """The number of cards on a sheet."""
        return self.columns * self.rows

    def place(self, number: int, turn: Turn = "none") -> tuple[float, float]:
        """Return the upper left corner of a card on the front, or of its back on a sheet that was turned."""
        row, column = divmod(number, self.columns)
        column = self.columns - 1 - column if turn == "long" else column
        row = self.rows - 1 - row if turn == "short" else row
        return self.left + column * self.across, self.top + row * self.down

    def marks(self) -> Iterator[tuple[float, float, float, float]]:
        """Yield the trim marks (x, y, to x, to y), at the sheet's edges beside the cards."""
        foot, right = self.top + self.rows * self.down, self.left + self.columns * self.across
        reach = self.bleed + 0.5
        long = min(_MARGIN_MM, self.left - reach, self.top - reach) - 0.5
        for column in range(self.columns):
            for x in (self.left + column * self.across, self.left + column * self.across + self.width):
                yield x, self.top - reach - long, x, self.top - reach
                yield x, foot - (self.down - self.height) + reach, x, foot - (self.down - self.height) + reach + long
        for row in range(self.rows):
            for y in (self.top + row * self.down, self.top + row * self.down + self.height):
                yield self.left - reach - long, y, self.left - reach, y
                yield (
                    right - (self.across - self.width) + reach,
                    y,
                    right - (self.across - self.width) + reach + long,
                    y,
                )


MAX_BLEED_MM = 5.0


def require_bleed(bleed: float) -> None:
    """Raise ``ValueError`` for a bleed out of range."""
    if not 0 <= bleed <= MAX_BLEED_MM:
        raise SheetSettingError("bleed", f"a bleed is 0 to {MAX_BLEED_MM:g} mm", f"{MAX_BLEED_MM:g}")


def fit_grid(paper: str, width: float, height: float, bleed: float = 0.0) -> Grid:
    """Return the grid of as many cards of a size as fit on an upright paper.

    Raises:
        ValueError: for an unknown paper, cards too large for it, or a bleed out of range.

    """
    require_bleed(bleed)
    if paper not in PAPERS:
        raise ValueError(f"paper {paper!r} is not known: {', '.join(PAPERS)}")
    sheet_width, sheet_height = PAPERS[paper]
    across, down = width + 2 * bleed, height + 2 * bleed
    columns, rows = int((sheet_width - 2 * _MARGIN_MM) // across), int((sheet_height - 2 * _MARGIN_MM) // down)
    if columns < 1 or rows < 1:
        raise ValueError(f"cards of {width:g} x {height:g} mm do not fit {paper} paper")
    left = (sheet_width - columns * across) / 2 + bleed
    top = (sheet_height - rows * down) / 2 + bleed
    return Grid(sheet_width, sheet_height, columns, rows, left, top, across, down, width, height, bleed)


@dataclass(frozen=True, slots=True)
class EventCodeWords:
    """The words beside the codes of a table: to scan, to type, whose the other code is and what its owner does."""

    scan: str
    type_in: str
    host: str
    host_keeps: str


@dataclass(frozen=True, slots=True)
class LabelSpec:
    """A label to print: its card and side, the text of its code, and the words on it (by default the card's id)."""

    card: str
    text: str
    words: str = ""
    side: str = "front"

    @property
    def read(self) -> str:
        """The words on the label."""
        return self.words or self.card

    @property
    def file_name(self) -> str:
        """The name of its picture: ``I07``, and for a back ``I07-back``."""
        return self.card if self.side == "front" else f"{self.card}-{self.side}"


def write_label_pictures(cards: Sequence[LabelSpec], folder: Path, layout: LabelLayout = STANDARD_LABEL) -> None:
    """Write a picture of each label, and ``index.json`` with the position of the symbol in each.

    The files are ``<card>.png``, and ``<card>-back.png`` for backs.  The folder is created; existing files are
    replaced.

    Raises:
        ValueError: when a text does not fit on a label, or a card occurs twice.
        OSError: when the folder cannot be written.

    """
    names = [spec.file_name for spec in cards]
    if len(set(names)) < len(names):
        raise ValueError("a card is there twice: one label picture a side")
    folder.mkdir(parents=True, exist_ok=True)
    left, top, side = (round(measure, 4) for measure in layout.symbol_mm)
    index = []
    for spec in cards:
        picture = _draw_label(spec, layout)
        _, data = cv2.imencode(".png", picture)
        file = f"{spec.file_name}.png"
        (folder / file).write_bytes(data.tobytes())
        index.append(
            {
                "card": spec.card,
                "text": spec.text,
                "side": spec.side,
                "file": file,
                "width_mm": layout.side_mm,
                "height_mm": layout.side_mm,
                "symbol_mm": [left, top, side],
            }
        )
    (folder / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")


def _draw_label(spec: LabelSpec, layout: LabelLayout) -> npt.NDArray[np.uint8]:
    """Return the picture of a label; words with letters beyond ASCII are set in the typeface of the sheets."""
    if spec.read.isascii():
        return draw_label(spec.text, spec.read, PIXELS_A_MM, layout)
    label = draw_label(spec.text, "", PIXELS_A_MM, layout)
    words, capitals = printable(spec.read), layout.words_mm * 0.7 * PIXELS_A_MM
    inked, line = paint_words(words, capitals)
    if inked.shape[1] > label.shape[1]:
        inked, line = paint_words(words, capitals * 0.95 * label.shape[1] / inked.shape[1])
    height, width = inked.shape
    top = round((layout.side_mm - layout.margin_mm - layout.words_mm * 0.15) * PIXELS_A_MM) - line
    left = (label.shape[1] - width) // 2
    shown = inked[: label.shape[0] - top]
    place = label[top : top + height, left : left + width]
    place[:] = np.round(place * (1 - shown) + (255 if layout.words_are_white else 0) * shown)
    return label


def write_join_cards(address: str, typed: tuple[str, str], title: str, lines: Sequence[str], path: Path) -> None:
    """Write a sheet of four cards that lead to an address, with lines below the code that say what to do.

    ``typed``: words, and the short address that they ask to type.

    Raises:
        OSError: when the file cannot be written.

    """
    width, height = A4[0] / mm, A4[1] / mm
    canvas = new_canvas(path, title, A4)
    card = join_card(address, typed, title, lines)
    for left in (0.0, width / 2):
        for foot in (0.0, height / 2):
            draw_drawing(canvas, card, left, foot)
    canvas.setLineWidth(0.1 * mm)
    canvas.setDash(1 * mm, 1 * mm)
    canvas.line(width / 2 * mm, 0, width / 2 * mm, height * mm)
    canvas.line(0, height / 2 * mm, width * mm, height / 2 * mm)
    canvas.showPage()
    canvas.save()


def join_card(address: str, typed: tuple[str, str], title: str, lines: Sequence[str]) -> Drawing:
    """Return one join card as a drawing."""
    width, height = JOIN_CARD_SIZE_MM
    inner = width - 2 * _JOIN_MARGIN_MM
    shapes: list[DrawnShape] = [TextLine(width / 2, 18, 8, title, "middle", heading=True, room=inner)]
    shapes += _code(address, (width - JOIN_CODE_MM) / 2, 24)
    foot = 24 + JOIN_CODE_MM
    shapes += [
        TextLine(width / 2, foot + 4.5, 4.2, typed[0], "middle", room=inner),
        TextLine(width / 2, foot + 12.5, 8, typed[1], "middle", bold=True, room=inner),
    ]
    for at, line in enumerate(lines):
        shapes.append(Prose(_JOIN_MARGIN_MM, foot + 17 + at * 13, inner, 12, 4.2, line))
    return Drawing(width, height, tuple(shapes))


def _code(address: str, left: float, top: float) -> list[DrawnShape]:
    """Return the code as boxes, one for each run of dark modules."""
    modules, runs = _dark_runs(address)
    module = JOIN_CODE_MM / modules
    return [
        Rectangle(left + x * module, top + y * module, width * module, module, fill="#000000") for x, y, width in runs
    ]


def _dark_runs(address: str) -> tuple[int, list[tuple[int, int, int]]]:
    """Return how many modules wide a code is with the light ones round it, and its runs of dark ones.

    A run is its left end, its row and its width.
    """
    code = zxingcpp.create_barcode(address, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    light = np.asarray(zxingcpp.write_barcode_to_image(code, add_quiet_zones=False))
    dark = np.pad((light == 0).astype(np.int8), QUIET_MODULES)
    rows, edges = np.nonzero(np.diff(dark, axis=1))  # a run begins at one edge of its row and ends at the next
    starts, ends = edges[::2] + 1, edges[1::2] + 1
    return len(dark), list(zip(starts.tolist(), rows[::2].tolist(), (ends - starts).tolist(), strict=True))


# Codes of the tables of an event: three strips a sheet, the players' part on the left, the host's to be cut off.

_STRIP_MM = (210.0, 99.0)
_PLAYERS_CODE_MM, _HOST_CODE_MM = 62.0, 40.0
_CODE_LEFT_MM, _HOST_LEFT_MM = 88.0, 158.0
_STRIP_MARGIN_MM = 10.0
_NAMES_TOP_MM, _MOST_LINE_MM = 37.0, 8.0
_WRITE_HERE = "_" * 20


def write_event_codes(event: str, tables: Sequence[TableCodes], words: EventCodeWords, path: Path) -> None:
    """Write the codes of the tables of an event, three tables on an A4 sheet.

    Letters that the typeface lacks are left out, so that one name does not keep all others from being printed; where
    nothing is left of a name there is the number of its seat with a line to write it on, and of a table its number.

    Raises:
        OSError: when the file cannot be written.

    """
    width, height = _STRIP_MM
    strips = int(A4[1] / mm / height)
    canvas = new_canvas(path, event, A4)
    for number, table in enumerate(tables):
        foot = A4[1] / mm - (number % strips + 1) * height
        draw_drawing(canvas, _strip(event, table, f"# {number + 1}", words), 0, foot)
        top = foot + height - 12
        _draw_code(canvas, table.address, _CODE_LEFT_MM, top, _PLAYERS_CODE_MM)
        _draw_code(canvas, table.host, _HOST_LEFT_MM, top - 10, _HOST_CODE_MM)
        canvas.setDash([1 * mm, 1 * mm])
        canvas.setStrokeGray(0)
        canvas.setLineWidth(_HAIRLINE_MM * mm)
        canvas.line(0, foot * mm, width * mm, foot * mm)
        canvas.line((_HOST_LEFT_MM - 3) * mm, foot * mm, (_HOST_LEFT_MM - 3) * mm, (foot + height) * mm)
        if number % strips == strips - 1 or number == len(tables) - 1:
            canvas.showPage()
    canvas.save()


def _strip(event: str, table: TableCodes, number_sign: str, words: EventCodeWords) -> Drawing:
    """Return the words on the strip of a table; ``number_sign``: its title where that cannot be printed."""
    width, height = _STRIP_MM
    room = _CODE_LEFT_MM - _STRIP_MARGIN_MM - 2
    line = min(_MOST_LINE_MM, (height - 8 - _NAMES_TOP_MM) / max(1, len(table.players)))
    title = _known_letters(table.title) or number_sign
    shapes: list[DrawnShape] = [
        TextLine(_STRIP_MARGIN_MM, 26, 14, title, bold=True, room=room),
        TextLine(_STRIP_MARGIN_MM, 12, 4, _known_letters(event), colour="#444444", room=room),
    ]
    for number, name in enumerate(table.players):
        y = _NAMES_TOP_MM + (number + 0.7) * line
        shown = _known_letters(name) or f"{number + 1}. {_WRITE_HERE}"
        shapes.append(TextLine(_STRIP_MARGIN_MM, y, line * 0.72, shown, room=room))
    middle = _CODE_LEFT_MM + _PLAYERS_CODE_MM / 2
    shapes.append(TextLine(middle, 11, 4, words.scan, "middle", room=_PLAYERS_CODE_MM + 4))
    foot = 12 + _PLAYERS_CODE_MM
    shapes.append(TextLine(middle, foot + 6, 4, words.type_in, "middle", room=_PLAYERS_CODE_MM + 4))
    shapes.append(TextLine(middle, foot + 14, 6, table.short_address, "middle", bold=True, room=_PLAYERS_CODE_MM))
    inner = _HOST_CODE_MM + 4
    centre = _HOST_LEFT_MM + _HOST_CODE_MM / 2
    shapes.append(TextLine(centre, 12, 6, title, "middle", bold=True, room=inner))
    shapes.append(TextLine(centre, 19, 4, words.host, "middle", room=inner))
    shapes.append(Prose(_HOST_LEFT_MM, 24 + _HOST_CODE_MM, inner, 20, 3.6, words.host_keeps))
    return Drawing(width, height, tuple(shapes))


def _known_letters(words: str) -> str:
    """Return a text without the letters that cannot be printed."""
    try:
        return printable(words)
    except MissingLettersError as missing:
        return printable(" ".join(words.translate({ord(letter): None for letter in missing.letters}).split()))


def _draw_code(canvas: Canvas, address: str, left: float, top: float, side: float) -> None:
    """Draw a code as one outline, its upper left corner ``left`` and ``top`` mm from the sheet's lower left."""
    modules, runs = _dark_runs(address)
    canvas.saveState()
    canvas.translate(left * mm, top * mm)
    canvas.scale(side * mm / modules, -side * mm / modules)
    canvas.setFillGray(0)
    boxes = " ".join(f"{x} {y} {width} 1 re" for x, y, width in runs)  # reportlab's own path takes ten times as long
    canvas.addLiteral(f"{boxes} f")
    canvas.restoreState()


def draw_ruler(canvas: Canvas, height: float, left: float, words: str) -> None:
    """Draw a vertical ruler ``left`` mm from the edge, in the middle of a sheet ``height`` mm high, a tick every 10 mm.

    Along the left edge it crosses no label: stickers without a margin are wider than their labels.
    """
    foot = (height - RULER_MM) / 2
    canvas.setStrokeGray(0)
    canvas.setFillGray(0)
    canvas.setLineWidth(0.2 * mm)
    canvas.line(left * mm, foot * mm, left * mm, (foot + RULER_MM) * mm)
    for tick in range(0, RULER_MM + 1, 10):
        canvas.line(left * mm, (foot + tick) * mm, (left + _TICK_MM) * mm, (foot + tick) * mm)
    canvas.saveState()
    canvas.translate((left + _TICK_MM) * mm, (foot + RULER_MM + 3) * mm)
    canvas.rotate(90)
    canvas.setFont(REGULAR, 6)
    canvas.drawString(0, 0, printable(f"{RULER_MM} mm   {words}"))
    canvas.restoreState()


def write_label_sheets(
    cards: Sequence[LabelSpec],
    path: Path,
    paper: str = "a4",
    stock: str = PLAIN,
    layout: LabelLayout = STANDARD_LABEL,
    start: int = 1,
    correction: Correction = NO_CORRECTION,
) -> int:
    """Write a PDF with all labels in order and return the number of sheets (an empty one without labels).

    ``start``: the first free place on the first sheet, counted from 1 along the rows.

    Raises:
        ValueError: for an unknown paper or stock, an invalid place, or a text that does not fit on a label.
        OSError: when the file cannot be written.

    """
    places = find_stock(stock, paper, layout.side_mm)
    width, height = PAPERS[paper]
    used = places.require_place(start) - 1
    layout = layout.scale_to(fit_label_side(places, layout.side_mm))
    sheets = max(1, -(-(used + len(cards)) // places.places))
    canvas = new_canvas(path, "Labels", (width * mm, height * mm))
    for sheet in range(sheets):
        correction.apply(canvas, height)
        on_sheet = range(max(used, sheet * places.places), min((sheet + 1) * places.places, used + len(cards)))
        for place in on_sheet:
            left, top = places.place(place - sheet * places.places)
            left += (places.width - layout.side_mm) / 2
            top += (places.height - layout.side_mm) / 2
            foot = height - top - layout.side_mm
            if places.cut:
                _draw_crop_marks(canvas, left, foot, layout.side_mm)
            draw_label_on(canvas, left, foot, layout, cards[place - used])
        draw_ruler(canvas, height, _RULER_LEFT_MM, f"{sheet + 1} / {sheets}")
        canvas.showPage()
    canvas.save()
    return sheets


def draw_label_on(canvas: Canvas, left: float, foot: float, layout: LabelLayout, spec: LabelSpec) -> None:
    """Draw a label with its lower left corner ``left`` and ``foot`` mm from the sheet's lower left.

    Raises:
        ValueError: when its text does not fit on a label.

    """
    symbol = symbol_of(spec.text)
    x, y, side = layout.symbol_mm
    module = layout.module_mm
    upper = foot + layout.side_mm - y
    outline = canvas.beginPath()
    for row, modules in enumerate(symbol):
        edges = np.flatnonzero(np.diff(np.concatenate(([0], modules.astype(np.int8), [0]))))
        for start, end in edges.reshape(-1, 2):
            outline.rect(
                (left + x + start * module) * mm,
                (upper - (row + 1) * module) * mm,
                (end - start) * module * mm,
                module * mm,
            )
    for box_left, box_top, box_right, box_foot in layout.frame_boxes_mm:
        corner = ((left + box_left) * mm, (foot + layout.side_mm - box_foot) * mm)
        outline.rect(*corner, (box_right - box_left) * mm, (box_foot - box_top) * mm)
    canvas.setFillGray(0)
    canvas.drawPath(outline, stroke=0, fill=1, fillMode=1)
    canvas.setFillGray(1 if layout.words_are_white else 0)
    canvas.setFont(BOLD, layout.words_mm * 0.7 / CAPITALS * mm)
    line = foot + layout.margin_mm + layout.words_mm * 0.15
    canvas.drawCentredString((left + x + side / 2) * mm, line * mm, printable(spec.read))


def _draw_crop_marks(canvas: Canvas, left: float, foot: float, side: float) -> None:
    """Draw short lines that point to the label's corners from outside."""
    canvas.setStrokeGray(0.6)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    for x, outwards in ((left, -1), (left + side, 1)):
        for y, upwards in ((foot, -1), (foot + side, 1)):
            canvas.line(x * mm, (y + upwards * 0.3) * mm, x * mm, (y + upwards * _MARK_MM) * mm)
            canvas.line((x + outwards * 0.3) * mm, y * mm, (x + outwards * _MARK_MM) * mm, y * mm)
