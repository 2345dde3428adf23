"""The pose of a card that does not lie flat (bent, tilted, raised), and its projection to and from the picture."""

import zlib
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.plane import Plane
from companion.qr.sighting import F32, F64
from companion.simulator.optics import Nuisances

MAX_BEND_MM, MAX_LEAN_DEGREES, MAX_RISE_MM = 4.0, 10.0, 10.0
_ITERATIONS = 4


@dataclass(frozen=True, slots=True)
class CardPose:
    """The height of a card above the table, in millimetres.

    ``rise``: of its lowest point. ``slope``: rise per millimetre across and down. ``bend``: height of its centre above
    its edges, across and down; negative if the edges are higher.
    """

    rise: float = 0.0
    slope: tuple[float, float] = (0.0, 0.0)
    bend: tuple[float, float] = (0.0, 0.0)

    @property
    def is_flat(self) -> bool:
        """Return whether the whole card lies on the table."""
        return self == CardPose()

    def height(self, x: F64, y: F64, width: float, tall: float) -> F64:
        """Return the height of points of a card (mm from its centre) above the table, mm."""
        leaning = self.slope[0] * x + self.slope[1] * y + abs(self.slope[0]) * width / 2 + abs(self.slope[1]) * tall / 2
        across, down = (2 * x / width) ** 2, (2 * y / tall) ** 2
        bent = sum(
            depth * (1 - off) if depth > 0 else -depth * off
            for depth, off in zip(self.bend, (across, down), strict=True)
        )
        return np.asarray(self.rise + leaning + bent, np.float64)


def sample_pose(card: str, seed: int, nuisances: Nuisances) -> CardPose:
    """Return a random pose, always the same for the same card and seed."""
    random = np.random.default_rng([seed, 7, zlib.crc32(card.encode())])
    bend, lean, way, rise = random.uniform(-1, 1, 2), random.random(), random.uniform(0, 2 * np.pi), random.random()
    leans, bends, lifted = random.random(3) < (0.4, 0.6, 0.4)
    slope = np.tan(np.radians(MAX_LEAN_DEGREES * lean)) * ("leans" in nuisances and leans)
    curl = MAX_BEND_MM * ("bends" in nuisances and bends)
    return CardPose(
        rise=float(MAX_RISE_MM * rise * ("stacks" in nuisances and lifted)),
        slope=(float(slope * np.cos(way)), float(slope * np.sin(way))),
        bend=(float(curl * bend[0]), float(curl * bend[1] / 2)),
    )


def compute_upward_vector(plane: Plane, width: int, focal: float, height: int) -> F64:
    """Return the third column of the camera matrix: the homogeneous shift of a pixel for each millimetre of height."""
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    onto_camera = np.linalg.inv(lens) @ plane.matrix
    across, down = onto_camera[:, 0], onto_camera[:, 1]
    upward = np.cross(down, across) / np.sqrt(np.linalg.norm(across) * np.linalg.norm(down))
    return np.asarray(lens @ upward, np.float64)


def backproject(
    pixels: tuple[F64, F64], pose: CardPose, to_table: F64, plane: Plane, upward: F64, size: tuple[float, float]
) -> tuple[F64, F64]:
    """Return the points of a card (mm from its centre) that are seen at pixels, by fixed-point iteration.

    ``to_table``: map from millimetres of the card to those of the table. ``size``: width and height of the card, mm.
    """
    back, from_table = np.linalg.inv(plane.matrix), np.linalg.inv(to_table)
    x, y = pixels
    rays = back[:, 0, None, None] * x + back[:, 1, None, None] * y + back[:, 2, None, None]
    higher = back @ upward
    u, v = np.zeros_like(x), np.zeros_like(y)
    for _ in range(_ITERATIONS):
        height = pose.height(u, v, *size)
        far = (1 + height * higher[2]) / rays[2]
        across, down = far * rays[0] - height * higher[0], far * rays[1] - height * higher[1]
        u, v = (row[0] * across + row[1] * down + row[2] for row in from_table[:2])
    return np.asarray(u, np.float64), np.asarray(v, np.float64)


def backproject_finely(
    part: tuple[int, int, int, int],
    factor: int,
    pose: CardPose,
    to_table: F64,
    plane: Plane,
    upward: F64,
    size: tuple[float, float],
) -> list[F32]:
    """Return the points of a card seen in a part of the picture (left, top, right, bottom), ``factor`` for each pixel.

    They are interpolated between whole pixels.
    """
    left, top, right, bottom = part
    x, y = np.meshgrid(np.arange(left, right + 1.0), np.arange(top, bottom + 1.0))
    between = ((np.arange(factor * count, dtype=np.float32) + 0.5) / factor for count in (right - left, bottom - top))
    across, down = np.meshgrid(*between)
    return [
        np.asarray(cv2.remap(plane_values.astype(np.float32), across, down, cv2.INTER_LINEAR), np.float32)
        for plane_values in backproject((x, y), pose, to_table, plane, upward, size)
    ]


def project_point(
    point: tuple[float, float], pose: CardPose, to_table: F64, plane: Plane, upward: F64, size: tuple[float, float]
) -> tuple[float, float]:
    """Return the pixel of a point of a card (mm from its centre)."""
    height = pose.height(np.array(point[0]), np.array(point[1]), *size)
    homogeneous = plane.matrix @ (to_table @ (point[0], point[1], 1.0)) + float(height) * upward
    return float(homogeneous[0] / homogeneous[2]), float(homogeneous[1] / homogeneous[2])
