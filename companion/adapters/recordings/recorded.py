"""Reads a recording back, up to where it ends or is torn."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from companion.adapters.recordings.errors import RecordingError
from companion.adapters.recordings.form import (
    LINES,
    MARK,
    PICTURES,
    VERSION,
    deck_from,
    patch_from,
    placement_from,
)
from companion.adapters.recordings.patchwork import Canvases
from companion.engine.placement import Placement
from companion.service.sight.camera import Frame
from companion.vision.label.tag import Deck

_END_OF_JPEG = b"\xff\xd9"


@dataclass(frozen=True, slots=True)
class Attached:
    """The camera looked for this deck from then on."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class Forgot:
    """A tag counted as never seen."""

    tag: str


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """A frame, and what it led to.

    ``not_taken_in``: it was read and led to nothing, because it had been read for the ``deck_before``, or because
    reading ``failed``.
    """

    frame: Frame
    placements: tuple[Placement, ...] = ()
    not_taken_in: Literal["deck_before", "failed"] | None = None


Step: TypeAlias = Attached | Forgot | Shown


class Recording:
    """A recording in a folder.  ``steps`` may be walked through as often as is wanted."""

    def __init__(self, folder: Path) -> None:
        """Read its first line.

        Raises:
            RecordingError: when there is no recording, or one of a form that is not known here.

        """
        self.folder = folder
        self.torn: str | None = None
        """Where the steps broke off, and why, once they have been walked through; None: nowhere."""
        try:
            with (folder / LINES).open("rb") as lines:
                about = json.loads(lines.readline())
        except OSError as fault:
            raise RecordingError(f"{folder}: no recording ({LINES}: {fault.strerror})") from fault
        except ValueError as fault:
            raise RecordingError(f"{folder}: no recording (its first line cannot be read)") from fault
        version = about.get(MARK) if isinstance(about, dict) else None
        if version != VERSION:
            raise RecordingError(f"{folder}: no recording of form {VERSION}")
        self.about: Mapping[str, Any] = about

    def steps(self) -> Iterator[Step]:
        """Give what happened, in its order; a torn recording ends where it is torn.  ``RecordingError``."""
        self.torn = None
        canvases = Canvases()
        try:
            with (self.folder / LINES).open("rb") as lines, (self.folder / PICTURES).open("rb") as pictures:
                lines.readline()
                for number, line in enumerate(lines, start=2):
                    try:
                        step = _step(line, pictures, canvases)
                    except (ValueError, KeyError, TypeError) as fault:
                        self.torn = f"{self.folder}: torn at line {number} ({_reason(fault)})"
                        return
                    if step is not None:
                        yield step
        except OSError as fault:
            raise RecordingError(f"{self.folder}: {fault.strerror}") from fault


def recordings_in(folder: Path) -> list[Path]:
    """Return the folder itself if it is a recording, or else the recordings in it by name."""
    return [folder] if (folder / LINES).exists() else sorted(path.parent for path in folder.glob(f"*/{LINES}"))


def _step(line: bytes, pictures: BinaryIO, canvases: Canvases) -> Step | None:
    """Read one line; None for those that are there for people."""
    if not line.endswith(b"\n"):
        raise ValueError("the line is cut off")
    held: Any = json.loads(line)
    if "deck" in held:
        return Attached(deck_from(held["deck"]))
    if "forget" in held:
        return Forgot(str(held["forget"]))
    if "frame" not in held:
        return None
    patch = patch_from(held["picture"], _jpeg(held["picture"], pictures)) if "picture" in held else None
    frame = Frame(canvases.next(patch), int(held["at_ms"]), int(held["frame"]))
    placed = tuple(placement_from(one) for one in held.get("placed", ()))
    return Shown(frame, placed, held.get("not_taken_in"))


def _jpeg(held: Mapping[str, Any], pictures: BinaryIO) -> bytes:
    pictures.seek(int(held["at"]))
    data = pictures.read(int(held["bytes"]))
    if len(data) != held["bytes"] or not data.endswith(_END_OF_JPEG):
        raise ValueError("its picture is missing")
    return data


def _reason(fault: Exception) -> str:
    return "not JSON" if isinstance(fault, json.JSONDecodeError) else " ".join(str(fault).split())
