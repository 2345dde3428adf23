"""A simulated camera: frames of a simulated table, or of the calibration board held in front of it."""

import math
import time

import cv2
import numpy as np

from calibration.fiducials import Board
from companion.qr.sighting import Picture
from companion.service.camera.camera import Frame
from companion.simulator.art import PlacedMat
from companion.simulator.optics import (
    FIELD_OF_VIEW_DEGREES,
    MILD,
    NONE,
    Nuisances,
    Optics,
    Severity,
    blur_picture,
    bump_camera,
    sample_optics,
)
from companion.simulator.scene import Scene
from companion.simulator.table import SimulatedTable

# The calibration board, held in front of a simulated camera and moved as during a calibration.

POSE_MS = 700
"""Time for which each pose is held."""

POSES: tuple[tuple[float, float, float, tuple[float, float, float]], ...] = (
    (25, 0, 0, (0, 0, 420)),
    (25, 90, 10, (0, 0, 420)),
    (30, 180, -10, (-90, -40, 450)),
    (30, 270, 5, (90, 40, 450)),
    (35, 45, 0, (-110, 60, 460)),
    (35, 135, 90, (110, -60, 460)),
    (30, 225, 0, (-130, -70, 480)),
    (30, 315, 180, (130, 70, 480)),
    (5, 0, 0, (0, 0, 330)),
    (40, 20, 0, (100, -60, 480)),
    (40, 200, 30, (-100, 70, 500)),
    (20, 120, 0, (0, 60, 400)),
)
"""Tilt, direction of the tilt, and roll in degrees; position of the board's centre in front of the camera in mm."""

_PIXELS_A_MM = 4.0
_MARGIN_MM = 10.0
_PAPER = 235


class HeldBoard:
    """The board in front of one camera. Not thread-safe."""

    def __init__(self, optics: Optics, board: Board | None = None) -> None:
        """Draw the board, by default the usual one."""
        self._optics = optics
        self._board = board or Board()
        margin = round(_MARGIN_MM * _PIXELS_A_MM)
        drawn = np.pad(self._board.draw(_PIXELS_A_MM), margin, constant_values=255)
        self._drawn = np.where(drawn > 127, _PAPER, 20).astype(np.uint8)  # noqa: PLR2004 - white or black
        self._current: tuple[int, Picture, Picture] | None = None

    @property
    def focal_px(self) -> float:
        """Return the focal length of the simulated lens, which has no distortion."""
        return self._optics.width / 2 / math.tan(math.radians(FIELD_OF_VIEW_DEGREES / 2))

    def overlay(self, picture: Picture, at_ms: int) -> Picture:
        """Return the picture with the board in front of it, in its pose at a time."""
        pose = at_ms // POSE_MS % len(POSES)
        if self._current is None or self._current[0] != pose:
            self._current = (pose, *self._project(pose))
        _, board, cover = self._current
        return np.asarray(np.where(cover > 0, board, picture), np.uint8)

    def _project(self, pose: int) -> tuple[Picture, Picture]:
        """Return the board as the camera sees it, and the mask of what it covers, height x width x 1 each."""
        tilt, towards, roll, middle = POSES[pose]
        axis = np.array([math.cos(math.radians(towards)), math.sin(math.radians(towards)), 0.0]) * math.radians(tilt)
        turn = cv2.Rodrigues(axis)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, math.radians(roll)]))[0]
        shift = np.array(middle, np.float64) - turn @ np.array([*self._board.size_mm, 0.0]) / 2
        width, height = self._optics.width, self._optics.height
        lens = np.array([[self.focal_px, 0, width / 2], [0, self.focal_px, height / 2], [0, 0, 1]])
        to_mm = 1 / _PIXELS_A_MM
        from_drawn = np.array(
            [[to_mm, 0, to_mm / 2 - _MARGIN_MM], [0, to_mm, to_mm / 2 - _MARGIN_MM], [0, 0, 1]], np.float64
        )
        to_pixel_centres = np.array([[1.0, 0, -0.5], [0, 1.0, -0.5], [0, 0, 1]])
        warp = to_pixel_centres @ lens @ np.column_stack((turn[:, :2], shift)) @ from_drawn
        drawn = cv2.GaussianBlur(self._drawn, (0, 0), 0.8)  # against aliasing, because it is about to be reduced
        seen = cv2.warpPerspective(drawn, warp, (width, height), flags=cv2.INTER_LINEAR, borderValue=(_PAPER,))
        cover = cv2.warpPerspective(np.ones_like(self._drawn), warp, (width, height), flags=cv2.INTER_NEAREST)
        soft = blur_picture(seen.astype(np.float32), self._optics) * self._optics.brightness
        return np.asarray(np.clip(soft, 0, 255), np.uint8)[:, :, None], np.asarray(cover, np.uint8)[:, :, None]


# A simulated camera, which renders frames of a simulated table.


class SimulatedCamera:
    """Renders a simulated table in 1920 x 1080 for each frame.

    ``frame_ms``: time between frames on the camera's own clock, however fast they are requested, so that a game can be
    played as fast as the machine renders; without it the clock is the real one.
    ``mat``: a mat that lies under the cards while the table itself has none.
    ``nuisances``: what makes the table harder to read.
    """

    def __init__(
        self,
        table: SimulatedTable,
        severity: Severity = MILD,
        *,
        frame_ms: int | None = None,
        mat: PlacedMat | None = None,
        nuisances: Nuisances = NONE,
    ) -> None:
        self._nuisances = nuisances
        self._optics = sample_optics(severity, np.random.default_rng([table.seed, 4]))
        self.table = table
        self._mat = mat
        self._set_up(self._optics)
        self._frame_ms = frame_ms
        self._number = 0

    def _set_up(self, optics: Optics) -> None:
        """Set up scene and board for these optics."""
        self._bumps = self.table.bumps
        seed = self.table.seed
        self._scene = Scene(
            optics,
            self.table.texts,
            seed,
            mat=self.table.mat or self._mat,
            unlabelled=self.table.unlabelled,
            nuisances=self._nuisances,
        )
        self._board = HeldBoard(optics)

    @property
    def name(self) -> str:
        """Return ``sim:SEED``."""
        return f"sim:{self.table.seed}"

    def grab(self) -> Frame | None:
        """Return a frame of the table as it is now, never None."""
        at_ms = self._number * self._frame_ms if self._frame_ms is not None else time.monotonic_ns() // 1_000_000
        if self.table.bumps != self._bumps:
            self._set_up(bump_camera(self._optics, np.random.default_rng([self.table.seed, 5, self.table.bumps])))
        self._scene.lay_mat(self.table.mat or self._mat)
        image = self._scene.render(self.table.cards)
        if self.table.board_held:
            image = self._board.overlay(image, at_ms)
        frame = Frame(image=image, at_ms=at_ms, number=self._number)
        self._number += 1
        return frame

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
