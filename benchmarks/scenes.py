"""Tables full of cards as a camera sees them, with the truth about them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.qr.sighting import GreyPicture
from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, label_corner_mm
from companion.simulator.optics import NONE, SEVERITIES, Nuisances, Optics, compress_picture, sample_optics
from companion.simulator.scene import PlacedCard, Scene
from companion.vision.label.label import STANDARD_LABEL, LabelLayout
from companion.vision.label.tag import Deck
from companion.vision.read import to_grey

KINDS = {"C": 12, "W": 40, "E": 16, "Y": 11}
CARDS = tuple(f"{kind}{number:02}" for kind, count in KINDS.items() for number in range(1, count + 1))
DECK = Deck("MB", frozenset(CARDS))
FOREIGN: dict[str, str | None] = {
    "foreign-1": "https://example.org/menu?table=7",
    "foreign-2": "WIFI:S:guest;T:WPA;P:not a card;;",
}
PITCH_MM = (113.0, 140.0)
PIXELS_A_MM = 1.85


@dataclass(frozen=True)
class Shot:
    """Frames of one table, and for each label in view its text and the corners of its symbol (4 x 2, pixels).

    ``laid``: the texts of all labels on the table, those too that hardly reach into view.
    """

    frames: tuple[GreyPicture, ...]
    labels: dict[str, npt.NDArray[np.float64]]
    laid: frozenset[str]


def shoot(  # noqa: PLR0913 - what may vary
    severity: str,
    seed: int,
    *,
    cards: int = 24,
    frames: int = 1,
    pixels_a_mm: float = PIXELS_A_MM,
    layout: LabelLayout = STANDARD_LABEL,
    size: tuple[int, int] = (1920, 1080),
    print_run: int = 1,
    nuisances: Nuisances = NONE,
) -> Shot:
    """Return frames of a table with ``cards`` cards of the deck and two foreign codes, at any angle."""
    random = np.random.default_rng([seed, 99])
    optics = sample_optics(SEVERITIES[severity], random, *size, pixels_a_mm=pixels_a_mm)
    chosen = [str(card) for card in random.choice(CARDS, cards, replace=False)]
    texts: dict[str, str | None] = {**{card: f"MB{print_run}{card}" for card in chosen}, **FOREIGN}
    lying = _strewn(list(texts), random, (size[0] / pixels_a_mm, size[1] / pixels_a_mm))
    scene = Scene(optics, texts, seed, layout, nuisances=nuisances)
    taken = tuple(to_grey(compress_picture(scene.render(lying), optics)) for _ in range(frames))
    labels = {}
    for card in lying:
        text = texts[card.card]
        corners = corners_of(scene, card, layout)
        x, y = corners.mean(axis=0)
        if card.card not in FOREIGN and text is not None and 0 <= x < size[0] and 0 <= y < size[1]:
            labels[text] = corners
    return Shot(taken, labels, frozenset(text for card in lying if (text := texts[card.card]) is not None))


@dataclass(frozen=True)
class Strewn:
    """A scene of 1080p through some optics, cards on it, and the names of those that lie well ``inside``."""

    scene: Scene
    optics: Optics
    texts: dict[str, str | None]
    lying: list[PlacedCard]
    inside: frozenset[str]

    def frame(self, cards: list[PlacedCard]) -> GreyPicture:
        """Return the next frame, with these cards alone."""
        return to_grey(compress_picture(self.scene.render(cards), self.optics))


def strewn(severity: str, seed: int, cards: int, inside: float, nuisances: Nuisances = NONE) -> Strewn:
    """Strew cards; inside are those whose labels lie so many pixels from the picture's edge."""
    random = np.random.default_rng([seed, 99])
    width, height = 1920, 1080
    optics = sample_optics(SEVERITIES[severity], random, width, height, pixels_a_mm=PIXELS_A_MM)
    chosen = [str(card) for card in random.choice(CARDS, cards, replace=False)]
    texts: dict[str, str | None] = {card: f"MB1{card}" for card in chosen}
    lying = _strewn(list(texts), random, (width / PIXELS_A_MM, height / PIXELS_A_MM))
    scene = Scene(optics, texts, seed, STANDARD_LABEL, nuisances=nuisances)
    seen = []
    for card in lying:
        x, y = corners_of(scene, card, STANDARD_LABEL).T
        if min(x.min(), y.min(), width - x.max(), height - y.max()) > inside:
            seen.append(card.card)
    return Strewn(scene, optics, texts, lying, frozenset(seen))


def _strewn(names: list[str], random: np.random.Generator, span_mm: tuple[float, float]) -> list[PlacedCard]:
    """Return cards at places so far apart that none covers another, as far as there is room; then it goes round."""
    columns, rows = max(1, int(span_mm[0] // PITCH_MM[0])), max(1, int(span_mm[1] // PITCH_MM[1]))
    left, top = (span_mm[0] - columns * PITCH_MM[0]) / 2, (span_mm[1] - rows * PITCH_MM[1]) / 2
    places = random.permutation(columns * rows)
    lying = []
    for name, place in zip(names, places, strict=False):
        row, column = divmod(int(place), columns)
        x = left + (column + 0.5) * PITCH_MM[0] + random.uniform(-3, 3)
        y = top + (row + 0.5) * PITCH_MM[1] + random.uniform(-10, 10)
        lying.append(PlacedCard(name, float(x), float(y), float(random.uniform(0, 360))))
    return lying


def corners_of(scene: Scene, card: PlacedCard, layout: LabelLayout) -> npt.NDArray[np.float64]:
    """Return where the corners of a card's symbol are in the picture, 4 x 2, clockwise from its own top left.

    As far as its label was stuck neatly.
    """
    left, top = label_corner_mm(layout)
    x, y, side = layout.symbol_mm
    box = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float64)
    box += np.array([left + x - CARD_WIDTH_MM / 2, top + y - CARD_HEIGHT_MM / 2])
    return np.array([scene.project_point(card, float(across), float(down)) for across, down in box])
