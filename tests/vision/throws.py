"""Throws of two dice as a camera over a table sees them, rendered in three dimensions; all that differs is drawn.

Dice differ in size, colours, pips, rounding and gloss; the camera in height, tilt, distance, blur and noise; the table
in cloth, light and what else lies there.  Lengths are millimetres; the table is z = 0, and z points up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F64

Picture = npt.NDArray[np.uint8]

WIDTH, HEIGHT = 480, 360
FINER = 3
BODIES = (
    (246, 246, 242), (235, 240, 244), (205, 225, 238), (40, 40, 190), (60, 50, 150), (150, 70, 30), (60, 130, 40),
    (30, 30, 34), (60, 60, 70), (60, 190, 230), (40, 120, 230), (150, 60, 110), (190, 200, 205), (90, 150, 195),
)  # fmt: skip
"""Blue, green and red, as OpenCV has them."""
DARK, LIGHT = ((20, 18, 22), (45, 30, 25), (40, 25, 120)), ((250, 250, 248), (225, 235, 240), (150, 215, 235))
OPPOSITE = {1: 6, 2: 5, 3: 4, 4: 3, 5: 2, 6: 1}
PLACES = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True)
class Throw:
    """A picture, the faces that lie up, and the middles of those faces in pixels."""

    image: Picture
    faces: tuple[int, ...]
    middles: tuple[tuple[float, float], ...]
    pixels_a_mm: float


@dataclass(frozen=True)
class Die:
    """How one die is made and lies."""

    face: int
    x: float
    y: float
    turned: float
    side: float
    body: tuple[int, int, int]
    pips: tuple[int, int, int]
    pip: float
    off: float
    rounded: float
    flipped: bool
    gloss: float


class TableCamera:
    """A pinhole camera that looks down on the table."""

    def __init__(self, lots: np.random.Generator, pixels_a_mm: float) -> None:
        high = lots.uniform(450, 1000)
        tilt, about = np.deg2rad(lots.uniform(0, 24)), lots.uniform(0, 2 * np.pi)
        # Somewhere in the camera's whole picture: there it sees more of a die's side.
        self.place = np.array([lots.uniform(-180, 180), lots.uniform(-120, 120), high])
        self.place[:2] += high * np.tan(tilt) * np.array([np.cos(about), np.sin(about)])
        ahead = -self.place / np.linalg.norm(self.place)
        right = np.cross(ahead, (np.sin(about), np.cos(about), 0.0))
        right /= np.linalg.norm(right)
        self.axes = np.stack([right, np.cross(ahead, right), ahead])
        self.focal = pixels_a_mm * float(np.linalg.norm(self.place))

    def sees(self, points: F64) -> F64:
        """Project points, n x 3, to pixels, n x 2."""
        seen = (points - self.place) @ self.axes.T
        middle = np.array([WIDTH, HEIGHT]) / 2
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + middle, np.float64)


def throw(seed: int, faces: Sequence[int] | None = None, *, frame: int = 0, fallen: bool = True) -> Throw:
    """Render a throw; each ``frame`` has noise of its own, and before they have ``fallen`` no dice are there."""
    lots = np.random.default_rng([seed, 77])
    pixels_a_mm = float(np.exp(lots.uniform(np.log(1.7), np.log(4.2))))
    camera = TableCamera(lots, pixels_a_mm)
    drawn = tuple(int(face) for face in lots.integers(1, 7, 2)) if faces is None else tuple(faces)
    dice = _dice(lots, drawn, pixels_a_mm)
    while not _all_in_view(dice, camera):
        dice = _dice(lots, drawn, pixels_a_mm)
    picture = _table(lots)
    lamp = np.array([lots.uniform(-500, 500), lots.uniform(-500, 500), lots.uniform(400, 1200)])
    _things(picture, lots, camera, [(die.x, die.y) for die in dice], pixels_a_mm)
    for thrown_die in dice if fallen else ():
        _shadow(picture, thrown_die, camera, lamp, lots.uniform(0.25, 0.6))
    dice.sort(key=lambda die: -float(np.hypot(die.x - camera.place[0], die.y - camera.place[1])))
    for thrown_die in dice if fallen else ():
        _draw(picture, thrown_die, camera, lamp)
    middles = camera.sees(np.array([(die.x, die.y, die.side) for die in dice]))
    image = _photographed(picture, np.random.default_rng([seed, 78]), np.random.default_rng([seed, 79, frame]))
    return Throw(image, tuple(die.face for die in dice), tuple((float(x), float(y)) for x, y in middles), pixels_a_mm)


def _dice(lots: np.random.Generator, faces: Sequence[int], pixels_a_mm: float) -> list[Die]:
    side = lots.uniform(12, 19)
    body = BODIES[lots.integers(len(BODIES))]
    bright = sum(body) > 330
    pips = (DARK if bright else LIGHT)[lots.integers(3)]
    pip, off, rounded = lots.uniform(0.085, 0.115), lots.uniform(0.22, 0.29), lots.uniform(0.05, 0.2)
    reach_x, reach_y = (edge / pixels_a_mm / 2 - side * 1.2 for edge in (WIDTH, HEIGHT))
    dice: list[Die] = []
    while len(dice) < len(faces):
        x, y = lots.uniform(-reach_x, reach_x), lots.uniform(-reach_y, reach_y)
        if any(np.hypot(x - die.x, y - die.y) < side * 1.45 for die in dice):
            continue
        face = faces[len(dice)]
        turned, flipped = lots.uniform(0, 2 * np.pi), bool(lots.integers(2))
        gloss = lots.uniform(0, 0.6)
        dice.append(Die(face, x, y, turned, side, body, pips, pip, off, rounded, flipped, gloss))
    return dice


def _all_in_view(dice: Sequence[Die], camera: TableCamera) -> bool:
    reach = [
        (die.x + i * die.side, die.y + j * die.side, k)
        for die in dice
        for i in (-1, 1)
        for j in (-1, 1)
        for k in (0, die.side)
    ]
    seen = camera.sees(np.array(reach))
    return bool((seen > 2).all() and (seen < (WIDTH - 2, HEIGHT - 2)).all())


def _table(lots: np.random.Generator) -> F64:
    """Return cloth, wood or paper, finer than the picture: float, height x width x 3."""
    colours = (
        (60, 110, 50),
        (70, 100, 140),
        (120, 160, 190),
        (225, 228, 230),
        (205, 220, 228),
        (60, 40, 30),
        (110, 60, 50),
    )
    base = np.array(colours[lots.integers(len(colours))], np.float64)
    size = (HEIGHT * FINER, WIDTH * FINER)
    coarse = lots.normal(
        0, lots.uniform(0, 14), (size[0] // lots.integers(4, 60) + 1, size[1] // lots.integers(2, 12) + 1)
    )
    grain = cv2.resize(coarse, (size[1], size[0]), interpolation=cv2.INTER_CUBIC)
    fine = cv2.GaussianBlur(lots.normal(0, lots.uniform(0, 12), size), (0, 0), 1.2)
    return np.asarray(np.clip(base + (grain + fine)[:, :, None], 0, 255), np.float64)


def _things(
    picture: F64,
    lots: np.random.Generator,
    camera: TableCamera,
    dice: Sequence[tuple[float, float]],
    pixels_a_mm: float,
) -> None:
    """Lay a few cards with print on them, and chips, wherever no die lies."""
    for _ in range(lots.integers(0, 4)):
        x, y = lots.uniform(-120, 120), lots.uniform(-90, 90)
        across, down = lots.uniform(30, 63), lots.uniform(40, 88)
        if any(np.hypot(x - at[0], y - at[1]) < np.hypot(across, down) / 2 + 14 for at in dice):
            continue
        turn = lots.uniform(0, np.pi)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])

        def flat(u: F64, at: tuple[float, float] = (x, y), axes: F64 = axes) -> npt.NDArray[np.int32]:
            spots = u @ axes + np.array(at)
            return _fixed(camera.sees(np.column_stack([spots, np.full(len(spots), 0.4)])))

        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([across, down]) / 2
        ground = lots.uniform(140, 250, 3)
        cv2.fillConvexPoly(picture, flat(half), ground.tolist(), cv2.LINE_AA, 4)
        for _ in range(lots.integers(3, 30)):
            at = lots.uniform(-0.42, 0.42, 2) * np.array([across, down])
            kind = lots.integers(3)
            wide = lots.uniform(1, 9) if kind else lots.uniform(1, 3)
            high = wide if kind == 0 else lots.uniform(0.8, 4)
            if kind == 0:
                angle = np.linspace(0, 2 * np.pi, 20)
                spots = np.stack([np.cos(angle), np.sin(angle)], 1) * wide / 2
            else:
                spots = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array([wide, high]) / 2
            cv2.fillConvexPoly(picture, flat(spots + at), lots.uniform(0, 200, 3).tolist(), cv2.LINE_AA, 4)
    del pixels_a_mm


def _fixed(points: F64) -> npt.NDArray[np.int32]:
    return np.asarray(np.round(points * FINER * 16), np.int32)


def _rounded(rounded: float) -> F64:
    """Outline a square from -1 to 1 with round corners, n x 2."""
    angles = np.linspace(0, np.pi / 2, 6)
    radius = 2 * rounded
    corner = np.stack([np.cos(angles), np.sin(angles)], 1) * radius
    spots = []
    for quarter, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        c, s = np.cos(quarter * np.pi / 2), np.sin(quarter * np.pi / 2)
        spots.append(corner @ np.array([[c, s], [-s, c]]) + np.array([x, y]) * (1 - radius))
    return np.asarray(np.concatenate(spots), np.float64)


def _draw(picture: F64, die: Die, camera: TableCamera, lamp: F64) -> None:
    """Draw the faces that are seen, those that look away least last."""
    c, s = np.cos(die.turned), np.sin(die.turned)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    middle = np.array([die.x, die.y, die.side / 2])
    sides = [value for value in range(1, 7) if value not in (die.face, OPPOSITE[die.face])]
    first, second = sides[0], next(value for value in sides[1:] if value != OPPOSITE[sides[0]])
    x, y, z = np.eye(3)
    faces = [
        (z, x, y, die.face),
        (x, y, z, first),
        (-x, y, z, OPPOSITE[first]),
        (y, x, z, second),
        (-y, x, z, OPPOSITE[second]),
    ]
    seen = []
    for normal, across, down, value in faces:
        n, u, v = (turn @ axis for axis in (normal, across, down))
        towards = camera.place - (middle + n * die.side / 2)
        share = float(n @ towards / np.linalg.norm(towards))
        if share > 0.02:
            seen.append((share, n, u, v, value))
    # The body's silhouette first, so that rounded faces leave no gaps.
    corners = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
    hull = cv2.convexHull(
        camera.sees(middle + (corners * (1 - die.rounded * 0.55)) @ turn.T * die.side / 2).astype(np.float32)
    )
    cv2.fillConvexPoly(
        picture, _fixed(hull[:, 0].astype(np.float64)), [channel * 0.72 for channel in die.body], cv2.LINE_AA, 4
    )
    for _, n, u, v, value in sorted(seen, key=lambda entry: entry[0]):
        centre = middle + n * die.side / 2
        light = (lamp - centre) / np.linalg.norm(lamp - centre)
        shade = 0.5 + 0.5 * max(0.0, float(n @ light))
        shine = light + (camera.place - centre) / np.linalg.norm(camera.place - centre)
        shine /= np.linalg.norm(shine)
        gloss = die.gloss * max(0.0, float(n @ shine)) ** 60 * 90
        colour = [min(255.0, channel * shade + gloss) for channel in die.body]
        outline = _rounded(die.rounded)
        spots = centre + (outline[:, :1] * u + outline[:, 1:] * v) * die.side / 2
        cv2.fillConvexPoly(picture, _fixed(camera.sees(spots)), colour, cv2.LINE_AA, 4)
        angle = np.linspace(0, 2 * np.pi, 18)
        radius = die.pip * (1.3 if value == 1 else 1)
        for a, b in _laid_out(value, flipped=die.flipped):
            at = np.stack([a * die.off + radius * np.cos(angle), b * die.off + radius * np.sin(angle)], 1) * die.side
            spots = centre + at[:, :1] * u + at[:, 1:] * v
            ink = [min(255.0, channel * shade + gloss * 0.6) for channel in die.pips]
            cv2.fillConvexPoly(picture, _fixed(camera.sees(spots)), ink, cv2.LINE_AA, 4)


def _laid_out(value: int, *, flipped: bool) -> list[tuple[int, int]]:
    """Return where a face has its pips; dice are made either way round."""
    if not flipped:
        return list(PLACES[value])
    return [(b, a) if value == 6 else (-a, b) for a, b in PLACES[value]]


def _shadow(picture: F64, die: Die, camera: TableCamera, lamp: F64, strength: float) -> None:
    c, s = np.cos(die.turned), np.sin(die.turned)
    corners = np.array([(i, j) for i in (-1, 1) for j in (-1, 1)]) @ np.array([[c, s], [-s, c]]) * die.side / 2
    corners += (die.x, die.y)
    away = die.side / (lamp[2] - die.side)
    cast = corners + (corners - lamp[:2]) * away
    flat = np.concatenate([corners, cast])
    hull = cv2.convexHull(camera.sees(np.column_stack([flat, np.zeros(len(flat))])).astype(np.float32))[:, 0]
    mask: F64 = np.zeros(picture.shape[:2], np.float64)
    cv2.fillConvexPoly(mask, _fixed(hull.astype(np.float64)), 1.0, cv2.LINE_AA, 4)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 3 * FINER), np.float64)
    picture *= 1 - strength * mask[:, :, None]


def _photographed(picture: F64, lots: np.random.Generator, noise: np.random.Generator) -> Picture:
    """Light, blur, noise and a JPEG."""
    seen: F64 = np.asarray(cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.float64)
    across, down = np.meshgrid(np.linspace(-1, 1, WIDTH), np.linspace(-1, 1, HEIGHT))
    way = lots.uniform(0, 2 * np.pi)
    gradient = 1 + lots.uniform(0, 0.35) * (across * np.cos(way) + down * np.sin(way))
    warm = np.array([lots.uniform(0.7, 1.0), lots.uniform(0.9, 1.0), 1.0])
    seen = seen * (lots.uniform(0.4, 1.0) * gradient)[:, :, None] * warm
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), lots.uniform(0.45, 1.0)), np.float64)
    seen = seen + noise.normal(0, lots.uniform(1.5, 7), seen.shape)
    image = np.asarray(np.clip(seen, 0, 255), np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(lots.integers(72, 95))])
    decoded_image: Any = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return np.asarray(decoded_image, np.uint8)
