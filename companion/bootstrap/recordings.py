"""Recordings with all that they need: begun over a camera, replayed, and cut down to a test."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from calibration.mat import MatError, ProfileError, mat_text, parse_mat
from calibration.mat_sight import MatSight
from calibration.profile import parse_profile, profile_text
from companion import __version__
from companion.adapters.label_readers import FrameReader
from companion.adapters.recordings.recorded import DeckStep, ForgetStep, FrameStep, Recording, RecordingError, Step
from companion.adapters.recordings.recorder import RecordingWriter
from companion.adapters.recordings.tile_codec import TileEncoder
from companion.adapters.stores import load_profile
from companion.adapters.system import SystemClock
from companion.bootstrap.games import InstalledGames
from companion.bootstrap.mats import load_mats
from companion.config import DataFolder
from companion.engine.placement import Placement
from companion.service.camera.pipeline import Looked, Pipeline
from companion.service.camera.recording import Departure, Placed, first_departure

WITHIN_MS = 500
"""How far apart the same placement may come in two runs and still be the same: one inertia time."""
THIN_QUALITY, THIN_WARM_MS = 75, 700
"""Of what is kept as a test: half the size, and still what the reader needs."""

_NUMBERED = re.compile(r"[0-9]{4,}")


def begin_recording(
    folder: Path, data: DataFolder, camera: str, games: InstalledGames | None = None
) -> RecordingWriter:
    """Begin a recording in a folder of recordings; they are numbered, for a clock may be wrong.

    Raises ``MatError``, ``ProfileError`` or ``OSError``.
    """
    there = [int(path.name) for path in folder.glob("*") if _NUMBERED.fullmatch(path.name)]
    profile = load_profile(data.profiles, camera)
    about = {
        "program": __version__,
        "started_at": SystemClock().now(),
        "camera": camera,
        "mats": [mat_text(mat) for mat in load_mats(data.mats, games).values()],
        "profile": None if profile is None else profile_text(profile),
    }
    return RecordingWriter(folder / f"{max(there, default=0) + 1:04}", about)


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a recording: as it was recorded and as it is now, how many frames, and which mats were seen."""

    recorded: tuple[Placed, ...]
    now: tuple[Placed, ...]
    frames: int
    mats: frozenset[str]

    def find_departure(self, within_ms: int = WITHIN_MS) -> Departure | None:
        """Say where the two part first."""
        return first_departure(self.recorded, self.now, within_ms)


def replay(recording: Recording) -> Replay:
    """Send a recording through the whole pipeline again.  ``RecordingError``."""
    replaying = _Replaying(recording)
    recorded: list[Placed] = []
    now: list[Placed] = []
    mats: set[str] = set()
    frames, first_ms = 0, None
    for step in recording.steps():
        _, placements = replaying.take(step)
        if isinstance(step, FrameStep):
            frames += 1
            first_ms = step.frame.at_ms if first_ms is None else first_ms
            recorded += _placed(step, step.placements, first_ms)
            now += _placed(step, placements or (), first_ms)
            if (mat := replaying.pipeline.mat_name) is not None:
                mats.add(mat)
    return Replay(tuple(recorded), tuple(now), frames, frozenset(mats))


def condense_recording(recording: Recording, to: Path, since_ms: int = 0, until_ms: int | None = None) -> Replay:
    """Condense a recording, or a part of it, into a new folder; give what comes of the condensed one.

    Where pictures of less quality would lead to something else, it is kept in full quality.  Raises
    ``RecordingError`` or ``OSError``.
    """
    whole = replay(recording)
    about = {
        **recording.about,
        "mats": [text for text in recording.about["mats"] if parse_mat(text).name in whole.mats],
    }
    for patchwork in (TileEncoder(THIN_QUALITY, THIN_WARM_MS), TileEncoder()):
        steps = _part(recording, since_ms, until_ms)
        _condensed(recording, steps, RecordingWriter(to, about, encoder=patchwork))
        condensed = replay(Recording(to))
        if since_ms or until_ms is not None or first_departure(whole.now, condensed.now, WITHIN_MS) is None:
            return condensed
        for file in to.iterdir():
            file.unlink()
        to.rmdir()
    raise RecordingError(f"{recording.folder}: condensed it leads to other placements; copy the folder instead")


def _condensed(recording: Recording, steps: Iterator[Step], recorder: RecordingWriter) -> None:
    """Record a recording anew."""
    replaying = _Replaying(recording)
    try:
        for step in steps:
            match step:
                case DeckStep():
                    replaying.take(step)
                    recorder.attached(step.deck)
                case ForgetStep():
                    replaying.take(step)
                    recorder.forgot(step.tag)
                case FrameStep():
                    kept = FrameStep(recorder.record_frame(step.frame), (), step.not_taken_in)
                    looked, placements = replaying.take(kept)
                    if looked is not None and step.not_taken_in != "failed":
                        recorder.looked(looked, placements, replaying.pipeline.mat_name)
                case _:
                    assert_never(step)
    finally:
        recorder.close()
    if recorder.ended is not None:
        raise RecordingError(f"{recorder.folder}: {recorder.ended}")


def _part(recording: Recording, since_ms: int, until_ms: int | None) -> Iterator[Step]:
    """Return the steps of a part, counted from the first frame; it begins with the deck that was looked for then."""
    deck: DeckStep | None = None
    first_ms: int | None = None
    begun = False
    for step in recording.steps():
        if isinstance(step, FrameStep):
            first_ms = step.frame.at_ms if first_ms is None else first_ms
            passed = step.frame.at_ms - first_ms
            if until_ms is not None and passed > until_ms:
                return
            if not begun and passed >= since_ms:
                begun = True
                if deck is not None:
                    yield deck
        elif isinstance(step, DeckStep) and not begun:
            deck = step
        if begun:
            yield step


class _Replaying:
    """A pipeline as the recorded one was set up."""

    def __init__(self, recording: Recording) -> None:
        try:
            mats = [parse_mat(text) for text in recording.about["mats"]]
            profile = recording.about["profile"]
            known = None if profile is None else parse_profile(profile)
        except (KeyError, TypeError, MatError, ProfileError) as fault:
            raise RecordingError(f"{recording.folder}: its first line cannot be used ({fault})") from fault
        lens = None if known is None or known.lens is None else known.lens.lens
        self.pipeline = Pipeline(FrameReader().read, mat=MatSight(mats, lens))
        self._before = self.pipeline.deck

    def take(self, step: Step) -> tuple[Looked | None, tuple[Placement, ...] | None]:
        """Do what was done then; give what was read, and the placements unless nothing was to come of it."""
        match step:
            case DeckStep():
                self._before = self.pipeline.deck
                self.pipeline.attach(step.deck)
            case ForgetStep():
                self.pipeline.tracker.forget(step.tag)
            case FrameStep():
                looked = self.pipeline.read(step.frame, self._before if step.not_taken_in == "deck_before" else None)
                return looked, None if step.not_taken_in else self.pipeline.take_in(looked)
            case _:
                assert_never(step)
        return None, None


def _placed(step: FrameStep, placements: tuple[Placement, ...], first_ms: int) -> list[Placed]:
    return [Placed(step.frame.number, step.frame.at_ms - first_ms, one) for one in placements]
