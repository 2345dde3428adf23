"""What the household's printer is out by: found from photographs of its sheet, kept, and undone when cards are printed.

Every call may come from any thread.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from calibration.fiducials import grey_of
from calibration.printer_sheet import Printed, printed_sheet
from companion.qr.sighting import Picture


class PrinterKept(Protocol):
    """Keeps what was measured, side by side."""

    def read(self) -> Mapping[str, Printed]:
        """Give what is known, by ``front`` and ``back``."""
        ...

    def write(self, sides: Mapping[str, Printed]) -> None:
        """Keep it in place of what there was.  ``OSError``."""
        ...


class Printer:
    """One printer: that of this household."""

    def __init__(self, kept: PrinterKept, to_picture: Callable[[bytes], Picture]) -> None:
        """Take where it is kept, and what reads pictures that are sent."""
        self._kept = kept
        self._to_picture = to_picture

    def known(self) -> Mapping[str, Printed]:
        """Give what is known of each side."""
        return self._kept.read()

    def look(self, photograph: bytes) -> Printed:
        """Measure a photographed sheet and keep what its side is out by.

        Raises ``PrinterSheetError``, ``ForeignPicture`` or ``UnreadablePicture``; then nothing has changed.
        """
        found = printed_sheet(grey_of(self._to_picture(photograph)))
        self._kept.write({**self.known(), found.side: found})
        return found

    def forget(self) -> None:
        """Print as if the printer were exact again."""
        self._kept.write({})
