"""The camera of an installation: mats under it, the scanner that reads its frames, and recordings of them."""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import assert_never

from calibration.bounded_toml import MatError, ProfileError
from calibration.mat import Mat, MatTracker, format_mat, parse_mat, read_mats
from calibration.profile import format_profile, parse_profile
from companion import __version__
from companion.adapters.calibration_stores import load_profile
from companion.adapters.cameras.specs import open_camera
from companion.adapters.label_readers import FrameReader, read_frame, read_sightings
from companion.adapters.pictures import encode_jpeg
from companion.adapters.recordings.recording import (
    DeckStep,
    ForgetStep,
    FrameStep,
    Recording,
    RecordingCamera,
    RecordingError,
    RecordingStep,
    RecordingWriter,
)
from companion.adapters.recordings.tile_codec import TileEncoder
from companion.bootstrap import command_card_texts, create_deck, label_texts, load_bundled_catalog
from companion.bootstrap.games import DEFAULT_GAME, InstalledGames, find_games
from companion.config import DataFolder
from companion.engine.game import Placement
from companion.game_api.manifest import Manifest
from companion.service.camera.camera import Camera, shown_name
from companion.service.camera.detectors.dice import DiceDetector
from companion.service.camera.detectors.foreign_cards import ForeignCardDetector
from companion.service.camera.pipeline import Pipeline, ReadLabels, Recorder
from companion.service.camera.preview import SampleDeck, SampleReader
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.proposals import Keepsakes
from companion.service.camera.recording import Departure, Placed, first_departure
from companion.service.camera.scanner import DetectorFactory, Scanner
from companion.service.demonstration import CardTable
from companion.service.runtime import SystemClock, first_number
from companion.service.table.registry import Tables
from companion.service.teaching.card_art import CardArtPictures
from companion.simulator.table import SimulatedTable
from companion.vision.dice.reader import read_dice
from companion.vision.label.tag import Deck

log = logging.getLogger(__name__)

WITHIN_MS = 500
"""How far apart equal placements of two runs may be: one inertia time."""
THIN_QUALITY, THIN_WARM_MS = 75, 700
"""Of a condensed recording: half the size, and enough for the reader."""

_REPORTED: set[tuple[str, str]] = set()
"""Pairs of mats with common markers that a line was logged about: mats are loaded several times."""
_NUMBERED = re.compile(r"[0-9]{4,}")


def load_mats(folder: Path | None = None, games: InstalledGames | None = None) -> dict[str, Mat]:
    """Return the mats of games and of an installation by name; the installation's take precedence.

    Of mats with a marker in common the camera takes the first; a line is logged, and those of the installation are
    before all others.  A game with unusable mats is logged and skipped.  Raises ``MatError`` for unusable mats of the
    installation.
    """
    mats: dict[str, Mat] = {}
    for game in (games or find_games()).manifests.values():
        try:
            mats |= {} if game.mats is None else read_mats(game.mats)
        except MatError as fault:
            log.error(  # noqa: TRY400 - one line for the operator
                "mats of %s: %s; the others are known", game.name, fault
            )
    own = {} if folder is None else read_mats(folder)
    all_mats = {**mats, **own}
    return {**{name: own[name] for name in _report_shared_markers(own, all_mats)}, **all_mats}


def _report_shared_markers(own: Mapping[str, Mat], all_mats: Mapping[str, Mat]) -> Iterator[str]:
    """Yield the own mats with a marker that another mat has too, and log each such pair once."""
    numbers = {name: {marker.number for marker in mat.markers} for name, mat in {**own, **all_mats}.items()}
    names = list(numbers)  # own mats first
    for place, name in enumerate(own):
        for other in names[place + 1 :]:
            if common := sorted(numbers[name] & numbers[other]):
                yield name
                if (name, other) not in _REPORTED:
                    _REPORTED.add((name, other))
                    log.warning(
                        "the mats %s and %s have the same markers (%s), and the camera takes both for %s: give one of "
                        "them four others, from 80 to 99, and print it again",
                        *(name, other, ", ".join(map(str, common)), name),
                    )


def create_mat_tracker(folder: DataFolder, camera: str, games: InstalledGames | None = None) -> MatTracker:
    """Return the mat finder of a camera; raise ``MatError``, ``ProfileError`` or ``OSError``."""
    profile = load_profile(folder.profiles, camera)
    lens = None if profile is None or profile.lens is None else profile.lens.lens
    return MatTracker(list(load_mats(folder.mats, games).values()), lens)


# The camera and its scanner


def connect_camera(
    spec: str, games: InstalledGames | None = None, *, patient: bool = False, mats: Path | None = None
) -> tuple[Camera, CardTable | None]:
    """Return an open camera, and for the simulated one its table; raise ``CameraError``.

    ``patient``: an absent camera is opened when a frame is requested, and tried again.  ``mats``: a folder of mats that
    may be laid on the simulated table, beside those of games.
    """
    laid: list[SimulatedTable] = []

    def simulated(seed: int) -> SimulatedTable:
        installed = games or find_games()
        try:
            mats_to_lay = load_mats(mats, installed)
        except MatError:  # opening the installation sets unusable mats aside, or says what is wrong
            mats_to_lay = load_mats(games=installed)
        laid.append(SimulatedTable(seed, _every_label(installed), mats=mats_to_lay))
        return laid[0]

    opened = open_camera(spec, simulated, lazy=patient)
    return opened, laid[0] if laid else None


def _every_label(games: InstalledGames) -> dict[str, str]:
    """Return the labels of all bundled decks and of command cards, by card and by their own text.

    Of cards of several games that have one id, the default game's lies under it, the others under their text.
    """
    first = games.manifest()
    rest = (manifest for manifest in games.manifests.values() if manifest is not first)
    texts: dict[str, str] = {}
    for manifest in (first, *rest):
        try:
            labels = {**label_texts(manifest, load_bundled_catalog(manifest)), **command_card_texts(manifest)}
        except ValueError as error:
            log.warning("the cards of %s cannot be laid before the simulated camera: %s", manifest.title, error)
            continue
        texts = {**labels, **{text: text for text in labels.values()}, **texts}
    return texts


def create_scanner(
    source: Camera,
    mat: MatTracker | None = None,
    keepsakes: Keepsakes | None = None,
    recorder: Recorder | None = None,
    decks: Mapping[str, Deck] | None = None,
    faces: CardArtPictures | None = None,
    *,
    first: int = 1,
) -> Scanner:
    """Return the scanner of a camera.

    Args:
        source: the camera.
        mat: finds the mat in its frames.
        keepsakes: stores automation levels and crops.
        recorder: records frames and placements.
        decks: of all games, by which cards of another game are recognised.
        faces: pictures of cards, by which unlabelled cards are recognised.
        first: the number of the first proposal.

    """
    foreign_cards = partial(ForeignCardDetector, partial(read_sightings, mode="frame"), decks or {})
    detector_factory = DetectorFactory(
        foreign_cards, partial(DiceDetector, read_dice), None if faces is None else faces.loader_for
    )
    proposals = ProposalService(SystemClock(), keepsakes, first)
    reader = FrameReader()
    return Scanner(
        source,
        reader.read,
        encode_jpeg,
        proposals,
        mat=mat,
        recorder=recorder,
        detector_factory=detector_factory,
        averaged_frame=reader.calm,
    )


def list_decks(registry: Tables) -> dict[str, Deck]:
    """Return the bundled deck of every game."""
    manifests = {name: opened.manifest for name, opened in registry.games.items()}
    return {name: create_deck(manifest, load_bundled_catalog(manifest)) for name, manifest in manifests.items()}


def list_samples(manifests: Mapping[str, Manifest]) -> list[SampleDeck]:
    """Return the bundled deck of every game, the default game's first."""
    samples: list[SampleDeck] = []
    for name in sorted(manifests, key=lambda name: name != DEFAULT_GAME):
        catalog = load_bundled_catalog(manifests[name])
        as_json = partial(manifests[name].cards().as_json, catalog)
        samples.append(SampleDeck(name, create_deck(manifests[name], catalog), as_json))
    return samples


def create_sample_reader(games: InstalledGames | None = None) -> SampleReader:
    """Return a reader of the labels of all installed games."""
    return SampleReader(read_frame, list_samples((games or find_games()).manifests))


def open_scanner(
    folder: DataFolder,
    source: Camera,
    keepsakes: Keepsakes,
    record: Path | None,
    decks: Mapping[str, Deck],
    faces: CardArtPictures,
    games: InstalledGames,
) -> Scanner:
    """Return the scanner of an installation's camera; ``record``: a folder in which a recording is made."""
    mat = create_mat_tracker(folder, source.name, games)
    create = partial(create_scanner, mat=mat, keepsakes=keepsakes, decks=decks, faces=faces, first=first_number())
    if record is None:
        return create(source)
    recorder = begin_recording(record, folder, source.name, games)
    return create(RecordingCamera(source, recorder), recorder=recorder)


# Recordings: made beside a scanner, replayed through the same pipeline, condensed to tests


def begin_recording(
    folder: Path, data: DataFolder, camera: str, games: InstalledGames | None = None
) -> RecordingWriter:
    """Begin a recording in a folder of recordings, numbered because the clock may be wrong.

    Raises ``MatError``, ``ProfileError`` or ``OSError``.
    """
    there = [int(path.name) for path in folder.glob("*") if _NUMBERED.fullmatch(path.name)]
    profile = load_profile(data.profiles, camera)
    about = {
        "program": __version__,
        "started_at": SystemClock().now(),
        "camera": shown_name(camera),
        "mats": [format_mat(mat) for mat in load_mats(data.mats, games).values()],
        "profile": None if profile is None else format_profile(replace(profile, camera=shown_name(camera))),
    }
    return RecordingWriter(folder / f"{max(there, default=0) + 1:04}", about)


@dataclass(frozen=True, slots=True)
class Replay:
    """The placements of a recording as they were recorded and as they are now, its frames, and the mats in view."""

    recorded: tuple[Placed, ...]
    now: tuple[Placed, ...]
    frames: int
    mats: frozenset[str]

    def find_departure(self, within_ms: int = WITHIN_MS) -> Departure | None:
        """Return the first difference between the two; ``None`` where they agree."""
        return first_departure(self.recorded, self.now, within_ms)


def replay(recording: Recording) -> Replay:
    """Send a recording through the whole pipeline again; raise ``RecordingError``."""
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
    """Condense a recording, or a part of it, into a new folder and return the replay of the result.

    Full quality is used where less would change the placements.

    Raises:
        RecordingError: when even that changes them, or the recording cannot be played.
        OSError: when a file cannot be written.

    """
    whole = replay(recording)
    about = {
        **recording.about,
        "mats": [text for text in recording.about["mats"] if parse_mat(text).name in whole.mats],
    }
    for encoder in (TileEncoder(THIN_QUALITY, THIN_WARM_MS), TileEncoder()):
        steps = _select_steps(recording, since_ms, until_ms)
        _record_again(recording, steps, RecordingWriter(to, about, encoder=encoder))
        condensed = replay(Recording(to))
        if since_ms or until_ms is not None or first_departure(whole.now, condensed.now, WITHIN_MS) is None:
            return condensed
        for file in to.iterdir():
            file.unlink()
        to.rmdir()
    raise RecordingError(f"{recording.folder}: condensed it leads to other placements; copy the folder instead")


def _record_again(recording: Recording, steps: Iterator[RecordingStep], recorder: RecordingWriter) -> None:
    """Record the steps of a recording anew."""
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


def _select_steps(recording: Recording, since_ms: int, until_ms: int | None) -> Iterator[RecordingStep]:
    """Yield the steps of a part, in ms from the first frame, after the step of the deck that was read then."""
    deck: DeckStep | None = None
    first_ms: int | None = None
    started = False
    for step in recording.steps():
        if isinstance(step, FrameStep):
            first_ms = step.frame.at_ms if first_ms is None else first_ms
            elapsed = step.frame.at_ms - first_ms
            if until_ms is not None and elapsed > until_ms:
                return
            if not started and elapsed >= since_ms:
                started = True
                if deck is not None:
                    yield deck
        elif isinstance(step, DeckStep) and not started:
            deck = step
        if started:
            yield step


class _Replaying:
    """A pipeline with the mats and the profile of a recording."""

    def __init__(self, recording: Recording) -> None:
        try:
            mats = [parse_mat(text) for text in recording.about["mats"]]
            profile = recording.about["profile"]
            camera = None if profile is None else parse_profile(profile)
        except (KeyError, TypeError, MatError, ProfileError) as fault:
            raise RecordingError(f"{recording.folder}: its first line cannot be used ({fault})") from fault
        lens = None if camera is None or camera.lens is None else camera.lens.lens
        self.pipeline = Pipeline(FrameReader().read, mat=MatTracker(mats, lens))
        self._previous_deck = self.pipeline.deck

    def take(self, step: RecordingStep) -> tuple[ReadLabels | None, tuple[Placement, ...] | None]:
        """Repeat a step; return what was read from its frame, and the placements unless they were dropped then."""
        match step:
            case DeckStep():
                self._previous_deck = self.pipeline.deck
                self.pipeline.attach(step.deck)
            case ForgetStep():
                self.pipeline.tracker.forget(step.tag)
            case FrameStep():
                looked = self.pipeline.read(
                    step.frame, self._previous_deck if step.not_taken_in == "deck_before" else None
                )
                return looked, None if step.not_taken_in else self.pipeline.place(looked)
            case _:
                assert_never(step)
        return None, None


def _placed(step: FrameStep, placements: tuple[Placement, ...], first_ms: int) -> list[Placed]:
    return [Placed(step.frame.number, step.frame.at_ms - first_ms, placement) for placement in placements]
