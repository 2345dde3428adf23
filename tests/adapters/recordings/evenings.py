"""Small recordings, made without a reader: frames of grey, sightings by word."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.adapters.recordings.recording import DEFAULT_LIMITS, RecordingLimits, RecordingWriter
from companion.engine.game import Placement
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Frame
from companion.service.camera.pipeline import ReadLabels
from companion.vision.label.tag import Deck

ABOUT: dict[str, Any] = {"program": "0", "started_at": "", "camera": "fake", "mats": [], "profile": None}
DECK = Deck("MB", frozenset({"W07", "W08"}))
W07 = Sighting("MB1W07", ((10, 10), (30, 10), (30, 30), (10, 30)))
PLACED = Placement("place", "MB1W07", "W07", "tray", 1.0)


def frame(number: int, shade: int = 120) -> Frame:
    random = np.random.default_rng(number)
    return Frame(random.integers(shade - 3, shade + 3, (96, 128), np.uint8), number * 100, number)


def begun(folder: Path, bounds: RecordingLimits = DEFAULT_LIMITS) -> RecordingWriter:
    return RecordingWriter(folder / "0001", ABOUT, limits=bounds)


def show(recorder: RecordingWriter, number: int, seen: Sequence[Sighting] = (), *placed: Placement) -> Frame:
    kept = recorder.record_frame(frame(number))
    recorder.looked(ReadLabels(kept, DECK, tuple(seen)), placed, None)
    return kept
