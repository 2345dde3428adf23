"""Corrections of a printer's errors: it shifts and stretches each side of the paper."""

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.printer_sheet import PrinterOffset

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
