"""Recordings of a camera: their format, reading one back up to where it ends or is damaged, and making one.

A recording is a folder with two files, ``recording.jsonl`` and ``pictures.jpegs``.  The first line names the format;
every other line is one step of the pipeline, in order.  Pictures are concatenated in the second file, and lines say
where each begins.  docs/recordings.md describes every field.
"""

import json
import logging
import math
import os
import queue
import shutil
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Literal, TypeAlias

import cv2

from companion.adapters.recordings.tile_codec import TileDecoder, TileEncoder, TileUpdate
from companion.adapters.system import OperatorError, open_private, os_error_reason
from companion.engine.game import Placement
from companion.game_api.codec import json_line
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Camera, Frame
from companion.service.camera.pipeline import ReadLabels
from companion.vision.label.tag import Deck

VERSION = 1
LINES, PICTURES = "recording.jsonl", "pictures.jpegs"
MARK = "companion_recording"
"""The first key of the first line; its value is the version of the format."""


class RecordingError(OperatorError):
    """A recording cannot be played; the message names the folder and the fault."""


def deck_to_json(deck: Deck) -> dict[str, Any]:
    """Return a deck as JSON."""
    fields: dict[str, Any] = {"game": deck.game_code, "cards": sorted(deck.cards)}
    return fields | {name: sorted(texts) for name in ("shared", "piles", "commands") if (texts := getattr(deck, name))}


def deck_from_json(json: Mapping[str, Any]) -> Deck:
    """Return the deck in a JSON object; raise ``KeyError`` or ``TypeError`` for an invalid one."""
    shared, piles, commands = (frozenset(json.get(name, ())) for name in ("shared", "piles", "commands"))
    return Deck(json["game"], frozenset(json["cards"]), shared, piles, commands)


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
        except (ValueError, RecursionError) as fault:
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
                    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
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
    if isinstance(fault, RecursionError):
        return "brackets within brackets without end"
    return "not JSON" if isinstance(fault, json.JSONDecodeError) else " ".join(str(fault).split())


# Record the frames of a camera and what they led to, while the game goes on. The camera loop never waits for
# the disk: lines and pictures go into a queue, which a thread writes. Whatever would leave a gap (a full disk,
# a slow one, the size limit) ends the recording instead: it can be replayed up to there, the reason is logged,
# and the game goes on.

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordingLimits:
    """Limits of a recording in bytes.

    ``most``: of one recording; ``least_free``: on its disk; ``most_waiting``: of data in memory that waits for the
    disk.
    """

    most: int = 4_000_000_000
    least_free: int = 1_000_000_000
    most_waiting: int = 64_000_000


DEFAULT_LIMITS = RecordingLimits()
CHECK_DISK_EVERY = 16_000_000
"""Bytes written between two checks of the free space."""
SYNC_EVERY_S = 5.0
"""How much of a recording a power failure costs at most."""
CLOSE_TIMEOUT_S = 10.0


class RecordingWriter:
    """One recording, from the first frame to ``close``.

    ``record_frame`` is called by the camera loop, everything else from any thread.
    """

    def __init__(
        self,
        folder: Path,
        about: Mapping[str, Any],
        *,
        limits: RecordingLimits = DEFAULT_LIMITS,
        encoder: TileEncoder | None = None,
    ) -> None:
        """Begin a recording.

        Args:
            folder: created, readable by its owner only.
            about: the members of the first line.
            limits: in bytes.
            encoder: of the pictures.

        Raises:
            OSError: when the folder exists already, or cannot be written.

        """
        folder.mkdir(mode=0o700, parents=True)
        self.folder = folder
        self.ended: str | None = None
        """Why the recording ended by itself; ``None`` while it goes on."""
        self._closed = False
        self._limits = limits
        self._encoder = encoder or TileEncoder()
        self._decoder = TileDecoder()
        self._lock = threading.Lock()
        self._waiting = 0
        self._queue: queue.SimpleQueue[tuple[dict[str, Any], TileUpdate | None] | None] = queue.SimpleQueue()
        self._picture: tuple[Frame, TileUpdate | None] | None = None
        self._sightings: tuple[Sighting, ...] = ()
        self._mat: str | None = None
        # They show the people at the table.
        self._lines, self._pictures = open_private(folder / LINES), open_private(folder / PICTURES)
        self._put({MARK: VERSION, **about})
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------- from the camera loop
    def record_frame(self, frame: Frame) -> Frame:
        """Record a frame and return it as it is recorded, which is what must be read."""
        if self._closed or self.ended is not None:
            return frame
        self._record_failed_frame()
        try:
            update = self._encoder.encode(frame.image, frame.at_ms)
            recorded = self._decoder.decode(update)
        except (ValueError, cv2.error) as error:
            self._end(f"a picture of {frame.image.shape} cannot be kept ({' '.join(str(error).split())})")
            return frame
        self._picture = (frame, update)
        return replace(frame, image=recorded)

    def looked(self, looked: ReadLabels, placements: tuple[Placement, ...] | None, mat: str | None) -> None:
        """Record what a frame led to: sightings and mat if they have changed, and placements."""
        if self._picture is None:
            return
        (_, update), self._picture = self._picture, None
        line = _frame_line(looked.frame)
        if placements is None:
            line["not_taken_in"] = "deck_before"
        if looked.seen != self._sightings:
            self._sightings = looked.seen
            line["seen"] = [sighting_to_json(sighting) for sighting in looked.seen]
        if mat != self._mat:
            self._mat = line["mat"] = mat
        if placements:
            line["placed"] = [placement_to_json(placement) for placement in placements]
        self._put(line, update)

    def _record_failed_frame(self) -> None:
        """Record that the previous frame could not be read; the log has the reason."""
        if self._picture is not None:
            (frame, update), self._picture = self._picture, None
            self._put({**_frame_line(frame), "not_taken_in": "failed"}, update)

    def attached(self, deck: Deck) -> None:
        """Record the deck that the camera reads from now on."""
        self._put({"deck": deck_to_json(deck)})

    def forgot(self, tag: str) -> None:
        """Record that the tracker forgot a tag."""
        self._put({"forget": tag})

    def note_problem(self, problem: str | None) -> None:
        """Record that the camera was lost, or is back (``None``)."""
        self._put({"camera": problem or "seeing"})

    def close(self) -> None:
        """Write what is queued and end; may be called again."""
        with self._lock:
            self._closed = True
            self._queue.put(None)
        self._thread.join(CLOSE_TIMEOUT_S)

    # ---------------------------------------------------------------------------------------- to the disk
    def _put(self, line: dict[str, Any], update: TileUpdate | None = None) -> None:
        """Queue a line; end the recording where too much is queued already."""
        size = 0 if update is None else len(update.jpeg)
        with self._lock:
            if self._closed or self.ended is not None:
                return
            behind = self._waiting + size > self._limits.most_waiting
            if not behind:
                self._waiting += size
                self._queue.put((line, update))
        if behind:
            self._end("the disk cannot keep up")

    def _run(self) -> None:
        try:
            with self._pictures, self._lines:
                self._write()
                self._lines.write(json.dumps({"end": self.ended or "stopped"}).encode() + b"\n")
        except OSError as error:
            self._end(f"{self.folder}: {os_error_reason(error)}")

    def _write(self) -> None:
        written, checked_disk, synced = 0, -CHECK_DISK_EVERY, -math.inf
        while (waiting := self._queue.get()) is not None:
            line, update = waiting
            if update is not None:
                line["picture"] = update_to_json(update, self._pictures.tell())
                self._pictures.write(update.jpeg)
            text = json_line(line, compact=True).encode() + b"\n"
            self._lines.write(text)
            written += len(text) + (0 if update is None else len(update.jpeg))
            with self._lock:
                self._waiting -= 0 if update is None else len(update.jpeg)
            if written >= self._limits.most:
                return self._end(f"it has reached {self._limits.most / 1e9:g} GB")
            if written - checked_disk >= CHECK_DISK_EVERY:
                checked_disk = written
                if shutil.disk_usage(self.folder).free < self._limits.least_free:
                    return self._end(f"less than {self._limits.least_free / 1e9:g} GB are free")
            if time.monotonic() - synced >= SYNC_EVERY_S:
                synced = self._sync()
        return None

    def _sync(self) -> float:
        """Sync both files, the pictures before the lines that refer to them, and return the time."""
        for file in (self._pictures, self._lines):
            file.flush()
            os.fsync(file.fileno())
        return time.monotonic()

    def _end(self, why: str) -> None:
        with self._lock:
            first, self.ended = self.ended is None, self.ended or why
        if first:
            log.warning("the recording has ended: %s; up to here it can be replayed, and the game goes on", why)
            self._queue.put(None)


def _frame_line(frame: Frame) -> dict[str, Any]:
    return {"frame": frame.number, "at_ms": frame.at_ms}


class RecordingCamera:
    """A camera whose frames are recorded: it returns them as they are recorded."""

    def __init__(self, camera: Camera, recorder: RecordingWriter) -> None:
        """Store the camera and its recorder; ``close`` closes both."""
        self._camera = camera
        self._recorder = recorder

    @property
    def name(self) -> str:
        """Return the camera's own name."""
        return self._camera.name

    def grab(self) -> Frame | None:
        """Return the next frame as it is recorded; raise ``CameraError`` as the camera does."""
        frame = self._camera.grab()
        return None if frame is None else self._recorder.record_frame(frame)

    def close(self) -> None:
        """Close the camera, and end the recording."""
        self._camera.close()
        self._recorder.close()
