"""Render a table as a camera over it would see it.

The empty table is drawn once. A card is drawn once from above; then, for its place, warped, blurred and lit in its own
small part of the picture. Noise is new in every frame.
"""

import zlib
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, F64, U8, GreyPicture, Picture
from companion.simulator.art import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    PIXELS_A_MM,
    PlacedMat,
    draw_card,
    draw_colour,
    draw_die,
    draw_unlabelled_card,
    draw_wood,
    is_die,
)
from companion.simulator.optics import (
    NONE,
    CameraArtefacts,
    Nuisances,
    Optics,
    blur_picture,
    compute_glare,
    compute_light,
    focal_length,
)
from companion.simulator.pose import CardPose, backproject_finely, compute_upward_vector, project_point, sample_pose
from companion.vision.label.label import STANDARD_LABEL, LabelLayout


def draw_table_texture(wood: Picture, seed: int) -> Picture:
    """Return the empty table, every second time under a cloth, with sheets of paper and dark things on it."""
    random = np.random.default_rng([seed, 11])
    table = _cloth(wood.shape[:2], random) if random.random() < 0.5 else wood.copy()  # noqa: PLR2004 - every second
    for _ in range(int(random.integers(2, 7))):
        _sheet(table, random)
    for _ in range(int(random.integers(0, 12))):
        centre = tuple(int(of) for of in random.uniform(0, 1, 2) * table.shape[1::-1])
        cv2.circle(table, centre, int(random.uniform(10, 60)), draw_colour(random, 10, 250), -1, cv2.LINE_AA)
    return table


def _cloth(shape: tuple[int, ...], random: np.random.Generator) -> Picture:
    """Return a cloth of woven threads in two colours."""
    height, width = shape[:2]
    threads = random.normal(0, 14, (height, width)).astype(np.float32)
    across, down = (cv2.GaussianBlur(threads, (0, 0), sigmaX=x, sigmaY=y) * 4 for x, y in ((4, 0.6), (0.6, 4)))
    stripes = 18 * np.sign(np.sin(np.arange(width) / random.uniform(6, 40)))[None, :]
    base = random.integers(20, 200, 3).astype(np.float32)
    return np.asarray(np.clip(base + (across + down + stripes)[:, :, None], 0, 255), np.uint8)


def _sheet(table: Picture, random: np.random.Generator) -> None:
    """Draw a sheet of paper or a dark board with lines of print onto the table."""
    height, width = table.shape[:2]
    size = random.uniform(0.08, 0.3, 2) * width
    centre = random.uniform(0, 1, 2) * (width, height)
    angle = random.uniform(0, 180)
    light = random.random() < 0.6  # noqa: PLR2004 - most are light
    corners = cv2.boxPoints((centre.tolist(), size.tolist(), angle)).astype(np.int32)
    cv2.fillPoly(table, [corners], draw_colour(random, 200, 255) if light else draw_colour(random, 5, 70), cv2.LINE_AA)
    a, b, d = (corners[number].astype(np.float64) for number in (0, 1, 3))
    for line in np.linspace(0.1, 0.9, int(random.integers(4, 24))):
        start, end = a + (b - a) * line + (d - a) * 0.1, a + (b - a) * line + (d - a) * random.uniform(0.3, 0.9)
        ends = [tuple(int(part) for part in end_) for end_ in (start, end)]
        cv2.line(table, ends[0], ends[1], (60, 60, 60) if light else (190, 190, 190), int(random.integers(1, 5)))


def draw_room_light(width: int, height: int, seed: int, nuisances: Nuisances) -> F32 | None:
    """Return the light of a room: shadows, lamps of two colours, darker corners; None if it is uniform.

    float32 height x width x 3 (blue, green, red); 1 is full white light.
    """
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


def _lamps(width: int, height: int, random: np.random.Generator) -> F32:
    x, y = (
        np.linspace(-1, 1, width, dtype=np.float32)[None, :],
        np.linspace(-1, 1, height, dtype=np.float32)[:, None],
    )
    angle = random.uniform(0, 2 * np.pi)
    warm = 0.5 + 0.35 * (x * np.cos(angle) + y * np.sin(angle))
    blue, red = 1 - random.uniform(0.1, 0.4) * warm, 1 - random.uniform(0.05, 0.25) * (1 - warm)
    darker = 1 - random.uniform(0.1, 0.4) * (x * x + y * y) / 2
    return np.asarray(np.stack((blue, np.ones_like(blue), red), axis=2) * darker[:, :, None], np.float32)


def _shadow(width: int, height: int, random: np.random.Generator) -> F32:
    """Return the shadow of a hand with its arm, or of a head: float32 height x width, 0 to 1."""
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


_SLEEVED, _WITH_HIGHLIGHT = 0.6, 0.5
"""Share of cards in sleeves, and share of these that reflect a lamp."""


def apply_sleeve(face: Picture, card: str, seed: int, nuisances: Nuisances) -> Picture:
    """Return a card's picture in its sleeve, which takes contrast and may reflect a lamp; some have none."""
    if not nuisances & {"sleeves", "highlights"}:
        return face
    random = np.random.default_rng([seed, 10, zlib.crc32(card.encode())])
    if random.random() > _SLEEVED:
        return face
    height, width = face.shape[:2]
    takes, adds = random.uniform(0.85, 1.0), random.uniform(0, 0.06)
    shown = face * takes + 255 * adds if "sleeves" in nuisances else face.astype(np.float64)
    if "highlights" in nuisances and random.random() < _WITH_HIGHLIGHT:
        y, x = np.mgrid[:height, :width].astype(np.float32)
        angle, at = random.uniform(0, np.pi), random.uniform(0, 1, 2) * (width, height)
        across = (x - at[0]) * np.cos(angle) + (y - at[1]) * np.sin(angle)
        along = (y - at[1]) * np.cos(angle) - (x - at[0]) * np.sin(angle)
        narrow, long = random.uniform(0.04, 0.15) * width, random.uniform(0.2, 0.6) * height
        lamp = 255 * random.uniform(0.2, 1.1) * np.exp(-0.5 * ((across / narrow) ** 2 + (along / long) ** 2))
        shown = shown + lamp[:, :, None]
    return np.asarray(np.clip(shown, 0, 255), np.uint8)


_OVERSAMPLING = 3
"""Samples a pixel in each direction when a card is warped."""

_RIM = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Points of a card, in half sides from its centre, from which its bounding box is computed."""

_SIZE_MM = (CARD_WIDTH_MM, CARD_HEIGHT_MM)

_MARGIN = 6
"""Pixels round a card that its blurred edge reaches."""

_MAX_FACES = 24
"""Drawn cards that are kept at most."""

_NOISE_ROOM = 256
"""Pixels by which the array of noise is larger than the picture, so that each frame uses another part of it."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the table: its centre in millimetres and its clockwise rotation in degrees."""

    card: str
    x_mm: float
    y_mm: float
    angle: float


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """A card in its part of the picture.

    ``light``: what it adds, float32 height x width x 3. ``transmittance``: share of what lies below that still shows,
    float32 height x width x 1.
    """

    rows: slice
    columns: slice
    light: F32
    transmittance: F32


@lru_cache(maxsize=2)
def _light_table(optics: Optics, seed: int, nuisances: Nuisances) -> tuple[F32, F32 | None]:
    """Return the light (height x width x 1 or 3) and the glare on a table; cached, read-only."""
    light = compute_light(optics)[:, :, None]
    coloured = draw_room_light(optics.width, optics.height, seed, nuisances)
    if coloured is not None:
        light = light * coloured
    glare = compute_glare(optics)
    for array in (light, glare):
        if array is not None:
            array.setflags(write=False)
    return light, glare


@lru_cache(maxsize=2)
def _draw_bare_table(width: int, height: int, seed: int, nuisances: Nuisances) -> Picture:
    """Return the table without mat and cards; cached, read-only."""
    bare = draw_wood(width, height, seed)
    if "ground" in nuisances:
        bare = draw_table_texture(bare, seed)
    bare.setflags(write=False)
    return bare


@lru_cache(maxsize=2)
def _draw_noise(width: int, height: int, deviation: float, seed: int) -> tuple[Picture, Picture, Mapping[str, Any]]:
    """Return the positive and the negative parts of noise (uint8), and the state of chance after it; cached."""
    random = np.random.default_rng([seed, 2])
    steps = np.rint(random.standard_normal((height, width, 3), np.float32) * deviation)
    plates = np.clip(steps, 0, 255).astype(np.uint8), np.clip(-steps, 0, 255).astype(np.uint8)
    for plate in plates:
        plate.setflags(write=False)
    return *plates, random.bit_generator.state


DISTINCT_PICTURES = 8
"""Of a table that does not change: as many as its reader takes the mean of, so that each has noise of its own."""


class Scene:
    """Renders pictures of one table by one camera. Not thread-safe.

    Of a table that does not change the pictures repeat after ``DISTINCT_PICTURES``: processing one takes a good part of
    the time from frame to frame.
    """

    def __init__(
        self,
        optics: Optics,
        texts: dict[str, str | None],
        seed: int,
        layout: LabelLayout = STANDARD_LABEL,
        mat: PlacedMat | None = None,
        unlabelled: Mapping[str, Picture | None] | None = None,
        nuisances: Nuisances = NONE,
    ) -> None:
        """Draw the empty table.

        Args:
            optics: of the camera.
            texts: of each card's label; None for a label without a code.
            seed: of all that is random.
            layout: of the labels.
            mat: that lies under the cards.
            unlabelled: cards without a label and their pictures; None for the drawn picture.
            nuisances: what makes the table harder to read.

        """
        self._nuisances = nuisances
        self._artefacts = CameraArtefacts(optics.width, optics.height, seed, nuisances)
        self._up = compute_upward_vector(optics.plane, optics.width, focal_length(optics.width), optics.height)
        self._unlabelled = {} if unlabelled is None else unlabelled
        self._layout = layout
        self._mat = mat
        self._optics = optics
        self._texts = texts
        self._seed = seed
        self._light, self._glare = _light_table(optics, seed, nuisances)
        self._bare = _draw_bare_table(optics.width, optics.height, seed, nuisances)
        self._empty = self._draw_empty_table()
        self._random = np.random.default_rng([seed, 2])
        brighter, darker, self._random.bit_generator.state = _draw_noise(
            optics.width + _NOISE_ROOM, optics.height + _NOISE_ROOM, optics.noise, seed
        )
        self._noise = brighter, darker
        self._faces: dict[str, tuple[Picture, GreyPicture]] = {}
        self._patches: dict[PlacedCard, _Patch | None] = {}
        self._cards: tuple[PlacedCard, ...] = ()
        self._pictures: deque[Picture] = deque()
        self._noiseless = self._empty.copy()
        self._distorted = self._artefacts.distort(self._noiseless)

    def lay_mat(self, mat: PlacedMat | None) -> None:
        """Put this mat, or none, under the cards from now on."""
        if mat == self._mat:
            return
        self._mat = mat
        self._empty = self._draw_empty_table()
        self._noiseless, self._cards = self._empty.copy(), ()
        self._pictures.clear()
        self._distorted = self._artefacts.distort(self._noiseless)

    def render(self, cards: Sequence[PlacedCard]) -> Picture:
        """Return a picture of these cards, later ones on top: uint8 height x width x 3, read-only."""
        self._update(tuple(cards))
        if len(self._pictures) < DISTINCT_PICTURES:
            picture = self._render_noisy()
            picture.setflags(write=False)
            self._pictures.append(picture)
        else:
            self._pictures.rotate(-1)
        return self._pictures[-1]

    def _render_noisy(self) -> Picture:
        brighter, darker = self._noise
        y, x = (int(start) for start in self._random.integers(0, _NOISE_ROOM, 2))
        rows, columns = slice(y, y + self._optics.height), slice(x, x + self._optics.width)
        noisy = cv2.add(self._distorted, brighter[rows, columns])
        return self._artefacts.process(np.asarray(cv2.subtract(noisy, darker[rows, columns], noisy), np.uint8))

    def project_point(self, card: PlacedCard, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Return the pixel of a point of a card, given in mm from its centre."""
        pose = self._pose_of(card.card)
        onto_table = _to_table_mm(card)
        return self._artefacts.distort_point(
            *project_point((x_mm, y_mm), pose, onto_table, self._optics.plane, self._up, _SIZE_MM)
        )

    def _pose_of(self, card: str) -> CardPose:
        flat = is_die(card) or card in self._unlabelled
        return CardPose() if flat else sample_pose(card, self._seed, self._nuisances)

    def _draw_empty_table(self) -> Picture:
        bare = self._bare
        wood = (bare if self._mat is None else self._mat.draw_on(bare, self._optics)).astype(np.float32)
        everywhere = np.ones((*wood.shape[:2], 1), np.float32)
        light = self._apply_light(blur_picture(wood, self._optics), everywhere, 0, 0)
        return np.clip(light, 0, 255).astype(np.uint8)

    def _update(self, cards: tuple[PlacedCard, ...]) -> None:
        """Update the noiseless picture; cards on top of the previous ones are just added."""
        if cards == self._cards:
            return
        self._pictures.clear()
        kept = len(self._cards)
        if cards[:kept] != self._cards:
            kept = 0
            self._noiseless = self._empty.copy()
        placed = set(cards)
        self._patches = {card: patch for card, patch in self._patches.items() if card in placed}
        for card in cards[kept:]:
            if card not in self._patches:
                self._patches[card] = self._project(card)
            self._paste(self._patches[card])
        self._cards = cards
        self._distorted = self._artefacts.distort(self._noiseless)

    def _paste(self, patch: _Patch | None) -> None:
        if patch is not None:
            part = self._noiseless[patch.rows, patch.columns]
            part[:] = np.clip(part * patch.transmittance + patch.light, 0, 255)

    def _project(self, card: PlacedCard) -> _Patch | None:
        """Return what one card adds to the picture; None if it lies out of view."""
        face, covers = self._face(card.card)
        height, width = face.shape[:2]
        to_picture = self._optics.plane.matrix @ _pixels_to_table(card, width / PIXELS_A_MM, height / PIXELS_A_MM)
        outline = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
        reached = cv2.perspectiveTransform(outline, to_picture)[0]
        left, top = np.maximum(np.floor(reached.min(axis=0)).astype(int) - _MARGIN, 0)
        right, bottom = np.minimum(
            np.ceil(reached.max(axis=0)).astype(int) + _MARGIN, (self._optics.width, self._optics.height)
        )
        if right <= left or bottom <= top:
            return None
        pose = self._pose_of(card.card)
        if not pose.is_flat:
            return self._project_raised(card, pose, face, covers)
        into_part = (
            _to_oversampled_pixels(_OVERSAMPLING) @ np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ to_picture
        )
        into_part = into_part @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        size = (int(right - left), int(bottom - top))
        oversampling = (size[0] * _OVERSAMPLING, size[1] * _OVERSAMPLING)
        warped = np.asarray(cv2.warpPerspective(face, into_part, oversampling, flags=cv2.INTER_LINEAR), np.uint8)
        cover = np.asarray(cv2.warpPerspective(covers, into_part, oversampling, flags=cv2.INTER_LINEAR), np.uint8)
        return self._make_patch(warped, cover, (int(left), int(top)), size)

    def _project_raised(self, card: PlacedCard, pose: CardPose, face: Picture, covers: GreyPicture) -> _Patch | None:
        """Return what a card that does not lie flat adds to the picture; None if it lies out of view."""
        (height, width), onto_table = face.shape[:2], _to_table_mm(card)
        size = (width / PIXELS_A_MM, height / PIXELS_A_MM)
        rim = [
            project_point((x * size[0] / 2, y * size[1] / 2), pose, onto_table, self._optics.plane, self._up, size)
            for x in _RIM
            for y in _RIM
        ]
        least, most = np.min(rim, axis=0), np.max(rim, axis=0)
        left, top = (int(values) for values in np.maximum(np.floor(least) - _MARGIN, 0))
        whole = (self._optics.width, self._optics.height)
        right, bottom = (int(values) for values in np.minimum(np.ceil(most) + _MARGIN, whole))
        if right <= left or bottom <= top:
            return None
        seen = (self._optics.plane, self._up)
        points = backproject_finely((left, top, right, bottom), _OVERSAMPLING, pose, onto_table, *seen, size)
        across, down = (
            ((values + length / 2) * PIXELS_A_MM - 0.5).astype(np.float32)
            for values, length in zip(points, size, strict=True)
        )
        warped, cover = (
            np.asarray(cv2.remap(values, across, down, cv2.INTER_LINEAR, borderValue=(0,)), np.uint8)
            for values in (face, covers)
        )
        return self._make_patch(warped, cover, (left, top), (right - left, bottom - top))

    def _make_patch(
        self,
        warped: U8,
        cover: U8,
        corner: tuple[int, int],
        size: tuple[int, int],
    ) -> _Patch:
        """Return what a card adds to the picture, from its oversampled picture and opacity."""
        left, top = corner
        seen = cv2.resize(warped, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        share = cv2.resize(cover, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        # Both are blurred against nothing, so that the edge fades into what lies below.
        soft = blur_picture(np.asarray(seen, np.float32), self._optics)
        soft_share = blur_picture(np.asarray(share, np.float32), self._optics)[:, :, None]
        return _Patch(
            rows=slice(top, top + size[1]),
            columns=slice(left, left + size[0]),
            light=self._apply_light(soft, soft_share, left, top),
            transmittance=1 - soft_share,
        )

    def _face(self, card: str) -> tuple[Picture, GreyPicture]:
        """Return the picture and opacity of a card or die, drawn unless that was done lately."""
        if card not in self._faces:
            self._faces[card] = draw_die(card) if is_die(card) else self._draw_face(card)
            if len(self._faces) > _MAX_FACES:  # an evening of several games lays some hundred cards, each 800 kB
                self._faces.pop(next(iter(self._faces)))
        return self._faces[card]

    def _draw_face(self, card: str) -> tuple[Picture, GreyPicture]:
        if card in self._unlabelled:
            picture = self._unlabelled[card]
            face = draw_unlabelled_card(card, self._seed) if picture is None else picture
        else:
            face = draw_card(card, self._texts[card], self._seed, self._layout, self._nuisances)
            face = apply_sleeve(face, card, self._seed, self._nuisances)
        return face, np.full(face.shape[:2], 255, np.uint8)

    def _apply_light(self, picture: F32, share: F32, left: int, top: int) -> F32:
        """Return a part of the picture under the room's light, with glare where it covers the table by ``share``."""
        rows, columns = slice(top, top + picture.shape[0]), slice(left, left + picture.shape[1])
        light = picture * self._light[rows, columns]
        if self._glare is not None:
            light += self._glare[rows, columns, None] * share
        return np.asarray(light, np.float32)


def _pixels_to_table(card: PlacedCard, width_mm: float, height_mm: float) -> F64:
    """Return the map from the pixels of a drawn card to millimetres on the table."""
    centred = np.array([[1 / PIXELS_A_MM, 0, -width_mm / 2], [0, 1 / PIXELS_A_MM, -height_mm / 2], [0, 0, 1]])
    return np.asarray(_to_table_mm(card) @ centred, np.float64)


def _to_table_mm(card: PlacedCard) -> F64:
    """Return the map from millimetres from a card's centre to millimetres on the table."""
    angle = np.radians(card.angle)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[cos, -sin, card.x_mm], [sin, cos, card.y_mm], [0, 0, 1]])


def _to_oversampled_pixels(oversampling: int) -> F64:
    """Return the map from pixel edges to the centres of ``oversampling`` times as many pixels, which warping uses."""
    return np.array([[oversampling, 0, -0.5], [0, oversampling, -0.5], [0, 0, 1]])
