"""Calibrating while the program serves: step by step, by the frames of the camera that is watched anyway.

What is found is kept in the camera's profile only when somebody says so, and is used at once.  Leaving half way
loses nothing that was kept.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from calibration.bounded_toml import ProfileError
from calibration.fiducials import Board, to_grey
from calibration.lens import Lens, LensError, LensFit
from calibration.mat import MatTracker
from calibration.picture_check import PixelBox, find_glare
from calibration.profile import CalibratedMat, Profile
from calibration.steps import LensCalibration, LensStep, TableStep, observe_table
from companion.service.camera.camera import Frame
from companion.service.camera.preview import CameraCheck
from companion.service.camera.scanner import Scanner


class Profiles(Protocol):
    """Where the profiles of cameras are kept."""

    def load(self, camera: str) -> Profile | None:
        """Return what is known of a camera; ``None``: nothing.  ``ProfileError`` or ``OSError``."""
        ...

    def save(self, profile: Profile) -> None:
        """Keep what is known of a camera.  ``OSError``."""
        ...


class NotCalibrated(Exception):  # noqa: N818 - an answer, not an error of the program
    """Nothing has been calibrated yet that could be kept."""


@dataclass(frozen=True, slots=True)
class KnownProfile:
    """Profile of the camera, if there is one; ``fault`` says why its profile cannot be used."""

    profile: Profile | None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class LensFrame:
    """One frame of the board: its number and size, the step it led to, where glare is, and the lens once it is known.

    ``fault``: why the pictures do not determine the lens.
    """

    number: int
    width: int
    height: int
    step: LensStep
    glare: tuple[PixelBox, ...]
    fit: LensFit | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class TableLooked:
    """One frame of the table: its number and size, what it showed, how many labels were read, and where glare is."""

    number: int
    width: int
    height: int
    step: TableStep
    labels: int
    glare: tuple[PixelBox, ...]


class CalibrationService:
    """Finds out lens and mat of the camera.  Every call may come from any thread; one works at a time."""

    def __init__(
        self,
        scanner: Scanner,
        check: CameraCheck,
        profiles: Profiles,
        new_sight: Callable[[Lens | None], MatTracker],
    ) -> None:
        """Store the scanner, the check that holds and reads frames, the store of profiles and a factory of trackers."""
        self._scanner = scanner
        self._check = check
        self._profiles = profiles
        self._new_sight = new_sight
        self._lock = threading.Lock()
        self._board = Board()
        self._steps = LensCalibration(self._board)
        self._looked: LensFrame | None = None
        self._mat_tracker: MatTracker | None = None
        self._table: TableLooked | None = None

    def known_profile(self) -> KnownProfile:
        """Return what is known of the camera."""
        try:
            return KnownProfile(self._profiles.load(self._scanner.camera.name))
        except (ProfileError, OSError) as fault:
            return KnownProfile(None, str(fault))

    def begin_lens(self, square_mm: float | None = None) -> None:
        """Begin anew with the board; ``square_mm``: the side of its squares, as measured."""
        with self._lock:
            usual = Board()
            side = usual.square_mm if square_mm is None else square_mm
            self._board = Board(square_mm=side, marker_mm=usual.marker_mm * side / usual.square_mm)
            self._begin_lens()

    def _begin_lens(self) -> None:
        self._steps, self._looked = LensCalibration(self._board), None

    def look_for_board(self) -> LensFrame | None:
        """Look for the board in the latest frame; ``None`` while there is none.  The same frame is taken in once."""
        frame = self._scanner.latest
        if frame is None:
            return None
        with self._lock:
            if self._looked is None or self._looked.number != frame.number:
                self._check.keep(frame)
                self._looked = self._with_board(frame)
            return self._looked

    def _with_board(self, frame: Frame) -> LensFrame:
        try:
            step = self._steps.observe(frame.image)
        except LensError:  # the camera takes pictures of another size now: those before are of no use
            self._begin_lens()
            step = self._steps.observe(frame.image)
        fit, fault = (None, None) if self._looked is None else (self._looked.fit, self._looked.fault)
        if step.coverage.is_enough and (step.taken or fit is None):
            try:
                fit, fault = self._steps.fit(), None
            except LensError as error:
                fit, fault = None, str(error)
        height, width = frame.image.shape[:2]
        spots = find_glare(to_grey(frame.image))
        return LensFrame(frame.number, int(width), int(height), step, spots, fit, fault)

    def keep_lens(self) -> LensFit:
        """Keep the lens that was found, and use it at once.  ``NotCalibrated``, ``OSError``."""
        with self._lock:
            fit = None if self._looked is None else self._looked.fit
            if fit is None:
                raise NotCalibrated
            self._profiles.save(replace(self._profile(), lens=fit))
            self._mat_tracker = None
        if self._scanner.mat is not None:
            self._scanner.mat.use_lens(fit.lens)
        return fit

    def look_at_table(self) -> TableLooked | None:
        """Look for the mat in the latest frame; ``None`` while there is none.  The same frame is looked at once."""
        frame = self._scanner.latest
        if frame is None:
            return None
        with self._lock:
            if self._table is None or self._table.number != frame.number:
                self._check.keep(frame)
                self._table = self._of_table(frame)
            return self._table

    def _of_table(self, frame: Frame) -> TableLooked:
        if self._mat_tracker is None:
            lens = self._profile().lens
            self._mat_tracker = self._new_sight(None if lens is None else lens.lens)
        _, _, read = self._check.read_labels(frame)
        step = observe_table(self._mat_tracker, frame.at_ms, frame.image, [np.array(label.corners) for label in read])
        if step.mat is not None and len(step.hidden) == len(step.mat.mat.markers):
            self._mat_tracker = None  # taken away: look for it, or for another one, from the next frame on
        height, width = frame.image.shape[:2]
        return TableLooked(frame.number, int(width), int(height), step, len(read), find_glare(to_grey(frame.image)))

    def keep_table(self) -> CalibratedMat:
        """Keep where the mat lies.  ``NotCalibrated``, ``OSError``."""
        with self._lock:
            mat = None if self._table is None else self._table.step.mat
            if mat is None:
                raise NotCalibrated
            calibrated = CalibratedMat(mat.mat.name, mat.plane, mat.error_px, mat.error_mm)
            self._profiles.save(replace(self._profile(), mat=calibrated))
        return calibrated

    def _profile(self) -> Profile:
        """Return what is known; a profile that cannot be read is replaced."""
        return self.known_profile().profile or Profile(self._scanner.camera.name)
