"""Papers and sticker sheets: the places of labels on a sheet.  All measures in millimetres."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from calibration.papers import PAPERS
from companion.resources import packaged_path

PLAIN = "plain"
"""Ordinary paper, with labels close together and crop marks."""

_MARGIN_MM = 14.0
_GAP_MM = 4.0
_FOOT_MM = 16.0
"""Left free at the foot for the ruler."""


@dataclass(frozen=True, slots=True)
class Stock:
    """A sheet of stickers (or of plain paper): columns and rows of equal places.

    ``left`` and ``top`` are the first place's corner from the sheet's top left, ``across`` and ``down`` the steps
    from one place to the next, ``width`` and ``height`` a place's own size.
    """

    name: str
    paper: str
    columns: int
    rows: int
    left: float
    top: float
    across: float
    down: float
    width: float
    height: float
    cut: bool = False

    def place(self, number: int) -> tuple[float, float]:
        """Return the top left corner of a place, counted from 0 along the rows, from the sheet's top left."""
        row, column = divmod(number, self.columns)
        return self.left + column * self.across, self.top + row * self.down

    @property
    def places(self) -> int:
        """Return how many labels a sheet holds."""
        return self.columns * self.rows

    def require_place(self, number: int) -> int:
        """Return the number of a place, counted from 1 along the rows; raise ``ValueError`` where there is none."""
        if not 1 <= number <= self.places:
            raise ValueError(f"a sheet of {self.name!r} has the places 1 to {self.places}, not {number}")
        return number


_INSET_MM = 0.6
"""Between a label and the edge of a small sticker."""


def _stickers() -> Iterator[Stock]:
    """Yield the common sticker sheets, named by paper and number of stickers."""
    with packaged_path("printing", "stocks.toml").open("rb") as file:
        for name, stock in tomllib.load(file).items():
            (columns, rows), (left, top), (across, down), (width, height) = (
                stock[key] for key in ("grid", "first", "step", "size")
            )
            yield Stock(name, stock["paper"], columns, rows, left, top, across, down, width, height)


_STICKERS = tuple(_stickers())
STOCK_NAMES = (PLAIN, *(stock.name for stock in _STICKERS))


def fit_label_side(stock: Stock, preferred: float) -> float:
    """Return the side of a label on a sticker: the preferred one, or less where it does not fit."""
    available = min(stock.width, stock.height)
    return preferred if preferred <= available else available - _INSET_MM


def find_stock(name: str, paper: str, label_mm: float) -> Stock:
    """Return the sheet of a name for square labels of ``label_mm``, which matters for plain paper only.

    Raises:
        ValueError: for an unknown name or paper, a sheet of another paper, or labels larger than plain paper.

    """
    if paper not in PAPERS:
        raise ValueError(f"paper {paper!r} is not known: {', '.join(PAPERS)}")
    if name == PLAIN:
        return _plain(paper, label_mm)
    stock = next((stock for stock in _STICKERS if stock.name == name), None)
    if stock is None:
        raise ValueError(f"stock {name!r} is not known: {', '.join(STOCK_NAMES)}")
    if stock.paper != paper:
        raise ValueError(f"stock {name!r} is {stock.paper} paper, not {paper}")
    return stock


def _plain(paper: str, label_mm: float) -> Stock:
    width, height = PAPERS[paper]
    step = label_mm + _GAP_MM
    columns = int((width - 2 * _MARGIN_MM + _GAP_MM) // step)
    rows = int((height - _MARGIN_MM - _FOOT_MM + _GAP_MM) // step)
    if columns < 1 or rows < 1:
        raise ValueError(f"labels of {label_mm} mm do not fit {paper} paper")
    left = (width - columns * step + _GAP_MM) / 2
    return Stock(PLAIN, paper, columns, rows, left, _MARGIN_MM, step, step, label_mm, label_mm, cut=True)
