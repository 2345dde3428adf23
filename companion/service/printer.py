"""Offsets of the household's printer: found from photographs of its sheet, kept, and undone when cards are printed.

Every call may come from any thread.
"""

from collections.abc import Callable, Mapping

from calibration.fiducials import to_grey
from calibration.printer_sheet import PrinterOffset, measure_printed_sheet
from companion.qr.sighting import Picture
from companion.service.ports import Store


class Printer:
    """One printer: that of this household."""

    def __init__(self, store: Store[Mapping[str, PrinterOffset]], to_picture: Callable[[bytes], Picture]) -> None:
        """Store the measured errors' store and the decoder of posted pictures."""
        self._store = store
        self._to_picture = to_picture

    def offsets(self) -> Mapping[str, PrinterOffset]:
        """Return what is known of each side."""
        return self._store.read()

    def measure_sheet(self, photograph: bytes) -> PrinterOffset:
        """Measure a photographed sheet and keep what its side is out by.

        Raises ``PrinterSheetError``, ``ForeignPicture`` or ``UnreadablePicture``; then nothing has changed.
        """
        offset = measure_printed_sheet(to_grey(self._to_picture(photograph)))
        self._store.write({**self.offsets(), offset.side: offset})
        return offset

    def forget(self) -> None:
        """Print as if the printer were exact again."""
        self._store.write({})
