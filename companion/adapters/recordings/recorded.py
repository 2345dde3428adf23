"""Reads a recording back, up to where it ends or is torn."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

from companion.adapters.recordings.tile_codec import TileDecoder, TileUpdate
from companion.engine.placement import Placement
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Frame
from companion.vision.label.tag import Deck

# --- form
# The form of a recording: a folder with two files, ``recording.jsonl`` and ``pictures.jpegs``. The first line
# says what it is; every other line is one thing that happened to the pipeline, in its order. Pictures lie one
# after the other in the second file, and lines say where. docs/recordings.md has each field.

VERSION = 1
LINES, PICTURES = "recording.jsonl", "pictures.jpegs"
MARK = "companion_recording"
"""The key that the first line begins with; its value is the version of the form."""


def deck_to_json(deck: Deck) -> dict[str, Any]:
    """Write a deck."""
    held: dict[str, Any] = {"game": deck.game_code, "cards": sorted(deck.cards)}
    return held | {name: sorted(some) for name in ("shared", "piles") if (some := getattr(deck, name))}


def deck_from_json(json: Mapping[str, Any]) -> Deck:
    """Read a deck; ``KeyError`` or ``TypeError`` for what is none."""
    shared, piles = frozenset(json.get("shared", ())), frozenset(json.get("piles", ()))
    return Deck(json["game"], frozenset(json["cards"]), shared, piles)


def sighting_to_json(seen: Sighting) -> dict[str, Any]:
    """Write what was seen, for people and programs that look into a recording: a replay reads the pictures anew."""
    corners = [[round(x, 1), round(y, 1)] for x, y in seen.corners]
    return {"text": seen.text, "corners": corners, "how": seen.method, "confidence": round(seen.confidence, 4)}


def placement_to_json(placement: Placement) -> dict[str, Any]:
    """Write a placement."""
    held: dict[str, Any] = {
        "event": placement.event,
        "tag": placement.tag,
        "card": placement.card,
        "zone": placement.zone,
        "confidence": placement.confidence,
    }
    return held | {"tops": dict(placement.tops)} if placement.tops else held


def placement_from_json(json: Mapping[str, Any]) -> Placement:
    """Read a placement; ``KeyError`` or ``TypeError`` for what is none."""
    return Placement(**{**json, "tops": tuple(sorted(json.get("tops", {}).items()))})


def update_to_json(patch: TileUpdate, at: int) -> dict[str, Any]:
    """Write which tiles are new, and at which byte of the pictures their JPEG begins."""
    return {"at": at, "bytes": len(patch.jpeg), "shape": list(patch.shape), "tiles": [list(run) for run in patch.runs]}


def update_from_json(json: Mapping[str, Any], jpeg: bytes) -> TileUpdate:
    """Read which tiles are new; ``KeyError``, ``TypeError`` or ``ValueError`` for what does not say so."""
    runs = tuple((int(first), int(count)) for first, count in json["tiles"])
    return TileUpdate(tuple(int(size) for size in json["shape"]), runs, jpeg)


# --- errors
# What is wrong with a recording. Apart, so that whoever only tells of it does not wait for OpenCV.


class RecordingError(Exception):
    """No recording that can be played; the message is one line that names the folder and what is wrong."""


_END_OF_JPEG = b"\xff\xd9"


@dataclass(frozen=True, slots=True)
class DeckStep:
    """The camera looked for this deck from then on."""

    deck: Deck


@dataclass(frozen=True, slots=True)
class ForgetStep:
    """A tag counted as never seen."""

    tag: str


@dataclass(frozen=True, slots=True, eq=False)
class FrameStep:
    """A frame, and what it led to.

    ``not_taken_in``: it was read and led to nothing, because it had been read for the ``deck_before``, or because
    reading ``failed``.
    """

    frame: Frame
    placements: tuple[Placement, ...] = ()
    not_taken_in: Literal["deck_before", "failed"] | None = None


Step: TypeAlias = DeckStep | ForgetStep | FrameStep


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
        """Return what happened, in its order; a torn recording ends where it is torn.  ``RecordingError``."""
        self.torn = None
        canvases = TileDecoder()
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


def list_recordings(folder: Path) -> list[Path]:
    """Return the folder itself if it is a recording, or else the recordings in it by name."""
    return [folder] if (folder / LINES).exists() else sorted(path.parent for path in folder.glob(f"*/{LINES}"))


def _step(line: bytes, pictures: BinaryIO, canvases: TileDecoder) -> Step | None:
    """Read one line; None for those that are there for people."""
    if not line.endswith(b"\n"):
        raise ValueError("the line is cut off")
    held: Any = json.loads(line)
    if "deck" in held:
        return DeckStep(deck_from_json(held["deck"]))
    if "forget" in held:
        return ForgetStep(str(held["forget"]))
    if "frame" not in held:
        return None
    patch = update_from_json(held["picture"], _jpeg(held["picture"], pictures)) if "picture" in held else None
    frame = Frame(canvases.decode(patch), int(held["at_ms"]), int(held["frame"]))
    placed = tuple(placement_from_json(one) for one in held.get("placed", ()))
    return FrameStep(frame, placed, held.get("not_taken_in"))


def _jpeg(held: Mapping[str, Any], pictures: BinaryIO) -> bytes:
    pictures.seek(int(held["at"]))
    data = pictures.read(int(held["bytes"]))
    if len(data) != held["bytes"] or not data.endswith(_END_OF_JPEG):
        raise ValueError("its picture is missing")
    return data


def _reason(fault: Exception) -> str:
    return "not JSON" if isinstance(fault, json.JSONDecodeError) else " ".join(str(fault).split())
