"""How a card lies: bent, leaning, on top of something; and which of its points is seen at a pixel then."""

import zlib
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.plane import Plane
from companion.simulator.nuisances import Nuisances

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]

MOST_BENT_MM, MOST_LEANING_DEGREES, HIGHEST_MM = 4.0, 10.0, 10.0
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Lie:
    """How far off the table a card lies, in millimetres and parts of it.

    ``rise``: its lowest point.  ``slope``: how much higher each millimetre across and down lies.  ``bend``: how far its
    middle stands off above its edges, across and down; below 0 the edges stand off.
    """

    rise: float = 0.0
    slope: tuple[float, float] = (0.0, 0.0)
    bend: tuple[float, float] = (0.0, 0.0)

    @property
    def flat(self) -> bool:
        """Say whether it lies on the table all over."""
        return self == Lie()

    def height(self, x: Floats, y: Floats, width: float, tall: float) -> Floats:
        """Return how high points of a card (mm from its middle) lie above the table, mm."""
        leaning = self.slope[0] * x + self.slope[1] * y + abs(self.slope[0]) * width / 2 + abs(self.slope[1]) * tall / 2
        across, down = (2 * x / width) ** 2, (2 * y / tall) ** 2
        bent = sum(
            depth * (1 - off) if depth > 0 else -depth * off
            for depth, off in zip(self.bend, (across, down), strict=True)
        )
        return np.asarray(self.rise + leaning + bent, np.float64)


def lie_of(card: str, seed: int, nuisances: Nuisances) -> Lie:
    """Draw how a card lies: the same one always in the same way."""
    random = np.random.default_rng([seed, 7, zlib.crc32(card.encode())])
    bend, lean, way, rise = random.uniform(-1, 1, 2), random.random(), random.uniform(0, 2 * np.pi), random.random()
    leans, bends, lifted = random.random(3) < (0.4, 0.6, 0.4)
    slope = np.tan(np.radians(MOST_LEANING_DEGREES * lean)) * ("leans" in nuisances and leans)
    curl = MOST_BENT_MM * ("bends" in nuisances and bends)
    return Lie(
        rise=float(HIGHEST_MM * rise * ("stacks" in nuisances and lifted)),
        slope=(float(slope * np.cos(way)), float(slope * np.sin(way))),
        bend=(float(curl * bend[0]), float(curl * bend[1] / 2)),
    )


def upwards(plane: Plane, width: int, focal: float, height: int) -> Floats:
    """Return where a picture moves for each millimetre above the table: the third column of the camera's matrix."""
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    onto_camera = np.linalg.inv(lens) @ plane.matrix
    across, down = onto_camera[:, 0], onto_camera[:, 1]
    up = np.cross(down, across) / np.sqrt(np.linalg.norm(across) * np.linalg.norm(down))
    return np.asarray(lens @ up, np.float64)


def seen_at(
    pixels: tuple[Floats, Floats], lie: Lie, onto_table: Matrix, plane: Plane, up: Floats, size: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return which points of a card (mm from its middle) are seen at pixels.

    ``onto_table``: from millimetres of the card to those of the table; ``size``: width and height of the card, mm.
    """
    back, from_table = np.linalg.inv(plane.matrix), np.linalg.inv(onto_table)
    x, y = pixels
    rays = back[:, 0, None, None] * x + back[:, 1, None, None] * y + back[:, 2, None, None]
    higher = back @ up
    u, v = np.zeros_like(x), np.zeros_like(y)
    for _ in range(_ROUNDS):
        height = lie.height(u, v, *size)
        far = (1 + height * higher[2]) / rays[2]
        across, down = far * rays[0] - height * higher[0], far * rays[1] - height * higher[1]
        u, v = (row[0] * across + row[1] * down + row[2] for row in from_table[:2])
    return np.asarray(u, np.float64), np.asarray(v, np.float64)


def seen_finer(
    part: tuple[int, int, int, int],
    finer: int,
    lie: Lie,
    onto_table: Matrix,
    plane: Plane,
    up: Floats,
    size: tuple[float, float],
) -> list[npt.NDArray[np.float32]]:
    """Return which points of a card are seen in a part of the picture (left, top, right, foot), so many a pixel.

    That changes slowly: between whole pixels it is interpolated.
    """
    left, top, right, foot = part
    x, y = np.meshgrid(np.arange(left, right + 1.0), np.arange(top, foot + 1.0))
    between = ((np.arange(finer * many, dtype=np.float32) + 0.5) / finer for many in (right - left, foot - top))
    across, down = np.meshgrid(*between)
    return [
        np.asarray(cv2.remap(own.astype(np.float32), across, down, cv2.INTER_LINEAR), np.float32)
        for own in seen_at((x, y), lie, onto_table, plane, up, size)
    ]


def pixel_of(
    point: tuple[float, float], lie: Lie, onto_table: Matrix, plane: Plane, up: Floats, size: tuple[float, float]
) -> tuple[float, float]:
    """Return at which pixel a point of a card (mm from its middle) is seen."""
    height = lie.height(np.array(point[0]), np.array(point[1]), *size)
    seen = plane.matrix @ (onto_table @ (point[0], point[1], 1.0)) + float(height) * up
    return float(seen[0] / seen[2]), float(seen[1] / seen[2])
