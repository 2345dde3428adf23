"""Boxes that are being taught, each a JSON file in the data folder, and the catalogs that they become."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import tomli_w

from companion.adapters.catalogs import list_catalog_names
from companion.adapters.stores import write_atomically
from companion.game_api.manifest import Manifest
from companion.service.teaching.boxes import Box

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


class BoxFolder:
    """Every write is on the disk before it returns: a killed server loses at most the card in hand."""

    def __init__(self, boxes: Path, catalogs: Path) -> None:
        """Take both folders, which need not be there yet."""
        self._boxes, self._catalogs = boxes, catalogs

    def read(self) -> dict[str, Box]:
        """Give all boxes that can be read; a torn file is passed over, and stays."""
        found = (_box(path) for path in sorted(self._boxes.glob("*.json")) if _NAME.fullmatch(path.stem))
        return {box.id: box for box in found if box is not None}

    def write(self, box: Box) -> None:
        """Keep a box."""
        about = {"game": box.game, "name": box.name, "catalog": box.catalog, "earlier": box.earlier, "cards": box.cards}
        text = json.dumps(about, ensure_ascii=False, indent=1) + "\n"
        write_atomically(self._boxes / f"{box.id}.json", text.encode())

    def remove(self, box: str) -> None:
        """Forget a box."""
        (self._boxes / f"{box}.json").unlink(missing_ok=True)

    def keep_catalog(self, name: str, tables: Mapping[str, Any], game: Manifest) -> str:
        """Write a catalog as ``name``, or where another has that name as ``name-2``, ``name-3`` ..."""
        text = tomli_w.dumps(tables)
        number = 1
        while True:
            wish = name if number == 1 else f"{name}-{number}"
            path = self._catalogs / f"{wish}.toml"
            if path.exists() and path.read_text("utf-8") == text:
                return wish
            if not path.exists() and wish not in list_catalog_names(game.cards(), self._catalogs):
                write_atomically(path, text.encode())
                return wish
            number += 1


def _box(path: Path) -> Box | None:
    try:
        data = json.loads(path.read_text("utf-8"))
        catalog = data["catalog"]
        cards = {str(card): dict(values) for card, values in data["cards"].items()}
        earlier = tuple(str(name) for name in data.get("earlier", ()))
        kept_as = catalog if catalog is None else str(catalog)
        return Box(path.stem, str(data["game"]), str(data["name"]), cards, kept_as, earlier)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


# --- card_pictures
# Pictures of the cards of boxes, each a JPEG in the data folder: ``pictures/<box>.<card>.jpg``. Ids are the
# games' own and may hold anything: in a name they stand percent-encoded (RFC 3986), points too.

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
        write_atomically(self._path(box, card), jpeg)

    def remove(self, box: str, card: str | None = None) -> None:
        """Forget a picture, or all of a box."""
        for one in [*self.cards(box)] if card is None else [card]:
            self._path(box, one).unlink(missing_ok=True)

    def _path(self, box: str, card: str) -> Path:
        return self._folder / f"{_named(box)}.{_named(card)}{SUFFIX}"


def _named(part: str) -> str:
    return quote(part, safe="").replace(".", "%2E")
