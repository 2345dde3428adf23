"""Boxes being taught (JSON), the catalogs made of them (TOML), and pictures of their cards (JPEG), as files."""

import fcntl
import json
import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import tomli_w

from companion.adapters.catalogs import list_catalog_names
from companion.adapters.stores import make_private_folders, read_small_text, write_atomically, write_small_text
from companion.game_api.manifest import Manifest
from companion.service.teaching.boxes import TaughtBox, is_box_name

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SUFFIX, _NAME_PARTS = ".jpg", 3
_LATER_NS = 1_000_000
"""Between the times of two pictures of which the clock says that the second came first."""


class BoxFolder:
    """Boxes and catalogs in two folders, which need not exist.  Every write is durable when it returns."""

    def __init__(self, boxes: Path, catalogs: Path) -> None:
        """Store both folders."""
        self._boxes, self._catalogs = boxes, catalogs

    def read(self) -> dict[str, TaughtBox]:
        """Return all boxes by id, ordered by name; a file that cannot be parsed is ignored, and left as it is."""
        boxes = (_read_box(path) for path in self._boxes.glob("*.json") if _NAME.fullmatch(path.stem))
        named = sorted((box for box in boxes if box is not None), key=lambda box: (box.name.casefold(), box.id))
        return {box.id: box for box in named}

    def ids(self) -> frozenset[str]:
        """Return the ids in use, those of files that cannot be parsed among them."""
        return frozenset(path.stem for path in self._boxes.glob("*.json"))

    @contextmanager
    def change(self) -> Generator[None]:
        """Lock the folder of boxes for the block, against other processes of a hall that change one."""
        make_private_folders(self._boxes)
        descriptor = os.open(self._boxes, os.O_RDONLY | os.O_DIRECTORY)
        try:
            with suppress(OSError):  # a file system without locks, which no hall has
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def write(self, box: TaughtBox) -> None:
        """Store a box."""
        fields = {
            "game": box.game,
            "name": box.name,
            "catalog": box.catalog,
            "earlier": box.earlier,
            "cards": box.cards,
        }
        text = json.dumps(fields, ensure_ascii=False, indent=1) + "\n"
        write_small_text(self._boxes / f"{box.id}.json", text)

    def remove(self, box: str) -> None:
        """Delete a box."""
        (self._boxes / f"{box}.json").unlink(missing_ok=True)

    def keep_catalog(self, name: str, tables: Mapping[str, Any], game: Manifest) -> str:
        """Write a catalog and return its name: ``name``, or ``name-2``, ``name-3`` ... where that is taken."""
        content = tomli_w.dumps(tables).encode()
        number = 1
        while True:
            candidate = name if number == 1 else f"{name}-{number}"
            path = self._catalogs / f"{candidate}.toml"
            if path.is_file() and path.read_bytes() == content:
                return candidate
            if not path.exists() and candidate not in list_catalog_names(game.cards(), self._catalogs):
                with suppress(FileExistsError):  # somebody else's, a moment ago
                    write_atomically(path, content, new_only=True)
                    return candidate
            number += 1


def _read_box(path: Path) -> TaughtBox | None:
    try:
        return parse_box(path.stem, read_small_text(path))
    except (OSError, ValueError):
        return None


def parse_box(box_id: str, text: str) -> TaughtBox:
    """Return the box that a file's text describes; raise ``ValueError`` where it is none."""
    try:
        data = json.loads(text)
        json.dumps(data, ensure_ascii=False, allow_nan=False).encode()  # half characters and NaN fit on no page
        cards = {str(card): dict(values) for card, values in data["cards"].items()}
        earlier = tuple(str(name) for name in data.get("earlier", ()))
        game, name, catalog = str(data["game"]), str(data["name"]), data["catalog"]
    except RecursionError:
        raise ValueError("brackets within brackets without end") from None
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"no box ({error})") from error
    if not is_box_name(name):
        raise ValueError("no box has such a name")
    catalogs = earlier if catalog is None else (*earlier, str(catalog))
    if not all(map(_NAME.fullmatch, catalogs)):
        raise ValueError("no catalog has such a name")
    return TaughtBox(box_id, game, name, cards, catalog, earlier)


class CardPictures:
    """Pictures in one folder as ``<box>.<card>.jpg``; ids are percent-encoded (RFC 3986), dots too.

    The folder need not exist.  Every write is durable when it returns.
    """

    def __init__(self, folder: Path) -> None:
        """Store the folder."""
        self._folder = folder

    def cards(self, box: str) -> Mapping[str, float]:
        """Return the cards of a box that have a picture, with the time it was stored (seconds since 1970).

        A picture that was stored later has a later time, also where the clock was set back in between.
        """
        return {card: path.stat().st_mtime for card, path in self._of(box)}

    def read(self, box: str, card: str) -> bytes | None:
        """Return a card's picture as JPEG; ``None`` where there is none."""
        try:
            return self._path(box, card).read_bytes()
        except FileNotFoundError:
            return None

    def write(self, box: str, card: str, jpeg: bytes) -> None:
        """Store a card's picture in place of an earlier one."""
        newest = max((path.stat().st_mtime_ns for _, path in self._of(box)), default=0)
        path = self._path(box, card)
        write_atomically(path, jpeg)
        if path.stat().st_mtime_ns <= newest:
            os.utime(path, ns=(newest + _LATER_NS, newest + _LATER_NS))

    def remove(self, box: str, card: str | None = None) -> None:
        """Delete the picture of a card, or of all cards of a box."""
        for name in [*self.cards(box)] if card is None else [card]:
            self._path(box, name).unlink(missing_ok=True)

    def _of(self, box: str) -> list[tuple[str, Path]]:
        """Return the cards of a box that have a picture, with its file."""
        parts_of = ((path.name.split("."), path) for path in sorted(self._folder.glob(f"{_encode(box)}.*{_SUFFIX}")))
        return [(unquote(parts[1]), path) for parts, path in parts_of if len(parts) == _NAME_PARTS]

    def _path(self, box: str, card: str) -> Path:
        return self._folder / f"{_encode(box)}.{_encode(card)}{_SUFFIX}"


def _encode(part: str) -> str:
    return quote(part, safe="").replace(".", "%2E")
