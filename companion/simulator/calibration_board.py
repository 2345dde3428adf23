"""The calibration board, held before a simulated camera and moved about as somebody would who calibrates it."""

import math

import cv2
import numpy as np

from calibration.board import Board
from companion.simulator.art import Colours
from companion.simulator.optics import FIELD_OF_VIEW_DEGREES, Optics, blurred

POSE_MS = 700
"""How long the board is held in one way."""

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
"""Tilt, towards which side, and roll, in degrees; where the board's middle is before the camera, in millimetres."""

_PIXELS_A_MM = 4.0
_MARGIN_MM = 10.0
_PAPER = 235


class HeldBoard:
    """The board before one camera.  Not thread-safe: the camera owns it."""

    def __init__(self, optics: Optics, board: Board | None = None) -> None:
        """Draw the board, which is the usual one if none is named."""
        self._optics = optics
        self._board = board or Board()
        margin = round(_MARGIN_MM * _PIXELS_A_MM)
        drawn = np.pad(self._board.drawn(_PIXELS_A_MM), margin, constant_values=255)
        self._drawn = np.where(drawn > 127, _PAPER, 20).astype(np.uint8)  # noqa: PLR2004 - white or black
        self._held: tuple[int, Colours, Colours] | None = None

    @property
    def focal_px(self) -> float:
        """Return the focal length of the simulated lens, which bends nothing."""
        return self._optics.width / 2 / math.tan(math.radians(FIELD_OF_VIEW_DEGREES / 2))

    def over(self, picture: Colours, at_ms: int) -> Colours:
        """Return the picture with the board before it, as it is held at a time."""
        pose = at_ms // POSE_MS % len(POSES)
        if self._held is None or self._held[0] != pose:
            self._held = (pose, *self._seen(pose))
        _, board, cover = self._held
        return np.asarray(np.where(cover > 0, board, picture), np.uint8)

    def _seen(self, pose: int) -> tuple[Colours, Colours]:
        """Return the board as the camera sees it, height x width x 1, and where it covers the table."""
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
        to_middles = np.array([[1.0, 0, -0.5], [0, 1.0, -0.5], [0, 0, 1]])
        warp = to_middles @ lens @ np.column_stack((turn[:, :2], shift)) @ from_drawn
        drawn = cv2.GaussianBlur(self._drawn, (0, 0), 0.8)  # coarser pixels are about to be taken from it
        seen = cv2.warpPerspective(drawn, warp, (width, height), flags=cv2.INTER_LINEAR, borderValue=(_PAPER,))
        cover = cv2.warpPerspective(np.ones_like(self._drawn), warp, (width, height), flags=cv2.INTER_NEAREST)
        soft = blurred(seen.astype(np.float32), self._optics) * self._optics.brightness
        return np.asarray(np.clip(soft, 0, 255), np.uint8)[:, :, None], np.asarray(cover, np.uint8)[:, :, None]
