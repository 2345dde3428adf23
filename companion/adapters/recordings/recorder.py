"""Writes what the camera sees, and what comes of it, while the game goes on.

Whoever looks at the table never waits for the disk: lines and pictures go into a queue, and a thread of its own
writes them.  What would leave a gap ends the recording instead (a full disk, one that cannot keep up, the bound): up
to there it can be replayed, one line says so, and the game goes on.
"""

import json
import logging
import math
import os
import queue
import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import cv2

from companion.adapters.recordings.recorded import (
    LINES,
    MARK,
    PICTURES,
    VERSION,
    deck_to_json,
    placement_to_json,
    sighting_to_json,
    update_to_json,
)
from companion.adapters.recordings.tile_codec import TileDecoder, TileEncoder, TileUpdate
from companion.engine.placement import Placement
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Camera, Frame
from companion.service.camera.pipeline import Looked
from companion.vision.label.tag import Deck

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RecordingLimits:
    """How large a recording may grow, all in bytes.

    ``most``: of one recording; ``least_free``: what it leaves free on the disk; ``most_waiting``: what may wait for
    the disk in memory.
    """

    most: int = 4_000_000_000
    least_free: int = 1_000_000_000
    most_waiting: int = 64_000_000


DEFAULT_LIMITS = RecordingLimits()
LOOK_AT_DISK_EVERY = 16_000_000
"""Bytes written between two looks at what is free."""
SYNC_EVERY_S = 5.0
"""What a pulled plug costs of a recording at most, in seconds."""
CLOSE_S = 10.0


class RecordingWriter:
    """One recording, from the first frame to ``close``.

    ``pictured`` is called by the thread that looks at the table, everything else from any thread.
    """

    def __init__(
        self,
        folder: Path,
        about: Mapping[str, Any],
        *,
        limits: RecordingLimits = DEFAULT_LIMITS,
        encoder: TileEncoder | None = None,
    ) -> None:
        """Begin a recording in a new folder, for its owner only; ``about`` is what its first line says.

        Raises:
            OSError: when the folder is there already or cannot be written.

        """
        folder.mkdir(mode=0o700, parents=True)
        self.folder = folder
        self.ended: str | None = None
        """Why nothing is recorded any more, though nobody has closed it; None while all is well."""
        self._closed = False
        self._bounds = limits
        self._patchwork = encoder or TileEncoder()
        self._canvases = TileDecoder()
        self._lock = threading.Lock()
        self._waiting = 0
        self._queue: queue.SimpleQueue[tuple[dict[str, Any], TileUpdate | None] | None] = queue.SimpleQueue()
        self._picture: tuple[Frame, TileUpdate | None] | None = None
        self._seen: tuple[Sighting, ...] = ()
        self._mat: str | None = None
        self._lines, self._pictures = _opened(folder / LINES), _opened(folder / PICTURES)
        self._put({MARK: VERSION, **about})
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------- told by the one who looks
    def record_frame(self, frame: Frame) -> Frame:
        """Take in a frame of the camera; return the one that is kept of it, which is to be read."""
        if self._closed or self.ended is not None:
            return frame
        self._not_looked_at()
        try:
            patch = self._patchwork.encode(frame.image, frame.at_ms)
            kept = self._canvases.decode(patch)
        except (ValueError, cv2.error) as error:
            self._end(f"a picture of {frame.image.shape} cannot be kept ({' '.join(str(error).split())})")
            return frame
        self._picture = (frame, patch)
        return replace(frame, image=kept)

    def looked(self, looked: Looked, placements: tuple[Placement, ...] | None, mat: str | None) -> None:
        """Write down a frame with what it has led to, as far as that is new."""
        if self._picture is None:
            return
        (_, patch), self._picture = self._picture, None
        line = _frame_line(looked.frame)
        if placements is None:
            line["not_taken_in"] = "deck_before"
        if looked.seen != self._seen:
            self._seen = looked.seen
            line["seen"] = [sighting_to_json(one) for one in looked.seen]
        if mat != self._mat:
            self._mat = line["mat"] = mat
        if placements:
            line["placed"] = [placement_to_json(one) for one in placements]
        self._put(line, patch)

    def _not_looked_at(self) -> None:
        """Write down a frame that could not be read: the program's log says why."""
        if self._picture is not None:
            (frame, patch), self._picture = self._picture, None
            self._put({**_frame_line(frame), "not_taken_in": "failed"}, patch)

    def attached(self, deck: Deck) -> None:
        """Write down for which deck the camera looks from now on."""
        self._put({"deck": deck_to_json(deck)})

    def forgot(self, tag: str) -> None:
        """Write down that a tag counts as never seen."""
        self._put({"forget": tag})

    def note_problem(self, problem: str | None) -> None:
        """Write down that the camera was lost, or has come back."""
        self._put({"camera": problem or "seeing"})

    def close(self) -> None:
        """Write what waits, and end; may be called twice."""
        with self._lock:
            self._closed = True
            self._queue.put(None)
        self._thread.join(CLOSE_S)

    # ------------------------------------------------------------------------------------ towards the disk
    def _put(self, line: dict[str, Any], patch: TileUpdate | None = None) -> None:
        """Let a line wait for the disk, unless there is too much waiting already."""
        size = 0 if patch is None else len(patch.jpeg)
        with self._lock:
            if self._closed or self.ended is not None:
                return
            behind = self._waiting + size > self._bounds.most_waiting
            if not behind:
                self._waiting += size
                self._queue.put((line, patch))
        if behind:
            self._end("the disk cannot keep up")

    def _run(self) -> None:
        try:
            with self._pictures, self._lines:
                self._write()
                self._lines.write(json.dumps({"end": self.ended or "stopped"}).encode() + b"\n")
        except OSError as error:
            self._end(f"{self.folder}: {error.strerror or error}")

    def _write(self) -> None:
        written, looked_at_disk, synced = 0, -LOOK_AT_DISK_EVERY, -math.inf
        while (waiting := self._queue.get()) is not None:
            line, patch = waiting
            if patch is not None:
                line["picture"] = update_to_json(patch, self._pictures.tell())
                self._pictures.write(patch.jpeg)
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
            self._lines.write(text)
            written += len(text) + (0 if patch is None else len(patch.jpeg))
            with self._lock:
                self._waiting -= 0 if patch is None else len(patch.jpeg)
            if written >= self._bounds.most:
                return self._end(f"it has reached {self._bounds.most / 1e9:g} GB")
            if written - looked_at_disk >= LOOK_AT_DISK_EVERY:
                looked_at_disk = written
                if shutil.disk_usage(self.folder).free < self._bounds.least_free:
                    return self._end(f"less than {self._bounds.least_free / 1e9:g} GB are free")
            if time.monotonic() - synced >= SYNC_EVERY_S:
                synced = self._synced()
        return None

    def _synced(self) -> float:
        """Let no more than the latest seconds be lost with the power: pictures first, then the lines that name them."""
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


def _opened(path: Path) -> BinaryIO:
    """Open a new file that only its owner can read: it shows the table and whoever sits at it."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


# --- camera
# A camera whose frames are recorded: what is read is what is kept.


class RecordingCamera:
    """Stands before a camera and lets the recorder have every frame first."""

    def __init__(self, camera: Camera, recorder: RecordingWriter) -> None:
        """Take the camera and who records it; both are closed with this."""
        self._camera = camera
        self._recorder = recorder

    @property
    def name(self) -> str:
        """Return the camera's own name."""
        return self._camera.name

    def grab(self) -> Frame | None:
        """Return the next frame as it is kept; ``CameraError`` as the camera says."""
        frame = self._camera.grab()
        return None if frame is None else self._recorder.record_frame(frame)

    def close(self) -> None:
        """Return the camera back, and end the recording."""
        self._camera.close()
        self._recorder.close()
