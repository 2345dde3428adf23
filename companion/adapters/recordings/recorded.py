"""The format of a recording, and reading one back up to where it ends or is damaged.

A recording is a folder with two files, ``recording.jsonl`` and ``pictures.jpegs``.  The first line names the format;
every other line is one step of the pipeline, in order.  Pictures are concatenated in the second file, and lines say
where each begins.  docs/recordings.md describes every field.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from companion.adapters.recordings.errors import RecordingError
from companion.adapters.recordings.tile_codec import TileDecoder, TileUpdate
from companion.adapters.system import os_error_reason
from companion.engine.game import Placement
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Frame
from companion.vision.label.tag import Deck

VERSION = 1
LINES, PICTURES = "recording.jsonl", "pictures.jpegs"
MARK = "companion_recording"
"""The first key of the first line; its value is the version of the format."""


def deck_to_json(deck: Deck) -> dict[str, Any]:
    """Return a deck as JSON."""
    fields: dict[str, Any] = {"game": deck.game_code, "cards": sorted(deck.cards)}
    return fields | {name: sorted(texts) for name in ("shared", "piles") if (texts := getattr(deck, name))}


def deck_from_json(json: Mapping[str, Any]) -> Deck:
    """Return the deck in a JSON object; raise ``KeyError`` or ``TypeError`` for an invalid one."""
    shared, piles = frozenset(json.get("shared", ())), frozenset(json.get("piles", ()))
    return Deck(json["game"], frozenset(json["cards"]), shared, piles)


def sighting_to_json(seen: Sighting) -> dict[str, Any]:
    """Return a sighting as JSON, for information only: a replay reads the pictures anew."""
    corners = [[round(x, 1), round(y, 1)] for x, y in seen.corners]
    return {"text": seen.text, "corners": corners, "how": seen.method, "confidence": round(seen.confidence, 4)}


def placement_to_json(placement: Placement) -> dict[str, Any]:
    """Return a placement as JSON."""
    fields: dict[str, Any] = {
        "event": placement.event,
        "tag": placement.tag,
        "card": placement.card,
        "zone": placement.zone,
        "confidence": placement.confidence,
    }
    return fields | {"tops": dict(placement.tops)} if placement.tops else fields


def placement_from_json(json: Mapping[str, Any]) -> Placement:
    """Return the placement in a JSON object; raise ``KeyError`` or ``TypeError`` for an invalid one."""
    return Placement(**{**json, "tops": tuple(sorted(json.get("tops", {}).items()))})


def update_to_json(update: TileUpdate, at: int) -> dict[str, Any]:
    """Return a tile update as JSON; ``at``: the byte of the pictures file at which its JPEG begins."""
    return {
        "at": at,
        "bytes": len(update.jpeg),
        "shape": list(update.shape),
        "tiles": [list(run) for run in update.runs],
    }


def update_from_json(json: Mapping[str, Any], jpeg: bytes) -> TileUpdate:
    """Return the tile update in a JSON object; raise ``KeyError``, ``TypeError`` or ``ValueError``."""
    runs = tuple((int(first), int(count)) for first, count in json["tiles"])
    return TileUpdate(tuple(int(size) for size in json["shape"]), runs, jpeg)


_END_OF_JPEG = b"\xff\xd9"


@dataclass(frozen=True, slots=True)
class DeckStep:
    """From here on the camera read this deck."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class ForgetStep:
    """The tracker forgot a tag."""

    tag: str


@dataclass(frozen=True, slots=True, eq=False)
class FrameStep:
    """A frame, and the placements that followed from it.

    ``not_taken_in``: why there are none although it was read: for the ``deck_before``, or because reading ``failed``.
    """

    frame: Frame
    placements: tuple[Placement, ...] = ()
    not_taken_in: Literal["deck_before", "failed"] | None = None


RecordingStep: TypeAlias = DeckStep | ForgetStep | FrameStep


class Recording:
    """A recording in a folder.  ``steps`` may be called any number of times."""

    def __init__(self, folder: Path) -> None:
        """Read the first line.

        Raises:
            RecordingError: when there is no recording, or one of an unknown format.

        """
        self.folder = folder
        self.torn: str | None = None
        """Where and why ``steps`` ended early, once it has been read; ``None``: at the end."""
        try:
            with (folder / LINES).open("rb") as lines:
                about = json.loads(lines.readline())
        except OSError as fault:
            raise RecordingError(f"{folder}: no recording ({LINES}: {os_error_reason(fault)})") from fault
        except ValueError as fault:
            raise RecordingError(f"{folder}: no recording (its first line cannot be read)") from fault
        version = about.get(MARK) if isinstance(about, dict) else None
        if version != VERSION:
            raise RecordingError(f"{folder}: no recording of form {VERSION}")
        self.about: Mapping[str, Any] = about

    def steps(self) -> Iterator[RecordingStep]:
        """Yield the steps in order; a damaged recording ends where it is damaged.  Raises ``RecordingError``."""
        self.torn = None
        decoder = TileDecoder()
        try:
            with (self.folder / LINES).open("rb") as lines, (self.folder / PICTURES).open("rb") as pictures:
                lines.readline()
                for number, line in enumerate(lines, start=2):
                    try:
                        step = _parse_step(line, pictures, decoder)
                    except (ValueError, KeyError, TypeError) as fault:
                        self.torn = f"{self.folder}: torn at line {number} ({_describe(fault)})"
                        return
                    if step is not None:
                        yield step
        except OSError as fault:
            raise RecordingError(f"{self.folder}: {os_error_reason(fault)}") from fault


def list_recordings(folder: Path) -> list[Path]:
    """Return the folder itself if it is a recording, or else the recordings in it by name."""
    return [folder] if (folder / LINES).exists() else sorted(path.parent for path in folder.glob(f"*/{LINES}"))


def _parse_step(line: bytes, pictures: BinaryIO, decoder: TileDecoder) -> RecordingStep | None:
    """Return the step in a line; ``None`` for lines that are only informative."""
    if not line.endswith(b"\n"):
        raise ValueError("the line is cut off")
    fields: Any = json.loads(line)
    if "deck" in fields:
        return DeckStep(deck_from_json(fields["deck"]))
    if "forget" in fields:
        return ForgetStep(str(fields["forget"]))
    if "frame" not in fields:
        return None
    picture = fields.get("picture")
    update = None if picture is None else update_from_json(picture, _read_jpeg(picture, pictures))
    frame = Frame(decoder.decode(update), int(fields["at_ms"]), int(fields["frame"]))
    placements = tuple(placement_from_json(placement) for placement in fields.get("placed", ()))
    return FrameStep(frame, placements, fields.get("not_taken_in"))


def _read_jpeg(picture: Mapping[str, Any], pictures: BinaryIO) -> bytes:
    pictures.seek(int(picture["at"]))
    data = pictures.read(int(picture["bytes"]))
    if len(data) != picture["bytes"] or not data.endswith(_END_OF_JPEG):
        raise ValueError("its picture is missing")
    return data


def _describe(fault: Exception) -> str:
    return "not JSON" if isinstance(fault, json.JSONDecodeError) else " ".join(str(fault).split())
