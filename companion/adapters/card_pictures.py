"""Pictures of the cards of boxes, each a JPEG in the data folder: ``pictures/<box>.<card>.jpg``."""

import re
from collections.abc import Mapping
from pathlib import Path

from companion.adapters.written import written

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
SUFFIX, PARTS = ".jpg", 3


class CardPictures:
    """Every write is on the disk before it returns."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which need not be there yet."""
        self._folder = folder

    def cards(self, box: str) -> Mapping[str, float]:
        """Give the cards of which there is a picture, and when each was kept."""
        named = ((path.name.split("."), path) for path in sorted(self._folder.glob(f"*{SUFFIX}")))
        return {parts[1]: path.stat().st_mtime for parts, path in named if len(parts) == PARTS and parts[0] == box}

    def read(self, box: str, card: str) -> bytes | None:
        """Give a picture; ``None`` where there is none."""
        try:
            return self._path(box, card).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, box: str, card: str, jpeg: bytes) -> None:
        """Keep a picture in place of the one before."""
        written(self._path(box, card), jpeg)

    def remove(self, box: str, card: str | None = None) -> None:
        """Forget a picture, or all of a box."""
        for one in [*self.cards(box)] if card is None else [card]:
            self._path(box, one).unlink(missing_ok=True)

    def _path(self, box: str, card: str) -> Path:
        if not (_NAME.fullmatch(box) and _NAME.fullmatch(card)):
            raise FileNotFoundError(card)
        return self._folder / f"{box}.{card}{SUFFIX}"
