"""Renders a table as a camera over it would see it.

The empty table is drawn once.  A card is drawn once as it looks from above; then, for where it lies, warped,
softened and lit in its own small part of the picture.  Only noise is new in every frame.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.arrays import GreyPicture
from companion.simulator.art import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PIXELS_A_MM,
    Colours,
    draw_bare_card,
    draw_card,
    draw_die,
    draw_wood,
    is_die,
)
from companion.simulator.mat import LyingMat
from companion.simulator.nuisances import NONE, Nuisances
from companion.simulator.optics import Optics, Webcam, blurred, focal_of, glare_of, light_of
from companion.simulator.pose import Lie, lie_of, pixel_of, seen_finer, upwards
from companion.vision.label.label import STANDARD_LABEL, LabelLayout

# --- ground
# What else lies on a table: cloth instead of wood, sheets of paper with print, dark things.


def draw_ground(wood: Colours, seed: int) -> Colours:
    """Return the empty table with a cloth, or as it is, and things on it."""
    random = np.random.default_rng([seed, 11])
    table = _cloth(wood.shape[:2], random) if random.random() < 0.5 else wood.copy()  # noqa: PLR2004 - every second
    for _ in range(int(random.integers(2, 7))):
        _sheet(table, random)
    for _ in range(int(random.integers(0, 12))):
        middle = tuple(int(of) for of in random.uniform(0, 1, 2) * table.shape[1::-1])
        cv2.circle(table, middle, int(random.uniform(10, 60)), _colour(random, 10, 250), -1, cv2.LINE_AA)
    return table


def _cloth(shape: tuple[int, ...], random: np.random.Generator) -> Colours:
    """Return woven threads in two colours."""
    height, width = shape[:2]
    threads = random.normal(0, 14, (height, width)).astype(np.float32)
    across, down = (cv2.GaussianBlur(threads, (0, 0), sigmaX=x, sigmaY=y) * 4 for x, y in ((4, 0.6), (0.6, 4)))
    stripes = 18 * np.sign(np.sin(np.arange(width) / random.uniform(6, 40)))[None, :]
    base = random.integers(20, 200, 3).astype(np.float32)
    return np.asarray(np.clip(base + (across + down + stripes)[:, :, None], 0, 255), np.uint8)


def _sheet(table: Colours, random: np.random.Generator) -> None:
    """Lay a sheet of paper or a dark board down, with lines of print."""
    height, width = table.shape[:2]
    size = random.uniform(0.08, 0.3, 2) * width
    middle = random.uniform(0, 1, 2) * (width, height)
    angle = random.uniform(0, 180)
    light = random.random() < 0.6  # noqa: PLR2004 - most are light
    corners = cv2.boxPoints((middle.tolist(), size.tolist(), angle)).astype(np.int32)
    cv2.fillPoly(table, [corners], _colour(random, 200, 255) if light else _colour(random, 5, 70), cv2.LINE_AA)
    a, b, d = (corners[number].astype(np.float64) for number in (0, 1, 3))
    for line in np.linspace(0.1, 0.9, int(random.integers(4, 24))):
        start, end = a + (b - a) * line + (d - a) * 0.1, a + (b - a) * line + (d - a) * random.uniform(0.3, 0.9)
        ends = [tuple(int(part) for part in end_) for end_ in (start, end)]
        cv2.line(table, ends[0], ends[1], (60, 60, 60) if light else (190, 190, 190), int(random.integers(1, 5)))


def _colour(random: np.random.Generator, low: int, high: int) -> tuple[int, int, int]:
    blue, green, red = (int(part) for part in random.integers(low, high, 3))
    return blue, green, red


# --- room_light
# The light of a room: shadows of hands and heads, warm and cold lamps at once, corners darker than the middle.

Light = npt.NDArray[np.float32]
"""float32 height x width x 3 (blue, green, red): 1 is white light in full."""


def room_light(width: int, height: int, seed: int, nuisances: Nuisances) -> Light | None:
    """Draw a room's light; None where it is the same everywhere."""
    if not nuisances & {"shadows", "lamps"}:
        return None
    random = np.random.default_rng([seed, 8])
    light = np.ones((height, width, 3), np.float32)
    if "lamps" in nuisances:
        light *= _lamps(width, height, random)
    if "shadows" in nuisances:
        for _ in range(int(random.integers(1, 4))):
            light *= 1 - random.uniform(0.2, 0.65) * _shadow(width, height, random)[:, :, None]
    return light


def _lamps(width: int, height: int, random: np.random.Generator) -> Light:
    x, y = (
        np.linspace(-1, 1, width, dtype=np.float32)[None, :],
        np.linspace(-1, 1, height, dtype=np.float32)[:, None],
    )
    angle = random.uniform(0, 2 * np.pi)
    warm = 0.5 + 0.35 * (x * np.cos(angle) + y * np.sin(angle))
    blue, red = 1 - random.uniform(0.1, 0.4) * warm, 1 - random.uniform(0.05, 0.25) * (1 - warm)
    darker = 1 - random.uniform(0.1, 0.4) * (x * x + y * y) / 2
    return np.asarray(np.stack((blue, np.ones_like(blue), red), axis=2) * darker[:, :, None], np.float32)


def _shadow(width: int, height: int, random: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return where a shadow falls, 0 to 1: of a hand and arm from an edge, or of a head."""
    shade = np.zeros((height, width), np.float32)
    at = random.uniform(0.15, 0.85, 2) * (width, height)
    reach = random.uniform(0.06, 0.16) * width
    cv2.ellipse(shade, _point(at), _point((reach, 0.8 * reach)), random.uniform(0, 180), 0, 360, 1.0, -1)
    if random.random() < 0.7:  # noqa: PLR2004 - most have an arm
        end = at + random.choice((-1, 1)) * np.array([random.uniform(-1, 1) * width, 1.5 * height])
        cv2.line(shade, _point(at), _point(end), 1.0, int(0.8 * reach))
    return np.asarray(cv2.GaussianBlur(shade, (0, 0), random.uniform(1, 12)), np.float32)


def _point(where: npt.ArrayLike) -> tuple[int, int]:
    x, y = np.asarray(where, np.float64)
    return int(x), int(y)


# --- sleeve
# Cards in sleeves: plastic takes contrast, and throws back lamps.

Colours_sleeve = npt.NDArray[np.uint8]
_SHARE, _LAMP = 0.6, 0.5
"""How many cards are in sleeves, and how many of these throw back a lamp."""


def sleeved(face: Colours_sleeve, card: str, seed: int, nuisances: Nuisances) -> Colours_sleeve:
    """Return a card's face as its sleeve shows it; some have none."""
    if not nuisances & {"sleeves", "highlights"}:
        return face
    random = np.random.default_rng([seed, 10, zlib.crc32(card.encode())])
    if random.random() > _SHARE:
        return face
    height, width = face.shape[:2]
    takes, adds = random.uniform(0.85, 1.0), random.uniform(0, 0.06)
    shown = face * takes + 255 * adds if "sleeves" in nuisances else face.astype(np.float64)
    if "highlights" in nuisances and random.random() < _LAMP:
        y, x = np.mgrid[:height, :width].astype(np.float32)
        angle, at = random.uniform(0, np.pi), random.uniform(0, 1, 2) * (width, height)
        across = (x - at[0]) * np.cos(angle) + (y - at[1]) * np.sin(angle)
        along = (y - at[1]) * np.cos(angle) - (x - at[0]) * np.sin(angle)
        narrow, long = random.uniform(0.04, 0.15) * width, random.uniform(0.2, 0.6) * height
        lamp = 255 * random.uniform(0.2, 1.1) * np.exp(-0.5 * ((across / narrow) ** 2 + (along / long) ** 2))
        shown = shown + lamp[:, :, None]
    return np.asarray(np.clip(shown, 0, 255), np.uint8)


_FINER = 3
"""Samples a pixel, in each direction, when a card is warped."""

_RIM = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Places of a card's edge that are asked where it is seen, in halves of its sides."""

_SIZE_MM = (CARD_WIDTH_MM, CARD_HEIGHT_MM)

_MARGIN = 6
"""Pixels round a card that its softened edge reaches."""

_FACES = 24
"""So many drawn cards are kept."""

_NOISE_ROOM = 256
"""Pixels by which the plate of noise is larger than the picture, so that each frame takes another part of it."""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card on the table: its middle in millimetres, and how far it is turned clockwise, in degrees."""

    card: str
    x_mm: float
    y_mm: float
    angle: float


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """A card as it looks in its part of the picture.

    ``lit`` is what it adds, float32 height x width x 3; ``lets_through`` the share of what lies below that still
    shows, float32 height x width x 1.
    """

    rows: slice
    columns: slice
    lit: npt.NDArray[np.float32]
    lets_through: npt.NDArray[np.float32]


class Scene:
    """Pictures of one table by one camera.  Not thread-safe: one camera owns it."""

    def __init__(
        self,
        optics: Optics,
        texts: dict[str, str | None],
        seed: int,
        layout: LabelLayout = STANDARD_LABEL,
        mat: LyingMat | None = None,
        bare: Mapping[str, Colours | None] | None = None,
        nuisances: Nuisances = NONE,
    ) -> None:
        """Draw the empty table.  ``texts``: what the label of each card says, None for a label without a code.

        ``bare``: cards without any label, and how they look; None: as the same card with one.
        """
        self._nuisances = nuisances
        self._webcam = Webcam(optics.width, optics.height, seed, nuisances)
        self._up = upwards(optics.plane, optics.width, focal_of(optics.width), optics.height)
        self._bare = {} if bare is None else bare
        self._layout = layout
        self._mat = mat
        self._optics = optics
        self._texts = texts
        self._seed = seed
        self._light = light_of(optics)[:, :, None]
        coloured = room_light(optics.width, optics.height, seed, nuisances)
        if coloured is not None:
            self._light = self._light * coloured
        self._glare = glare_of(optics)
        self._empty = self._draw_empty_table()
        self._random = np.random.default_rng([seed, 2])
        self._noise = self._noise_plates()
        self._faces: dict[str, tuple[Colours, GreyPicture]] = {}
        self._patches: dict[LyingCard, _Patch | None] = {}
        self._lying: tuple[LyingCard, ...] = ()
        self._still = self._empty.copy()
        self._shown = self._webcam.through_lens(self._still)

    def lay_mat(self, mat: LyingMat | None) -> None:
        """Let this mat lie under the cards from now on, or none."""
        if mat == self._mat:
            return
        self._mat = mat
        self._empty = self._draw_empty_table()
        self._still, self._lying = self._empty.copy(), ()
        self._shown = self._webcam.through_lens(self._still)

    def picture(self, lying: Sequence[LyingCard]) -> Colours:
        """Return a picture of these cards, later ones on top of earlier ones: uint8, height x width x 3."""
        self._render(tuple(lying))
        brighter, darker = self._noise
        y, x = (int(start) for start in self._random.integers(0, _NOISE_ROOM, 2))
        rows, columns = slice(y, y + self._optics.height), slice(x, x + self._optics.width)
        noisy = cv2.add(self._shown, brighter[rows, columns])
        return self._webcam.processed(np.asarray(cv2.subtract(noisy, darker[rows, columns], noisy), np.uint8))

    def pixel_of(self, card: LyingCard, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return at which pixel a point of a card is seen, given from the card's middle."""
        lie = self._lie_of(card.card)
        onto_table = _turned(card)
        return self._webcam.pixel_of(*pixel_of((x_mm, y_mm), lie, onto_table, self._optics.plane, self._up, _SIZE_MM))

    def _lie_of(self, card: str) -> Lie:
        flat = is_die(card) or card in self._bare
        return Lie() if flat else lie_of(card, self._seed, self._nuisances)

    def _draw_empty_table(self) -> Colours:
        bare = draw_wood(self._optics.width, self._optics.height, self._seed)
        if "ground" in self._nuisances:
            bare = draw_ground(bare, self._seed)
        wood = (bare if self._mat is None else self._mat.laid_on(bare, self._optics)).astype(np.float32)
        everywhere = np.ones((*wood.shape[:2], 1), np.float32)
        lit = self._lit(blurred(wood, self._optics), everywhere, 0, 0)
        return np.clip(lit, 0, 255).astype(np.uint8)

    def _render(self, lying: tuple[LyingCard, ...]) -> None:
        """Bring the picture without noise up to date; cards on top of what was there are simply added."""
        if lying == self._lying:
            return
        kept = len(self._lying)
        if lying[:kept] != self._lying:
            kept = 0
            self._still = self._empty.copy()
        here = set(lying)
        self._patches = {card: patch for card, patch in self._patches.items() if card in here}
        for card in lying[kept:]:
            if card not in self._patches:
                self._patches[card] = self._patch(card)
            self._lay(self._patches[card])
        self._lying = lying
        self._shown = self._webcam.through_lens(self._still)

    def _lay(self, patch: _Patch | None) -> None:
        if patch is not None:
            part = self._still[patch.rows, patch.columns]
            part[:] = np.clip(part * patch.lets_through + patch.lit, 0, 255)

    def _patch(self, card: LyingCard) -> _Patch | None:
        """Return what one card adds to the picture where it lies; None if it lies out of view."""
        face, covers = self._face(card.card)
        height, width = face.shape[:2]
        to_picture = self._optics.plane.matrix @ _onto_table(card, width / PIXELS_A_MM, height / PIXELS_A_MM)
        outline = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
        reached = cv2.perspectiveTransform(outline, to_picture)[0]
        left, top = np.maximum(np.floor(reached.min(axis=0)).astype(int) - _MARGIN, 0)
        right, bottom = np.minimum(
            np.ceil(reached.max(axis=0)).astype(int) + _MARGIN, (self._optics.width, self._optics.height)
        )
        if right <= left or bottom <= top:
            return None
        lie = self._lie_of(card.card)
        if not lie.flat:
            return self._raised(card, lie, face, covers)
        into_part = _pixel_centres_finer(_FINER) @ np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ to_picture
        into_part = into_part @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        size = (int(right - left), int(bottom - top))
        finer = (size[0] * _FINER, size[1] * _FINER)
        warped = np.asarray(cv2.warpPerspective(face, into_part, finer, flags=cv2.INTER_LINEAR), np.uint8)
        cover = np.asarray(cv2.warpPerspective(covers, into_part, finer, flags=cv2.INTER_LINEAR), np.uint8)
        return self._seen(warped, cover, (int(left), int(top)), size)

    def _raised(self, card: LyingCard, lie: Lie, face: Colours, covers: GreyPicture) -> _Patch | None:
        """Return what a card adds to the picture that does not lie flat on the table."""
        (height, width), onto_table = face.shape[:2], _turned(card)
        size = (width / PIXELS_A_MM, height / PIXELS_A_MM)
        rim = [
            pixel_of((x * size[0] / 2, y * size[1] / 2), lie, onto_table, self._optics.plane, self._up, size)
            for x in _RIM
            for y in _RIM
        ]
        least, most = np.min(rim, axis=0), np.max(rim, axis=0)
        left, top = (int(own) for own in np.maximum(np.floor(least) - _MARGIN, 0))
        whole = (self._optics.width, self._optics.height)
        right, foot = (int(own) for own in np.minimum(np.ceil(most) + _MARGIN, whole))
        if right <= left or foot <= top:
            return None
        seen = (self._optics.plane, self._up)
        points = seen_finer((left, top, right, foot), _FINER, lie, onto_table, *seen, size)
        across, down = (
            ((own + length / 2) * PIXELS_A_MM - 0.5).astype(np.float32)
            for own, length in zip(points, size, strict=True)
        )
        warped, cover = (
            np.asarray(cv2.remap(own, across, down, cv2.INTER_LINEAR, borderValue=(0,)), np.uint8)
            for own in (face, covers)
        )
        return self._seen(warped, cover, (left, top), (right - left, foot - top))

    def _seen(
        self,
        warped: npt.NDArray[np.uint8],
        cover: npt.NDArray[np.uint8],
        corner: tuple[int, int],
        size: tuple[int, int],
    ) -> _Patch:
        """Return what a card adds where it is seen, drawn ``_FINER`` times as fine, from a corner on."""
        left, top = corner
        seen = cv2.resize(warped, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        share = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        # Both are softened with nothing round them, so that the edge fades into what lies below.
        soft = blurred(np.asarray(seen, np.float32), self._optics)
        soft_share = blurred(np.asarray(share, np.float32), self._optics)[:, :, None]
        return _Patch(
            rows=slice(top, top + size[1]),
            columns=slice(left, left + size[0]),
            lit=self._lit(soft, soft_share, left, top),
            lets_through=1 - soft_share,
        )

    def _face(self, card: str) -> tuple[Colours, GreyPicture]:
        """Draw what lies there, if not done lately: its colours, and by how much it covers what lies below."""
        if card not in self._faces:
            self._faces[card] = draw_die(card) if is_die(card) else self._drawn(card)
            if len(self._faces) > _FACES:  # an evening of several games lays some hundred cards, each 800 kB
                self._faces.pop(next(iter(self._faces)))
        return self._faces[card]

    def _drawn(self, card: str) -> tuple[Colours, GreyPicture]:
        if card in self._bare:
            looks = self._bare[card]
            face = draw_bare_card(card, self._seed) if looks is None else looks
        else:
            face = draw_card(card, self._texts[card], self._seed, self._layout, self._nuisances)
            face = sleeved(face, card, self._seed, self._nuisances)
        return face, np.full(face.shape[:2], 255, np.uint8)

    def _lit(
        self, picture: npt.NDArray[np.float32], share: npt.NDArray[np.float32], left: int, top: int
    ) -> npt.NDArray[np.float32]:
        """Return a part of the picture as the light makes it look, where it covers the table by ``share``."""
        rows, columns = slice(top, top + picture.shape[0]), slice(left, left + picture.shape[1])
        lit = picture * self._light[rows, columns]
        if self._glare is not None:
            lit += self._glare[rows, columns, None] * share
        return np.asarray(lit, np.float32)

    def _noise_plates(self) -> tuple[Colours, Colours]:
        """Return what noise adds and what it takes away."""
        shape = (self._optics.height + _NOISE_ROOM, self._optics.width + _NOISE_ROOM, 3)
        noise = self._random.standard_normal(shape, np.float32) * self._optics.noise
        steps = np.rint(noise)
        return np.clip(steps, 0, 255).astype(np.uint8), np.clip(-steps, 0, 255).astype(np.uint8)


def _onto_table(card: LyingCard, width_mm: float, height_mm: float) -> npt.NDArray[np.float64]:
    """Return the map from a card's drawn pixels to millimetres on the table."""
    centred = np.array([[1 / PIXELS_A_MM, 0, -width_mm / 2], [0, 1 / PIXELS_A_MM, -height_mm / 2], [0, 0, 1]])
    return np.asarray(_turned(card) @ centred, np.float64)


def _turned(card: LyingCard) -> npt.NDArray[np.float64]:
    """Return the map from millimetres about a card's middle to those on the table."""
    angle = np.radians(card.angle)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[cos, -sin, card.x_mm], [sin, cos, card.y_mm], [0, 0, 1]])


def _pixel_centres_finer(finer: int) -> npt.NDArray[np.float64]:
    """Return the map from pixel edges to the pixel centres, ``finer`` times as many, that warping counts in."""
    return np.array([[finer, 0, -0.5], [0, finer, -0.5], [0, 0, 1]])
