"""A printed mat on a simulated table."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.mat import Mat, draw_mat
from companion.qr.sighting import Picture
from companion.simulator.optics import Optics

_PIXELS_A_MM = 4.0


@dataclass(frozen=True, slots=True)
class PlacedMat:
    """A mat with its top left at a place of the table, rotated clockwise by ``angle`` degrees about it."""

    mat: Mat
    left_mm: float
    top_mm: float
    angle: float = 0.0

    def to_table(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return the point of the table, in mm, under a point of the mat."""
        x, y, _ = self._to_table_matrix() @ (x_mm, y_mm, 1.0)
        return float(x), float(y)

    def draw_on(self, table: Picture, optics: Optics) -> Picture:
        """Return a picture of the empty table (fully lit, without blur) with the mat on it."""
        to_picture = optics.plane.matrix @ self._to_table_matrix()
        drawn = draw_mat(self.mat, _PIXELS_A_MM)
        from_pixels = np.array(
            [[1 / _PIXELS_A_MM, 0, 0.5 / _PIXELS_A_MM], [0, 1 / _PIXELS_A_MM, 0.5 / _PIXELS_A_MM], [0, 0, 1]]
        )
        to_pixel_centres = np.array([[1.0, 0, -0.5], [0, 1.0, -0.5], [0, 0, 1]])
        warp = to_pixel_centres @ to_picture @ from_pixels
        soft = cv2.GaussianBlur(drawn, (0, 0), 0.8)  # against aliasing, because it is about to be reduced
        size = (optics.width, optics.height)
        seen = cv2.warpPerspective(soft, warp, size, flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(np.ones_like(drawn), warp, size, flags=cv2.INTER_NEAREST)
        return np.asarray(np.where(cover[:, :, None] > 0, seen[:, :, None], table), np.uint8)

    def _to_table_matrix(self) -> npt.NDArray[np.float64]:
        angle = np.radians(self.angle)
        cos, sin = float(np.cos(angle)), float(np.sin(angle))
        return np.array([[cos, -sin, self.left_mm], [sin, cos, self.top_mm], [0, 0, 1]])
