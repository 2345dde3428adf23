"""The household's printer: offsets found from photographs of its sheet, kept, and undone; and checks of printed sheets.

Every call may come from any thread.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

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
        self._writing = threading.Lock()

    def offsets(self) -> Mapping[str, PrinterOffset]:
        """Return what is known of each side."""
        return self._store.read()

    def measure_sheet(self, photograph: bytes) -> PrinterOffset:
        """Measure a photographed sheet and keep what its side is out by.

        Raises ``PrinterSheetError``, ``ForeignPicture`` or ``UnreadablePicture``; then nothing has changed.
        """
        offset = measure_printed_sheet(to_grey(self._to_picture(photograph)))
        with self._writing:
            self._store.write({**self.offsets(), offset.side: offset})
        return offset

    def forget(self) -> None:
        """Print as if the printer were exact again."""
        with self._writing:
            self._store.write({})


# A printed sheet in a photograph, card by card: what of it can be read, and what was lost in print.


class NoSheet(Exception):  # noqa: N818 - an answer, not an error of the program
    """Nothing of any sheet was read."""


class SheetSettingError(ValueError):
    """No sheet can have been printed with a setting."""

    def __init__(self, setting: Literal["only", "start", "bleed"], message: str, limit: str) -> None:
        """Store which setting it is, and its largest value, or the card that is not in the deck."""
        self.setting = setting
        self.limit = limit
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """Which sheet it is, of how many, its labels, those that cannot be read, and texts of labels that belong elsewhere.

    A label has the name of its card (``I07``), that of a back ``I07-back``.  Where some of several equal labels are
    lost, which ones is not known: each is told by the names of all (``I03-back/I07-back``).
    """

    sheet: int
    of: int
    cards: tuple[str, ...]
    missing: tuple[str, ...]
    strange: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return it as interfaces show it."""
        return {
            "sheet": self.sheet,
            "of": self.of,
            "cards": list(self.cards),
            "missing": list(self.missing),
            "strange": list(self.strange),
        }


class CheckSheet(Protocol):
    """Reads the photograph of a sheet that was printed here."""

    def __call__(  # noqa: PLR0913 - one for each choice of the commands that print
        self,
        posted: bytes,
        *,
        game: str,
        catalog: str | None,
        kind: str,
        paper: str,
        bleed: float = 0.0,
        start: int = 1,
        only: Sequence[str] = (),
    ) -> CheckedSheet:
        """Check it; ``NoSheet``, ``SheetSettingError``, ``ValueError``, ``ForeignPicture`` or ``UnreadablePicture``."""
        ...


def identify_sheet(printed: Sequence[tuple[str, str]], places: int, read: Iterable[str], used: int = 0) -> CheckedSheet:
    """Return which sheet was photographed by most of its labels, the emptiest where that leaves several.

    ``printed``: name and text of each label in the order of printing, a text as often as labels share it; ``places``
    on a sheet, of which so many were ``used`` before on the first; ``read``: the text of each label in the photograph.

    Raises:
        NoSheet: where none of these labels is in it.

    """
    sheets = [printed[max(0, at) : at + places] for at in range(-used, len(printed), places)]
    counts = [Counter(text for _, text in sheet) for sheet in sheets]
    seen = Counter(read)
    fits = [(count & seen).total() for count in counts]
    if not any(fits):
        raise NoSheet
    number = max(range(len(sheets)), key=lambda at: (fits[at], -len(sheets[at])))
    names: dict[str, list[str]] = {}
    for name, text in sheets[number]:
        names.setdefault(text, []).append(name)
    missing: list[str] = []
    for text, equal in names.items():
        lost = len(equal) - seen[text]
        missing += equal if lost == len(equal) else ["/".join(equal)] * max(0, lost)
    return CheckedSheet(
        number + 1,
        len(sheets),
        tuple(name for name, _ in sheets[number]),
        tuple(missing),
        tuple(sorted((seen - counts[number]).elements())),
    )


@dataclass(frozen=True, slots=True)
class TableCodes:
    """Codes of a table to print: its name in words, its players, and where the codes lead.

    ``short_address`` can be typed; ``host``: the address for whoever leads the table.
    """

    title: str
    players: tuple[str, ...]
    address: str
    short_address: str
    host: str
