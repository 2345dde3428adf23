"""A bar of 100 mm that tells whether the printer kept to scale."""

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

RULER_MM = 100
_TICK_MM = 1.5


def draw_ruler(canvas: Canvas, height: float, left: float, words: str) -> None:
    """Draw it upright ``left`` mm from the edge, in the middle of a sheet ``height`` high, a mark each 10 mm.

    Along the left edge it crosses no label: where stickers leave no margin, they are wider than what is on them.
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
    canvas.setFont("Helvetica", 6)
    canvas.drawString(0, 0, f"{RULER_MM} mm   {words}")
    canvas.restoreState()
