"""Sheets that are printed for the camera: the calibration board, and the mats."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from calibration.board import Board
from calibration.mat import Mat
from calibration.papers import MAT_PAPERS, PAPERS
from companion.words import Words

BOARD, PRINTER = "board", "printer-"


def printed(name: str, language: str, mats: Sequence[Mat]) -> bytes | None:
    """Give a sheet as PDF, or ``None`` where there is none of that name.

    ``board``, ``printer-a4`` and ``printer-letter``, or a mat by its name in a language.
    """
    if name == BOARD:
        return _written(_write_board)
    if name.startswith(PRINTER) and name.removeprefix(PRINTER) in PAPERS:
        return _written(lambda path: write_sheet_for_printer(path, name.removeprefix(PRINTER), language))
    mat = next((one for one in mats if one.name == name), None)
    return None if mat is None else _written(lambda path: _write_mat(mat, language, path))


def join_cards(address: str, language: str) -> bytes:
    """Give a sheet of cards that let phones in at an address, as PDF."""
    from companion.printing.join_card import write_join_cards  # noqa: PLC0415 - as below

    words = Words(language)
    lines = [
        words.say("One code for everybody: point the phone at it, tap the own name."),
        words.say("The phone has to be in the same Wi-Fi."),
        words.say("Good until all phones are logged out."),
    ]
    return _written(lambda path: write_join_cards(address, words.say("Join the game"), lines, path))


def write_sheet_for_printer(path: Path, paper: str, language: str) -> None:
    """Write the sheet that tells what a printer is out by; ``OSError``."""
    from companion.printing.printer_sheet import write_printer_sheet  # noqa: PLC0415 - as below

    words = Words(language)
    how = [
        words.say("Print both sides at 100 %, as you will print cards."),
        words.say("Lay the sheet on something dark and plain, and photograph all of it from above."),
    ]
    write_printer_sheet(path, paper, {"front": [words.say("Front side"), *how], "back": [words.say("Back side"), *how]})


def _written(write: Callable[[Path], None]) -> bytes:
    """Give what is written to a file; it is gone at once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.pdf"
        write(path)
        return path.read_bytes()


def _write_board(path: Path) -> None:
    from companion.printing.board import write_board  # noqa: PLC0415 - loaded when somebody prints, not at every start

    write_board(Board(), path)


def _write_mat(mat: Mat, language: str, path: Path) -> None:
    from companion.printing.mat import tiling_of, write_mat  # noqa: PLC0415 - as above

    paper = min(MAT_PAPERS, key=lambda each: (tiling_of(mat, each).sheets, MAT_PAPERS[each]))
    words = Words(language)
    write_mat(mat, path, paper, {zone.name: words.template(zone.name, "zone") for zone in mat.zones.zones})
