"""Pictures of the cards of boxes, each a JPEG in the data folder: ``pictures/<box>.<card>.jpg``.

Ids are the games' own and may hold anything: in a name they stand percent-encoded (RFC 3986), points too.
"""

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from companion.adapters.written import written

SUFFIX, PARTS = ".jpg", 3


class CardPictures:
    """Every write is on the disk before it returns."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, which need not be there yet."""
        self._folder = folder

    def cards(self, box: str) -> Mapping[str, float]:
        """Give the cards of which there is a picture, and when each was kept."""
        named = ((path.name.split("."), path) for path in sorted(self._folder.glob(f"{_named(box)}.*{SUFFIX}")))
        return {unquote(parts[1]): path.stat().st_mtime for parts, path in named if len(parts) == PARTS}

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
        return self._folder / f"{_named(box)}.{_named(card)}{SUFFIX}"


def _named(part: str) -> str:
    return quote(part, safe="").replace(".", "%2E")
