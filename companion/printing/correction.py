"""What a printer does to a sheet, undone: it shifts and stretches, and each side of the paper in its own way."""

from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from calibration.printer_sheet import Printed

MAX_SHIFT_MM = 15.0
MIN_SCALE, MAX_SCALE = 0.9, 1.1


@dataclass(frozen=True, slots=True)
class Correction:
    """Move a side by ``right`` and ``down`` millimetres; stretch it by ``across`` and ``along`` from its upper left.

    Raises:
        ValueError: for what no printer does.

    """

    right: float = 0.0
    down: float = 0.0
    across: float = 1.0
    along: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what must be a slip of the finger."""
        if not all(abs(shift) <= MAX_SHIFT_MM for shift in (self.right, self.down)):
            raise ValueError(f"a printer is corrected by at most {MAX_SHIFT_MM:g} mm")
        if not (MIN_SCALE <= self.across <= MAX_SCALE and MIN_SCALE <= self.along <= MAX_SCALE):
            raise ValueError(f"a printer is stretched by {MIN_SCALE:g} to {MAX_SCALE:g}")

    def apply(self, canvas: Canvas, height: float) -> None:
        """Set up the page of ``height`` mm that is begun, before anything is drawn on it."""
        canvas.transform(self.across, 0, 0, self.along, self.right * mm, (height * (1 - self.along) - self.down) * mm)


def invert(printed: Printed) -> Correction:
    """Return what undoes an error that was measured; ``ValueError`` where no printer has such a one."""
    across, along = 1 / printed.across, 1 / printed.along
    return Correction(-printed.right * across, -printed.down * along, across, along)


NO_CORRECTION = Correction()
