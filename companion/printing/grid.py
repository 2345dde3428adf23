"""Where the cards of a sheet lie, on its front and, turned over, on its back.  All measures in millimetres."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from calibration.papers import PAPERS

Turn: TypeAlias = Literal["none", "long", "short"]
"""The edge over which the printer turns a sheet; ``none``: it prints fronts only."""
_MARGIN = 5.0
"""What a printer leaves white, and where the trim marks stand."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Equal cards on a sheet: columns and rows, the steps between them, the first card's corner from the upper left.

    The cards stand in the middle of the paper, so that a sheet that is turned over shows back behind front.
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
        """How many cards a sheet holds."""
        return self.columns * self.rows

    def place(self, number: int, turn: Turn = "none") -> tuple[float, float]:
        """Give the upper left corner of a card: on the front, or behind it on a sheet that was turned so."""
        row, column = divmod(number, self.columns)
        column = self.columns - 1 - column if turn == "long" else column
        row = self.rows - 1 - row if turn == "short" else row
        return self.left + column * self.across, self.top + row * self.down

    def marks(self) -> Iterator[tuple[float, float, float, float]]:
        """Give the trim marks, from x, y to x, y: at the sheet's edges, where no card lies."""
        foot, right = self.top + self.rows * self.down, self.left + self.columns * self.across
        reach = self.bleed + 0.5
        long = min(_MARGIN, self.left - reach, self.top - reach) - 0.5
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


def grid_for(paper: str, width: float, height: float, bleed: float = 0.0) -> Grid:
    """Lay as many cards of a size as go on a paper, the paper upright.

    Raises:
        ValueError: for an unknown paper, or cards too large for it.

    """
    if paper not in PAPERS:
        raise ValueError(f"paper {paper!r} is not known: {', '.join(PAPERS)}")
    sheet_width, sheet_height = PAPERS[paper]
    across, down = width + 2 * bleed, height + 2 * bleed
    columns, rows = int((sheet_width - 2 * _MARGIN) // across), int((sheet_height - 2 * _MARGIN) // down)
    if columns < 1 or rows < 1:
        raise ValueError(f"cards of {width:g} x {height:g} mm do not fit {paper} paper")
    left = (sheet_width - columns * across) / 2 + bleed
    top = (sheet_height - rows * down) / 2 + bleed
    return Grid(sheet_width, sheet_height, columns, rows, left, top, across, down, width, height, bleed)
