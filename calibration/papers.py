"""Papers to print on: millimetres across and down."""

from collections.abc import Mapping

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Papers of home printers: width and height in mm."""
MAT_PAPERS: Mapping[str, tuple[float, float]] = {
    "a4": PAPERS["a4"],
    "a3": (297.0, 420.0),
    "a2": (420.0, 594.0),
    "letter": PAPERS["letter"],
}
"""Papers of print shops: width and height in mm."""
