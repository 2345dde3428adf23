"""What lies on a simulated table: printed cards with their labels, and the wood under them."""

import zlib

import cv2
import numpy as np
import numpy.typing as npt
import segno

from companion.adapters.cameras.nuisances import NONE, Nuisances
from companion.adapters.cameras.sticking import art_round, stick, stick_by_hand
from companion.vision.label.label import STANDARD_LABEL, LabelLayout, draw_label
from companion.vision.label.sighting import Grey
from companion.vision.label.tag import parse_tag

Colours = npt.NDArray[np.uint8]
"""uint8, height x width x 3 (blue, green, red), in full light."""

CARD_WIDTH_MM = 63.0
CARD_HEIGHT_MM = 88.0
PIXELS_A_MM = 6.0
"""How fine cards are drawn, before the camera sees them."""

_LABEL_GAP_MM = 4.0
"""From the label to the card's right and lower edge."""

_FOREIGN_SIDES_MM = (18.0, 32.0)
"""How large a code is that is no label, from and to."""


def draw_card(
    card: str, text: str | None, seed: int, layout: LabelLayout = STANDARD_LABEL, nuisances: Nuisances = NONE
) -> Colours:
    """Return the face of a card with its label at the lower right.

    ``text`` None gives it a label without code; one that no label can say is printed as an ordinary QR code.
    """
    face, random = _without_label(card, seed)
    label = _foreign_code(text, random) if text and parse_tag(text) is None else _label(text, card, layout)
    gap = round(_LABEL_GAP_MM * PIXELS_A_MM)
    left, top = face.shape[1] - gap - label.shape[1], face.shape[0] - gap - label.shape[0]
    if "art" in nuisances:
        half = label.shape[0] / 2
        art_round(face, (left + half, top + half), half + 5 * PIXELS_A_MM, random)
    if "prints" in nuisances:
        stick_by_hand(face, label, (left, top), random, PIXELS_A_MM)
    else:
        stick(face, label, (left, top), random)
    return face


def draw_bare_card(card: str, seed: int) -> Colours:
    """Return the face of the same card on which nobody has put a label."""
    return _without_label(card, seed)[0]


def _without_label(card: str, seed: int) -> tuple[Colours, np.random.Generator]:
    random = np.random.default_rng([seed, zlib.crc32(card.encode())])
    height, width = round(CARD_HEIGHT_MM * PIXELS_A_MM), round(CARD_WIDTH_MM * PIXELS_A_MM)
    face = np.empty((height, width, 3), np.uint8)
    face[:] = random.integers(120, 225, 3)
    edge = round(3 * PIXELS_A_MM)
    cv2.rectangle(face, (edge, edge), (width - edge, height - edge), _colour(random, 20, 110), round(0.8 * PIXELS_A_MM))
    cv2.rectangle(face, (2 * edge, 2 * edge), (width - 2 * edge, height // 2), _colour(random, 60, 230), -1)
    for _ in range(9):
        x, y = random.integers(2 * edge, width - 3 * edge), random.integers(2 * edge, height // 2 - edge)
        reach = int(random.integers(edge, 3 * edge))
        corner = (min(int(x) + reach, width - 2 * edge), min(int(y) + reach, height // 2))
        cv2.rectangle(face, (int(x), int(y)), corner, _colour(random, 10, 250), -1)
    for line in range(7):
        top = height // 2 + edge + line * edge
        end = int(random.integers(width // 3, width // 2))
        cv2.line(face, (2 * edge, top), (end, top), (40, 40, 40), round(0.7 * PIXELS_A_MM))
    cv2.putText(face, card, (2 * edge, height - 2 * edge), cv2.FONT_HERSHEY_SIMPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA)
    return face, random


def _label(text: str | None, card: str, layout: LabelLayout) -> Grey:
    return draw_label(text, card, PIXELS_A_MM, layout)


def _foreign_code(text: str, random: np.random.Generator) -> Grey:
    """Return somebody else's QR code with its quiet zone, of a size that is drawn."""
    modules = np.pad(~np.array(segno.make(text, micro=False).matrix, np.bool_), 4, constant_values=True)
    size = round(random.uniform(*_FOREIGN_SIDES_MM) * PIXELS_A_MM)
    large = np.kron(modules, np.ones((8, 8), np.uint8)).astype(np.uint8) * 255
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.uint8)


def label_corner_mm(layout: LabelLayout = STANDARD_LABEL) -> tuple[float, float]:
    """Return where the label's top left corner lies in a card, from the card's own top left."""
    return CARD_WIDTH_MM - _LABEL_GAP_MM - layout.side_mm, CARD_HEIGHT_MM - _LABEL_GAP_MM - layout.side_mm


def label_middle_mm() -> tuple[float, float]:
    """Return where the middle of the symbol lies in a card, from the card's own top left."""
    left, top = label_corner_mm()
    x, y, side = STANDARD_LABEL.symbol_mm
    return left + x + side / 2, top + y + side / 2


def draw_wood(width: int, height: int, seed: int) -> Colours:
    """Return planks of wood with their grain."""
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


def _colour(random: np.random.Generator, low: int, high: int) -> tuple[int, int, int]:
    blue, green, red = (int(part) for part in random.integers(low, high, 3))
    return blue, green, red
