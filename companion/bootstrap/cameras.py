"""Assemble the camera and the scanner that reads its frames."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from calibration.mat import MatTracker
from companion.adapters.cameras.specs import open_camera
from companion.adapters.label_readers import FrameReader, read_sightings
from companion.adapters.pictures import encode_jpeg
from companion.adapters.recordings.recording import RecordingCamera
from companion.bootstrap import create_deck, label_texts, load_bundled_catalog
from companion.bootstrap.games import InstalledGames, find_games
from companion.bootstrap.mats import create_mat_sight, load_mats
from companion.bootstrap.recordings import begin_recording
from companion.config import DataFolder
from companion.service.camera.camera import Camera
from companion.service.camera.detectors.dice import DiceDetector
from companion.service.camera.detectors.foreign_cards import ForeignCardDetector
from companion.service.camera.pipeline import Recorder
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.proposals import Keepsakes
from companion.service.camera.scanner import DetectorFactory, Scanner
from companion.service.demonstration import CardTable
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables
from companion.service.teaching.card_art import Faces
from companion.simulator.table import SimulatedTable
from companion.vision.dice.reader import read_dice
from companion.vision.label.tag import Deck


def connect_camera(
    spec: str, games: InstalledGames | None = None, *, patient: bool = False
) -> tuple[Camera, CardTable | None]:
    """Return an open camera, and for the simulated one its table; raise ``CameraError``.

    ``lazy``: an absent camera is opened when a frame is requested, and tried again.
    """
    laid: list[SimulatedTable] = []

    def simulated(seed: int) -> SimulatedTable:
        installed = games or find_games()
        laid.append(SimulatedTable(seed, _every_label(installed), mats=load_mats(games=installed)))
        return laid[0]

    opened = open_camera(spec, simulated, lazy=patient)
    return opened, laid[0] if laid else None


def _every_label(games: InstalledGames) -> dict[str, str]:
    """Return the labels of all bundled decks by card; the default game takes precedence for a card of the same id."""
    first = games.manifest()
    rest = (manifest for manifest in games.manifests.values() if manifest is not first)
    texts: dict[str, str] = {}
    for manifest in (first, *rest):
        texts = {**label_texts(manifest, load_bundled_catalog(manifest)), **texts}
    return texts


def create_scanner(
    source: Camera,
    mat: MatTracker | None = None,
    keepsakes: Keepsakes | None = None,
    recorder: Recorder | None = None,
    decks: Mapping[str, Deck] | None = None,
    faces: Faces | None = None,
) -> Scanner:
    """Return the scanner of a camera.

    Args:
        source: the camera.
        mat: finds the mat in its frames.
        keepsakes: stores automation levels and crops.
        recorder: records frames and placements.
        decks: of all games, by which cards of another game are recognised.
        faces: pictures of cards, by which unlabelled cards are recognised.

    """
    foreign_cards = partial(ForeignCardDetector, partial(read_sightings, mode="frame"), decks or {})
    others = DetectorFactory(
        foreign_cards, partial(DiceDetector, read_dice), None if faces is None else faces.loader_for
    )
    proposals = ProposalService(SystemClock(), keepsakes)
    reader = FrameReader()
    return Scanner(
        source,
        reader.read,
        encode_jpeg,
        proposals,
        mat=mat,
        recorder=recorder,
        others=others,
        averaged_frame=reader.calm,
    )


def list_decks(registry: Tables) -> dict[str, Deck]:
    """Return the bundled deck of every game."""
    manifests = {name: opened.manifest for name, opened in registry.games.items()}
    return {name: create_deck(manifest, load_bundled_catalog(manifest)) for name, manifest in manifests.items()}


def open_scanner(
    folder: DataFolder,
    source: Camera,
    keepsakes: Keepsakes,
    record: Path | None,
    decks: Mapping[str, Deck],
    faces: Faces,
    games: InstalledGames,
) -> Scanner:
    """Return the scanner of an installation's camera; ``record``: a folder in which a recording is made."""
    mat = create_mat_sight(folder, source.name, games)
    if record is None:
        return create_scanner(source, mat, keepsakes, decks=decks, faces=faces)
    recorder = begin_recording(record, folder, source.name, games)
    return create_scanner(RecordingCamera(source, recorder), mat, keepsakes, recorder, decks=decks, faces=faces)
