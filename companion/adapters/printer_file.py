"""What the printer is out by, in a TOML file of the data folder: a table for each side."""

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from calibration.papers import PAPERS
from calibration.printer_sheet import SIDES, Printed
from companion.adapters.written import written

_FIGURES = ("right", "down", "across", "along")


class PrinterFile:
    """One small file; one that cannot be read counts as none."""

    def __init__(self, path: Path) -> None:
        """Take the file, which need not be there yet."""
        self._path = path

    def read(self) -> Mapping[str, Printed]:
        """Give what is known, by side."""
        try:
            data = tomllib.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        found = {side: _printed(side, data.get(side)) for side in SIDES}
        return {side: one for side, one in found.items() if one is not None}

    def write(self, sides: Mapping[str, Printed]) -> None:
        """Keep it.  ``OSError``."""
        tables = {
            side: {"paper": one.paper, **{name: round(float(getattr(one, name)), 5) for name in _FIGURES}}
            for side, one in sides.items()
        }
        written(self._path, tomli_w.dumps(tables).encode())


def _printed(side: str, held: Any) -> Printed | None:
    if not isinstance(held, dict) or held.get("paper") not in PAPERS:
        return None
    figures = [held.get(name) for name in _FIGURES]
    if not all(isinstance(one, int | float) and math.isfinite(one) for one in figures):
        return None
    right, down, across, along = (float(one) for one in figures if one is not None)
    return Printed(str(held["paper"]), side, right, down, across, along) if min(across, along) > 0 else None
