"""Draw what lies on a simulated table: cards with their labels, dice, a mat, and the wood under them."""

import re
import zlib
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import segno

from calibration.mat import Mat, draw_mat
from companion.qr.sighting import F32, GreyPicture, Picture
from companion.simulator.optics import NONE, Nuisances, Optics
from companion.vision.label.label import STANDARD_LABEL, LabelLayout, draw_label
from companion.vision.label.tag import parse_tag

_PAPER, _INK = (0.86, 1.0), (0.04, 0.18)
"""Reflectance of paper and ink, from and to."""
_OLD_PAPER, _GREY_INK = (0.7, 1.0), (0.05, 0.35)
_MAX_ROTATION, _MAX_CUT_MM = 6.0, 1.0


def paste_label(face: Picture, label: GreyPicture, corner: tuple[int, int], random: np.random.Generator) -> None:
    """Draw a label neatly on a face, with its top left at a corner (x, y)."""
    paper, ink = random.uniform(*_PAPER), random.uniform(*_INK)
    inked = (label.astype(np.float32) * (paper - ink) + 255 * ink).astype(np.uint8)
    left, top = corner
    face[top : top + label.shape[0], left : left + label.shape[1]] = inked[:, :, None]


def paste_label_by_hand(
    face: Picture, label: GreyPicture, corner: tuple[int, int], random: np.random.Generator, pixels_a_mm: float
) -> None:
    """Draw a label as people stick it: its centre in place, slightly rotated, scaled and cut askew, on old paper."""
    paper, ink = random.uniform(*_OLD_PAPER), random.uniform(*_GREY_INK)
    yellow = np.array([random.uniform(0.75, 1), random.uniform(0.92, 1), 1.0])
    light = ink + label.astype(np.float32)[:, :, None] / 255 * (max(paper, ink + 0.4) * yellow - ink)
    cut = np.round(random.uniform(-1, 1, 4) * _MAX_CUT_MM * pixels_a_mm).astype(int)
    size = label.shape[0]
    rim = np.maximum(cut, 0)
    wide = np.pad(light, ((rim[0], rim[1]), (rim[2], rim[3]), (0, 0)), constant_values=float(light.max()))
    lost = np.maximum(-cut, 0)
    kept = wide[lost[0] : len(wide) - lost[1], lost[2] : wide.shape[1] - lost[3]]
    centre = size / 2 + np.array([rim[2] - lost[2], rim[0] - lost[0]])
    onto = cv2.getRotationMatrix2D(
        (float(centre[0]), float(centre[1])), random.uniform(-1, 1) * _MAX_ROTATION, random.uniform(0.97, 1.03)
    )
    onto[:, 2] += np.array(corner) + size / 2 - centre
    where = (face.shape[1], face.shape[0])
    cover = cv2.warpAffine(np.ones(kept.shape[:2], np.float32), onto, where)[:, :, None]
    shown = cv2.warpAffine(kept, onto, where, borderMode=cv2.BORDER_REPLICATE)
    face[:] = np.clip(face * (1 - cover) + 255 * shown * cover, 0, 255)


def draw_art_around(face: Picture, centre: tuple[float, float], reach: float, random: np.random.Generator) -> None:
    """Draw random artwork where a label will be, so that it touches the label."""
    ground = random.integers(0, 256, 3)
    top, left = int(centre[1] - reach), int(centre[0] - reach)
    face[max(top, 0) :, max(left, 0) :] = ground
    for _ in range(int(random.integers(10, 60))):
        x, y = (int(of + random.uniform(-reach, reach)) for of in centre)
        size = int(random.uniform(0.03, 0.35) * reach) + 1
        colour = tuple(int(part) for part in random.integers(0, 256, 3))
        kind = random.integers(4)
        if kind == 0:
            cv2.rectangle(face, (x, y), (x + size, y + int(random.integers(1, size + 1))), colour, -1)
        elif kind == 1:
            cv2.circle(face, (x, y), size, colour, int(random.choice((-1, 2, 5))), cv2.LINE_AA)
        elif kind == 2:  # noqa: PLR2004 - the third of four
            end = (x + int(random.normal(0, size)), y + int(random.normal(0, size)))
            cv2.line(face, (x, y), end, colour, int(random.integers(2, 8)), cv2.LINE_AA)
        else:
            letters = "".join(chr(code) for code in random.integers(65, 91, 4))
            cv2.putText(face, letters, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size / 25, colour, 3, cv2.LINE_AA)


CARD_WIDTH_MM = 63.0
CARD_HEIGHT_MM = 88.0
PIXELS_A_MM = 6.0
"""Resolution at which cards are drawn."""

_LABEL_GAP_MM = 4.0
"""Distance from the label to the card's right and lower edges."""

_FOREIGN_SIDES_MM = (18.0, 32.0)
"""Side of a code that is no label, from and to."""


def draw_card(
    card: str, text: str | None, seed: int, layout: LabelLayout = STANDARD_LABEL, nuisances: Nuisances = NONE
) -> Picture:
    """Return the picture of a card with its label at the lower right.

    ``text``: of the label; None for a label without a code; a text of no label is drawn as an ordinary QR code.
    """
    face, random = _draw_face(card, seed)
    label = _foreign_code(text, random) if text and parse_tag(text) is None else _label(text, card, layout)
    gap = round(_LABEL_GAP_MM * PIXELS_A_MM)
    left, top = face.shape[1] - gap - label.shape[1], face.shape[0] - gap - label.shape[0]
    if "art" in nuisances:
        half = label.shape[0] / 2
        draw_art_around(face, (left + half, top + half), half + 5 * PIXELS_A_MM, random)
    if "prints" in nuisances:
        paste_label_by_hand(face, label, (left, top), random, PIXELS_A_MM)
    else:
        paste_label(face, label, (left, top), random)
    return face


def draw_unlabelled_card(card: str, seed: int) -> Picture:
    """Return the picture of the same card without a label."""
    return _draw_face(card, seed)[0]


def _draw_face(card: str, seed: int) -> tuple[Picture, np.random.Generator]:
    random = np.random.default_rng([seed, zlib.crc32(card.encode())])
    height, width = round(CARD_HEIGHT_MM * PIXELS_A_MM), round(CARD_WIDTH_MM * PIXELS_A_MM)
    face = np.empty((height, width, 3), np.uint8)
    face[:] = random.integers(120, 225, 3)
    edge = round(3 * PIXELS_A_MM)
    cv2.rectangle(
        face, (edge, edge), (width - edge, height - edge), draw_colour(random, 20, 110), round(0.8 * PIXELS_A_MM)
    )
    cv2.rectangle(face, (2 * edge, 2 * edge), (width - 2 * edge, height // 2), draw_colour(random, 60, 230), -1)
    for _ in range(9):
        x, y = random.integers(2 * edge, width - 3 * edge), random.integers(2 * edge, height // 2 - edge)
        reach = int(random.integers(edge, 3 * edge))
        corner = (min(int(x) + reach, width - 2 * edge), min(int(y) + reach, height // 2))
        cv2.rectangle(face, (int(x), int(y)), corner, draw_colour(random, 10, 250), -1)
    for line in range(7):
        top = height // 2 + edge + line * edge
        end = int(random.integers(width // 3, width // 2))
        cv2.line(face, (2 * edge, top), (end, top), (40, 40, 40), round(0.7 * PIXELS_A_MM))
    cv2.putText(face, card, (2 * edge, height - 2 * edge), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA)
    return face, random


def _label(text: str | None, card: str, layout: LabelLayout) -> GreyPicture:
    return draw_label(text, card, PIXELS_A_MM, layout)


def _foreign_code(text: str, random: np.random.Generator) -> GreyPicture:
    """Return an ordinary QR code with its quiet zone, of random size."""
    modules = np.pad(~np.array(segno.make(text, micro=False).matrix, np.bool_), 4, constant_values=True)
    size = round(random.uniform(*_FOREIGN_SIDES_MM) * PIXELS_A_MM)
    large = np.kron(modules, np.ones((8, 8), np.uint8)).astype(np.uint8) * 255
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def label_corner_mm(layout: LabelLayout = STANDARD_LABEL) -> tuple[float, float]:
    """Return the top left corner of the label, from the card's top left."""
    return CARD_WIDTH_MM - _LABEL_GAP_MM - layout.side_mm, CARD_HEIGHT_MM - _LABEL_GAP_MM - layout.side_mm


def label_centre_mm() -> tuple[float, float]:
    """Return the centre of the symbol, from the card's top left."""
    left, top = label_corner_mm()
    x, y, side = STANDARD_LABEL.symbol_mm
    return left + x + side / 2, top + y + side / 2


def draw_wood(width: int, height: int, seed: int) -> Picture:
    """Return a picture of wooden planks with their grain."""
    random = np.random.default_rng([seed, 1])
    coarse = random.normal(0, 1, (height // 3 + 1, width // 48 + 1)).astype(np.float32)
    fine = random.normal(0, 1, (height + 1, width // 24 + 1)).astype(np.float32)
    grain = cv2.resize(11 * coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    grain = grain + cv2.resize(6 * fine, (width, height), interpolation=cv2.INTER_CUBIC)
    planks = np.repeat(random.normal(0, 10, height // 180 + 2), 180)[:height].astype(np.float32)
    grain = np.asarray(grain + planks[:, None], np.float32)
    grain[(np.arange(height) % 180) < 2] -= 45  # noqa: PLR2004 - the gap between planks, two pixels wide
    lit = np.clip(np.array([70, 112, 158], np.float32) + grain[:, :, None], 0, 255)
    return np.asarray(lit, np.uint8)


def draw_colour(random: np.random.Generator, low: int, high: int) -> tuple[int, int, int]:
    """Return blue, green and red between two values."""
    blue, green, red = (int(part) for part in random.integers(low, high, 3))
    return blue, green, red


DIE_MM = 16.0
ROOM_MM = 24.0
"""Side of the square on which a die is drawn with its shadow."""
_DIE_NAME = re.compile("die ([0-9]+): ([1-6])")
_CORNER_MM, _RIM_MM, _PIP_MM, _PIP_DISTANCE_MM = 2.6, 0.9, 1.7, 4.3
"""Radius of its corners, visible width of its sides, radius and distance of its pips."""
_BODY_COLOUR, _SIDE_COLOUR, _PIP_COLOUR = (44, 40, 186), (30, 26, 128), (246, 248, 248)
_SHADOW_MM, _SHADOW_STRENGTH = 2.2, 0.45
_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def name_die(number: int, face: int) -> str:
    """Return the name of a die on the table, by its number and its top face."""
    return f"die {number}: {face}"


def is_die(name: str) -> bool:
    """Return whether this is the name of a die rather than a card."""
    return _DIE_NAME.fullmatch(name) is not None


def draw_die(name: str) -> tuple[Picture, GreyPicture]:
    """Return a die from above with its shadow: colours, premultiplied, and opacity (0 to 255)."""
    match = _DIE_NAME.fullmatch(name)
    face = int(match[2]) if match else 1
    centre = ROOM_MM / 2
    body = _rounded_square(centre, centre, DIE_MM)
    shadow = cv2.GaussianBlur(
        _rounded_square(centre + _SHADOW_MM, centre + _SHADOW_MM, DIE_MM), (0, 0), 1.2 * PIXELS_A_MM
    )
    colours = np.zeros((*body.shape, 3), np.float32)
    colours += body[:, :, None] * np.array(_SIDE_COLOUR, np.float32)
    top = _rounded_square(centre - _RIM_MM / 2, centre - _RIM_MM / 2, DIE_MM - _RIM_MM)[:, :, None]
    colours = colours * (1 - top) + top * np.array(_BODY_COLOUR, np.float32)
    for across, down in _PIPS[face]:
        pip = _disc(
            centre + across * _PIP_DISTANCE_MM - _RIM_MM / 2, centre + down * _PIP_DISTANCE_MM - _RIM_MM / 2, _PIP_MM
        )[:, :, None]
        colours = colours * (1 - pip) + pip * np.array(_PIP_COLOUR, np.float32)
    cover = np.maximum(body, shadow * _SHADOW_STRENGTH)
    return np.rint(colours).astype(np.uint8), np.rint(cover * 255).astype(np.uint8)


def _plane() -> GreyPicture:
    side = round(ROOM_MM * PIXELS_A_MM)
    return np.zeros((side, side), np.uint8)


def _rounded_square(x: float, y: float, side: float) -> F32:
    inner = side / 2 - _CORNER_MM
    corners = [(x + i * inner, y + j * inner) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.rint(np.array(corners) * PIXELS_A_MM).astype(np.int32)
    plane = _plane()
    cv2.fillConvexPoly(plane, points, 255)
    core = 2 * round(_CORNER_MM * PIXELS_A_MM) + 1
    rounded = cv2.dilate(plane, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (core, core)))
    return np.asarray(rounded.astype(np.float32) / 255)


def _disc(x: float, y: float, radius: float) -> F32:
    plane = _plane()
    place = (round(x * PIXELS_A_MM), round(y * PIXELS_A_MM))
    cv2.circle(plane, place, round(radius * PIXELS_A_MM), 255, -1, cv2.LINE_AA)
    return np.asarray(plane.astype(np.float32) / 255)


# A printed mat on the table

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
